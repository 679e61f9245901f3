/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

#include "core/base/arena.h"

/*
 * Data that a recorder counted by something else than stacks: histograms of values, and tables of
 * numbers by key, as the maps of bpftrace are.
 */
typedef enum {
    PV_DISTRIBUTION_HISTOGRAM, /* has buckets; the others have rows */
    PV_DISTRIBUTION_NUMBERS,
    PV_DISTRIBUTION_STATS, /* how many numbers, and their sum */
} PvDistributionKind;

/* Where a bucket has no limit. */
#define PV_BUCKET_NO_FIRST INT64_MIN
#define PV_BUCKET_NO_LAST  INT64_MAX

/* How many numbers were in a range. */
typedef struct {
    int64_t first, last; /* both are in the range */
    uint64_t count;
} PvBucket;

typedef struct {
    const char *key; /* "": no key */
    int64_t value;   /* of stats: the sum */
    uint64_t count;  /* of stats */
} PvDistributionRow;

typedef struct {
    const char *name; /* "@usecs" */
    const char *key;  /* of a histogram; NULL: none */
    PvDistributionKind kind;
    uint32_t n_buckets; /* in order; ranges without any number may be left out */
    const PvBucket *buckets;
    uint32_t n_rows; /* the largest value first */
    const PvDistributionRow *rows;
    uint64_t total; /* of all buckets; UINT64_MAX if it is more */
} PvDistribution;

/* A copy of one as it is; strings are not copied. All in the arena. */
PvDistribution pv_distribution_copy (const PvDistribution *self, PvArena *arena);

/* "@usecs[bash]"; g_free () it. */
char *pv_distribution_make_title (const PvDistribution *self);

/* "4 to 7", "below 0", translated; g_free () it. */
char *pv_bucket_format_range (const PvBucket *bucket);
/* Where it begins, short, as bpftrace writes it: "4", "16K" for 16384; g_free () it. */
char *pv_bucket_format_edge (const PvBucket *bucket);

/* "−1,234": a number with its sign, for people; g_free () it. */
char *pv_distribution_format_number (int64_t number);

/* The mean of stats, towards zero; 0 if their count is 0. */
int64_t pv_distribution_get_mean (const PvDistributionRow *row);

/* The number of the whole in these buckets and all before, in percent of all. */
double pv_distribution_get_percent (const PvDistribution *self, uint32_t bucket);
