/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that open a line of a file in an editor: what is one argument stays one. */
#include "../cases.h"
#include "app/editor/editors.h"

#include <glib/gstdio.h>

static void
check_command (const char *id, const char *program, const char *terminal,
               const PvSourcePlace *place, const char *expected)
{
    PvEditor *editor = pv_editor_new (id, g_strsplit (program, " ", -1),
                                      terminal != NULL ? g_strsplit (terminal, " ", -1) : NULL);
    g_auto (GStrv) command = pv_editor_make_command (editor, place, pv_editor_takes_line (editor));

    assert_string (g_strjoinv ("|", command), expected);
    pv_editor_free (editor);
}

TEST (commands)
{
    const PvSourcePlace place = {"/src/a.c", 12, 3};

    check_command ("gnome-text-editor", "gnome-text-editor", NULL, &place,
                   "gnome-text-editor|/src/a.c|+12:3");
    check_command ("gnome-builder", "gnome-builder", NULL, &place, "gnome-builder|/src/a.c");
    check_command ("code", "code", NULL, &place, "code|--goto|/src/a.c:12:3");
    check_command ("codium", "flatpak run com.vscodium.codium", NULL, &place,
                   "flatpak|run|com.vscodium.codium|--goto|/src/a.c:12:3");
    check_command ("zed", "zed", NULL, &place, "zed|/src/a.c:12:3");
    check_command ("kate", "kate", NULL, &place, "kate|--line|12|--column|3|/src/a.c");
    check_command ("emacs", "emacsclient --no-wait --alternate-editor=emacs", NULL, &place,
                   "emacsclient|--no-wait|--alternate-editor=emacs|+12:3|/src/a.c");
    check_command ("gvim", "gvim", NULL, &place, "gvim|+call cursor(12,3)|--|/src/a.c");
    check_command ("vim", "vim", "xterm -e", &place, "xterm|-e|vim|+call cursor(12,3)|--|/src/a.c");
    check_command ("nano", "nano", "kgx --", &place, "kgx|--|nano|+12|/src/a.c");
}

/* Names with blanks and what a shell or an editor might read otherwise. */
TEST (names)
{
    static const char *const names[] = {"/a b/c d.c", "/a/-x.c",   "/a/+3",      "/a/$(touch x);.c",
                                        "/a/'\".c",   "/a/%l%f.c", "/a/b:7:8.c", "/a/\xff.c"};

    for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
        const PvSourcePlace place = {names[i], 5, 0};
        g_autofree char *vim = g_strdup_printf ("xterm|-e|vim|+call cursor(5,1)|--|%s", names[i]);
        g_autofree char *code = g_strdup_printf ("code|--goto|%s:5:1", names[i]);
        g_autofree char *own = g_strdup_printf ("my ed|-l5|--at=%s:1", names[i]);
        g_auto (GStrv) command = pv_editor_parse_command ("'my ed' -l%l --at=%f:%c", &place, NULL);
        g_autofree char *joined = g_strjoinv ("|", command);
        check_command ("vim", "vim", "xterm -e", &place, vim);
        check_command ("code", "code", NULL, &place, code);
        g_assert_cmpstr (joined, ==, own);
        g_assert_cmpuint (g_strv_length (command), ==, 3);
    }
}

/* Without a line, the file alone: none of them gets a 0. */
TEST (unknown_line)
{
    const PvSourcePlace place = {"/src/a.c", 0, 0};
    g_auto (GStrv) own = pv_editor_parse_command ("ed %f %l %c %% %x %", &place, NULL);
    g_autofree char *joined = g_strjoinv ("|", own);

    check_command ("vim", "vim", "xterm -e", &place, "xterm|-e|vim|/src/a.c");
    check_command ("gnome-text-editor", "gnome-text-editor", NULL, &place,
                   "gnome-text-editor|/src/a.c");
    check_command ("code", "code", NULL, &place, "code|/src/a.c");
    g_assert_cmpstr (joined, ==, "ed|/src/a.c|1|1|%|%x|%");
}

static void
check_refused (const char *command, GQuark domain)
{
    const PvSourcePlace place = {"/src/a.c", 1, 1};
    g_autoptr (GError) error = NULL;

    g_assert_null (pv_editor_parse_command (command, &place, &error));
    g_assert_nonnull (error);
    g_assert_cmpint (error->domain, ==, domain);
}

TEST (wrong_commands)
{
    check_refused ("", G_SHELL_ERROR);
    check_refused ("   ", G_SHELL_ERROR);
    check_refused ("ed 'file", G_SHELL_ERROR);
    check_refused ("ed +%l", G_IO_ERROR);
    check_refused ("%f", G_IO_ERROR);
    check_refused ("ed %%f", G_IO_ERROR);
}

TEST (versions)
{
    g_assert_true (pv_editor_version_takes_line ("Text Editor 44.0\n"));
    g_assert_true (pv_editor_version_takes_line ("gnome-text-editor 48.beta\n"));
    g_assert_false (pv_editor_version_takes_line ("Text Editor 43.2\n"));
    g_assert_false (pv_editor_version_takes_line ("Text Editor\n"));
    g_assert_false (pv_editor_version_takes_line (NULL));
}

static void
add_program (const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename (folder, name, NULL);

    g_assert_true (g_file_set_contents (path, "#!/bin/sh\n", -1, NULL));
    g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static void
remove_program (const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename (folder, name, NULL);

    g_assert_cmpint (g_unlink (path), ==, 0);
}

/* What is on the PATH, in order; an editor without a window only where there is a terminal. */
TEST (find)
{
    g_autofree char *folder = g_dir_make_tmp ("editors-XXXXXX", NULL);
    g_autofree char *path = g_strdup (g_getenv ("PATH"));

    if (pv_editors_are_out_of_reach ()) {
        g_test_skip ("in a sandbox");
        return;
    }
    g_setenv ("PATH", folder, TRUE);
    g_autoptr (GPtrArray) before = pv_editors_find ();
    add_program (folder, "vim");
    add_program (folder, "emacs");
    g_autoptr (GPtrArray) without = pv_editors_find ();
    add_program (folder, "xterm");
    g_autoptr (GPtrArray) with = pv_editors_find ();
    add_program (folder, "emacsclient");
    g_autoptr (GPtrArray) server = pv_editors_find ();
    g_setenv ("PATH", path, TRUE);

    g_assert_cmpuint (without->len, ==, before->len + 1);
    g_assert_cmpuint (with->len, ==, before->len + 2);
    const PvEditor *emacs = with->pdata[with->len - 2], *vim = with->pdata[with->len - 1];
    g_assert_cmpstr (emacs->id, ==, "emacs");
    g_assert_cmpstr (emacs->program[0], ==, "emacs");
    g_assert_cmpstr (vim->id, ==, "vim");
    g_assert_cmpstr (vim->terminal[0], ==, "xterm");
    emacs = server->pdata[server->len - 2];
    g_assert_cmpstr (emacs->program[0], ==, "emacsclient");
    remove_program (folder, "vim");
    remove_program (folder, "emacs");
    remove_program (folder, "xterm");
    remove_program (folder, "emacsclient");
    g_rmdir (folder);
}
