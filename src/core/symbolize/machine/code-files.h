/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/symbolize/dwarf/dwarf-index.h"
#include "core/symbolize/files/module-files.h"

/*
 * Files to read the code of functions from: those of a profile's modules, opened once for all
 * functions that are looked at, with the unit maps of the files read last. Reference counted; any
 * thread.
 */
typedef struct PvCodeFiles PvCodeFiles;

/* Copies the options, which may be NULL. */
PvCodeFiles *pv_code_files_new (const PvSymbolOptions *options);
PvCodeFiles *pv_code_files_ref (PvCodeFiles *files);
void pv_code_files_unref (PvCodeFiles *files);

/* Borrowed. */
PvModuleFiles *pv_code_files_get_modules (const PvCodeFiles *files);
/* How many threads may work on one function; 0: one per processor. */
unsigned pv_code_files_get_n_workers (const PvCodeFiles *files);

/* The unit map of one of the modules' files, to be given back. NULL: it has no debug information,
 * or the job was cancelled. Makes it on first use, others wait. */
const PvDwarfUnits *pv_code_files_borrow_units (PvCodeFiles *files, const PvModuleFile *file,
                                                PvJob *job);
void pv_code_files_return_units (PvCodeFiles *files, const PvDwarfUnits *units);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCodeFiles, pv_code_files_unref)
