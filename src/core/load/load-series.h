/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/load/load.h"
#include "core/model/merge/merge.h"

/*
 * Private to load*.c: the files of a series, their names, order and times.
 */

/* What programs write that dump their heap again and again name their files so that the order can
 * be seen:
 *
 *     jemalloc    PREFIX[.NAMESPACE].PID.SEQ.{f,iN,mN,uN}.heap     f: when the program ended
 *     gperftools  PREFIX.NNNN.heap
 *
 * maybe with the ending of a packer behind. */
typedef enum {
    PV_DUMP_NAME_OTHER,
    PV_DUMP_NAME_JEMALLOC,
    PV_DUMP_NAME_GPERFTOOLS,
} PvDumpNameKind;

typedef struct {
    PvDumpNameKind kind;
    size_t prefix_len; /* what the names of one process have in common, PID and all */
    uint64_t sequence;
    bool is_final;
} PvDumpName;

void pv_dump_name_parse (const char *name, PvDumpName *ret_name);

/* Like strcmp (), with numbers in order of their value. */
int pv_compare_naturally (const char *a, const char *b);

typedef struct {
    char *path;
    char *title;     /* the name without its folder, as long as that is enough to tell it apart */
    PvDumpName name; /* parsed from path, so that folders are part of the prefix */
    int64_t modified_ns;    /* since 1970; 0: unknown */
    int64_t recorded_at_ns; /* what the file tells itself, filled in by others; 0: nothing */
    uint64_t size_bytes;
} PvSeriesFile;

/* One for each path; g_ptr_array_unref () it. */
GPtrArray *pv_series_files_new (const char *const *paths);

/* Finds out when each file was written, as far as anything tells:
 *   1. by what they tell themselves, if all do
 *   2. by the numbers in their names, if they are of one process. Times are those of the files, if
 *      they agree with the numbers
 *   3. by the times of the files, if they differ
 *   4. by their names
 * Fills one dump for each file, in the order of the files; names belong to the files. Sorted by
 * time_ns, no two of which are the same, they are in the order of the series. False if the times
 * stand for the order only. */
bool pv_series_find_times (GPtrArray *files, PvDump *ret_dumps);

/* Sorts files by the times of such dumps. */
void pv_series_sort (GPtrArray *files, const PvDump *dumps);

/* What is to be opened in place of these paths: folders full of files that can be put together
 * become those files; all others are as they were. g_strfreev () it. */
char **pv_series_expand_folders (const char *const *paths, PvJob *job);
