/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <limits.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cases.h"
#include "core/base/budget.h"
#include "core/base/error.h"
#include "core/base/mapped-file.h"

static char *
make_file (size_t size_bytes)
{
    char *path = g_strdup ("/tmp/profview-test-XXXXXX");
    int fd = g_mkstemp (path);
    g_assert_cmpint (fd, >=, 0);
    g_autofree char *bytes = g_malloc (size_bytes);
    for (size_t i = 0; i < size_bytes; i++)
        bytes[i] = 'a' + (char)(i % 26);
    g_assert_cmpint (write (fd, bytes, size_bytes), ==, (gssize)size_bytes);
    close (fd);
    return path;
}

TEST (read)
{
    g_autofree char *path = make_file (100000);
    g_autoptr (PvMappedFile) file = assert_ok (error, pv_mapped_file_open (path, &error));
    g_assert_cmpuint (pv_mapped_file_get_size (file), ==, 100000);
    g_assert_cmpint (pv_mapped_file_get_data (file)[27], ==, 'b');
    g_assert_cmpint (pv_mapped_file_get_mtime (file), >, 0);
    pv_mapped_file_release (file, 0, 100000);
    g_assert_cmpint (pv_mapped_file_get_data (file)[27], ==, 'b');
    g_unlink (path);
}

/* A file cut short while it is mapped reads as zeros beyond its end, and says so. */
TEST (shrinks)
{
    g_autofree char *path = make_file (100000);
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    g_autoptr (PvMappedFile) other = pv_mapped_file_open (path, NULL);
    g_assert_false (pv_mapped_file_has_faulted (file));
    g_assert_cmpint (truncate (path, 5000), ==, 0);
    const volatile uint8_t *data = pv_mapped_file_get_data (file);
    g_assert_cmpint (data[99999], ==, 0);
    g_assert_cmpint (data[50000], ==, 0);
    g_assert_cmpint (data[27], ==, 'b');
    g_assert_true (pv_mapped_file_has_faulted (file));
    g_assert_false (pv_mapped_file_has_faulted (other));
    g_unlink (path);
}

TEST (refuses)
{
    assert_error (error, pv_mapped_file_open ("/nonexistent/file", &error), PV_READ_ERROR,
                  PV_READ_ERROR_NOT_FOUND);
    assert_error (error, pv_mapped_file_open ("/tmp", &error), PV_READ_ERROR,
                  PV_READ_ERROR_UNSUPPORTED);
    assert_error (error, pv_mapped_file_open ("/dev/zero", &error), PV_READ_ERROR,
                  PV_READ_ERROR_UNSUPPORTED);
    g_autofree char *fifo = g_strdup_printf ("/tmp/profview-test-fifo-%d", getpid ());
    g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
    assert_error (error, pv_mapped_file_open (fifo, &error), PV_READ_ERROR,
                  PV_READ_ERROR_UNSUPPORTED);
    /* To open a device may do something. */
    int watch = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
    char event[sizeof (struct inotify_event) + NAME_MAX + 1];
    g_assert_cmpint (inotify_add_watch (watch, fifo, IN_OPEN), >=, 0);
    g_assert_null (pv_mapped_file_open (fifo, NULL));
    g_assert_cmpint (read (watch, event, sizeof event), <, 0);
    close (watch);
    g_unlink (fifo);
}

TEST (empty_and_taken)
{
    g_autofree char *path = make_file (0);
    g_autoptr (PvMappedFile) empty = pv_mapped_file_open (path, NULL);
    g_assert_cmpuint (pv_mapped_file_get_size (empty), ==, 0);
    g_assert_nonnull (pv_mapped_file_get_data (empty));
    g_unlink (path);

    g_autoptr (PvMappedFile) taken = pv_mapped_file_new_take (g_strdup ("bytes"), 5);
    pv_mapped_file_release (taken, 0, 5);
    g_assert_cmpint (pv_mapped_file_get_data (taken)[0], ==, 'b');
}

/* A file that grows leaves most of a limited address space to others, and goes on where it has none
 * reserved. */
TEST (limited)
{
    enum { LIMIT_BYTES = 1 << 30, STEP_BYTES = 1 << 20 };
    g_autofree char *path = make_file (STEP_BYTES);
    g_autoptr (GError) error = NULL;
    struct rlimit before, limit;
    g_autofree char *statm = NULL;

    g_assert_cmpint (getrlimit (RLIMIT_AS, &before), ==, 0);
    g_assert_true (g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL));
    limit = before;
    limit.rlim_cur =
        g_ascii_strtoull (statm, NULL, 10) * (uint64_t)sysconf (_SC_PAGESIZE) + LIMIT_BYTES;
    g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
    g_autoptr (PvMappedFile) file = pv_mapped_file_open_growing (path, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (pv_budget_get_address_space (), >, LIMIT_BYTES / 2);
    /* Past what is reserved, as far as the address space goes. */
    bool grows = true;
    for (off_t size = 2 * STEP_BYTES; size < 4 * (off_t)LIMIT_BYTES && grows; size *= 2) {
        g_assert_cmpint (truncate (path, size), ==, 0);
        grows = pv_mapped_file_grow (file, &error);
        g_assert_true (grows == (error == NULL));
        if (grows)
            g_assert_cmpuint (pv_mapped_file_get_size (file), ==, size);
    }
    g_assert_false (grows);
    g_assert_cmpint (pv_mapped_file_get_data (file)[27], ==, 'b');
    g_assert_cmpint (setrlimit (RLIMIT_AS, &before), ==, 0);
    g_unlink (path);
}
