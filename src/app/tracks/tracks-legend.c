/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-legend.h"

#include <glib/gi18n.h>

#include "render/draw/color-shares.h"

#define MOST_SHARES 6 /* of modules: waits and qualities come after them */

static gint
compare_classes (gconstpointer a, gconstpointer b, gpointer user)
{
    const uint64_t *weights = user;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    if (weights[left] != weights[right])
        return weights[left] < weights[right] ? 1 : -1;
    return left < right ? -1 : left > right;
}

/* Those with weight, the heaviest first. */
static GArray *
sort_classes (const PvTrackSet *set)
{
    GArray *classes = g_array_new (FALSE, FALSE, sizeof (uint32_t));

    for (uint32_t class = 0; class < set->tracks->index->n_classes; class ++)
        if (set->class_weights[class] > 0)
            g_array_append_val (classes, class);
    g_array_sort_with_data (classes, compare_classes, set->class_weights);
    return classes;
}

static void
add_waits (PvColorLegend *legend, const PvPalette *palette)
{
    PvColor blocked = pv_tracks_get_wait_color (palette, PV_WAIT_BLOCKED);
    PvColor preempted = pv_tracks_get_wait_color (palette, PV_WAIT_PREEMPTED);

    pv_color_legend_add (legend, C_ ("legend", "Blocked"), &blocked);
    pv_color_legend_add (legend, C_ ("legend", "Preempted"), &preempted);
}

/* Adds the classes that occur in the row above the threads. */
static void
add_quality (PvColorLegend *legend, const PvTracks *tracks, const PvPalette *palette)
{
    static const char *const names[PV_N_QUALITIES] = {
        [PV_STACK_COMPLETE] = N_ ("Complete stacks"),
        [PV_STACK_TRUNCATED] = N_ ("Truncated stacks"),
        [PV_STACK_BROKEN] = N_ ("Broken stacks"),
        [PV_STACK_UNKNOWN] = N_ ("Possibly incomplete stacks"),
        [PV_QUALITY_LOST] = N_ ("Lost events"),
    };
    const PvTimeView view = {.end_ns = UINT64_MAX, .n_bins = 1};
    g_autofree uint64_t *counts = pv_quality_index_count (tracks->quality, &view);

    for (unsigned quality = 0; quality < PV_N_QUALITIES; quality++) {
        PvColor color = pv_tracks_get_quality_color (palette, quality);
        if (counts[quality] > 0)
            pv_color_legend_add (legend, _ (names[quality]), &color);
    }
}

/* The same names and colors as below the flame graph. */
static void
add_shares (PvColorLegend *legend, const GPtrArray *shares, bool is_lit, const PvPalette *palette)
{
    for (guint i = 0; i < MIN (shares->len, MOST_SHARES); i++) {
        const PvColorShare *share = shares->pdata[i];
        PvColor color = pv_tracks_get_hue_color (palette, share->hue, is_lit);
        if (share->weight > 0)
            pv_color_legend_add (legend, share->text, &color);
    }
}

/* One of each family. */
static void
add_families (PvColorLegend *legend, const PvTrackSet *set, bool is_lit, const PvPalette *palette)
{
    g_autoptr (GArray) classes = sort_classes (set);
    bool has_names = false;

    for (guint i = 0; i < classes->len; i++) {
        uint32_t class = g_array_index (classes, uint32_t, i);
        PvColor color = pv_tracks_get_color (palette, set->tracks, class, is_lit);
        unsigned family = set->tracks->hue_of_class[class] / (unsigned)PV_N_SHADES;
        const char *name =
            pv_color_name_family (set->tree->profile, set->tree->symbols, family, set->colors);
        if (name != NULL)
            pv_color_legend_add (legend, name, &color);
        has_names |= name == NULL;
    }
    if (has_names)
        pv_color_legend_add (legend, _ ("Each function name has its own color"), NULL);
}

void
pv_tracks_legend_show (PvColorLegend *legend, const PvTrackSet *set, const GPtrArray *shares,
                       const char *selected, const char *search, const PvPalette *palette)
{
    g_assert (PV_IS_COLOR_LEGEND (legend) && set != NULL && palette != NULL);
    PvColor selected_color = pv_tracks_get_lit_color (palette, PV_LIT_SELECTED);
    PvColor match_color = pv_tracks_get_lit_color (palette, PV_LIT_MATCH);
    bool is_lit = selected != NULL || search != NULL;

    pv_color_legend_clear (legend);
    if (selected != NULL)
        pv_color_legend_add (legend, selected, &selected_color);
    if (search != NULL)
        pv_color_legend_add (legend, search, &match_color);
    if (shares != NULL)
        add_shares (legend, shares, is_lit, palette);
    else
        add_families (legend, set, is_lit, palette);
    if (set->tracks->waits != NULL &&
        !pv_profile_counts_waits (set->tracks->index->profile, set->tracks->index->measure))
        add_waits (legend, palette);
    if (set->tracks->marks != NULL) {
        PvColor color = pv_tracks_get_tick_color (palette);
        /* Translators: of short lines, each of which stands for an event */
        pv_color_legend_add (legend,
                             set->tracks->marks->has_fields ? C_ ("legend", "Tracepoints")
                                                            : _ ("Context switches"),
                             &color);
    }
    if (set->tracks->quality != NULL)
        add_quality (legend, set->tracks, palette);
}
