/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/profile.h"

/*
 * Numbers of labels between two bounds, both included: "10..20", "..64k", "1ms..". A bound may be
 * left out, not both. A bound without a suffix is in the label's own unit. With one, only labels of
 * a unit that fits match: B, KiB, MiB, GiB, TiB are sizes; ns, us, ms, s, min, h are times; k, M, G
 * and T are powers of 1024 for sizes and of 1000 for numbers without a unit.
 */
typedef struct {
    long double value; /* exact for 64-bit integers */
    const char *unit;  /* a suffix of the table; "" without one */
    bool is_set;
} PvLabelBound;

typedef struct {
    PvLabelBound low;
    PvLabelBound high;
} PvLabelRange;

/* False if the text is no range: then it is a regular expression. */
bool pv_label_range_parse (PvLabelRange *ret_range, const char *text);

/* Texts are in no range. */
bool pv_label_range_has (const PvLabelRange *range, const PvLabel *label);
