/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/page-stack.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/empty-page.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/window/pages.h"
#include "app/work/settings.h"

#define EMPTY_NAME "empty" /* of a place's child, beside those named like their types */

/* Where the views of a page are. */
typedef struct {
    GtkStack *stack;
    const PvShapeKind *shape; /* the one that is shown, or will be; NULL: none can be */
} Place;

struct _PvPageStack {
    GObject parent;

    AdwViewStack *stack; /* borrowed */
    PvDocument *document;
    Place places[PV_N_PAGES];
    gboolean is_settled;      /* the document has told which shapes come first */
    const PvShapeKind *first; /* until then; NULL: as the document and the settings say */
    gboolean is_automatic;    /* the settings leave the first page to the document */
    gboolean is_following;    /* switches follow what is shown */
};

G_DEFINE_FINAL_TYPE (PvPageStack, pv_page_stack, G_TYPE_OBJECT)

static guint changed_signal;

static const PvDocumentData *
get_data (PvPageStack *self)
{
    return pv_document_get (self->document);
}

static PvPageId
get_visible_page (PvPageStack *self)
{
    const char *id = adw_view_stack_get_visible_child_name (self->stack);

    for (PvPageId page = 0; page < PV_N_PAGES; page++)
        if (g_strcmp0 (id, pv_pages[page].id) == 0)
            return page;
    return PV_PAGE_GRAPH;
}

/* NULL: it is not made yet. */
static PvView *
find_view (PvPageStack *self, const PvShapeKind *shape)
{
    GtkWidget *child = gtk_stack_get_child_by_name (self->places[shape->page].stack,
                                                    g_type_name (shape->get_type ()));

    return child != NULL ? PV_VIEW (child) : NULL;
}

/* Switches */

static const PvShapeKind *
get_button_shape (GtkWidget *button)
{
    return g_object_get_data (G_OBJECT (button), "shape");
}

static void
on_button_toggled (GtkToggleButton *button, PvPageStack *self)
{
    /* The keyboard goes on in the page: the button may be in another view than the shape. */
    if (!self->is_following && gtk_toggle_button_get_active (button))
        gtk_widget_activate_action (GTK_WIDGET (button), "win.page", "s",
                                    get_button_shape (GTK_WIDGET (button))->id);
}

static GtkWidget *
make_button (PvPageStack *self, const PvShapeKind *shape)
{
    GtkWidget *button =
        gtk_toggle_button_new_with_label (g_dpgettext2 (GETTEXT_PACKAGE, "shape", shape->title));

    g_object_set_data (G_OBJECT (button), "shape", (gpointer)shape);
    pv_accessible_set_name (button, g_dpgettext2 (GETTEXT_PACKAGE, "shape", shape->title));
    g_signal_connect_object (button, "toggled", G_CALLBACK (on_button_toggled), self, 0);
    return button;
}

/* Buttons side by side, or, where these have no room, one with a menu. */
static GtkWidget *
make_switch (PvPageStack *self, PvPageId page)
{
    GtkWidget *squeezer = adw_squeezer_new ();
    GtkWidget *box =
        g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
    GtkWidget *menu_button = gtk_menu_button_new ();
    GtkWidget *first = NULL;

    gtk_widget_add_css_class (box, "linked");
    pv_accessible_set_name (box, C_ ("control", "Shape"));
    for (unsigned i = 0; i < pv_n_shapes; i++) {
        if (pv_shapes[i].page != page || pv_shapes[i].title == NULL)
            continue;
        GtkWidget *button = make_button (self, &pv_shapes[i]);
        if (first != NULL)
            gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (first));
        first = button;
        gtk_box_append (GTK_BOX (box), button);
    }
    g_object_set (squeezer, "homogeneous", FALSE, "valign", GTK_ALIGN_CENTER, NULL);
    adw_squeezer_add (ADW_SQUEEZER (squeezer), box);
    adw_squeezer_add (ADW_SQUEEZER (squeezer), menu_button);
    return squeezer;
}

