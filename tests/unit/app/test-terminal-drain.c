/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs whose terminal nobody shows any more. */
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../cases.h"
#include "app/source/terminal-drain.h"
#include "record/run/target.h"

typedef struct {
    int master, slave;
    char name[64];
    char *done; /* a file that the program makes when it has said all */
    PvTarget *target;
} Program;

/* It says more than a terminal holds, once somebody may have gone. */
static Program
start_program (const char *folder)
{
    Program program = {.master = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC)};
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    const char *argv[] = {"sh", "-c", "sleep 0.5; seq 100000; test -t 0 && : >\"$0\"", NULL, NULL};

    g_assert_cmpint (program.master, >=, 0);
    g_assert_cmpint (grantpt (program.master), ==, 0);
    g_assert_cmpint (unlockpt (program.master), ==, 0);
    g_assert_cmpint (ptsname_r (program.master, program.name, sizeof program.name), ==, 0);
    program.slave = open (program.name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    g_assert_cmpint (program.slave, >=, 0);
    program.done = g_build_filename (folder, "done", NULL);
    argv[3] = program.done;
    plan->argv = g_strdupv ((char **)argv);
    program.target = assert_ok (
        error, pv_target_launch (plan, &(PvTargetOptions){.terminal = program.name}, &error));
    pv_target_release (program.target);
    return program;
}

static void
on_ended (PvTarget *target, void *user)
{
    *(gboolean *)user = TRUE;
}

static void
wait_end (Program *program)
{
    gboolean is_ended = FALSE;

    pv_target_set_ended (program->target, on_ended, &is_ended);
    while (!is_ended)
        g_main_context_iteration (NULL, TRUE);
}

static void
finish (Program *program)
{
    pv_target_free (program->target);
    g_unlink (program->done);
    g_free (program->done);
}

/* The drain has the master when two do: then ours can go. */
static void
wait_drain (void)
{
    g_usleep (300000);
}

static void
test_kept (const char *folder)
{
    Program program = start_program (folder);
    int keep_fd = pv_terminal_drain_later (program.master);

    g_assert_cmpint (keep_fd, >=, 0);
    wait_drain ();
    close (keep_fd);
    close (program.master);
    close (program.slave);
    wait_end (&program);
    g_assert_cmpint (pv_target_get_status (program.target)->signal, ==, 0);
    g_assert_cmpint (pv_target_get_status (program.target)->exit_code, ==, 0);
    g_assert_true (g_file_test (program.done, G_FILE_TEST_EXISTS));
    finish (&program);
}

/* Nobody reads in our place as long as we do. */
static void
test_all_is_ours (const char *folder)
{
    Program program = start_program (folder);
    int keep_fd = pv_terminal_drain_later (program.master);
    g_autofree char *bytes = g_malloc (1 << 16);
    size_t n_read = 0, n_wanted = 0;
    ssize_t n;

    for (unsigned i = 1; i <= 100000; i++)
        n_wanted += (size_t)g_snprintf (bytes, 16, "%u\r\n", i);
    wait_drain ();
    close (program.slave);
    while ((n = read (program.master, bytes, 1 << 16)) > 0)
        n_read += (size_t)n;
    g_assert_cmpuint (n_read, ==, n_wanted);
    wait_end (&program);
    g_assert_cmpint (pv_target_get_status (program.target)->exit_code, ==, 0);
    close (keep_fd);
    close (program.master);
    finish (&program);
}

/* Why all this. */
static void
test_not_kept (const char *folder)
{
    Program program = start_program (folder);

    close (program.master);
    close (program.slave);
    wait_end (&program);
    g_assert_false (g_file_test (program.done, G_FILE_TEST_EXISTS));
    finish (&program);
}

TESTS_MAIN (argc, argv)
{
    g_autofree char *folder = g_dir_make_tmp ("drain-XXXXXX", NULL);

    pv_test_init (argc, argv);
    g_test_add_data_func ("/terminal-drain/kept", folder, (GTestDataFunc)test_kept);
    g_test_add_data_func ("/terminal-drain/all-is-ours", folder, (GTestDataFunc)test_all_is_ours);
    g_test_add_data_func ("/terminal-drain/not-kept", folder, (GTestDataFunc)test_not_kept);
    int status = g_test_run ();
    g_rmdir (folder);
    return status;
}
