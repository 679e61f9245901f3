/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Ranges of time in words, since the start of the profile: "1.2s..3.4s", "20ms..", "..2". The units
 * are ns, us, ms and s, the default. A dash works like the dots, as in texts that are shown: in
 * "10–20 ms" the start has the unit of the end. Any thread.
 */

/* The wrong part of a text, in bytes, and why it is wrong. */
typedef struct {
    size_t first;
    size_t end;
    const char *message; /* translated */
} PvTimeRangeFault;

/* A missing end is 0 or UINT64_MAX; start <= end. False with a fault, which may be NULL. */
bool pv_time_range_parse (const char *text, uint64_t *ret_start_ns, uint64_t *ret_end_ns,
                          PvTimeRangeFault *ret_fault);

/* The text of a range, exact up to 13 days: "20ms..1.5s"; g_free () it. */
char *pv_time_range_format (uint64_t start_ns, uint64_t end_ns);

/* For people: "1.20–3.40 s", "until 3.40 s". end_ns UINT64_MAX: to the end, at duration_ns. g_free
 * () it. */
char *pv_format_time_range (uint64_t start_ns, uint64_t end_ns, uint64_t duration_ns);
char *pv_format_moment (uint64_t time_ns); /* "3.40 s" */