/* A page of one shape has no switch. */
static void
add_switch (PvPageStack *self, PvView *view, PvPageId page)
{
    if (PV_VIEW_GET_CLASS (view)->get_switch_place != NULL)
        adw_bin_set_child (PV_VIEW_GET_CLASS (view)->get_switch_place (view),
                           make_switch (self, page));
}

static void
update_button (PvPageStack *self, GtkWidget *button, const PvShapeKind *shown)
{
    const PvShapeKind *shape = get_button_shape (button);
    const char *obstacle =
        shape->get_obstacle != NULL ? shape->get_obstacle (get_data (self)) : NULL;

    gtk_widget_set_visible (button, shape->can_show (get_data (self)));
    gtk_widget_set_sensitive (button, obstacle == NULL);
    gtk_widget_set_tooltip_text (button, obstacle != NULL ? obstacle : _ (shape->tip));
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), shape == shown);
}

/* A menu that has the same shapes stays, as it may be open. */
static void
update_menu (PvPageStack *self, GtkMenuButton *button, PvPageId page)
{
    g_autoptr (GMenu) menu = g_menu_new ();
    guint shapes = 0; /* as bits */

    g_assert (pv_n_shapes <= 32);
    for (unsigned i = 0; i < pv_n_shapes; i++) {
        if (pv_shapes[i].page != page || !pv_shape_is_possible (&pv_shapes[i], get_data (self)))
            continue;
        g_autoptr (GMenuItem) item =
            g_menu_item_new (g_dpgettext2 (GETTEXT_PACKAGE, "shape", pv_shapes[i].title), NULL);
        g_menu_item_set_action_and_target (item, "win.page", "s", pv_shapes[i].id);
        g_menu_append_item (menu, item);
        shapes |= 1u << i;
    }
    if (GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "shapes")) == shapes)
        return;
    g_object_set_data (G_OBJECT (button), "shapes", GUINT_TO_POINTER (shapes));
    gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static guint
count_shapes (PvPageStack *self, PvPageId page)
{
    guint n = 0;

    for (unsigned i = 0; i < pv_n_shapes; i++)
        n += pv_shapes[i].page == page && pv_shapes[i].can_show (get_data (self));
    return n;
}

static void
update_switch (PvPageStack *self, AdwBin *place, PvPageId page)
{
    GtkWidget *box = gtk_widget_get_first_child (adw_bin_get_child (place));
    GtkWidget *menu_button = gtk_widget_get_next_sibling (box);
    const PvShapeKind *shown = self->places[page].shape;
    const char *title = shown != NULL ? g_dpgettext2 (GETTEXT_PACKAGE, "shape", shown->title) : "";
    /* Translators: the way in which a page shows a profile, such as “Flame”. */
    g_autofree char *name = g_strdup_printf (_ ("Shape: %s"), title);

    gtk_widget_set_visible (GTK_WIDGET (place), count_shapes (self, page) > 1);
    update_menu (self, GTK_MENU_BUTTON (menu_button), page);
    gtk_menu_button_set_label (GTK_MENU_BUTTON (menu_button), title);
    pv_accessible_name_parts (menu_button, name, NULL);
    for (GtkWidget *button = gtk_widget_get_first_child (box); button != NULL;
         button = gtk_widget_get_next_sibling (button))
        update_button (self, button, shown);
}

/* Each view of the page has a switch of its own. */
static void
update_switches (PvPageStack *self, PvPageId page)
{
    GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->places[page].stack));

    self->is_following = TRUE;
    for (; child != NULL; child = gtk_widget_get_next_sibling (child))
        if (PV_IS_VIEW (child) && PV_VIEW_GET_CLASS (child)->get_switch_place != NULL)
            update_switch (self, PV_VIEW_GET_CLASS (child)->get_switch_place (PV_VIEW (child)),
                           page);
    self->is_following = FALSE;
}

