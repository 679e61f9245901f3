/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/chart/chart.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/model/profile/dumps.h"
#include "render/chart/chart-private.h"
#include "render/draw/function-label.h"

void
pv_chart_view_init (PvChartView *view)
{
    g_assert (view != NULL);

    *view = (PvChartView){.device_scale = 1};
}

PvChartPainter *
pv_chart_painter_new (const PangoFontDescription *font)
{
    PvChartPainter *painter = g_new0 (PvChartPainter, 1);
    painter->font = pv_glyph_font_new (font);
    painter->strings = pv_arena_new ();
    return painter;
}

static void
drop_symbols (PvChartPainter *painter)
{
    if (painter->symbols != NULL)
        pv_symbol_table_free ((PvSymbolTable *)painter->symbols);
    painter->symbols = NULL;
}

void
pv_chart_painter_free (PvChartPainter *painter)
{
    if (painter == NULL)
        return;
    drop_symbols (painter);
    for (size_t i = 0; i < G_N_ELEMENTS (painter->images); i++)
        g_clear_pointer (&painter->images[i], cairo_surface_destroy);
    pv_chart_layout_clear (&painter->layout);
    pv_glyph_font_free (painter->font);
    pv_arena_free (painter->strings);
    g_free (painter->caption);
    pv_array_clear (&painter->names);
    pv_array_clear (&painter->function_of_name);
    pv_array_clear (&painter->placed);
    pv_array_clear (&painter->colors);
    pv_array_clear (&painter->tops);
    pv_glyph_run_clear (&painter->glyphs);
    g_free (painter);
}

static const PvFunction *
function_of_layer (const PvSeries *series, uint32_t layer)
{
    PvFunctionId function = series->layers[layer].function;
    const PvSymbolTable *symbols = series->tree != NULL ? series->tree->symbols : NULL;
    return function != 0 && symbols != NULL && function < symbols->n_functions
               ? &symbols->functions[function]
               : NULL;
}

/* Only the module distinguishes functions without a name. */
static const char *
module_of_unknown (const PvSeries *series, const PvFunction *function)
{
    const PvProfile *profile = series->tree->profile;
    if (function->kind != PV_FUNCTION_UNKNOWN || function->module == 0 || profile == NULL ||
        function->module >= profile->n_modules)
        return NULL;
    const char *module = profile->modules[function->module].name;
    if (profile->modules[function->module].kind == PV_MODULE_UNKNOWN)
        return NULL;
    return module != NULL && module[0] != '\0' && strstr (function->name, module) == NULL ? module
                                                                                          : NULL;
}

char *
pv_chart_get_layer_name (const PvSeries *series, uint32_t layer)
{
    g_assert (series != NULL && layer < series->n_layers);

    const PvFunction *function = function_of_layer (series, layer);
    if (function == NULL)
        return g_strdup (series->kind == PV_CHART_RSS ? _ ("resident memory") : _ ("all others"));
    const char *module = module_of_unknown (series, function);
    return module != NULL
               ? g_strdup_printf (C_ ("function in a module", "%s in %s"), function->name, module)
               : g_strdup (function->name);
}

/* Short: there is only room for the name. */
static char *
caption_dumps (const PvSeries *series, bool is_short)
{
    const PvMeasure *measure = pv_series_find_dump_measure (series->tree);
    if (measure == NULL)
        return g_strdup ("");
    if (is_short)
        return g_strdup (measure->name);
    uint32_t base;
    if (pv_series_find_base (series->tree, &base)) {
        const PvProfile *profile = series->tree->profile;
        PvMeasureId state =
            pv_dumps_find_measure (profile, series->tree->query.measure, PV_AGGREGATION_STATE);
        const char *name = state != UINT32_MAX ? profile->measures[state].name : measure->name;
        /* Translators: the name of a measure, like "inuse_space", and of a dump of a series. */
        return g_strdup_printf (
            /* Translators: a measure, and the name of a dump, as in the next ones */
            measure->aggregation == PV_AGGREGATION_CHANGE ? _ ("Growth and decrease of %s since %s")
            : measure->aggregation == PV_AGGREGATION_GROWTH ? _ ("Growth of %s since %s")
                                                            : _ ("Decrease of %s since %s"),
            name, profile->dumps[base].name);
    }
    /* Translators: the name of a measure, like "inuse_space". */
    return g_strdup_printf (_ ("%s in each dump"), measure->name);
}

