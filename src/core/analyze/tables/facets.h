/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * The keys that samples of a profile can be divided by (process, thread, label keys), and the
 * weight of each process, thread or label value. Any thread.
 */
typedef struct {
    PvGrouping by;   /* PV_GROUP_THREAD, _PROCESS or _LABEL */
    const char *key; /* of a label, owned by the profile; else NULL */
    uint32_t n_values;
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

/* One thread, process or label value. */
typedef struct {
    char *name;
    uint64_t weight;
    uint32_t *ids; /* all threads or processes with this name; NULL for labels */
    uint32_t n_ids;
} PvFacetValue;

typedef struct {
    PvFacetValue *values; /* heaviest first */
    uint32_t n_values;
    uint32_t n_found; /* matches of the search; n_values is this or the limit */
    uint32_t n_all;   /* number of values without the search */
    uint64_t total;   /* of all values, in unit */
    PvUnit unit;
} PvFacet;

/* The max_values heaviest values of a key under the query's sample filters, by the query's measure,
 * which must exist. Ignores the query's filter on this key, so that all its values can be chosen
 * from. search keeps only values whose name contains it; NULL keeps all. NULL when cancelled. */
PvFacet *pv_facet_build (const PvProfile *profile, const PvQuery *query, const PvFacetKey *key,
                         const char *search, uint32_t max_values, PvJob *job);
void pv_facet_free (PvFacet *facet);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFacetKeys, pv_facet_keys_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFacet, pv_facet_free)
