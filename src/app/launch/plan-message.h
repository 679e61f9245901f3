/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "record/plan/plan.h"

/* A plan on its way from the command line it was given in to the instance that has the window. Any
 * thread. */

/* Floating. Without a folder, the program is to work in ours. */
GVariant *pv_plan_message_new (const PvRecordPlan *plan);
/* environment: of those who sent it, "NAME=VALUE": the program is to have it too. NULL if it is no
 * such message. */
PvRecordPlan *pv_plan_message_read (GVariant *message, const char *const *environment);
