/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Takes what heaptrack's library writes from a pipe and packs it with zstd into a file, in a thread
 * of its own. The file consists of frames that are whole and end with a line; one is written every
 * half second, so whoever reads the file while it grows reads a file that is in order, but for the
 * moment in which a frame is being written.
 *
 * Whatever happens to the file, the pipe is read on, so that the program never waits and never dies
 * of it: when the file is complete, or the disk is full, what comes is dropped.
 */
typedef struct PvHeaptrackPump PvHeaptrackPump;

typedef struct {
    bool was_opened; /* the program has opened the pipe */
    bool has_allocations;
    bool is_complete;     /* the file is closed; nothing is added to it any more */
    int error;            /* errno of writing it, which was why; 0: it was complete */
    int64_t closed_at_us; /* monotonic; when the program had closed the pipe; 0: it has not */
} PvHeaptrackPumpStatus;

/* pipe_fd: open for reading, not blocking; file_fd: an empty file. Takes both; -1 is not allowed.
 * comment: a line with its line feed that is put behind the first one of what the program writes;
 * NULL: none. NULL with errno. */
PvHeaptrackPump *pv_heaptrack_pump_start (int pipe_fd, int file_fd, const char *comment);

/* Can be read from when the status has changed; read it empty (eventfd). Owned by the pump. */
int pv_heaptrack_pump_get_event_fd (const PvHeaptrackPump *pump);
PvHeaptrackPumpStatus pv_heaptrack_pump_get_status (PvHeaptrackPump *pump);

/* Writes what was taken from the pipe so far; does not wait for it. */
void pv_heaptrack_pump_flush (PvHeaptrackPump *pump);
/* Completes the file with what is in the pipe now; the status tells when that is done. */
void pv_heaptrack_pump_finish (PvHeaptrackPump *pump);

/* Does not wait; its thread completes the file, if it is not yet, which exit () waits for. If the
 * program still has the pipe, it is given to a process that outlives us and reads it to nowhere:
 * with nobody at the other end, the program's next write would be its end. */
void pv_heaptrack_pump_free (PvHeaptrackPump *pump);
