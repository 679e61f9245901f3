/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/base/mapped-file.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/raw-stack.h"
#include "core/model/profile/symbols.h"

/*
 * Names for addresses. Works in two steps: ELF symbols at once, then functions, inlined frames and
 * lines from DWARF, hottest modules first.
 */
typedef struct {
    const char *sysroot; /* NULL: none */
    const char *const
        *search_paths;            /* NULL-terminated; folders, or perf archive tarballs; or NULL */
    const char *const *path_maps; /* NULL-terminated "FROM=TO"; or NULL */
    bool no_demangle;
    unsigned n_workers; /* 0: as many as processors */
} PvSymbolOptions;

/* With strings of its own; NULL: nothing chosen. Clear it. */
PvSymbolOptions pv_symbol_options_copy (const PvSymbolOptions *options);
/* Only of what was copied. */
void pv_symbol_options_clear (PvSymbolOptions *options);

/* Where module files are found, and the opened files, shared by unwinder and symbolizer. Any thread
 * may use it; it locks inside. Option strings are copied. */
typedef struct PvModuleFiles PvModuleFiles;

PvModuleFiles *pv_module_files_new (const PvSymbolOptions *options);
void pv_module_files_free (PvModuleFiles *files);

/* A file named in the recording, found by sysroot and path maps; NULL if it is not there. */
PvMappedFile *pv_module_files_open_side_file (PvModuleFiles *files, const char *recorded_path);

/* The unwinder of DWARF-mode recordings; pass pv_unwinder_unwind with it as PvUnwindFunc. Uses
 * files, which must live longer. */
typedef struct PvUnwinder PvUnwinder;

PvUnwinder *pv_unwinder_new (PvModuleFiles *files, unsigned n_workers);
void pv_unwinder_free (PvUnwinder *unwinder);
void pv_unwinder_unwind (void *unwinder, PvArch arch, const PvModule *modules,
                         const PvRawStack *stacks, size_t n, PvRawResult *results, PvJob *job);

/* Called in the symbolizing thread whenever a better table is there, at most four times a second,
 * and last with is_complete. Takes ownership of the table. */
typedef void (*PvSymbolsFunc) (PvSymbolTable *symbols, void *user);

/* Symbolizes all locations of the profile. Blocks; the first call of publish comes after ELF
 * symbols. Missing files are notes, not errors. False only when cancelled; what was found until
 * then has been published. */
bool pv_symbolize (const PvProfile *profile, PvModuleFiles *files, const PvSymbolOptions *options,
                   PvSymbolsFunc publish, void *user, PvJob *job, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvModuleFiles, pv_module_files_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvUnwinder, pv_unwinder_free)
