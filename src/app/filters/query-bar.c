/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/filters/query-bar.h"

#include <glib/gi18n.h>

#include "app/filters/facet-button.h"
#include "app/filters/filter-chips.h"
#include "app/filters/saved-filters-menu.h"
#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/chip.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/file-dialog.h"
#include "app/widgets/focus.h"
#include "app/widgets/fold.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/work/measure-totals.h"
#include "app/work/query-text.h"
#include "app/work/work.h"
#include "core/analyze/query/query-words.h"
#include "core/base/format.h"
#include "core/model/profile/event-names.h"

/* With this many measures the menu has a search entry. */
#define SEARCH_FROM 12

/* The second line has more, the less room there is. */
typedef enum { FOLD_NOTHING, FOLD_CHIPS, FOLD_SAMPLES_TOO } Folding;

struct _PvQueryBar {
    PvView base;

    PvProfile *profile; /* the profile whose measures are listed */
    gboolean had_range; /* a time range was set when the menu was filled */
    PvTask *totals_task;
    PvMeasureTotals *totals; /* under the filters, of some answer; NULL: not known */
    GPtrArray *measure_rows; /* GtkListItem, of the open menu */
    gboolean is_filling;     /* the menu is being filled: ignore its selection */
    GtkDropDown *measure_drop_down;
    GtkLabel *measure_label;
    PvHelpButton *help_button;
    GtkWidget *lines_box;
    GtkBox *first_line;  /* shows the chips if there is room */
    GtkBox *second_line; /* or else this one, where they scroll */
    GtkScrolledWindow *chips_scroller;
    Folding folding;
    GtkBox *chips_box;
    GtkWidget *range_chip;
    GtkWidget *suppressions_chip;
    PvFacetButton *facet_button;
    GtkBox *facets_box; /* chips of threads, processes, labels and the grouping */
    char *facets;       /* their content, to see changes */
    PvFilterChips *filter_chips;
    GtkWidget *filters_button;
    GMenu *switches_section;
    GMenu *saved_section;
    GMenu *group_menu;
    GActionMap *actions;
    GtkWidget *work_box;
    GtkLabel *work_label;
    GtkWidget *stop_button;
    GtkLabel *samples_label;
    GtkWidget *steps_box; /* back and forward */
};

G_DEFINE_FINAL_TYPE (PvQueryBar, pv_query_bar, PV_TYPE_VIEW)

const char *
pv_query_bar_get_stage_name (PvStage stage)
{
    switch (stage) {
    case PV_STAGE_OPEN:
        return C_ ("progress", "Opening…");
    case PV_STAGE_READ:
        return _ ("Reading the recording…");
    case PV_STAGE_SYMBOLS:
        return _ ("Looking up names…");
    case PV_STAGE_DEBUG_INFO:
        return _ ("Reading debug information…");
    case PV_STAGE_FETCH:
        return _ ("Fetching debug information…");
    case PV_STAGE_ANALYZE:
    case PV_STAGE_DONE:
        break;
    }
    return _ ("Merging stacks…");
}

/* Filters */

static void
on_range_removed (PvQueryBar *self)
{
    gtk_widget_grab_focus (self->filters_button);
    pv_document_clear_time_range (self->base.document);
}

static void
on_suppressions_removed (PvQueryBar *self)
{
    gtk_widget_grab_focus (self->filters_button);
    pv_document_set_suppressions_file (self->base.document, NULL);
}

static void
update_range (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    gboolean has_range = pv_document_has_time_range (self->base.document);

    gtk_widget_set_visible (self->range_chip, has_range);
    pv_actions_enable (self->actions, "clear-range", has_range);
    if (has_range && answer->profile != NULL) {
        uint64_t start_ns = data->query.start_ns, end_ns = data->query.end_ns;
        gboolean is_series = answer->profile->n_dumps > 0;
        g_autofree char *text =
            is_series ? pv_format_dumps (answer->profile, start_ns, end_ns, true)
                      : pv_format_time_range (start_ns, end_ns, answer->profile->duration_ns);
        g_autofree char *tip =
            is_series ? pv_format_dumps (answer->profile, start_ns, end_ns, false) : NULL;
        gtk_widget_set_tooltip_text (self->range_chip, tip);
        pv_chip_set_text (PV_CHIP (self->range_chip), text);
    }
}

static void
update_suppressions (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const char *name = data->suppressions_name;

    gtk_widget_set_visible (self->suppressions_chip, name != NULL);
    if (name != NULL) {
        g_autofree char *text = g_strdup_printf (_ ("Suppressed by %s"), name);
        pv_chip_set_text (PV_CHIP (self->suppressions_chip), text);
    }
    pv_actions_set_state (self->actions, "show-suppressed",
                          g_variant_new_boolean (data->query.no_default_suppressions));
}

