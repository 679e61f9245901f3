#include "core/model/builder.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/idmap.h"
#include "core/model/store.h"

enum { MAX_NOTES = 200 };

/* In recent_child_of_stack: there is no other child. */
#define ONLY_CHILD ((PvStackId)1 << 31)

/* One column of weights. As long as all are equal only their number is kept. */
typedef struct {
    PvColumn weights;
    uint64_t uniform;
    bool is_uniform;
} WeightColumn;

typedef struct {
    const char *name;
    bool is_hidden_if_empty;
    bool has_durations;
    uint32_t n_samples;
    PvColumn time_ns;
    PvColumn thread;
    PvColumn cpu;
    PvColumn stack;
    PvColumn stack_end;
    PvColumn duration_ns;
    PV_ARRAY (WeightColumn) weights;
    PV_ARRAY (PvMeasure) measures; /* their set field is filled in by the snapshot */
    uint64_t latest_ns;
    bool is_unordered;
} Set;

struct PvProfileBuilder {
    PvStore *store;
    PvFacts facts;
    uint64_t n_lost;
    uint64_t n_skipped;

    PV_ARRAY (PvModule) modules;
    PvColumn module_of_location;
    PvColumn address_of_location;
    PvColumn kind_of_location;
    PvColumn given_of_location;
    PvColumn given_frames;
    PvHashMap location_ids; /* of (address, module and kind), mixed */
    PvColumn parent_of_stack;
    PvColumn location_of_stack;
    PvIdMap stack_ids; /* of parent << 32 | location; not of those that are ONLY_CHILD */
    PvColumn recent_child_of_stack;
    PvHashMap chain_ids; /* of a hash over the locations */
    PV_ARRAY (PvProcess) processes;
    PV_ARRAY (PvThread) threads;
    PV_ARRAY (Set) sets;
    uint32_t preferred_set;
    PvHeap *heap; /* NULL: samples */
    PV_ARRAY (const char *) suppressions;
    PV_ARRAY (PvNote) notes;
};

PvProfileBuilder *
pv_profile_builder_new (void)
{
    PvProfileBuilder *builder = g_new0 (PvProfileBuilder, 1);
    builder->store = pv_store_new ();
    pv_column_init (&builder->module_of_location, sizeof (PvModuleId));
    pv_column_init (&builder->address_of_location, sizeof (uint64_t));
    pv_column_init (&builder->kind_of_location, sizeof (uint8_t));
    pv_column_init (&builder->given_of_location, sizeof (uint32_t));
    pv_column_init (&builder->given_frames, sizeof (PvGivenFrame));
    pv_column_init (&builder->parent_of_stack, sizeof (PvStackId));
    pv_column_init (&builder->location_of_stack, sizeof (PvLocationId));
    pv_column_init (&builder->recent_child_of_stack, sizeof (PvStackId));

    /* The "none" rows. */
    PvModule no_module = {.path = "", .name = ""};
    PvProcess no_process = {.pid = -1, .name = ""};
    PvThread no_thread = {.tid = -1, .name = ""};
    pv_array_push (&builder->modules, no_module);
    pv_array_push (&builder->processes, no_process);
    pv_array_push (&builder->threads, no_thread);
    pv_column_push (&builder->module_of_location, PvModuleId, 0);
    pv_column_push (&builder->address_of_location, uint64_t, 0);
    pv_column_push (&builder->kind_of_location, uint8_t, 0);
    pv_column_push (&builder->given_of_location, uint32_t, UINT32_MAX);
    pv_column_push (&builder->parent_of_stack, PvStackId, 0);
    pv_column_push (&builder->location_of_stack, PvLocationId, 0);
    pv_column_push (&builder->recent_child_of_stack, PvStackId, 0);
    return builder;
}

static void
set_clear (Set *set)
{
    pv_column_clear (&set->time_ns);
    pv_column_clear (&set->thread);
    pv_column_clear (&set->cpu);
    pv_column_clear (&set->stack);
    pv_column_clear (&set->stack_end);
    pv_column_clear (&set->duration_ns);
    for (size_t i = 0; i < set->weights.len; i++)
        pv_column_clear (&set->weights.data[i].weights);
    pv_array_clear (&set->weights);
    pv_array_clear (&set->measures);
}

