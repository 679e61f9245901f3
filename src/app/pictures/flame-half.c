/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "app/pictures/flame-area-private.h"
#include "app/widgets/accessible.h"
#include "app/work/work.h"
#include "core/analyze/tree/sandwich.h"

/* Nodes of a profile that is being replaced are unknown to the document. */
static void
take_half_zoom (PvFlameArea *self)
{
    const PvDocumentData *data = pv_document_get (self->area.base.document);
    const PvHalfZoom *zoom = &data->look.half_zooms[self->half];
    bool is_found = false;
    PvNodeId node;

    if (self->own_tree == NULL || self->own_tree->profile != data->answer->profile)
        return;
    node = pv_call_tree_find_path (self->own_tree, &zoom->path, &is_found);
    self->own_range = (PvFlameRange){self->home, 0, 1};
    if (is_found && zoom->path.n_steps > 0)
        self->own_range = (PvFlameRange){node, zoom->start, zoom->end};
}

void
pv_flame_area_follow_half_zoom (PvFlameArea *self)
{
    PvFlameRange before = self->own_range;

    take_half_zoom (self);
    if (before.node != self->own_range.node || before.start != self->own_range.start ||
        before.end != self->own_range.end)
        pv_flame_area_show_zoom (self, TRUE);
}

/* The node with the same path in another tree; PV_NODE_NONE if that lacks it. */
static PvNodeId
translate (const PvCallTree *old, PvNodeId node, const PvCallTree *tree)
{
    PvNodeId found;

    if (old == NULL || tree == NULL || node == PV_NODE_NONE)
        return PV_NODE_NONE;
    found = pv_call_tree_translate (old, node, tree);
    return pv_call_tree_get_level (tree, found) == pv_call_tree_get_level (old, node)
               ? found
               : PV_NODE_NONE;
}

void
pv_flame_area_set_half (PvFlameArea *self, PvSandwichHalf half)
{
    g_assert (self->area.base.document != NULL);
    self->is_own = TRUE;
    self->half = half;
    self->n_hidden = half == PV_HALF_CALLERS ? PV_SANDWICH_HIDDEN_ABOVE : PV_SANDWICH_HIDDEN_BELOW;
    pv_flame_area_set_flame (self, half == PV_HALF_CALLERS);
}

/* Paths are of ids of functions, which are others in another profile. */
static void
translate_half_zoom (PvFlameArea *self, const PvCallTree *tree)
{
    PvNodeId node = PV_NODE_NONE;

    if (self->own_tree != NULL && tree != NULL && tree->profile != self->own_tree->profile &&
        pv_flame_area_is_zoomed (self))
        node = translate (self->own_tree, self->own_range.node, tree);
    if (node != PV_NODE_NONE)
        pv_document_renew_half_zoom (self->area.base.document, self->half, tree, node,
                                     self->own_range.start, self->own_range.end);
}

gboolean
pv_flame_area_show_half (PvFlameArea *self, const PvCallTree *tree, PvNodeValues *values)
{
    gboolean has_one = tree != NULL && tree->first_child[1] - tree->first_child[0] == 1;
    gboolean is_same = translate (self->own_tree, self->home, tree) != PV_NODE_NONE;

    g_assert (self->is_own);
    translate_half_zoom (self, tree);
    self->home = has_one ? tree->first_child[0] : 0;
    self->own_range = (PvFlameRange){self->home, 0, 1};
    self->own_selected = translate (self->own_tree, self->own_selected, tree);
    pv_clear_later (&self->own_tree, pv_call_tree_free);
    self->own_tree = tree != NULL ? pv_call_tree_ref (tree) : NULL;
    pv_clear_later (&self->own_values, pv_node_values_unref);
    self->own_values = values != NULL ? pv_node_values_ref (values) : NULL;
    take_half_zoom (self);
    pv_flame_area_show_new_tree (self);
    return is_same;
}

gboolean
pv_flame_area_enter (PvFlameArea *self, gboolean takes_focus)
{
    const PvCallTree *tree = self->own_tree;
    PvNodeId node = self->home;

    g_assert (self->is_own);
    if (tree == NULL)
        return FALSE;
    pv_box_area_sync_view (&self->area);
    while (pv_call_tree_get_level (tree, node) < self->n_hidden) {
        PvNodeId child = pv_flame_move (tree, &self->area.view, node, PV_MOVE_CHILD);
        if (child == node)
            return FALSE;
        node = child;
    }
    pv_flame_area_select_node (self, node);
    if (takes_focus)
        gtk_widget_grab_focus (GTK_WIDGET (self));
    return TRUE;
}

void
pv_flame_area_unselect (PvFlameArea *self)
{
    g_assert (self->is_own);
    if (self->own_selected == PV_NODE_NONE)
        return;
    self->own_selected = PV_NODE_NONE;
    pv_box_area_invalidate (&self->area);
    pv_flame_area_update_cells (self);
}

/* Functions of a profile that is being replaced are unknown to the document. */
void
pv_flame_area_show_sandwich (PvFlameArea *self, gboolean continues)
{
    const PvCallTree *tree = self->own_tree;
    PvFunctionId function;

    g_assert (self->is_own);
    if (tree == NULL || self->own_selected == PV_NODE_NONE ||
        tree->profile != pv_document_get (self->area.base.document)->answer->profile)
        return;
    function = tree->function_of_node[self->own_selected];
    if (function != 0)
        pv_document_show_sandwich (self->area.base.document, function, continues);
}

/* One side of a comparison */

void
pv_flame_area_set_side (PvFlameArea *self, PvSide side)
{
    g_assert (self->area.base.document != NULL && !self->is_own && !self->is_side);
    self->is_side = TRUE;
    self->side = side;
    pv_accessible_set_name (GTK_WIDGET (self), side == PV_SIDE_BASE
                                                   ? _ ("Flame graph of the base")
                                                   : _ ("Flame graph of the new side"));
    pv_flame_area_show_new_tree (self);
}

void
pv_flame_area_look_at_side (PvFlameArea *self, PvFlameLook *look)
{
    const PvNodeValues *values = pv_document_get (self->area.base.document)->answer->values;
    const PvCallTree *tree = values != NULL ? values->tree_of_side[self->side] : NULL;
    gboolean is_known = tree != NULL && values->tree == look->tree;

    if (!is_known || !pv_flame_range_carry (&look->range, values->tree, tree))
        tree = NULL;
    look->tree = tree;
}

gboolean
pv_flame_area_zoom_side (PvFlameArea *self, const PvFlameRange *range, gboolean continues)
{
    const PvDocumentData *data = pv_document_get (self->area.base.document);
    const PvCallTree *tree = pv_box_area_get_tree (&self->area);
    PvFlameRange whole = *range;

    if (tree == NULL || !pv_flame_range_carry (&whole, tree, data->answer->flame_tree))
        return FALSE;
    return pv_document_zoom_to_range (self->area.base.document, whole.node, whole.start, whole.end,
                                      continues);
}

void
pv_flame_area_set_echo (PvFlameArea *self, PvNodeId node)
{
    g_assert (self->is_side);
    if (node == self->area.echo)
        return;
    self->area.echo = node;
    pv_box_area_invalidate_outlines (&self->area);
}
