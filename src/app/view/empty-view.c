/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/view/empty-view.h"

#include <glib/gi18n.h>

#include "app/widgets/focus.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "core/base/format.h"
#include "core/model/profile/event-names.h"

struct _PvEmptyView {
    PvView base;

    GtkLabel *title_label;
    GtkLabel *reason_label;
    GtkWidget *measure_button;
    GtkWidget *range_button;
    GtkWidget *filters_button;
    PvHelpButton *help_button;
    gboolean is_wanted;
};

G_DEFINE_FINAL_TYPE (PvEmptyView, pv_empty_view, PV_TYPE_VIEW)

/* "Show Time Blocked", as buttons are written. */
static char *
make_measure_label (const PvProfile *profile, PvMeasureId measure)
{
    static const char english[] = N_ ("Show %s");
    const char *name = profile->measures[measure].name;
    g_autofree char *title = g_strdup (pv_measure_get_title (profile, measure));
    /* Translators: the button that shows another measure */
    const char *form = _ (english);

    /* Other languages do not write each word of a button with a capital letter. */
    for (char *c = title; form == english && g_strcmp0 (title, name) != 0 && *c != '\0'; c++)
        if (c == title || c[-1] == ' ')
            *c = g_ascii_toupper (*c);
    return pv_fill_in (form, title);
}

static void
show_buttons (PvEmptyView *self, const PvEmptiness *emptiness, const PvProfile *profile)
{
    gboolean has_measure = emptiness != NULL && emptiness->measure != UINT32_MAX;

    if (has_measure) {
        g_autofree char *label = make_measure_label (profile, emptiness->measure);
        gtk_button_set_label (GTK_BUTTON (self->measure_button), label);
    }
    gtk_widget_set_visible (self->measure_button, has_measure);
    gtk_widget_set_visible (self->range_button,
                            emptiness != NULL && emptiness->has_range && !emptiness->needs_both);
    gtk_widget_set_visible (self->filters_button, emptiness != NULL && emptiness->has_filters);
}

/* What the user can change about it. */
static const char *
find_help (const PvProfile *profile, const PvQuery *query, const PvEmptiness *emptiness)
{
    if (emptiness != NULL && emptiness->is_of_file)
        return PV_HELP ("record-good");
    if (emptiness != NULL && emptiness->has_filters)
        return PV_HELP ("query#filters");
    if (emptiness != NULL && emptiness->has_range)
        return PV_HELP ("query#time");
    return pv_profile_has_weights (profile, query->measure)
               ? pv_measure_get_help (profile, query->measure)
               : PV_HELP ("query#measure");
}

/* ret_reason: NULL where there is none. */
static const char *
get_title (const PvDocumentData *data, const char **ret_reason)
{
    const PvEmptiness *emptiness = data->answer->emptiness;

    *ret_reason = NULL;
    if (emptiness == NULL)
        return data->answer->profile->heap != NULL ? _ ("No memory in this measure")
                                                   : _ ("No samples in this measure");
    /* Something else may still come. */
    if (data->is_preview)
        return _ ("Nothing in the part that was read");
    if (data->is_recording && emptiness->is_of_file)
        return _ ("Nothing to show yet");
    *ret_reason = emptiness->reason;
    return emptiness->title;
}

/* The widget that had the focus may be gone: the keyboard goes on in the page. */
static void
keep_focus (PvEmptyView *self)
{
    GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
    GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
    GtkWidget *page =
        gtk_widget_get_ancestor (gtk_widget_get_parent (GTK_WIDGET (self)), PV_TYPE_VIEW);

    if (focus != NULL && gtk_widget_get_mapped (focus))
        return;
    if (!gtk_widget_grab_focus (GTK_WIDGET (self)) && page != NULL)
        gtk_widget_grab_focus (page);
}

static void
update (PvEmptyView *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);
    const PvAnswer *answer = data->answer;
    const PvEmptiness *emptiness = answer->emptiness;
    gboolean is_empty = answer->tree != NULL && (emptiness != NULL || answer->tree->total[0] == 0);
    gboolean had_focus = pv_focus_is_within (GTK_WIDGET (self));
    const char *reason;

    if (is_empty) {
        gtk_label_set_text (self->title_label, get_title (data, &reason));
        gtk_label_set_text (self->reason_label, reason != NULL ? reason : "");
        gtk_widget_set_visible (GTK_WIDGET (self->reason_label), reason != NULL);
        show_buttons (self, emptiness, answer->profile);
        pv_help_button_set_page (self->help_button,
                                 find_help (answer->profile, answer->query, emptiness));
    }
    gtk_widget_set_visible (GTK_WIDGET (self), is_empty && self->is_wanted);
    if (had_focus)
        keep_focus (self);
}

void
pv_empty_view_take_focus (PvEmptyView *self)
{
    g_assert (PV_IS_EMPTY_VIEW (self));
    if (!gtk_widget_grab_focus (GTK_WIDGET (self)))
        gtk_root_set_focus (gtk_widget_get_root (GTK_WIDGET (self)), NULL);
}

void
pv_empty_view_set_wanted (PvEmptyView *self, gboolean is_wanted)
{
    g_assert (PV_IS_EMPTY_VIEW (self));
    self->is_wanted = is_wanted;
    if (self->base.document != NULL)
        update (self);
}

static void
pv_empty_view_changed (PvView *view, guint what)
{
    if (what & (PV_CHANGED_TREE | PV_CHANGED_PROGRESS | PV_CHANGED_RECORDING))
        update (PV_EMPTY_VIEW (view));
}

static void
show_measure (PvEmptyView *self)
{
    const PvEmptiness *emptiness = pv_document_get (self->base.document)->answer->emptiness;

    if (emptiness == NULL || emptiness->measure == UINT32_MAX)
        return;
    pv_document_set_measure (self->base.document, emptiness->measure);
}

static void
clear_range (PvEmptyView *self)
{
    pv_document_clear_time_range (self->base.document);
}

static void
clear_filters (PvEmptyView *self)
{
    pv_document_clear_filters (self->base.document);
}

/* FALSE: there is nothing to do. */
static gboolean
pv_empty_view_grab_focus (GtkWidget *widget)
{
    PvEmptyView *self = PV_EMPTY_VIEW (widget);
    GtkWidget *const buttons[] = {self->measure_button, self->range_button, self->filters_button};

    for (unsigned i = 0; i < G_N_ELEMENTS (buttons); i++)
        if (gtk_widget_get_mapped (buttons[i]))
            return gtk_widget_grab_focus (buttons[i]);
    return FALSE;
}

static void
pv_empty_view_class_init (PvEmptyViewClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->changed = pv_empty_view_changed;
    PV_VIEW_CLASS (class)->hears_while_unmapped = TRUE;
    widget_class->grab_focus = pv_empty_view_grab_focus;
    PV_SET_TEMPLATE (widget_class, "empty-view", PV_TYPE_HELP_BUTTON);
    PV_BIND_CHILDREN (widget_class, PvEmptyView, title_label, reason_label, measure_button,
                      range_button, filters_button, help_button);
}

static void
pv_empty_view_init (PvEmptyView *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->is_wanted = TRUE;
    pv_connect (self->measure_button, "clicked", show_measure, self);
    pv_connect (self->range_button, "clicked", clear_range, self);
    pv_connect (self->filters_button, "clicked", clear_filters, self);
}
