/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of functions, directly from the stacks without a tree.
 *
 * Without transforms, every stack with weight is walked down to its root, and each function
 * remembers the last stack that it was on. Where stacks share so much that this would pass each of
 * them several times, they are visited as the tree that they are: what is on top of a stack counts
 * for its functions, unless they are below it too.
 *
 * Transforms read frames from the root, so then stacks are visited in the order of their ids, with
 * a path from the root to the current stack: the part that two successive stacks share is not read
 * again. Parents have lower ids than their children, so walking down the new stack and popping the
 * old path meet at their common part.
 */
#include <stdlib.h>

#include "core/analyze/query/sample-filter.h"
#include "core/analyze/query/stack-filter.h"
#include "core/analyze/query/stack-index.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/known-totals.h"
#include "core/base/array.h"
#include "core/base/large.h"
#include "core/base/pool.h"

enum {
    ENTRIES_PER_CHUNK = 1 << 11,
    ENTRIES_FOR_THREADS = 1 << 12,
    STACKS_PER_CHECK = 1 << 16,
    STEPS_PER_VISIT = 4, /* steps of a walk that take as long as one visit */
    ROWS_FOR_THREADS = 1 << 12,
};

/* The functions of a location; nearly all have one or two. */
typedef struct {
    PvFunctionId innermost; /* 0: none */
    PvFunctionId outer;     /* 0: none; or IS_LIST: innermost is an index in lists */
} Functions;

#define IS_LIST UINT32_MAX

typedef struct {
    uint64_t weight;
    PvStackId stack;
    PvFunctionId leaf; /* its innermost kept function; 0: none, or unknown yet */
} Entry;

typedef PV_ARRAY (Entry) EntryArray;

/* A function's self weight and its hottest stack. */
typedef struct {
    uint64_t self;
    uint64_t best;
    PvLocationId location;
} Own;

typedef struct {
    uint64_t sum;
    /* How often it is on the path; without a path, the last entry that it was on, + 1. */
    uint64_t depth_or_entry;
} Total;

typedef struct {
    uint64_t weight; /* of its stack and all stacks on top of it */
    PvStackId stack;
    uint32_t state;      /* of the filter after its frames */
    uint32_t first_kept; /* index in kept of its first kept frame */
} Step;

/* A worker's memory. */
typedef struct {
    Total *totals; /* by function */
    PV_ARRAY (Step) path;
    PV_ARRAY (PvStackId) ahead; /* the new part of the path, innermost first */
    PV_ARRAY (PvFunctionId) kept;
    uint64_t total;
} Adder;

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvStackFilter *filter; /* NULL: keeps all frames */
    bool no_inline;
    /* Without a filter. Each of the lists is the number of functions, then the functions, innermost
     * first. */
    Functions *functions_of_location;
    PV_ARRAY (uint32_t) lists;
    EntryArray entries;
    Adder *adders;
    unsigned n_adders;
    PvJob *job;
} Adding;

/* The path */

static void
leave_step (const Adding *adding, Adder *adder)
{
    Step step = adder->path.data[--adder->path.len];
    for (size_t i = step.first_kept; i < adder->kept.len; i++) {
        Total *total = &adder->totals[adder->kept.data[i]];
        if (--total->depth_or_entry == 0)
            total->sum += step.weight;
    }
    adder->kept.len = step.first_kept;
    if (adder->path.len > 0)
        adder->path.data[adder->path.len - 1].weight += step.weight;
}

static void
enter_step (const Adding *adding, Adder *adder, PvStackId stack)
{
    Step step = {.stack = stack, .first_kept = (uint32_t)adder->kept.len};
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (
        adding->symbols, adding->profile->location_of_stack[stack], &n_frames);
    uint32_t stop = adding->no_inline && n_frames > 0 ? n_frames - 1 : 0;
    if (adder->path.len > 0)
        step.state = adder->path.data[adder->path.len - 1].state;
    for (uint32_t i = n_frames; i > stop; i--) {
        PvFunctionId function;
        if (!pv_stack_filter_step (adding->filter, &step.state, &chain[i - 1], &function))
            continue;
        pv_array_push (&adder->kept, function);
        adder->totals[function].depth_or_entry++;
    }
    pv_array_push (&adder->path, step);
}