/* A view has changed its shape, or the document has. */
static void
on_shape_changed (PvView *view, PvPageStack *self)
{
    const PvShapeKind *shape = pv_shape_find (PV_VIEW_GET_CLASS (view)->get_shape (view));
    Place *place = &self->places[shape->page];

    if (gtk_stack_get_visible_child (place->stack) != GTK_WIDGET (view) || place->shape == shape)
        return;
    place->shape = shape;
    update_switches (self, shape->page);
    g_signal_emit (self, changed_signal, 0);
}

/* Views */

static PvView *
make_view (PvPageStack *self, const PvShapeKind *shape)
{
    GtkWidget *view = pv_view_new (shape->get_type (), self->document);
    GtkStack *stack = self->places[shape->page].stack;

    add_switch (self, PV_VIEW (view), shape->page);
    gtk_stack_add_named (stack, view, g_type_name (shape->get_type ()));
    if (PV_VIEW_GET_CLASS (view)->get_shape != NULL)
        g_signal_connect_object (view, "shape-changed", G_CALLBACK (on_shape_changed), self, 0);
    return PV_VIEW (view);
}

PvView *
pv_page_stack_get_view (PvPageStack *self, const char *id)
{
    const PvShapeKind *shape = pv_shape_find (id);

    g_assert (PV_IS_PAGE_STACK (self) && shape != NULL);
    if (find_view (self, shape) == NULL && get_data (self)->state == PV_DOCUMENT_READY &&
        shape->can_show (get_data (self)))
        return make_view (self, shape);
    return find_view (self, shape);
}

static void
show_empty (PvPageStack *self, PvPageId page)
{
    GtkStack *stack = self->places[page].stack;
    GtkWidget *child = gtk_stack_get_child_by_name (stack, EMPTY_NAME);

    if (child == NULL && pv_pages[page].empty_title != NULL) {
        GtkWidget *button = gtk_button_new_with_mnemonic (_ ("Show _Graph"));
        GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
        child = adw_status_page_new ();
        adw_status_page_set_icon_name (ADW_STATUS_PAGE (child), pv_pages[page].icon);
        gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), "win.page::graph");
        pv_accessible_set_name (button, _ ("Show Graph"));
        gtk_widget_add_css_class (button, "pill");
        gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
        gtk_box_append (GTK_BOX (box), button);
        gtk_box_append (GTK_BOX (box),
                        pv_help_button_new (pv_pages[page].help, _ ("Help on this page")));
        adw_status_page_set_child (ADW_STATUS_PAGE (child), box);
        gtk_stack_add_named (stack, child, EMPTY_NAME);
    }
    if (child == NULL)
        return;
    pv_empty_page_set (ADW_STATUS_PAGE (child), _ (pv_pages[page].empty_title),
                       pv_pages[page].get_empty_text (get_data (self)));
    gtk_stack_set_visible_child (stack, child);
}

/* Makes the page show its shape, once it is seen. */
static void
show_shape (PvPageStack *self, PvPageId page)
{
    Place *place = &self->places[page];
    PvView *view;

    if (get_data (self)->state != PV_DOCUMENT_READY || get_visible_page (self) != page)
        return;
    view = place->shape != NULL ? pv_page_stack_get_view (self, place->shape->id) : NULL;
    if (view == NULL) {
        show_empty (self, page);
        return;
    }
    if (PV_VIEW_GET_CLASS (view)->show_shape != NULL &&
        !g_str_equal (PV_VIEW_GET_CLASS (view)->get_shape (view), place->shape->id))
        PV_VIEW_GET_CLASS (view)->show_shape (view, place->shape->id);
    gtk_stack_set_visible_child (place->stack, GTK_WIDGET (view));
    update_switches (self, page);
}

/* Which shape */

