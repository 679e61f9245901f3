#include "core/analyze/tree-layout.h"

#include <string.h>

#include "core/analyze/key-sort.h"
#include "core/base/array.h"

enum { NODES_PER_CHECK = 1 << 14 };

/* The kept children of every raw node, side by side. */
typedef struct {
    uint64_t *total;
    uint32_t *first_child; /* n_raw + 1 */
    uint32_t *child;
    uint32_t n_kept; /* with the root */
} Kept;

static void
clear_kept (Kept *kept)
{
    g_free (kept->total);
    g_free (kept->first_child);
    g_free (kept->child);
}

static void
sum_and_prune (Kept *kept, const uint32_t *parent, const uint64_t *self, uint32_t n)
{
    uint64_t *total = kept->total = g_memdup2 (self, n * sizeof (uint64_t));
    uint32_t *first = kept->first_child = g_new0 (uint32_t, (size_t)n + 2);
    uint32_t *next = first + 1;
    kept->n_kept = 1;
    for (uint32_t i = n - 1; i > 0; i--) {
        if (total[i] == 0)
            continue;
        total[parent[i]] += total[i];
        next[parent[i]]++;
        kept->n_kept++;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t count = next[i];
        next[i] = sum;
        sum += count;
    }
    kept->child = g_new (uint32_t, kept->n_kept);
    for (uint32_t i = 1; i < n; i++) {
        if (total[i] > 0)
            kept->child[next[parent[i]]++] = i;
    }
}

static void
allocate (PvTreeLayout *layout, uint32_t n_nodes, uint32_t n_raw)
{
    *layout = (PvTreeLayout){
        .n_nodes = n_nodes,
        .raw_of_node = g_new (uint32_t, n_nodes),
        .node_of_raw = g_new (uint32_t, n_raw),
        .parent_of_node = g_new (uint32_t, n_nodes),
        .first_child = g_new (uint32_t, (size_t)n_nodes + 1),
        .self = g_new (uint64_t, n_nodes),
        .total = g_new (uint64_t, n_nodes),
        .left = g_new (uint64_t, n_nodes),
    };
    memset (layout->node_of_raw, 0xff, n_raw * sizeof (uint32_t));
}

static void
place_node (PvTreeLayout *layout, uint32_t node, uint32_t raw, uint32_t parent, uint64_t left,
            uint64_t self, uint64_t total)
{
    layout->raw_of_node[node] = raw;
    layout->node_of_raw[raw] = node;
    layout->parent_of_node[node] = parent;
    layout->left[node] = left;
    layout->self[node] = self;
    layout->total[node] = total;
}

/* Places the children of one node at next; returns the first free place behind them. */
static uint32_t
place_children (PvTreeLayout *layout, const Kept *kept, const uint64_t *self, uint32_t node,
                uint32_t next, PvKeyedArray *order, PvKeyedArray *scratch)
{
    uint32_t raw = layout->raw_of_node[node];
    uint32_t first = kept->first_child[raw], end = kept->first_child[raw + 1];
    uint64_t left = layout->left[node];
    if (end - first == 1) {
        uint32_t child = kept->child[first];
        place_node (layout, next, child, node, left, self[child], kept->total[child]);
        return next + 1;
    }
    order->len = 0;
    pv_array_reserve (order, end - first);
    for (uint32_t c = first; c < end; c++)
        order->data[order->len++] = (PvKeyed){~kept->total[kept->child[c]], {kept->child[c], 0}};
    pv_key_sort (order->data, order->len, 64, scratch);
    for (size_t i = 0; i < order->len; i++) {
        uint32_t child = (uint32_t)order->data[i].data[0];
        uint64_t total = ~order->data[i].key;
        place_node (layout, next++, child, node, left, self[child], total);
        left += total;
    }
    return next;
}

bool
pv_tree_layout_build (PvTreeLayout *ret_layout, const uint32_t *parent_of_raw,
                      const uint64_t *self_of_raw, uint32_t n_raw, PvJob *job, GError **error)
{
    Kept kept = {0};
    sum_and_prune (&kept, parent_of_raw, self_of_raw, n_raw);
    PvTreeLayout layout;
    allocate (&layout, kept.n_kept, n_raw);
    PvKeyedArray order = {0}, scratch = {0};
    PV_ARRAY (uint32_t) level_start = {0};
    pv_array_push (&level_start, 0);
    place_node (&layout, 0, 0, UINT32_MAX, 0, self_of_raw[0], kept.total[0]);
    uint32_t next = 1, level_end = 1;
    bool is_cancelled = false;
    for (uint32_t node = 0; node < layout.n_nodes && !is_cancelled; node++) {
        if (node == level_end) {
            pv_array_push (&level_start, node);
            level_end = next;
        }
        layout.first_child[node] = next;
        next = place_children (&layout, &kept, self_of_raw, node, next, &order, &scratch);
        if (node % NODES_PER_CHECK == 0)
            is_cancelled = !pv_job_check (job, error);
    }
    layout.first_child[layout.n_nodes] = next;
    layout.n_levels = (uint32_t)level_start.len;
    pv_array_push (&level_start, layout.n_nodes);
    layout.level_start = pv_array_steal (&level_start);
    pv_array_clear (&order);
    pv_array_clear (&scratch);
    clear_kept (&kept);
    if (is_cancelled) {
        pv_tree_layout_clear (&layout);
        return false;
    }
    *ret_layout = layout;
    return true;
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
