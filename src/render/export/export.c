/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/export/export.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analyze/tables/functions.h"
#include "core/base/array.h"
#include "core/base/format.h"
#include "render/export/picture-file.h"
#include "render/flame/flame-graph-private.h"

/*
 * The page around the picture: a title above it, the meaning of the colours and the measure below.
 * The file is made in memory and replaces the old one atomically.
 */
enum {
    MARGIN = 16,
    TITLE_HEIGHT = 40,
    LINE_HEIGHT = 22,
    SWATCH = 12,
    DEFAULT_WIDTH = 1200,
    LEAST_WIDTH = 200,
    LEAST_ROWS_HEIGHT = 40,
    MAX_LEGEND = 12,
};

typedef struct {
    char *name;
    PvColor color;
    double share; /* of the total, or -1 */
    double x;     /* in the legend */
    uint32_t line;
} PvLegendEntry;

typedef struct {
    PvPictureKind kind;
    const PvCallTree *tree;
    PvFlameView view; /* of the picture inside the page */
    PvFlamePainter *painter;
    const char *title;
    double width;
    double height;
    double full_height; /* of the picture if it is not cut */
    PV_ARRAY (PvLegendEntry) legend;
    uint32_t n_legend_lines;
} PvPage;

static const PvMeasure *
measure_of_page (const PvPage *page)
{
    const PvProfile *profile = page->tree->profile;
    PvMeasureId measure = page->tree->query.measure;
    return measure < profile->n_measures ? &profile->measures[measure] : NULL;
}

static PvUnit
unit_of_page (const PvPage *page)
{
    const PvMeasure *measure = measure_of_page (page);
    return measure != NULL ? measure->unit : PV_UNIT_COUNT;
}

static double
share_of_total (const PvPage *page, uint64_t weight)
{
    uint64_t total = page->tree->n_nodes > 0 ? page->tree->total[0] : 0;
    return total > 0 ? (double)weight / (double)total : 0;
}

static PvModuleId
module_of_node (const PvCallTree *tree, PvNodeId node)
{
    const PvFunction *function = pv_flame_function (tree, node);
    return function != NULL ? function->module : 0;
}

static void
add_legend (PvPage *page, const char *name, unsigned hue, double share)
{
    PvLegendEntry entry = {.name = g_strdup (name), .share = share};
    entry.color = page->painter->palette.fills[PV_SHADE_NORMAL][hue];
    pv_array_push (&page->legend, entry);
}

typedef struct {
    PvModuleId module;
    double weight;
} PvModuleWeight;

static int
compare_module_weights (const void *a, const void *b)
{
    const PvModuleWeight *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->module < y->module ? -1 : x->module > y->module;
}

static void
weigh_visible_modules (const PvPage *page, PvModuleWeight *weights)
{
    const PvCallTree *tree = page->tree;
    PvFlameLayout layout;
    pv_flame_layout_init_range (&layout, tree, &page->view);
    for (PvNodeId node = 0; node < tree->n_nodes; node++) {
        PvModuleId module = module_of_node (tree, node);
        if (pv_flame_layout_right (&layout, node) > 0 &&
            pv_flame_layout_left (&layout, node) < layout.width)
            weights[module].weight += (double)tree->self[node];
    }
}

/* Nodes that are folded have no module, but functions do. */
static void
weigh_all_modules (const PvPage *page, PvModuleWeight *weights)
{
    g_autoptr (PvFunctionList) list = pv_function_list_build (page->tree, NULL);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionRow *row = &list->rows[i];
        weights[page->tree->symbols->functions[row->function].module].weight += (double)row->self;
    }
}

