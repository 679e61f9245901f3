/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"
#include "core/symbolize/files/module-files.h"

/* Shared by load.c, load-together.c and follow.c. */

/* Reads and unwinds one file. Any thread. */
PvProfile *pv_load_read (const char *path, const PvLoadOptions *options, const PvLoadEvents *events,
                         PvModuleFiles *files, PvJob *job, GError **error);

/* Also searches those paths that are folders: a recording in a folder may contain the kernel's
 * symbols. */
PvModuleFiles *pv_load_open_module_files (const char *const *paths, const PvSymbolOptions *options);

/* Two functions of PvReadContext; user is the PvModuleFiles. */
PvMappedFile *pv_load_open_side_file (void *user, const char *recorded_path);
char *pv_load_find_relative (void *user, const char *recorded_path, const char *recorder_folder);

/* Reports the profile, then its names as they become known. Takes the reference. */
bool pv_load_symbolize (PvProfile *profile, const PvLoadOptions *options,
                        const PvLoadEvents *events, PvModuleFiles *files, PvJob *job,
                        GError **error);
