/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titles of launches, which are lines of a list. */
#include <string.h>

#include "../cases.h"
#include "app/launch/launching.h"

/* The title of a program whose name is so many times the letter. */
static char *
make_title (gsize n_letters, const char *letter)
{
    g_autoptr (GString) program = g_string_new (NULL);

    for (gsize i = 0; i < n_letters; i++)
        g_string_append (program, letter);
    char *argv[] = {program->str, NULL};
    return pv_launching_make_title (&(PvRecordPlan){.target = PV_TARGET_LAUNCH, .argv = argv});
}

/* Around the longest one. AddressSanitizer sees a byte too many. */
TEST (long_title)
{
    for (gsize n = 190; n < 230; n++) {
        g_autofree char *ascii = make_title (n, "a");
        g_autofree char *wide = make_title (n / 2, "ä");
        g_assert_true (g_utf8_validate (ascii, -1, NULL) && g_utf8_validate (wide, -1, NULL));
        g_assert_cmpint (g_str_has_suffix (ascii, "…"), ==, n > 200);
        g_assert_cmpuint (strlen (ascii), <=, 200 + strlen ("…"));
        g_assert_cmpuint (strlen (wide), <=, 200 + strlen ("…"));
    }
}

TEST (one_line)
{
    char *argv[] = {(char *)"./server", (char *)"--name=a\nb", NULL};
    g_autofree char *title =
        pv_launching_make_title (&(PvRecordPlan){.target = PV_TARGET_LAUNCH, .argv = argv});

    g_assert_null (strchr (title, '\n'));
    g_assert_true (g_str_has_prefix (title, "./server "));
}
