/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the layout of a chart: room for legend, axes and labels, then columns and ticks. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "render/chart/chart-private.h"
#include "render/chart/time-ruler.h"

enum {
    PADDING = 8, /* around everything */
    LEAST_PLOT_WIDTH = 60,
    LEAST_PLOT_HEIGHT = 32,
    LEAST_COMPACT_HEIGHT = 10,
    TICK_ROOM = 38,     /* approximate height per line of a value axis */
    LABEL_GAP = 14,     /* between labels of the time axis */
    PANEL_GAP = 6,      /* between the panels of sizes, in addition to the caption */
    AXIS_GAP = 6,       /* between labels and plot */
    MOST_LINES = 12,    /* of a value axis */
    AMOUNT_WIDTH = 3,   /* minimum width of a column of amounts: narrower ones look hatched */
    WIDEST_SLOT = 96,   /* of a size class */
    RESIDENT_MOST = 3,  /* times the layers: more is not drawn */
    BESIDE_WIDTH = 680, /* from this width, the legend is at the right */
    BESIDE_HEIGHT = 130,
    BELOW_HEIGHT = 150,
    TWO_ROWS_HEIGHT = 220, /* from this height, the peak's label has a row */
};

/* The device pixel of a time, clamped to the plot. */
static int
time_to_pixel (const PvChartLayout *layout, double time_ms)
{
    double x = layout->plot.left + (time_ms - layout->start_ms) * layout->px_per_ms;
    return (int)floor (CLAMP (x, layout->plot.left, layout->plot.right) + 0.5);
}

/* Sum of layers [first, end) at a point. */
static double
sum_layers (const PvSeries *series, uint32_t first, uint32_t end, uint32_t point)
{
    double sum = 0;
    for (uint32_t l = first; l < end; l++)
        sum += pv_chart_positive (series->layers[l].values[point]);
    return sum;
}

static double
height_at (const PvSeries *series, uint32_t point)
{
    return series->is_net ? sum_layers (series, 0, series->n_layers, point)
                          : pv_chart_positive (series->totals[point]);
}

static void
add_to_column (const PvSeries *series, PvChartColumn *column, uint32_t point)
{
    if (height_at (series, point) > height_at (series, column->shown))
        column->shown = point;
    column->end = point + 1;
}

static void
sum_column (const PvChartLayout *layout, const PvSeries *series, PvChartColumn *column)
{
    double sum = 0;
    for (uint32_t p = column->first; layout->has_resident && p < column->end; p++)
        column->resident = MAX (column->resident, pv_chart_positive (series->resident[p]));
    if (series->is_net) {
        column->total = (double)series->totals[column->shown];
        column->below = sum_layers (series, 0, series->n_below, column->shown);
        column->above = sum_layers (series, series->n_below, series->n_layers, column->shown);
        return;
    }
    if (!layout->is_rate) {
        column->above = column->total = pv_chart_positive (series->totals[column->shown]);
        return;
    }
    for (uint32_t p = column->first; p < column->end; p++)
        sum += pv_chart_positive (series->totals[p]);
    column->total = sum * 1000 / pv_chart_span_ms (series, column->first, column->end);
    column->above = column->total;
}

static void
push_column (PvChartLayout *layout, const PvSeries *series, PvChartColumn *column)
{
    sum_column (layout, series, column);
    pv_array_push (&layout->columns, *column);
}

/* Groups points until they are wide enough to see. Columns start at the same points wherever the
 * view starts, so that panning does not change them. */
