/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/details-line.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/fold.h"
#include "app/widgets/setup.h"
#include "app/widgets/style.h"
#include "app/widgets/swatch.h"
#include "app/widgets/text-cell.h"
#include "core/analyze/compare/compare-text.h"
#include "core/analyze/renames/renames.h"
#include "core/base/format.h"

/* Below this width the figures get a line of their own. */
#define NARROW_WIDTH_PX 690
#define LEAST_WIDTH_PX  240
#define LEAST_NAME_PX   120 /* beside the figures */

struct _PvDetailsLine {
    GtkWidget parent;

    GtkWidget *lines_box;
    PvSwatch *swatch;
    PvTextCell *name_cell;
    GtkWidget *inlined_label;
    GtkWidget *place_button;
    PvTextCell *place_cell;
    GtkLabel *figures_label;
    gboolean is_narrow; /* the figures are below the name, ... */
    gboolean is_phone;  /* ... in two lines */
    gboolean is_odd;    /* the text was set an odd number of times */
};

G_DEFINE_FINAL_TYPE (PvDetailsLine, pv_details_line, GTK_TYPE_WIDGET)

char *
pv_details_line_format_location (const PvProfile *profile, PvModuleId module, const PvFrame *frame)
{
    GString *location = g_string_new (NULL);

    if (module != 0)
        g_string_append (location, profile->modules[module].name);
    if (frame != NULL && frame->file != NULL) {
        g_autofree char *base = g_path_get_basename (frame->file);
        if (location->len > 0)
            g_string_append (location, "  ·  ");
        g_string_append (location, base);
        if (frame->line > 0)
            g_string_append_printf (location, ":%u", frame->line);
    }
    return g_string_free (location, FALSE);
}

void
pv_details_line_add_figure (GString *figures, const char *caption, const char *value)
{
    g_autofree char *escaped = g_markup_escape_text (value, -1);
    g_autofree char *before = caption != NULL ? g_markup_escape_text (caption, -1) : NULL;

    if (figures->len > 0)
        g_string_append (figures, "    ");
    if (before != NULL)
        g_string_append_printf (figures, "<span alpha=\"60%%\">%s</span>\u2002", before);
    g_string_append (figures, escaped);
}

/* "48.2 %  437 ms" */
static void
add_weight (GString *markup, const char *caption, PvDocument *document, const PvCallTree *tree,
            uint64_t weight)
{
    g_autofree char *percent = pv_format_percent (weight, tree->total[0]);
    g_autofree char *amount = pv_document_format_weight (document, weight);
    g_autofree char *both = g_strdup_printf ("%s\u2002%s", percent, amount);

    pv_details_line_add_figure (markup, caption, both);
}

/* Adds a net amount, added less taken away, and its share of both together. */
static void
add_net (GString *markup, const char *caption, const PvCallTree *tree, int64_t net)
{
    PvUnit unit = tree->profile->measures[tree->query.measure].unit;
    g_autofree char *percent = pv_format_percent (ABS ((double)net), tree->total[0]);
    g_autofree char *amount = pv_format_signed_amount (net, unit);
    g_autofree char *both = g_strdup_printf ("%s\u2002%s", percent, amount);

    pv_details_line_add_figure (markup, caption, both);
}

/* True if the net amounts are known of a tree whose measure is signed. */
static gboolean
has_net (const PvNodeValues *values, const PvCallTree *tree)
{
    return values != NULL && values->sides != NULL && pv_node_values_are_of (values, tree);
}

static void
add_amount (GString *markup, const char *caption, uint64_t amount, PvUnit unit)
{
    g_autofree char *text = pv_format_amount (amount, unit);

    pv_details_line_add_figure (markup, caption, text);
}

/* Figures of a comparison: both sides, the change, its share of the whole change, and if it is
 * noise. */
