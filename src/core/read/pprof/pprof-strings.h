/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Texts of the file and what they mean. */

/* The builder's string, NULL if it is empty or the file has none of that index. */
const char *pprof_find_string (PprofFile *file, uint32_t index);
/* The same, but "" in place of NULL. */
const char *pprof_string (PprofFile *file, uint32_t index);

/* What a unit counts: factor turns it into nanoseconds or bytes. Others are counts. */
PvUnit pprof_parse_unit (const char *unit, uint64_t *ret_factor);
