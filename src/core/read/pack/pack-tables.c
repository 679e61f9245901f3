/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that samples refer to, and what is said of the recording as a whole.
 */
#include "core/read/pack/pack-reading.h"

#define MAX_LOCATIONS     (1u << 30)
#define MAX_STACKS        (1u << 30)
#define MAX_DUMPS         (1u << 16)
#define MAX_LABELS        (1u << 16) /* of one set */
#define MAX_DISTRIBUTIONS (1u << 20) /* of distributions */

bool
pv_pack_take_column (PvCursor *cursor, uint64_t n, bool is_delta, PvPackNumbers *column)
{
    if (n > pv_cursor_left (cursor))
        return false;
    column->len = 0;
    pv_array_reserve (column, n);
    uint64_t value = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (is_delta)
            value += (uint64_t)pv_pack_signed (cursor);
        column->data[i] = is_delta ? value : pv_cursor_varint (cursor);
    }
    column->len = n;
    return !cursor->failed;
}

bool
pv_pack_take_strings (PvPackReading *self, PvCursor *cursor)
{
    while (pv_cursor_left (cursor) > 0) {
        uint64_t len = pv_cursor_varint (cursor);
        const uint8_t *bytes = len <= pv_cursor_left (cursor) ? pv_cursor_take (cursor, len) : NULL;
        if (bytes == NULL || cursor->failed || self->strings.len == UINT32_MAX ||
            !pv_pack_goes_on (self))
            return false;
        const char *string =
            pv_profile_builder_string_len (self->builder, (const char *)bytes, len);
        pv_array_push (&self->strings, string);
        pv_array_push (&self->length_of_string, (uint32_t)len);
    }
    return true;
}

/* Line feeds are between lines only, so that no other string has any. */
static const char *
take_lines (PvPackReading *self, PvCursor *cursor)
{
    uint64_t n = pv_cursor_varint (cursor);
    if (n > pv_cursor_left (cursor)) {
        cursor->failed = true;
        return NULL;
    }
    PV_ARRAY (const char *) lines = {0};
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++) {
        const char *line = pv_pack_string (self, cursor);
        if (lines.len <= PV_MAX_LINES_BYTES)
            pv_array_push (&lines, line != NULL ? line : "");
    }
    const char *text = pv_profile_builder_lines (self->builder, lines.data, lines.len);
    pv_array_clear (&lines);
    return text;
}

bool
pv_pack_take_head (PvPackReading *self, PvCursor *cursor)
{
    PvFacts facts = {0};
    const char *drop = NULL, *keep = NULL;
    const char **const strings[] = {
        &facts.format,
        &facts.command,
        &facts.recorded_with,
        &facts.host,
        &facts.kernel_release,
        &facts.arch,
        &facts.cpu,
        &facts.recorder,
        &facts.call_graph,
        &facts.events,
        &facts.period,
        &facts.doc_url,
        &drop,
        &keep,
    };
    for (size_t i = 0; i < G_N_ELEMENTS (strings); i++)
        *strings[i] = pv_pack_string (self, cursor);
    facts.comment = take_lines (self, cursor);
    facts.n_cpus = pv_pack_below (cursor, UINT32_MAX);
    facts.memory_bytes = pv_cursor_varint (cursor);
    facts.recorded_at = pv_pack_signed (cursor);
    facts.modified_at = pv_pack_signed (cursor);
    facts.recorded_at_ns = pv_pack_signed (cursor);
    facts.profiled_ns = pv_cursor_varint (cursor);
    uint64_t n_skipped = pv_cursor_varint (cursor), n_lost = pv_cursor_varint (cursor);
    uint64_t flags = pv_cursor_varint (cursor);
    if (cursor->failed || self->has_head)
        return false;
    bool is_url = facts.doc_url != NULL && (g_str_has_prefix (facts.doc_url, "http://") ||
                                            g_str_has_prefix (facts.doc_url, "https://"));
    if (!is_url)
        facts.doc_url = NULL;
    facts.media_type = pv_profile_builder_facts (self->builder)->media_type;
    *pv_profile_builder_facts (self->builder) = facts;
    pv_profile_builder_set_drop_frames (self->builder, drop, keep);
    pv_profile_builder_add_skipped (self->builder, n_skipped);
    if (n_lost > 0)
        pv_profile_builder_add_lost (self->builder, 0, n_lost);
    if ((flags & 1) != 0)
        pv_profile_builder_set_of_allocations (self->builder);
    pv_profile_builder_set_dump_times (self->builder, (flags & 2) != 0);
    self->has_head = true;
    return true;
}

