/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/time-index.h"

#include <stdlib.h>

#include "core/analyze/query/key-sort.h"
#include "core/analyze/time/time-index-private.h"
#include "core/base/array.h"
#include "core/base/large.h"
#include "core/base/ref.h"

enum { SAMPLES_PER_CHECK = 1 << 16, LEVELS_END_BELOW = 2 * PV_TIME_FANOUT };

typedef PV_ARRAY (uint32_t) IdArray;
typedef PV_ARRAY (PvTimeSum) SumArray;

/* A sum to be sorted: a PvKeyed. */
typedef struct {
    uint64_t cell;
    PvTimeSum sum;
} SortedSum;

G_STATIC_ASSERT (sizeof (SortedSum) == sizeof (PvKeyed));

/* Rows get numbers as they are met; the order to show them in is known at the end. */
typedef struct {
    PvTimeIndexData *data;
    PV_ARRAY (PvTimeRow) rows;
    size_t n_sampled;       /* rows with samples of the set; the others have none, of any query */
    PvTimeSum *sum_of_cell; /* of the current node, by row * n_classes + class */
    IdArray touched;        /* cells with a sum */
    IdArray first_sum;      /* of each node of the current level */
    SumArray sums;
    PvKeyedArray sorted;
    PvKeyedArray scratch;
    IdArray first_of_block;
    PV_ARRAY (uint64_t) latest_of_block;
} Build;

bool
pv_time_index_can_build (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL);
    const PvSampleSet *set = pv_profile_has_weights (profile, measure) && profile->n_dumps == 0
                                 ? pv_profile_get_measure_set (profile, measure)
                                 : NULL;
    return set != NULL && set->n_samples > 0 && pv_sample_set_time_ns (set, set->n_samples - 1) > 0;
}

/* Rows */

static uint32_t
get_row_key (const PvTimeIndexData *data, uint32_t context)
{
    const PvSampleContext *where = &data->filter.set->contexts[context];
    return data->index.kind == PV_TIME_THREADS ? where->thread : where->cpu;
}

static PvTimeRow
make_row (const PvTimeIndexData *data, uint32_t key)
{
    if (data->index.kind == PV_TIME_CPUS)
        return (PvTimeRow){.cpu = (uint16_t)key, .first_ns = UINT64_MAX};
    return (PvTimeRow){.process = data->index.profile->threads[key].process,
                       .thread = key,
                       .cpu = PV_CPU_UNKNOWN,
                       .first_ns = UINT64_MAX};
}

/* The row of a thread or CPU, made on first use. */
static uint32_t
get_row (Build *build, uint32_t *row_of_key, uint32_t key)
{
    uint32_t *row = &row_of_key[key];
    if (*row == PV_TIME_NO_ROW && build->rows.len == PV_TIME_MAX_ROWS)
        *row = PV_TIME_MAX_ROWS - 1;
    if (*row == PV_TIME_NO_ROW) {
        *row = (uint32_t)build->rows.len;
        pv_array_push (&build->rows, make_row (build->data, key));
    }
    return *row;
}

/* Threads that the query shows and that have samples of other sets only, such as waits. */
static void
add_other_threads (Build *build, const PvQuery *query, uint32_t *row_of_key)
{
    const PvProfile *profile = build->data->index.profile;
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t c = 0; set != build->data->filter.set && c < set->n_contexts; c++) {
            PvThreadId thread = set->contexts[c].thread;
            if (thread != 0 && pv_query_shows (query, PV_ORIGIN_THREAD, thread) &&
                pv_query_shows (query, PV_ORIGIN_PROCESS, profile->threads[thread].process) &&
                pv_query_shows (query, PV_ORIGIN_CPU, set->contexts[c].cpu))
                get_row (build, row_of_key, thread);
        }
    }
}

static void
number_rows (Build *build, const PvQuery *query)
{
    PvTimeIndexData *data = build->data;
    const PvSampleSet *set = data->filter.set;
    bool are_threads = data->index.kind == PV_TIME_THREADS;
    uint32_t n_keys = are_threads ? data->index.profile->n_threads : PV_CPU_UNKNOWN + 1u;
    g_autofree uint32_t *row_of_key = g_new (uint32_t, MAX (n_keys, 1));
    for (uint32_t key = 0; key < n_keys; key++)
        row_of_key[key] = PV_TIME_NO_ROW;
    data->row_of_context = g_new (uint32_t, MAX (set->n_contexts, 1));
    for (uint32_t c = 0; c < set->n_contexts; c++) {
        bool is_shown =
            data->filter.is_context_allowed == NULL || data->filter.is_context_allowed[c];
        data->row_of_context[c] =
            is_shown ? get_row (build, row_of_key, get_row_key (data, c)) : PV_TIME_NO_ROW;
    }
    build->n_sampled = build->rows.len;
    if (are_threads)
        add_other_threads (build, query, row_of_key);
}