/* Changes the path to that of the stack. */
static void
go_to (const Adding *adding, Adder *adder, PvStackId stack)
{
    adder->ahead.len = 0;
    for (;;) {
        while (adder->path.len > 0 && adder->path.data[adder->path.len - 1].stack > stack)
            leave_step (adding, adder);
        if (stack == 0 ||
            (adder->path.len > 0 && adder->path.data[adder->path.len - 1].stack == stack))
            break;
        pv_array_push (&adder->ahead, stack);
        stack = adding->profile->parent_of_stack[stack];
    }
    while (adder->ahead.len > 0)
        enter_step (adding, adder, adder->ahead.data[--adder->ahead.len]);
}

static void
add_transformed (const Adding *adding, Adder *adder, Entry *entry)
{
    go_to (adding, adder, entry->stack);
    uint32_t state = adder->path.len > 0 ? adder->path.data[adder->path.len - 1].state : 0;
    if (!pv_stack_filter_is_in_focus (adding->filter, state) ||
        (adder->kept.len == 0 && !pv_stack_filter_keeps_empty (adding->filter, entry->stack != 0)))
        return;
    adder->total += entry->weight;
    if (adder->path.len > 0)
        adder->path.data[adder->path.len - 1].weight += entry->weight;
    if (adder->kept.len > 0)
        entry->leaf = adder->kept.data[adder->kept.len - 1];
}

/* Without transforms, from each stack down */

static void
keep_list (Adder *adder, const uint32_t *list)
{
    pv_array_append (&adder->kept, list + 1, list[0]);
}

/* The functions of a stack, innermost first. Without a branch on a location's number of functions,
 * which would be unpredictable. */
static void
keep_functions (const Adding *adding, Adder *adder, PvStackId stack)
{
    const PvStackId *parent_of_stack = adding->profile->parent_of_stack;
    const PvLocationId *location_of_stack = adding->profile->location_of_stack;
    const Functions *functions_of_location = adding->functions_of_location;
    const Total *totals = adder->totals;
    PvFunctionId *kept = adder->kept.data;
    size_t n = 0, cap = adder->kept.cap;
    for (; stack != 0; stack = parent_of_stack[stack]) {
        Functions functions = functions_of_location[location_of_stack[stack]];
        if (G_UNLIKELY (n + 2 > cap || functions.outer == IS_LIST)) {
            adder->kept.len = n;
            if (functions.outer == IS_LIST)
                keep_list (adder, &adding->lists.data[functions.innermost]);
            n = adder->kept.len;
            pv_array_reserve (&adder->kept, n + 2);
            kept = adder->kept.data;
            cap = adder->kept.cap;
            if (functions.outer == IS_LIST)
                continue;
        }
        /* The totals are needed soon, in an unpredictable order. */
        __builtin_prefetch (&totals[functions.innermost], 1);
        __builtin_prefetch (&totals[functions.outer], 1);
        kept[n] = functions.innermost;
        n += functions.innermost != 0;
        kept[n] = functions.outer;
        n += functions.outer != 0;
    }
    adder->kept.len = n;
}

static void
add_plain (const Adding *adding, Adder *adder, uint64_t number, Entry *entry)
{
    keep_functions (adding, adder, entry->stack);
    const PvFunctionId *kept = adder->kept.data;
    Total *totals = adder->totals;
    uint64_t weight = entry->weight;
    for (size_t i = 0, n = adder->kept.len; i < n; i++) {
        Total *total = &totals[kept[i]];
        total->sum += total->depth_or_entry != number ? weight : 0;
        total->depth_or_entry = number;
    }
    adder->total += weight;
    entry->leaf = adder->kept.len > 0 ? kept[0] : 0;
}

/* Without transforms, as a tree */