static void
update_transforms (PvQueryBar *self)
{
    const PvQuery *query = &pv_document_get (self->base.document)->query;

    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++)
        if (pv_transforms[kind].switch_label != NULL)
            pv_actions_set_state (
                self->actions, pv_transforms[kind].word,
                g_variant_new_boolean (pv_document_has_transform (self->base.document, kind)));
    pv_actions_set_state (
        self->actions, "group",
        g_variant_new_take_string (pv_query_format_grouping (query->grouping, query->group_label)));
}

/* Groups */

static void
add_grouping (GMenu *menu, const char *title, PvGrouping by, const char *key)
{
    g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);
    g_autofree char *word = pv_query_format_grouping (by, key);

    g_menu_item_set_attribute (item, "label", "s", title);
    g_menu_item_set_action_and_target (item, "query.group", "s", word);
    g_menu_append_item (menu, item);
}

/* Lists groupings: by what tells samples of the profile apart, and by what every stack has. */
static void
fill_group_menu (PvQueryBar *self)
{
    const PvFacetKeys *keys = pv_document_get (self->base.document)->facet_keys;

    g_menu_remove_all (self->group_menu);
    add_grouping (self->group_menu,
                  g_dpgettext2 (GETTEXT_PACKAGE, "grouping", pv_groupings[PV_GROUP_NONE].label),
                  PV_GROUP_NONE, NULL);
    for (uint32_t i = 0; keys != NULL && i < keys->n_keys; i++) {
        const PvFacetKey *key = &keys->keys[i];
        g_autofree char *name = key->key != NULL ? pv_make_menu_label (key->key) : g_strdup ("");
        g_autofree char *title = pv_fill_in (
            g_dpgettext2 (GETTEXT_PACKAGE, "grouping", pv_groupings[key->by].label), name);
        add_grouping (self->group_menu, title, key->by, key->key);
    }
    for (PvGrouping by = 0; by < PV_N_GROUPINGS; by++)
        if (pv_groupings[by].is_of_stacks)
            add_grouping (self->group_menu,
                          g_dpgettext2 (GETTEXT_PACKAGE, "grouping", pv_groupings[by].label), by,
                          NULL);
}

/* Parts of the recording */

/* Kinds of chips. CHIP_ORIGIN: two for each origin (PvOrigin), the second excludes those chosen. */
typedef enum { CHIP_LABEL, CHIP_GROUPING, CHIP_ORIGIN } ChipKind;

static void
forget_origin (PvQueryBar *self, PvOrigin origin, gboolean is_excluding)
{
    g_auto (PvQuery) wanted;

    pv_query_copy (&wanted, &pv_document_get (self->base.document)->query);
    (is_excluding ? pv_query_set_except : pv_query_set_only) (&wanted, origin, NULL, 0);
    pv_document_set_samples (self->base.document, &wanted);
}

static void
on_facet_removed (PvChip *chip, PvQueryBar *self)
{
    ChipKind kind = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (chip), "kind"));
    uint32_t index = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (chip), "index"));

    gtk_widget_grab_focus (GTK_WIDGET (self->facet_button));
    if (kind == CHIP_LABEL)
        pv_document_remove_label (self->base.document, index);
    else if (kind == CHIP_GROUPING)
        pv_document_set_grouping (self->base.document, PV_GROUP_NONE, NULL);
    else
        forget_origin (self, (PvOrigin)(index / 2), index % 2);
}

static void
add_facet (PvQueryBar *self, ChipKind kind, uint32_t index, char *text)
{
    GtkWidget *chip = pv_chip_new (text);

    g_object_set_data (G_OBJECT (chip), "kind", GUINT_TO_POINTER (kind));
    g_object_set_data (G_OBJECT (chip), "index", GUINT_TO_POINTER (index));
    g_signal_connect_object (chip, "removed", G_CALLBACK (on_facet_removed), self, 0);
    gtk_box_append (self->facets_box, chip);
    g_free (text);
}

static void
add_facets (PvQueryBar *self, const PvProfile *profile, const PvQuery *query)
{
    for (uint32_t i = 0; i < 2 * PV_N_ORIGINS; i++) {
        char *text = pv_format_origin (profile, query, (PvOrigin)(i / 2), i % 2);
        if (text != NULL)
            add_facet (self, CHIP_ORIGIN, i, text);
    }
    for (uint32_t i = 0; i < query->n_labels; i++) {
        add_facet (self, CHIP_LABEL, i, pv_format_label_filter (&query->labels[i]));
        if (pv_label_filter_gave_up (&query->labels[i]))
            pv_chip_set_incomplete (
                PV_CHIP (gtk_widget_get_last_child (GTK_WIDGET (self->facets_box))));
    }
    if (query->grouping != PV_GROUP_NONE)
        add_facet (self, CHIP_GROUPING, 0, pv_format_grouping (query));
}

