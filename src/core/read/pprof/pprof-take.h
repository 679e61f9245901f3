/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Takes in a window of whole messages, samples aside; stops early, and from then on skips windows,
 * when the file is_full or is_concatenated. */
void pprof_take_messages (PprofFile *file, PprofWindow *window);
