/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/comparing/compare-dialog.h"

#include <glib/gi18n.h>

#include "app/document/comparing.h"
#include "app/recording/recent.h"
#include "app/tracks/tracks-model.h"
#include "app/widgets/file-dialog.h"
#include "app/widgets/fresh-rows.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/work/query-text.h"
#include "app/work/work.h"
#include "core/analyze/compare/comparison.h"
#include "fetch/fetch-url.h"
#include "record/plan/recordings.h"

enum { MAX_RECENT = 8, MAX_RUNS = 3, MAX_RANGES = 6 };

struct _PvCompareDialog {
    AdwWindow parent;

    PvDocument *document;
    gboolean joins; /* else it compares */
    PvCompareChosen chosen;
    AdwWindowTitle *window_title;
    AdwPreferencesGroup *tabs_group;
    AdwPreferencesGroup *runs_group;
    AdwPreferencesGroup *ranges_group;
    AdwPreferencesGroup *recent_group;
    AdwActionRow *file_row;
    AdwEntryRow *url_row;
    PvTask *runs_task;
    GtkWidget *first_row; /* NULL: only the fixed rows, for other files and URLs */
};

G_DEFINE_FINAL_TYPE (PvCompareDialog, pv_compare_dialog, ADW_TYPE_WINDOW)

/* Choosing */

static void
choose (PvCompareDialog *self, const PvSourceSpec *comparison)
{
    GtkWindow *window = gtk_window_get_transient_for (GTK_WINDOW (self));

    if (window != NULL)
        self->chosen (window, comparison);
    gtk_window_close (GTK_WINDOW (self));
}

/* Chooses an open document or, if other is NULL, files: the new side of a comparison, unless they
 * were recorded earlier, or the second of joined files. The dialog's document is the other one. */
static void
choose_with (PvCompareDialog *self, PvDocument *other, const PvSourceSpec *files)
{
    g_autoptr (PvSourceSpec) spec =
        self->joins ? pv_source_spec_new_joined () : pv_source_spec_new_comparison (NULL);

    if (!pv_document_can_compare (self->document) ||
        (other != NULL && !pv_document_can_compare (other)))
        return;
    pv_document_add_to_comparison (self->document, spec, PV_SIDE_BASE, NULL, 0, 0);
    if (other != NULL)
        pv_document_add_to_comparison (other, spec, PV_SIDE_NEW, NULL, 0, 0);
    else
        pv_source_spec_add_files (spec, PV_SIDE_NEW, files, NULL);
    spec->orders_sides = !self->joins;
    choose (self, spec);
}

static void
choose_files (PvCompareDialog *self, const PvSourceSpec *files)
{
    choose_with (self, NULL, files);
}

/* Rows */

static GtkWidget *
add_row (PvCompareDialog *self, AdwPreferencesGroup *group, const char *title, const char *subtitle)
{
    GtkWidget *row = pv_plain_row_new (title, subtitle);

    adw_preferences_group_add (group, row);
    gtk_widget_set_visible (GTK_WIDGET (group), TRUE);
    if (self->first_row == NULL)
        self->first_row = row;
    return row;
}

static char *
format_folder (const PvSourceSpec *spec)
{
    return spec->url == NULL && spec->paths[0] != NULL ? pv_recent_format_folder (spec->paths[0])
                                                       : NULL;
}

/* Open documents */

static void
on_tab (AdwActionRow *row, PvCompareDialog *self)
{
    choose_with (self, g_object_get_data (G_OBJECT (row), "document"), NULL);
}

/* FALSE: they have no measure in common, such as a heap and CPU time. */
static gboolean
can_choose (PvCompareDialog *self, PvDocument *other)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvDocumentData *other_data = pv_document_get (other);
    PvCompareRun run, base;

    if (other == self->document || !pv_document_can_compare (other))
        return FALSE;
    if (self->joins)
        return TRUE;
    run = (PvCompareRun){data->answer->profile, data->answer->symbols, &data->query, data->title};
    base = (PvCompareRun){other_data->answer->profile, other_data->answer->symbols,
                          &other_data->query, other_data->title};
    return pv_comparison_can_build (&base, &run);
}

