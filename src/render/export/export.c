/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/export/export.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analyze/compare/compare-text.h"
#include "core/analyze/tables/functions.h"
#include "core/base/array.h"
#include "core/base/format.h"
#include "render/chart/time-ruler.h"
#include "render/draw/color-shares.h"
#include "render/export/picture-file.h"
#include "render/export/picture-frame.h"
#include "render/flame/flame-graph-private.h"
#include "render/flame/value-colors.h"
#include "render/treemap/treemap-private.h"

/*
 * Flame graphs in their frame. The file is made in memory and replaces the old one atomically.
 */
enum {
    MARGIN = PV_FRAME_MARGIN,
    DEFAULT_WIDTH = 1200,
    LEAST_WIDTH = 200,
    LEAST_ROWS_HEIGHT = 40,
    MAX_LEGEND = 12,
    GAP = 8, /* between the halves of a sandwich, or both sides of a comparison */
    HEADING_HEIGHT = 24,
    LEAST_WIDE_WIDTH = 900, /* where both sides fit beside each other */
    LEAST_SIDE_HEIGHT = 40,
    RULER_HEIGHT = 26,
};

/* Height of a treemap, relative to its width. */
#define HEIGHT_OF_WIDTH 0.6

/* A flame graph inside the page, half of a sandwich, one side of a comparison, or a treemap. */
typedef struct {
    const PvCallTree *tree;
    PvFlameView view;
    PvFlamePainter *painter;
    PvTreemap *treemap;        /* which has the painter; NULL: this is a flame graph */
    char *heading;             /* of a side; else NULL */
    bool is_missing;           /* this side has none of the nodes in view */
    double left;               /* in the page */
    double top;                /* in the page */
    double hidden;             /* height of the rows at the root that are not shown */
    double full_height;        /* of the others if nothing is cut */
    const PvFlameChart *chart; /* that it is cut from; or NULL. Its times that are shown: */
    uint64_t start_ns;
    uint64_t end_ns;
} PvPart;

typedef struct {
    PvPictureFile file;
    PvPart parts[2]; /* from top to bottom; of a sandwich, the last one is the function and its
                        callees; of a comparison, the base comes first */
    unsigned n_parts;
    bool has_sides;
    bool is_wide;              /* the sides are beside each other */
    const PvFlameChart *chart; /* that the only part is cut from; or NULL */
    PvPictureFrame frame;
    double height;
    double parts_height; /* of all of them */
    bool is_treemap;
} PvPage;

static const PvPart *
last_part (const PvPage *page)
{
    return &page->parts[page->n_parts - 1];
}

/* The painter whose font and palette the page uses. */
static const PvFlamePainter *
painter_of_page (const PvPage *page)
{
    return last_part (page)->painter;
}

static bool
is_sandwich (const PvPage *page)
{
    return page->n_parts > 1 && !page->has_sides;
}

static PvUnit
unit_of_page (const PvPage *page)
{
    const PvCallTree *tree = last_part (page)->tree;
    const PvMeasureId measure = tree->query.measure;
    if (page->chart != NULL)
        return PV_UNIT_NS;
    return pv_profile_has_weights (tree->profile, measure) ? tree->profile->measures[measure].unit
                                                           : PV_UNIT_COUNT;
}

static double
share_of_total (const PvPage *page, uint64_t weight)
{
    const PvPart *part = last_part (page);
    if (part->chart != NULL)
        return (double)weight / (double)(part->end_ns - part->start_ns);
    const PvCallTree *tree = last_part (page)->tree;
    uint64_t total = tree->n_nodes > 0 ? tree->total[0] : 0;
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
    pv_picture_frame_add_color (&page->frame, name,
                                page->frame.palette->fills[PV_SHADE_NORMAL][hue], share);
}

/* Weight of each function's nodes in the visible range, self or total; free with g_free (). Without
 * zoom, self is that of the function list: folded nodes have no function. */
