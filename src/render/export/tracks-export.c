/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "render/draw/color-shares.h"
#include "render/export/export.h"
#include "render/export/picture-file.h"
#include "render/export/picture-frame.h"
#include "render/tracks/counter-rows.h"
#include "render/tracks/tracks-private.h"

enum {
    DEFAULT_WIDTH = 1200,
    LEAST_WIDTH = 200,
    LEAST_HEIGHT = 80,
    WANTED_HEIGHT = 480, /* of the rows, if they are few */
    BAR_HEIGHT = 4,      /* of a mark ... */
    FLAG_SIZE = 14,      /* ... and its flag */
};

typedef struct {
    uint32_t class;
    uint64_t weight;
} PvClassWeight;

typedef struct {
    const PvTracksPicture *picture;
    PvPictureFrame frame;
    PvTracksPainter *painter;
    PvTracksView view; /* of the tracks inside the frame */
    double height;     /* of all */
    double tracks_height;
    uint32_t n_shown;  /* tracks */
    PvTrackBins *bins; /* of those */

    /* Times that the figures cover: the range if some of it is shown, else all times shown. */
    bool has_range;
    uint64_t start_ns;
    uint64_t end_ns;
    PvTimeBins *sums; /* of all rows, one bin each */
    uint64_t weight;
    uint64_t n_samples;
} PvTracksPage;

static const PvTimeIndex *
index_of_page (const PvTracksPage *page)
{
    return page->picture->tracks->index;
}

static const PvMeasure *
measure_of_page (const PvTracksPage *page)
{
    const PvTimeIndex *index = index_of_page (page);
    return &index->profile->measures[index->measure];
}

static double
share_of_page (const PvTracksPage *page, uint64_t weight)
{
    return page->weight > 0 ? (double)weight / (double)page->weight : 0;
}

/* The legend */

static int
compare_class_weights (const void *a, const void *b)
{
    const PvClassWeight *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return x->class < y->class ? -1 : x->class > y->class;
}

/* By class, the heaviest first; free with g_free (). */
static PvClassWeight *
weigh_classes (const PvTracksPage *page)
{
    const PvTimeIndex *index = index_of_page (page);
    PvClassWeight *weights = g_new0 (PvClassWeight, index->n_classes);
    for (uint32_t class = 0; class < index->n_classes; class ++)
        weights[class].class = class;
    for (uint32_t row = 0; row < page->sums->n_rows; row++)
        for (uint32_t class = 0; class < index->n_classes; class ++)
            weights[class].weight += pv_time_bins_get (page->sums, row, 0)[class];
    qsort (weights, index->n_classes, sizeof *weights, compare_class_weights);
    return weights;
}

static void
add_lit (PvTracksPage *page)
{
    const PvTracksPicture *picture = page->picture;
    const char *const names[] = {
        [PV_LIT_SELECTED] = picture->lit_name, [PV_LIT_MATCH] = picture->match_name};
    PvTimeView all = {.start_ns = page->start_ns, .end_ns = page->end_ns, .n_bins = 1};
    g_autoptr (PvTimeBins) sums = pv_time_bins_build (picture->lit, &all, NULL);
    for (uint32_t class = 0; class < sums->n_classes; class ++) {
        uint64_t weight = 0;
        for (uint32_t row = 0; row < sums->n_rows; row++)
            weight += pv_time_bins_get (sums, row, 0)[class];
        if (names[class] != NULL)
            pv_picture_frame_add_color (&page->frame, names[class],
                                        pv_tracks_get_lit_color (&page->painter->palette, class),
                                        share_of_page (page, weight));
    }
}

/* How complete the stacks are in the times that are shown, or in the range, and what is lost. */
static void
add_quality (PvTracksPage *page)
{
    static const char *const names[PV_N_QUALITIES] = {
        [PV_STACK_COMPLETE] = N_ ("complete stacks"),
        [PV_STACK_TRUNCATED] = N_ ("truncated stacks"),
        [PV_STACK_BROKEN] = N_ ("broken stacks"),
        [PV_STACK_UNKNOWN] = N_ ("possibly incomplete stacks"),
        [PV_QUALITY_LOST] = N_ ("lost events"),
    };
    PvTimeView view = {.start_ns = page->start_ns, .end_ns = page->end_ns, .n_bins = 1};
    g_autofree uint64_t *counts = pv_quality_index_count (page->picture->tracks->quality, &view);
    double sum = 0;
    for (unsigned quality = 0; quality < PV_N_QUALITIES; quality++)
        sum += (double)counts[quality];
    for (unsigned quality = 0; quality < PV_N_QUALITIES; quality++)
        if (counts[quality] > 0)
            pv_picture_frame_add_color (
                &page->frame, _ (names[quality]),
                pv_tracks_get_quality_color (&page->painter->palette, quality),
                (double)counts[quality] / sum);
}

