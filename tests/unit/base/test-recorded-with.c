/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "core/model/profile/recorded-with.h"

static void
check_line (const char *command, const char *wanted)
{
    assert_string (pv_recorded_with_make_line (command), wanted);
}

static void
check_command (const char *line, const char *wanted)
{
    assert_string (pv_recorded_with_find (line, strlen (line)), wanted);
}

TEST (line)
{
    check_line ("heaptrack --raw ./a 'b  c'", "# recorded with: heaptrack --raw ./a 'b  c'\n");
    check_line ("größer \xff", "# recorded with: größer �\n");
    /* Never a second line, nothing that a terminal obeys. */
    check_line ("a\nv 1 2\r\n\x1b[2J\tb", "# recorded with: a v 1 2   [2J b\n");
    check_line ("a\u2028b\u202ec", "# recorded with: a b c\n");
    check_line ("", NULL);
    check_line (" \n ", NULL);
}

TEST (find)
{
    check_command ("# recorded with: heaptrack --raw ./a", "heaptrack --raw ./a");
    check_command ("# recorded with: \x1b[1ma\xc3", "[1ma�");
    check_command ("# recorded with: ", NULL);
    check_command ("# recorded with:  \t", NULL);
    check_command ("# recorded with", NULL);
    check_command ("# strings: 3", NULL);
    check_command ("#", NULL);
    check_command ("", NULL);
    assert_string (pv_recorded_with_find ("# recorded with: abc\nno", 19), "ab");
    g_assert_null (pv_recorded_with_find ("# recorded with: ", 5));
}

/* As long as may be, and longer by one; a character that would be cut goes altogether. */
TEST (long)
{
    g_autofree char *longest = g_strnfill (PV_RECORDED_WITH_MAX_BYTES, 'x');
    g_autofree char *line = pv_recorded_with_make_line (longest);
    g_assert_false (strstr (line, "…") != NULL);
    assert_string (pv_recorded_with_find (line, strlen (line) - 1), longest);

    g_autofree char *longer = g_strnfill (100000, 'x');
    memcpy (longer + PV_RECORDED_WITH_MAX_BYTES - 1, "é", 2);
    g_autofree char *cut = pv_recorded_with_make_line (longer);
    g_assert_true (g_str_has_suffix (cut, "xxx…\n"));
    g_assert_true (g_utf8_validate (cut, -1, NULL));
    g_autofree char *hostile = g_strconcat ("# recorded with: ", longer, NULL);
    g_autofree char *found_cut = pv_recorded_with_find (hostile, strlen (hostile));
    g_assert_true (g_str_has_suffix (found_cut, "xxx…"));
    g_assert_cmpuint (strlen (found_cut), <=, PV_RECORDED_WITH_MAX_BYTES + strlen ("…"));

    /* Nothing but the middles of characters. */
    g_autofree char *middles = g_strnfill (100000, '\x80');
    check_line (middles, "# recorded with: …\n");
}