static uint64_t *
weigh_functions (const PvPart *part, const uint64_t *weight_of_node)
{
    const PvCallTree *tree = part->tree;
    if (part->chart != NULL)
        return pv_flame_chart_weigh_functions (part->chart, part->start_ns, part->end_ns);
    uint64_t *weights = g_new0 (uint64_t, MAX (tree->symbols->n_functions, 1));
    if (tree->has_folded && part->view.zoom_node == 0 && weight_of_node == tree->self) {
        g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
        for (uint32_t i = 0; i < list->n_rows; i++)
            weights[list->rows[i].function] += list->rows[i].self;
        return weights;
    }
    PvFlameLayout layout;
    pv_flame_layout_init_range (&layout, tree, &part->view);
    for (PvNodeId node = 0; node < tree->n_nodes; node++)
        if (pv_flame_layout_right (&layout, node) > 0 &&
            pv_flame_layout_left (&layout, node) < layout.width)
            weights[tree->function_of_node[node]] += weight_of_node[node];
    return weights;
}

/* Heaviest first, without those listed already. Unless has_shares, they have no self weight. */
static void
add_shares (PvPage *page, const PvPart *part, const uint64_t *weight_of_node, bool *is_listed,
            bool has_shares)
{
    const PvSymbolTable *symbols = part->tree->symbols;
    g_autofree uint64_t *weights = weigh_functions (part, weight_of_node);
    g_autofree double *amounts = g_new (double, MAX (symbols->n_functions, 1));
    for (PvFunctionId f = 0; f < symbols->n_functions; f++)
        amounts[f] = (double)weights[f];
    g_autoptr (GPtrArray) shares =
        pv_color_shares_list (part->tree->profile, symbols, amounts, part->view.colors);
    for (guint i = 0; i < shares->len && page->frame.legend.len < MAX_LEGEND; i++) {
        const PvColorShare *entry = shares->pdata[i];
        double share = share_of_total (page, (uint64_t)entry->weight);
        if (share < 0.0005)
            break;
        if (!is_listed[entry->hue])
            add_legend (page, entry->text, entry->hue, has_shares ? share : -1);
        is_listed[entry->hue] = true;
    }
}

/* The modules or packages with most self weight in the visible range, then those that only call. */
static void
add_share_legend (PvPage *page)
{
    const PvPart *part = last_part (page), *other = &page->parts[0];
    bool is_listed[PV_N_HUES] = {false};
    add_shares (page, part, part->tree->self, is_listed, true);
    add_shares (page, other, page->has_sides ? other->tree->self : other->tree->total, is_listed,
                false);
}

static void
add_kind_legend (PvPage *page)
{
    const PvCallTree *tree = last_part (page)->tree;
    for (unsigned family = PV_FAMILY_KIND; family < PV_FAMILY_HASH; family++)
        add_legend (page,
                    pv_color_name_family (tree->profile, tree->symbols, family, PV_COLOR_BY_KIND),
                    pv_palette_get_middle (family * PV_N_SHADES), -1);
}

static void
add_value_legend (PvPage *page, const PvNodeValues *values)
{
    pv_picture_frame_add_caption (&page->frame, pv_value_make_caption (values));
    g_autoptr (GArray) steps = pv_value_make_steps (values);
    pv_picture_frame_add_steps (&page->frame, steps);
}

static bool
has_sides (const PvFlameView *view, const PvCallTree *tree)
{
    return view->values != NULL && view->values->sides != NULL &&
           pv_node_values_are_of (view->values, tree);
}

static void
add_change_legend (PvPage *page, const PvFlameView *view)
{
    g_autoptr (GArray) steps = pv_change_make_steps (view->values, view->colors);
    pv_picture_frame_add_steps (&page->frame, steps);
    if (!has_sides (view, last_part (page)->tree))
        return;
    g_autofree char *caption = pv_compare_make_caption (view->values);
    const char *scale = view->scale_text;
    pv_picture_frame_add_caption (&page->frame,
                                  g_strconcat (caption, scale != NULL ? ", " : "", scale, NULL));
}

