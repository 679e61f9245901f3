/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A flame chart in a flame area. All cuts of a chart have the same root, so that any of them can
 * stand in for another one, and fractions of the root are times.
 */
#include "app/pictures/flame-area-private.h"
#include "app/work/work.h"

#define LEAST_NS 100 /* in view */

static double
get_length (PvFlameArea *self)
{
    return (double)self->whole->total[0];
}

/* The selected box, or PV_NODE_NONE if the tree lacks it or no box is selected. */
static PvNodeId
find_selected (PvFlameArea *self, const PvCallTree *tree)
{
    PvNodeId low, high;

    if (self->own_function == 0 || tree == NULL || self->own_level >= tree->n_levels)
        return PV_NODE_NONE;
    low = tree->level_start[self->own_level];
    high = tree->level_start[self->own_level + 1];
    while (low < high) { /* the last that starts there or before is at high - 1 */
        PvNodeId middle = low + (high - low) / 2;
        if (tree->left[middle] <= self->own_middle)
            low = middle + 1;
        else
            high = middle;
    }
    if (high == tree->level_start[self->own_level] ||
        tree->left[high - 1] + tree->total[high - 1] <= self->own_middle ||
        tree->function_of_node[high - 1] != self->own_function)
        return PV_NODE_NONE;
    return high - 1;
}

static void
remember_selected (PvFlameArea *self, PvNodeId node)
{
    self->own_selected = node;
    self->own_function = 0;
    if (node == PV_NODE_NONE)
        return;
    self->own_function = self->own_tree->function_of_node[node];
    self->own_level = pv_call_tree_get_level (self->own_tree, node);
    self->own_middle = self->own_tree->left[node] + self->own_tree->total[node] / 2;
}

/* Takes the finer cut if it has all that is in view. */
static void
choose_tree (PvFlameArea *self)
{
    gboolean is_inside = self->cut != NULL && self->own_range.start >= self->cut_left &&
                         self->own_range.end <= self->cut_right;
    PvCallTree *tree = is_inside ? self->cut : self->whole;

    if (self->own_tree == tree)
        return;
    pv_clear_later (&self->own_tree, pv_call_tree_free);
    self->own_tree = tree != NULL ? pv_call_tree_ref (tree) : NULL;
    self->own_selected = find_selected (self, tree);
    pv_box_area_forget_nodes (&self->area);
}

/* Without scrolling to the zoomed box. */
static void
show_range (PvFlameArea *self, gboolean animated)
{
    gboolean was_direct = self->is_direct;

    choose_tree (self);
    self->is_direct = was_direct || !animated;
    pv_flame_area_show_zoom (self, animated);
    self->is_direct = was_direct;
    pv_box_area_update_hovered (&self->area);
    g_signal_emit_by_name (self, "hover-changed");
    g_signal_emit (self, pv_flame_signals[PV_FLAME_RANGE_CHANGED], 0);
}

void
pv_flame_area_set_chart (PvFlameArea *self)
{
    g_assert (self->area.base.document != NULL && !self->is_own);
    self->is_own = self->is_chart = TRUE;
    self->own_range = (PvFlameRange){0, 0, 1};
    self->own_selected = PV_NODE_NONE;
}

/* The times in view; both 0: all. */
static void
find_times (PvFlameArea *self, uint64_t *ret_start_ns, uint64_t *ret_end_ns)
{
    uint64_t base_ns = self->whole->query.start_ns;

    *ret_start_ns = *ret_end_ns = 0;
    if (self->own_range.start <= 0 && self->own_range.end >= 1)
        return;
    *ret_start_ns = base_ns + (uint64_t)(self->own_range.start * get_length (self));
    *ret_end_ns = base_ns + (uint64_t)(self->own_range.end * get_length (self));
    *ret_end_ns = MAX (*ret_end_ns, *ret_start_ns + 1);
}

/* The part that the document says, in a chart; all of that if it has nothing of it. */
static PvFlameRange
find_wanted (PvFlameArea *self, const PvCallTree *whole)
{
    const PvDocumentData *data = pv_document_get (self->area.base.document);
    PvFlameRange range = {0, 0, 1};
    double length = (double)whole->total[0], base = (double)whole->query.start_ns;

    if (data->look.chart_end_ns == 0 || data->answer->profile != whole->profile)
        return range;
    range.start = ((double)data->look.chart_start_ns - base) / length;
    range.end = ((double)data->look.chart_end_ns - base) / length;
    if (range.start >= 1 || range.end <= 0 || range.end - range.start >= 1)
        return (PvFlameRange){0, 0, 1};
    range.start = MAX (range.start, 0);
    range.end = MIN (range.end, 1);
    return range;
}

