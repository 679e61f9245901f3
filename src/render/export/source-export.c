/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/export/source-export.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/format.h"
#include "render/export/picture-file.h"
#include "render/export/picture-frame.h"

enum {
    LEAST_WIDTH = 640,
    MOST_WIDTH = 1400,  /* unless the user asks for more */
    LEAST_COLUMNS = 40, /* of source */
    MAX_TITLE = 16,     /* columns */
    SLACK = 2,          /* columns, for viewers with a wider font */
    ROW_HEIGHT = 18,
    HEADING_HEIGHT = 26,
    GAP = 8,    /* between columns */
    BADGE = 14, /* of the hottest lines */
    MAX_ROWS = 700,
    FRAME_HEIGHT = 140, /* about what is around the rows */
};

#define MONO_FAMILY "monospace"
#define MONO_PIXELS 12
#define SANS_FAMILY "sans-serif"
#define SANS_PIXELS 13

typedef enum { FONT_MONO, FONT_SANS, FONT_BOLD, N_FONTS } FontKind;

/* Where columns of figures and of lines are. */
typedef struct {
    double ends[4 * PV_COST_MAX_MEASURES];
    double bars; /* left edge of the bars, which are behind the figures ... */
    double line_end;
    double source;
    double right; /* of the text */
} Columns;

typedef struct {
    const PvSourceListing *listing;
    PvGlyphFont *fonts[N_FONTS];
    PvPalette palette;
    PvPictureFrame frame;
    Columns columns;
    PvColor total_color;
    PvColor self_color;
    PvColor less_total_color;
    PvColor less_self_color;
    PvColor badge_color;
    double digit;  /* width, of FONT_MONO */
    double bottom; /* of the rows */
    double height; /* of all */
} SourcePage;

/* Where a text goes: a context, or the text of an SVG, in which it stays text. */
typedef struct {
    cairo_t *cr;
    GString *svg;
    bool is_svg; /* the context is of one, and has no texts */
} Canvas;

/* Texts */

/* Columns that a letter takes. */
static int
count_columns (gunichar letter)
{
    return g_unichar_iszerowidth (letter) ? 0 : g_unichar_iswide (letter) ? 2 : 1;
}

/* The beginning of a text that fits, in columns; with "…" if it is cut. */
static char *
cut_to_columns (const char *text, int n_columns)
{
    int column = 0;
    const char *cut = text; /* where it ends if it must be cut */
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
        if (column <= n_columns - 1)
            cut = p;
        column += count_columns (g_utf8_get_char (p));
        if (column > n_columns) {
            g_autofree char *start = g_strndup (text, (size_t)(cut - text));
            return g_strconcat (start, "…", NULL);
        }
    }
    return g_strdup (text);
}

static void
append_text (GString *svg, FontKind font, const char *text, PvColor color, double x,
             double baseline, double length, bool is_end)
{
    /* The viewer's font may be another one: lengths keep columns in place. */
    g_string_append_printf (
        svg,
        "<text x=\"%d\" y=\"%d\" font-family=\"%s\" font-size=\"%d\"%s%s "
        "fill=\"#%02x%02x%02x\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\" "
        "xml:space=\"preserve\" style=\"white-space:pre\">",
        (int)lround (x), (int)lround (baseline), font == FONT_MONO ? MONO_FAMILY : SANS_FAMILY,
        font == FONT_MONO ? MONO_PIXELS : SANS_PIXELS,
        font == FONT_BOLD ? " font-weight=\"bold\"" : "", is_end ? " text-anchor=\"end\"" : "",
        (unsigned)lround (color.red * 255), (unsigned)lround (color.green * 255),
        (unsigned)lround (color.blue * 255), MAX ((int)lround (length), 1));
    pv_picture_append_escaped (svg, text);
    g_string_append (svg, "</text>\n");
}