static void
add_part (PvPage *page, const PvCallTree *tree, const PvFlameView *view, unsigned n_hidden)
{
    PvPart *part = &page->parts[page->n_parts++];
    *part = (PvPart){.tree = tree, .view = *view, .chart = page->chart};
    part->view.device_scale = page->file.device_scale;
    part->left = MARGIN;
    part->view.width = page->frame.width - 2 * MARGIN;
    if (page->is_wide) {
        part->view.width = floor ((part->view.width - GAP) / 2);
        part->left += page->n_parts > 1 ? part->view.width + GAP : 0;
    }
    part->view.height = 0;
    part->view.scroll_y = 0;
    if (page->is_treemap)
        part->treemap = pv_treemap_new (NULL);
    part->painter = page->is_treemap ? part->treemap->painter : pv_flame_painter_new (NULL);
    part->painter->is_vector = page->file.kind != PV_PICTURE_PNG;
    pv_flame_painter_prepare (part->painter, tree, &part->view);
    part->hidden = n_hidden * pv_flame_painter_get_row_height (part->painter);
    part->full_height =
        MAX (pv_flame_get_full_height (part->painter, tree, &part->view) - part->hidden, 0);
    if (page->is_treemap)
        part->full_height = floor (part->view.width * HEIGHT_OF_WIDTH);
}

/* Height that belongs to no part: the gap between them, or the ruler above. */
static double
gap_of_page (const PvPage *page)
{
    if (page->chart != NULL)
        return RULER_HEIGHT;
    return is_sandwich (page) && page->parts[0].full_height > 0 ? GAP : 0;
}

/* If not everything fits, keeps the side of the root. */
static void
place_part (PvPart *part, double top, double height)
{
    double full = part->full_height + part->hidden;
    part->top = top;
    part->view.height = height;
    part->view.scroll_y =
        part->view.is_flame ? MAX (height, full) - part->hidden - height : part->hidden;
}

/* If not everything fits, keeps the side of the root. Beside each other, both are equally high. */
static void
place_sides (PvPage *page)
{
    double heading = HEADING_HEIGHT, room = page->parts_height - heading;
    PvPart *base = &page->parts[0], *newer = &page->parts[1];
    double first = room;
    if (!page->is_wide) {
        room -= GAP + heading;
        first = MIN (base->full_height, MAX (room - newer->full_height, floor (room / 2)));
    }
    place_part (base, PV_FRAME_TITLE_HEIGHT + heading, first);
    place_part (newer, base->top + (page->is_wide ? 0 : first + GAP + heading),
                page->is_wide ? room : room - first);
}

/* If not everything fits, each half gets at least half of the room, unless it needs less. */
static void
place_parts (PvPage *page)
{
    PvPart *above = &page->parts[0], *below = &page->parts[1];
    double gap = gap_of_page (page), room = page->parts_height - gap;
    if (page->has_sides) {
        place_sides (page);
        return;
    }
    if (!is_sandwich (page)) {
        place_part (above, PV_FRAME_TITLE_HEIGHT + gap, room);
        return;
    }
    double height = MIN (above->full_height, MAX (room - below->full_height, floor (room / 2)));
    place_part (above, PV_FRAME_TITLE_HEIGHT, height);
    place_part (below, PV_FRAME_TITLE_HEIGHT + height + gap, room - height);
}

/* Size and colors are those of the view. False with an error. */
static bool
page_init (PvPage *page, const char *path, const PvFlameView *view, const char *title,
           GError **error)
{
    *page = (PvPage){.frame.title = title};
    if (!pv_picture_file_init (&page->file, path, title, view->device_scale, error))
        return false;
    double max = pv_picture_get_max_side (&page->file);
    page->frame.width =
        floor (view->width > 0 ? CLAMP (view->width, LEAST_WIDTH, max) : DEFAULT_WIDTH);
    return true;
}

