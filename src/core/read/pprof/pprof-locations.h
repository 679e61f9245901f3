/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Adds modules, locations, given frames and stacks to the builder. The rows of file->stacks, which
 * is cleared, become the builder's stacks. */
void pprof_add_places (PprofFile *file);
