/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles of programs that were compiled with -pg (gmon.out): a histogram of where the program
 * was, and counts of calls between places. The file has no names, and does not say which program
 * wrote it, so the folder is searched for one that fits. Without it, functions are the addresses
 * that were called.
 *
 * The line of a place is how far it is from the start of its function, plus 1.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/idmap.h"
#include "core/base/search.h"
#include "core/read/edges/call-known.h"
#include "core/read/edges/call-paths.h"
#include "core/read/edges/call-samples.h"
#include "core/read/gprof/gmon.h"
#include "core/read/gprof/gprof-graph.h"
#include "core/read/gprof/gprof-program.h"
#include "core/read/unpack/reader.h"

#define NS_PER_S       UINT64_C (1000000000)
#define BINS_PER_CHECK 4096u

typedef struct {
    uint64_t start;
    uint64_t size_bytes; /* 0: unknown */
} Function;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    GmonFile file;
    GprofProgram program;
    PvModuleId module;
    PV_ARRAY (Function) known;     /* by start, which differ */
    PV_ARRAY (Function) functions; /* those that are used, by their number */
    PvIdMap number_of_function;    /* by index in known + 1; 0: outside of all */
    GprofCounts counts;
    uint64_t n_ticks;
    uint64_t ns_per_tick; /* 0: ticks are not times */
    bool is_out_of_memory;
} Reading;

/* --- functions --- */

static int
compare_functions (const void *a_, const void *b_)
{
    const Function *a = a_, *b = b_;
    return pv_order (a->start, b->start);
}

/* Those of the program, or what was called and where the histogram begins. */
static void
find_functions (Reading *self)
{
    for (size_t i = 0; i < self->program.functions.len; i++) {
        const GprofFunction *function = &self->program.functions.data[i];
        Function known = {function->start, function->size_bytes};
        pv_array_push (&self->known, known);
    }
    if (self->known.len > 0)
        return;
    size_t n = 0;
    for (size_t i = 0; i < self->file.histograms.len; i++) {
        Function known = {self->file.histograms.data[i].low, 0};
        pv_array_push (&self->known, known);
    }
    for (size_t i = 0; i < self->file.arcs.len; i++) {
        Function known = {self->file.arcs.data[i].to, 0};
        pv_array_push (&self->known, known);
    }
    pv_array_sort (&self->known, compare_functions);
    for (size_t i = 0; i < self->known.len; i++)
        if (n == 0 || self->known.data[n - 1].start != self->known.data[i].start)
            self->known.data[n++] = self->known.data[i];
    self->known.len = n;
}

/* The last function that starts at or before an address, counted from 1; 0: none does. A function
 * reaches to the next one, as in gprof. */
static size_t
find_function (const Reading *self, uint64_t address)
{
    return pv_bisect (0, self->known.len, i, self->known.data[i].start <= address);
}

/* The number of a function in the graph, by what find_function () says. */
static uint32_t
use_function (Reading *self, size_t index)
{
    uint32_t *slot = pv_id_map_slot (&self->number_of_function, index);
    if (*slot == 0) {
        Function function = index > 0 ? self->known.data[index - 1] : (Function){0};
        pv_array_push (&self->functions, function);
        *slot = (uint32_t)self->functions.len;
    }
    return *slot - 1;
}

/* --- counts --- */

static bool
may_continue (Reading *self)
{
    uint64_t used_bytes = self->counts.lines.cap * sizeof (GprofLine) +
                          self->counts.calls.cap * sizeof (GprofCall) +
                          self->file.arcs.cap * sizeof (GmonArc);
    self->is_out_of_memory =
        used_bytes / 4 > pv_budget_get_bytes (&self->context->budget, self->file.arcs.len);
    return !self->is_out_of_memory && !pv_job_is_cancelled (self->context->job);
}

