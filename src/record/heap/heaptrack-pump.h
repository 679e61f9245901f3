/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A process, profview-guardian, that reads the output of heaptrack's library from a pipe and
 * compresses it with zstd into a file that can be read while it grows. This is our end of it.
 *
 * Whatever happens to the file or to us, the guardian keeps reading the pipe, so that the program
 * never blocks or gets SIGPIPE: once the file is complete, or the disk is full, the data is
 * dropped.
 */
typedef struct PvHeaptrackPump PvHeaptrackPump;

typedef struct {
    bool was_opened; /* the program has opened the pipe */
    bool has_allocations;
    bool is_complete;     /* the file is closed */
    int error;            /* errno of a failed write, which closed the file; 0: none. EOWNERDEAD:
                           * the guardian was killed, and the file may be damaged at its end */
    int64_t closed_at_us; /* monotonic; when the program closed the pipe; 0: it has not */
    bool is_guardian_gone;
} PvHeaptrackPumpStatus;

/* Tasks of the guardian if we are killed. */
typedef struct {
    const char *const *files;    /* to delete, at most 4, NULL-terminated */
    const char *folder;          /* to delete after them */
    const char *const *debugger; /* command that takes heaptrack out of the process; NULL: none */
} PvHeaptrackCleanup;

/* pipe_fd: open for reading, non-blocking; file_fd: an empty file. Takes both; neither may be -1.
 * comment: a line with its line feed, inserted after the program's first line; NULL: none. cleanup
 * may be NULL. Blocks for about a millisecond. NULL with a G_SPAWN_ERROR. */
PvHeaptrackPump *pv_heaptrack_pump_start (int pipe_fd, int file_fd, const char *comment,
                                          const PvHeaptrackCleanup *cleanup, GError **error);

/* Readable when the status has changed, until pv_heaptrack_pump_get_status () is called; always if
 * the guardian is gone. Owned by the pump. */
int pv_heaptrack_pump_get_event_fd (const PvHeaptrackPump *pump);
/* Never from two threads at a time. */
PvHeaptrackPumpStatus pv_heaptrack_pump_get_status (PvHeaptrackPump *pump);

/* Starts writing what was read from the pipe so far; does not wait. */
void pv_heaptrack_pump_flush (PvHeaptrackPump *pump);
/* Completes the file with what is in the pipe now; the status changes to is_complete. */
void pv_heaptrack_pump_finish (PvHeaptrackPump *pump);

/* Does not wait: the guardian completes the file if needed, and exit () waits for that. The
 * guardian stays until the program closes the pipe. NULL is fine. */
void pv_heaptrack_pump_free (PvHeaptrackPump *pump);
