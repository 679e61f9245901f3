/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/chooser.h"

#include "app/widgets/accessible.h"
#include "app/widgets/choice-row.h"
#include "app/widgets/empty-page.h"
#include "app/widgets/row-model.h"
#include "app/widgets/setup.h"

typedef struct {
    AdwWindowTitle *title;
    GtkSearchEntry *search_entry;
    GtkStack *stack;
    GtkScrolledWindow *scrolled;
    GtkListView *list;
    AdwStatusPage *empty_page;
    AdwStatusPage *error_page;
    GtkSpinner *spinner;

    GPtrArray *choices; /* PvChoice, references */
    GPtrArray *shown;   /* those that match what is searched for, borrowed */
    PvRowModel *rows;   /* as many as are shown, a moment later; keys are not used */
    GHashTable *items;  /* GtkListItem that are bound */
    GtkEventController *motion;
    gboolean is_loaded;
} PvChooserPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (PvChooser, pv_chooser, ADW_TYPE_BIN)

static PvChooserPrivate *
get_private (PvChooser *self)
{
    return pv_chooser_get_instance_private (self);
}

/* Text of the search entry, may be ""; borrowed. */
static const char *
get_search (PvChooser *self)
{
    return gtk_editable_get_text (GTK_EDITABLE (get_private (self)->search_entry));
}

void
pv_chooser_search (PvChooser *self, const char *text)
{
    gtk_editable_set_text (GTK_EDITABLE (get_private (self)->search_entry), text);
    gtk_editable_set_position (GTK_EDITABLE (get_private (self)->search_entry), -1);
}

GPtrArray *
pv_chooser_get_choices (PvChooser *self)
{
    return get_private (self)->choices;
}

/* List, spinner and messages */

static void
update_page (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);

    if (private->is_loaded)
        gtk_stack_set_visible_child_name (private->stack,
                                          private->shown->len > 0 ? "list" : "empty");
}

void
pv_chooser_show_loading (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);

    private->is_loaded = FALSE;
    gtk_spinner_start (private->spinner);
    gtk_stack_set_visible_child_name (private->stack, "loading");
}

void
pv_chooser_show_list (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);

    private->is_loaded = TRUE;
    gtk_spinner_stop (private->spinner);
    update_page (self);
}

void
pv_chooser_show_error (PvChooser *self, const char *title, const char *text)
{
    PvChooserPrivate *private = get_private (self);

    g_assert (title != NULL);
    private->is_loaded = FALSE;
    gtk_spinner_stop (private->spinner);
    pv_empty_page_set (private->error_page, title, text);
    gtk_stack_set_visible_child_name (private->stack, "error");
}

void
pv_chooser_set_empty_text (PvChooser *self, const char *text)
{
    pv_empty_page_set_text (get_private (self)->empty_page, text);
}

void
pv_chooser_set_texts (PvChooser *self, const char *title, const char *search_hint,
                      const char *empty_title)
{
    PvChooserPrivate *private = get_private (self);

    adw_window_title_set_title (private->title, title);
    g_object_set (private->search_entry, "placeholder-text", search_hint, NULL);
    pv_accessible_set_name (GTK_WIDGET (private->search_entry), search_hint);
    pv_accessible_set_name (GTK_WIDGET (private->list), title);
    pv_accessible_set_name (GTK_WIDGET (private->scrolled), title);
    adw_status_page_set_title (private->empty_page, empty_title);
}

/* The list */

static gboolean
matches (PvChooser *self, PvChoice *choice)
{
    const char *text = get_search (self);

    return *text == '\0' || PV_CHOOSER_GET_CLASS (self)->matches (self, choice, text);
}

static void
show_row (PvChooser *self, GtkListItem *item)
{
    GPtrArray *shown = get_private (self)->shown;
    guint position = gtk_list_item_get_position (item);

    pv_choice_row_set_choice (PV_CHOICE_ROW (gtk_list_item_get_child (item)),
                              position < shown->len ? shown->pdata[position] : NULL);
}

/* The rows on screen stand for other choices now. */
static void
on_replaced (PvChooser *self)
{
    GHashTableIter iter;
    gpointer item;

    g_hash_table_iter_init (&iter, get_private (self)->items);
    while (g_hash_table_iter_next (&iter, &item, NULL))
        show_row (self, item);
}

