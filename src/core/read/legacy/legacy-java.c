/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Java's heap and contention profiles, as text: a header, "VALUE COUNT @ 0xID ...", then the names
 * of the ids, which are not addresses.
 *   --- heapz 1 ---                    or "--- contentionz 1 ---"
 *   format = java
 *   resolution = UNIT
 */

#include "core/read/legacy/legacy-formats.h"
#include "core/read/legacy/legacy-names.h"
#include "core/read/legacy/legacy-samples.h"

#define HEAP_RATE_BYTES 524288.0
#define NS_PER_MS       UINT64_C (1000000)

typedef struct {
    bool is_heap;
    PvText unit;
    uint64_t period; /* 0: not scaled */
    uint64_t ms;
} JavaHeader;

static bool
parse_title (PvText line, bool *ret_is_heap)
{
    *ret_is_heap = pv_text_begins (line, "--- heapz 1 ---");
    return *ret_is_heap || pv_text_begins (line, "--- contentionz 1 ---");
}

/* C++ profiles have neither a format nor a resolution. */
bool
legacy_is_java (PvText text)
{
    PvText line;
    bool is_heap;
    if (!pv_text_next_trimmed (&text, &line) || !parse_title (line, &is_heap))
        return false;
    while (pv_text_next_trimmed (&text, &line)) {
        if (legacy_is_comment (line))
            continue;
        if (pv_text_begins (line, "format") || pv_text_begins (line, "resolution"))
            return true;
        if (pv_text_find_char (line, '=') == NULL)
            return is_heap;
    }
    return is_heap;
}

static bool
take_attribute (JavaHeader *header, PvText line)
{
    const char *sign = pv_text_find_char (line, '=');
    if (sign == NULL)
        return false;
    PvText value = {sign + 1, line.end};
    if (pv_text_begins (line, "resolution"))
        legacy_take_token (&value, &header->unit);
    else if (pv_text_begins (line, "sampling period"))
        legacy_take_decimal (&value, &header->period);
    else if (pv_text_begins (line, "ms since reset"))
        legacy_take_decimal (&value, &header->ms);
    return true;
}

typedef struct {
    const char *name;
    double factor;
    PvUnit unit;
} Unit;

/* Converts a unit to ours. */
static Unit
find_unit (PvText text)
{
    static const Unit units[] = {
        {"nanoseconds", 1, PV_UNIT_NS},    {"microseconds", 1e3, PV_UNIT_NS},
        {"milliseconds", 1e6, PV_UNIT_NS}, {"seconds", 1e9, PV_UNIT_NS},
        {"bytes", 1, PV_UNIT_BYTES},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
        if (pv_text_equals (text, units[i].name))
            return units[i];
    return (Unit){NULL, 1, PV_UNIT_COUNT};
}

static void
add_columns (LegacySession *session, const JavaHeader *header, PvUnit unit)
{
    LegacyColumn count = {.name = header->is_heap ? "inuse_objects" : "contentions",
                          .unit = PV_UNIT_COUNT,
                          .aggregation = PV_AGGREGATION_STATE};
    LegacyColumn amount = {.name = header->is_heap ? "inuse_space" : "delay",
                           .unit = unit,
                           .aggregation = PV_AGGREGATION_STATE};
    if (unit == PV_UNIT_COUNT && pv_text_len (header->unit) > 0)
        amount.unit_name = pv_text_keep (header->unit, session->builder);
    legacy_session_add_column (session, &count);
    legacy_session_add_column (session, &amount);
    session->preferred_column = 1;
}

static PvStackId
take_ids (LegacySession *session, PvText *line)
{
    legacy_take_stack (session, line);
    session->locations.len = 0;
    for (size_t i = 0; i < session->addrs.len; i++)
        pv_array_push (&session->locations, legacy_java_location (session, session->addrs.data[i]));
    return pv_profile_builder_chain (session->builder, session->locations.data,
                                     session->locations.len);
}

static bool
take_sample (LegacySession *session, const JavaHeader *header, double factor, PvText line)
{
    int64_t value, count;
    LegacyRow row = {0};
    if (!legacy_take_signed (&line, &value) || !legacy_take_signed (&line, &count) ||
        !pv_text_take_next (&line, "@"))
        return false;
    if (header->is_heap && count == 0)
        return false;
    PvLabel size = {.key = "bytes", .unit = "bytes"};
    LegacyAmounts amounts = {(double)count, (double)value};
    if (header->is_heap) {
        size.number = value / count;
        amounts = legacy_unsample (LEGACY_SCALE_POISSON, HEAP_RATE_BYTES, count, value);
    } else if (header->period > 0) {
        amounts.objects *= (double)header->period;
        amounts.bytes *= (double)header->period;
    }
    row.values[0] = legacy_round (session, 0, amounts.objects);
    row.values[1] = legacy_round (session, 1, amounts.bytes * factor);
    row.stack = take_ids (session, &line);
    row.label_set = pv_profile_builder_label_set (session->builder, &size, header->is_heap);
    legacy_add_row (session, &row);
    return true;
}

static void
set_facts (LegacySession *session, const JavaHeader *header)
{
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    facts->format = header->is_heap ? "Java heap" : "Java contention";
    facts->profiled_ns = MIN (header->ms, UINT64_MAX / NS_PER_MS) * NS_PER_MS;
    if (header->is_heap)
        pv_profile_builder_set_of_allocations (session->builder);
}

bool
legacy_read_java (LegacySession *session, GError **error)
{
    JavaHeader header = {0};
    PvText line;
    if (!legacy_session_next_line (session, &line) || !parse_title (line, &header.is_heap))
        return legacy_fail (error);
    Unit unit = {NULL, 1, PV_UNIT_COUNT};
    bool is_header = true;
    PvText before = session->text;
    while (legacy_session_next_line (session, &line)) {
        if (legacy_is_comment (line))
            continue;
        if (is_header && take_attribute (&header, line))
            continue;
        if (is_header) {
            unit = find_unit (header.unit);
            add_columns (session, &header, unit.unit);
            is_header = false;
        }
        if (!take_sample (session, &header, unit.factor, line)) {
            session->text = before; /* it may be a name */
            break;
        }
        before = session->text;
    }
    if (is_header)
        add_columns (session, &header, PV_UNIT_COUNT);
    set_facts (session, &header);
    legacy_take_java_names (session);
    return true;
}
