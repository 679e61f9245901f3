/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/filters/facet-button.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/widgets/accessible.h"
#include "app/widgets/facet-row.h"
#include "app/widgets/focus.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"
#include "core/analyze/tables/facet-choice.h"
#include "core/base/format.h"

/* With this many values there is a search entry. */
#define SEARCH_FROM 9
#define POPOVER_PX  380

struct _PvFacetButton {
    PvView base;

    GtkMenuButton *button;
    GtkWidget *popover; /* made when first shown; or NULL */
    GtkDropDown *key_drop_down;
    GtkLabel *key_label; /* in its place when there is one key only */
    GtkToggleButton *group_button;
    GtkWidget *search_entry;
    GtkListView *list;
    GPtrArray *bound; /* GtkListItem, those that show a value */
    GtkLabel *rest_label;
    GtkWidget *all_button;
    GtkWidget *none_button;
    gboolean is_filling; /* ignore the selection while the list is filled */
    PvTask *task;
    PvFacet *facet; /* shown in the list, its marks ahead of the answer; or NULL */
};

G_DEFINE_FINAL_TYPE (PvFacetButton, pv_facet_button, PV_TYPE_VIEW)

static const PvFacetKey *
get_key (PvFacetButton *self)
{
    const PvFacetKeys *keys = pv_document_get (self->base.document)->facet_keys;
    guint selected = self->popover != NULL ? gtk_drop_down_get_selected (self->key_drop_down) : 0;

    return keys != NULL && selected < keys->n_keys ? &keys->keys[selected] : NULL;
}

/* The list */

static void
bind_row (PvFacetButton *self, GtkListItem *item)
{
    PvFacetRow *row = PV_FACET_ROW (gtk_list_item_get_child (item));
    GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (row));
    guint index = gtk_list_item_get_position (item);
    const PvFacetValue *value;
    g_autofree char *words = NULL;

    if (self->facet == NULL || index >= self->facet->n_values)
        return;
    value = &self->facet->values[index];
    pv_facet_row_set (row, value->name, value->weight, self->facet->total, self->facet->unit);
    pv_facet_row_set_shown (row, value->is_shown);
    words = pv_facet_row_describe (row);
    if (parent != NULL)
        pv_accessible_set_name (parent, words);
}

static void
on_row_bind (PvFacetButton *self, GtkListItem *item)
{
    g_ptr_array_add (self->bound, item);
    bind_row (self, item);
}

static void
on_row_unbind (PvFacetButton *self, GtkListItem *item)
{
    g_ptr_array_remove_fast (self->bound, item);
}

static void
bind_rows (PvFacetButton *self)
{
    for (guint i = 0; i < self->bound->len; i++)
        bind_row (self, self->bound->pdata[i]);
}

static void
show_count (PvFacetButton *self)
{
    const PvFacet *facet = self->facet;
    g_autofree char *text = NULL;

    if (facet->n_found == 0)
        text = g_strdup (_ ("No matches"));
    else if (facet->n_values < facet->n_found)
        text = g_strdup_printf (_ ("The heaviest %u of %u"), facet->n_values, facet->n_found);
    else if (facet->n_found < facet->n_all)
        /* Translators: how many the search has found; how many of all are shown. */
        text = g_strdup_printf (_ ("%u found, %u of %u shown"), facet->n_found, facet->n_shown,
                                facet->n_all);
    else
        /* Translators: numbers of threads or the like. */
        text = g_strdup_printf (_ ("%u of %u shown"), facet->n_shown, facet->n_all);
    gtk_label_set_text (self->rest_label, text);
}

/* Rows stay, with the focus and where the list is scrolled to, as long as they are of the same. */
static gboolean
has_same_rows (const PvFacet *a, const PvFacet *b)
{
    if (a == NULL || a->n_values != b->n_values)
        return FALSE;
    for (uint32_t i = 0; i < a->n_values; i++)
        if (strcmp (a->values[i].name, b->values[i].name) != 0)
            return FALSE;
    return TRUE;
}

static void
show_facet (PvFacetButton *self, gboolean is_same)
{
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    g_autoptr (GtkNoSelection) selection = NULL;
    const PvFacet *facet = self->facet;

    show_count (self);
    gtk_widget_set_visible (self->search_entry, facet->n_all >= SEARCH_FROM);
    gtk_widget_set_sensitive (self->all_button, facet->n_found > 0);
    gtk_widget_set_sensitive (self->none_button, facet->n_found > 0);
    if (is_same) {
        bind_rows (self);
        return;
    }
    for (uint32_t i = 0; i < facet->n_values; i++)
        gtk_string_list_append (names, facet->values[i].name);
    selection = gtk_no_selection_new (G_LIST_MODEL (g_object_ref (names)));
    gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (selection));
}

