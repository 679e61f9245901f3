/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pages/table-menu.h"

#include <glib/gi18n.h>

#include "app/filters/filter-menu.h"
#include "app/widgets/actions.h"
#include "app/widgets/menus.h"
#include "app/widgets/setup.h"

typedef struct {
    PvDocument *document;
    PvRowTable *table;
    GtkWidget *popover; /* child of the page */
    GMenu *filters;
    GActionMap *actions; /* of the page */
    PvMakeTableTextFunc make_text;
} TableMenu;

static void
table_menu_free (gpointer data)
{
    TableMenu *menu = data;

    g_object_unref (menu->document);
    g_object_unref (menu->table);
    g_object_unref (menu->filters);
    g_free (menu);
}

static GtkWidget *
get_view (TableMenu *menu)
{
    return GTK_WIDGET (pv_row_table_get_view (menu->table));
}

static const PvFunction *
get_function (TableMenu *menu)
{
    const PvDocumentData *data = pv_document_get (menu->document);
    return data->answer->tree != NULL && data->look.function != 0
               ? &data->answer->tree->symbols->functions[data->look.function]
               : NULL;
}

/* Actions */

static void
copy (TableMenu *menu, const char *text)
{
    if (text != NULL)
        gdk_clipboard_set_text (gtk_widget_get_clipboard (get_view (menu)), text);
}

static void
copy_name (TableMenu *menu)
{
    const PvFunction *function = get_function (menu);
    copy (menu, function != NULL ? function->name : NULL);
}

static PvTableText *
make_text (TableMenu *menu, gboolean is_selection)
{
    return menu->make_text (gtk_widget_get_parent (menu->popover), is_selection);
}

static void
copy_rows (TableMenu *menu)
{
    PvTableText *text = make_text (menu, TRUE);

    if (text != NULL)
        pv_table_text_copy (text, get_view (menu));
}

static void
save (TableMenu *menu, gboolean is_selection)
{
    const char *title = pv_document_get (menu->document)->title;
    PvTableText *text = make_text (menu, is_selection);

    if (text != NULL)
        pv_table_text_save (text, get_view (menu), title);
}

static void
save_table (TableMenu *menu)
{
    save (menu, FALSE);
}

static void
save_rows (TableMenu *menu)
{
    save (menu, TRUE);
}

static void
search (TableMenu *menu)
{
    const PvFunction *function = get_function (menu);

    if (function != NULL)
        gtk_widget_activate_action (get_view (menu), "win.search-for", "s", function->short_name);
}

static GMenuModel *
make_model (gboolean is_tree, GMenu *filters)
{
    g_autoptr (GMenu) pages = g_menu_new ();
    g_autoptr (GMenu) texts = g_menu_new ();
    g_autoptr (GMenu) rows = g_menu_new ();
    GMenu *model = g_menu_new ();

    g_menu_append (pages, _ ("Show S_ource"), "win.page::source");
    g_menu_append (pages, _ ("Ope_n in Editor"), "filter.open-in-editor");
    if (is_tree)
        g_menu_append (pages, _ ("E_xpand Hot Path"), "tree.expand-hot-path");
    else
        g_menu_append (pages, _ ("Show in Call _Tree"), "win.page::tree");
    g_menu_append (pages, _ ("Show in Flame _Graph"), "win.page::flame");
    g_menu_append (pages, _ ("Show Sand_wich"), "win.page::sandwich");
    g_menu_append (texts, _ ("_Search for This"), "table.search");
    g_menu_append (texts, _ ("_Copy Name"), "table.copy-name");
    g_menu_append (rows, _ ("Copy _Rows"), "table.copy-rows");
    g_menu_append (rows, _ ("Save Table _As…"), "table.save");
    g_menu_append (rows, _ ("Save Selecte_d Rows As…"), "table.save-rows");
    g_menu_append_submenu (texts, C_ ("menu", "Ta_ble"), G_MENU_MODEL (rows));
    g_menu_append_section (model, NULL, G_MENU_MODEL (pages));
    g_menu_append_section (model, NULL, G_MENU_MODEL (filters));
    g_menu_append_section (model, NULL, G_MENU_MODEL (texts));
    return G_MENU_MODEL (model);
}

