/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/comparing/compare-bar.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/document/comparing.h"
#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/fold.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/work/query-text.h"
#include "core/analyze/compare/compare-text.h"
#include "core/base/format.h"

/* If narrower, the choices have a line of their own. */
#define NARROW_WIDTH_PX 900

/* Precedes the expression of the function. */
#define FUNCTION_PREFIX "function:"

struct _PvCompareBar {
    PvView base;

    GtkBox *lines_box;
    GtkWidget *sides_box;
    GtkLabel *name_labels[PV_N_SIDES];
    GtkLabel *amount_labels[PV_N_SIDES];
    GtkLabel *arrow_label;
    GtkLabel *change_label;
    GtkWidget *choices_box;
    GtkLabel *scale_label;
    GtkMenuButton *scale_button;
    GtkMenuButton *width_button;
    GtkToggleButton *sides_button;
    gulong sides_handler;
    GtkButton *swap_button;
    char *scales; /* contents of the menu, as text */
    GActionMap *actions;
};

G_DEFINE_FINAL_TYPE (PvCompareBar, pv_compare_bar, PV_TYPE_VIEW)

/* Words */

static const char *const scale_words[PV_N_SCALES] = {"none", "total", "time", "function"};
static const char *const width_words[PV_N_SIDES + 1] = {"base", "new", "both"};

/* Expression that matches exactly this function. */
static char *
make_expression (const char *name)
{
    g_autofree char *escaped = g_regex_escape_string (name, -1);
    return g_strdup_printf ("^%s$", escaped);
}

/* The target of the action that scales like this. */
static char *
make_target (PvScale scale, const char *function)
{
    return scale == PV_SCALE_FUNCTION ? g_strconcat (FUNCTION_PREFIX, function, NULL)
                                      : g_strdup (scale_words[scale]);
}

static const char *
name_scale (PvScale scale)
{
    switch (scale) {
    case PV_SCALE_TOTAL:
        return _ ("Equal Totals");
    case PV_SCALE_TIME:
        return _ ("Equal Times");
    case PV_SCALE_FUNCTION:
        return _ ("Equal Function");
    case PV_SCALE_NONE:
    case PV_N_SCALES:
        break;
    }
    return _ ("As Recorded");
}

static const char *
name_width (PvSide side, gboolean is_side_by_side)
{
    return is_side_by_side        ? _ ("Width: Each Side")
           : side == PV_SIDE_BASE ? _ ("Width: Base")
           : side == PV_SIDE_NEW  ? _ ("Width: New")
                                  : _ ("Width: Both");
}

/* Choices */

static void
add_scale (GMenu *menu, const char *label, PvScale scale, const char *function)
{
    g_autofree char *target = make_target (scale, function);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    g_menu_item_set_action_and_target (item, "comparison.scale", "s", target);
    g_menu_append_item (menu, item);
}

/* The selected function, or NULL. */
static const PvFunction *
get_function (PvCompareBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvCallTree *tree = data->answer->tree;

    return tree != NULL && data->look.function != 0 &&
                   data->look.function < tree->symbols->n_functions
               ? &tree->symbols->functions[data->look.function]
               : NULL;
}

/* Offers only scales with a known factor. A menu whose items were replaced no longer takes the
 * focus in GTK 4.8, so each change makes a new one. */
