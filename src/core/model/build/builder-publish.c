/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshots: profiles made of what the builder has.
 */
#include <string.h>

#include "core/base/large.h"
#include "core/model/build/builder-private.h"
#include "core/model/profile/dumps.h"
#include "core/model/profile/rows.h"

typedef struct {
    uint64_t time_ns;
    uint32_t sample;
} TimedSample;

/*
 * Samples mostly come as runs that are in order, one for each thread or processor. Neighbours are
 * merged until there is one; of equal times the sample that came first stays first.
 */
typedef PV_ARRAY (uint32_t) RunArray;

/* Where runs begin; last of all, where they end. */
static void
find_runs_in_order (const TimedSample *timed, uint32_t n, RunArray *starts)
{
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || timed[i].time_ns < timed[i - 1].time_ns)
            pv_array_push (starts, i);
    pv_array_push (starts, n);
}

static void
merge_two (const TimedSample *from, uint32_t start, uint32_t middle, uint32_t end, TimedSample *to)
{
    uint32_t a = start, b = middle, at = start;
    while (a < middle && b < end) {
        bool takes_b = from[b].time_ns < from[a].time_ns;
        to[at++] = from[takes_b ? b : a];
        a += !takes_b;
        b += takes_b;
    }
    memcpy (to + at, from + a, (middle - a) * sizeof *to);
    memcpy (to + at + (middle - a), from + b, (end - b) * sizeof *to);
}

/* Merges each run with the next one. */
static void
merge_neighbours (const TimedSample *from, RunArray *starts, TimedSample *to)
{
    size_t n_runs = starts->len - 1, n_merged = 0;
    for (size_t r = 0; r < n_runs; r += 2) {
        uint32_t start = starts->data[r], middle = starts->data[r + 1];
        merge_two (from, start, middle, starts->data[MIN (r + 2, n_runs)], to);
        starts->data[n_merged++] = start;
    }
    starts->data[n_merged] = starts->data[n_runs];
    starts->len = n_merged + 1;
}