static const PvShapeKind *
find_shape (PvPageStack *self, PvPageId page)
{
    const PvDocumentData *data = get_data (self);
    const PvShapeKind *found = NULL;

    for (unsigned i = 0; i < pv_n_shapes; i++) {
        const PvShapeKind *shape = &pv_shapes[i];
        if (shape->page != page || !pv_shape_is_possible (shape, data))
            continue;
        if (found == NULL || (shape->is_first != NULL && shape->is_first (data)))
            found = shape;
    }
    return found;
}

/* Views that the profile, read again, has no shape for. */
static void
drop_impossible (PvPageStack *self)
{
    for (unsigned i = 0; i < pv_n_shapes; i++) {
        PvView *view = find_view (self, &pv_shapes[i]);
        if (view != NULL && !pv_shapes[i].can_show (get_data (self)))
            gtk_stack_remove (self->places[pv_shapes[i].page].stack, GTK_WIDGET (view));
    }
}

/* The peak of a heap and its leaks, or what changed, is in no picture at once. */
static gboolean
says_most_in_summary (const PvProfile *profile)
{
    return profile->heap != NULL || profile->is_of_allocations || profile->compared != NULL;
}

void
pv_page_stack_update (PvPageStack *self, guint what)
{
    const PvDocumentData *data = get_data (self);

    g_assert (PV_IS_PAGE_STACK (self));
    if ((what & (PV_CHANGED_STATE | PV_CHANGED_TREE | PV_CHANGED_FACETS)) == 0)
        return;
    if ((what & (PV_CHANGED_STATE | PV_CHANGED_TREE)) != 0)
        drop_impossible (self);
    /* Pages that come do so first, as one of them may take the place of the visible one. */
    for (PvPageId page = 0; page < PV_N_PAGES; page++)
        if (pv_pages[page].is_there (data))
            adw_view_stack_page_set_visible (
                adw_view_stack_get_page (self->stack, GTK_WIDGET (self->places[page].stack)), TRUE);
    if (!pv_pages[get_visible_page (self)].is_there (data))
        adw_view_stack_set_visible_child_name (
            self->stack, pv_pages[PV_PAGE_GRAPH].is_there (data) ? "graph" : "distribution");
    for (PvPageId page = 0; page < PV_N_PAGES; page++) {
        Place *place = &self->places[page];
        if (!pv_pages[page].is_there (data))
            adw_view_stack_page_set_visible (
                adw_view_stack_get_page (self->stack, GTK_WIDGET (place->stack)), FALSE);
        if (!self->is_settled || place->shape == NULL || !pv_shape_is_possible (place->shape, data))
            place->shape = find_shape (self, page);
        show_shape (self, page);
    }
    /* The page of the user's choice may have nothing to show. */
    if (!self->is_settled && data->answer->profile != NULL &&
        self->places[get_visible_page (self)].shape == NULL)
        adw_view_stack_set_visible_child_name (self->stack, "graph");
    if (self->is_settled || data->answer->profile == NULL)
        return;
    self->is_settled = TRUE;
    if (self->first != NULL)
        pv_page_stack_show (self, self->first->id);
    else if (self->is_automatic && get_visible_page (self) == PV_PAGE_GRAPH &&
             says_most_in_summary (data->answer->profile))
        pv_page_stack_show (self, "summary");
}

void
pv_page_stack_begin_with (PvPageStack *self, const char *shape)
{
    g_assert (PV_IS_PAGE_STACK (self) && shape != NULL);
    self->first = pv_shape_find (shape);
}

gboolean
pv_page_stack_show (PvPageStack *self, const char *id)
{
    const PvShapeKind *shape = pv_shape_find (id);
    PvPageId page = shape != NULL ? shape->page : 0;

    g_assert (PV_IS_PAGE_STACK (self));
    while (shape == NULL && page < PV_N_PAGES && !g_str_equal (pv_pages[page].id, id))
        page++;
    if (page == PV_N_PAGES || !pv_pages[page].is_there (get_data (self)) ||
        (shape != NULL && shape->title != NULL && !pv_shape_is_possible (shape, get_data (self))))
        return FALSE;
    if (shape != NULL && pv_shape_is_possible (shape, get_data (self)))
        self->places[page].shape = shape;
    if (get_visible_page (self) == page) {
        show_shape (self, page);
        g_signal_emit (self, changed_signal, 0);
    } else {
        adw_view_stack_set_visible_child_name (self->stack, pv_pages[page].id);
    }
    return TRUE;
}

