#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/base/mapped-file.h"
#include "core/model/builder.h"
#include "core/model/raw-stack.h"

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
    unsigned n_workers; /* threads to decode with; 0: as many as there are processors */
    PvJob *job;
} PvReadContext;

typedef struct {
    const char *name; /* "perf.data" */
    /* Says whether this looks like its format; sees the first bytes (up to 64 KiB). */
    bool (*sniff) (const uint8_t *data, size_t size_bytes);
    /* Reads the whole file. path serves to find what lies beside it (directory recordings).
     * False with error set only if there is nothing to show. */
    bool (*read) (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
                  const PvReadContext *context, GError **error);
} PvReader;

/* Opens path (a file, or a perf.data directory), unpacks gzip, zstd or xz around it (at most
 * max_unpacked_bytes, 0 for the default of 4 GiB), picks the reader and runs it. Errors are of
 * PV_READ_ERROR and PV_JOB_ERROR; messages do not name the file. */
bool pv_read (const char *path, uint64_t max_unpacked_bytes, PvProfileBuilder *builder,
              const PvReadContext *context, GError **error);

/* The same for bytes in memory (tests, fuzzing); takes no ownership. */
bool pv_read_bytes (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context,
                    GError **error);

extern const PvReader pv_perf_data_reader;