/* The order by time of the set's samples from first on. */
static uint32_t *
order_by_time (const PvSetBuilder *set, uint32_t first)
{
    const uint64_t *time_ns = pv_store_column_data (&set->time_ns, uint64_t);
    uint32_t n = set->n_samples - first;
    TimedSample *timed = pv_new_large (TimedSample, n), *merged = pv_new_large (TimedSample, n);
    RunArray starts = {0};
    for (uint32_t i = 0; i < n; i++)
        timed[i] = (TimedSample){time_ns[first + i], first + i};
    for (find_runs_in_order (timed, n, &starts); starts.len > 2;) {
        merge_neighbours (timed, &starts, merged);
        TimedSample *swapped = timed;
        timed = merged;
        merged = swapped;
    }
    g_free (merged);
    pv_array_clear (&starts);
    uint32_t *order = g_new (uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = timed[i].sample;
    g_free (timed);
    return order;
}

/* The elements that order names, one after the other. */
static void
copy_in_order (const PvStoreColumn *column, const uint32_t *order, uint32_t n, uint8_t *ret_copy)
{
    size_t size = column->element_size;
    if (size == sizeof (uint32_t)) {
        const uint32_t *data = pv_store_column_data (column, uint32_t);
        for (uint32_t i = 0; i < n; i++)
            ((uint32_t *)ret_copy)[i] = data[order[i]];
    } else if (size == sizeof (uint64_t)) {
        const uint64_t *data = pv_store_column_data (column, uint64_t);
        for (uint32_t i = 0; i < n; i++)
            ((uint64_t *)ret_copy)[i] = data[order[i]];
    } else {
        for (uint32_t i = 0; i < n; i++)
            memcpy (ret_copy + i * size, (const uint8_t *)column->data + order[i] * size, size);
    }
}

static void
sort_column (PvStoreColumn *column, const uint32_t *order, uint32_t first, uint8_t *scratch)
{
    if (column->len == 0)
        return;
    uint32_t n = column->len - first;
    copy_in_order (column, order, n, scratch);
    memcpy ((uint8_t *)column->data + (size_t)first * column->element_size, scratch,
            (size_t)n * column->element_size);
}

/* Samples that no snapshot has seen may still be moved. False if they are not all later than those
 * that one has. */
static bool
sort_new_samples (PvSetBuilder *set)
{
    const uint64_t *time_ns = pv_store_column_data (&set->time_ns, uint64_t);
    uint32_t first = set->n_published, n = set->n_samples - first;
    uint64_t earliest_ns = UINT64_MAX;
    for (uint32_t i = first; i < set->n_samples; i++)
        earliest_ns = MIN (earliest_ns, time_ns[i]);
    if (first > 0 && n > 0 && time_ns[first - 1] > earliest_ns)
        return false;
    g_autofree uint32_t *order = order_by_time (set, first);
    g_autofree uint8_t *scratch = (uint8_t *)pv_new_large (uint64_t, n);
    PvStoreColumn *columns[] = {&set->time_ns, &set->context,     &set->wide_context,
                                &set->stack,   &set->duration_ns, &set->label_set,
                                &set->wait,    &set->record};
    for (size_t i = 0; i < G_N_ELEMENTS (columns); i++)
        sort_column (columns[i], order, first, scratch);
    for (size_t i = 0; i < set->weights.len; i++)
        sort_column (&set->weights.data[i].weights, order, first, scratch);
    return true;
}

/* The column as a snapshot sees it: shared, or a copy in another order. */
static const void *
publish_column (PvStoreColumn *column, const uint32_t *order, PvStore *store, PvArena *arena)
{
    if (order == NULL || column->len == 0)
        return pv_store_column_publish (column, store);
    uint8_t *copy = pv_arena_alloc (arena, (size_t)column->len * column->element_size);
    copy_in_order (column, order, column->len, copy);
    return copy;
}

static void
publish_weights (const PvSetBuilder *self, const uint32_t *order, PvStore *store, PvArena *arena,
                 PvSampleSet *ret_set)
{
    size_t n = self->weights.len;
    const uint64_t **weights = pv_arena_alloc0 (arena, n * sizeof *weights);
    uint64_t *uniform = pv_arena_alloc0 (arena, n * sizeof *uniform);
    for (size_t i = 0; i < n; i++) {
        PvWeightColumn *column = &self->weights.data[i];
        uniform[i] = column->uniform;
        if (!column->is_uniform)
            weights[i] = publish_column (&column->weights, order, store, arena);
    }
    ret_set->n_weights = (uint32_t)n;
    ret_set->weights = weights;
    ret_set->uniform_weights = uniform;
}

static PvSampleSet
publish_set (PvSetBuilder *self, PvStore *store, PvArena *arena)
{
    if (self->is_unordered && !self->is_stuck) {
        self->is_unordered = self->is_stuck = !sort_new_samples (self);
        self->latest_ns = pv_store_column_data (&self->time_ns, uint64_t)[self->n_samples - 1];
    }
    self->n_published = self->n_samples;
    g_autofree uint32_t *order = self->is_unordered ? order_by_time (self, 0) : NULL;
    PvSampleSet set = {
        .name = self->name,
        .is_derived = self->is_derived,
        .is_exact = self->is_exact,
        .n_samples = self->n_samples,
        .n_contexts = self->contexts.len,
        .contexts = pv_store_column_publish (&self->contexts, store),
        .stack = publish_column (&self->stack, order, store, arena),
        .blocks = self->blocks,
    };
    if (self->has_wide_times) {
        set.time_ns = publish_column (&self->time_ns, order, store, arena);
    } else {
        set.time_base_ns = pv_store_column_publish (&self->time_base_ns, store);
        set.time_offset_ns = pv_store_column_publish (&self->time_offset_ns, store);
    }
    if (self->wide_context.len > 0)
        set.wide_context = publish_column (&self->wide_context, order, store, arena);
    else
        set.context = publish_column (&self->context, order, store, arena);
    if (self->has_durations)
        set.duration_ns = publish_column (&self->duration_ns, order, store, arena);
    if (self->label_set.len > 0)
        set.label_set = publish_column (&self->label_set, order, store, arena);
    if (self->wait.len > 0)
        set.wait = publish_column (&self->wait, order, store, arena);
    if (self->record.len > 0) {
        set.fields = self->fields;
        set.record = publish_column (&self->record, order, store, arena);
        set.end_of_record = pv_store_column_publish (&self->end_of_record, store);
        set.record_bytes = pv_store_column_publish (&self->record_bytes, store);
    }
    for (uint32_t c = 0; c < self->measures.len; c++)
        set.delay_column = self->measures.data[c].is_delay ? c + 1 : set.delay_column;
    publish_weights (self, order, store, arena, &set);
    return set;
}

static void
find_time_span (PvProfile *profile)
{
    if (profile->n_dumps > 0) {
        profile->start_ns = profile->dumps[0].time_ns;
        profile->duration_ns = profile->dumps[profile->n_dumps - 1].time_ns - profile->start_ns;
        return;
    }
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t i = 0; i < set->n_samples; i++) {
            uint64_t start = pv_sample_set_time_ns (set, i);
            if (start == 0)
                continue;
            uint64_t duration = set->duration_ns != NULL ? set->duration_ns[i] : 0;
            first = MIN (first, start);
            last = MAX (last, start + MIN (duration, UINT64_MAX - start));
        }
    }
    profile->start_ns = last > 0 ? first : 0;
    profile->duration_ns = last > 0 ? last - first : 0;
}