static char *
format_change (PvNodeId node, const PvNodeValues *values)
{
    const PvChanges *sides = values->sides;
    uint64_t base = sides->total_of_side[PV_SIDE_BASE][node];
    uint64_t new_total = sides->total_of_side[PV_SIDE_NEW][node];
    int64_t net = pv_changes_get_total (sides, node);
    g_autofree char *amount = pv_format_signed_amount (net, sides->unit);
    g_autofree char *percent = pv_compare_format_percent (base, new_total);
    g_autofree char *change = g_strdup_printf ("%s\u2002%s", amount, percent);
    g_autofree char *share = pv_compare_format_share (net, pv_changes_get_whole (sides));
    g_autofree char *interval = pv_compare_describe_interval (sides, node, false);
    g_autofree char *more =
        pv_renames_describe_short (values->tree->symbols, values->tree->function_of_node[node]);
    GString *markup = g_string_new (NULL);

    if (more != NULL)
        pv_details_line_add_figure (markup, NULL, more);
    /* Translators: of the two profiles that are compared. */
    add_amount (markup, C_ ("figure", "Base"), base, sides->unit);
    add_amount (markup, C_ ("figure", "New"), new_total, sides->unit);
    pv_details_line_add_figure (markup, C_ ("figure", "Change"), change);
    if (interval != NULL)
        pv_details_line_add_figure (markup, NULL, interval);
    if (*share != '\0')
        /* Translators: a function's share of the change of the whole profile. */
        pv_details_line_add_figure (markup, _ ("Of total change"), share);
    if ((pv_node_values_get_marks (values, node) & PV_NODE_IS_NOISE) != 0)
        pv_details_line_add_figure (markup, NULL, _ ("within noise"));
    return g_string_free (markup, FALSE);
}

static char *
format_net_figures (const PvCallTree *tree, PvNodeId node, const PvNodeValues *values,
                    gboolean is_of_callers)
{
    GString *markup;

    if (tree->profile->compared != NULL)
        return format_change (node, values);
    markup = g_string_new (NULL);
    if (pv_call_tree_count_folded (tree, node) == 0 &&
        (!is_of_callers || tree->parent_of_node[node] == 0))
        add_net (markup, C_ ("figure", "Self"), tree, pv_node_values_get_net (values, node, true));
    add_net (markup, C_ ("figure", "Total"), tree, pv_node_values_get_net (values, node, false));
    return g_string_free (markup, FALSE);
}

static char *
format_figures (PvDocument *document, const PvCallTree *tree, PvNodeId node,
                const PvNodeValues *values, gboolean is_of_callers)
{
    PvNodeId parent = tree->parent_of_node[node];
    GString *markup = g_string_new (NULL);

    /* A caller in a tree of callers has a figure there that is not its own self.
     * Translators: what a function costs alone, and together with what it calls. */
    if (pv_call_tree_count_folded (tree, node) == 0 && (!is_of_callers || parent == 0))
        add_weight (markup, C_ ("figure", "Self"), document, tree, tree->self[node]);
    add_weight (markup, C_ ("figure", "Total"), document, tree, tree->total[node]);
    /* The first functions of an inverted tree are the innermost, or that of a sandwich. */
    if (parent != PV_NODE_NONE && (parent != 0 || !tree->query.is_inverted)) {
        g_autofree char *of_parent = pv_format_percent (tree->total[node], tree->total[parent]);
        /* Translators: a function's share of what it was called by, or of what it calls. */
        pv_details_line_add_figure (markup, is_of_callers ? _ ("Of callee") : _ ("Of caller"),
                                    of_parent);
    }
    if (values != NULL && pv_node_values_are_of (values, tree) && values->formula != NULL) {
        g_autofree char *value = pv_formula_format (values->formula, values->value_of_node[node]);
        pv_details_line_add_figure (markup, values->formula->title, value);
    }
    return g_string_free (markup, FALSE);
}

/* The whole paths, for the tool tip; NULL: no paths. */
static char *
format_paths (const PvProfile *profile, PvModuleId module, const PvFrame *frame)
{
    const char *path = module != 0 ? profile->modules[module].path : NULL;
    const char *file = frame != NULL ? frame->file : NULL;

    if (path == NULL && file == NULL)
        return NULL;
    return path == NULL   ? g_strdup (file)
           : file == NULL ? g_strdup (path)
                          : g_strdup_printf ("%s\n%s", path, file);
}

/* The height of two lines, so that the picture stays where it is. */
static int
get_two_lines (GtkWidget *label)
{
    g_autoptr (PangoLayout) lines = gtk_widget_create_pango_layout (label, "0\n0");
    int height;

    pango_layout_get_pixel_size (lines, NULL, &height);
    return height;
}

/* Where there is less room than both need, it is the name that is cut. */
static void
give_figures_room (PvDetailsLine *self)
{
    GtkWidget *label = GTK_WIDGET (self->figures_label);
    double scale = pv_style_get_text_scale (label);
    int room = gtk_widget_get_width (GTK_WIDGET (self)) - (int)(LEAST_NAME_PX * scale), natural;

    gtk_widget_set_size_request (label, -1, self->is_phone ? get_two_lines (label) : -1);
    if (self->is_narrow || room <= 0)
        return;
    gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
    gtk_widget_set_size_request (label, MIN (natural, room), -1);
}

