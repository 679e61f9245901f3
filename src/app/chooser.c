#include "app/chooser.h"

#include "app/choice-row.h"

typedef struct {
    AdwWindowTitle *title;
    GtkSearchEntry *search_entry;
    GtkStack *stack;
    GtkScrolledWindow *scrolled;
    GtkListView *list;
    AdwStatusPage *empty_page;
    AdwStatusPage *error_page;
    GtkSpinner *spinner;

    GListStore *store;
    GtkFilter *filter;
    GtkFilterListModel *filtered;
    GtkEventController *motion;
    gboolean is_loaded;
} PvChooserPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (PvChooser, pv_chooser, ADW_TYPE_BIN)

static PvChooserPrivate *
get_private (PvChooser *self)
{
    return pv_chooser_get_instance_private (self);
}

const char *
pv_chooser_get_search (PvChooser *self)
{
    return gtk_editable_get_text (GTK_EDITABLE (get_private (self)->search_entry));
}

GListStore *
pv_chooser_get_store (PvChooser *self)
{
    return get_private (self)->store;
}

/* A list keeps what is selected in sight, wherever that has gone. */
void
pv_chooser_replace (PvChooser *self, GPtrArray *choices)
{
    PvChooserPrivate *private = get_private (self);
    GtkSelectionModel *selection = gtk_list_view_get_model (private->list);

    g_list_store_splice (private->store, 0,
                         g_list_model_get_n_items (G_LIST_MODEL (private->store)), choices->pdata,
                         choices->len);
    if (g_list_model_get_n_items (G_LIST_MODEL (selection)) == 0)
        return;
    gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (selection), 0);
    gtk_widget_activate_action (GTK_WIDGET (private->list), "list.scroll-to-item", "u", 0);
}

/* What is shown -------------------------------------------------------------------------------- */

static void
update_page (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);
    guint n_shown = g_list_model_get_n_items (G_LIST_MODEL (private->filtered));

    if (private->is_loaded)
        gtk_stack_set_visible_child_name (private->stack, n_shown > 0 ? "list" : "empty");
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
    g_autofree char *markup = g_markup_escape_text (text, -1);

    private->is_loaded = FALSE;
    gtk_spinner_stop (private->spinner);
    adw_status_page_set_title (private->error_page, title);
    adw_status_page_set_description (private->error_page, markup);
    gtk_stack_set_visible_child_name (private->stack, "error");
}

void
pv_chooser_set_empty_text (PvChooser *self, const char *text)
{
    g_autofree char *markup = text != NULL ? g_markup_escape_text (text, -1) : NULL;

    adw_status_page_set_description (get_private (self)->empty_page, markup);
}

void
pv_chooser_set_texts (PvChooser *self, const char *title, const char *search_hint,
                      const char *empty_title)
{
    PvChooserPrivate *private = get_private (self);

    adw_window_title_set_title (private->title, title);
    g_object_set (private->search_entry, "placeholder-text", search_hint, NULL);
    gtk_accessible_update_property (GTK_ACCESSIBLE (private->search_entry),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, search_hint, -1);
    gtk_accessible_update_property (GTK_ACCESSIBLE (private->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    title, -1);
    gtk_accessible_update_property (GTK_ACCESSIBLE (private->scrolled),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
    adw_status_page_set_title (private->empty_page, empty_title);
}

/* Searching and choosing ----------------------------------------------------------------------- */

static gboolean
matches (gpointer choice, gpointer user)
{
    const char *text = pv_chooser_get_search (user);

    return *text == '\0' || PV_CHOOSER_GET_CLASS (user)->matches (user, choice, text);
}

static void
on_search_changed (PvChooser *self)
{
    gtk_filter_changed (get_private (self)->filter, GTK_FILTER_CHANGE_DIFFERENT);
    update_page (self);
}

static void
choose (PvChooser *self, guint position)
{
    PvChooserPrivate *private = get_private (self);
    g_autoptr (PvChoice) choice =
        g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (private->list)), position);

    if (choice != NULL)
        PV_CHOOSER_GET_CLASS (self)->chosen (self, choice);
}

