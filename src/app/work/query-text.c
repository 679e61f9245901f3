/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/work/query-text.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/idmap.h"
#include "core/model/profile/dumps.h"
#include "core/model/profile/event-names.h"

/* Translated; NULL: not known. */
static const char *
get_heap_meaning (PvHeapMeasure heap, bool has_range)
{
    const char *meaning =
        has_range ? pv_heap_measures[heap].range_meaning : pv_heap_measures[heap].meaning;

    return meaning != NULL ? _ (meaning) : NULL;
}

static const char *
get_series_meaning (const PvProfile *profile, PvAggregation aggregation, bool has_range)
{
    switch (aggregation) {
    case PV_AGGREGATION_STATE:
        return has_range ? _ ("State in the last dump of the range")
               : profile->main_dump + 1 < profile->n_dumps ? _ ("State at the peak")
                                                           : _ ("State in the last dump");
    case PV_AGGREGATION_CHANGE:
        return has_range ? _ ("Change from the first to the last dump of the range")
                         : _ ("Change from the first to the last dump");
    case PV_AGGREGATION_GROWTH:
        return has_range ? _ ("Growth from the first to the last dump of the range")
                         : _ ("Growth from the first to the last dump");
    case PV_AGGREGATION_DECREASE:
        return has_range ? _ ("Decrease from the first to the last dump of the range")
                         : _ ("Decrease from the first to the last dump");
    case PV_AGGREGATION_SUM:
        break;
    }
    return has_range ? _ ("Sum of all dumps in the range") : _ ("Sum of all dumps");
}

const char *
pv_measure_get_meaning (const PvProfile *profile, PvMeasureId measure, bool has_range)
{
    PvHeapMeasure heap;

    g_assert (pv_profile_has_weights (profile, measure));
    heap = profile->measures[measure].heap;
    if (profile->n_dumps > 0)
        return get_series_meaning (profile, profile->measures[measure].aggregation, has_range);
    if (profile->n_joined > 0 && pv_measure_find_heap (profile, measure) != PV_HEAP_NONE &&
        pv_measure_find_heap (profile, measure) != PV_HEAP_TEMPORARY)
        return get_heap_meaning (pv_measure_find_heap (profile, measure), false);
    if (profile->heap == NULL)
        return pv_measure_get_event_meaning (profile, measure);
    if (heap == PV_HEAP_TEMPORARY)
        return profile->heap->is_exact
                   ? _ ("Allocations freed before anything else was allocated or freed")
                   : _ ("As heaptrack defines it: the next block freed had the same size and site");
    return get_heap_meaning (heap, has_range);
}

char *
pv_measure_format_total (const PvProfile *profile, PvMeasureId measure)
{
    const PvMeasure *row;

    g_assert (pv_profile_has_weights (profile, measure));
    row = &profile->measures[measure];
    return row->part == PV_PART_BOTH
               ? pv_format_signed_amount (pv_profile_net_total (profile, measure), row->unit)
               : pv_format_amount (row->total, row->unit);
}

char *
pv_measure_describe (const PvProfile *profile, PvMeasureId measure, bool has_range)
{
    const char *name = profile->measures[measure].name;
    const char *meaning = pv_measure_get_meaning (profile, measure, has_range);

    if (profile->heap != NULL || strcmp (name, pv_measure_get_title (profile, measure)) == 0)
        return g_strdup (meaning);
    return meaning == NULL ? g_strdup (name) : g_strdup_printf ("%s (%s)", meaning, name);
}

/* Dumps */

/* The number of bytes that all names have in common at their start and end. Does not cut numbers.
 */
static void
measure_common_parts (const PvProfile *profile, size_t *ret_head, size_t *ret_tail)
{
    const char *first = profile->dumps[0].name;
    size_t length = strlen (first), head = length, tail = length;

    for (uint32_t d = 1; d < profile->n_dumps; d++) {
        const char *name = profile->dumps[d].name;
        size_t other = strlen (name), same = 0;
        while (same < head && name[same] == first[same])
            same++;
        head = same;
        for (same = 0;
             same < MIN (tail, other) && name[other - 1 - same] == first[length - 1 - same];)
            same++;
        tail = same;
    }
    while (head > 0 && (g_ascii_isalnum (first[head - 1]) || (first[head] & 0xc0) == 0x80))
        head--;
    while (tail > 0 && (first[length - tail] != '.'))
        tail--;
    *ret_head = head;
    *ret_tail = tail;
}

static char *
format_dump (const PvProfile *profile, uint32_t dump, size_t head, size_t tail)
{
    const char *name = profile->dumps[dump].name;
    size_t length = strlen (name);

    if (profile->n_dumps < 2 || head + tail >= length)
        return g_strdup (name);
    return g_strndup (name + head, length - head - tail);
}

char *
pv_format_dumps (const PvProfile *profile, uint64_t start_ns, uint64_t end_ns, bool is_short)
{
    g_autofree char *from = NULL;
    g_autofree char *to = NULL;
    size_t head = 0, tail = 0;
    uint32_t first, last;

    g_assert (profile->n_dumps > 0);
    pv_dumps_find (profile, start_ns, end_ns, &first, &last);
    if (is_short)
        measure_common_parts (profile, &head, &tail);
    from = format_dump (profile, first, head, tail);
    to = format_dump (profile, last, head, tail);
    if (first == last)
        return g_steal_pointer (&from);
    /* Translators: the first and the last of several files, in the order of their times. */
    return g_strdup_printf (_ ("%s → %s"), from, to);
}

