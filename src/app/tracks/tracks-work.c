/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-work.h"

#include "render/draw/work-kinds.h"
#include "render/tracks/counter-rows.h"

/* Tracks */

static void
set_input_free (gpointer data)
{
    PvTrackSetInput *input = data;
    pv_call_tree_free (input->tree);
    g_clear_pointer (&input->previous, pv_tracks_unref);
    g_free (input);
}

void
pv_track_set_free (gpointer data)
{
    PvTrackSet *set = data;
    g_clear_pointer (&set->reader, pv_stack_reader_free);
    g_clear_pointer (&set->whole, pv_tracks_unref);
    g_clear_pointer (&set->tracks, pv_tracks_unref);
    pv_call_tree_free (set->tree);
    g_free (set->class_weights);
    g_free (set);
}

/* NULL: cancelled. */
static uint64_t *
weigh_classes (const PvTimeIndex *index, PvJob *job)
{
    PvTimeView all = {.end_ns = index->end_ns, .n_bins = 1};
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (index, &all, job);
    uint64_t *weights;

    if (bins == NULL)
        return NULL;
    weights = g_new0 (uint64_t, index->n_classes);
    for (uint32_t row = 0; row < bins->n_rows; row++)
        for (uint32_t class = 0; class < index->n_classes; class ++)
            weights[class] += pv_time_bins_get (bins, row, 0)[class];
    return weights;
}

/* The indexes depend on the profile and not on the query: a new query keeps them. */
static void
add_indexes (const PvTrackSetInput *input, PvTracks *tracks, PvJob *job)
{
    const PvProfile *profile = tracks->index->profile;
    const PvTracks *previous = input->previous;
    uint32_t own = profile->measures[tracks->index->measure].set;
    uint32_t except = pv_mark_index_takes (&profile->sets[own]) ? own : PV_NO_SET;
    gboolean is_same = previous != NULL && previous->index->profile == profile;
    gboolean has_counters = is_same && previous->counters != NULL;
    gboolean has_waits = is_same && previous->waits != NULL;
    gboolean has_marks = is_same && previous->marks != NULL && previous->marks->except == except;

    pv_tracks_take_events (tracks, pv_event_index_new (profile, own));
    pv_tracks_take_counters (tracks, has_counters ? pv_counter_index_ref (previous->counters)
                                                  : pv_counter_index_build (profile, job));
    if (input->kind != PV_TIME_THREADS)
        return;
    pv_tracks_take_waits (tracks, has_waits ? pv_wait_index_ref (previous->waits)
                                            : pv_wait_index_build (profile, NULL, job));
    pv_tracks_take_marks (tracks, has_marks ? pv_mark_index_ref (previous->marks)
                                            : pv_mark_index_build (profile, except, job));
}

gpointer
pv_track_set_build (gpointer data, PvJob *job, GError **error)
{
    PvTrackSetInput *input = data;
    g_autoptr (PvWorkKinds) kinds =
        pv_work_kinds_new (input->tree->profile, input->tree->symbols, input->colors);
    PvTimeIndex *index = pv_time_index_build (input->tree, input->kind, kinds->kind_of_function,
                                              kinds->n_kinds, job);
    PvTrackSet *set;

    if (index == NULL)
        return NULL;
    set = g_new0 (PvTrackSet, 1);
    set->tree = pv_call_tree_ref (input->tree);
    set->colors = input->colors;
    set->whole = pv_tracks_new (index, g_memdup2 (kinds->hue_of_kind, kinds->n_kinds));
    add_indexes (input, set->whole, job);
    pv_tracks_take_quality (
        set->whole,
        pv_quality_index_build (input->tree->profile, input->tree->symbols,
                                input->tree->profile->measures[index->measure].set, job));
    set->tracks = pv_tracks_ref (set->whole);
    set->reader = pv_stack_reader_new (input->tree, job);
    set->class_weights = set->reader != NULL ? weigh_classes (index, job) : NULL;
    if (set->class_weights == NULL)
        g_clear_pointer (&set, pv_track_set_free);
    return set;
}

PvTask *
pv_track_set_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, pv_track_set_build, set_input_free, pv_track_set_free, done);
}

/* Lit samples */

static void
lit_input_free (gpointer data)
{
    PvLitInput *input = data;
    pv_call_tree_free (input->tree);
    pv_tracks_unref (input->tracks);
    pv_time_light_clear (&input->light);
    g_free (input);
}

static gpointer
build_lit (gpointer data, PvJob *job, GError **error)
{
    PvLitInput *input = data;
    return pv_time_index_build_lit (input->tracks->index, input->tree, &input->light, job);
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
    PvTrackBins *bins = pv_track_bins_build (input->tracks, input->lit, input->first, input->end,
                                             input->start_ns, input->end_ns, input->n_bins, job);

    if (bins != NULL)
        pv_counter_rows_fill (bins, input->first_counter, input->end_counter);
    return bins;
}

PvTask *
pv_track_bins_task_new (gpointer owner, PvTaskDone done)
{
    return pv_task_new (owner, build_bins, bins_input_free, (GDestroyNotify)pv_track_bins_unref,
                        done);
}
