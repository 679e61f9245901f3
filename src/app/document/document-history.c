/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/document-private.h"

#define MAX_HISTORY 200

/* Nodes that outlive their tree */

static void
clear_spot (PvTreeSpot *spot)
{
    g_free (spot->path.steps);
    *spot = (PvTreeSpot){0};
}

static void
make_spot (PvTreeSpot *ret_spot, const PvCallTree *tree, PvNodeId node)
{
    *ret_spot = (PvTreeSpot){0};
    if (node == PV_NODE_NONE)
        return;
    ret_spot->is_set = TRUE;
    pv_call_tree_make_path (tree, node, PV_ANCHOR_KEEP, &ret_spot->path);
    ret_spot->has_anchor = pv_call_tree_make_anchor (tree, node, PV_ANCHOR_KEEP, &ret_spot->anchor);
}

static void
copy_spot (PvTreeSpot *ret_copy, const PvTreeSpot *spot)
{
    *ret_copy = *spot;
    ret_copy->path.steps =
        g_memdup2 (spot->path.steps, spot->path.n_steps * sizeof *spot->path.steps);
}

/* PV_NODE_NONE: it was none, or it is not in this tree. */
static PvNodeId
find_spot (const PvCallTree *tree, const PvTreeSpot *spot)
{
    bool is_whole = false;
    PvNodeId node = spot->is_set ? pv_call_tree_find_path (tree, &spot->path, &is_whole) : 0;

    return is_whole ? node : PV_NODE_NONE;
}

/* Where the tree lacks the node, the nearest that leads to it. */
static PvNodeId
find_near_spot (const PvCallTree *tree, const PvTreeSpot *spot)
{
    return spot->is_set ? pv_call_tree_find_path (tree, &spot->path, NULL) : 0;
}

/* Halves of a sandwich */

void
pv_document_clear_half_zooms (PvHalfZoom *zooms)
{
    for (unsigned half = 0; half < PV_N_HALVES; half++) {
        g_free (zooms[half].path.steps);
        zooms[half] = (PvHalfZoom){.end = 1};
    }
}

void
pv_look_init (PvLook *look)
{
    *look = (PvLook){.range_end = 1, .selected = PV_NODE_NONE};
    pv_document_clear_half_zooms (look->half_zooms);
}

void
pv_look_clear (PvLook *look)
{
    pv_document_clear_half_zooms (look->half_zooms);
}

static void
copy_look (PvLook *ret_copy, const PvLook *look)
{
    *ret_copy = *look;
    for (unsigned half = 0; half < PV_N_HALVES; half++) {
        const PvTreePath *path = &look->half_zooms[half].path;
        ret_copy->half_zooms[half].path.steps =
            g_memdup2 (path->steps, path->n_steps * sizeof *path->steps);
    }
}

/* Entries */

static void
free_entry (gpointer data)
{
    PvHistoryEntry *entry = data;

    pv_query_clear (&entry->query);
    clear_spot (&entry->zoom);
    clear_spot (&entry->selected);
    pv_look_clear (&entry->look);
    g_free (entry);
}

void
pv_document_forget_wanted (PvDocument *self)
{
    g_clear_pointer (&self->wanted, free_entry);
}

/* An entry for what is shown; a view that is restored, but not shown yet, counts as shown. */
static PvHistoryEntry *
make_entry (PvDocument *self)
{
    const PvDocumentData *data = &self->data;
    PvHistoryEntry *entry = g_new0 (PvHistoryEntry, 1);

    pv_query_copy (&entry->query, &data->query);
    copy_look (&entry->look, &data->look);
    if (self->wanted != NULL) {
        const PvLook *wanted = &self->wanted->look;
        copy_spot (&entry->zoom, &self->wanted->zoom);
        copy_spot (&entry->selected, &self->wanted->selected);
        entry->look.function = wanted->function;
        entry->look.is_node_selected = wanted->is_node_selected;
        entry->look.range_start = wanted->range_start;
        entry->look.range_end = wanted->range_end;
    } else if (data->answer->flame_tree != NULL &&
               data->answer->flame_tree->query.is_inverted == data->look.is_inverted) {
        make_spot (&entry->zoom, data->answer->flame_tree, data->look.zoom);
        make_spot (&entry->selected, data->answer->flame_tree, data->look.selected);
    } else {
        entry->look.range_start = 0;
        entry->look.range_end = 1;
    }
    return entry;
}