/* Opening */

static void
open_at (TableMenu *menu, double x, double y)
{
    GtkWidget *page = gtk_widget_get_parent (menu->popover);

    pv_filter_menu_fill (menu->filters, page);
    pv_actions_enable (menu->actions, "save-rows",
                       gtk_bitset_get_size (pv_row_model_get_all_selected (
                           pv_row_table_get_model (menu->table))) > 1);
    pv_row_table_set_menu_open (menu->table, TRUE);
    pv_menu_open_at (GTK_POPOVER (menu->popover), get_view (menu), x, y);
}

/* The row that GTK gives the focus back to may be gone by the next answer. */
static void
on_closed (PvRowTable *table)
{
    pv_row_table_set_menu_open (table, FALSE);
    if (gtk_widget_get_mapped (GTK_WIDGET (pv_row_table_get_view (table))))
        pv_row_table_grab_focus (table);
}

static gboolean
open_for_row (gpointer user, double x, double y)
{
    TableMenu *menu = user;
    guint position = pv_row_table_find_row (menu->table, x, y);

    if (position == GTK_INVALID_LIST_POSITION)
        return FALSE;
    pv_row_table_select_for_menu (menu->table, position);
    open_at (menu, x, y);
    return TRUE;
}

static gboolean
on_menu_key (GtkWidget *widget, GVariant *arguments, gpointer user)
{
    TableMenu *menu = user;
    guint position = pv_row_table_get_selected (menu->table);
    GdkRectangle row;

    if (position == GTK_INVALID_LIST_POSITION ||
        !pv_row_table_get_row_bounds (menu->table, position, &row))
        return FALSE;
    open_at (menu, row.x + MIN (row.width, 60), row.y + row.height);
    return TRUE;
}

void
pv_table_menu_add (GtkWidget *page, PvRowTable *table, gboolean is_tree, PvDocument *document,
                   PvMakeTableTextFunc make_table_text)
{
    static const PvAction entries[] = {
        {"copy-name", G_CALLBACK (copy_name)}, {"copy-rows", G_CALLBACK (copy_rows)},
        {"save", G_CALLBACK (save_table)},     {"save-rows", G_CALLBACK (save_rows)},
        {"search", G_CALLBACK (search)},
    };
    static const PvShortcut shortcuts[] = {{"<Control>c", "table.copy-rows"},
                                           {"<Shift><Control>c", "table.copy-name"}};
    g_autoptr (GMenu) filters = g_menu_new ();
    g_autoptr (GMenuModel) model = make_model (is_tree, filters);
    TableMenu *menu = g_new0 (TableMenu, 1);

    g_assert (GTK_IS_WIDGET (page) && PV_IS_ROW_TABLE (table) && PV_IS_DOCUMENT (document));
    menu->document = g_object_ref (document);
    menu->table = g_object_ref (table);
    menu->popover = pv_menu_popover_new (page, model);
    menu->filters = g_object_ref (filters);
    menu->make_text = make_table_text;
    pv_connect (menu->popover, "closed", on_closed, table);
    menu->actions = pv_actions_new (page, "table", entries, G_N_ELEMENTS (entries), menu);
    pv_filter_menu_install (page, document, NULL);
    pv_menu_add_gestures (get_view (menu), open_for_row, menu, table_menu_free);
    gtk_shortcut_controller_add_shortcut (
        pv_shortcuts_new (get_view (menu), shortcuts, G_N_ELEMENTS (shortcuts)),
        gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Menu|<Shift>F10"),
                          gtk_callback_action_new (on_menu_key, menu, NULL)));
}
