/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* The file's strings and units. */

/* The builder's string; NULL if it is empty or the file has no such index. */
const char *pprof_find_string (PprofFile *file, uint32_t index);
/* The same, but "" instead of NULL. */
const char *pprof_string (PprofFile *file, uint32_t index);

/* Parses a unit; *ret_factor converts it to nanoseconds or bytes. Other units are counts. */
PvUnit pprof_parse_unit (const char *unit, uint64_t *ret_factor);
