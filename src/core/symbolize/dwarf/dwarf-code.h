/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/elf/code-map.h"
#include "core/symbolize/files/module-files.h"

/*
 * All functions, inlined calls and compile units of a file at once, with the bytes that each owns;
 * the same answer as asking pv_dwarf_worker_resolve () for every address. The result takes about
 * max_bytes at most, and says so if there is more. Runs n_workers threads (0: one per processor).
 * Never NULL; incomplete when cancelled. The images of file are not needed afterwards.
 */
PvCodeMap *pv_dwarf_read_code (const PvModuleFile *file, unsigned n_workers, uint64_t max_bytes,
                               PvJob *job);
