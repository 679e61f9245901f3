/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Rounds that a test of random cases makes, of n: a sixth of them under sanitizers, where each
 * takes six times as long. */
static inline unsigned
pv_test_rounds (unsigned n)
{
    return g_getenv ("PV_SANITIZED") != NULL ? (n + 5) / 6 : n;
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
