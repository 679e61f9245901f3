/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"
#include "core/base/mapped-file.h"
#include "core/model/build/builder.h"
#include "core/model/profile/raw-stack.h"
#include "core/read/unpack/unpack.h"

/*
 * A reader reads one format. It is chosen by a file's content, never by its name
 * (core/read/readers.c has the list). It puts what it reads into the builder; anything odd but not
 * fatal becomes a note there.
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

/*
 * Reads a file that is still being written, in steps. One thread at a time. Reading it in any steps
 * makes the same profile as reading it at once, though its rows may be in another order.
 */
typedef struct {
    /* file is a growing one. It, the builder and the context, whose job may be another one for each
     * call, must live as long as the session. NULL: this file can only be read as a whole. */
    void *(*begin) (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context);
    /* Reads what has come since the last call, and makes the builder ready for a snapshot. False
     * with error: the file cannot be read, or the job was cancelled; then only end () may follow.
     */
    bool (*read_more) (void *session, GError **error);
    /* Something that was read would be read differently now: begin anew. */
    bool (*is_outdated) (void *session);
    /* Nothing more will be written. False without error: what the end of the file says changes how
     * its beginning is read, so read it anew. */
    bool (*finish) (void *session, GError **error);
    void (*end) (void *session);
} PvFollower;

typedef struct {
    const char *name;  /* "perf.data" */
    bool is_recording; /* its files show a span of time, so several of them are never a series */
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
    const PvFollower *follower; /* NULL: files of this format are not read while they grow */
} PvReader;
