/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/window/left-out-files.h"

#include <glib/gi18n.h>

#include "app/widgets/message-dialog.h"
#include "app/window/window-private.h"

enum { MAX_LINES = 15 };

struct PvLeftOutFiles {
    uint32_t n;
    gboolean is_cut;  /* folders have more than was looked at */
    char *first;      /* the same of the first one, as a sentence; or NULL */
    GPtrArray *lines; /* "notes.txt: This is text, …", of the first ones */
};

PvLeftOutFiles *
pv_left_out_files_new (void)
{
    PvLeftOutFiles *files = g_new0 (PvLeftOutFiles, 1);

    files->lines = g_ptr_array_new_with_free_func (g_free);
    return files;
}

void
pv_left_out_files_add (PvLeftOutFiles *files, const PvFolderContent *content)
{
    g_assert (files != NULL && content != NULL);
    files->n += content->n_left_out;
    files->is_cut |= content->is_cut;
    for (guint i = 0; i < content->left_out->len && files->lines->len < MAX_LINES; i++) {
        const PvLeftOut *left_out = content->left_out->pdata[i];
        g_autofree char *name = g_filename_display_basename (left_out->path);
        if (left_out->what == NULL)
            continue;
        /* Translators: a file, and what it is instead of a profile, a sentence */
        g_ptr_array_add (files->lines, g_strdup_printf (_ ("%s: %s"), name, left_out->what));
        if (files->first == NULL)
            /* Translators: a file, and what it is instead of a profile, a sentence */
            files->first = g_strdup_printf (_ ("“%s” was left out: %s"), name, left_out->what);
    }
}

void
pv_left_out_files_free (PvLeftOutFiles *files)
{
    if (files == NULL)
        return;
    g_ptr_array_unref (files->lines);
    g_free (files->first);
    g_free (files);
}

static char *
make_details (const PvLeftOutFiles *files)
{
    g_autoptr (GString) text = g_string_new (NULL);
    const uint32_t n_more = files->n - files->lines->len;

    for (guint i = 0; i < files->lines->len; i++)
        g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", (char *)files->lines->pdata[i]);
    if (n_more > 0) {
        g_autofree char *more =
            g_strdup_printf (g_dngettext (NULL, "%u more", "%u more", n_more), n_more);
        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", more);
    }
    if (files->is_cut)
        g_string_append_printf (text, "\n\n%s",
                                _ ("There is more in the folder, which was not looked at."));
    return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
show_details (AdwToast *toast, PvWindow *window)
{
    const char *details = g_object_get_data (G_OBJECT (toast), "details");
    AdwMessageDialog *dialog =
        pv_message_dialog_new (GTK_WINDOW (window), _ ("Skipped Files"), details);

    adw_message_dialog_add_responses (dialog, "close", C_ ("button", "_Close"), NULL);
    gtk_window_present (GTK_WINDOW (dialog));
}

void
pv_left_out_files_tell (const PvLeftOutFiles *files, PvWindow *window)
{
    g_assert (PV_IS_WINDOW (window));
    if (files == NULL || (files->n == 0 && !files->is_cut))
        return;
    const gboolean is_only = files->n == 1 && files->first != NULL && !files->is_cut;
    g_autofree char *number = g_strdup_printf (
        g_dngettext (NULL, "%u file was skipped", "%u files were skipped", files->n), files->n);
    const char *text = is_only        ? files->first
                       : files->n > 0 ? number
                                      : _ ("Only a part of the folder was looked at");
    g_autofree char *markup = g_markup_escape_text (text, -1);
    AdwToast *toast = adw_toast_new (markup);

    adw_toast_set_timeout (toast, 0);
    adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
    if (!is_only) {
        adw_toast_set_button_label (toast, C_ ("button", "Details"));
        g_object_set_data_full (G_OBJECT (toast), "details", make_details (files), g_free);
        g_signal_connect_object (toast, "button-clicked", G_CALLBACK (show_details), window, 0);
    }
    adw_toast_overlay_add_toast (window->toast_overlay, toast);
}
