/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/source-maps.h"

#include <string.h>

#include "app/work/settings.h"

#define KEY      "source-maps"
#define MAX_MAPS 50

char *
pv_source_map_make (const char *recorded, const char *path)
{
    g_assert (recorded != NULL && path != NULL);
    const char *from = recorded + strlen (recorded), *to = path + strlen (path);
    gboolean has_name = FALSE;

    if (recorded[0] != '/' || path[0] != '/')
        return NULL;
    /* Go back over equal names of files and folders. */
    for (;;) {
        const char *from_slash = g_strrstr_len (recorded, from - recorded, "/");
        const char *to_slash = g_strrstr_len (path, to - path, "/");
        if (from_slash == NULL || to_slash == NULL || from - from_slash != to - to_slash ||
            memcmp (from_slash, to_slash, (size_t)(from - from_slash)) != 0)
            break;
        from = from_slash;
        to = to_slash;
        has_name = TRUE;
    }
    if (!has_name)
        return NULL;
    g_autofree char *from_folder = g_strndup (recorded, (size_t)(from - recorded));
    g_autofree char *to_folder = g_strndup (path, (size_t)(to - path));
    return from > recorded ? g_strdup_printf ("%s=%s", from_folder, to_folder)
                           : g_strdup_printf ("/=%s/", to_folder);
}

static gboolean
is_of_same_folder (const char *a, const char *b)
{
    const size_t len = strcspn (a, "=");

    return strncmp (a, b, len) == 0 && b[len] == '=';
}

void
pv_source_maps_add (const char *map)
{
    g_assert (map != NULL && strchr (map, '=') != NULL);
    g_auto (GStrv) old = g_settings_get_strv (pv_settings_get (), KEY);
    g_autoptr (GPtrArray) maps = g_ptr_array_new ();

    g_ptr_array_add (maps, (gpointer)map);
    for (guint i = 0; old[i] != NULL && maps->len < MAX_MAPS; i++)
        if (!is_of_same_folder (old[i], map))
            g_ptr_array_add (maps, old[i]);
    g_ptr_array_add (maps, NULL);
    g_settings_set_strv (pv_settings_get (), KEY, (const char *const *)maps->pdata);
}

char **
pv_source_maps_list (const char *const *given)
{
    g_auto (GStrv) own = g_settings_get_strv (pv_settings_get (), KEY);
    g_autoptr (GStrvBuilder) maps = g_strv_builder_new ();

    if (given != NULL)
        g_strv_builder_addv (maps, (const char **)given);
    g_strv_builder_addv (maps, (const char **)own);
    return g_strv_builder_end (maps);
}
