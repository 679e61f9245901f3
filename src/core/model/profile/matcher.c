/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/matcher.h"

#include <glib/gi18n-lib.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "core/base/ref.h"

enum {
    MAX_PATTERN_BYTES = 65536,
    MAX_JIT_PATTERN_BYTES = 8192,
    /* Longer texts are matched only by the slow code, which can stop at any step. */
    MAX_FAST_BYTES = 2048,
    FAST_STEPS = 1000, /* from each start */
    HEAP_KIB = 64 << 10,
    CALLOUTS_PER_CHECK = 64,
};

/* An ordinary match takes FREE_NS + FREE_NS_PER_BYTE * length at most; only time beyond that is
 * charged to the budget. */
#define BUDGET_NS        (INT64_C (400) * 1000 * 1000)
#define FREE_NS          INT64_C (2000)
#define FREE_NS_PER_BYTE INT64_C (4)

struct PvMatcher {
    int ref_count;    /* atomic */
    pcre2_code *fast; /* compiled to machine code where that is possible */
    pcre2_match_context *fast_context;
    pcre2_code *slow; /* calls back at every step */
    int64_t spent_ns; /* atomic */
    bool gave_up;     /* atomic */
};

/* One match by the slow code. */
typedef struct {
    int64_t end_ns; /* of this thread's CPU time */
    uint32_t n_callouts;
} Run;

static int64_t
read_clock (clockid_t clock)
{
    struct timespec now;
    clock_gettime (clock, &now);
    return now.tv_sec * INT64_C (1000000000) + now.tv_nsec;
}

/* NULL with a G_REGEX_ERROR. */
static pcre2_code *
compile (const char *expression, uint32_t options, GError **error)
{
    int code = 0;
    PCRE2_SIZE offset = 0;
    size_t size_bytes = strlen (expression);
    if (size_bytes > MAX_PATTERN_BYTES) {
        g_set_error (error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE,
                     _ ("The regular expression is longer than %d bytes"), MAX_PATTERN_BYTES);
        return NULL;
    }
    options |= PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
    pcre2_code *compiled =
        pcre2_compile ((PCRE2_SPTR)expression, size_bytes, options, &code, &offset, NULL);
    if (compiled == NULL) {
        PCRE2_UCHAR reason[256] = "";
        pcre2_get_error_message (code, reason, sizeof reason);
        g_autofree char *shown = g_utf8_make_valid (expression, -1);
        /* Translators: the expression, a number of bytes, an English reason from the library */
        g_set_error (error, G_REGEX_ERROR, code, /* GLib's codes are the library's */
                     _ ("The regular expression “%s” is invalid at byte %zu: %s"), shown,
                     (size_t)offset, (const char *)reason);
    }
    return compiled;
}

bool
pv_matcher_check (const char *expression, GError **error)
{
    g_assert (expression != NULL);
    pcre2_code *compiled = compile (expression, 0, error);
    pcre2_code_free (compiled);
    return compiled != NULL;
}

PvMatcher *
pv_matcher_new (const char *expression, bool ignores_case, GError **error)
{
    g_assert (expression != NULL);
    uint32_t options = ignores_case ? PCRE2_CASELESS : 0;
    pcre2_code *fast = compile (expression, options, error);
    if (fast == NULL)
        return NULL;
    PvMatcher *matcher = g_new0 (PvMatcher, 1);
    matcher->ref_count = 1;
    matcher->fast = fast;
    matcher->slow = compile (expression, options | PCRE2_AUTO_CALLOUT, error);
    matcher->fast_context = pcre2_match_context_create (NULL);
    if (matcher->slow == NULL || matcher->fast_context == NULL) {
        pv_matcher_unref (matcher);
        return NULL;
    }
    if (strlen (expression) <= MAX_JIT_PATTERN_BYTES)
        pcre2_jit_compile (matcher->fast, PCRE2_JIT_COMPLETE); /* without it, it is interpreted */
    pcre2_set_match_limit (matcher->fast_context, FAST_STEPS);
    pcre2_set_heap_limit (matcher->fast_context, HEAP_KIB);
    return matcher;
}

PvMatcher *
pv_matcher_ref (PvMatcher *matcher)
{
    if (matcher != NULL)
        __atomic_add_fetch (&matcher->ref_count, 1, __ATOMIC_RELAXED);
    return matcher;
}

