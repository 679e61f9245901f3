/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/format.h"
#include "render/export/export.h"
#include "render/export/picture-file.h"
#include "render/export/picture-frame.h"

enum {
    DEFAULT_WIDTH = 1200,
    DEFAULT_PLOT_HEIGHT = 430,
    LEAST_WIDTH = 200,
    LEAST_HEIGHT = 120,
    MOST_TIPS = 20000, /* more would be a file of megabytes */
    LEGEND_STEPS = 3,
};

typedef struct {
    const PvHeatMap *map;
    PvHeatView view; /* inside the frame */
    PvHeatPainter *painter;
    PvPictureFrame frame;
    double height; /* of all */
} PvHeatPage;

static PvUnit
unit_of_page (const PvHeatPage *page)
{
    return page->map->profile->measures[page->map->measure].unit;
}

/* The least and the most that a color stands for, of a few colors. */
static void
add_legend (PvHeatPage *page)
{
    const PvHeatMap *map = page->map;
    pv_picture_frame_add_color (&page->frame, C_ ("legend", "nothing"), page->painter->steps[0],
                                -1);
    for (unsigned i = 1; i <= LEGEND_STEPS && map->highest > 0; i++) {
        unsigned step = i * PV_HEAT_STEPS / LEGEND_STEPS;
        uint64_t most = (uint64_t)((double)map->highest * step / PV_HEAT_STEPS);
        g_autofree char *amount = pv_format_amount (most, unit_of_page (page));
        g_autofree char *text = g_strdup_printf (_ ("up to %s"), amount);
        pv_picture_frame_add_color (&page->frame, text, page->painter->steps[step], -1);
    }
}

static char *
footer_text (const PvHeatPage *page)
{
    const PvHeatMap *map = page->map;
    g_autofree char *column = pv_format_amount (map->column_ns, PV_UNIT_NS);
    g_autofree char *cell = pv_format_amount (map->column_ns / PV_HEAT_ROWS, PV_UNIT_NS);
    GString *text = g_string_new (NULL);
    pv_picture_append_total (text, map->profile, map->measure, map->weight);
    pv_picture_append_samples (text, map->profile, map->measure, map->n_all_samples);
    pv_format_add_remark (
        text,
        /* Translators: two durations */
        g_strdup_printf (_ ("a column is %s, from the bottom up, a cell %s"), column, cell));
    return g_string_free (text, FALSE);
}

static void
draw_page (cairo_t *cr, void *data)
{
    const PvHeatPage *page = data;
    g_autofree char *footer = footer_text (page);
    pv_picture_frame_draw (&page->frame, cr, PV_FRAME_TITLE_HEIGHT + page->view.height, footer);
    cairo_save (cr);
    cairo_translate (cr, PV_FRAME_MARGIN, PV_FRAME_TITLE_HEIGHT);
    cairo_rectangle (cr, 0, 0, page->view.width, page->view.height);
    cairo_clip (cr);
    pv_heat_draw (page->painter, cr, page->map, &page->view);
    cairo_restore (cr);
}

static void
append_tip (GString *svg, const PvHeatPage *page, uint32_t cell)
{
    const PvHeatMap *map = page->map;
    cairo_rectangle_t box = pv_heat_get_box (map, &page->view, cell);
    g_autofree char *times = pv_heat_format_times (map, cell, cell);
    g_autofree char *amount = pv_format_amount (map->weights[cell], unit_of_page (page));
    double left = floor (box.x), top = floor (box.y);
    const cairo_rectangle_int_t place = {
        PV_FRAME_MARGIN + (int)left, PV_FRAME_TITLE_HEIGHT + (int)top,
        MAX ((int)(box.x + box.width - left), 1), MAX ((int)(box.y + box.height - top), 1)};
    pv_picture_append_tip (svg, &place, times, amount, NULL);
}

/* An invisible box for each cell that has something, unless these are too many. */
static void
append_tool_tips (GString *svg, void *data)
{
    const PvHeatPage *page = data;
    uint32_t n = pv_heat_map_count_cells (page->map);
    if (n > MOST_TIPS)
        return;
    g_string_append (svg, "<g fill=\"none\" pointer-events=\"all\">\n");
    for (uint32_t cell = 0; cell < n; cell++)
        if (page->map->weights[cell] > 0)
            append_tip (svg, page, cell);
    g_string_append (svg, "</g>\n");
}

static void
page_init (PvHeatPage *page, const PvHeatMap *map, const PvPictureFile *file,
           const PvHeatView *view)
{
    double max = pv_picture_get_max_side (file), around;
    *page = (PvHeatPage){.map = map, .view = *view, .frame.title = file->title};
    page->frame.width =
        floor (CLAMP (view->width > 0 ? view->width : DEFAULT_WIDTH, LEAST_WIDTH, max));
    page->view.width = page->frame.width - 2 * PV_FRAME_MARGIN;
    page->view.device_scale = file->device_scale;
    page->view.selected = PV_HEAT_NONE;
    page->painter = pv_heat_painter_new (NULL);
    page->painter->is_vector = file->kind != PV_PICTURE_PNG;
    pv_heat_painter_prepare (page->painter, &page->view);
    page->frame.font = page->painter->font;
    page->frame.palette = &page->painter->palette;
    add_legend (page);
    pv_picture_frame_place (&page->frame);
    around = PV_FRAME_TITLE_HEIGHT + pv_picture_frame_get_footer_height (&page->frame);
    page->height = view->height > 0 ? view->height : around + DEFAULT_PLOT_HEIGHT;
    page->height = floor (CLAMP (page->height, MIN (around + LEAST_HEIGHT, max), max));
    page->view.height = page->height - around;
}

bool
pv_export_heat_map (const char *path, const PvHeatMap *map, const PvHeatView *view,
                    const char *title, GError **error)
{
    g_assert (path != NULL && map != NULL && view != NULL);

    PvPictureFile file;
    PvHeatPage page;
    if (!pv_picture_file_init (&file, path, title, view->device_scale, error))
        return false;
    page_init (&page, map, &file, view);
    file.width = page.frame.width;
    file.height = page.height;
    bool ok = pv_picture_write (path, &file, draw_page, append_tool_tips, &page, error);
    pv_picture_frame_clear (&page.frame);
    pv_heat_painter_free (page.painter);
    return ok;
}
