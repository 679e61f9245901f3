/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/model/distribution/distribution.h"
#include "core/read/text/text.h"

/* The most that a histogram may have: bpftrace itself has at most some two thousand. */
#define BPFTRACE_MAX_BUCKETS 4096u

typedef PV_ARRAY (PvBucket) BpftraceBuckets;

/* Parses a histogram's line, "[4, 8)   17 |@@@   |". False: it is something else, or cut off. */
bool bpftrace_parse_bucket (PvText line, PvBucket *ret_bucket);

/* Takes the lines of a histogram and appends their buckets; returns how many. */
uint32_t bpftrace_take_buckets (PvText *text, BpftraceBuckets *buckets);
