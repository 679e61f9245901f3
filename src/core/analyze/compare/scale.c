/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/scale.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/compare/changes.h"
#include "core/analyze/tables/functions.h"
#include "core/model/profile/matcher.h"

static const char *const words[PV_N_SCALES] = {"none", "total", "time", "function"};

PvScale
pv_scale_find (const char *word)
{
    g_assert (word != NULL);
    PvScale scale = 0;
    while (scale < PV_N_SCALES && strcmp (words[scale], word) != 0)
        scale++;
    return scale;
}

/* The amounts of both sides as recorded that are to be equal. False when cancelled. */
static bool
find_amounts (const PvCallTree *tree, PvScale scale, PvFunctionId function, double *ret_amounts,
              PvJob *job)
{
    const PvProfile *profile = tree->profile;
    const PvPair *pair = pv_profile_get_pair (profile, tree->query.measure);
    g_autoptr (PvChanges) changes = NULL;
    if (scale == PV_SCALE_FUNCTION && (changes = pv_changes_by_function (tree, job)) == NULL)
        return false;
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        double factor = tree->query.factor_of_side[side];
        if (scale == PV_SCALE_TIME && profile->compared != NULL)
            ret_amounts[side] = (double)profile->compared->duration_ns_of_side[side];
        else if (scale == PV_SCALE_TOTAL)
            ret_amounts[side] = (double)profile->measures[pair->of_side[side]].total;
        else if (scale == PV_SCALE_FUNCTION)
            ret_amounts[side] =
                (double)changes->total_of_side[side][function] / (factor != 0 ? factor : 1);
    }
    return true;
}

bool
pv_scale_find_factor (const PvCallTree *tree, PvScale scale, PvFunctionId function,
                      double *ret_factor, PvJob *job, GError **error)
{
    g_assert (tree != NULL && pv_changes_can_sum (tree) && ret_factor != NULL);
    double amounts[PV_N_SIDES] = {0};
    if (scale == PV_SCALE_NONE) {
        *ret_factor = 1;
        return true;
    }
    if (!find_amounts (tree, scale, function, amounts, job)) {
        pv_job_check (job, error);
        return false;
    }
    if (amounts[PV_SIDE_BASE] > 0 && amounts[PV_SIDE_NEW] > 0) {
        *ret_factor = amounts[PV_SIDE_NEW] / amounts[PV_SIDE_BASE];
        return true;
    }
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                         scale == PV_SCALE_TIME
                             ? _ ("Not both sides say how long they were recorded")
                             : _ ("One of the sides has nothing to scale by"));
    return false;
}

/* The function with the largest total of those that match. 0 with an error. */
static PvFunctionId
find_function (const PvCallTree *tree, const char *expression, PvJob *job, GError **error)
{
    g_autoptr (PvMatcher) matcher = pv_matcher_new (expression, false, error);
    if (matcher == NULL)
        return 0;
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, job);
    if (list == NULL) {
        pv_job_check (job, error);
        return 0;
    }
    uint64_t most = 0;
    PvFunctionId found = 0;
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunction *function = &tree->symbols->functions[list->rows[i].function];
        if (list->rows[i].total > most && (pv_matcher_match (matcher, function->name) ||
                                           pv_matcher_match (matcher, function->short_name))) {
            most = list->rows[i].total;
            found = list->rows[i].function;
        }
    }
    if (found == 0)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("no function matches “%s”"),
                     expression);
    return found;
}

bool
pv_scale_apply (PvScale scale, const char *expression, const PvProfile *profile,
                const PvSymbolTable *symbols, PvQuery *query, char **ret_function_name, PvJob *job,
                GError **error)
{
    g_assert (scale < PV_N_SCALES && (scale != PV_SCALE_FUNCTION || expression != NULL));
    if (ret_function_name != NULL)
        *ret_function_name = NULL;
    if (scale == PV_SCALE_NONE) {
        query->factor_of_side[PV_SIDE_BASE] = query->factor_of_side[PV_SIDE_NEW] = 0;
        return true;
    }
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, query, NULL, job, error);
    if (tree == NULL)
        return false;
    PvFunctionId function =
        scale == PV_SCALE_FUNCTION ? find_function (tree, expression, job, error) : 0;
    if ((scale == PV_SCALE_FUNCTION && function == 0) ||
        !pv_scale_find_factor (tree, scale, function, &query->factor_of_side[PV_SIDE_BASE], job,
                               error))
        return false;
    if (ret_function_name != NULL && function != 0)
        *ret_function_name = g_strdup (tree->symbols->functions[function].short_name);
    return true;
}

char *
pv_scale_describe (PvScale scale, double factor, const char *function_name)
{
    g_autofree char *number = pv_format_digits (factor, 4);
    switch (scale) {
    case PV_SCALE_TOTAL:
        return g_strdup_printf (_ ("base × %s, for equal totals"), number);
    case PV_SCALE_TIME:
        return g_strdup_printf (_ ("base × %s, for equal times"), number);
    case PV_SCALE_FUNCTION:
        return g_strdup_printf (_ ("base × %s, for equal totals of %s"), number, function_name);
    case PV_SCALE_NONE:
    case PV_N_SCALES:
        break;
    }
    return g_strdup (_ ("as recorded"));
}
