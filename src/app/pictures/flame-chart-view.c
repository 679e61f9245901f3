/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/pictures/flame-chart-view.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/pictures/flame-map.h"
#include "app/pictures/picture-nodes.h"
#include "app/view/empty-view.h"
#include "app/widgets/accessible.h"
#include "app/widgets/cut-text.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"
#include "app/work/work.h"
#include "core/analyze/time/time-index.h"
#include "core/base/format.h"
#include "render/chart/time-ruler.h"

enum {
    RULER_HEIGHT = 26,
    COARSE_PARTS = 4096, /* of the cut of all, which is there at once */
    LEAST_NAME_CHARS = 6,
    MOST_NAME_CHARS = 40,
};

/* A cut is made anew when its pixels would be that much wider or narrower. */
#define MOST_FINE   4.0
#define MOST_COARSE 1.2

struct _PvFlameChartView {
    PvView base;

    PvFlameArea *area;
    PvFlameMap *map;
    GtkWidget *scroller;
    GtkWidget *ruler;
    PvGlyphFont *font;
    GtkWidget *empty_label;
    PvEmptyView *empty_view; /* in place of the label where it knows more */
    GtkWidget *bar;
    GtkDropDown *thread_drop_down;
    PvTextCell *range_cell;
    gboolean is_shown;
    gboolean is_filling; /* the list of threads */

    PvTask *chart_task;
    PvTask *cut_task;
    PvFlameChart *chart; /* or NULL */
    PvThreadId wanted;   /* the thread that the user has chosen, or PV_CHART_BUSIEST */
    double cut_left;     /* of the last requested cut, in fractions of the chart ... */
    double cut_right;
    double cut_least;       /* ... and its finest part */
    gboolean is_cut_wanted; /* another one, when the task is done */
};

G_DEFINE_FINAL_TYPE (PvFlameChartView, pv_flame_chart_view, PV_TYPE_VIEW)

/* Work */

typedef struct {
    PvCallTree *tree; /* a reference */
    PvThreadId thread;
} ChartInput;

typedef struct {
    PvFlameChart *chart;
    PvCallTree *whole; /* a coarse cut; NULL: no samples */
} ChartResult;

typedef struct {
    PvFlameChart *chart; /* a reference */
    double left;
    double right;
    double least;
} CutInput;

typedef struct {
    PvFlameChart *chart; /* a reference */
    PvCallTree *tree;
    double left;
    double right;
} CutResult;

static void
chart_input_free (gpointer data)
{
    ChartInput *input = data;
    pv_call_tree_free (input->tree);
    g_free (input);
}

static void
chart_result_free (gpointer data)
{
    ChartResult *result = data;
    pv_flame_chart_unref (result->chart);
    pv_call_tree_free (result->whole);
    g_free (result);
}

static void
cut_input_free (gpointer data)
{
    CutInput *input = data;
    pv_flame_chart_unref (input->chart);
    g_free (input);
}

static void
cut_result_free (gpointer data)
{
    CutResult *result = data;
    pv_flame_chart_unref (result->chart);
    pv_call_tree_free (result->tree);
    g_free (result);
}

/* A thread that has nothing any more is left for the busiest one. */
static gpointer
run_chart (gpointer data, PvJob *job, GError **error)
{
    ChartInput *input = data;
    g_autoptr (PvFlameChart) chart = pv_flame_chart_build (input->tree, input->thread, job);
    g_autoptr (PvCallTree) whole = NULL;
    ChartResult *result;

    if (chart != NULL && chart->weight == 0 && chart->n_threads > 0) {
        pv_flame_chart_unref (chart);
        chart = pv_flame_chart_build (input->tree, PV_CHART_BUSIEST, job);
    }
    if (chart == NULL)
        return NULL;
    if (chart->weight > 0) {
        uint64_t least_ns = (chart->end_ns - chart->start_ns) / COARSE_PARTS;
        whole = pv_flame_chart_cut (chart, chart->start_ns, chart->end_ns, least_ns, job);
        if (whole == NULL)
            return NULL;
    }
    result = g_new0 (ChartResult, 1);
    result->chart = g_steal_pointer (&chart);
    result->whole = g_steal_pointer (&whole);
    return result;
}

