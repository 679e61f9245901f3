/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Its samples, into the window. */
void pprof_take_samples (PprofFile *file, PprofWindow *window);
/* Adds the samples that were taken into the window. */
void pprof_add_taken (PprofFile *file, PprofWindow *window);
/* Samples of the same stack and labels become one. */
void pprof_merge_samples (PprofFile *file);
