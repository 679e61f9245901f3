/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markers become marks: what happened in a thread, with fields. */
#include <math.h>
#include <string.h>

#include "core/model/fields/mark-record.h"
#include "core/read/firefox/firefox-build.h"

static void
set_text (PvMarkRecord *record, PvMarkText which, const char *text)
{
    pv_mark_record_set_text (record, which, text, strnlen (text, PV_MARK_MAX_TEXT_BYTES));
}

static FirefoxSet *
get_set (FirefoxBuild *build)
{
    PvProfileBuilder *builder = build->file->builder;
    FirefoxSet *set = &build->sets[FIREFOX_SET_MARKERS];
    if (!set->exists) {
        set->exists = true;
        set->id = pv_profile_builder_add_set (builder, "markers", false);
        pv_profile_builder_add_measure (builder, set->id, "markers", PV_UNIT_COUNT,
                                        PV_AGGREGATION_SUM);
        pv_profile_builder_set_fields (builder, set->id, pv_mark_fields, pv_mark_n_fields, false);
    }
    return set;
}

typedef struct {
    double start, end; /* milliseconds; FIREFOX_NO_NUMBER: not known */
    bool is_end;       /* of one that began before, which has its time */
} Span;

static double
first_number (double a, double b)
{
    return !isnan (a) ? a : b;
}

/* Oldest versions have only the time at which a marker was written, and others in its data. */
static Span
find_span (const FirefoxMarkers *markers, size_t i)
{
    int64_t row = (int64_t)i;
    Span span = {
        .start = first_number (firefox_number (&markers->start, row),
                               firefox_number (&markers->data_start, row)),
        .end = first_number (firefox_number (&markers->end, row),
                             firefox_number (&markers->data_end, row)),
    };
    int32_t phase = firefox_cell (&markers->phase, row);
    span.is_end = phase == FIREFOX_END;
    if (phase == FIREFOX_INSTANT || phase == FIREFOX_START)
        span.end = FIREFOX_NO_NUMBER; /* some writers have a number there */
    if (span.is_end)
        span.start = FIREFOX_NO_NUMBER;
    else if (isnan (span.start))
        span.start = firefox_number (&markers->time, row);
    return span;
}

/* Lets starts end where the next end with the same name is. */
static void
join_ends (Span *spans, const FirefoxMarkers *markers)
{
    PvIdMap open = {0}; /* by name: row + 1 */
    for (size_t i = 0; i < markers->name.len; i++) {
        int32_t phase = firefox_cell (&markers->phase, (int64_t)i);
        if (phase != FIREFOX_START && phase != FIREFOX_END)
            continue;
        uint32_t *row = pv_id_map_slot (&open, (uint64_t)(uint32_t)markers->name.data[i] + 1);
        if (phase == FIREFOX_END && *row != 0 && isnan (spans[*row - 1].end))
            spans[*row - 1].end = spans[i].end;
        else if (phase == FIREFOX_END)
            spans[i].is_end = false, spans[i].start = spans[i].end;
        *row = (uint32_t)i + 1;
    }
    pv_id_map_clear (&open);
}

static void
add_marker (FirefoxBuild *build, FirefoxStacks *stacks, const FirefoxMarkers *markers, size_t i,
            const Span *span)
{
    const FirefoxSet *set = get_set (build);
    PvProfileBuilder *builder = build->file->builder;
    int64_t row = (int64_t)i;
    PvMarkRecord record;
    memset (&record, 0, offsetof (PvMarkRecord, texts));
    if (span->end > span->start)
        record.duration_ns = (uint64_t)MIN ((span->end - span->start) * 1e6 + 0.5, 0x1p62);
    set_text (&record, PV_MARK_NAME,
              firefox_string (build->file, &stacks->strings->strings,
                              firefox_cell (&markers->name, row)));
    set_text (&record, PV_MARK_CATEGORY,
              firefox_string (build->file, &build->profile->categories,
                              firefox_cell (&markers->category, row)));
    set_text (&record, PV_MARK_DETAILS, firefox_string (build->file, &markers->details, row));
    PvNewSample sample = {
        .time_ns = firefox_to_time_ns (build, span->start),
        .stack = firefox_stacks_get (stacks, firefox_cell (&markers->stack, row)),
        .thread = build->thread,
        .record = pv_profile_builder_add_record (builder, set->id, (const uint8_t *)&record,
                                                 pv_mark_record_get_size (&record)),
        .cpu = PV_CPU_UNKNOWN,
        .stack_end = PV_STACK_END_UNKNOWN,
    };
    const uint64_t weight = 1;
    pv_profile_builder_add_sample (builder, set->id, &sample, &weight);
}

void
firefox_add_markers (FirefoxBuild *build, FirefoxStacks *stacks, const FirefoxMarkers *markers)
{
    g_assert (build != NULL && stacks != NULL && markers != NULL);
    size_t n = MIN (markers->name.len, UINT32_MAX - 1);
    g_autofree Span *spans = g_new (Span, n);
    for (size_t i = 0; i < n; i++)
        spans[i] = find_span (markers, i);
    join_ends (spans, markers);
    for (size_t i = 0; i < n && firefox_go_on (&build->places); i++)
        if (!spans[i].is_end)
            add_marker (build, stacks, markers, i, &spans[i]);
}
