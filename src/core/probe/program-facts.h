/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/elf/elf-image.h"
#include "core/model/profile/program-facts.h"

/* Finds out how the program or script at path can be recorded, from headers, symbols and a sample
 * of its call frame information. path may be /proc/PID/exe; the file may be damaged. Blocks for
 * tens of milliseconds, even if the program is large. Any thread but the main loop's. False, with
 * all facts zero, once job (which may be NULL) is cancelled. */
bool pv_program_facts_read (const char *path, const PvJob *job, PvProgramFacts *ret_facts);

/* The same for files that are already open; debug may be binary, or NULL. */
bool pv_program_facts_judge (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                             PvProgramFacts *ret_facts);