void
pv_profile_builder_free (PvProfileBuilder *builder)
{
    if (builder == NULL)
        return;
    for (size_t i = 0; i < builder->sets.len; i++)
        set_clear (&builder->sets.data[i]);
    pv_array_clear (&builder->sets);
    pv_array_clear (&builder->modules);
    pv_array_clear (&builder->processes);
    pv_array_clear (&builder->threads);
    pv_array_clear (&builder->notes);
    pv_array_clear (&builder->suppressions);
    pv_heap_unref (builder->heap);
    pv_column_clear (&builder->module_of_location);
    pv_column_clear (&builder->address_of_location);
    pv_column_clear (&builder->kind_of_location);
    pv_column_clear (&builder->given_of_location);
    pv_column_clear (&builder->given_frames);
    pv_column_clear (&builder->parent_of_stack);
    pv_column_clear (&builder->location_of_stack);
    pv_column_clear (&builder->recent_child_of_stack);
    pv_hash_map_clear (&builder->location_ids);
    pv_id_map_clear (&builder->stack_ids);
    pv_hash_map_clear (&builder->chain_ids);
    pv_store_unref (builder->store);
    g_free (builder);
}

const char *
pv_profile_builder_string_len (PvProfileBuilder *builder, const char *string, size_t size_bytes)
{
    PvStringId id = pv_interner_add_len (builder->store->strings, string, size_bytes);
    return pv_interner_get (builder->store->strings, id);
}

const char *
pv_profile_builder_string (PvProfileBuilder *builder, const char *string)
{
    return string != NULL ? pv_profile_builder_string_len (builder, string, strlen (string)) : NULL;
}

PvFacts *
pv_profile_builder_facts (PvProfileBuilder *builder)
{
    return &builder->facts;
}

/* --- modules --------------------------------------------------------------------------------- */

