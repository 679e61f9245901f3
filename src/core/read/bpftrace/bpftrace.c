/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of bpftrace scripts. A map whose key has a kstack, a ustack or both is a measure. The
 * other parts of its keys are processes and threads, if they look like those, or else labels. All
 * other maps are distributions, and so are histograms by stack. All entries are taken first, as
 * only all of them tell what the parts are and which print of a map is the last.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/error.h"
#include "core/read/bpftrace/bpftrace-json.h"
#include "core/read/bpftrace/bpftrace-maps.h"
#include "core/read/bpftrace/bpftrace-tables.h"
#include "core/read/text/text-tasks.h"
#include "core/read/unpack/reader.h"

enum {
    ENTRIES_PER_CHECK = 1024,
    LONG_LINE = 4096,
    SNIFFED_BYTES = 65536,
    MAX_COLUMNS = 2,
    MAX_FRAMES = 127,
    MAX_NAMED_MAPS = 8
};

#define MAX_COUNT ((uint64_t)INT64_MAX / 4)

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PvText text;
    BpftraceMaps maps;
    BpftraceFrames frames;
    uint32_t sets[BPFTRACE_MAX_MAPS];
    PvTextTasks tasks;
    PvArena *texts; /* of JSON */
    uint64_t n_broken;
    uint32_t n_tables;
    bool has_more_tables;
    bool is_out_of_memory;
} Reading;

/* --- first look --- */

static bool
begins_with_bucket (PvText text)
{
    PvText line;
    PvBucket bucket;
    return pv_text_next_line (&text, &line) && bpftrace_parse_bucket (line, &bucket);
}

/* True if the first bytes of a file look like the output of bpftrace with maps. */
static bool
sniff_text (const uint8_t *data, size_t size_bytes)
{
    PvText text = {(const char *)data, (const char *)data + size_bytes}, line;
    if (memchr (text.at, 0, size_bytes) != NULL)
        return false;
    bool is_attached = false;
    for (PvText rest = text; pv_text_next_line (&rest, &line);)
        is_attached =
            is_attached || pv_text_take (&line, "Attached ") || pv_text_take (&line, "Attaching ");
    BpftraceEntry entry;
    uint64_t n_broken = 0;
    while (bpftrace_next_entry (&text, &entry, &n_broken)) {
        if (entry.value.kind != BPFTRACE_OTHER && (is_attached || entry.key.at != NULL))
            return true;
        if (entry.value.kind == BPFTRACE_HISTOGRAM && begins_with_bucket (text))
            return true;
    }
    return false;
}

/* --- entries --- */

static bool
may_continue (Reading *self, uint64_t n_entries, uint64_t done)
{
    if (n_entries % ENTRIES_PER_CHECK != 0)
        return true;
    pv_job_set_done (self->context->job, done);
    uint64_t used_bytes = pv_profile_builder_count_bytes (self->builder) +
                          bpftrace_maps_count_bytes (&self->maps) +
                          pv_arena_count_bytes (self->texts);
    self->is_out_of_memory =
        used_bytes > pv_budget_get_bytes (&self->context->budget, pv_text_len (self->text));
    return !self->is_out_of_memory && !pv_job_is_cancelled (self->context->job);
}

/* True if a histogram ends in an incomplete line. */
static bool
is_cut_off (PvText text)
{
    PvText line;
    if (!pv_text_next_line (&text, &line))
        return false;
    line = pv_text_trim (line);
    return (pv_text_begins (line, "[") || pv_text_begins (line, "(")) &&
           !pv_text_begins (line, "[...]");
}

static void
take_histogram (Reading *self, PvText *rest, BpftraceEntry *entry)
{
    entry->value.first_bucket = self->maps.buckets.len;
    entry->value.n_buckets = bpftrace_take_buckets (rest, &self->maps.buckets);
    if (is_cut_off (*rest))
        self->n_broken++;
    if (entry->value.n_buckets == 0)
        entry->value.kind = BPFTRACE_OTHER; /* an empty text */
}

