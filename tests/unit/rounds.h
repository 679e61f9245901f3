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