/* x is where the text begins, or ends. It is cut to the width. */
static void
show_text (const SourcePage *page, const Canvas *canvas, FontKind font, const char *text,
           PvColor color, double x, double baseline, double width, bool is_end)
{
    g_autofree char *cut = NULL;
    if (*text == '\0' || width < page->digit)
        return;
    if (font == FONT_MONO)
        text = cut = cut_to_columns (text, (int)(width / page->digit));
    const double length = pv_glyph_font_measure_text (page->fonts[font], text);
    if (canvas->svg != NULL && text[strspn (text, " ")] != '\0')
        append_text (canvas->svg, font, text, color, x, baseline, MIN (length, width), is_end);
    if (canvas->svg != NULL || canvas->is_svg)
        return;
    pv_color_set_source (canvas->cr, color, 1);
    pv_glyph_font_show_text (page->fonts[font], canvas->cr, text, is_end ? x - length : x, baseline,
                             width + 1);
}

/* Rows */

static void
fill_bar (cairo_t *cr, PvColor color, double x, double y, double width)
{
    if (width <= 0)
        return;
    pv_color_set_source (cr, color, 1);
    cairo_rectangle (cr, x, y + 1, MAX (width, 1), ROW_HEIGHT - 2);
    cairo_fill (cr);
}

/* The total, and on it the self, as wide as their parts of the highest total. */
static void
draw_bars (const SourcePage *page, cairo_t *cr, const PvListedFile *file, const PvCost *costs,
           double y)
{
    const PvCostColumns *columns = page->listing->columns;
    const double room = page->columns.ends[columns->n_columns - 1] + GAP - page->columns.bars;
    const double most = (double)MAX (file->max_total, 1);
    const double total = (double)pv_cost_columns_get_amount (columns, costs, 0, false);
    const double self = (double)pv_cost_columns_get_amount (columns, costs, 0, true);
    fill_bar (cr, total < 0 ? page->less_total_color : page->total_color, page->columns.bars, y,
              room * MIN (ABS (total) / most, 1));
    fill_bar (cr, self < 0 ? page->less_self_color : page->self_color, page->columns.bars, y,
              room * MIN (ABS (self) / most, 1));
}

static void
draw_badge (const SourcePage *page, const Canvas *canvas, uint32_t rank, double y)
{
    const double x = PV_FRAME_MARGIN + BADGE / 2.0;
    char text[16];
    if (canvas->svg == NULL) {
        pv_color_set_source (canvas->cr, page->badge_color, 1);
        cairo_arc (canvas->cr, x, y + ROW_HEIGHT / 2.0, BADGE / 2.0, 0, 2 * G_PI);
        cairo_fill (canvas->cr);
    }
    g_snprintf (text, sizeof text, "%u", rank);
    show_text (page, canvas, FONT_MONO, text, page->palette.background, x + page->digit / 2, y + 13,
               BADGE, true);
}

static void
draw_row (const SourcePage *page, const Canvas *canvas, const PvListedFile *file,
          const PvListedRow *row, double y)
{
    const PvCostColumns *columns = page->listing->columns;
    const Columns *places = &page->columns;
    const PvPalette *palette = &page->palette;
    const double baseline = y + 13, room = places->right - places->source;
    double start = places->bars;
    char number[16];
    if (row->n_left_out > 0) {
        g_autofree char *text = pv_source_listing_describe_gap (row);
        show_text (page, canvas, FONT_MONO, text, palette->faint, places->source, baseline, room,
                   false);
        return;
    }
    if (row->costs != NULL && canvas->svg == NULL)
        draw_bars (page, canvas->cr, file, row->costs, y);
    if (row->rank > 0)
        draw_badge (page, canvas, row->rank, y);
    for (uint32_t c = 0; row->costs != NULL && c < columns->n_columns; c++) {
        g_autofree char *text = pv_cost_columns_format (columns, row->costs, c);
        if (text != NULL)
            show_text (page, canvas, FONT_MONO, text, palette->foreground, places->ends[c],
                       baseline, places->ends[c] - start, true);
        start = places->ends[c];
    }
    g_snprintf (number, sizeof number, "%u", row->line);
    if (row->line > 0)
        show_text (page, canvas, FONT_MONO, number, palette->faint, places->line_end, baseline,
                   places->line_end - start, true);
    const char *text = row->text != NULL ? row->text : row->line > 0 ? "" : _ ("(line unknown)");
    show_text (page, canvas, FONT_MONO, text,
               row->costs != NULL ? palette->foreground : palette->faint, places->source, baseline,
               room, false);
}

