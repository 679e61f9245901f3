/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/range-popover.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/actions.h"
#include "app/widgets/setup.h"
#include "app/work/query-text.h"
#include "core/analyze/query/time-range.h"
#include "core/base/decimals.h"
#include "core/base/format.h"

struct _PvRangePopover {
    GtkPopover parent;

    PvDocument *document;
    PvTracksModel *model;
    PvTimeRowKind kind;
    GtkEditable *entry;
    GtkLabel *answer_label; /* the figures of the range, or the fault of the text */
    GtkBox *marks_box;
    GtkWidget *undo_button;    /* in it, or NULL */
    GtkButton *compare_button; /* the first mark with the second */
};

G_DEFINE_FINAL_TYPE (PvRangePopover, pv_range_popover, GTK_TYPE_POPOVER)

/* Facts */

uint64_t
pv_range_get_limit (const PvTimeIndex *index)
{
    return MAX (index->profile->duration_ns, index->end_ns);
}

/* Sum of the waits of all threads that have a row, shown or not. */
static uint64_t
sum_waits (const PvTracks *tracks, uint64_t start_ns, uint64_t end_ns)
{
    uint64_t sum = 0;

    for (uint32_t row = 0; row < tracks->index->n_rows; row++)
        sum += pv_wait_index_sum (tracks->waits, tracks->index->rows[row].thread, start_ns, end_ns);
    return sum;
}

static void
append_average (GString *text, const PvTimeIndex *index, uint64_t weight, uint64_t span_ns)
{
    g_autofree char *average = pv_format_decimals ((double)weight / (double)span_ns, 2);

    if (pv_profile_counts_waits (index->profile, index->measure))
        /* Translators: how many threads waited on average, such as 1.85 */
        pv_format_add_fact (text, g_strdup_printf (_ ("%s threads waiting on average"), average));
    else
        /* Translators: how many CPUs were in use on average, such as 1.85 */
        pv_format_add_fact (text, g_strdup_printf (_ ("%s CPUs in use"), average));
}

char *
pv_format_range_facts (const PvTracks *tracks, uint64_t start_ns, uint64_t end_ns)
{
    const PvTimeIndex *index = tracks->index;
    gboolean counts_waits = pv_profile_counts_waits (index->profile, index->measure);
    GString *text = g_string_new (NULL);
    uint64_t weight, n_samples;
    g_autofree char *duration = NULL;
    g_autofree char *count = NULL;

    end_ns = MIN (end_ns, pv_range_get_limit (index));
    start_ns = MIN (start_ns, end_ns);
    duration = pv_format_amount (end_ns - start_ns, PV_UNIT_NS);
    pv_time_index_sum (index, start_ns, end_ns, &weight, &n_samples);
    count = pv_format_count (n_samples);
    if (counts_waits)
        /* Translators: the length of a time range, and how many waits are in it, wholly or not. */
        g_string_append_printf (text, g_dngettext (NULL, "%s, %s wait", "%s, %s waits", n_samples),
                                duration, count);
    else
        /* Translators: the length of a time range, and how many samples it has. */
        g_string_append_printf (text,
                                g_dngettext (NULL, "%s, %s sample", "%s, %s samples", n_samples),
                                duration, count);
    if (index->profile->measures[index->measure].unit == PV_UNIT_NS && end_ns > start_ns)
        append_average (text, index, weight, end_ns - start_ns);
    if (tracks->waits != NULL && !counts_waits) {
        g_autofree char *waits =
            pv_format_amount (sum_waits (tracks, start_ns, end_ns), PV_UNIT_NS);
        /* Translators: how long all threads waited together */
        pv_format_add_fact (text, g_strdup_printf (_ ("%s waited"), waits));
    }
    return g_string_free (text, FALSE);
}

/* NULL: not yet known. */
static const PvTracks *
get_tracks (PvRangePopover *self)
{
    const PvTrackSet *set = pv_tracks_model_get_set (self->model, self->kind);

    return set != NULL ? set->tracks : NULL;
}

