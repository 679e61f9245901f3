/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tables/table-text.h"

#include <adwaita.h>
#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "app/widgets/file-dialog.h"
#include "app/widgets/message-dialog.h"
#include "app/work/work.h"
#include "core/base/decimals.h"
#include "core/write/escape.h"

enum {
    PART_BYTES = 1 << 16,
    SHOW_PROGRESS_MS = 500,
    UPDATE_MS = 100,
    MANY_ROWS = 1000, /* the clipboard gets them without another copy */
};

typedef struct {
    guint number;
    char *title;
    gboolean is_share;
} TextColumn;

struct PvTableText {
    PvTextSource source;
    GArray *columns; /* TextColumn */
    uint32_t n_keys;
    uint32_t *keys;
    GtkBitset *selected;      /* positions in keys; or NULL */
    gboolean has_local_point; /* fractions are written as the locale does */
};

static void
clear_column (gpointer data)
{
    g_free (((TextColumn *)data)->title);
}

PvTableText *
pv_table_text_new (const PvTextSource *source, const uint32_t *keys, uint32_t n,
                   GtkBitset *selected)
{
    PvTableText *text = g_new0 (PvTableText, 1);

    g_assert (source != NULL && source->make_cell != NULL && (keys != NULL || n == 0));
    text->source = *source;
    text->columns = g_array_new (FALSE, FALSE, sizeof (TextColumn));
    g_array_set_clear_func (text->columns, clear_column);
    text->n_keys = n;
    text->keys = g_memdup2 (keys, n * sizeof (uint32_t));
    text->selected = selected != NULL ? gtk_bitset_copy (selected) : NULL;
    return text;
}

void
pv_table_text_free (PvTableText *text)
{
    if (text->source.free_data != NULL)
        text->source.free_data (text->source.data);
    g_array_unref (text->columns);
    g_free (text->keys);
    g_clear_pointer (&text->selected, gtk_bitset_unref);
    g_free (text);
}

void
pv_table_text_add_column (PvTableText *text, guint number, const char *title, gboolean is_share)
{
    TextColumn column = {number, g_strdup (title), is_share};

    g_assert (text != NULL && title != NULL);
    g_array_append_val (text->columns, column);
}

void
pv_table_text_use_local_point (PvTableText *text)
{
    g_assert (text != NULL);
    text->has_local_point = TRUE;
}

static uint32_t
count_rows (const PvTableText *text)
{
    return text->selected != NULL ? (uint32_t)gtk_bitset_get_size (text->selected) : text->n_keys;
}

/* Lines */

static void
append_cell (GString *line, PvTextFormat format, guint place, const char *cell)
{
    if (place > 0)
        g_string_append_c (line, format == PV_TEXT_TSV ? '\t' : ',');
    if (cell != NULL && format == PV_TEXT_TSV && pv_cell_is_formula (cell))
        g_string_append_c (line, '\'');
    if (cell != NULL && format == PV_TEXT_TSV)
        pv_tsv_append_cell (line, cell);
    else if (cell != NULL)
        pv_csv_append_cell (line, cell);
}

static void
append_titles (const PvTableText *text, PvTextFormat format, GString *lines)
{
    for (guint i = 0; i < text->columns->len; i++)
        append_cell (lines, format, i, g_array_index (text->columns, TextColumn, i).title);
    g_string_append_c (lines, '\n');
}

/* True for "12.5", as shares and values of formulas are. */
static gboolean
is_fraction (const char *cell)
{
    const char *digits = cell + (*cell == '-');
    const size_t n = strspn (digits, "0123456789");

    return n > 0 && digits[n] == '.' && digits[n + 1] != '\0' &&
           strspn (digits + n + 1, "0123456789") == strlen (digits + n + 1);
}