bool
pv_pack_take_modules (PvPackReading *self, PvCursor *cursor)
{
    while (pv_cursor_left (cursor) > 0) {
        PvModule module = {.path = pv_pack_string (self, cursor),
                           .name = pv_pack_string (self, cursor)};
        module.kind = pv_pack_below (cursor, PV_MODULE_JIT + 1);
        module.address_kind = pv_pack_below (cursor, PV_ADDRESS_ORDINAL + 1);
        uint64_t flags = pv_cursor_varint (cursor);
        module.is_kernel = (flags & 1) != 0;
        module.is_main = (flags & 2) != 0;
        if (flags >> 2 <= PV_SECTION_REST)
            module.section_kind = (uint8_t)(flags >> 2);
        module.build_id_size = (uint8_t)pv_pack_below (cursor, PV_BUILD_ID_MAX + 1);
        const uint8_t *build_id = pv_cursor_take (cursor, module.build_id_size);
        if (build_id != NULL)
            memcpy (module.build_id, build_id, module.build_id_size);
        module.load_addr = pv_cursor_varint (cursor);
        module.end_addr = pv_cursor_varint (cursor);
        module.reference_symbol = pv_pack_string (self, cursor);
        module.reference_addr = pv_cursor_varint (cursor);
        module.pid = pv_pack_int32 (cursor);
        module.container_pid = pv_pack_int32 (cursor);
        if (!pv_pack_step (self, cursor) || module.path == NULL || self->has_given_stacks)
            return false;
        pv_profile_builder_add_module (self->builder, &module);
        self->n_modules++;
    }
    return true;
}

bool
pv_pack_take_processes (PvPackReading *self, PvCursor *cursor)
{
    PvProcess row;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_PROCESSES, &row)) {
        PvProcessId process =
            pv_profile_builder_add_process (self->builder, row.pid, row.name, row.start_ns);
        pv_profile_builder_end_process (self->builder, process, row.end_ns);
        self->n_processes++;
    }
    return !cursor->failed;
}

bool
pv_pack_take_threads (PvPackReading *self, PvCursor *cursor)
{
    PvThread row;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_THREADS, &row)) {
        PvThreadId thread = pv_profile_builder_add_thread (self->builder, row.process, row.tid,
                                                           row.name, row.start_ns);
        pv_profile_builder_end_thread (self->builder, thread, row.end_ns);
        self->n_threads++;
    }
    return !cursor->failed;
}

bool
pv_pack_take_locations (PvPackReading *self, PvCursor *cursor)
{
    uint64_t n = pv_cursor_varint (cursor);
    PvPackNumbers *columns = self->columns;
    if (self->has_given_stacks || n > MAX_LOCATIONS - self->n_locations ||
        !pv_pack_take_column (cursor, n, false, &columns[0]) ||
        !pv_pack_take_column (cursor, n, false, &columns[1]) ||
        !pv_pack_take_column (cursor, n, true, &columns[2]))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t module = columns[0].data[i], kind = columns[1].data[i];
        if (module >= self->n_modules || kind > PV_LOCATION_NAMED || !pv_pack_goes_on (self))
            return false;
        pv_profile_builder_add_location (self->builder, (PvModuleId)module, columns[2].data[i],
                                         (PvLocationKind)kind);
        self->n_locations++;
    }
    return true;
}

bool
pv_pack_take_stacks (PvPackReading *self, PvCursor *cursor)
{
    uint64_t n = pv_cursor_varint (cursor);
    PvPackNumbers *columns = self->columns;
    if (self->has_given_stacks || n > MAX_STACKS - self->n_stacks ||
        !pv_pack_take_column (cursor, n, false, &columns[0]) ||
        !pv_pack_take_column (cursor, n, true, &columns[1]))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t distance = columns[0].data[i], location = columns[1].data[i];
        if (distance == 0 || distance > self->n_stacks || location == 0 ||
            location >= self->n_locations || !pv_pack_goes_on (self))
            return false;
        pv_array_push (&self->parents, (PvStackId)(self->n_stacks - distance));
        pv_array_push (&self->locations, (PvLocationId)location);
        self->n_stacks++;
    }
    return true;
}

void
pv_pack_give_stacks (PvPackReading *self)
{
    if (self->has_given_stacks)
        return;
    pv_pack_give_names (self);
    self->has_given_stacks = true;
    pv_profile_builder_take_stacks (self->builder, pv_array_steal (&self->parents),
                                    pv_array_steal (&self->locations), self->n_stacks);
}

