/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/glyphs.h"

#include <math.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"

/* The number of cached layouts; beyond this, all are dropped. */
enum { MAX_LAYOUTS = 4096 };

struct PvGlyphFont {
    PangoContext *context;
    PangoFontDescription *description;
    cairo_font_face_t *face;
    cairo_matrix_t matrix;
    cairo_font_options_t *options;
    double scale;
    double ascent;
    double descent;
    unsigned long glyph_of[128];
    unsigned generation;
    PvAdvances advances;
    GHashTable *layouts; /* text and width (PvLayoutKey) -> PangoLayout, or NULL if too narrow */
};

typedef struct {
    PvHash text;
    int width;
} PvLayoutKey;

static guint
layout_key_hash (gconstpointer data)
{
    const PvLayoutKey *key = data;
    return (guint)(key->text.a + pv_hash_mix ((unsigned)key->width));
}

static gboolean
layout_key_equal (gconstpointer a, gconstpointer b)
{
    const PvLayoutKey *x = a, *y = b;
    return x->text.a == y->text.a && x->text.b == y->text.b && x->width == y->width;
}

static void
free_layout (void *layout)
{
    g_clear_object ((PangoLayout **)&layout);
}

static PangoFontDescription *
default_description (void)
{
    return pango_font_description_from_string ("Cantarell, Adwaita Sans, Sans 10");
}

