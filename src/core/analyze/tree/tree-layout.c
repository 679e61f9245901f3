/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/tree-layout.h"

#include <string.h>

#include "core/analyze/query/key-sort.h"
#include "core/base/array.h"
#include "core/base/large.h"

enum { NODES_PER_CHUNK = 1 << 12, PREFETCH_AHEAD = 8 };

/* The data of a raw node that is accessed at random, kept together. */
typedef struct {
    uint64_t total;
    uint32_t first_child; /* the first kept one */
    uint32_t n_children;  /* only kept ones */
} RawNode;

typedef struct {
    PvKeyedArray order;
    PvKeyedArray scratch;
} Sorter;

typedef struct {
    PvTreeLayout layout;
    const uint64_t *self_of_raw;
    RawNode *raw;
    Sorter *sorter_of_worker;
    PvJob *job;
    /* The level whose children are being placed, and the start of each chunk's children. Until its
     * children are placed, a node's first_child is their number. */
    uint32_t level_start;
    uint32_t level_end;
    PV_ARRAY (uint32_t) first_of_chunk;
} Layout;

static uint32_t
sum_and_prune (RawNode *raw, const uint32_t *parent, const uint64_t *self, uint32_t n)
{
    uint32_t n_kept = 1;
    for (uint32_t i = 0; i < n; i++)
        raw[i] = (RawNode){.total = self[i]};
    for (uint32_t i = n - 1; i > 0; i--) {
        if (raw[i].total == 0)
            continue;
        RawNode *above = &raw[parent[i]];
        above->total += raw[i].total;
        above->first_child = i;
        above->n_children++;
        n_kept++;
    }
    return n_kept;
}

static void
allocate (PvTreeLayout *layout, uint32_t n_nodes, uint32_t n_raw)
{
    *layout = (PvTreeLayout){
        .n_nodes = n_nodes,
        .raw_of_node = pv_new_large (uint32_t, n_nodes),
        .node_of_raw = pv_new_large (uint32_t, n_raw),
        .parent_of_node = pv_new_large (uint32_t, n_nodes),
        .first_child = pv_new_large (uint32_t, (size_t)n_nodes + 1),
        .self = pv_new_large (uint64_t, n_nodes),
        .total = pv_new_large (uint64_t, n_nodes),
        .left = pv_new_large (uint64_t, n_nodes),
    };
    memset (layout->node_of_raw, 0xff, n_raw * sizeof (uint32_t));
}

static inline void
place_node (Layout *self, uint32_t node, uint32_t raw, uint32_t parent, uint64_t left)
{
    PvTreeLayout *layout = &self->layout;
    layout->raw_of_node[node] = raw;
    layout->node_of_raw[raw] = node;
    layout->parent_of_node[node] = parent;
    layout->first_child[node] = self->raw[raw].n_children;
    layout->left[node] = left;
    layout->self[node] = self->self_of_raw[raw];
    layout->total[node] = self->raw[raw].total;
}

/* Puts the children of one node at next; returns the first free position after them. */
static uint32_t
place_children (Layout *self, Sorter *sorter, uint32_t node, uint32_t next)
{
    RawNode raw = self->raw[self->layout.raw_of_node[node]];
    uint64_t left = self->layout.left[node];
    if (raw.n_children == 0)
        return next;
    if (raw.n_children == 1) {
        place_node (self, next, raw.first_child, node, left);
        return next + 1;
    }
    PvKeyedArray *order = &sorter->order;
    order->len = 0;
    pv_array_reserve (order, raw.n_children);
    for (uint32_t child = raw.first_child; order->len < raw.n_children; child++) {
        uint64_t total = self->raw[child].total;
        if (total > 0)
            order->data[order->len++] = (PvKeyed){~total, {child, 0}};
    }
    pv_key_sort (order->data, order->len, 64, &sorter->scratch);
    for (size_t i = 0; i < order->len; i++) {
        place_node (self, next++, (uint32_t)order->data[i].data[0], node, left);
        left += ~order->data[i].key;
    }
    return next;
}

