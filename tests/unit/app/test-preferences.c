/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choices are written by a worker, the last ones at the end of the program. */
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>

#include "app/work/preferences.h"

#define PATIENCE_US (20 * G_USEC_PER_SEC)

static char *
read_file (void)
{
    g_autofree char *path =
        g_build_filename (g_get_user_config_dir (), "profview", "preferences.ini", NULL);
    char *text = NULL;

    g_file_get_contents (path, &text, NULL, NULL);
    return text != NULL ? text : g_strdup ("");
}

static gboolean
has_line (const char *line)
{
    g_autofree char *text = read_file ();
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

    return g_strv_contains ((const char *const *)lines, line);
}

/* Of many at once the last one counts, for each. */
static void
test_later (void)
{
    gint64 end_us = g_get_monotonic_time () + PATIENCE_US;

    for (unsigned i = 0; i < 100; i++) {
        g_autofree char *value = g_strdup_printf ("%u", i);
        pv_preferences_set ("size", value);
        pv_preferences_set ("colors", i % 2 == 0 ? "even" : "odd");
    }
    while (!has_line ("size=99") || !has_line ("colors=odd")) {
        g_assert_cmpint (g_get_monotonic_time (), <, end_us);
        g_usleep (G_USEC_PER_SEC / 100);
    }
    g_autofree char *size = pv_preferences_get ("size", "none");
    g_assert_cmpstr (size, ==, "99");
}

static void
test_at_exit (void)
{
    if (g_test_subprocess ()) {
        pv_preferences_set ("root", "bottom");
        exit (0);
    }
    g_test_trap_subprocess (NULL, 0, 0);
    g_test_trap_assert_passed ();
    g_assert_true (has_line ("root=bottom"));
}

int
main (int argc, char **argv)
{
    g_autofree char *own = g_strdup (g_getenv ("PV_TEST_CONFIG"));
    g_autofree char *made = own == NULL ? g_dir_make_tmp ("pv-preferences-XXXXXX", NULL) : NULL;
    int status;

    /* Before GLib has looked; a process of a test inherits it. */
    g_setenv ("PV_TEST_CONFIG", own != NULL ? own : made, TRUE);
    g_setenv ("XDG_CONFIG_HOME", own != NULL ? own : made, TRUE);
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/preferences/later", test_later);
    g_test_add_func ("/preferences/at-exit", test_at_exit);
    status = g_test_run ();
    if (made != NULL) {
        g_autofree char *folder = g_build_filename (made, "profview", NULL);
        g_autofree char *file = g_build_filename (folder, "preferences.ini", NULL);
        g_remove (file);
        g_rmdir (folder);
        g_rmdir (made);
    }
    return status;
}