/* Heading of a function, with its cost. */
static char *
make_heading (const PvSourceListing *listing, const PvFunctionLines *function)
{
    const PvCostColumns *columns = listing->columns;
    const PvFunction *named = &listing->tree->symbols->functions[function->function];
    const PvCostMeasure *measure = &columns->measures[0];
    const int64_t self_amount = pv_cost_columns_get_amount (columns, function->costs, 0, true);
    const int64_t total_amount = pv_cost_columns_get_amount (columns, function->costs, 0, false);
    if (measure->has_sides) {
        g_autofree char *self = pv_format_signed_amount (self_amount, measure->unit);
        g_autofree char *total = pv_format_signed_amount (total_amount, measure->unit);
        /* Translators: a function, and by how much its cost has changed */
        return g_strdup_printf (_ ("%s: change of self %s, of total %s"), named->label, self,
                                total);
    }
    const double whole = (double)measure->whole;
    g_autofree char *self = pv_format_percent ((double)self_amount, whole);
    g_autofree char *total = pv_format_percent ((double)total_amount, whole);
    /* Translators: a function, and what it costs */
    return g_strdup_printf (_ ("%s: self %s, total %s"), named->label, self, total);
}

static void
draw_titles (const SourcePage *page, const Canvas *canvas, double y)
{
    const PvCostColumns *columns = page->listing->columns;
    const Columns *places = &page->columns;
    double start = places->bars;
    for (uint32_t c = 0; c < columns->n_columns; c++) {
        show_text (page, canvas, FONT_MONO, columns->columns[c].title, page->palette.faint,
                   places->ends[c], y + 13, places->ends[c] - start, true);
        start = places->ends[c];
    }
    show_text (page, canvas, FONT_MONO, C_ ("column", "Line"), page->palette.faint,
               places->line_end, y + 13, places->line_end - start, true);
}

/* True if a row fits in a picture of a given height. Without canvas, nothing is drawn. */
static bool
fits (const SourcePage *page, const Canvas *canvas, double y, double height)
{
    return canvas != NULL && y + height <= page->bottom;
}

/* All rows; without a canvas only what they take. Returns their lower edge. */
static double
draw_rows (const SourcePage *page, const Canvas *canvas)
{
    const PvSourceListing *listing = page->listing;
    const PvFunctionLines *last = NULL;
    const double width = page->columns.right - PV_FRAME_MARGIN;
    double y = PV_FRAME_TITLE_HEIGHT;
    size_t row = 0;
    if (canvas != NULL)
        draw_titles (page, canvas, y);
    y += ROW_HEIGHT;
    for (size_t f = 0; f < listing->files.len; f++) {
        const PvListedFile *file = &listing->files.data[f];
        if (file->function != last && fits (page, canvas, y, HEADING_HEIGHT)) {
            g_autofree char *heading = make_heading (listing, file->function);
            show_text (page, canvas, FONT_BOLD, heading, page->palette.foreground, PV_FRAME_MARGIN,
                       y + 18, width, false);
        }
        y += file->function != last ? HEADING_HEIGHT : 0;
        last = file->function;
        if (file->heading != NULL && fits (page, canvas, y, ROW_HEIGHT))
            show_text (page, canvas, FONT_SANS, file->heading, page->palette.faint, PV_FRAME_MARGIN,
                       y + 13, width, false);
        y += file->heading != NULL ? ROW_HEIGHT : 0;
        for (uint32_t i = 0; i < file->n_rows; i++, row++, y += ROW_HEIGHT)
            if (fits (page, canvas, y, ROW_HEIGHT))
                draw_row (page, canvas, file, &listing->rows.data[row], y);
        y += GAP;
    }
    return y;
}

