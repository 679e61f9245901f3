/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/mapped-file.h"
#include "core/model/build/builder.h"
#include "core/read/unpack/reader.h"

/* All readers, in the order in which they look at a file. A new format adds its line here. */
#define PV_READERS(READER)                                                                         \
    READER (perf_data)                                                                             \
    READER (pack)                                                                                  \
    READER (heaptrack)                                                                             \
    READER (pprof)                                                                                 \
    READER (elf_sizes)                                                                             \
    READER (sysprof)                                                                               \
    READER (gprof)                                                                                 \
    /* JSON, told apart by its keys */                                                             \
    READER (speedscope)                                                                            \
    READER (v8)                                                                                    \
    READER (dhat)                                                                                  \
    READER (firefox)                                                                               \
    READER (callgrind)                                                                             \
    READER (legacy)                                                                                \
    READER (massif)                                                                                \
    READER (perf_script)                                                                           \
    READER (bpftrace)                                                                              \
    /* last: any text may have lines that end in numbers */                                        \
    READER (folded)

#define PV_DECLARE_READER(name) extern const PvReader pv_##name##_reader;
PV_READERS (PV_DECLARE_READER)

/* Lists for a sentence about files that can be opened: programs that record, programs that write
 * profiles, and other kinds; "perf, heaptrack and samply". g_free () each. */
void pv_readers_describe (char **ret_recordings, char **ret_profiles, char **ret_others);

/* Opens path (a file, or a perf.data directory), unpacks gzip, zstd, xz or bzip2, picks the reader
 * and runs it. Unpacks at most max_unpacked_bytes. If that is 0, the limit is 4 GiB for formats
 * that need everything in memory, for which more is an error, and 256 GiB for streams, which are
 * read up to the limit. Errors are of PV_READ_ERROR and PV_JOB_ERROR; messages do not name the
 * file. */
bool pv_read (const char *path, uint64_t max_unpacked_bytes, PvProfileBuilder *builder,
              const PvReadContext *context, GError **error);

/* The same for bytes in memory (tests, fuzzing); takes no ownership. */
bool pv_read_bytes (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context,
                    GError **error);

/* The reader for a file, chosen by its first unpacked bytes, or NULL. */
const PvReader *pv_read_find_reader (PvMappedFile *file);
/* The message of pv_read () about a file, or its first bytes, that no reader knows: a sentence
 * without a full stop, for g_free (). *ret_is_known: it tells more than that it is text, or nothing
 * known. */
char *pv_read_describe_foreign (PvMappedFile *file, bool *ret_is_known);

/* The same for a file that nobody has asked for: NULL if other text comes before a profile. */
const PvReader *pv_read_find_obvious_reader (PvMappedFile *file);
