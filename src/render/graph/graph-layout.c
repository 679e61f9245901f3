/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/graph/graph-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/analyze/graph/graph-text.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/ref.h"
#include "core/base/subprocess.h"
#include "render/draw/function-label.h"
#include "render/draw/glyphs.h"

enum {
    MAX_NAME_WIDTH = 260,
    LEAST_BOX_WIDTH = 60,
    PADDING = 7, /* in boxes */
    MAX_SECONDS = 10,
    DOTS_PER_INCH = 72,
    MAX_LINE_WIDTH = 4, /* more than the thinnest */
};

#define MAX_ANSWER     ((size_t)256 << 20)
#define MAX_DOT_MEMORY ((size_t)4 << 30)
#define MAX_PLACE      1e7 /* pixels: a graph is never so large */
#define DEFAULT_POINTS 9.0

static const double SIZES[PV_GRAPH_N_SIZES] = {1, 1.15, 1.4, 1.75, 2.2};

void
pv_graph_make_fonts (const PangoFontDescription *font,
                     PangoFontDescription *ret_fonts[PV_GRAPH_N_SIZES])
{
    double points = DEFAULT_POINTS * PANGO_SCALE;
    if (font != NULL && pango_font_description_get_size (font) > 0)
        points = pango_font_description_get_size (font) * 0.9;
    for (unsigned i = 0; i < PV_GRAPH_N_SIZES; i++) {
        ret_fonts[i] = font != NULL ? pango_font_description_copy (font)
                                    : pango_font_description_from_string ("Sans");
        if (font != NULL && pango_font_description_get_size_is_absolute (font))
            pango_font_description_set_absolute_size (ret_fonts[i], points * SIZES[i]);
        else
            pango_font_description_set_size (ret_fonts[i], (int)(points * SIZES[i]));
    }
}

/* Sizes of boxes */

/* Replaces the ellipsis byte of labels by "…". */
static char *
make_text (const char *label, size_t len)
{
    GString *text = g_string_sized_new (len);
    for (size_t i = 0; i < len; i++) {
        if (label[i] == PV_LABEL_ELLIPSIS)
            g_string_append (text, "…");
        else
            g_string_append_c (text, label[i]);
    }
    return g_string_free (text, FALSE);
}

static const char *
get_label (const PvFunction *function)
{
    return function->label != NULL ? function->label : function->short_name;
}

static char *
fit_name (PvGlyphFont *font, const PvFunction *function, double width, PvArena *strings)
{
    char buffer[PV_LABEL_MAX];
    PvLabelName label;
    const PvAdvances *advances = pv_glyph_font_get_advances (font);
    if (!pv_label_is_ascii (function->name) || !pv_label_is_ascii (function->short_name))
        return g_strdup (get_label (function));
    pv_function_label_init (&label, advances, function, NULL, strings);
    size_t len = pv_function_label_fit (advances, &label, width, buffer);
    return len > 0 ? make_text (buffer, len) : g_strdup (function->short_name);
}

/* Index of the text size for such a self amount; most: the largest one. */
static unsigned
choose_size (uint64_t self, uint64_t most)
{
    double share = most > 0 ? sqrt ((double)self / (double)most) : 0;
    return MIN ((unsigned)(share * PV_GRAPH_N_SIZES), PV_GRAPH_N_SIZES - 1);
}

static void
size_node (PvGraphLayout *layout, uint32_t index, PvGlyphFont *const *fonts, uint64_t most,
           PvArena *strings)
{
    const PvGraph *graph = layout->graph;
    const PvGraphNode *node = &graph->nodes[index];
    PvPlacedNode *placed = &layout->nodes[index];
    placed->size = choose_size (node->self, most);
    PvGlyphFont *font = fonts[placed->size];
    const PvFunction *function = &graph->tree->symbols->functions[node->function];
    /* In large letters a name has more room, but not for its arguments. Letter by letter it may be
     * a little wider. */
    const double room = CLAMP (1.03 * pv_glyph_font_measure_text (font, get_label (function)),
                               MAX_NAME_WIDTH, MAX_NAME_WIDTH * SIZES[placed->size]);
    placed->name = fit_name (font, function, room, strings);
    placed->amounts = pv_graph_format_node (graph, index);
    placed->name_height = ceil (layout->size_of_text[placed->size]);
    double width = MIN (pv_glyph_font_measure_text (font, placed->name), room);
    g_auto (GStrv) lines = g_strsplit (placed->amounts, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        width = MAX (width, pv_glyph_font_measure_text (fonts[0], *line));
        placed->height += ceil (layout->size_of_text[0]);
    }
    placed->width = ceil (MAX (width, LEAST_BOX_WIDTH)) + 2 * PADDING;
    placed->height += placed->name_height + PADDING;
}

