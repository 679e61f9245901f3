/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Ranges of time in words, since the start of the profile: "1.2s..3.4s", "20ms..", "..2". The units
 * are ns, us, ms and s, which none means too. A dash does as well as the dots, as in what is shown:
 * "10–20 ms" has the unit of its end for its start too. Any thread.
 */

/* Which part of a text is wrong, in bytes, and why. */
typedef struct {
    size_t first;
    size_t end;
    const char *message; /* translated */
} PvTimeRangeFault;

/* A missing end is 0 or UINT64_MAX; start <= end. False with a fault, which may be NULL. */
bool pv_time_range_parse (const char *text, uint64_t *ret_start_ns, uint64_t *ret_end_ns,
                          PvTimeRangeFault *ret_fault);

/* The other way round, exactly up to 13 days: "20ms..1.5s"; g_free () it. */
char *pv_time_range_format (uint64_t start_ns, uint64_t end_ns);
