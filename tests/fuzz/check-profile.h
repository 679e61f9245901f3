/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <math.h>

#include "core/model/build/builder.h"
#include "core/model/profile/rows.h"
#include "core/read/readers.h"

static inline void
check_ids_in_rows (const PvProfile *profile)
{
    const uint32_t ends[] = {
        [PV_MEMBER_MODULE] = profile->n_modules,
        [PV_MEMBER_PROCESS] = profile->n_processes,
        [PV_MEMBER_THREAD] = profile->n_threads,
        [PV_MEMBER_STACK] = profile->n_stacks,
    };
    for (PvProfileTable t = 0; t < PV_N_PROFILE_TABLES; t++) {
        const PvRowType *type = &pv_row_types[t];
        const char *row = profile->tables[t].rows;
        for (uint32_t r = 0; r < profile->tables[t].n_rows; r++, row += type->size_bytes)
            for (const PvRowMember *m = type->members; m->type != PV_MEMBER_NONE; m++)
                if (m->type >= PV_MEMBER_MODULE)
                    g_assert (*(const uint32_t *)pv_row_member (m, row) < ends[m->type]);
    }
}

/* Any bytes as a file of any format; NULL if none can read them, which is an error. */
static inline PvProfile *
read_any (const uint8_t *data, size_t size, const PvReadContext *context)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    g_autoptr (GError) error = NULL;
    bool is_read = pv_read_bytes (file, builder, context, &error);
    g_assert (is_read == (error == NULL));
    return is_read ? pv_profile_builder_snapshot (builder) : NULL;
}

/* Checks the properties of a profile that the program relies on, whatever its bytes were: ids in
 * range, parents first, chains that end. */
static inline void
check_tables (const PvProfile *profile)
{
    for (uint32_t s = 1; s < profile->n_stacks; s++) {
        g_assert (profile->parent_of_stack[s] < s);
        g_assert (profile->location_of_stack[s] > 0);
        g_assert (profile->location_of_stack[s] < profile->n_locations);
    }
    for (uint32_t l = 1; l < profile->n_locations; l++) {
        g_assert (profile->module_of_location[l] < profile->n_modules);
        if (profile->given_of_location == NULL || profile->given_of_location[l] == UINT32_MAX)
            continue;
        const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[l]];
        while (!frame->is_last)
            frame++;
    }
    check_ids_in_rows (profile);
    for (uint32_t i = 0; i < profile->n_suppressions; i++)
        g_assert (profile->suppressions[i][0] != '\0');
    uint64_t n_lost = 0;
    for (uint32_t i = 0; i < profile->n_losses; i++) {
        const PvLoss *loss = &profile->losses[i];
        g_assert (loss->time_ns >= profile->start_ns);
        g_assert (loss->time_ns - profile->start_ns < MAX (profile->duration_ns, 1));
        n_lost += loss->n_lost;
    }
    g_assert (profile->n_losses == 0 || n_lost == profile->n_lost);
}

/* Counters are sorted and finite. */
static inline void
check_counters (const PvProfile *profile)
{
    for (uint32_t c = 0; c < profile->n_counters; c++) {
        const PvCounter *counter = &profile->counters[c];
        g_assert (isfinite (counter->min) && isfinite (counter->max) && isfinite (counter->total));
        for (uint32_t i = 0; i < counter->n_samples; i++) {
            g_assert (i == 0 || counter->time_ns[i - 1] <= counter->time_ns[i]);
            g_assert (counter->values[i] >= counter->min && counter->values[i] <= counter->max);
        }
    }
}

/* Checks waits and the fields of events. */
static inline void
check_details (const PvProfile *profile)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t i = 0; i < set->n_samples; i++) {
            uint32_t wait = pv_sample_set_wait (set, i);
            g_assert (wait == 0 || wait < profile->n_waits);
            g_assert (set->delay_column == 0 ||
                      pv_sample_set_delay_ns (set, i) <= set->duration_ns[i]);
            size_t size;
            const uint8_t *data = pv_sample_set_get_record (set, i, &size);
            g_string_truncate (text, 0);
            for (uint32_t f = 0; data != NULL && f < set->fields->n_fields; f++)
                pv_field_append (text, &set->fields->fields[f], data, size, set->fields->swap);
        }
    }
}

