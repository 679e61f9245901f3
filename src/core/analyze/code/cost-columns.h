/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/code/line-costs.h"
#include "core/analyze/columns/column.h"

/*
 * The columns beside lines of source: the cost of a line in the measure that is shown, then in
 * those beside it. The amount of a signed measure is new - base; in a comparison both sides have
 * columns, too.
 */
enum { PV_COST_MAX_MEASURES = 6 }; /* side by side */

typedef struct {
    PvColumn column;  /* self or total; its measure is ... */
    uint32_t measure; /* ... one of PvCostColumns.measures */
    char *title;
    uint32_t max_chars; /* of its texts, and at least a share's */
} PvCostColumn;

typedef struct {
    char *name;
    PvUnit unit;
    uint32_t first_cost; /* in arrays by measure of the costs */
    bool has_sides;      /* two of them: base, then new */
    uint64_t whole;      /* cost of everything; of both sides added up */
    int64_t net;         /* the same as an amount: with sides, new - base */
} PvCostMeasure;

/* Initialise with zeros. */
typedef struct {
    uint32_t n_ids; /* measures that the costs of a line are of */
    PvMeasureId ids[2 * PV_COST_MAX_MEASURES];
    bool is_compared; /* two profiles */
    uint32_t n_measures;
    PvCostMeasure measures[PV_COST_MAX_MEASURES]; /* the one that is shown, then those beside it */
    uint32_t n_columns;
    PvCostColumn columns[4 * PV_COST_MAX_MEASURES];
} PvCostColumns;

/* The measure that is shown, and those beside it by name (NULL-terminated, or NULL); what the
 * profile does not have is left out. Without columns so far: costs are built with ids first. */
void pv_cost_columns_init (PvCostColumns *columns, const PvProfile *profile, PvMeasureId measure,
                           const char *const *beside);
void pv_cost_columns_clear (PvCostColumns *columns);

/* The columns, for costs that were built with the ids. */
void pv_cost_columns_add (PvCostColumns *columns, const PvLineCosts *costs);
/* Makes the columns wide enough for these costs of a line. */
void pv_cost_columns_fit (PvCostColumns *columns, const PvCost *costs);

/* A measure's costs among those of a line. */
const PvCost *pv_cost_columns_get_costs (const PvCostColumns *columns, const PvCost *costs,
                                         uint32_t measure);
/* A measure's amount. */
int64_t pv_cost_columns_get_amount (const PvCostColumns *columns, const PvCost *costs,
                                    uint32_t measure, bool is_self);
/* The text of a column for these costs: "12.3 %", "+3 ms"; NULL: nothing. g_free () it. */
char *pv_cost_columns_format (const PvCostColumns *columns, const PvCost *costs, uint32_t column);

/* Which of two lines is hotter in the measure that is shown: by self, then total, or by how much
 * they changed; then the one with the lower number. -1: the first one comes first. */
int pv_cost_columns_compare_heat (const PvCostColumns *columns, const PvLineCost *a,
                                  const PvLineCost *b);
