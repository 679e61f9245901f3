/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles put together: the sets of samples, and what they measure. The rest is in the files that
 * merge-private.h names.
 *
 * Until the end, samples of a series have the number of their dump, from 1 on, in place of a time:
 * when the first one is appended nobody knows what the last one will tell about the order.
 */
#include "core/model/merge/merge.h"
#include "core/model/profile/fraction.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/model/merge/merge-private.h"

#define NO_COLUMN UINT32_MAX

PvMerger *
pv_merger_new (PvProfileBuilder *builder, bool is_series)
{
    g_assert (builder != NULL);
    PvMerger *merger = g_new0 (PvMerger, 1);
    g_assert (builder->sets.len == 0);
    merger->builder = builder;
    merger->is_series = is_series;
    merger->arena = pv_arena_new ();
    return merger;
}

void
pv_merger_free (PvMerger *merger)
{
    if (merger == NULL)
        return;
    for (size_t i = 0; i < merger->sets.len; i++) {
        pv_array_clear (&merger->sets.data[i].keys);
        pv_array_clear (&merger->sets.data[i].n_seen);
        pv_id_map_clear (&merger->sets.data[i].column_of_key);
    }
    pv_array_clear (&merger->sets);
    pv_array_clear (&merger->left_out);
    pv_array_clear (&merger->next_module);
    pv_array_clear (&merger->frames);
    pv_array_clear (&merger->distributions);
    pv_arena_free (merger->arena);
    pv_array_clear (&merger->counters);
    pv_array_clear (&merger->notes);
    pv_hash_map_clear (&merger->module_ids);
    pv_hash_map_clear (&merger->named_ids);
    pv_hash_map_clear (&merger->variant_ids);
    pv_hash_map_clear (&merger->process_ids);
    pv_hash_map_clear (&merger->thread_ids);
    g_free (merger);
}

/* Measures */

/* A side of a signed measure. It is matched by its measure: files without negative amounts have no
 * sides. */
static bool
is_side (const PvMeasure *measure)
{
    return measure->part == PV_PART_SIDE;
}

/* The measures of one set of the profile, by column. */
typedef struct {
    uint32_t n;
    PvMeasure *measures;
    uint64_t *keys;
    PvIdMap column_of_key; /* plus 1 */
} Measures;

static uint64_t
hash_measure (const PvMeasure *measure)
{
    bool is_fine = pv_fraction_get_ones (measure) > 1; /* what fractions are counted in */
    const char *unit = measure->unit_name != NULL && !is_fine ? measure->unit_name : "";
    PvHash name = pv_hash_bytes (measure->name, strlen (measure->name), measure->unit);
    uint64_t kind = (uint64_t)measure->aggregation << 1 | is_side (measure);
    PvHash hash = pv_hash_bytes (unit, strlen (unit), kind);
    return pv_hash_fold (name.a ^ hash.b, hash.a ^ name.b);
}

static void
collect_measures (const PvProfile *profile, uint32_t set, Measures *ret_measures)
{
    uint32_t n = profile->sets[set].n_weights;
    PvIdMap counts = {0};
    Measures *measures = ret_measures;
    *measures = (Measures){
        .n = n, .measures = g_new0 (PvMeasure, MAX (n, 1)), .keys = g_new0 (uint64_t, MAX (n, 1))};
    for (PvMeasureId m = 0; m < profile->n_weights; m++) {
        if (profile->measures[m].set == set)
            measures->measures[profile->measures[m].column] = profile->measures[m];
    }
    for (uint32_t c = 0; c < n; c++) {
        if (measures->measures[c].part != PV_PART_BOTH && !is_side (&measures->measures[c]))
            measures->measures[c].part = PV_PART_NONE;
        /* Nothing keeps files from having the same twice. */
        uint64_t hash = hash_measure (&measures->measures[c]);
        uint32_t count = ++*pv_id_map_slot (&counts, hash);
        measures->keys[c] = pv_hash_mix (hash + count) | 1;
        *pv_id_map_slot (&measures->column_of_key, measures->keys[c]) = c + 1;
    }
    pv_id_map_clear (&counts);
}

static void
measures_clear (Measures *measures)
{
    g_free (measures->measures);
    g_free (measures->keys);
    pv_id_map_clear (&measures->column_of_key);
}

/* How well the profile's measures fit a set of the builder: how many of them are in both and in all
 * that was put into the set before. ret_is_equal: neither has others. */
