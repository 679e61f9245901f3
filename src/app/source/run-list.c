/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/source/run-list.h"

#include <glib/gi18n.h>

#include "app/work/work.h"
#include "core/base/error.h"

/* Takes what loaded holds. */
static PvReadRuns *
new_read_runs (PvLoadedRuns *loaded)
{
    PvReadRuns *read = g_atomic_rc_box_new0 (PvReadRuns);

    *read = *loaded;
    *loaded = (PvLoadedRuns){0};
    return read;
}

PvReadRuns *
pv_read_runs_ref (PvReadRuns *read)
{
    return g_atomic_rc_box_acquire (read);
}

static void
clear_read (gpointer read)
{
    pv_loaded_runs_clear (read);
}

void
pv_read_runs_unref (PvReadRuns *read)
{
    if (read != NULL)
        g_atomic_rc_box_release_full (read, clear_read);
}

PvRunList *
pv_run_list_new (const char *const *paths, const char *const *words, const char *const *side_words)
{
    PvRunList *list = g_new0 (PvRunList, 1);

    g_assert (paths != NULL && paths[0] != NULL);
    list->paths = g_strdupv ((char **)paths);
    list->words = g_strdupv ((char **)words);
    list->side_words = g_strdupv ((char **)side_words);
    return list;
}

PvRunList *
pv_run_list_copy (const PvRunList *list)
{
    PvRunList *copy;

    if (list == NULL)
        return NULL;
    copy = pv_run_list_new ((const char *const *)list->paths, (const char *const *)list->words,
                            (const char *const *)list->side_words);
    copy->scale = list->scale;
    copy->scale_function = g_strdup (list->scale_function);
    copy->read = list->read != NULL ? pv_read_runs_ref (list->read) : NULL;
    return copy;
}

void
pv_run_list_free (PvRunList *list)
{
    if (list == NULL)
        return;
    g_strfreev (list->paths);
    g_strfreev (list->words);
    g_strfreev (list->side_words);
    g_free (list->scale_function);
    pv_clear_later (&list->read, pv_read_runs_unref);
    g_free (list);
}

static gboolean
words_equal (char **a, char **b)
{
    if (a == NULL || b == NULL)
        return (a == NULL || a[0] == NULL) && (b == NULL || b[0] == NULL);
    return g_strv_equal ((const char *const *)a, (const char *const *)b);
}

gboolean
pv_run_list_equal (const PvRunList *a, const PvRunList *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return words_equal (a->paths, b->paths) && words_equal (a->words, b->words) &&
           a->scale == b->scale && g_strcmp0 (a->scale_function, b->scale_function) == 0;
}

bool
pv_run_list_read (PvRunList *list, const PvLoadOptions *options, PvJob *job, GError **error)
{
    PvRunsRequest request = {
        .paths = (const char *const *)list->paths,
        .query = (const char *const *)list->words,
        .scale = list->scale,
        .scale_function = list->scale_function,
        .load = options,
    };
    g_auto (PvLoadedRuns) loaded = {0};

    if (!pv_load_runs (&request, &loaded, job, error))
        return false;
    if (loaded.runs->n_runs < 2) {
        const char *why = loaded.left_out[0] != NULL ? loaded.left_out[0] : "";
        g_autofree char *text = g_strdup_printf (_ ("Only one file can be read. %s"), why);
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_FAILED, g_strchomp (text));
        return false;
    }
    pv_clear_later (&list->read, pv_read_runs_unref);
    list->read = new_read_runs (&loaded);
    return true;
}

char *
pv_run_list_make_title (const PvRunList *list)
{
    unsigned n = g_strv_length (list->paths);
    g_autofree char *first = g_filename_display_basename (list->paths[0]);

    if (list->read != NULL)
        /* Translators: the first and the last of several files. */
        return g_strdup_printf (_ ("%s … %s"), list->read->runs->runs[0].name,
                                list->read->runs->runs[list->read->runs->n_runs - 1].name);
    if (n > 1)
        return g_strdup_printf (g_dngettext (NULL, "%s and %u more", "%s and %u more", n - 1),
                                first, n - 1);
    return g_steal_pointer (&first);
}
