/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/recording/recent.h"

#include "core/base/format.h"

#define PROGRAM   "profview"
#define SERIES    " --series"
#define MERGED    " --merge"
#define MAX_FILES 2000

/* GTK does not note each time that an entry was added again as a visit. */
static GDateTime *
get_last_use (gconstpointer info)
{
    GDateTime *visited = gtk_recent_info_get_visited ((GtkRecentInfo *)info);
    GDateTime *added = gtk_recent_info_get_modified ((GtkRecentInfo *)info);

    return g_date_time_compare (visited, added) > 0 ? visited : added;
}

static int
compare_uses (gconstpointer a, gconstpointer b)
{
    return g_date_time_compare (get_last_use (b), get_last_use (a));
}

/* True for our own entries, whose command has a path or an option. GTK adds every file that the
 * user chose in a dialog, with the command "profview URI". */
static gboolean
is_profile (GtkRecentInfo *info)
{
    const char *command = NULL;

    return gtk_recent_info_is_local (info) &&
           gtk_recent_info_get_application_info (info, PROGRAM, &command, NULL, NULL) &&
           !g_str_has_prefix (command, PROGRAM " file:") &&
           !g_str_has_prefix (command, PROGRAM " 'file:");
}

GList *
pv_recent_list (unsigned n)
{
    GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
    GList *kept = NULL;
    GList *rest;

    for (GList *item = items; item != NULL; item = item->next) {
        GtkRecentInfo *info = item->data;
        if (is_profile (info))
            kept = g_list_prepend (kept, info);
        else
            gtk_recent_info_unref (info);
    }
    g_list_free (items);
    kept = g_list_sort (kept, compare_uses);
    rest = g_list_nth (kept, n);
    if (rest != NULL) {
        if (rest->prev != NULL)
            rest->prev->next = NULL;
        else
            kept = NULL;
        rest->prev = NULL;
        g_list_free_full (rest, (GDestroyNotify)gtk_recent_info_unref);
    }
    return kept;
}

/* Command that opens the profile again: "profview --series 'file:///…' …". */
static char *
make_command (const PvSourceSpec *spec)
{
    GString *command = g_string_new (PROGRAM);

    if (!spec->is_together || spec->folder != NULL)
        return g_string_free (g_string_append (command, " %f"), FALSE);
    g_string_append (command, spec->how == PV_TOGETHER_SERIES ? SERIES : MERGED);
    for (unsigned i = 0; spec->paths[i] != NULL; i++) {
        g_autofree char *uri = g_filename_to_uri (spec->paths[i], NULL, NULL);
        g_autofree char *quoted = uri != NULL ? g_shell_quote (uri) : NULL;
        if (quoted != NULL)
            g_string_append_printf (command, " %s", quoted);
    }
    g_string_replace (command, "%", "%%", 0);
    return g_string_free (command, FALSE);
}

void
pv_recent_add (const PvSourceSpec *spec, const char *title, const char *media_type)
{
    g_autoptr (GFile) file = pv_source_spec_get_file (spec);
    g_autofree char *uri = g_file_get_uri (file);
    g_autofree char *command = NULL;
    GtkRecentData data = {
        .display_name = (char *)title,
        .mime_type = (char *)(spec->folder != NULL ? "inode/directory"
                              : media_type != NULL ? media_type
                                                   : "application/octet-stream"),
        .app_name = (char *)PROGRAM,
        .is_private = pv_source_spec_is_fetched (spec),
    };

    g_assert (spec != NULL && title != NULL);
    if (spec->paths[0] == NULL || g_strv_length (spec->paths) > MAX_FILES)
        return;
    command = make_command (spec);
    data.app_exec = command;
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

char **
pv_recent_get_files (GtkRecentInfo *info, PvTogether *ret_how)
{
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    g_auto (GStrv) arguments = NULL;
    const char *command = NULL;

    g_assert (info != NULL && ret_how != NULL);
    if (!gtk_recent_info_get_application_info (info, PROGRAM, &command, NULL, NULL) ||
        command == NULL)
        return NULL;
    if (g_str_has_prefix (command, PROGRAM SERIES))
        *ret_how = PV_TOGETHER_SERIES;
    else if (g_str_has_prefix (command, PROGRAM MERGED))
        *ret_how = PV_TOGETHER_MERGED;
    else
        return NULL;
    if (!g_shell_parse_argv (command, NULL, &arguments, NULL))
        return NULL;
    for (unsigned i = 2; arguments[i] != NULL; i++) {
        char *path = g_filename_from_uri (arguments[i], NULL, NULL);
        if (path != NULL)
            g_ptr_array_add (paths, path);
    }
    if (paths->len == 0)
        return NULL;
    g_ptr_array_add (paths, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}

void
pv_recent_remove (GFile *file)
{
    g_autofree char *uri = g_file_get_uri (file);

    g_assert (G_IS_FILE (file));
    /* Fails for a file that is not in the list, which is fine. */
    gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), uri, NULL);
}

char *
pv_recent_format_folder (const char *path)
{
    g_autofree char *folder = g_path_get_dirname (path);

    g_assert (path != NULL);
    return g_path_is_absolute (path) ? pv_format_folder (folder) : NULL;
}
