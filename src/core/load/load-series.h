/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"
#include "core/model/merge/merge.h"

/*
 * Private to load*.c: the files of a series, their names, order and times.
 */

/* File names of programs that dump their heap repeatedly. They show the order:
 *
 *     jemalloc    PREFIX[.NAMESPACE].PID.SEQ.{f,iN,mN,uN}.heap     f: when the program ended
 *     gperftools  PREFIX.NNNN.heap
 *
 * possibly followed by the extension of a packer. */
typedef enum {
    PV_DUMP_NAME_OTHER,
    PV_DUMP_NAME_JEMALLOC,
    PV_DUMP_NAME_GPERFTOOLS,
} PvDumpNameKind;

typedef struct {
    PvDumpNameKind kind;
    size_t prefix_len; /* common to all names of a process, including its PID */
    uint64_t sequence;
    bool is_final;
} PvDumpName;

void pv_dump_name_parse (const char *name, PvDumpName *ret_name);

/* Like strcmp (), but compares numbers by value. */
int pv_compare_naturally (const char *a, const char *b);

typedef struct {
    char *path;
    char *title;            /* the name without its folder, unless two files have the same */
    PvDumpName name;        /* parsed from path, so folders are part of the prefix */
    int64_t modified_ns;    /* since 1970; 0: unknown */
    int64_t recorded_at_ns; /* recorded in the file; set by the caller; 0: unknown */
    uint64_t size_bytes;
} PvSeriesFile;

/* One PvSeriesFile per path; free with g_ptr_array_unref (). */
GPtrArray *pv_series_files_new (const char *const *paths);

/* Finds out when each file was written, from the first of these that works:
 *   1. the times recorded in the files, if all have one
 *   2. the numbers in their names, if they are of one process; with the files' modification times,
 *      if these have the same order
 *   3. the modification times, if they differ
 *   4. the names
 * Fills one dump per file, in the order of files; names belong to the files. All time_ns are
 * different and give the order of the series. False if the times only stand for the order. */
bool pv_series_find_times (GPtrArray *files, PvDump *ret_dumps);

/* Sorts files by the times of their dumps. */
void pv_series_sort (GPtrArray *files, const PvDump *dumps);

/* The paths to open: replaces each folder of dumps by its files and keeps all other paths. Free
 * with g_strfreev (). */
char **pv_series_expand_folders (const char *const *paths, PvJob *job);
