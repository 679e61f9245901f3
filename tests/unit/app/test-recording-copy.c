/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A copy of a recording is whole or not there, and what was there before stays. */
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cases.h"
#include "../scratch.h"
#include "app/recording/recording-copy.h"

#define LIMIT_BYTES 100000

typedef struct {
    char *folder, *from, *to;
    PvJob *job;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->folder = g_dir_make_tmp ("copy-XXXXXX", NULL);
    fixture->from = g_build_filename (fixture->folder, "from", NULL);
    fixture->to = g_build_filename (fixture->folder, "to", NULL);
    fixture->job = pv_job_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    remove_tree (fixture->folder);
    pv_job_unref (fixture->job);
    g_free (fixture->folder);
    g_free (fixture->from);
    g_free (fixture->to);
}

static void
write_file (const char *path, const char *name, gsize size)
{
    g_autofree char *whole = name != NULL ? g_build_filename (path, name, NULL) : g_strdup (path);
    g_autofree char *bytes = g_strnfill (size, 'r');

    g_assert_true (g_file_set_contents_full (whole, bytes, (gssize)size, 0, 0600, NULL));
}

static gsize
get_size (const char *path)
{
    struct stat status;
    g_assert_cmpint (stat (path, &status), ==, 0);
    g_assert_cmpint (status.st_mode & 0777, ==, 0600);
    return (gsize)status.st_size;
}

/* When a dump was written is what a series has its times from. */
static void
set_time (const char *folder, const char *name, int64_t time_s)
{
    g_autofree char *path = g_build_filename (folder, name, NULL);
    struct timespec times[2] = {{.tv_sec = time_s}, {.tv_sec = time_s}};

    g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
}

static int64_t
get_time (const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename (folder, name, NULL);
    struct stat status;

    g_assert_cmpint (stat (path, &status), ==, 0);
    return status.st_mtime;
}

static void
assert_fails (Fixture *fixture, int code, const char *part)
{
    g_autoptr (GError) error = NULL;

    g_assert_false (pv_recording_copy (fixture->from, fixture->to, fixture->job, &error));
    g_assert_error (error, G_IO_ERROR, code);
    if (strstr (error->message, part) == NULL)
        g_error ("“%s” is not in “%s”", part, error->message);
}

FIXTURE_TEST (file, fixture)
{

    write_file (fixture->from, NULL, 3 << 20);
    write_file (fixture->to, NULL, 5);
    g_assert_true (
        assert_ok (error, pv_recording_copy (fixture->from, fixture->to, fixture->job, &error)));
    g_assert_cmpuint (get_size (fixture->to), ==, 3 << 20);
    g_assert_cmpuint (get_size (fixture->from), ==, 3 << 20);
    g_assert_cmpuint (count_files (fixture->folder), ==, 2);
}

FIXTURE_TEST (folder, fixture)
{
    struct stat status;

    g_assert_cmpint (g_mkdir (fixture->from, 0700), ==, 0);
    write_file (fixture->from, "a.heap", 1000);
    write_file (fixture->from, "b.heap", 2000);
    set_time (fixture->from, "a.heap", 1000000000);
    g_assert_true (
        assert_ok (error, pv_recording_copy (fixture->from, fixture->to, fixture->job, &error)));
    g_assert_cmpuint (count_files (fixture->to), ==, 2);
    g_assert_cmpint (get_time (fixture->to, "a.heap"), ==, 1000000000);
    g_assert_cmpint (stat (fixture->to, &status), ==, 0);
    g_assert_cmpint (status.st_mode & 0777, ==, 0700);
    assert_fails (fixture, G_IO_ERROR_EXISTS, "not saved: ");
    g_assert_cmpuint (count_files (fixture->to), ==, 2);
    g_assert_cmpuint (count_files (fixture->folder), ==, 2);
}

/* No more fits, as on a full disk. */
static void
test_no_room (Fixture *fixture, gconstpointer is_folder)
{
    struct rlimit before, limit;

    if (is_folder != NULL) {
        g_assert_cmpint (g_mkdir (fixture->from, 0700), ==, 0);
        write_file (fixture->from, "a.heap", 1000);
        write_file (fixture->from, "b.heap", 2 * LIMIT_BYTES);
    } else {
        write_file (fixture->from, NULL, 2 * LIMIT_BYTES);
        write_file (fixture->to, NULL, 5);
    }
    g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
    limit = before;
    limit.rlim_cur = LIMIT_BYTES;
    g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
    assert_fails (fixture, G_IO_ERROR_FAILED, "not saved: ");
    g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
    if (is_folder != NULL)
        g_assert_false (g_file_test (fixture->to, G_FILE_TEST_EXISTS));
    else
        g_assert_cmpuint (get_size (fixture->to), ==, 5);
    g_assert_cmpuint (count_files (fixture->folder), ==, is_folder != NULL ? 1 : 2);
}

FIXTURE_TEST (cancelled, fixture)
{
    write_file (fixture->from, NULL, 3 << 20);
    pv_job_cancel (fixture->job);
    assert_fails (fixture, G_IO_ERROR_CANCELLED, "");
    g_assert_cmpuint (count_files (fixture->folder), ==, 1);
}

FIXTURE_TEST (missing, fixture)
{
    write_file (fixture->to, NULL, 5);
    assert_fails (fixture, G_IO_ERROR_NOT_FOUND, "not saved: ");
    g_assert_cmpuint (get_size (fixture->to), ==, 5);
    write_file (fixture->from, NULL, 10);
    g_free (fixture->to);
    fixture->to = g_build_filename (fixture->folder, "gone", "to", NULL);
    assert_fails (fixture, G_IO_ERROR_NOT_FOUND, "not saved: ");
    g_assert_cmpuint (count_files (fixture->folder), ==, 2);
}

/* Nobody may write into /proc, whoever it is. */
FIXTURE_TEST (forbidden, fixture)
{
    g_autoptr (GError) error = NULL;

    write_file (fixture->from, NULL, 10);
    g_assert_false (pv_recording_copy (fixture->from, "/proc/to", fixture->job, &error));
    g_assert_nonnull (error);
    g_assert_cmpint (error->domain, ==, G_IO_ERROR);
    g_assert_nonnull (strstr (error->message, "not saved"));
}

TESTS_MAIN (argc, argv)
{
#define ADD(path, data, function)                                                                  \
    g_test_add ("/recording-copy/" path, Fixture, data, set_up, function, tear_down)
    signal (SIGXFSZ, SIG_IGN);
    pv_test_init (argc, argv);
    ADD ("no-room", NULL, test_no_room);
    ADD ("no-room-folder", "", test_no_room);
    return g_test_run ();
}
