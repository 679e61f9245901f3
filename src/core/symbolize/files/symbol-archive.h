/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"

/*
 * Tarballs made by `perf archive`: a build-id tree in one file, to copy from the recorded machine
 * to this one.
 */
typedef struct PvSymbolArchive PvSymbolArchive;

/* Unpacks into a new temporary folder that only the user may enter, and which is removed when the
 * process ends, however it does. NULL if the file is not a tarball or cannot be unpacked at all, or
 * the job was cancelled. There is a limit for what is unpacked. *ret_problem is why entries are
 * missing, a translated sentence to be freed, or NULL. */
PvSymbolArchive *pv_symbol_archive_unpack (const char *path, PvJob *job, char **ret_problem);

const char *pv_symbol_archive_get_folder (const PvSymbolArchive *archive);

/* Removes the folder and everything in it. */
void pv_symbol_archive_free (PvSymbolArchive *archive);