/* Hues of function names are too many for the legend, and names share them. */
static void
add_legend (PvTracksPage *page)
{
    const PvTracks *tracks = page->picture->tracks;
    const PvCallTree *tree = page->picture->tree;
    bool is_lit = page->picture->lit != NULL;
    g_autofree PvClassWeight *weights = weigh_classes (page);
    bool has_names = false;
    if (is_lit)
        add_lit (page);
    for (uint32_t i = 0; i < tracks->index->n_classes && weights[i].weight > 0; i++) {
        uint32_t class = weights[i].class;
        unsigned family = tracks->hue_of_class[class] / (unsigned)PV_N_SHADES;
        const char *name =
            pv_color_name_family (tree->profile, tree->symbols, family, page->picture->colors);
        if (name != NULL)
            pv_picture_frame_add_color (
                &page->frame, name,
                pv_tracks_get_color (&page->painter->palette, tracks, class, is_lit),
                share_of_page (page, weights[i].weight));
        has_names |= name == NULL;
    }
    if (tracks->quality != NULL)
        add_quality (page);
    if (has_names)
        pv_picture_frame_add_caption (&page->frame,
                                      g_strdup (_ ("Each function name has its own color")));
}

/* The footer */

static void
append_full (const PvTracksPage *page, GString *text)
{
    const PvTrackBins *bins = page->bins;
    uint64_t bin_ns = (bins->end_ns - bins->start_ns) / bins->bins->n_bins;
    if (measure_of_page (page)->unit == PV_UNIT_NS) {
        /* Translators: so much is a row that is filled to its top */
        pv_format_add_fact (text, g_strdup (_ ("a full row is all of the time")));
        return;
    }
    g_autofree char *width = pv_format_amount (bin_ns, PV_UNIT_NS);
    g_autofree char *full =
        pv_format_amount (pv_track_bins_get_full (bins), measure_of_page (page)->unit);
    /* Translators: an amount, and a time */
    pv_format_add_fact (text, g_strdup_printf (_ ("a full row is %s in %s"), full, width));
}

/* Appends how many rows are shown and, unless the picture shows a part of the time, the share that
 * has no time. */
static void
append_left_out (const PvTracksPage *page, GString *text)
{
    const PvTimeIndex *index = index_of_page (page);
    bool is_whole = page->start_ns == 0 && page->end_ns >= index->end_ns;
    if (page->n_shown < page->picture->tracks->n_tracks) {
        g_autofree char *shown = pv_format_count (page->n_shown);
        g_autofree char *all = pv_format_count (page->picture->tracks->n_tracks);
        g_string_append_c (text, ' ');
        /* Translators: numbers of rows that are shown and of all; follows “5.3 s in total” */
        g_string_append_printf (text,
                                g_dngettext (GETTEXT_PACKAGE, "(%s of %s row)", "(%s of %s rows)",
                                             page->picture->tracks->n_tracks),
                                shown, all);
    }
    if (!is_whole || index->weight_without_time == 0)
        return;
    double without = (double)index->weight_without_time;
    g_autofree char *share = pv_format_percent (without, without + (double)page->weight);
    /* Translators: a share, such as “1.2 %” */
    pv_format_add_fact (text,
                        g_strdup_printf (_ ("%s of all has no time and is not shown"), share));
}

static char *
footer_text (const PvTracksPage *page)
{
    const PvTimeIndex *index = index_of_page (page);
    GString *text = g_string_new (NULL);
    pv_picture_append_total (text, index->profile, index->measure, page->weight);
    pv_picture_append_samples (text, index->profile, index->measure, page->n_samples);
    if (page->has_range) {
        g_autofree char *duration = pv_format_amount (page->end_ns - page->start_ns, PV_UNIT_NS);
        g_string_append_c (text, ' ');
        /* Translators: the length of a range of time; this follows “5.3 s in total, 530 samples” */
        g_string_append_printf (text, _ ("in the marked %s"), duration);
    }
    append_full (page, text);
    append_left_out (page, text);
    return g_string_free (text, FALSE);
}

/* The page */