void
pv_flame_area_follow_chart_zoom (PvFlameArea *self)
{
    const PvDocumentData *data = pv_document_get (self->area.base.document);
    uint64_t start_ns, end_ns;

    g_assert (self->is_chart);
    if (self->whole == NULL)
        return;
    find_times (self, &start_ns, &end_ns);
    if (start_ns == data->look.chart_start_ns && end_ns == data->look.chart_end_ns)
        return;
    self->own_range = find_wanted (self, self->whole);
    show_range (self, TRUE);
}

void
pv_flame_area_show_whole (PvFlameArea *self, const PvCallTree *whole)
{
    PvFlameRange range = {0, 0, 1};

    g_assert (self->is_chart);
    if (whole != NULL)
        range = find_wanted (self, whole);
    pv_clear_later (&self->cut, pv_call_tree_free);
    pv_clear_later (&self->whole, pv_call_tree_free);
    self->whole = whole != NULL ? pv_call_tree_ref (whole) : NULL;
    self->own_range = range;
    self->own_function = 0;
    show_range (self, FALSE);
    pv_flame_area_follow_function (self);
    pv_flame_area_update_cells (self);
}

void
pv_flame_area_show_cut (PvFlameArea *self, const PvCallTree *cut, double left, double right)
{
    gboolean is_moving = adw_animation_get_state (self->zoom_animation) == ADW_ANIMATION_PLAYING;

    g_assert (self->is_chart && self->whole != NULL && cut != NULL);
    g_assert (cut->total[0] == self->whole->total[0]);
    pv_clear_later (&self->cut, pv_call_tree_free);
    self->cut = pv_call_tree_ref (cut);
    self->cut_left = left;
    self->cut_right = right;
    if (is_moving) { /* to the same place in the other tree */
        choose_tree (self);
        return;
    }
    show_range (self, FALSE);
    pv_flame_area_follow_function (self);
}

const PvCallTree *
pv_flame_area_get_whole (PvFlameArea *self)
{
    if (self->area.base.document == NULL)
        return NULL;
    return self->is_chart ? self->whole : pv_box_area_get_tree (&self->area);
}

gboolean
pv_flame_area_zoom_in_time (PvFlameArea *self, const PvFlameRange *range, gboolean continues)
{
    uint64_t start_ns, end_ns;
    PvFlameRange wanted = {0, 0, 1};
    double least;

    if (self->whole == NULL)
        return FALSE;
    least = MIN (LEAST_NS / get_length (self), 1);
    pv_flame_range_get (range, self->own_tree, &wanted.start, &wanted.end);
    if (wanted.end - wanted.start < least) {
        wanted.start = (wanted.start + wanted.end - least) / 2;
        wanted.end = wanted.start + least;
    }
    wanted.start = CLAMP (wanted.start, 0, 1 - least);
    wanted.end = CLAMP (wanted.end, wanted.start + least, 1);
    if (wanted.start == self->own_range.start && wanted.end == self->own_range.end)
        return FALSE;
    self->own_range = wanted;
    find_times (self, &start_ns, &end_ns);
    if (self->whole->profile == pv_document_get (self->area.base.document)->answer->profile)
        pv_document_zoom_chart (self->area.base.document, start_ns, end_ns, continues);
    show_range (self, TRUE);
    return TRUE;
}

/* Selection */

/* In the document, the node with the same path; if that is folded there, the function. */
static void
tell_document (PvFlameArea *self, PvNodeId node)
{
    const PvAnswer *answer = pv_document_get (self->area.base.document)->answer;
    const PvCallTree *tree = self->own_tree;
    PvFunctionId function = node != PV_NODE_NONE ? tree->function_of_node[node] : 0;
    PvNodeId found = PV_NODE_NONE;

    if (answer->flame_tree == NULL || answer->flame_tree->symbols != tree->symbols)
        return;
    if (function != 0 && !answer->flame_tree->query.is_inverted)
        found = pv_call_tree_translate (tree, node, answer->flame_tree);
    if (found != PV_NODE_NONE && answer->flame_tree->function_of_node[found] == function)
        pv_document_select_node (self->area.base.document, found);
    else
        pv_document_select_function (self->area.base.document, function);
}