static const char *
last_part (const char *path)
{
    const char *slash = strrchr (path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

PvModuleId
pv_profile_builder_add_module (PvProfileBuilder *builder, const PvModule *template_)
{
    PvModule module = *template_;
    module.path = pv_profile_builder_string (builder, module.path != NULL ? module.path : "");
    module.name = pv_profile_builder_string (
        builder, module.name != NULL ? module.name : last_part (module.path));
    module.reference_symbol = pv_profile_builder_string (builder, module.reference_symbol);
    module.named_ranges = NULL;
    module.n_named_ranges = 0;
    PvModuleId id = (PvModuleId)builder->modules.len;
    pv_array_push (&builder->modules, module);
    if (template_->n_named_ranges > 0)
        pv_profile_builder_set_named_ranges (builder, id, template_->named_ranges,
                                             template_->n_named_ranges);
    return id;
}

PvModule *
pv_profile_builder_module (PvProfileBuilder *builder, PvModuleId module)
{
    g_assert (module < builder->modules.len);
    return &builder->modules.data[module];
}

typedef struct {
    PvNamedRange range;
    size_t order;
} OrderedRange;

static int
compare_ranges (const void *a, const void *b)
{
    const OrderedRange *x = a, *y = b;
    if (x->range.start != y->range.start)
        return x->range.start < y->range.start ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/*
 * Cuts ranges (sorted by start, then order) so that none overlap and the later one wins. `open` is
 * a stack of ranges that reach beyond the current point, the one on top being the winner there; an
 * older range that starts inside a newer one only begins to count where that one ends.
 */
typedef PV_ARRAY (OrderedRange) RangeArray;

static uint64_t
range_end (const PvNamedRange *range)
{
    uint64_t end = range->start + range->size_bytes;
    return end < range->start ? UINT64_MAX : end;
}

static void
emit_range (RangeArray *out, const OrderedRange *range, uint64_t from, uint64_t to)
{
    if (from >= to)
        return;
    OrderedRange piece = *range;
    piece.range.start = from;
    piece.range.size_bytes = to - from;
    pv_array_push (out, piece);
}

static void
push_by_order (RangeArray *open, const OrderedRange *range)
{
    pv_array_push (open, *range);
    for (size_t i = open->len - 1; i > 0 && open->data[i - 1].order > open->data[i].order; i--) {
        OrderedRange swapped = open->data[i];
        open->data[i] = open->data[i - 1];
        open->data[i - 1] = swapped;
    }
}

/* Hands out [from, to) to the open ranges, newest first at every point. */
static void
close_until (RangeArray *open, RangeArray *out, uint64_t from, uint64_t to)
{
    while (open->len > 0 && from < to) {
        OrderedRange *top = &open->data[open->len - 1];
        uint64_t end = range_end (&top->range);
        emit_range (out, top, from, MIN (end, to));
        if (end > to)
            return;
        from = MAX (from, end);
        open->len--;
    }
}

static void
cut_overlaps (const OrderedRange *ranges, size_t n, RangeArray *out)
{
    RangeArray open = {0};
    uint64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        close_until (&open, out, at, ranges[i].range.start);
        at = ranges[i].range.start;
        /* Ranges that ended are only noticed on top; a bound keeps crafted input linear. */
        if (open.len < 64)
            push_by_order (&open, &ranges[i]);
        else
            open.data[open.len - 1] = ranges[i];
    }
    close_until (&open, out, at, UINT64_MAX);
    pv_array_clear (&open);
}

void
pv_profile_builder_set_named_ranges (PvProfileBuilder *builder, PvModuleId module,
                                     const PvNamedRange *ranges, size_t n_ranges)
{
    RangeArray sorted = {0}, cut = {0};
    for (size_t i = 0; i < n_ranges; i++) {
        OrderedRange range = {ranges[i], i};
        pv_array_push (&sorted, range);
    }
    if (sorted.len > 0)
        qsort (sorted.data, sorted.len, sizeof (OrderedRange), compare_ranges);
    cut_overlaps (sorted.data, sorted.len, &cut);

    PvNamedRange *kept = pv_arena_alloc (builder->store->arena, cut.len * sizeof (PvNamedRange));
    for (size_t i = 0; i < cut.len; i++) {
        kept[i] = cut.data[i].range;
        kept[i].name = pv_profile_builder_string (builder, kept[i].name);
        kept[i].file = pv_profile_builder_string (builder, kept[i].file);
    }
    builder->modules.data[module].named_ranges = kept;
    builder->modules.data[module].n_named_ranges = (uint32_t)cut.len;
    pv_array_clear (&sorted);
    pv_array_clear (&cut);
}

/* --- locations and stacks --------------------------------------------------------------------- */

PvLocationId
pv_profile_builder_location (PvProfileBuilder *builder, PvModuleId module, uint64_t address,
                             PvLocationKind kind)
{
    /* Mixing is one to one, so equal keys are equal locations. */
    PvHash key = {pv_hash_mix (address), pv_hash_mix ((uint64_t)module << 2 | kind)};
    uint32_t *slot = pv_hash_map_slot (&builder->location_ids, key);
    if (*slot == 0) {
        *slot = builder->module_of_location.len;
        pv_column_push (&builder->module_of_location, PvModuleId, module);
        pv_column_push (&builder->address_of_location, uint64_t, address);
        pv_column_push (&builder->kind_of_location, uint8_t, (uint8_t)kind);
        pv_column_push (&builder->given_of_location, uint32_t, UINT32_MAX);
    }
    return *slot;
}

void
pv_profile_builder_give_frames (PvProfileBuilder *builder, PvLocationId location,
                                const PvGivenFrame *frames, uint32_t n_frames)
{
    g_assert (location > 0 && location < builder->given_of_location.len);
    if (n_frames == 0)
        return;
    uint32_t *given = &pv_column_data (&builder->given_of_location, uint32_t)[location];
    g_assert (*given == UINT32_MAX);
    *given = builder->given_frames.len;
    for (uint32_t i = 0; i < n_frames; i++) {
        PvGivenFrame frame = frames[i];
        frame.is_last = i + 1 == n_frames;
        pv_column_push (&builder->given_frames, PvGivenFrame, frame);
    }
}

static PvStackId
add_stack (PvProfileBuilder *builder, PvStackId parent, PvLocationId location)
{
    PvStackId stack = builder->parent_of_stack.len;
    g_assert (stack < ONLY_CHILD);
    pv_column_push (&builder->parent_of_stack, PvStackId, parent);
    pv_column_push (&builder->location_of_stack, PvLocationId, location);
    pv_column_push (&builder->recent_child_of_stack, PvStackId, 0);
    return stack;
}

static uint32_t *
child_slot (PvProfileBuilder *builder, PvStackId parent, PvLocationId location)
{
    return pv_id_map_slot (&builder->stack_ids, (uint64_t)parent << 32 | location);
}

PvStackId
pv_profile_builder_stack (PvProfileBuilder *builder, PvStackId parent, PvLocationId location)
{
    /* Stacks come in runs that share much: the child asked for last is often the one. And most
     * have one child only, which is found by that alone. */
    PvStackId recent = pv_column_data (&builder->recent_child_of_stack, PvStackId)[parent];
    PvStackId child = recent & ~ONLY_CHILD;
    if (child == 0) {
        child = add_stack (builder, parent, location);
        recent = child | ONLY_CHILD;
    } else {
        PvLocationId known = pv_column_data (&builder->location_of_stack, PvLocationId)[child];
        if (known == location)
            return child;
        if ((recent & ONLY_CHILD) != 0)
            *child_slot (builder, parent, known) = child;
        uint32_t *slot = child_slot (builder, parent, location);
        if (*slot == 0)
            *slot = add_stack (builder, parent, location);
        recent = child = *slot;
    }
    pv_column_data (&builder->recent_child_of_stack, PvStackId)[parent] = recent;
    return child;
}

PvStackId
pv_profile_builder_chain (PvProfileBuilder *builder, const PvLocationId *leaf_first,
                          size_t n_locations)
{
    if (n_locations == 0)
        return 0;
    PvHash key = pv_hash_bytes (leaf_first, n_locations * sizeof *leaf_first, 0);
    uint32_t *slot = pv_hash_map_slot (&builder->chain_ids, key);
    if (*slot == 0) {
        PvStackId stack = 0;
        for (size_t i = n_locations; i > 0; i--)
            stack = pv_profile_builder_stack (builder, stack, leaf_first[i - 1]);
        *slot = stack;
    }
    return *slot;
}

/* --- processes and threads -------------------------------------------------------------------- */

PvProcessId
pv_profile_builder_add_process (PvProfileBuilder *builder, int32_t pid, const char *name,
                                uint64_t start_ns)
{
    PvProcess process = {pid, pv_profile_builder_string (builder, name), start_ns, UINT64_MAX};
    pv_array_push (&builder->processes, process);
    return (PvProcessId)(builder->processes.len - 1);
}

PvThreadId
pv_profile_builder_add_thread (PvProfileBuilder *builder, PvProcessId process, int32_t tid,
                               const char *name, uint64_t start_ns)
{
    PvThread thread = {tid, process, pv_profile_builder_string (builder, name), start_ns,
                       UINT64_MAX};
    pv_array_push (&builder->threads, thread);
    return (PvThreadId)(builder->threads.len - 1);
}

void
pv_profile_builder_name_process (PvProfileBuilder *builder, PvProcessId process, const char *name)
{
    g_assert (process < builder->processes.len);
    builder->processes.data[process].name = pv_profile_builder_string (builder, name);
}

void
pv_profile_builder_name_thread (PvProfileBuilder *builder, PvThreadId thread, const char *name)
{
    g_assert (thread < builder->threads.len);
    builder->threads.data[thread].name = pv_profile_builder_string (builder, name);
}

void
pv_profile_builder_end_process (PvProfileBuilder *builder, PvProcessId process, uint64_t end_ns)
{
    g_assert (process < builder->processes.len);
    builder->processes.data[process].end_ns = end_ns;
}

void
pv_profile_builder_end_thread (PvProfileBuilder *builder, PvThreadId thread, uint64_t end_ns)
{
    g_assert (thread < builder->threads.len);
    builder->threads.data[thread].end_ns = end_ns;
}

/* --- samples ---------------------------------------------------------------------------------- */

uint32_t
pv_profile_builder_add_set (PvProfileBuilder *builder, const char *name, bool has_durations)
{
    Set set = {.name = pv_profile_builder_string (builder, name), .has_durations = has_durations};
    pv_column_init (&set.time_ns, sizeof (uint64_t));
    pv_column_init (&set.thread, sizeof (PvThreadId));
    pv_column_init (&set.cpu, sizeof (uint16_t));
    pv_column_init (&set.stack, sizeof (PvStackId));
    pv_column_init (&set.stack_end, sizeof (uint8_t));
    pv_column_init (&set.duration_ns, sizeof (uint64_t));
    pv_array_push (&builder->sets, set);
    return (uint32_t)(builder->sets.len - 1);
}

void
pv_profile_builder_name_set (PvProfileBuilder *builder, uint32_t set, const char *name)
{
    g_assert (set < builder->sets.len);
    Set *self = &builder->sets.data[set];
    const char *old_name = self->name;
    self->name = pv_profile_builder_string (builder, name);
    for (size_t i = 0; i < self->measures.len; i++) {
        if (self->measures.data[i].name == old_name)
            self->measures.data[i].name = self->name;
    }
}

void
pv_profile_builder_add_measure (PvProfileBuilder *builder, uint32_t set, const char *name,
                                PvUnit unit, PvAggregation aggregation)
{
    g_assert (set < builder->sets.len);
    Set *self = &builder->sets.data[set];
    g_assert (self->n_samples == 0);
    PvMeasure measure = {
        .name = name != NULL ? pv_profile_builder_string (builder, name) : self->name,
        .unit = unit,
        .aggregation = aggregation,
        .column = (uint32_t)self->measures.len,
    };
    WeightColumn column = {.is_uniform = true};
    pv_column_init (&column.weights, sizeof (uint64_t));
    pv_array_push (&self->measures, measure);
    pv_array_push (&self->weights, column);
}

void
pv_profile_builder_hide_empty_set (PvProfileBuilder *builder, uint32_t set)
{
    g_assert (set < builder->sets.len);
    builder->sets.data[set].is_hidden_if_empty = true;
}

void
pv_profile_builder_prefer_set (PvProfileBuilder *builder, uint32_t set)
{
    g_assert (set < builder->sets.len);
    builder->preferred_set = set;
}

static void
add_weight (WeightColumn *column, uint32_t n_before, uint64_t weight)
{
    if (column->is_uniform) {
        if (n_before == 0)
            column->uniform = weight;
        if (weight == column->uniform)
            return;
        uint64_t *all = pv_column_extend (&column->weights, n_before);
        for (uint32_t i = 0; i < n_before; i++)
            all[i] = column->uniform;
        column->is_uniform = false;
    }
    pv_column_push (&column->weights, uint64_t, weight);
}

void
pv_profile_builder_add_sample (PvProfileBuilder *builder, uint32_t set, const PvNewSample *sample,
                               const uint64_t *weights)
{
    g_assert (set < builder->sets.len);
    g_assert (sample->stack < builder->parent_of_stack.len);
    g_assert (sample->thread < builder->threads.len);
    Set *self = &builder->sets.data[set];
    pv_column_push (&self->time_ns, uint64_t, sample->time_ns);
    pv_column_push (&self->thread, PvThreadId, sample->thread);
    pv_column_push (&self->cpu, uint16_t, sample->cpu);
    pv_column_push (&self->stack, PvStackId, sample->stack);
    pv_column_push (&self->stack_end, uint8_t, sample->stack_end);
    if (self->has_durations)
        pv_column_push (&self->duration_ns, uint64_t, sample->duration_ns);
    for (size_t i = 0; i < self->measures.len; i++) {
        /* Sums over any choice of samples must fit: what would go beyond is left out. */
        PvMeasure *measure = &self->measures.data[i];
        uint64_t weight = MIN (weights[i], (uint64_t)INT64_MAX - measure->total);
        measure->total += weight;
        add_weight (&self->weights.data[i], self->n_samples, weight);
    }
    self->is_unordered |= sample->time_ns < self->latest_ns;
    self->latest_ns = sample->time_ns;
    self->n_samples++;
}

void
pv_profile_builder_set_heap (PvProfileBuilder *builder, PvHeap *heap)
{
    pv_heap_unref (builder->heap);
    builder->heap = heap;
}

void
pv_profile_builder_add_suppression (PvProfileBuilder *builder, const char *line, size_t size_bytes)
{
    const char *kept = pv_profile_builder_string_len (builder, line, size_bytes);
    pv_array_push (&builder->suppressions, kept);
}

void
pv_profile_builder_add_lost (PvProfileBuilder *builder, uint64_t n_lost)
{
    builder->n_lost += n_lost;
}

void
pv_profile_builder_add_skipped (PvProfileBuilder *builder, uint64_t n_records)
{
    builder->n_skipped += n_records;
}

void
pv_profile_builder_note (PvProfileBuilder *builder, PvNoteSeverity severity, PvNoteKind kind,
                         PvModuleId module, const char *format, ...)
{
    va_list args;
    va_start (args, format);
    g_autofree char *text = g_strdup_vprintf (format, args);
    va_end (args);
    PvNote note = {severity, kind, module, pv_profile_builder_string (builder, text)};
    for (size_t i = 0; i < builder->notes.len; i++) {
        if (builder->notes.data[i].text == note.text)
            return;
    }
    if (builder->notes.len < MAX_NOTES)
        pv_array_push (&builder->notes, note);
}

/* --- snapshot --------------------------------------------------------------------------------- */

typedef struct {
    uint64_t time_ns;
    uint32_t sample;
} TimedSample;

static int
compare_times (const void *a, const void *b)
{
    const TimedSample *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->sample < y->sample ? -1 : 1;
}

/* The order of samples by time, for sets that did not come in order. */
static uint32_t *
order_by_time (const Set *set)
{
    const uint64_t *time_ns = pv_column_data (&set->time_ns, uint64_t);
    TimedSample *timed = g_new (TimedSample, set->n_samples);
    for (uint32_t i = 0; i < set->n_samples; i++)
        timed[i] = (TimedSample){time_ns[i], i};
    qsort (timed, set->n_samples, sizeof (TimedSample), compare_times);
    uint32_t *order = g_new (uint32_t, set->n_samples);
    for (uint32_t i = 0; i < set->n_samples; i++)
        order[i] = timed[i].sample;
    g_free (timed);
    return order;
}

/* The column as a snapshot sees it: shared, or a copy in another order. */
static const void *
publish_column (PvColumn *column, const uint32_t *order, PvStore *store)
{
    if (order == NULL || column->len == 0)
        return pv_column_publish (column, store);
    size_t size = column->element_size;
    uint8_t *copy = g_malloc_n (column->len, size);
    for (uint32_t i = 0; i < column->len; i++)
        memcpy (copy + i * size, (const uint8_t *)column->data + order[i] * size, size);
    pv_store_take (store, copy);
    return copy;
}

static void
publish_weights (const Set *self, const uint32_t *order, PvStore *store, PvSampleSet *ret_set)
{
    size_t n = self->weights.len;
    const uint64_t **weights = pv_arena_alloc0 (store->arena, n * sizeof *weights);
    uint64_t *uniform = pv_arena_alloc0 (store->arena, n * sizeof *uniform);
    for (size_t i = 0; i < n; i++) {
        WeightColumn *column = &self->weights.data[i];
        uniform[i] = column->uniform;
        if (!column->is_uniform)
            weights[i] = publish_column (&column->weights, order, store);
    }
    ret_set->n_weights = (uint32_t)n;
    ret_set->weights = weights;
    ret_set->uniform_weights = uniform;
}

static PvSampleSet
publish_set (Set *self, PvStore *store)
{
    g_autofree uint32_t *order = self->is_unordered ? order_by_time (self) : NULL;
    PvSampleSet set = {
        .name = self->name,
        .n_samples = self->n_samples,
        .time_ns = publish_column (&self->time_ns, order, store),
        .thread = publish_column (&self->thread, order, store),
        .cpu = publish_column (&self->cpu, order, store),
        .stack = publish_column (&self->stack, order, store),
        .stack_end = publish_column (&self->stack_end, order, store),
    };
    if (self->has_durations)
        set.duration_ns = publish_column (&self->duration_ns, order, store);
    publish_weights (self, order, store, &set);
    return set;
}

static void
find_time_span (PvProfile *profile)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t i = 0; i < set->n_samples; i++) {
            uint64_t start = set->time_ns[i];
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

/* The set whose measures come first: the preferred one, or another if that got no sample. */
static size_t
first_set (const PvProfileBuilder *builder)
{
    size_t preferred = builder->preferred_set;
    if (preferred < builder->sets.len && builder->sets.data[preferred].n_samples > 0)
        return preferred;
    for (size_t i = 0; i < builder->sets.len; i++) {
        if (builder->sets.data[i].n_samples > 0)
            return i;
    }
    return preferred;
}

static void
publish_sets (PvProfileBuilder *builder, PvProfile *profile)
{
    PvStore *store = builder->store;
    size_t n_all = builder->sets.len;
    PvSampleSet *sets = pv_arena_alloc (store->arena, n_all * sizeof *sets);
    g_autofree uint32_t *index_of_set = g_new (uint32_t, n_all + 1);
    PV_ARRAY (PvMeasure) measures = {0};
    for (size_t i = 0; i < n_all; i++) {
        Set *self = &builder->sets.data[i];
        index_of_set[i] = UINT32_MAX;
        if (self->n_samples == 0 && self->is_hidden_if_empty)
            continue;
        index_of_set[i] = profile->n_sets;
        sets[profile->n_sets++] = publish_set (self, store);
        profile->n_samples += self->n_samples;
    }
    size_t first = first_set (builder);
    for (size_t k = 0; k < n_all; k++) {
        /* The others stay in their order. */
        size_t i = k == 0 ? first : k <= first ? k - 1 : k;
        const Set *self = &builder->sets.data[i];
        for (size_t m = 0; m < self->measures.len && index_of_set[i] != UINT32_MAX; m++) {
            PvMeasure measure = self->measures.data[m];
            measure.set = index_of_set[i];
            pv_array_push (&measures, measure);
        }
    }
    profile->sets = sets;
    profile->n_measures = (uint32_t)measures.len;
    profile->measures =
        pv_arena_memdup (store->arena, measures.data, measures.len * sizeof (PvMeasure));
    pv_array_clear (&measures);
    find_time_span (profile);
}

static void
publish_heap (PvProfileBuilder *builder, PvProfile *profile)
{
    const PvHeap *heap = builder->heap;
    uint32_t n = PV_N_HEAP_MEASURES - PV_HEAP_PEAK;
    PvMeasure *measures = pv_arena_alloc0 (builder->store->arena, n * sizeof *measures);
    for (uint32_t i = 0; i < n; i++) {
        PvHeapMeasure measure = PV_HEAP_PEAK + i;
        bool is_count = measure == PV_HEAP_ALLOCATIONS || measure == PV_HEAP_TEMPORARY;
        bool is_sum = is_count || measure == PV_HEAP_ALLOCATED || measure == PV_HEAP_LIFETIME;
        measures[i] = (PvMeasure){
            .name = pv_heap_measure_get_name (measure),
            .unit = is_count                      ? PV_UNIT_COUNT
                    : measure == PV_HEAP_LIFETIME ? PV_UNIT_BYTE_MS
                                                  : PV_UNIT_BYTES,
            .aggregation = is_sum ? PV_AGGREGATION_SUM : PV_AGGREGATION_STATE,
            .heap = measure,
            .set = PV_NO_SET,
            .total = heap->total_of_measure[measure],
        };
    }
    profile->heap = pv_heap_ref (heap);
    profile->n_measures = n;
    profile->measures = measures;
    profile->n_samples = heap->n_sites;
    profile->duration_ns = MIN (heap->duration_ms, UINT64_MAX / 1000000) * 1000000;
}

#define COPY_TABLE(profile, store, array, n_field, field)                                          \
    do {                                                                                           \
        (profile)->n_field = (uint32_t)(array)->len;                                               \
        (profile)->field =                                                                         \
            pv_arena_memdup ((store)->arena, (array)->data, (array)->len * sizeof *(array)->data); \
    } while (0)

PvProfile *
pv_profile_builder_snapshot (PvProfileBuilder *builder)
{
    PvStore *store = builder->store;
    PvProfile *profile = g_new0 (PvProfile, 1);
    profile->ref_count = 1;
    profile->store = pv_store_ref (store);
    profile->facts = builder->facts;
    profile->n_lost = builder->n_lost;
    profile->n_skipped_records = builder->n_skipped;

    COPY_TABLE (profile, store, &builder->modules, n_modules, modules);
    COPY_TABLE (profile, store, &builder->processes, n_processes, processes);
    COPY_TABLE (profile, store, &builder->threads, n_threads, threads);
    COPY_TABLE (profile, store, &builder->notes, n_notes, notes);
    COPY_TABLE (profile, store, &builder->suppressions, n_suppressions, suppressions);
    profile->n_locations = builder->module_of_location.len;
    profile->module_of_location = pv_column_publish (&builder->module_of_location, store);
    profile->address_of_location = pv_column_publish (&builder->address_of_location, store);
    profile->kind_of_location = pv_column_publish (&builder->kind_of_location, store);
    if (builder->given_frames.len > 0) {
        profile->given_of_location = pv_column_publish (&builder->given_of_location, store);
        profile->given_frames = pv_column_publish (&builder->given_frames, store);
    }
    profile->n_stacks = builder->parent_of_stack.len;
    profile->parent_of_stack = pv_column_publish (&builder->parent_of_stack, store);
    profile->location_of_stack = pv_column_publish (&builder->location_of_stack, store);
    if (builder->heap != NULL)
        publish_heap (builder, profile);
    else
        publish_sets (builder, profile);
    return profile;
}
