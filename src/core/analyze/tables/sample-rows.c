/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tables/sample-rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/analyze/query/focus.h"
#include "core/analyze/query/heap-weights.h"
#include "core/analyze/query/sample-filter.h"
#include "core/analyze/tree/shape-build.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/large.h"
#include "core/base/search.h"

enum { STACKS_FOR_THREADS = 1 << 14 };

/* An entry is a sample, numbered across all sets, or a heap site. */
struct PvSampleRows {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvTreeShape *shape; /* NULL: nodes are stacks */
    PvFocus *focus;     /* NULL: all stacks count */
    uint32_t n_nodes;
    uint32_t *same_node; /* per node, the first one with the same locations; NULL: all differ */

    uint32_t *first_entry_of_set; /* n_sets + 1 */
    PvMeasureId *measures;        /* sorted by set */
    uint32_t *first_measure_of_set;
    PvSampleFilter *filters;    /* per measure; NULL for a heap */
    uint64_t **weights_of_site; /* per measure; NULL unless for a heap */
    PvThreadId *same_thread;    /* per thread, the first one like it */
    uint32_t *rank_of_thread;   /* the order of threads and of label sets by content */
    uint32_t *rank_of_labels;

    uint32_t n_entries;
    uint32_t *entries; /* the kept ones, equal ones adjacent; single samples: by thread and time */
    PvMeasureId single;
    uint32_t next;
    uint64_t *weights; /* of the current row */
    PV_ARRAY (PvFrame) frames;
};

/* Entries */

static uint32_t
set_of_entry (const PvSampleRows *rows, uint32_t entry)
{
    return pv_bisect (1, rows->profile->n_sets, set, rows->first_entry_of_set[set] <= entry) - 1;
}

static PvStackId
stack_of_entry (const PvSampleRows *rows, uint32_t entry)
{
    if (rows->profile->heap != NULL)
        return rows->profile->heap->stack_of_site[entry];
    uint32_t set = set_of_entry (rows, entry);
    return rows->profile->sets[set].stack[entry - rows->first_entry_of_set[set]];
}

/* The node at which a stack ends, or UINT32_MAX if the query drops it. */
static uint32_t
node_of_stack (const PvSampleRows *rows, PvStackId stack)
{
    if (rows->focus != NULL && !rows->focus->is_kept[stack])
        return UINT32_MAX;
    uint32_t node = rows->shape != NULL ? rows->shape->position_of_stack[stack] : stack;
    if (rows->shape != NULL && (node & PV_POSITION_DROPPED) != 0)
        return UINT32_MAX;
    return rows->same_node != NULL ? rows->same_node[node] : node;
}

/* Thread and labels in one word: distinguishes the rows of one node. */
static uint64_t
context_of_entry (const PvSampleRows *rows, uint32_t entry)
{
    if (rows->profile->heap != NULL)
        return 0;
    uint32_t s = set_of_entry (rows, entry);
    const PvSampleSet *set = &rows->profile->sets[s];
    uint32_t sample = entry - rows->first_entry_of_set[s];
    uint32_t label_set = set->label_set != NULL ? set->label_set[sample] : 0;
    return (uint64_t)rows->same_thread[pv_sample_set_thread (set, sample)] << 32 | label_set;
}

/* Construction */

static bool
is_like (const PvProfile *profile, const PvThread *a, const PvThread *b)
{
    const PvProcess *process_a = &profile->processes[a->process];
    const PvProcess *process_b = &profile->processes[b->process];
    return a->tid == b->tid && process_a->pid == process_b->pid &&
           g_strcmp0 (a->name, b->name) == 0 && g_strcmp0 (process_a->name, process_b->name) == 0;
}

/* Threads with the same ids and names share a row, even if the ids were reused. */
static void
find_same_threads (PvSampleRows *rows)
{
    const PvProfile *profile = rows->profile;
    PvIdMap last_of_tid = {0};
    g_autofree PvThreadId *previous = g_new0 (PvThreadId, MAX (profile->n_threads, 1));
    rows->same_thread = g_new0 (PvThreadId, MAX (profile->n_threads, 1));
    for (PvThreadId t = 1; t < profile->n_threads; t++) {
        const PvThread *thread = &profile->threads[t];
        uint32_t *last = pv_id_map_slot (&last_of_tid, (uint32_t)thread->tid);
        PvThreadId same = *last;
        while (same != 0 && !is_like (profile, &profile->threads[same], thread))
            same = previous[same];
        rows->same_thread[t] = same != 0 ? same : t;
        if (same != 0)
            continue;
        previous[t] = *last;
        *last = t;
    }
    pv_id_map_clear (&last_of_tid);
}

