/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/scale.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/compare/changes.h"
#include "core/model/profile/function-match.h"
#include "core/model/profile/matcher.h"

static const char *const words[PV_N_SCALES] = {"none", "total", "time", "function"};

const char *
pv_scale_get_word (PvScale scale)
{
    g_assert (scale < PV_N_SCALES);
    return words[scale];
}

PvScale
pv_scale_find (const char *word)
{
    g_assert (word != NULL);
    PvScale scale = 0;
    while (scale < PV_N_SCALES && strcmp (words[scale], word) != 0)
        scale++;
    return scale;
}

/* The factor that makes these equal. */
static bool
divide (PvScale scale, const double *amounts, double *ret_factor, GError **error)
{
    if (amounts[PV_SIDE_BASE] > 0 && amounts[PV_SIDE_NEW] > 0) {
        *ret_factor = amounts[PV_SIDE_NEW] / amounts[PV_SIDE_BASE];
        return true;
    }
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                         scale == PV_SCALE_TIME
                             ? _ ("One of the sides does not say how long it was recorded")
                             : _ ("The total of one of the sides is 0, so it cannot be scaled"));
    return false;
}

/* By what is known of the whole profile. */
static bool
find_whole_factor (const PvProfile *profile, PvMeasureId measure, PvScale scale, double *ret_factor,
                   GError **error)
{
    const PvPair *pair = pv_profile_get_pair (profile, measure);
    double amounts[PV_N_SIDES] = {0};
    if (scale == PV_SCALE_NONE) {
        *ret_factor = 1;
        return true;
    }
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        if (scale == PV_SCALE_TIME && profile->compared != NULL)
            amounts[side] = (double)profile->compared->duration_ns_of_side[side];
        else if (scale == PV_SCALE_TOTAL)
            amounts[side] = (double)profile->measures[pair->of_side[side]].total;
    }
    return divide (scale, amounts, ret_factor, error);
}

static bool
find_function_factor (const PvCallTree *tree, const PvChanges *changes, PvFunctionId function,
                      double *ret_factor, GError **error)
{
    double amounts[PV_N_SIDES];
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        double factor = tree->query.factor_of_side[side];
        amounts[side] = (double)changes->total_of_side[side][function] / (factor != 0 ? factor : 1);
    }
    return divide (PV_SCALE_FUNCTION, amounts, ret_factor, error);
}

/* The function with the largest total of those that match. 0 with an error. */
static PvFunctionId
find_function (const PvSymbolTable *symbols, const PvChanges *changes, const char *expression,
               GError **error)
{
    g_autoptr (PvMatcher) matcher = pv_matcher_new (expression, false, error);
    if (matcher == NULL)
        return 0;
    double most = 0;
    PvFunctionId found = 0;
    for (PvFunctionId f = 1; f < MIN (symbols->n_functions, changes->n_rows); f++) {
        double total = (double)changes->total_of_side[PV_SIDE_BASE][f] +
                       (double)changes->total_of_side[PV_SIDE_NEW][f];
        if (total > most && pv_function_matches (symbols, f, matcher)) {
            most = total;
            found = f;
        }
    }
    if (pv_matcher_gave_up (matcher)) {
        pv_matcher_set_slow (expression, error);
        return 0;
    }
    if (found == 0)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("no function matches “%s”"),
                     expression);
    return found;
}

static bool
apply_function (const PvCallTree *tree, const char *expression, double *ret_factor,
                char **ret_function_name, PvJob *job, GError **error)
{
    g_autoptr (PvChanges) changes = pv_changes_by_function (tree, job);
    if (changes == NULL) {
        pv_job_check (job, error);
        return false;
    }
    PvFunctionId function = find_function (tree->symbols, changes, expression, error);
    if (function == 0 || !find_function_factor (tree, changes, function, ret_factor, error))
        return false;
    if (ret_function_name != NULL)
        *ret_function_name = g_strdup (tree->symbols->functions[function].short_name);
    return true;
}

bool
pv_scale_apply (PvScale scale, const char *expression, const PvProfile *profile,
                const PvSymbolTable *symbols, const PvCallTree *tree, PvQuery *query,
                char **ret_function_name, PvJob *job, GError **error)
{
    g_assert (scale < PV_N_SCALES && (scale != PV_SCALE_FUNCTION || expression != NULL));
    g_assert (tree == NULL || (tree->profile == profile && tree->symbols == symbols));
    double *factor = &query->factor_of_side[PV_SIDE_BASE];
    if (ret_function_name != NULL)
        *ret_function_name = NULL;
    if (scale != PV_SCALE_FUNCTION)
        return find_whole_factor (profile, query->measure, scale, factor, error);
    if (tree != NULL)
        return apply_function (tree, expression, factor, ret_function_name, job, error);
    g_autoptr (PvCallTree) own =
        pv_call_tree_build_stacks (profile, symbols, query, NULL, job, error);
    return own != NULL && apply_function (own, expression, factor, ret_function_name, job, error);
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