static void
fill_scales (PvCompareBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvCompared *compared = data->answer->profile->compared;
    const PvFunction *function = get_function (self);
    gboolean has_times = compared->duration_ns_of_side[PV_SIDE_BASE] > 0 &&
                         compared->duration_ns_of_side[PV_SIDE_NEW] > 0;
    g_autoptr (GMenu) menu = g_menu_new ();
    g_autofree char *scales =
        g_strdup_printf ("%d %s", has_times, function != NULL ? function->name : "");

    if (g_strcmp0 (scales, self->scales) == 0)
        return;
    g_free (self->scales);
    self->scales = g_steal_pointer (&scales);
    add_scale (menu, _ ("As _Recorded"), PV_SCALE_NONE, NULL);
    add_scale (menu, _ ("Equal _Totals"), PV_SCALE_TOTAL, NULL);
    if (has_times)
        add_scale (menu, _ ("Equal T_imes"), PV_SCALE_TIME, NULL);
    if (function != NULL) {
        g_autofree char *text =
            /* Translators: a function, whose totals are to be the same on both sides. */
            g_strdup_printf (_ ("Equal Totals of “%s”"), function->short_name);
        g_autofree char *plain = pv_make_menu_label (text);
        /* Adds a mnemonic, which names lack. */
        g_autofree char *label = g_strconcat ("_", plain, NULL);
        g_autofree char *expression = make_expression (function->name);
        add_scale (menu, label, PV_SCALE_FUNCTION, expression);
    }
    gtk_menu_button_set_menu_model (self->scale_button, G_MENU_MODEL (menu));
}

static void
on_scale (PvCompareBar *self, GVariant *target)
{
    const char *word = g_variant_get_string (target, NULL);

    if (g_str_has_prefix (word, FUNCTION_PREFIX))
        pv_document_set_scale (self->base.document, PV_SCALE_FUNCTION,
                               word + strlen (FUNCTION_PREFIX));
    else if (pv_scale_find (word) < PV_N_SCALES)
        pv_document_set_scale (self->base.document, pv_scale_find (word), NULL);
}

static void
on_width (PvCompareBar *self, GVariant *target)
{
    const char *word = g_variant_get_string (target, NULL);

    pv_document_set_side_by_side (self->base.document, FALSE);
    for (PvSide side = 0; side <= PV_N_SIDES; side++)
        if (g_str_equal (width_words[side], word))
            pv_document_set_width_side (self->base.document, side);
}

static void
on_sides_toggled (PvCompareBar *self)
{
    pv_document_set_side_by_side (self->base.document,
                                  gtk_toggle_button_get_active (self->sides_button));
}

/* Display */

static void
show_choices (PvCompareBar *self)
{
    const PvComparisonView *view = &pv_document_get (self->base.document)->comparison;
    PvSide side = pv_document_get_width_side (self->base.document);
    gboolean has_sides = pv_document_is_side_by_side (self->base.document);
    gboolean is_sandwich = pv_document_get (self->base.document)->look.is_sandwich;
    const char *width = name_width (side, has_sides && !is_sandwich);
    g_autofree char *target = make_target (view->scale, view->function);

    g_signal_handler_block (self->sides_button, self->sides_handler);
    gtk_toggle_button_set_active (self->sides_button, has_sides);
    g_signal_handler_unblock (self->sides_button, self->sides_handler);
    gtk_widget_set_sensitive (GTK_WIDGET (self->width_button), !has_sides);
    gtk_widget_set_sensitive (GTK_WIDGET (self->sides_button), !is_sandwich);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->sides_button),
                                 is_sandwich ? _ ("A sandwich always shows both sides together")
                                             : _ ("Flame Graphs Side by Side"));
    pv_actions_set_state (self->actions, "scale", g_variant_new_string (target));
    pv_actions_set_state (self->actions, "width", g_variant_new_string (width_words[side]));
    pv_menu_button_set_title (self->scale_button, name_scale (view->scale));
    pv_menu_button_set_title (self->width_button, width);
}

static void
show_side (PvCompareBar *self, PvSide side)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvChanges *changes = data->sums->functions;
    g_autofree char *amount = pv_format_amount (changes->whole_of_side[side], changes->unit);
    const double factor = data->sums->tree->query.factor_of_side[side];
    g_autofree char *text = NULL;

    if (factor > 0 && factor != 1) {
        const double whole = (double)changes->whole_of_side[side] / factor;
        g_autofree char *recorded =
            pv_format_amount ((uint64_t)fmin (whole + 0.5, (double)INT64_MAX), changes->unit);
        /* Translators: the scaled amount of a side of a comparison, and the one of its recording */
        text = g_strdup_printf (_ ("%s (recorded: %s)"), amount, recorded);
    }
    gtk_label_set_text (self->name_labels[side],
                        data->sums->tree->profile->compared->name_of_side[side]);
    gtk_label_set_text (self->amount_labels[side], text != NULL ? text : amount);
}