static void
add_tabs (PvCompareDialog *self, GPtrArray *others)
{
    for (unsigned i = 0; i < others->len; i++) {
        PvDocument *other = others->pdata[i];
        const PvDocumentData *data = pv_document_get (other);
        g_autofree char *folder = format_folder (data->spec);
        GtkWidget *row;
        if (!can_choose (self, other))
            continue;
        row = add_row (self, self->tabs_group, data->title, folder);
        g_object_set_data_full (G_OBJECT (row), "document", g_object_ref (other), g_object_unref);
        g_signal_connect (row, "activated", G_CALLBACK (on_tab), self);
    }
}

/* Files */

static void
on_files (AdwActionRow *row, PvCompareDialog *self)
{
    choose_files (self, g_object_get_data (G_OBJECT (row), "files"));
}

/* Takes ownership of files. */
static void
add_files (PvCompareDialog *self, AdwPreferencesGroup *group, const char *title,
           const char *subtitle, PvSourceSpec *files)
{
    GtkWidget *row = add_row (self, group, title, subtitle);

    g_object_set_data_full (G_OBJECT (row), "files", files, (GDestroyNotify)pv_source_spec_free);
    g_signal_connect (row, "activated", G_CALLBACK (on_files), self);
}

static PvSourceSpec *
make_recent_spec (GtkRecentInfo *info, const char *path)
{
    PvTogether how = PV_TOGETHER_SERIES;
    g_auto (GStrv) together = pv_recent_get_files (info, &how);

    return together != NULL ? pv_source_spec_new_together ((const char *const *)together, how, NULL)
                            : pv_source_spec_new_for_path (path);
}

/* True if the path is of the document itself, or of one that is listed already. */
static gboolean
is_open (GPtrArray *others, const char *path)
{
    for (unsigned i = 0; i < others->len; i++) {
        const PvSourceSpec *spec = pv_document_get (others->pdata[i])->spec;
        if (!spec->is_together && g_strcmp0 (spec->paths[0], path) == 0)
            return TRUE;
    }
    return FALSE;
}

/* TRUE if what is known of the file without reading it says that it has no measure of the
 * document's: it is of a heap, and the document of CPU time, or the other way round. */
static gboolean
is_of_another_kind (PvCompareDialog *self, GtkRecentInfo *info)
{
    const PvProfile *profile = pv_document_get (self->document)->answer->profile;
    const char *other = profile->heap != NULL                          ? "application/x-perf-data"
                        : pv_profile_has_format (profile, "perf.data") ? "application/x-heaptrack"
                                                                       : NULL;

    return !self->joins && g_strcmp0 (gtk_recent_info_get_mime_type (info), other) == 0;
}

static void
add_recent (PvCompareDialog *self, GPtrArray *others)
{
    GList *items = pv_recent_list (MAX_RECENT);

    for (GList *item = items; item != NULL; item = item->next) {
        GtkRecentInfo *info = item->data;
        g_autofree char *path = g_filename_from_uri (gtk_recent_info_get_uri (info), NULL, NULL);
        g_autofree char *folder = path != NULL ? pv_recent_format_folder (path) : NULL;
        if (folder == NULL || is_open (others, path) || is_of_another_kind (self, info))
            continue;
        add_files (self, self->recent_group, gtk_recent_info_get_display_name (info), folder,
                   make_recent_spec (info, path));
    }
    g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
}

static void
on_file_chosen (gpointer owner, GtkFileChooser *dialog, GFile *file)
{
    g_autoptr (PvSourceSpec) files = pv_source_spec_new_for_file (file);

    if (files != NULL)
        choose_files (owner, files);
}