static void
take_text (Reading *self)
{
    PvText rest = self->text;
    BpftraceEntry entry;
    for (uint64_t n = 1; bpftrace_next_entry (&rest, &entry, &self->n_broken); n++) {
        if (entry.value.kind == BPFTRACE_HISTOGRAM)
            take_histogram (self, &rest, &entry);
        bpftrace_maps_add (&self->maps, &entry);
        if (!may_continue (self, n, (uint64_t)(rest.at - self->text.at) / 2))
            return;
    }
}

static void
take_json (Reading *self)
{
    PvText rest = self->text, line;
    self->maps.is_json = true;
    for (uint64_t n = 1; pv_text_next_line (&rest, &line); n++) {
        if (!bpftrace_read_json (line, self->context, &self->maps, self->texts))
            self->n_broken++;
        bool is_long = pv_text_len (line) > LONG_LINE;
        if (!may_continue (self, is_long ? 0 : n, (uint64_t)(rest.at - self->text.at) / 2))
            return;
    }
}

/* --- measures --- */

static bool
has_stats (const BpftraceMap *map)
{
    return map->n_of_kind[BPFTRACE_STATS] > 0;
}

/* "@name", and beside it how often, or what all prints add up to. */
static void
add_set (Reading *self, uint32_t map_id)
{
    const BpftraceMap *map = &self->maps.maps.data[map_id];
    g_autofree char *full_name = pv_text_copy (map->name);
    const char *name = full_name[1] != '\0' ? full_name : "count";
    uint32_t set = pv_profile_builder_add_set (self->builder, name, false);
    pv_profile_builder_add_measure (self->builder, set, name, PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    g_autofree char *second = g_strconcat (name, has_stats (map) ? "-count" : "-all-prints", NULL);
    if (has_stats (map) || map->n_prints > 1)
        pv_profile_builder_add_measure (self->builder, set, second, PV_UNIT_COUNT,
                                        PV_AGGREGATION_SUM);
    self->sets[map_id] = set;
}

/* --- samples --- */

static PvLabel
make_label (Reading *self, uint32_t part, PvText text)
{
    g_autofree char *key = g_strdup_printf ("key %u", part + 1);
    PvLabel label = {.key = pv_profile_builder_string (self->builder, key)};
    if (bpftrace_parse_number (text, &label.number))
        label.unit = pv_profile_builder_string (self->builder, "");
    else
        label.text = pv_text_keep (text, self->builder);
    return label;
}

/* Programs call the kernel. */
static const BpftraceSide leafmost_first[] = {BPFTRACE_KERNEL, BPFTRACE_EITHER, BPFTRACE_USER};

/* Takes the key of an entry: a stack, and whose it is. */
static void
take_key (Reading *self, const BpftraceMap *map, PvText key, PvNewSample *sample)
{
    BpftraceElement elements[BPFTRACE_MAX_ELEMENTS];
    PvLabel labels[BPFTRACE_MAX_ELEMENTS];
    uint32_t n = bpftrace_split_key (key, self->maps.is_json, elements), n_labels = 0;
    PvText comm = pv_text (NULL, 0);
    int64_t pid = -1, tid = -1;
    bool has_comm = false;
    bpftrace_frames_begin (&self->frames);
    for (size_t s = 0; s < G_N_ELEMENTS (leafmost_first); s++)
        for (uint32_t i = 0; i < n; i++)
            if (elements[i].is_stack && map->parts[i].side == leafmost_first[s])
                bpftrace_frames_add (&self->frames, elements[i].text, leafmost_first[s]);
    for (uint32_t i = 0; i < n; i++) {
        PvText text = elements[i].text;
        switch (map->parts[i].role) {
        case BPFTRACE_COMM:
            comm = text;
            has_comm = true;
            break;
        case BPFTRACE_PID:
            bpftrace_parse_number (text, &pid);
            break;
        case BPFTRACE_TID:
            bpftrace_parse_number (text, &tid);
            break;
        case BPFTRACE_LABEL:
            if (pv_text_len (text) > 0)
                labels[n_labels++] = make_label (self, i, text);
            break;
        case BPFTRACE_STACK:
            break;
        }
    }
    sample->stack =
        pv_profile_builder_chain (self->builder, self->frames.stack.data, self->frames.stack.len);
    if (has_comm || pid >= 0)
        sample->thread = pv_text_tasks_get (&self->tasks, comm, (int32_t)pid, (int32_t)tid);
    sample->label_set = pv_profile_builder_label_set (self->builder, labels, n_labels);
}

static uint8_t
judge_end (const BpftraceFrames *frames)
{
    if (frames->is_cut)
        return PV_STACK_END_NO_RULE;
    return frames->stack.len >= MAX_FRAMES ? PV_STACK_END_DEPTH : PV_STACK_END_UNKNOWN;
}

static uint64_t
make_weight (int64_t number)
{
    return MIN ((uint64_t)MAX (number, 0), MAX_COUNT);
}

static void
take_entry (Reading *self, const BpftraceCounted *entry)
{
    const BpftraceMap *map = &self->maps.maps.data[entry->map];
    bool is_last = entry->print == map->n_prints;
    uint64_t weight = make_weight (entry->value.number);
    uint64_t weights[MAX_COLUMNS] = {is_last ? weight : 0,
                                     has_stats (map) ? make_weight (entry->value.count) : weight};
    if (!bpftrace_maps_is_weight (&self->maps, entry) || (has_stats (map) && !is_last) ||
        (weights[0] == 0 && weights[1] == 0))
        return;
    PvNewSample sample = {.cpu = PV_CPU_UNKNOWN};
    take_key (self, map, entry->key, &sample);
    sample.stack_end = judge_end (&self->frames);
    pv_profile_builder_add_sample (self->builder, self->sets[entry->map], &sample, weights);
}

static void
take_entries (Reading *self)
{
    size_t n = self->maps.entries.len, size_bytes = pv_text_len (self->text);
    for (size_t i = 0; i < n; i++) {
        if (!may_continue (self, i + 1, size_bytes / 2 + size_bytes / 2 * i / n))
            return;
        take_entry (self, &self->maps.entries.data[i]);
    }
}

/* --- notes --- */

/* "@a, @b, …": maps that have values of other kinds. */
static char *
list_others (Reading *self, bool *ret_has_some)
{
    g_autoptr (GString) names = g_string_new (NULL);
    uint32_t n = 0;
    for (size_t m = 0; m < self->maps.maps.len; m++) {
        const BpftraceMap *map = &self->maps.maps.data[m];
        if (map->n_of_kind[BPFTRACE_OTHER] == 0)
            continue;
        if (n++ == MAX_NAMED_MAPS)
            g_string_append (names, ", …");
        if (n > MAX_NAMED_MAPS)
            continue;
        g_string_append (names, n > 1 ? ", " : "");
        g_string_append_len (names, map->name.at, (gssize)MIN (pv_text_len (map->name), 64));
    }
    *ret_has_some = n > 0;
    return g_string_free (g_steal_pointer (&names), FALSE);
}

static void
add_note_of_prints (Reading *self, const BpftraceMap *map)
{
    g_autofree char *name = g_strndup (map->name.at, MIN (pv_text_len (map->name), 64));
    pv_note_info (
        self->builder,
        bpftrace_map_has_weights (map)
            ? g_dngettext (
                  GETTEXT_PACKAGE,
                  "“%s” was printed %u time. Its last print is shown; another measure adds up all.",
                  "“%s” was printed %u times. Its last print is shown; another measure adds up "
                  "all.",
                  map->n_prints)
            : g_dngettext (GETTEXT_PACKAGE, "“%s” was printed %u time. Its last print is shown.",
                           "“%s” was printed %u times. Its last print is shown.", map->n_prints),
        name, map->n_prints);
}

static void
add_notes (Reading *self)
{
    bool has_others;
    g_autofree char *others = list_others (self, &has_others);
    uint64_t n_negative = 0;
    if (has_others)
        pv_note_info (self->builder, _ ("Maps with values other than numbers are not shown: %s."),
                      others);
    for (size_t m = 0; m < self->maps.maps.len; m++) {
        const BpftraceMap *map = &self->maps.maps.data[m];
        if (bpftrace_map_has_weights (map))
            n_negative += map->n_negative;
        if (map->n_prints > 1 && !(bpftrace_map_has_weights (map) && has_stats (map)))
            add_note_of_prints (self, map);
    }
    if (n_negative > 0)
        pv_note_warning (self->builder, _ ("Negative numbers are left out."));
    if (self->maps.has_more_maps)
        pv_note_warning (self->builder,
                         _ ("There are more than %u maps. The first ones are shown."),
                         BPFTRACE_MAX_MAPS);
    if (self->has_more_tables)
        pv_note_warning (self->builder, _ ("There are more distributions. The first %u are shown."),
                         self->n_tables);
    if (self->n_broken > 0) {
        pv_profile_builder_add_skipped (self->builder, self->n_broken);
        pv_note_skipped (self->builder,
                         g_dngettext (GETTEXT_PACKAGE, "%" PRIu64 " entry is cut off.",
                                      "%" PRIu64 " entries are cut off.", (gulong)self->n_broken),
                         self->n_broken);
    }
    if (self->is_out_of_memory)
        pv_reader_note_out_of_memory (self->builder);
}

/* --- the file --- */

/* A profile has a measure, also where nothing is counted by stack. */
static void
add_sets (Reading *self)
{
    uint32_t n = 0;
    for (uint32_t m = 0; m < self->maps.maps.len; m++)
        if (bpftrace_map_has_weights (&self->maps.maps.data[m])) {
            add_set (self, m);
            n++;
        }
    if (n > 0)
        return;
    uint32_t set = pv_profile_builder_add_set (self->builder, "count", false);
    pv_profile_builder_add_measure (self->builder, set, NULL, PV_UNIT_COUNT, PV_AGGREGATION_SUM);
}

static bool
check_content (Reading *self, GError **error)
{
    bool has_others;
    for (uint32_t m = 0; m < self->maps.maps.len; m++)
        if (self->maps.maps.data[m].n_weights > 0)
            return true;
    g_autofree char *others = list_others (self, &has_others);
    if (has_others)
        return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED,
                             _ ("This is output of bpftrace whose maps have no numbers: %s"),
                             others);
    if (self->n_broken > 0)
        return pv_read_fail (
            error, PV_READ_ERROR_CORRUPT,
            _ ("This output of bpftrace is cut off before the first entry of a map ends"));
    return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED,
                         _ ("This output of bpftrace has no maps"));
}

