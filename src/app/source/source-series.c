/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/source-series.h"

#include <string.h>

#include "app/source/source-file.h"
#include "record/plan/recordings.h"

/* The first files are enough to see what all names have in common. */
#define MAX_COMPARED 1000

/* Reading */

/* The folder may have other files by now. */
static void
refresh (PvSourceSpec *spec, PvJob *job)
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

bool
pv_series_source_read (PvSourceSpec *spec, const PvLoadOptions *options, const PvLoadEvents *events,
                       PvJob *job, GError **error)
{
    if (!spec->is_together)
        return pv_file_source_read (spec, options, events, job, error);
    refresh (spec, job);
    return pv_load_together ((const char *const *)spec->paths, spec->how, options, events, job,
                             error);
}

/* Titles */

static char *
get_name (const char *path)
{
    g_autofree char *name = g_path_get_basename (path);
    return g_filename_display_name (name);
}

/* The common beginning of all names, without a number that differs and without the character that
 * joins it to the rest; may be empty. */
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
    /* Do not cut a letter in two. */
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

/* Dumps of a recording carry only the number of the program; the folder has its name. */
static char *
get_base (const PvSourceSpec *spec)
{
    g_autofree char *common = NULL;

    if (spec->folder != NULL && pv_recordings_is_in_folder (spec->folder))
        return get_name (spec->folder);
    common = get_common_name (spec->paths);
    return *common != '\0' ? g_steal_pointer (&common) : get_folder_name (spec->paths[0]);
}

char *
pv_series_source_format_title (const PvSourceSpec *spec, const char *base, unsigned n_dumps)
{
    unsigned n_files = g_strv_length (spec->paths);
    g_autofree char *own_base = NULL;

    g_assert (spec->is_together);
    if (base == NULL)
        base = own_base = get_base (spec);
    if (spec->how == PV_TOGETHER_MERGED)
        /* Translators: what the names of files have in common, and how many are shown as one. */
        return g_strdup_printf (g_dngettext (NULL, "%s — %u file", "%s — %u files", n_files), base,
                                n_files);
    n_dumps = n_dumps > 0 ? n_dumps : n_files;
    /* Translators: the name of a process, and how many dumps of it are shown as one. */
    return g_strdup_printf (g_dngettext (NULL, "%s — %u dump", "%s — %u dumps", n_dumps), base,
                            n_dumps);
}

static char *
make_title (const PvSource *source, const PvProfile *profile)
{
    return pv_series_source_format_title (source->spec, NULL,
                                          profile != NULL ? profile->n_dumps : 0);
}

PvSource *
pv_series_source_new (const PvSourceSpec *spec)
{
    static const PvSourceClass class = {
        .size_bytes = sizeof (PvSource),
        .start = pv_source_load,
        .read = pv_series_source_read,
        .make_title = make_title,
    };

    g_assert (spec->is_together && spec->url == NULL);
    return pv_source_new (&class, pv_source_spec_copy (spec));
}
