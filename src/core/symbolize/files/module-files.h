/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/mapped-file.h"
#include "core/elf/elf-image.h"
#include "core/model/profile/profile.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * The files of all modules of a recording, shared by unwinder and symbolizer. Thread-safe.
 */
typedef struct PvModuleFiles PvModuleFiles;

/* The files of one module, opened on first use and then kept open. */
typedef struct {
    PvElfImage *binary; /* the mapped file itself, with .eh_frame; NULL if not found */
    PvElfImage *debug; /* where .debug_info and the best symbol table are; may be == binary; NULL */
    PvElfImage *alternate; /* dwz supplementary file, or NULL */
    char **packages;       /* where the .dwp of debug may be, in order of preference; or NULL */
    char **split_folders;  /* more folders that may have its .dwo files; or NULL */
    char *wrong_debug;     /* a file that .gnu_debuglink leads to, not of this build; or NULL */
    bool is_wrong_by_id;   /* its build-id differs, not its checksum */
    bool is_mismatched;    /* the path exists, but with another build */
    bool is_other;         /* the path exists, but with another file, which is not used */
    PvFileStatus other;    /* of that file */
    bool has_wrong_id;     /* the recorded build-id is that of this file */
    bool is_unverified;    /* found, but the recording has no build-id to compare with */
    const char *reason;    /* NULL, or why there is no file (translated) */
} PvModuleFile;

/* Copies the options, which may be NULL. */
PvModuleFiles *pv_module_files_new (const PvSymbolOptions *options);
void pv_module_files_free (PvModuleFiles *files);

/* Never NULL; valid until pv_module_files_free (). The first caller opens the files, others wait.
 * Looks for a vdso in the build-id caches, then in this process if the build-id matches. The key is
 * (path, build-id, inode and its generation, kind), not the module's id. */
const PvModuleFile *pv_module_files_get (PvModuleFiles *files, const PvModule *module);

/* The files that belong to a binary that is already open at a path, found as for a module. Three
 * new references in *ret_file, for pv_module_file_clear (). Any thread. */
void pv_module_files_find_companions (PvModuleFiles *files, PvElfImage *binary,
                                      PvModuleFile *ret_file);
void pv_module_file_clear (PvModuleFile *file);

/* True if a module finds the same binary with its build-id (after) as without (before). */
bool pv_module_files_are_same (PvModuleFiles *files, const PvModule *before, const PvModule *after);

/* Opens a file named in the recording, see pv_file_roots_open_recorded (). A new reference, or NULL
 * if it does not exist. */
PvMappedFile *pv_module_files_open_side_file (PvModuleFiles *files, const char *recorded_path);

/* Finds a file that the recording names by a relative path, see pv_file_roots_find_relative (). */
char *pv_module_files_find_relative (PvModuleFiles *files, const char *recorded_path,
                                     const char *recorder_folder);

/* Where to look for files other than modules. */
PvFileRoots *pv_module_files_get_roots (PvModuleFiles *files);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvModuleFiles, pv_module_files_free)
