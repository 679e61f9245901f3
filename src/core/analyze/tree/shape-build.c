/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/shape-build.h"

#include <string.h>

#include "core/analyze/tree/tree-grow.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/large.h"

enum {
    NODES_PER_CHECK = 4096,
    STACKS_PER_FIX = 1 << 14,
    /* The number of parts, and so the result, does not depend on the number of threads. */
    PARTS = 100,
    PART_MIN_STACKS = 2048,
};

/* Position of a stack that the growth has not reached. */
#define NO_POSITION UINT32_MAX

/* Nodes of the top with their stacks, and the subtrees that grow from these: nodes numbered from
 * n_top. */
typedef struct {
    PV_ARRAY (uint32_t) roots;
    PvGrowLevel level;
    uint64_t effort; /* estimate for growing its nodes: stacks, or weight with detail */
    /* The position of its nodes in its worker's columns. */
    unsigned worker;
    size_t first;
    size_t n_nodes;
    uint32_t shift; /* from the part's node numbers to the shape's */
} Part;

/* A worker's memory, reused for successive parts. */
typedef struct {
    PvGrow grow;
    PvGrowLevel level;
} Worker;

typedef struct {
    PvTreeShape *shape;
    PvGrowRules rules;
    /* By stack: number of stacks on top of it, itself included; NULL with detail, which goes by
     * weights. */
    uint32_t *size_of_stack;
    uint64_t whole_effort;
    PvGrowColumns top;
    uint32_t n_top;
    PV_ARRAY (Part) parts; /* part 0 is the top and is empty */
    Worker *workers;
    unsigned n_workers;
    PvJob *job;
} Build;

static void
clear_build (Build *build)
{
    g_free (build->rules.outer_of_location);
    g_free (build->rules.part_of_stack);
    g_free (build->rules.is_anchored);
    g_free (build->size_of_stack);
    pv_grow_columns_clear (&build->top);
    for (size_t p = 0; p < build->parts.len; p++) {
        pv_array_clear (&build->parts.data[p].roots);
        pv_grow_level_clear (&build->parts.data[p].level);
    }
    pv_array_clear (&build->parts);
    for (unsigned w = 0; w < build->n_workers; w++) {
        pv_grow_columns_clear (&build->workers[w].grow.columns);
        pv_grow_level_clear (&build->workers[w].level);
        pv_grow_clear (&build->workers[w].grow);
    }
    g_free (build->workers);
}

static void
count_stacks (Build *build)
{
    const PvProfile *profile = build->shape->profile;
    uint32_t n = profile->n_stacks;
    build->size_of_stack = pv_new_large (uint32_t, MAX (n, 1));
    for (PvStackId s = 0; s < n; s++)
        build->size_of_stack[s] = 1;
    for (PvStackId s = n; s-- > 1;)
        build->size_of_stack[profile->parent_of_stack[s]] += build->size_of_stack[s];
    build->whole_effort = n;
}

static uint64_t
estimate_effort (const Build *build, const PvGrowLevel *level, uint32_t node)
{
    uint64_t effort = 0;
    for (size_t i = level->first_item.data[node]; i < level->first_item.data[node + 1]; i++) {
        PvStackId stack = level->items.data[i].stack;
        effort += build->size_of_stack != NULL ? build->size_of_stack[stack]
                                               : build->rules.weight_of_stack[stack];
    }
    return effort;
}

/* Defers a node to the last part, or to a new one if that is full. */
static void
put_off (Build *build, const PvGrowLevel *level, uint32_t i, uint32_t node, uint64_t effort,
         uint64_t limit)
{
    if (build->parts.len == 1 || build->parts.data[build->parts.len - 1].effort >= limit) {
        Part empty = {0};
        pv_array_push (&build->parts, empty);
    }
    Part *part = &build->parts.data[build->parts.len - 1];
    size_t first = level->first_item.data[i], end = level->first_item.data[i + 1];
    part->effort += effort;
    pv_array_push (&part->roots, node);
    pv_array_push (&part->level.first_item, part->level.items.len);
    pv_array_append (&part->level.items, level->items.data + first, end - first);
    if (build->rules.detail != NULL)
        pv_array_push (&part->level.limit, level->limit.data[i]);
}

