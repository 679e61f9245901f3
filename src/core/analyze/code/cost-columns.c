/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/code/cost-columns.h"

#include <glib/gi18n-lib.h>

enum { SHARE_CHARS = 7 }; /* "100.0 %" */

/* Measures */

static void
add_measure (PvCostColumns *columns, const PvProfile *profile, PvMeasureId measure)
{
    if (columns->n_measures == PV_COST_MAX_MEASURES || !pv_profile_has_weights (profile, measure))
        return;
    const PvPair *pair = pv_profile_get_pair (profile, measure);
    PvCostMeasure *added = &columns->measures[columns->n_measures++];
    added->has_sides = pair != NULL;
    added->first_cost = columns->n_ids;
    if (pair != NULL)
        measure = pair->both;
    added->name = g_strdup (profile->measures[measure].name);
    added->unit = profile->measures[measure].unit;
    columns->ids[columns->n_ids++] = pair != NULL ? pair->of_side[PV_SIDE_BASE] : measure;
    if (pair != NULL)
        columns->ids[columns->n_ids++] = pair->of_side[PV_SIDE_NEW];
}

void
pv_cost_columns_init (PvCostColumns *columns, const PvProfile *profile, PvMeasureId measure,
                      const char *const *beside)
{
    g_assert (columns != NULL && profile != NULL);
    *columns = (PvCostColumns){.is_compared = profile->compared != NULL};
    add_measure (columns, profile, measure);
    for (size_t i = 0; columns->n_measures > 0 && beside != NULL && beside[i] != NULL; i++) {
        const PvMeasureId other = pv_profile_find_measure (profile, beside[i]);
        if (other != UINT32_MAX && other != measure &&
            g_strcmp0 (beside[i], columns->measures[0].name) != 0)
            add_measure (columns, profile, other);
    }
}

void
pv_cost_columns_clear (PvCostColumns *columns)
{
    g_assert (columns != NULL);
    for (uint32_t m = 0; m < columns->n_measures; m++)
        g_free (columns->measures[m].name);
    for (uint32_t c = 0; c < columns->n_columns; c++)
        g_free (columns->columns[c].title);
    *columns = (PvCostColumns){0};
}

/* Amounts */

const PvCost *
pv_cost_columns_get_costs (const PvCostColumns *columns, const PvCost *costs, uint32_t measure)
{
    g_assert (columns != NULL && costs != NULL && measure < columns->n_measures);
    return &costs[columns->measures[measure].first_cost];
}

int64_t
pv_cost_columns_get_amount (const PvCostColumns *columns, const PvCost *costs, uint32_t measure,
                            bool is_self)
{
    costs = pv_cost_columns_get_costs (columns, costs, measure);
    const int64_t first = (int64_t)(is_self ? costs[0].self : costs[0].total);

    if (!columns->measures[measure].has_sides)
        return first;
    return (int64_t)(is_self ? costs[PV_SIDE_NEW].self : costs[PV_SIDE_NEW].total) - first;
}

static PvValue
get_value (const PvCostColumns *columns, const PvCost *costs, uint32_t number)
{
    const PvCostColumn *column = &columns->columns[number];
    const PvCostMeasure *measure = &columns->measures[column->measure];
    const bool is_self = column->column.kind == PV_COLUMN_SELF;
    const int64_t amount = pv_cost_columns_get_amount (columns, costs, column->measure, is_self);
    costs = pv_cost_columns_get_costs (columns, costs, column->measure);
    PvValue value = {.kind = measure->has_sides ? PV_VALUE_NET : PV_VALUE_AMOUNT,
                     .show = column->column.show,
                     .unit = measure->unit,
                     .amount = (uint64_t)amount,
                     .whole = measure->whole};
    if (value.show >= PV_SHOW_CHANGE) {
        value.kind = PV_VALUE_CHANGE;
        value.change.base = is_self ? costs[PV_SIDE_BASE].self : costs[PV_SIDE_BASE].total;
        value.change.newer = is_self ? costs[PV_SIDE_NEW].self : costs[PV_SIDE_NEW].total;
    }
    return value;
}

char *
pv_cost_columns_format (const PvCostColumns *columns, const PvCost *costs, uint32_t column)
{
    g_assert (columns != NULL && costs != NULL && column < columns->n_columns);
    const PvValue value = get_value (columns, costs, column);
    return pv_value_is_zero (&value) ? NULL : pv_value_format (&value);
}

int
pv_cost_columns_compare_heat (const PvCostColumns *columns, const PvLineCost *a,
                              const PvLineCost *b)
{
    for (int is_self = 1; is_self >= 0; is_self--) {
        const uint64_t left =
            (uint64_t)ABS (pv_cost_columns_get_amount (columns, a->costs, 0, is_self != 0));
        const uint64_t right =
            (uint64_t)ABS (pv_cost_columns_get_amount (columns, b->costs, 0, is_self != 0));
        if (left != right)
            return left > right ? -1 : 1;
    }
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Columns */

static void
add_column (PvCostColumns *columns, PvColumn column, uint32_t measure, const char *title)
{
    columns->columns[columns->n_columns++] =
        (PvCostColumn){column, measure, g_strdup (title), SHARE_CHARS};
}

void
pv_cost_columns_add (PvCostColumns *columns, const PvLineCosts *costs)
{
    g_assert (columns != NULL && columns->n_columns == 0 && costs != NULL);
    for (uint32_t m = 0; m < columns->n_measures; m++) {
        PvCostMeasure *measure = &columns->measures[m];
        const uint64_t *wholes = &costs->wholes[measure->first_cost];
        /* Translators: the cost of a line itself in a measure that stands beside another */
        g_autofree char *self = g_strdup_printf (_ ("%s, self"), measure->name);
        measure->whole = wholes[0] + (measure->has_sides ? wholes[1] : 0);
        measure->net = (int64_t)(measure->has_sides ? wholes[1] - wholes[0] : wholes[0]);
        const PvShow show = !measure->has_sides    ? PV_SHOW_SHARE
                            : columns->is_compared ? PV_SHOW_CHANGE
                                                   : PV_SHOW_AMOUNT;
        const bool is_compared = show == PV_SHOW_CHANGE;
        add_column (columns, (PvColumn){PV_COLUMN_SELF, show}, m,
                    m > 0         ? self
                    : is_compared ? _ ("Self Change")
                                  : C_ ("column", "Self"));
        if (is_compared) {
            add_column (columns, (PvColumn){PV_COLUMN_TOTAL, PV_SHOW_BASE}, m,
                        C_ ("column", "Base"));
            add_column (columns, (PvColumn){PV_COLUMN_TOTAL, PV_SHOW_NEW}, m, C_ ("column", "New"));
        }
        add_column (columns, (PvColumn){PV_COLUMN_TOTAL, show}, m,
                    m > 0         ? measure->name
                    : is_compared ? C_ ("column", "Change")
                                  : C_ ("column", "Total"));
    }
}

void
pv_cost_columns_fit (PvCostColumns *columns, const PvCost *costs)
{
    g_assert (columns != NULL && costs != NULL);
    for (uint32_t c = 0; c < columns->n_columns; c++) {
        PvCostColumn *column = &columns->columns[c];
        g_autofree char *text = pv_cost_columns_format (columns, costs, c);
        if (text != NULL)
            column->max_chars = MAX (column->max_chars, (uint32_t)g_utf8_strlen (text, -1));
    }
}