static char *
make_caption (const PvSeries *series, bool is_short)
{
    switch (series->kind) {
    case PV_CHART_LIVE:
        return g_strdup (_ ("Bytes live"));
    case PV_CHART_ALLOCATIONS:
        return g_strdup (_ ("Allocations per second"));
    case PV_CHART_TEMPORARY:
        return g_strdup (_ ("Temporary allocations per second"));
    case PV_CHART_RSS:
        return g_strdup (_ ("Resident memory"));
    case PV_CHART_SIZES:
        return g_strdup (_ ("Allocations of each size"));
    case PV_CHART_DUMPS:
        return caption_dumps (series, is_short);
    case PV_N_CHARTS:
        break;
    }
    return g_strdup ("");
}

static bool
are_names_current (const PvChartPainter *painter, const PvSeries *series,
                   const PvSymbolTable *symbols)
{
    if (painter->symbols != symbols || painter->names.len != series->n_layers ||
        painter->font_generation != pv_glyph_font_get_generation (painter->font))
        return false;
    for (uint32_t l = 0; l < series->n_layers; l++)
        if (painter->function_of_name.data[l] != series->layers[l].function)
            return false;
    return symbols != NULL;
}

static void
prepare_names (PvChartPainter *painter, const PvSeries *series)
{
    const PvSymbolTable *symbols = series->tree != NULL ? series->tree->symbols : NULL;
    if (are_names_current (painter, series, symbols))
        return;
    drop_symbols (painter);
    painter->symbols = symbols != NULL ? pv_symbol_table_ref (symbols) : NULL;
    painter->font_generation = pv_glyph_font_get_generation (painter->font);
    pv_arena_free (painter->strings);
    painter->strings = pv_arena_new ();
    pv_array_resize (&painter->names, series->n_layers);
    pv_array_resize (&painter->function_of_name, series->n_layers);
    for (uint32_t l = 0; l < series->n_layers; l++) {
        const PvFunction *function = function_of_layer (series, l);
        char *name = pv_chart_get_layer_name (series, l);
        const char *kept = pv_arena_strndup (painter->strings, name, strlen (name));
        bool is_own = function != NULL && strcmp (function->name, name) == 0;
        painter->function_of_name.data[l] = series->layers[l].function;
        pv_function_label_init (&painter->names.data[l], pv_glyph_font_get_advances (painter->font),
                                is_own ? function : NULL, kept, painter->strings);
        g_free (name);
    }
}

bool
pv_chart_painter_prepare (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    g_assert (painter != NULL && view != NULL);

    double scale = view->device_scale > 0 && view->device_scale < 64 ? view->device_scale : 1;
    PvChartPalette *palette = &painter->palette;
    if (!painter->has_palette || palette->is_dark != view->is_dark ||
        palette->is_high_contrast != view->is_high_contrast)
        pv_chart_palette_init (palette, view->is_dark, view->is_high_contrast);
    painter->has_palette = true;
    pv_glyph_font_set_scale (painter->font, painter->is_vector ? 0 : scale);
    /* Steps of whole pixels would be visible in enlarged pictures. */
    painter->layout.scale = painter->is_vector ? 8 : scale;
    if (series == NULL)
        return false;
    prepare_names (painter, series);
    g_free (painter->caption);
    painter->caption = make_caption (series, view->is_compact);
    pv_array_resize (&painter->colors, series->n_layers);
    pv_chart_colors_assign (series, painter->colors.data);
    pv_chart_layout_update (painter, series, view);
    return true;
}

