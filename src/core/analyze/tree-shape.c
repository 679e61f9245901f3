#include "core/analyze/tree-shape.h"

#include <string.h>

#include "core/analyze/key-sort.h"
#include "core/analyze/transducer.h"
#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/idmap.h"

enum { NODES_PER_CHECK = 4096, PREFETCH_AHEAD = 12 };

/* A stack on its way: it stands at a node because of the frame numbered n_left of its location's
 * chain (frames are read from the outermost, last one to the innermost, number 0). */
typedef struct {
    uint64_t key;
    PvStackId stack;
    uint32_t state;
    uint32_t n_left;
    uint32_t padding;
} Item;

G_STATIC_ASSERT (sizeof (Item) == sizeof (PvKeyed));

/* A stack all of whose frames were read at the current node. */
typedef struct {
    PvStackId stack;
    uint32_t state;
} Ended;

typedef PV_ARRAY (Item) ItemArray;
typedef PV_ARRAY (size_t) OffsetArray;

typedef struct {
    PvTreeShape *shape;
    PvTransducer *transducer;
    bool is_identity;
    bool no_inline;
    PvGranularity granularity;
    /* Per location, for the plain case of no transforms and functions as keys: the outermost
     * frame's key and the length of the chain, close together because they are looked up at random.
     */
    struct Outer {
        uint32_t key;
        uint32_t n_frames;
    } * outer_of_location;
    PvHashMap line_ids; /* by line: (function, file, line) */
    uint32_t n_line_ids;

    PV_ARRAY (uint32_t) parent;
    PV_ARRAY (PvFunctionId) function;
    PV_ARRAY (PvStackId) stack;
    PV_ARRAY (uint16_t) frame;
    PV_ARRAY (uint32_t) detail;

    /* The items of the nodes of one level, and of the next. */
    ItemArray items;
    OffsetArray first_item;
    ItemArray next_items;
    OffsetArray next_first_item;
    PV_ARRAY (Ended) ended;
    PvKeyedArray scratch;
    uint32_t node; /* the current one */
} Build;

static void
clear_build (Build *build)
{
    pv_transducer_free (build->transducer);
    g_free (build->outer_of_location);
    pv_hash_map_clear (&build->line_ids);
    pv_array_clear (&build->parent);
    pv_array_clear (&build->function);
    pv_array_clear (&build->stack);
    pv_array_clear (&build->frame);
    pv_array_clear (&build->detail);
    pv_array_clear (&build->items);
    pv_array_clear (&build->first_item);
    pv_array_clear (&build->next_items);
    pv_array_clear (&build->next_first_item);
    pv_array_clear (&build->ended);
    pv_array_clear (&build->scratch);
}

/* Frames to read of a location. Without inlining only the physical function, the last of the chain,
 * is one. */
static inline uint32_t
chain_length (const Build *build, PvLocationId location)
{
    return build->shape->symbols->n_frames_of_location[location];
}

static uint32_t
detail_of_frame (Build *build, const PvFrame *frame, PvFunctionId function, PvStackId stack)
{
    if (function != frame->function) /* a merged module has no lines */
        return 0;
    if (build->granularity == PV_BY_ADDRESS)
        return build->shape->profile->location_of_stack[stack];
    struct {
        PvFunctionId function;
        uint32_t line;
        const char *file;
    } place = {function, frame->line, frame->file};
    uint32_t *slot = pv_hash_map_slot (&build->line_ids, pv_hash_bytes (&place, sizeof place, 0));
    if (*slot == 0)
        *slot = ++build->n_line_ids;
    return *slot;
}

static void
push_item (Build *build, const PvFrame *frame, PvFunctionId function, PvStackId stack,
           uint32_t state, uint32_t n_left)
{
    uint64_t key = build->shape->ranks->rank_of_function[function];
    if (build->granularity != PV_BY_FUNCTION)
        key = key << 32 | detail_of_frame (build, frame, function, stack);
    Item item = {key, stack, state, n_left, 0};
    pv_array_push (&build->next_items, item);
}

/* Reads on until a frame is kept, which leads to a child, or until the stack ends here. */
static void
read_on (Build *build, PvStackId stack, uint32_t state, const PvFrame *chain, uint32_t n_left,
         uint32_t stop)
{
    while (n_left > stop) {
        const PvFrame *frame = &chain[--n_left];
        PvFunctionId function = frame->function;
        if (build->is_identity) {
            push_item (build, frame, function, stack, state, n_left);
            return;
        }
        bool is_kept = pv_transducer_step (build->transducer, &state, frame, &function);
        if (is_kept) {
            push_item (build, frame, function, stack, state, n_left);
            return;
        }
    }
    bool is_kept = build->node != 0 || build->is_identity ||
                   pv_transducer_keeps_empty (build->transducer, stack != 0);
    build->shape->position_of_stack[stack] = build->node | (is_kept ? 0 : PV_POSITION_DROPPED);
    Ended ended = {stack, state};
    pv_array_push (&build->ended, ended);
}