/* Grows the top: nodes that are too much for one part. Defers the others. */
static bool
grow_top (Build *build, PvJob *job, GError **error)
{
    PvGrow grow = {.rules = &build->rules};
    PvGrowLevel level = {0};
    Part none = {0};
    uint64_t least = build->size_of_stack != NULL ? PART_MIN_STACKS : 1;
    uint64_t limit = MAX (build->whole_effort / PARTS, least);
    pv_array_push (&build->parts, none);
    pv_grow_root (&grow);
    bool is_cancelled = false;
    uint32_t level_start = 1;
    while (level_start < grow.columns.parent.len && !is_cancelled) {
        pv_grow_enter_next_level (&grow, &level);
        /* The children of all expanded nodes of the previous level are adjacent. */
        uint32_t n_in_level = (uint32_t)grow.columns.parent.len - level_start;
        for (uint32_t i = 0; i < n_in_level && !is_cancelled; i++) {
            uint64_t effort = estimate_effort (build, &level, i);
            if (effort < limit)
                put_off (build, &level, i, level_start + i, effort, limit);
            else
                pv_grow_node (&grow, level_start + i, &level, i);
            is_cancelled = i % NODES_PER_CHECK == 0 && pv_job_is_cancelled (job);
        }
        level_start += n_in_level;
    }
    build->top = grow.columns;
    build->n_top = (uint32_t)grow.columns.parent.len;
    pv_grow_level_clear (&level);
    pv_grow_clear (&grow);
    return pv_job_check (job, error);
}

/* Allocates a fair share: most stacks add at most one node; few with detail. */
static void
start_worker (Build *build, Worker *worker)
{
    PvGrowColumns *columns = &worker->grow.columns;
    size_t cap = PART_MIN_STACKS;
    if (build->rules.detail == NULL)
        cap += build->shape->profile->n_stacks / build->n_workers;
    worker->grow.rules = &build->rules;
    columns->parent.data = pv_new_large (uint32_t, cap);
    columns->function.data = pv_new_large (PvFunctionId, cap);
    columns->stack.data = pv_new_large (PvStackId, cap);
    columns->frame.data = pv_new_large (uint16_t, cap);
    columns->parent.cap = columns->function.cap = columns->stack.cap = columns->frame.cap = cap;
}

/* Numbers the part's nodes from n_top, wherever the worker stores them. */
static void
grow_part (void *data, size_t item, unsigned w)
{
    Build *build = data;
    Part *part = &build->parts.data[item + 1];
    Worker *worker = &build->workers[w];
    PvGrow *grow = &worker->grow;
    PvGrowLevel *level = &worker->level;
    if (grow->rules == NULL)
        start_worker (build, worker);
    grow->part = (uint8_t)(item + 1);
    grow->next.items.len = grow->next.first_item.len = grow->next.limit.len = 0;
    part->worker = w;
    part->first = grow->columns.parent.len;
    grow->shift = build->n_top - (uint32_t)part->first;
    pv_array_push (&part->level.first_item, part->level.items.len);
    for (size_t i = 0; i < part->roots.len; i++)
        pv_grow_node (grow, part->roots.data[i], &part->level, i);
    bool is_cancelled = pv_job_is_cancelled (build->job);
    size_t level_start = part->first;
    while (level_start < grow->columns.parent.len && !is_cancelled) {
        pv_grow_enter_next_level (grow, level);
        size_t n_in_level = grow->columns.parent.len - level_start;
        uint32_t first_node = grow->shift + (uint32_t)level_start;
        for (uint32_t i = 0; i < n_in_level && !is_cancelled; i++) {
            pv_grow_node (grow, first_node + i, level, i);
            is_cancelled = i % NODES_PER_CHECK == 0 && pv_job_is_cancelled (build->job);
        }
        level_start += n_in_level;
    }
    part->n_nodes = grow->columns.parent.len - part->first;
    pv_grow_level_clear (&part->level);
}