static uint32_t
count_common (const PvMerger *merger, uint32_t set, const Measures *measures, bool *ret_is_equal)
{
    const PvSetBuilder *known = &merger->builder->sets.data[set];
    const PvMergedSet *merged = &merger->sets.data[set];
    uint32_t n_common = 0, n_known = 0, n_new = 0;
    for (size_t i = 0; i < known->measures.len; i++) {
        if (is_side (&known->measures.data[i]) || merged->n_seen.data[i] < merged->n_appended)
            continue;
        n_known++;
        n_common += pv_id_map_find (&measures->column_of_key, merged->keys.data[i]) != 0;
    }
    for (uint32_t c = 0; c < measures->n; c++)
        n_new += !is_side (&measures->measures[c]);
    *ret_is_equal = n_common == n_known && n_common == n_new;
    return n_common;
}

/* Sets */

/* A column for a measure that the samples until now, if there are any, have nothing of. */
static void
add_column (PvMerger *merger, uint32_t set, const PvMeasure *measure, uint64_t key)
{
    PvMergedSet *merged = &merger->sets.data[set];
    PvSetBuilder *self = &merger->builder->sets.data[set];
    PvMeasure copy = *measure;
    copy.name = pv_profile_builder_string (merger->builder, measure->name);
    copy.unit_name = pv_profile_builder_string (merger->builder, measure->unit_name);
    copy.column = (uint32_t)self->measures.len;
    copy.total = 0;
    copy.part = PV_PART_NONE;
    PvWeightColumn column = {.is_uniform = true};
    pv_store_column_init (&column.weights, sizeof (uint64_t));
    pv_array_push (&self->measures, copy);
    pv_array_push (&self->weights, column);
    pv_array_push (&merged->n_seen, merged->n_appended);
    pv_array_push (&merged->keys, key);
    *pv_id_map_slot (&merged->column_of_key, key) = (uint32_t)merged->keys.len;
}

static uint32_t
add_set (PvMerger *merger, const PvSampleSet *set, const Measures *measures)
{
    PvMergedSet merged = {0};
    uint32_t id = pv_profile_builder_add_set (merger->builder, set->name, set->duration_ns != NULL);
    if (set->is_derived)
        pv_profile_builder_set_derived (merger->builder, id);
    if (set->is_exact)
        pv_profile_builder_set_exact (merger->builder, id);
    pv_array_push (&merger->sets, merged);
    for (uint32_t c = 0; c < measures->n; c++) {
        if (!is_side (&measures->measures[c]))
            add_column (merger, id, &measures->measures[c], measures->keys[c]);
    }
    return id;
}

/* The set that these samples belong to: with exactly their measures, or, if none has them, with
 * some of them, when it is about the same. */
static uint32_t
find_set (PvMerger *merger, uint32_t source, const Measures *measures)
{
    const PvProfile *profile = merger->maps.profile;
    const PvSampleSet *set = &profile->sets[source];
    uint32_t similar = UINT32_MAX;
    for (uint32_t s = 0; s < merger->sets.len; s++) {
        const PvSetBuilder *known = &merger->builder->sets.data[s];
        bool is_equal;
        if (merger->sets.data[s].is_taken || known->has_durations != (set->duration_ns != NULL))
            continue;
        uint32_t n_common = count_common (merger, s, measures, &is_equal);
        if (is_equal)
            return s;
        bool is_only = merger->sets.len == 1 && profile->n_sets == 1;
        if (n_common > 0 && similar == UINT32_MAX &&
            (is_only || g_strcmp0 (known->name, set->name) == 0))
            similar = s;
    }
    return similar != UINT32_MAX ? similar : add_set (merger, set, measures);
}

/* Pairs */

/* The column of a pair's part; NO_COLUMN: not found. */
static uint32_t
find_part (const PvMeasure *measures, size_t n, uint32_t pair, PvMeasurePart part, PvSide side)
{
    for (size_t c = 0; c < n; c++) {
        const PvMeasure *measure = &measures[c];
        if (measure->part == part && measure->pair == pair &&
            (part == PV_PART_BOTH || measure->side == side))
            return (uint32_t)c;
    }
    return NO_COLUMN;
}

/* Copies a column, for the new side: the amounts of a measure without sides are all new. */
static void
copy_column (PvSetBuilder *set, uint32_t from, uint32_t to)
{
    const PvWeightColumn *source = &set->weights.data[from];
    PvWeightColumn *copy = &set->weights.data[to];
    set->measures.data[to].total = set->measures.data[from].total;
    copy->is_uniform = source->is_uniform;
    copy->uniform = source->uniform;
    if (!source->is_uniform)
        memcpy (pv_store_column_extend (&copy->weights, source->weights.len),
                pv_store_column_data (&source->weights, uint64_t),
                source->weights.len * sizeof (uint64_t));
}