/* Losses before the first sample, or after the last, get the time of that sample. */
static void
fit_losses (PvProfile *profile)
{
    /* The only sample may be at the end of the clock. */
    uint64_t start_ns = MIN (profile->start_ns, UINT64_MAX - 1);
    if (profile->start_ns == 0 || profile->n_dumps > 0)
        profile->n_losses = 0;
    else
        profile->n_losses = pv_losses_fit ((PvLoss *)profile->losses, profile->n_losses, start_ns,
                                           start_ns + MAX (profile->duration_ns, 1));
}

/* The set whose measures come first: the preferred one, or another if that got no sample. */
static size_t
first_set (const PvProfileBuilder *builder)
{
    size_t preferred = builder->preferred_set;
    if (builder->compared != NULL || builder->n_joined > 0)
        return preferred; /* as requested, even if it has no samples */
    if (preferred < builder->sets.len && builder->sets.data[preferred].n_samples > 0)
        return preferred;
    for (size_t i = 0; i < builder->sets.len; i++) {
        if (builder->sets.data[i].n_samples > 0)
            return i;
    }
    return preferred;
}

typedef PV_ARRAY (PvMeasure) MeasureArray;

/* A measure that is made of a state of a series. */
static void
push_change (MeasureArray *measures, const PvMeasure *state, PvAggregation aggregation,
             const char *suffix, PvMeasurePart part, PvSide side, uint32_t pair, PvStore *store)
{
    PvMeasure change = *state;
    g_autofree char *name = g_strconcat (state->name, suffix, NULL);
    change.name = pv_interner_get (store->strings, pv_interner_add (store->strings, name));
    change.aggregation = aggregation;
    change.part = part;
    change.side = side;
    change.pair = pair;
    pv_array_push (measures, change);
}

