/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Parses the output of `perf list`, any UTF-8, to an array of PvEvent. Free with
 * g_ptr_array_unref (). */
GPtrArray *pv_perf_events_parse (const char *text);