/* Names are mostly the same pointer if they are equal. */
static int
compare_names (const char *a, const char *b)
{
    if (a == b)
        return 0;
    bool has_a = a != NULL && *a != '\0', has_b = b != NULL && *b != '\0';
    return has_a && has_b ? strcmp (a, b) : (int)has_b - (int)has_a;
}

static int
compare_threads (const void *a, const void *b, void *user)
{
    const PvProfile *profile = user;
    const PvThread *left = &profile->threads[*(const PvThreadId *)a];
    const PvThread *right = &profile->threads[*(const PvThreadId *)b];
    const PvProcess *left_process = &profile->processes[left->process];
    const PvProcess *right_process = &profile->processes[right->process];
    int order = compare_names (left->name, right->name);
    if (order == 0)
        order = (left->tid > right->tid) - (left->tid < right->tid);
    if (order == 0)
        order = compare_names (left_process->name, right_process->name);
    if (order == 0)
        order = (left_process->pid > right_process->pid) - (left_process->pid < right_process->pid);
    return order;
}

static int
compare_labels (const PvLabel *a, const PvLabel *b)
{
    int order = compare_names (a->key, b->key);
    if (order == 0)
        order = compare_names (a->text, b->text);
    if (order == 0)
        order = (a->number > b->number) - (a->number < b->number);
    return order != 0 ? order : compare_names (a->unit, b->unit);
}

static int
compare_label_sets (const void *a, const void *b, void *user)
{
    const PvProfile *profile = user;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    uint32_t i = profile->first_label_of_set[left], j = profile->first_label_of_set[right];
    for (; i < profile->first_label_of_set[left + 1] && j < profile->first_label_of_set[right + 1];
         i++, j++) {
        int order = compare_labels (&profile->labels[i], &profile->labels[j]);
        if (order != 0)
            return order;
    }
    return (i < profile->first_label_of_set[left + 1]) -
           (j < profile->first_label_of_set[right + 1]);
}

/* Unlike ids, this order does not depend on the order in the file, so writing and reading a file
 * again gives the same order. */
static uint32_t *
rank_rows (const PvProfile *profile, uint32_t n, GCompareDataFunc compare)
{
    uint32_t *rank = g_new0 (uint32_t, MAX (n, 1));
    g_autofree uint32_t *order = g_new (uint32_t, MAX (n, 1));
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    if (n > 2) /* row 0 (unknown or empty) stays first */
        qsort_r (order + 1, n - 1, sizeof (uint32_t), compare, (void *)profile);
    for (uint32_t i = 0; i < n; i++)
        rank[order[i]] = i;
    return rank;
}

static bool
changes_frames (const PvQuery *query)
{
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        if (!pv_transforms[query->transforms[i].kind].chooses_stacks)
            return true;
    }
    return query->no_inline;
}

static bool
find_nodes (PvSampleRows *rows, const PvQuery *query, PvJob *job, GError **error)
{
    const PvProfile *profile = rows->profile;
    rows->n_nodes = MAX (profile->n_stacks, 1);
    if (changes_frames (query)) {
        g_autoptr (PvPool) pool = pv_pool_new (profile->n_stacks < STACKS_FOR_THREADS ? 1 : 0);
        rows->shape =
            pv_tree_shape_build (profile, rows->symbols, query, NULL, NULL, NULL, pool, job, error);
        if (rows->shape == NULL)
            return false;
        rows->n_nodes = rows->shape->n_nodes;
    }
    if (pv_focus_is_needed (query))
        rows->focus = pv_focus_build (profile, rows->symbols, query, NULL, job, error);
    return rows->focus != NULL || !pv_focus_is_needed (query);
}

/* Numbers locations by content: two return addresses may be looked up at the same address, and
 * those of an interpreted trace only have a name. *ret_n gets the number of different ones. */