static void
copy_column (void *column, uint32_t to, const void *source, size_t from, size_t n,
             size_t element_size)
{
    if (column != NULL && n > 0)
        memcpy ((char *)column + to * element_size, (const char *)source + from * element_size,
                n * element_size);
}

/* Copies n nodes, without their parents, to the shape from index to. */
static void
copy_columns (PvTreeShape *shape, uint32_t to, const PvGrowColumns *columns, size_t from, size_t n)
{
    copy_column (shape->function_of_node, to, columns->function.data, from, n,
                 sizeof (PvFunctionId));
    copy_column (shape->stack_of_node, to, columns->stack.data, from, n, sizeof (PvStackId));
    copy_column (shape->frame_of_node, to, columns->frame.data, from, n, sizeof (uint16_t));
    copy_column (shape->detail_of_node, to, columns->detail.data, from, n, sizeof (uint32_t));
}

static void
join_part (void *data, size_t item, unsigned worker)
{
    Build *build = data;
    const Part *part = &build->parts.data[item + 1];
    const PvGrowColumns *columns = &build->workers[part->worker].grow.columns;
    uint32_t *parent_of_node = build->shape->parent_of_node;
    uint32_t first = build->n_top + part->shift;
    (void)worker;
    for (size_t i = 0; i < part->n_nodes; i++) {
        uint32_t parent = columns->parent.data[part->first + i];
        parent_of_node[first + i] = parent < build->n_top ? parent : parent + part->shift;
    }
    copy_columns (build->shape, first, columns, part->first, part->n_nodes);
}

static void
fix_positions (void *data, size_t item, unsigned worker)
{
    Build *build = data;
    uint32_t *position_of_stack = build->shape->position_of_stack;
    size_t first = item * STACKS_PER_FIX;
    size_t end = MIN (first + STACKS_PER_FIX, build->shape->profile->n_stacks);
    (void)worker;
    for (size_t s = first; s < end; s++) {
        /* A dropped stack ends at the root, which is in the top. */
        uint32_t position = position_of_stack[s];
        if (position >= build->n_top && (position & PV_POSITION_DROPPED) == 0)
            position_of_stack[s] =
                position + build->parts.data[build->rules.part_of_stack[s]].shift;
    }
}

/* Appends the parts to the top in order, so parents still come first and siblings are adjacent. */
static void
join_parts (Build *build, PvPool *pool)
{
    PvTreeShape *shape = build->shape;
    size_t n = build->n_top;
    for (size_t p = 1; p < build->parts.len; p++) {
        build->parts.data[p].shift = (uint32_t)(n - build->n_top);
        n += build->parts.data[p].n_nodes;
    }
    shape->n_nodes = (uint32_t)n;
    shape->parent_of_node = pv_new_large (uint32_t, n);
    shape->function_of_node = pv_new_large (PvFunctionId, n);
    shape->stack_of_node = pv_new_large (PvStackId, n);
    shape->frame_of_node = pv_new_large (uint16_t, n);
    if (build->rules.granularity != PV_BY_FUNCTION)
        shape->detail_of_node = pv_new_large (uint32_t, n);
    copy_column (shape->parent_of_node, 0, build->top.parent.data, 0, build->n_top,
                 sizeof (uint32_t));
    copy_columns (shape, 0, &build->top, 0, build->n_top);
    pv_pool_run (pool, build->parts.len - 1, join_part, build);
    pv_pool_run (pool, (shape->profile->n_stacks + STACKS_PER_FIX - 1) / STACKS_PER_FIX,
                 fix_positions, build);
}

/* Stacks on top of a folded one end at the same node. Parents come first. */
static void
end_folded (PvTreeShape *shape)
{
    const PvStackId *parent_of_stack = shape->profile->parent_of_stack;
    for (PvStackId s = 1; s < shape->profile->n_stacks; s++) {
        if (shape->position_of_stack[s] == NO_POSITION)
            shape->position_of_stack[s] = shape->position_of_stack[parent_of_stack[s]];
    }
}

