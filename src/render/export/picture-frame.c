/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/export/picture-frame.h"

#include "core/base/format.h"
#include "render/flame/value-colors.h"

enum {
    MARGIN = PV_FRAME_MARGIN,
    LINE_HEIGHT = 22,
    SWATCH = 12,
    ENTRY_GAP = 20,
};

void
pv_picture_frame_add_color (PvPictureFrame *frame, const char *name, PvColor color, double share)
{
    g_assert (frame != NULL && name != NULL);

    PvLegendEntry entry = {.name = g_strdup (name), .color = color, .share = share};
    pv_array_push (&frame->legend, entry);
}

void
pv_picture_frame_add_steps (PvPictureFrame *frame, const GArray *steps)
{
    g_assert (frame != NULL && frame->palette != NULL && steps != NULL);
    for (guint i = 0; i < steps->len; i++) {
        const PvValueStep *step = &g_array_index (steps, PvValueStep, i);
        pv_picture_frame_add_color (frame, step->text,
                                    frame->palette->fills[PV_SHADE_NORMAL][step->hue], -1);
        frame->legend.data[frame->legend.len - 1].stripes = step->stripes;
    }
}

void
pv_picture_frame_add_caption (PvPictureFrame *frame, char *text)
{
    g_assert (frame != NULL && text != NULL);

    PvLegendEntry caption = {.name = text, .share = -1, .is_caption = true};
    pv_array_push (&frame->legend, caption);
}

/* Distance from the left edge of an entry to its text. */
static double
swatch_width (const PvLegendEntry *entry)
{
    return entry->is_caption ? 0 : SWATCH + 6;
}

static char *
legend_text (const PvLegendEntry *entry)
{
    if (entry->share < 0)
        return g_strdup (entry->name);
    g_autofree char *share = pv_format_percent (entry->share, 1);
    return g_strdup_printf ("%s %s", entry->name, share);
}

void
pv_picture_frame_place (PvPictureFrame *frame)
{
    g_assert (frame != NULL && frame->font != NULL);

    double x = MARGIN;
    uint32_t line = 0;
    for (size_t i = 0; i < frame->legend.len; i++) {
        PvLegendEntry *entry = &frame->legend.data[i];
        g_autofree char *text = legend_text (entry);
        double width =
            swatch_width (entry) + pv_glyph_font_measure_text (frame->font, text) + ENTRY_GAP;
        if (x > MARGIN && x + width - ENTRY_GAP > frame->width - MARGIN) {
            x = MARGIN;
            line++;
        }
        entry->x = x;
        entry->line = line;
        x += width;
    }
    frame->n_legend_lines = frame->legend.len > 0 ? line + 1 : 0;
}

double
pv_picture_frame_get_footer_height (const PvPictureFrame *frame)
{
    g_assert (frame != NULL);
    return 10 + (frame->n_legend_lines + 1) * LINE_HEIGHT + 6;
}

static void
show_text (const PvPictureFrame *frame, cairo_t *cr, const char *text, PvColor color, double x,
           double baseline, double width)
{
    pv_color_set_source (cr, color, 1);
    pv_glyph_font_show_text (frame->font, cr, text, x, baseline, width);
}

static void
draw_title (const PvPictureFrame *frame, cairo_t *cr)
{
    const double scale = 1.3;
    if (frame->title == NULL)
        return;
    cairo_save (cr);
    cairo_translate (cr, MARGIN, PV_FRAME_TITLE_HEIGHT - 14);
    cairo_scale (cr, scale, scale);
    show_text (frame, cr, frame->title, frame->palette->foreground, 0, 0,
               (frame->width - 2 * MARGIN) / scale);
    cairo_restore (cr);
}

static void
draw_swatch (const PvPictureFrame *frame, cairo_t *cr, const PvLegendEntry *entry, double y)
{
    cairo_rectangle_int_t box = {(int)entry->x, (int)(y + (LINE_HEIGHT - SWATCH) / 2.0), SWATCH,
                                 SWATCH};
    cairo_rectangle (cr, entry->x, y + (LINE_HEIGHT - SWATCH) / 2.0, SWATCH, SWATCH);
    pv_color_set_source (cr, entry->color, 1);
    cairo_fill (cr);
    pv_color_set_source (cr, pv_stripes_get_color (entry->color, frame->palette->foreground), 1);
    pv_stripes_draw (cr, entry->stripes, 1, &box, true);
}

static void
draw_legend (const PvPictureFrame *frame, cairo_t *cr, double top)
{
    for (size_t i = 0; i < frame->legend.len; i++) {
        const PvLegendEntry *entry = &frame->legend.data[i];
        double y = top + entry->line * LINE_HEIGHT;
        if (!entry->is_caption)
            draw_swatch (frame, cr, entry, y);
        g_autofree char *text = legend_text (entry);
        double x = entry->x + swatch_width (entry);
        show_text (frame, cr, text, frame->palette->foreground, x, y + 16,
                   frame->width - MARGIN - x);
    }
}

void
pv_picture_frame_draw (const PvPictureFrame *frame, cairo_t *cr, double bottom, const char *footer)
{
    g_assert (frame != NULL && cr != NULL && footer != NULL);

    double top = bottom + 10;
    pv_color_set_source (cr, frame->palette->background, 1);
    cairo_paint (cr);
    draw_title (frame, cr);
    draw_legend (frame, cr, top);
    show_text (frame, cr, footer, frame->palette->faint, MARGIN,
               top + frame->n_legend_lines * LINE_HEIGHT + 16, frame->width - 2 * MARGIN);
}

void
pv_picture_frame_clear (PvPictureFrame *frame)
{
    for (size_t i = 0; i < frame->legend.len; i++)
        g_free (frame->legend.data[i].name);
    pv_array_clear (&frame->legend);
}
