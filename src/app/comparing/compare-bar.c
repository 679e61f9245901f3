/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/comparing/compare-bar.h"

#include <glib/gi18n.h>

#include "app/document/comparing.h"
#include "app/widgets/accessible.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/template.h"
#include "app/work/query-text.h"
#include "core/analyze/compare/compare-text.h"
#include "core/base/format.h"

/* If narrower, the choices have a line of their own. */
#define NARROW_WIDTH_PX 900

/* Precedes the expression of the function. */
#define FUNCTION_PREFIX "function:"

struct _PvCompareBar {
    GtkWidget parent;

    PvDocument *document;
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
    GSimpleAction *scale_action;
    GSimpleAction *width_action;
};

G_DEFINE_FINAL_TYPE (PvCompareBar, pv_compare_bar, GTK_TYPE_WIDGET)

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
    const PvDocumentData *data = pv_document_get (self->document);
    const PvSymbolTable *symbols = data->flame_tree != NULL ? data->flame_tree->symbols : NULL;

    return symbols != NULL && data->look.function != 0 && data->look.function < symbols->n_functions
               ? &symbols->functions[data->look.function]
               : NULL;
}

/* Offers only scales with a known factor. A menu whose items were replaced no longer takes the
 * focus in GTK 4.8, so each change makes a new one. */
static void
fill_scales (PvCompareBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvCompared *compared = data->profile->compared;
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
on_scale (GSimpleAction *action, GVariant *target, gpointer user)
{
    PvCompareBar *self = user;
    const char *word = g_variant_get_string (target, NULL);

    if (g_str_has_prefix (word, FUNCTION_PREFIX))
        pv_document_set_scale (self->document, PV_SCALE_FUNCTION, word + strlen (FUNCTION_PREFIX));
    else if (pv_scale_find (word) < PV_N_SCALES)
        pv_document_set_scale (self->document, pv_scale_find (word), NULL);
}

static void
on_width (GSimpleAction *action, GVariant *target, gpointer user)
{
    PvCompareBar *self = user;
    const char *word = g_variant_get_string (target, NULL);

    pv_document_set_side_by_side (self->document, FALSE);
    for (PvSide side = 0; side <= PV_N_SIDES; side++)
        if (g_str_equal (width_words[side], word))
            pv_document_set_width_side (self->document, side);
}

static void
on_sides_toggled (PvCompareBar *self)
{
    pv_document_set_side_by_side (self->document,
                                  gtk_toggle_button_get_active (self->sides_button));
}

/* Display */

static void
show_choices (PvCompareBar *self)
{
    const PvComparisonView *view = &pv_document_get (self->document)->comparison;
    PvSide side = pv_document_get_width_side (self->document);
    gboolean has_sides = pv_document_is_side_by_side (self->document);
    gboolean is_sandwich = pv_document_get (self->document)->look.is_sandwich;
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
    g_simple_action_set_state (self->scale_action, g_variant_new_string (target));
    g_simple_action_set_state (self->width_action, g_variant_new_string (width_words[side]));
    pv_menu_button_set_title (self->scale_button, name_scale (view->scale));
    pv_menu_button_set_title (self->width_button, width);
}

static void
show_side (PvCompareBar *self, PvSide side)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvChanges *changes = data->sums->functions;
    g_autofree char *amount = pv_format_amount (changes->whole_of_side[side], changes->unit);

    gtk_label_set_text (self->name_labels[side],
                        data->sums->tree->profile->compared->name_of_side[side]);
    gtk_label_set_text (self->amount_labels[side], amount);
}

static void
show_change (PvCompareBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvChanges *changes = data->sums->functions;
    int64_t whole = pv_changes_get_whole (changes);
    g_autofree char *amount = pv_format_signed_amount (whole, changes->unit);
    g_autofree char *percent = pv_compare_format_percent (changes->whole_of_side[PV_SIDE_BASE],
                                                          changes->whole_of_side[PV_SIDE_NEW]);
    g_autofree char *text =
        *percent != '\0' ? g_strdup_printf ("%s (%s)", amount, percent) : g_strdup (amount);
    g_autofree char *heading = pv_compare_make_heading (
        data->sums->tree, changes, data->scale_text != NULL ? data->scale_text : "");

    gtk_label_set_text (self->change_label, text);
    pv_accessible_set_name (self->sides_box, heading);
}