typedef struct {
    uint32_t number; /* as met */
    PvTimeRow row;
    uint64_t process_weight; /* of all threads of the process */
} OrderedRow;

/* Order of rows, of threads and of CPUs. Equal weights are in the order of ids. */
static int
compare_rows (const void *a, const void *b)
{
    const OrderedRow *x = a, *y = b;
    if (x->process_weight != y->process_weight)
        return x->process_weight > y->process_weight ? -1 : 1;
    if (x->row.process != y->row.process)
        return x->row.process < y->row.process ? -1 : 1;
    if (x->row.cpu != y->row.cpu)
        return x->row.cpu < y->row.cpu ? -1 : 1;
    if (x->row.weight != y->row.weight)
        return x->row.weight > y->row.weight ? -1 : 1;
    return x->row.thread < y->row.thread ? -1 : x->row.thread > y->row.thread;
}

/* Takes the rows with weight and, if there is one, those without samples; for waits all rows, as a
 * thread that does not wait may have woken one that does. The sums of the lowest level say what
 * they weigh. Returns the
 * new number of each row; g_free () it. */
static uint32_t *
order_rows (Build *build)
{
    PvTimeIndex *index = &build->data->index;
    size_t n = build->rows.len;
    size_t first_other =
        index->kind == PV_TIME_THREADS && pv_profile_counts_waits (index->profile, index->measure)
            ? 0
            : build->n_sampled;
    for (size_t i = 0; i < build->sums.len; i++) {
        const PvTimeSum *sum = &build->sums.data[i];
        build->rows.data[sum->cell >> 8].weight += sum->weight;
        build->rows.data[sum->cell >> 8].n_samples += sum->n_samples;
    }
    g_autofree uint64_t *weight_of_process =
        g_new0 (uint64_t, MAX (index->profile->n_processes, 1));
    g_autofree OrderedRow *ordered = g_new (OrderedRow, MAX (n, 1));
    for (size_t r = 0; index->kind == PV_TIME_THREADS && r < n; r++)
        weight_of_process[build->rows.data[r].process] += build->rows.data[r].weight;
    for (size_t r = 0; r < n; r++) {
        const PvTimeRow *row = &build->rows.data[r];
        if (row->weight > 0 || (r >= first_other && index->weight > 0))
            ordered[index->n_rows++] =
                (OrderedRow){(uint32_t)r, *row, weight_of_process[row->process]};
    }
    qsort (ordered, index->n_rows, sizeof *ordered, compare_rows);
    PvTimeRow *rows = g_new (PvTimeRow, MAX (index->n_rows, 1));
    uint32_t *new_number = g_new (uint32_t, MAX (n, 1));
    for (size_t r = 0; r < n; r++)
        new_number[r] = PV_TIME_NO_ROW;
    for (uint32_t r = 0; r < index->n_rows; r++) {
        rows[r] = ordered[r].row;
        new_number[ordered[r].number] = r;
    }
    index->rows = rows;
    return new_number;
}

/* Numbers rows by their order from now on. */
static void
renumber_rows (Build *build)
{
    PvTimeIndexData *data = build->data;
    g_autofree uint32_t *new_number = order_rows (build);
    for (uint32_t c = 0; c < data->filter.set->n_contexts; c++)
        if (data->row_of_context[c] != PV_TIME_NO_ROW)
            data->row_of_context[c] = new_number[data->row_of_context[c]];
    for (size_t i = 0; i < build->sums.len; i++) {
        uint32_t *cell = &build->sums.data[i].cell;
        *cell = new_number[*cell >> 8] << 8 | (*cell & 0xff);
    }
}

/* Sums */

static inline void
add (Build *build, uint32_t cell, uint64_t weight, uint32_t n_samples)
{
    uint32_t place = (cell >> 8) * build->data->index.n_classes + (cell & 0xff);
    PvTimeSum *sum = &build->sum_of_cell[place];
    if (sum->n_samples == 0) {
        sum->cell = cell;
        pv_array_push (&build->touched, place);
    }
    sum->weight += weight;
    sum->n_samples += n_samples;
}

