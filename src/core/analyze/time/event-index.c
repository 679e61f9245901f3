/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/time/event-index.h"

#include <stdlib.h>

#include "core/analyze/time/mark-index.h"

static bool
is_other (const PvProfile *profile, uint32_t s, uint32_t except)
{
    const PvSampleSet *set = &profile->sets[s];
    return s != except && set->name != NULL && !set->is_derived && set->n_samples > 0 &&
           pv_sample_set_time_ns (set, set->n_samples - 1) > 0 && !pv_mark_index_takes (set);
}

static int
compare_events (const void *a, const void *b)
{
    const PvOtherEvent *x = a, *y = b;
    int order = strcmp (x->name, y->name);
    return order != 0 ? order : x->set < y->set ? -1 : x->set > y->set;
}

PvEventIndex *
pv_event_index_new (const PvProfile *profile, uint32_t except)
{
    g_assert (profile != NULL);
    if (profile->n_dumps > 0)
        return NULL;
    g_autoptr (PvEventIndex) index = g_new0 (PvEventIndex, 1);
    index->profile = pv_profile_ref (profile);
    index->events = g_new (PvOtherEvent, MAX (profile->n_sets, 1));
    for (uint32_t s = 0; s < profile->n_sets; s++)
        if (is_other (profile, s, except))
            index->events[index->n_events++] = (PvOtherEvent){profile->sets[s].name, s};
    qsort (index->events, index->n_events, sizeof *index->events, compare_events);
    return index->n_events > 0 ? g_steal_pointer (&index) : NULL;
}

void
pv_event_index_free (PvEventIndex *index)
{
    if (index == NULL)
        return;
    g_free (index->events);
    pv_profile_free (index->profile);
    g_free (index);
}

/* Samples that have no time come first: they are before all bins. */
static uint32_t
find_edge (const PvEventIndex *index, const PvSampleSet *set, uint64_t time_ns)
{
    return pv_sample_set_find (set, MAX (pv_profile_get_clock (index->profile, time_ns), 1));
}

void
pv_event_index_count (const PvEventIndex *index, uint32_t event, const PvTimeView *view,
                      uint32_t *ret_counts)
{
    g_assert (index != NULL && event < index->n_events && view != NULL && ret_counts != NULL);
    const PvSampleSet *set = &index->profile->sets[index->events[event].set];
    uint32_t first = find_edge (index, set, pv_time_view_get_start (view, 0));
    for (uint32_t bin = 0; bin < view->n_bins; bin++) {
        uint32_t end = find_edge (index, set, pv_time_view_get_start (view, bin + 1));
        ret_counts[bin] = end - first;
        first = end;
    }
}