static void
show_change (PvCompareBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvChanges *changes = data->sums->functions;
    const char *scale = data->answer->scale_text;
    int64_t whole = pv_changes_get_whole (changes);
    g_autofree char *amount = pv_format_signed_amount (whole, changes->unit);
    g_autofree char *percent = pv_compare_format_percent (changes->whole_of_side[PV_SIDE_BASE],
                                                          changes->whole_of_side[PV_SIDE_NEW]);
    g_autofree char *text =
        *percent != '\0' ? g_strdup_printf ("%s (%s)", amount, percent) : g_strdup (amount);
    g_autofree char *heading =
        pv_compare_make_heading (data->sums->tree, changes, scale != NULL ? scale : "");

    gtk_label_set_text (self->change_label, text);
    pv_accessible_set_name (self->sides_box, heading);
}

/* Scaled amounts must not be mistaken for recorded ones. */
static void
show_scale (PvCompareBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const char *scale = data->answer->scale_text;
    gboolean is_scaled = data->comparison.scale != PV_SCALE_NONE && scale != NULL;

    gtk_label_set_text (self->scale_label, is_scaled ? scale : "");
    gtk_widget_set_visible (GTK_WIDGET (self->scale_label), is_scaled);
}

/* Joined files */

/* Shows a file's name and its own measure. */
static void
show_file (PvCompareBar *self, PvSide side, const char *name, const char *measure)
{
    gtk_label_set_text (self->name_labels[side], name);
    gtk_label_set_text (self->amount_labels[side], measure);
}

static void
show_joined (PvCompareBar *self)
{
    const PvProfile *profile = pv_document_get (self->base.document)->answer->profile;
    const PvJoinedFile *first = &profile->joined[0];
    const PvJoinedFile *second = &profile->joined[MIN (profile->n_joined - 1, 1)];
    unsigned n_others = profile->n_joined - 1;
    const char *measure = pv_measure_get_title (profile, first->first_measure);
    const char *other_measure = pv_measure_get_title (profile, second->first_measure);
    g_autofree char *others =
        n_others > 1
            ? g_strdup_printf (g_dngettext (NULL, "%s and %u more", "%s and %u more", n_others - 1),
                               second->name, n_others - 1)
            : g_strdup (second->name);
    g_autofree char *heading =
        /* Translators: a file and its measure, another file and its measure. */
        g_strdup_printf (_ ("%s (%s) together with %s (%s)"), first->name, measure, others,
                         other_measure);

    show_file (self, PV_SIDE_BASE, first->name, measure);
    show_file (self, PV_SIDE_NEW, others, other_measure);
    pv_accessible_set_name (self->sides_box, heading);
}

/* Hides the choices for joined files: no scale, and the shown measure sets the box widths. */
static void
show_kind (PvCompareBar *self, gboolean is_joined)
{
    gtk_label_set_text (self->arrow_label, is_joined ? "+" : "→");
    gtk_widget_set_visible (GTK_WIDGET (self->change_label), !is_joined);
    gtk_widget_set_visible (self->choices_box, !is_joined);
}