static void
size_all (PvGraphLayout *layout, PvGlyphFont *const *fonts)
{
    const PvGraph *graph = layout->graph;
    PvArena *strings = pv_arena_new ();
    uint64_t most = 0;
    for (unsigned i = 0; i < PV_GRAPH_N_SIZES; i++)
        layout->size_of_text[i] =
            pv_glyph_font_get_ascent (fonts[i]) + pv_glyph_font_get_descent (fonts[i]);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        most = MAX (most, graph->nodes[i].self);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        size_node (layout, i, fonts, most, strings);
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        double share =
            graph->whole > 0 ? MIN ((double)graph->edges[i].weight / (double)graph->whole, 1) : 0;
        layout->edges[i].label = pv_graph_format_edge (graph, i);
        layout->edges[i].width = 1 + MAX_LINE_WIDTH * share;
    }
    pv_arena_free (strings);
}

/* Input of dot */

static void
append_inches (GString *text, const char *name, double pixels)
{
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (number, sizeof number, "%.4f", pixels / DOTS_PER_INCH);
    g_string_append_printf (text, " %s=%s", name, number);
}

/* A label is as wide as so many letters of Courier, each of which is 0.6 of its size. */
static void
append_label (GString *text, double width, double height)
{
    double letter = MAX (height * 0.75, 1) * 0.6;
    unsigned n = (unsigned)CLAMP (ceil (width / letter) + 1, 1, 100);
    g_string_append (text, " label=");
    for (unsigned i = 0; i < n; i++)
        g_string_append_c (text, 'x');
}

static char *
make_question (const PvGraphLayout *layout, PvGlyphFont *amounts)
{
    const PvGraph *graph = layout->graph;
    char size[G_ASCII_DTOSTR_BUF_SIZE];
    GString *text = g_string_new ("digraph {\nnode [shape=box fixedsize=true label=\"\"]\n"
                                  "graph [nodesep=0.2 ranksep=0.35]\n");
    g_ascii_formatd (size, sizeof size, "%.1f", layout->size_of_text[0] * 0.75);
    g_string_append_printf (text, "edge [arrowhead=none fontname=Courier fontsize=%s]\n", size);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        g_string_append_printf (text, "N%u [", i);
        append_inches (text, "width", layout->nodes[i].width);
        append_inches (text, "height", layout->nodes[i].height);
        g_string_append (text, "]\n");
    }
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        const PvGraphEdge *edge = &graph->edges[i];
        double share = (layout->edges[i].width - 1) / MAX_LINE_WIDTH;
        g_string_append_printf (text, "N%u -> N%u [weight=%u", edge->caller, edge->callee,
                                1 + (unsigned)(share * 100));
        append_label (text, pv_glyph_font_measure_text (amounts, layout->edges[i].label),
                      layout->size_of_text[0]);
        g_string_append (text, "]\n");
    }
    g_string_append (text, "}\n");
    return g_string_free (text, FALSE);
}

/* Output of dot: https://graphviz.org/docs/outputs/plain/ */

typedef struct {
    PvGraphLayout *layout;
    const char *at;
    PvIdMap edge_of_pair; /* caller << 32 | callee -> index + 1 */
    PV_ARRAY (PvGraphPoint) points;
    bool *is_placed; /* by node */
} Answer;

/* The next word of the line; quoted words without their contents. */
static bool
read_word (Answer *answer, char *word, size_t size)
{
    size_t n = 0;
    while (*answer->at == ' ')
        answer->at++;
    if (*answer->at == '"') {
        for (answer->at++; *answer->at != '"' && *answer->at != '\0'; answer->at++)
            if (*answer->at == '\\' && answer->at[1] != '\0')
                answer->at++;
        if (*answer->at == '"')
            answer->at++;
        word[0] = '\0';
        return true;
    }
    for (; *answer->at != ' ' && *answer->at != '\n' && *answer->at != '\0'; answer->at++)
        if (n + 1 < size)
            word[n++] = *answer->at;
    word[n] = '\0';
    return n > 0;
}

static bool
read_number (Answer *answer, double *ret_number)
{
    char word[64], *end = NULL;
    if (!read_word (answer, word, sizeof word))
        return false;
    *ret_number = g_ascii_strtod (word, &end) * DOTS_PER_INCH;
    return end != word && *end == '\0' && isfinite (*ret_number) && fabs (*ret_number) < MAX_PLACE;
}

static bool
read_node_name (Answer *answer, uint32_t *ret_node)
{
    char word[32], *end = NULL;
    if (!read_word (answer, word, sizeof word) || word[0] != 'N' || !g_ascii_isdigit (word[1]))
        return false;
    guint64 number = g_ascii_strtoull (word + 1, &end, 10);
    *ret_node = (uint32_t)number;
    return *end == '\0' && number < answer->layout->graph->n_nodes;
}

