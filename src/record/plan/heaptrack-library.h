/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#define PV_HEAPTRACK_PRELOAD "libheaptrack_preload.so"
#define PV_HEAPTRACK_INJECT  "libheaptrack_inject.so"

/* The real path of a library of the heaptrack in PATH, searched as heaptrack does: relative to its
 * program. NULL: not installed. Blocking, quick; any thread. */
char *pv_heaptrack_find_library (const char *name);
