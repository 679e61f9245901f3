/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/pprof/pprof-file.h"

/* Measures, labels and samples. */
void pprof_add_samples (PprofFile *file);

/* What is known of the recording. */
void pprof_add_facts (PprofFile *file);
