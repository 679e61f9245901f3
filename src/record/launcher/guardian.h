/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * The protocol between profview-guardian and heap/heaptrack-pump.c on a socket of packets. The
 * guardian's descriptors are the pipe (non-blocking), the file, stderr and this socket.
 *
 * The first packet to the guardian is the comment to insert after the program's first line; a
 * single null byte for none. Each later one is a request. The guardian sends its status whenever it
 * changes. When profview's end closes without PV_GUARDIAN_QUIT, profview was killed.
 */
typedef enum {
    PV_GUARDIAN_FLUSH = 'f',  /* write what was read so far */
    PV_GUARDIAN_FINISH = 'e', /* complete the file with what is in the pipe now */
    PV_GUARDIAN_QUIT = 'q',   /* the same; nothing but reading the pipe remains to be done */
} PvGuardianRequest;

enum {
    PV_GUARDIAN_PIPE_FD = 0,
    PV_GUARDIAN_FILE_FD = 1,
    PV_GUARDIAN_SOCKET_FD = 3,
    PV_GUARDIAN_MAX_COMMENT_BYTES = 16384,
};

typedef struct {
    bool was_opened; /* the program has opened the pipe */
    bool has_allocations;
    bool is_complete;     /* the file is closed */
    int error;            /* errno of a failed write, which closed the file; 0: none */
    int64_t closed_at_us; /* monotonic; when the program closed the pipe; 0: it has not */
} PvGuardianStatus;
