/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Environment variables for the program to launch, in an expander row with one row for each. Emits
 * "changed". */
#define PV_TYPE_ENVIRONMENT_ROW (pv_environment_row_get_type ())
G_DECLARE_FINAL_TYPE (PvEnvironmentRow, pv_environment_row, PV, ENVIRONMENT_ROW, AdwExpanderRow)

/* variables: "NAME=VALUE", or NULL. */
void pv_environment_row_set (PvEnvironmentRow *row, const char *const *variables);
/* Free it with g_strfreev (); empty rows are left out. */
char **pv_environment_row_get (PvEnvironmentRow *row);
/* Static description of the first fault, for the user; NULL: no fault. */
const char *pv_environment_row_find_fault (PvEnvironmentRow *row);
