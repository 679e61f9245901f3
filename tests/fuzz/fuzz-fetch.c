/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of servers, made showable; and text that a user may type as a URL. */
#include <stdint.h>
#include <string.h>

#include "core/base/answer-text.h"
#include "core/write/pprof-names.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-store.h"
#include "fetch/fetch-url.h"
#include "fetch/page-links.h"

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

static void
use_page (const uint8_t *data, size_t size)
{
    g_autoptr (GUri) url = pv_fetch_parse_url ("http://h/debug/pprof/", NULL);
    g_autoptr (GError) error = NULL;
    if (!pv_page_links_find (data, size, url, &error))
        return;
    for (const char *const *link = pv_fetch_error_get_links (error); *link != NULL; link++)
        g_assert (g_str_has_prefix (*link, "http://h/"));
}

/* A profile without names gets some. */
static void
add_names (const uint8_t *data, size_t size)
{
    const uint64_t addrs[] = {1, 0x1000};
    char *const names[] = {(char *)"a", (char *)"b"};
    const PvAddressNames known = {addrs, names, G_N_ELEMENTS (addrs), NULL};
    PvWire out = {0}, again = {0};
    if (pv_pprof_add_names (data, size, &known, &out))
        g_assert (!pv_pprof_add_names (out.bytes.data, out.bytes.len, &known, &again));
    pv_wire_clear (&out);
    pv_wire_clear (&again);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size_bytes)
{
    show_answer (data, size_bytes);
    use_url (data, size_bytes);
    use_page (data, size_bytes);
    add_names (data, size_bytes);
    return 0;
}