static uint32_t *
number_locations (const PvSampleRows *rows, uint32_t *ret_n)
{
    const PvProfile *profile = rows->profile;
    const PvSymbolTable *symbols = rows->symbols;
    uint32_t *number = g_new0 (uint32_t, MAX (profile->n_locations, 1));
    PvHashMap ids = {0};
    PV_ARRAY (uint64_t) words = {0};
    *ret_n = 0;
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n_frames);
        bool is_named = profile->kind_of_location[l] == PV_LOCATION_NAMED;
        words.len = 0;
        pv_array_push (&words, (uint64_t)profile->module_of_location[l] << 1 | is_named);
        pv_array_push (&words, is_named ? 0 : pv_profile_lookup_address (profile, l));
        for (uint32_t i = 0; i < n_frames; i++) {
            const PvFrame *frame = &chain[i];
            const char *file = frame->file;
            if (file == NULL)
                file = symbols->functions[frame->function].file;
            pv_array_push (&words, (uint64_t)frame->function << 32 | frame->line);
            pv_array_push (&words, (uint64_t)(uintptr_t)file);
        }
        PvHash key = pv_hash_bytes (words.data, words.len * sizeof (uint64_t), 0);
        uint32_t *slot = pv_hash_map_slot (&ids, key);
        if (*slot == 0)
            *slot = ++*ret_n;
        number[l] = *slot;
    }
    pv_hash_map_clear (&ids);
    pv_array_clear (&words);
    return number;
}

/* A node's key below its parent: the number of its location, and the index of its frame. */
static uint64_t
key_of_node (const PvSampleRows *rows, const uint32_t *number, uint32_t node)
{
    const PvTreeShape *shape = rows->shape;
    if (shape == NULL)
        return number[rows->profile->location_of_stack[node]];
    PvLocationId location = shape->detail_of_node[node];
    return location != 0 ? (uint64_t)number[location] << 16 | shape->frame_of_node[node]
                         : (uint64_t)1 << 63 | shape->function_of_node[node];
}

static void
find_same_nodes (PvSampleRows *rows)
{
    uint32_t n_numbers;
    g_autofree uint32_t *number = number_locations (rows, &n_numbers);
    if (n_numbers + 1 >= rows->profile->n_locations)
        return;
    const uint32_t *parent_of_node =
        rows->shape != NULL ? rows->shape->parent_of_node : rows->profile->parent_of_stack;
    uint32_t *same_node = pv_new0_large (uint32_t, rows->n_nodes);
    PvHashMap nodes = {0};
    for (uint32_t node = 1; node < rows->n_nodes; node++) {
        uint64_t words[] = {same_node[parent_of_node[node]], key_of_node (rows, number, node)};
        uint32_t *slot = pv_hash_map_slot (&nodes, pv_hash_bytes (words, sizeof words, 0));
        if (*slot == 0)
            *slot = node;
        same_node[node] = *slot;
    }
    pv_hash_map_clear (&nodes);
    rows->same_node = same_node;
}

static bool
weigh_heap (PvSampleRows *rows, PvQuery *query, PvJob *job, GError **error)
{
    const PvProfile *profile = rows->profile;
    PvSuppressedStacks *suppressed = pv_suppressed_stacks_new (
        query->suppressions, !query->no_default_suppressions, profile, rows->symbols);
    bool is_done = true;
    rows->weights_of_site = g_new0 (uint64_t *, MAX (profile->n_weights, 1));
    for (PvMeasureId m = 0; m < profile->n_weights && is_done; m++) {
        query->measure = m;
        rows->weights_of_site[m] =
            pv_heap_weigh_query (profile, query, suppressed->is_suppressed, NULL, job);
        is_done = rows->weights_of_site[m] != NULL;
    }
    pv_suppressed_stacks_unref (suppressed);
    return is_done || pv_job_check (job, error);
}