/* Height of the parts if nothing is cut. */
static double
sum_heights (const PvPage *page)
{
    double sum = gap_of_page (page), highest = 0;
    for (unsigned i = 0; i < page->n_parts; i++) {
        double height =
            page->parts[i].full_height + (page->parts[i].heading != NULL ? HEADING_HEIGHT : 0);
        sum += height;
        highest = MAX (highest, height);
    }
    return page->is_wide ? highest : sum + (page->has_sides ? GAP : 0);
}

/* After the parts are there. */
static void
page_finish (PvPage *page, const PvFlameView *view)
{
    page->frame.font = painter_of_page (page)->font;
    page->frame.palette = &painter_of_page (page)->palette;
    if (view->colors == PV_COLOR_BY_MODULE || view->colors == PV_COLOR_BY_PACKAGE)
        add_share_legend (page);
    else if (view->colors == PV_COLOR_BY_KIND)
        add_kind_legend (page);
    else if (view->colors == PV_COLOR_BY_HASH)
        pv_picture_frame_add_caption (&page->frame,
                                      g_strdup (_ ("Each function name has its own color")));
    else if (pv_color_is_by_change (view->colors))
        add_change_legend (page, view);
    else if (view->colors == PV_COLOR_BY_VALUE && view->values != NULL &&
             view->values->formula != NULL)
        add_value_legend (page, view->values);
    pv_picture_frame_place (&page->frame);

    double around = PV_FRAME_TITLE_HEIGHT + pv_picture_frame_get_footer_height (&page->frame);
    double full = sum_heights (page);
    page->height = view->height > 0 ? view->height : full + around;
    page->height = floor (
        CLAMP (page->height, around + LEAST_ROWS_HEIGHT, pv_picture_get_max_side (&page->file)));
    page->parts_height = page->height - around;
    place_parts (page);
}

static void
page_clear (PvPage *page)
{
    pv_picture_frame_clear (&page->frame);
    for (unsigned i = 0; i < page->n_parts; i++) {
        if (page->parts[i].treemap == NULL)
            pv_flame_painter_free (page->parts[i].painter);
        pv_treemap_free (page->parts[i].treemap);
        g_free (page->parts[i].heading);
    }
}

static bool
is_cut (const PvPage *page)
{
    if (page->is_treemap)
        return false;
    for (unsigned i = 0; i < page->n_parts; i++)
        if (page->parts[i].full_height > page->parts[i].view.height + 0.5)
            return true;
    return false;
}

static void
append_weight_of_function (const PvPage *page, GString *text)
{
    const PvCallTree *tree = last_part (page)->tree;
    uint64_t weight = 0;
    for (PvNodeId node = tree->first_child[0]; node < tree->first_child[1]; node++)
        weight += tree->total[node];
    g_autofree char *amount = pv_format_amount (weight, unit_of_page (page));
    g_autofree char *share = pv_format_percent (share_of_total (page, weight), 1);
    /* Translators: amount and share; follows “cycles: 3.21 G in total, 530 samples” */
    pv_format_add_fact (text, g_strdup_printf (_ ("%s (%s) in this function"), amount, share));
}

/* How long there are samples in the times that are shown. */
static uint64_t
sum_chart (const PvPart *part)
{
    uint64_t sum = 0;
    g_autofree uint64_t *weights =
        pv_flame_chart_weigh_functions (part->chart, part->start_ns, part->end_ns);
    for (PvFunctionId f = 0; f < part->tree->symbols->n_functions; f++)
        sum += weights[f];
    return sum;
}

/* Takes the text. */
static char *
finish_footer (const PvPage *page, char *text)
{
    if (!is_cut (page))
        return text;
    /* Translators: what a picture shows, such as “cycles: 3.21 G in total” */
    char *whole = g_strdup_printf (_ ("%s (the deepest levels are cut off)"), text);
    g_free (text);
    return whole;
}