static void
place_columns (PvChartLayout *layout, const PvSeries *series)
{
    uint32_t first = pv_chart_find_point (series, layout->start_ms), group = 1;
    layout->columns.len = 0;
    double span = pv_chart_span_ms (series, 0, series->n_points) * layout->px_per_ms;
    double least = layout->is_rate ? AMOUNT_WIDTH * layout->scale : layout->scale / 2;
    if (span / series->n_points < least)
        group =
            (uint32_t)CLAMP (ceil (least * series->n_points / MAX (span, 1)), 1, series->n_points);

    PvChartColumn column = {.first = PV_CHART_NONE};
    for (uint32_t p = first - first % group; p < series->n_points; p++) {
        /* A last point of no duration still counts. */
        if ((double)series->start_ms[p] >= layout->end_ms &&
            (double)series->start_ms[p + 1] > layout->end_ms)
            break;
        if (column.first == PV_CHART_NONE) {
            column = (PvChartColumn){.first = p, .shown = p};
            column.left = time_to_pixel (layout, (double)series->start_ms[p]);
        }
        add_to_column (series, &column, p);
        column.right = time_to_pixel (layout, (double)series->start_ms[p + 1]);
        if (column.right > column.left && (p + 1) % group == 0) {
            push_column (layout, series, &column);
            column.first = PV_CHART_NONE;
        }
    }
    if (column.first != PV_CHART_NONE && column.right > column.left) {
        push_column (layout, series, &column);
    } else if (column.first != PV_CHART_NONE && layout->columns.len > 0) {
        PvChartColumn *last = &layout->columns.data[layout->columns.len - 1];
        for (uint32_t p = column.first; p < column.end; p++)
            add_to_column (series, last, p);
        sum_column (layout, series, last);
    }
}

/* Places the classes from the smallest to the largest with allocations. */
static void
place_slots (PvChartLayout *layout, const PvSeries *series)
{
    uint32_t first = 0, end = series->n_points;
    layout->columns.len = 0;
    while (end > 0 && series->totals[end - 1] <= 0)
        end--;
    while (first < end && series->totals[first] <= 0)
        first++;
    if (first == end)
        return;
    double room = layout->plot.right - layout->plot.left;
    layout->slot_width = MIN (room / (end - first), WIDEST_SLOT * layout->scale);
    for (uint32_t p = first; p < end; p++) {
        PvChartColumn column = {.first = p, .end = p + 1, .shown = p};
        column.left = layout->plot.left + (int)((p - first) * layout->slot_width);
        column.right = layout->plot.left + (int)((p + 1 - first) * layout->slot_width);
        push_column (layout, series, &column);
    }
}

static double
highest_of_columns (const PvChartLayout *layout)
{
    double highest = 0;
    for (size_t i = 0; i < layout->columns.len; i++) {
        highest = MAX (highest, layout->columns.data[i].above);
        if (!layout->is_resident_above)
            highest = MAX (highest, layout->columns.data[i].resident);
    }
    return highest;
}

/* Largest amount below the axis, as a positive number. */
static double
lowest_of_columns (const PvChartLayout *layout)
{
    double lowest = 0;
    for (size_t i = 0; i < layout->columns.len; i++)
        lowest = MAX (lowest, layout->columns.data[i].below);
    return lowest;
}

static double
highest_bytes (const PvSeries *series)
{
    double highest = 0;
    for (uint32_t p = 0; p < series->n_points; p++)
        highest = MAX (highest, (double)series->size_classes[p].allocated_bytes);
    return highest;
}

static void
add_value_tick (PvChartPanel *panel, double value, double highest)
{
    PvChartTick *tick = &panel->ticks[panel->n_ticks++];
    char label[PV_CHART_LABEL_SIZE];
    *tick = (PvChartTick){.value = value, .has_label = true};
    pv_chart_format_tick (fabs (value), highest, panel->unit, label);
    g_snprintf (tick->label, sizeof tick->label, "%s%s", value < 0 ? "−" : "", label);
}

/* Places the ticks of the value axis, from as much below 0 as lowest says. Returns the width of its
 * labels. */
static double
place_value_ticks (PvChartPainter *painter, PvChartPanel *panel, double highest, double lowest,
                   PvUnit unit)
{
    PvChartLayout *layout = &painter->layout;
    double height = panel->bottom - panel->top;
    unsigned most = (unsigned)CLAMP (height / layout->scale / TICK_ROOM, 1, MOST_LINES);
    /* A little room above the highest value, for its outline. */
    double range = highest + lowest > 0 ? (highest + lowest) * 1.02 : 1;
    panel->highest = highest + lowest > 0 ? highest * 1.02 : 1;
    panel->scale = height > 0 ? height / range : 0;
    panel->zero = panel->bottom - (int)(lowest * 1.02 * panel->scale + 0.5);
    panel->unit = unit;
    panel->n_ticks = 0;

    double step = pv_chart_value_step (range, most, unit), widest = 0;
    for (unsigned i = 1; i < 4 && step > MAX (highest, lowest); i++)
        step = pv_chart_value_step (range, most + i, unit);
    int n = highest > 0 ? (int)(panel->highest / step) : 0;
    int n_below = lowest > 0 ? (int)(lowest * 1.02 / step) : 0;
    for (int i = -n_below; i <= n && panel->n_ticks < PV_CHART_MAX_TICKS; i++) {
        add_value_tick (panel, i * step, MAX (n, n_below) * step);
        widest =
            MAX (widest, pv_chart_measure_text (painter, panel->ticks[panel->n_ticks - 1].label));
    }
    for (uint32_t i = 0; i < panel->n_ticks; i++) {
        PvChartTick *tick = &panel->ticks[i];
        tick->at = pv_chart_panel_y (panel, tick->value);
        tick->label_x =
            panel->left / layout->scale - AXIS_GAP - pv_chart_measure_text (painter, tick->label);
        tick->baseline = tick->at / layout->scale - layout->line_height / 2 + layout->text_baseline;
    }
    return widest;
}