/* A typed range */

static void
show_answer (PvRangePopover *self, const char *text, gboolean is_error)
{
    gtk_label_set_text (self->answer_label, text);
    pv_set_css_class (GTK_WIDGET (self->answer_label), "error", is_error);
    pv_accessible_describe (GTK_WIDGET (self->entry), text);
    gtk_accessible_update_state (
        GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
        is_error ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static size_t
find_place (const char *text, glong offset)
{
    return (size_t)(g_utf8_offset_to_pointer (text, offset) - text);
}

/* Reads the typed range; FALSE: it is no range of this profile, and the fault says where. */
static gboolean
read_range (PvRangePopover *self, uint64_t *ret_start_ns, uint64_t *ret_end_ns,
            PvTimeRangeFault *ret_fault)
{
    const PvTracks *tracks = get_tracks (self);
    const char *typed = gtk_editable_get_text (self->entry);
    g_autofree char *text = pv_decimals_read (typed);

    if (!pv_time_range_parse (text, ret_start_ns, ret_end_ns, ret_fault)) {
        /* Where that is in what was typed, which has the same letters. */
        ret_fault->end = find_place (typed, g_utf8_pointer_to_offset (text, text + ret_fault->end));
        ret_fault->first =
            find_place (typed, g_utf8_pointer_to_offset (text, text + ret_fault->first));
        return FALSE;
    }
    if (tracks == NULL || *ret_start_ns < pv_range_get_limit (tracks->index))
        return TRUE;
    *ret_fault = (PvTimeRangeFault){0, strlen (typed), _ ("after the end of the recording")};
    return FALSE;
}

static gboolean
is_marked (PvRangePopover *self, uint64_t start_ns, uint64_t end_ns)
{
    guint n_marks;
    const PvRangeMark *marks = pv_tracks_model_get_marks (self->model, &n_marks);
    const PvTracks *tracks = get_tracks (self);

    if (tracks != NULL)
        end_ns = MIN (MAX (end_ns, start_ns + 1), pv_range_get_limit (tracks->index));
    for (guint i = 0; i < n_marks; i++)
        if (marks[i].start_ns == start_ns && marks[i].end_ns == end_ns)
            return TRUE;
    return FALSE;
}

static void
update_answer (PvRangePopover *self)
{
    const PvTracks *tracks = get_tracks (self);
    const char *text = gtk_editable_get_text (self->entry);
    PvTimeRangeFault fault;
    uint64_t start_ns, end_ns;
    gboolean is_good = read_range (self, &start_ns, &end_ns, &fault);
    g_autofree char *answer = NULL;

    gtk_widget_action_set_enabled (GTK_WIDGET (self), "ranges.set", is_good);
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "ranges.mark",
                                   is_good && !is_marked (self, start_ns, end_ns));
    if (is_good) {
        answer = tracks != NULL ? pv_format_range_facts (tracks, start_ns, end_ns) : g_strdup ("");
    } else if (fault.end > fault.first) {
        g_autofree char *part = g_strndup (text + fault.first, fault.end - fault.first);
        /* Translators: a part of what was typed, and its fault: “40x” is not a time … */
        answer = g_strdup_printf (_ ("“%s” is %s"), part, fault.message);
    }
    show_answer (self, answer != NULL ? answer : "", answer != NULL && !is_good);
}

/* On Return too. If it is wrong, that part is selected. */
static gboolean
set_range (PvRangePopover *self)
{
    const char *text = gtk_editable_get_text (self->entry);
    PvTimeRangeFault fault;
    uint64_t start_ns, end_ns;

    if (!read_range (self, &start_ns, &end_ns, &fault)) {
        gtk_editable_select_region (self->entry,
                                    (int)g_utf8_pointer_to_offset (text, text + fault.first),
                                    (int)g_utf8_pointer_to_offset (text, text + fault.end));
        return FALSE;
    }
    pv_document_remember (self->document);
    pv_document_set_time_range (self->document, start_ns, MAX (end_ns, start_ns + 1));
    return TRUE;
}

static void
on_set (PvRangePopover *self)
{
    if (set_range (self))
        gtk_popover_popdown (GTK_POPOVER (self));
}

/* Marks */

static void
on_mark (PvRangePopover *self)
{
    const PvTracks *tracks = get_tracks (self);
    PvTimeRangeFault fault;
    uint64_t start_ns, end_ns;

    if (read_range (self, &start_ns, &end_ns, &fault) && tracks != NULL)
        pv_tracks_model_mark (self->model, start_ns,
                              MIN (MAX (end_ns, start_ns + 1), pv_range_get_limit (tracks->index)));
}

static void
on_show_mark (PvRangePopover *self, const char *action, GVariant *parameter)
{
    const PvRangeMark *mark =
        pv_tracks_model_find_mark (self->model, (char)g_variant_get_byte (parameter));

    if (mark == NULL)
        return;
    pv_document_remember (self->document);
    pv_document_set_time_range (self->document, mark->start_ns, mark->end_ns);
    gtk_popover_popdown (GTK_POPOVER (self));
}

/* The button goes, and with it the focus: to the one that brings the mark back. */
static void
on_remove_mark (PvRangePopover *self, const char *action, GVariant *parameter)
{
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
    pv_tracks_model_remove_mark (self->model, (char)g_variant_get_byte (parameter));
    if (self->undo_button != NULL)
        gtk_widget_grab_focus (self->undo_button);
}

static void
on_restore_mark (PvRangePopover *self)
{
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
    pv_tracks_model_restore_mark (self->model);
}

static GtkWidget *
make_mark_row (PvRangePopover *self, const PvRangeMark *mark)
{
    const PvTracks *tracks = get_tracks (self);
    GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
    GtkWidget *button = gtk_button_new ();
    GtkWidget *remove = gtk_button_new_from_icon_name ("list-remove-symbolic");
    g_autofree char *range =
        pv_format_time_range (mark->start_ns, mark->end_ns,
                              tracks != NULL ? pv_range_get_limit (tracks->index) : mark->end_ns);
    g_autofree char *facts = tracks != NULL
                                 ? pv_format_range_facts (tracks, mark->start_ns, mark->end_ns)
                                 : g_strdup ("");
    g_autofree char *text = g_strdup_printf ("%c: %s", mark->letter, range);
    g_autofree char *name = g_strdup_printf ("%s, %s", text, facts);
    g_autofree char *title = g_strdup_printf (_ ("Remove Mark %c"), mark->letter);
    GtkWidget *label = gtk_label_new (text);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_button_set_child (GTK_BUTTON (button), label);
    gtk_widget_set_hexpand (button, TRUE);
    gtk_widget_set_tooltip_text (button, facts);
    pv_accessible_set_name (button, name);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "ranges.show");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "y", mark->letter);
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_set_tooltip_text (remove, title);
    pv_accessible_set_name (remove, title);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (remove), "ranges.remove");
    gtk_actionable_set_action_target (GTK_ACTIONABLE (remove), "y", mark->letter);
    gtk_widget_add_css_class (remove, "flat");
    gtk_box_append (GTK_BOX (row), button);
    gtk_box_append (GTK_BOX (row), remove);
    return row;
}