static char *
chart_footer_text (const PvPage *page)
{
    const PvPart *part = last_part (page);
    const PvFlameChart *chart = part->chart;
    GString *text = g_string_new (NULL);
    g_autofree char *thread = pv_flame_chart_format_thread (part->tree->profile, chart->thread);
    g_autofree char *shown = pv_format_amount (sum_chart (part), PV_UNIT_NS);
    g_autofree char *whole = pv_format_amount (part->end_ns - part->start_ns, PV_UNIT_NS);
    g_autofree char *samples = pv_call_tree_format_small (
        part->tree, pv_flame_chart_count (chart, part->start_ns, part->end_ns));
    /* Translators: a thread, the time it has boxes in, the time that is shown, "530 samples". */
    g_string_append_printf (text, _ ("%s: %s of %s, %s"), thread, shown, whole, samples);
    if (chart->period_ns > 0) {
        g_autofree char *longest =
            pv_format_amount (chart->period_ns * PV_CHART_MOST_PERIODS, PV_UNIT_NS);
        pv_format_add_remark (
            text, g_strdup_printf (
                      _ ("a sample lasts until the next one, unless that is more than %s away"),
                      longest));
    }
    return finish_footer (page, g_string_free (text, FALSE));
}

/* The headings say how much each side has. */
static char *
sides_footer_text (const PvPage *page)
{
    const PvNodeValues *values = page->parts[0].view.values;
    const PvMeasure *both = &values->tree->profile->measures[values->tree->query.measure];
    g_autofree char *change =
        pv_format_signed_amount (pv_changes_get_whole (values->sides), values->sides->unit);
    /* Translators: a measure, and how much it changed. */
    return finish_footer (
        page, g_strdup_printf (_ ("%s: %s; each side fills the width with its own total"),
                               both->name != NULL ? both->name : "", change));
}

static char *
footer_text (const PvPage *page)
{
    if (page->chart != NULL)
        return chart_footer_text (page);
    if (page->has_sides)
        return sides_footer_text (page);
    const PvCallTree *tree = last_part (page)->tree;
    GString *text = g_string_new (NULL);
    pv_picture_append_total (text, tree->profile, tree->query.measure,
                             tree->n_nodes > 0 ? tree->total[0] : 0);
    /* A comparison has the stacks of both sides, not their samples. */
    if (tree->n_kept_samples > 0 && tree->profile->compared == NULL)
        pv_picture_append_samples (text, tree->profile, tree->query.measure, tree->n_kept_samples);
    if (is_sandwich (page))
        append_weight_of_function (page, text);
    if (page->is_treemap && has_sides (&last_part (page)->view, tree))
        /* Translators: follows what a picture shows */
        g_string_append (text, _ ("; areas are the sizes of the new side"));
    return finish_footer (page, g_string_free (text, FALSE));
}

static void
draw_ruler (const PvPage *page, cairo_t *cr)
{
    const PvPart *part = last_part (page);
    PvTimeRuler ruler = {
        0, part->view.width, RULER_HEIGHT, part->view.width, part->start_ns, part->end_ns};
    cairo_save (cr);
    cairo_translate (cr, MARGIN, PV_FRAME_TITLE_HEIGHT);
    pv_time_ruler_draw (&ruler, cr, part->painter->font, &part->painter->palette);
    cairo_restore (cr);
}

static void
show_text (const PvPart *part, cairo_t *cr, const char *text, double baseline)
{
    PvColor color = part->painter->palette.texts[PV_SHADE_NORMAL];
    cairo_set_source_rgb (cr, color.red, color.green, color.blue);
    pv_glyph_font_show_text (part->painter->font, cr, text, part->left, baseline, part->view.width);
}

static void
draw_part (const PvPart *part, cairo_t *cr)
{
    if (part->heading != NULL)
        show_text (part, cr, part->heading, part->top - HEADING_HEIGHT + 16);
    if (part->is_missing) {
        show_text (part, cr, _ ("Not on this side"), part->top + LEAST_SIDE_HEIGHT / 2);
        return;
    }
    cairo_save (cr);
    cairo_translate (cr, part->left, part->top);
    if (part->treemap != NULL)
        pv_treemap_draw (part->treemap, cr, part->tree, &part->view);
    else
        pv_flame_draw (part->painter, cr, part->tree, &part->view);
    cairo_restore (cr);
}

