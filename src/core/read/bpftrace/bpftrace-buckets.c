/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histograms of bpftrace, one bucket a line:
 *   (..., 0)     what is less; of linear ones also (..., 100)
 *   [0]          one number
 *   [4, 8)       from 4 to 7
 *   [1K, 2K)     K is 1024, M is K * 1024, and so on
 *   [100, ...)   what is more
 * Then come how many there were, and a bar between two "|".
 */
#include "core/read/bpftrace/bpftrace-buckets.h"

#include <glib.h>

#include "core/read/bpftrace/bpftrace-text.h"

/* "-4", "16K"; what does not fit is the nearest number that does. */
static bool
take_limit (PvText *text, int64_t *ret_number)
{
    static const char suffixes[] = "KMGTPE";
    int64_t number;
    if (!bpftrace_take_number (text, &number))
        return false;
    bool is_negative = number < 0;
    const char *suffix =
        text->at < text->end && *text->at != '\0' ? strchr (suffixes, *text->at) : NULL;
    for (int n = suffix != NULL ? (int)(suffix - suffixes) + 1 : 0; n > 0; n--)
        if (__builtin_mul_overflow (number, 1024, &number))
            number = is_negative ? INT64_MIN : INT64_MAX;
    text->at += suffix != NULL;
    *ret_number = number;
    return true;
}

/* The end of a range, which it may or may not include. */
static bool
take_last (PvText *text, int64_t *ret_last)
{
    int64_t last;
    if (pv_text_take (text, "...)")) {
        *ret_last = PV_BUCKET_NO_LAST;
        return true;
    }
    if (!take_limit (text, &last))
        return false;
    bool is_included = pv_text_take (text, "]");
    if (!is_included && (last == INT64_MIN || !pv_text_take (text, ")")))
        return false;
    *ret_last = is_included || last == INT64_MAX ? last : last - 1;
    return true;
}

static bool
take_range (PvText *text, PvBucket *bucket)
{
    if (pv_text_take (text, "(...,")) {
        bucket->first = PV_BUCKET_NO_FIRST;
    } else {
        if (!pv_text_take (text, "[") || !take_limit (text, &bucket->first))
            return false;
        if (pv_text_take (text, "]")) {
            bucket->last = bucket->first;
            return true;
        }
        if (!pv_text_take (text, ","))
            return false;
    }
    *text = pv_text_trim_start (*text);
    return take_last (text, &bucket->last) && bucket->first <= bucket->last;
}

bool
bpftrace_parse_bucket (PvText line, PvBucket *ret_bucket)
{
    g_assert (ret_bucket != NULL);
    int64_t count;
    line = pv_text_trim (line);
    if (!take_range (&line, ret_bucket))
        return false;
    line = pv_text_trim_start (line);
    if (!bpftrace_take_number (&line, &count) || count < 0)
        return false;
    ret_bucket->count = (uint64_t)count;
    line = pv_text_trim_start (line);
    return pv_text_len (line) >= 2 && *line.at == '|' && line.end[-1] == '|';
}

uint32_t
bpftrace_take_buckets (PvText *text, BpftraceBuckets *buckets)
{
    g_assert (text != NULL && buckets != NULL);
    uint32_t n = 0;
    PvBucket bucket;
    PvText rest = *text, line;
    while (pv_text_next_line (&rest, &line) && bpftrace_parse_bucket (line, &bucket)) {
        *text = rest;
        if (n == BPFTRACE_MAX_BUCKETS)
            continue;
        pv_array_push (buckets, bucket);
        n++;
    }
    return n;
}
