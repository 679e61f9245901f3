/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles with one or two numbers per stack.
 *
 * Go's goroutine, threadcreate and custom profiles, as text:
 *   NAME profile: total N
 *   COUNT @ 0xADDRESS ...
 *
 * Lock contention of C++ (contentionz) and Go (mutex, block):
 *   --- contentionz 1 ---              or "--- mutex:", "--- contention:"
 *   cycles/second = N                  and similar lines
 *   CYCLES COUNT @ 0xADDRESS ...
 */

#include "core/model/profile/period.h"
#include "core/read/legacy/legacy-formats.h"
#include "core/read/legacy/legacy-names.h"
#include "core/read/legacy/legacy-samples.h"

#define NS_PER_SECOND 1e9
#define NS_PER_MS     UINT64_C (1000000)

/* Counts */

/* The name in "NAME profile: total N". */
static bool
parse_count_header (PvText line, PvText *ret_name)
{
    uint64_t total;
    PvText name;
    if (!legacy_take_token (&line, &name) || !pv_text_take_next (&line, "profile: total") ||
        !legacy_take_decimal (&line, &total) || line.at != line.end)
        return false;
    *ret_name = name;
    return true;
}

bool
legacy_is_count (PvText text)
{
    PvText line, name;
    return pv_text_next_trimmed (&text, &line) && parse_count_header (line, &name);
}

static bool
take_count (LegacySession *session, PvText line)
{
    LegacyRow row = {0};
    if (!legacy_take_signed (&line, &row.values[0]) || row.values[0] < 0 ||
        !pv_text_take_next (&line, "@"))
        return false;
    legacy_take_stack (session, &line);
    row.label_set = legacy_take_go_comments (session);
    row.stack = legacy_stack (session, PV_LOCATION_RETURN, PV_LOCATION_RETURN);
    legacy_add_row (session, &row);
    return true;
}

bool
legacy_read_count (LegacySession *session, GError **error)
{
    PvText line, name;
    if (!legacy_session_next_line (session, &line) || !parse_count_header (line, &name))
        return legacy_fail (error);
    LegacyColumn column = {
        .name = pv_text_keep (name, session->builder),
        .unit = PV_UNIT_COUNT,
        .aggregation = PV_AGGREGATION_STATE,
    };
    legacy_session_add_column (session, &column);
    pv_profile_builder_facts (session->builder)->format = "Go profile as text";
    while (legacy_session_next_line (session, &line)) {
        if (pv_text_begins (line, "---")) {
            legacy_add_odd_line (session, line);
            break;
        }
        if (!legacy_is_comment (line) && !take_count (session, line))
            legacy_add_bad_line (session, line);
    }
    return true;
}

/* Contention */

typedef struct {
    uint64_t hertz;  /* of the cycles; 0: unknown */
    uint64_t period; /* one in period was recorded; 0: the numbers are not scaled */
    uint64_t ms;     /* recorded time */
} ContentionHeader;

bool
legacy_is_contention (PvText text)
{
    PvText line;
    return pv_text_next_trimmed (&text, &line) &&
           (pv_text_begins (line, "--- contentionz ") || pv_text_begins (line, "--- mutex:") ||
            pv_text_begins (line, "--- contention:"));
}

/* "KEY = NUMBER" */
static bool
take_attribute (ContentionHeader *header, PvText line)
{
    const char *sign = pv_text_find_char (line, '=');
    if (sign == NULL)
        return false;
    PvText value = {sign + 1, line.end};
    uint64_t number;
    bool is_number = legacy_take_decimal (&value, &number);
    if (is_number && pv_text_begins (line, "cycles/second"))
        header->hertz = number;
    else if (is_number && pv_text_begins (line, "sampling period"))
        header->period = number;
    else if (is_number && pv_text_begins (line, "ms since reset"))
        header->ms = number;
    return true;
}

/* Without a frequency, the delay is in cycles. */
static bool
take_contention (LegacySession *session, const ContentionHeader *header, PvText line)
{
    uint64_t cycles, count;
    LegacyRow row = {0};
    if (!legacy_take_decimal (&line, &cycles) || !legacy_take_decimal (&line, &count) ||
        !pv_text_take_next (&line, "@"))
        return false;
    double period = header->period > 0 ? (double)header->period : 1;
    double delay = header->period > 0 && header->hertz > 0
                       ? (double)cycles * period / ((double)header->hertz / NS_PER_SECOND)
                       : (double)cycles;
    row.values[0] = legacy_round (session, 0, (double)count * period);
    row.values[1] = legacy_round (session, 1, delay);
    legacy_take_stack (session, &line);
    row.label_set = legacy_take_go_comments (session);
    row.stack = legacy_stack (session, PV_LOCATION_RETURN, PV_LOCATION_RETURN);
    legacy_add_row (session, &row);
    return true;
}

/* The recording functions, locks and lock guards: only their callers are of interest. */
static const char lock_functions[] =
    "(?:base::)?(?:RecordLockProfileData|SubmitMutexProfileData|SubmitSpinLockProfileData).*|"
    "(?:base::)?(?:Mutex::)?(?:AwaitCommon|Unlock|UnlockSlow|ReaderUnlock).*|"
    "(?:base::)?(?:MutexLock::)?~MutexLock.*|"
    "(?:SpinLock::)?(?:Unlock|SlowUnlock).*|(?:SpinLockHolder::)?~SpinLockHolder.*";

static void
set_contention_facts (LegacySession *session, const ContentionHeader *header)
{
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    facts->format = "contention";
    facts->profiled_ns = MIN (header->ms, UINT64_MAX / NS_PER_MS) * NS_PER_MS;
    if (header->period > 1) {
        g_autofree char *period =
            pv_period_format ("contentions", header->period, PV_UNIT_COUNT, "");
        facts->period = pv_profile_builder_string (session->builder, period);
    }
    pv_profile_builder_set_drop_frames (session->builder, lock_functions, NULL);
}

bool
legacy_read_contention (LegacySession *session, GError **error)
{
    static const LegacyColumn columns[] = {
        {"contentions", PV_UNIT_COUNT, NULL, PV_AGGREGATION_STATE, false},
        {"delay", PV_UNIT_NS, NULL, PV_AGGREGATION_STATE, false},
    };
    ContentionHeader header = {.period = 1};
    PvText line;
    if (!legacy_session_next_line (session, &line))
        return legacy_fail (error);
    for (size_t i = 0; i < G_N_ELEMENTS (columns); i++)
        legacy_session_add_column (session, &columns[i]);
    session->preferred_column = 1;
    bool is_header = true;
    while (legacy_session_next_line (session, &line)) {
        if (pv_text_begins (line, "---")) {
            legacy_add_odd_line (session, line);
            break;
        }
        if (legacy_is_comment (line))
            continue;
        is_header = is_header && take_attribute (&header, line);
        if (!is_header && !take_contention (session, &header, line))
            legacy_add_bad_line (session, line);
    }
    set_contention_facts (session, &header);
    return true;
}