/* Makes a measure of the builder signed, as that of column c is. */
static void
add_sides (PvMerger *merger, uint32_t set, uint32_t column, const Measures *measures, uint32_t c)
{
    PvProfileBuilder *builder = merger->builder;
    uint32_t pair = pv_profile_builder_add_pair (builder);
    pv_profile_builder_set_part (builder, set, column, pair, PV_PART_BOTH, 0);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        uint32_t source = find_part (measures->measures, measures->n, measures->measures[c].pair,
                                     PV_PART_SIDE, side);
        g_assert (source != NO_COLUMN);
        uint32_t added = (uint32_t)builder->sets.data[set].measures.len;
        add_column (merger, set, &measures->measures[source], measures->keys[source]);
        pv_profile_builder_set_part (builder, set, added, pair, PV_PART_SIDE, side);
        if (side == PV_SIDE_NEW)
            copy_column (&builder->sets.data[set], column, added);
    }
}

static void
add_pairs (PvMerger *merger, uint32_t set, const Measures *measures)
{
    const PvMergedSet *merged = &merger->sets.data[set];
    for (uint32_t c = 0; c < measures->n; c++) {
        if (measures->measures[c].part != PV_PART_BOTH)
            continue;
        uint32_t found = pv_id_map_find (&merged->column_of_key, measures->keys[c]);
        if (found != 0 &&
            merger->builder->sets.data[set].measures.data[found - 1].part == PV_PART_NONE)
            add_sides (merger, set, found - 1, measures, c);
    }
}

/* The column of the profile for a side of the builder's set. */
static uint32_t
map_side (const PvSetBuilder *self, const PvMeasure *side, const uint32_t *column_of,
          const Measures *measures)
{
    uint32_t both =
        find_part (self->measures.data, self->measures.len, side->pair, PV_PART_BOTH, 0);
    uint32_t source = both != NO_COLUMN ? column_of[both] : NO_COLUMN;
    if (source == NO_COLUMN)
        return NO_COLUMN;
    const PvMeasure *measure = &measures->measures[source];
    if (measure->part == PV_PART_BOTH)
        return find_part (measures->measures, measures->n, measure->pair, PV_PART_SIDE, side->side);
    return side->side == PV_SIDE_NEW ? source : NO_COLUMN;
}

/* Remembers a measure for a note; each name once. */
static void
leave_out (PvMerger *merger, const char *name)
{
    const char *kept = pv_profile_builder_string (merger->builder, name);
    for (size_t i = 0; i < merger->left_out.len; i++)
        if (merger->left_out.data[i] == kept)
            return;
    pv_array_push (&merger->left_out, kept);
}

/* Measures that the samples until now have nothing of. */
static void
leave_out_new (PvMerger *merger, const PvMergedSet *merged, const Measures *measures)
{
    for (uint32_t c = 0; c < measures->n; c++)
        if (!is_side (&measures->measures[c]) &&
            pv_id_map_find (&merged->column_of_key, measures->keys[c]) == 0)
            leave_out (merger, measures->measures[c].name);
}

/* Gives a column of the builder the unit for fractions of a measure, if that is smaller. */
static void
refine_column (PvMerger *merger, uint32_t set, uint32_t column, const PvMeasure *measure)
{
    const PvMeasure *known = &merger->builder->sets.data[set].measures.data[column];
    uint64_t times = pv_fraction_get_ones (measure) / pv_fraction_get_ones (known);
    if (times > 1)
        pv_profile_builder_refine (merger->builder, set, column, times, measure->unit_name);
}

/* For each column of the builder's set, the one of the profile's. */
static uint32_t *
map_columns (PvMerger *merger, uint32_t set, const Measures *measures)
{
    PvMergedSet *merged = &merger->sets.data[set];
    add_pairs (merger, set, measures);
    leave_out_new (merger, merged, measures);
    const PvSetBuilder *self = &merger->builder->sets.data[set];
    uint32_t *column_of = g_new (uint32_t, MAX (self->measures.len, 1));
    for (size_t i = 0; i < self->measures.len; i++) {
        uint32_t found = is_side (&self->measures.data[i])
                             ? 0
                             : pv_id_map_find (&measures->column_of_key, merged->keys.data[i]);
        column_of[i] = found != 0 ? found - 1 : NO_COLUMN;
        merged->n_seen.data[i] += found != 0;
    }
    for (size_t i = 0; i < self->measures.len; i++) {
        if (is_side (&self->measures.data[i]))
            column_of[i] = map_side (self, &self->measures.data[i], column_of, measures);
        if (column_of[i] != NO_COLUMN)
            refine_column (merger, set, (uint32_t)i, &measures->measures[column_of[i]]);
    }
    merged->n_appended++;
    return column_of;
}

