/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes become stacks, and samples intervals: each lasts to the next one, the last has no length.
 * Idle time is a measure of its own, as no code took it.
 */
#include "core/read/v8/v8-samples.h"

#include <math.h>
#include <string.h>

#include "core/base/path.h"
#include "core/read/text/text.h"

#define MAX_US        ((double)(INT64_MAX / 4000))
#define NS_PER_US     1000
#define US_PER_SECOND 1e6

enum { STEPS_PER_CHECK = 4096, MAX_EVENTS = 64 };

void
v8_samples_clear (V8Samples *self)
{
    g_assert (self != NULL);
    pv_hash_map_clear (&self->modules);
    pv_hash_map_clear (&self->locations);
}

/* --- functions --- */

/* The path of a file:// address, or the address itself; free with g_free (). */
static char *
get_path (const char *url)
{
    static const char scheme[] = "file://";
    if (!g_str_has_prefix (url, scheme))
        return g_strdup (url);
    char *path = g_uri_unescape_string (url + strlen (scheme), NULL);
    return path != NULL ? path : g_strdup (url + strlen (scheme));
}

static PvModuleId
get_module (V8Samples *self, const char *path)
{
    uint32_t *slot = pv_hash_map_slot (&self->modules, pv_hash_bytes (path, strlen (path), 0));
    if (*slot == 0) {
        bool is_native = *path == '\0';
        PvModule module = {
            .path = path,
            .name = is_native                          ? "[V8]"
                    : g_str_has_prefix (path, "node:") ? path
                                                       : NULL,
            .kind = is_native ? PV_MODULE_JIT : PV_MODULE_FILE,
            .address_kind = PV_ADDRESS_ORDINAL,
        };
        *slot = pv_profile_builder_add_module (self->builder, &module);
    }
    return *slot;
}

static bool
is_anonymous (const V8Node *node)
{
    return node->name == NULL || *node->name == '\0' ||
           strcmp (node->name, "(anonymous function)") == 0 ||
           strcmp (node->name, "(anonymous)") == 0;
}

/* "(anonymous) work.js:12" */
static char *
make_name (const V8Node *node, const char *path)
{
    if (!is_anonymous (node))
        return g_strdup (node->name);
    const char *base = pv_path_get_base (path);
    if (*base == '\0')
        return g_strdup ("(anonymous)");
    if (node->line <= 0)
        return g_strdup_printf ("(anonymous) %s", base);
    if (node->column > 0)
        return g_strdup_printf ("(anonymous) %s:%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, base,
                                node->line, node->column);
    return g_strdup_printf ("(anonymous) %s:%" G_GINT64_FORMAT, base, node->line);
}

static PvLocationId
add_location (V8Samples *self, const V8Node *node)
{
    g_autofree char *path = get_path (node->url != NULL ? node->url : "");
    g_autofree char *name = make_name (node, path);
    PvLocationId location = pv_profile_builder_add_location (self->builder, get_module (self, path),
                                                             self->ordinal++, PV_LOCATION_NAMED);
    PvGivenFrame frame = {
        .name = pv_profile_builder_string (self->builder, name),
        .file = *path != '\0' ? pv_profile_builder_string (self->builder, path) : NULL,
        .start_line = (uint32_t)CLAMP (node->line, 0, UINT32_MAX),
    };
    pv_profile_builder_give_frames (self->builder, location, &frame, 1);
    return location;
}

/* Functions are the same by name, url, line and column. Equal strings are the same pointer. */
static PvLocationId
get_location (V8Samples *self, const V8Node *node)
{
    const uint64_t key[] = {(uintptr_t)node->name, (uintptr_t)node->url, (uint64_t)node->line,
                            (uint64_t)node->column};
    uint32_t *slot = pv_hash_map_slot (&self->locations, pv_hash_bytes (key, sizeof key, 0));
    if (*slot == 0)
        *slot = add_location (self, node);
    return *slot;
}

/* --- the tree --- */

/* Rows of nodes, + 1; 0: none. */
typedef struct {
    const V8Data *data;
    PvIdMap row_of_id;
    uint32_t *parent_of_row;
    PvStackId *stack_of_row;
    uint8_t *state_of_row;
} Tree;

enum { NEW, ON_THE_WAY, DONE };

static bool
is_called (const V8Node *node, const char *name)
{
    return node->name != NULL && strcmp (node->name, name) == 0 &&
           (node->url == NULL || *node->url == '\0');
}