static void
append_row (const PvTableText *text, PvTextFormat format, uint32_t key, GString *lines)
{
    for (guint i = 0; i < text->columns->len; i++) {
        const TextColumn *column = &g_array_index (text->columns, TextColumn, i);
        g_autofree char *cell =
            text->source.make_cell (text->source.data, column->number, column->is_share, key);
        if (text->has_local_point && cell != NULL && is_fraction (cell)) {
            g_autofree char *local = pv_decimals_localize (cell);
            append_cell (lines, format, i, local);
        } else {
            append_cell (lines, format, i, cell);
        }
    }
    g_string_append_c (lines, '\n');
}

gboolean
pv_table_text_write (const PvTableText *text, PvTextFormat format,
                     gboolean (*hand_on) (gpointer user, const GString *part, uint32_t n_rows_done),
                     gpointer user)
{
    g_autoptr (GString) lines = g_string_sized_new (PART_BYTES + 4096);
    GtkBitsetIter iter;
    guint position = 0;
    uint32_t n_done = 0;
    gboolean has_row = text->selected != NULL
                           ? gtk_bitset_iter_init_first (&iter, text->selected, &position)
                           : text->n_keys > 0;

    append_titles (text, format, lines);
    while (has_row && position < text->n_keys) {
        append_row (text, format, text->keys[position], lines);
        n_done++;
        if (lines->len >= PART_BYTES) {
            if (!hand_on (user, lines, n_done))
                return FALSE;
            g_string_truncate (lines, 0);
        }
        has_row = text->selected != NULL ? gtk_bitset_iter_next (&iter, &position)
                                         : ++position < text->n_keys;
    }
    return hand_on (user, lines, n_done);
}

/* Work that outlives the page it was started from */

/* State that worker and main loop share. */
typedef struct {
    gint n_done; /* atomic */
    gint is_cancelled;
} Shared;

typedef struct {
    PvTableText *text;
    PvTextFormat format;
    char *path; /* NULL: for the clipboard */
    Shared *shared;
} WriteInput;

typedef struct {
    GBytes *bytes; /* for the clipboard */
} Written;

/* Lives until the worker is done, even if the tab or window is closed. */
typedef struct {
    GtkWidget *widget; /* weak */
    PvTask *task;
    Shared *shared;
    char *path; /* or NULL */
    uint32_t n_rows;
    guint progress_source;
    GtkWindow *dialog; /* weak */
    GtkProgressBar *bar;
} Writing;

static void
write_input_free (gpointer data)
{
    WriteInput *input = data;
    pv_table_text_free (input->text);
    g_atomic_rc_box_release (input->shared);
    g_free (input->path);
    g_free (input);
}

static void
written_free (gpointer data)
{
    Written *written = data;
    g_clear_pointer (&written->bytes, g_bytes_unref);
    g_free (written);
}

typedef struct {
    Shared *shared;
    GByteArray *bytes; /* or NULL */
    FILE *file;        /* or NULL */
} Sink;

static gboolean
take_part (gpointer user, const GString *part, uint32_t n_rows_done)
{
    Sink *sink = user;

    g_atomic_int_set (&sink->shared->n_done, (gint)n_rows_done);
    if (g_atomic_int_get (&sink->shared->is_cancelled))
        return FALSE;
    if (sink->bytes != NULL && sink->bytes->len > G_MAXUINT / 2)
        return FALSE;
    if (sink->bytes != NULL)
        g_byte_array_append (sink->bytes, (const guint8 *)part->str, (guint)part->len);
    return sink->file == NULL || fwrite (part->str, 1, part->len, sink->file) == part->len;
}

static gboolean
fail (const char *part, GError **error)
{
    int code = errno;

    g_unlink (part);
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
    return FALSE;
}

/* Writes a complete file or leaves the old one. */
static gboolean
write_file (const WriteInput *input, GError **error)
{
    g_autofree char *part = g_strconcat (input->path, ".part", NULL);
    Sink sink = {.shared = input->shared, .file = g_fopen (part, "we")};
    gboolean is_done;

    if (sink.file == NULL)
        return fail (part, error);
    is_done = pv_table_text_write (input->text, input->format, take_part, &sink);
    if (fclose (sink.file) != 0 || !is_done || g_rename (part, input->path) != 0)
        return fail (part, error);
    return TRUE;
}