static char *
make_footer (const SourcePage *page)
{
    const PvSourceListing *listing = page->listing;
    const PvCostMeasure *measure = &listing->columns->measures[0];
    g_autofree char *whole = measure->has_sides
                                 ? pv_format_signed_amount (measure->net, measure->unit)
                                 : pv_format_amount (measure->whole, measure->unit);
    g_autofree char *n_all = pv_format_count (listing->n_all_functions);
    /* Translators: a measure, and how much of it there is */
    g_autofree char *total = g_strdup_printf (_ ("%s: %s in total"), measure->name, whole);
    if (listing->n_functions == listing->n_all_functions)
        return g_steal_pointer (&total);
    /* Translators: "cycles: 3 G in total", a number of functions, and of all there are */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s; %u of %s function",
                                         "%s; %u of %s functions", listing->n_all_functions),
                            total, listing->n_functions, n_all);
}

static void
draw_page (cairo_t *cr, void *data)
{
    const SourcePage *page = data;
    const Canvas canvas = {
        .cr = cr,
        .is_svg = cairo_surface_get_type (cairo_get_target (cr)) == CAIRO_SURFACE_TYPE_SVG,
    };
    g_autofree char *footer = make_footer (page);
    pv_picture_frame_draw (&page->frame, cr, page->bottom, footer);
    draw_rows (page, &canvas);
}

static void
append_texts (GString *svg, void *data)
{
    const Canvas canvas = {.svg = svg};
    draw_rows (data, &canvas);
}

/* Places */

static PvGlyphFont *
new_font (const char *family, int pixels, bool is_bold)
{
    PangoFontDescription *description = pango_font_description_from_string (family);
    pango_font_description_set_absolute_size (description, pixels * PANGO_SCALE);
    if (is_bold)
        pango_font_description_set_weight (description, PANGO_WEIGHT_BOLD);
    PvGlyphFont *font = pv_glyph_font_new (description);
    pv_glyph_font_set_scale (font, 0);
    pango_font_description_free (description);
    return font;
}

static int
count_text_columns (const char *text)
{
    int n = 0;
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
        n += count_columns (g_utf8_get_char (p));
    return n;
}

static uint32_t
count_digits (uint32_t number)
{
    uint32_t n = 1;
    for (; number >= 10; number /= 10)
        n++;
    return n;
}

static void
place_columns (SourcePage *page, double width, double most)
{
    const PvSourceListing *listing = page->listing;
    const PvCostColumns *columns = listing->columns;
    Columns *places = &page->columns;
    uint32_t last_line = 0;
    int n_columns = LEAST_COLUMNS;
    for (size_t i = 0; i < listing->rows.len; i++) {
        const PvListedRow *row = &listing->rows.data[i];
        last_line = MAX (last_line, row->line);
        if (row->text != NULL)
            n_columns = MAX (n_columns, count_text_columns (row->text));
    }
    double x = places->bars = PV_FRAME_MARGIN + BADGE + GAP / 2.0;
    for (uint32_t c = 0; c < columns->n_columns; c++) {
        const int title = count_text_columns (columns->columns[c].title);
        x += GAP + page->digit * MAX ((int)columns->columns[c].max_chars, MIN (title, MAX_TITLE));
        places->ends[c] = x;
        x += GAP;
    }
    places->line_end = x + GAP + page->digit * MAX (count_digits (last_line), 4);
    places->source = places->line_end + 2 * GAP;
    const double natural = places->source + page->digit * (n_columns + SLACK) + PV_FRAME_MARGIN;
    page->frame.width = width > 0 ? width : CLAMP (ceil (natural), LEAST_WIDTH, MOST_WIDTH);
    page->frame.width = floor (MIN (page->frame.width, most));
    places->right = page->frame.width - PV_FRAME_MARGIN;
}

