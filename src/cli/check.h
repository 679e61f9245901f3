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
 * signs are <, <=, > and >=. A change that chance explains counts as 0.
 */

/* False with a G_OPTION_ERROR_BAD_VALUE about the condition. */
bool pv_check_parse (const char *condition, GError **error);

/* True if the condition holds; if not, *ret_failure says why: g_free () it. False with an error if
 * it cannot be judged. */
bool pv_check_judge (const char *condition, const PvProfile *profile, const PvSymbolTable *symbols,
                     const PvQuery *query, char **ret_failure, GError **error);
