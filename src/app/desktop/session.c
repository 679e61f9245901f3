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

/* An entry is a tab: the URI of its file or folder, or those of a series with spaces between them,
 * as a URI has none. */
#define KEY_FILES   "session-files"
#define KEY_MISSING "session-missing"

/* Keys of the data of a window: it waits for its turn to note; entries of the last session that are
 * not open, as nobody has looked for their files yet, or they were not found. */
#define WAITS   "pv-session-waits"
#define MISSING "pv-session-missing"

/* So many entries are kept whose files are not found: their drive may be back later. */
#define MAX_MISSING 50

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
add_uri (GString *entry, const char *path)
{
    g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

    if (uri == NULL)
        return;
    if (entry->len > 0)
        g_string_append_c (entry, ' ');
    g_string_append (entry, uri);
}

static gboolean
is_to_come_back (const PvDocumentData *data)
{
    const PvSourceSpec *spec = data->spec;

    return spec->runs == NULL && spec->run_list == NULL && !data->is_recording &&
           !data->is_discarded && data->state != PV_DOCUMENT_FAILED &&
           !(spec->is_together && spec->how == PV_TOGETHER_MERGED) &&
           !pv_source_spec_is_fetched (spec);
}

static void
add_document (GStrvBuilder *entries, const PvDocumentData *data)
{
    const PvSourceSpec *spec = data->spec;
    g_autoptr (GString) entry = g_string_new (NULL);

    if (!is_to_come_back (data))
        return;
    if (spec->folder != NULL)
        add_uri (entry, spec->folder);
    else
        for (char **path = spec->paths; *path != NULL; path++)
            add_uri (entry, *path);
    if (entry->len > 0)
        g_strv_builder_add (entries, entry->str);
}

static void
note_files (PvWindow *self)
{
    AdwTabView *tabs = pv_window_get_tabs (self);
    const char *const *missing = g_object_get_data (G_OBJECT (self), MISSING);
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
    g_auto (GStrv) entries = NULL;

    for (int i = 0; is_wanted () && i < adw_tab_view_get_n_pages (tabs); i++)
        add_document (builder,
                      pv_document_get (get_document (adw_tab_view_get_nth_page (tabs, i))));
    entries = g_strv_builder_end (builder);
    g_settings_set_strv (pv_settings_get (), KEY_FILES, (const char *const *)entries);
    g_settings_set_strv (pv_settings_get (), KEY_MISSING, is_wanted () ? missing : NULL);
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
    if (!is_wanted ())
        g_object_set_data (G_OBJECT (self), MISSING, NULL);
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

/* Entries of the settings. */
typedef struct {
    char **files;
    char **missing; /* the user was told of these in an earlier session */
} Noted;

typedef struct {
    GPtrArray *specs;   /* PvSourceSpec, of the files that are there */
    GPtrArray *missing; /* entries without a file that is there; NULL-terminated */
    char *first_gone;   /* the name of the first file to tell of; NULL: there is none */
    guint n_gone;
} Found;

static void
noted_free (gpointer data)
{
    Noted *noted = data;

    g_strfreev (noted->files);
    g_strfreev (noted->missing);
    g_free (noted);
}

static void
found_free (gpointer data)
{
    Found *found = data;

    g_ptr_array_unref (found->specs);
    g_ptr_array_unref (found->missing);
    g_free (found->first_gone);
    g_free (found);
}

static void
add_gone (Found *found, const char *path)
{
    if (found->first_gone == NULL)
        found->first_gone = g_filename_display_basename (path);
    found->n_gone++;
}

static void
add_tab (GPtrArray *specs, const char *const *paths, PvJob *job)
{
    if (paths[1] != NULL)
        g_ptr_array_add (specs, pv_source_spec_new_together (paths, PV_TOGETHER_SERIES, NULL));
    else if (g_file_test (paths[0], G_FILE_TEST_IS_DIR))
        g_ptr_array_extend_and_steal (specs, pv_open_list_folder (paths[0], job));
    else
        g_ptr_array_add (specs, pv_source_spec_new_for_path (paths[0]));
}

static void
look_for_tab (Found *found, const char *entry, gboolean is_told, PvJob *job)
{
    g_auto (GStrv) uris = g_strsplit (entry, " ", -1);
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

    for (char **uri = uris; *uri != NULL; uri++) {
        g_autofree char *path = g_filename_from_uri (*uri, NULL, NULL);
        if (path != NULL && g_file_test (path, G_FILE_TEST_EXISTS))
            g_ptr_array_add (paths, g_steal_pointer (&path));
        else if (!is_told)
            add_gone (found, path != NULL ? path : *uri);
    }
    g_ptr_array_add (paths, NULL);
    if (paths->pdata[0] != NULL)
        add_tab (found->specs, (const char *const *)paths->pdata, job);
    else if (found->missing->len < MAX_MISSING)
        g_ptr_array_add (found->missing, g_strdup (entry));
}

/* In a worker: a folder may be of another machine. */
static gpointer
look_for_files (gpointer input, PvJob *job, GError **error)
{
    const Noted *noted = input;
    Found *found = g_new0 (Found, 1);

    found->specs = g_ptr_array_new_with_free_func ((GDestroyNotify)pv_source_spec_free);
    found->missing = g_ptr_array_new_with_free_func (g_free);
    for (char **entry = noted->files; *entry != NULL; entry++)
        look_for_tab (found, *entry, FALSE, job);
    for (char **entry = noted->missing; *entry != NULL; entry++)
        look_for_tab (found, *entry, TRUE, job);
    g_ptr_array_add (found->missing, NULL);
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

/* Takes entries. */
static void
set_missing (PvWindow *window, char **entries)
{
    g_object_set_data_full (G_OBJECT (window), MISSING, entries, (GDestroyNotify)g_strfreev);
}

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
    Restoring *restoring = owner;
    Found *found = result;
    PvWindow *window = restoring->window;

    if (found != NULL && window != NULL && pv_window_get_tabs (window) != NULL) {
        set_missing (window, g_strdupv ((char **)found->missing->pdata));
        pv_open_specs (window, found->specs, &(PvOpenOptions){.waits = TRUE});
        tell_gone (window, found);
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
    g_auto (GStrv) files = g_settings_get_strv (pv_settings_get (), KEY_FILES);
    g_auto (GStrv) missing = g_settings_get_strv (pv_settings_get (), KEY_MISSING);
    g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
    Restoring *restoring;
    Noted *noted;

    g_assert (PV_IS_WINDOW (window));
    if (!is_wanted () || (files[0] == NULL && missing[0] == NULL))
        return;
    g_strv_builder_addv (all, (const char **)files);
    g_strv_builder_addv (all, (const char **)missing);
    set_missing (window, g_strv_builder_end (all));
    noted = g_new0 (Noted, 1);
    noted->files = g_steal_pointer (&files);
    noted->missing = g_steal_pointer (&missing);
    restoring = g_new0 (Restoring, 1);
    g_set_weak_pointer (&restoring->window, window);
    restoring->task = pv_task_new (restoring, look_for_files, noted_free, found_free, on_found);
    pv_task_start (restoring->task, noted);
}
