/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Takes the messages of a window, except samples. Stops early, and skips all later windows, when
 * the file is_full or is_concatenated. */
void pprof_take_messages (PprofFile *file, PprofWindow *window);