static void
add_legend (SourcePage *page, const char *scale_text)
{
    if (page->listing->columns->measures[0].has_sides) {
        pv_picture_frame_add_color (&page->frame, _ ("Self, less"), page->less_self_color, -1);
        pv_picture_frame_add_color (&page->frame, _ ("Total, less"), page->less_total_color, -1);
        pv_picture_frame_add_color (&page->frame, _ ("Self, more"), page->self_color, -1);
        pv_picture_frame_add_color (&page->frame, _ ("Total, more"), page->total_color, -1);
        pv_picture_frame_add_color (&page->frame, _ ("Most changed lines"), page->badge_color, -1);
    } else {
        pv_picture_frame_add_color (&page->frame, C_ ("legend", "Self"), page->self_color, -1);
        pv_picture_frame_add_color (&page->frame, C_ ("legend", "Total"), page->total_color, -1);
        pv_picture_frame_add_color (&page->frame, _ ("Hottest lines"), page->badge_color, -1);
    }
    if (scale_text != NULL)
        pv_picture_frame_add_caption (&page->frame, g_strdup (scale_text));
}

static void
choose_colors (SourcePage *page)
{
    const PvPalette *palette = &page->palette;
    const PvColor more = palette->fills[PV_SHADE_NORMAL][pv_palette_change_hue (1)];
    const PvColor less = palette->fills[PV_SHADE_NORMAL][pv_palette_change_hue (-1)];
    page->total_color = pv_color_mix (palette->background, more, 0.35);
    page->self_color = pv_color_mix (palette->background, more, 0.8);
    page->less_total_color = pv_color_mix (palette->background, less, 0.35);
    page->less_self_color = pv_color_mix (palette->background, less, 0.8);
    page->badge_color = pv_color_mix (more, palette->foreground, 0.6);
}

uint32_t
pv_export_source_count_rows (double height)
{
    const double rows = (height - FRAME_HEIGHT) / ROW_HEIGHT;
    return height > 0 ? (uint32_t)CLAMP (rows, 1, MAX_ROWS) : MAX_ROWS;
}

bool
pv_export_source (const char *path, const PvSourceListing *listing, double width, double height,
                  double device_scale, const char *scale_text, const char *title, GError **error)
{
    g_assert (path != NULL && listing != NULL);
    PvPictureFile file;
    SourcePage page = {.listing = listing, .frame.title = title};
    if (!pv_picture_file_init (&file, path, title, device_scale, error))
        return false;
    const double most = pv_picture_get_max_side (&file);
    pv_palette_init (&page.palette, false, false, false);
    choose_colors (&page);
    page.fonts[FONT_MONO] = new_font ("Monospace", MONO_PIXELS, false);
    page.fonts[FONT_SANS] = new_font ("Sans", SANS_PIXELS, false);
    page.fonts[FONT_BOLD] = new_font ("Sans", SANS_PIXELS, true);
    page.digit = pv_glyph_font_measure_text (page.fonts[FONT_MONO], "0");
    page.frame.font = page.fonts[FONT_SANS];
    page.frame.palette = &page.palette;
    add_legend (&page, scale_text);
    place_columns (&page, width, most);
    pv_picture_frame_place (&page.frame);
    const double footer = pv_picture_frame_get_footer_height (&page.frame);
    page.height = height > 0 ? height : draw_rows (&page, NULL) + footer;
    page.height = floor (MIN (page.height, most));
    page.bottom = page.height - footer;
    file.width = page.frame.width;
    file.height = page.height;
    bool ok = pv_picture_write (path, &file, draw_page, append_texts, &page, error);
    pv_picture_frame_clear (&page.frame);
    for (unsigned i = 0; i < N_FONTS; i++)
        pv_glyph_font_free (page.fonts[i]);
    return ok;
}