static void
prepare_filters (PvSampleRows *rows, PvQuery *query)
{
    const PvProfile *profile = rows->profile;
    uint32_t n = 0;
    rows->filters = g_new0 (PvSampleFilter, MAX (profile->n_weights, 1));
    rows->measures = g_new0 (PvMeasureId, MAX (profile->n_weights, 1));
    rows->first_measure_of_set = g_new0 (uint32_t, profile->n_sets + 1);
    for (PvMeasureId m = 0; m < profile->n_weights; m++) {
        query->measure = m;
        pv_sample_filter_init (&rows->filters[m], query, profile);
    }
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        rows->first_measure_of_set[s] = n;
        for (PvMeasureId m = 0; m < profile->n_weights; m++) {
            if (profile->measures[m].set == s)
                rows->measures[n++] = m;
        }
    }
    rows->first_measure_of_set[profile->n_sets] = n;
}

static uint32_t
count_entries (PvSampleRows *rows)
{
    const PvProfile *profile = rows->profile;
    uint32_t n = 0;
    rows->first_entry_of_set = g_new0 (uint32_t, profile->n_sets + 1);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        rows->first_entry_of_set[s] = n;
        n += profile->sets[s].n_samples;
    }
    rows->first_entry_of_set[profile->n_sets] = n;
    return profile->heap != NULL ? profile->heap->n_sites : n;
}

static uint64_t
rank_context (const PvSampleRows *rows, uint64_t context)
{
    if (rows->profile->heap != NULL)
        return context;
    return (uint64_t)rows->rank_of_thread[context >> 32] << 32 |
           rows->rank_of_labels[(uint32_t)context];
}

static int
compare_entries (const void *a, const void *b, void *user)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    uint64_t left_context = rank_context (user, context_of_entry (user, left));
    uint64_t right_context = rank_context (user, context_of_entry (user, right));
    if (left_context != right_context)
        return left_context < right_context ? -1 : 1;
    return left < right ? -1 : left > right;
}

/* Sorts entries by node (counting sort), and those of a node by thread and labels. */
static void
sort_entries (PvSampleRows *rows)
{
    uint32_t n = count_entries (rows);
    g_autofree uint32_t *first_of_node = pv_new0_large (uint32_t, (size_t)rows->n_nodes + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = node_of_stack (rows, stack_of_entry (rows, i));
        if (node != UINT32_MAX)
            first_of_node[node]++;
    }
    uint32_t sum = 0;
    for (uint32_t node = 0; node <= rows->n_nodes; node++) {
        uint32_t count = first_of_node[node];
        first_of_node[node] = sum;
        sum += count;
    }
    rows->n_entries = sum;
    rows->entries = pv_new_large (uint32_t, MAX (sum, 1));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = node_of_stack (rows, stack_of_entry (rows, i));
        if (node != UINT32_MAX)
            rows->entries[first_of_node[node]++] = i;
    }
    /* Now first_of_node[n] is the start of node n + 1. */
    uint32_t first = 0;
    for (uint32_t node = 0; node < rows->n_nodes; node++) {
        if (first_of_node[node] - first > 1)
            qsort_r (rows->entries + first, first_of_node[node] - first, sizeof (uint32_t),
                     compare_entries, rows);
        first = first_of_node[node];
    }
}

/* All but the order of entries. NULL when cancelled or if an expression is invalid. */
static PvSampleRows *
prepare_rows (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *asked,
              PvJob *job, GError **error)
{
    g_autoptr (PvSampleRows) rows = g_new0 (PvSampleRows, 1);
    PvQuery query;
    bool is_done;

    rows->profile = pv_profile_ref (profile);
    rows->symbols = pv_symbol_table_ref (symbols);
    rows->weights = g_new0 (uint64_t, MAX (profile->n_weights, 1));
    pv_query_copy (&query, asked);
    query.granularity = PV_BY_ADDRESS;
    find_same_threads (rows);
    is_done = find_nodes (rows, &query, job, error);
    if (is_done && profile->heap != NULL)
        is_done = weigh_heap (rows, &query, job, error);
    else if (is_done)
        prepare_filters (rows, &query);
    pv_query_clear (&query);
    if (!is_done || !pv_job_check (job, error))
        return NULL;
    find_same_nodes (rows);
    return g_steal_pointer (&rows);
}

PvSampleRows *
pv_sample_rows_new (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *asked,
                    PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && asked != NULL);
    g_autoptr (PvSampleRows) rows = prepare_rows (profile, symbols, asked, job, error);
    if (rows == NULL)
        return NULL;
    rows->rank_of_thread = rank_rows (profile, profile->n_threads, compare_threads);
    rows->rank_of_labels = rank_rows (profile, profile->n_label_sets, compare_label_sets);
    sort_entries (rows);
    return pv_job_check (job, error) ? g_steal_pointer (&rows) : NULL;
}