static void
find_parents (Tree *tree)
{
    const V8Data *data = tree->data;
    for (uint32_t r = 1; r <= data->nodes.len; r++) {
        if (data->nodes.data[r - 1].id == 0)
            continue;
        uint32_t *slot = pv_id_map_slot (&tree->row_of_id, data->nodes.data[r - 1].id);
        if (*slot == 0)
            *slot = r;
    }
    for (uint32_t r = 1; r <= data->nodes.len; r++) {
        const V8Node *node = &data->nodes.data[r - 1];
        tree->parent_of_row[r] = node->parent_row;
        if (node->parent_row == 0 && node->parent != 0)
            tree->parent_of_row[r] = pv_id_map_find (&tree->row_of_id, node->parent);
    }
    for (size_t i = 0; i < data->links.len; i++) {
        const V8Link *link = &data->links.data[i];
        uint32_t child = pv_id_map_find (&tree->row_of_id, link->child);
        if (child != 0 && tree->parent_of_row[child] == 0)
            tree->parent_of_row[child] = pv_id_map_find (&tree->row_of_id, link->parent);
    }
}

/* Makes the stack of a row after those that it is in; where rows are in one another, the first of
 * them is in none. */
static void
make_stack (V8Samples *self, Tree *tree, uint32_t row)
{
    PV_ARRAY (uint32_t) way = {0};
    for (uint32_t r = row; r != 0 && tree->state_of_row[r] == NEW; r = tree->parent_of_row[r]) {
        tree->state_of_row[r] = ON_THE_WAY;
        pv_array_push (&way, r);
    }
    while (way.len > 0) {
        uint32_t r = way.data[--way.len], parent = tree->parent_of_row[r];
        const V8Node *node = &tree->data->nodes.data[r - 1];
        bool is_in_stack = parent != 0 && tree->state_of_row[parent] == DONE;
        PvStackId below = is_in_stack ? tree->stack_of_row[parent] : 0;
        bool is_root = below == 0 && is_called (node, "(root)");
        tree->stack_of_row[r] =
            is_root ? 0
                    : pv_profile_builder_stack (self->builder, below, get_location (self, node));
        tree->state_of_row[r] = DONE;
    }
    pv_array_clear (&way);
}

static void
make_tree (V8Samples *self, Tree *tree, const V8Data *data)
{
    size_t n_rows = data->nodes.len + 1;
    *tree = (Tree){.data = data};
    tree->parent_of_row = g_new0 (uint32_t, n_rows);
    tree->stack_of_row = g_new0 (PvStackId, n_rows);
    tree->state_of_row = g_new0 (uint8_t, n_rows);
    find_parents (tree);
    for (uint32_t r = 1; r < n_rows; r++)
        make_stack (self, tree, r);
}

static void
clear_tree (Tree *tree)
{
    pv_id_map_clear (&tree->row_of_id);
    g_free (tree->parent_of_row);
    g_free (tree->stack_of_row);
    g_free (tree->state_of_row);
}

/* --- measures --- */

static uint32_t
add_set (V8Samples *self, uint32_t *set, const char *name, PvUnit unit, bool has_times)
{
    if (*set == 0) {
        *set = 1 + pv_profile_builder_add_set (self->builder, name, has_times);
        pv_profile_builder_add_measure (self->builder, *set - 1, name, unit, PV_AGGREGATION_SUM);
    }
    return *set - 1;
}

static const V8Node unknown_node = {.name = "(unknown)"};

/* The stack of a row; 0: the node is not in the file. */
static PvStackId
get_stack (V8Samples *self, const Tree *tree, uint32_t row)
{
    self->n_unknown += row == 0;
    return row != 0
               ? tree->stack_of_row[row]
               : pv_profile_builder_stack (self->builder, 0, get_location (self, &unknown_node));
}

static void
add_one (V8Samples *self, PvThreadId thread, const Tree *tree, uint32_t row, double from_us,
         double to_us)
{
    const V8Node *node = row != 0 ? &tree->data->nodes.data[row - 1] : &unknown_node;
    bool is_idle = is_called (node, "(idle)");
    uint64_t start_ns = (uint64_t)llround (from_us * NS_PER_US);
    uint64_t weight = (uint64_t)llround (to_us * NS_PER_US) - start_ns;
    uint32_t set = is_idle ? add_set (self, &self->idle_set, "idle", PV_UNIT_NS, true)
                           : add_set (self, &self->time_set, "time", PV_UNIT_NS, true);
    PvNewSample sample = {
        .time_ns = start_ns + 1, /* 0 would be no time */
        .duration_ns = weight,
        .thread = thread,
        .stack = get_stack (self, tree, row),
        .cpu = PV_CPU_UNKNOWN,
        .stack_end = PV_STACK_END_ROOT,
    };
    pv_profile_builder_add_sample (self->builder, set, &sample, &weight);
}