static void
copy_samples (PvMerger *merger, const PvSampleSet *source, uint32_t set, const uint32_t *column_of,
              const Measures *measures)
{
    const PvSetBuilder *self = &merger->builder->sets.data[set];
    uint32_t n_columns = (uint32_t)self->measures.len;
    g_autofree uint64_t *weights = g_new0 (uint64_t, MAX (n_columns, 1));
    g_autofree uint64_t *times = g_new0 (uint64_t, MAX (n_columns, 1));
    for (uint32_t c = 0; c < n_columns; c++)
        if (column_of[c] != NO_COLUMN)
            times[c] = pv_fraction_get_ones (&self->measures.data[c]) /
                       pv_fraction_get_ones (&measures->measures[column_of[c]]);
    for (uint32_t i = 0; i < source->n_samples; i++) {
        PvNewSample sample = {
            .time_ns =
                merger->is_series ? merger->n_profiles + 1 : pv_sample_set_time_ns (source, i),
            .duration_ns = source->duration_ns != NULL ? source->duration_ns[i] : 0,
            .thread = pv_merge_thread (merger, pv_sample_set_thread (source, i)),
            .stack = merger->maps.stack_of[source->stack[i]],
            .cpu = pv_sample_set_cpu (source, i),
            .stack_end = pv_sample_set_stack_end (source, i),
        };
        if (source->label_set != NULL)
            sample.label_set = pv_merge_label_set (merger, source->label_set[i]);
        if (source->wait != NULL)
            sample.wait = pv_merge_wait (merger, source->wait[i]);
        for (uint32_t c = 0; c < n_columns; c++) {
            if (column_of[c] != NO_COLUMN)
                weights[c] = pv_sample_set_weight (source, column_of[c], i);
            if (times[c] > 1)
                weights[c] = pv_fraction_refine (weights[c], times[c]);
        }
        pv_profile_builder_add_sample (merger->builder, set, &sample, weights);
    }
}

static void
append_set (PvMerger *merger, uint32_t source)
{
    const PvProfile *profile = merger->maps.profile;
    Measures measures;
    collect_measures (profile, source, &measures);
    uint32_t set = find_set (merger, source, &measures);
    g_autofree uint32_t *column_of = map_columns (merger, set, &measures);
    merger->sets.data[set].is_taken = true;
    copy_samples (merger, &profile->sets[source], set, column_of, &measures);
    if (merger->preferred_key == 0 && profile->n_measures > 0 &&
        profile->measures[0].set == source) {
        merger->preferred_set = set;
        merger->preferred_key = measures.keys[profile->measures[0].column];
    }
    measures_clear (&measures);
}

/* Takes the first profile's facts about all its samples. They hold for those of the others, too. */
static void
take_first (PvMerger *merger, const PvProfile *profile)
{
    pv_profile_builder_set_drop_frames (merger->builder, profile->drop_frames,
                                        profile->keep_frames);
    if (profile->is_of_allocations)
        pv_profile_builder_set_of_allocations (merger->builder);
}

/* Adds all losses; those of a profile without times have time 0. */
static void
append_losses (PvMerger *merger, const PvProfile *profile)
{
    uint64_t n_left = profile->n_lost;
    for (uint32_t i = 0; i < profile->n_losses; i++) {
        const PvLoss *loss = &profile->losses[i];
        pv_profile_builder_add_lost (merger->builder, loss->time_ns, loss->n_lost);
        n_left -= loss->n_lost;
    }
    pv_profile_builder_add_lost (merger->builder, 0, n_left);
}

void
pv_merger_append (PvMerger *merger, const PvProfile *profile, const char *name)
{
    g_assert (profile->heap == NULL && profile->n_dumps == 0);
    pv_merge_maps_init (merger, profile);
    if (merger->n_profiles == 0)
        take_first (merger, profile);
    pv_merge_stacks (merger);
    for (size_t i = 0; i < merger->sets.len; i++)
        merger->sets.data[i].is_taken = false;
    for (uint32_t s = 0; s < profile->n_sets; s++)
        append_set (merger, s);
    append_losses (merger, profile);
    pv_merge_distributions (merger, profile, name);
    pv_merge_counters (merger, profile, name);
    pv_profile_builder_add_skipped (merger->builder, profile->n_skipped_records);
    pv_merge_facts (merger, profile, name);
    pv_merge_maps_clear (merger);
    merger->n_profiles++;
}

/* The end */