/* All that the chips depend on: unchanged chips are not rebuilt under the pointer. */
static char *
describe_facets (const PvProfile *profile, const PvQuery *query)
{
    GString *all = g_string_new (NULL);

    g_string_append_printf (all, "%p %d %s", (const void *)profile, (int)query->grouping,
                            query->group_label != NULL ? query->group_label : "");
    for (uint32_t i = 0; i < 2 * PV_N_ORIGINS; i++) {
        g_autofree char *text = pv_format_origin (profile, query, (PvOrigin)(i / 2), i % 2);
        g_string_append_printf (all, "\n%s", text != NULL ? text : "");
    }
    for (uint32_t i = 0; i < query->n_labels; i++) {
        g_autofree char *text = pv_format_label_filter (&query->labels[i]);
        g_string_append_printf (all, "\n%s\n%d", text, pv_label_filter_gave_up (&query->labels[i]));
    }
    return g_string_free (all, FALSE);
}

static void
update_facets (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    g_autofree char *parts = NULL;

    if (answer->profile == NULL)
        return;
    parts = describe_facets (answer->profile, &data->query);
    if (g_strcmp0 (parts, self->facets) == 0)
        return;
    g_free (self->facets);
    self->facets = g_steal_pointer (&parts);
    pv_remove_children (GTK_WIDGET (self->facets_box));
    add_facets (self, answer->profile, &data->query);
    gtk_widget_set_visible (GTK_WIDGET (self->facets_box),
                            gtk_widget_get_first_child (GTK_WIDGET (self->facets_box)) != NULL);
}

static gboolean
has_filters (const PvQuery *query)
{
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++)
        if (pv_query_has_origin (query, origin))
            return TRUE;
    return query->n_transforms > 0 || query->n_labels > 0 || query->start_ns > 0 ||
           query->end_ns < UINT64_MAX;
}

static void
fill_switches (GMenu *section)
{
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++) {
        g_autofree char *action = g_strconcat ("query.", pv_transforms[kind].word, NULL);
        g_autoptr (GMenuItem) item = NULL;
        if (pv_transforms[kind].switch_label == NULL)
            continue;
        item = g_menu_item_new (_ (pv_transforms[kind].switch_label), action);
        g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
        g_menu_append_item (section, item);
    }
}

/* Shows only filters that apply to the profile. */
static void
update_filters (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvProfile *profile = data->answer->profile;
    gboolean is_heap = profile != NULL && profile->heap != NULL;

    update_range (self);
    update_suppressions (self);
    update_facets (self);
    update_transforms (self);
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++)
        if (pv_transforms[kind].switch_label != NULL && pv_transforms[kind].applies != NULL)
            pv_actions_enable (self->actions, pv_transforms[kind].word,
                               profile != NULL && pv_transforms[kind].applies (profile));
    pv_actions_enable (self->actions, "show-suppressed", is_heap);
    pv_actions_enable (self->actions, "open-suppressions", is_heap);
    pv_actions_enable (self->actions, "clear", has_filters (&data->query));
    gtk_widget_set_visible (self->filters_button, profile != NULL);
}

/* Actions; their states follow the query. */

static void
switch_transform (PvQueryBar *self, GVariant *state, GSimpleAction *action)
{
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++)
        if (g_str_equal (g_action_get_name (G_ACTION (action)), pv_transforms[kind].word))
            pv_document_set_transform (self->base.document, kind, g_variant_get_boolean (state));
}

static void
show_suppressed (PvQueryBar *self, GVariant *state)
{
    pv_document_set_show_suppressed (self->base.document, g_variant_get_boolean (state));
}

static void
set_group (PvQueryBar *self, GVariant *word)
{
    g_auto (PvQuery) query;

    pv_query_init (&query);
    if (pv_query_parse_grouping (&query, g_variant_get_string (word, NULL)))
        pv_document_set_grouping (self->base.document, query.grouping, query.group_label);
}

static void
clear_range (PvQueryBar *self)
{
    pv_document_clear_time_range (self->base.document);
}

static void
clear_filters (PvQueryBar *self)
{
    pv_document_clear_filters (self->base.document);
}

static void
on_suppressions_chosen (gpointer owner, GtkFileChooser *dialog, GFile *file)
{
    PvQueryBar *self = owner;

    pv_document_set_suppressions_file (self->base.document, file);
}

static void
open_suppressions (PvQueryBar *self)
{
    pv_file_dialog_show (pv_file_dialog_new (self, _ ("Suppressions of LeakSanitizer"),
                                             GTK_FILE_CHOOSER_ACTION_OPEN, NULL),
                         on_suppressions_chosen, NULL, NULL);
}