static GtkWidget *
make_undo_button (const PvRangeMark *removed)
{
    g_autofree char *text = g_strdup_printf (_ ("Restore Mark %c"), removed->letter);
    GtkWidget *button = gtk_button_new_with_label (text);

    gtk_label_set_xalign (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), 0);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "ranges.restore");
    gtk_widget_add_css_class (button, "flat");
    return button;
}

/* The target first: GTK warns of an action that lacks its target. */
static void
update_compare (PvRangePopover *self, const PvRangeMark *marks, guint n_marks)
{
    g_autofree char *label = NULL;

    gtk_widget_set_visible (GTK_WIDGET (self->compare_button), n_marks >= 2);
    if (n_marks < 2)
        return;
    /* Translators: two letters that stand for marked ranges of time; the first is the base. */
    label = g_strdup_printf (_ ("Compare %c With %c"), marks[0].letter, marks[1].letter);
    gtk_button_set_label (self->compare_button, label);
    gtk_actionable_set_action_target (GTK_ACTIONABLE (self->compare_button), "(tttt)",
                                      marks[0].start_ns, marks[0].end_ns, marks[1].start_ns,
                                      marks[1].end_ns);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (self->compare_button), "win.compare-ranges");
}

static void
on_compare (PvRangePopover *self)
{
    gtk_popover_popdown (GTK_POPOVER (self));
}

