/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/base/hash.h"
#include "core/model/build/builder-private.h"
#include "core/model/profile/rows.h"

/* In recent_child_of_stack: there is no other child. */
#define ONLY_CHILD ((PvStackId)1 << 31)

PvProfileBuilder *
pv_profile_builder_new (void)
{
    PvProfileBuilder *builder = g_new0 (PvProfileBuilder, 1);
    builder->store = pv_store_new ();
    pv_store_column_init (&builder->module_of_location, sizeof (PvModuleId));
    pv_store_column_init (&builder->address_of_location, sizeof (uint64_t));
    pv_store_column_init (&builder->kind_of_location, sizeof (uint8_t));
    pv_store_column_init (&builder->given_of_location, sizeof (uint32_t));
    pv_store_column_init (&builder->given_frames, sizeof (PvGivenFrame));
    pv_store_column_init (&builder->parent_of_stack, sizeof (PvStackId));
    pv_store_column_init (&builder->location_of_stack, sizeof (PvLocationId));
    pv_store_column_init (&builder->recent_child_of_stack, sizeof (PvStackId));

    /* The "none" rows. */
    PvModule no_module = {.path = "", .name = ""};
    PvProcess no_process = {.pid = -1, .name = ""};
    PvThread no_thread = {.tid = -1, .name = ""};
    pv_array_push (&builder->modules, no_module);
    pv_array_push (&builder->processes, no_process);
    pv_array_push (&builder->threads, no_thread);
    pv_store_column_push (&builder->module_of_location, PvModuleId, 0);
    pv_store_column_push (&builder->address_of_location, uint64_t, 0);
    pv_store_column_push (&builder->kind_of_location, uint8_t, 0);
    pv_store_column_push (&builder->given_of_location, uint32_t, UINT32_MAX);
    pv_store_column_push (&builder->parent_of_stack, PvStackId, 0);
    pv_store_column_push (&builder->location_of_stack, PvLocationId, 0);
    pv_store_column_push (&builder->recent_child_of_stack, PvStackId, 0);
    pv_array_push (&builder->first_label_of_set, 0);
    pv_array_push (&builder->first_label_of_set, 0);
    return builder;
}

void
pv_profile_builder_free (PvProfileBuilder *builder)
{
    if (builder == NULL)
        return;
    for (size_t i = 0; i < builder->sets.len; i++)
        pv_set_builder_clear (&builder->sets.data[i]);
    pv_array_clear (&builder->sets);
    for (PvProfileTable t = 0; t < PV_N_PROFILE_TABLES; t++)
        pv_array_clear (&builder->tables[t]);
    pv_array_clear (&builder->first_label_of_set);
    pv_hash_map_clear (&builder->label_set_ids);
    pv_hash_map_clear (&builder->wait_ids);
    pv_heap_unref (builder->heap);
    pv_store_column_clear (&builder->module_of_location);
    pv_store_column_clear (&builder->address_of_location);
    pv_store_column_clear (&builder->kind_of_location);
    pv_store_column_clear (&builder->given_of_location);
    pv_store_column_clear (&builder->given_frames);
    pv_store_column_clear (&builder->parent_of_stack);
    pv_store_column_clear (&builder->location_of_stack);
    pv_store_column_clear (&builder->recent_child_of_stack);
    pv_hash_map_clear (&builder->location_ids);
    pv_id_map_clear (&builder->stack_ids);
    pv_hash_map_clear (&builder->chain_ids);
    pv_interner_seal (builder->store->strings); /* profiles that stay only look at them */
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
    if (string == NULL || pv_interner_has_long (builder->store->strings, string))
        return string;
    return pv_profile_builder_string_len (builder, string, strlen (string));
}

const char *
pv_profile_builder_sentence (PvProfileBuilder *builder, const char *sentence)
{
    g_assert (builder != NULL && sentence != NULL);
    g_autofree char *shown = pv_make_showable_sentence (sentence);
    return pv_arena_strndup (builder->store->arena, shown, strlen (shown));
}

const char *
pv_profile_builder_lines (PvProfileBuilder *builder, const char *const *lines, size_t n_lines)
{
    if (n_lines == 0)
        return NULL;
    g_autoptr (GString) all = g_string_new (NULL);
    for (size_t i = 0; i < n_lines; i++) {
        const char *line = pv_profile_builder_string (builder, lines[i]);
        if (all->len + strlen (line) > PV_MAX_LINES_BYTES) {
            g_string_append (all, i > 0 ? "\n…" : "…");
            break;
        }
        if (i > 0)
            g_string_append_c (all, '\n');
        g_string_append (all, line);
    }
    return pv_arena_strndup (builder->store->arena, all->str, all->len);
}

