/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-work.h"

/* Hues without their shades: a class each. */
enum { N_FAMILIES_AT_MOST = PV_N_FAMILIES };

/* Tracks */

static void
set_input_free (gpointer data)
{
    PvTrackSetInput *input = data;
    pv_call_tree_free (input->tree);
    g_free (input);
}

void
pv_track_set_free (gpointer data)
{
    PvTrackSet *set = data;
    g_clear_pointer (&set->reader, pv_stack_reader_free);
    g_clear_pointer (&set->tracks, pv_tracks_unref);
    pv_call_tree_free (set->tree);
    g_free (set);
}

/* The classes of functions, in the order in which their hues are in the palette, so that a kind of
 * code is always at the same height. Class 0: no function. */
static uint8_t *
classify_functions (const PvCallTree *tree, PvColorScheme colors, uint8_t **ret_hues,
                    uint32_t *ret_n_classes)
{
    const PvSymbolTable *symbols = tree->symbols;
    uint8_t *family_of_function = g_new0 (uint8_t, MAX (symbols->n_functions, 1));
    uint8_t *hues = g_new0 (uint8_t, N_FAMILIES_AT_MOST + 1);
    uint8_t class_of_family[N_FAMILIES_AT_MOST] = {0};
    uint8_t n_classes = 1;

    hues[0] = PV_FAMILY_NEUTRAL * PV_N_SHADES + PV_N_SHADES / 2;
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        family_of_function[f] =
            (uint8_t)(pv_palette_hue (tree->profile, symbols, f, colors) / PV_N_SHADES);
        class_of_family[family_of_function[f]] = 1;
    }
    for (unsigned family = 0; family < N_FAMILIES_AT_MOST; family++)
        if (class_of_family[family] != 0) {
            hues[n_classes] = (uint8_t)(family * PV_N_SHADES + PV_N_SHADES / 2);
            class_of_family[family] = n_classes++;
        }
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        family_of_function[f] = class_of_family[family_of_function[f]];
    *ret_hues = hues;
    *ret_n_classes = n_classes;
    return family_of_function;
}

static gpointer
build_set (gpointer data, PvJob *job, GError **error)
{
    PvTrackSetInput *input = data;
    uint8_t *hues;
    uint32_t n_classes;
    g_autofree uint8_t *classes =
        classify_functions (input->tree, input->colors, &hues, &n_classes);
    PvTimeIndex *index = pv_time_index_build (input->tree, input->kind, classes, n_classes, job);
    PvTrackSet *set;

    if (index == NULL) {
        g_free (hues);
        return NULL;
    }
    set = g_new0 (PvTrackSet, 1);
    set->tree = pv_call_tree_ref (input->tree);
    set->tracks = pv_tracks_new (index, hues);
    set->reader = pv_stack_reader_new (input->tree, job);
    if (set->reader == NULL)
        g_clear_pointer (&set, pv_track_set_free);
    return set;
}

PvTask *
pv_track_set_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_set, set_input_free, pv_track_set_free, done);
}

/* A function */

static void
lit_input_free (gpointer data)
{
    PvLitInput *input = data;
    pv_call_tree_free (input->tree);
    pv_tracks_unref (input->tracks);
    g_free (input);
}

static gpointer
build_lit (gpointer data, PvJob *job, GError **error)
{
    PvLitInput *input = data;
    return pv_time_index_build_through (input->tracks->index, input->tree, input->function, job);
}

PvTask *
pv_lit_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_lit, lit_input_free, (GDestroyNotify)pv_time_index_unref,
                        done);
}

/* Amounts */

static void
bins_input_free (gpointer data)
{
    PvTrackBinsInput *input = data;
    pv_tracks_unref (input->tracks);
    g_clear_pointer (&input->lit, pv_time_index_unref);
    g_free (input);
}

static gpointer
build_bins (gpointer data, PvJob *job, GError **error)
{
    PvTrackBinsInput *input = data;
    return pv_track_bins_build (input->tracks, input->lit, input->first, input->end,
                                input->start_ns, input->end_ns, input->n_bins, job);
}

PvTask *
pv_track_bins_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_bins, bins_input_free, (GDestroyNotify)pv_track_bins_unref,
                        done);
}
