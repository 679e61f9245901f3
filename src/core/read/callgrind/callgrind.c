/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Callgrind's files, which many other programs write too (Xdebug, pprof, pyprof2calltree), and
 * those of cachegrind, which have no calls: functions with what each of their lines costs, and
 * calls. They do not have the stacks of calls; edges/call-paths.h estimates these.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/error.h"
#include "core/base/idmap.h"
#include "core/model/profile/symbols.h"
#include "core/read/callgrind/callgrind-events.h"
#include "core/read/callgrind/callgrind-graph.h"
#include "core/read/callgrind/callgrind-lines.h"
#include "core/read/edges/call-known.h"
#include "core/read/edges/call-paths.h"
#include "core/read/edges/call-samples.h"
#include "core/read/unpack/reader.h"

/* Sums in a file that differ by less than one in so many need no note. */
#define MIN_DIFFERENCE 1000

typedef struct {
    CallgrindGraph file;
    PvProfileBuilder *builder;
    PvIdMap module_of_path; /* by the id of its name */
    const char **kept;      /* names by their ids, as the builder has them; NULL: not yet */
    uint64_t n_locations;
} Reading;

/* --- locations --- */

static bool
is_command (const Reading *self, const char *path)
{
    const char *command = self->file.command;
    if (command == NULL)
        return false;
    g_autofree char *program = g_strndup (command, strcspn (command, " "));
    g_autofree char *name = g_path_get_basename (program);
    g_autofree char *last = g_path_get_basename (path);
    return strcmp (name, last) == 0;
}

/* The object file of a function, or else its source file. */
static PvModuleId
get_module (Reading *self, const CallgrindFunction *function)
{
    PvStringId id = function->object != 0 ? function->object : function->file;
    if (id == 0)
        return pv_profile_builder_unknown_module (self->builder, false);
    uint32_t *slot = pv_id_map_slot (&self->module_of_path, id);
    if (*slot == 0) {
        const char *path = pv_interner_get (self->file.names, id);
        PvModule module = {
            .path = path,
            .kind = PV_MODULE_FILE,
            .address_kind = PV_ADDRESS_ORDINAL,
            .is_main = function->object != 0 && is_command (self, path),
        };
        *slot = pv_profile_builder_add_module (self->builder, &module);
    }
    return *slot;
}

static bool
is_without_name (const char *name)
{
    return strcmp (name, "???") == 0 ||
           (g_str_has_prefix (name, "0x") &&
            strspn (name + 2, "0123456789abcdefABCDEF") == strlen (name + 2));
}

static const char *
keep_name (Reading *self, PvStringId id)
{
    if (self->kept[id] == NULL)
        self->kept[id] =
            pv_profile_builder_string (self->builder, pv_interner_get (self->file.names, id));
    return self->kept[id];
}

static PvLocationId
locate (void *user, PvCallPlace place)
{
    Reading *self = user;
    const CallgrindFunction *function = &self->file.functions.data[place.function];
    const char *name = keep_name (self, function->name);
    if (strcmp (name, PV_NO_STACK) == 0)
        return 0;
    PvGivenFrame given = {
        .name = *name != '\0' ? name : pv_profile_builder_string (self->builder, "???"),
        .file = keep_name (self, place.file),
        .line = place.line,
        .is_unknown = *name == '\0' || is_without_name (name),
        .is_elsewhere = place.file != function->file,
    };
    PvLocationId location = pv_profile_builder_add_location (
        self->builder, get_module (self, function), self->n_locations++, PV_LOCATION_NAMED);
    pv_profile_builder_give_frames (self->builder, location, &given, 1);
    return location;
}

static void
weigh (void *user, const uint64_t *costs, uint64_t *ret_weights)
{
    Reading *self = user;
    callgrind_events_weigh (self->file.events, costs, ret_weights);
}

/* --- notes --- */

static void
add_note_of_summary (Reading *self)
{
    const CallgrindGraph *file = &self->file;
    if (!file->has_summary || file->sum < 0 ||
        ABS (file->summary - file->sum) <= file->summary / MIN_DIFFERENCE)
        return; /* valgrind itself is in the sum */
    g_autofree char *summary = pv_format_count ((uint64_t)file->summary);
    g_autofree char *sum = pv_format_count ((uint64_t)file->sum);
    pv_note_info (self->builder,
                  _ ("The file says that all functions together cost %s; its lines add up to %s."),
                  summary, sum);
}