static void
on_facet (gpointer owner, gpointer result, const GError *error)
{
    PvFacetButton *self = owner;
    gboolean is_same;

    if (result == NULL)
        return;
    is_same = has_same_rows (self->facet, result);
    pv_clear_later (&self->facet, pv_facet_free);
    self->facet = result;
    show_facet (self, is_same);
}

static void
request_facet (PvFacetButton *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvFacetKey *key = get_key (self);
    const char *search;
    PvFacetInput *input;

    if (key == NULL || self->popover == NULL || !gtk_widget_get_visible (self->popover) ||
        !pv_profile_has_weights (data->facet_keys->profile, data->query.measure))
        return;
    input = g_new0 (PvFacetInput, 1);
    input->profile = pv_profile_ref (data->facet_keys->profile);
    pv_query_copy_active (&input->query, &data->query);
    input->key = *key;
    search = gtk_editable_get_text (GTK_EDITABLE (self->search_entry));
    input->search = *search != '\0' ? g_strdup (search) : NULL;
    pv_task_start (self->task, input);
}

/* The marks follow at once; the answer comes with the counts. */
static void
set_shown (PvFacetButton *self, guint first, guint n, gboolean is_shown)
{
    const PvFacetKey *key = get_key (self);
    g_auto (PvQuery) wanted = {0};

    if (key == NULL || self->facet == NULL || first + n > self->facet->n_found)
        return;
    pv_query_copy (&wanted, &pv_document_get (self->base.document)->query);
    if (is_shown && n == self->facet->n_all)
        pv_facet_show_all (&wanted, key);
    else
        pv_facet_set_shown (&wanted, pv_document_get (self->base.document)->facet_keys->profile,
                            key, self->facet->values + first, n, is_shown);
    for (guint i = first; i < first + n; i++)
        self->facet->values[i].is_shown = is_shown;
    bind_rows (self);
    pv_document_set_samples (self->base.document, &wanted);
}

static void
on_row_activated (PvFacetButton *self, guint index)
{
    if (self->facet != NULL && index < self->facet->n_values)
        set_shown (self, index, 1, !self->facet->values[index].is_shown);
}

/* Those that the search has found, also if they are too many to be listed. */
static void
on_all_clicked (PvFacetButton *self)
{
    if (self->facet != NULL)
        set_shown (self, 0, self->facet->n_found, TRUE);
}

static void
on_none_clicked (PvFacetButton *self)
{
    if (self->facet != NULL)
        set_shown (self, 0, self->facet->n_found, FALSE);
}

static void
show_only (PvFacetButton *self, guint index)
{
    const PvFacetKey *key = get_key (self);
    g_auto (PvQuery) wanted = {0};

    if (key == NULL || self->facet == NULL || index >= self->facet->n_values)
        return;
    pv_query_copy (&wanted, &pv_document_get (self->base.document)->query);
    pv_facet_show_only (&wanted, key, &self->facet->values[index]);
    for (guint i = 0; i < self->facet->n_found; i++)
        self->facet->values[i].is_shown = i == index;
    bind_rows (self);
    pv_document_set_samples (self->base.document, &wanted);
}

static void
on_only (GtkListItem *item, PvFacetRow *row)
{
    show_only (g_object_get_data (G_OBJECT (item), "button"), gtk_list_item_get_position (item));
}

static void
on_row_setup (PvFacetButton *self, GtkListItem *item)
{
    GtkWidget *row = pv_facet_row_new ();

    g_object_set_data (G_OBJECT (item), "button", self);
    pv_connect (row, "only", on_only, item);
    gtk_list_item_set_child (item, row);
}

static void
enter_list (PvFacetButton *self)
{
    GtkListItem *first = NULL;

    for (guint i = 0; i < self->bound->len; i++) {
        GtkListItem *item = self->bound->pdata[i];
        if (first == NULL || gtk_list_item_get_position (item) < gtk_list_item_get_position (first))
            first = item;
    }
    if (first != NULL)
        gtk_widget_grab_focus (gtk_widget_get_parent (gtk_list_item_get_child (first)));
}

static gboolean
on_search_key (PvFacetButton *self, guint key)
{
    if (key != GDK_KEY_Down && key != GDK_KEY_KP_Down)
        return FALSE;
    enter_list (self);
    return TRUE;
}

static gboolean
find_focused_row (PvFacetButton *self, guint *ret_index)
{
    GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self->list)));

    for (guint i = 0; focus != NULL && i < self->bound->len; i++) {
        GtkListItem *item = self->bound->pdata[i];
        *ret_index = gtk_list_item_get_position (item);
        if (gtk_widget_get_parent (gtk_list_item_get_child (item)) == focus)
            return TRUE;
    }
    return FALSE;
}