/* Scaled amounts must not be mistaken for recorded ones. */
static void
show_scale (PvCompareBar *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    gboolean is_scaled = data->comparison.scale != PV_SCALE_NONE && data->scale_text != NULL;

    gtk_label_set_text (self->scale_label, is_scaled ? data->scale_text : "");
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
    const PvProfile *profile = pv_document_get (self->document)->profile;
    const PvJoinedFile *first = &profile->joined[0];
    const PvJoinedFile *second = &profile->joined[MIN (profile->n_joined - 1, 1)];
    unsigned n_others = profile->n_joined - 1;
    const char *measure = pv_measure_get_title (profile, first->first_measure);
    const char *other_measure = pv_measure_get_title (profile, second->first_measure);
    g_autofree char *others =
        n_others > 1 ? g_strdup_printf (_ ("%s and %u more"), second->name, n_others - 1)
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
update (PvCompareBar *self, guint what)
{
    const PvDocumentData *data = pv_document_get (self->document);
    gboolean is_joined = data->profile != NULL && data->profile->n_joined > 0;
    gboolean is_shown = data->profile != NULL && pv_profile_has_sums (data->profile);

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
    gtk_widget_set_visible (self->sides_box, data->sums != NULL);
    if (data->sums == NULL)
        return;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        show_side (self, side);
    show_change (self);
}

/* Object */

static gboolean
fold (gpointer user)
{
    PvCompareBar *self = user;
    gboolean is_narrow = gtk_widget_get_width (GTK_WIDGET (self)) < NARROW_WIDTH_PX;

    if (self->document != NULL)
        gtk_orientable_set_orientation (GTK_ORIENTABLE (self->lines_box),
                                        is_narrow ? GTK_ORIENTATION_VERTICAL
                                                  : GTK_ORIENTATION_HORIZONTAL);
    return G_SOURCE_REMOVE;
}

/* Orientation must not change within an allocation. */
static void
pv_compare_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvCompareBar *self = PV_COMPARE_BAR (widget);
    gboolean was_narrow = gtk_orientable_get_orientation (GTK_ORIENTABLE (self->lines_box)) ==
                          GTK_ORIENTATION_VERTICAL;
    int minimum;

    if (was_narrow != (width < NARROW_WIDTH_PX))
        g_idle_add_full (G_PRIORITY_HIGH_IDLE, fold, g_object_ref (self), g_object_unref);
    gtk_widget_measure (GTK_WIDGET (self->lines_box), GTK_ORIENTATION_HORIZONTAL, -1, &minimum,
                        NULL, NULL, NULL);
    gtk_widget_size_allocate (GTK_WIDGET (self->lines_box),
                              &(GtkAllocation){0, 0, MAX (width, minimum), height}, baseline);
}

static void
pv_compare_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
    gtk_widget_measure (GTK_WIDGET (PV_COMPARE_BAR (widget)->lines_box), orientation, -1, minimum,
                        natural, minimum_baseline, natural_baseline);
    /* It folds before it would need room for one line. */
    if (orientation == GTK_ORIENTATION_HORIZONTAL)
        *minimum = MIN (*minimum, 340);
}

static void
pv_compare_bar_dispose (GObject *object)
{
    PvCompareBar *self = PV_COMPARE_BAR (object);
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    g_clear_object (&self->document);
    g_clear_pointer (&self->scales, g_free);
    g_clear_object (&self->scale_action);
    g_clear_object (&self->width_action);
    G_OBJECT_CLASS (pv_compare_bar_parent_class)->dispose (object);
}

static void
bind_labels (GtkWidgetClass *class, const char *const *names, size_t offset)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        gtk_widget_class_bind_template_child_full (
            class, names[side], FALSE, (gssize)(offset + (size_t)side * sizeof (GtkLabel *)));
}

static void
pv_compare_bar_class_init (PvCompareBarClass *class)
{
    static const char *const names[PV_N_SIDES] = {"base_name_label", "new_name_label"};
    static const char *const amounts[PV_N_SIDES] = {"base_amount_label", "new_amount_label"};
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_compare_bar_dispose;
    widget_class->size_allocate = pv_compare_bar_size_allocate;
    widget_class->measure = pv_compare_bar_measure;
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/compare-bar.ui");
    PV_BIND_CHILDREN (widget_class, PvCompareBar, lines_box, sides_box, arrow_label, change_label,
                      choices_box, scale_label, scale_button, width_button, sides_button,
                      swap_button);
    bind_labels (widget_class, names, G_STRUCT_OFFSET (PvCompareBar, name_labels));
    bind_labels (widget_class, amounts, G_STRUCT_OFFSET (PvCompareBar, amount_labels));
    gtk_widget_class_set_css_name (widget_class, "comparebar");
}

static GSimpleAction *
add_action (PvCompareBar *self, GSimpleActionGroup *group, const char *name, const char *state,
            void (*activate) (GSimpleAction *action, GVariant *target, gpointer user))
{
    GSimpleAction *action =
        g_simple_action_new_stateful (name, G_VARIANT_TYPE_STRING, g_variant_new_string (state));

    g_signal_connect (action, "activate", G_CALLBACK (activate), self);
    g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
    return action;
}

static void
make_width_menu (PvCompareBar *self)
{
    static const PvSide sides[] = {PV_N_SIDES, PV_SIDE_NEW, PV_SIDE_BASE};
    const char *const labels[] = {_ ("Both _Sides Together"), _ ("_New"), _ ("_Base")};
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
    g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

    gtk_widget_init_template (GTK_WIDGET (self));
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_label_show_cut_text (self->name_labels[side]);
    self->scale_action = add_action (self, group, "scale", scale_words[PV_SCALE_NONE], on_scale);
    self->width_action = add_action (self, group, "width", width_words[PV_N_SIDES], on_width);
    gtk_widget_insert_action_group (GTK_WIDGET (self), "comparison", G_ACTION_GROUP (group));
    make_width_menu (self);
    self->sides_handler = g_signal_connect_swapped (self->sides_button, "toggled",
                                                    G_CALLBACK (on_sides_toggled), self);
}

void
pv_compare_bar_set_document (PvCompareBar *self, PvDocument *document)
{
    g_assert (PV_IS_COMPARE_BAR (self) && self->document == NULL && PV_IS_DOCUMENT (document));
    self->document = g_object_ref (document);
    g_signal_connect_object (self->swap_button, "clicked", G_CALLBACK (pv_document_swap_sides),
                             document, G_CONNECT_SWAPPED);
    g_signal_connect_object (document, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    update (self, PV_CHANGED_STATE);
}