/* --- times --- */

typedef struct {
    double at_us;
    uint32_t row, order;
} Moment;

static int
compare_moments (const void *a, const void *b)
{
    const Moment *left = a, *right = b;
    return pv_order (left->at_us, right->at_us) ?: pv_order (left->order, right->order);
}

static double
get_end_us (const V8Data *data)
{
    return data->end * (data->is_old ? US_PER_SECOND : 1);
}

static double
get_start_us (const V8Data *data)
{
    double start = isfinite (data->start) ? data->start : 0;
    return start * (data->is_old ? US_PER_SECOND : 1);
}

/* Puts moments to samples; returns how many, which is one more if the end of the last is known. */
static size_t
find_moments (const V8Data *data, Moment *moments)
{
    size_t n = data->samples.len;
    double start = get_start_us (data), span = get_end_us (data) - start, at = start;
    bool has_deltas = data->deltas.len > 0, has_stamps = data->timestamps.len > 0;
    size_t n_times = has_stamps ? data->timestamps.len : data->deltas.len;
    if (!has_deltas && !has_stamps && !(span > 0))
        span = (double)n * US_PER_SECOND / 1000;
    if (has_deltas || has_stamps)
        n = MIN (n + 1, n_times);
    for (size_t i = 0; i < n; i++) {
        if (has_stamps)
            at = data->timestamps.data[i];
        else if (has_deltas)
            at += data->deltas.data[i];
        else
            at = start + span * (double)i / (double)n;
        moments[i] =
            (Moment){.at_us = CLAMP (isfinite (at) ? at : 0, 0, MAX_US), .order = (uint32_t)i};
    }
    if (!has_deltas && !has_stamps && n > 0)
        moments[n] = (Moment){.at_us = CLAMP (start + span, 0, MAX_US), .order = (uint32_t)n};
    return has_deltas || has_stamps || n == 0 ? n : n + 1;
}

static void
add_samples (V8Samples *self, const V8Data *data, const Tree *tree, PvThreadId thread)
{
    g_autofree Moment *moments = g_new0 (Moment, data->samples.len + 1);
    size_t n = find_moments (data, moments), n_samples = MIN (n, data->samples.len);
    bool is_sorted = true;
    for (size_t i = 0; i < n_samples; i++)
        moments[i].row = pv_id_map_find (&tree->row_of_id, data->samples.data[i]);
    for (size_t i = 1; i < n; i++) {
        is_sorted = is_sorted && moments[i].at_us >= moments[i - 1].at_us;
        self->n_disordered += moments[i].at_us < moments[i - 1].at_us;
    }
    if (!is_sorted)
        qsort (moments, n, sizeof *moments, compare_moments);
    for (size_t i = 0; i < n; i++) {
        if (i % STEPS_PER_CHECK == 0 && pv_job_is_cancelled (self->context->job))
            return;
        double end_us = i + 1 < n ? moments[i + 1].at_us : moments[i].at_us;
        if (moments[i].order < n_samples)
            add_one (self, thread, tree, moments[i].row, moments[i].at_us, end_us);
    }
}

/* Without samples the hits of nodes divide the time. */
static void
add_hits (V8Samples *self, const V8Data *data, const Tree *tree, PvThreadId thread)
{
    double span = get_end_us (data) - get_start_us (data), n_hits = 0, sum = 0;
    for (size_t i = 0; i < data->nodes.len; i++)
        n_hits += (double)data->nodes.data[i].n_hits;
    if (!(span > 0) || span > MAX_US)
        span = n_hits * US_PER_SECOND / 1000;
    span = MIN (span, MAX_US);
    self->is_without_samples = true;
    for (uint32_t r = 1; r <= data->nodes.len; r++) {
        const V8Node *node = &data->nodes.data[r - 1];
        double before = sum;
        sum += (double)node->n_hits;
        uint64_t weight = (uint64_t)llround (span * NS_PER_US * sum / n_hits) -
                          (uint64_t)llround (span * NS_PER_US * before / n_hits);
        uint32_t set = is_called (node, "(idle)")
                           ? add_set (self, &self->idle_set, "idle", PV_UNIT_NS, true)
                           : add_set (self, &self->time_set, "time", PV_UNIT_NS, true);
        PvNewSample sample = {.thread = thread,
                              .stack = tree->stack_of_row[r],
                              .cpu = PV_CPU_UNKNOWN,
                              .stack_end = PV_STACK_END_ROOT};
        if (node->n_hits > 0)
            pv_profile_builder_add_sample (self->builder, set, &sample, &weight);
    }
}