static void
add_tables (Reading *self)
{
    self->n_tables =
        bpftrace_tables_add (&self->maps, self->builder, self->context->job,
                             pv_budget_get_bytes (&self->context->budget, pv_text_len (self->text)),
                             &self->has_more_tables);
}

static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    return bpftrace_sniff_json (data, size_bytes) || sniff_text (data, size_bytes);
}

static bool
read_bpftrace (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
               const PvReadContext *context, GError **error)
{
    (void)path;
    const char *data = (const char *)pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    Reading self = {
        .builder = builder,
        .context = context,
        .text = {data, data + size_bytes},
        .frames = {.builder = builder},
        .texts = pv_arena_new (),
    };
    pv_text_tasks_init (&self.tasks, builder, false);
    self.tasks.numbers_unknown = true;
    if (bpftrace_sniff_json ((const uint8_t *)data, MIN (size_bytes, SNIFFED_BYTES)))
        take_json (&self);
    else
        take_text (&self);
    bpftrace_maps_judge (&self.maps);
    bool is_ok = pv_job_check (context->job, error) && check_content (&self, error);
    if (is_ok) {
        add_sets (&self);
        take_entries (&self);
        add_tables (&self);
        add_notes (&self);
    }
    bpftrace_maps_clear (&self.maps);
    bpftrace_frames_clear (&self.frames);
    pv_text_tasks_clear (&self.tasks);
    pv_arena_free (self.texts);
    return is_ok;
}

const PvReader pv_bpftrace_reader = {
    .name = "bpftrace",
    .media_type = "application/x-bpftrace",
    .recordings = "bpftrace",
    .sniff = sniff,
    .sniff_after_lines = sniff,
    .read = read_bpftrace,
};