static void
add_actions (PvQueryBar *self)
{
    static const PvAction entries[] = {
        {"show-suppressed", .state = "false", .change_state = G_CALLBACK (show_suppressed)},
        {"group", NULL, "s", "''", G_CALLBACK (set_group)},
        {"open-suppressions", G_CALLBACK (open_suppressions)},
        {"clear-range", G_CALLBACK (clear_range)},
        {"clear", G_CALLBACK (clear_filters)},
    };

    self->actions =
        pv_actions_new (GTK_WIDGET (self), "query", entries, G_N_ELEMENTS (entries), self);
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++) {
        const PvAction entry = {pv_transforms[kind].word, .state = "false",
                                .change_state = G_CALLBACK (switch_transform)};
        if (pv_transforms[kind].switch_label != NULL)
            pv_actions_add (self->actions, &entry, 1, self);
    }
}

/* The list of measures */

static void
show_check (GtkListItem *item, GParamSpec *pspec, GtkDropDown *drop_down)
{
    gpointer selected = gtk_drop_down_get_selected_item (drop_down);
    GtkWidget *box = gtk_list_item_get_child (item);

    if (box != NULL)
        gtk_widget_set_opacity (gtk_widget_get_last_child (box),
                                selected == gtk_list_item_get_item (item) ? 1 : 0);
}

static GtkWidget *
make_dim_label (void)
{
    GtkWidget *label = gtk_label_new (NULL);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_widget_add_css_class (label, "dim-label");
    return label;
}

/* A name above its description, then a figure and the check mark. */
static void
on_measure_setup (PvQueryBar *self, GtkListItem *item)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *titles = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *name = gtk_label_new (NULL);
    GtkWidget *meaning = make_dim_label ();
    GtkWidget *figure = make_dim_label ();

    gtk_label_set_xalign (GTK_LABEL (name), 0);
    gtk_widget_add_css_class (meaning, "caption");
    gtk_widget_add_css_class (figure, "numeric");
    gtk_widget_set_hexpand (titles, TRUE);
    gtk_widget_set_valign (titles, GTK_ALIGN_CENTER);
    gtk_box_append (GTK_BOX (titles), name);
    gtk_box_append (GTK_BOX (titles), meaning);
    gtk_box_append (GTK_BOX (box), titles);
    gtk_box_append (GTK_BOX (box), figure);
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("object-select-symbolic"));
    gtk_list_item_set_child (item, box);
    pv_connect (self->measure_drop_down, "notify::selected-item", show_check, item);
}

static PvMeasureId
get_row_measure (GtkListItem *item)
{
    return GPOINTER_TO_UINT (g_object_get_data (gtk_list_item_get_item (item), "measure"));
}

/* Shows how much of a measure the filters keep: nothing where that is not known. Most of several
 * hundred tracepoints were never hit. */
static void
show_figure (PvQueryBar *self, GtkListItem *item)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    GtkWidget *titles = gtk_widget_get_first_child (gtk_list_item_get_child (item));
    const PvMeasureId measure = get_row_measure (item);
    g_autofree char *figure = NULL;
    gboolean is_nothing = pv_profile_count_samples (self->profile, measure) == 0;

    if (!has_filters (&data->query)) {
        figure = pv_measure_format_total (self->profile, measure);
    } else if (self->totals != NULL && self->totals->serial == data->answer->serial) {
        figure = pv_measure_totals_format (self->totals, self->profile, measure);
        is_nothing = figure != NULL && self->totals->of_measure[measure] == 0;
    }
    gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (titles)),
                        figure != NULL ? figure : "");
    pv_set_css_class (gtk_widget_get_first_child (titles), "dim-label", is_nothing);
}

static void
on_measure_bind (PvQueryBar *self, GtkListItem *item)
{
    GtkWidget *titles = gtk_widget_get_first_child (gtk_list_item_get_child (item));
    GtkWidget *name = gtk_widget_get_first_child (titles);
    GtkWidget *meaning = gtk_widget_get_next_sibling (name);
    GtkStringObject *string = gtk_list_item_get_item (item);
    const PvMeasureId measure = get_row_measure (item);
    g_autofree char *text = NULL;

    gtk_label_set_text (GTK_LABEL (name), gtk_string_object_get_string (string));
    show_check (item, NULL, self->measure_drop_down);
    if (self->profile == NULL || !pv_profile_has_weights (self->profile, measure))
        return;
    text = pv_measure_describe (self->profile, measure,
                                pv_document_has_time_range (self->base.document));
    gtk_widget_set_visible (meaning, text != NULL);
    gtk_label_set_text (GTK_LABEL (meaning), text != NULL ? text : "");
    show_figure (self, item);
    g_ptr_array_add (self->measure_rows, item);
}