static void
ask_for_file (PvCompareDialog *self)
{
    GtkFileChooser *dialog = pv_file_dialog_new (
        self, self->joins ? _ ("Combine With a Profile") : _ ("Compare With a Profile"),
        GTK_FILE_CHOOSER_ACTION_OPEN,
        self->joins ? C_ ("button", "C_ombine") : C_ ("button", "_Compare"));
    const PvDocumentData *data = pv_document_get (self->document);
    g_autoptr (GFile) folder = data->spec->url == NULL ? g_file_get_parent (data->file) : NULL;

    if (folder != NULL)
        gtk_file_chooser_set_current_folder (dialog, folder, NULL);
    pv_file_dialog_show (dialog, on_file_chosen, NULL, NULL);
}

static void
on_url (PvCompareDialog *self)
{
    const char *text = gtk_editable_get_text (GTK_EDITABLE (self->url_row));
    g_autofree char *stripped = g_strstrip (g_strdup (text));
    g_autofree char *url = pv_fetch_is_url (stripped) || pv_fetch_is_address (stripped)
                               ? pv_fetch_make_url (stripped, NULL, 0, NULL)
                               : NULL;
    g_autoptr (PvSourceSpec) spec = url != NULL ? pv_source_spec_new_for_url (url) : NULL;

    if (spec != NULL)
        choose_files (self, spec);
    else
        gtk_widget_add_css_class (GTK_WIDGET (self->url_row), "error");
}

static void
on_url_changed (PvCompareDialog *self)
{
    gtk_widget_remove_css_class (GTK_WIDGET (self->url_row), "error");
}

/* Earlier recordings of the same program */

/* "server" of "server 2026-11-21 17.05.12"; g_free () it. */
static char *
cut_moment (const char *name)
{
    g_autoptr (GRegex) moment = g_regex_new (
        " [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}\\.[0-9]{2}\\.[0-9]{2}.*$", G_REGEX_RAW, 0, NULL);

    return g_regex_replace_literal (moment, name, -1, 0, "", 0, NULL);
}

static gpointer
list_runs (gpointer path, PvJob *job, GError **error)
{
    g_autoptr (GPtrArray) files = pv_recordings_list ();
    g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_free);
    g_autofree char *base = g_path_get_basename (path);
    g_autofree char *own = cut_moment (base);

    for (unsigned i = 0; i < files->len && runs->len < MAX_RUNS; i++) {
        const PvRecordedFile *file = files->pdata[i];
        g_autofree char *file_base = g_path_get_basename (file->path);
        g_autofree char *name = cut_moment (file_base);
        if (!file->is_folder && g_str_equal (name, own) && !g_str_equal (file->path, path) &&
            file->size_bytes > 0)
            g_ptr_array_add (runs, g_strdup (file->path));
    }
    return g_steal_pointer (&runs);
}

static void
on_runs (gpointer owner, gpointer result, const GError *error)
{
    PvCompareDialog *self = owner;
    g_autoptr (GPtrArray) runs = result;

    for (unsigned i = 0; runs != NULL && i < runs->len; i++) {
        const char *path = runs->pdata[i];
        g_autofree char *title = g_filename_display_basename (path);
        add_files (self, self->runs_group, title, NULL, pv_source_spec_new_for_path (path));
    }
}

static void
look_for_runs (PvCompareDialog *self)
{
    const char *path = pv_document_get (self->document)->spec->paths[0];

    if (path != NULL && pv_recordings_is_in_folder (path))
        pv_task_start (self->runs_task, g_strdup (path));
}

/* Marked ranges */

static void
on_ranges (AdwActionRow *row, PvCompareDialog *self)
{
    const uint64_t *times = g_object_get_data (G_OBJECT (row), "times");
    g_autoptr (PvSourceSpec) comparison = NULL;

    if (!pv_document_can_compare (self->document))
        return;
    comparison =
        pv_document_compare_ranges (self->document, times[0], times[1], times[2], times[3]);
    choose (self, comparison);
}

