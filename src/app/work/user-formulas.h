/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/formula.h"

/*
 * Formulas of the user's own, kept in the settings as definitions (see formula.h), each name once.
 * Main loop only.
 */

/* The key of the settings, whose changes tell that a formula was saved or deleted. */
#define PV_USER_FORMULAS_KEY "formulas"

/* The definitions, in the order in which they were first saved. Free with g_strfreev (). */
char **pv_user_formulas_list (void);
/* The definition of that name, or NULL; g_free () it. */
char *pv_user_formulas_get (const char *name);
/* In the place of the one of the name replaced, which may be NULL, and of one of its own name. */
void pv_user_formulas_save (const char *definition, const char *replaced);
void pv_user_formulas_delete (const char *name);

/* Those that a profile has the measures for, PvFormula: the usual ones, the user's, then those that
 * were asked for (definitions, or NULL). Later ones are instead of earlier ones of the same name.
 * g_ptr_array_unref () it. */
GPtrArray *pv_user_formulas_list_all (const PvProfile *profile, const char *const *asked);
