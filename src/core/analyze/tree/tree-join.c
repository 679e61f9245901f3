/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/tree/tree-join.h"

#include <string.h>

#include "core/analyze/tree/call-tree-private.h"

struct PvTreeJoin {
    PvCallTree *from;
    PvCallTree *to;
    /* Functions of `to`: the first with each full name, and the next with the same name. */
    GHashTable *function_of_name;
    PvFunctionId *next_of_function;
    /* Nodes of `to` by function: those of f are [first[f], first[f + 1]). */
    uint32_t *first_node_of_function;
    PvNodeId *nodes;
    GHashTable *known; /* node of `from` + 1 -> node of `to` */
};

static void
index_names (PvTreeJoin *join)
{
    const PvSymbolTable *symbols = join->to->symbols;

    join->function_of_name = g_hash_table_new (g_str_hash, g_str_equal);
    join->next_of_function = g_new0 (PvFunctionId, symbols->n_functions);
    for (PvFunctionId f = symbols->n_functions - 1; f > 0; f--) {
        char *name = (char *)symbols->functions[f].name;
        join->next_of_function[f] =
            GPOINTER_TO_UINT (g_hash_table_lookup (join->function_of_name, name));
        g_hash_table_insert (join->function_of_name, name, GUINT_TO_POINTER (f));
    }
}

static void
index_nodes (PvTreeJoin *join)
{
    const PvCallTree *to = join->to;
    uint32_t n_functions = to->symbols->n_functions;
    uint32_t *first = join->first_node_of_function = g_new0 (uint32_t, n_functions + 1);

    for (PvNodeId n = 0; n < to->n_nodes; n++)
        first[to->function_of_node[n]]++;
    for (uint32_t f = 1; f <= n_functions; f++)
        first[f] += first[f - 1];
    /* Filled from the back, so that first[f] becomes the start of f's nodes. */
    join->nodes = g_new (PvNodeId, to->n_nodes);
    for (PvNodeId n = to->n_nodes; n-- > 0;)
        join->nodes[--first[to->function_of_node[n]]] = n;
}

PvTreeJoin *
pv_tree_join_new (const PvCallTree *from, const PvCallTree *to)
{
    g_assert (from != NULL && to != NULL);
    PvTreeJoin *join = g_new0 (PvTreeJoin, 1);

    join->from = pv_call_tree_ref (from);
    join->to = pv_call_tree_ref (to);
    join->known = g_hash_table_new (NULL, NULL);
    index_names (join);
    index_nodes (join);
    return join;
}

void
pv_tree_join_free (PvTreeJoin *join)
{
    g_hash_table_unref (join->function_of_name);
    g_hash_table_unref (join->known);
    g_free (join->next_of_function);
    g_free (join->first_node_of_function);
    g_free (join->nodes);
    pv_call_tree_free (join->from);
    pv_call_tree_free (join->to);
    g_free (join);
}

static bool
is_same_module (const PvTreeJoin *join, PvModuleId from, PvModuleId to)
{
    const PvModule *a = &join->from->profile->modules[from], *b = &join->to->profile->modules[to];
    return a->kind == b->kind && a->pid == b->pid && strcmp (a->name, b->name) == 0;
}

static PvFunctionId
find_by_name (const PvTreeJoin *join, PvFunctionId function)
{
    const PvFunction *wanted = &join->from->symbols->functions[function];
    PvFunctionId f = GPOINTER_TO_UINT (g_hash_table_lookup (join->function_of_name, wanted->name));

    while (f != 0 && !is_same_module (join, wanted->module, join->to->symbols->functions[f].module))
        f = join->next_of_function[f];
    return f;
}

static PvLocationId
find_location (const PvTreeJoin *join, PvLocationId wanted)
{
    const PvProfile *from = join->from->profile, *to = join->to->profile;

    if (from == to)
        return wanted;
    for (PvLocationId l = 1; l < to->n_locations; l++) {
        if (to->address_of_location[l] == from->address_of_location[wanted] &&
            to->kind_of_location[l] == from->kind_of_location[wanted] &&
            is_same_module (join, from->module_of_location[wanted], to->module_of_location[l]))
            return l;
    }
    return 0;
}