static void
read_stack (Build *build, PvStackId stack, PvLocationId location, uint32_t state, uint32_t n_left)
{
    if (n_left == 0) {
        read_on (build, stack, state, NULL, 0, 0);
        return;
    }
    const PvSymbolTable *symbols = build->shape->symbols;
    const PvFrame *chain = symbols->frames + symbols->first_frame_of_location[location];
    uint32_t length = chain_length (build, location);
    read_on (build, stack, state, chain, n_left, build->no_inline && length > 0 ? length - 1 : 0);
}

/* Stacks that went through all frames hand over to the stacks on top of them. The list grows while
 * it is walked: hidden frames let several stacks end at one node. */
static void
read_children (Build *build)
{
    const PvStackIndex *index = build->shape->index;
    for (size_t i = 0; i < build->ended.len; i++) {
        Ended ended = build->ended.data[i];
        uint32_t end = index->first_child[ended.stack + 1];
        for (uint32_t c = index->first_child[ended.stack]; c < end; c++) {
            PvChildStack child = index->child[c];
            if (build->outer_of_location != NULL &&
                build->outer_of_location[child.location].n_frames > 0) {
                struct Outer outer = build->outer_of_location[child.location];
                Item item = {outer.key, child.stack, 0, outer.n_frames - 1, 0};
                pv_array_push (&build->next_items, item);
                continue;
            }
            read_stack (build, child.stack, child.location, ended.state,
                        chain_length (build, child.location));
        }
    }
    build->ended.len = 0;
}

/* Every run of equal keys among the new items becomes a child of the current node. */
static void
make_children (Build *build, size_t first)
{
    Item *items = build->next_items.data;
    size_t n = build->next_items.len;
    const PvFunctionId *function_of_rank = build->shape->ranks->function_of_rank;
    unsigned shift = build->granularity == PV_BY_FUNCTION ? 0 : 32;
    pv_key_sort ((PvKeyed *)(items + first), n - first, build->shape->n_key_bits, &build->scratch);
    for (size_t i = first; i < n; i++) {
        if (i > first && items[i].key == items[i - 1].key)
            continue;
        pv_array_push (&build->next_first_item, i);
        pv_array_push (&build->parent, build->node);
        pv_array_push (&build->function, function_of_rank[items[i].key >> shift]);
        pv_array_push (&build->stack, items[i].stack);
        pv_array_push (&build->frame, (uint16_t)items[i].n_left);
        if (build->granularity != PV_BY_FUNCTION)
            pv_array_push (&build->detail, (uint32_t)items[i].key);
    }
}

/* The children of stacks are all over memory: ask for them some items ahead. */
static inline void
prefetch_item (const Build *build, size_t i)
{
    const PvStackIndex *index = build->shape->index;
    if (i + 2 * PREFETCH_AHEAD >= build->items.len)
        return;
    PvStackId far = build->items.data[i + 2 * PREFETCH_AHEAD].stack;
    PvStackId near = build->items.data[i + PREFETCH_AHEAD].stack;
    __builtin_prefetch (&index->first_child[far]);
    __builtin_prefetch (&build->shape->position_of_stack[far], 1);
    __builtin_prefetch (&index->child[index->first_child[near]]);
}

static void
expand_node (Build *build, size_t first_item, size_t end_item)
{
    const PvLocationId *location_of_stack = build->shape->profile->location_of_stack;
    size_t first = build->next_items.len;
    for (size_t i = first_item; i < end_item; i++) {
        Item item = build->items.data[i];
        prefetch_item (build, i);
        read_stack (build, item.stack, location_of_stack[item.stack], item.state, item.n_left);
    }
    read_children (build);
    make_children (build, first);
}

/* What was gathered for the next level is the current level now; the old arrays are used again. */
static void
enter_next_level (Build *build)
{
    ItemArray items = build->items;
    build->items = build->next_items;
    build->next_items = items;
    build->next_items.len = 0;
    OffsetArray offsets = build->first_item;
    build->first_item = build->next_first_item;
    build->next_first_item = offsets;
    build->next_first_item.len = 0;
    pv_array_push (&build->first_item, build->items.len);
}

/* The root: stack 0, which has no frames. */
static void
build_root (Build *build)
{
    pv_array_push (&build->parent, UINT32_MAX);
    pv_array_push (&build->function, 0);
    pv_array_push (&build->stack, 0);
    pv_array_push (&build->frame, 0);
    if (build->granularity != PV_BY_FUNCTION)
        pv_array_push (&build->detail, 0);
    build->node = 0;
    read_on (build, 0, 0, NULL, 0, 0);
    read_children (build);
    make_children (build, 0);
}

static bool
build_levels (Build *build, PvJob *job, GError **error)
{
    build_root (build);
    uint32_t level_start = 1;
    while (level_start < build->parent.len) {
        enter_next_level (build);
        uint32_t n_in_level = (uint32_t)build->parent.len - level_start;
        for (uint32_t i = 0; i < n_in_level; i++) {
            if (i % NODES_PER_CHECK == 0 && !pv_job_check (job, error))
                return false;
            build->node = level_start + i;
            expand_node (build, build->first_item.data[i], build->first_item.data[i + 1]);
        }
        level_start += n_in_level;
    }
    return true;
}