/* Bytes for a location, its function and its name in a symbol table. */
#define NAMING_BYTES ((uint64_t)160)

static uint64_t
count_column (const PvStoreColumn *column)
{
    return (uint64_t)column->cap * column->element_size;
}

static uint64_t
count_hash_map (const PvHashMap *map)
{
    return map->mask > 0 ? ((uint64_t)map->mask + 1) * sizeof (PvHashSlot) : 0;
}

static uint64_t
count_set (const PvSetBuilder *set)
{
    uint64_t bytes = count_column (&set->time_ns) + count_column (&set->time_base_ns) +
                     count_column (&set->time_offset_ns) + count_column (&set->context) +
                     count_column (&set->wide_context) + count_column (&set->contexts) +
                     count_column (&set->stack) + count_column (&set->duration_ns) +
                     count_column (&set->label_set) + count_column (&set->wait) +
                     count_column (&set->record) + count_column (&set->end_of_record) +
                     count_column (&set->record_bytes) + set->measures.cap * sizeof (PvMeasure);
    for (size_t i = 0; i < set->weights.len; i++)
        bytes += sizeof (PvWeightColumn) + count_column (&set->weights.data[i].weights);
    return bytes;
}

uint64_t
pv_profile_builder_count_bytes (const PvProfileBuilder *builder)
{
    g_assert (builder != NULL);
    uint64_t stack_slots = builder->stack_ids.mask > 0 ? (uint64_t)builder->stack_ids.mask + 1 : 0;
    uint64_t bytes =
        count_column (&builder->module_of_location) + count_column (&builder->address_of_location) +
        count_column (&builder->kind_of_location) + count_column (&builder->given_of_location) +
        count_column (&builder->given_frames) + count_column (&builder->parent_of_stack) +
        count_column (&builder->location_of_stack) +
        count_column (&builder->recent_child_of_stack) + count_hash_map (&builder->location_ids) +
        count_hash_map (&builder->chain_ids) + count_hash_map (&builder->label_set_ids) +
        count_hash_map (&builder->wait_ids) + stack_slots * sizeof (PvIdSlot) +
        builder->first_label_of_set.cap * sizeof (uint32_t) +
        pv_arena_count_bytes (builder->store->arena) +
        pv_interner_count_bytes (builder->store->strings);
    for (PvProfileTable t = 0; t < PV_N_PROFILE_TABLES; t++) /* a snapshot copies them */
        bytes += (builder->tables[t].cap + builder->tables[t].len) * pv_row_types[t].size_bytes;
    for (size_t i = 0; i < builder->sets.len; i++)
        bytes += count_set (&builder->sets.data[i]);
    return bytes + builder->module_of_location.len * NAMING_BYTES;
}

PvFacts *
pv_profile_builder_facts (PvProfileBuilder *builder)
{
    return &builder->facts;
}

/* Modules */