void
pv_flame_area_select_box (PvFlameArea *self, PvNodeId node)
{
    if (self->own_tree == NULL)
        return;
    if (node == 0)
        node = PV_NODE_NONE;
    remember_selected (self, node);
    tell_document (self, node);
    pv_flame_area_show_selected (self);
}

/* The widest box of a function that is in view, or anywhere. */
static PvNodeId
find_widest (PvFlameArea *self, PvFunctionId function)
{
    const PvCallTree *tree = self->own_tree;
    double start = self->own_range.start * get_length (self);
    double end = self->own_range.end * get_length (self), widest = 0;
    PvNodeId best = PV_NODE_NONE, best_anywhere = PV_NODE_NONE;

    for (PvNodeId node = 1; node < tree->n_nodes; node++) {
        double left = (double)tree->left[node], right = left + (double)tree->total[node];
        double seen = MIN (right, end) - MAX (left, start);
        if (tree->function_of_node[node] != function)
            continue;
        if (seen > widest) {
            widest = seen;
            best = node;
        }
        if (best_anywhere == PV_NODE_NONE || tree->total[node] > tree->total[best_anywhere])
            best_anywhere = node;
    }
    return best != PV_NODE_NONE ? best : best_anywhere;
}

/* Another view may have selected another function. */
void
pv_flame_area_follow_function (PvFlameArea *self)
{
    const PvDocumentData *data = pv_document_get (self->area.base.document);

    if (self->own_tree == NULL || data->answer->flame_tree == NULL ||
        data->answer->flame_tree->symbols != self->own_tree->symbols)
        return;
    if (self->own_function == data->look.function)
        return;
    remember_selected (self, data->look.function != 0 ? find_widest (self, data->look.function)
                                                      : PV_NODE_NONE);
    pv_flame_area_show_selected (self);
}

PvNodeId
pv_flame_area_find_neighbour (PvFlameArea *self, PvNodeId node, PvFlameMove move)
{
    const PvCallTree *tree = self->own_tree;
    uint32_t level = pv_call_tree_get_level (tree, node);
    PvNodeId start = tree->level_start[level], end = tree->level_start[level + 1];
    PvNodeId next = node;

    if (move != PV_MOVE_LEFT && move != PV_MOVE_RIGHT)
        return node;
    do {
        if (next == (move == PV_MOVE_LEFT ? start : end - 1))
            return node;
        next = move == PV_MOVE_LEFT ? next - 1 : next + 1;
    } while (pv_call_tree_count_folded (tree, next) > 0);
    return next;
}

void
pv_flame_area_see_selected (PvFlameArea *self)
{
    const PvCallTree *tree = self->own_tree;
    PvNodeId node = self->own_selected;
    PvFlameRange range = self->own_range;
    double length, left, right, width = range.end - range.start;

    if (tree == NULL || node == PV_NODE_NONE)
        return;
    length = get_length (self);
    left = (double)tree->left[node] / length;
    right = left + (double)tree->total[node] / length;
    if (right > range.start && left < range.end &&
        (right - left >= width ||
         (left >= range.start - width * 1e-9 && right <= range.end + width * 1e-9)))
        return;
    range.start = CLAMP ((left + MIN (right, left + width) - width) / 2, 0, 1 - width);
    range.end = range.start + width;
    pv_flame_area_zoom_in_time (self, &range, FALSE);
}

void
pv_flame_area_select_match (PvFlameArea *self, gboolean forward)
{
    PvFlameLook look = pv_flame_area_get_look (self);
    int pixels = MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1);
    double width = self->own_range.end - self->own_range.start;
    uint64_t least;
    PvNodeId node;

    if (look.tree == NULL || look.is_match == NULL || look.tree->n_nodes < 2)
        return;
    least = (uint64_t)(width * get_length (self) / pixels);
    node = pv_flame_find_match (look.tree, look.is_match, MAX (least, 1), look.selected, forward);
    if (node == PV_NODE_NONE)
        node = pv_flame_find_match (look.tree, look.is_match, 1, look.selected, forward);
    if (node == PV_NODE_NONE)
        return;
    pv_flame_area_select_box (self, node);
    pv_flame_area_see_selected (self);
}