static void
on_measure_unbind (PvQueryBar *self, GtkListItem *item)
{
    if (self->measure_rows != NULL)
        g_ptr_array_remove_fast (self->measure_rows, item);
}

static void
on_totals (gpointer owner, gpointer totals, const GError *error)
{
    PvQueryBar *self = owner;

    g_clear_pointer (&self->totals, pv_measure_totals_free);
    self->totals = totals;
    for (guint i = 0; i < self->measure_rows->len; i++)
        show_figure (self, self->measure_rows->pdata[i]);
}

/* The menu opens, or is open while the answer is replaced. */
static void
request_totals (PvQueryBar *self)
{
    GtkWidget *popover = gtk_widget_get_last_child (GTK_WIDGET (self->measure_drop_down));
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;

    if (answer->tree == NULL || answer->profile != self->profile ||
        !gtk_widget_get_visible (popover) ||
        !has_filters (&pv_document_get (self->base.document)->query) ||
        (self->totals != NULL && self->totals->serial == answer->serial))
        return;
    pv_task_start (self->totals_task, pv_answer_ref (answer));
}

static void
init_measures (PvQueryBar *self)
{
    g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
    g_autoptr (GtkExpression) name =
        gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

    pv_connect (factory, "setup", on_measure_setup, self);
    pv_connect (factory, "bind", on_measure_bind, self);
    pv_connect (factory, "unbind", on_measure_unbind, self);
    gtk_drop_down_set_expression (self->measure_drop_down, name);
    gtk_drop_down_set_list_factory (self->measure_drop_down, factory);
    pv_drop_down_cut_title (self->measure_drop_down);
}

static guint
get_item_measure (GListModel *names, guint position)
{
    g_autoptr (GObject) item = g_list_model_get_item (names, position);

    return item != NULL ? GPOINTER_TO_UINT (g_object_get_data (item, "measure")) : G_MAXUINT;
}

/* GTK_INVALID_LIST_POSITION: it is not in the list. */
static guint
find_item (PvQueryBar *self, PvMeasureId measure)
{
    GListModel *names = gtk_drop_down_get_model (self->measure_drop_down);

    for (guint i = 0; names != NULL && i < g_list_model_get_n_items (names); i++)
        if (get_item_measure (names, i) == measure)
            return i;
    return GTK_INVALID_LIST_POSITION;
}

/* Also rebuilt when a time range begins or ends, which changes the figures. */
static void
update_measures (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    PvProfile *profile = data->answer->profile;
    gboolean has_range = pv_document_has_time_range (self->base.document);
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    guint n = 0;

    if (profile == NULL || (profile == self->profile && has_range == self->had_range &&
                            find_item (self, data->query.measure) != GTK_INVALID_LIST_POSITION))
        return;
    pv_profile_ref (profile); /* before the rows are made, which use it */
    pv_clear_later (&self->profile, pv_profile_free);
    self->profile = profile;
    self->had_range = has_range;
    /* A part of a measure is only listed while it is shown. */
    for (uint32_t i = 0; i < profile->n_weights; i++) {
        g_autoptr (GObject) item = NULL;
        if (i >= profile->n_measures && i != data->query.measure)
            continue;
        gtk_string_list_append (names, pv_measure_get_title (profile, i));
        item = g_list_model_get_item (G_LIST_MODEL (names), n++);
        g_object_set_data (item, "measure", GUINT_TO_POINTER (i));
    }
    self->is_filling = TRUE;
    gtk_drop_down_set_model (self->measure_drop_down, G_LIST_MODEL (names));
    gtk_drop_down_set_selected (self->measure_drop_down, find_item (self, data->query.measure));
    self->is_filling = FALSE;
    gtk_drop_down_set_enable_search (self->measure_drop_down, n >= SEARCH_FROM);
    gtk_widget_set_visible (GTK_WIDGET (self->measure_drop_down), n > 1);
    gtk_widget_set_visible (GTK_WIDGET (self->measure_label), n == 1);
    if (n == 1)
        gtk_label_set_text (self->measure_label, gtk_string_list_get_string (names, 0));
}

static void
update_help (PvQueryBar *self)
{
    const PvMeasureId measure = pv_document_get (self->base.document)->query.measure;
    gboolean is_known = self->profile != NULL && pv_profile_has_weights (self->profile, measure);

    gtk_widget_set_visible (GTK_WIDGET (self->help_button), is_known);
    if (is_known)
        pv_help_button_set_page (self->help_button, pv_measure_get_help (self->profile, measure));
}