static void
draw_page (cairo_t *cr, void *data)
{
    const PvPage *page = data;
    g_autofree char *footer = footer_text (page);
    pv_picture_frame_draw (&page->frame, cr, PV_FRAME_TITLE_HEIGHT + page->parts_height, footer);
    if (page->chart != NULL)
        draw_ruler (page, cr);
    for (unsigned i = 0; i < page->n_parts; i++)
        draw_part (&page->parts[i], cr);
}

/* Percentage of the total; with sides, of the part's own total. */
static char *
format_share (const PvPage *page, const PvPart *part, uint64_t weight)
{
    if (page->has_sides)
        return pv_format_percent (weight, part->tree->total[0]);
    return pv_format_percent (share_of_total (page, weight), 1);
}

/* box: in the part. */
static void
append_tip (GString *svg, const PvPart *part, const cairo_rectangle_int_t *box, const char *name,
            const char *figures, const char *module)
{
    const cairo_rectangle_int_t place = {box->x + (int)part->left, box->y + (int)part->top,
                                         box->width, box->height};
    pv_picture_append_tip (svg, &place, name, figures, module);
}

/* Text about the total of a box with sides. */
static char *
format_change (const PvPage *page, const PvPart *part, PvNodeId node)
{
    g_autofree char *change = pv_compare_describe_node (part->view.values, node);
    g_autofree char *width = format_share (page, part, part->tree->total[node]);
    /* Translators: the change of a function's total; what share of the picture that is. */
    return g_strdup_printf (_ ("%s; %s of the width"), change, width);
}

/* Amounts of a box. In a tree of callers no self: it is not the caller's own. */
static char *
format_figures (const PvPage *page, const PvPart *part, PvNodeId node)
{
    const PvCallTree *tree = part->tree;
    PvUnit unit = unit_of_page (page);
    if (has_sides (&part->view, tree))
        return format_change (page, part, node);
    g_autofree char *total = pv_format_amount (tree->total[node], unit);
    g_autofree char *self = pv_format_amount (tree->self[node], unit);
    g_autofree char *total_share = pv_format_percent (share_of_total (page, tree->total[node]), 1);
    g_autofree char *self_share = pv_format_percent (share_of_total (page, tree->self[node]), 1);
    if (part->chart != NULL) {
        g_autofree char *start =
            pv_format_amount (tree->query.start_ns + tree->left[node], PV_UNIT_NS);
        /* Translators: a duration, and a time. */
        return g_strdup_printf (_ ("%s, from %s on"), total, start);
    }
    if (part != last_part (page))
        return g_strdup_printf (_ ("total %s (%s)"), total_share, total);
    /* Translators: share and amount, twice. */
    return g_strdup_printf (_ ("total %s (%s), self %s (%s)"), total_share, total, self_share,
                            self);
}

static void
append_tool_tip (const PvPage *page, const PvPart *part, GString *svg, PvNodeId node,
                 const cairo_rectangle_int_t *box)
{
    const PvCallTree *tree = part->tree;
    const PvFunction *function = pv_flame_function (tree, node);
    PvModuleId module = module_of_node (tree, node);
    const bool has_module = module != 0 && module < tree->profile->n_modules;
    g_autofree char *figures = format_figures (page, part, node);
    append_tip (svg, part, box,
                function != NULL ? function->name : pv_call_tree_get_name (tree, node), figures,
                has_module ? tree->profile->modules[module].name : NULL);
}