/* The measures of a set, the preferred one first; of a series with what changes between dumps. */
static void
publish_measures (const PvProfileBuilder *builder, size_t set, uint32_t set_index,
                  MeasureArray *measures, uint32_t *n_pairs)
{
    const PvSetBuilder *self = &builder->sets.data[set];
    PvStore *store = builder->store;
    size_t first = measures->len, n = self->measures.len;
    size_t preferred = set == builder->preferred_set ? builder->preferred_measure : 0;
    for (size_t k = 0; k < n; k++) {
        /* The others stay in their order. */
        size_t i = preferred >= n ? k : k == 0 ? preferred : k <= preferred ? k - 1 : k;
        PvMeasure measure = self->measures.data[i];
        measure.set = set_index;
        pv_array_push (measures, measure);
    }
    for (size_t i = 0; i < n && builder->dumps.len > 0; i++) {
        PvMeasure state = measures->data[first + i];
        if (state.aggregation != PV_AGGREGATION_STATE || state.part != PV_PART_NONE)
            continue;
        uint32_t pair = (*n_pairs)++;
        push_change (measures, &state, PV_AGGREGATION_CHANGE, "-growth", PV_PART_BOTH, 0, pair,
                     store);
        push_change (measures, &state, PV_AGGREGATION_GROWTH, "-increase", PV_PART_SIDE,
                     PV_SIDE_NEW, pair, store);
        push_change (measures, &state, PV_AGGREGATION_DECREASE, "-decrease", PV_PART_SIDE,
                     PV_SIDE_BASE, pair, store);
    }
}

static bool
is_measure (const PvMeasure *weights)
{
    return weights->part == PV_PART_NONE || weights->part == PV_PART_BOTH;
}

/* Signed measures of which a side is missing, as a set had no samples, become ordinary ones. */
static void
drop_incomplete_pairs (MeasureArray *weights, uint32_t n_pairs)
{
    enum { HAS_BOTH = 1 << PV_N_SIDES, HAS_ALL = 2 * HAS_BOTH - 1 };
    g_autofree uint8_t *has = g_new0 (uint8_t, MAX (n_pairs, 1));
    for (size_t m = 0; m < weights->len; m++) {
        const PvMeasure *measure = &weights->data[m];
        if (measure->part == PV_PART_BOTH || measure->part == PV_PART_SIDE)
            has[measure->pair] |= measure->part == PV_PART_BOTH ? HAS_BOTH : 1 << measure->side;
    }
    for (size_t m = 0; m < weights->len; m++)
        if (weights->data[m].part != PV_PART_NONE && has[weights->data[m].pair] != HAS_ALL)
            weights->data[m].part = PV_PART_NONE;
}

static PvMeasureId *
find_runs (const PvProfile *profile, uint32_t pair, PvSide side, uint32_t *ret_n)
{
    PV_ARRAY (PvMeasureId) runs = {0};
    for (PvMeasureId m = profile->n_measures; m < profile->n_weights; m++) {
        const PvMeasure *measure = &profile->measures[m];
        if (measure->part == PV_PART_RUN && measure->pair == pair && measure->side == side)
            pv_array_push (&runs, m);
    }
    *ret_n = (uint32_t)runs.len;
    PvMeasureId *copy =
        pv_arena_memdup (profile->arena, runs.data, runs.len * sizeof (PvMeasureId));
    pv_array_clear (&runs);
    return copy;
}

static void
publish_pairs (PvProfile *profile, uint32_t n_pairs)
{
    PvPair *pairs = pv_arena_alloc (profile->arena, n_pairs * sizeof *pairs);
    memset (pairs, 0xff, n_pairs * sizeof *pairs);
    for (PvMeasureId m = 0; m < profile->n_weights; m++) {
        const PvMeasure *measure = &profile->measures[m];
        if (measure->part == PV_PART_BOTH)
            pairs[measure->pair].both = m;
        else if (measure->part == PV_PART_SIDE)
            pairs[measure->pair].of_side[measure->side] = m;
        else if (measure->part == PV_PART_SAMPLES)
            pairs[measure->pair].samples_of_side[measure->side] = m;
    }
    for (uint32_t p = 0; p < n_pairs; p++)
        for (PvSide side = 0; side < PV_N_SIDES; side++)
            pairs[p].runs_of_side[side] =
                find_runs (profile, p, side, &pairs[p].n_runs_of_side[side]);
    profile->n_pairs = n_pairs;
    profile->pairs = pairs;
}

