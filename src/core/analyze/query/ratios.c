/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/ratios.h"

#include <string.h>

/* True for a counter that runs while the program does: of the processor or the kernel, by perf. The
 * names of tracepoints are "subsystem:event"; a counter's colon is followed by modifiers. */
static bool
is_counter (const PvProfile *profile, const PvMeasure *measure)
{
    const PvSampleSet *set = &profile->sets[measure->set];
    const char *colon = strchr (measure->name, ':');
    return !set->is_derived && !set->is_exact && set->duration_ns == NULL && set->fields == NULL &&
           (colon == NULL || colon[1 + strspn (colon + 1, "ukhGHpPSDIeW")] == '\0') &&
           (measure->unit == PV_UNIT_COUNT || measure->unit == PV_UNIT_NS);
}

/* True for a measure that has an amount of its own. */
static bool
is_plain (const PvMeasure *measure)
{
    return measure->total > 0 && measure->part == PV_PART_NONE &&
           strcmp (measure->name, "samples") != 0;
}

bool
pv_ratio_has_meaning (const PvProfile *profile, PvMeasureId of, PvMeasureId per)
{
    g_assert (profile != NULL && of < profile->n_measures && per < profile->n_measures);
    const PvMeasure *a = &profile->measures[of], *b = &profile->measures[per];
    if (of == per || !is_plain (a) || !is_plain (b) ||
        pv_profile_get_joined_file (profile, of) != pv_profile_get_joined_file (profile, per))
        return false;
    if (a->set == b->set)
        return a->unit == b->unit;
    return a->set != PV_NO_SET && b->set != PV_NO_SET && is_counter (profile, a) &&
           is_counter (profile, b);
}