/* Moves the sums of the current node to the level. */
static void
end_node (Build *build)
{
    for (size_t i = 0; i < build->touched.len; i++) {
        PvTimeSum *sum = &build->sum_of_cell[build->touched.data[i]];
        pv_array_push (&build->sums, *sum);
        *sum = (PvTimeSum){0};
    }
    build->touched.len = 0;
    pv_array_push (&build->first_sum, (uint32_t)build->sums.len);
}

static void
end_sorted_node (Build *build)
{
    size_t n = build->touched.len;
    pv_array_resize (&build->sorted, n);
    SortedSum *sorted = (SortedSum *)build->sorted.data;
    for (size_t i = 0; i < n; i++) {
        PvTimeSum *sum = &build->sum_of_cell[build->touched.data[i]];
        sorted[i] = (SortedSum){sum->cell, *sum};
        *sum = (PvTimeSum){0};
    }
    pv_key_sort (build->sorted.data, n, 32, &build->scratch);
    for (size_t i = 0; i < n; i++)
        pv_array_push (&build->sums, sorted[i].sum);
    build->touched.len = 0;
    pv_array_push (&build->first_sum, (uint32_t)build->sums.len);
}

static void
begin_level (Build *build)
{
    build->sums = (SumArray){0};
    build->first_sum = (IdArray){0};
    pv_array_push (&build->first_sum, 0);
}

static void *
shrink (void *data, size_t n, size_t element_size)
{
    return pv_large_realloc (data, MAX (n, 1), element_size);
}

static void
end_level (Build *build)
{
    PvTimeLevel *level = &build->data->levels[build->data->n_levels++];
    level->n_nodes = (uint32_t)build->first_sum.len - 1;
    level->first_sum = shrink (build->first_sum.data, build->first_sum.len, sizeof (uint32_t));
    level->sums = shrink (build->sums.data, build->sums.len, sizeof (PvTimeSum));
}

static void
end_block (Build *build, uint32_t end, uint64_t latest_ns)
{
    end_node (build);
    pv_array_push (&build->first_of_block, end);
    if (build->data->filter.set->duration_ns != NULL)
        pv_array_push (&build->latest_of_block, latest_ns);
}

/* The lowest level. False when cancelled. */
static bool
read_samples (Build *build, PvJob *job)
{
    PvTimeIndexData *data = build->data;
    bool has_durations = data->filter.set->duration_ns != NULL;
    uint32_t end = data->end, block = data->first;
    uint64_t latest_ns = 0;
    begin_level (build);
    pv_array_push (&build->first_of_block, block);
    for (uint32_t i = data->first; i < end; i++) {
        uint64_t weight;
        uint32_t cell;
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
        if (i - block >= PV_TIME_MIN_BLOCK &&
            i - block >= PV_TIME_SAMPLES_PER_SUM * build->touched.len) {
            end_block (build, i, latest_ns);
            block = i;
            latest_ns = 0;
        }
        if (!pv_time_index_take (data, i, &weight, &cell))
            continue;
        if (weight > PV_TOTAL_MAX - data->index.weight) {
            data->end = end = i;
            break;
        }
        data->index.weight += weight;
        add (build, cell, weight, 1);
        if (build->rows.len > 0 && build->rows.data[cell >> 8].first_ns == UINT64_MAX)
            build->rows.data[cell >> 8].first_ns =
                pv_sample_set_time_ns (data->filter.set, i) - data->index.profile->start_ns;
        if (has_durations)
            latest_ns = MAX (latest_ns, pv_time_index_get_end (data, i));
    }
    if (end > block)
        end_block (build, end, latest_ns);
    return true;
}

/* A level of which each node is PV_TIME_FANOUT nodes of the last one. */
static void
add_level (Build *build)
{
    const PvTimeLevel *below = &build->data->levels[build->data->n_levels - 1];
    begin_level (build);
    for (uint32_t node = 0; node < below->n_nodes; node++) {
        for (uint32_t i = below->first_sum[node]; i < below->first_sum[node + 1]; i++)
            add (build, below->sums[i].cell, below->sums[i].weight, below->sums[i].n_samples);
        if ((node + 1) % PV_TIME_FANOUT == 0 || node + 1 == below->n_nodes)
            end_sorted_node (build);
    }
    end_level (build);
}

