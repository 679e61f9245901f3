/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/facet-button.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/focus.h"
#include "app/widgets/text-cell.h"
#include "core/analyze/tables/facet-choice.h"

/* With this many values there is a search entry. */
#define SEARCH_FROM    9
#define MIN_NAME_CHARS 10
#define AMOUNT_WIDTH   150

struct _PvFacetButton {
    GtkWidget parent;

    PvDocument *document;
    GtkMenuButton *button;
    GtkWidget *popover; /* made when first shown; or NULL */
    GtkDropDown *key_drop_down;
    GtkLabel *key_label; /* in its place when there is one key only */
    GtkToggleButton *group_button;
    GtkWidget *search_entry;
    GtkListView *list;
    GtkLabel *rest_label;
    gboolean is_filling; /* ignore the selection while the list is filled */
    PvTask *task;
    PvFacet *facet; /* shown in the list; or NULL */
};

G_DEFINE_FINAL_TYPE (PvFacetButton, pv_facet_button, GTK_TYPE_WIDGET)

static const PvFacetKey *
get_key (PvFacetButton *self)
{
    const PvFacetKeys *keys = pv_document_get (self->document)->facet_keys;
    guint selected = self->popover != NULL ? gtk_drop_down_get_selected (self->key_drop_down) : 0;

    return keys != NULL && selected < keys->n_keys ? &keys->keys[selected] : NULL;
}

/* The list */

static void
on_row_setup (PvFacetButton *self, GtkListItem *item)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *check = gtk_image_new_from_icon_name ("object-select-symbolic");
    GtkWidget *name = pv_text_cell_new (MIN_NAME_CHARS);
    GtkWidget *amount = pv_amount_cell_new ();

    gtk_widget_set_hexpand (name, TRUE);
    gtk_widget_set_size_request (amount, AMOUNT_WIDTH, -1);
    gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Chosen"), -1);
    gtk_box_append (GTK_BOX (box), check);
    gtk_box_append (GTK_BOX (box), name);
    gtk_box_append (GTK_BOX (box), amount);
    gtk_list_item_set_child (item, box);
}

static void
on_row_bind (PvFacetButton *self, GtkListItem *item)
{
    GtkWidget *check = gtk_widget_get_first_child (gtk_list_item_get_child (item));
    GtkWidget *name = gtk_widget_get_next_sibling (check);
    GtkWidget *amount = gtk_widget_get_next_sibling (name);
    guint index = gtk_list_item_get_position (item);
    const PvFacetKey *key = get_key (self);
    const PvFacetValue *value;

    if (key == NULL || self->facet == NULL || index >= self->facet->n_values)
        return;
    value = &self->facet->values[index];
    gtk_widget_set_visible (check, self->facet->n_shown < self->facet->n_all && value->is_shown);
    pv_text_cell_set_text (PV_TEXT_CELL (name), value->name);
    gtk_widget_set_tooltip_text (name, value->name);
    pv_amount_cell_set (PV_AMOUNT_CELL (amount), value->weight, self->facet->total,
                        (int)self->facet->unit);
}

static void
show_facet (PvFacetButton *self)
{
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    g_autoptr (GtkNoSelection) selection = NULL;
    const PvFacet *facet = self->facet;
    g_autofree char *rest = NULL;

    for (uint32_t i = 0; i < facet->n_values; i++)
        gtk_string_list_append (names, facet->values[i].name);
    selection = gtk_no_selection_new (G_LIST_MODEL (g_object_ref (names)));
    gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (selection));
    if (facet->n_values < facet->n_found)
        rest = g_strdup_printf (_ ("The heaviest %u of %u"), facet->n_values, facet->n_found);
    else if (facet->n_found == 0)
        rest = g_strdup (_ ("No matches"));
    gtk_label_set_text (self->rest_label, rest != NULL ? rest : "");
    gtk_widget_set_visible (GTK_WIDGET (self->rest_label), rest != NULL);
    gtk_widget_set_visible (self->search_entry, facet->n_all >= SEARCH_FROM);
}

static void
on_facet (gpointer owner, gpointer result, const GError *error)
{
    PvFacetButton *self = owner;

    if (result == NULL)
        return;
    pv_clear_later (&self->facet, pv_facet_free);
    self->facet = result;
    show_facet (self);
}

static void
request_facet (PvFacetButton *self)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvFacetKey *key = get_key (self);
    const char *search;
    PvFacetInput *input;

    if (key == NULL || self->popover == NULL || !gtk_widget_get_visible (self->popover) ||
        data->query.measure >= data->facet_keys->profile->n_measures)
        return;
    input = g_new0 (PvFacetInput, 1);
    input->profile = pv_profile_ref (data->facet_keys->profile);
    pv_query_copy_active (&input->query, &data->query);
    input->key = *key;
    search = gtk_editable_get_text (GTK_EDITABLE (self->search_entry));
    input->search = *search != '\0' ? g_strdup (search) : NULL;
    pv_task_start (self->task, input);
}

static void
on_row_activated (PvFacetButton *self, guint index)
{
    const PvFacetKey *key = get_key (self);
    const PvFacetValue *value;
    g_auto (PvQuery) wanted = {0};

    if (key == NULL || self->facet == NULL || index >= self->facet->n_values)
        return;
    value = &self->facet->values[index];
    pv_query_copy (&wanted, &pv_document_get (self->document)->query);
    if (value->is_shown && self->facet->n_shown == 1)
        pv_facet_show_all (&wanted, key);
    else
        pv_facet_show_only (&wanted, key, value);
    pv_document_set_samples (self->document, &wanted);
    gtk_menu_button_popdown (self->button);
}

/* Keys */

