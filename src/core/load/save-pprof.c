/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-pprof.h"

#include "core/analyze/tables/sample-rows.h"
#include "core/base/array.h"
#include "core/base/large.h"
#include "core/base/output.h"
#include "core/write/pprof.h"

enum { ROWS_PER_CHECK = 4096 };

/* A column of the file; for a signed measure, the difference of two measures. */
typedef struct {
    PvMeasureId measure;
    PvMeasureId subtracted; /* UINT32_MAX: none */
} Column;

typedef struct {
    const PvProfile *profile;
    PvSampleRows *rows;
    PvPprofWriter *writer;
    PV_ARRAY (Column) columns;
    PV_ARRAY (PvPprofColumn) names;
    uint32_t default_column;

    /* By node of the rows: the number of its location (0 if not looked up yet), and the next
     * node. */
    uint32_t *location_of_node;
    uint32_t *next_node;
    PV_ARRAY (uint64_t) locations;
    int64_t *values;
} Save;

static const char *
name_unit (const PvMeasure *measure)
{
    switch (measure->unit) {
    case PV_UNIT_NS:
        return "nanoseconds";
    case PV_UNIT_BYTES:
        return "bytes";
    case PV_UNIT_BYTE_MS:
        return "byte-milliseconds";
    case PV_UNIT_COUNT:
        break;
    }
    return measure->unit_name != NULL ? measure->unit_name : "count";
}

static void
choose_columns (Save *save, PvMeasureId asked)
{
    const PvProfile *profile = save->profile;
    const PvPair *asked_pair = pv_profile_get_pair (profile, asked);
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        const PvPair *pair = pv_profile_get_pair (profile, m);
        if (m == asked || (pair != NULL && pair == asked_pair))
            save->default_column = (uint32_t)save->columns.len;
        Column column = {m, UINT32_MAX};
        if (pair != NULL)
            column = (Column){pair->of_side[PV_SIDE_NEW], pair->of_side[PV_SIDE_BASE]};
        PvPprofColumn name = {profile->measures[m].name, name_unit (&profile->measures[m])};
        pv_array_push (&save->columns, column);
        pv_array_push (&save->names, name);
    }
}

static uint64_t
find_duration (const PvProfile *profile, const PvQuery *query)
{
    uint64_t whole_ns =
        profile->facts.profiled_ns != 0 ? profile->facts.profiled_ns : profile->duration_ns;
    uint64_t end_ns = MIN (query->end_ns, whole_ns);
    return end_ns > query->start_ns ? end_ns - query->start_ns : 0;
}

static bool
has_drop (const PvQuery *query)
{
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        if (query->transforms[i].kind == PV_TRANSFORM_DROP)
            return true;
    }
    return false;
}

static void
gather_locations (Save *save, uint32_t node)
{
    save->locations.len = 0;
    while (node != 0) {
        if (save->location_of_node[node] == 0) {
            PvLocationFrames place;
            save->next_node[node] = pv_sample_rows_get_frames (save->rows, node, &place);
            save->location_of_node[node] = pv_pprof_writer_location (save->writer, place.location,
                                                                     place.frames, place.n_frames);
        }
        pv_array_push (&save->locations, save->location_of_node[node]);
        node = save->next_node[node];
    }
}

/* False if the row adds nothing to any column, as its increases and decreases are equal. */
static bool
fill_values (Save *save, const PvSampleRow *row)
{
    bool is_something = false;
    for (size_t i = 0; i < save->columns.len; i++) {
        Column column = save->columns.data[i];
        save->values[i] = (int64_t)row->weights[column.measure];
        if (column.subtracted != UINT32_MAX)
            save->values[i] -= (int64_t)row->weights[column.subtracted];
        is_something |= save->values[i] != 0;
    }
    return is_something;
}

static bool
write_samples (Save *save, uint64_t *ret_n_samples, PvJob *job, GError **error)
{
    PvSampleRow row;
    uint64_t n = 0, n_written = 0;
    while (pv_sample_rows_next (save->rows, &row)) {
        if (n++ % ROWS_PER_CHECK == 0 && !pv_job_check (job, error))
            return false;
        if (!fill_values (save, &row))
            continue;
        n_written++;
        gather_locations (save, row.node);
        if (!pv_pprof_writer_add_sample (save->writer, save->locations.data,
                                         (uint32_t)save->locations.len, save->values, row.thread,
                                         row.label_set))
            break;
    }
    *ret_n_samples = n_written;
    return true;
}

static bool
write_file (Save *save, const PvQuery *query, PvWriter *out, uint64_t *ret_n_samples, PvJob *job,
            GError **error)
{
    uint32_t n_nodes = pv_sample_rows_count_nodes (save->rows);
    choose_columns (save, query->measure);
    PvPprofHeader header = {
        .profile = save->profile,
        .symbols = pv_sample_rows_get_symbols (save->rows),
        .columns = save->names.data,
        .n_columns = (uint32_t)save->columns.len,
        .default_column = save->default_column,
        .duration_ns = find_duration (save->profile, query),
        .has_dropped = has_drop (query),
    };
    save->writer = pv_pprof_writer_new (&header, out);
    save->location_of_node = pv_new0_large (uint32_t, n_nodes);
    save->next_node = pv_new_large (uint32_t, n_nodes);
    save->values = g_new0 (int64_t, MAX (save->columns.len, 1));
    bool is_done = write_samples (save, ret_n_samples, job, error);
    if (is_done)
        pv_pprof_writer_finish (save->writer);
    pv_pprof_writer_free (save->writer);
    pv_array_clear (&save->columns);
    pv_array_clear (&save->names);
    pv_array_clear (&save->locations);
    g_free (save->location_of_node);
    g_free (save->next_node);
    g_free (save->values);
    return is_done;
}

bool
pv_save_pprof (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
               const char *path, uint64_t *ret_n_samples, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    g_autoptr (PvSampleRows) rows = pv_sample_rows_new (profile, symbols, query, job, error);
    if (rows == NULL)
        return false;
    PvWriter writer;
    Save save = {.profile = profile, .rows = rows};
    if (!pv_writer_open (&writer, path, error))
        return false;
    bool is_done = write_file (&save, query, &writer, ret_n_samples, job, error);
    return pv_writer_close (&writer, is_done ? error : NULL) && is_done;
}