/* Space toggles a row, as it does any check mark, with Ctrl it hides all others. The list itself
 * does the first for Return. */
static gboolean
on_key_pressed (PvFacetButton *self, guint key, guint code, GdkModifierType state)
{
    gboolean is_space = key == GDK_KEY_space || key == GDK_KEY_KP_Space;
    gboolean is_return =
        key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter;
    gboolean has_ctrl = (state & GDK_CONTROL_MASK) != 0;
    guint index;

    if (!(is_space || (is_return && has_ctrl)) || !find_focused_row (self, &index))
        return FALSE;
    if (has_ctrl)
        show_only (self, index);
    else
        on_row_activated (self, index);
    return TRUE;
}

/* Keys */

static gboolean
is_grouped_by (PvFacetButton *self, const PvFacetKey *key)
{
    const PvQuery *query = &pv_document_get (self->base.document)->query;

    return key != NULL && query->grouping == key->by &&
           (key->by != PV_GROUP_LABEL || g_strcmp0 (query->group_label, key->key) == 0);
}

static void
update_group (PvFacetButton *self)
{
    if (self->popover == NULL)
        return;
    self->is_filling = TRUE;
    gtk_toggle_button_set_active (self->group_button, is_grouped_by (self, get_key (self)));
    self->is_filling = FALSE;
}

static void
on_key_selected (PvFacetButton *self)
{
    if (self->is_filling)
        return;
    update_group (self);
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
    request_facet (self);
}

static void
on_group_toggled (PvFacetButton *self)
{
    const PvFacetKey *key = get_key (self);

    if (self->is_filling || key == NULL)
        return;
    if (gtk_toggle_button_get_active (self->group_button))
        pv_document_set_grouping (self->base.document, key->by, key->key);
    else if (is_grouped_by (self, key))
        pv_document_set_grouping (self->base.document, PV_GROUP_NONE, NULL);
}

static char *
make_key_title (const PvFacetKey *key)
{
    const PvGroupingInfo *info = &pv_groupings[key->by];
    g_autofree char *name =
        key->key != NULL
            ? pv_fill_in (g_dpgettext2 (GETTEXT_PACKAGE, "grouping", info->label), key->key)
            : g_strdup (g_dpgettext2 (GETTEXT_PACKAGE, "column", info->heading));

    /* Translators: what samples can be told apart by, such as “Thread”, and how many there are. */
    return g_strdup_printf (_ ("%s (%u)"), name, key->n_values);
}

static const char *
get_button_title (const PvFacetKeys *keys)
{
    gboolean has_labels = keys->keys[keys->n_keys - 1].by == PV_GROUP_LABEL;
    gboolean has_threads = keys->keys[0].by != PV_GROUP_LABEL;

    if (keys->keys[0].by == PV_GROUP_CPU)
        return has_labels ? _ ("CPUs, Labels") : C_ ("button", "CPUs");
    for (uint32_t i = 1; i < keys->n_keys; i++)
        if (keys->keys[i].by == PV_GROUP_CPU && !has_labels)
            return _ ("Threads, CPUs");
    return !has_labels   ? C_ ("button", "Threads")
           : has_threads ? _ ("Threads, Labels")
                         : C_ ("button", "Labels");
}

static void
fill_keys (PvFacetButton *self)
{
    const PvFacetKeys *keys = pv_document_get (self->base.document)->facet_keys;
    guint selected = gtk_drop_down_get_selected (self->key_drop_down);
    g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

    for (uint32_t i = 0; i < keys->n_keys; i++) {
        g_autofree char *key_title = make_key_title (&keys->keys[i]);
        gtk_string_list_append (titles, key_title);
        gtk_label_set_text (self->key_label, key_title);
    }
    gtk_widget_set_visible (GTK_WIDGET (self->key_label), keys->n_keys == 1);
    gtk_widget_set_visible (GTK_WIDGET (self->key_drop_down), keys->n_keys > 1);
    self->is_filling = TRUE;
    gtk_drop_down_set_model (self->key_drop_down, G_LIST_MODEL (titles));
    gtk_drop_down_set_selected (self->key_drop_down, selected < keys->n_keys ? selected : 0);
    self->is_filling = FALSE;
}

static void
update_keys (PvFacetButton *self)
{
    const PvFacetKeys *keys = pv_document_get (self->base.document)->facet_keys;
    const char *title;

    gtk_widget_set_visible (GTK_WIDGET (self), keys != NULL && keys->n_keys > 0);
    if (keys == NULL || keys->n_keys == 0)
        return;
    title = get_button_title (keys);
    pv_menu_button_set_title (self->button, title);
    if (self->popover == NULL)
        return;
    fill_keys (self);
    update_group (self);
    request_facet (self);
}

