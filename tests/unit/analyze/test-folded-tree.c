/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees with folded children against complete trees of the same profile and query.
 */
#include <string.h>

#include "../cases.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"
#include "core/base/array.h"
#include "folded-profile.h"

typedef PV_ARRAY (PvTreeAnchor) AnchorArray;

static PvCallTree *
build (const FoldedProfile *folded, const PvQuery *query, const PvTreeDetail *detail,
       const PvCallTree *previous)
{
    PvCallTree *tree = assert_ok (
        error, detail != NULL ? pv_call_tree_build_folded (folded->profile, folded->symbols, query,
                                                           detail, previous, NULL, &error)
                              : pv_call_tree_build (folded->profile, folded->symbols, query,
                                                    previous, NULL, &error));
    folded_check_tree (tree);
    return tree;
}

/* The child of node in tree that has the name of the other tree's node; PV_NODE_NONE. */
static PvNodeId
find_child (const PvCallTree *tree, PvNodeId node, const PvCallTree *other, PvNodeId wanted)
{
    for (PvNodeId c = tree->first_child[node]; c < tree->first_child[node + 1]; c++) {
        if (pv_call_tree_count_folded (tree, c) == 0 &&
            tree->function_of_node[c] == other->function_of_node[wanted] &&
            tree->frame_of_node[c] != NULL && other->frame_of_node[wanted] != NULL &&
            (tree->query.granularity == PV_BY_FUNCTION ||
             (tree->frame_of_node[c]->line == other->frame_of_node[wanted]->line &&
              g_strcmp0 (tree->frame_of_node[c]->file, other->frame_of_node[wanted]->file) == 0)))
            return c;
    }
    return PV_NODE_NONE;
}

static PvNodeId
find_group (const PvCallTree *tree, const PvCallTree *other, PvNodeId wanted)
{
    for (PvNodeId c = tree->first_child[0]; c < tree->first_child[1]; c++)
        if (tree->group_of_node[c] == other->group_of_node[wanted])
            return c;
    g_assert_not_reached ();
}

/* Compares the subtrees: a child is there if it is heavy enough, and all others have the weight of
 * the folded one. */
static void
compare (const PvCallTree *all, PvNodeId node, const PvCallTree *folded, PvNodeId same,
         uint64_t limit)
{
    uint64_t missing = 0, weight_of_folded = 0;
    unsigned n_missing = 0, n_folded = 0;
    g_assert_cmpuint (all->total[node], ==, folded->total[same]);
    for (PvNodeId c = all->first_child[node]; c < all->first_child[node + 1]; c++) {
        bool is_group = node == 0 && all->group_of_node != NULL;
        PvNodeId child = is_group ? find_group (folded, all, c) : find_child (folded, same, all, c);
        if (child != PV_NODE_NONE) {
            compare (all, c, folded, child, limit);
            continue;
        }
        g_assert_cmpuint (all->total[c], <, limit);
        missing += all->total[c];
        n_missing++;
    }
    for (PvNodeId c = folded->first_child[same]; c < folded->first_child[same + 1]; c++) {
        if (pv_call_tree_count_folded (folded, c) == 0)
            continue;
        n_folded++;
        weight_of_folded += folded->total[c];
        g_assert_cmpuint (folded->self[c], ==, folded->total[c]);
        g_assert_cmpuint (pv_call_tree_count_folded (folded, c), >=, n_missing);
        g_assert_null (folded->frame_of_node[c]);
    }
    g_assert_cmpuint (n_folded, <=, 1);
    g_assert_cmpuint (weight_of_folded, ==, missing);
    g_assert_cmpuint (folded->self[same], ==, all->self[node]);
}

static void
assert_same_functions (const PvCallTree *all, const PvCallTree *folded)
{
    g_autoptr (PvFunctionList) a = pv_function_list_build (all, NULL);
    g_autoptr (PvFunctionList) b = pv_function_list_build (folded, NULL);
    g_assert_cmpuint (a->n_rows, ==, b->n_rows);
    for (uint32_t i = 0; i < a->n_rows; i++) {
        g_assert_cmpuint (a->rows[i].function, ==, b->rows[i].function);
        g_assert_cmpuint (a->rows[i].self, ==, b->rows[i].self);
        g_assert_cmpuint (a->rows[i].total, ==, b->rows[i].total);
    }
}

