/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/answer.h"
#include "app/work/work.h"
#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/scale.h"
#include "core/analyze/query/query-words.h"
#include "core/analyze/series/series.h"
#include "core/analyze/tables/facets.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tree/search.h"
#include "core/analyze/tree/tree-join.h"

/*
 * Computations of worker threads for a document. Each kind has a task, its input, which owns what
 * it holds, and its result, which the owner of the task takes.
 */

/* A function list with the tree its ids belong to. Immutable; any thread may read. */
typedef struct {
    int ref_count; /* atomic */
    PvCallTree *tree;
    PvFunctionList *list;
} PvFunctions;

PvFunctions *pv_functions_ref (PvFunctions *functions);
void pv_functions_unref (PvFunctions *functions);

/* How a comparison is shown. */
typedef struct {
    PvScale scale;
    char *function;           /* a regular expression, of PV_SCALE_FUNCTION; else NULL */
    gboolean has_side;        /* what is first shown: boxes are as wide as ... */
    PvSide width_side;        /* ... this side; else as both */
    gboolean is_side_by_side; /* flame graphs, each as wide as its side; the measure has both */
} PvComparisonView;

/* All that an answer is made of. */
typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvQuery query;
    PvComparisonView comparison; /* of a comparison; the query's factors follow from it */
    char **words;                /* as in PvQueryWords: replace query; or NULL */
    gboolean is_part;            /* words may apply to later parts only: then build nothing */
    gboolean is_inverted;
    PvFormula *formula; /* whose values the flame tree's nodes shall have; or NULL */
    PvAnswer *previous; /* the one that is shown */
    /* Where light nodes are wanted too; or NULL. */
    GArray *anchors; /* PvTreeAnchor */
    GArray *paths;   /* PvTreePath */
    /* A renewal carries over what the user looks at. */
    gboolean is_renewal;
    GArray *nodes; /* PvNodeId of the previous answer's flame tree */
} PvQuestion;

/* An answer, and what is done with it only once, when it comes. */
typedef struct {
    PvAnswer *answer;
    char *scale_error; /* why a comparison was not scaled; or NULL */
    /* Only for the first answer, of an input with words. */
    char **formulas;     /* that the words request; or NULL */
    GError *words_error; /* why the query is the default one; NULL: the words apply */
    /* Only for a renewal: what follows from the answer, and must not be missing meanwhile. */
    PvFunctions *functions;
    PvFacetKeys *facet_keys; /* NULL: the profile is the same */
    PvTreeJoin *join;        /* from the flame tree before; has looked up its nodes already */
} PvReply;

typedef struct {
    PvCallTree *tree;
    PvSearchTerm term;
} PvSearchInput;

typedef struct {
    PvAnswer *answer;
    PvFunctionId function;
    struct PvComparedSums *sums; /* of a comparison; NULL: not known */
} PvCallersCalleesInput;

typedef struct {
    PvCallersCallees *both;
    PvNodeId heaviest;  /* in flame_tree; PV_NODE_NONE if it is not there */
    gboolean is_folded; /* it would be there, at this anchor, were it not folded */
    PvTreeAnchor anchor;
} PvCallersCalleesResult;

typedef struct {
    PvCallTree *tree;
    PvChartKind kind;
    uint32_t max_layers;
    uint32_t max_points;
} PvSeriesInput;

typedef struct {
    PvProfile *profile;
    PvQuery query;
    PvFacetKey key;
    char *search; /* NULL: all values */
} PvFacetInput;

typedef struct {
    PvAnswer *answer;
    PvTransformKind kind;
    char *expression;
} PvMatchInput;

typedef struct {
    uint32_t n_matches; /* functions, or modules for a kind that is about those */
    gboolean gave_up;   /* the expression took too long, there may be more */
} PvMatchCount;         /* g_free () it */

/* Sums of a comparison, and sentences on what changed most. */
typedef struct PvComparedSums {
    int ref_count; /* atomic */
    PvCallTree *tree;
    PvChanges *functions;
    char **sentences; /* NULL-terminated */
    PvFunctionId *function_of_sentence;
} PvComparedSums;

PvComparedSums *pv_compared_sums_ref (PvComparedSums *sums);
void pv_compared_sums_unref (PvComparedSums *sums);

void pv_comparison_view_copy (PvComparisonView *ret_copy, const PvComparisonView *view);
void pv_comparison_view_clear (PvComparisonView *view);

/* A copy of the query, of how a comparison is shown, the words and the direction. Nothing is shown
 * before; the rest is NULL. */
PvQuestion *pv_question_copy (const PvQuestion *question);
void pv_question_free (gpointer question);
/* Blocking. May change the query's direction. NULL with or without error: cancelled, or an
 * expression is wrong. */
PvReply *pv_answer_build (PvQuestion *question, PvJob *job, GError **error);
void pv_reply_free (gpointer reply);
void pv_callers_callees_result_free (gpointer result);

PvTask *pv_answer_task_new (gpointer owner, PvTaskDone done);    /* PvQuestion to PvReply */
PvTask *pv_functions_task_new (gpointer owner, PvTaskDone done); /* PvCallTree to PvFunctions */
PvTask *pv_search_task_new (gpointer owner, PvTaskDone done); /* PvSearchInput to PvSearchResult */
PvTask *pv_callers_callees_task_new (gpointer owner,
                                     PvTaskDone done);            /* to PvCallersCalleesResult */
PvTask *pv_series_task_new (gpointer owner, PvTaskDone done);     /* PvSeriesInput to PvSeries */
PvTask *pv_facet_keys_task_new (gpointer owner, PvTaskDone done); /* PvProfile to PvFacetKeys */
PvTask *pv_facet_task_new (gpointer owner, PvTaskDone done);      /* PvFacetInput to PvFacet */
/* PvCallTree, top-down, whose measure is a part of a pair, to PvComparedSums */
PvTask *pv_compared_task_new (gpointer owner, PvTaskDone done);
PvTask *pv_match_task_new (gpointer owner, PvTaskDone done); /* PvMatchInput to PvMatchCount */
