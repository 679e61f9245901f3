/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/menus.h"

#include <adwaita.h>
#include <glib/gi18n.h>

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
