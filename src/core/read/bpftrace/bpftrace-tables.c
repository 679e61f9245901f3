/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/bpftrace/bpftrace-tables.h"

#include <glib.h>

enum { ENTRIES_PER_CHECK = 1024, MAX_KEY_BYTES = 4096 };

typedef struct {
    const BpftraceMaps *maps;
    PvProfileBuilder *builder;
    PvJob *job;
    uint64_t max_bytes;
    PV_ARRAY (PvDistributionRow) rows;
    uint32_t n_tables;
    uint64_t n_checked;
    bool has_more;
    bool is_over;
} Tables;

/* A key in one line: a stack has its frames one after the other, the innermost first. */
static const char *
make_key (Tables *self, PvText key)
{
    g_autoptr (GString) text = g_string_new (NULL);
    PvText line;
    while (text->len < MAX_KEY_BYTES && pv_text_next_trimmed (&key, &line)) {
        if (pv_text_len (line) == 0)
            continue;
        if (text->len > 0 && *line.at != ',')
            g_string_append (text, "; ");
        g_string_append_len (text, line.at,
                             (gssize)MIN (pv_text_len (line), MAX_KEY_BYTES - text->len));
    }
    return pv_profile_builder_string_len (self->builder, text->str, text->len);
}

static bool
may_continue (Tables *self)
{
    if (self->n_checked++ % ENTRIES_PER_CHECK == 0 && !self->is_over)
        self->is_over =
            pv_job_is_cancelled (self->job) || pv_profile_builder_count_bytes (self->builder) +
                                                       self->rows.cap * sizeof (PvDistributionRow) >
                                                   self->max_bytes;
    return !self->is_over;
}

static void
add_table (Tables *self, const PvDistribution *table)
{
    if (self->n_tables == BPFTRACE_MAX_TABLES) {
        self->has_more = true;
        return;
    }
    pv_profile_builder_add_distribution (self->builder, table);
    self->n_tables++;
}

static void
add_histogram (Tables *self, const BpftraceMap *map, const BpftraceCounted *entry)
{
    const PvDistribution table = {
        .name = pv_text_keep (map->name, self->builder),
        .key = entry->key.at != NULL ? make_key (self, entry->key) : NULL,
        .kind = PV_DISTRIBUTION_HISTOGRAM,
        .n_buckets = entry->value.n_buckets,
        .buckets = self->maps->buckets.data + entry->value.first_bucket,
    };
    if (table.n_buckets > 0)
        add_table (self, &table);
}

static void
push_row (Tables *self, const BpftraceCounted *entry)
{
    PvDistributionRow row = {
        .key = entry->key.at != NULL ? make_key (self, entry->key)
                                     : pv_profile_builder_string (self->builder, ""),
        .value = entry->value.number,
        .count = (uint64_t)MAX (entry->value.count, 0),
    };
    pv_array_push (&self->rows, row);
}

static int
compare_rows (const void *a, const void *b)
{
    const PvDistributionRow *x = a, *y = b;
    return pv_order (y->value, x->value) ?: strcmp (x->key, y->key);
}

static void
add_rows (Tables *self, const BpftraceMap *map)
{
    if (self->rows.len == 0)
        return;
    pv_array_sort (&self->rows, compare_rows);
    const PvDistribution table = {
        .name = pv_text_keep (map->name, self->builder),
        .kind =
            map->n_of_kind[BPFTRACE_STATS] > 0 ? PV_DISTRIBUTION_STATS : PV_DISTRIBUTION_NUMBERS,
        .n_rows = (uint32_t)MIN (self->rows.len, UINT32_MAX),
        .rows = self->rows.data,
    };
    add_table (self, &table);
    self->rows.len = 0;
}

/* The entries by map, in the order of the file: where those of a map end, by map. */
static uint32_t *
order_entries (const BpftraceMaps *maps, size_t *ends)
{
    uint32_t *order = g_new (uint32_t, MAX (maps->entries.len, 1));
    size_t next[BPFTRACE_MAX_MAPS + 1] = {0};
    for (size_t i = 0; i < maps->entries.len; i++)
        next[maps->entries.data[i].map + 1]++;
    for (uint32_t m = 0; m < BPFTRACE_MAX_MAPS; m++)
        next[m + 1] += next[m];
    for (size_t i = 0; i < maps->entries.len; i++)
        order[next[maps->entries.data[i].map]++] = (uint32_t)i;
    for (uint32_t m = 0; m < BPFTRACE_MAX_MAPS; m++)
        ends[m] = next[m];
    return order;
}

uint32_t
bpftrace_tables_add (const BpftraceMaps *maps, PvProfileBuilder *builder, PvJob *job,
                     uint64_t max_bytes, bool *ret_has_more)
{
    g_assert (maps != NULL && builder != NULL && ret_has_more != NULL);
    Tables self = {.maps = maps, .builder = builder, .job = job, .max_bytes = max_bytes};
    size_t ends[BPFTRACE_MAX_MAPS], i = 0;
    g_autofree uint32_t *order = order_entries (maps, ends);
    for (uint32_t m = 0; m < maps->maps.len; m++) {
        const BpftraceMap *map = &maps->maps.data[m];
        for (; i < ends[m] && may_continue (&self); i++) {
            const BpftraceCounted *entry = &maps->entries.data[order[i]];
            if (entry->print != map->n_prints || bpftrace_maps_is_weight (maps, entry))
                continue;
            if (entry->value.kind == BPFTRACE_HISTOGRAM)
                add_histogram (&self, map, entry);
            else
                push_row (&self, entry);
        }
        i = ends[m];
        add_rows (&self, map);
    }
    pv_array_clear (&self.rows);
    *ret_has_more = self.has_more || (self.is_over && !pv_job_is_cancelled (job));
    return self.n_tables;
}
