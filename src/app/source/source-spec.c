/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/source-spec.h"

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

    g_assert (path != NULL);
    return new_spec (paths);
}

PvSourceSpec *
pv_source_spec_new_for_file (GFile *file)
{
    const char *path = g_file_peek_path (file);
    PvSourceSpec *spec;

    if (path != NULL)
        return pv_source_spec_new_for_path (path);
    spec = new_spec (NULL);
    spec->uri = g_file_get_uri (file);
    return spec;
}

PvSourceSpec *
pv_source_spec_new_together (const char *const *paths, PvTogether how, const char *folder)
{
    PvSourceSpec *spec;

    g_assert (paths[0] != NULL);
    spec = new_spec (paths);
    spec->is_together = TRUE;
    spec->how = how;
    spec->folder = g_strdup (folder);
    return spec;
}

PvSourceSpec *
pv_source_spec_new_for_url (const char *url)
{
    PvSourceSpec *spec = new_spec (NULL);

    g_assert (url != NULL);
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
    copy->uri = g_strdup (spec->uri);
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
    g_free (spec->uri);
    g_free (spec);
}

gboolean
pv_source_spec_equal (const PvSourceSpec *a, const PvSourceSpec *b)
{
    return a->is_together == b->is_together && (!a->is_together || a->how == b->how) &&
           g_strcmp0 (a->url, b->url) == 0 && g_strcmp0 (a->uri, b->uri) == 0 &&
           g_strcmp0 (a->folder, b->folder) == 0 &&
           g_strv_equal ((const char *const *)a->paths, (const char *const *)b->paths);
}

void
pv_source_spec_add_path (PvSourceSpec *spec, const char *path)
{
    unsigned n = g_strv_length (spec->paths);

    g_assert (path != NULL);
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
    return g_file_new_for_uri (spec->uri != NULL ? spec->uri : spec->url);
}