GPtrArray *
pv_document_make_history (void)
{
    return g_ptr_array_new_with_free_func (free_entry);
}

void
pv_document_update_history_flags (PvDocument *self)
{
    self->data.can_go_back = self->back->len > 0;
    self->data.can_go_forward = self->forward->len > 0;
}

static void
push (PvDocument *self, GPtrArray *history)
{
    if (history->len == MAX_HISTORY)
        g_ptr_array_remove_index (history, 0);
    g_ptr_array_add (history, make_entry (self));
}

void
pv_document_remember (PvDocument *self)
{
    push (self, self->back);
    g_ptr_array_set_size (self->forward, 0);
    pv_document_update_history_flags (self);
}

/* Suppressions have a menu of their own and stay. */
gboolean
pv_document_step (PvDocument *self, GPtrArray *from, GPtrArray *to)
{
    PvQuery *shown = &self->data.query;
    PvHistoryEntry *entry;
    PvLook keep;

    if (from->len == 0)
        return FALSE;
    entry = g_ptr_array_steal_index (from, from->len - 1);
    push (self, to);
    pv_document_update_history_flags (self);
    pv_suppressions_free (entry->query.suppressions);
    entry->query.suppressions = pv_suppressions_ref (shown->suppressions);
    entry->query.no_default_suppressions = shown->no_default_suppressions;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        entry->query.factor_of_side[side] = shown->factor_of_side[side];
    pv_query_clear (shown);
    pv_query_copy (shown, &entry->query);
    keep = self->data.look;
    copy_look (&self->data.look, &entry->look);
    /* Those of the tree that is shown, until the entry's are there. */
    self->data.look.zoom = keep.zoom;
    self->data.look.range_start = keep.range_start;
    self->data.look.range_end = keep.range_end;
    self->data.look.selected = keep.selected;
    self->data.look.function = keep.function;
    self->data.look.is_node_selected = keep.is_node_selected;
    pv_look_clear (&keep);
    pv_document_forget_wanted (self);
    self->wanted = entry;
    return TRUE;
}

/* Trees */

gboolean
pv_document_show_wanted (PvDocument *self)
{
    PvDocumentData *data = &self->data;
    const PvHistoryEntry *wanted = self->wanted;
    gboolean has_zoom = find_spot (data->answer->flame_tree, &wanted->zoom) != PV_NODE_NONE;

    g_assert (wanted != NULL &&
              wanted->look.is_inverted == data->answer->flame_tree->query.is_inverted);
    data->look.zoom = find_near_spot (data->answer->flame_tree, &wanted->zoom);
    data->look.range_start = has_zoom ? wanted->look.range_start : 0;
    data->look.range_end = has_zoom ? wanted->look.range_end : 1;
    data->look.selected = find_spot (data->answer->flame_tree, &wanted->selected);
    data->look.is_node_selected =
        wanted->look.is_node_selected && data->look.selected != PV_NODE_NONE;
    if (data->look.function != wanted->look.function) {
        data->look.function = wanted->look.function;
        pv_clear_later (&data->callers_callees, pv_callers_callees_result_free);
        self->derived[PV_DERIVED_CALLERS_CALLEES].serial = 0;
    }
    return has_zoom && (data->look.selected != PV_NODE_NONE || !wanted->selected.is_set);
}

static void
add_spot (PvQuestion *question, const PvTreeSpot *spot, gboolean is_inverted, PvAnchorKind kind)
{
    PvTreeSpot copy;

    if (!spot->is_set)
        return;
    copy_spot (&copy, spot);
    copy.anchor.kind = kind;
    copy.path.kind = kind;
    if (spot->has_anchor)
        g_array_append_val (question->anchors, copy.anchor);
    if (is_inverted)
        g_array_append_val (question->paths, copy.path);
    else
        clear_spot (&copy);
}

void
pv_document_add_spots (PvDocument *self, PvQuestion *question)
{
    const PvDocumentData *data = &self->data;
    PvHistoryEntry *entry = make_entry (self);

    add_spot (question, &entry->zoom, data->look.is_inverted, PV_ANCHOR_BELOW);
    add_spot (question, &entry->selected, data->look.is_inverted, PV_ANCHOR_KEEP);
    free_entry (entry);
}

