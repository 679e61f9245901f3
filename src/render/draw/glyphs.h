/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>
#include <pango/pangocairo.h>
#include <stdbool.h>

#include "render/draw/label.h"

/*
 * One font for many short texts. Converts ASCII to glyph runs by a table: thousands of labels take
 * a few calls of cairo_show_glyphs. Everything else uses Pango, with cached layouts. Not
 * thread-safe.
 */
typedef struct PvGlyphFont PvGlyphFont;

PvGlyphFont *pv_glyph_font_new (const PangoFontDescription *description);
void pv_glyph_font_free (PvGlyphFont *font);

/* Rounds advances to whole device pixels; a scale of 0 gives exact ones, for vector formats. */
void pv_glyph_font_set_scale (PvGlyphFont *font, double device_scale);
const PvAdvances *pv_glyph_font_get_advances (const PvGlyphFont *font);
/* Changes whenever the advances do. */
unsigned pv_glyph_font_get_generation (const PvGlyphFont *font);
double pv_glyph_font_get_ascent (const PvGlyphFont *font);
double pv_glyph_font_get_descent (const PvGlyphFont *font);

/* Sets the font of a context, for pv_glyph_run_show (). */
void pv_glyph_font_set (const PvGlyphFont *font, cairo_t *cr);

/* Glyphs waiting to be shown in one call. Initialise with zeros. */
typedef struct {
    cairo_glyph_t *data;
    size_t len;
    size_t cap;
} PvGlyphRun;

/* text is ASCII and PV_LABEL_ELLIPSIS. Returns the x after it. */
double pv_glyph_run_add (PvGlyphRun *run, const PvGlyphFont *font, const char *text, size_t len,
                         double x, double baseline);
/* Shows the glyphs in the context's source colour and empties the run. */
void pv_glyph_run_show (PvGlyphRun *run, cairo_t *cr);
void pv_glyph_run_clear (PvGlyphRun *run);

/* Shows any UTF-8 text, ellipsized to width, in the context's source colour. False if nothing
 * worth reading fits. */
bool pv_glyph_font_show_text (PvGlyphFont *font, cairo_t *cr, const char *text, double x,
                              double baseline, double width);
/* The same in the middle of a row from top on, with the baseline at a whole number. */
bool pv_glyph_font_show_centered (PvGlyphFont *font, cairo_t *cr, const char *text, double x,
                                  double top, double height, double width);
/* The text's width if not cut. */
double pv_glyph_font_measure_text (PvGlyphFont *font, const char *text);