/* As the window has it, without the ruler's part. */
static void
draw_range (const PvTracksPage *page, cairo_t *cr)
{
    const PvTracksPicture *picture = page->picture;
    const PvPalette *palette = page->frame.palette;
    cairo_rectangle_t plot = pv_tracks_get_field (picture->tracks, &page->view);
    double right = plot.x + plot.width;
    double start = pv_tracks_time_to_x (picture->tracks, &page->view, picture->range_start_ns);
    double end = pv_tracks_time_to_x (picture->tracks, &page->view, picture->range_end_ns);
    if (picture->range_end_ns == 0)
        return;
    start = CLAMP (start, plot.x, right);
    end = CLAMP (end, start, right);
    cairo_rectangle (cr, plot.x, plot.y, start - plot.x, plot.height);
    cairo_rectangle (cr, end, plot.y, right - end, plot.height);
    pv_color_set_source (cr, palette->background, 0.72);
    cairo_fill (cr);
    cairo_rectangle (cr, start, plot.y, 1, plot.height);
    cairo_rectangle (cr, MAX (end - 1, start), plot.y, 1, plot.height);
    pv_color_set_source (cr, palette->selection, 0.8);
    cairo_fill (cr);
}

/* A bar on the ruler with a flag that has its letter, and lines down from its ends. */
static void
draw_mark (const PvTracksPage *page, cairo_t *cr, const PvRangeMark *mark)
{
    const PvPalette *palette = page->frame.palette;
    const PvTracks *tracks = page->picture->tracks;
    PvColor bar = pv_color_mix (palette->foreground, palette->background, 0.25);
    PvColor edge = pv_color_mix (palette->foreground, palette->background, 0.7);
    cairo_rectangle_t plot = pv_tracks_get_plot (tracks, &page->view);
    double right = plot.x + plot.width, bottom = plot.y + plot.height;
    double start = pv_tracks_time_to_x (tracks, &page->view, mark->start_ns);
    double end = pv_tracks_time_to_x (tracks, &page->view, mark->end_ns);
    const char letter[] = {mark->letter, '\0'};
    if (end < plot.x || start >= right)
        return;
    start = floor (CLAMP (start, plot.x, right - 1));
    end = ceil (CLAMP (end, start + 1, right));
    cairo_rectangle (cr, start, FLAG_SIZE, 1, bottom - FLAG_SIZE);
    cairo_rectangle (cr, end - 1, BAR_HEIGHT, 1, bottom - BAR_HEIGHT);
    pv_color_set_source (cr, edge, 1);
    cairo_fill (cr);
    cairo_rectangle (cr, start, 0, end - start, BAR_HEIGHT);
    cairo_rectangle (cr, start, 0, FLAG_SIZE, FLAG_SIZE);
    pv_color_set_source (cr, bar, 1);
    cairo_fill (cr);
    pv_color_set_source (cr, palette->background, 1);
    pv_glyph_font_show_text (page->painter->font, cr, letter, start + 3, FLAG_SIZE - 3, FLAG_SIZE);
}

static void
draw_page (cairo_t *cr, void *data)
{
    const PvTracksPage *page = data;
    g_autofree char *footer = footer_text (page);
    pv_picture_frame_draw (&page->frame, cr, PV_FRAME_TITLE_HEIGHT + page->tracks_height, footer);
    cairo_save (cr);
    cairo_translate (cr, PV_FRAME_MARGIN, PV_FRAME_TITLE_HEIGHT);
    if (pv_tracks_get_counters_height (page->picture->tracks, &page->view) > 0) {
        /* The last row may be cut. */
        cairo_rectangle (cr, 0, 0, page->view.width, page->view.height);
        cairo_clip (cr);
    }
    pv_tracks_draw (page->painter, cr, page->picture->tracks, page->bins, &page->view);
    draw_range (page, cr);
    for (guint i = 0; i < page->picture->n_marks; i++)
        draw_mark (page, cr, &page->picture->marks[i]);
    cairo_restore (cr);
}

static void
append_tip (GString *svg, const PvTracksPage *page, uint32_t track, double top, double height)
{
    const PvTrack *its = &page->picture->tracks->tracks[track];
    const cairo_rectangle_int_t box = {PV_FRAME_MARGIN, (int)top, (int)page->view.width,
                                       (int)height};
    g_autofree char *figures = NULL;
    if (its->row != PV_TRACK_NONE) {
        uint64_t weight = pv_time_bins_sum (page->sums, its->row, 0);
        g_autofree char *share = pv_format_percent (share_of_page (page, weight), 1);
        g_autofree char *amount = pv_format_amount (weight, measure_of_page (page)->unit);
        figures = g_strdup_printf ("%s (%s)", share, amount);
    }
    pv_picture_append_tip (svg, &box, its->name, figures, NULL);
}

/* An invisible box for each row, with its full name. */
static void
append_tool_tips (GString *svg, void *data)
{
    const PvTracksPage *page = data;
    const PvTracks *tracks = page->picture->tracks;
    double row_height = pv_tracks_get_row_height (tracks, &page->view);
    double top = PV_FRAME_TITLE_HEIGHT + pv_tracks_get_plot (tracks, &page->view).y;
    g_string_append (svg, "<g fill=\"none\" pointer-events=\"all\">\n");
    for (uint32_t track = 0; track < page->n_shown; track++)
        append_tip (svg, page, track, top + track * row_height, row_height);
    g_string_append (svg, "</g>\n");
}

