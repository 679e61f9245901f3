/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "render/chart/chart-private.h"
#include "render/draw/raster.h"

/*
 * From one line of pixels to the next, only columns in which a layer starts change. So changes are
 * sorted by line and applied to a buffered line, which is copied once per line.
 */
typedef struct {
    int y;
    int left;
    int right;
    uint32_t pixel;
} PvChange;

typedef struct {
    PV_ARRAY (PvChange) changes;
    PV_ARRAY (PvChange) sorted;
    PV_ARRAY (uint32_t) starts; /* start of each line in sorted */
} PvChanges;

static void
add_change (PvChanges *changes, int y, int left, int right, uint32_t pixel)
{
    PvChange change = {y, left, right, pixel};
    pv_array_push (&changes->changes, change);
}

/* The pixel values of each layer and of its upper edge. */
typedef struct {
    uint32_t *fills;
    uint32_t *edges;
} PvPixels;

static void
add_column (PvChanges *changes, const PvChartLayout *layout, const PvSeries *series,
            const PvChartColumn *column, const int *tops, const PvPixels *pixels)
{
    int left, right, edge = MAX ((int)(layout->scale + 0.25), 1);
    uint32_t background = pixels->fills[series->n_layers];
    pv_chart_column_get_bar (layout, column, &left, &right);
    for (uint32_t l = series->n_layers; l-- > 0;) {
        int height = tops[l] - tops[l + 1];
        if (height <= 0)
            continue;
        bool has_edge = height >= 3 * edge && tops[l + 1] > tops[series->n_layers];
        if (has_edge)
            add_change (changes, tops[l + 1], left, right, pixels->edges[l]);
        add_change (changes, tops[l + 1] + (has_edge ? edge : 0), left, right, pixels->fills[l]);
    }
    add_change (changes, tops[0], left, right, background);
}

/* Counting sort by line; keeps the order of addition. */
static void
sort_changes (PvChanges *changes, int top, int bottom)
{
    size_t n_lines = (size_t)(bottom - top) + 1, sum = 0;
    pv_array_resize (&changes->starts, n_lines + 1);
    uint32_t *starts = changes->starts.data;
    memset (starts, 0, (n_lines + 1) * sizeof *starts);
    for (size_t i = 0; i < changes->changes.len; i++)
        starts[changes->changes.data[i].y - top]++;
    for (size_t line = 0; line <= n_lines; line++) {
        size_t count = starts[line];
        starts[line] = (uint32_t)sum;
        sum += count;
    }
    pv_array_resize (&changes->sorted, changes->changes.len);
    for (size_t i = 0; i < changes->changes.len; i++)
        changes->sorted.data[starts[changes->changes.data[i].y - top]++] = changes->changes.data[i];
}

static void
write_lines (const PvChanges *changes, const PvRaster *raster, const PvChartPanel *plot,
             uint32_t background)
{
    size_t width = (size_t)(plot->right - plot->left), next = 0;
    uint32_t *line = g_new (uint32_t, width + 1);
    int left = MAX (plot->left, raster->left), right = MIN (plot->right, raster->right);
    for (size_t x = 0; x < width; x++)
        line[x] = background;
    for (int y = plot->top; y < plot->bottom; y++) {
        for (; next < changes->sorted.len && changes->sorted.data[next].y == y; next++) {
            const PvChange *change = &changes->sorted.data[next];
            for (int x = change->left - plot->left; x < change->right - plot->left; x++)
                line[x] = change->pixel;
        }
        if (y < raster->top || y >= raster->bottom || left >= right)
            continue;
        memcpy (raster->data + (size_t)(y + raster->y) * raster->stride +
                    (size_t)(left + raster->x) * sizeof *line,
                line + (left - plot->left), (size_t)(right - left) * sizeof *line);
    }
    g_free (line);
}

bool
pv_chart_raster (PvChartPainter *painter, cairo_t *cr, const PvSeries *series,
                 const PvChartView *view)
{
    const PvChartLayout *layout = &painter->layout;
    PvChanges changes = {0};
    PvRaster raster;
    if (!pv_raster_init (&raster, cr, layout->scale))
        return false;

    uint32_t *buffer = g_new (uint32_t, 2 * (size_t)series->n_layers + 2);
    PvPixels pixels = {buffer, buffer + series->n_layers + 1};
    const PvChartPalette *palette = &painter->palette;
    for (uint32_t l = 0; l < series->n_layers; l++) {
        PvColor color = pv_chart_layer_color (painter, series, view, l);
        pixels.fills[l] = pv_raster_pack (color);
        pixels.edges[l] =
            pv_raster_pack (pv_color_mix (color, palette->separator, palette->separator_share));
    }
    uint32_t background = pixels.fills[series->n_layers] = pv_raster_pack (palette->background);
    for (size_t i = 0; i < layout->columns.len; i++)
        add_column (&changes, layout, series, &layout->columns.data[i],
                    painter->tops.data + i * (series->n_layers + 1), &pixels);
    sort_changes (&changes, layout->plot.top, layout->plot.bottom);
    write_lines (&changes, &raster, &layout->plot, background);
    cairo_surface_mark_dirty (cairo_get_group_target (cr));

    pv_array_clear (&changes.changes);
    pv_array_clear (&changes.sorted);
    pv_array_clear (&changes.starts);
    g_free (buffer);
    return true;
}