/* Centres a label at its tick, inside the view; hides it if it would come closer than gap to the
 * previous one. */
static void
place_label (PvChartPainter *painter, PvChartTick *tick, double x, double baseline, double gap,
             double *right)
{
    PvChartLayout *layout = &painter->layout;
    double width = pv_chart_measure_text (painter, tick->label);
    double most =
        layout->plot.right / layout->scale + (layout->is_compact ? 0 : PADDING - 2) - width;
    tick->label_x = floor (CLAMP (x - width / 2, 1, MAX (most, 1)) + 0.5);
    tick->baseline = baseline;
    tick->has_label = tick->label_x >= *right;
    if (tick->has_label)
        *right = tick->label_x + width + gap;
}

/* Makes a tick at each visible multiple of step. Returns the width of the widest label. */
static double
make_time_ticks (PvChartPainter *painter, double step)
{
    PvChartLayout *layout = &painter->layout;
    double first = ceil (layout->start_ms / step), widest = 0;
    layout->n_time_ticks = 0;
    for (uint32_t i = 0; i < PV_CHART_MAX_TICKS && (first + i) * step <= layout->end_ms; i++) {
        PvChartTick *tick = &layout->time_ticks[layout->n_time_ticks++];
        *tick = (PvChartTick){.value = (first + i) * step};
        tick->at = time_to_pixel (layout, tick->value);
        pv_chart_format_time (tick->value, step, layout->end_ms, tick->label);
        widest = MAX (widest, pv_chart_measure_text (painter, tick->label));
    }
    return widest;
}

static void
place_time_ticks (PvChartPainter *painter, double baseline)
{
    PvChartLayout *layout = &painter->layout;
    double px = layout->px_per_ms / layout->scale, right = 0;
    if (!(px > 0))
        return;
    /* Long enough to limit the number of ticks in any picture. */
    double step = pv_chart_time_step (MAX (layout->width / 100, 40) / px);
    for (int i = 0; i < 4; i++) {
        double needed = make_time_ticks (painter, step) + LABEL_GAP + 2;
        if (needed <= step * px)
            break;
        step = pv_chart_time_step (MAX (needed / px, step * 1.01));
    }
    make_time_ticks (painter, step);
    for (uint32_t i = 0; i < layout->n_time_ticks; i++) {
        PvChartTick *tick = &layout->time_ticks[i];
        place_label (painter, tick, tick->at / layout->scale, baseline, LABEL_GAP, &right);
    }
}

/* The number of dumps from one label of the axis to the next. */
static uint32_t
number_step (const PvChartLayout *layout, uint32_t n_dumps, double needed)
{
    double room = (layout->plot.right - layout->plot.left) / layout->scale;
    unsigned most = (unsigned)CLAMP (room / needed, 1, PV_CHART_MAX_TICKS / 2);
    return (uint32_t)MAX (pv_chart_value_step (n_dumps, most, PV_UNIT_COUNT), 1);
}

