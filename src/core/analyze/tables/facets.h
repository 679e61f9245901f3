/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"

/*
 * By what the samples of a profile can be told apart: their process, their thread, and the keys of
 * their labels; and how much of what is shown each thread, process or label value has. Any thread.
 */
typedef struct {
    PvGrouping by;   /* PV_GROUP_THREAD, _PROCESS or _LABEL */
    const char *key; /* of a label, the profile's; else NULL */
    uint32_t n_values;
} PvFacetKey;

/* Immutable. */
typedef struct {
    PvProfile *profile; /* a reference */
    PvFacetKey *keys;
    uint32_t n_keys;
} PvFacetKeys;

/* The keys with more than one value; heaps have none. */
PvFacetKeys *pv_facet_keys_new (const PvProfile *profile);
void pv_facet_keys_free (PvFacetKeys *keys);

/* One thread, process or label value. */
typedef struct {
    char *name;
    uint64_t weight;
    uint32_t *ids; /* threads or processes, all those with this name; NULL for labels */
    uint32_t n_ids;
} PvFacetValue;

typedef struct {
    PvFacetValue *values; /* heaviest first */
    uint32_t n_values;
    uint32_t n_found; /* how many match the search; n_values is this or the limit */
    uint32_t n_all;   /* how many there are without the search */
    uint64_t total;   /* of all, in unit */
    PvUnit unit;
} PvFacet;

/* The max_values heaviest values of a key under the query's sample filters, by the query's measure,
 * which must exist. The query's own choice among this key's values is ignored, so that all values
 * are there to choose from. search keeps only values with this text in their names; NULL keeps all.
 * NULL when cancelled. */
PvFacet *pv_facet_build (const PvProfile *profile, const PvQuery *query, const PvFacetKey *key,
                         const char *search, uint32_t max_values, PvJob *job);
void pv_facet_free (PvFacet *facet);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFacetKeys, pv_facet_keys_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFacet, pv_facet_free)
