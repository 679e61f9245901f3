/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * The keys that samples of a profile can be divided by (process, thread, processor, label keys),
 * and the weight of each process, thread, processor or label value. Any thread.
 */
typedef struct {
    PvGrouping by;     /* PV_GROUP_PROCESS, _THREAD, _CPU or _LABEL */
    const char *key;   /* of a label, owned by the profile; else NULL */
    uint32_t n_values; /* processes and threads with several names count once */
} PvFacetKey;

/* Immutable. */
typedef struct {
    PvProfile *profile; /* a reference */
    PvFacetKey *keys;
    uint32_t n_keys;
} PvFacetKeys;

/* The keys with more than one value; none for heaps. */
PvFacetKeys *pv_facet_keys_new (const PvProfile *profile);
void pv_facet_keys_free (PvFacetKeys *keys);

/* The origin that a key is about; not for label keys. */
PvOrigin pv_facet_get_origin (const PvFacetKey *key);

/* One process, thread, processor or label value. */
typedef struct {
    char *name;
    uint64_t weight;
    uint32_t *ids; /* all rows with this name, or the processor; NULL for labels */
    uint32_t n_ids;
    bool is_unlabeled; /* stands for the samples without the label; its name says so */
    bool is_shown;     /* by the query's filter on this key */
    bool is_barred;    /* hidden by one in the user's own words */
} PvFacetValue;

typedef struct {
    PvFacetValue *values; /* n_found, heaviest first */
    uint32_t n_values;    /* to be listed: n_found or the limit */
    uint32_t n_found;     /* matches of the search */
    uint32_t n_all;       /* number of values without the search */
    uint32_t n_shown;     /* of all values */
    uint64_t total;       /* of all values, in unit */
    PvUnit unit;
} PvFacet;

/* One bool per number below PV_CPU_UNKNOWN: samples ran on that processor; g_free () it. */
bool *pv_facet_find_cpus (const PvProfile *profile);

/* The values of a key, the max_values heaviest of them to be listed, under the query's sample
 * filters, by the query's measure, which must exist. Ignores the query's filter on this key, so
 * that all its values can be chosen from. search keeps only values whose name contains it; NULL
 * keeps all. NULL when cancelled. */
PvFacet *pv_facet_build (const PvProfile *profile, const PvQuery *query, const PvFacetKey *key,
                         const char *search, uint32_t max_values, PvJob *job);
void pv_facet_free (PvFacet *facet);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFacetKeys, pv_facet_keys_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFacet, pv_facet_free)