bool
pv_pack_take_labels (PvPackReading *self, PvCursor *cursor)
{
    while (pv_cursor_left (cursor) > 0) {
        uint64_t n = pv_cursor_varint (cursor);
        if (n > MIN (pv_cursor_left (cursor), MAX_LABELS))
            return false;
        PV_ARRAY (PvLabel) labels = {0};
        bool is_sound = true;
        for (uint64_t i = 0; i < n && is_sound; i++) {
            PvLabel label = {.key = pv_pack_string (self, cursor),
                             .text = pv_pack_string (self, cursor)};
            if (label.text == NULL) {
                label.number = pv_pack_signed (cursor);
                label.unit = pv_pack_string (self, cursor);
            }
            is_sound = pv_pack_step (self, cursor) && label.key != NULL;
            pv_array_push (&labels, label);
        }
        uint32_t id = is_sound ? pv_profile_builder_label_set (self->builder, labels.data,
                                                               (uint32_t)labels.len)
                               : 0;
        pv_array_clear (&labels);
        if (!is_sound || !pv_pack_step (self, cursor))
            return false;
        pv_array_push (&self->label_sets, id);
    }
    return true;
}

bool
pv_pack_take_dumps (PvPackReading *self, PvCursor *cursor)
{
    PvDump dump;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_DUMPS, &dump)) {
        size_t n = self->dump_times.len;
        /* Samples that came before would not be of any. */
        if (n >= MAX_DUMPS || self->heap != NULL || dump.time_ns > INT64_MAX ||
            self->sets.len > 0 || dump.time_ns <= (n > 0 ? self->dump_times.data[n - 1] : 0))
            return false;
        pv_profile_builder_add_dump (self->builder, &dump);
        pv_array_push (&self->dump_times, dump.time_ns);
    }
    return !cursor->failed;
}

bool
pv_pack_take_losses (PvPackReading *self, PvCursor *cursor)
{
    PvLoss loss;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_LOSSES, &loss))
        pv_profile_builder_add_lost (self->builder, loss.time_ns, loss.n_lost);
    return !cursor->failed;
}

bool
pv_pack_take_suppressions (PvPackReading *self, PvCursor *cursor)
{
    PvSuppressionLine line;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_SUPPRESSIONS, &line)) {
        if (*line == '\0')
            return false;
        pv_profile_builder_add_suppression (self->builder, line, strlen (line));
    }
    return !cursor->failed;
}

bool
pv_pack_take_notes (PvPackReading *self, PvCursor *cursor)
{
    PvNote note;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_NOTES, &note)) {
        if (note.text == NULL)
            return false;
        pv_profile_builder_add_note (self->builder, &note);
    }
    return !cursor->failed;
}

bool
pv_pack_take_source (PvPackReading *self, PvCursor *cursor)
{
    const char *path = pv_pack_string (self, cursor);
    uint64_t n = pv_cursor_varint (cursor);
    const uint8_t *text = n <= pv_cursor_left (cursor) ? pv_cursor_take (cursor, n) : NULL;
    if (cursor->failed || path == NULL || text == NULL || self->n_sources >= PV_PACK_MAX_SOURCES)
        return false;
    pv_profile_builder_add_source (self->builder, path, text, n);
    self->n_sources++;
    return true;
}

static bool
is_sound (const PvDistribution *distribution)
{
    bool is_histogram = distribution->kind == PV_DISTRIBUTION_HISTOGRAM;
    const PvBucket *buckets = distribution->buckets;
    for (uint32_t i = 0; i < distribution->n_buckets; i++)
        if (buckets[i].first > buckets[i].last ||
            (i > 0 && buckets[i].first <= buckets[i - 1].last))
            return false;
    return distribution->name != NULL &&
           (is_histogram ? distribution->n_rows == 0 : distribution->n_buckets == 0);
}

bool
pv_pack_take_distributions (PvPackReading *self, PvCursor *cursor)
{
    PvDistribution distribution;
    while (pv_pack_take_row (self, cursor, PV_PROFILE_DISTRIBUTIONS, &distribution)) {
        if (self->n_distributions++ > MAX_DISTRIBUTIONS || !is_sound (&distribution))
            return false;
        pv_profile_builder_add_distribution (self->builder, &distribution);
    }
    return !cursor->failed;
}
