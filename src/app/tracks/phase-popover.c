/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/phase-popover.h"

#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/setup.h"
#include "app/work/query-text.h"
#include "app/work/work.h"
#include "core/analyze/time/phases.h"
#include "core/analyze/time/time-index.h"
#include "core/base/format.h"

struct _PvPhasePopover {
    GtkPopover parent;

    PvDocument *document;
    PvTask *task;
    PvCallTree *tree; /* of the document when it was asked; or NULL */
    PvPhases *phases; /* of the rows; or NULL */
    GtkStack *stack;
    GtkLabel *answer_label;
    GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (PvPhasePopover, pv_phase_popover, GTK_TYPE_POPOVER)

/* The work */

/* A reference to a tree, whose query may have a time range. */
static gpointer
find_phases (gpointer data, PvJob *job, GError **error)
{
    const PvCallTree *shown = data;
    g_autoptr (PvCallTree) tree = NULL;
    g_auto (PvQuery) query;

    pv_query_copy (&query, &shown->query);
    query.is_inverted = false;
    query.grouping = PV_GROUP_NONE;
    query.start_ns = 0;
    query.end_ns = UINT64_MAX;
    tree = pv_call_tree_build_stacks (shown->profile, shown->symbols, &query, NULL, job, error);
    return tree != NULL ? pv_phases_find (tree, job) : NULL;
}

/* Rows */

static char *
name_phase (const PvPhases *phases, const PvPhase *phase)
{
    const PvFunction *functions = phases->tree->symbols->functions;

    if (phase->n_samples == 0)
        return g_strdup (C_ ("phase", "Idle"));
    if (phase->function == 0)
        return g_strdup (C_ ("phase", "Unknown"));
    return g_strdup (functions[phase->typical != 0 ? phase->typical : phase->function].short_name);
}

/* "mix 98 %, 1.45 s": the hottest function, and the amount of the phase. */
static char *
describe_phase (const PvPhases *phases, const PvPhase *phase)
{
    const PvCallTree *tree = phases->tree;
    const PvMeasure *measure = &tree->profile->measures[tree->query.measure];
    g_autofree char *amount = pv_format_amount (phase->weight, measure->unit);
    g_autofree char *share = pv_format_percent (phase->self_share, 1);

    if (phase->n_samples == 0)
        return g_strdup (_ ("no samples"));
    if (phase->function == 0)
        return g_steal_pointer (&amount);
    /* Translators: a function, its share of the phase, and the amount of all the phase. */
    return g_strdup_printf (_ ("%s %s of %s"), tree->symbols->functions[phase->function].short_name,
                            share, amount);
}

static GtkWidget *
make_label (const char *text, gboolean is_dim)
{
    GtkWidget *label = gtk_label_new (text);

    gtk_label_set_xalign (GTK_LABEL (label), 0);
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
    if (is_dim)
        gtk_widget_add_css_class (label, "dim-label");
    return label;
}

static GtkWidget *
make_row (const PvPhases *phases, const PvPhase *phase)
{
    g_autofree char *range = pv_format_time_range (phase->start_ns, phase->end_ns, phase->end_ns);
    g_autofree char *name = name_phase (phases, phase);
    g_autofree char *facts = describe_phase (phases, phase);
    g_autofree char *title = g_strdup_printf ("%s  %s", range, name);
    g_autofree char *spoken = g_strdup_printf ("%s, %s, %s", name, range, facts);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *row = gtk_list_box_row_new ();

    gtk_box_append (GTK_BOX (box), make_label (title, FALSE));
    gtk_box_append (GTK_BOX (box), make_label (facts, TRUE));
    gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
    pv_accessible_set_name (row, spoken);
    return row;
}

static gboolean
is_selected (PvPhasePopover *self, const PvPhase *phase)
{
    const PvQuery *query = &pv_document_get (self->document)->query;

    return query->start_ns == phase->start_ns && query->end_ns == phase->end_ns;
}

/* The row of the range that is selected, else the first, gets the focus. */
static void
focus_row (PvPhasePopover *self)
{
    uint32_t n_phases = self->phases != NULL ? self->phases->n_phases : 0;
    uint32_t at = 0;

    for (uint32_t i = 0; i < n_phases; i++)
        if (is_selected (self, &self->phases->phases[i]))
            at = i;
    if (n_phases == 0)
        return;
    gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, (int)at));
    gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, (int)at)));
}

