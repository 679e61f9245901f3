/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/budget.h"
#include "core/base/job.h"
#include "core/base/mapped-file.h"
#include "core/elf/code-map.h"
#include "core/model/build/builder.h"
#include "core/model/profile/raw-stack.h"
#include "core/read/unpack/unpack.h"

/*
 * A reader reads one format. It is chosen by a file's content, never by its name
 * (core/read/readers.c has the list). It adds what it reads to the builder, and a note for each
 * problem that is not fatal.
 */
typedef struct {
    /* Unwinds dumped stacks; NULL: omit the user part of these stacks. */
    PvUnwindFunc unwind;
    void *unwinder;
    /* Opens a file named in the recording (a jitdump) with the user's --sysroot and --map-path
     * applied; returns NULL if it does not exist. */
    PvMappedFile *(*open_side_file) (void *user, const char *recorded_path);
    void *user;
    /* The absolute path of a file that the recording names by a relative path, in the recorder's
     * folder (NULL: unknown) or the recording's; NULL: keep the path. To be freed with g_free ().
     * The same user. NULL: no files are looked for. */
    char *(*find_relative) (void *user, const char *recorded_path, const char *recorder_folder);
    /* Reads debug information about a program's code, at most about max_bytes, and finds the file
     * with its symbols if that is another one. Never returns NULL; free with pv_code_map_free ().
     * NULL: only symbol tables are used. The same user. */
    PvCodeMap *(*read_code) (void *user, PvElfImage *image, unsigned n_workers, uint64_t max_bytes,
                             PvJob *job);
    /* Takes a profile of what has been read so far: once, if reading takes longer than
     * preview_after_ms and most of the file is still to come. NULL: not wanted. */
    void (*preview) (void *previewer, PvProfile *profile);
    void *previewer;
    unsigned preview_after_ms;
    /* Is told of each location for which the file has no names yet, with its address as the
     * program had it; of a return address, the byte before. Once for each, in the reader's thread.
     * NULL: not wanted. */
    void (*tell_nameless) (void *teller, PvLocationId location, uint64_t runtime_addr);
    void *teller;
    unsigned n_workers; /* threads to decode with; 0: one per processor */
    PvBudget budget;    /* when it is spent, the reader adds a note and ends */
    /* The limit for what a reader unpacks itself of a file; 0: none. Set by pv_read (). */
    uint64_t max_unpacked_bytes;
    PvJob *job;
} PvReadContext;

/*
 * Reads a file that is still being written, in steps. One thread at a time. Any steps give the same
 * profile as reading the file at once, except for the order of rows.
 */
typedef struct {
    /* file must be a growing file. file, builder and context must live as long as the session;
     * context->job may change between calls. NULL: this file can only be read as a whole. */
    void *(*begin) (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context);
    /* Reads what has been written since the last call, and prepares the builder for a snapshot.
     * False with error if the file cannot be read or the job was cancelled; then only end () may
     * follow. */
    bool (*read_more) (void *session, GError **error);
    /* True if something already read would be read differently now: reading must start again. */
    bool (*is_outdated) (void *session);
    /* Call when the file is complete. False without error if the end of the file changes how its
     * beginning is read, so reading must start again. */
    bool (*finish) (void *session, GError **error);
    void (*end) (void *session);
} PvFollower;

typedef struct {
    const char *name;       /* "perf.data" */
    const char *media_type; /* "application/x-perf-data", as in the format's .mime.xml */
    /* Names of the programs whose files are read, with commas, for a sentence about all that
     * Profview opens: of recorders, of what makes profiles; or other words, to be translated. NULL:
     * another reader says it. */
    const char *recordings, *profiles, *others;
    bool is_recording; /* its files cover a span of time, so they are never a series */
    /* True if data, the first unpacked bytes (up to 64 KiB), looks like this format. */
    bool (*sniff) (const uint8_t *data, size_t size_bytes);
    /* The same for data after lines of something else: what makes it sure that this is where the
     * profile begins. NULL: such files are not known. */
    bool (*sniff_after_lines) (const uint8_t *data, size_t size_bytes);
    /* Reads the whole file, unpacked in memory. path is for finding the files next to it (directory
     * recordings). False with error set only if there is nothing to show. */
    bool (*read) (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
                  const PvReadContext *context, GError **error);
    /* If not NULL, used instead: reads the unpacked bytes as they come, and adds a note if the
     * stream ended early. file is the file on disk. */
    bool (*read_stream) (PvMappedFile *file, PvUnpackStream *stream, PvProfileBuilder *builder,
                         const PvReadContext *context, GError **error);
    /* For read_stream: most of the data stays in memory, so the limit for that applies. */
    bool keeps_all;
    const PvFollower *follower; /* NULL: this format cannot be read while the file grows */
} PvReader;

/* Reads with a reader, from the stream if it takes one. Does what all have in common: the stage and
 * the facts of any file come first (the format is the reader's name until it says another); at the
 * end a note if the file became shorter, and PV_JOB_ERROR_CANCELLED if the job was cancelled. */
bool pv_reader_read (const PvReader *reader, PvMappedFile *file, PvUnpackStream *stream,
                     const char *path, PvProfileBuilder *builder, const PvReadContext *context,
                     GError **error);

/* Notes about a file as a whole; printf-like. */
#define pv_note_info(builder, ...)                                                                 \
    pv_profile_builder_note ((builder), PV_NOTE_INFO, PV_NOTE_GENERAL, 0, __VA_ARGS__)
#define pv_note_warning(builder, ...)                                                              \
    pv_profile_builder_note ((builder), PV_NOTE_WARNING, PV_NOTE_GENERAL, 0, __VA_ARGS__)
#define pv_note_truncated(builder, ...)                                                            \
    pv_profile_builder_note ((builder), PV_NOTE_WARNING, PV_NOTE_TRUNCATED_FILE, 0, __VA_ARGS__)
#define pv_note_skipped(builder, ...)                                                              \
    pv_profile_builder_note ((builder), PV_NOTE_WARNING, PV_NOTE_SKIPPED_RECORDS, 0, __VA_ARGS__)
/* Why there is nothing to show: what the reader knows beyond pv_emptiness_note (). */
#define pv_note_nothing(builder, ...)                                                              \
    pv_profile_builder_note ((builder), PV_NOTE_WARNING, PV_NOTE_NOTHING, 0, __VA_ARGS__)

/* Notes that the budget of a file is spent. */
void pv_reader_note_out_of_memory (PvProfileBuilder *builder);
/* True if the builder and so many bytes of the reader's own are within the budget of a file of
 * size_bytes; else notes that it is spent. */
bool pv_reader_has_memory (PvProfileBuilder *builder, const PvReadContext *context,
                           uint64_t size_bytes, uint64_t other_bytes);
/* Notes lines that could not be read, if there are any. */
void pv_reader_note_bad_lines (PvProfileBuilder *builder, uint64_t n_lines);

/* Notes that only the first of several profiles in the file is shown. */
void pv_reader_note_several (PvProfileBuilder *builder);
/* Sets the error for a file with several profiles, one after the other; returns false. */
bool pv_reader_fail_several (GError **error);

/* Notes that a mapped file became shorter while it was read, if it did. */
void pv_reader_note_shortened (PvProfileBuilder *builder, PvMappedFile *file);

/* Sets modified_at of the facts. */
void pv_reader_take_file_time (PvProfileBuilder *builder, const PvMappedFile *file);
