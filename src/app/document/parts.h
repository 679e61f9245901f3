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
} PvPartKey;

/* Immutable. */
typedef struct {
    PvProfile *profile;
    PvPartKey *keys;
    uint32_t n_keys;
} PvPartKeys;

void pv_part_keys_free (PvPartKeys *keys);

/* PvProfile to PvPartKeys: what has more than one value. */
PvLane *pv_part_keys_lane_new (gpointer owner, PvLaneDone done);

typedef struct {
    PvProfile *profile;
    PvQuery query;
    PvPartKey key;
    char *search; /* only values with this in them; NULL: all */
} PvPartsInput;

/* One thread, process or value of a label. */
typedef struct {
    char *name;
    uint64_t weight;
    uint32_t *ids; /* of threads or processes, all those with this name; NULL for labels */
    uint32_t n_ids;
} PvPart;

typedef struct {
    PvPart *parts; /* the heaviest first */
    uint32_t n_parts;
    uint32_t n_found; /* of which only so many are here */
    uint32_t n_all;   /* without the search */
    uint64_t total;
    PvUnit unit;
} PvParts;

void pv_parts_free (PvParts *parts);

/* PvPartsInput to PvParts. What the query says of this key itself is put aside: all values are
 * there to choose from. */
PvLane *pv_parts_lane_new (gpointer owner, PvLaneDone done);