/* The query as far as it is about shape: without focus and ignore (see focus.h) and the filters. */
static void
copy_shape_query (PvQuery *ret_copy, const PvQuery *query)
{
    pv_query_init (ret_copy);
    ret_copy->granularity = query->granularity;
    ret_copy->no_inline = query->no_inline;
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        const PvTransform *transform = &query->transforms[i];
        if (transform->kind != PV_TRANSFORM_FOCUS && transform->kind != PV_TRANSFORM_IGNORE)
            pv_query_add_transform (ret_copy, transform->kind, transform->expression);
    }
}

/* The names' order is a matter of the functions alone, which only append from table to table. */
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
find_outer_frames (Build *build)
{
    const PvSymbolTable *symbols = build->shape->symbols;
    const uint32_t *rank_of_function = build->shape->ranks->rank_of_function;
    build->outer_of_location = g_new0 (struct Outer, MAX (symbols->n_locations, 1));
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n_frames);
        if (n_frames > 0)
            build->outer_of_location[l] =
                (struct Outer){rank_of_function[chain[n_frames - 1].function], n_frames};
    }
}

static bool
prepare (Build *build, const PvProfile *profile, const PvSymbolTable *symbols,
         PvTreeShape *previous, PvJob *job, GError **error)
{
    PvTreeShape *shape = build->shape;
    const PvQuery *query = &shape->query;
    build->transducer = pv_transducer_new (profile, symbols, query, error);
    if (build->transducer == NULL)
        return false;
    build->is_identity = pv_transducer_is_identity (build->transducer);
    build->no_inline = query->no_inline;
    build->granularity = query->granularity;
    shape->profile = pv_profile_ref (profile);
    shape->base_symbols = pv_symbol_table_ref (symbols);
    shape->symbols = pv_symbol_table_ref (pv_transducer_get_symbols (build->transducer));
    if (previous != NULL && previous->profile == profile)
        shape->index = pv_stack_index_ref (previous->index);
    else
        shape->index = pv_stack_index_new (profile, job);
    if (shape->index == NULL)
        return pv_job_check (job, error);
    shape->ranks = get_ranks (profile, shape->symbols, previous);
    shape->n_key_bits = count_key_bits (shape);
    if (build->is_identity && build->granularity == PV_BY_FUNCTION)
        find_outer_frames (build);
    shape->position_of_stack = g_new (uint32_t, MAX (profile->n_stacks, 1));
    memset (shape->position_of_stack, 0xff, MAX (profile->n_stacks, 1) * sizeof (uint32_t));
    return true;
}

/* Gives the columns to the shape, without the room they had to grow. */
static void
take_columns (Build *build)
{
    PvTreeShape *shape = build->shape;
    size_t n = build->parent.len;
    shape->n_nodes = (uint32_t)n;
    shape->parent_of_node = g_renew (uint32_t, pv_array_steal (&build->parent), n);
    shape->function_of_node = g_renew (PvFunctionId, pv_array_steal (&build->function), n);
    shape->stack_of_node = g_renew (PvStackId, pv_array_steal (&build->stack), n);
    shape->frame_of_node = g_renew (uint16_t, pv_array_steal (&build->frame), n);
    if (build->granularity != PV_BY_FUNCTION)
        shape->detail_of_node = g_renew (uint32_t, pv_array_steal (&build->detail), n);
}

PvTreeShape *
pv_tree_shape_build (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                     PvTreeShape *previous, PvJob *job, GError **error)
{
    g_assert (symbols->n_locations >= profile->n_locations);
    g_autoptr (PvTreeShape) shape = g_new0 (PvTreeShape, 1);
    shape->ref_count = 1;
    copy_shape_query (&shape->query, query);
    if (previous != NULL && previous->profile == profile && previous->base_symbols == symbols &&
        pv_query_same_shape (&previous->query, &shape->query))
        return pv_tree_shape_ref (previous);
    Build build = {.shape = shape};
    bool is_built = prepare (&build, profile, symbols, previous, job, error) &&
                    build_levels (&build, job, error);
    if (is_built)
        take_columns (&build);
    clear_build (&build);
    return is_built ? g_steal_pointer (&shape) : NULL;
}

PvTreeShape *
pv_tree_shape_ref (PvTreeShape *shape)
{
    __atomic_add_fetch (&shape->ref_count, 1, __ATOMIC_RELAXED);
    return shape;
}

void
pv_tree_shape_unref (PvTreeShape *shape)
{
    if (shape == NULL || __atomic_sub_fetch (&shape->ref_count, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    pv_profile_free ((PvProfile *)shape->profile);
    pv_symbol_table_free ((PvSymbolTable *)shape->base_symbols);
    pv_symbol_table_free ((PvSymbolTable *)shape->symbols);
    pv_query_clear (&shape->query);
    pv_stack_index_unref (shape->index);
    pv_name_ranks_unref (shape->ranks);
    g_free (shape->parent_of_node);
    g_free (shape->function_of_node);
    g_free (shape->stack_of_node);
    g_free (shape->frame_of_node);
    g_free (shape->detail_of_node);
    g_free (shape->position_of_stack);
    g_free (shape);
}
