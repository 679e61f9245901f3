/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/treemap/treemap-area.h"

#include <glib/gi18n.h>

#include "app/pictures/flame-nodes.h"
#include "app/pictures/picture-nodes.h"
#include "app/widgets/accessible.h"

/* Height of the picture's pieces, see picture-nodes.h. */
#define STRIP_HEIGHT 24

struct _PvTreemapArea {
    PvBoxArea area;

    PvTreemap *treemap;
};

G_DEFINE_FINAL_TYPE (PvTreemapArea, pv_treemap_area, PV_TYPE_BOX_AREA)

/* Content */

static const PvCallTree *
get_tree (PvBoxArea *area)
{
    const PvAnswer *answer = pv_document_get (area->base.document)->answer;

    if (answer->flame_tree == NULL)
        return NULL;
    return answer->profile != NULL && answer->profile->compared != NULL
               ? pv_node_values_find_new (answer->values, answer->flame_tree)
               : answer->flame_tree;
}

static void
sync_view (PvBoxArea *area, const PvCallTree *tree)
{
    const PvDocumentData *data = pv_document_get (area->base.document);

    area->view.zoom_node = data->look.zoom;
    area->view.is_match = data->is_match;
    area->view.values = data->answer->values;
    area->view.selected = data->look.selected;
}

/* Boxes are not placed while the area is not mapped; the next map does it. */
static void
update_cells (PvBoxArea *area)
{
    if (gtk_widget_get_mapped (GTK_WIDGET (area)) && pv_box_area_get_tree (area) != NULL)
        pv_box_area_update_cells (area);
}

static void
changed (PvView *view, guint what)
{
    PvBoxArea *area = PV_BOX_AREA (view);

    if (what & PV_CHANGED_SEARCH)
        pv_box_area_invalidate (area);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_COMPARISON)) {
        pv_treemap_forget (PV_TREEMAP_AREA (area)->treemap);
        pv_box_area_forget_nodes (area);
        g_signal_emit_by_name (area, "hover-changed");
    }
    if (what & PV_CHANGED_ZOOM) {
        pv_box_area_invalidate (area);
        if (gtk_widget_get_mapped (GTK_WIDGET (area)))
            pv_box_area_update_hovered (area);
    }
    if (what & PV_CHANGED_SELECTION)
        pv_box_area_show_selected (area);
    if (what & (PV_CHANGED_TREE | PV_CHANGED_COMPARISON | PV_CHANGED_ZOOM | PV_CHANGED_SELECTION))
        update_cells (area);
}

static void
pv_treemap_area_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_treemap_area_parent_class)->map (widget);
    update_cells (PV_BOX_AREA (widget));
}

/* The picture */

static GskRenderNode *
draw (PvBoxArea *area, const PvCallTree *tree)
{
    return pv_picture_nodes_take (
        pv_treemap_draw_image (PV_TREEMAP_AREA (area)->treemap, tree, &area->view),
        GTK_WIDGET (area), STRIP_HEIGHT);
}

static GskRenderNode *
outline (PvBoxArea *area, const PvCallTree *tree, PvNodeId node)
{
    const PvFlameOutline *outlines;
    size_t n = pv_treemap_get_outlines (PV_TREEMAP_AREA (area)->treemap, tree, &area->view, node,
                                        &outlines);

    return pv_flame_nodes_outline_boxes (outlines, n, area->view.width, area->view.height);
}

static PvNodeId
hit (PvBoxArea *area, const PvCallTree *tree, double x, double y)
{
    return pv_treemap_hit (PV_TREEMAP_AREA (area)->treemap, tree, &area->view, x, y);
}

static bool
find_bundle (PvBoxArea *area, const PvCallTree *tree, double x, double y, PvFlameBundle *ret_bundle)
{
    return pv_treemap_find_bundle (PV_TREEMAP_AREA (area)->treemap, tree, &area->view, x, y,
                                   ret_bundle);
}

static bool
get_box (PvBoxArea *area, const PvCallTree *tree, PvNodeId node, cairo_rectangle_t *ret_box)
{
    return pv_treemap_get_box (PV_TREEMAP_AREA (area)->treemap, tree, &area->view, node, ret_box);
}

static PvNodeId
move_to (PvBoxArea *area, const PvCallTree *tree, PvNodeId from, unsigned move)
{
    return pv_treemap_move (PV_TREEMAP_AREA (area)->treemap, tree, &area->view, from,
                            (PvTreemapMove)move);
}