/* A side is in all profiles that its measure is in. */
static bool
is_common (const PvSetBuilder *self, const PvMergedSet *merged, uint32_t column)
{
    const PvMeasure *measure = &self->measures.data[column];
    if (is_side (measure))
        column =
            find_part (self->measures.data, merged->n_seen.len, measure->pair, PV_PART_BOTH, 0);
    return merged->n_seen.data[column] == merged->n_appended;
}

/* Takes out the columns that not all profiles have. */
static void
keep_common (PvMerger *merger, uint32_t set)
{
    PvSetBuilder *self = &merger->builder->sets.data[set];
    PvMergedSet *merged = &merger->sets.data[set];
    uint32_t n = 0;
    g_autofree bool *is_kept = g_new (bool, MAX (merged->n_seen.len, 1));
    for (uint32_t c = 0; c < merged->n_seen.len; c++)
        is_kept[c] = is_common (self, merged, c);
    for (uint32_t c = 0; c < merged->n_seen.len; c++) {
        if (!is_kept[c]) {
            if (!is_side (&self->measures.data[c]))
                leave_out (merger, self->measures.data[c].name);
            pv_store_column_clear (&self->weights.data[c].weights);
            continue;
        }
        self->weights.data[n] = self->weights.data[c];
        self->measures.data[n] = self->measures.data[c];
        self->measures.data[n].column = n;
        merged->keys.data[n++] = merged->keys.data[c];
    }
    self->weights.len = self->measures.len = merged->keys.len = n;
}

static void
prefer_measure (PvMerger *merger)
{
    if (merger->preferred_key == 0)
        return;
    const PvMergedSet *merged = &merger->sets.data[merger->preferred_set];
    pv_profile_builder_prefer_set (merger->builder, merger->preferred_set);
    for (size_t c = 0; c < merged->keys.len; c++) {
        if (merged->keys.data[c] == merger->preferred_key)
            pv_profile_builder_prefer_measure (merger->builder, (uint32_t)c);
    }
}

/* How many units for fractions are 1 of the files. */
static uint64_t
find_ones (const PvMerger *merger)
{
    uint64_t ones = 1;
    for (size_t s = 0; s < merger->builder->sets.len; s++) {
        const PvSetBuilder *set = &merger->builder->sets.data[s];
        for (size_t c = 0; c < set->measures.len; c++)
            ones = MAX (ones, pv_fraction_get_ones (&set->measures.data[c]));
    }
    return ones;
}

static int
compare_dumps (const void *a, const void *b)
{
    const PvDump *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void
add_dumps (PvMerger *merger, const PvDump *dumps)
{
    g_autofree PvDump *sorted = g_memdup2 (dumps, merger->n_profiles * sizeof *dumps);
    qsort (sorted, merger->n_profiles, sizeof *sorted, compare_dumps);
    for (uint32_t d = 0; d < merger->n_profiles; d++) {
        g_assert (sorted[d].time_ns > (d > 0 ? sorted[d - 1].time_ns : 0));
        pv_profile_builder_add_dump (merger->builder, &sorted[d]);
    }
}

static void
set_times (PvSetBuilder *set, const PvDump *dumps)
{
    pv_set_builder_widen_times (set);
    uint64_t *time_ns = pv_store_column_data (&set->time_ns, uint64_t);
    set->is_unordered = false;
    for (uint32_t i = 0; i < set->n_samples; i++) {
        time_ns[i] = dumps[time_ns[i] - 1].time_ns;
        set->is_unordered |= i > 0 && time_ns[i] < time_ns[i - 1];
    }
}

void
pv_merger_finish (PvMerger *merger, const PvDump *dumps, bool has_dump_times)
{
    g_assert (merger != NULL);
    g_assert (merger->is_series == (dumps != NULL));
    for (uint32_t s = 0; s < merger->sets.len; s++)
        keep_common (merger, s);
    for (size_t i = 0; i < merger->left_out.len; i++)
        pv_profile_builder_note (merger->builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0,
                                 _ ("Not all files have “%s”, so it was left out."),
                                 merger->left_out.data[i]);
    prefer_measure (merger);
    pv_profile_builder_note_fractions (merger->builder, find_ones (merger));
    pv_merge_add_distributions (merger);
    pv_merge_name_counters (merger);
    pv_merge_add_notes (merger);
    if (!merger->is_series)
        return;
    add_dumps (merger, dumps);
    for (size_t s = 0; s < merger->builder->sets.len; s++)
        set_times (&merger->builder->sets.data[s], dumps);
    pv_profile_builder_set_dump_times (merger->builder, has_dump_times);
}
