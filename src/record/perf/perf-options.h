/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/plan/plan.h"

/* The option of `perf record` that the plan needs and this perf, a path, does not know, as
 * "--name"; NULL: it knows all of them, or cannot be looked into. perf is not run: the names of its
 * options are looked for in its file, the first time for some milliseconds. Any thread but the main
 * loop's. */
const char *pv_perf_find_missing_option (const char *perf, const PvRecordPlan *plan);
