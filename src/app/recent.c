#include "app/recent.h"

#include <string.h>

#define PROGRAM "profview"

static int
compare_visits (gconstpointer a, gconstpointer b)
{
    return g_date_time_compare (gtk_recent_info_get_visited ((GtkRecentInfo *)b),
                                gtk_recent_info_get_visited ((GtkRecentInfo *)a));
}

GList *
pv_recent_list (unsigned n)
{
    GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
    GList *kept = NULL;
    GList *rest;

    for (GList *item = items; item != NULL; item = item->next) {
        GtkRecentInfo *info = item->data;
        if (gtk_recent_info_has_application (info, PROGRAM) && gtk_recent_info_is_local (info))
            kept = g_list_prepend (kept, info);
        else
            gtk_recent_info_unref (info);
    }
    g_list_free (items);
    kept = g_list_sort (kept, compare_visits);
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

void
pv_recent_add (GFile *file)
{
    g_autofree char *uri = g_file_get_uri (file);
    g_autofree char *name = g_file_get_basename (file);
    g_autofree char *shown = g_filename_display_name (name);
    GtkRecentData data = {
        .display_name = shown,
        .mime_type = (char *)"application/x-perf-data",
        .app_name = (char *)PROGRAM,
        .app_exec = (char *)PROGRAM " %f",
    };
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

void
pv_recent_remove (GFile *file)
{
    g_autofree char *uri = g_file_get_uri (file);

    /* What was never in the list need not be taken out of it. */
    gtk_recent_manager_remove_item (gtk_recent_manager_get_default (), uri, NULL);
}

char *
pv_recent_format_folder (const char *path)
{
    g_autofree char *folder = g_path_get_dirname (path);
    const char *home = g_get_home_dir ();
    size_t length = strlen (home);

    if (!g_path_is_absolute (path))
        return NULL;
    if (length > 1 && strncmp (folder, home, length) == 0 &&
        (folder[length] == '/' || folder[length] == '\0')) {
        g_autofree char *inside = g_filename_display_name (folder + length);
        return g_strconcat ("~", inside, NULL);
    }
    return g_filename_display_name (folder);
}
