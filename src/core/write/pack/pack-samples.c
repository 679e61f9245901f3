/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of samples with their measures, waits, and the samples themselves, column by column.
 */
#include "core/model/pack/pack-format.h"
#include "core/write/pack/pack-rows.h"
#include "core/write/pack/pack.h"

enum { RECORD_BYTES_PER_SECTION = 4 << 20, WEIGHTS_PER_SECTION = 1 << 18 };

/* The measure of a column. Of a series, those that are made of it are left out. */
static const PvMeasure *
find_measure (const PvProfile *profile, uint32_t set, uint32_t column)
{
    for (PvMeasureId m = 0; m < profile->n_weights; m++) {
        const PvMeasure *measure = &profile->measures[m];
        if (measure->set == set && measure->column == column &&
            measure->aggregation <= PV_AGGREGATION_STATE)
            return measure;
    }
    return NULL;
}

static unsigned
get_flags (const PvSampleSet *set)
{
    return (set->is_derived ? PV_PACK_SET_DERIVED : 0) | (set->is_exact ? PV_PACK_SET_EXACT : 0) |
           (set->duration_ns != NULL ? PV_PACK_SET_DURATIONS : 0) |
           (set->label_set != NULL ? PV_PACK_SET_LABELS : 0) |
           (set->wait != NULL ? PV_PACK_SET_WAITS : 0) |
           (set->fields != NULL ? PV_PACK_SET_FIELDS : 0);
}

static void
put_measure (PvPackFile *file, const PvMeasure *measure)
{
    g_assert (measure != NULL);
    pv_pack_file_put_string (file, measure->name);
    pv_pack_file_put (file, measure->unit);
    pv_pack_file_put_string (file, measure->unit_name);
    pv_pack_file_put (file, measure->aggregation);
    pv_pack_file_put (file, measure->is_delay ? 1 : 0);
    pv_pack_file_put (file, measure->part);
    if (measure->part == PV_PART_NONE)
        return;
    pv_pack_file_put (file, measure->side);
    pv_pack_file_put (file, measure->pair);
}

static void
put_fields (PvPackFile *file, const PvFields *fields)
{
    pv_pack_file_put (file, fields->swap ? 1 : 0);
    pv_pack_file_put (file, fields->n_fields);
    for (uint32_t i = 0; i < fields->n_fields; i++) {
        const PvField *field = &fields->fields[i];
        pv_pack_file_put_string (file, field->name);
        pv_pack_file_put (file, field->offset);
        pv_pack_file_put (file, field->size_bytes);
        pv_pack_file_put (file, field->origin);
        pv_pack_file_put (file, field->kind);
        pv_pack_file_put (file, field->place);
        pv_pack_file_put (file, field->element_size);
    }
}

static void
write_sets (PvPackFile *file, const PvProfile *profile)
{
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        pv_pack_file_put_string (file, set->name);
        pv_pack_file_put (file, get_flags (set));
        pv_pack_file_put (file, set->n_weights);
        for (uint32_t c = 0; c < set->n_weights; c++)
            put_measure (file, find_measure (profile, s, c));
        if (set->fields != NULL)
            put_fields (file, set->fields);
        pv_pack_file_end_section (file, PV_PACK_SETS);
    }
    if (profile->n_measures > 0) {
        pv_pack_file_put (file, profile->measures[0].set);
        pv_pack_file_put (file, profile->measures[0].column);
        pv_pack_file_end_section (file, PV_PACK_MAIN);
    }
}

/* The end of the samples that fit into a section. */
static uint32_t
find_end (const PvSampleSet *set, uint32_t first)
{
    uint32_t most = MIN (PV_PACK_MAX_ROWS, WEIGHTS_PER_SECTION / MAX (set->n_weights, 1));
    uint32_t end = first + MIN (set->n_samples - first, MAX (most, 1));
    size_t n_record_bytes = 0;
    for (uint32_t i = first; i < end && set->record != NULL; i++) {
        size_t size_bytes = 0;
        pv_sample_set_get_record (set, i, &size_bytes);
        n_record_bytes += size_bytes;
        if (n_record_bytes > RECORD_BYTES_PER_SECTION && i > first)
            return i;
    }
    return end;
}