/* Single samples */

static uint64_t
weigh_single (const PvSampleRows *rows, uint32_t sample)
{
    return pv_sample_filter_weigh (&rows->filters[rows->single], sample, 0);
}

static bool
is_single (const PvSampleRows *rows, uint32_t sample)
{
    const PvSampleSet *set = &rows->profile->sets[rows->profile->measures[rows->single].set];
    return node_of_stack (rows, set->stack[sample]) != UINT32_MAX &&
           weigh_single (rows, sample) > 0;
}

/* Sorts the samples of the measure by thread (counting sort); they are sorted by time. */
static void
sort_singles (PvSampleRows *rows)
{
    const PvProfile *profile = rows->profile;
    const PvSampleSet *set = &profile->sets[profile->measures[rows->single].set];
    const PvSampleFilter *filter = &rows->filters[rows->single];
    uint32_t n_threads = MAX (profile->n_threads, 1), sum = 0;
    g_autofree uint32_t *first_of_thread = g_new0 (uint32_t, n_threads);
    for (uint32_t i = filter->first; i < filter->last; i++)
        if (is_single (rows, i))
            first_of_thread[rows->same_thread[pv_sample_set_thread (set, i)]]++;
    for (uint32_t t = 0; t < n_threads; t++) {
        uint32_t count = first_of_thread[t];
        first_of_thread[t] = sum;
        sum += count;
    }
    rows->n_entries = sum;
    rows->entries = pv_new_large (uint32_t, MAX (sum, 1));
    for (uint32_t i = filter->first; i < filter->last; i++)
        if (is_single (rows, i))
            rows->entries[first_of_thread[rows->same_thread[pv_sample_set_thread (set, i)]]++] = i;
}

PvSampleRows *
pv_sample_rows_new_single (const PvProfile *profile, const PvSymbolTable *symbols,
                           const PvQuery *asked, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && asked != NULL);
    g_assert (pv_profile_get_measure_set (profile, asked->measure) != NULL);
    g_autoptr (PvSampleRows) rows = prepare_rows (profile, symbols, asked, job, error);
    if (rows == NULL)
        return NULL;
    rows->single = asked->measure;
    sort_singles (rows);
    return pv_job_check (job, error) ? g_steal_pointer (&rows) : NULL;
}

uint32_t
pv_sample_rows_count_singles (const PvSampleRows *rows)
{
    return rows->n_entries;
}

PvSingleSample
pv_sample_rows_get_single (const PvSampleRows *rows, uint32_t i)
{
    g_assert (i < rows->n_entries);
    const PvSampleSet *set = pv_profile_get_measure_set (rows->profile, rows->single);
    uint32_t sample = rows->entries[i];
    return (PvSingleSample){
        .node = node_of_stack (rows, set->stack[sample]),
        .thread = rows->same_thread[pv_sample_set_thread (set, sample)],
        .time_ns = pv_sample_set_time_ns (set, sample),
        .weight = weigh_single (rows, sample),
    };
}

void
pv_sample_rows_free (PvSampleRows *rows)
{
    if (rows == NULL)
        return;
    for (PvMeasureId m = 0; m < rows->profile->n_weights; m++) {
        if (rows->filters != NULL)
            pv_sample_filter_clear (&rows->filters[m]);
        if (rows->weights_of_site != NULL)
            g_free (rows->weights_of_site[m]);
    }
    g_free (rows->filters);
    g_free (rows->weights_of_site);
    g_free (rows->first_entry_of_set);
    g_free (rows->measures);
    g_free (rows->first_measure_of_set);
    g_free (rows->same_node);
    g_free (rows->same_thread);
    g_free (rows->rank_of_thread);
    g_free (rows->rank_of_labels);
    g_free (rows->entries);
    g_free (rows->weights);
    pv_array_clear (&rows->frames);
    pv_tree_shape_unref (rows->shape);
    pv_focus_unref (rows->focus);
    pv_symbol_table_free ((PvSymbolTable *)rows->symbols);
    pv_profile_free ((PvProfile *)rows->profile);
    g_free (rows);
}

