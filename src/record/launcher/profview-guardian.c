/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profview-guardian [--unlink=PATH]... [--rmdir=PATH] [-- GDB ARGUMENT...]
 *
 * Reads the trace that heaptrack's library writes into a pipe and compresses it with zstd into a
 * file. It has its own session and little memory, so it outlives profview, whatever ends that: the
 * recorded program would get SIGPIPE without a reader. See guardian.h for the protocol.
 *
 * The file consists of complete frames that end at a line break. A frame is written every half
 * second, so the growing file is always readable, except while a frame is being written.
 *
 * The guardian reads the pipe until the program closes it. Once the file is complete, or the disk
 * is full, it drops the data. If profview is killed, the guardian
 *   - completes the file with a line that says so: nobody watches its size any more,
 *   - deletes the private files of --unlink and --rmdir,
 *   - runs the debugger that takes heaptrack out of a process it was attached to, so that the
 *     process gets its speed back.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "core/model/profile/recorded-with.h"
#include "record/launcher/guardian.h"

enum {
    BUFFER_BYTES = 256 * 1024,
    PIPE_BYTES = 1024 * 1024, /* the default limit for unprivileged users */
    SMALL_READ_BYTES = 64 * 1024,
    /* Pause between reads, so that not every 4 KiB write of the program wakes the reader. Even at
     * 500 MB/s the pipe does not fill up in that time. */
    COLLECT_NS = 1000 * 1000,
    FRAME_US = 500 * 1000,
    FRAME_BYTES = 1024 * 1024, /* uncompressed */
    PROBE_MS = 100,
    LEVEL = 3, /* zstd's default, as in heaptrack */
    MAX_MARK_BYTES = 256,
    MAX_UNLINKED = 4,
    /* Another debugger may still be in the process when profview is killed. */
    MAX_TRIES = 40,
    TRY_US = 3000 * 1000,
    MAX_UNOPENED_US = 2000 * 1000,
    WRONG_USAGE = 2,
};

typedef struct {
    const char *unlinked[MAX_UNLINKED]; /* NULL: none */
    const char *folder;                 /* NULL: none */
    char **debugger;                    /* command; NULL: none */
    int owner_fd, file_fd;              /* -1: profview is gone; the file is complete */
    bool is_owner_killed;
    int64_t owner_gone_at_us; /* 0: it is there */
    PvGuardianStatus status;

    char *comment;     /* to insert after the first line; NULL: none, or done */
    size_t pipe_bytes; /* its capacity */
    bool is_closed;
    ZSTD_CCtx *zstd;
    char *buffer; /* unprocessed input, often with a partial line at its end */
    size_t len;
    uint8_t *packed; /* the current frame */
    size_t packed_len, packed_size;
    size_t frame_bytes; /* uncompressed, in the current frame */
    int64_t frame_started_at_us;
    off_t whole_end, previous_end; /* ends of the last two complete frames in the file */

    pid_t debugger_pid; /* 0: none runs */
    int n_tries;
    int64_t tried_at_us;
} Guardian;

