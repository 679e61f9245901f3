/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/origin.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fetch/fetch.h"
#include "record/plan/recordings.h"

/* Of more files, the first ones are enough to see what the names have in common. */
#define MAX_COMPARED 1000

static PvOrigin *
new_origin (const char *const *paths)
{
    PvOrigin *origin = g_new0 (PvOrigin, 1);
    static const char *const none[] = {NULL};

    origin->paths = g_strdupv ((char **)(paths != NULL ? paths : none));
    return origin;
}

PvOrigin *
pv_origin_new_for_path (const char *path)
{
    const char *const paths[] = {path, NULL};
    return new_origin (paths);
}

PvOrigin *
pv_origin_new_together (const char *const *paths, PvTogether how, const char *folder)
{
    PvOrigin *origin = new_origin (paths);

    origin->is_together = TRUE;
    origin->how = how;
    origin->folder = g_strdup (folder);
    return origin;
}

PvOrigin *
pv_origin_new_for_url (const char *url)
{
    PvOrigin *origin = new_origin (NULL);

    origin->url = g_strdup (url);
    return origin;
}

PvOrigin *
pv_origin_copy (const PvOrigin *origin)
{
    PvOrigin *copy = g_memdup2 (origin, sizeof *origin);

    copy->paths = g_strdupv (origin->paths);
    copy->folder = g_strdup (origin->folder);
    copy->url = g_strdup (origin->url);
    return copy;
}

void
pv_origin_free (PvOrigin *origin)
{
    if (origin == NULL)
        return;
    g_strfreev (origin->paths);
    g_free (origin->folder);
    g_free (origin->url);
    g_free (origin);
}

gboolean
pv_origin_equal (const PvOrigin *a, const PvOrigin *b)
{
    return a->is_together == b->is_together && (!a->is_together || a->how == b->how) &&
           g_strcmp0 (a->url, b->url) == 0 && g_strcmp0 (a->folder, b->folder) == 0 &&
           g_strv_equal ((const char *const *)a->paths, (const char *const *)b->paths);
}

void
pv_origin_add_path (PvOrigin *origin, const char *path)
{
    unsigned n = g_strv_length (origin->paths);

    origin->paths = g_renew (char *, origin->paths, n + 2);
    origin->paths[n] = g_strdup (path);
    origin->paths[n + 1] = NULL;
    origin->is_together = n > 0;
    origin->how = PV_TOGETHER_SERIES;
}

GFile *
pv_origin_get_file (const PvOrigin *origin)
{
    if (origin->folder != NULL)
        return g_file_new_for_path (origin->folder);
    if (origin->paths[0] != NULL)
        return g_file_new_for_path (origin->paths[0]);
    return g_file_new_for_uri (origin->url);
}

/* Titles ----------------------------------------------------------------------------------------
 */

static char *
get_name (const char *path)
{
    g_autofree char *name = g_path_get_basename (path);
    return g_filename_display_name (name);
}

/* What the names begin with, without a number that goes on differently and without what joins it to
 * the rest; empty if that is nothing. */
static char *
get_common_name (char *const *paths)
{
    g_autofree char *first = get_name (paths[0]);
    size_t length = strlen (first);
    gboolean is_in_number = FALSE;

    for (unsigned i = 1; i < MAX_COMPARED && paths[i] != NULL; i++) {
        g_autofree char *name = get_name (paths[i]);
        size_t same = 0;
        while (same < length && name[same] == first[same])
            same++;
        is_in_number |= g_ascii_isdigit (name[same]) || g_ascii_isdigit (first[same]);
        length = same;
    }
    while (is_in_number && length > 0 && g_ascii_isdigit (first[length - 1]))
        length--;
    while (length > 0 && strchr ("._-", first[length - 1]) != NULL)
        length--;
    /* Not in the middle of a letter. */
    while (length > 0 && (first[length] & 0xc0) == 0x80)
        length--;
    return g_strndup (first, length);
}

static char *
get_folder_name (const char *path)
{
    g_autofree char *folder = g_path_get_dirname (path);
    return get_name (folder);
}

static char *
get_base_title (const PvOrigin *origin)
{
    const PvFetchEndpoint *endpoint;
    g_autoptr (GUri) uri = NULL;

    /* The dumps in it know of the program no more than its number. */
    if (origin->folder != NULL && pv_recordings_is_in_folder (origin->folder))
        return get_name (origin->folder);
    if (origin->url == NULL) {
        g_autofree char *common = get_common_name (origin->paths);
        return *common != '\0' ? g_steal_pointer (&common) : get_folder_name (origin->paths[0]);
    }
    endpoint = pv_fetch_find_endpoint (origin->url);
    uri = g_uri_parse (origin->url, G_URI_FLAGS_HAS_PASSWORD, NULL);
    if (endpoint == NULL || uri == NULL || g_uri_get_host (uri) == NULL) {
        char *shown = pv_fetch_format_url (origin->url);
        /* Titles go to lists and pictures that others see, and a query may let in who has it. */
        shown[strcspn (shown, "?")] = '\0';
        return shown;
    }
    if (g_uri_get_port (uri) > 0)
        /* Translators: a server, the number of its port, and what was fetched: “Heap”. */
        return g_strdup_printf (_ ("%s:%d – %s"), g_uri_get_host (uri), g_uri_get_port (uri),
                                _ (endpoint->title));
    /* Translators: a server and what was fetched from it: “Heap”. */
    return g_strdup_printf (_ ("%s – %s"), g_uri_get_host (uri), _ (endpoint->title));
}

char *
pv_origin_make_title (const PvOrigin *origin, unsigned n_dumps)
{
    unsigned n_files = g_strv_length (origin->paths);
    g_autofree char *base = NULL;

    if (!origin->is_together && origin->url == NULL)
        return get_name (origin->paths[0]);
    base = get_base_title (origin);
    if (!origin->is_together)
        return g_steal_pointer (&base);
    if (origin->how == PV_TOGETHER_MERGED)
        /* Translators: what the names of files have in common, and how many are shown as one. */
        return g_strdup_printf (g_dngettext (NULL, "%s — %u file", "%s — %u files", n_files), base,
                                n_files);
    n_dumps = n_dumps > 0 ? n_dumps : n_files;
    /* Translators: the name of a process, and how many dumps of it are shown as one. */
    return g_strdup_printf (g_dngettext (NULL, "%s — %u dump", "%s — %u dumps", n_dumps), base,
                            n_dumps);
}

/* Folders ---------------------------------------------------------------------------------------
 */

void
pv_origin_refresh (PvOrigin *origin, PvJob *job)
{
    const char *const folders[] = {origin->folder, NULL};
    g_autoptr (GPtrArray) groups = NULL;

    if (origin->folder == NULL)
        return;
    groups = pv_load_group_files (folders, job);
    for (unsigned i = 0; i < groups->len; i++) {
        const PvFileGroup *group = groups->pdata[i];
        if (group->is_series &&
            g_strv_contains ((const char *const *)group->paths, origin->paths[0])) {
            g_strfreev (origin->paths);
            origin->paths = g_strdupv (group->paths);
            return;
        }
    }
}