/* True if walks down from all stacks with weight are much longer than a visit of all stacks. */
static bool
is_worth_a_tree (const Adding *adding)
{
    uint32_t n = MAX (adding->profile->n_stacks, 1);
    g_autofree uint32_t *depths = pv_new_large (uint32_t, n);
    uint64_t n_steps = 0;
    depths[0] = 0;
    for (PvStackId s = 1; s < n; s++)
        depths[s] = depths[adding->profile->parent_of_stack[s]] + 1;
    for (size_t i = 0; i < adding->entries.len; i++)
        n_steps += depths[adding->entries.data[i].stack];
    return n_steps / STEPS_PER_VISIT > n;
}

/* A stack with weight, or with something on top of it that has some. */
typedef struct {
    uint64_t weight;        /* with all that is on top */
    PvStackId first_child;  /* 0: none */
    PvStackId next_sibling; /* 0: none */
} Branch;

static Branch *
grow_tree (const Adding *adding)
{
    uint32_t n = MAX (adding->profile->n_stacks, 1);
    Branch *tree = pv_new0_large (Branch, n);
    for (size_t i = 0; i < adding->entries.len; i++)
        tree[adding->entries.data[i].stack].weight += adding->entries.data[i].weight;
    /* Children come after their parents. */
    for (PvStackId s = n - 1; s > 0; s--) {
        if (tree[s].weight == 0)
            continue;
        Branch *parent = &tree[adding->profile->parent_of_stack[s]];
        parent->weight += tree[s].weight;
        tree[s].next_sibling = parent->first_child;
        parent->first_child = s;
    }
    return tree;
}

/* The functions of a stack's location, innermost first; some may be 0. */
static const PvFunctionId *
get_functions (const Adding *adding, PvStackId stack, uint32_t *ret_n)
{
    const Functions *functions =
        &adding->functions_of_location[adding->profile->location_of_stack[stack]];
    if (functions->outer == IS_LIST) {
        const uint32_t *list = &adding->lists.data[functions->innermost];
        *ret_n = list[0];
        return list + 1;
    }
    *ret_n = 2;
    return &functions->innermost;
}

static void
enter_stack (const Adding *adding, Total *totals, PvStackId stack, uint64_t weight)
{
    uint32_t n;
    const PvFunctionId *functions = get_functions (adding, stack, &n);
    for (uint32_t i = 0; i < n; i++) {
        Total *total = &totals[functions[i]];
        total->sum += total->depth_or_entry++ == 0 ? weight : 0;
    }
}

static void
leave_stack (const Adding *adding, Total *totals, PvStackId stack)
{
    uint32_t n;
    const PvFunctionId *functions = get_functions (adding, stack, &n);
    for (uint32_t i = 0; i < n; i++)
        totals[functions[i]].depth_or_entry--;
}

static void
visit_tree (const Adding *adding, Total *totals, const Branch *tree)
{
    PvStackId stack = tree[0].first_child;
    for (uint64_t n_visited = 1; stack != 0; n_visited++) {
        if (n_visited % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (adding->job))
            return;
        enter_stack (adding, totals, stack, tree[stack].weight);
        PvStackId next = tree[stack].first_child;
        while (next == 0 && stack != 0) {
            leave_stack (adding, totals, stack);
            next = tree[stack].next_sibling;
            stack = adding->profile->parent_of_stack[stack];
        }
        stack = next;
    }
}

/* The innermost function of each stack, which may be that of its parent. */
static void
find_leaves (Adding *adding)
{
    uint32_t n = MAX (adding->profile->n_stacks, 1);
    g_autofree PvFunctionId *leaves = pv_new0_large (PvFunctionId, n);
    for (PvStackId s = 1; s < n; s++) {
        const Functions *functions =
            &adding->functions_of_location[adding->profile->location_of_stack[s]];
        if (functions->outer == IS_LIST)
            leaves[s] = adding->lists.data[functions->innermost + 1];
        else if (functions->innermost != 0 || functions->outer != 0)
            leaves[s] = functions->innermost != 0 ? functions->innermost : functions->outer;
        else
            leaves[s] = leaves[adding->profile->parent_of_stack[s]];
    }
    for (size_t i = 0; i < adding->entries.len; i++)
        adding->entries.data[i].leaf = leaves[adding->entries.data[i].stack];
}

