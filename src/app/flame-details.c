#include "app/flame-details.h"

#include <glib/gi18n.h>

#include "core/write/table.h"

/* Below it the figures have a line of their own. */
#define NARROW_WIDTH_PX 640

struct _PvFlameDetails {
    GtkWidget parent;

    GtkWidget *lines_box;
    GtkWidget *swatch;
    GtkLabel *name_label;
    GtkWidget *inlined_label;
    GtkLabel *place_label;
    GtkLabel *figures_label;
    PvColor color;
    gboolean is_odd; /* told something an odd number of times */
};

G_DEFINE_FINAL_TYPE (PvFlameDetails, pv_flame_details, GTK_TYPE_WIDGET)

static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user)
{
    PvFlameDetails *self = user;

    cairo_set_source_rgb (cr, self->color.red, self->color.green, self->color.blue);
    cairo_arc (cr, width / 2.0, height / 2.0, MIN (width, height) / 2.0, 0, 2 * G_PI);
    cairo_fill (cr);
}

/* "libengine.so · join.cc:212" */
static char *
format_place (const PvDocumentData *data, PvNodeId node)
{
    const PvCallTree *tree = data->flame_tree;
    PvModuleId module = pv_call_tree_get_module (tree, node);
    const PvFrame *frame = tree->frame_of_node[node];
    GString *place = g_string_new (NULL);

    if (module != 0)
        g_string_append (place, data->profile->modules[module].name);
    if (frame != NULL && frame->file != NULL) {
        g_autofree char *base = g_path_get_basename (frame->file);
        if (place->len > 0)
            g_string_append (place, "  ·  ");
        g_string_append (place, base);
        if (frame->line > 0)
            g_string_append_printf (place, ":%u", frame->line);
    }
    return g_string_free (place, FALSE);
}

/* A caption in a dim colour and its value: two figures side by side stay readable. */
static void
append_figure (GString *markup, const char *caption, const char *value)
{
    g_autofree char *escaped = g_markup_escape_text (value, -1);

    if (markup->len > 0)
        g_string_append (markup, "    ");
    if (caption != NULL)
        g_string_append_printf (markup, "<span alpha=\"60%%\">%s</span>\u2002", caption);
    g_string_append (markup, escaped);
}

static char *
format_figures (PvDocument *document, PvNodeId node)
{
    const PvCallTree *tree = pv_document_get (document)->flame_tree;
    PvNodeId parent = tree->parent_of_node[node];
    GString *markup = g_string_new (NULL);
    g_autofree char *self = pv_format_percent (tree->self[node], tree->total[0]);
    g_autofree char *total = pv_format_percent (tree->total[node], tree->total[0]);
    g_autofree char *weight = pv_document_format_weight (document, tree->total[node]);

    /* Translators: what a function costs alone, and together with what it calls. */
    append_figure (markup, _ ("Self"), self);
    append_figure (markup, _ ("Total"), total);
    if (parent != PV_NODE_NONE) {
        g_autofree char *of_parent = pv_format_percent (tree->total[node], tree->total[parent]);
        append_figure (markup, _ ("Of caller"), of_parent);
    }
    append_figure (markup, NULL, weight);
    return g_string_free (markup, FALSE);
}

void
pv_flame_details_show (PvFlameDetails *self, PvDocument *document, PvNodeId node, PvColor color)
{
    const PvDocumentData *data = pv_document_get (document);
    const PvCallTree *tree = data->flame_tree;
    g_autofree char *place = NULL;
    g_autofree char *figures = NULL;
    g_autofree char *sentence = NULL;
    const char *name;

    gtk_widget_set_visible (self->swatch, node != PV_NODE_NONE);
    if (node == PV_NODE_NONE || tree == NULL) {
        gtk_label_set_text (self->name_label, "");
        gtk_label_set_text (self->place_label, "");
        gtk_label_set_text (self->figures_label, "");
        gtk_widget_set_visible (self->inlined_label, FALSE);
        return;
    }
    name = pv_call_tree_get_name (tree, node);
    place = format_place (data, node);
    figures = format_figures (document, node);
    self->color = color;
    self->is_odd = !self->is_odd;
    gtk_widget_queue_draw (self->swatch);
    gtk_label_set_text (self->name_label, name);
    gtk_label_set_text (self->place_label, place);
    gtk_label_set_markup (self->figures_label, figures);
    gtk_widget_set_visible (self->inlined_label, tree->frame_of_node[node] != NULL &&
                                                     tree->frame_of_node[node]->is_inlined);
    sentence =
        g_strdup_printf ("%s, %s, %s", name, gtk_label_get_text (self->figures_label), place);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, sentence,
                                    -1);
}