/* Frames */

const PvSymbolTable *
pv_sample_rows_get_symbols (const PvSampleRows *rows)
{
    return rows->shape != NULL ? rows->shape->symbols : rows->symbols;
}

uint32_t
pv_sample_rows_count_nodes (const PvSampleRows *rows)
{
    return rows->n_nodes;
}

/* True if the outer node belongs to the same location: the inner one comes before it in the
 * location's chain. */
static bool
is_same_place (const PvTreeShape *shape, uint32_t inner, uint32_t outer)
{
    return outer != 0 && shape->detail_of_node[inner] != 0 &&
           shape->detail_of_node[outer] == shape->detail_of_node[inner] &&
           shape->frame_of_node[outer] > shape->frame_of_node[inner];
}

static uint32_t
get_shape_place (PvSampleRows *rows, uint32_t node, PvLocationFrames *ret_place)
{
    const PvTreeShape *shape = rows->shape;
    uint32_t inner;
    rows->frames.len = 0;
    ret_place->location = shape->detail_of_node[node];
    do {
        PvFrame frame = *pv_tree_shape_frame (shape, node);
        if (shape->detail_of_node[node] == 0) /* a merged module: its frame has no line */
            frame = (PvFrame){.function = shape->function_of_node[node]};
        pv_array_push (&rows->frames, frame);
        inner = node;
        node = shape->parent_of_node[node];
    } while (is_same_place (shape, inner, node));
    ret_place->frames = rows->frames.data;
    ret_place->n_frames = (uint32_t)rows->frames.len;
    return node;
}

uint32_t
pv_sample_rows_get_frames (PvSampleRows *rows, uint32_t node, PvLocationFrames *ret_place)
{
    g_assert (node > 0 && node < rows->n_nodes);
    if (rows->shape != NULL)
        return get_shape_place (rows, node, ret_place);
    ret_place->location = rows->profile->location_of_stack[node];
    ret_place->frames =
        pv_symbol_table_frames (rows->symbols, ret_place->location, &ret_place->n_frames);
    return rows->profile->parent_of_stack[node];
}

/* Rows */

static void
add_weights (PvSampleRows *rows, uint32_t entry)
{
    if (rows->profile->heap != NULL) {
        for (PvMeasureId m = 0; m < rows->profile->n_weights; m++)
            rows->weights[m] += rows->weights_of_site[m][entry];
        return;
    }
    uint32_t set = set_of_entry (rows, entry);
    uint32_t sample = entry - rows->first_entry_of_set[set];
    uint32_t end = rows->first_measure_of_set[set + 1];
    for (uint32_t i = rows->first_measure_of_set[set]; i < end; i++) {
        PvMeasureId measure = rows->measures[i];
        const PvSampleFilter *filter = &rows->filters[measure];
        if (sample >= filter->first && sample < filter->last)
            rows->weights[measure] +=
                pv_sample_filter_weigh (filter, sample, rows->weights[measure]);
    }
}

static bool
has_weight (const PvSampleRows *rows)
{
    for (PvMeasureId m = 0; m < rows->profile->n_weights; m++) {
        if (rows->weights[m] != 0)
            return true;
    }
    return false;
}

bool
pv_sample_rows_next (PvSampleRows *rows, PvSampleRow *ret_row)
{
    g_assert (rows != NULL && ret_row != NULL);
    while (rows->next < rows->n_entries) {
        uint32_t first = rows->entries[rows->next];
        uint32_t node = node_of_stack (rows, stack_of_entry (rows, first));
        uint64_t context = context_of_entry (rows, first);
        memset (rows->weights, 0, rows->profile->n_weights * sizeof (uint64_t));
        do {
            add_weights (rows, rows->entries[rows->next++]);
        } while (rows->next < rows->n_entries &&
                 node_of_stack (rows, stack_of_entry (rows, rows->entries[rows->next])) == node &&
                 context_of_entry (rows, rows->entries[rows->next]) == context);
        if (!has_weight (rows))
            continue;
        *ret_row = (PvSampleRow){.node = node,
                                 .thread = (PvThreadId)(context >> 32),
                                 .label_set = (uint32_t)context,
                                 .weights = rows->weights};
        return true;
    }
    return false;
}