static gpointer
run_cut (gpointer data, PvJob *job, GError **error)
{
    CutInput *input = data;
    const PvFlameChart *chart = input->chart;
    double length = (double)(chart->end_ns - chart->start_ns);
    uint64_t start_ns = chart->start_ns + (uint64_t)(input->left * length);
    uint64_t end_ns = chart->start_ns + (uint64_t)ceil (input->right * length);
    PvCallTree *tree = pv_flame_chart_cut (chart, start_ns, MAX (end_ns, start_ns + 1),
                                           (uint64_t)(input->least * length), job);
    CutResult *result;

    if (tree == NULL)
        return NULL;
    result = g_new0 (CutResult, 1);
    *result = (CutResult){pv_flame_chart_ref (chart), tree, input->left, input->right};
    return result;
}

/* Cuts */

/* The part in view, in fractions of the chart. */
static void
get_view (PvFlameChartView *self, double *ret_left, double *ret_right)
{
    PvFlameRange range = pv_flame_area_get_range (self->area);

    *ret_left = range.start;
    *ret_right = range.end;
}

/* As much again on either side. */
static void
request_cut (PvFlameChartView *self)
{
    double left, right, width, least;
    int pixels = gtk_widget_get_width (GTK_WIDGET (self->area)) *
                 gtk_widget_get_scale_factor (GTK_WIDGET (self->area));
    CutInput *input;

    self->is_cut_wanted = FALSE;
    if (self->chart == NULL || pv_flame_area_get_whole (self->area) == NULL || pixels <= 0)
        return;
    get_view (self, &left, &right);
    width = right - left;
    least = width / pixels;
    if (left >= self->cut_left && right <= self->cut_right &&
        least <= self->cut_least * MOST_FINE && least * MOST_COARSE >= self->cut_least)
        return;
    if (pv_task_is_busy (self->cut_task)) { /* a movement must not cancel all of them */
        self->is_cut_wanted = TRUE;
        return;
    }
    input = g_new0 (CutInput, 1);
    *input = (CutInput){pv_flame_chart_ref (self->chart), MAX (left - width, 0),
                        MIN (right + width, 1), least};
    self->cut_left = input->left;
    self->cut_right = input->right;
    self->cut_least = least;
    pv_task_start (self->cut_task, input);
}

static void
on_cut (gpointer owner, gpointer data, const GError *error)
{
    PvFlameChartView *self = owner;
    CutResult *result = data;

    if (result == NULL)
        return;
    if (result->chart == self->chart)
        pv_flame_area_show_cut (self->area, result->tree, result->left, result->right);
    pv_free_later (result, cut_result_free);
    if (self->is_cut_wanted)
        request_cut (self);
}

static void
forget_cut (PvFlameChartView *self)
{
    pv_task_cancel (self->cut_task);
    self->is_cut_wanted = FALSE;
    self->cut_left = self->cut_right = self->cut_least = 0;
}

/* The bar */

static char *
format_thread (const PvFlameChart *chart, uint32_t i)
{
    uint64_t total = chart->tree->total[0];
    g_autofree char *name =
        pv_flame_chart_format_thread (chart->tree->profile, chart->threads[i].thread);
    g_autofree char *share = pv_format_percent (chart->threads[i].weight, total);

    return g_strdup_printf ("%s\u2002%s", name, share);
}

static gboolean
are_same (GListModel *a, GListModel *b)
{
    guint n = g_list_model_get_n_items (b);

    if (a == NULL || g_list_model_get_n_items (a) != n)
        return FALSE;
    for (guint i = 0; i < n; i++)
        if (strcmp (gtk_string_list_get_string (GTK_STRING_LIST (a), i),
                    gtk_string_list_get_string (GTK_STRING_LIST (b), i)) != 0)
            return FALSE;
    return TRUE;
}