/* Every letter that changes is a piece of the window to be repainted, and of more than thirty
 * pieces GSK makes a single one, with all of the picture in it. A colour that nobody sees but that
 * changes makes this line one piece. */
static void
pv_flame_details_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvFlameDetails *self = PV_FLAME_DETAILS (widget);
    graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget),
                                                 (float)gtk_widget_get_height (widget));

    gtk_snapshot_append_color (snapshot, &(GdkRGBA){self->is_odd ? 1 : 0, 0, 0, 0}, &bounds);
    GTK_WIDGET_CLASS (pv_flame_details_parent_class)->snapshot (widget, snapshot);
}

/* Room ------------------------------------------------------------------------------------------
 */

static gboolean
is_narrow (PvFlameDetails *self)
{
    return gtk_orientable_get_orientation (GTK_ORIENTABLE (self->lines_box)) ==
           GTK_ORIENTATION_VERTICAL;
}

static gboolean
fold_lines (gpointer user)
{
    PvFlameDetails *self = user;
    gboolean narrow = gtk_widget_get_width (GTK_WIDGET (self)) < NARROW_WIDTH_PX;

    if (self->lines_box == NULL)
        return G_SOURCE_REMOVE;
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->lines_box),
                                    narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
    gtk_label_set_xalign (self->figures_label, narrow ? 0 : 1);
    return G_SOURCE_REMOVE;
}

/* Orientation must not change within an allocation, so it changes right after. */
static void
pv_flame_details_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvFlameDetails *self = PV_FLAME_DETAILS (widget);

    if (is_narrow (self) != (width < NARROW_WIDTH_PX))
        g_idle_add_full (G_PRIORITY_HIGH_IDLE, fold_lines, g_object_ref (self), g_object_unref);
    gtk_widget_size_allocate (self->lines_box, &(GtkAllocation){0, 0, width, height}, baseline);
}

static void
pv_flame_details_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
    gtk_widget_measure (PV_FLAME_DETAILS (widget)->lines_box, orientation, for_size, minimum,
                        natural, minimum_baseline, natural_baseline);
}

/* Object ----------------------------------------------------------------------------------------
 */

static void
pv_flame_details_dispose (GObject *object)
{
    g_clear_pointer (&PV_FLAME_DETAILS (object)->lines_box, gtk_widget_unparent);
    G_OBJECT_CLASS (pv_flame_details_parent_class)->dispose (object);
}

static void
pv_flame_details_class_init (PvFlameDetailsClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_flame_details_dispose;
    widget_class->snapshot = pv_flame_details_snapshot;
    widget_class->measure = pv_flame_details_measure;
    widget_class->size_allocate = pv_flame_details_size_allocate;
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/flame-details.ui");
    gtk_widget_class_bind_template_child (widget_class, PvFlameDetails, lines_box);
    gtk_widget_class_bind_template_child (widget_class, PvFlameDetails, swatch);
    gtk_widget_class_bind_template_child (widget_class, PvFlameDetails, name_label);
    gtk_widget_class_bind_template_child (widget_class, PvFlameDetails, inlined_label);
    gtk_widget_class_bind_template_child (widget_class, PvFlameDetails, place_label);
    gtk_widget_class_bind_template_child (widget_class, PvFlameDetails, figures_label);
    gtk_widget_class_set_css_name (widget_class, "details");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_STATUS);
}

static void
pv_flame_details_init (PvFlameDetails *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->swatch), draw_swatch, self, NULL);
}
