/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/base/mapped-file.h"
#include "core/model/build/builder.h"
#include "core/model/profile/raw-stack.h"
#include "core/read/unpack/unpack.h"

/*
 * One reader per format. Readers are chosen by content, never by name. They put what they read
 * into the builder; anything odd but not fatal becomes a note there.
 */
typedef struct {
    /* Unwinds dumped stacks; NULL: leave the user part of such stacks out. */
    PvUnwindFunc unwind;
    void *unwinder;
    /* Opens a file named in the recording (a jitdump) with the user's --sysroot and --map-path
     * applied; NULL result: not there. */
    PvMappedFile *(*open_side_file) (void *user, const char *recorded_path);
    void *user;
    /* Takes a profile of what has been read until now: once, when reading goes on for longer than
     * preview_after_ms and most of the file is still to come. NULL: not wanted. */
    void (*preview) (void *previewer, PvProfile *profile);
    void *previewer;
    unsigned preview_after_ms;
    unsigned n_workers; /* threads to decode with; 0: as many as there are processors */
    PvJob *job;
} PvReadContext;

typedef struct {
    const char *name; /* "perf.data" */
    /* Says whether this looks like its format; sees the first bytes (up to 64 KiB), unpacked. */
    bool (*sniff) (const uint8_t *data, size_t size_bytes);
    /* Reads the whole file, which has been unpacked into memory. path serves to find what lies
     * beside it (directory recordings). False with error set only if there is nothing to show. */
    bool (*read) (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
                  const PvReadContext *context, GError **error);
    /* Or, if not NULL, instead: reads the unpacked bytes as they come. How the stream ended is the
     * reader's to note. file is as it is on disk. */
    bool (*read_stream) (PvMappedFile *file, PvUnpackStream *stream, PvProfileBuilder *builder,
                         const PvReadContext *context, GError **error);
    /* Of those with read_stream: most of what comes stays in memory, which sets the limit. */
    bool keeps_all;
} PvReader;

/* Opens path (a file, or a perf.data directory), unpacks gzip, zstd or xz around it, picks the
 * reader and runs it. At most max_unpacked_bytes are unpacked: 0 for the default, 4 GiB for formats
 * that need them all in memory, for which more is an error, and 256 GiB for streams, of which what
 * came before is read. Errors are of PV_READ_ERROR and PV_JOB_ERROR; messages do not name the
 * file. */
bool pv_read (const char *path, uint64_t max_unpacked_bytes, PvProfileBuilder *builder,
              const PvReadContext *context, GError **error);

/* The same for bytes in memory (tests, fuzzing); takes no ownership. */
bool pv_read_bytes (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context,
                    GError **error);

/* The reader for a file, by its first bytes or, where it is packed, by those of what is in it. NULL
 * if there is none. */
const PvReader *pv_read_find_reader (PvMappedFile *file);

extern const PvReader pv_heaptrack_reader;
extern const PvReader pv_legacy_reader;
extern const PvReader pv_perf_data_reader;
extern const PvReader pv_pprof_reader;
