/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/job.h"
#include "core/elf/elf-image.h"
#include "core/model/profile/profile.h"
#include "core/symbolize/files/file-roots.h"

/*
 * The search for one module's files. Finders return a new reference or NULL. They differ in where
 * they look; if the recorded build is known, all accept only files of that build.
 */
typedef struct {
    PvFileRoots *roots;
    const PvModule *module;
    char *hex;  /* the recorded build-id, or NULL */
    char *path; /* as recorded, without " (deleted)" */
    const char *base;
    bool is_mismatched; /* a candidate had another build-id */
    bool is_other;      /* the file at the path is not the one that ran */
    PvFileStatus other; /* of that file */
    const PvJob *job;   /* cancels reading of a large file; or NULL */
    char
        *wrong_debug; /* the first file that .gnu_debuglink led to and that was rejected; or NULL */
    bool is_wrong_by_id; /* for its build-id, not for its checksum */
} PvFileSearch;

PvElfImage *pv_file_search_find_binary (PvFileSearch *search);
PvElfImage *pv_file_search_find_vdso (PvFileSearch *search);
/* True if the build-id is that of another file than the one that ran; sets is_other. perf reads
 * build-ids that it does not get from the kernel when the recording ends, from the path. */
bool pv_file_search_has_wrong_id (PvFileSearch *search);
/* vmlinux; only by build-id, except in the user's folders. */
PvElfImage *pv_file_search_find_kernel (PvFileSearch *search);
PvElfImage *pv_file_search_find_kernel_module (PvFileSearch *search);

/* The file with debug information, or else the best symbol table: often the binary itself. binary
 * may be NULL. The caller frees search->wrong_debug. */
PvElfImage *pv_file_search_find_debug (PvFileSearch *search, PvElfImage *binary);
/* Only separate files: unpacks nothing from the binary. */
PvElfImage *pv_file_search_find_separate_debug (PvFileSearch *search, PvElfImage *binary);
/* Paths where the package of split debug information (.dwp) may be, in order of preference. Free
 * with g_strfreev (). binary may be NULL. */
char **pv_file_search_list_packages (PvFileSearch *search, const PvElfImage *binary,
                                     const PvElfImage *debug);
/* Folders that may have .dwo files: those of the program as recorded, and of the user. */
char **pv_file_search_list_split_folders (PvFileSearch *search);
/* The file named by .gnu_debugaltlink of a debug file. */
PvElfImage *pv_file_find_alternate (PvFileRoots *roots, PvElfImage *debug);
/* The size of the build-id in .gnu_debugaltlink; 0: none. *ret_build_id lives as long as debug. */
size_t pv_file_get_alternate_id (PvElfImage *debug, const uint8_t **ret_build_id);

/* Opens an ELF file; unpacks it if it is compressed as a whole, as kernel modules are. */
PvElfImage *pv_file_open_image (const char *path);

/* Opens a candidate for the binary and accepts it if it is of the recorded build; with needs_id,
 * rejects it if the recorded build is unknown. path may be NULL. */
PvElfImage *pv_file_search_try (PvFileSearch *search, const char *path, bool needs_id);
PvElfImage *pv_file_search_try_folders (PvFileSearch *search);
PvElfImage *pv_file_search_try_caches (PvFileSearch *search);

bool pv_build_ids_equal (const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size);
bool pv_elf_image_has_id (const PvElfImage *image, const uint8_t *build_id, size_t size_bytes);
/* A section that has bytes in this file, or NULL. */
const PvElfSection *pv_elf_image_find_stored (const PvElfImage *image, const char *name);
bool pv_elf_image_has_debug_info (const PvElfImage *image);