/* "#1", "#20", "#40": for dumps without times. */
static void
place_number_ticks (PvChartPainter *painter, const PvSeries *series, double baseline)
{
    PvChartLayout *layout = &painter->layout;
    char widest[PV_CHART_LABEL_SIZE];
    uint32_t first = pv_chart_find_point (series, layout->start_ms);
    uint32_t end = MIN (pv_chart_find_point (series, layout->end_ms - 1) + 1, series->n_points);
    if (first >= end)
        return;
    g_snprintf (widest, sizeof widest, "#%u", series->first_dump + end);
    double needed = pv_chart_measure_text (painter, widest) + LABEL_GAP, right = 0;
    uint32_t step = number_step (layout, end - first, needed);
    for (uint32_t p = first; p < end && layout->n_time_ticks < PV_CHART_MAX_TICKS; p++) {
        uint32_t number = series->first_dump + p + 1;
        double middle = ((double)series->start_ms[p] + (double)series->start_ms[p + 1]) / 2;
        PvChartTick *tick = &layout->time_ticks[layout->n_time_ticks];
        *tick = (PvChartTick){.value = number, .at = time_to_pixel (layout, middle)};
        bool is_near = p > first && tick->at - tick[-1].at < needed * layout->scale;
        if ((number % step != 0 && p > first) || is_near)
            continue;
        g_snprintf (tick->label, sizeof tick->label, "#%u", number);
        place_label (painter, tick, tick->at / layout->scale, baseline, LABEL_GAP, &right);
        layout->n_time_ticks++;
    }
}

/* "512 B–1 KiB"; a common unit of both ends is only written once. */
static void
format_class (const PvHeapSizeClass *size, char *ret_label)
{
    char low[PV_CHART_LABEL_SIZE], high[PV_CHART_LABEL_SIZE];
    /* Classes end at powers of two: the one that starts at 513 bytes reads best as 512. */
    bool is_large = size->low_bytes > 512;
    double low_bytes = (double)size->low_bytes - (is_large ? 1 : 0);
    pv_chart_format_tick (low_bytes, 0, PV_UNIT_BYTES, low);
    pv_chart_format_tick ((double)size->high_bytes, 0, PV_UNIT_BYTES, high);
    if (size->low_bytes == size->high_bytes) {
        g_strlcpy (ret_label, high, PV_CHART_LABEL_SIZE);
        return;
    }
    char *space = strchr (low, ' '), *other = strchr (high, ' ');
    if (space != NULL && other != NULL && strcmp (space, other) == 0)
        *space = '\0';
    g_snprintf (ret_label, PV_CHART_LABEL_SIZE, "%s–%s", low, high);
}

static void
format_class_end (const PvHeapSizeClass *size, char *ret_label)
{
    char high[PV_CHART_LABEL_SIZE];
    pv_chart_format_tick ((double)size->high_bytes, 0, PV_UNIT_BYTES, high);
    g_snprintf (ret_label, PV_CHART_LABEL_SIZE, "%s%s", size->high_bytes > 0 ? "≤ " : "", high);
}

/* The shortest: "512", "64K". */
static void
format_class_short (const PvHeapSizeClass *size, char *ret_label)
{
    char high[PV_CHART_LABEL_SIZE];
    pv_chart_format_tick ((double)size->high_bytes, 0, PV_UNIT_BYTES, high);
    char *space = strchr (high, ' ');
    char prefix = space != NULL && space[1] != 'B' ? space[1] : '\0';
    if (space != NULL)
        *space = '\0';
    g_snprintf (ret_label, PV_CHART_LABEL_SIZE, prefix != '\0' ? "%s%c" : "%s", high, prefix);
}

typedef void (*FormatClass) (const PvHeapSizeClass *size, char *ret_label);

/* The widest label plus a gap. */
static double
measure_class_labels (PvChartPainter *painter, const PvSeries *series, FormatClass format,
                      double gap)
{
    double widest = 0;
    char label[PV_CHART_LABEL_SIZE];
    for (size_t i = 0; i < painter->layout.columns.len; i++) {
        format (&series->size_classes[painter->layout.columns.data[i].first], label);
        widest = MAX (widest, pv_chart_measure_text (painter, label));
    }
    return widest + gap;
}

/* Labels whole classes if there is room for all, else the upper end of each; where even the
 * shortest labels are too wide, of every second, third ... one. */