/* Compares inverted trees: what is not below a light node is there. */
static void
compare_inverted (const PvCallTree *all, PvNodeId node, const PvCallTree *cut, PvNodeId same,
                  uint64_t limit)
{
    uint32_t n_children = all->first_child[node + 1] - all->first_child[node];
    uint32_t n_same = cut->first_child[same + 1] - cut->first_child[same];
    g_assert_cmpuint (all->total[node], ==, cut->total[same]);
    if (all->total[node] >= limit)
        g_assert_cmpuint (n_same, ==, n_children);
    if (n_same == 0 && n_children > 0) {
        g_assert_cmpuint (cut->self[same], ==, cut->total[same]);
        return;
    }
    g_assert_cmpuint (n_same, ==, n_children);
    g_assert_cmpuint (cut->self[same], ==, all->self[node]);
    for (PvNodeId c = all->first_child[node]; c < all->first_child[node + 1]; c++) {
        bool is_group = node == 0 && all->group_of_node != NULL;
        PvNodeId child = is_group ? find_group (cut, all, c) : find_child (cut, same, all, c);
        g_assert_cmpuint (child, !=, PV_NODE_NONE);
        compare_inverted (all, c, cut, child, limit);
    }
}

static uint64_t
find_limit (const PvTreeDetail *detail, uint64_t total)
{
    return detail->min_weight > 0 ? detail->min_weight : MAX (total / detail->parts, 1);
}

TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (15);
    for (unsigned round = 0; round < 300; round++) {
        g_autofree char *text = folded_random_text (random, 1 + round, 4 + round % 9);
        g_auto (FoldedProfile) profile = folded_profile_new (text);
        PvTreeDetail detail = {.parts = 1 + (uint32_t)g_rand_int_range (random, 0, 60)};
        if (round % 5 == 0)
            detail = (PvTreeDetail){.min_weight = 1 + (uint64_t)g_rand_int_range (random, 0, 30)};
        g_auto (PvQuery) query = new_query ();
        reference_random_transforms (random, &query);
        query.no_inline = g_rand_boolean (random);
        query.granularity = round % 3 == 0 ? PV_BY_LINE : PV_BY_FUNCTION;
        if (round % 4 == 0)
            query.grouping = (PvGrouping)(PV_GROUP_PROCESS + round / 4 % (PV_GROUP_LABEL - 1));
        g_autoptr (PvCallTree) all = build (&profile, &query, NULL, NULL);
        g_autoptr (PvCallTree) folded = build (&profile, &query, &detail, NULL);
        /* Without transforms that leave stacks empty, the limit is exact; with them it is of a
         * total that counts these too. By group, nodes are folded by the total of all groups. */
        compare (all, 0, folded, 0, UINT64_MAX);
        if (query.n_transforms == 0 && query.grouping == PV_GROUP_NONE)
            compare (all, 0, folded, 0, find_limit (&detail, all->total[0]));
        assert_same_functions (all, folded);
        query.is_inverted = true;
        g_autoptr (PvCallTree) inverted = build (&profile, &query, NULL, all);
        g_autoptr (PvCallTree) from_folded = build (&profile, &query, &detail, folded);
        g_autoptr (PvCallTree) complete = build (&profile, &query, &(PvTreeDetail){0}, folded);
        compare_inverted (inverted, 0, from_folded, 0, find_limit (&detail, inverted->total[0]));
        g_autofree char *dump_b = folded_dump_tree (complete);
        assert_string (folded_dump_tree (inverted), dump_b);
    }
}

/* The heaviest child, and so on. */
static PvNodeId
go_down (const PvCallTree *tree, PvNodeId node)
{
    while (tree->first_child[node] < tree->first_child[node + 1] &&
           pv_call_tree_count_folded (tree, tree->first_child[node]) == 0)
        node = tree->first_child[node];
    return node;
}

