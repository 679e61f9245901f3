/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/comparing/run-line.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/widgets/accessible.h"
#include "app/widgets/setup.h"
#include "core/analyze/compare/run-text.h"

#define MIN_WIDTH 80
#define HEIGHT    24

struct _PvRunLineCell {
    GtkWidget parent;

    PvReadRuns *read;
    uint64_t *amounts;
    PvRunLine line;
    uint32_t marked;  /* by the keyboard */
    uint32_t hovered; /* PV_POINT_NONE: the pointer is elsewhere */
};

G_DEFINE_FINAL_TYPE (PvRunLineCell, pv_run_line_cell, GTK_TYPE_WIDGET)

static guint chosen;

char *
pv_run_describe_point (const PvRuns *runs, const uint64_t *line, uint32_t run)
{
    g_autofree char *amount = NULL;
    g_autofree char *change = NULL;
    PvRunMove step;

    g_assert (runs != NULL && line != NULL && run < runs->n_runs);
    amount = pv_format_amount (line[run], runs->unit);
    if (run == 0)
        /* Translators: a run and an amount. */
        return g_strdup_printf (_ ("%s: %s"), runs->runs[run].name, amount);
    step = (PvRunMove){.first = line[run - 1], .last = line[run]};
    change = pv_run_move_format_change (runs, &step);
    /* Translators: a run, its amount, the change, and the run before it. */
    return g_strdup_printf (_ ("%s: %s, %s from %s"), runs->runs[run].name, amount, change,
                            runs->runs[run - 1].name);
}

static PvRunLineView
get_view (PvRunLineCell *self)
{
    GtkWidget *widget = GTK_WIDGET (self);
    AdwStyleManager *style = adw_style_manager_get_default ();

    return (PvRunLineView){
        .width = gtk_widget_get_width (widget),
        .height = gtk_widget_get_height (widget),
        .is_dark = adw_style_manager_get_dark (style),
        .is_high_contrast = adw_style_manager_get_high_contrast (style),
    };
}

static void
pv_run_line_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    PvRunLineCell *self = PV_RUN_LINE_CELL (widget);
    PvRunLineView view = get_view (self);
    PvRunLine line = self->line;
    cairo_t *cr;

    if (line.n_points == 0)
        return;
    line.marked = self->hovered != PV_POINT_NONE ? self->hovered : self->marked;
    cr = gtk_snapshot_append_cairo (
        snapshot, &GRAPHENE_RECT_INIT (0, 0, (float)view.width, (float)view.height));
    pv_run_line_draw (&line, &view, cr);
    cairo_destroy (cr);
}

/* Input */

static void
set_hovered (PvRunLineCell *self, uint32_t run)
{
    g_autofree char *text = NULL;
    g_autofree char *tip = NULL;

    if (self->hovered == run)
        return;
    self->hovered = run;
    if (run != PV_POINT_NONE) {
        text = pv_run_describe_point (self->read->runs, self->amounts, run);
        tip = g_strdup_printf ("%s\n%s", text,
                               run > 0 ? _ ("Click to compare it with the run before it")
                                       : _ ("Click to compare it with the next run"));
    }
    gtk_widget_set_tooltip_text (GTK_WIDGET (self), tip);
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_motion (PvRunLineCell *self, double x, double y)
{
    PvRunLineView view = get_view (self);
    set_hovered (self, pv_run_line_find (&self->line, &view, x));
}

static void
on_leave (PvRunLineCell *self)
{
    set_hovered (self, PV_POINT_NONE);
}

/* A click that becomes a drag no longer counts as one. */
static void
on_released (PvRunLineCell *self, int n_press, double x, double y)
{
    PvRunLineView view = get_view (self);
    uint32_t run = pv_run_line_find (&self->line, &view, x);

    if (run != PV_POINT_NONE && n_press == 1 && gtk_widget_contains (GTK_WIDGET (self), x, y))
        g_signal_emit (self, chosen, 0, run);
}

/* Content */

static void
clear (PvRunLineCell *self)
{
    pv_read_runs_unref (g_steal_pointer (&self->read));
    g_clear_pointer (&self->amounts, g_free);
    self->line = (PvRunLine){.step = PV_POINT_NONE, .marked = PV_POINT_NONE};
}

void
pv_run_line_cell_show (PvRunLineCell *self, PvReadRuns *read, uint32_t function, gboolean is_self,
                       const PvRunMove *move, uint32_t marked)
{
    g_autofree char *text = NULL;

    g_assert (PV_IS_RUN_LINE_CELL (self) && (read == NULL || move != NULL));
    set_hovered (self, PV_POINT_NONE);
    clear (self);
    if (read != NULL) {
        self->read = pv_read_runs_ref (read);
        self->amounts = g_new (uint64_t, read->runs->n_runs);
        pv_runs_get_line (read->runs, function, is_self, self->amounts);
        self->line.n_points = read->runs->n_runs;
        self->line.amounts = self->amounts;
        self->line.step = move->step_run > 0 ? move->step_run : PV_POINT_NONE;
        self->line.is_faint = move->beyond == 0;
        text = pv_run_move_describe (read->runs, move);
    }
    self->marked = marked;
    pv_accessible_set_name (GTK_WIDGET (self), text != NULL ? text : "");
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Object */

static void
pv_run_line_cell_finalize (GObject *object)
{
    clear (PV_RUN_LINE_CELL (object));
    G_OBJECT_CLASS (pv_run_line_cell_parent_class)->finalize (object);
}

static void
pv_run_line_cell_class_init (PvRunLineCellClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    G_OBJECT_CLASS (class)->finalize = pv_run_line_cell_finalize;
    widget_class->snapshot = pv_run_line_cell_snapshot;
    chosen = pv_signal_new (class, "chosen", 1, G_TYPE_UINT);
    gtk_widget_class_set_css_name (widget_class, "runline");
    gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pv_run_line_cell_init (PvRunLineCell *self)
{
    self->line = (PvRunLine){.step = PV_POINT_NONE, .marked = PV_POINT_NONE};
    self->hovered = self->marked = PV_POINT_NONE;
    gtk_widget_set_size_request (GTK_WIDGET (self), MIN_WIDTH, HEIGHT);
    pv_add_controller (GTK_WIDGET (self), gtk_event_controller_motion_new (), self, "motion",
                       on_motion, "leave", on_leave, NULL);
    pv_add_controller (GTK_WIDGET (self), gtk_gesture_click_new (), self, "released", on_released,
                       NULL);
}

GtkWidget *
pv_run_line_cell_new (void)
{
    return g_object_new (PV_TYPE_RUN_LINE_CELL, NULL);
}