static void
add_tree (Adding *adding, Adder *adder)
{
    g_autofree Branch *tree = grow_tree (adding);
    adder->total = tree[0].weight;
    adder->totals = g_new0 (Total, MAX (adding->symbols->n_functions, 1));
    visit_tree (adding, adder->totals, tree);
    adder->totals[0].sum = 0; /* no function */
    g_clear_pointer (&tree, g_free);
    find_leaves (adding);
}

/* Chunks of entries */

static void
add_chunk (void *data, size_t item, unsigned worker)
{
    Adding *adding = data;
    Adder *adder = &adding->adders[worker];
    size_t first = item * ENTRIES_PER_CHUNK;
    size_t end = MIN (first + ENTRIES_PER_CHUNK, adding->entries.len);
    if (pv_job_is_cancelled (adding->job))
        return;
    if (adder->totals == NULL)
        adder->totals = g_new0 (Total, MAX (adding->symbols->n_functions, 1));
    for (size_t i = first; i < end; i++) {
        if (adding->filter != NULL)
            add_transformed (adding, adder, &adding->entries.data[i]);
        else
            add_plain (adding, adder, i + 1, &adding->entries.data[i]);
    }
    if (adding->filter != NULL)
        go_to (adding, adder, 0);
}

/* Stacks with weight */

static int
compare_entries (const void *a, const void *b)
{
    PvStackId left = ((const Entry *)a)->stack, right = ((const Entry *)b)->stack;
    return (left > right) - (left < right);
}

/* Merges entries of the same stack; in a profile with many stacks, most have only one. */
static void
merge_entries (EntryArray *entries)
{
    bool is_sorted = true;
    for (size_t i = 1; i < entries->len && is_sorted; i++)
        is_sorted = entries->data[i - 1].stack <= entries->data[i].stack;
    if (!is_sorted)
        qsort (entries->data, entries->len, sizeof (Entry), compare_entries);
    size_t n = 0;
    for (size_t i = 0; i < entries->len; i++) {
        Entry entry = entries->data[i];
        if (n > 0 && entries->data[n - 1].stack == entry.stack)
            entries->data[n - 1].weight += entry.weight;
        else
            entries->data[n++] = entry;
    }
    entries->len = n;
}

static void
gather_by_stack (EntryArray *entries, const PvSampleFilter *filter, const PvProfile *profile)
{
    g_autofree uint64_t *weight_of_stack = pv_new0_large (uint64_t, MAX (profile->n_stacks, 1));
    uint64_t total = 0;
    for (uint32_t i = filter->first; i < filter->last; i++) {
        uint64_t weight = pv_sample_filter_weigh (filter, i, total);
        weight_of_stack[filter->set->stack[i]] += weight;
        total += weight;
    }
    for (PvStackId s = 0; s < profile->n_stacks; s++) {
        Entry entry = {.weight = weight_of_stack[s], .stack = s};
        if (entry.weight > 0)
            pv_array_push (entries, entry);
    }
}

static void
gather_by_sample (EntryArray *entries, const PvSampleFilter *filter)
{
    uint64_t total = 0;
    for (uint32_t i = filter->first; i < filter->last; i++) {
        Entry entry = {.weight = pv_sample_filter_weigh (filter, i, total),
                       .stack = filter->set->stack[i]};
        total += entry.weight;
        if (entry.weight > 0)
            pv_array_push (entries, entry);
    }
    merge_entries (entries);
}

static void
gather_entries (Adding *adding, const PvQuery *query)
{
    PvSampleFilter filter;
    pv_sample_filter_init (&filter, query, adding->profile);
    if (filter.last - filter.first > adding->profile->n_stacks / 4)
        gather_by_stack (&adding->entries, &filter, adding->profile);
    else
        gather_by_sample (&adding->entries, &filter);
    pv_sample_filter_clear (&filter);
}

/* Locations */