void
pv_matcher_unref (PvMatcher *matcher)
{
    if (!pv_ref_was_last (matcher))
        return;
    pcre2_code_free (matcher->fast);
    pcre2_code_free (matcher->slow);
    pcre2_match_context_free (matcher->fast_context);
    g_free (matcher);
}

static int64_t
get_left (const PvMatcher *matcher)
{
    return BUDGET_NS - __atomic_load_n (&matcher->spent_ns, __ATOMIC_RELAXED);
}

/* Charges what goes beyond the free time of a text. */
static void
charge (PvMatcher *matcher, int64_t used_ns, size_t size_bytes)
{
    int64_t extra_ns = used_ns - FREE_NS - (int64_t)size_bytes * FREE_NS_PER_BYTE;
    if (extra_ns > 0)
        __atomic_add_fetch (&matcher->spent_ns, extra_ns, __ATOMIC_RELAXED);
}

static int
stop_when_late (pcre2_callout_block *block, void *data)
{
    Run *run = data;
    if (++run->n_callouts % CALLOUTS_PER_CHECK != 0)
        return 0;
    return read_clock (CLOCK_THREAD_CPUTIME_ID) > run->end_ns ? PCRE2_ERROR_CALLOUT : 0;
}

/* Negative: PCRE2's error. */
static int
match_slowly (PvMatcher *matcher, const char *text, size_t size_bytes, pcre2_match_data *data)
{
    int64_t start_ns = read_clock (CLOCK_THREAD_CPUTIME_ID);
    Run run = {.end_ns = start_ns + get_left (matcher)};
    pcre2_match_context *context = pcre2_match_context_create (NULL);
    if (context == NULL)
        return PCRE2_ERROR_NOMEMORY;
    pcre2_set_heap_limit (context, HEAP_KIB);
    pcre2_set_match_limit (context, UINT32_MAX);
    pcre2_set_depth_limit (context, UINT32_MAX);
    pcre2_set_callout (context, stop_when_late, &run);
    int result =
        pcre2_match (matcher->slow, (PCRE2_SPTR)text, size_bytes, 0, PCRE2_NO_JIT, data, context);
    pcre2_match_context_free (context);
    charge (matcher, read_clock (CLOCK_THREAD_CPUTIME_ID) - start_ns, size_bytes);
    return result;
}

static int
match_fast (PvMatcher *matcher, const char *text, size_t size_bytes, pcre2_match_data *data)
{
    int64_t start_ns = read_clock (CLOCK_MONOTONIC);
    int result = pcre2_match (matcher->fast, (PCRE2_SPTR)text, size_bytes, 0, 0, data,
                              matcher->fast_context);
    charge (matcher, read_clock (CLOCK_MONOTONIC) - start_ns, size_bytes);
    return result;
}

bool
pv_matcher_match (PvMatcher *matcher, const char *text)
{
    g_assert (matcher != NULL);
    if (text == NULL)
        return false;
    size_t size_bytes = strlen (text);
    pcre2_match_data *data = get_left (matcher) > 0 ? pcre2_match_data_create (1, NULL) : NULL;
    int result = PCRE2_ERROR_NOMEMORY;
    if (data != NULL && size_bytes <= MAX_FAST_BYTES)
        result = match_fast (matcher, text, size_bytes, data);
    /* Stopped by a limit, or there was too little stack. */
    if (data != NULL && result < 0 && result != PCRE2_ERROR_NOMATCH)
        result = match_slowly (matcher, text, size_bytes, data);
    pcre2_match_data_free (data);
    if (result < 0 && result != PCRE2_ERROR_NOMATCH)
        __atomic_store_n (&matcher->gave_up, true, __ATOMIC_RELAXED);
    return result >= 0;
}

bool
pv_matcher_gave_up (const PvMatcher *matcher)
{
    g_assert (matcher != NULL);
    return __atomic_load_n (&matcher->gave_up, __ATOMIC_RELAXED);
}

void
pv_matcher_set_slow (const char *expression, GError **error)
{
    g_assert (expression != NULL);
    g_set_error (error, G_REGEX_ERROR, G_REGEX_ERROR_MATCH,
                 _ ("The regular expression “%s” takes too long. Some names were not matched, so "
                    "the result is incomplete."),
                 expression);
}
