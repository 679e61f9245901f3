/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "render/chart/chart-private.h"
#include "render/export/export.h"
#include "render/export/picture-file.h"

/* A page with the title above the chart; its legend is part of the chart. */
enum {
    MARGIN = 12,
    TITLE_HEIGHT = 32,
    DEFAULT_WIDTH = 960,
    DEFAULT_HEIGHT = 480,
    LEAST_WIDTH = 200,
    LEAST_HEIGHT = 120,
};

typedef struct {
    PvChartPainter *painter;
    const PvSeries *series;
    PvChartView view; /* of the chart inside the page */
    const char *title;
    double top; /* of the chart */
} PvChartPage;

static void
draw_page (cairo_t *cr, void *data)
{
    const PvChartPage *page = data;
    const double scale = 1.3;
    pv_chart_painter_prepare (page->painter, page->series, &page->view);
    const PvChartPalette *palette = &page->painter->palette;
    pv_color_set_source (cr, palette->background, 1);
    cairo_paint (cr);
    if (page->title != NULL) {
        cairo_save (cr);
        cairo_translate (cr, MARGIN + 8, TITLE_HEIGHT - 8);
        cairo_scale (cr, scale, scale);
        pv_color_set_source (cr, palette->foreground, 1);
        pv_glyph_font_show_text (page->painter->font, cr, page->title, 0, 0,
                                 (page->view.width - 16) / scale);
        cairo_restore (cr);
    }
    cairo_translate (cr, MARGIN, page->top);
    pv_chart_draw (page->painter, cr, page->series, &page->view);
}

/* The outline of a layer as drawn, in device pixels. */
static void
append_area (GString *svg, const PvChartPage *page, uint32_t layer)
{
    const PvChartColumn *columns = page->painter->layout.columns.data;
    const int *tops = page->painter->tops.data;
    size_t n = page->painter->layout.columns.len, stride = page->series->n_layers + 1;
    g_string_append_printf (svg, "M%d %d", columns[0].left, tops[layer]);
    for (size_t i = 0; i < n; i++) {
        int top = tops[i * stride + layer + 1];
        if (i == 0 || top != tops[(i - 1) * stride + layer + 1])
            g_string_append_printf (svg, "V%d", top);
        if (i + 1 == n || top != tops[(i + 1) * stride + layer + 1])
            g_string_append_printf (svg, "H%d", columns[i].right);
    }
    for (size_t i = n; i-- > 0;) {
        int bottom = tops[i * stride + layer];
        if (i + 1 == n || bottom != tops[(i + 1) * stride + layer])
            g_string_append_printf (svg, "V%d", bottom);
        if (i == 0 || bottom != tops[(i - 1) * stride + layer])
            g_string_append_printf (svg, "H%d", columns[i].left);
    }
    g_string_append_c (svg, 'Z');
}

static void
append_title (GString *svg, const PvChartPage *page, uint32_t layer)
{
    PvChartHit hit = {.is_in_legend = true, .layer = layer};
    PvChartText text = pv_chart_describe_hit (page->series, &hit);
    pv_picture_append_title (svg, text.site, text.value, NULL);
    pv_chart_text_clear (&text);
}

static void
append_areas (GString *svg, const PvChartPage *page)
{
    char scale[G_ASCII_DTOSTR_BUF_SIZE]; /* with a decimal point in every locale */
    g_ascii_dtostr (scale, sizeof scale, 1 / page->painter->layout.scale);
    g_string_append_printf (svg, "<g transform=\"scale(%s)\">\n", scale);
    for (uint32_t l = 0; l < page->series->n_layers; l++) {
        g_string_append (svg, "<path d=\"");
        append_area (svg, page, l);
        g_string_append (svg, "\">");
        append_title (svg, page, l);
        g_string_append (svg, "</path>\n");
    }
    g_string_append (svg, "</g>\n");
}

/* Invisible areas with their layer's full name as a tooltip. */
static void
append_tool_tips (GString *svg, void *data)
{
    const PvChartPage *page = data;
    const PvChartLayout *layout = &page->painter->layout;
    if (layout->columns.len == 0 || page->series->kind == PV_CHART_RSS)
        return;
    g_string_append_printf (
        svg, "<g fill=\"none\" pointer-events=\"all\" transform=\"translate(%d %d)\">\n", MARGIN,
        (int)page->top);
    append_areas (svg, page);
    for (uint32_t i = 0; i < layout->n_legend; i++) {
        const cairo_rectangle_t *rect = &layout->legend[i].rect;
        if (layout->legend[i].layer >= page->series->n_layers)
            continue;
        g_string_append_printf (svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">",
                                (int)rect->x, (int)rect->y, (int)rect->width, (int)rect->height);
        append_title (svg, page, layout->legend[i].layer);
        g_string_append (svg, "</rect>\n");
    }
    g_string_append (svg, "</g>\n");
}

static double
side (double wanted, double otherwise, double least, double most)
{
    return floor (CLAMP (wanted > 0 ? wanted : otherwise, least, most));
}

bool
pv_export_chart (const char *path, const PvSeries *series, const PvChartView *view,
                 const char *title, GError **error)
{
    g_assert (path != NULL && series != NULL && view != NULL);

    PvPictureFile file;
    if (!pv_picture_file_init (&file, path, title, view->device_scale, error))
        return false;
    double most = pv_picture_get_max_side (&file);
    file.width = side (view->width, DEFAULT_WIDTH, LEAST_WIDTH, most);
    file.height = side (view->height, DEFAULT_HEIGHT, LEAST_HEIGHT, most);

    PvChartPage page = {.series = series, .view = *view, .title = title};
    page.top = title != NULL ? TITLE_HEIGHT : MARGIN;
    page.view.width = file.width - 2 * MARGIN;
    page.view.height = file.height - page.top - MARGIN;
    page.view.device_scale = file.device_scale;
    page.painter = pv_chart_painter_new (NULL);
    page.painter->is_vector = file.kind != PV_PICTURE_PNG;
    bool ok = pv_picture_write (path, &file, draw_page, append_tool_tips, &page, error);
    pv_chart_painter_free (page.painter);
    return ok;
}
