/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/format.h"

/*
 * The sampling period of a profile as text (PvFacts.period): “cpu 10 ms”, “space 512 KiB”: an
 * optional type, a whole number, and a unit. Untranslated. Any thread.
 */
typedef struct {
    const char *type; /* in the text; "" of length 0: none */
    size_t type_length;
    uint64_t amount;       /* nanoseconds, bytes, or so many of ... */
    PvUnit unit;           /* ... another unit, of PV_UNIT_COUNT */
    const char *unit_name; /* in the text; "": none */
} PvPeriod;

/* type and unit_name may be ""; unit_name: of PV_UNIT_COUNT. g_free () it. */
char *pv_period_format (const char *type, uint64_t amount, PvUnit unit, const char *unit_name);
/* False: the text, or NULL, has another form. */
bool pv_period_parse (const char *text, PvPeriod *ret_period);