/* The physical function at the node's location, whatever is inlined there. */
static PvFunctionId
find_by_location (const PvTreeJoin *join, PvNodeId node)
{
    PvLocationId location = join->from->location_of_node[node];
    uint32_t n_frames;

    if (location != 0)
        location = find_location (join, location);
    if (location == 0 || location >= join->to->symbols->n_locations)
        return 0;
    const PvFrame *frames = pv_symbol_table_frames (join->to->symbols, location, &n_frames);
    return n_frames > 0 ? frames[n_frames - 1].function : 0;
}

/* Named functions match by name first, others by address first. */
static PvFunctionId
find_function (const PvTreeJoin *join, PvNodeId node)
{
    PvFunctionId function = join->from->function_of_node[node];
    bool is_named = join->from->symbols->functions[function].kind == PV_FUNCTION_NAMED;
    PvFunctionId found = is_named ? find_by_name (join, function) : find_by_location (join, node);

    if (found != 0)
        return found;
    return is_named ? find_by_location (join, node) : find_by_name (join, function);
}

PvFunctionId
pv_tree_join_function (PvTreeJoin *join, PvFunctionId function)
{
    const PvCallTree *from = join->from;

    if (function == 0 || function >= from->symbols->n_functions)
        return 0;
    for (PvNodeId n = 1; n < from->n_nodes; n++) {
        if (from->function_of_node[n] == function)
            return find_function (join, n);
    }
    return find_by_name (join, function);
}

/* Finds a group of the first level by name. */
static PvNodeId
find_group (const PvTreeJoin *join, PvNodeId node)
{
    const char *name = pv_call_tree_get_name (join->from, node);
    PvNodeId end = join->to->first_child[1];

    for (PvNodeId n = join->to->first_child[0]; n < end; n++) {
        if (pv_call_tree_is_group (join->to, n) &&
            strcmp (pv_call_tree_get_name (join->to, n), name) == 0)
            return n;
    }
    return 0;
}

/* Counts the steps outwards from candidate that match the functions of way; way[0] is its own. */
static unsigned
count_steps (const PvCallTree *to, PvNodeId candidate, const PvFunctionId *way, unsigned n_way)
{
    unsigned n = 0;

    for (; n < n_way && candidate != 0; candidate = to->parent_of_node[candidate], n++) {
        if (to->function_of_node[candidate] != way[n])
            return n;
    }
    /* Reaching both roots is better than a path that goes on. */
    return n == n_way && candidate == 0 ? n + 1 : n;
}

static PvNodeId
find_on_way (const PvTreeJoin *join, const PvFunctionId *way, unsigned n_way)
{
    const PvCallTree *to = join->to;
    PvNodeId best = 0;
    unsigned best_steps = 0;

    if (way[0] == 0)
        return 0;
    for (uint32_t i = join->first_node_of_function[way[0]];
         i < join->first_node_of_function[way[0] + 1]; i++) {
        PvNodeId candidate = join->nodes[i];
        unsigned steps = count_steps (to, candidate, way, n_way);
        if (steps > best_steps || (steps == best_steps && to->total[candidate] > to->total[best])) {
            best = candidate;
            best_steps = steps;
        }
    }
    return best;
}

static PvNodeId
find_node (const PvTreeJoin *join, PvNodeId node)
{
    g_autoptr (GArray) way = g_array_new (false, false, sizeof (PvFunctionId));
    PvNodeId n, found = 0;

    for (n = node; n != 0 && !pv_call_tree_is_group (join->from, n);
         n = join->from->parent_of_node[n]) {
        PvFunctionId function = find_function (join, n);
        g_array_append_val (way, function);
    }
    for (unsigned i = 0; i < way->len && found == 0; i++)
        found = find_on_way (join, &g_array_index (way, PvFunctionId, i), way->len - i);
    return found != 0 || n == 0 ? found : find_group (join, n);
}

PvNodeId
pv_tree_join_node (PvTreeJoin *join, PvNodeId node)
{
    gpointer key = GUINT_TO_POINTER (node + 1);
    gpointer known;

    if (node == 0 || node >= join->from->n_nodes ||
        join->from->query.is_inverted != join->to->query.is_inverted)
        return 0;
    if (g_hash_table_lookup_extended (join->known, key, NULL, &known))
        return GPOINTER_TO_UINT (known);
    PvNodeId found = find_node (join, node);
    g_hash_table_insert (join->known, key, GUINT_TO_POINTER (found));
    return found;
}
