/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Takes a window's samples, and stores them in the window. */
void pprof_take_samples (PprofFile *file, PprofWindow *window);
/* Adds the samples that were taken into the window. */
void pprof_add_taken (PprofFile *file, PprofWindow *window);
/* Merges samples with the same stack and labels. */
void pprof_merge_samples (PprofFile *file);