/* Other views change the measure too, and a time range changes the figures. */
static void
follow_measure (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    if (self->profile == NULL || self->profile != data->answer->profile)
        return;
    self->is_filling = TRUE;
    gtk_drop_down_set_selected (self->measure_drop_down, find_item (self, data->query.measure));
    self->is_filling = FALSE;
}

/* Not above the open menu, which has the same text. */
static gboolean
on_query_tooltip (PvQueryBar *self, int x, int y, gboolean is_keyboard, GtkTooltip *tooltip)
{
    GtkWidget *popover = gtk_widget_get_last_child (GTK_WIDGET (self->measure_drop_down));
    const PvDocumentData *data = pv_document_get (self->base.document);
    g_autofree char *meaning = NULL;

    if (self->profile == NULL || !pv_profile_has_weights (self->profile, data->query.measure) ||
        (GTK_IS_POPOVER (popover) && gtk_widget_get_visible (popover)))
        return FALSE;
    meaning = pv_measure_describe (self->profile, data->query.measure,
                                   pv_document_has_time_range (self->base.document));
    gtk_tooltip_set_text (tooltip, meaning);
    return meaning != NULL;
}

static void
update_samples (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    const PvMeasure *measure = pv_document_get_measure (self->base.document);
    g_autofree char *kept_text = NULL;
    g_autofree char *all_text = NULL;
    g_autofree char *text = NULL;
    uint64_t kept, all;
    gboolean is_waits;

    if (answer->tree == NULL || measure == NULL)
        return;
    /* Nobody has recorded sums like this, and what was measured as a whole has no samples. */
    if (pv_profile_has_sums (answer->profile) ||
        pv_profile_is_exact (answer->profile, data->query.measure)) {
        gtk_label_set_text (self->samples_label, "");
        return;
    }
    is_waits = pv_profile_counts_waits (answer->profile, data->query.measure);
    kept = answer->tree->n_kept_samples;
    all = pv_profile_count_samples (answer->profile, data->query.measure);
    kept_text = pv_format_amount (kept, PV_UNIT_COUNT);
    all_text = pv_format_amount (all, PV_UNIT_COUNT);
    if (answer->profile->heap != NULL && kept == all)
        text = g_strdup_printf (
            g_dngettext (NULL, "%s allocation site", "%s allocation sites", all), all_text);
    else if (answer->profile->heap != NULL)
        /* Translators: allocation sites shown, of all. */
        text = g_strdup_printf (
            g_dngettext (NULL, "%s of %s allocation site", "%s of %s allocation sites", all),
            kept_text, all_text);
    else if (is_waits && kept == all)
        text = g_strdup_printf (g_dngettext (NULL, "%s wait", "%s waits", all), all_text);
    else if (is_waits)
        /* Translators: waits of threads shown, of all. */
        text = g_strdup_printf (g_dngettext (NULL, "%s of %s wait", "%s of %s waits", all),
                                kept_text, all_text);
    else if (kept == all)
        text = g_strdup_printf (g_dngettext (NULL, "%s sample", "%s samples", all), all_text);
    else
        /* Translators: samples shown, of all. */
        text = g_strdup_printf (g_dngettext (NULL, "%s of %s sample", "%s of %s samples", all),
                                kept_text, all_text);
    gtk_label_set_text (self->samples_label, text);
}

static void
update_work (PvQueryBar *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    gboolean is_loading = pv_document_is_loading (self->base.document);
    g_autofree char *activity = pv_document_describe_activity (self->base.document, NULL);
    gboolean is_read = data->stage != PV_STAGE_OPEN && data->stage != PV_STAGE_READ;
    const char *tip = activity != NULL ? _ ("Stop fetching")
                      : is_read        ? _ ("Stop looking for names")
                                       : _ ("Stop reading");
    g_autofree char *text = NULL;

    gtk_widget_set_visible (self->work_box, is_loading || data->is_preview || activity != NULL);
    gtk_widget_set_visible (GTK_WIDGET (self->stop_button), is_loading || activity != NULL);
    if (!is_loading && !data->is_preview && activity == NULL)
        return;
    gtk_widget_set_tooltip_text (self->stop_button, tip);
    pv_accessible_set_name (GTK_WIDGET (self->stop_button), tip);
    if (activity != NULL)
        text = g_steal_pointer (&activity);
    else if (!is_loading)
        text = g_strdup (_ ("Only the first part"));
    else if (data->fraction >= 0)
        text = g_strdup_printf ("%s %d %%", pv_query_bar_get_stage_name (data->stage),
                                (int)(data->fraction * 100));
    gtk_label_set_text (self->work_label,
                        text != NULL ? text : pv_query_bar_get_stage_name (data->stage));
}