static void
fill_marks (PvRangePopover *self)
{
    const PvRangeMark *removed = pv_tracks_model_get_removed_mark (self->model);
    guint n_marks;
    const PvRangeMark *marks = pv_tracks_model_get_marks (self->model, &n_marks);

    pv_remove_children (GTK_WIDGET (self->marks_box));
    for (guint i = 0; i < n_marks; i++)
        gtk_box_append (self->marks_box, make_mark_row (self, &marks[i]));
    self->undo_button = removed != NULL ? make_undo_button (removed) : NULL;
    if (removed != NULL)
        gtk_box_append (self->marks_box, self->undo_button);
    update_compare (self, marks, n_marks);
}

static void
on_model_changed (PvRangePopover *self)
{
    if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
        return;
    fill_marks (self);
    update_answer (self);
}

/* Object */

void
pv_range_popover_set_kind (PvRangePopover *self, PvTimeRowKind kind)
{
    g_assert (PV_IS_RANGE_POPOVER (self));
    self->kind = kind;
}

void
pv_range_popover_set_document (PvRangePopover *self, PvDocument *document)
{
    g_assert (PV_IS_RANGE_POPOVER (self) && self->document == NULL);
    self->document = g_object_ref (document);
    self->model = pv_tracks_model_get (document);
    pv_connect (self->model, "changed", on_model_changed, self);
}

/* With the range that is selected. */
static void
pv_range_popover_map (GtkWidget *widget)
{
    PvRangePopover *self = PV_RANGE_POPOVER (widget);
    const PvQuery *query = &pv_document_get (self->document)->query;
    g_autofree char *text = pv_document_has_time_range (self->document)
                                ? pv_time_range_format (query->start_ns, query->end_ns)
                                : g_strdup ("");

    fill_marks (self);
    gtk_editable_set_text (self->entry, text);
    update_answer (self);
    GTK_WIDGET_CLASS (pv_range_popover_parent_class)->map (widget);
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

static void
pv_range_popover_dispose (GObject *object)
{
    PvRangePopover *self = PV_RANGE_POPOVER (object);

    g_clear_object (&self->document);
    g_clear_object (&self->model);
    G_OBJECT_CLASS (pv_range_popover_parent_class)->dispose (object);
}

static void
pv_range_popover_class_init (PvRangePopoverClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_range_popover_dispose;
    widget_class->map = pv_range_popover_map;
    PV_SET_TEMPLATE (widget_class, "range-popover");
    PV_BIND_CHILDREN (widget_class, PvRangePopover, entry, answer_label, marks_box, compare_button);
    pv_class_add_action (widget_class, "ranges.set", NULL, on_set);
    pv_class_add_action (widget_class, "ranges.mark", NULL, on_mark);
    pv_class_add_action (widget_class, "ranges.show", "y", on_show_mark);
    pv_class_add_action (widget_class, "ranges.remove", "y", on_remove_mark);
    pv_class_add_action (widget_class, "ranges.restore", NULL, on_restore_mark);
}

static void
pv_range_popover_init (PvRangePopover *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    pv_connect (self->compare_button, "clicked", on_compare, self);
    pv_connect (self->entry, "changed", update_answer, self);
    pv_connect (self->entry, "activate", on_set, self);
}
