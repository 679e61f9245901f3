/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Environment variables of a program to be launched, one line each, folded away. The signal
 * "changed" tells of each change. */
#define PV_TYPE_ENVIRONMENT_ROW (pv_environment_row_get_type ())
G_DECLARE_FINAL_TYPE (PvEnvironmentRow, pv_environment_row, PV, ENVIRONMENT_ROW, AdwExpanderRow)

/* "NAME=VALUE"; NULL: none. */
void pv_environment_row_set (PvEnvironmentRow *row, const char *const *variables);
/* g_strfreev () it; empty lines are left out. */
char **pv_environment_row_get (PvEnvironmentRow *row);
/* What is wrong with a line, for people; NULL: nothing. */
const char *pv_environment_row_find_fault (PvEnvironmentRow *row);
