/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/menus.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/widgets/setup.h"

#define POPOVER_FRAME_PX 24  /* around what a popover shows */
#define LEAST_POPOVER_PX 300 /* in any window */

typedef gboolean (*QueryTip) (GtkWidget *, int, int, gboolean, GtkTooltip *);

static QueryTip query_tip_of_button, query_tip_of_split_button;

static gboolean
is_open (GtkPopover *menu)
{
    return menu != NULL && gtk_widget_get_visible (GTK_WIDGET (menu));
}

static gboolean
query_tip (GtkWidget *widget, int x, int y, gboolean is_keyboard, GtkTooltip *tip)
{
    return !is_open (gtk_menu_button_get_popover (GTK_MENU_BUTTON (widget))) &&
           query_tip_of_button (widget, x, y, is_keyboard, tip);
}

static gboolean
query_split_tip (GtkWidget *widget, int x, int y, gboolean is_keyboard, GtkTooltip *tip)
{
    return !is_open (adw_split_button_get_popover (ADW_SPLIT_BUTTON (widget))) &&
           query_tip_of_split_button (widget, x, y, is_keyboard, tip);
}

/* Keeps a reference to the class, so that it stays. */
static QueryTip
replace_query (GType type, QueryTip query)
{
    GtkWidgetClass *class = g_type_class_ref (type);
    QueryTip replaced = class->query_tooltip;

    class->query_tooltip = query;
    return replaced;
}

void
pv_menus_init (void)
{
    g_assert (query_tip_of_button == NULL);
    query_tip_of_button = replace_query (GTK_TYPE_MENU_BUTTON, query_tip);
    query_tip_of_split_button = replace_query (ADW_TYPE_SPLIT_BUTTON, query_split_tip);
}

GMenuModel *
pv_menu_new (const PvMenuItem *items, size_t n_items)
{
    GMenu *menu = g_menu_new ();
    g_autoptr (GMenu) section = g_menu_new ();

    g_assert (items != NULL && n_items > 0);
    for (size_t i = 0; i < n_items; i++) {
        if (items[i].label == NULL) {
            g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
            g_object_unref (section);
            section = g_menu_new ();
            continue;
        }
        g_autoptr (GMenuItem) item = g_menu_item_new (
            g_dpgettext2 (GETTEXT_PACKAGE, "menu", items[i].label), items[i].action);
        g_menu_item_set_attribute (item, "hidden-when", "s", "action-missing");
        g_menu_append_item (section, item);
    }
    g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
    return G_MENU_MODEL (menu);
}

GtkWidget *
pv_menu_popover_new (GtkWidget *parent, GMenuModel *model)
{
    GtkWidget *menu = gtk_popover_menu_new_from_model (model);

    g_assert (GTK_IS_WIDGET (parent));
    gtk_popover_set_has_arrow (GTK_POPOVER (menu), FALSE);
    gtk_widget_set_halign (menu, GTK_ALIGN_START);
    gtk_widget_set_parent (menu, parent);
    return menu;
}

void
pv_menu_open_at (GtkPopover *menu, GtkWidget *of, double x, double y)
{
    g_assert (GTK_IS_POPOVER (menu) && GTK_IS_WIDGET (of));
    gtk_widget_translate_coordinates (of, gtk_widget_get_parent (GTK_WIDGET (menu)), x, y, &x, &y);
    gtk_popover_set_pointing_to (menu, &(GdkRectangle){(int)x, (int)y, 1, 1});
    gtk_popover_popup (menu);
}

/* Popovers */

static void
fit_popover (GtkWidget *widget)
{
    GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));
    int wanted = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "wanted-width"));

    if (window != NULL)
        g_object_set (widget, "width-request",
                      MIN (wanted, gtk_widget_get_width (window) - POPOVER_FRAME_PX), NULL);
}

void
pv_popover_set_width (GtkPopover *popover, GtkWidget *widget, int width_px)
{
    g_assert (GTK_IS_POPOVER (popover) && GTK_IS_WIDGET (widget) && width_px > 0);
    g_object_set_data (G_OBJECT (widget), "wanted-width", GINT_TO_POINTER (width_px));
    g_object_set (widget, "width-request", MIN (width_px, LEAST_POPOVER_PX), NULL);
    pv_connect (popover, "show", fit_popover, widget);
}

/* Places that are asked for */

/* Shared by the gestures that lead to one menu, with their references. */
typedef struct {
    PvMenuFunc open;
    gpointer object;
    GDestroyNotify destroy;
} Asking;

static void
asking_clear (gpointer user)
{
    Asking *asking = user;

    if (asking->destroy != NULL)
        asking->destroy (asking->object);
}

static void
asking_unref (gpointer user, GClosure *closure)
{
    g_rc_box_release_full (user, asking_clear);
}

/* Whatever else the press began ends when the menu is there. */
static void
ask (Asking *asking, GtkGesture *gesture, double x, double y)
{
    if (asking->open (asking->object, x, y))
        gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_pressed (GtkGesture *gesture, int n_press, double x, double y, gpointer user)
{
    ask (user, gesture, x, y);
}

static void
on_long_pressed (GtkGesture *gesture, double x, double y, gpointer user)
{
    ask (user, gesture, x, y);
}

static void
add_gesture (GtkWidget *widget, GtkGesture *gesture, GCallback on_gesture, Asking *asking)
{
    g_signal_connect_data (gesture, "pressed", on_gesture, g_rc_box_acquire (asking), asking_unref,
                           0);
    gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));
}

static void
add_gestures (GtkWidget *widget, gboolean has_mouse, Asking *asking)
{
    Asking *shared = g_rc_box_dup (sizeof *asking, asking);
    GtkGesture *finger = gtk_gesture_long_press_new ();

    if (has_mouse) {
        GtkGesture *click = gtk_gesture_click_new ();
        gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
        add_gesture (widget, click, G_CALLBACK (on_pressed), shared);
    }
    gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (finger), TRUE);
    add_gesture (widget, finger, G_CALLBACK (on_long_pressed), shared);
    asking_unref (shared, NULL);
}

void
pv_menu_add_gestures (GtkWidget *widget, PvMenuFunc open, gpointer object, GDestroyNotify destroy)
{
    g_assert (GTK_IS_WIDGET (widget) && open != NULL);
    add_gestures (widget, TRUE, &(Asking){open, object, destroy});
}

void
pv_menu_add_long_press (GtkWidget *widget, PvMenuFunc open, gpointer object)
{
    g_assert (GTK_IS_WIDGET (widget) && open != NULL);
    add_gestures (widget, FALSE, &(Asking){open, object, NULL});
}