/* A list that is open stays open if it is the same. */
static void
fill_threads (PvFlameChartView *self)
{
    const PvFlameChart *chart = self->chart;
    g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
    guint selected = GTK_INVALID_LIST_POSITION;

    for (uint32_t i = 0; chart != NULL && i < chart->n_threads; i++) {
        gtk_string_list_take (names, format_thread (chart, i));
        if (chart->threads[i].thread == chart->thread)
            selected = i;
    }
    self->is_filling = TRUE;
    if (!are_same (gtk_drop_down_get_model (self->thread_drop_down), G_LIST_MODEL (names)))
        gtk_drop_down_set_model (self->thread_drop_down, G_LIST_MODEL (names));
    gtk_drop_down_set_selected (self->thread_drop_down, selected);
    gtk_drop_down_set_enable_search (self->thread_drop_down,
                                     chart != NULL && chart->n_threads > 10);
    gtk_widget_set_visible (GTK_WIDGET (self->thread_drop_down),
                            chart != NULL && chart->n_threads > 0);
    self->is_filling = FALSE;
}

static char *
explain_gaps (const PvFlameChart *chart)
{
    g_autofree char *longest = NULL;

    if (chart->period_ns == 0)
        return g_strdup (_ ("Boxes are as long as the thread was off the CPU"));
    longest = pv_format_amount (chart->period_ns * PV_CHART_MOST_PERIODS, PV_UNIT_NS);
    return g_strdup_printf (_ ("A sample lasts until the thread’s next one. If that is more than "
                               "%s away, the thread did not run or was not sampled, and there is "
                               "a gap."),
                            longest);
}

static void
update_range (PvFlameChartView *self)
{
    const PvFlameChart *chart = self->chart;
    g_autofree char *text = NULL, *shown = NULL, *samples = NULL, *tip = NULL;
    double left, right, length;
    uint64_t start_ns, end_ns;

    gtk_widget_set_visible (GTK_WIDGET (self->range_cell), chart != NULL && chart->weight > 0);
    if (chart == NULL || chart->weight == 0 || pv_flame_area_get_whole (self->area) == NULL)
        return;
    length = (double)(chart->end_ns - chart->start_ns);
    get_view (self, &left, &right);
    start_ns = chart->start_ns + (uint64_t)(left * length);
    end_ns = MAX (chart->start_ns + (uint64_t)(right * length), start_ns);
    shown = pv_format_amount (end_ns - start_ns, PV_UNIT_NS);
    samples = pv_call_tree_format_small (pv_flame_area_get_whole (self->area),
                                         pv_flame_chart_count (chart, start_ns, end_ns));
    /* Translators: a duration and "530 samples" */
    text = g_strdup_printf (_ ("%s, %s"), shown, samples);
    tip = explain_gaps (chart);
    pv_text_cell_set_text (self->range_cell, text);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->range_cell), tip);
}

/* The chart */

static void
on_range_changed (PvFlameChartView *self)
{
    update_range (self);
    gtk_widget_queue_draw (self->ruler);
    request_cut (self);
}

static void
show_chart (PvFlameChartView *self, PvFlameChart *chart, const PvCallTree *whole)
{
    gboolean has_reason;

    forget_cut (self);
    pv_clear_later (&self->chart, pv_flame_chart_unref);
    self->chart = chart != NULL ? pv_flame_chart_ref (chart) : NULL;
    fill_threads (self);
    has_reason = pv_document_get (self->base.document)->answer->emptiness != NULL;
    gtk_widget_set_visible (self->empty_label, chart != NULL && whole == NULL && !has_reason);
    pv_empty_view_set_wanted (self->empty_view, whole == NULL);
    pv_flame_area_show_whole (self->area, whole);
    pv_flame_map_redraw (self->map);
}

static void
on_chart (gpointer owner, gpointer data, const GError *error)
{
    ChartResult *result = data;

    if (result == NULL)
        return;
    show_chart (owner, result->chart, result->whole);
    pv_free_later (result, chart_result_free);
}

static void
request_chart (PvFlameChartView *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;
    ChartInput *input;

    if (!self->is_shown || answer->tree == NULL ||
        !pv_time_index_can_build (answer->tree->profile, answer->query->measure))
        return;
    if (self->chart != NULL && self->chart->tree->profile != answer->tree->profile)
        self->wanted = PV_CHART_BUSIEST;
    input = g_new0 (ChartInput, 1);
    input->tree = pv_call_tree_ref (answer->tree);
    input->thread = self->wanted;
    pv_task_start (self->chart_task, input);
}