/* The modules with most self weight in the visible range, heaviest first. */
static void
add_module_legend (PvPage *page)
{
    const PvCallTree *tree = page->tree;
    uint32_t n_modules = tree->profile->n_modules;
    PvModuleWeight *weights = g_new0 (PvModuleWeight, MAX (n_modules, 1));
    if (tree->has_folded && page->view.zoom_node == 0)
        weigh_all_modules (page, weights);
    else
        weigh_visible_modules (page, weights);
    weights[0].weight = 0;
    for (PvModuleId module = 0; module < n_modules; module++)
        weights[module].module = module;
    qsort (weights, n_modules, sizeof *weights, compare_module_weights);
    for (uint32_t i = 0; i < n_modules && page->legend.len < MAX_LEGEND; i++) {
        const PvModule *module = &tree->profile->modules[weights[i].module];
        double share = weights[i].weight / MAX ((double)tree->total[0], 1);
        if (share < 0.0005)
            break;
        bool is_named = module->name != NULL && module->name[0] != '\0';
        add_legend (page, is_named ? module->name : _ ("unknown"), pv_palette_module_hue (module),
                    share);
    }
    g_free (weights);
}

static void
add_kind_legend (PvPage *page)
{
    const char *const kinds[] = {_ ("program"), _ ("library"), _ ("kernel"), _ ("inlined"),
                                 _ ("unknown")};
    for (unsigned i = 0; i < G_N_ELEMENTS (kinds); i++)
        add_legend (page, kinds[i], (PV_FAMILY_KIND + i) * PV_N_SHADES + PV_N_SHADES / 2, -1);
}

static char *
legend_text (const PvLegendEntry *entry)
{
    if (entry->share < 0)
        return g_strdup (entry->name);
    g_autofree char *share = pv_format_percent (entry->share, 1);
    return g_strdup_printf ("%s %s", entry->name, share);
}

/* Breaks the legend into lines. */
static void
place_legend (PvPage *page)
{
    double x = MARGIN;
    uint32_t line = 0;
    for (size_t i = 0; i < page->legend.len; i++) {
        PvLegendEntry *entry = &page->legend.data[i];
        char *text = legend_text (entry);
        double width = SWATCH + 6 + pv_glyph_font_measure_text (page->painter->font, text) + 20;
        g_free (text);
        if (x > MARGIN && x + width - 20 > page->width - MARGIN) {
            x = MARGIN;
            line++;
        }
        entry->x = x;
        entry->line = line;
        x += width;
    }
    page->n_legend_lines = page->legend.len > 0 ? line + 1 : 0;
}

static double
footer_height (const PvPage *page)
{
    return 10 + (page->n_legend_lines + 1) * LINE_HEIGHT + 6;
}

static void
page_init (PvPage *page, PvPictureKind kind, const PvCallTree *tree, const PvFlameView *view,
           const char *title)
{
    *page = (PvPage){.kind = kind, .tree = tree, .view = *view, .title = title};
    double wanted = view->height;
    if (kind != PV_PICTURE_PNG || !(view->device_scale >= 1 && view->device_scale <= 8))
        page->view.device_scale = 1;
    double max = pv_picture_get_max_side (kind, page->view.device_scale);
    page->width = view->width > 0 ? CLAMP (view->width, LEAST_WIDTH, max) : DEFAULT_WIDTH;
    page->width = floor (page->width);
    page->view.width = page->width - 2 * MARGIN;
    page->view.height = 0;
    page->view.scroll_y = 0;

    page->painter = pv_flame_painter_new (NULL);
    page->painter->is_vector = kind != PV_PICTURE_PNG;
    pv_flame_painter_prepare (page->painter, tree, &page->view);
    if (view->colors == PV_COLOR_BY_MODULE)
        add_module_legend (page);
    else if (view->colors == PV_COLOR_BY_KIND)
        add_kind_legend (page);
    place_legend (page);

    double around = TITLE_HEIGHT + footer_height (page);
    page->full_height = pv_flame_get_full_height (page->painter, tree, &page->view);
    page->height = wanted > 0 ? wanted : page->full_height + around;
    page->height = floor (CLAMP (page->height, around + LEAST_ROWS_HEIGHT, max));
    page->view.height = page->height - around;
    /* If not everything fits, keep the side of the root. */
    if (page->view.is_flame && page->full_height > page->view.height)
        page->view.scroll_y = page->full_height - page->view.height;
}