/* Scrolls to the first: a list keeps the selected row in sight, wherever it has gone. */
static void
show_matching (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);
    GtkSelectionModel *selection = gtk_list_view_get_model (private->list);

    g_ptr_array_set_size (private->shown, 0);
    for (guint i = 0; i < private->choices->len; i++)
        if (matches (self, private->choices->pdata[i]))
            g_ptr_array_add (private->shown, private->choices->pdata[i]);
    if (g_list_model_get_n_items (G_LIST_MODEL (selection)) > 0) {
        gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (selection), 0);
        gtk_widget_activate_action (GTK_WIDGET (private->list), "list.scroll-to-item", "u", 0);
    }
    pv_row_model_set (private->rows, NULL, private->shown->len);
    update_page (self);
}

void
pv_chooser_replace (PvChooser *self, GPtrArray *choices)
{
    PvChooserPrivate *private = get_private (self);

    g_assert (choices != NULL);
    g_ptr_array_set_size (private->choices, 0);
    for (guint i = 0; i < choices->len; i++)
        g_ptr_array_add (private->choices, g_object_ref (choices->pdata[i]));
    show_matching (self);
}

void
pv_chooser_append (PvChooser *self, PvChoice *choice)
{
    PvChooserPrivate *private = get_private (self);
    uint32_t key = private->shown->len;

    g_assert (PV_IS_CHOICE (choice));
    g_ptr_array_add (private->choices, g_object_ref (choice));
    if (!matches (self, choice))
        return;
    g_ptr_array_add (private->shown, choice);
    pv_row_model_splice (private->rows, key, 0, &key, 1);
    update_page (self);
}

void
pv_chooser_prepend (PvChooser *self, PvChoice *choice)
{
    g_assert (PV_IS_CHOICE (choice));
    g_ptr_array_insert (get_private (self)->choices, 0, g_object_ref (choice));
    show_matching (self);
}

void
pv_chooser_remove (PvChooser *self, PvChoice *choice)
{
    PvChooserPrivate *private = get_private (self);
    guint position;

    g_assert (PV_IS_CHOICE (choice));
    if (g_ptr_array_find (private->shown, choice, &position)) {
        g_ptr_array_remove_index (private->shown, position);
        pv_row_model_splice (private->rows, position, 1, NULL, 0);
        update_page (self);
    }
    g_ptr_array_remove (private->choices, choice);
}

/* Searching and choosing */

static void
choose (PvChooser *self, guint position)
{
    GPtrArray *shown = get_private (self)->shown;

    if (position < shown->len) {
        g_autoptr (PvChoice) choice = g_object_ref (shown->pdata[position]);
        PV_CHOOSER_GET_CLASS (self)->chosen (self, choice);
    }
}

static void
on_search_activated (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);
    PvChooserClass *class = PV_CHOOSER_GET_CLASS (self);

    /* The entry reports its text with a delay. */
    show_matching (self);
    if (private->shown->len > 0)
        choose (self, 0);
    else if (class->typed != NULL && private->is_loaded)
        class->typed (self, get_search (self));
}

static void
go_back (PvChooser *self)
{
    gtk_widget_activate_action (GTK_WIDGET (self), "record.back", NULL);
}

gboolean
pv_chooser_is_in_use (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);
    GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (private->scrolled);
    GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

    return gtk_event_controller_motion_contains_pointer (
               GTK_EVENT_CONTROLLER_MOTION (private->motion)) ||
           gtk_adjustment_get_value (adjustment) > 0 ||
           (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (private->list)));
}

void
pv_chooser_begin (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);

    if (*get_search (self) != '\0') {
        gtk_editable_set_text (GTK_EDITABLE (private->search_entry), "");
        show_matching (self);
    }
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (private->scrolled), 0);
    gtk_widget_grab_focus (GTK_WIDGET (private->search_entry));
}

/* Down leads from the entry into the list. */
static gboolean
on_key (PvChooser *self, guint key)
{
    if (key != GDK_KEY_Down && key != GDK_KEY_KP_Down)
        return GDK_EVENT_PROPAGATE;
    gtk_widget_grab_focus (GTK_WIDGET (get_private (self)->list));
    return GDK_EVENT_STOP;
}