/* Rows as high as there is room, and whole ones only. */
static void
place_tracks (PvTracksPage *page, double wanted_height, double max)
{
    const PvTracks *tracks = page->picture->tracks;
    double around = PV_FRAME_TITLE_HEIGHT + pv_picture_frame_get_footer_height (&page->frame);
    double counters = pv_tracks_get_counters_height (tracks, &page->view);
    double ruler, row_height, room;
    page->view.height = 1;
    ruler = pv_tracks_get_plot (tracks, &page->view).y;
    page->view.height =
        wanted_height > 0 ? wanted_height - around : ruler + WANTED_HEIGHT + counters;
    row_height = pv_tracks_get_row_height (tracks, &page->view);
    if (wanted_height <= 0)
        wanted_height = around + ruler + tracks->n_tracks * row_height + counters;
    page->height = floor (CLAMP (wanted_height, MIN (around + LEAST_HEIGHT, max), max));
    page->tracks_height = page->height - around;
    room = floor ((page->tracks_height - ruler) / row_height);
    page->n_shown = (uint32_t)CLAMP (room, 0, tracks->n_tracks);
    page->view.height = ruler + page->n_shown * row_height;
    if (page->n_shown == tracks->n_tracks)
        page->view.height =
            MAX (page->view.height, MIN (page->view.height + counters, page->tracks_height));
}

static void
sum_up (PvTracksPage *page)
{
    const PvTracksPicture *picture = page->picture;
    const PvTimeIndex *index = index_of_page (page);
    page->start_ns = MAX (page->view.start_ns, picture->range_start_ns);
    page->end_ns = MIN (page->view.end_ns, picture->range_end_ns);
    page->has_range = page->start_ns < page->end_ns;
    if (!page->has_range) {
        page->start_ns = page->view.start_ns;
        page->end_ns = page->view.end_ns;
    }
    PvTimeView all = {.start_ns = page->start_ns, .end_ns = page->end_ns, .n_bins = 1};
    page->sums = pv_time_bins_build (index, &all, NULL);
    pv_time_index_sum (index, page->start_ns, page->end_ns, &page->weight, &page->n_samples);
}

static void
page_init (PvTracksPage *page, const PvTracksPicture *picture, PvPictureFile *file,
           const PvTracksView *view)
{
    double max = pv_picture_get_max_side (file);
    *page = (PvTracksPage){.picture = picture, .view = *view, .frame.title = file->title};
    page->frame.width =
        floor (CLAMP (view->width > 0 ? view->width : DEFAULT_WIDTH, LEAST_WIDTH, max));
    page->view.width = page->frame.width - 2 * PV_FRAME_MARGIN;
    page->view.device_scale = file->device_scale;
    page->view.scroll_y = 0;
    page->view.selected = PV_TRACK_NONE;
    page->painter = pv_tracks_painter_new (NULL);
    page->painter->is_vector = file->kind != PV_PICTURE_PNG;
    pv_tracks_painter_prepare (page->painter, &page->view);
    page->frame.font = page->painter->font;
    page->frame.palette = &page->painter->palette;
    sum_up (page);
    add_legend (page);
    pv_picture_frame_place (&page->frame);
    place_tracks (page, view->height, max);
    page->bins = pv_track_bins_build (picture->tracks, picture->lit, 0, page->n_shown,
                                      view->start_ns, view->end_ns,
                                      pv_tracks_choose_n_bins (picture->tracks, &page->view), NULL);
    uint32_t first, end;
    pv_counter_rows_get_visible (picture->tracks, &page->view, &first, &end);
    pv_counter_rows_fill (page->bins, first, end);
}

static void
page_clear (PvTracksPage *page)
{
    pv_picture_frame_clear (&page->frame);
    pv_tracks_painter_free (page->painter);
    pv_track_bins_unref (page->bins);
    pv_time_bins_free (page->sums);
}

bool
pv_export_tracks (const char *path, const PvTracksPicture *picture, const PvTracksView *view,
                  const char *title, GError **error)
{
    g_assert (path != NULL && picture != NULL && picture->tracks != NULL && view != NULL);
    g_assert (view->start_ns < view->end_ns);

    PvPictureFile file;
    PvTracksPage page;
    if (!pv_picture_file_init (&file, path, title, view->device_scale, error))
        return false;
    page_init (&page, picture, &file, view);
    file.width = page.frame.width;
    file.height = page.height;
    bool ok = pv_picture_write (path, &file, draw_page, append_tool_tips, &page, error);
    page_clear (&page);
    return ok;
}
