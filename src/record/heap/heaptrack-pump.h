/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * A thread that reads the output of heaptrack's library from a pipe and compresses it with zstd
 * into a file. The file consists of complete frames that end at a line break. A frame is written
 * every half second, so the growing file is always readable, except while a frame is being written.
 *
 * Whatever happens to the file, the pump keeps reading the pipe, so that the program never blocks
 * or gets SIGPIPE: once the file is complete, or the disk is full, the data is dropped.
 */
typedef struct PvHeaptrackPump PvHeaptrackPump;

typedef struct {
    bool was_opened; /* the program has opened the pipe */
    bool has_allocations;
    bool is_complete;     /* the file is closed */
    int error;            /* errno of a failed write, which closed the file; 0: none */
    int64_t closed_at_us; /* monotonic; when the program closed the pipe; 0: it has not */
} PvHeaptrackPumpStatus;

/* pipe_fd: open for reading, non-blocking; file_fd: an empty file. Takes both; neither may be -1.
 * comment: a line with its line feed, inserted after the program's first line; NULL: none. NULL
 * with errno. */
PvHeaptrackPump *pv_heaptrack_pump_start (int pipe_fd, int file_fd, const char *comment);

/* An eventfd, readable when the status has changed; the caller reads it. Owned by the pump. */
int pv_heaptrack_pump_get_event_fd (const PvHeaptrackPump *pump);
PvHeaptrackPumpStatus pv_heaptrack_pump_get_status (PvHeaptrackPump *pump);

/* Starts writing what was read from the pipe so far; does not wait. */
void pv_heaptrack_pump_flush (PvHeaptrackPump *pump);
/* Completes the file with what is in the pipe now; the status changes to is_complete. */
void pv_heaptrack_pump_finish (PvHeaptrackPump *pump);

/* Does not wait: the thread completes the file if needed, and exit () waits for that. If the
 * program still has the pipe open, a process that outlives us reads and discards its data: without
 * a reader the program's next write would kill it. */
void pv_heaptrack_pump_free (PvHeaptrackPump *pump);
