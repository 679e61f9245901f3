/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The menu of recent files. */
#include <glib/gi18n.h>

#include "app/recording/recent.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/setup.h"
#include "app/window/window-private.h"

#define MAX_RECENT            8
#define MAX_RECENT_FOLDER_LEN 48

/* "perf.data – ~/work", with the end of a long folder. In menu labels an underscore marks the
 * mnemonic. */
static char *
format_recent (GtkRecentInfo *info, const char *path)
{
    g_autofree char *folder = pv_recent_format_folder (path);
    g_autoptr (GString) label = g_string_new (gtk_recent_info_get_display_name (info));
    glong length = folder != NULL ? g_utf8_strlen (folder, -1) : 0;

    if (length > MAX_RECENT_FOLDER_LEN)
        g_string_append_printf (label, " – …%s",
                                g_utf8_offset_to_pointer (folder, length - MAX_RECENT_FOLDER_LEN));
    else if (folder != NULL)
        g_string_append_printf (label, " – %s", folder);
    return pv_make_menu_label (label->str);
}

static void
update_recent (PvWindow *self)
{
    GList *items = pv_recent_list (MAX_RECENT);

    g_menu_remove_all (self->recent_menu);
    for (GList *item = items; item != NULL; item = item->next) {
        g_autofree char *path =
            g_filename_from_uri (gtk_recent_info_get_uri (item->data), NULL, NULL);
        g_autofree char *label = NULL;
        g_autoptr (GMenuItem) entry = NULL;
        if (path == NULL)
            continue;
        label = format_recent (item->data, path);
        entry = g_menu_item_new (label, NULL);
        g_menu_item_set_action_and_target (entry, "win.open-recent", "s",
                                           gtk_recent_info_get_uri (item->data));
        g_menu_append_item (self->recent_menu, entry);
    }
    if (items == NULL) {
        /* An item without an action is shown as insensitive. */
        g_menu_append (self->recent_menu, _ ("No Recent Files"), "win.none");
    }
    g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

void
pv_window_watch_recent (PvWindow *self)
{
    pv_connect (gtk_recent_manager_get_default (), "changed", update_recent, self);
    update_recent (self);
}