static void
place_class_labels (PvChartPainter *painter, const PvSeries *series, double baseline)
{
    static const struct {
        FormatClass format;
        double gap;
    } ways[] = {{format_class, LABEL_GAP / 2.0},
                {format_class_end, LABEL_GAP / 2.0},
                {format_class_short, LABEL_GAP / 4.0}};
    PvChartLayout *layout = &painter->layout;
    double slot = layout->slot_width / layout->scale, needed = 0, right = 0;
    size_t way = 0;
    for (;; way++) {
        needed = measure_class_labels (painter, series, ways[way].format, ways[way].gap);
        if (needed <= slot || way + 1 == G_N_ELEMENTS (ways))
            break;
    }
    /* Where only some are a little too wide, these are hidden. */
    size_t every = needed <= slot * 1.25 ? 1 : (size_t)ceil (needed / MAX (slot, 0.5));
    for (size_t i = 0; i < layout->columns.len && layout->n_time_ticks < PV_CHART_MAX_TICKS; i++) {
        const PvChartColumn *column = &layout->columns.data[i];
        const PvHeapSizeClass *size = &series->size_classes[column->first];
        if ((layout->columns.len - 1 - i) % every != 0)
            continue;
        PvChartTick *tick = &layout->time_ticks[layout->n_time_ticks++];
        *tick = (PvChartTick){.value = (double)size->high_bytes, .at = column->right};
        ways[way].format (size, tick->label);
        double x = (column->left + column->right) / 2.0;
        place_label (painter, tick, x / layout->scale, baseline, ways[way].gap, &right);
        if (!tick->has_label)
            layout->n_time_ticks--;
    }
}

static int
to_device (const PvChartLayout *layout, double pixels)
{
    return (int)floor (pixels * layout->scale + 0.5);
}

/* Fits the plot, with as much room as the labels at its left need. */
static void
fit_axis (PvChartPainter *painter, const PvSeries *series)
{
    PvChartLayout *layout = &painter->layout;
    double label_width = 40;
    for (int i = 0; i < 4; i++) {
        layout->plot.left =
            MIN (to_device (layout, PADDING + label_width + AXIS_GAP), layout->plot.right);
        layout->px_per_ms = (layout->plot.right - layout->plot.left) /
                            MAX (layout->end_ms - layout->start_ms, 1e-9);
        if (layout->is_time)
            place_columns (layout, series);
        else
            place_slots (layout, series);
        double needed = place_value_ticks (painter, &layout->plot, highest_of_columns (layout),
                                           lowest_of_columns (layout), series->unit);
        if (!pv_chart_panel_is_empty (&layout->bytes)) {
            layout->bytes.left = layout->plot.left;
            needed = MAX (needed, place_value_ticks (painter, &layout->bytes,
                                                     highest_bytes (series), 0, PV_UNIT_BYTES));
        }
        /* In steps, so that zooming rarely shifts the plot. */
        needed = ceil (needed / 8) * 8;
        if (needed == label_width)
            break;
        label_width = i < 2 ? needed : MAX (needed, label_width);
    }
}

/* The room at the left depends on the size of text alone; its contents are in the middle of its
 * height. */
static void
fit_compact (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    PvChartLayout *layout = &painter->layout;
    double left = pv_time_ruler_get_left (layout->width, view->text_scale), widest;
    layout->plot.left = to_device (layout, left);
    layout->px_per_ms =
        (layout->plot.right - layout->plot.left) / MAX (layout->end_ms - layout->start_ms, 1e-9);
    place_columns (layout, series);
    widest = place_value_ticks (painter, &layout->plot, highest_of_columns (layout),
                                lowest_of_columns (layout), series->unit);
    if (layout->plot.n_ticks > 0)
        layout->plot.ticks[0].has_label = false;
    double middle = (layout->plot.top + layout->plot.bottom) / layout->scale / 2;
    double n_lines = layout->has_resident ? 2 : 1;
    layout->caption_top = floor (middle - n_lines * layout->line_height / 2);
    layout->caption_width = MAX (left - layout->caption_x - widest - 2 * AXIS_GAP, 0);
}

/* Dumps are as wide as the time until the next one. */
static double
find_peak_time (const PvSeries *series)
{
    if (series->kind != PV_CHART_DUMPS)
        return (double)series->peak_ms;
    uint32_t p = 0;
    while (p + 1 < series->n_points && series->start_ms[p + 1] <= series->peak_ms)
        p++;
    return ((double)series->start_ms[p] + (double)series->start_ms[p + 1]) / 2;
}