static void
take_blocks (Build *build)
{
    PvTimeIndexData *data = build->data;
    data->n_blocks = (uint32_t)build->first_of_block.len - 1;
    data->first_of_block =
        shrink (build->first_of_block.data, build->first_of_block.len, sizeof (uint32_t));
    if (data->filter.set->duration_ns != NULL)
        data->latest_of_block =
            shrink (build->latest_of_block.data, build->latest_of_block.len, sizeof (uint64_t));
}

/* The samples that have no time come first. */
static void
weigh_without_time (PvTimeIndexData *data)
{
    for (uint32_t i = 0; i < data->first; i++) {
        uint64_t weight;
        uint32_t cell;
        if (pv_time_index_take (data, i, &weight, &cell))
            data->index.weight_without_time +=
                MIN (weight, PV_TOTAL_MAX - data->index.weight_without_time);
    }
}

static void
find_span (PvTimeIndexData *data)
{
    const PvSampleSet *set = data->filter.set;
    uint64_t base_ns = data->index.profile->start_ns, end_ns = 0;
    if (data->first == data->end)
        return;
    end_ns = pv_sample_set_time_ns (set, data->end - 1);
    end_ns += end_ns < UINT64_MAX;
    for (uint32_t b = 0; data->latest_of_block != NULL && b < data->n_blocks; b++)
        end_ns = MAX (end_ns, data->latest_of_block[b]);
    data->index.start_ns = pv_sample_set_time_ns (set, data->first) - base_ns;
    data->index.end_ns = end_ns - base_ns;
}

/* is_ordered: rows have their numbers already. False when cancelled. */
static bool
fill (PvTimeIndexData *data, Build *build, bool is_ordered, PvJob *job)
{
    build->data = data;
    size_t n_cells = (is_ordered ? data->index.n_rows : build->rows.len) * data->index.n_classes;
    build->sum_of_cell = pv_new0_large (PvTimeSum, MAX (n_cells, 1));
    bool is_done = read_samples (build, job);
    if (is_done && !is_ordered)
        renumber_rows (build);
    end_level (build);
    take_blocks (build);
    while (is_done && data->levels[data->n_levels - 1].n_nodes >= LEVELS_END_BELOW &&
           data->n_levels < PV_TIME_MAX_LEVELS)
        add_level (build);
    weigh_without_time (data);
    find_span (data);
    g_free (build->sum_of_cell);
    pv_array_clear (&build->touched);
    pv_array_clear (&build->rows);
    pv_array_clear (&build->sorted);
    pv_array_clear (&build->scratch);
    return is_done;
}

/* The parts that do not depend on rows and classes. */
static PvTimeIndexData *
new_index (const PvCallTree *tree, PvTimeRowKind kind, uint32_t n_classes)
{
    PvTimeIndexData *data = g_new0 (PvTimeIndexData, 1);
    g_auto (PvQuery) query;
    data->index.ref_count = 1;
    data->index.profile = pv_profile_ref (tree->profile);
    data->index.measure = tree->query.measure;
    data->index.kind = kind;
    data->index.n_classes = n_classes;
    pv_query_copy (&query, &tree->query);
    query.start_ns = 0;
    query.end_ns = UINT64_MAX;
    pv_sample_filter_init (&data->filter, &query, tree->profile);
    data->first = pv_sample_set_find (data->filter.set, 1);
    data->end = data->filter.set->n_samples;
    return data;
}

PvTimeIndex *
pv_time_index_build (const PvCallTree *tree, PvTimeRowKind kind, const uint8_t *class_of_function,
                     uint32_t n_classes, PvJob *job)
{
    g_assert (tree != NULL && pv_time_index_can_build (tree->profile, tree->query.measure));
    g_assert (n_classes > 0 && n_classes <= PV_TIME_MAX_CLASSES);
    PvTimeIndexData *data = new_index (tree, kind, n_classes);
    g_autoptr (PvTimeIndex) index = &data->index;
    Build build = {.data = data};
    data->class_of_stack = pv_time_classes_by_leaf (tree, class_of_function, job);
    if (data->class_of_stack == NULL)
        return NULL;
    number_rows (&build, &tree->query);
    return fill (data, &build, false, job) ? g_steal_pointer (&index) : NULL;
}