static void
list_functions (Adding *adding)
{
    uint32_t n_locations = adding->profile->n_locations;
    adding->functions_of_location = g_new0 (Functions, MAX (n_locations, 1));
    for (PvLocationId l = 1; l < n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (adding->symbols, l, &n_frames);
        Functions *functions = &adding->functions_of_location[l];
        if (n_frames == 0)
            continue;
        if (adding->no_inline || n_frames <= 2) {
            functions->innermost = chain[adding->no_inline ? n_frames - 1 : 0].function;
            functions->outer = adding->no_inline || n_frames == 1 ? 0 : chain[1].function;
            continue;
        }
        *functions = (Functions){(uint32_t)adding->lists.len, IS_LIST};
        pv_array_push (&adding->lists, n_frames);
        for (uint32_t i = 0; i < n_frames; i++)
            pv_array_push (&adding->lists, chain[i].function);
    }
}

/* The list */

/* Adds up the workers' sums by function; NULL if there was nothing to add. */
static Total *
join_totals (Adding *adding, uint64_t *ret_total)
{
    Total *joined = NULL;
    *ret_total = 0;
    for (unsigned a = 0; a < adding->n_adders; a++) {
        g_autofree Total *totals = g_steal_pointer (&adding->adders[a].totals);
        *ret_total += adding->adders[a].total;
        if (joined == NULL)
            joined = g_steal_pointer (&totals);
        for (PvFunctionId f = 1; totals != NULL && f < adding->symbols->n_functions; f++)
            joined[f].sum += totals[f].sum;
    }
    return joined;
}

/* Finds the location of each function's hottest stack; without self weight, its first location. */
static Own *
sum_own (const Adding *adding)
{
    Own *all = g_new0 (Own, MAX (adding->symbols->n_functions, 1));
    for (size_t i = 0; i < adding->entries.len; i++) {
        Entry entry = adding->entries.data[i];
        PvLocationId location = adding->profile->location_of_stack[entry.stack];
        Own *own = &all[entry.leaf];
        own->self += entry.weight;
        if (entry.weight > own->best || (entry.weight == own->best && location < own->location)) {
            own->best = entry.weight;
            own->location = location;
        }
    }
    for (PvLocationId l = 1; l < adding->profile->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (adding->symbols, l, &n_frames);
        for (uint32_t i = 0; i < n_frames; i++) {
            if (all[chain[i].function].location == 0)
                all[chain[i].function].location = l;
        }
    }
    return all;
}

static const PvFrame *
find_frame (const PvSymbolTable *symbols, PvLocationId location, PvFunctionId function)
{
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (symbols, location, &n_frames);
    for (uint32_t i = 0; i + 1 < n_frames; i++) {
        if (chain[i].function == function)
            return &chain[i];
    }
    return &chain[n_frames - 1];
}

static int
compare_rows (const void *a, const void *b, void *user)
{
    const PvFunctionRow *left = a, *right = b;
    const Adding *adding = user;
    if (left->self != right->self)
        return left->self > right->self ? -1 : 1;
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    return pv_compare_functions (adding->profile, adding->symbols, left->function, right->function);
}

/* The value at a position in descending order; reorders the values. */
static uint64_t
select_value (uint64_t *values, size_t n, size_t place)
{
    size_t low = 0, high = n;
    while (high - low > 1) {
        uint64_t pivot = values[low + (high - low) / 2];
        size_t above = low, below = high, at = low;
        while (at < below) {
            uint64_t value = values[at];
            if (value == pivot) {
                at++;
                continue;
            }
            size_t to = value > pivot ? above++ : --below;
            values[at] = values[to];
            values[to] = value;
            at += value > pivot;
        }
        if (place >= above && place < below)
            return pivot;
        if (place < above)
            high = above;
        else
            low = below;
    }
    return values[low];
}

/* Sorts rows in one part per worker. */
typedef struct {
    const Adding *adding;
    PvFunctionRow *rows;
    PvFunctionRow *merged; /* n rows */
    size_t n, rows_per_part;
} Sorting;

static void
sort_part (void *data, size_t item, unsigned worker)
{
    const Sorting *sorting = data;
    size_t first = MIN (item * sorting->rows_per_part, sorting->n);
    size_t end = MIN (first + sorting->rows_per_part, sorting->n);
    qsort_r (sorting->rows + first, end - first, sizeof (PvFunctionRow), compare_rows,
             (void *)sorting->adding);
}