PvColor
pv_chart_layer_color (const PvChartPainter *painter, const PvSeries *series,
                      const PvChartView *view, uint32_t layer)
{
    const PvChartPalette *palette = &painter->palette;
    if (series->kind == PV_CHART_RSS)
        return palette->soft;
    bool has_selected = false;
    for (uint32_t l = 0; view->selected != 0 && l < series->n_layers; l++)
        has_selected = has_selected || series->layers[l].function == view->selected;
    bool is_faded = has_selected && series->layers[layer].function != view->selected;
    return (is_faded ? palette->faded : palette->fills)[painter->colors.data[layer]];
}

PvColor
pv_chart_get_color (PvChartPainter *painter, const PvSeries *series, const PvChartView *view,
                    uint32_t layer)
{
    g_assert (painter != NULL && view != NULL);

    PvChartView plain = *view;
    plain.selected = 0;
    if (!pv_chart_painter_prepare (painter, series, &plain) || layer >= series->n_layers)
        return painter->palette.background;
    return pv_chart_layer_color (painter, series, &plain, layer);
}

PvColor
pv_chart_get_resident_color (PvChartPainter *painter, const PvChartView *view)
{
    g_assert (painter != NULL && view != NULL);

    pv_chart_painter_prepare (painter, NULL, view);
    return painter->palette.resident;
}

double
pv_chart_measure_text (PvChartPainter *painter, const char *text)
{
    if (pv_label_is_ascii (text))
        return pv_label_measure (pv_glyph_font_get_advances (painter->font), text);
    return pv_glyph_font_measure_text (painter->font, text);
}

static void
show_ascii (PvChartPainter *painter, cairo_t *cr, const char *text, size_t len, double x,
            double baseline)
{
    pv_glyph_font_set (painter->font, cr);
    pv_glyph_run_add (&painter->glyphs, painter->font, text, len, x, baseline);
    pv_glyph_run_show (&painter->glyphs, cr);
}

void
pv_chart_show_text (PvChartPainter *painter, cairo_t *cr, const char *text, double x,
                    double baseline, double width)
{
    bool is_ascii = pv_label_is_ascii (text);
    if (is_ascii && (width < 0 || pv_chart_measure_text (painter, text) <= width))
        show_ascii (painter, cr, text, strlen (text), x, baseline);
    else
        pv_glyph_font_show_text (painter->font, cr, text, x, baseline, width < 0 ? 1 << 16 : width);
}

double
pv_chart_measure_name (PvChartPainter *painter, const PvSeries *series, uint32_t layer, double most)
{
    const PvLabelName *name = &painter->names.data[layer];
    if (name->name_width == 0)
        return MIN (pv_glyph_font_measure_text (painter->font, name->short_name), most);
    /* Template arguments are only worth the room if all of them fit. */
    if (name->name_width <= most)
        return name->name_width;
    if (name->label != NULL)
        return MIN (name->label_width, most);
    return MIN (name->elided != NULL ? name->elided_width : name->short_width, most);
}

void
pv_chart_show_name (PvChartPainter *painter, cairo_t *cr, const PvSeries *series, uint32_t layer,
                    double x, double baseline, double width)
{
    const PvLabelName *name = &painter->names.data[layer];
    char text[PV_LABEL_MAX];
    if (name->name_width == 0) {
        bool is_short = pv_glyph_font_measure_text (painter->font, name->name) > width;
        pv_glyph_font_show_text (painter->font, cr, is_short ? name->short_name : name->name, x,
                                 baseline, width);
        return;
    }
    size_t len = pv_function_label_fit (pv_glyph_font_get_advances (painter->font), name,
                                        (float)width, text);
    show_ascii (painter, cr, text, len, x, baseline);
}

cairo_rectangle_t
pv_chart_get_plot_rect (PvChartPainter *painter, const PvSeries *series, const PvChartView *view)
{
    if (!pv_chart_painter_prepare (painter, series, view))
        return (cairo_rectangle_t){0};
    const PvChartPanel *plot = &painter->layout.plot;
    double scale = painter->layout.scale;
    if (pv_chart_panel_is_empty (plot))
        return (cairo_rectangle_t){0};
    return (cairo_rectangle_t){plot->left / scale, plot->top / scale,
                               (plot->right - plot->left) / scale,
                               (plot->bottom - plot->top) / scale};
}