static void
put_places (PvPackFile *file, const PvSampleSet *set, uint32_t first, uint32_t end)
{
    uint64_t before = 0;
    for (uint32_t i = first; i < end; i++) {
        uint64_t time_ns = pv_sample_set_time_ns (set, i);
        pv_pack_file_put_signed (file, (int64_t)(time_ns - before));
        before = time_ns;
    }
    before = 0;
    for (uint32_t i = first; i < end; i++) {
        pv_pack_file_put_signed (file, (int64_t)(set->stack[i] - before));
        before = set->stack[i];
    }
    before = 0;
    for (uint32_t i = first; i < end; i++) {
        pv_pack_file_put_signed (file, (int64_t)(pv_sample_set_thread (set, i) - before));
        before = pv_sample_set_thread (set, i);
    }
    for (uint32_t i = first; i < end; i++)
        pv_pack_file_put (file, pv_sample_set_cpu (set, i));
    for (uint32_t i = first; i < end; i++)
        pv_pack_file_put (file, pv_sample_set_stack_end (set, i));
}

static void
put_weights (PvPackFile *file, const PvSampleSet *set, uint32_t column, uint32_t first,
             uint32_t end)
{
    bool is_uniform = true;
    uint64_t weight = pv_sample_set_weight (set, column, first);
    for (uint32_t i = first; i < end && is_uniform; i++)
        is_uniform = pv_sample_set_weight (set, column, i) == weight;
    pv_pack_file_put (file, is_uniform ? 1 : 0);
    if (is_uniform)
        pv_pack_file_put (file, weight);
    for (uint32_t i = first; i < end && !is_uniform; i++)
        pv_pack_file_put (file, pv_sample_set_weight (set, column, i));
}

static void
put_records (PvPackFile *file, const PvSampleSet *set, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        size_t size_bytes = 0;
        const uint8_t *record = pv_sample_set_get_record (set, i, &size_bytes);
        pv_pack_file_put (file, record != NULL ? size_bytes + 1 : 0);
        if (record != NULL)
            pv_pack_file_put_bytes (file, record, size_bytes);
    }
}

static void
write_section (PvPackFile *file, const PvProfile *profile, uint32_t s, uint32_t first, uint32_t end)
{
    const PvSampleSet *set = &profile->sets[s];
    pv_pack_file_put (file, s);
    pv_pack_file_put (file, end - first);
    put_places (file, set, first, end);
    for (uint32_t i = first; i < end && set->duration_ns != NULL; i++)
        pv_pack_file_put (file, set->duration_ns[i]);
    for (uint32_t i = first; i < end && set->label_set != NULL; i++)
        pv_pack_file_put (file, set->label_set[i]);
    for (uint32_t i = first; i < end && set->wait != NULL; i++)
        pv_pack_file_put (file, set->wait[i]);
    for (uint32_t c = 0; c < set->n_weights; c++)
        put_weights (file, set, c, first, end);
    if (set->fields != NULL)
        put_records (file, set, first, end);
    pv_pack_file_end_section (file, PV_PACK_SAMPLES);
}

bool
pv_pack_write_samples (PvPackFile *file, const PvProfile *profile, PvJob *job, GError **error)
{
    write_sets (file, profile);
    pv_pack_write_table (file, PV_PACK_WAITS, profile, PV_PROFILE_WAITS, 1);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        for (uint32_t first = 0; first < profile->sets[s].n_samples;) {
            uint32_t end = find_end (&profile->sets[s], first);
            write_section (file, profile, s, first, end);
            pv_job_add_done (job, end - first);
            if (!pv_job_check (job, error))
                return false;
            first = end;
        }
    }
    return true;
}
