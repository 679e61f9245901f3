#include "app/query-words.h"

#include <glib/gi18n.h>

/* From here on times are minutes and seconds. */
#define MINUTES_FROM_NS (120 * (uint64_t)1000000000)

const char *
pv_measure_get_title (const PvProfile *profile, PvMeasureId measure)
{
    switch (profile->measures[measure].heap) {
    case PV_HEAP_PEAK:
        return _ ("Peak");
    case PV_HEAP_LEAKED:
        return _ ("Leaked");
    case PV_HEAP_LIVE:
        return _ ("Live at end");
    case PV_HEAP_GROWTH:
        return _ ("Growth");
    case PV_HEAP_ALLOCATED:
        return _ ("Allocated");
    case PV_HEAP_ALLOCATIONS:
        return _ ("Allocations");
    case PV_HEAP_TEMPORARY:
        return _ ("Temporary");
    case PV_HEAP_LIFETIME:
        return _ ("Lifetime");
    case PV_HEAP_NONE:
    case PV_N_HEAP_MEASURES:
        break;
    }
    return profile->measures[measure].name;
}

static const char *
get_whole_meaning (PvHeapMeasure heap)
{
    switch (heap) {
    case PV_HEAP_PEAK:
        return _ ("Bytes live at the moment when the most were");
    case PV_HEAP_LEAKED:
        return _ ("Bytes never freed, without suppressed leaks");
    case PV_HEAP_LIVE:
        return _ ("Bytes live when the recording ended");
    case PV_HEAP_GROWTH:
        return _ ("Bytes live at the end more than at the start");
    case PV_HEAP_ALLOCATED:
        return _ ("Bytes asked for, freed or not");
    case PV_HEAP_ALLOCATIONS:
        return _ ("Calls that allocated memory");
    case PV_HEAP_LIFETIME:
        return _ ("Bytes times the time they were held");
    default:
        return NULL;
    }
}

static const char *
get_range_meaning (PvHeapMeasure heap)
{
    switch (heap) {
    case PV_HEAP_PEAK:
        return _ ("Bytes live at the moment of the range when the most were");
    case PV_HEAP_LEAKED:
        return _ ("Bytes live at the end of the range, without suppressed leaks");
    case PV_HEAP_LIVE:
        return _ ("Bytes live at the end of the range");
    case PV_HEAP_GROWTH:
        return _ ("Bytes live at the end of the range more than at its start");
    case PV_HEAP_ALLOCATED:
        return _ ("Bytes asked for within the range, freed or not");
    case PV_HEAP_ALLOCATIONS:
        return _ ("Calls that allocated memory within the range");
    case PV_HEAP_LIFETIME:
        return _ ("Bytes times the time they were held within the range");
    default:
        return NULL;
    }
}

const char *
pv_measure_get_meaning (const PvProfile *profile, PvMeasureId measure, bool has_range)
{
    PvHeapMeasure heap = profile->measures[measure].heap;

    if (profile->heap == NULL)
        return NULL;
    if (heap == PV_HEAP_TEMPORARY)
        return profile->heap->is_exact
                   ? _ ("Allocations freed before anything else was allocated or freed")
                   : _ ("As heaptrack counts: a block of the same size and place was freed next");
    return has_range ? get_range_meaning (heap) : get_whole_meaning (heap);
}

PvMeasureId
pv_measure_find_heap (const PvProfile *profile, PvHeapMeasure heap)
{
    for (uint32_t i = 0; i < profile->n_measures; i++)
        if (profile->measures[i].heap == heap)
            return i;
    return 0;
}

/* Without its unit, which follows from unit_ns: of a range both ends have the same. */
static char *
format_number (uint64_t time_ns, uint64_t unit_ns)
{
    if (unit_ns >= MINUTES_FROM_NS)
        return g_strdup_printf ("%u:%02u", (unsigned)(time_ns / 1000000000 / 60),
                                (unsigned)(time_ns / 1000000000 % 60));
    if (unit_ns < 1000000000)
        return g_strdup_printf ("%u", (unsigned)(time_ns / 1000000));
    return g_strdup_printf ("%.2f", (double)time_ns / 1e9);
}

static const char *
get_unit (uint64_t unit_ns)
{
    return unit_ns >= MINUTES_FROM_NS ? _ ("min") : unit_ns < 1000000000 ? _ ("ms") : _ ("s");
}

char *
pv_format_time_range (uint64_t start_ns, uint64_t end_ns, uint64_t duration_ns)
{
    uint64_t unit_ns = MIN (end_ns, MAX (duration_ns, start_ns));
    g_autofree char *start = format_number (start_ns, unit_ns);
    g_autofree char *end = format_number (unit_ns, unit_ns);

    if (start_ns == 0)
        /* Translators: a range of time from the start on; number and unit. */
        return g_strdup_printf (_ ("until %s %s"), end, get_unit (unit_ns));
    /* Translators: a range of time, from, to, unit. */
    return g_strdup_printf (_ ("%s–%s %s"), start, end, get_unit (unit_ns));
}

char *
pv_format_moment (uint64_t time_ns)
{
    g_autofree char *number = format_number (time_ns, time_ns);
    return g_strdup_printf ("%s %s", number, get_unit (time_ns));
}

char *
pv_format_transform (const PvTransform *transform)
{
    switch (transform->kind) {
    case PV_TRANSFORM_FOCUS:
        return g_strdup_printf (_ ("Focus: %s"), transform->expression);
    case PV_TRANSFORM_IGNORE:
        return g_strdup_printf (_ ("Ignore: %s"), transform->expression);
    case PV_TRANSFORM_HIDE:
        return g_strdup_printf (_ ("Hide: %s"), transform->expression);
    case PV_TRANSFORM_SHOW:
        return g_strdup_printf (_ ("Show: %s"), transform->expression);
    case PV_TRANSFORM_SHOW_FROM:
        return g_strdup_printf (_ ("Show from: %s"), transform->expression);
    case PV_TRANSFORM_COLLAPSE_RECURSION:
        return g_strdup (_ ("Recursion collapsed"));
    case PV_TRANSFORM_MERGE_MODULE:
        return g_strdup_printf (_ ("Merge module: %s"), transform->expression);
    case PV_TRANSFORM_HIDE_ALLOCATORS:
        return g_strdup (_ ("Allocators hidden"));
    }
    return NULL;
}