/* Parts of the recording */

/* As many names as a chip has room for. */
#define MAX_NAMES 2

/* "a", "a, b" or "a, b and 3 more". */
static char *
join_names (const GPtrArray *names, guint n_names)
{
    guint n_shown = n_names > MAX_NAMES + 1 ? MAX_NAMES : n_names;
    g_autofree char *text = g_strdup (n_shown > 0 ? names->pdata[0] : "");

    for (guint i = 1; i < n_shown; i++) {
        /* Translators: several names and the next one */
        char *more = g_strdup_printf (C_ ("list", "%s, %s"), text, (const char *)names->pdata[i]);
        g_free (text);
        text = more;
    }
    if (n_shown == n_names)
        return g_steal_pointer (&text);
    /* Translators: names, separated by commas, and the number of those left out. */
    return g_strdup_printf (
        g_dngettext (NULL, "%s and %u more", "%s and %u more", n_names - n_shown), text,
        n_names - n_shown);
}

static char *
format_id (const PvProfile *profile, PvOrigin origin, uint32_t id)
{
    if (origin == PV_ORIGIN_THREAD)
        return pv_format_thread (profile, id);
    return origin == PV_ORIGIN_PROCESS ? pv_format_process (profile, id)
                                       : g_strdup_printf ("%u", id);
}

/* The same key for all ids that are named alike: a thread that ran several programs, or whose
 * number was used again. Does not format names, as there may be 10,000. 0: not of this profile. */
static uint64_t
make_key (const PvProfile *profile, PvOrigin origin, uint32_t id)
{
    const char *name;
    int32_t number;

    if (origin == PV_ORIGIN_CPU)
        return (uint64_t)id + 1;
    if (id == 0 || id >= (origin == PV_ORIGIN_THREAD ? profile->n_threads : profile->n_processes))
        return 0;
    name = origin == PV_ORIGIN_THREAD ? profile->threads[id].name : profile->processes[id].name;
    number = origin == PV_ORIGIN_THREAD ? profile->threads[id].tid : profile->processes[id].pid;
    return ((uint64_t)g_str_hash (name != NULL ? name : "") << 32 | (uint32_t)number) + 1;
}

/* Counts all names, and lists the first few. */
static GPtrArray *
list_names (const PvProfile *profile, PvOrigin origin, const PvIdList *list, guint *ret_n_names)
{
    GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
    PvIdMap known = {0};

    *ret_n_names = 0;
    for (uint32_t i = 0; i < list->n_ids; i++) {
        uint64_t key = make_key (profile, origin, list->ids[i]);
        uint32_t *slot = key != 0 ? pv_id_map_slot (&known, key) : NULL;
        if (slot == NULL || *slot != 0)
            continue;
        *slot = 1;
        if (++*ret_n_names <= MAX_NAMES + 1)
            g_ptr_array_add (names, format_id (profile, origin, list->ids[i]));
    }
    pv_id_map_clear (&known);
    return names;
}

char *
pv_format_origin (const PvProfile *profile, const PvQuery *query, PvOrigin origin,
                  bool is_excluding)
{
    g_assert (profile != NULL && query != NULL && origin < PV_N_ORIGINS);
    const PvIdList *list = is_excluding ? &query->except[origin] : &query->only[origin];
    guint n_names;
    g_autoptr (GPtrArray) names = list_names (profile, origin, list, &n_names);
    g_autofree char *joined = NULL;

    if (n_names == 0)
        return NULL;
    joined = join_names (names, n_names);
    const PvOriginInfo *info = &pv_origins[origin];
    const char *form = n_names == 1 ? (is_excluding ? info->except_one : info->only_one)
                                    : (is_excluding ? info->except_several : info->only_several);
    return pv_fill_in (_ (form), joined);
}

char *
pv_format_label_filter (const PvLabelFilter *label)
{
    g_assert (label != NULL);
    const PvLabelList *list = label->list;
    g_autofree char *text = NULL;

    if (label->expression == NULL)
        /* Translators: a label's key; samples that have it, or do not have it. */
        return g_strdup_printf (label->is_excluding ? _ ("Without %s") : _ ("With %s"), label->key);
    text =
        list != NULL ? join_names (list->values, list->values->len) : g_strdup (label->expression);
    if (list != NULL && list->is_negated && label->is_excluding)
        /* Translators: a label's key and some of its values; or samples without the label. */
        return g_strdup_printf (_ ("%s: %s or none"), label->key, text);
    /* Translators: a label's key and what its values must not be. */
    return g_strdup_printf (label->is_excluding ? _ ("Without %s: %s") : "%s: %s", label->key,
                            text);
}

char *
pv_format_grouping (const PvQuery *query)
{
    const char *chip = pv_groupings[query->grouping].chip;

    return chip == NULL
               ? NULL
               : pv_fill_in (_ (chip), query->group_label != NULL ? query->group_label : "");
}

/* An expression that matches one name is shown as that name. */
static char *
format_expression (const PvTransform *transform)
{
    PvSubject subject;
    char *text = NULL;

    if (transform->expression == NULL)
        return NULL;
    text = pv_subject_find_text (transform->expression, &subject);
    return text != NULL ? text : g_strdup (transform->expression);
}

char *
pv_format_transform (const PvTransform *transform)
{
    const PvTransformInfo *info = &pv_transforms[transform->kind];
    g_autofree char *text = format_expression (transform);

    return text != NULL && info->chip != NULL ? pv_fill_in (_ (info->chip), text)
                                              : g_strdup (_ (info->bare_chip));
}