static void
page_clear (PvPage *page)
{
    for (size_t i = 0; i < page->legend.len; i++)
        g_free (page->legend.data[i].name);
    pv_array_clear (&page->legend);
    pv_flame_painter_free (page->painter);
}

static void
set_color (cairo_t *cr, PvColor color)
{
    cairo_set_source_rgb (cr, color.red, color.green, color.blue);
}

static void
show_text (const PvPage *page, cairo_t *cr, const char *text, PvColor color, double x,
           double baseline, double width)
{
    set_color (cr, color);
    pv_glyph_font_show_text (page->painter->font, cr, text, x, baseline, width);
}

static void
draw_title (const PvPage *page, cairo_t *cr)
{
    const double scale = 1.3;
    if (page->title == NULL)
        return;
    cairo_save (cr);
    cairo_translate (cr, MARGIN, TITLE_HEIGHT - 14);
    cairo_scale (cr, scale, scale);
    show_text (page, cr, page->title, page->painter->palette.foreground, 0, 0,
               page->view.width / scale);
    cairo_restore (cr);
}

static void
draw_legend (const PvPage *page, cairo_t *cr, double top)
{
    for (size_t i = 0; i < page->legend.len; i++) {
        const PvLegendEntry *entry = &page->legend.data[i];
        double y = top + entry->line * LINE_HEIGHT;
        cairo_rectangle (cr, entry->x, y + (LINE_HEIGHT - SWATCH) / 2.0, SWATCH, SWATCH);
        set_color (cr, entry->color);
        cairo_fill (cr);
        char *text = legend_text (entry);
        double x = entry->x + SWATCH + 6;
        show_text (page, cr, text, page->painter->palette.foreground, x, y + 16,
                   page->width - MARGIN - x);
        g_free (text);
    }
}

static char *
footer_text (const PvPage *page)
{
    const PvCallTree *tree = page->tree;
    const PvMeasure *measure = measure_of_page (page);
    char *total = pv_format_amount (tree->n_nodes > 0 ? tree->total[0] : 0, unit_of_page (page));
    char *samples = pv_format_count (tree->n_kept_samples);
    bool is_of_waits =
        measure != NULL && pv_profile_counts_waits (tree->profile, tree->query.measure);
    GString *text = g_string_new (NULL);
    if (measure != NULL && measure->name != NULL)
        g_string_append_printf (text, _ ("%s: %s in total"), measure->name, total);
    else
        g_string_append_printf (text, _ ("%s in total"), total);
    if (tree->n_kept_samples > 0)
        g_string_append_printf (text, is_of_waits ? _ (", %s waits") : _ (", %s samples"), samples);
    if (page->full_height > page->view.height + 0.5)
        g_string_append (text, _ (" (the deepest levels are cut off)"));
    g_free (total);
    g_free (samples);
    return g_string_free (text, FALSE);
}

static void
draw_page (cairo_t *cr, void *data)
{
    const PvPage *page = data;
    set_color (cr, page->painter->palette.background);
    cairo_paint (cr);
    draw_title (page, cr);

    cairo_save (cr);
    cairo_translate (cr, MARGIN, TITLE_HEIGHT);
    pv_flame_draw (page->painter, cr, page->tree, &page->view);
    cairo_restore (cr);

    double top = TITLE_HEIGHT + page->view.height + 10;
    draw_legend (page, cr, top);
    char *footer = footer_text (page);
    show_text (page, cr, footer, page->painter->palette.faint, MARGIN,
               top + page->n_legend_lines * LINE_HEIGHT + 16, page->view.width);
    g_free (footer);
}