static void
list_nodes (const GPtrArray *history, const PvCallTree *tree, GArray *nodes)
{
    for (unsigned i = 0; i < history->len; i++) {
        const PvHistoryEntry *entry = history->pdata[i];
        PvNodeId zoom = find_spot (tree, &entry->zoom);
        PvNodeId selected = find_spot (tree, &entry->selected);

        g_array_append_val (nodes, zoom);
        g_array_append_val (nodes, selected);
    }
}

void
pv_document_list_history_nodes (PvDocument *self, GArray *nodes)
{
    list_nodes (self->back, self->data.answer->flame_tree, nodes);
    list_nodes (self->forward, self->data.answer->flame_tree, nodes);
}

/* Between profiles functions have other ids: a path that is not in the tree that was shown is lost.
 */
static void
translate_spot (PvTreeSpot *spot, const PvHistoryEntry *entry, const PvCallTree *old,
                const PvCallTree *new_tree, PvTreeJoin *join)
{
    PvNodeId node = find_spot (old, spot);

    if (!spot->is_set)
        return;
    if (node != PV_NODE_NONE && entry->look.is_inverted == old->query.is_inverted &&
        old->query.is_inverted == new_tree->query.is_inverted) {
        node = join != NULL ? pv_tree_join_node (join, node)
                            : pv_call_tree_translate (old, node, new_tree);
        clear_spot (spot);
        make_spot (spot, new_tree, node);
    } else if (join != NULL) {
        clear_spot (spot);
    }
}

static PvFunctionId
get_function (const PvCallTree *tree, const PvTreeSpot *selected)
{
    PvNodeId node = find_spot (tree, selected);

    return node != PV_NODE_NONE ? tree->function_of_node[node] : 0;
}

/* After the selection of the entry. A sandwich is of a function, whether its node is known or not.
 */
static PvFunctionId
translate_function (const PvHistoryEntry *entry, const PvCallTree *new_tree, PvTreeJoin *join)
{
    PvFunctionId function = get_function (new_tree, &entry->selected);

    if (function == 0 && entry->look.is_sandwich)
        function = pv_tree_join_function (join, entry->look.function);
    return function;
}

static void
translate (GPtrArray *history, const PvCallTree *old, const PvCallTree *new_tree, PvTreeJoin *join)
{
    for (unsigned i = 0; i < history->len; i++) {
        PvHistoryEntry *entry = history->pdata[i];

        translate_spot (&entry->zoom, entry, old, new_tree, join);
        translate_spot (&entry->selected, entry, old, new_tree, join);
        if (!entry->zoom.is_set) {
            entry->look.range_start = 0;
            entry->look.range_end = 1;
        }
        if (join == NULL)
            continue;
        entry->look.function = translate_function (entry, new_tree, join);
        pv_document_clear_half_zooms (entry->look.half_zooms);
        entry->look.chart_start_ns = entry->look.chart_end_ns = 0;
    }
}

/* Paths of functions hold as long as names do. */
void
pv_document_translate_history (PvDocument *self, const PvCallTree *old, const PvCallTree *new_tree,
                               PvTreeJoin *join)
{
    gboolean has_new_names = old != NULL && old->symbols != new_tree->symbols &&
                             pv_query_equal (&old->query, &new_tree->query);

    if (old == NULL || (join == NULL && !has_new_names))
        return;
    translate (self->back, old, new_tree, join);
    translate (self->forward, old, new_tree, join);
    if (join == NULL)
        return;
    pv_document_forget_wanted (self);
    pv_document_clear_half_zooms (self->data.look.half_zooms);
    self->data.look.chart_start_ns = self->data.look.chart_end_ns = 0;
}

static void
adapt (PvDocument *self, GPtrArray *history, const PvProfile *to)
{
    for (unsigned i = 0; i < history->len; i++) {
        PvHistoryEntry *entry = history->pdata[i];
        pv_document_adapt_query (self, &entry->query, self->data.answer->profile, to);
    }
}

void
pv_document_adapt_history (PvDocument *self, const PvProfile *to)
{
    adapt (self, self->back, to);
    adapt (self, self->forward, to);
}
