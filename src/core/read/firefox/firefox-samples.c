/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/read/firefox/firefox-build.h"

enum { BOTH, NEGATIVE, POSITIVE, MAX_COLUMNS = 4 };

/* The rows of the next samples' stacks are all over their table. */
enum { SAMPLES_AHEAD = 16 };

#define MAX_WEIGHT ((double)(INT64_MAX / 4))

/* --- sets --- */

static const struct {
    const char *name;
    PvUnit unit;
} kinds[FIREFOX_N_SETS] = {
    [FIREFOX_SET_SAMPLES] = {"samples", PV_UNIT_COUNT},
    [FIREFOX_SET_TIME] = {"time", PV_UNIT_NS},
    [FIREFOX_SET_BYTES] = {"bytes", PV_UNIT_BYTES},
    [FIREFOX_SET_ALLOCATIONS] = {"allocated", PV_UNIT_BYTES},
    [FIREFOX_SET_JS_ALLOCATIONS] = {"allocated-by-js", PV_UNIT_BYTES},
};

static void
add_measure (FirefoxBuild *build, const FirefoxSet *set, const char *name, PvUnit unit)
{
    pv_profile_builder_add_measure (build->file->builder, set->id, name, unit, PV_AGGREGATION_SUM);
}

/* Adds measures of the amounts above and below zero. */
static void
add_sides (FirefoxBuild *build, const FirefoxSet *set, FirefoxSetKind kind)
{
    PvProfileBuilder *builder = build->file->builder;
    g_autofree char *negative = g_strconcat (kinds[kind].name, "-negative", NULL);
    g_autofree char *positive = g_strconcat (kinds[kind].name, "-positive", NULL);
    add_measure (build, set, negative, kinds[kind].unit);
    add_measure (build, set, positive, kinds[kind].unit);
    uint32_t pair = pv_profile_builder_add_pair (builder);
    pv_profile_builder_set_part (builder, set->id, BOTH, pair, PV_PART_BOTH, 0);
    pv_profile_builder_set_part (builder, set->id, NEGATIVE, pair, PV_PART_SIDE, PV_SIDE_BASE);
    pv_profile_builder_set_part (builder, set->id, POSITIVE, pair, PV_PART_SIDE, PV_SIDE_NEW);
    pv_note_info (
        builder,
        _ ("The profile has negative values, like a difference of two profiles. Amounts are net; "
           "the width of a box is the sum of its increases and decreases."));
}

/* The name of a set. A file that Profview wrote has only one set, and names it. */
static const char *
name_set (const FirefoxBuild *build, FirefoxSetKind kind)
{
    const FirefoxFile *file = build->file;
    const char *given = pv_interner_get (file->interner, file->meta.measure);
    bool is_given = *given != '\0' && kind <= FIREFOX_SET_BYTES;
    for (int s = 0; s < FIREFOX_N_SETS; s++)
        is_given &= !build->sets[s].exists;
    return is_given ? pv_profile_builder_string (file->builder, given) : kinds[kind].name;
}

static FirefoxSet *
add_set (FirefoxBuild *build, FirefoxSetKind kind)
{
    FirefoxSet *set = &build->sets[kind];
    if (set->exists)
        return set;
    const char *name = name_set (build, kind);
    set->exists = true;
    set->id = pv_profile_builder_add_set (build->file->builder, name, false);
    add_measure (build, set, name, kinds[kind].unit);
    return set;
}

static FirefoxSet *
get_samples_set (FirefoxBuild *build, FirefoxSetKind kind)
{
    FirefoxSet *set = &build->sets[kind];
    if (set->exists)
        return set;
    add_set (build, kind);
    set->has_sides = build->has_negatives[kind];
    if (set->has_sides)
        add_sides (build, set, kind);
    if (build->cpu != FIREFOX_NO_CPU) {
        set->cpu_column = pv_profile_builder_count_measures (build->file->builder, set->id);
        if (build->cpu == FIREFOX_CPU_TIME)
            add_measure (build, set, "cpu-time", PV_UNIT_NS);
        else
            add_measure (build, set, "cpu-cycles", PV_UNIT_COUNT);
    }
    return set;
}

void
firefox_add_empty_set (FirefoxBuild *build)
{
    g_assert (build != NULL);
    add_set (build, FIREFOX_SET_SAMPLES);
}

/* --- samples --- */

static uint64_t
to_amount (double value)
{
    return value > 0 ? (uint64_t)(MIN (value, MAX_WEIGHT) + 0.5) : 0;
}

static double
scale_weight (FirefoxWeightType type, double weight)
{
    if (isnan (weight))
        return 1;
    return type == FIREFOX_TIME ? weight * 1e6 : weight;
}

/* CPU that the thread has used since the sample before; unknown, so 0, for the first sample. */
static uint64_t
find_cpu (const FirefoxBuild *build, const FirefoxSamples *samples, size_t i)
{
    double delta = i > 0 ? firefox_number (&samples->cpu_delta, (int64_t)i) : FIREFOX_NO_NUMBER;
    return isnan (delta) ? 0 : to_amount (delta * build->ns_per_cpu_unit);
}