static void
add_pair (PvCompareDialog *self, const PvRangeMark *base, const PvRangeMark *newer)
{
    const uint64_t times[] = {base->start_ns, base->end_ns, newer->start_ns, newer->end_ns};
    uint64_t duration_ns = pv_document_get (self->document)->answer->profile->duration_ns;
    g_autofree char *title = g_strdup_printf (_ ("%c With %c"), base->letter, newer->letter);
    g_autofree char *base_range = pv_format_time_range (base->start_ns, base->end_ns, duration_ns);
    g_autofree char *new_range = pv_format_time_range (newer->start_ns, newer->end_ns, duration_ns);
    g_autofree char *subtitle = g_strdup_printf (_ ("%s → %s"), base_range, new_range);
    GtkWidget *row = add_row (self, self->ranges_group, title, subtitle);

    g_object_set_data_full (G_OBJECT (row), "times", g_memdup2 (times, sizeof times), g_free);
    g_signal_connect (row, "activated", G_CALLBACK (on_ranges), self);
}

static void
add_ranges (PvCompareDialog *self)
{
    g_autoptr (PvTracksModel) model = pv_tracks_model_get (self->document);
    guint n_marks, n_pairs = 0;
    const PvRangeMark *marks = pv_tracks_model_get_marks (model, &n_marks);

    for (guint i = 0; i < n_marks; i++)
        for (guint j = i + 1; j < n_marks && n_pairs < MAX_RANGES; j++, n_pairs++)
            add_pair (self, &marks[i], &marks[j]);
}

/* Object */

static void
pv_compare_dialog_dispose (GObject *object)
{
    PvCompareDialog *self = PV_COMPARE_DIALOG (object);

    g_clear_pointer (&self->runs_task, pv_task_close);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_compare_dialog_parent_class)->dispose (object);
}

static void
pv_compare_dialog_class_init (PvCompareDialogClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_compare_dialog_dispose;
    PV_SET_TEMPLATE (widget_class, "compare-dialog");
    PV_BIND_CHILDREN (widget_class, PvCompareDialog, window_title, tabs_group, runs_group,
                      ranges_group, recent_group, file_row, url_row);
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
pv_compare_dialog_init (PvCompareDialog *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_help_add_key (GTK_WIDGET (self), PV_HELP ("compare"));
    self->runs_task =
        pv_task_new (self, list_runs, g_free, (GDestroyNotify)g_ptr_array_unref, on_runs);
    pv_connect (self->file_row, "activated", ask_for_file, self);
    pv_connect (self->url_row, "apply", on_url, self);
    pv_connect (self->url_row, "changed", on_url_changed, self);
}

void
pv_compare_dialog_show (GtkWindow *window, PvDocument *document, GPtrArray *others, gboolean joins,
                        PvCompareChosen chosen)
{
    PvCompareDialog *self;
    g_autofree char *title = NULL;

    g_assert (GTK_IS_WINDOW (window) && pv_document_can_compare (document) && chosen != NULL);
    self = g_object_new (PV_TYPE_COMPARE_DIALOG, "transient-for", window, NULL);
    self->document = g_object_ref (document);
    self->joins = joins;
    self->chosen = chosen;
    title = g_strdup_printf (joins ? _ ("Combine “%s” With") : _ ("Compare “%s” With"),
                             pv_document_get (document)->title);
    adw_window_title_set_title (self->window_title, title);
    if (joins)
        adw_window_title_set_subtitle (self->window_title,
                                       _ ("The profile you choose adds columns and colors"));
    add_tabs (self, others);
    if (!joins)
        add_ranges (self);
    add_recent (self, others);
    look_for_runs (self);
    gtk_window_set_title (GTK_WINDOW (self), title);
    gtk_window_present (GTK_WINDOW (self));
    gtk_widget_grab_focus (self->first_row != NULL ? self->first_row : GTK_WIDGET (self->file_row));
}