static PvNodeId
find_same (const PvCallTree *tree, const PvCallTree *other, PvNodeId node)
{
    if (node == 0)
        return 0;
    PvNodeId parent = find_same (tree, other, other->parent_of_node[node]);
    g_assert_cmpuint (parent, !=, PV_NODE_NONE);
    return find_child (tree, parent, other, node);
}

/* Opens what is folded, node by node, until the tree is complete. */
TEST (anchors)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (9);
    for (unsigned round = 0; round < 60; round += pv_test_step (5)) {
        g_autofree char *text = folded_random_text (random, 5 + round, 4 + round % 9);
        g_auto (FoldedProfile) profile = folded_profile_new (text);
        bool is_deep = round % 2 == 0;
        PvAnchorKind kind = is_deep ? PV_ANCHOR_BELOW : PV_ANCHOR_CHILDREN;
        AnchorArray anchors = {0};
        g_auto (PvQuery) query = new_query ();
        query.granularity = round % 3 == 0 ? PV_BY_LINE : PV_BY_FUNCTION;
        g_autoptr (PvCallTree) all = build (&profile, &query, NULL, NULL);
        g_autoptr (PvCallTree) tree = NULL;
        for (unsigned step = 0;; step++) {
            PvTreeDetail detail = {.parts = is_deep ? 7 : 3,
                                   .n_anchors = (uint32_t)anchors.len,
                                   .anchors = anchors.data};
            PvCallTree *next = build (&profile, &query, &detail, tree);
            pv_call_tree_free (tree);
            tree = next;
            compare (all, 0, tree, 0, UINT64_MAX);
            PvNodeId node = go_down (tree, 0), to_open = PV_NODE_NONE;
            for (PvNodeId n = 1; n < tree->n_nodes && to_open == PV_NODE_NONE; n++)
                if (pv_call_tree_count_folded (tree, n) > 0)
                    to_open = tree->parent_of_node[n];
            g_assert_cmpuint (pv_call_tree_translate (all, go_down (all, 0), tree), !=,
                              PV_NODE_NONE);
            g_assert_cmpuint (node, <, tree->n_nodes);
            if (to_open == PV_NODE_NONE || (is_deep && step > 0))
                break;
            PvTreeAnchor anchor;
            g_assert_true (pv_call_tree_make_anchor (tree, to_open, kind, &anchor));
            pv_array_push (&anchors, anchor);
            if (!is_deep)
                continue;
            /* All below the anchor that is heavy enough is there. */
            PvTreeDetail deep = {
                .parts = 7, .n_anchors = (uint32_t)anchors.len, .anchors = anchors.data};
            g_autoptr (PvCallTree) opened = build (&profile, &query, &deep, tree);
            PvNodeId same = find_same (opened, tree, to_open);
            PvNodeId complete = find_same (all, tree, to_open);
            g_assert_cmpuint (same, !=, PV_NODE_NONE);
            if (to_open != 0)
                compare (all, complete, opened, same, MAX (all->total[complete] / 7, 1));
        }
        if (!is_deep)
            g_assert_cmpuint (tree->n_nodes, ==, all->n_nodes);
        pv_array_clear (&anchors);
    }
}

/* Keeping any node of the complete tree. */
TEST (keep)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (4);
    for (unsigned round = 0; round < 60; round++) {
        g_autofree char *text = folded_random_text (random, 5 + round, 4 + round % 9);
        g_auto (FoldedProfile) profile = folded_profile_new (text);
        PvQuery query = new_query ();
        PvTreeAnchor anchor;
        PvTreeDetail detail = {.parts = 2, .n_anchors = 1, .anchors = &anchor};
        g_autoptr (PvCallTree) all = build (&profile, &query, NULL, NULL);
        PvNodeId node = (PvNodeId)g_rand_int_range (random, 1, (gint32)all->n_nodes);
        g_assert_true (pv_call_tree_make_anchor (all, node, PV_ANCHOR_KEEP, &anchor));
        g_autoptr (PvCallTree) tree = build (&profile, &query, &detail, NULL);
        g_assert_true (tree->has_folded);
        PvNodeId same = find_same (tree, all, node);
        g_assert_cmpuint (pv_call_tree_translate (all, node, tree), ==, same);
        g_assert_cmpuint (tree->total[same], ==, all->total[node]);
        /* And the heaviest node of a function. */
        PvFunctionId function = all->function_of_node[node];
        g_assert_true (pv_call_tree_find_anchor (all, function, NULL, &anchor));
        g_autoptr (PvCallTree) other = build (&profile, &query, &detail, tree);
        g_assert_cmpuint (pv_call_tree_find_heaviest (other, function), !=, PV_NODE_NONE);
    }
}

