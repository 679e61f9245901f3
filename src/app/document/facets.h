/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "core/analyze/query/query.h"
#include "core/model/profile/labels.h"

/*
 * What the samples of a profile can be told apart by: their process, their thread, and the keys of
 * their labels; and how much of what is shown each thread, process or value has. Found in workers.
 */
typedef struct {
    PvGrouping by;   /* PV_GROUP_THREAD, _PROCESS or _LABEL */
    const char *key; /* of a label, the profile's; else NULL */
    uint32_t n_values;
} PvFacetKey;

/* Immutable. */
typedef struct {
    PvProfile *profile;
    PvFacetKey *keys;
    uint32_t n_keys;
} PvFacetKeys;

void pv_facet_keys_free (PvFacetKeys *keys);

/* PvProfile to PvFacetKeys: what has more than one value. */
PvTask *pv_facet_keys_task_new (gpointer owner, PvTaskDone done);

typedef struct {
    PvProfile *profile;
    PvQuery query;
    PvFacetKey key;
    char *search; /* only values with this in them; NULL: all */
} PvFacetInput;

/* One thread, process or value of a label. */
typedef struct {
    char *name;
    uint64_t weight;
    uint32_t *ids; /* of threads or processes, all those with this name; NULL for labels */
    uint32_t n_ids;
} PvFacetValue;

typedef struct {
    PvFacetValue *parts; /* the heaviest first */
    uint32_t n_parts;
    uint32_t n_found; /* of which only so many are here */
    uint32_t n_all;   /* without the search */
    uint64_t total;
    PvUnit unit;
} PvFacet;

void pv_facet_free (PvFacet *parts);

/* PvFacetInput to PvFacet. What the query says of this key itself is put aside: all values are
 * there to choose from. */
PvTask *pv_facet_task_new (gpointer owner, PvTaskDone done);
