/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "../scratch.h"
#include "record/process/programs.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static void
write_entry (const char *id, const char *lines)
{
    g_autofree char *path = g_build_filename (folder, "applications", id, NULL);
    g_autofree char *text =
        g_strconcat ("[Desktop Entry]\nType=Application\nVersion=1.0\n", lines, NULL);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static PvProgram *
find (GPtrArray *programs, const char *id)
{
    for (unsigned i = 0; i < programs->len; i++) {
        PvProgram *program = programs->pdata[i];
        if (strcmp (program->id, id) == 0)
            return program;
    }
    return NULL;
}

static void
check_argv (GPtrArray *programs, const char *id, const char *wanted)
{
    PvProgram *program = find (programs, id);
    g_assert_nonnull (program);
    assert_string (g_strjoinv ("|", program->argv), wanted);
}

TEST (list)
{
    write_entry ("b.desktop", "Name=Beta\nComment=Says b\nIcon=beta\nPath=/tmp\n"
                              "Exec=sh --open %F \"two words\" %%d %i a%ub\n");
    write_entry ("a.desktop",
                 "Name=Alpha\nTerminal=true\n"
                 "Exec=env A=1 sh -t %c -k %k %u \"a \\\\$(x) \\\\\"q\\\\\" \\\\\\\\\"\n");
    write_entry ("hidden.desktop", "Name=Hidden\nNoDisplay=true\nExec=sh\n");
    write_entry ("bus.desktop", "Name=Bus\nDBusActivatable=true\n");
    write_entry ("gone.desktop", "Name=Gone\nExec=pv-no-such-program\n");
    write_entry ("missing.desktop", "Name=Missing\nTryExec=pv-no-such-program\nExec=sh\n");
    write_entry ("open.desktop", "Name=Open\nExec=sh \"open\n");
    write_entry ("percent.desktop", "Name=Per cent\nExec=sh %\n");
    g_autoptr (GPtrArray) programs = pv_programs_list ();
    g_assert_cmpuint (programs->len, ==, 3);
    g_assert_cmpstr (((PvProgram *)programs->pdata[0])->id, ==, "a.desktop");
    g_assert_cmpstr (((PvProgram *)programs->pdata[1])->id, ==, "b.desktop");

    PvProgram *beta = find (programs, "b.desktop");
    g_assert_cmpstr (beta->name, ==, "Beta");
    g_assert_cmpstr (beta->description, ==, "Says b");
    g_assert_cmpstr (beta->folder, ==, "/tmp");
    g_assert_nonnull (beta->icon);
    check_argv (programs, "b.desktop", "sh|--open|two words|%d|ab");

    PvProgram *alpha = find (programs, "a.desktop");
    g_assert_null (alpha->description);
    g_assert_null (alpha->folder);
    g_assert_null (alpha->icon);
    g_autofree char *path = g_build_filename (folder, "applications", "a.desktop", NULL);
    g_autofree char *wanted = g_strdup_printf ("env|A=1|sh|-t|Alpha|-k|%s|a $(x) \"q\" \\", path);
    check_argv (programs, "a.desktop", wanted);
    check_argv (programs, "percent.desktop", "sh|%");
}

TESTS_MAIN (argc, argv)
{
    folder = g_dir_make_tmp ("pv-programs-XXXXXX", NULL);
    g_autofree char *applications = g_build_filename (folder, "applications", NULL);
    g_assert_cmpint (g_mkdir (applications, 0700), ==, 0);
    g_setenv ("XDG_DATA_HOME", folder, TRUE);
    g_setenv ("XDG_DATA_DIRS", "/nonexistent", TRUE);
    pv_test_init (argc, argv);
    int status = g_test_run ();
    remove_files (applications);
    g_rmdir (applications);
    g_rmdir (folder);
    g_free (folder);
    return status;
}