/* Takes all columns of weights: measures first, then the parts of signed ones. Clears the array. */
static void
publish_columns (PvProfile *profile, MeasureArray *weights, uint32_t n_pairs)
{
    PvMeasure *sorted = pv_arena_alloc (profile->arena, weights->len * sizeof *sorted);
    drop_incomplete_pairs (weights, n_pairs);
    for (size_t m = 0; m < weights->len; m++)
        if (is_measure (&weights->data[m]))
            sorted[profile->n_measures++] = weights->data[m];
    profile->n_weights = profile->n_measures;
    for (size_t m = 0; m < weights->len; m++)
        if (!is_measure (&weights->data[m]))
            sorted[profile->n_weights++] = weights->data[m];
    profile->measures = sorted;
    publish_pairs (profile, n_pairs);
    pv_array_clear (weights);
}

static void
count_samples (const PvProfile *profile, PvMeasure *measure)
{
    const PvSampleSet *set = &profile->sets[measure->set];
    measure->n_samples = 0; /* a merged one comes with what its first profile counted */
    for (uint32_t i = 0; set->is_derived && i < set->n_samples; i++)
        measure->n_samples += pv_sample_set_weight (set, measure->column, i) > 0;
}

static void
publish_sets (PvProfileBuilder *builder, PvProfile *profile)
{
    size_t n_all = builder->sets.len;
    PvSampleSet *sets = pv_arena_alloc (profile->arena, n_all * sizeof *sets);
    g_autofree uint32_t *index_of_set = g_new (uint32_t, n_all + 1);
    MeasureArray measures = {0};
    uint32_t n_pairs = builder->n_pairs;
    for (size_t i = 0; i < n_all; i++) {
        PvSetBuilder *self = &builder->sets.data[i];
        index_of_set[i] = UINT32_MAX;
        if (self->n_samples == 0 && self->is_hidden_if_empty)
            continue;
        index_of_set[i] = profile->n_sets;
        sets[profile->n_sets++] = publish_set (self, builder->store, profile->arena);
        if (!self->is_derived)
            profile->n_samples += self->n_samples;
    }
    size_t first = first_set (builder);
    for (size_t k = 0; k < n_all; k++) {
        /* The others stay in their order. */
        size_t i = k == 0 ? first : k <= first ? k - 1 : k;
        if (index_of_set[i] != UINT32_MAX)
            publish_measures (builder, i, index_of_set[i], &measures, &n_pairs);
    }
    profile->sets = sets;
    find_time_span (profile);
    for (size_t m = 0; m < measures.len; m++)
        count_samples (profile, &measures.data[m]);
    for (size_t m = 0; m < measures.len; m++)
        g_free (pv_dumps_weigh (profile, &measures.data[m], 0, UINT64_MAX, NULL, NULL,
                                &measures.data[m].total));
    publish_columns (profile, &measures, n_pairs);
}

/* Makes growth a signed measure, with the increase and the decrease as its sides. */
static void
pair_growth (MeasureArray *measures)
{
    static const struct {
        PvHeapMeasure measure;
        PvMeasurePart part;
        PvSide side;
    } parts[] = {{PV_HEAP_GROWTH, PV_PART_BOTH, 0},
                 {PV_HEAP_INCREASE, PV_PART_SIDE, PV_SIDE_NEW},
                 {PV_HEAP_DECREASE, PV_PART_SIDE, PV_SIDE_BASE}};
    for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
        PvMeasure *measure = &measures->data[parts[i].measure - PV_HEAP_PEAK];
        measure->part = parts[i].part;
        measure->side = parts[i].side;
    }
}