static void
append_bundle_tip (const PvPage *page, const PvPart *part, GString *svg, const PvFlameBundle *nodes,
                   const cairo_rectangle_int_t *box)
{
    uint64_t weight = pv_flame_bundle_weigh (part->tree, nodes);
    bool is_net = has_sides (&part->view, part->tree);
    int64_t net =
        is_net ? pv_node_values_sum_net (part->view.values, nodes->first, nodes->last) : 0;
    g_autofree char *name = pv_flame_bundle_format (part->tree, nodes);
    g_autofree char *total = is_net ? pv_format_signed_amount (net, unit_of_page (page))
                                    : pv_format_amount (weight, unit_of_page (page));
    g_autofree char *share = format_share (page, part, weight);
    g_autofree char *figures = is_net ? g_strdup_printf (_ ("%s; %s of the width"), total, share)
                                      /* Translators: share and amount of all of them. */
                                      : g_strdup_printf (_ ("total %s (%s)"), share, total);

    append_tip (svg, part, box, name, figures, NULL);
}

/* Each over the one that it is in. */
static void
append_treemap_tips (const PvPage *page, const PvPart *part, GString *svg)
{
    const PvTreemapBoxes *boxes = &part->treemap->boxes;
    for (size_t i = 0; i < boxes->len; i++) {
        const PvTreemapBox *box = &boxes->data[i];
        const cairo_rectangle_int_t place = {box->left, box->top, box->right - box->left,
                                             box->bottom - box->top};
        const PvFlameBundle bundle = {box->first, box->last};
        if (box->kind != PV_TREEMAP_BUNDLE)
            append_tool_tip (page, part, svg, box->first, &place);
        else if (!box->has_gaps)
            append_bundle_tip (page, part, svg, &bundle, &place);
    }
}

static void
append_tips_of_part (const PvPage *page, const PvPart *part, GString *svg)
{
    const int height = (int)part->painter->drawn.row_height;
    if (part->treemap != NULL) {
        append_treemap_tips (page, part, svg);
        return;
    }
    for (size_t i = 0; i < part->painter->boxes.len; i++) {
        const PvFlameBox *box = &part->painter->boxes.data[i];
        append_tool_tip (
            page, part, svg, box->node,
            &(cairo_rectangle_int_t){box->left, box->top, box->right - box->left, height});
    }
    for (size_t i = 0; i < part->painter->bundles.len; i++) {
        const PvFlameBundleBox *bundle = &part->painter->bundles.data[i];
        append_bundle_tip (page, part, svg, &bundle->nodes,
                           &(cairo_rectangle_int_t){bundle->left, bundle->top,
                                                    bundle->right - bundle->left, height});
    }
}

/* Appends invisible boxes with a title. */
static void
append_tool_tips (GString *svg, void *data)
{
    const PvPage *page = data;
    g_string_append (svg, "<style>.tips rect:hover{stroke:#808080;stroke-width:2}</style>\n"
                          "<g class=\"tips\" fill=\"none\" pointer-events=\"all\">\n");
    for (unsigned i = 0; i < page->n_parts; i++)
        append_tips_of_part (page, &page->parts[i], svg);
    g_string_append (svg, "</g>\n");
}

static bool
write_page (const char *path, PvPage *page, GError **error)
{
    page->file.width = page->frame.width;
    page->file.height = page->height;
    bool ok = pv_picture_write (path, &page->file, draw_page, append_tool_tips, page, error);
    page_clear (page);
    return ok;
}

bool
pv_export_flame_graph (const char *path, const PvCallTree *tree, const PvFlameView *view,
                       const char *title, GError **error)
{
    g_assert (path != NULL && tree != NULL && view != NULL);

    PvPage page;
    if (!page_init (&page, path, view, title, error))
        return false;
    add_part (&page, tree, view, 0);
    page_finish (&page, view);
    return write_page (path, &page, error);
}

bool
pv_export_treemap (const char *path, const PvCallTree *tree, const PvFlameView *view,
                   const char *title, GError **error)
{
    g_assert (path != NULL && tree != NULL && view != NULL);

    PvPage page;
    if (!page_init (&page, path, view, title, error))
        return false;
    page.is_treemap = true;
    add_part (&page, tree, view, 0);
    page_finish (&page, view);
    return write_page (path, &page, error);
}

