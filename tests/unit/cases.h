/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

static inline bool
pv_test_is_sanitized (void)
{
    return g_getenv ("PV_SANITIZED") != NULL;
}

/* Is true in the standard run: build-aux/test --full has time for more. */
static inline bool
pv_test_is_short (void)
{
    return pv_test_is_sanitized () && g_getenv ("PV_FULL") == NULL;
}

/* Rounds that a test of random cases makes, of n: a sixth of them under sanitizers, where each
 * takes six times as long, and half of those in the standard run. Races do not depend on figures:
 * ThreadSanitizer gets a quarter of them. */
static inline unsigned
pv_test_rounds (unsigned n)
{
#ifdef __SANITIZE_THREAD__
    const unsigned share = pv_test_is_short () ? 24 : 6;
#else
    const unsigned share = pv_test_is_short () ? 12 : 6;
#endif
    return pv_test_is_sanitized () ? (n + share - 1) / share : n;
}

/* Steps in which a test goes that could try all lengths or all places: by n in the standard run
 * under sanitizers, else by one. */
static inline unsigned
pv_test_step (unsigned n)
{
    return pv_test_is_short () ? n : 1;
}

/* Adds a test of much work that begins no threads that others do not: ThreadSanitizer has it
 * with --full only. */
static inline void
pv_test_add_large (const char *path, GTestFunc test)
{
#ifdef __SANITIZE_THREAD__
    if (pv_test_is_short ())
        return;
#endif
    g_test_add_func (path, test);
}

/* Names the case, so that one that fails can be repeated; with --verbose also says what it reads,
 * which is too long for every run. */
static inline void
pv_test_say_case (unsigned seed, const char *text)
{
    if (g_test_verbose ())
        g_test_message ("case %u:\n%s", seed, text);
    else
        g_test_message ("case %u", seed);
}