bool
pv_time_index_light (const PvTimeIndexData *data, uint32_t sample, uint8_t *class)
{
    bool is_selected = *class != PV_LIT_MATCH, is_match = *class != PV_LIT_SELECTED;
    if (is_selected && data->groups != NULL)
        is_selected =
            pv_tree_groups_find_by_sample (data->groups, data->filter.set, sample) == data->group;
    *class = is_selected ? PV_LIT_SELECTED : PV_LIT_MATCH;
    return is_selected || is_match;
}

/* Takes the node's group, unless the classes of stacks already tell it. */
static void
take_group (PvTimeIndexData *data, const PvCallTree *tree, const PvTimeLight *light)
{
    if (!light->has_node || !light->has_group)
        return;
    data->symbols = pv_symbol_table_ref (tree->symbols);
    data->group = light->group;
    data->groups = pv_tree_groups_new (tree->profile, data->symbols, &tree->query);
    if (data->groups != NULL && pv_tree_groups_are_of_stacks (data->groups))
        g_clear_pointer (&data->groups, pv_tree_groups_free);
}

PvTimeIndex *
pv_time_index_build_lit (const PvTimeIndex *whole, const PvCallTree *tree, const PvTimeLight *light,
                         PvJob *job)
{
    g_assert (whole != NULL && tree != NULL && whole->profile == tree->profile && light != NULL);
    g_assert (whole->measure == tree->query.measure);
    const PvTimeIndexData *all = pv_time_index_data (whole);
    PvTimeIndexData *data =
        new_index (tree, whole->kind, light->search.text != NULL ? PV_LIT_MATCH + 1 : 1);
    g_autoptr (PvTimeIndex) index = &data->index;
    PvTimeRow *rows = g_memdup2 (whole->rows, whole->n_rows * sizeof *rows);
    for (uint32_t r = 0; r < whole->n_rows; r++)
        rows[r].weight = rows[r].n_samples = 0;
    data->index.rows = rows;
    data->index.n_rows = whole->n_rows;
    data->row_of_context =
        g_memdup2 (all->row_of_context, data->filter.set->n_contexts * sizeof (uint32_t));
    data->class_of_stack = pv_time_light_classify (light, tree, job);
    data->is_lit = true;
    take_group (data, tree, light);
    Build build = {0};
    if (data->class_of_stack == NULL || !fill (data, &build, true, job))
        return NULL;
    const PvTimeLevel *top = &data->levels[data->n_levels - 1];
    for (uint32_t i = 0; i < top->first_sum[top->n_nodes]; i++) {
        rows[top->sums[i].cell >> 8].weight += top->sums[i].weight;
        rows[top->sums[i].cell >> 8].n_samples += top->sums[i].n_samples;
    }
    return g_steal_pointer (&index);
}

PV_DEFINE_REF (pv_time_index_ref, PvTimeIndex, const PvTimeIndex)

void
pv_time_index_unref (PvTimeIndex *index)
{
    if (!pv_ref_was_last (index))
        return;
    PvTimeIndexData *data = (PvTimeIndexData *)index;
    for (uint32_t l = 0; l < data->n_levels; l++) {
        g_free (data->levels[l].first_sum);
        g_free (data->levels[l].sums);
    }
    g_free (data->first_of_block);
    g_free (data->latest_of_block);
    g_free (data->row_of_context);
    g_free (data->class_of_stack);
    pv_tree_groups_free (data->groups);
    pv_symbol_table_free (data->symbols);
    pv_sample_filter_clear (&data->filter);
    g_free ((PvTimeRow *)index->rows);
    pv_profile_free ((PvProfile *)index->profile);
    g_free (data);
}

size_t
pv_time_index_count_bytes (const PvTimeIndex *index)
{
    g_assert (index != NULL);
    const PvTimeIndexData *data = pv_time_index_data (index);
    size_t bytes = sizeof *data + index->n_rows * sizeof (PvTimeRow) +
                   data->filter.set->n_contexts * sizeof (uint32_t) + index->profile->n_stacks;
    bytes += (data->n_blocks + (size_t)1) * sizeof (uint32_t);
    bytes += data->latest_of_block != NULL ? data->n_blocks * sizeof (uint64_t) : 0;
    for (uint32_t l = 0; l < data->n_levels; l++) {
        const PvTimeLevel *level = &data->levels[l];
        bytes += (level->n_nodes + (size_t)1) * sizeof (uint32_t) +
                 level->first_sum[level->n_nodes] * sizeof (PvTimeSum);
    }
    return bytes;
}