static gboolean
is_grouped_by (PvFacetButton *self, const PvFacetKey *key)
{
    const PvQuery *query = &pv_document_get (self->document)->query;

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
        pv_document_set_grouping (self->document, key->by, key->key);
    else if (is_grouped_by (self, key))
        pv_document_set_grouping (self->document, PV_GROUP_NONE, NULL);
}

static char *
make_key_title (const PvFacetKey *key)
{
    if (key->by == PV_GROUP_THREAD)
        return g_strdup_printf (_ ("Thread (%u)"), key->n_values);
    if (key->by == PV_GROUP_PROCESS)
        return g_strdup_printf (_ ("Process (%u)"), key->n_values);
    if (key->by == PV_GROUP_CPU)
        return g_strdup_printf (_ ("Processor (%u)"), key->n_values);
    /* Translators: a label's key, and how many values it has. */
    return g_strdup_printf (_ ("Label %s (%u)"), key->key, key->n_values);
}

static const char *
get_button_title (const PvFacetKeys *keys)
{
    gboolean has_labels = keys->keys[keys->n_keys - 1].by == PV_GROUP_LABEL;
    gboolean has_threads = keys->keys[0].by != PV_GROUP_LABEL;

    return !has_labels ? _ ("Threads") : has_threads ? _ ("Threads, Labels") : _ ("Labels");
}

static void
fill_keys (PvFacetButton *self)
{
    const PvFacetKeys *keys = pv_document_get (self->document)->facet_keys;
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
    const PvFacetKeys *keys = pv_document_get (self->document)->facet_keys;
    const char *title;

    gtk_widget_set_visible (GTK_WIDGET (self), keys != NULL && keys->n_keys > 0);
    if (keys == NULL || keys->n_keys == 0)
        return;
    title = get_button_title (keys);
    gtk_menu_button_set_label (self->button, title);
    pv_accessible_name_parts (GTK_WIDGET (self->button), title, NULL);
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

    g_signal_connect_swapped (factory, "setup", G_CALLBACK (on_row_setup), self);
    g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_row_bind), self);
    gtk_list_view_set_factory (self->list, factory);
    g_signal_connect_swapped (self->list, "activate", G_CALLBACK (on_row_activated), self);
}

/* Made on demand: most windows never need it. */
static void
make_popover (GtkMenuButton *button, gpointer user)
{
    PvFacetButton *self = user;
    g_autoptr (GtkBuilder) builder = NULL;

    if (self->popover != NULL || self->document == NULL)
        return;
    builder = gtk_builder_new_from_resource ("/org/profview/Profview/facet-popover.ui");
    self->key_drop_down = GTK_DROP_DOWN (gtk_builder_get_object (builder, "key_drop_down"));
    self->key_label = GTK_LABEL (gtk_builder_get_object (builder, "key_label"));
    self->group_button = GTK_TOGGLE_BUTTON (gtk_builder_get_object (builder, "group_button"));
    self->search_entry = GTK_WIDGET (gtk_builder_get_object (builder, "search_entry"));
    self->list = GTK_LIST_VIEW (gtk_builder_get_object (builder, "list"));
    self->rest_label = GTK_LABEL (gtk_builder_get_object (builder, "rest_label"));
    self->popover = GTK_WIDGET (gtk_builder_get_object (builder, "popover"));
    init_list (self);
    pv_accessible_name_parts (GTK_WIDGET (self->key_drop_down), _ ("Filter by"), NULL);
    fill_keys (self);
    g_signal_connect_swapped (self->popover, "show", G_CALLBACK (on_shown), self);
    g_signal_connect_swapped (self->key_drop_down, "notify::selected", G_CALLBACK (on_key_selected),
                              self);
    g_signal_connect_swapped (self->group_button, "toggled", G_CALLBACK (on_group_toggled), self);
    g_signal_connect_swapped (self->search_entry, "search-changed", G_CALLBACK (request_facet),
                              self);
    /* The tooltip would cover the open menu. */
    g_object_bind_property (self->popover, "visible", button, "has-tooltip",
                            G_BINDING_INVERT_BOOLEAN);
    gtk_menu_button_set_popover (button, self->popover);
}

static void
on_document_changed (PvFacetButton *self, guint what)
{
    if (what & PV_CHANGED_FACETS)
        update_keys (self);
    if (what & PV_CHANGED_QUERY)
        update_group (self);
    if (what & PV_CHANGED_TREE)
        request_facet (self);
}

void
pv_facet_button_set_document (PvFacetButton *self, PvDocument *document)
{
    g_assert (self->document == NULL);
    self->document = g_object_ref (document);
    g_signal_connect_object (document, "changed", G_CALLBACK (on_document_changed), self,
                             G_CONNECT_SWAPPED);
    update_keys (self);
}

/* Object */

static void
pv_facet_button_dispose (GObject *object)
{
    PvFacetButton *self = PV_FACET_BUTTON (object);
    GtkWidget *child;

    g_clear_pointer (&self->task, pv_task_close);
    self->popover = NULL;
    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
        gtk_widget_unparent (child);
    pv_clear_later (&self->facet, pv_facet_free);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_facet_button_parent_class)->dispose (object);
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

    G_OBJECT_CLASS (class)->dispose = pv_facet_button_dispose;
    widget_class->focus = pv_focus_children;
    widget_class->grab_focus = pv_facet_button_grab_focus;
    gtk_widget_class_set_template_from_resource (widget_class,
                                                 "/org/profview/Profview/facet-button.ui");
    gtk_widget_class_bind_template_child (widget_class, PvFacetButton, button);
}

static void
pv_facet_button_init (PvFacetButton *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->task = pv_facet_task_new (self, on_facet);
    gtk_menu_button_set_create_popup_func (self->button, make_popover, self, NULL);
}