static const char *
last_part (const char *path)
{
    const char *slash = strrchr (path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

PvModuleId
pv_profile_builder_add_module (PvProfileBuilder *builder, const PvModule *template_)
{
    g_assert (template_ != NULL && template_->path != NULL);
    PvModule module = *template_;
    module.path = pv_profile_builder_string (builder, module.path != NULL ? module.path : "");
    module.name = pv_profile_builder_string (
        builder, module.name != NULL ? module.name : last_part (module.path));
    module.reference_symbol = pv_profile_builder_string (builder, module.reference_symbol);
    module.code_path = pv_profile_builder_string (builder, module.code_path);
    module.named_ranges = NULL;
    module.n_named_ranges = 0;
    PvModuleId id = (PvModuleId)builder->modules.len;
    pv_array_push (&builder->modules, module);
    if (template_->n_named_ranges > 0)
        pv_profile_builder_set_named_ranges (builder, id, template_->named_ranges,
                                             template_->n_named_ranges);
    return id;
}

PvModuleId
pv_profile_builder_unknown_module (PvProfileBuilder *builder, bool is_kernel)
{
    PvModuleId *id = &builder->unknown_modules[is_kernel];
    if (*id == 0) {
        PvModule module = {
            .path = "",
            .name = is_kernel ? "[kernel]" : "[unknown]",
            .kind = PV_MODULE_UNKNOWN,
            .address_kind = PV_ADDRESS_RUNTIME,
            .is_kernel = is_kernel,
        };
        *id = pv_profile_builder_add_module (builder, &module);
    }
    return *id;
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
    if (piece.range.code_offset != 0)
        piece.range.code_offset += from - piece.range.start;
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

/* Locations and stacks */

PvLocationId
pv_profile_builder_location (PvProfileBuilder *builder, PvModuleId module, uint64_t address,
                             PvLocationKind kind)
{
    /* Mixing is one to one, and there are fewer than 2^30 modules: equal keys are equal locations.
     */
    PvHash key = {pv_hash_mix (address), module << 2 | kind};
    uint32_t *slot = pv_hash_map_slot (&builder->location_ids, key);
    if (*slot == 0)
        *slot = pv_profile_builder_add_location (builder, module, address, kind);
    return *slot;
}

PvLocationId
pv_profile_builder_add_location (PvProfileBuilder *builder, PvModuleId module, uint64_t address,
                                 PvLocationKind kind)
{
    PvLocationId location = builder->module_of_location.len;
    pv_store_column_push (&builder->module_of_location, PvModuleId, module);
    pv_store_column_push (&builder->address_of_location, uint64_t, address);
    pv_store_column_push (&builder->kind_of_location, uint8_t, (uint8_t)kind);
    pv_store_column_push (&builder->given_of_location, uint32_t, UINT32_MAX);
    return location;
}

uint32_t
pv_profile_builder_count_locations (const PvProfileBuilder *builder)
{
    g_assert (builder != NULL);

    return builder->module_of_location.len;
}

void
pv_profile_builder_give_frames (PvProfileBuilder *builder, PvLocationId location,
                                const PvGivenFrame *frames, uint32_t n_frames)
{
    g_assert (location > 0 && location < builder->given_of_location.len);
    if (n_frames == 0)
        return;
    uint32_t *given = &pv_store_column_data (&builder->given_of_location, uint32_t)[location];
    g_assert (*given == UINT32_MAX);
    *given = builder->given_frames.len;
    const char *empty = pv_interner_get (builder->store->strings, 0);
    for (uint32_t i = 0; i < n_frames; i++) {
        PvGivenFrame frame = frames[i];
        frame.name = frame.name != empty ? frame.name : NULL;
        frame.raw_name = frame.raw_name != empty ? frame.raw_name : NULL;
        frame.file = frame.file != empty ? frame.file : NULL;
        frame.is_last = i + 1 == n_frames;
        pv_store_column_push (&builder->given_frames, PvGivenFrame, frame);
    }
}

void
pv_profile_builder_share_frames (PvProfileBuilder *builder, PvLocationId location,
                                 PvLocationId inlined)
{
    const PvModuleId *modules = pv_store_column_data (&builder->module_of_location, PvModuleId);
    const PvGivenFrame *frames = pv_store_column_data (&builder->given_frames, PvGivenFrame);
    uint32_t *given = pv_store_column_data (&builder->given_of_location, uint32_t);

    g_assert (MAX (location, inlined) < builder->given_of_location.len && location > 0);
    g_assert (given[location] == UINT32_MAX && given[inlined] != UINT32_MAX);
    g_assert (modules[location] == modules[inlined] && !frames[given[inlined]].is_last);
    given[location] = given[inlined] + 1;
}

static PvStackId
add_stack (PvProfileBuilder *builder, PvStackId parent, PvLocationId location)
{
    PvStackId stack = builder->parent_of_stack.len;
    g_assert (stack < ONLY_CHILD);
    pv_store_column_push (&builder->parent_of_stack, PvStackId, parent);
    pv_store_column_push (&builder->location_of_stack, PvLocationId, location);
    pv_store_column_push (&builder->recent_child_of_stack, PvStackId, 0);
    return stack;
}

static uint32_t *
child_slot (PvProfileBuilder *builder, PvStackId parent, PvLocationId location)
{
    return pv_id_map_slot (&builder->stack_ids, (uint64_t)parent << 32 | location);
}

/* Makes stacks that were taken known to child_slot (). */
static void
index_stacks (PvProfileBuilder *builder)
{
    uint32_t first = builder->recent_child_of_stack.len, n = builder->parent_of_stack.len;
    pv_store_column_extend (&builder->recent_child_of_stack, n - first);
    const PvStackId *parents = pv_store_column_data (&builder->parent_of_stack, PvStackId);
    const PvLocationId *locations =
        pv_store_column_data (&builder->location_of_stack, PvLocationId);
    PvStackId *recent = pv_store_column_data (&builder->recent_child_of_stack, PvStackId);
    memset (recent + first, 0, (n - first) * sizeof *recent);
    for (PvStackId s = first; s < n; s++) {
        PvStackId known = recent[parents[s]];
        if (known == 0) {
            recent[parents[s]] = s | ONLY_CHILD;
            continue;
        }
        if ((known & ONLY_CHILD) != 0)
            *child_slot (builder, parents[s], locations[known & ~ONLY_CHILD]) = known & ~ONLY_CHILD;
        uint32_t *slot = child_slot (builder, parents[s], locations[s]);
        if (*slot == 0)
            *slot = s;
        recent[parents[s]] = *slot;
    }
}

void
pv_profile_builder_take_stacks (PvProfileBuilder *builder, PvStackId *parent_of_stack,
                                PvLocationId *location_of_stack, uint32_t n_stacks)
{
    g_assert (builder->parent_of_stack.len == 1 && n_stacks > 0 && n_stacks < ONLY_CHILD);
    pv_store_column_take (&builder->parent_of_stack, parent_of_stack, n_stacks);
    pv_store_column_take (&builder->location_of_stack, location_of_stack, n_stacks);
}

PvStackId
pv_profile_builder_stack (PvProfileBuilder *builder, PvStackId parent, PvLocationId location)
{
    if (G_UNLIKELY (builder->recent_child_of_stack.len < builder->parent_of_stack.len))
        index_stacks (builder);
    /* Stacks come in runs that share much: the child requested last is often the right one. And
     * most have one child only, which is found by that alone. */
    PvStackId recent = pv_store_column_data (&builder->recent_child_of_stack, PvStackId)[parent];
    PvStackId child = recent & ~ONLY_CHILD;
    if (child == 0) {
        child = add_stack (builder, parent, location);
        recent = child | ONLY_CHILD;
    } else {
        PvLocationId known =
            pv_store_column_data (&builder->location_of_stack, PvLocationId)[child];
        if (known == location)
            return child;
        if ((recent & ONLY_CHILD) != 0)
            *child_slot (builder, parent, known) = child;
        uint32_t *slot = child_slot (builder, parent, location);
        if (*slot == 0)
            *slot = add_stack (builder, parent, location);
        recent = child = *slot;
    }
    pv_store_column_data (&builder->recent_child_of_stack, PvStackId)[parent] = recent;
    return child;
}

void
pv_profile_builder_expect_sisters (PvProfileBuilder *builder, size_t n_stacks)
{
    g_assert (builder != NULL);
    size_t n = builder->stack_ids.len + n_stacks;
    pv_id_map_reserve (&builder->stack_ids, (uint32_t)MIN (n, ONLY_CHILD - 1));
}

void
pv_profile_builder_prefetch_stack (const PvProfileBuilder *builder, PvStackId parent,
                                   PvLocationId location)
{
    if (parent >= builder->recent_child_of_stack.len)
        return;
    PvStackId recent = pv_store_column_data (&builder->recent_child_of_stack, PvStackId)[parent];
    if ((recent & ONLY_CHILD) != 0) {
        PvLocationId known =
            pv_store_column_data (&builder->location_of_stack, PvLocationId)[recent & ~ONLY_CHILD];
        if (known == location)
            return;
        pv_id_map_prefetch (&builder->stack_ids, (uint64_t)parent << 32 | known);
    }
    pv_id_map_prefetch (&builder->stack_ids, (uint64_t)parent << 32 | location);
}

PvStackId
pv_profile_builder_new_stack (PvProfileBuilder *builder, PvStackId parent, PvLocationId location)
{
    if (G_UNLIKELY (builder->recent_child_of_stack.len < builder->parent_of_stack.len))
        index_stacks (builder);
    return add_stack (builder, parent, location);
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

/* Processes and threads */

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
pv_profile_builder_set_unmapped (PvProfileBuilder *builder, PvProcessId process, bool is_unmapped)
{
    g_assert (process < builder->processes.len);
    builder->processes.data[process].is_unmapped = is_unmapped;
}

void
pv_profile_builder_end_thread (PvProfileBuilder *builder, PvThreadId thread, uint64_t end_ns)
{
    g_assert (thread < builder->threads.len);
    builder->threads.data[thread].end_ns = end_ns;
}

void
pv_profile_builder_add_distribution (PvProfileBuilder *builder, const PvDistribution *distribution)
{
    g_assert (builder != NULL && distribution != NULL);
    pv_array_push (&builder->distributions,
                   pv_distribution_copy (distribution, builder->store->arena));
}

bool
pv_profile_builder_add_counter (PvProfileBuilder *builder, const PvCounter *like,
                                const uint64_t *time_ns, const double *values, size_t n_samples)
{
    g_assert (builder != NULL && like != NULL && like->process < MAX (builder->processes.len, 1));
    if (builder->counters.len >= PV_MAX_COUNTERS)
        return false;
    pv_array_push (&builder->counters,
                   pv_counter_make (like, time_ns, values, n_samples, builder->store->arena));
    return true;
}