/* y goes down in pictures, and up in Graphviz. */
static bool
read_point (Answer *answer, PvGraphPoint *ret_point)
{
    if (!read_number (answer, &ret_point->x) || !read_number (answer, &ret_point->y))
        return false;
    ret_point->y = answer->layout->height - ret_point->y;
    return true;
}

static bool
read_size (Answer *answer)
{
    char scale[64];
    PvGraphLayout *layout = answer->layout;
    return read_word (answer, scale, sizeof scale) && read_number (answer, &layout->width) &&
           read_number (answer, &layout->height) && layout->width >= 0 && layout->height >= 0;
}

static bool
read_node (Answer *answer)
{
    uint32_t node;
    PvGraphPoint middle;
    if (!read_node_name (answer, &node) || !read_point (answer, &middle))
        return false;
    PvPlacedNode *placed = &answer->layout->nodes[node];
    placed->x = middle.x - placed->width / 2;
    placed->y = middle.y - placed->height / 2;
    answer->is_placed[node] = true;
    return true;
}

static bool
read_edge (Answer *answer)
{
    uint32_t caller, callee;
    char word[64], *end = NULL;
    PvGraphPoint label;
    if (!read_node_name (answer, &caller) || !read_node_name (answer, &callee) ||
        !read_word (answer, word, sizeof word))
        return false;
    guint64 n = g_ascii_strtoull (word, &end, 10);
    uint32_t edge = pv_id_map_find (&answer->edge_of_pair, (uint64_t)caller << 32 | callee);
    if (*end != '\0' || n < 4 || n % 3 != 1 || edge == 0)
        return false;
    PvPlacedEdge *placed = &answer->layout->edges[edge - 1];
    placed->first_point = (uint32_t)answer->points.len;
    for (guint64 i = 0; i < n; i++) {
        PvGraphPoint point;
        if (!read_point (answer, &point))
            return false;
        pv_array_push (&answer->points, point);
    }
    placed->n_points = (uint32_t)n;
    if (!read_word (answer, word, sizeof word) || !read_point (answer, &label))
        return false;
    placed->label_x = label.x;
    placed->label_y = label.y;
    return true;
}

static bool
read_line (Answer *answer, bool *ret_is_end)
{
    char word[16];
    bool is_good = read_word (answer, word, sizeof word);
    *ret_is_end = g_str_equal (word, "stop");
    if (g_str_equal (word, "graph"))
        is_good = read_size (answer);
    else if (g_str_equal (word, "node"))
        is_good = read_node (answer);
    else if (g_str_equal (word, "edge"))
        is_good = read_edge (answer);
    answer->at += strcspn (answer->at, "\n");
    answer->at += *answer->at == '\n';
    return is_good;
}

bool
pv_graph_layout_read (PvGraphLayout *layout, const char *text)
{
    g_assert (layout != NULL && text != NULL);
    const PvGraph *graph = layout->graph;
    g_autofree bool *is_placed = g_new0 (bool, graph->n_nodes + 1);
    Answer answer = {.layout = layout, .at = text, .is_placed = is_placed};
    bool is_end = false, is_good = true;
    for (uint32_t i = 0; i < graph->n_edges; i++)
        *pv_id_map_slot (&answer.edge_of_pair,
                         (uint64_t)graph->edges[i].caller << 32 | graph->edges[i].callee) = i + 1;
    while (is_good && !is_end && *answer.at != '\0')
        is_good = read_line (&answer, &is_end);
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        is_good = is_good && is_placed[i];
    g_free (layout->points);
    layout->n_points = (uint32_t)answer.points.len;
    layout->points = answer.points.data; /* from g_malloc () */
    pv_id_map_clear (&answer.edge_of_pair);
    return is_good && is_end;
}

/* The layout */

static bool
set_error (GError **error, const GError *cause)
{
    if (cause->domain != G_SPAWN_ERROR)
        g_propagate_error (error, g_error_copy (cause));
    else if (cause->code == G_SPAWN_ERROR_NOENT)
        g_set_error_literal (error, G_SPAWN_ERROR, cause->code,
                             _ ("The program dot, which lays out call graphs, is not installed. It "
                                "is in the package graphviz"));
    else if (cause->code == G_SPAWN_ERROR_TOO_BIG)
        g_set_error_literal (
            error, G_SPAWN_ERROR, cause->code,
            _ ("The call graph is too large for the program dot. Show fewer functions"));
    else
        g_set_error (error, G_SPAWN_ERROR, cause->code,
                     _ ("The program dot could not lay out the call graph: %s"), cause->message);
    return false;
}