static gpointer
run_write (gpointer data, PvJob *job, GError **error)
{
    WriteInput *input = data;
    Written *written;
    Sink sink = {.shared = input->shared};

    (void)job;
    if (input->path != NULL)
        return write_file (input, error) ? g_new0 (Written, 1) : NULL;
    sink.bytes = g_byte_array_new ();
    if (!pv_table_text_write (input->text, input->format, take_part, &sink)) {
        g_byte_array_unref (sink.bytes);
        return NULL;
    }
    written = g_new0 (Written, 1);
    written->bytes = g_byte_array_free_to_bytes (sink.bytes);
    return written;
}

/* Progress */

static gboolean
update_progress (gpointer user)
{
    Writing *writing = user;

    if (writing->dialog != NULL)
        gtk_progress_bar_set_fraction (writing->bar, g_atomic_int_get (&writing->shared->n_done) /
                                                         MAX (1.0, writing->n_rows));
    return G_SOURCE_CONTINUE;
}

static void
on_cancel (GtkWindow *dialog, const char *response, Shared *shared)
{
    (void)dialog, (void)response;
    g_atomic_int_set (&shared->is_cancelled, TRUE);
}

static void
release_shared (gpointer data, GClosure *closure)
{
    (void)closure;
    g_atomic_rc_box_release (data);
}

static gboolean
show_progress (gpointer user)
{
    Writing *writing = user;
    GtkRoot *root = writing->widget != NULL ? gtk_widget_get_root (writing->widget) : NULL;
    AdwMessageDialog *dialog;

    writing->progress_source = 0;
    if (!GTK_IS_WINDOW (root))
        return G_SOURCE_REMOVE;
    dialog = pv_message_dialog_new (
        GTK_WINDOW (root),
        writing->path != NULL ? C_ ("progress", "Saving…") : C_ ("progress", "Copying…"), NULL);
    writing->bar = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
    adw_message_dialog_set_extra_child (dialog, GTK_WIDGET (writing->bar));
    adw_message_dialog_add_response (dialog, "cancel", C_ ("button", "_Cancel"));
    g_signal_connect_data (dialog, "response", G_CALLBACK (on_cancel),
                           g_atomic_rc_box_acquire (writing->shared), release_shared, 0);
    g_set_weak_pointer (&writing->dialog, GTK_WINDOW (dialog));
    gtk_window_present (GTK_WINDOW (dialog));
    writing->progress_source = g_timeout_add (UPDATE_MS, update_progress, writing);
    return G_SOURCE_REMOVE;
}

/* The end */

static void
set_clipboard (Writing *writing, GBytes *bytes)
{
    GdkClipboard *clipboard = gtk_widget_get_clipboard (writing->widget);
    g_autoptr (GdkContentProvider) provider = NULL;

    if (writing->n_rows < MANY_ROWS) {
        gsize size;
        const char *data = g_bytes_get_data (bytes, &size);
        g_autofree char *text = g_strndup (data, size);
        gdk_clipboard_set_text (clipboard, text);
        return;
    }
    provider = gdk_content_provider_new_for_bytes ("text/plain;charset=utf-8", bytes);
    gdk_clipboard_set_content (clipboard, provider);
}

static char *
describe (const Writing *writing, gboolean is_done, const GError *error)
{
    g_autofree char *name =
        writing->path != NULL ? g_filename_display_basename (writing->path) : NULL;

    if (g_atomic_int_get (&writing->shared->is_cancelled))
        return NULL;
    if (name == NULL && !is_done)
        return g_strdup (_ ("The rows were not copied: there are too many"));
    if (name == NULL)
        return g_strdup_printf (
            g_dngettext (NULL, "%u row was copied", "%u rows were copied", writing->n_rows),
            writing->n_rows);
    return is_done ? g_strdup_printf (_ ("The table was saved as “%s”"), name)
                   : g_strdup_printf (_ ("The table was not saved: %s"),
                                      error != NULL ? error->message : "");
}