/* Rows */

static void
set_up_row (PvChooser *self, GtkListItem *item)
{
    PvChooserClass *class = PV_CHOOSER_GET_CLASS (self);

    gtk_list_item_set_child (item, pv_choice_row_new (class->has_checks, class->has_icons));
}

static void
bind_row (PvChooser *self, GtkListItem *item)
{
    g_hash_table_add (get_private (self)->items, item);
    show_row (self, item);
}

static void
unbind_row (PvChooser *self, GtkListItem *item)
{
    g_hash_table_remove (get_private (self)->items, item);
    pv_choice_row_set_choice (PV_CHOICE_ROW (gtk_list_item_get_child (item)), NULL);
}

static void
make_list (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);
    g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
    g_autoptr (GtkSingleSelection) selection = NULL;

    pv_connect (factory, "setup", set_up_row, self);
    pv_connect (factory, "bind", bind_row, self);
    pv_connect (factory, "unbind", unbind_row, self);
    private->choices = g_ptr_array_new_with_free_func (g_object_unref);
    private->shown = g_ptr_array_new ();
    private->items = g_hash_table_new (NULL, NULL);
    private->rows = pv_row_model_new ();
    pv_connect (private->rows, "replaced", on_replaced, self);
    selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (private->rows)));
    gtk_list_view_set_factory (private->list, factory);
    gtk_list_view_set_model (private->list, GTK_SELECTION_MODEL (selection));
}

/* Object */

static void
pv_chooser_dispose (GObject *object)
{
    PvChooserPrivate *private = get_private (PV_CHOOSER (object));

    if (private->list != NULL) {
        gtk_list_view_set_model (private->list, NULL);
        gtk_list_view_set_factory (private->list, NULL);
        private->list = NULL;
    }
    if (private->rows != NULL)
        g_signal_handlers_disconnect_by_data (private->rows, object);
    g_clear_object (&private->rows);
    G_OBJECT_CLASS (pv_chooser_parent_class)->dispose (object);
}

static void
pv_chooser_finalize (GObject *object)
{
    PvChooserPrivate *private = get_private (PV_CHOOSER (object));

    g_hash_table_unref (private->items);
    g_ptr_array_unref (private->shown);
    g_ptr_array_unref (private->choices);
    G_OBJECT_CLASS (pv_chooser_parent_class)->finalize (object);
}

static void
pv_chooser_class_init (PvChooserClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_chooser_dispose;
    G_OBJECT_CLASS (class)->finalize = pv_chooser_finalize;
    PV_SET_TEMPLATE (widget_class, "chooser", ADW_TYPE_STATUS_PAGE, ADW_TYPE_WINDOW_TITLE);
    gtk_widget_class_bind_template_child_private (widget_class, PvChooser, title);
    gtk_widget_class_bind_template_child_private (widget_class, PvChooser, search_entry);
    gtk_widget_class_bind_template_child_private (widget_class, PvChooser, stack);
    gtk_widget_class_bind_template_child_private (widget_class, PvChooser, scrolled);
    gtk_widget_class_bind_template_child_private (widget_class, PvChooser, list);
    gtk_widget_class_bind_template_child_private (widget_class, PvChooser, empty_page);
    gtk_widget_class_bind_template_child_private (widget_class, PvChooser, error_page);
    gtk_widget_class_bind_template_child_private (widget_class, PvChooser, spinner);
}

static void
pv_chooser_init (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);

    gtk_widget_init_template (GTK_WIDGET (self));
    make_list (self);
    gtk_search_entry_set_key_capture_widget (private->search_entry, GTK_WIDGET (self));
    pv_connect (private->search_entry, "search-changed", show_matching, self);
    pv_connect (private->search_entry, "activate", on_search_activated, self);
    pv_connect (private->search_entry, "stop-search", go_back, self);
    pv_connect (private->list, "activate", choose, self);
    pv_add_keys (GTK_WIDGET (private->search_entry), GTK_PHASE_BUBBLE, on_key, self);
    private->motion = gtk_event_controller_motion_new ();
    gtk_widget_add_controller (GTK_WIDGET (private->list), private->motion);
}