/* Pointer and keys */

static void
select_node (PvBoxArea *area, PvNodeId node)
{
    pv_document_select_node (area->base.document, node);
}

static void
zoom_to_node (PvBoxArea *area, PvNodeId node)
{
    pv_document_zoom (area->base.document, node);
}

/* Zooms to the parent of the zoomed node. */
static void
go_back (PvBoxArea *area)
{
    const PvDocumentData *data = pv_document_get (area->base.document);

    if (data->answer->flame_tree != NULL && data->look.zoom != 0)
        pv_document_zoom (area->base.document,
                          data->answer->flame_tree->parent_of_node[data->look.zoom]);
}

/* Makes room for the boxes that a bundle hides. */
static void
open_bundle (PvBoxArea *area, const PvCallTree *tree, const PvFlameBundle *bundle)
{
    PvNodeId parent = tree->parent_of_node[bundle->first];

    for (PvNodeId node = bundle->first; tree->has_folded && node <= bundle->last; node++)
        if (pv_call_tree_count_folded (tree, node) > 0) {
            pv_document_zoom (area->base.document, node);
            return;
        }
    pv_document_zoom (area->base.document,
                      parent != pv_document_get (area->base.document)->look.zoom ? parent
                                                                                 : bundle->first);
}

static void
click (PvBoxArea *area, const PvCallTree *tree, int n_press, PvNodeId node,
       const PvFlameBundle *bundle)
{
    if (n_press != 2)
        return;
    if (bundle != NULL)
        open_bundle (area, tree, bundle);
    else
        pv_document_zoom (area->base.document, node);
}

static gboolean
find_move (PvBoxArea *area, guint key, unsigned *ret_move)
{
    static const struct {
        guint key;
        PvTreemapMove move;
    } moves[] = {
        {GDK_KEY_Left, PV_TREEMAP_LEFT},   {GDK_KEY_Right, PV_TREEMAP_RIGHT},
        {GDK_KEY_Up, PV_TREEMAP_UP},       {GDK_KEY_Down, PV_TREEMAP_DOWN},
        {GDK_KEY_Page_Up, PV_TREEMAP_OUT}, {GDK_KEY_Page_Down, PV_TREEMAP_IN},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS (moves); i++)
        if (key == moves[i].key) {
            *ret_move = moves[i].move;
            return TRUE;
        }
    return FALSE;
}

static gboolean
take_key (PvBoxArea *area, guint key, GdkModifierType state)
{
    if (key == GDK_KEY_plus)
        pv_document_zoom (area->base.document,
                          pv_document_get (area->base.document)->look.selected);
    else if (key == GDK_KEY_minus)
        go_back (area);
    else
        return FALSE;
    return TRUE;
}

/* Object */

static void
pv_treemap_area_finalize (GObject *object)
{
    pv_treemap_free (PV_TREEMAP_AREA (object)->treemap);
    G_OBJECT_CLASS (pv_treemap_area_parent_class)->finalize (object);
}

static void
pv_treemap_area_class_init (PvTreemapAreaClass *class)
{
    PvBoxAreaClass *box_class = PV_BOX_AREA_CLASS (class);

    G_OBJECT_CLASS (class)->finalize = pv_treemap_area_finalize;
    GTK_WIDGET_CLASS (class)->map = pv_treemap_area_map;
    gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "treemaparea");
    box_class->n_moves = PV_TREEMAP_IN + 1;
    box_class->get_tree = get_tree;
    box_class->sync_view = sync_view;
    box_class->parent_class.changed = changed;
    box_class->draw = draw;
    box_class->outline = outline;
    box_class->hit = hit;
    box_class->find_bundle = find_bundle;
    box_class->get_box = get_box;
    box_class->move = move_to;
    box_class->select_node = select_node;
    box_class->zoom_to_node = zoom_to_node;
    box_class->go_back = go_back;
    box_class->click = click;
    box_class->find_move = find_move;
    box_class->take_key = take_key;
}

static PvTreemap *
make_treemap (PvTreemapArea *self)
{
    PangoFontDescription *font = pv_picture_make_font (GTK_WIDGET (self));
    PvTreemap *treemap = pv_treemap_new (font);

    pango_font_description_free (font);
    return treemap;
}

static void
pv_treemap_area_init (PvTreemapArea *self)
{
    self->treemap = make_treemap (self);
    pv_accessible_set_name (GTK_WIDGET (self), C_ ("control", "Treemap"));
}