static void
on_written (gpointer owner, gpointer result, const GError *error)
{
    Writing *writing = owner;
    Written *written = result;
    g_autofree char *text = describe (writing, written != NULL, error);

    g_clear_handle_id (&writing->progress_source, g_source_remove);
    if (writing->dialog != NULL)
        gtk_window_destroy (writing->dialog);
    g_clear_weak_pointer (&writing->dialog);
    if (writing->widget != NULL && written != NULL && written->bytes != NULL)
        set_clipboard (writing, written->bytes);
    if (writing->widget != NULL && written != NULL && writing->path != NULL)
        gtk_widget_activate_action (writing->widget, "win.tell-saved", "(s^ay)", text,
                                    writing->path);
    else if (writing->widget != NULL && text != NULL)
        gtk_widget_activate_action (writing->widget, "win.toast", "s", text);
    pv_free_later (written, written_free);
    g_clear_weak_pointer (&writing->widget);
    pv_task_close (writing->task);
    g_atomic_rc_box_release (writing->shared);
    g_free (writing->path);
    g_free (writing);
    g_application_release (g_application_get_default ());
}

/* Takes text and path. */
static void
start (PvTableText *text, GtkWidget *widget, PvTextFormat format, char *path)
{
    WriteInput *input = g_new0 (WriteInput, 1);
    Writing *writing = g_new0 (Writing, 1);

    writing->shared = g_atomic_rc_box_new0 (Shared);
    writing->n_rows = count_rows (text);
    writing->path = g_strdup (path);
    g_set_weak_pointer (&writing->widget, widget);
    *input = (WriteInput){text, format, path, g_atomic_rc_box_acquire (writing->shared)};
    g_application_hold (g_application_get_default ());
    writing->task = pv_task_new (writing, run_write, write_input_free, written_free, on_written);
    writing->progress_source = g_timeout_add (SHOW_PROGRESS_MS, show_progress, writing);
    pv_task_start (writing->task, input);
}

void
pv_table_text_copy (PvTableText *text, GtkWidget *widget)
{
    g_assert (text != NULL && GTK_IS_WIDGET (widget));
    pv_table_text_use_local_point (text);
    start (text, widget, PV_TEXT_TSV, NULL);
}

/* The file */

static void
free_text (gpointer text)
{
    pv_free_later (text, (GDestroyNotify)pv_table_text_free);
}

static void
on_chosen (gpointer widget, GtkFileChooser *dialog, GFile *file)
{
    char *path = g_file_get_path (file);

    if (path != NULL)
        start (g_object_steal_data (G_OBJECT (dialog), "data"), widget,
               g_str_has_suffix (path, ".csv") ? PV_TEXT_CSV : PV_TEXT_TSV, path);
}

void
pv_table_text_save (PvTableText *text, GtkWidget *widget, const char *name)
{
    g_assert (text != NULL && GTK_IS_WIDGET (widget) && name != NULL);
    GtkFileChooser *dialog = pv_file_dialog_new (
        widget, _ ("Save Table"), GTK_FILE_CHOOSER_ACTION_SAVE, C_ ("button", "_Save"));
    g_autofree char *proposed = g_strconcat (name, ".tsv", NULL);

    pv_file_dialog_add_kind (dialog, _ ("Tab-separated values (.tsv)"), "tsv");
    pv_file_dialog_add_kind (dialog, _ ("Comma-separated values (.csv)"), "csv");
    pv_file_dialog_propose (dialog, proposed);
    pv_file_dialog_show (dialog, on_chosen, text, free_text);
}