/* Ranges, orders and sums; and words for all of it. */
static inline void
check_distributions (const PvProfile *profile)
{
    for (uint32_t d = 0; d < profile->n_distributions; d++) {
        const PvDistribution *distribution = &profile->distributions[d];
        bool is_histogram = distribution->kind == PV_DISTRIBUTION_HISTOGRAM;
        uint64_t sum = 0;
        g_free (pv_distribution_make_title (distribution));
        g_assert (is_histogram ? distribution->n_buckets > 0 && distribution->n_rows == 0
                               : distribution->n_rows > 0 && distribution->n_buckets == 0);
        for (uint32_t b = 0; b < distribution->n_buckets; b++) {
            const PvBucket *bucket = &distribution->buckets[b];
            g_assert (bucket->first <= bucket->last && bucket->count <= INT64_MAX);
            g_free (pv_bucket_format_range (bucket));
            g_free (pv_bucket_format_edge (bucket));
            sum = __builtin_add_overflow (sum, bucket->count, &sum) ? UINT64_MAX : sum;
        }
        g_assert (sum == distribution->total || distribution->total == UINT64_MAX);
        for (uint32_t r = 0; r < distribution->n_rows; r++) {
            g_assert (distribution->rows[r].key != NULL);
            g_assert (r == 0 || distribution->rows[r - 1].value >= distribution->rows[r].value);
            g_free (
                pv_distribution_format_number (pv_distribution_get_mean (&distribution->rows[r])));
        }
    }
}

static inline void
check_set (const PvProfile *profile, const PvSampleSet *set)
{
    for (uint32_t s = 0; s < set->n_samples; s++) {
        g_assert (set->stack[s] < profile->n_stacks &&
                  pv_sample_set_thread (set, s) < profile->n_threads);
        g_assert (set->label_set == NULL || set->label_set[s] < profile->n_label_sets);
    }
}

/* The same of the samples: and weights that add up. A series' totals are those of its last dump. */
static inline void
check_all_samples (const PvProfile *profile)
{
    for (uint32_t s = 0; s < profile->n_sets; s++)
        check_set (profile, &profile->sets[s]);
    for (uint32_t m = 0; m < profile->n_measures && profile->n_dumps == 0; m++) {
        const PvMeasure *measure = &profile->measures[m];
        const PvSampleSet *set = &profile->sets[measure->set];
        uint64_t total = 0;
        for (uint32_t s = 0; s < set->n_samples; s++)
            total += pv_sample_set_weight (set, measure->column, s);
        g_assert (total == measure->total && total <= INT64_MAX);
    }
    g_assert (profile->first_label_of_set[0] == 0 && profile->first_label_of_set[1] == 0);
    uint32_t n_labels = profile->first_label_of_set[profile->n_label_sets];
    for (uint32_t i = 0; i < n_labels; i++)
        g_assert (profile->labels[i].key != NULL &&
                  (profile->labels[i].text != NULL || profile->labels[i].unit != NULL));
}

/* The same of formats that always have some. */
static inline void
check_samples (const PvProfile *profile)
{
    g_assert (profile->n_sets > 0 && profile->n_measures > 0);
    check_all_samples (profile);
}

/* A history whose figures agree. */
static inline void
check_heap (const PvProfile *profile)
{
    const PvHeap *heap = profile->heap;
    g_assert (heap->peak_bytes >= 0 && heap->n_bins > 0);
    for (uint32_t s = 0; s < heap->n_sites; s++)
        g_assert (heap->stack_of_site[s] > 0 && heap->stack_of_site[s] < profile->n_stacks);
    int64_t *weights = g_new (int64_t, heap->n_sites + 1);
    for (PvHeapMeasure measure = PV_HEAP_PEAK; measure < PV_N_HEAP_MEASURES; measure++) {
        int64_t total;
        pv_heap_weigh_sites (heap, measure, 0, heap->n_bins, weights, &total);
        g_assert (measure != PV_HEAP_LIVE || total == heap->leaked_bytes);
        g_assert (measure != PV_HEAP_PEAK || total == heap->peak_bytes);
        g_assert (measure != PV_HEAP_ALLOCATIONS || total == (int64_t)heap->n_allocations);
        g_assert (measure != PV_HEAP_TEMPORARY || total == (int64_t)heap->n_temporary);
    }
    g_free (weights);
}