static void
append_tool_tip (const PvPage *page, GString *svg, const PvFlameBox *box)
{
    const PvCallTree *tree = page->tree;
    PvUnit unit = unit_of_page (page);
    char *total = pv_format_amount (tree->total[box->node], unit);
    char *self = pv_format_amount (tree->self[box->node], unit);
    const PvFunction *function = pv_flame_function (tree, box->node);
    PvModuleId module = module_of_node (tree, box->node);

    g_string_append_printf (svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>",
                            box->left + MARGIN, box->top + TITLE_HEIGHT, box->right - box->left,
                            (int)page->painter->drawn.row_height);
    pv_picture_append_escaped (svg, function != NULL ? function->name
                                                     : pv_call_tree_get_name (tree, box->node));
    g_string_append_c (svg, '\n');
    char *total_share = pv_format_percent (share_of_total (page, tree->total[box->node]), 1);
    char *self_share = pv_format_percent (share_of_total (page, tree->self[box->node]), 1);
    /* Translators: share and amount, twice. */
    char *figures =
        g_strdup_printf (_ ("total %s (%s), self %s (%s)"), total_share, total, self_share, self);
    pv_picture_append_escaped (svg, figures);
    if (module != 0 && module < tree->profile->n_modules &&
        tree->profile->modules[module].name != NULL) {
        g_string_append_c (svg, '\n');
        pv_picture_append_escaped (svg, tree->profile->modules[module].name);
    }
    g_string_append (svg, "</title></rect>\n");
    g_free (figures);
    g_free (total_share);
    g_free (self_share);
    g_free (total);
    g_free (self);
}

static void
append_bundle_tip (const PvPage *page, GString *svg, const PvFlameBundleBox *bundle)
{
    uint64_t weight = pv_flame_bundle_weigh (page->tree, &bundle->nodes);
    g_autofree char *name = pv_flame_bundle_format (page->tree, &bundle->nodes);
    g_autofree char *total = pv_format_amount (weight, unit_of_page (page));
    g_autofree char *share = pv_format_percent (share_of_total (page, weight), 1);
    /* Translators: share and amount of all of them. */
    g_autofree char *figures = g_strdup_printf (_ ("total %s (%s)"), share, total);

    g_string_append_printf (svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"><title>",
                            bundle->left + MARGIN, bundle->top + TITLE_HEIGHT,
                            bundle->right - bundle->left, (int)page->painter->drawn.row_height);
    pv_picture_append_escaped (svg, name);
    g_string_append_c (svg, '\n');
    pv_picture_append_escaped (svg, figures);
    g_string_append (svg, "</title></rect>\n");
}

/* Appends invisible boxes with a title. */
static void
append_tool_tips (GString *svg, void *data)
{
    const PvPage *page = data;
    g_string_append (svg, "<style>.tips rect:hover{stroke:#808080;stroke-width:2}</style>\n"
                          "<g class=\"tips\" fill=\"none\" pointer-events=\"all\">\n");
    for (size_t i = 0; i < page->painter->boxes.len; i++)
        append_tool_tip (page, svg, &page->painter->boxes.data[i]);
    for (size_t i = 0; i < page->painter->bundles.len; i++)
        append_bundle_tip (page, svg, &page->painter->bundles.data[i]);
    g_string_append (svg, "</g>\n");
}

bool
pv_export_flame_graph (const char *path, const PvCallTree *tree, const PvFlameView *view,
                       const char *title, GError **error)
{
    g_assert (path != NULL && tree != NULL && view != NULL);

    PvPictureKind kind;
    PvPage page;
    if (!pv_picture_find_kind (path, &kind, error))
        return false;
    page_init (&page, kind, tree, view, title);
    PvPictureFile file = {kind, page.width, page.height, page.view.device_scale, title};
    bool ok = pv_picture_write (path, &file, draw_page, append_tool_tips, &page, error);
    page_clear (&page);
    return ok;
}