static bool
grow_shape (Build *build, PvPool *pool, PvJob *job, GError **error)
{
    if (build->rules.detail != NULL)
        build->whole_effort = build->rules.weight_of_stack[0];
    else
        count_stacks (build);
    if (!grow_top (build, job, error))
        return false;
    g_clear_pointer (&build->size_of_stack, g_free);
    build->job = job;
    build->n_workers = pv_pool_get_size (pool);
    build->workers = g_new0 (Worker, build->n_workers);
    pv_pool_run (pool, build->parts.len - 1, grow_part, build);
    if (!pv_job_check (job, error))
        return false;
    join_parts (build, pool);
    if (build->rules.detail != NULL)
        end_folded (build->shape);
    return true;
}

/* True if no node below the root is wanted: then the stacks are not even indexed. */
static bool
is_only_stacks (const PvTreeDetail *detail)
{
    return detail != NULL && detail->parts == 0 && detail->min_weight == 0 &&
           detail->n_anchors == 0;
}

/* True if the transforms keep a frame of a location. */
static bool
keeps_frame (const PvTreeShape *shape, PvLocationId location, uint32_t state)
{
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (shape->symbols, location, &n_frames);
    uint32_t stop = shape->query.no_inline && n_frames > 0 ? n_frames - 1 : 0;
    for (uint32_t i = n_frames; i > stop; i--) {
        PvFunctionId unused;
        if (pv_stack_filter_is_identity (shape->filter) ||
            pv_stack_filter_step (shape->filter, &state, &chain[i - 1], &unused))
            return true;
    }
    return false;
}

/* Makes all stacks that keep a frame end at one node, which stands for the root's children. */
static bool
fold_all (PvTreeShape *shape, PvJob *job, GError **error)
{
    enum { NOT_READ, KEEPS, KEEPS_NONE };
    const PvProfile *profile = shape->profile;
    const PvStackStates *states = pv_tree_shape_get_states (shape, job);
    if (states == NULL)
        return pv_job_check (job, error);
    size_t n_known = MAX (profile->n_locations, 1) * (size_t)MAX (states->n_states, 1);
    g_autofree uint8_t *known = states->n_states > 0 ? pv_new0_large (uint8_t, n_known) : NULL;
    bool keeps_empty = pv_stack_filter_keeps_empty (shape->filter, true);
    shape->n_nodes = 2;
    shape->parent_of_node = pv_new0_large (uint32_t, 2);
    shape->parent_of_node[0] = UINT32_MAX;
    shape->function_of_node = pv_new0_large (PvFunctionId, 2);
    shape->stack_of_node = pv_new0_large (PvStackId, 2);
    shape->frame_of_node = pv_new0_large (uint16_t, 2);
    shape->frame_of_node[1] = PV_FRAME_FOLDED;
    if (shape->query.granularity != PV_BY_FUNCTION)
        shape->detail_of_node = pv_new0_large (uint32_t, 2);
    shape->position_of_stack[0] =
        pv_stack_filter_keeps_empty (shape->filter, false) ? 0 : PV_POSITION_DROPPED;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        PvStackId parent = profile->parent_of_stack[s];
        PvLocationId location = profile->location_of_stack[s];
        uint8_t asked = NOT_READ, *keeps = &asked;
        if (known != NULL)
            keeps = &known[(size_t)location * states->n_states +
                           pv_stack_states_number (states, parent)];
        if (*keeps == NOT_READ)
            *keeps = keeps_frame (shape, location, pv_stack_states_get (states, parent))
                         ? KEEPS
                         : KEEPS_NONE;
        bool is_kept = *keeps == KEEPS || shape->position_of_stack[parent] == 1;
        shape->position_of_stack[s] = is_kept ? 1 : keeps_empty ? 0 : PV_POSITION_DROPPED;
        if (s % STACKS_PER_FIX == 0 && !pv_job_check (job, error))
            return false;
    }
    return true;
}

/* Copies the parts of the query that affect the shape: not focus and ignore (see focus.h), not
 * filters. */
static void
copy_shape_query (PvQuery *ret_copy, const PvQuery *query)
{
    pv_query_init (ret_copy);
    ret_copy->granularity = query->granularity;
    ret_copy->no_inline = query->no_inline;
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        const PvTransform *transform = &query->transforms[i];
        if (!pv_transforms[transform->kind].chooses_stacks)
            pv_query_add_copy (ret_copy, transform);
    }
}

