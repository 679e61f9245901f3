/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Adds measures, labels and samples to the builder. */
void pprof_add_samples (PprofFile *file);

/* Adds facts about the recording. */
void pprof_add_facts (PprofFile *file);