/* Merges two parts. */
static void
merge_parts (void *data, size_t item, unsigned worker)
{
    const Sorting *sorting = data;
    size_t per_part = sorting->rows_per_part;
    size_t left = MIN (2 * item * per_part, sorting->n), at = left;
    size_t middle = MIN (left + per_part, sorting->n), right = middle;
    size_t end = MIN (middle + per_part, sorting->n);
    const PvFunctionRow *rows = sorting->rows;
    while (left < middle && right < end) {
        bool is_right = compare_rows (&rows[right], &rows[left], (void *)sorting->adding) < 0;
        sorting->merged[at++] = rows[is_right ? right++ : left++];
    }
    while (left < middle)
        sorting->merged[at++] = rows[left++];
    while (right < end)
        sorting->merged[at++] = rows[right++];
}

/* Returns the sorted rows: in the same block, or in another that replaces it. */
static PvFunctionRow *
sort_together (const Adding *adding, PvPool *pool, PvFunctionRow *rows, size_t n)
{
    unsigned n_parts = n < ROWS_FOR_THREADS ? 1 : pv_pool_get_size (pool);
    Sorting sorting = {adding, rows, NULL, n, (n + n_parts - 1) / n_parts};
    if (n_parts == 1) {
        if (n > 1)
            sort_part (&sorting, 0, 0);
        return rows;
    }
    sorting.merged = g_new (PvFunctionRow, n);
    pv_pool_run (pool, n_parts, sort_part, &sorting);
    for (; sorting.rows_per_part < n; sorting.rows_per_part *= 2) {
        size_t n_pairs = (n + 2 * sorting.rows_per_part - 1) / (2 * sorting.rows_per_part);
        pv_pool_run (pool, n_pairs, merge_parts, &sorting);
        PvFunctionRow *merged = sorting.merged;
        sorting.merged = sorting.rows;
        sorting.rows = merged;
    }
    g_free (sorting.merged);
    return sorting.rows;
}

/* Returns the rows with the first n_ordered in order. Comparing names, for equal weights, is
 * expensive. */
static PvFunctionRow *
sort_rows (const Adding *adding, PvPool *pool, PvFunctionRow *rows, size_t n, size_t n_ordered)
{
    size_t n_first = n;
    if (n_ordered < n / 2) {
        g_autofree uint64_t *values = g_new (uint64_t, n);
        for (size_t i = 0; i < n; i++)
            values[i] = rows[i].self;
        uint64_t least = select_value (values, n, n_ordered);
        n_first = 0;
        for (size_t i = 0; i < n; i++) {
            if (rows[i].self < least)
                continue;
            PvFunctionRow row = rows[i];
            rows[i] = rows[n_first];
            rows[n_first++] = row;
        }
    }
    if (n_first == n)
        return sort_together (adding, pool, rows, n);
    if (n_first > 1)
        qsort_r (rows, n_first, sizeof (PvFunctionRow), compare_rows, (void *)adding);
    return rows;
}

/* Frees what only adding needs. */
static void
clear_entries (Adding *adding)
{
    pv_array_clear (&adding->entries);
    g_clear_pointer (&adding->functions_of_location, g_free);
    pv_array_clear (&adding->lists);
}

/* Functions with weight, unordered. */
static PvFunctionRow *
make_rows (Adding *adding, const PvQuery *query, uint64_t *ret_total, size_t *ret_n)
{
    PV_ARRAY (PvFunctionRow) rows = {0};
    g_autofree Total *totals = join_totals (adding, ret_total);
    g_autofree Own *all = sum_own (adding);
    g_autofree uint64_t *known = pv_known_totals_list (adding->profile, adding->symbols, query);
    clear_entries (adding);
    for (PvFunctionId f = 1; totals != NULL && f < adding->symbols->n_functions; f++) {
        uint64_t total = pv_known_total_choose (known, f, all[f].self, totals[f].sum);
        if (total == 0)
            continue;
        PvFunctionRow row = {.function = f,
                             .self = all[f].self,
                             .total = total,
                             .frame = find_frame (adding->symbols, all[f].location, f),
                             .location = all[f].location,
                             .median_ms = UINT64_MAX};
        pv_array_push (&rows, row);
    }
    *ret_n = rows.len;
    return rows.data;
}

