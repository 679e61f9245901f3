/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/code/source-text.h"
#include "core/model/profile/profile.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * Finds source files by the paths that debug information and profiles have for them. In this order:
 * what came with the profile, as in packs; by a path map; in the sysroot; in the user's folders, by
 * as much of the path's end as fits; unless there is a sysroot, at the path itself; beside the
 * binary and in the folders above it, again by the path's end; in the toolchains and caches of Rust
 * and Go (toolchain-sources.h). Only regular files are opened.
 */
typedef struct {
    PvSourceText *text;
    char *path;    /* on this machine; as recorded, if it came with the profile */
    bool is_newer; /* changed after the binary was made: lines may be others */
} PvSourceFile;

/* profile may be NULL. recorded_path may be relative. binary is the module's file on this machine,
 * or NULL. NULL with a PV_READ_ERROR; NOT_FOUND: no file fits, TOO_LARGE: more than 64 MiB. Reads
 * files: for a worker thread. */
PvSourceFile *pv_source_file_find (const PvProfile *profile, const PvSymbolOptions *options,
                                   const char *recorded_path, const char *binary, GError **error);
void pv_source_file_free (PvSourceFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSourceFile, pv_source_file_free)