void
pv_details_line_show (PvDetailsLine *self, const char *name, const char *location,
                      gboolean is_inlined, const char *figures, const PvColor *color)
{
    g_autofree char *sentence = NULL;

    g_assert (name != NULL && figures != NULL);
    self->is_odd = !self->is_odd;
    pv_swatch_set_color (self->swatch, color);
    pv_text_cell_set_text (self->name_cell, name);
    gtk_widget_set_visible (GTK_WIDGET (self->name_cell), *name != '\0');
    pv_text_cell_set_text (self->place_cell, location != NULL ? location : "");
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->place_cell), NULL);
    pv_path_set_link (self->place_button, FALSE);
    gtk_label_set_markup (self->figures_label, figures);
    give_figures_room (self);
    gtk_widget_set_visible (self->inlined_label, is_inlined);
    sentence = g_strdup_printf ("%s, %s, %s", name, gtk_label_get_text (self->figures_label),
                                location != NULL ? location : "");
    /* Newer versions of GTK ignore the name of a widget with the role "status". */
    pv_accessible_set_name (self->lines_box, sentence);
}

void
pv_details_line_show_node (PvDetailsLine *self, PvDocument *document, const PvCallTree *tree,
                           PvNodeId node, const PvNodeValues *values, gboolean is_of_callers,
                           PvColor color)
{
    const PvFrame *frame;
    g_autofree char *location = NULL;
    g_autofree char *figures = NULL;
    g_autofree char *paths = NULL;
    g_autofree char *folded = NULL;

    if (node == PV_NODE_NONE || tree == NULL) {
        pv_details_line_show (self, "", NULL, FALSE, "", NULL);
        return;
    }
    g_assert (node < tree->n_nodes);
    frame = tree->frame_of_node[node];
    location = pv_details_line_format_location (tree->profile, pv_call_tree_get_module (tree, node),
                                                frame);
    figures = has_net (values, tree) ? format_net_figures (tree, node, values, is_of_callers)
                                     : format_figures (document, tree, node, values, is_of_callers);
    folded = pv_call_tree_format_folded (tree, node);
    pv_details_line_show (self, folded != NULL ? folded : pv_call_tree_get_name (tree, node),
                          folded != NULL ? _ ("Too small to show, click to open") : location,
                          frame != NULL && frame->is_inlined, figures, &color);
    paths = format_paths (tree->profile, pv_call_tree_get_module (tree, node), frame);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->place_cell), paths);
    pv_path_set_link (self->place_button, frame != NULL && frame->file != NULL);
}

void
pv_details_line_show_bundle (PvDetailsLine *self, PvDocument *document, const PvCallTree *tree,
                             const PvFlameBundle *bundle, const PvNodeValues *values)
{
    g_autofree char *name = NULL;
    GString *figures = g_string_new (NULL);

    g_assert (tree != NULL && bundle != NULL);
    name = pv_flame_bundle_format (tree, bundle);
    if (has_net (values, tree))
        add_net (figures, C_ ("figure", "Total"), tree,
                 pv_node_values_sum_net (values, bundle->first, bundle->last));
    else
        add_weight (figures, C_ ("figure", "Total"), document, tree,
                    pv_flame_bundle_weigh (tree, bundle));
    pv_details_line_show (self, name, _ ("Too small to show, click to open"), FALSE, figures->str,
                          NULL);
    g_string_free (figures, TRUE);
}

static char *
format_times (const PvFlameChart *chart, const PvCallTree *cut, const PvFlameBundle *boxes)
{
    uint64_t start_ns = cut->query.start_ns + cut->left[boxes->first];
    uint64_t end_ns = cut->query.start_ns + cut->left[boxes->last] + cut->total[boxes->last];
    uint32_t n = pv_flame_chart_count (chart, start_ns, end_ns);
    g_autofree char *start = pv_format_amount (start_ns, PV_UNIT_NS);
    g_autofree char *duration = pv_format_amount (end_ns - start_ns, PV_UNIT_NS);
    g_autofree char *samples = pv_call_tree_format_small (cut, n);
    GString *figures = g_string_new (NULL);

    pv_details_line_add_figure (figures, C_ ("figure", "Duration"), duration);
    /* Translators: when something begins. */
    pv_details_line_add_figure (figures, C_ ("figure", "From"), start);
    if (boxes->first == boxes->last)
        pv_details_line_add_figure (figures, NULL, samples);
    return g_string_free (figures, FALSE);
}