static void
on_search_activated (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);
    PvChooserClass *class = PV_CHOOSER_GET_CLASS (self);

    /* The entry tells of its text with a delay. */
    on_search_changed (self);
    if (g_list_model_get_n_items (G_LIST_MODEL (private->filtered)) > 0)
        choose (self, 0);
    else if (class->typed != NULL && private->is_loaded)
        class->typed (self, pv_chooser_get_search (self));
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

    gtk_editable_set_text (GTK_EDITABLE (private->search_entry), "");
    on_search_changed (self);
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (private->scrolled), 0);
    gtk_widget_grab_focus (GTK_WIDGET (private->search_entry));
}

/* From the entry into the list, as one would expect. */
static gboolean
on_key (PvChooser *self, guint key)
{
    if (key != GDK_KEY_Down && key != GDK_KEY_KP_Down)
        return GDK_EVENT_PROPAGATE;
    gtk_widget_grab_focus (GTK_WIDGET (get_private (self)->list));
    return GDK_EVENT_STOP;
}

/* Rows ----------------------------------------------------------------------------------------- */

static void
set_up_row (PvChooser *self, GtkListItem *item)
{
    PvChooserClass *class = PV_CHOOSER_GET_CLASS (self);

    gtk_list_item_set_child (item, pv_choice_row_new (class->has_checks, class->has_icons));
}

static void
bind_row (PvChooser *self, GtkListItem *item)
{
    pv_choice_row_set_choice (PV_CHOICE_ROW (gtk_list_item_get_child (item)),
                              gtk_list_item_get_item (item));
}

static void
unbind_row (PvChooser *self, GtkListItem *item)
{
    pv_choice_row_set_choice (PV_CHOICE_ROW (gtk_list_item_get_child (item)), NULL);
}

static void
make_list (PvChooser *self)
{
    PvChooserPrivate *private = get_private (self);
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
    GtkSingleSelection *selection;

    g_signal_connect_swapped (factory, "setup", G_CALLBACK (set_up_row), self);
    g_signal_connect_swapped (factory, "bind", G_CALLBACK (bind_row), self);
    g_signal_connect_swapped (factory, "unbind", G_CALLBACK (unbind_row), self);
    private->store = g_list_store_new (PV_TYPE_CHOICE);
    private->filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
    private->filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (private->store)),
                                                   g_object_ref (private->filter));
    selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (private->filtered)));
    gtk_list_view_set_factory (private->list, factory);
    gtk_list_view_set_model (private->list, GTK_SELECTION_MODEL (selection));
    g_signal_connect_object (private->filtered, "items-changed", G_CALLBACK (update_page), self,
                             G_CONNECT_SWAPPED);
    g_object_unref (selection);
    g_object_unref (factory);
}

/* Object --------------------------------------------------------------------------------------- */

static void
pv_chooser_dispose (GObject *object)
{
    PvChooserPrivate *private = get_private (PV_CHOOSER (object));

    if (private->list != NULL) {
        gtk_list_view_set_model (private->list, NULL);
        gtk_list_view_set_factory (private->list, NULL);
        private->list = NULL;
    }
    g_clear_object (&private->filtered);
    g_clear_object (&private->filter);
    g_clear_object (&private->store);
    G_OBJECT_CLASS (pv_chooser_parent_class)->dispose (object);
}

static void
pv_chooser_class_init (PvChooserClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_chooser_dispose;
    g_type_ensure (ADW_TYPE_STATUS_PAGE);
    g_type_ensure (ADW_TYPE_WINDOW_TITLE);
    gtk_widget_class_set_template_from_resource (widget_class, "/org/profview/Profview/chooser.ui");
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
    GtkEventController *keys = gtk_event_controller_key_new ();

    gtk_widget_init_template (GTK_WIDGET (self));
    make_list (self);
    gtk_search_entry_set_key_capture_widget (private->search_entry, GTK_WIDGET (self));
    g_signal_connect_swapped (private->search_entry, "search-changed",
                              G_CALLBACK (on_search_changed), self);
    g_signal_connect_swapped (private->search_entry, "activate", G_CALLBACK (on_search_activated),
                              self);
    g_signal_connect_swapped (private->search_entry, "stop-search", G_CALLBACK (go_back), self);
    g_signal_connect_swapped (private->list, "activate", G_CALLBACK (choose), self);
    g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
    gtk_widget_add_controller (GTK_WIDGET (private->search_entry), keys);
    private->motion = gtk_event_controller_motion_new ();
    gtk_widget_add_controller (GTK_WIDGET (private->list), private->motion);
}
