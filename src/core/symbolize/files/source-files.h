/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/model/code/source-text.h"
#include "core/model/profile/profile.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * Finds source files by the paths that debug information and profiles have for them. In this order:
 * what came with the profile, as in packs; by a path map; in the sysroot; in the user's folders, by
 * as much of the path's end as fits; unless there is a sysroot, at the path itself; beside the
 * binary and in the folders above it, again by the path's end; in the toolchains and caches of Rust
 * and Go (toolchain-sources.h); in the cache of libdebuginfod, what was fetched for the build-id.
 * Only regular files are opened.
 */
typedef struct {
    PvSourceText *text;
    char *path;      /* on this machine; as recorded, if it came with the profile */
    bool is_newer;   /* changed after the binary was made: lines may be others */
    bool is_fetched; /* from a debuginfod server */
} PvSourceFile;

/* profile may be NULL. recorded_path may be relative. binary is the module's file on this machine,
 * or NULL. NULL with a PV_READ_ERROR; NOT_FOUND: no file fits, TOO_LARGE: more than 64 MiB. Reads
 * files: for a worker thread. */
PvSourceFile *pv_source_file_find (const PvProfile *profile, const PvSymbolOptions *options,
                                   const char *recorded_path, const char *binary, GError **error);
/* The same for a module of the profile that may have a build-id, which the binary need not. */
PvSourceFile *pv_source_file_find_of_module (const PvProfile *profile,
                                             const PvSymbolOptions *options,
                                             const char *recorded_path, PvModuleId module,
                                             const char *binary, GError **error);
void pv_source_file_free (PvSourceFile *file);

/* True if a debuginfod server could have the file: one is configured, the path is absolute, and the
 * module has a build-id, or the binary. May read the binary. */
bool pv_source_file_can_fetch (const PvProfile *profile, const char *recorded_path,
                               PvModuleId module, const char *binary);
/* Asks the servers for it, as pv_debuginfod_fetch () does; only if the user wants that. Then it is
 * found. False with an error. */
bool pv_source_file_fetch (const PvProfile *profile, const char *recorded_path, PvModuleId module,
                           const char *binary, PvJob *job, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSourceFile, pv_source_file_free)
