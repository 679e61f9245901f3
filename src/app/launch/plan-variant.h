/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "record/plan/plan.h"

/* A plan as a GVariant: the parameter of "win.record", and what the command line sends to the
 * instance that has the window. Any thread. */

/* Floating, of type a{sv}. */
GVariant *pv_plan_to_variant (const PvRecordPlan *plan);
/* NULL if the variant is not a valid plan. A plan that lacks only its process is valid. */
PvRecordPlan *pv_plan_from_variant (GVariant *variant);

/* Makes the paths of a plan absolute; without a folder, the program runs in the current one. */
void pv_plan_resolve_paths (PvRecordPlan *plan);
/* Adds those "NAME=VALUE" of the caller's environment that differ from ours to a plan that launches
 * a program. environment may be NULL. */
void pv_plan_add_environment (PvRecordPlan *plan, const char *const *environment);