gboolean
pv_page_stack_show_nth (PvPageStack *self, guint n)
{
    g_assert (PV_IS_PAGE_STACK (self));
    for (PvPageId page = 0; page < PV_N_PAGES; page++)
        if (pv_pages[page].is_there (get_data (self)) && n-- == 0)
            return pv_page_stack_show (self, pv_pages[page].id);
    return FALSE;
}

const char *
pv_page_stack_get_shape (PvPageStack *self)
{
    g_assert (PV_IS_PAGE_STACK (self));
    const PvPageId page = get_visible_page (self);

    return self->places[page].shape != NULL ? self->places[page].shape->id : pv_pages[page].id;
}

PvView *
pv_page_stack_get_visible (PvPageStack *self)
{
    g_assert (PV_IS_PAGE_STACK (self));
    GtkWidget *child = gtk_stack_get_visible_child (self->places[get_visible_page (self)].stack);

    return child != NULL && PV_IS_VIEW (child) ? PV_VIEW (child) : NULL;
}

gboolean
pv_page_stack_drop (PvPageStack *self)
{
    PvView *visible = pv_page_stack_get_visible (self);

    g_assert (PV_IS_PAGE_STACK (self));
    for (unsigned i = 0; i < pv_n_shapes; i++) {
        PvView *view = find_view (self, &pv_shapes[i]);
        if (view == NULL || view == visible)
            continue;
        gtk_stack_remove (self->places[pv_shapes[i].page].stack, GTK_WIDGET (view));
        return TRUE;
    }
    return FALSE;
}

/* Object */

static void
on_page_changed (PvPageStack *self)
{
    show_shape (self, get_visible_page (self));
    g_signal_emit (self, changed_signal, 0);
}

static void
pv_page_stack_finalize (GObject *object)
{
    g_clear_object (&PV_PAGE_STACK (object)->document);
    G_OBJECT_CLASS (pv_page_stack_parent_class)->finalize (object);
}

static void
pv_page_stack_class_init (PvPageStackClass *class)
{
    G_OBJECT_CLASS (class)->finalize = pv_page_stack_finalize;
    changed_signal = pv_signal_new (class, "changed", 0);
}

static void
pv_page_stack_init (PvPageStack *self)
{
}

PvPageStack *
pv_page_stack_new (AdwViewStack *stack, PvDocument *document)
{
    PvPageStack *self = g_object_new (PV_TYPE_PAGE_STACK, NULL);
    g_autofree char *first = NULL;

    g_assert (ADW_IS_VIEW_STACK (stack) && PV_IS_DOCUMENT (document));
    self->stack = stack;
    self->document = g_object_ref (document);
    for (PvPageId page = 0; page < PV_N_PAGES; page++) {
        GtkWidget *place =
            g_object_new (GTK_TYPE_STACK, "hhomogeneous", FALSE, "vhomogeneous", FALSE, NULL);
        self->places[page].stack = GTK_STACK (place);
        self->places[page].shape = find_shape (self, page);
        adw_view_stack_add_titled_with_icon (
            stack, place, pv_pages[page].id,
            g_dpgettext2 (GETTEXT_PACKAGE, "page", pv_pages[page].title), pv_pages[page].icon);
    }
    first = g_settings_get_string (pv_settings_get (), "first-page");
    self->is_automatic = g_str_equal (first, "automatic");
    adw_view_stack_set_visible_child_name (stack, self->is_automatic ? "graph" : first);
    pv_connect (stack, "notify::visible-child", on_page_changed, self);
    return self;
}