static void
clear_adding (Adding *adding)
{
    for (unsigned a = 0; a < adding->n_adders; a++) {
        g_free (adding->adders[a].totals);
        pv_array_clear (&adding->adders[a].path);
        pv_array_clear (&adding->adders[a].ahead);
        pv_array_clear (&adding->adders[a].kept);
    }
    g_free (adding->adders);
    clear_entries (adding);
}

bool
pv_function_list_can_sum (const PvProfile *profile, const PvQuery *query)
{
    g_assert (profile != NULL && query != NULL);
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        if (query->transforms[i].kind == PV_TRANSFORM_MERGE_MODULE)
            return false;
    }
    return profile->heap == NULL && query->granularity == PV_BY_FUNCTION;
}

/* Adds up all stacks with weight. False, with nothing to clear, when cancelled or if an expression
 * is invalid. */
static bool
add_all (Adding *adding, const PvQuery *query, PvStackFilter **ret_filter, PvPool **ret_pool,
         GError **error)
{
    g_autoptr (PvStackFilter) filter =
        pv_stack_filter_new (adding->profile, adding->symbols, query, error);
    if (filter == NULL)
        return false;
    adding->filter = pv_stack_filter_is_identity (filter) ? NULL : filter;
    if (adding->filter == NULL)
        list_functions (adding);
    gather_entries (adding, query);
    g_autoptr (PvPool) pool = pv_pool_new (adding->entries.len < ENTRIES_FOR_THREADS ? 1 : 0);
    adding->n_adders = pv_pool_get_size (pool);
    adding->adders = g_new0 (Adder, adding->n_adders);
    size_t n_chunks = (adding->entries.len + ENTRIES_PER_CHUNK - 1) / ENTRIES_PER_CHUNK;
    if (adding->filter == NULL && n_chunks > 0 && is_worth_a_tree (adding))
        add_tree (adding, &adding->adders[0]);
    else
        pv_pool_run (pool, n_chunks, add_chunk, adding);
    if (!pv_job_check (adding->job, error)) {
        clear_adding (adding);
        return false;
    }
    *ret_filter = g_steal_pointer (&filter);
    *ret_pool = g_steal_pointer (&pool);
    return true;
}

PvFunctionList *
pv_function_list_sum (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                      size_t n_ordered, uint64_t *ret_total, PvJob *job, GError **error)
{
    g_assert (pv_function_list_can_sum (profile, query));
    g_autoptr (PvStackFilter) filter = NULL;
    g_autoptr (PvPool) pool = NULL;
    Adding adding = {
        .profile = profile, .symbols = symbols, .no_inline = query->no_inline, .job = job};
    if (!add_all (&adding, query, &filter, &pool, error))
        return NULL;
    size_t n;
    PvFunctionRow *rows = make_rows (&adding, query, ret_total, &n);
    PvFunctionList *list = g_new0 (PvFunctionList, 1);
    list->n_rows = (uint32_t)n;
    list->rows = sort_rows (&adding, pool, rows, n, n_ordered);
    clear_adding (&adding);
    return list;
}

bool
pv_function_sums_add (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                      uint64_t *self, uint64_t *total, uint64_t *ret_whole, PvJob *job)
{
    g_assert (pv_function_list_can_sum (profile, query) && self != NULL && total != NULL);
    g_autoptr (PvStackFilter) filter = NULL;
    g_autoptr (PvPool) pool = NULL;
    Adding adding = {
        .profile = profile, .symbols = symbols, .no_inline = query->no_inline, .job = job};
    if (!add_all (&adding, query, &filter, &pool, NULL))
        return false;
    g_autofree Total *totals = join_totals (&adding, ret_whole);
    g_autofree uint64_t *known = pv_known_totals_list (profile, symbols, query);
    for (PvFunctionId f = 0; totals != NULL && f < symbols->n_functions; f++)
        total[f] += pv_known_total_choose (known, f, 0, totals[f].sum);
    for (size_t i = 0; i < adding.entries.len; i++)
        self[adding.entries.data[i].leaf] += adding.entries.data[i].weight;
    clear_adding (&adding);
    return true;
}
