/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/model/profile/symbols.h"

/*
 * Conditions of --check, for scripts:
 *
 *     total(REGEX) < 5 %             what stacks with a matching function have, of everything
 *     self(REGEX) <= 1.5 s           what matching functions have themselves
 *     total < 2 GiB                  everything
 *     delta(total(REGEX)) < 3 %      of a comparison: new - base, in percent of the base
 *
 * Amounts are in the unit of the measure (ns, us, ms, s; B, KiB, MiB, GiB; a number) or in percent;
 * signs are <, <=, > and >=. A change that comes from samples, or of several runs, is judged by its
 * interval (core/analyze/compare/noise.h), of what the condition names alone: if the limit is
 * within the interval, nobody can tell.
 */
typedef enum {
    PV_CHECK_HOLDS,
    PV_CHECK_BROKEN,
    PV_CHECK_UNKNOWN,
} PvCheckResult;

typedef struct {
    PvCheckResult result;
    char *text;              /* a sentence, translated */
    double value, low, high; /* infinite: growth from nothing */
    double limit;
    bool is_exact;   /* low and high are the value */
    bool is_percent; /* else all are in the unit */
    PvUnit unit;
} PvJudgement;

/* False with a G_OPTION_ERROR_BAD_VALUE about the condition. */
bool pv_check_parse (const char *condition, GError **error);

/* Clear the judgement. False with an error if the condition cannot be judged. */
bool pv_check_judge (const char *condition, const PvProfile *profile, const PvSymbolTable *symbols,
                     const PvQuery *query, PvJudgement *ret_judgement, GError **error);
void pv_judgement_clear (PvJudgement *judgement);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvJudgement, pv_judgement_clear)
