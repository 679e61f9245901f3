/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/array.h"
#include "core/base/mapped-file.h"
#include "core/symbolize/files/symbol-archive.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * Folders of this machine that may hold the files of a recording: those of the options and the
 * usual ones. Immutable after pv_file_roots_prepare ().
 */
typedef struct {
    char *from;
    char *to;
} PvPathMap;

typedef struct {
    char *sysroot;       /* NULL: none */
    bool is_recording;   /* see PvSymbolOptions */
    bool no_other_files; /* the same: whoever looks for a file finds none */
    PV_ARRAY (PvPathMap) maps;
    PV_ARRAY (char *) search_paths;  /* as given */
    char **recording_folders;        /* see PvSymbolOptions; NULL: none */
    PV_ARRAY (const char *) folders; /* the search paths, with archives unpacked */
    PV_ARRAY (PvSymbolArchive *) unpacked;
    PV_ARRAY (char *) problems; /* with archives, translated */
    size_t n_opened;            /* search paths of which the folder is known */
    char *build_id_cache;       /* perf's, ~/.debug; may not exist; NULL: no home folder */
    char *debuginfod_cache;     /* only read, never fetched into; or NULL */
    pthread_mutex_t mutex;
} PvFileRoots;

void pv_file_roots_init (PvFileRoots *roots, const PvSymbolOptions *options);

/* Removes temporary folders. */
void pv_file_roots_clear (PvFileRoots *roots);

/* Unpacks the archives among the search paths, the first time. Any thread. When the job is
 * cancelled, the rest is for the next call. */
void pv_file_roots_prepare (PvFileRoots *roots, PvJob *job);

/* The search folders; prepared if they are not yet. Any thread. */
size_t pv_file_roots_get_folders (PvFileRoots *roots, const char *const **ret_folders);

/* The path with the first matching --map-path applied; NULL if none matches. */
char *pv_file_roots_map (const PvFileRoots *roots, const char *path);

/* Resolves an absolute path inside a root folder: follows symbolic links as if root were "/"; ".."
 * cannot leave it. The result need not exist. NULL for endless links. */
char *pv_path_in_root (const char *root, const char *path);

/* The folder of libdebuginfod's cache, with HEX/debuginfo and HEX/executable; NULL if there is no
 * home folder. Free with g_free (). */
char *pv_find_debuginfod_cache (void);

/* "abcdef" for the bytes 0xab 0xcd 0xef. */
char *pv_build_id_to_hex (const uint8_t *build_id, size_t size_bytes);

/* folder/.build-id/ab/cdef plus suffix; NULL for ids of fewer than 2 bytes. Resolves links inside
 * folder. */
char *pv_build_id_path (const char *folder, const char *hex, const char *suffix);

/* Opens a file named in the recording where the user says that such files are: by a path map, in
 * the sysroot, by base name or path in a search folder. */
PvMappedFile *pv_file_roots_open_given (PvFileRoots *roots, const char *recorded_path);
/* The same at its path on this machine, unless there is a sysroot. */
PvMappedFile *pv_file_roots_open_here (const PvFileRoots *roots, const char *recorded_path);
/* Both, one after the other. */
PvMappedFile *pv_file_roots_open_recorded (PvFileRoots *roots, const char *recorded_path);

/* The absolute path of a file that the recording names by a relative path: in the recorder's
 * folder, which may be NULL, else in a recording's. NULL if it is in neither, or if the user's
 * options lead to it under the path as recorded. Free with g_free (). */
char *pv_file_roots_find_relative (PvFileRoots *roots, const char *recorded_path,
                                   const char *recorder_folder);