/* The order of names only depends on the functions, which are only appended from table to table. */
static PvNameRanks *
get_ranks (const PvProfile *profile, const PvSymbolTable *symbols, PvTreeShape *previous)
{
    if (previous != NULL && previous->profile == profile &&
        (previous->symbols == symbols || (previous->symbols == previous->base_symbols &&
                                          previous->symbols->store == symbols->store &&
                                          previous->symbols->n_functions == symbols->n_functions)))
        return pv_name_ranks_ref (previous->ranks);
    return pv_name_ranks_new (profile, symbols);
}

static unsigned
count_key_bits (const PvTreeShape *shape)
{
    unsigned rank_bits = pv_bits_for (shape->symbols->n_functions);
    return shape->query.granularity == PV_BY_FUNCTION ? rank_bits : 32 + rank_bits;
}

static void
find_outer_frames (PvGrowRules *rules)
{
    const PvSymbolTable *symbols = rules->shape->symbols;
    const uint32_t *rank_of_function = rules->shape->ranks->rank_of_function;
    rules->outer_of_location = g_new0 (PvOuterFrame, MAX (symbols->n_locations, 1));
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        PvOuterFrame outer = {symbols->first_frame_of_location[l], symbols->n_frames_of_location[l],
                              0};
        if (outer.n_frames > 0) {
            const PvFrame *outermost = &symbols->frames[outer.first_frame + outer.n_frames - 1];
            outer.key = rank_of_function[outermost->function];
        }
        rules->outer_of_location[l] = outer;
    }
}

/* True if the transforms treat stacks as they did for the previous shape. */
static bool
can_inherit (const PvTreeShape *previous, const PvProfile *profile, const PvSymbolTable *symbols,
             const PvQuery *query)
{
    return previous->profile == profile && previous->base_symbols == symbols &&
           previous->filter != NULL && pv_query_same_shape (&previous->query, query) &&
           pv_query_check_complete (&previous->query, NULL); /* else with this query's own budget */
}

/* Gives equal numbers to frames with the same function, file and line. */
static void
number_places (PvTreeShape *shape)
{
    const PvSymbolTable *symbols = shape->symbols;
    PvHashMap ids = {0};
    uint32_t n_ids = 0;
    PV_ARRAY (uint32_t) place_of_frame = {0};
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n_frames, first = symbols->first_frame_of_location[l];
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n_frames);
        if (place_of_frame.len < (size_t)first + n_frames)
            pv_array_resize (&place_of_frame, (size_t)first + n_frames);
        for (uint32_t i = 0; i < n_frames; i++) {
            struct {
                PvFunctionId function;
                uint32_t line;
                const char *file;
            } place = {chain[i].function, chain[i].line, chain[i].file};
            uint32_t *slot = pv_hash_map_slot (&ids, pv_hash_bytes (&place, sizeof place, 0));
            if (*slot == 0)
                *slot = ++n_ids;
            place_of_frame.data[first + i] = *slot;
        }
    }
    pv_hash_map_clear (&ids);
    shape->place_of_frame = pv_array_steal (&place_of_frame);
}

static void
find_anchored (PvGrowRules *rules, const PvProfile *profile)
{
    const PvTreeDetail *detail = rules->detail;
    if (detail->n_anchors == 0)
        return;
    rules->is_anchored = g_new0 (bool, MAX (profile->n_stacks, 1));
    for (uint32_t a = 0; a < detail->n_anchors; a++) {
        PvStackId s = detail->anchors[a].stack;
        g_assert (s < profile->n_stacks);
        for (; !rules->is_anchored[s]; s = profile->parent_of_stack[s])
            rules->is_anchored[s] = true;
    }
}

/* Takes the previous filter and its cached states, if it does the same; else a new filter. */
static bool
take_filter (PvTreeShape *shape, const PvProfile *profile, const PvSymbolTable *symbols,
             PvTreeShape *previous, GError **error)
{
    if (previous == NULL || !can_inherit (previous, profile, symbols, &shape->query)) {
        shape->filter = pv_stack_filter_new (profile, symbols, &shape->query, error);
        return shape->filter != NULL;
    }
    shape->filter = pv_stack_filter_ref (previous->filter);
    pthread_mutex_lock (&previous->states_lock);
    if (previous->states != NULL)
        shape->states = pv_stack_states_ref (previous->states);
    pthread_mutex_unlock (&previous->states_lock);
    return true;
}