static void
add_notes (Reading *self)
{
    const CallgrindGraph *file = &self->file;
    PvProfileBuilder *builder = self->builder;
    if (file->n_parts > 1)
        pv_note_info (builder, _ ("The %" PRIu64 " parts of the file are added up."),
                      file->n_parts);
    add_note_of_summary (self);
    if (file->graph.has_negatives)
        pv_note_info (builder,
                      _ ("Negative numbers are subtracted from other lines of the same function. A "
                         "function or call with a negative total is shown as zero."));
    if (file->graph.is_too_large)
        pv_note_warning (
            builder, _ ("Numbers that are too large are shown as the largest possible number."));
    pv_reader_note_bad_lines (builder, file->n_bad_lines);
    if (file->is_out_of_memory)
        pv_reader_note_out_of_memory (builder);
}

/* --- the file --- */

/* Callgrind's files have more positions, even if it was started not to count calls. */
static bool
is_cachegrind (const CallgrindGraph *file)
{
    return file->functions.len > 0 && file->graph.edges.len == 0 && !file->has_positions;
}

static void
note_calls (Reading *self, const PvCallPaths *paths, bool is_known)
{
    /* An info only: users of cachegrind expect no calls, and see that the graph has one level. */
    if (is_cachegrind (&self->file)) {
        pv_note_info (self->builder,
                      _ ("Cachegrind counts what functions and lines cost, but no calls."));
        return;
    }
    pv_call_samples_add_notes (
        paths, self->builder, is_known,
        _ ("The flame graph and the call tree are an estimate: the file has a call graph, but no "
           "call stacks. What a function costs is shared among its callers in proportion to what "
           "their calls cost. Functions, callers and callees are as in the file."));
}

static void
add_samples (Reading *self)
{
    CallgrindGraph *file = &self->file;
    PvCallPaths paths;
    PvCallSamples samples = {
        .builder = self->builder,
        .set = pv_profile_builder_add_set (self->builder, "costs", false),
        .job = file->context->job,
        .user = self,
        .locate = locate,
        .weigh = weigh,
    };
    pv_profile_builder_set_exact (self->builder, samples.set);
    callgrind_events_add_measures (file->events, samples.set);
    samples.n_weights = callgrind_events_count_measures (file->events);
    self->kept = g_new0 (const char *, pv_interner_get_count (file->names));
    pv_call_graph_seal (&file->graph);
    pv_call_paths_build (&paths, &file->graph, file->context->job);
    pv_call_samples_add (&samples, &paths);
    bool is_known = pv_call_known_add (&samples, &file->graph, true);
    if (file->functions.len > 0)
        note_calls (self, &paths, is_known);
    pv_call_paths_clear (&paths);
}

static void
set_facts (Reading *self)
{
    const CallgrindGraph *file = &self->file;
    PvFacts *facts = pv_profile_builder_facts (self->builder);
    facts->format = is_cachegrind (file) ? "cachegrind" : "callgrind";
    facts->command = file->command;
    facts->recorder = file->creator;
    facts->comment =
        pv_profile_builder_lines (self->builder, file->descriptions.data, file->descriptions.len);
}

static bool
read_callgrind (PvMappedFile *mapped, const char *path, PvProfileBuilder *builder,
                const PvReadContext *context, GError **error)
{
    (void)path;
    const char *data = (const char *)pv_mapped_file_get_data (mapped);
    size_t size_bytes = pv_mapped_file_get_size (mapped);
    Reading self = {.file = {.builder = builder, .context = context}, .builder = builder};
    callgrind_graph_read (&self.file, (PvText){data, data + size_bytes});
    bool is_ok = pv_job_check (context->job, error);
    if (is_ok && self.file.graph.n_events == 0)
        is_ok = pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                              _ ("This callgrind file is cut off before it says what it counts"));
    if (is_ok) {
        set_facts (&self);
        add_samples (&self);
        add_notes (&self);
    }
    callgrind_graph_clear (&self.file);
    pv_id_map_clear (&self.module_of_path);
    g_free (self.kept);
    return is_ok;
}

const PvReader pv_callgrind_reader = {
    .name = "callgrind",
    .media_type = "application/x-kcachegrind",
    .profiles = "callgrind, cachegrind",
    .is_recording = true,
    .sniff = callgrind_sniff,
    .sniff_after_lines = callgrind_sniff_all,
    .read = read_callgrind,
};