static void
pv_query_bar_changed (PvView *view, guint what)
{
    PvQueryBar *self = PV_QUERY_BAR (view);

    if (what & (PV_CHANGED_TREE | PV_CHANGED_STATE)) {
        update_measures (self);
        update_samples (self);
        request_totals (self);
    }
    /* A tree may show that an expression is too slow. */
    if (what & (PV_CHANGED_QUERY | PV_CHANGED_STATE | PV_CHANGED_TREE)) {
        update_filters (self);
        update_measures (self);
        update_help (self);
        follow_measure (self);
    }
    if (what & PV_CHANGED_FACETS)
        fill_group_menu (self);
    if (what & (PV_CHANGED_PROGRESS | PV_CHANGED_STATE))
        update_work (self);
}

static void
on_measure_selected (PvQueryBar *self)
{
    GListModel *names = gtk_drop_down_get_model (self->measure_drop_down);
    guint selected = gtk_drop_down_get_selected (self->measure_drop_down);
    guint measure;

    if (self->is_filling || self->profile == NULL || selected == GTK_INVALID_LIST_POSITION)
        return;
    measure = get_item_measure (names, selected);
    if (pv_profile_has_weights (self->profile, measure))
        pv_document_set_measure (self->base.document, measure);
}

static void
pv_query_bar_begin (PvView *view)
{
    PvQueryBar *self = PV_QUERY_BAR (view);

    pv_view_set_document (PV_VIEW (self->facet_button), view->document);
    pv_view_set_document (PV_VIEW (self->filter_chips), view->document);
    pv_saved_filters_menu_install (GTK_WIDGET (self), self->saved_section, view->document);
    pv_connect (self->stop_button, "clicked", pv_document_cancel, view->document);
}

/* Room */

/* The width that it asks for in the first line, whether it is there or not. */
static int
measure_in_line (PvQueryBar *self, gpointer widget)
{
    int natural;

    gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
    return natural + gtk_box_get_spacing (self->first_line);
}

/* Without chips there is nothing to fold. */
static gboolean
has_chips (PvQueryBar *self)
{
    return gtk_widget_get_visible (self->range_chip) ||
           gtk_widget_get_visible (self->suppressions_chip) ||
           gtk_widget_get_visible (GTK_WIDGET (self->filter_chips)) ||
           gtk_widget_get_visible (GTK_WIDGET (self->facets_box)) ||
           gtk_widget_get_visible (GTK_WIDGET (self->facet_button)) ||
           gtk_widget_get_visible (self->filters_button);
}

static Folding
find_folding (PvQueryBar *self, int width)
{
    int chips = measure_in_line (self, self->chips_box);
    int samples = measure_in_line (self, self->samples_label);
    int line;

    if (!has_chips (self))
        return FOLD_NOTHING;
    gtk_widget_measure (GTK_WIDGET (self->first_line), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &line,
                        NULL, NULL);
    line += self->folding >= FOLD_CHIPS ? chips : 0;
    line += self->folding >= FOLD_SAMPLES_TOO ? samples : 0;
    return line <= width ? FOLD_NOTHING : line - chips <= width ? FOLD_CHIPS : FOLD_SAMPLES_TOO;
}

static void
place_chips (PvQueryBar *self, gboolean is_folded)
{
    GtkWidget *chips = GTK_WIDGET (self->chips_box);

    if (is_folded == (self->folding != FOLD_NOTHING))
        return;
    g_object_ref (chips);
    if (is_folded) {
        gtk_box_remove (self->first_line, chips);
        gtk_scrolled_window_set_child (self->chips_scroller, chips);
    } else {
        gtk_scrolled_window_set_child (self->chips_scroller, NULL);
        gtk_box_insert_child_after (self->first_line, chips, GTK_WIDGET (self->help_button));
    }
    g_object_unref (chips);
}

static void
place_samples (PvQueryBar *self, gboolean is_folded)
{
    GtkWidget *samples = GTK_WIDGET (self->samples_label);

    if (is_folded == (self->folding == FOLD_SAMPLES_TOO))
        return;
    g_object_ref (samples);
    gtk_box_remove (is_folded ? self->first_line : self->second_line, samples);
    if (is_folded)
        gtk_box_append (self->second_line, samples);
    else
        gtk_box_insert_child_after (self->first_line, samples, self->work_box);
    g_object_unref (samples);
}

