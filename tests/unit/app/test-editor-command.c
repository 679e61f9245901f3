/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands that open a line of a file in an editor: what is one argument stays one. */
#include "app/editor/editor-command.h"

#include "../cases.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#include "app/work/settings.h"

static void
check_command (const char *command, const char *path, uint32_t line, const char *expected)
{
    g_auto (GStrv) words = assert_ok (error, pv_editor_parse_command (command, path, line, &error));
    assert_string (g_strjoinv ("|", words), expected);
}

TEST (fields)
{
    check_command ("ed %f %l %c %% %x %", "/src/a.c", 12, "ed|/src/a.c|12|1|%|%x|%");
    check_command ("'my ed' -l%l --at=%f:%c", "/src/a.c", 12, "my ed|-l12|--at=/src/a.c:1");
    /* Without a line, none gets a 0. */
    check_command ("ed +%l %f", "/src/a.c", 0, "ed|+1|/src/a.c");
    /* The program itself has no fields. */
    check_command ("/bin/%f %f", "/src/a.c", 12, "/bin/%f|/src/a.c");
}

/* Names with blanks and what a shell or an editor might read otherwise. */
TEST (names)
{
    static const char *const names[] = {"/a b/c d.c", "/a/-x.c",   "/a/+3",      "/a/$(touch x);.c",
                                        "/a/'\".c",   "/a/%l%f.c", "/a/b:7:8.c", "/a/\xff.c"};

    for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *own = g_strdup_printf ("my ed|-l5|--at=%s:1", names[i]);
        g_autofree char *code = g_strdup_printf ("code|--goto|%s:5:1", names[i]);
        check_command ("'my ed' -l%l --at=%f:%c", names[i], 5, own);
        check_command ("code --goto %f:%l:%c", names[i], 5, code);
    }
}

static void
check_refused (const char *command, GQuark domain)
{
    g_autoptr (GError) error = NULL;

    g_assert_null (pv_editor_parse_command (command, "/src/a.c", 1, &error));
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

/* Editors that settings of older versions name start as they did. */
static void
check_old (const char *id, const char *expected)
{
    g_autofree char *command = pv_editor_find_old_command (id);

    g_assert_nonnull (command);
    check_command (command, "/src/a.c", 12, expected);
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

TEST (old_editors)
{
    static const char *const programs[] = {"emacs", "flatpak", "kate", "xterm"};
    g_autofree char *folder = g_dir_make_tmp ("editors-XXXXXX", NULL);
    g_autofree char *path = g_strdup (g_getenv ("PATH"));

    g_setenv ("PATH", folder, TRUE);
    check_old ("kate", "kate|--line|12|--column|1|/src/a.c");
    check_old ("gvim", "gvim|+call cursor(12,1)|--|/src/a.c");
    check_old ("gnome-builder", "gnome-builder|/src/a.c");
    check_old ("gnome-text-editor", adw_get_minor_version () < 3
                                        ? "gnome-text-editor|/src/a.c"
                                        : "gnome-text-editor|/src/a.c|+12:1");
    check_old ("emacs", "emacsclient|--no-wait|--alternate-editor=emacs|+12:1|/src/a.c");
    for (unsigned i = 0; i < G_N_ELEMENTS (programs); i++)
        add_program (folder, programs[i]);
    check_old ("kate", "kate|--line|12|--column|1|/src/a.c");
    check_old ("emacs", "emacs|+12:1|/src/a.c");
    check_old ("codium", "flatpak|run|com.vscodium.codium|--goto|/src/a.c:12:1");
    check_old ("gnome-text-editor", "flatpak|run|org.gnome.TextEditor|/src/a.c|+12:1");
    check_old ("zed", "flatpak|run|dev.zed.Zed|/src/a.c:12:1");
    check_old ("vim", "xterm|-e|vim|+call cursor(12,1)|--|/src/a.c");
    add_program (folder, "kgx");
    check_old ("nano", "kgx|--|nano|+12|/src/a.c");
    add_program (folder, "zeditor");
    check_old ("zed", "zeditor|/src/a.c:12:1");
    g_setenv ("PATH", path, TRUE);

    for (unsigned i = 0; i < G_N_ELEMENTS (programs); i++)
        remove_program (folder, programs[i]);
    remove_program (folder, "kgx");
    remove_program (folder, "zeditor");
    g_rmdir (folder);
    g_assert_null (pv_editor_find_old_command (""));
    g_assert_null (pv_editor_find_old_command (PV_EDITOR_COMMAND));
}

static void
check_renewed (const char *id, const char *expected_id, const char *expected_command)
{
    GSettings *settings = pv_settings_get ();

    g_settings_set_string (settings, "editor", id);
    g_settings_set_string (settings, "editor-command", "ed %f");
    pv_editor_renew_settings (settings);
    g_autofree char *new_id = g_settings_get_string (settings, "editor");
    g_autofree char *command = g_settings_get_string (settings, "editor-command");
    g_assert_cmpstr (new_id, ==, expected_id);
    g_assert_cmpstr (command, ==, expected_command);
    g_settings_reset (settings, "editor");
    g_settings_reset (settings, "editor-command");
}

TEST (renewed_settings)
{
    check_renewed ("gvim", PV_EDITOR_COMMAND, "gvim '+call cursor(%l,%c)' -- %f");
    check_renewed ("", "", "ed %f");
    check_renewed (PV_EDITOR_COMMAND, PV_EDITOR_COMMAND, "ed %f");
}

TESTS_MAIN (argc, argv)
{
    g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
    pv_test_init (argc, argv);
    return g_test_run ();
}
