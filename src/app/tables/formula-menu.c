/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/formula-menu.h"

#include <glib/gi18n.h>

#include "app/tables/formula-dialog.h"
#include "app/tables/table-columns.h"
#include "app/widgets/actions.h"
#include "app/widgets/setup.h"
#include "app/work/settings.h"
#include "app/work/user-formulas.h"

/* Data of the table, which ends before the columns do. */
typedef struct {
    GtkWidget *page; /* borrowed, as the columns are */
    PvColumnSet *columns;
    PvDocument *document;
} FormulaMenu;

static void
formula_menu_free (gpointer data)
{
    FormulaMenu *menu = data;

    g_object_unref (menu->document);
    g_free (menu);
}

static FormulaMenu *
get (PvRowTable *table)
{
    return g_object_get_data (G_OBJECT (table), "formula-menu");
}

static void
on_saved (PvRowTable *table, const char *name)
{
    pv_column_set_show_formula (get (table)->columns, name);
}

static void
edit (PvRowTable *table)
{
    FormulaMenu *menu = get (table);
    PvFormulaDialog *dialog;

    if (pv_document_get (menu->document)->answer->profile == NULL)
        return;
    /* GTK 4.8 would leave the focus in the submenu, which is gone after the dialog. */
    pv_row_table_grab_focus (table);
    dialog = pv_formula_dialog_new (GTK_WINDOW (gtk_widget_get_root (menu->page)), menu->document);
    pv_connect (dialog, "saved", on_saved, table);
    pv_connect (menu->page, "destroy", gtk_window_destroy, dialog);
    gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_settings_changed (PvRowTable *table)
{
    pv_column_set_renew_formulas (get (table)->columns);
}

/* A formula of one measure shows nothing new. */
static void
update_entry (PvRowTable *table)
{
    const PvProfile *profile = pv_document_get (get (table)->document)->answer->profile;
    gboolean has_several = profile != NULL && profile->n_weights > 1;

    pv_table_columns_set_entry (table, has_several ? _ ("_Edit Formulas…") : NULL, "formulas.edit");
}

static void
update_asked (PvRowTable *table)
{
    FormulaMenu *menu = get (table);
    char **formulas = pv_document_get (menu->document)->formulas;

    if (formulas != NULL)
        pv_column_set_set_formulas (menu->columns, (const char *const *)formulas);
}

static void
on_document_changed (PvRowTable *table, guint what)
{
    if (what & PV_CHANGED_TREE)
        update_entry (table);
    if (what & PV_CHANGED_FORMULAS)
        update_asked (table);
}

void
pv_formula_menu_install (GtkWidget *page, PvRowTable *table, PvColumnSet *columns,
                         PvDocument *document)
{
    static const PvAction entries[] = {{"edit", G_CALLBACK (edit)}};
    FormulaMenu *menu = g_new (FormulaMenu, 1);

    g_assert (GTK_IS_WIDGET (page) && PV_IS_ROW_TABLE (table) && columns != NULL);
    g_assert (PV_IS_DOCUMENT (document));
    *menu = (FormulaMenu){page, columns, g_object_ref (document)};
    g_object_set_data_full (G_OBJECT (table), "formula-menu", menu, formula_menu_free);
    pv_actions_new (page, "formulas", entries, G_N_ELEMENTS (entries), table);
    pv_connect (pv_settings_get (), "changed::" PV_USER_FORMULAS_KEY, on_settings_changed, table);
    pv_connect (document, "changed", on_document_changed, table);
    update_entry (table);
    update_asked (table);
}
