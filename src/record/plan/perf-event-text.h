/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Of PvEvent: what `perf list` wrote, any UTF-8. Free with g_ptr_array_unref (). */
GPtrArray *pv_perf_events_parse (const char *text);