static void
place_chunk (void *data, size_t item, unsigned worker)
{
    Layout *self = data;
    const uint32_t *raw_of_node = self->layout.raw_of_node;
    uint32_t first = self->level_start + (uint32_t)item * NODES_PER_CHUNK;
    uint32_t end = MIN (first + NODES_PER_CHUNK, self->level_end);
    uint32_t next = self->first_of_chunk.data[item];
    if (pv_job_is_cancelled (self->job))
        return;
    for (uint32_t node = first; node < end; node++) {
        if (node + 2 * PREFETCH_AHEAD < end) {
            __builtin_prefetch (&self->raw[raw_of_node[node + 2 * PREFETCH_AHEAD]]);
            __builtin_prefetch (
                &self->raw[self->raw[raw_of_node[node + PREFETCH_AHEAD]].first_child]);
        }
        uint32_t end_of_children =
            place_children (self, &self->sorter_of_worker[worker], node, next);
        self->layout.first_child[node] = next;
        next = end_of_children;
    }
}

/* Finds the start of the children of each chunk of the level. Returns their end. */
static uint32_t
share_out_level (Layout *self)
{
    uint32_t next = self->level_end;
    self->first_of_chunk.len = 0;
    for (uint32_t node = self->level_start; node < self->level_end; node++) {
        if ((node - self->level_start) % NODES_PER_CHUNK == 0)
            pv_array_push (&self->first_of_chunk, next);
        next += self->layout.first_child[node];
    }
    return next;
}

static bool
place_levels (Layout *self, PvPool *pool, GError **error)
{
    PV_ARRAY (uint32_t) level_start = {0};
    self->sorter_of_worker = g_new0 (Sorter, pv_pool_get_size (pool));
    place_node (self, 0, 0, UINT32_MAX, 0);
    self->level_end = 1;
    bool is_cancelled = false;
    while (self->level_start < self->level_end && !is_cancelled) {
        pv_array_push (&level_start, self->level_start);
        uint32_t next = share_out_level (self);
        pv_pool_run (pool, self->first_of_chunk.len, place_chunk, self);
        self->level_start = self->level_end;
        self->level_end = next;
        is_cancelled = pv_job_is_cancelled (self->job);
    }
    self->layout.first_child[self->layout.n_nodes] = self->layout.n_nodes;
    self->layout.n_levels = (uint32_t)level_start.len;
    pv_array_push (&level_start, self->layout.n_nodes);
    self->layout.level_start = pv_array_steal (&level_start);
    for (unsigned w = 0; w < pv_pool_get_size (pool); w++) {
        pv_array_clear (&self->sorter_of_worker[w].order);
        pv_array_clear (&self->sorter_of_worker[w].scratch);
    }
    g_free (self->sorter_of_worker);
    pv_array_clear (&self->first_of_chunk);
    return pv_job_check (self->job, error);
}

bool
pv_tree_layout_build (PvTreeLayout *ret_layout, const uint32_t *parent_of_raw,
                      const uint64_t *self_of_raw, uint32_t n_raw, PvPool *pool, PvJob *job,
                      GError **error)
{
    g_assert (n_raw > 0);
    Layout self = {.self_of_raw = self_of_raw, .job = job};
    self.raw = pv_new_large (RawNode, n_raw);
    uint32_t n_kept = sum_and_prune (self.raw, parent_of_raw, self_of_raw, n_raw);
    allocate (&self.layout, n_kept, n_raw);
    bool is_done = place_levels (&self, pool, error);
    g_free (self.raw);
    if (is_done)
        *ret_layout = self.layout;
    else
        pv_tree_layout_clear (&self.layout);
    return is_done;
}

void
pv_tree_layout_clear (PvTreeLayout *layout)
{
    g_free (layout->raw_of_node);
    g_free (layout->node_of_raw);
    g_free (layout->parent_of_node);
    g_free (layout->first_child);
    g_free (layout->self);
    g_free (layout->total);
    g_free (layout->left);
    g_free (layout->level_start);
    *layout = (PvTreeLayout){0};
}