static void
pv_compare_bar_changed (PvView *view, guint what)
{
    PvCompareBar *self = PV_COMPARE_BAR (view);
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    gboolean is_joined = answer->profile != NULL && answer->profile->n_joined > 0;
    gboolean is_shown = answer->profile != NULL && pv_profile_has_sums (answer->profile);

    gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
    if (!is_shown)
        return;
    if (what & (PV_CHANGED_STATE | PV_CHANGED_TREE))
        show_kind (self, is_joined);
    if (is_joined && (what & (PV_CHANGED_STATE | PV_CHANGED_TREE)))
        show_joined (self);
    if (is_joined)
        return;
    if (what & (PV_CHANGED_STATE | PV_CHANGED_TREE | PV_CHANGED_SELECTION))
        fill_scales (self);
    if (what & (PV_CHANGED_STATE | PV_CHANGED_TREE | PV_CHANGED_QUERY | PV_CHANGED_COMPARISON |
                PV_CHANGED_DIRECTION))
        show_choices (self);
    if (!(what & (PV_CHANGED_STATE | PV_CHANGED_TREE | PV_CHANGED_COMPARISON)))
        return;
    show_scale (self);
    if (data->sums == NULL && !(what & PV_CHANGED_STATE) &&
        pv_document_is_deriving (self->base.document, PV_DERIVED_SUMS))
        return;
    gtk_widget_set_visible (self->sides_box, data->sums != NULL);
    if (data->sums == NULL)
        return;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        show_side (self, side);
    show_change (self);
}

/* Object */

static void
pv_compare_bar_begin (PvView *view)
{
    pv_connect (PV_COMPARE_BAR (view)->swap_button, "clicked", pv_document_swap_sides,
                view->document);
}

static void
pv_compare_bar_end (PvView *view)
{
    PvCompareBar *self = PV_COMPARE_BAR (view);

    g_clear_pointer (&self->scales, g_free);
}

static void
pv_compare_bar_class_init (PvCompareBarClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->begin = pv_compare_bar_begin;
    PV_VIEW_CLASS (class)->changed = pv_compare_bar_changed;
    PV_VIEW_CLASS (class)->end = pv_compare_bar_end;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    PV_SET_TEMPLATE (widget_class, "compare-bar", PV_TYPE_HELP_BUTTON);
    PV_BIND_CHILDREN (widget_class, PvCompareBar, lines_box, sides_box, arrow_label, change_label,
                      choices_box, scale_label, scale_button, width_button, sides_button,
                      swap_button);
    PV_BIND_ARRAY (widget_class, PvCompareBar, name_labels, "base_name_label", "new_name_label");
    PV_BIND_ARRAY (widget_class, PvCompareBar, amount_labels, "base_amount_label",
                   "new_amount_label");
    gtk_widget_class_set_css_name (widget_class, "comparebar");
}

static void
make_width_menu (PvCompareBar *self)
{
    static const PvSide sides[] = {PV_N_SIDES, PV_SIDE_NEW, PV_SIDE_BASE};
    const char *const labels[] = {_ ("Both _Sides Together"), C_ ("menu", "_New"),
                                  C_ ("menu", "_Base")};
    g_autoptr (GMenu) menu = g_menu_new ();

    for (unsigned i = 0; i < G_N_ELEMENTS (sides); i++) {
        g_autoptr (GMenuItem) item = g_menu_item_new (labels[i], NULL);
        g_menu_item_set_action_and_target (item, "comparison.width", "s", width_words[sides[i]]);
        g_menu_append_item (menu, item);
    }
    gtk_menu_button_set_menu_model (self->width_button, G_MENU_MODEL (menu));
}

static void
pv_compare_bar_init (PvCompareBar *self)
{
    /* Their states are those of a document. */
    static const PvAction entries[] = {{"scale", G_CALLBACK (on_scale), "s", "''"},
                                       {"width", G_CALLBACK (on_width), "s", "''"}};

    gtk_widget_init_template (GTK_WIDGET (self));
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
    pv_fold_add (GTK_WIDGET (self), GTK_WIDGET (self->lines_box), NARROW_WIDTH_PX,
                 PV_LEAST_WIDTH_PX, NULL);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_label_show_cut_text (self->name_labels[side]);
    self->actions =
        pv_actions_new (GTK_WIDGET (self), "comparison", entries, G_N_ELEMENTS (entries), self);
    make_width_menu (self);
    self->sides_handler = pv_connect (self->sides_button, "toggled", on_sides_toggled, self);
}
