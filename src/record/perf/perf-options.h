/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/plan/plan.h"

/* An option of `perf record`, as "--name", that the plan needs and this perf lacks; NULL: none, or
 * its file cannot be read. perf: a path. Searches the file instead of running perf; the first call
 * takes some milliseconds. Any thread but the main loop's. */
const char *pv_perf_find_missing_option (const char *perf, const PvRecordPlan *plan);