static void
place_peak (PvChartPainter *painter, const PvSeries *series, double top, double left)
{
    PvChartLayout *layout = &painter->layout;
    char time[PV_CHART_LABEL_SIZE];
    double time_ms = find_peak_time (series);
    if (time_ms < layout->start_ms || time_ms > layout->end_ms)
        return;
    layout->has_peak = true;
    layout->peak_x = MIN (time_to_pixel (layout, time_ms), layout->plot.right - 1);
    layout->peak_y = pv_chart_panel_y (&layout->plot, pv_chart_positive (series->peak_value));
    g_autofree char *value =
        pv_chart_format_value (pv_chart_positive (series->peak_value), series->unit);
    double resolution = 1 / MAX (layout->px_per_ms / layout->scale, 1e-9);
    pv_chart_format_time ((double)series->peak_ms, MIN (resolution * 10, 1000), layout->end_ms,
                          time);
    if (layout->is_numbered)
        g_snprintf (layout->peak_label, sizeof layout->peak_label, _ ("peak %s"), value);
    else
        /* Translators: an amount and a time */
        g_snprintf (layout->peak_label, sizeof layout->peak_label, _ ("peak %s at %s"), value,
                    time);

    double width = pv_chart_measure_text (painter, layout->peak_label);
    double right = layout->plot.right / layout->scale + PADDING / 2.0;
    layout->peak_label_x =
        floor (CLAMP (layout->peak_x / layout->scale - width / 2, left, MAX (right - width, left)));
    layout->peak_label_top = top;
    layout->has_peak_label = layout->peak_label_x + width <= layout->width;
}

/* Sizes have two panels, counts above bytes. */
static void
split_panels (PvChartLayout *layout, const PvSeries *series)
{
    PvChartPanel *plot = &layout->plot;
    int gap = to_device (layout, PANEL_GAP + layout->line_height + 6);
    int height = plot->bottom - plot->top - gap;
    if (layout->is_time || series->size_classes == NULL ||
        height < to_device (layout, 3 * LEAST_PLOT_HEIGHT))
        return;
    layout->bytes = *plot;
    plot->bottom = plot->top + height * 3 / 5;
    layout->bytes.top = plot->bottom + gap;
}

static void
set_range (PvChartLayout *layout, const PvSeries *series, const PvChartView *view)
{
    layout->is_time = series->kind != PV_CHART_SIZES;
    layout->is_numbered = series->kind == PV_CHART_DUMPS && !series->tree->profile->has_dump_times;
    layout->is_rate = series->kind == PV_CHART_ALLOCATIONS || series->kind == PV_CHART_TEMPORARY;
    if (!layout->is_time || series->n_points == 0)
        return;
    double start = (double)series->start_ms[0], end = (double)series->start_ms[series->n_points];
    layout->start_ms = start;
    layout->end_ms = MAX (end, start + 1);
    if (view->end_ms > view->start_ms && view->start_ms < layout->end_ms &&
        view->end_ms > layout->start_ms) {
        layout->start_ms = MAX (view->start_ms, layout->start_ms);
        layout->end_ms = MIN (view->end_ms, layout->end_ms);
    }
}

/* Reserves room for the legend at the right or at the bottom. */
static void
place_legend (PvChartPainter *painter, const PvSeries *series, double top, double *right,
              double *bottom)
{
    PvChartLayout *layout = &painter->layout;
    bool is_single =
        series->n_layers == 0 || (series->n_layers == 1 && series->layers[0].function == 0);
    if (is_single && !layout->has_resident)
        return;
    if (layout->width >= BESIDE_WIDTH && layout->height >= BESIDE_HEIGHT) {
        double most = CLAMP (layout->width * 0.32, 180, 420);
        double width = MIN (pv_chart_legend_width (painter, series), most);
        cairo_rectangle_t room = {*right - width, top, width, *bottom - top};
        layout->has_legend_title = true;
        *right -= width + 2 * PADDING;
        pv_chart_layout_legend (painter, series, room, true);
    } else if (layout->height >= BELOW_HEIGHT) {
        double row = pv_chart_legend_row_height (layout);
        double columns = pv_chart_legend_columns (layout);
        double most = layout->height * (layout->height < TWO_ROWS_HEIGHT ? 0.2 : 0.36);
        double n = pv_chart_legend_count (series) + (layout->has_resident ? 1 : 0);
        double rows = MIN (ceil (n / columns), MAX (floor (most / row), 1));
        cairo_rectangle_t room = {PADDING, *bottom - rows * row, layout->width - 2 * PADDING,
                                  rows * row};
        *bottom -= rows * row + 4;
        pv_chart_layout_legend (painter, series, room, false);
    }
}