static int64_t
get_time_us (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void
publish (Guardian *guardian)
{
    if (guardian->is_closed && guardian->status.closed_at_us == 0)
        guardian->status.closed_at_us = get_time_us ();
    if (guardian->owner_fd >= 0)
        (void)send (guardian->owner_fd, &guardian->status, sizeof guardian->status,
                    MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The file */

/* 0 or errno. */
static int
write_all (int fd, const void *bytes, size_t size)
{
    const char *pos = bytes;
    while (size > 0) {
        ssize_t n = write (fd, pos, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? errno : ENOSPC;
        pos += n;
        size -= (size_t)n;
    }
    return 0;
}

static void
close_file (Guardian *guardian, int error)
{
    if (close (guardian->file_fd) != 0 && errno != EINTR && error == 0)
        error = errno;
    guardian->file_fd = -1;
    guardian->status.is_complete = true;
    guardian->status.error = error;
    publish (guardian);
}

/* Drops what comes after end. */
static bool
cut_at (const Guardian *guardian, off_t end)
{
    return ftruncate (guardian->file_fd, end) == 0 &&
           lseek (guardian->file_fd, end, SEEK_SET) == end;
}

/* Cuts the file at end, which ends a frame, and adds a frame with the reason. */
static bool
mark_at (Guardian *guardian, off_t end, const char *reason)
{
    char line[MAX_MARK_BYTES];
    uint8_t frame[ZSTD_COMPRESSBOUND (MAX_MARK_BYTES)];
    int len = snprintf (line, sizeof line, PV_RECORDING_CUT "%s\n", reason);
    size_t size = ZSTD_compress (frame, sizeof frame, line, (size_t)len, LEVEL);
    return !ZSTD_isError (size) && end > 0 && cut_at (guardian, end) &&
           write_all (guardian->file_fd, frame, size) == 0;
}

/* Drops the incomplete frame, which would damage the file. The reason for the end takes the place
 * of the last frame if there is no room for it after that. */
static void
give_up_file (Guardian *guardian, int error)
{
    const char *reason = error == ENOSPC || error == EDQUOT ? PV_CUT_DISK_FULL : PV_CUT_WRITE_ERROR;
    off_t end = guardian->whole_end;
    bool is_marked = mark_at (guardian, end, reason);
    if (!is_marked && guardian->previous_end > 0) {
        end = guardian->previous_end;
        is_marked = mark_at (guardian, end, reason);
    }
    if (!is_marked)
        cut_at (guardian, end);
    close_file (guardian, error);
}

static void
write_frame (Guardian *guardian)
{
    int error = write_all (guardian->file_fd, guardian->packed, guardian->packed_len);
    if (error != 0) {
        give_up_file (guardian, error);
        return;
    }
    guardian->previous_end = guardian->whole_end;
    guardian->whole_end += (off_t)guardian->packed_len;
    guardian->packed_len = 0;
    guardian->frame_bytes = 0;
}

static bool
grow_packed (Guardian *guardian)
{
    size_t size = 2 * guardian->packed_size + ZSTD_CStreamOutSize ();
    uint8_t *packed = realloc (guardian->packed, size);
    if (packed == NULL)
        return false;
    guardian->packed = packed;
    guardian->packed_size = size;
    return true;
}

static bool
pack (Guardian *guardian, const char *bytes, size_t size, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t left;
    do {
        bool has_room = guardian->packed_size - guardian->packed_len >= ZSTD_CStreamOutSize () ||
                        grow_packed (guardian);
        ZSTD_outBuffer out = {guardian->packed + guardian->packed_len,
                              guardian->packed_size - guardian->packed_len, 0};
        left = has_room ? ZSTD_compressStream2 (guardian->zstd, &out, &in, directive) : 0;
        if (!has_room || ZSTD_isError (left)) {
            give_up_file (guardian, ENOMEM);
            return false;
        }
        guardian->packed_len += out.pos;
    } while (in.pos < in.size || (directive == ZSTD_e_end && left > 0));
    return true;
}

static void
end_frame (Guardian *guardian)
{
    if (guardian->file_fd >= 0 && guardian->frame_bytes > 0 && pack (guardian, NULL, 0, ZSTD_e_end))
        write_frame (guardian);
}

static void
pack_into_frame (Guardian *guardian, const char *bytes, size_t size)
{
    if (guardian->file_fd < 0 || size == 0)
        return;
    if (guardian->frame_bytes == 0)
        guardian->frame_started_at_us = get_time_us ();
    guardian->frame_bytes += size;
    pack (guardian, bytes, size, ZSTD_e_continue);
}

/* reason: why the recording ends before the program does. */
static void
complete_file (Guardian *guardian, const char *reason)
{
    bool has_data = guardian->whole_end > 0 || guardian->frame_bytes > 0;
    if (!guardian->is_closed && has_data) {
        pack_into_frame (guardian, PV_RECORDING_CUT, strlen (PV_RECORDING_CUT));
        pack_into_frame (guardian, reason, strlen (reason));
        pack_into_frame (guardian, "\n", 1);
    }
    end_frame (guardian);
    if (guardian->file_fd >= 0)
        close_file (guardian, 0);
}

/* The pipe */

/* bytes starts at a line. */
static bool
has_allocation (const char *bytes, size_t size)
{
    return (size >= 2 && memcmp (bytes, "+ ", 2) == 0) || memmem (bytes, size, "\n+ ", 3) != NULL;
}

/* Packs the first line, then the comment: readers expect the version first. Returns the number of
 * bytes consumed. */
static size_t
pack_first_line (Guardian *guardian, size_t size)
{
    const char *newline = memchr (guardian->buffer, '\n', size);
    if (newline == NULL || guardian->comment == NULL)
        return 0;
    size_t first_size = (size_t)(newline - guardian->buffer) + 1;
    pack_into_frame (guardian, guardian->buffer, first_size);
    pack_into_frame (guardian, guardian->comment, strlen (guardian->comment));
    free (guardian->comment);
    guardian->comment = NULL;
    return first_size;
}

/* Packs the buffer's complete lines and keeps the rest. */
static void
take_lines (Guardian *guardian)
{
    const char *newline = memrchr (guardian->buffer, '\n', guardian->len);
    size_t size = newline != NULL ? (size_t)(newline - guardian->buffer) + 1 : 0;
    if (size == 0 && guardian->len == BUFFER_BYTES)
        size = guardian->len; /* heaptrack writes no lines that long */
    if (guardian->file_fd < 0)
        size = guardian->len;
    if (!guardian->status.has_allocations && has_allocation (guardian->buffer, size)) {
        guardian->status.has_allocations = true;
        publish (guardian);
    }
    size_t packed = pack_first_line (guardian, size);
    pack_into_frame (guardian, guardian->buffer + packed, size - packed);
    memmove (guardian->buffer, guardian->buffer + size, guardian->len - size);
    guardian->len -= size;
}

static void
note_opened (Guardian *guardian)
{
    if (guardian->status.was_opened)
        return;
    guardian->status.was_opened = true;
    publish (guardian);
}

/* Returns the number of bytes read; 0: no data now. */
static size_t
read_some (Guardian *guardian)
{
    ssize_t n =
        read (PV_GUARDIAN_PIPE_FD, guardian->buffer + guardian->len, BUFFER_BYTES - guardian->len);
    /* EAGAIN: a writer has the pipe open. */
    if (n > 0 || (n < 0 && errno == EAGAIN))
        note_opened (guardian);
    if (n == 0 && guardian->status.was_opened)
        guardian->is_closed = true;
    if (n <= 0)
        return 0;
    guardian->len += (size_t)n;
    take_lines (guardian);
    if (guardian->frame_bytes >= FRAME_BYTES)
        end_frame (guardian);
    return (size_t)n;
}

/* Takes what the pipe holds now, but not what the program writes meanwhile. */
static void
finish (Guardian *guardian, const char *reason)
{
    size_t n, total = 0;
    while (guardian->file_fd >= 0 && total < guardian->pipe_bytes && (n = read_some (guardian)) > 0)
        total += n;
    complete_file (guardian, reason);
}

/* Profview */

static void
note_owner_gone (Guardian *guardian, bool is_killed)
{
    guardian->owner_gone_at_us = get_time_us ();
    guardian->is_owner_killed = is_killed;
    /* profview deletes them otherwise. If the process has not opened the pipe yet, it finds none
     * and runs on untraced. */
    for (unsigned i = 0; is_killed && i < MAX_UNLINKED && guardian->unlinked[i] != NULL; i++)
        unlink (guardian->unlinked[i]);
    if (is_killed && guardian->folder != NULL)
        rmdir (guardian->folder);
    finish (guardian, is_killed ? PV_CUT_PROFVIEW_KILLED : PV_CUT_STOPPED);
    /* Not before the file is complete: until then it would mean that we were killed. */
    close (guardian->owner_fd);
    guardian->owner_fd = -1;
}

static void
obey (Guardian *guardian)
{
    char request;
    ssize_t n = recv (guardian->owner_fd, &request, 1, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0)
        note_owner_gone (guardian, true);
    else if (request == PV_GUARDIAN_FLUSH)
        end_frame (guardian);
    else if (request == PV_GUARDIAN_FINISH)
        finish (guardian, PV_CUT_STOPPED);
    else if (request == PV_GUARDIAN_QUIT)
        note_owner_gone (guardian, false);
}

/* To copy this small process costs little, and so fork () is enough. */
static void
start_debugger (Guardian *guardian)
{
    guardian->n_tries++;
    guardian->tried_at_us = get_time_us ();
    guardian->debugger_pid = fork ();
    if (guardian->debugger_pid < 0)
        guardian->debugger_pid = 0;
    if (guardian->debugger_pid != 0)
        return;
    int null_fd = open ("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd <= 2; fd++)
        dup2 (null_fd, fd);
    signal (SIGHUP, SIG_DFL);
    signal (SIGINT, SIG_DFL);
    signal (SIGQUIT, SIG_DFL);
    signal (SIGTERM, SIG_DFL);
    signal (SIGPIPE, SIG_DFL);
    signal (SIGXFSZ, SIG_DFL);
    execvp (guardian->debugger[0], guardian->debugger);
    _exit (127);
}

/* Takes heaptrack out of the process it was attached to. Only the closed pipe shows success. */
static void
take_out (Guardian *guardian)
{
    if (guardian->debugger_pid != 0 && waitpid (guardian->debugger_pid, NULL, WNOHANG) != 0)
        guardian->debugger_pid = 0;
    bool is_wanted = guardian->is_owner_killed && guardian->debugger != NULL &&
                     guardian->status.was_opened && guardian->debugger_pid == 0;
    bool is_due =
        guardian->n_tries == 0 || get_time_us () - guardian->tried_at_us >= (int64_t)TRY_US;
    if (is_wanted && is_due && guardian->n_tries < MAX_TRIES)
        start_debugger (guardian);
}

/* The loop */

static bool
is_frame_due (const Guardian *guardian, int64_t *ret_in_us)
{
    if (guardian->file_fd < 0 || guardian->frame_bytes == 0)
        return false;
    *ret_in_us = guardian->frame_started_at_us + FRAME_US - get_time_us ();
    return true;
}

static void
wait_for_something (Guardian *guardian)
{
    struct pollfd fds[] = {{.fd = PV_GUARDIAN_PIPE_FD, .events = POLLIN},
                           {.fd = guardian->owner_fd, .events = POLLIN}};
    int64_t in_us;
    bool is_taking_out =
        guardian->is_owner_killed && guardian->debugger != NULL && guardian->n_tries <= MAX_TRIES;
    int timeout_ms = guardian->status.was_opened && !is_taking_out ? -1 : PROBE_MS;
    if (is_frame_due (guardian, &in_us))
        timeout_ms = (int)((in_us > 0 ? in_us : 0) / 1000 + 1);
    if (poll (fds, 2, timeout_ms) <= 0)
        return;
    /* POLLHUP: a writer had the pipe open, even if it wrote nothing. */
    if ((fds[0].revents & (POLLIN | POLLHUP)) != 0)
        note_opened (guardian);
    if (guardian->owner_fd >= 0 && fds[1].revents != 0)
        obey (guardian);
}

/* Nobody will open the pipe any more. */
static bool
is_useless (const Guardian *guardian)
{
    return guardian->owner_gone_at_us != 0 && !guardian->status.was_opened &&
           get_time_us () - guardian->owner_gone_at_us > MAX_UNOPENED_US;
}

static void
guard (Guardian *guardian)
{
    static const struct timespec pause = {.tv_nsec = COLLECT_NS};
    while (!guardian->is_closed && !is_useless (guardian)) {
        int64_t in_us;
        wait_for_something (guardian);
        size_t n = read_some (guardian);
        if (is_frame_due (guardian, &in_us) && in_us <= 0)
            end_frame (guardian);
        take_out (guardian);
        if (n > 0 && n < SMALL_READ_BYTES && guardian->pipe_bytes >= PIPE_BYTES)
            nanosleep (&pause, NULL);
    }
    complete_file (guardian, PV_CUT_STOPPED);
    publish (guardian);
}

/* The start */

static bool
read_arguments (Guardian *guardian, int argc, char **argv)
{
    enum { UNLINK, RMDIR };
    static const struct option options[] = {
        {"unlink", required_argument, NULL, UNLINK},
        {"rmdir", required_argument, NULL, RMDIR},
        {0},
    };
    int option;
    unsigned n = 0;
    while ((option = getopt_long (argc, argv, "+", options, NULL)) != -1) {
        if (option == UNLINK && n < MAX_UNLINKED)
            guardian->unlinked[n++] = optarg;
        else if (option == RMDIR)
            guardian->folder = optarg;
        else
            return false;
    }
    guardian->debugger = optind < argc ? argv + optind : NULL;
    return true;
}

static bool
receive_comment (Guardian *guardian)
{
    char *comment = calloc (1, PV_GUARDIAN_MAX_COMMENT_BYTES + 1);
    ssize_t n;
    do
        n = comment != NULL
                ? recv (PV_GUARDIAN_SOCKET_FD, comment, PV_GUARDIAN_MAX_COMMENT_BYTES, 0)
                : -1;
    while (n < 0 && errno == EINTR);
    if (n > 0 && *comment != '\0')
        guardian->comment = comment;
    else
        free (comment);
    return n > 0;
}

/* We are small and others depend on us. Both may be forbidden. */
static void
lower_oom_score (void)
{
    static const char *const scores[] = {"-900", "0"};
    int fd = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    for (unsigned i = 0; fd >= 0 && i < 2; i++)
        if (write (fd, scores[i], strlen (scores[i])) > 0)
            break;
    if (fd >= 0)
        close (fd);
}

static bool
prepare (Guardian *guardian)
{
    /* Whoever ends us must insist: it ends the recorded program too. */
    signal (SIGHUP, SIG_IGN);
    signal (SIGINT, SIG_IGN);
    signal (SIGQUIT, SIG_IGN);
    signal (SIGTERM, SIG_IGN);
    signal (SIGPIPE, SIG_IGN);
    signal (SIGXFSZ, SIG_IGN);
    lower_oom_score ();
    fcntl (PV_GUARDIAN_SOCKET_FD, F_SETFD, FD_CLOEXEC);
    guardian->owner_fd = PV_GUARDIAN_SOCKET_FD;
    guardian->file_fd = PV_GUARDIAN_FILE_FD;
    guardian->zstd = ZSTD_createCCtx ();
    guardian->buffer = malloc (BUFFER_BYTES);
    /* Fails for users with many pipes; the pipe keeps its size then. */
    (void)fcntl (PV_GUARDIAN_PIPE_FD, F_SETPIPE_SZ, PIPE_BYTES);
    int pipe_bytes = fcntl (PV_GUARDIAN_PIPE_FD, F_GETPIPE_SZ);
    guardian->pipe_bytes = pipe_bytes > 0 ? (size_t)pipe_bytes : 65536;
    return guardian->zstd != NULL && guardian->buffer != NULL &&
           !ZSTD_isError (
               ZSTD_CCtx_setParameter (guardian->zstd, ZSTD_c_compressionLevel, LEVEL)) &&
           chdir ("/") == 0;
}

int
main (int argc, char **argv)
{
    Guardian guardian = {0};
    if (!read_arguments (&guardian, argc, argv) || !receive_comment (&guardian)) {
        fputs ("profview-guardian is started by profview, not by hand.\n", stderr);
        return WRONG_USAGE;
    }
    if (!prepare (&guardian))
        return EXIT_FAILURE;
    guard (&guardian);
    return EXIT_SUCCESS;
}