PvGlyphFont *
pv_glyph_font_new (const PangoFontDescription *description)
{
    PvGlyphFont *font = g_new0 (PvGlyphFont, 1);
    font->description =
        description != NULL ? pango_font_description_copy (description) : default_description ();
    font->options = cairo_font_options_create ();
    cairo_font_options_set_antialias (font->options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style (font->options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics (font->options, CAIRO_HINT_METRICS_ON);

    PangoFontMap *map = pango_cairo_font_map_new ();
    font->context = pango_font_map_create_context (map);
    g_object_unref (map);
    pango_cairo_context_set_font_options (font->context, font->options);
    font->layouts = g_hash_table_new_full (layout_key_hash, layout_key_equal, g_free, free_layout);
    font->scale = -1;
    pv_glyph_font_set_scale (font, 1);
    return font;
}

void
pv_glyph_font_free (PvGlyphFont *font)
{
    if (font == NULL)
        return;
    g_hash_table_unref (font->layouts);
    g_clear_object (&font->context);
    pango_font_description_free (font->description);
    cairo_font_options_destroy (font->options);
    cairo_font_face_destroy (font->face);
    g_free (font);
}

/* Loads the face that Pango finds for the description, or cairo's fallback. */
static void
load_face (PvGlyphFont *font)
{
    PangoFont *loaded = pango_context_load_font (font->context, font->description);
    cairo_scaled_font_t *scaled =
        loaded != NULL ? pango_cairo_font_get_scaled_font (PANGO_CAIRO_FONT (loaded)) : NULL;
    if (scaled != NULL) {
        font->face = cairo_font_face_reference (cairo_scaled_font_get_font_face (scaled));
        cairo_scaled_font_get_font_matrix (scaled, &font->matrix);
    } else {
        font->face = cairo_toy_font_face_create ("sans-serif", CAIRO_FONT_SLANT_NORMAL,
                                                 CAIRO_FONT_WEIGHT_NORMAL);
        cairo_matrix_init_scale (&font->matrix, 13, 13);
    }
    g_clear_object (&loaded);
}

static void
load_glyph (PvGlyphFont *font, cairo_scaled_font_t *scaled, const char *text, unsigned slot)
{
    cairo_glyph_t buffer[4], *glyphs = buffer;
    int n_glyphs = G_N_ELEMENTS (buffer);
    cairo_text_extents_t extents = {0};

    if (cairo_scaled_font_text_to_glyphs (scaled, 0, 0, text, -1, &glyphs, &n_glyphs, NULL, NULL,
                                          NULL) != CAIRO_STATUS_SUCCESS)
        return;
    if (n_glyphs > 0) {
        cairo_scaled_font_glyph_extents (scaled, glyphs, 1, &extents);
        font->glyph_of[slot] = glyphs[0].index;
        font->advances.of[slot] = (float)extents.x_advance;
    }
    if (glyphs != buffer)
        cairo_glyph_free (glyphs);
}

void
pv_glyph_font_set_scale (PvGlyphFont *font, double device_scale)
{
    g_assert (font != NULL && device_scale >= 0);

    if (!(device_scale >= 0 && device_scale < 64))
        device_scale = 1;
    if (font->scale == device_scale)
        return;
    font->scale = device_scale;
    font->generation++;
    g_hash_table_remove_all (font->layouts);
    if (font->face == NULL)
        load_face (font);

    bool exact = device_scale == 0;
    cairo_font_options_set_hint_style (font->options,
                                       exact ? CAIRO_HINT_STYLE_NONE : CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics (font->options,
                                         exact ? CAIRO_HINT_METRICS_OFF : CAIRO_HINT_METRICS_ON);
    pango_cairo_context_set_font_options (font->context, font->options);

    cairo_matrix_t ctm;
    cairo_matrix_init_scale (&ctm, exact ? 1 : device_scale, exact ? 1 : device_scale);
    cairo_scaled_font_t *scaled =
        cairo_scaled_font_create (font->face, &font->matrix, &ctm, font->options);
    cairo_font_extents_t extents = {.ascent = 12, .descent = 3};
    if (cairo_scaled_font_status (scaled) == CAIRO_STATUS_SUCCESS) {
        cairo_scaled_font_extents (scaled, &extents);
        for (unsigned c = 0x20; c < 0x7f; c++)
            load_glyph (font, scaled, (char[]){(char)c, '\0'}, c);
        load_glyph (font, scaled, "…", PV_LABEL_ELLIPSIS);
    }
    font->ascent = extents.ascent;
    font->descent = extents.descent;
    cairo_scaled_font_destroy (scaled);
}

const PvAdvances *
pv_glyph_font_get_advances (const PvGlyphFont *font)
{
    return &font->advances;
}

unsigned
pv_glyph_font_get_generation (const PvGlyphFont *font)
{
    return font->generation;
}

double
pv_glyph_font_get_ascent (const PvGlyphFont *font)
{
    return font->ascent;
}

double
pv_glyph_font_get_descent (const PvGlyphFont *font)
{
    return font->descent;
}

void
pv_glyph_font_set (const PvGlyphFont *font, cairo_t *cr)
{
    cairo_set_font_face (cr, font->face);
    cairo_set_font_matrix (cr, &font->matrix);
    cairo_set_font_options (cr, font->options);
}

double
pv_glyph_run_add (PvGlyphRun *run, const PvGlyphFont *font, const char *text, size_t len, double x,
                  double baseline)
{
    pv_array_reserve (run, run->len + len);
    cairo_glyph_t *glyph = run->data + run->len;
    for (size_t i = 0; i < len; i++) {
        unsigned c = text[i] & 0x7f;
        if (c != ' ')
            *glyph++ = (cairo_glyph_t){font->glyph_of[c], x, baseline};
        x += font->advances.of[c];
    }
    run->len = (size_t)(glyph - run->data);
    return x;
}

void
pv_glyph_run_show (PvGlyphRun *run, cairo_t *cr)
{
    if (run->len > 0)
        cairo_show_glyphs (cr, run->data, (int)MIN (run->len, G_MAXINT));
    run->len = 0;
}

void
pv_glyph_run_clear (PvGlyphRun *run)
{
    pv_array_clear (run);
}

static PangoLayout *
make_layout (PvGlyphFont *font, const char *text, int width)
{
    PangoLayout *layout = pango_layout_new (font->context);
    pango_layout_set_font_description (layout, font->description);
    pango_layout_set_single_paragraph_mode (layout, TRUE);
    const char *end;
    g_utf8_validate (text, (gssize)strnlen (text, PV_LABEL_MAX), &end);
    pango_layout_set_text (layout, text, (int)(end - text));
    if (width >= 0) {
        pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
        pango_layout_set_width (layout, width * PANGO_SCALE);
    }
    return layout;
}

/* The layout for a width, or without limit (-1); NULL if nothing worth reading fits. */
static PangoLayout *
find_layout (PvGlyphFont *font, const char *text, int width)
{
    PvLayoutKey lookup = {pv_hash_bytes (text, strlen (text), 0), width};
    void *found;
    if (g_hash_table_lookup_extended (font->layouts, &lookup, NULL, &found))
        return found;
    PangoLayout *layout = make_layout (font, text, width);
    int least = (int)(font->advances.of[PV_LABEL_ELLIPSIS] + font->ascent * 1.2);
    if (pango_layout_is_ellipsized (layout) && width < least)
        g_clear_object (&layout);
    if (g_hash_table_size (font->layouts) >= MAX_LAYOUTS)
        g_hash_table_remove_all (font->layouts);
    g_hash_table_insert (font->layouts, g_memdup2 (&lookup, sizeof lookup), layout);
    return layout;
}

bool
pv_glyph_font_show_text (PvGlyphFont *font, cairo_t *cr, const char *text, double x,
                         double baseline, double width)
{
    g_assert (font != NULL && cr != NULL && text != NULL);

    PangoLayout *layout = find_layout (font, text, (int)CLAMP (width, 0, 1 << 20));
    if (layout == NULL)
        return false;
    cairo_move_to (cr, x, baseline);
    pango_cairo_show_layout_line (cr, pango_layout_get_line_readonly (layout, 0));
    return true;
}

bool
pv_glyph_font_show_centered (PvGlyphFont *font, cairo_t *cr, const char *text, double x, double top,
                             double height, double width)
{
    double middle = top + (height + font->ascent - font->descent) / 2;
    return pv_glyph_font_show_text (font, cr, text, x, floor (middle + 0.5), width);
}

double
pv_glyph_font_measure_text (PvGlyphFont *font, const char *text)
{
    g_assert (font != NULL && text != NULL);

    int width = 0;
    pango_layout_get_size (find_layout (font, text, -1), &width, NULL);
    return (double)width / PANGO_SCALE;
}