static void
clear_rows (PvPhasePopover *self)
{
    GtkListBoxRow *row;

    while ((row = gtk_list_box_get_row_at_index (self->list, 0)) != NULL)
        gtk_list_box_remove (self->list, GTK_WIDGET (row));
    pv_clear_later (&self->phases, pv_phases_free);
}

static void
tell (PvPhasePopover *self, const char *text)
{
    gtk_label_set_text (self->answer_label, text);
    gtk_stack_set_visible_child_name (self->stack, "answer");
}

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
    PvPhasePopover *self = owner;

    clear_rows (self);
    self->phases = result;
    if (self->phases == NULL || self->phases->n_phases == 0) {
        tell (self, error != NULL ? error->message : _ ("No samples in this measure"));
        return;
    }
    for (uint32_t i = 0; i < self->phases->n_phases; i++)
        gtk_list_box_append (self->list, make_row (self->phases, &self->phases->phases[i]));
    gtk_stack_set_visible_child_name (self->stack, "phases");
    if (gtk_widget_get_mapped (GTK_WIDGET (self)))
        focus_row (self);
}

/* True if both trees have the same phases. */
static gboolean
are_alike (const PvCallTree *a, const PvCallTree *b)
{
    PvQuery left = a->query, right = b->query;

    left.start_ns = right.start_ns = 0;
    left.end_ns = right.end_ns = UINT64_MAX;
    return a->profile == b->profile && a->symbols == b->symbols && pv_query_equal (&left, &right);
}

static void
forget (PvPhasePopover *self)
{
    pv_task_cancel (self->task);
    pv_clear_later (&self->tree, pv_call_tree_free);
    clear_rows (self);
}

static void
request (PvPhasePopover *self)
{
    PvCallTree *tree = pv_document_get (self->document)->answer->tree;

    if (tree == NULL || !pv_time_index_can_build (tree->profile, tree->query.measure)) {
        forget (self);
        tell (self, _ ("Samples of this measure have no times"));
        return;
    }
    if (self->tree != NULL && are_alike (self->tree, tree)) {
        focus_row (self);
        return;
    }
    pv_clear_later (&self->tree, pv_call_tree_free);
    self->tree = pv_call_tree_ref (tree);
    tell (self, _ ("Looking for phases…"));
    pv_task_start (self->task, pv_call_tree_ref (tree));
}

static void
on_row_activated (PvPhasePopover *self, GtkListBoxRow *row)
{
    const PvPhase *phase = &self->phases->phases[gtk_list_box_row_get_index (row)];

    pv_document_remember (self->document);
    pv_document_set_time_range (self->document, phase->start_ns, phase->end_ns);
    gtk_popover_popdown (GTK_POPOVER (self));
}

/* Phases of an old profile keep that in memory. */
static void
on_document_changed (PvPhasePopover *self)
{
    if (self->tree != NULL && !gtk_widget_get_mapped (GTK_WIDGET (self)) &&
        self->tree->profile != pv_document_get (self->document)->answer->profile)
        forget (self);
}

/* Object */

void
pv_phase_popover_set_document (PvPhasePopover *self, PvDocument *document)
{
    g_assert (PV_IS_PHASE_POPOVER (self) && self->document == NULL);
    self->document = g_object_ref (document);
    pv_connect (document, "changed", on_document_changed, self);
}

static void
pv_phase_popover_map (GtkWidget *widget)
{
    GTK_WIDGET_CLASS (pv_phase_popover_parent_class)->map (widget);
    request (PV_PHASE_POPOVER (widget));
}

static void
pv_phase_popover_dispose (GObject *object)
{
    PvPhasePopover *self = PV_PHASE_POPOVER (object);

    g_clear_pointer (&self->task, pv_task_close);
    pv_clear_later (&self->tree, pv_call_tree_free);
    pv_clear_later (&self->phases, pv_phases_free);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_phase_popover_parent_class)->dispose (object);
}

static void
pv_phase_popover_class_init (PvPhasePopoverClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->dispose = pv_phase_popover_dispose;
    widget_class->map = pv_phase_popover_map;
    PV_SET_TEMPLATE (widget_class, "phase-popover");
    PV_BIND_CHILDREN (widget_class, PvPhasePopover, stack, answer_label, list);
}

static void
pv_phase_popover_init (PvPhasePopover *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->task = pv_task_new (self, find_phases, (GDestroyNotify)pv_call_tree_free,
                              (GDestroyNotify)pv_phases_free, on_found);
    pv_connect (self->list, "row-activated", on_row_activated, self);
}