/* Shares the ticks of a bin among the functions in it, without a remainder. */
static void
add_ticks (Reading *self, uint64_t start, uint64_t end, uint64_t ticks)
{
    uint64_t whole = self->ns_per_tick > 0 ? ticks * self->ns_per_tick : ticks, done = 0;
    end = MAX (end, start + 1);
    for (uint64_t at = start; at < end;) {
        size_t index = find_function (self, at);
        uint64_t next = index < self->known.len ? MIN (self->known.data[index].start, end) : end;
        uint64_t until = pv_call_share (next - start, whole, end - start);
        uint64_t offset = index > 0 ? at - self->known.data[index - 1].start : 0;
        GprofLine line = {.place = {.function = use_function (self, index),
                                    .line = (uint32_t)MIN (offset, UINT32_MAX - 1) + 1},
                          .time = until - done};
        done = until;
        at = next;
        pv_array_push (&self->counts.lines, line);
    }
}

static void
count_ticks (Reading *self)
{
    for (size_t h = 0; h < self->file.histograms.len; h++) {
        const GmonHistogram *histogram = &self->file.histograms.data[h];
        for (uint32_t i = 0; i < histogram->n_bins; i++) {
            uint16_t ticks = gmon_get_ticks (&self->file, histogram, i);
            if (i % BINS_PER_CHECK == 0 && !may_continue (self))
                return;
            if (ticks == 0)
                continue;
            self->n_ticks += ticks;
            add_ticks (self, gmon_get_start (histogram, i), gmon_get_start (histogram, i + 1),
                       ticks);
        }
    }
}

static void
count_calls (Reading *self)
{
    for (size_t i = 0; i < self->file.arcs.len; i++) {
        const GmonArc *arc = &self->file.arcs.data[i];
        if (i % BINS_PER_CHECK == 0 && !may_continue (self))
            return;
        GprofCall call = {.caller = use_function (self, find_function (self, arc->from)),
                          .callee = use_function (self, find_function (self, arc->to)),
                          .count = arc->count};
        pv_array_push (&self->counts.calls, call);
    }
}

/* --- samples --- */

static PvLocationId
locate (void *user, PvCallPlace place)
{
    Reading *self = user;
    const Function *function = &self->functions.data[place.function];
    uint64_t offset = place.line > 0 ? place.line - 1 : 0;
    if (function->size_bytes > 0 && offset >= function->size_bytes)
        offset = 0; /* between two functions */
    if (self->program.image == NULL)
        offset = 0;
    return pv_profile_builder_location (self->builder, self->module, function->start + offset,
                                        PV_LOCATION_EXACT);
}

static void
weigh (void *user, const uint64_t *costs, uint64_t *ret_weights)
{
    (void)user;
    memcpy (ret_weights, costs, GPROF_N_EVENTS * sizeof *costs);
}

static void
add_module (Reading *self)
{
    self->module = pv_profile_builder_unknown_module (self->builder, false);
    if (self->program.image == NULL)
        return;
    const uint8_t *build_id;
    PvModule module = {
        .path = self->program.path,
        .kind = PV_MODULE_FILE,
        .address_kind = PV_ADDRESS_LINK,
        .is_main = true,
    };
    size_t n_bytes = pv_elf_image_get_build_id (self->program.image, &build_id);
    if (n_bytes > 0 && n_bytes <= sizeof module.build_id) {
        memcpy (module.build_id, build_id, n_bytes);
        module.build_id_size = (uint8_t)n_bytes;
    }
    self->module = pv_profile_builder_add_module (self->builder, &module);
}

