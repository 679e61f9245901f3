/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/page/page-trees.h"

#include "core/write/escape.h"
#include "core/write/html/html-page.h"

/*
 * Nobody sees what is lighter than the 10,000th part, a tenth of a pixel of a wide window; but
 * where there is little, it is all there.
 */
enum { PARTS = 10000, ALL_PARTS = 1000000, ALL_NODES = 30000, LEAST_PARTS = 100 };
enum { NODES_PER_CHECK = 4096 };

PvCallTree *
pv_page_tree_build (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                    uint32_t max_nodes, const PvCallTree *previous, uint32_t *ret_parts, PvJob *job,
                    GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL && ret_parts != NULL);
    bool may_have_all = profile->n_stacks < PV_FOLD_MIN_STACKS;
    PvTreeDetail detail = {.parts = may_have_all ? ALL_PARTS : PARTS};
    for (;;) {
        g_autoptr (PvCallTree) tree =
            pv_call_tree_build_folded (profile, symbols, query, &detail, previous, job, error);
        if (tree == NULL)
            return NULL;
        uint32_t limit = detail.parts > PARTS ? MIN (ALL_NODES, max_nodes) : max_nodes;
        *ret_parts = detail.parts;
        if (tree->n_nodes <= limit || detail.parts <= LEAST_PARTS)
            return g_steal_pointer (&tree);
        detail.parts = detail.parts > PARTS ? PARTS : detail.parts / 2;
    }
}

static uint64_t
find_common_divisor (uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Weight that ends at a node; of a signed measure, the sum of both sides. */
static uint64_t
get_ends (const PvCallTree *tree, const PvNodeValues *values, PvNodeId node)
{
    if (values == NULL)
        return tree->self[node];
    return values->sides->self_of_side[PV_SIDE_BASE][node] +
           values->sides->self_of_side[PV_SIDE_NEW][node];
}

/* Common divisor of the weights that end at nodes, which makes numbers short: often the sampling
 * period. */
static uint64_t
find_factor (const PvCallTree *tree, const PvNodeValues *values)
{
    uint64_t factor = 0;
    for (PvNodeId node = 0; node < tree->n_nodes && factor != 1; node++) {
        factor = find_common_divisor (get_ends (tree, values, node), factor);
        if (values != NULL)
            factor = find_common_divisor (values->sides->self_of_side[PV_SIDE_BASE][node], factor);
    }
    return MAX (factor, 1);
}

static void
begin_column (GString *out, const char *key)
{
    pv_html_begin_member (out, key);
    g_string_append_c (out, '[');
}

static void
append_comma (GString *out)
{
    if (out->str[out->len - 1] != '[')
        g_string_append_c (out, ',');
}

static void
append_sides (const PvCallTree *tree, const PvNodeValues *values, uint64_t factor, GString *out)
{
    begin_column (out, "base");
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        append_comma (out);
        pv_append_number (out, values->sides->self_of_side[PV_SIDE_BASE][node] / factor);
    }
    g_string_append_c (out, ']');
    begin_column (out, "marks");
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        append_comma (out);
        pv_append_number (out, pv_node_values_get_marks (values, node));
    }
    g_string_append_c (out, ']');
    begin_column (out, "steps");
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        append_comma (out);
        g_string_append_printf (out, "%d", pv_node_values_get_step (values, node));
    }
    g_string_append_c (out, ']');
}

bool
pv_page_tree_append (const PvCallTree *tree, const PvNodeValues *values, uint32_t parts,
                     PvPageNames *names, GString *out, PvJob *job, GError **error)
{
    g_assert (tree != NULL && names != NULL && out != NULL);
    g_autoptr (GString) frames = g_string_new (NULL);
    g_autoptr (GString) folded = g_string_new (NULL);
    uint64_t factor = find_factor (tree, values);
    g_string_append (frames, "[");
    g_string_append (folded, "[");
    g_string_append_c (out, '{');
    pv_html_begin_member (out, "parts");
    pv_append_number (out, parts);
    begin_column (out, "children");
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        if (node % NODES_PER_CHECK == 0 && !pv_job_check (job, error))
            return false;
        uint32_t frame = pv_page_names_frame (names, tree, node);
        append_comma (out);
        pv_append_number (out, tree->first_child[node + 1] - tree->first_child[node]);
        append_comma (frames);
        pv_append_number (frames, frame);
        if (frame == PV_PAGE_FOLDED) {
            append_comma (folded);
            pv_append_number (folded, pv_call_tree_count_folded (tree, node));
        }
    }
    g_string_append_c (out, ']');
    pv_html_begin_member (out, "frame");
    g_string_append_len (out, frames->str, (gssize)frames->len);
    g_string_append_c (out, ']');
    pv_html_begin_member (out, "folded");
    g_string_append_len (out, folded->str, (gssize)folded->len);
    g_string_append_c (out, ']');
    pv_html_begin_member (out, "factor");
    pv_append_number (out, factor);
    begin_column (out, "ends");
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        append_comma (out);
        pv_append_number (out, get_ends (tree, values, node) / factor);
    }
    g_string_append_c (out, ']');
    if (values != NULL)
        append_sides (tree, values, factor, out);
    g_string_append_c (out, '}');
    return true;
}
