/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/elf/elf-image.h"
#include "core/model/profile/program-facts.h"

/* Finds out how the program or script at path can be recorded, from headers, symbols and a sample
 * of its call frame information. path may be /proc/PID/exe. Blocking, for some ten milliseconds
 * even if the program is large; any thread but the main loop's; any bytes. False, with facts
 * all zero, once job (which may be NULL) is cancelled. */
bool pv_program_facts_read (const char *path, const PvJob *job, PvProgramFacts *ret_facts);

/* The same for files that were found already; debug may be binary, or NULL. */
bool pv_program_facts_judge (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                             PvProgramFacts *ret_facts);