/* Little height: see chart.h. */
static void
arrange_compact (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    PvChartLayout *layout = &painter->layout;
    layout->plot.top = to_device (layout, PV_TIME_RULER_HEIGHT + 3);
    layout->plot.right = to_device (layout, view->width);
    layout->plot.bottom = to_device (layout, view->height - 1);
    layout->has_caption = true;
    if (series->n_points == 0 || !layout->is_time || view->width < LEAST_PLOT_WIDTH ||
        layout->plot.bottom - layout->plot.top < to_device (layout, LEAST_COMPACT_HEIGHT)) {
        layout->plot.right = layout->plot.left = 0;
        layout->has_caption = false;
        return;
    }
    fit_compact (painter, series, view);
    if (layout->is_numbered)
        place_number_ticks (painter, series,
                            floor ((PV_TIME_RULER_HEIGHT - layout->line_height) / 2) +
                                layout->text_baseline);
    if (series->has_peak && !view->hides_peak)
        place_peak (painter, series, 0, 0);
    layout->has_peak_label = false;
}

void
pv_chart_layout_update (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    PvChartLayout *layout = &painter->layout;
    layout->n_time_ticks = layout->n_legend = layout->n_legend_hidden = 0;
    layout->has_peak = layout->has_peak_label = layout->has_legend_title = false;
    layout->plot = layout->bytes = (PvChartPanel){0};
    layout->columns.len = 0;
    layout->width = view->width;
    layout->height = view->height;
    layout->start_ms = layout->end_ms = layout->slot_width = 0;
    layout->line_height =
        ceil (pv_glyph_font_get_ascent (painter->font) + pv_glyph_font_get_descent (painter->font));
    layout->text_baseline = floor (pv_glyph_font_get_ascent (painter->font) + 0.5);
    layout->has_resident = series->resident != NULL && !view->hides_resident;
    layout->is_resident_above =
        layout->has_resident && series->highest > 0 &&
        (double)series->highest_resident > RESIDENT_MOST * (double)series->highest;
    layout->is_compact = view->is_compact;
    layout->caption_x = PADDING;
    layout->caption_width = -1;
    set_range (layout, series, view);
    if (view->is_compact) {
        arrange_compact (painter, series, view);
        return;
    }

    bool can_have_peak = series->kind == PV_CHART_LIVE || series->kind == PV_CHART_DUMPS;
    bool wants_peak = series->has_peak && can_have_peak && !view->hides_peak;
    bool has_two_rows = wants_peak && view->height >= TWO_ROWS_HEIGHT;
    double top = PADDING, right = view->width - PADDING, bottom = view->height - PADDING / 2.0;
    layout->caption_top = top;
    double caption_end = PADDING + pv_chart_measure_text (painter, painter->caption) + 2 * PADDING;
    double head = top + layout->line_height + 8;
    if (!view->hides_legend)
        place_legend (painter, series, head, &right, &bottom);
    layout->has_caption = caption_end - 2 * PADDING <= view->width;
    double peak_top = has_two_rows ? head - 2 : top;
    top = has_two_rows ? peak_top + layout->line_height + 6 : head;

    double axis_baseline = bottom - layout->line_height + layout->text_baseline;
    layout->plot.top = to_device (layout, top);
    layout->plot.right = to_device (layout, right);
    layout->plot.bottom = to_device (layout, bottom - layout->line_height - 5);
    if (series->n_points == 0 || right < LEAST_PLOT_WIDTH + 50 ||
        layout->plot.bottom - layout->plot.top < to_device (layout, LEAST_PLOT_HEIGHT)) {
        layout->plot.right = layout->plot.left = 0;
        return;
    }
    split_panels (layout, series);
    fit_axis (painter, series);
    if (layout->is_numbered)
        place_number_ticks (painter, series, axis_baseline);
    else if (layout->is_time)
        place_time_ticks (painter, axis_baseline);
    else
        place_class_labels (painter, series, axis_baseline);
    if (wants_peak)
        place_peak (painter, series, peak_top,
                    has_two_rows ? layout->plot.left / layout->scale : caption_end);
}