static uint32_t
add_set (Reading *self)
{
    g_autofree char *dimension = g_strndup (self->file.dimension, self->file.dimension_length);
    uint32_t set = pv_profile_builder_add_set (self->builder, "gprof", false);
    if (self->ns_per_tick > 0)
        pv_profile_builder_add_measure (self->builder, set, "time", PV_UNIT_NS, PV_AGGREGATION_SUM);
    else
        pv_profile_builder_add_measure (
            self->builder, set, dimension != NULL && *dimension != '\0' ? dimension : "ticks",
            PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (self->builder, set, "calls", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_set_exact (self->builder, set);
    if (self->n_ticks == 0)
        pv_profile_builder_prefer_measure (self->builder, GPROF_CALLS);
    return set;
}

static void
add_samples (Reading *self)
{
    PvCallGraph graph = {0};
    PvCallPaths paths;
    add_module (self);
    PvCallSamples samples = {
        .builder = self->builder,
        .set = add_set (self),
        .job = self->context->job,
        .user = self,
        .locate = locate,
        .weigh = weigh,
        .n_weights = GPROF_N_EVENTS,
    };
    self->counts.n_functions = (uint32_t)self->functions.len;
    gprof_graph_build (&graph, &self->counts);
    pv_call_paths_build (&paths, &graph, self->context->job);
    pv_call_samples_add (&samples, &paths);
    pv_call_known_add (&samples, &graph, false);
    pv_call_samples_add_notes (
        &paths, self->builder, false,
        _ ("gprof counts calls, not what each of them costs: all calls of a function are taken to "
           "cost the same. Totals, callers, callees, the flame graph and the call tree are "
           "estimates; self time and the number of calls are measured."));
    pv_call_paths_clear (&paths);
    pv_call_graph_clear (&graph);
}

/* --- facts and notes --- */

static void
add_notes (Reading *self)
{
    PvProfileBuilder *builder = self->builder;
    if (self->program.image != NULL) {
        g_autofree char *name = g_filename_display_basename (self->program.path);
        pv_note_info (builder,
                      _ ("The profile does not say which program wrote it. “%s” in its folder "
                         "matches, so the names are from there."),
                      name);
    } else {
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_MISSING_BINARY, 0,
                                 _ ("The profile has no names, and no program in its folder "
                                    "matches. Copy the program that wrote it into that folder."));
    }
    pv_note_info (builder, _ ("Time in libraries and in the kernel is not in the profile."));
    if (self->file.is_cut)
        pv_note_truncated (
            builder, _ ("The file is cut off or damaged. Everything up to that point is shown."));
    if (self->is_out_of_memory)
        pv_reader_note_out_of_memory (builder);
}

static void
set_facts (Reading *self)
{
    if (self->ns_per_tick == 0)
        return;
    g_autofree char *period = pv_format_amount (self->ns_per_tick, PV_UNIT_NS);
    pv_profile_builder_facts (self->builder)->period =
        pv_profile_builder_string (self->builder, period);
}

static bool
is_in_seconds (const GmonFile *file)
{
    static const char seconds[] = "seconds";
    return file->rate > 0 && (file->dimension_length == 0 ||
                              (file->dimension_length == strlen (seconds) &&
                               memcmp (file->dimension, seconds, strlen (seconds)) == 0));
}

static void
clear (Reading *self)
{
    gmon_clear (&self->file);
    gprof_program_clear (&self->program);
    pv_array_clear (&self->known);
    pv_array_clear (&self->functions);
    pv_array_clear (&self->counts.lines);
    pv_array_clear (&self->counts.calls);
    pv_id_map_clear (&self->number_of_function);
}

static bool
read_gprof (PvMappedFile *mapped, const char *path, PvProfileBuilder *builder,
            const PvReadContext *context, GError **error)
{
    Reading self = {.builder = builder, .context = context};
    gmon_read (&self.file, pv_mapped_file_get_data (mapped), pv_mapped_file_get_size (mapped));
    if (is_in_seconds (&self.file))
        self.ns_per_tick = NS_PER_S / self.file.rate;
    if (path != NULL) {
        g_autofree char *absolute = g_canonicalize_filename (path, NULL);
        g_autofree char *folder = g_path_get_dirname (absolute);
        gprof_program_find (&self.program, folder, &self.file);
    }
    find_functions (&self);
    count_ticks (&self);
    count_calls (&self);
    bool is_ok = pv_job_check (context->job, error);
    if (is_ok) {
        set_facts (&self);
        add_samples (&self);
        add_notes (&self);
    }
    clear (&self);
    return is_ok;
}

const PvReader pv_gprof_reader = {
    .name = "gprof",
    .media_type = "application/x-gprof",
    .profiles = "gprof",
    .is_recording = true,
    .sniff = gmon_sniff,
    .read = read_gprof,
};
