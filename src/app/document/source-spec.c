/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/document/source-spec.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fetch/fetch.h"
#include "record/plan/recordings.h"

/* Of more files, the first ones are enough to see what the names have in common. */
#define MAX_COMPARED 1000

static PvSourceSpec *
new_spec (const char *const *paths)
{
    PvSourceSpec *spec = g_new0 (PvSourceSpec, 1);
    static const char *const none[] = {NULL};

    spec->paths = g_strdupv ((char **)(paths != NULL ? paths : none));
    return spec;
}

PvSourceSpec *
pv_source_spec_new_for_path (const char *path)
{
    const char *const paths[] = {path, NULL};
    return new_spec (paths);
}

PvSourceSpec *
pv_source_spec_new_together (const char *const *paths, PvTogether how, const char *folder)
{
    PvSourceSpec *spec = new_spec (paths);

    spec->is_together = TRUE;
    spec->how = how;
    spec->folder = g_strdup (folder);
    return spec;
}

PvSourceSpec *
pv_source_spec_new_for_url (const char *url)
{
    PvSourceSpec *spec = new_spec (NULL);

    spec->url = g_strdup (url);
    return spec;
}

PvSourceSpec *
pv_source_spec_copy (const PvSourceSpec *spec)
{
    PvSourceSpec *copy = g_memdup2 (spec, sizeof *spec);

    copy->paths = g_strdupv (spec->paths);
    copy->folder = g_strdup (spec->folder);
    copy->url = g_strdup (spec->url);
    return copy;
}

void
pv_source_spec_free (PvSourceSpec *spec)
{
    if (spec == NULL)
        return;
    g_strfreev (spec->paths);
    g_free (spec->folder);
    g_free (spec->url);
    g_free (spec);
}

gboolean
pv_source_spec_equal (const PvSourceSpec *a, const PvSourceSpec *b)
{
    return a->is_together == b->is_together && (!a->is_together || a->how == b->how) &&
           g_strcmp0 (a->url, b->url) == 0 && g_strcmp0 (a->folder, b->folder) == 0 &&
           g_strv_equal ((const char *const *)a->paths, (const char *const *)b->paths);
}

void
pv_source_spec_add_path (PvSourceSpec *spec, const char *path)
{
    unsigned n = g_strv_length (spec->paths);

    spec->paths = g_renew (char *, spec->paths, n + 2);
    spec->paths[n] = g_strdup (path);
    spec->paths[n + 1] = NULL;
    spec->is_together = n > 0;
    spec->how = PV_TOGETHER_SERIES;
}

GFile *
pv_source_spec_get_file (const PvSourceSpec *spec)
{
    if (spec->folder != NULL)
        return g_file_new_for_path (spec->folder);
    if (spec->paths[0] != NULL)
        return g_file_new_for_path (spec->paths[0]);
    return g_file_new_for_uri (spec->url);
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
get_base_title (const PvSourceSpec *spec)
{
    const PvFetchEndpoint *endpoint;
    g_autoptr (GUri) uri = NULL;

    /* The dumps in it know of the program no more than its number. */
    if (spec->folder != NULL && pv_recordings_is_in_folder (spec->folder))
        return get_name (spec->folder);
    if (spec->url == NULL) {
        g_autofree char *common = get_common_name (spec->paths);
        return *common != '\0' ? g_steal_pointer (&common) : get_folder_name (spec->paths[0]);
    }
    endpoint = pv_fetch_find_endpoint (spec->url);
    uri = g_uri_parse (spec->url, G_URI_FLAGS_HAS_PASSWORD, NULL);
    if (endpoint == NULL || uri == NULL || g_uri_get_host (uri) == NULL) {
        char *shown = pv_fetch_format_url (spec->url);
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
pv_source_spec_make_title (const PvSourceSpec *spec, unsigned n_dumps)
{
    unsigned n_files = g_strv_length (spec->paths);
    g_autofree char *base = NULL;

    if (!spec->is_together && spec->url == NULL)
        return get_name (spec->paths[0]);
    base = get_base_title (spec);
    if (!spec->is_together)
        return g_steal_pointer (&base);
    if (spec->how == PV_TOGETHER_MERGED)
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
pv_source_spec_refresh (PvSourceSpec *spec, PvJob *job)
{
    const char *const folders[] = {spec->folder, NULL};
    g_autoptr (GPtrArray) groups = NULL;

    if (spec->folder == NULL)
        return;
    groups = pv_load_group_files (folders, job);
    for (unsigned i = 0; i < groups->len; i++) {
        const PvFileGroup *group = groups->pdata[i];
        if (group->is_series &&
            g_strv_contains ((const char *const *)group->paths, spec->paths[0])) {
            g_strfreev (spec->paths);
            spec->paths = g_strdupv (group->paths);
            return;
        }
    }
}
