/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cases.h"
#include "record/heap/heaptrack-pump.h"
#include "recorder-run.h"

enum { PATIENCE_MS = 60000, POLL_MS = 5 };

/* A pump with the writing end of its pipe, as a program has it. */
typedef struct {
    PvHeaptrackPump *pump;
    char *folder, *pipe, *path;
    int fd; /* to write to; -1 */
} Setup;

static Setup
set_up (const char *file, const char *remark, const PvHeaptrackCleanup *cleanup)
{
    Setup setup = {.folder = g_dir_make_tmp ("pump-XXXXXX", NULL), .fd = -1};
    setup.pipe = g_build_filename (setup.folder, "pipe", NULL);
    setup.path = file != NULL ? g_strdup (file) : g_build_filename (setup.folder, "file", NULL);
    g_assert_cmpint (mkfifo (setup.pipe, 0600), ==, 0);
    int pipe_fd = g_open (setup.pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
    int file_fd = g_open (setup.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    setup.pump = pv_heaptrack_pump_start (pipe_fd, file_fd, remark, cleanup, NULL);
    g_assert_nonnull (setup.pump);
    return setup;
}

static void
open_pipe (Setup *setup)
{
    setup->fd = g_open (setup->pipe, O_WRONLY | O_CLOEXEC, 0);
    g_assert_cmpint (setup->fd, >=, 0);
}

static void
write_all (Setup *setup, const char *text)
{
    for (size_t left = strlen (text); left > 0;) {
        ssize_t n = write (setup->fd, text, left);
        g_assert_cmpint (n, >, 0);
        text += n;
        left -= (size_t)n;
    }
}

static void
tear_down (Setup *setup)
{
    if (setup->fd >= 0)
        close (setup->fd);
    pv_heaptrack_pump_free (setup->pump);
    if (g_str_has_prefix (setup->path, setup->folder))
        g_unlink (setup->path);
    g_unlink (setup->pipe);
    g_assert_cmpint (g_rmdir (setup->folder), ==, 0);
    g_free (setup->folder);
    g_free (setup->pipe);
    g_free (setup->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Setup, tear_down)

static PvHeaptrackPumpStatus
wait_for (Setup *setup, bool (*is_so) (const PvHeaptrackPumpStatus *status))
{
    for (unsigned i = 0; i < PATIENCE_MS / POLL_MS; i++) {
        PvHeaptrackPumpStatus status = pv_heaptrack_pump_get_status (setup->pump);
        if (is_so (&status))
            return status;
        g_usleep (POLL_MS * 1000);
    }
    g_error ("The pump does not get there.");
}

static bool
is_opened (const PvHeaptrackPumpStatus *status)
{
    return status->was_opened;
}

static bool
is_complete (const PvHeaptrackPumpStatus *status)
{
    return status->is_complete;
}

static bool
is_closed (const PvHeaptrackPumpStatus *status)
{
    return status->closed_at_us > 0;
}

static PvHeaptrackPumpStatus
close_and_wait (Setup *setup)
{
    close (setup->fd);
    setup->fd = -1;
    return wait_for (setup, is_closed);
}

static void
check_text (const Setup *setup, const char *wanted)
{
    g_autoptr (GString) text = recorder_unpack (setup->path);
    g_assert_cmpstr (text->str, ==, wanted);
}

static void
check_begins (const Setup *setup, const char *wanted)
{
    g_autoptr (GString) text = recorder_unpack (setup->path);
    g_assert_true (g_str_has_prefix (text->str, wanted));
}

/* A file on a disk that takes no more for as long as it likes: a pipe that nobody reads. Who frees
 * the pump does not wait for it. */
TEST (free_while_writing)
{
    int trace[2], file[2];
    char byte, bytes[4096];
    g_assert_cmpint (pipe2 (trace, O_CLOEXEC), ==, 0);
    g_assert_cmpint (pipe2 (file, O_CLOEXEC), ==, 0);
    g_assert_cmpint (fcntl (trace[0], F_SETFL, O_NONBLOCK), ==, 0);
    g_assert_cmpint (fcntl (file[1], F_SETPIPE_SZ, 4096), ==, 4096);
    memset (bytes, 'x', sizeof bytes);
    g_assert_cmpint (write (file[1], bytes, sizeof bytes), ==, sizeof bytes);
    int pipe_fd = fcntl (trace[0], F_DUPFD_CLOEXEC, 0);
    PvHeaptrackPump *pump = pv_heaptrack_pump_start (trace[0], file[1], NULL, NULL, NULL);
    g_assert_cmpint (write (trace[1], "v 10400 3\n", 10), ==, 10);
    pv_heaptrack_pump_flush (pump);
    g_usleep (50000); /* for it to write, which takes until somebody reads */
    int64_t start_us = g_get_monotonic_time ();
    pv_heaptrack_pump_free (pump);
    int64_t took_us = g_get_monotonic_time () - start_us;
    g_assert_cmpint (took_us, <, 20000);
    /* It has what it was to write, and closes the file. */
    g_assert_cmpint (read (file[0], bytes, sizeof bytes), ==, sizeof bytes);
    g_assert_cmpint (read (file[0], bytes, sizeof bytes), >, 0);
    while (read (file[0], &byte, 1) > 0)
        ;
    /* The guardian is there: nobody else was asked to read the pipe, waiting for data. */
    g_assert_cmpint (fcntl (pipe_fd, F_GETFL) & O_NONBLOCK, !=, 0);
    close (pipe_fd);
    close (trace[1]);
    close (file[0]);
}

TEST (closed)
{
    g_auto (Setup) setup = set_up (NULL, NULL, NULL);
    g_assert_false (pv_heaptrack_pump_get_status (setup.pump).was_opened);
    open_pipe (&setup);
    g_assert_false (wait_for (&setup, is_opened).has_allocations);
    write_all (&setup, "v 10400 3\n+ 1");
    g_usleep (20000);
    write_all (&setup, "0 1 1000\nc 5");
    PvHeaptrackPumpStatus status = close_and_wait (&setup);
    g_assert_true (status.is_complete && status.has_allocations);
    g_assert_cmpint (status.error, ==, 0);
    /* Half a line is none: its number may be half of another one. */
    check_text (&setup, "v 10400 3\n+ 10 1 1000\n");
}

/* Behind the first line, however it comes, and once. */
TEST (remark)
{
    Setup setup = set_up (NULL, "# remark\n", NULL);
    open_pipe (&setup);
    write_all (&setup, "v 104");
    pv_heaptrack_pump_flush (setup.pump);
    g_usleep (20000);
    write_all (&setup, "00 3\nx 1 /\n");
    g_usleep (20000);
    write_all (&setup, "+ 10 1 1000\n");
    close_and_wait (&setup);
    check_text (&setup, "v 10400 3\n# remark\nx 1 /\n+ 10 1 1000\n");
    tear_down (&setup);

    setup = set_up (NULL, "# remark\n", NULL);
    open_pipe (&setup);
    close_and_wait (&setup);
    check_text (&setup, "");
    tear_down (&setup);
}

/* A program that execs at once writes nothing. */
TEST (opened_and_closed)
{
    g_auto (Setup) setup = set_up (NULL, NULL, NULL);
    open_pipe (&setup);
    PvHeaptrackPumpStatus status = close_and_wait (&setup);
    g_assert_true (status.was_opened && status.is_complete && !status.has_allocations);
    check_text (&setup, "");
}

/* Nobody ever comes. */
TEST (never_opened)
{
    g_auto (Setup) setup = set_up (NULL, NULL, NULL);
    pv_heaptrack_pump_finish (setup.pump);
    PvHeaptrackPumpStatus status = wait_for (&setup, is_complete);
    g_assert_false (status.was_opened);
    g_assert_cmpint (status.closed_at_us, ==, 0);
    check_text (&setup, "");
}

/* The file grows, and is whole whenever it is looked at. */
TEST (growing)
{
    g_auto (Setup) setup = set_up (NULL, NULL, NULL);
    g_autoptr (GString) wanted = g_string_new (NULL);
    open_pipe (&setup);
    unsigned n_seen = 0;
    size_t last_len = 0;
    for (unsigned i = 0; n_seen < 2 && i < PATIENCE_MS / 25; i++) {
        g_autofree char *line = g_strdup_printf ("+ %x %x\n", i, 1000 * i);
        write_all (&setup, line);
        g_string_append (wanted, line);
        g_usleep (25000);
        g_autoptr (GString) text = recorder_unpack (setup.path);
        g_assert_true (g_str_has_prefix (wanted->str, text->str));
        n_seen += text->len > last_len;
        last_len = text->len;
    }
    g_assert_cmpuint (n_seen, >=, 2);
    pv_heaptrack_pump_flush (setup.pump);
    for (unsigned i = 0; i < PATIENCE_MS / POLL_MS && last_len < wanted->len; i++) {
        g_usleep (POLL_MS * 1000);
        g_autoptr (GString) text = recorder_unpack (setup.path);
        last_len = text->len;
    }
    g_assert_cmpuint (last_len, ==, wanted->len);
}

/* More than the pipe, the buffers and a frame hold, and lines of all lengths. */
TEST (much)
{
    g_auto (Setup) setup = set_up (NULL, NULL, NULL);
    g_autoptr (GString) wanted = g_string_new (NULL);
    open_pipe (&setup);
    for (unsigned i = 0; wanted->len < 20 * 1024 * 1024; i++)
        g_string_append_printf (wanted, "X %0*x\n", i % 1000 == 0 ? 300000 : (int)(i % 900), i);
    write_all (&setup, wanted->str);
    close_and_wait (&setup);
    check_text (&setup, wanted->str);
}

/* The file has all bytes written until then, and the program goes on and is not held up. */
TEST (finish_early)
{
    g_auto (Setup) setup = set_up (NULL, NULL, NULL);
    g_autofree char *more = g_strnfill (4 * 1024 * 1024, 'x');
    open_pipe (&setup);
    write_all (&setup, "v 10400 3\n+ 10 1 1000\n- 1");
    pv_heaptrack_pump_finish (setup.pump);
    PvHeaptrackPumpStatus status = wait_for (&setup, is_complete);
    g_assert_cmpint (status.closed_at_us, ==, 0);
    write_all (&setup, more);
    check_text (&setup, "v 10400 3\n+ 10 1 1000\n# recording cut: stopped\n");
}

TEST (disk_full)
{
    g_auto (Setup) setup = set_up ("/dev/full", NULL, NULL);
    g_autofree char *more = g_strnfill (4 * 1024 * 1024, 'x');
    open_pipe (&setup);
    write_all (&setup, "v 10400 3\n+ 10 1 1000\n");
    pv_heaptrack_pump_flush (setup.pump);
    PvHeaptrackPumpStatus status = wait_for (&setup, is_complete);
    g_assert_cmpint (status.error, ==, ENOSPC);
    write_all (&setup, more);
}

/* The program outlives the pump: what it writes goes nowhere, and it gets no SIGPIPE. */
TEST (handed_over)
{
    g_auto (Setup) setup = set_up (NULL, NULL, NULL);
    g_autofree char *more = g_strnfill (4 * 1024 * 1024, 'x');
    open_pipe (&setup);
    write_all (&setup, "v 10400 3\n");
    wait_for (&setup, is_opened);
    pv_heaptrack_pump_free (setup.pump);
    setup.pump = NULL;
    /* Somebody must read it, but what of it is before the end of the file may be there. */
    write_all (&setup, more);
    check_begins (&setup, "v 10400 3\n");
}

static void
wait_for_path (const char *path, bool is_there)
{
    for (unsigned i = 0;
         i < PATIENCE_MS / POLL_MS && g_file_test (path, G_FILE_TEST_EXISTS) != is_there; i++)
        g_usleep (POLL_MS * 1000);
    g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS) == is_there);
}

/* As when we are killed: what came until then is in the file, which says so; the program writes on;
 * our private files go, and heaptrack is taken out of the process. */
TEST (owner_killed)
{
    g_autofree char *folder = g_dir_make_tmp ("private-XXXXXX", NULL);
    g_autofree char *private = g_build_filename (folder, "trace", NULL);
    g_autofree char *called = g_strconcat (folder, ".called", NULL);
    g_autofree char *more = g_strnfill (4 * 1024 * 1024, 'x');
    PvHeaptrackCleanup cleanup = {
        .files = (const char *const[]){private, NULL},
        .folder = folder,
        .debugger = (const char *const[]){"touch", called, NULL},
    };
    g_assert_true (g_file_set_contents (private, "", 0, NULL));
    g_auto (Setup) setup = set_up (NULL, "# remark\n", &cleanup);
    open_pipe (&setup);
    write_all (&setup, "v 10400 3\n+ 10 1 1000\n- 1");
    wait_for (&setup, is_opened);
    g_assert_no_errno (shutdown (pv_heaptrack_pump_get_event_fd (setup.pump), SHUT_RDWR));
    wait_for_path (folder, false);
    wait_for_path (called, true);
    check_text (&setup, "v 10400 3\n# remark\n+ 10 1 1000\n# recording cut: profview killed\n");
    write_all (&setup, more);
    g_unlink (called);
}

static off_t
wait_for_size (const Setup *setup, off_t at_least)
{
    struct stat status = {0};
    for (unsigned i = 0; i < PATIENCE_MS / POLL_MS; i++) {
        if (stat (setup->path, &status) == 0 && status.st_size >= at_least)
            return status.st_size;
        g_usleep (POLL_MS * 1000);
    }
    g_error ("The file does not grow.");
}

/* A file that may not grow says that it was cut: in place of its last frame, if there is no room
 * behind it. */
TEST (no_room_for_mark)
{
    struct rlimit before, limit;
    g_autofree char *noise = g_malloc (300001);
    for (unsigned i = 0; i < 300000; i++)
        noise[i] = i % 100 == 99 ? '\n' : (char)('a' + g_random_int_range (0, 26));
    noise[300000] = '\0';
    g_assert_no_errno (getrlimit (RLIMIT_FSIZE, &before));
    limit = (struct rlimit){100000, before.rlim_max};
    g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &limit));
    g_auto (Setup) setup = set_up (NULL, NULL, NULL);
    g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &before));
    open_pipe (&setup);
    write_all (&setup, "v 10400 3\n");
    pv_heaptrack_pump_flush (setup.pump);
    wait_for_size (&setup, 1);
    write_all (&setup, noise);
    PvHeaptrackPumpStatus status = wait_for (&setup, is_complete);
    g_assert_cmpint (status.error, ==, EFBIG);
    check_text (&setup, "v 10400 3\n# recording cut: write error\n");
    write_all (&setup, noise);
}

