/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/code-find.h"

#include <glib/gi18n.h>

#include "app/widgets/setup.h"

struct _PvCodeFind {
    GtkWidget parent;

    GtkSearchBar *bar;
    GtkSearchEntry *entry;
    GtkButton *previous_button;
    GtkButton *next_button;
    GtkLabel *count_label;
    GtkSourceView *view;             /* NULL: not yet set */
    GtkSourceSearchContext *context; /* of the view's buffer */
    GCancellable *cancellable;       /* of the last search; NULL: none yet */
    gboolean is_backward;            /* direction of that search */
};

G_DEFINE_FINAL_TYPE (PvCodeFind, pv_code_find, GTK_TYPE_WIDGET)

static GtkTextBuffer *
get_buffer (PvCodeFind *self)
{
    return gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
}

static void
show_count (PvCodeFind *self)
{
    GtkTextIter start, end;
    const int n = gtk_source_search_context_get_occurrences_count (self->context);
    g_autofree char *text = NULL;

    if (*gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0' && n >= 0) {
        gtk_text_buffer_get_selection_bounds (get_buffer (self), &start, &end);
        const int at =
            gtk_source_search_context_get_occurrence_position (self->context, &start, &end);
        /* Translators: the number of the match that is selected, and of all matches */
        text = at > 0 ? g_strdup_printf (_ ("%d of %d"), at, n)
                      : g_strdup_printf (ngettext ("%d match", "%d matches", (gulong)n), n);
    }
    gtk_label_set_text (self->count_label, text != NULL ? text : "");
    gtk_widget_set_sensitive (GTK_WIDGET (self->next_button), n > 0);
    gtk_widget_set_sensitive (GTK_WIDGET (self->previous_button), n > 0);
}

static void
go_to_match (PvCodeFind *self, gboolean found, const GtkTextIter *start, const GtkTextIter *end)
{
    if (found) {
        gtk_text_buffer_select_range (get_buffer (self), start, end);
        gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->view),
                                      gtk_text_buffer_get_insert (get_buffer (self)), 0.1, FALSE, 0,
                                      0);
    }
    show_count (self);
}

/* Ignores a search that a later one has cancelled. */
static void
on_found (GObject *source, GAsyncResult *result, gpointer user)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (PvCodeFind) self = user; /* the search's reference */
    GtkSourceSearchContext *context = GTK_SOURCE_SEARCH_CONTEXT (source);
    GtkTextIter start, end;
    const gboolean found = self->is_backward
                               ? gtk_source_search_context_backward_finish (context, result, &start,
                                                                            &end, NULL, &error)
                               : gtk_source_search_context_forward_finish (context, result, &start,
                                                                           &end, NULL, &error);

    if (error == NULL && self->view != NULL)
        go_to_match (self, found, &start, &end);
}

static void
search (PvCodeFind *self, gboolean is_backward, gboolean from_end)
{
    GtkTextIter start, end;

    g_cancellable_cancel (self->cancellable);
    g_clear_object (&self->cancellable);
    self->cancellable = g_cancellable_new ();
    self->is_backward = is_backward;
    gtk_text_buffer_get_selection_bounds (get_buffer (self), &start, &end);
    if (is_backward)
        gtk_source_search_context_backward_async (self->context, &start, self->cancellable,
                                                  on_found, g_object_ref (self));
    else
        gtk_source_search_context_forward_async (self->context, from_end ? &end : &start,
                                                 self->cancellable, on_found, g_object_ref (self));
}

static void
on_next (PvCodeFind *self)
{
    search (self, FALSE, TRUE);
}

static void
on_previous (PvCodeFind *self)
{
    search (self, TRUE, FALSE);
}

static void
on_text (PvCodeFind *self)
{
    gtk_source_search_settings_set_search_text (
        gtk_source_search_context_get_settings (self->context),
        gtk_editable_get_text (GTK_EDITABLE (self->entry)));
    search (self, FALSE, FALSE);
}

static void
on_mode (PvCodeFind *self)
{
    const gboolean is_on = gtk_search_bar_get_search_mode (self->bar);

    if (self->view == NULL)
        return;
    gtk_source_search_context_set_highlight (self->context, is_on);
    if (!is_on)
        gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

void
pv_code_find_start (PvCodeFind *self)
{
    GtkTextIter start, end;

    g_assert (PV_IS_CODE_FIND (self) && self->view != NULL);
    if (gtk_text_buffer_get_selection_bounds (get_buffer (self), &start, &end) &&
        gtk_text_iter_get_line (&start) == gtk_text_iter_get_line (&end)) {
        g_autofree char *text = gtk_text_buffer_get_text (get_buffer (self), &start, &end, FALSE);
        gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
    }
    gtk_search_bar_set_search_mode (self->bar, TRUE);
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
    gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

void
pv_code_find_set_view (PvCodeFind *self, GtkSourceView *view)
{
    g_autoptr (GtkSourceSearchSettings) settings = gtk_source_search_settings_new ();

    g_assert (PV_IS_CODE_FIND (self) && GTK_SOURCE_IS_VIEW (view) && self->view == NULL);
    self->view = g_object_ref (view);
    gtk_source_search_settings_set_wrap_around (settings, TRUE);
    self->context = gtk_source_search_context_new (GTK_SOURCE_BUFFER (get_buffer (self)), settings);
    gtk_source_search_context_set_highlight (self->context, FALSE);
    pv_connect (self->context, "notify::occurrences-count", show_count, self);
}

static void
pv_code_find_dispose (GObject *object)
{
    PvCodeFind *self = PV_CODE_FIND (object);

    g_cancellable_cancel (self->cancellable);
    g_clear_object (&self->cancellable);
    g_clear_object (&self->context);
    g_clear_object (&self->view);
    pv_remove_children (GTK_WIDGET (self));
    G_OBJECT_CLASS (pv_code_find_parent_class)->dispose (object);
}

static void
pv_code_find_class_init (PvCodeFindClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_code_find_dispose;
    PV_SET_TEMPLATE (widget_class, "code-find");
    PV_BIND_CHILDREN (widget_class, PvCodeFind, bar, entry, previous_button, next_button,
                      count_label);
}

static void
pv_code_find_init (PvCodeFind *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    gtk_search_bar_connect_entry (self->bar, GTK_EDITABLE (self->entry));
    pv_connect (self->entry, "search-changed", on_text, self);
    pv_connect (self->entry, "activate", on_next, self);
    pv_connect (self->entry, "next-match", on_next, self);
    pv_connect (self->entry, "previous-match", on_previous, self);
    pv_connect (self->next_button, "clicked", on_next, self);
    pv_connect (self->previous_button, "clicked", on_previous, self);
    pv_connect (self->bar, "notify::search-mode-enabled", on_mode, self);
}
