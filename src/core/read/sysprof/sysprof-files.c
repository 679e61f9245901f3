/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/sysprof/sysprof-files.h"

#include "core/read/unpack/gunzip.h"

/* Symbols of a kernel take some ten megabytes as text. */
#define MAX_UNPACKED_BYTES (UINT64_C (64) << 20)

enum { MAX_FILES = 256 }; /* captures that were joined have several tables of symbols */

static const struct {
    const char *path;
    SysprofFileKind kind;
    bool is_packed;
} known[] = {
    {"__symbols__", SYSPROF_FILE_SYMBOLS, false},
    {"__symbols__.gz", SYSPROF_FILE_SYMBOLS, true},
    {"/proc/kallsyms", SYSPROF_FILE_KALLSYMS, false},
    {"/proc/kallsyms.gz", SYSPROF_FILE_KALLSYMS, true},
    {"/proc/cpuinfo", SYSPROF_FILE_CPUINFO, false},
    {"/proc/cpuinfo.gz", SYSPROF_FILE_CPUINFO, true},
};

void
sysprof_files_clear (SysprofFiles *files)
{
    g_assert (files != NULL);
    for (size_t i = 0; i < files->files.len; i++)
        pv_array_clear (&files->files.data[i].bytes);
    pv_array_clear (&files->files);
}

uint64_t
sysprof_files_count_bytes (const SysprofFiles *files)
{
    g_assert (files != NULL);
    uint64_t n_bytes = files->files.cap * sizeof (SysprofFile);
    for (size_t i = 0; i < files->files.len; i++)
        n_bytes += files->files.data[i].bytes.cap;
    return n_bytes;
}

/* The file that a piece continues, or a new one: a path may be there twice. NULL: too many. */
static SysprofFile *
get_file (SysprofFiles *files, SysprofFileKind kind, bool is_packed)
{
    uint32_t *open = &files->open[kind][is_packed];
    if (*open == 0 && files->files.len < MAX_FILES) {
        SysprofFile file = {.kind = kind, .is_packed = is_packed};
        pv_array_push (&files->files, file);
        *open = (uint32_t)files->files.len;
    }
    return *open != 0 ? &files->files.data[*open - 1] : NULL;
}

void
sysprof_files_add (SysprofFiles *files, const SysprofChunk *chunk)
{
    g_assert (files != NULL && chunk != NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (known); i++) {
        if (!pv_text_equals (chunk->path, known[i].path))
            continue;
        SysprofFile *file = get_file (files, known[i].kind, known[i].is_packed);
        if (file == NULL)
            return;
        pv_array_append (&file->bytes, chunk->data, chunk->size_bytes);
        file->is_complete = chunk->is_last;
        if (chunk->is_last)
            files->open[known[i].kind][known[i].is_packed] = 0;
    }
}

uint8_t *
sysprof_file_take (SysprofFile *file, size_t *ret_size_bytes)
{
    g_assert (file != NULL && ret_size_bytes != NULL);
    *ret_size_bytes = file->bytes.len;
    if (!file->is_packed)
        return file->bytes.len > 0 ? pv_array_steal (&file->bytes) : NULL;
    size_t used;
    uint8_t *unpacked = file->bytes.len > 0 ? pv_gunzip (file->bytes.data, file->bytes.len,
                                                         MAX_UNPACKED_BYTES, &used, ret_size_bytes)
                                            : NULL;
    pv_array_clear (&file->bytes);
    return unpacked;
}