static bool
run_dot (PvGraphLayout *layout, PvGlyphFont *amounts, PvJob *job, GError **error)
{
    static const char *const argv[] = {"dot", "-Tplain", "-Gnslimit=8", "-Gnslimit1=8", NULL};
    g_autofree char *question = make_question (layout, amounts);
    g_autoptr (GError) cause = NULL;
    const PvSubprocessRun run = {.argv = argv,
                                 .input = question,
                                 .input_len = strlen (question),
                                 .max_output = MAX_ANSWER,
                                 .max_ms = MAX_SECONDS * 1000,
                                 .max_memory = MAX_DOT_MEMORY};
    g_autoptr (GString) answer = pv_subprocess_run (&run, job, NULL, &cause);
    if (answer == NULL)
        return set_error (error, cause);
    if (strlen (answer->str) == answer->len && pv_graph_layout_read (layout, answer->str))
        return true;
    g_set_error_literal (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                         _ ("The program dot could not lay out the call graph"));
    return false;
}

PvGraphLayout *
pv_graph_layout_new (PvGraph *graph, const PangoFontDescription *font, PvJob *job, GError **error)
{
    g_assert (graph != NULL);
    PvGraphLayout *layout = g_new0 (PvGraphLayout, 1);
    PangoFontDescription *descriptions[PV_GRAPH_N_SIZES];
    PvGlyphFont *fonts[PV_GRAPH_N_SIZES];
    layout->ref_count = 1;
    layout->graph = pv_graph_ref (graph);
    layout->nodes = g_new0 (PvPlacedNode, graph->n_nodes + 1);
    layout->edges = g_new0 (PvPlacedEdge, graph->n_edges + 1);
    pv_graph_make_fonts (font, descriptions);
    for (unsigned i = 0; i < PV_GRAPH_N_SIZES; i++) {
        fonts[i] = pv_glyph_font_new (descriptions[i]);
        pv_glyph_font_set_scale (fonts[i], 0);
        pango_font_description_free (descriptions[i]);
    }
    size_all (layout, fonts);
    bool is_done = graph->n_nodes == 0 || run_dot (layout, fonts[0], job, error);
    for (unsigned i = 0; i < PV_GRAPH_N_SIZES; i++)
        pv_glyph_font_free (fonts[i]);
    if (!is_done)
        g_clear_pointer (&layout, pv_graph_layout_unref);
    return layout;
}

PV_DEFINE_REF (pv_graph_layout_ref, PvGraphLayout, PvGraphLayout)

void
pv_graph_layout_unref (PvGraphLayout *layout)
{
    if (!pv_ref_was_last (layout))
        return;
    for (uint32_t i = 0; i < layout->graph->n_nodes; i++) {
        g_free (layout->nodes[i].name);
        g_free (layout->nodes[i].amounts);
    }
    for (uint32_t i = 0; i < layout->graph->n_edges; i++)
        g_free (layout->edges[i].label);
    pv_graph_unref (layout->graph);
    g_free (layout->nodes);
    g_free (layout->edges);
    g_free (layout->points);
    g_free (layout);
}

uint32_t
pv_graph_layout_find_node (const PvGraphLayout *layout, double x, double y)
{
    g_assert (layout != NULL);
    for (uint32_t i = 0; i < layout->graph->n_nodes; i++) {
        const PvPlacedNode *node = &layout->nodes[i];
        if (x >= node->x && x < node->x + node->width && y >= node->y && y < node->y + node->height)
            return i;
    }
    return UINT32_MAX;
}

/* Distance to the label or to points on the curves; these are close enough together. */
static double
find_distance (const PvGraphLayout *layout, const PvPlacedEdge *edge, double x, double y)
{
    enum { STEPS = 12 };
    double least = hypot (edge->label_x - x, edge->label_y - y);
    for (uint32_t i = 0; i + 3 < edge->n_points; i += 3) {
        const PvGraphPoint *p = &layout->points[edge->first_point + i];
        for (unsigned s = 0; s <= STEPS; s++) {
            double t = (double)s / STEPS, u = 1 - t;
            double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
            least = MIN (least, hypot (a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x - x,
                                       a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y - y));
        }
    }
    return least;
}

uint32_t
pv_graph_layout_find_edge (const PvGraphLayout *layout, double x, double y, double distance)
{
    g_assert (layout != NULL);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < layout->graph->n_edges; i++) {
        if (layout->edges[i].n_points == 0)
            continue;
        double own = find_distance (layout, &layout->edges[i], x, y);
        if (own <= distance) {
            distance = own;
            found = i;
        }
    }
    return found;
}