/* The time of the next sample, which may be given since the one before. */
static double
next_time (const FirefoxSamples *samples, size_t i, double before)
{
    if (samples->time.len > 0)
        return firefox_number (&samples->time, (int64_t)i);
    double delta = firefox_number (&samples->time_delta, (int64_t)i);
    return isnan (delta) ? before : before + delta;
}

void
firefox_add_samples (FirefoxBuild *build, FirefoxStacks *stacks, const FirefoxSamples *samples)
{
    g_assert (build != NULL && stacks != NULL && samples != NULL);
    double ms = 0;
    if (samples->stack.len == 0)
        return;
    FirefoxSet *set = get_samples_set (build, (FirefoxSetKind)samples->weight_type);
    for (size_t i = 0; i < samples->stack.len && firefox_go_on (&build->places); i++) {
        int32_t row = samples->stack.data[i];
        if (i + SAMPLES_AHEAD < samples->stack.len)
            firefox_stacks_prefetch (stacks, samples->stack.data[i + SAMPLES_AHEAD]);
        double weight =
            scale_weight (samples->weight_type, firefox_number (&samples->weight, (int64_t)i));
        uint64_t weights[MAX_COLUMNS] = {to_amount (fabs (weight))};
        if (set->has_sides) {
            weights[NEGATIVE] = to_amount (-weight);
            weights[POSITIVE] = to_amount (weight);
        }
        if (set->cpu_column > 0)
            weights[set->cpu_column] = find_cpu (build, samples, i);
        ms = next_time (samples, i, ms);
        PvNewSample sample = {
            .time_ns = firefox_to_time_ns (build, ms),
            .stack = firefox_stacks_get (stacks, row),
            .thread = build->thread,
            .label_set = firefox_get_labels (build, firefox_stacks_get_category (stacks, row)),
            .cpu = PV_CPU_UNKNOWN,
            .stack_end = PV_STACK_END_UNKNOWN,
        };
        pv_profile_builder_add_sample (build->file->builder, set->id, &sample, weights);
    }
}

/* --- allocations --- */

enum { ALLOCATED, FREED, RETAINED };

/* Which allocations are still there at the end: those whose memory was not freed later. */
static uint8_t *
find_retained (const FirefoxSamples *samples)
{
    size_t n = samples->stack.len;
    uint8_t *is_retained = g_new0 (uint8_t, n);
    PvIdMap live = {0}; /* by address: row + 1 */
    for (size_t i = 0; i < MIN (n, UINT32_MAX - 1); i++) {
        int64_t address = i < samples->memory_address.len ? samples->memory_address.data[i] : -1;
        double bytes = firefox_number (&samples->weight, (int64_t)i);
        if (address < 0)
            continue;
        uint32_t *row = pv_id_map_slot (&live, (uint64_t)address);
        if (*row != 0)
            is_retained[*row - 1] = 0;
        is_retained[i] = bytes > 0;
        *row = (uint32_t)i + 1;
    }
    pv_id_map_clear (&live);
    return is_retained;
}

static FirefoxSet *
get_allocations_set (FirefoxBuild *build, FirefoxSetKind kind)
{
    FirefoxSet *set = &build->sets[kind];
    if (set->exists)
        return set;
    add_set (build, kind);
    if (kind == FIREFOX_SET_ALLOCATIONS) {
        set->free_column = FREED;
        add_measure (build, set, "freed", PV_UNIT_BYTES);
        add_measure (build, set, "retained", PV_UNIT_BYTES);
    }
    return set;
}

void
firefox_add_allocations (FirefoxBuild *build, FirefoxStacks *stacks,
                         const FirefoxSamples *allocations, FirefoxSetKind kind)
{
    g_assert (build != NULL && stacks != NULL && allocations != NULL);
    double ms = 0;
    if (allocations->stack.len == 0)
        return;
    FirefoxSet *set = get_allocations_set (build, kind);
    g_autofree uint8_t *is_retained = find_retained (allocations);
    for (size_t i = 0; i < allocations->stack.len && firefox_go_on (&build->places); i++) {
        int32_t row = allocations->stack.data[i];
        double bytes = firefox_number (&allocations->weight, (int64_t)i);
        uint64_t weights[MAX_COLUMNS] = {to_amount (bytes)};
        if (set->free_column > 0) {
            weights[FREED] = to_amount (-bytes);
            weights[RETAINED] = is_retained[i] ? to_amount (bytes) : 0;
        }
        ms = next_time (allocations, i, ms);
        PvNewSample sample = {
            .time_ns = firefox_to_time_ns (build, ms),
            .stack = firefox_stacks_get (stacks, row),
            .thread = build->thread,
            .label_set = firefox_get_labels (build, firefox_stacks_get_category (stacks, row)),
            .cpu = PV_CPU_UNKNOWN,
            .stack_end = PV_STACK_END_UNKNOWN,
        };
        pv_profile_builder_add_sample (build->file->builder, set->id, &sample, weights);
    }
}