static gboolean
fold (gpointer user)
{
    PvQueryBar *self = user;
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
    GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
    Folding folding;

    if (self->base.document == NULL)
        return G_SOURCE_REMOVE;
    if (focus != NULL && !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->chips_box)))
        focus = NULL;
    folding = find_folding (self, gtk_widget_get_width (GTK_WIDGET (self)));
    place_chips (self, folding != FOLD_NOTHING);
    place_samples (self, folding == FOLD_SAMPLES_TOO);
    self->folding = folding;
    gtk_widget_set_visible (GTK_WIDGET (self->second_line), folding != FOLD_NOTHING);
    /* One of them pushes back and forward to the end of the line. */
    gtk_widget_set_hexpand (GTK_WIDGET (self->samples_label), folding == FOLD_CHIPS);
    gtk_widget_set_hexpand (self->steps_box, folding == FOLD_SAMPLES_TOO);
    /* Who chooses threads goes on in the open list. */
    if (focus != NULL)
        gtk_widget_grab_focus (focus);
    return G_SOURCE_REMOVE;
}

/* Widgets must not change their parent during allocation, so they do it in an idle. */
static void
pv_query_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvQueryBar *self = PV_QUERY_BAR (widget);
    int minimum;

    if (self->folding != find_folding (self, width))
        g_idle_add_full (G_PRIORITY_HIGH_IDLE, fold, g_object_ref (self), g_object_unref);
    gtk_widget_measure (self->lines_box, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                        NULL);
    gtk_widget_size_allocate (self->lines_box, &(GtkAllocation){0, 0, MAX (width, minimum), height},
                              baseline);
}

static void
pv_query_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
    gtk_widget_measure (PV_QUERY_BAR (widget)->lines_box, orientation, -1, minimum, natural,
                        minimum_baseline, natural_baseline);
    /* Folds, and its chips scroll, so that it never needs the width of all. */
    if (orientation == GTK_ORIENTATION_HORIZONTAL)
        *minimum = MIN (*minimum, PV_LEAST_WIDTH_PX);
}

/* Object */

static void
pv_query_bar_end (PvView *view)
{
    PvQueryBar *self = PV_QUERY_BAR (view);

    pv_clear_later (&self->profile, pv_profile_free);
    g_clear_pointer (&self->facets, g_free);
    g_clear_pointer (&self->totals_task, pv_task_close);
    g_clear_pointer (&self->totals, pv_measure_totals_free);
    g_clear_pointer (&self->measure_rows, g_ptr_array_unref);
}

static void
pv_query_bar_class_init (PvQueryBarClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->begin = pv_query_bar_begin;
    PV_VIEW_CLASS (class)->changed = pv_query_bar_changed;
    PV_VIEW_CLASS (class)->end = pv_query_bar_end;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    widget_class->measure = pv_query_bar_measure;
    widget_class->size_allocate = pv_query_bar_size_allocate;
    PV_SET_TEMPLATE (widget_class, "query-bar", PV_TYPE_CHIP, PV_TYPE_FACET_BUTTON,
                     PV_TYPE_FILTER_CHIPS, PV_TYPE_HELP_BUTTON);
    PV_BIND_CHILDREN (widget_class, PvQueryBar, measure_drop_down, measure_label, help_button,
                      lines_box, first_line, second_line, chips_scroller, chips_box, range_chip,
                      suppressions_chip, filter_chips, facet_button, facets_box, filters_button,
                      switches_section, saved_section, group_menu, work_box, work_label,
                      stop_button, samples_label, steps_box);
    gtk_widget_class_set_css_name (widget_class, "querybar");
}

static void
pv_query_bar_init (PvQueryBar *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->totals_task = pv_measure_totals_task_new (self, on_totals);
    self->measure_rows = g_ptr_array_new ();
    add_actions (self);
    init_measures (self);
    fill_switches (self->switches_section);
    pv_accessible_name_parts (GTK_WIDGET (self->measure_drop_down), C_ ("control", "Measure"),
                              NULL);
    gtk_widget_set_has_tooltip (GTK_WIDGET (self->measure_drop_down), TRUE);
    pv_connect (self->measure_drop_down, "query-tooltip", on_query_tooltip, self);
    pv_connect (self->measure_drop_down, "notify::selected", on_measure_selected, self);
    pv_connect (gtk_widget_get_last_child (GTK_WIDGET (self->measure_drop_down)), "notify::visible",
                request_totals, self);
    pv_connect (self->range_chip, "removed", on_range_removed, self);
    pv_connect (self->suppressions_chip, "removed", on_suppressions_removed, self);
    pv_accessible_name_parts (self->filters_button, C_ ("button", "Filters"), NULL);
    pv_focus_return_from_menu (
        GTK_POPOVER (gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->filters_button))),
        self->filters_button);
    /* The tooltip would cover the open menu. */
    g_object_bind_property (gtk_menu_button_get_popover (GTK_MENU_BUTTON (self->filters_button)),
                            "visible", self->filters_button, "has-tooltip",
                            G_BINDING_INVERT_BOOLEAN);
    pv_actions_enable (self->actions, "clear-range", FALSE);
}