static void
add_sizes (V8Samples *self, const V8Data *data, const Tree *tree)
{
    uint32_t set = add_set (self, &self->space_set, "space", PV_UNIT_BYTES, false);
    for (uint32_t r = 1; r <= data->nodes.len; r++) {
        uint64_t weight = MIN (data->nodes.data[r - 1].self_bytes, INT64_MAX / 4);
        PvNewSample sample = {
            .stack = tree->stack_of_row[r], .cpu = PV_CPU_UNKNOWN, .stack_end = PV_STACK_END_ROOT};
        if (weight > 0)
            pv_profile_builder_add_sample (self->builder, set, &sample, &weight);
    }
}

void
v8_samples_add (V8Samples *self, const V8Data *data, PvThreadId thread)
{
    g_assert (self != NULL && data != NULL);
    Tree tree;
    make_tree (self, &tree, data);
    if (!data->has_sizes) /* first of all, and not what is idle */
        pv_profile_builder_hide_empty_set (
            self->builder, add_set (self, &self->time_set, "time", PV_UNIT_NS, true));
    if (data->has_sizes)
        add_sizes (self, data, &tree);
    else if (data->samples.len > 0)
        add_samples (self, data, &tree, thread);
    else if (data->has_hits)
        add_hits (self, data, &tree, thread);
    clear_tree (&tree);
}

/* "name(URL:LINE:COLUMN)" */
static void
split_name (V8Samples *self, V8Node *node)
{
    PvText name = pv_text_of (node->name != NULL ? node->name : ""), inside = name;
    const char *open = pv_text_find_char (name, '(');
    uint64_t numbers[2];
    if (open == NULL || name.end[-1] != ')')
        return;
    inside = (PvText){open + 1, name.end - 1};
    for (unsigned i = 0; i < G_N_ELEMENTS (numbers); i++) {
        const char *colon = pv_text_find_last (inside, ':');
        if (colon == NULL || !pv_text_parse_number ((PvText){colon + 1, inside.end}, &numbers[i]) ||
            numbers[i] > UINT32_MAX)
            return;
        inside.end = colon;
    }
    node->name = pv_text_keep ((PvText){name.at, open}, self->builder);
    node->url = pv_text_keep (inside, self->builder);
    node->column = (int64_t)numbers[0];
    node->line = (int64_t)numbers[1];
}

static bool
has_several_events (const V8Data *data)
{
    for (size_t i = 1; i < data->counted.len; i++)
        if (g_strcmp0 (data->counted.data[i].name, data->counted.data[0].name) != 0)
            return true;
    return false;
}

/* The set of an event's samples, whose weights do not add up with those of others; those of too
 * many are together. */
static uint32_t
get_counted_set (V8Samples *self, PvIdMap *set_of_name, const char *name)
{
    bool has_name = name != NULL && *name != '\0';
    if (!has_name ||
        (set_of_name->len >= MAX_EVENTS && pv_id_map_find (set_of_name, (uintptr_t)name) == 0))
        return add_set (self, &self->count_set, "samples", PV_UNIT_COUNT, false);
    return add_set (self, pv_id_map_slot (set_of_name, (uintptr_t)name), name, PV_UNIT_COUNT,
                    false);
}

void
v8_samples_add_counted (V8Samples *self, const V8Data *data, const PvThreadId *threads)
{
    g_assert (self != NULL && data != NULL);
    Tree tree;
    for (size_t i = 0; i < data->nodes.len; i++)
        split_name (self, &data->nodes.data[i]);
    make_tree (self, &tree, data);
    PvIdMap set_of_name = {0};
    bool has_events = has_several_events (data);
    for (size_t i = 0; i < data->counted.len; i++) {
        const V8Counted *counted = &data->counted.data[i];
        uint32_t set = get_counted_set (self, &set_of_name, has_events ? counted->name : NULL);
        double us = CLAMP (isfinite (counted->ts) ? counted->ts : 0, 0, MAX_US);
        uint64_t weight =
            counted->weight > 0 ? (uint64_t)llround (MIN (counted->weight, MAX_US)) : 0;
        if (i % STEPS_PER_CHECK == 0 && pv_job_is_cancelled (self->context->job))
            break;
        PvNewSample sample = {
            .time_ns = (uint64_t)llround (us * NS_PER_US) + 1, /* 0 would be no time */
            .thread = threads[i],
            .stack = get_stack (self, &tree, pv_id_map_find (&tree.row_of_id, counted->node)),
            .cpu = PV_CPU_UNKNOWN,
            .stack_end = PV_STACK_END_ROOT,
        };
        pv_profile_builder_add_sample (self->builder, set, &sample, &weight);
    }
    pv_id_map_clear (&set_of_name);
    clear_tree (&tree);
}
