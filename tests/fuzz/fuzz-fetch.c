/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of servers, made showable; and text that a user may type as a URL. */
#include <stdint.h>
#include <string.h>

#include "core/base/answer-text.h"
#include "fetch/fetch-store.h"
#include "fetch/fetch-url.h"

static void
assert_showable (const char *text, bool has_lines)
{
    g_assert (g_utf8_validate (text, -1, NULL));
    for (const char *pos = text; *pos != '\0'; pos = g_utf8_next_char (pos))
        g_assert (!g_unichar_iscntrl (g_utf8_get_char (pos)) || (has_lines && *pos == '\n'));
}

static void
show_answer (const uint8_t *data, size_t size)
{
    g_autofree char *text = pv_answer_make_text (data, size);
    if (text == NULL)
        return;
    assert_showable (text, true);
    g_assert (g_utf8_strlen (text, -1) <= PV_ANSWER_MAX_CHARACTERS);
    g_autofree char *line = pv_answer_make_line (text, 100);
    assert_showable (line, false);
    g_assert (g_utf8_strlen (line, -1) <= 100);
}

static void
use_url (const uint8_t *data, size_t size)
{
    g_autofree char *typed = g_strndup ((const char *)data, MIN (size, 1000));
    g_autofree char *url = pv_fetch_make_url (typed, NULL, 0, NULL);
    g_autofree char *shown = pv_fetch_format_url (typed);
    g_assert (g_utf8_validate (shown, -1, NULL));
    pv_fetch_is_address (typed);
    if (url == NULL)
        return;
    /* A URL is stable, has one line, and gives a file name that stays in its folder. */
    g_autofree char *again = pv_fetch_make_url (url, NULL, 0, NULL);
    g_autoptr (GDateTime) when = g_date_time_new_utc (2026, 1, 2, 3, 4, 5);
    g_autofree char *name = pv_fetch_make_name (url, when, data, size);
    g_assert_cmpstr (again, ==, url);
    g_assert (pv_fetch_is_url (url));
    g_assert (strpbrk (url, " \r\n\t") == NULL);
    g_assert (strchr (name, '/') == NULL && *name != '.' && strlen (name) < 255);
    g_assert (pv_fetch_get_seconds (url) >= 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size_bytes)
{
    show_answer (data, size_bytes);
    use_url (data, size_bytes);
    return 0;
}