static void
on_thread_selected (PvFlameChartView *self)
{
    guint selected = gtk_drop_down_get_selected (self->thread_drop_down);

    if (self->is_filling || self->chart == NULL || selected >= self->chart->n_threads)
        return;
    self->wanted = self->chart->threads[selected].thread;
    if (self->wanted != self->chart->thread)
        request_chart (self);
}

static void
pv_flame_chart_view_changed (PvView *view, guint what)
{
    if (what & PV_CHANGED_TREE)
        request_chart (PV_FLAME_CHART_VIEW (view));
}

static void
pv_flame_chart_view_begin (PvView *view)
{
    PvFlameChartView *self = PV_FLAME_CHART_VIEW (view);

    pv_view_set_document (PV_VIEW (self->area), view->document);
    pv_view_set_document (PV_VIEW (self->empty_view), view->document);
    pv_flame_area_set_chart (self->area);
    pv_flame_map_set_area (self->map, self->area, view->document);
}

/* A hidden view holds no trees. */
void
pv_flame_chart_view_set_shown (PvFlameChartView *self, gboolean is_shown)
{
    g_assert (self->base.document != NULL);
    if (self->is_shown == is_shown)
        return;
    self->is_shown = is_shown;
    if (is_shown) {
        pv_view_update (PV_VIEW (self), PV_CHANGED_TREE);
        return;
    }
    pv_task_cancel (self->chart_task);
    show_chart (self, NULL, NULL);
}

/* The map is on the side away from the root, the ruler above. */
void
pv_flame_chart_view_set_flame (PvFlameChartView *self, gboolean is_flame)
{
    GtkWidget *box = gtk_widget_get_parent (self->ruler);

    pv_flame_area_set_flame (self->area, is_flame);
    gtk_box_reorder_child_after (GTK_BOX (box), GTK_WIDGET (self->map),
                                 is_flame ? NULL : self->scroller);
    pv_flame_map_redraw (self->map);
}

void
pv_flame_chart_view_redraw (PvFlameChartView *self)
{
    pv_flame_map_redraw (self->map);
    gtk_widget_queue_draw (self->ruler);
}

GtkWidget *
pv_flame_chart_view_get_bar (PvFlameChartView *self)
{
    return self->bar;
}

PvFlameArea *
pv_flame_chart_view_get_area (PvFlameChartView *self)
{
    return self->area;
}

const PvFlameChart *
pv_flame_chart_view_get_chart (PvFlameChartView *self)
{
    return self->chart;
}

/* The ruler */

static void
draw_ruler (GtkDrawingArea *ruler, cairo_t *cr, int width, int height, gpointer user)
{
    PvFlameChartView *self = user;
    AdwStyleManager *style = adw_style_manager_get_default ();
    const PvFlameChart *chart = self->chart;
    int area_width = gtk_widget_get_width (GTK_WIDGET (self->area));
    PvTimeRuler its = {.height = height, .full_width = width};
    PvPalette palette;
    double left, right, length;

    if (chart == NULL || pv_flame_area_get_whole (self->area) == NULL || area_width < 1)
        return;
    length = (double)(chart->end_ns - chart->start_ns);
    get_view (self, &left, &right);
    its.width = area_width;
    its.start_ns = chart->start_ns + (uint64_t)(left * length);
    its.end_ns = MAX (chart->start_ns + (uint64_t)(right * length), its.start_ns + 1);
    pv_palette_init_plain (&palette, adw_style_manager_get_dark (style),
                           adw_style_manager_get_high_contrast (style));
    pv_glyph_font_set_scale (self->font, gtk_widget_get_scale_factor (GTK_WIDGET (ruler)));
    pv_time_ruler_draw (&its, cr, self->font, &palette);
}

static PvGlyphFont *
make_font (GtkWidget *widget)
{
    PangoFontDescription *font = pv_picture_make_font (widget);
    PvGlyphFont *result = pv_glyph_font_new (font);

    pango_font_description_free (font);
    return result;
}

/* Object */

static gboolean
pv_flame_chart_view_grab_focus (GtkWidget *widget)
{
    return gtk_widget_grab_focus (GTK_WIDGET (PV_FLAME_CHART_VIEW (widget)->area));
}

/* Other pixels, another cut. */
static void
pv_flame_chart_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
    PvFlameChartView *self = PV_FLAME_CHART_VIEW (widget);

    gtk_widget_size_allocate (gtk_widget_get_first_child (widget),
                              &(GtkAllocation){0, 0, width, height}, baseline);
    request_cut (self);
}

