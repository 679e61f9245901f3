/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/read/sysprof/sysprof-frames.h"

/* The files in a capture that are of use here; the others, such as tables of mounts, are not looked
 * at. They come in pieces. */
typedef enum {
    SYSPROF_FILE_SYMBOLS,
    SYSPROF_FILE_KALLSYMS,
    SYSPROF_FILE_CPUINFO,
    SYSPROF_N_FILES
} SysprofFileKind;

typedef struct {
    SysprofFileKind kind;
    bool is_packed;
    bool is_complete;
    PV_ARRAY (uint8_t) bytes;
} SysprofFile;

typedef struct {
    PV_ARRAY (SysprofFile) files; /* in the order of the capture, one of a kind more than once */
    uint32_t open[SYSPROF_N_FILES]
                 [2]; /* the one that goes on, by whether it is packed, + 1; or 0 */
} SysprofFiles;

void sysprof_files_clear (SysprofFiles *files);
uint64_t sysprof_files_count_bytes (const SysprofFiles *files);
void sysprof_files_add (SysprofFiles *files, const SysprofChunk *chunk);

/* The file's bytes, unpacked, for g_free (), once. NULL if they cannot be unpacked. */
uint8_t *sysprof_file_take (SysprofFile *file, size_t *ret_size_bytes);