static void
on_shown (PvFacetButton *self)
{
    update_group (self);
    request_facet (self);
}

static void
init_list (PvFacetButton *self)
{
    g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

    pv_connect (factory, "setup", on_row_setup, self);
    pv_connect (factory, "bind", on_row_bind, self);
    pv_connect (factory, "unbind", on_row_unbind, self);
    gtk_list_view_set_factory (self->list, factory);
    pv_connect (self->list, "activate", on_row_activated, self);
    pv_add_keys (GTK_WIDGET (self->list), GTK_PHASE_CAPTURE, on_key_pressed, self);
    pv_add_keys (self->search_entry, GTK_PHASE_CAPTURE, on_search_key, self);
    pv_connect (self->search_entry, "activate", enter_list, self);
    pv_connect (self->search_entry, "stop-search", gtk_menu_button_popdown, self->button);
}

/* Made on demand: most windows never need it. */
static void
make_popover (GtkMenuButton *button, gpointer user)
{
    PvFacetButton *self = user;
    g_autoptr (GtkBuilder) builder = NULL;

    if (self->popover != NULL || self->base.document == NULL)
        return;
    builder = gtk_builder_new_from_resource ("/org/profview/Profview/facet-popover.ui");
    self->key_drop_down = GTK_DROP_DOWN (gtk_builder_get_object (builder, "key_drop_down"));
    self->key_label = GTK_LABEL (gtk_builder_get_object (builder, "key_label"));
    self->group_button = GTK_TOGGLE_BUTTON (gtk_builder_get_object (builder, "group_button"));
    self->search_entry = GTK_WIDGET (gtk_builder_get_object (builder, "search_entry"));
    self->list = GTK_LIST_VIEW (gtk_builder_get_object (builder, "list"));
    self->rest_label = GTK_LABEL (gtk_builder_get_object (builder, "rest_label"));
    self->all_button = GTK_WIDGET (gtk_builder_get_object (builder, "all_button"));
    self->none_button = GTK_WIDGET (gtk_builder_get_object (builder, "none_button"));
    self->popover = GTK_WIDGET (gtk_builder_get_object (builder, "popover"));
    init_list (self);
    pv_focus_leave_by_tab (GTK_WIDGET (self->list));
    pv_accessible_name_parts (GTK_WIDGET (self->key_drop_down), _ ("Filter by"), NULL);
    fill_keys (self);
    pv_popover_set_width (GTK_POPOVER (self->popover),
                          gtk_popover_get_child (GTK_POPOVER (self->popover)), POPOVER_PX);
    pv_connect (self->popover, "show", on_shown, self);
    pv_connect (self->key_drop_down, "notify::selected", on_key_selected, self);
    pv_connect (self->group_button, "toggled", on_group_toggled, self);
    pv_connect (self->search_entry, "search-changed", request_facet, self);
    pv_connect (self->all_button, "clicked", on_all_clicked, self);
    pv_connect (self->none_button, "clicked", on_none_clicked, self);
    /* The tooltip would cover the open menu. */
    g_object_bind_property (self->popover, "visible", button, "has-tooltip",
                            G_BINDING_INVERT_BOOLEAN);
    gtk_menu_button_set_popover (button, self->popover);
}

static void
pv_facet_button_changed (PvView *view, guint what)
{
    PvFacetButton *self = PV_FACET_BUTTON (view);

    if (what & PV_CHANGED_FACETS)
        update_keys (self);
    if (what & PV_CHANGED_QUERY)
        update_group (self);
    if (what & (PV_CHANGED_QUERY | PV_CHANGED_TREE))
        request_facet (self);
}

/* Object */

static void
pv_facet_button_end (PvView *view)
{
    PvFacetButton *self = PV_FACET_BUTTON (view);

    g_clear_pointer (&self->task, pv_task_close);
    self->popover = NULL;
    pv_clear_later (&self->facet, pv_facet_free);
    g_clear_pointer (&self->bound, g_ptr_array_unref);
}

static gboolean
pv_facet_button_grab_focus (GtkWidget *widget)
{
    return gtk_widget_grab_focus (GTK_WIDGET (PV_FACET_BUTTON (widget)->button));
}

static void
pv_facet_button_class_init (PvFacetButtonClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_facet_button_end;
    PV_VIEW_CLASS (class)->changed = pv_facet_button_changed;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    widget_class->grab_focus = pv_facet_button_grab_focus;
    PV_SET_TEMPLATE (widget_class, "facet-button");
    PV_BIND_CHILDREN (widget_class, PvFacetButton, button);
}

static void
pv_facet_button_init (PvFacetButton *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->bound = g_ptr_array_new ();
    self->task = pv_facet_task_new (self, on_facet);
    gtk_menu_button_set_create_popup_func (self->button, make_popover, self, NULL);
}
