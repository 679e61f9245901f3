/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Modules, locations, given frames and stacks: rows of file->stacks, which are gone afterwards, are
 * stacks of the builder. */
void pprof_add_places (PprofFile *file);
