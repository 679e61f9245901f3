#pragma once

#include "app/work/work.h"
#include "core/analyze/series/series.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/call-tree.h"
#include "core/analyze/tree/tree-join.h"

/*
 * What a document asks of worker threads: inputs, which are immutable and own what they hold, and
 * answers, which the lane's owner takes over. A lane per kind of question.
 */

/* A function list with the tree its ids belong to. Immutable; any thread may read. */
typedef struct {
    int ref_count; /* atomic */
    PvCallTree *tree;
    PvFunctionList *list;
} PvFunctions;

PvFunctions *pv_functions_ref (PvFunctions *functions);
void pv_functions_unref (PvFunctions *functions);

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvQuery query;
    gboolean is_inverted;
    PvCallTree *previous; /* or NULL */
    /* What was loaded again also brings what the user looks at along. */
    gboolean is_renewal;
    PvCallTree *shown; /* by the flame graph */
    GArray *places;    /* PvNodeId of it */
} PvTreeInput;

typedef struct {
    PvCallTree *tree;
    PvCallTree *inverted; /* NULL unless asked for */
    /* Of a renewal only. */
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvFunctions *functions;
    PvTreeJoin *join; /* from what was shown; knows its places already */
} PvTrees;

typedef struct {
    PvCallTree *tree;
    char *text;
} PvSearchInput;

typedef struct {
    PvCallTree *tree;
    PvCallTree *flame_tree;
    PvFunctionId function;
} PvNeighboursInput;

typedef struct {
    PvNeighbours *neighbours;
    PvNodeId heaviest; /* in flame_tree; PV_NODE_NONE if it is not there */
} PvNeighboursAnswer;

typedef struct {
    PvCallTree *tree;
    PvChartKind kind;
    uint32_t max_layers;
    uint32_t max_points;
} PvSeriesInput;

void pv_trees_free (gpointer trees);
void pv_neighbours_answer_free (gpointer answer);

PvLane *pv_tree_lane_new (gpointer owner, PvLaneDone done);      /* PvTreeInput to PvTrees */
PvLane *pv_functions_lane_new (gpointer owner, PvLaneDone done); /* PvCallTree to PvFunctions */
PvLane *pv_search_lane_new (gpointer owner, PvLaneDone done); /* PvSearchInput to PvSearchResult */
PvLane *pv_neighbours_lane_new (gpointer owner, PvLaneDone done); /* to PvNeighboursAnswer */
PvLane *pv_series_lane_new (gpointer owner, PvLaneDone done);     /* PvSeriesInput to PvSeries */
