/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#define PV_HEAPTRACK_PRELOAD "libheaptrack_preload.so"
#define PV_HEAPTRACK_INJECT  "libheaptrack_inject.so"

/* The path, without links, of a library of the heaptrack that is in PATH, as heaptrack itself looks
 * for it: beside its program. NULL: not installed. Blocking, quick; any thread. */
char *pv_heaptrack_find_library (const char *name);