void
pv_details_line_show_box (PvDetailsLine *self, const PvFlameChart *chart, const PvCallTree *cut,
                          const PvFlameBundle *boxes, PvColor color)
{
    const PvFrame *frame = cut->frame_of_node[boxes->first];
    PvModuleId module = pv_call_tree_get_module (cut, boxes->first);
    gboolean is_one = boxes->first == boxes->last && (frame != NULL || boxes->first == 0);
    g_autofree char *figures = format_times (chart, cut, boxes);
    g_autofree char *location = NULL;
    g_autofree char *paths = NULL;
    g_autofree char *many = NULL;

    if (!is_one) {
        many = pv_flame_bundle_format (cut, boxes);
        pv_details_line_show (self, many, _ ("Too small to show, click to open"), FALSE, figures,
                              NULL);
        return;
    }
    location = pv_details_line_format_location (cut->profile, module, frame);
    pv_details_line_show (self, pv_call_tree_get_name (cut, boxes->first), location,
                          frame != NULL && frame->is_inlined, figures, &color);
    paths = format_paths (cut->profile, module, frame);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->place_cell), paths);
    pv_path_set_link (self->place_button, frame != NULL && frame->file != NULL);
}

void
pv_details_line_set_sentence (PvDetailsLine *self, gboolean is_sentence)
{
    g_assert (PV_IS_DETAILS_LINE (self));
    pv_text_cell_set_cut (self->name_cell, is_sentence ? PV_CUT_PARTS : PV_CUT_MIDDLE);
    pv_text_cell_set_max_chars (self->place_cell, is_sentence ? 0 : 1000);
}

/* Each letter that changes is a piece of the window to be repainted, and for more than thirty
 * pieces GSK repaints one rectangle around all of them, with the whole picture in it. An invisible
 * color that changes with every text makes this line one piece. */
static void
pv_details_line_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvDetailsLine *self = PV_DETAILS_LINE (widget);
    graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget),
                                                 (float)gtk_widget_get_height (widget));

    gtk_snapshot_append_color (snapshot, &(GdkRGBA){self->is_odd ? 1 : 0, 0, 0, 0}, &bounds);
    GTK_WIDGET_CLASS (pv_details_line_parent_class)->snapshot (widget, snapshot);
}

/* Layout */

static void
on_placed (GtkWidget *widget, int width, gboolean is_narrow)
{
    PvDetailsLine *self = PV_DETAILS_LINE (widget);

    self->is_narrow = is_narrow;
    self->is_phone = width < PV_PHONE_WIDTH_PX * pv_style_get_text_scale (widget);
    gtk_label_set_wrap (self->figures_label, self->is_phone);
    gtk_label_set_lines (self->figures_label, self->is_phone ? 3 : -1);
    gtk_label_set_yalign (self->figures_label, self->is_phone ? 0 : 0.5F);
    gtk_label_set_xalign (self->figures_label, is_narrow ? 0 : 1);
    give_figures_room (self);
}

/* Object */

static void
pv_details_line_dispose (GObject *object)
{
    g_clear_pointer (&PV_DETAILS_LINE (object)->lines_box, gtk_widget_unparent);
    G_OBJECT_CLASS (pv_details_line_parent_class)->dispose (object);
}

static void
pv_details_line_class_init (PvDetailsLineClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_details_line_dispose;
    widget_class->snapshot = pv_details_line_snapshot;
    PV_SET_TEMPLATE (widget_class, "details-line", PV_TYPE_SWATCH, PV_TYPE_TEXT_CELL);
    PV_BIND_CHILDREN (widget_class, PvDetailsLine, lines_box, swatch, name_cell, inlined_label,
                      place_button, place_cell, figures_label);
    gtk_widget_class_set_css_name (widget_class, "details");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_STATUS);
}

static void
pv_details_line_init (PvDetailsLine *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_fold_add (GTK_WIDGET (self), self->lines_box, NARROW_WIDTH_PX, LEAST_WIDTH_PX, on_placed);
    pv_accessible_set_name (self->place_button, _ ("Show Source"));
    pv_text_cell_set_min_chars (self->name_cell, 4);
    pv_text_cell_set_max_chars (self->name_cell, 1000);
    pv_text_cell_set_cut (self->place_cell, PV_CUT_START);
    pv_text_cell_set_max_chars (self->place_cell, 1000);
}