static void
pv_flame_chart_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                             int *minimum, int *natural, int *minimum_baseline,
                             int *natural_baseline)
{
    gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum,
                        natural, NULL, NULL);
}

static void
pv_flame_chart_view_end (PvView *view)
{
    PvFlameChartView *self = PV_FLAME_CHART_VIEW (view);

    g_clear_pointer (&self->chart_task, pv_task_close);
    g_clear_pointer (&self->cut_task, pv_task_close);
    g_clear_object (&self->bar);
    pv_clear_later (&self->chart, pv_flame_chart_unref);
    g_clear_pointer (&self->font, pv_glyph_font_free);
}

static void
pv_flame_chart_view_class_init (PvFlameChartViewClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_flame_chart_view_end;
    PV_VIEW_CLASS (class)->begin = pv_flame_chart_view_begin;
    PV_VIEW_CLASS (class)->changed = pv_flame_chart_view_changed;
    widget_class->grab_focus = pv_flame_chart_view_grab_focus;
    widget_class->size_allocate = pv_flame_chart_view_size_allocate;
    widget_class->measure = pv_flame_chart_view_measure;
    PV_SET_TEMPLATE (widget_class, "flame-chart-view", PV_TYPE_EMPTY_VIEW, PV_TYPE_FLAME_AREA,
                     PV_TYPE_FLAME_MAP);
    PV_BIND_CHILDREN (widget_class, PvFlameChartView, area, map, ruler, scroller, empty_label,
                      empty_view);
}

static void
make_bar (PvFlameChartView *self)
{
    g_autoptr (GtkListItemFactory) button_factory =
        pv_string_factory_new (LEAST_NAME_CHARS, MOST_NAME_CHARS);
    g_autoptr (GtkListItemFactory) list_factory = pv_string_factory_new (0, -1);
    GtkExpression *name = gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string");

    self->bar = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
    self->thread_drop_down = GTK_DROP_DOWN (gtk_drop_down_new (NULL, name));
    gtk_drop_down_set_factory (self->thread_drop_down, button_factory);
    gtk_drop_down_set_list_factory (self->thread_drop_down, list_factory);
    gtk_widget_add_css_class (GTK_WIDGET (self->thread_drop_down), "flat");
    gtk_widget_set_valign (GTK_WIDGET (self->thread_drop_down), GTK_ALIGN_CENTER);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->thread_drop_down), C_ ("control", "Thread"));
    pv_accessible_set_name (GTK_WIDGET (self->thread_drop_down), C_ ("control", "Thread"));
    pv_accessible_name_parts (GTK_WIDGET (self->thread_drop_down), C_ ("control", "Thread"), NULL);
    self->range_cell = PV_TEXT_CELL (pv_text_cell_new (0));
    pv_text_cell_set_cut (self->range_cell, PV_CUT_PARTS);
    gtk_widget_set_hexpand (GTK_WIDGET (self->range_cell), TRUE);
    gtk_widget_add_css_class (GTK_WIDGET (self->range_cell), "numeric");
    gtk_widget_add_css_class (GTK_WIDGET (self->range_cell), "dim-label");
    gtk_box_append (GTK_BOX (self->bar), GTK_WIDGET (self->thread_drop_down));
    gtk_box_append (GTK_BOX (self->bar), GTK_WIDGET (self->range_cell));
    pv_connect (self->thread_drop_down, "notify::selected", on_thread_selected, self);
}

static void
pv_flame_chart_view_init (PvFlameChartView *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->wanted = PV_CHART_BUSIEST;
    self->font = make_font (GTK_WIDGET (self));
    self->chart_task = pv_task_new (self, run_chart, chart_input_free, chart_result_free, on_chart);
    self->cut_task = pv_task_new (self, run_cut, cut_input_free, cut_result_free, on_cut);
    make_bar (self);
    gtk_widget_set_size_request (self->ruler, -1, RULER_HEIGHT);
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->ruler), draw_ruler, self, NULL);
    pv_accessible_set_name (GTK_WIDGET (self->area), _ ("Flame chart"));
    pv_connect (self->area, "range-changed", on_range_changed, self);
}