static void
publish_heap (PvProfileBuilder *builder, PvProfile *profile)
{
    const PvHeap *heap = builder->heap;
    uint32_t n = PV_N_HEAP_MEASURES - PV_HEAP_PEAK;
    MeasureArray measures = {0};
    for (uint32_t i = 0; i < n; i++) {
        PvHeapMeasure measure = PV_HEAP_PEAK + i;
        const PvHeapMeasureInfo *info = &pv_heap_measures[measure];
        PvMeasure row = {
            .name = info->name,
            .unit = info->unit,
            .aggregation = info->is_sum ? PV_AGGREGATION_SUM : PV_AGGREGATION_STATE,
            .heap = measure,
            .set = PV_NO_SET,
            .total = heap->total_of_measure[measure],
        };
        pv_array_push (&measures, row);
    }
    pair_growth (&measures);
    profile->heap = pv_heap_ref (heap);
    publish_columns (profile, &measures, 1);
    profile->n_samples = heap->n_sites;
    profile->duration_ns = MIN (heap->duration_ms, UINT64_MAX / 1000000) * 1000000;
}

static void
publish_tables (const PvProfileBuilder *builder, PvProfile *profile)
{
    for (PvProfileTable t = 0; t < PV_N_PROFILE_TABLES; t++) {
        const PvRowList *list = &builder->tables[t];
        profile->tables[t].n_rows = (uint32_t)list->len;
        profile->tables[t].rows =
            pv_arena_memdup (profile->arena, list->data, list->len * pv_row_types[t].size_bytes);
    }
}

PvProfile *
pv_profile_builder_snapshot (PvProfileBuilder *builder)
{
    g_assert (builder != NULL);
    PvStore *store = builder->store;
    PvProfile *profile = g_new0 (PvProfile, 1);
    profile->ref_count = 1;
    profile->store = pv_store_ref (store);
    profile->arena = pv_arena_new ();
    profile->facts = builder->facts;
    profile->n_lost = builder->n_lost;
    profile->n_skipped_records = builder->n_skipped;

    publish_tables (builder, profile);
    profile->n_locations = builder->module_of_location.len;
    profile->module_of_location = pv_store_column_publish (&builder->module_of_location, store);
    profile->address_of_location = pv_store_column_publish (&builder->address_of_location, store);
    profile->kind_of_location = pv_store_column_publish (&builder->kind_of_location, store);
    if (builder->given_frames.len > 0) {
        profile->given_of_location = pv_store_column_publish (&builder->given_of_location, store);
        profile->given_frames = pv_store_column_publish (&builder->given_frames, store);
    }
    profile->n_stacks = builder->parent_of_stack.len;
    profile->parent_of_stack = pv_store_column_publish (&builder->parent_of_stack, store);
    profile->location_of_stack = pv_store_column_publish (&builder->location_of_stack, store);
    profile->n_label_sets = (uint32_t)builder->first_label_of_set.len - 1;
    profile->first_label_of_set =
        pv_arena_memdup (profile->arena, builder->first_label_of_set.data,
                         builder->first_label_of_set.len * sizeof (uint32_t));
    profile->has_dump_times = builder->has_dump_times;
    profile->main_dump = MAX (profile->n_dumps, 1) - 1;
    for (uint32_t d = 0; d < profile->n_dumps; d++)
        profile->main_dump = profile->dumps[d].is_main ? d : profile->main_dump;
    profile->drop_frames = builder->drop_frames;
    profile->keep_frames = builder->keep_frames;
    profile->is_of_allocations = builder->is_of_allocations;
    profile->compared = builder->compared;
    profile->n_joined = builder->n_joined;
    profile->joined = builder->joined;
    profile->known_calls = builder->known_calls;
    profile->packed_names = builder->packed_names;
    if (builder->heap != NULL)
        publish_heap (builder, profile);
    else
        publish_sets (builder, profile);
    fit_losses (profile);
    return profile;
}