/* The last frame ends at the limit, so there is no room for the mark without dropping it. */
TEST (mark_replaces_frame)
{
    struct rlimit before, limit;
    off_t sizes[2];
    g_assert_no_errno (getrlimit (RLIMIT_FSIZE, &before));
    for (unsigned round = 0; round < 2; round++) {
        limit = (struct rlimit){round == 0 ? before.rlim_cur : (rlim_t)sizes[1], before.rlim_max};
        g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &limit));
        g_auto (Setup) setup = set_up (NULL, NULL, NULL);
        g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &before));
        open_pipe (&setup);
        write_all (&setup, "v 10400 3\n");
        pv_heaptrack_pump_flush (setup.pump);
        sizes[0] = wait_for_size (&setup, 1);
        write_all (&setup, "+ 12345678 1 9abcdef0\n+ 24681357 1 fdb97531\n+ 4 1 deadbeef\n"
                           "+ 90817263 1 aabccdee\n+ 38291047 1 b0c1d2e3\n");
        sizes[1] = wait_for_size (&setup, sizes[0] + 1);
        write_all (&setup, "+ 10 1 1000\n");
        if (round == 1) {
            g_assert_cmpint (wait_for (&setup, is_complete).error, ==, EFBIG);
            check_text (&setup, "v 10400 3\n# recording cut: write error\n");
        }
    }
}
