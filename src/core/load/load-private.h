/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"
#include "core/symbolize/files/module-files.h"

/* What load.c and load-together.c share. */

/* Reads and unwinds one file. Any thread. */
PvProfile *pv_load_read (const char *path, const PvLoadOptions *options, const PvLoadEvents *events,
                         PvModuleFiles *files, PvJob *job, GError **error);

/* With the folders among the paths searched as well: recordings that are folders may bring the
 * kernel's symbols along. */
PvModuleFiles *pv_load_open_module_files (const char *const *paths, const PvSymbolOptions *options);

/* Hands the profile out, and its names as they become known. Takes the reference. */
bool pv_load_symbolize (PvProfile *profile, const PvLoadOptions *options,
                        const PvLoadEvents *events, PvModuleFiles *files, PvJob *job,
                        GError **error);