static bool
prepare (Build *build, const PvProfile *profile, const PvSymbolTable *symbols,
         PvTreeShape *previous, PvJob *job, GError **error)
{
    PvTreeShape *shape = build->shape;
    PvGrowRules *rules = &build->rules;
    const PvQuery *query = &shape->query;
    size_t n_stacks = MAX (profile->n_stacks, 1);
    rules->shape = shape;
    if (!take_filter (shape, profile, symbols, previous, error))
        return false;
    rules->is_identity = pv_stack_filter_is_identity (shape->filter);
    rules->no_inline = query->no_inline;
    rules->granularity = query->granularity;
    shape->profile = pv_profile_ref (profile);
    shape->base_symbols = pv_symbol_table_ref (symbols);
    shape->symbols = pv_symbol_table_ref (pv_stack_filter_get_symbols (shape->filter));
    shape->ranks = get_ranks (profile, shape->symbols, previous);
    shape->n_key_bits = count_key_bits (shape);
    if (rules->granularity == PV_BY_LINE)
        number_places (shape);
    shape->position_of_stack = pv_new_large (uint32_t, n_stacks);
    shape->has_folded = rules->detail != NULL;
    if (previous != NULL && previous->profile == profile && previous->index != NULL)
        shape->index = pv_stack_index_ref (previous->index);
    if (is_only_stacks (rules->detail))
        return true;
    if (shape->index == NULL)
        shape->index = pv_stack_index_new (profile, job);
    if (shape->index == NULL)
        return pv_job_check (job, error);
    rules->is_plain = rules->is_identity && rules->granularity == PV_BY_FUNCTION;
    find_outer_frames (rules);
    rules->part_of_stack = pv_new_large (uint8_t, n_stacks);
    if (rules->detail != NULL) {
        find_anchored (rules, profile);
        memset (shape->position_of_stack, 0xff, n_stacks * sizeof (uint32_t));
    }
    return true;
}

/* Suppressed stacks only depend on names, which have not changed. */
static PvSuppressedStacks *
inherit_suppressed (PvTreeShape *previous, const PvProfile *profile, const PvSymbolTable *symbols)
{
    if (previous == NULL || previous->profile != profile || previous->base_symbols != symbols)
        return NULL;
    pthread_mutex_lock (&previous->suppressed_lock);
    PvSuppressedStacks *known = pv_suppressed_stacks_ref (previous->suppressed);
    pthread_mutex_unlock (&previous->suppressed_lock);
    return known;
}

PvTreeShape *
pv_tree_shape_build (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                     const PvTreeDetail *detail, const uint64_t *weight_of_stack,
                     PvTreeShape *previous, PvPool *pool, PvJob *job, GError **error)
{
    g_assert (detail == NULL || weight_of_stack != NULL || is_only_stacks (detail));
    g_assert (symbols->n_locations >= profile->n_locations);
    g_autoptr (PvTreeShape) shape = g_new0 (PvTreeShape, 1);
    shape->ref_count = 1;
    pthread_mutex_init (&shape->suppressed_lock, NULL);
    pthread_mutex_init (&shape->states_lock, NULL);
    copy_shape_query (&shape->query, query);
    if (previous != NULL && !previous->has_folded &&
        can_inherit (previous, profile, symbols, &shape->query))
        return pv_tree_shape_ref (previous);
    Build build = {.shape = shape, .rules = {.detail = detail, .weight_of_stack = weight_of_stack}};
    shape->suppressed = inherit_suppressed (previous, profile, symbols);
    bool is_built = prepare (&build, profile, symbols, previous, job, error) &&
                    (is_only_stacks (detail) ? fold_all (shape, job, error)
                                             : grow_shape (&build, pool, job, error));
    clear_build (&build);
    return is_built ? g_steal_pointer (&shape) : NULL;
}
