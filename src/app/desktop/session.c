/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/desktop/session.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "app/widgets/setup.h"
#include "app/window/document-view.h"
#include "app/window/opening.h"
#include "app/work/settings.h"
#include "app/work/work.h"

#define KEY_WANTED "restore-session"
#define KEY_FILES  "session-files"

/* Key of the data of a window that waits for its turn to note. */
#define WAITS "pv-session-waits"

/* Noting */

static gboolean
is_wanted (void)
{
    return g_settings_get_boolean (pv_settings_get (), KEY_WANTED);
}

static PvDocument *
get_document (AdwTabPage *page)
{
    return pv_document_view_get_document (PV_DOCUMENT_VIEW (adw_tab_page_get_child (page)));
}

static void
add_uri (GStrvBuilder *uris, const char *path)
{
    g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

    if (uri != NULL)
        g_strv_builder_add (uris, uri);
}

static void
add_document (GStrvBuilder *uris, const PvDocumentData *data)
{
    const PvSourceSpec *spec = data->spec;

    if (spec->url != NULL || spec->runs != NULL || spec->run_list != NULL || data->is_recording ||
        data->is_discarded || data->state == PV_DOCUMENT_FAILED ||
        (spec->is_together && spec->how == PV_TOGETHER_MERGED))
        return;
    if (spec->folder != NULL)
        add_uri (uris, spec->folder);
    else
        for (char **path = spec->paths; *path != NULL; path++)
            add_uri (uris, *path);
}

static void
note_files (PvWindow *self)
{
    AdwTabView *tabs = pv_window_get_tabs (self);
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
    g_auto (GStrv) uris = NULL;

    for (int i = 0; is_wanted () && i < adw_tab_view_get_n_pages (tabs); i++)
        add_document (builder,
                      pv_document_get (get_document (adw_tab_view_get_nth_page (tabs, i))));
    uris = g_strv_builder_end (builder);
    g_settings_set_strv (pv_settings_get (), KEY_FILES, (const char *const *)uris);
}

static gboolean
note_now (gpointer user)
{
    PvWindow *self = user;

    g_object_set_data (G_OBJECT (self), WAITS, NULL);
    /* A window that has closed leaves what was open in it. */
    if (pv_window_get_tabs (self) != NULL)
        note_files (self);
    return G_SOURCE_REMOVE;
}

/* Many tabs may come and go at once. */
static void
note_soon (PvWindow *self)
{
    if (g_object_get_data (G_OBJECT (self), WAITS) != NULL || !is_wanted ())
        return;
    g_object_set_data (G_OBJECT (self), WAITS, self);
    g_idle_add_full (G_PRIORITY_LOW, note_now, g_object_ref (self), g_object_unref);
}

static void
on_changed (PvDocument *document, guint what, PvWindow *self)
{
    if (what & (PV_CHANGED_STATE | PV_CHANGED_TITLE))
        note_soon (self);
}

static void
on_attached (PvWindow *self, AdwTabPage *page, int position)
{
    g_signal_connect_object (get_document (page), "changed", G_CALLBACK (on_changed), self, 0);
    note_soon (self);
}

static void
on_wanted (PvWindow *self)
{
    if (pv_window_get_tabs (self) != NULL)
        note_files (self);
}

void
pv_session_watch (PvWindow *self)
{
    AdwTabView *tabs = pv_window_get_tabs (self);

    g_assert (tabs != NULL);
    pv_connect (tabs, "page-attached", on_attached, self);
    pv_connect (tabs, "page-detached", note_soon, self);
    pv_connect (tabs, "page-reordered", note_soon, self);
    pv_connect (pv_settings_get (), "changed::" KEY_WANTED, on_wanted, self);
}

/* Restoring */

typedef struct {
    PvWindow *window; /* weak */
    PvTask *task;
} Restoring;

typedef struct {
    GPtrArray *paths; /* NULL-terminated: those that are there */
    char *first_gone; /* its name; NULL: none is gone */
    guint n_gone;
} Found;

static void
found_free (gpointer data)
{
    Found *found = data;

    g_ptr_array_unref (found->paths);
    g_free (found->first_gone);
    g_free (found);
}

/* In a worker: a folder may be of another machine. */
static gpointer
look_for_files (gpointer uris, PvJob *job, GError **error)
{
    Found *found = g_new0 (Found, 1);

    found->paths = g_ptr_array_new_with_free_func (g_free);
    for (char **uri = uris; *uri != NULL; uri++) {
        g_autofree char *path = g_filename_from_uri (*uri, NULL, NULL);
        if (path != NULL && g_file_test (path, G_FILE_TEST_EXISTS)) {
            g_ptr_array_add (found->paths, g_steal_pointer (&path));
            continue;
        }
        if (found->first_gone == NULL)
            found->first_gone = g_filename_display_basename (path != NULL ? path : *uri);
        found->n_gone++;
    }
    g_ptr_array_add (found->paths, NULL);
    return found;
}

static void
tell_gone (PvWindow *window, const Found *found)
{
    g_autofree char *text = NULL;

    if (found->n_gone == 0)
        return;
    text =
        found->n_gone == 1
            ? g_strdup_printf (_ ("“%s” of the last session is gone"), found->first_gone)
            : g_strdup_printf (g_dngettext (NULL, "%u file of the last session is gone",
                                            "%u files of the last session are gone", found->n_gone),
                               found->n_gone);
    pv_window_show_toast (window, text);
}

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
    Restoring *restoring = owner;
    Found *found = result;
    PvWindow *window = restoring->window;

    if (found != NULL && window != NULL && pv_window_get_tabs (window) != NULL) {
        pv_open_files (window, (const char *const *)found->paths->pdata, PV_OPEN_TABS,
                       &(PvOpenOptions){.waits = TRUE});
        tell_gone (window, found);
        if (found->paths->pdata[0] == NULL)
            note_soon (window);
    }
    g_clear_pointer (&found, found_free);
    g_clear_weak_pointer (&restoring->window);
    pv_task_close (restoring->task);
    g_free (restoring);
}

void
pv_session_restore (PvWindow *window)
{
    g_auto (GStrv) uris = g_settings_get_strv (pv_settings_get (), KEY_FILES);
    Restoring *restoring;

    g_assert (PV_IS_WINDOW (window));
    if (!is_wanted () || uris[0] == NULL)
        return;
    restoring = g_new0 (Restoring, 1);
    g_set_weak_pointer (&restoring->window, window);
    restoring->task =
        pv_task_new (restoring, look_for_files, (GDestroyNotify)g_strfreev, found_free, on_found);
    pv_task_start (restoring->task, g_steal_pointer (&uris));
}