static void
add_side (PvPage *page, const PvNodeValues *values, PvSide side, const PvFlameRange *range,
          const PvFlameView *view)
{
    const PvCallTree *tree = values->tree_of_side[side];
    PvFlameRange own = *range;
    PvFlameView own_view = *view;
    bool is_there = pv_flame_range_carry (&own, values->tree, tree) && tree->total[0] > 0;
    if (is_there) {
        own_view.zoom_node = own.node;
        pv_flame_range_get (&own, tree, &own_view.zoom_left, &own_view.zoom_right);
    }
    add_part (page, tree, &own_view, 0);
    PvPart *part = &page->parts[page->n_parts - 1];
    part->heading = pv_compare_make_side_heading (values, side);
    part->is_missing = !is_there;
    if (!is_there)
        part->full_height = LEAST_SIDE_HEIGHT;
}

bool
pv_export_side_by_side (const char *path, const PvNodeValues *values, const PvFlameRange *range,
                        const PvFlameView *view, const char *title, GError **error)
{
    g_assert (path != NULL && values != NULL && range != NULL && view != NULL);
    g_assert (values->tree_of_side[PV_SIDE_BASE] != NULL);

    PvFlameView shown = *view;
    PvPage page;
    shown.values = values;
    if (!page_init (&page, path, &shown, title, error))
        return false;
    page.has_sides = true;
    page.is_wide = page.frame.width >= LEAST_WIDE_WIDTH;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        add_side (&page, values, side, range, &shown);
    page_finish (&page, &shown);
    return write_page (path, &page, error);
}

bool
pv_export_sandwich (const char *path, const PvSandwich *sandwich, const PvFlameView *callers,
                    const PvFlameView *callees, const char *title, GError **error)
{
    g_assert (path != NULL && sandwich != NULL && callers != NULL && callees != NULL);

    const PvFunction *function = &sandwich->callees->symbols->functions[sandwich->function];
    PvFlameView above = *callers, below = *callees;
    PvPage page;
    /* Translators: the name of a file, maybe with a measure; a function. */
    g_autofree char *whole_title =
        g_strdup_printf (_ ("%s, callers and callees of %s"), title, function->name);
    above.is_flame = true;
    below.is_flame = false;
    if (!page_init (&page, path, &below, whole_title, error))
        return false;
    add_part (&page, sandwich->callers, &above, PV_SANDWICH_HIDDEN_ABOVE);
    add_part (&page, sandwich->callees, &below, PV_SANDWICH_HIDDEN_BELOW);
    page_finish (&page, &below);
    return write_page (path, &page, error);
}

/* Sets the times in view; zoom is in fractions of the whole chart, the root of the cut. */
static void
place_times (PvPart *part)
{
    const PvFlameChart *chart = part->chart;
    double whole = (double)(chart->end_ns - chart->start_ns);
    part->start_ns = chart->start_ns + (uint64_t)(part->view.zoom_left * whole + 0.5);
    part->end_ns = chart->start_ns + (uint64_t)(part->view.zoom_right * whole + 0.5);
    part->end_ns = MAX (part->end_ns, part->start_ns + 1);
}

bool
pv_export_flame_chart (const char *path, const PvFlameChart *chart, const PvCallTree *cut,
                       const PvFlameView *view, const char *title, GError **error)
{
    g_assert (path != NULL && chart != NULL && cut != NULL && view != NULL);
    g_assert (view->zoom_left < view->zoom_right);

    PvPage page;
    g_autofree char *thread = pv_flame_chart_format_thread (cut->profile, chart->thread);
    /* Translators: the name of a file, maybe with a measure; a thread. */
    g_autofree char *whole_title = g_strdup_printf (_ ("%s, flame chart of %s"), title, thread);
    if (!page_init (&page, path, view, whole_title, error))
        return false;
    page.chart = chart;
    add_part (&page, cut, view, 0);
    place_times (&page.parts[0]);
    page_finish (&page, view);
    return write_page (path, &page, error);
}