/* Following any path of the complete inverted tree. */
TEST (paths)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    for (unsigned round = 0; round < 120; round++) {
        g_autofree char *text = folded_random_text (random, 5 + round, 4 + round % 9);
        g_auto (FoldedProfile) profile = folded_profile_new (text);
        g_auto (PvQuery) query = new_query ();
        PvTreePath path;
        PvTreeDetail detail = {.parts = 3, .n_paths = 1, .paths = &path};
        query.is_inverted = true;
        query.grouping = round % 2 == 0 ? PV_GROUP_THREAD : PV_GROUP_NONE;
        g_autoptr (PvCallTree) all = build (&profile, &query, NULL, NULL);
        PvNodeId node = (PvNodeId)g_rand_int_range (random, 1, (gint32)all->n_nodes);
        uint32_t n_children = all->first_child[node + 1] - all->first_child[node];
        pv_call_tree_make_path (all, node, (PvAnchorKind)(round % 3), &path);
        g_autoptr (PvCallTree) tree = build (&profile, &query, &detail, NULL);
        compare_inverted (all, 0, tree, 0, MAX (all->total[0] / 3, 1));
        PvNodeId same = pv_call_tree_translate (all, node, tree);
        g_assert_cmpstr (pv_call_tree_get_name (all, node), ==, pv_call_tree_get_name (tree, same));
        g_assert_cmpuint (tree->total[same], ==, all->total[node]);
        if (path.kind == PV_ANCHOR_BELOW)
            compare_inverted (all, node, tree, same, MAX (all->total[node] / 3, 1));
        if (path.kind != PV_ANCHOR_KEEP)
            g_assert_cmpuint (tree->first_child[same + 1] - tree->first_child[same], ==,
                              n_children);
        g_free (path.steps);
        query.is_inverted = false;
        g_autoptr (PvCallTree) top_down = build (&profile, &query, NULL, NULL);
        for (PvNodeId n = 0; n < top_down->n_nodes; n++) {
            bool is_whole;
            pv_call_tree_make_path (top_down, n, PV_ANCHOR_KEEP, &path);
            if (pv_call_tree_count_folded (top_down, n) == 0)
                g_assert_cmpuint (pv_call_tree_find_path (top_down, &path, &is_whole), ==, n);
            g_free (path.steps);
        }
    }
}

TEST (names)
{
    g_auto (FoldedProfile) profile = folded_profile_new ("a;b 90\na;c 5\na;d 4\ne 1\n");
    PvTreeDetail detail = {.parts = 10};
    PvQuery query = new_query ();
    PvTreeAnchor anchor;
    g_autoptr (PvCallTree) tree = build (&profile, &query, &detail, NULL);
    assert_string (folded_dump_tree (tree),
                   "0 all 0 100\n1 a 0 99\n2 b 90 90\n2 (small functions) 9 9\n"
                   "1 (small functions) 1 1\n");
    PvNodeId a = tree->first_child[0];
    PvNodeId small = tree->first_child[a] + 1;
    g_assert_cmpuint (pv_call_tree_count_folded (tree, small), ==, 2);
    g_assert_cmpuint (pv_call_tree_count_folded (tree, a), ==, 0);
    g_assert_false (pv_call_tree_make_anchor (tree, small, PV_ANCHOR_KEEP, &anchor));
    /* A node folded again becomes part of its caller. */
    g_autoptr (PvCallTree) all = build (&profile, &query, NULL, NULL);
    PvNodeId c = all->first_child[all->first_child[0]] + 1;
    g_assert_cmpstr (pv_call_tree_get_name (all, c), ==, "c");
    g_assert_cmpuint (pv_call_tree_translate (all, c, tree), ==, a);
    g_assert_cmpuint (pv_call_tree_translate (tree, small, all), ==, all->first_child[0]);
}
