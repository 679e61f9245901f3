/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/firefox/firefox-text.h"

#include <glib.h>
#include <string.h>

bool
firefox_parse_address (const char *text, uint64_t *ret_address)
{
    uint64_t address = 0;
    if (strncmp (text, "0x", 2) != 0 || text[2] == '\0')
        return false;
    for (const char *at = text + 2; *at != '\0'; at++) {
        if (!g_ascii_isxdigit (*at) || address >> 60 != 0)
            return false;
        address = address << 4 | (uint64_t)g_ascii_xdigit_value (*at);
    }
    *ret_address = address;
    return true;
}

bool
firefox_is_without_name (const char *name)
{
    uint64_t address;
    return *name == '\0' || firefox_parse_address (name, &address);
}

/* Takes ":123" from the end of a text. */
static bool
take_number (const char *text, size_t *len, uint32_t *ret_number)
{
    size_t at = *len;
    uint64_t number = 0, unit = 1;
    while (at > 0 && g_ascii_isdigit (text[at - 1]) && unit < UINT32_MAX) {
        number += unit * (uint64_t)(text[--at] - '0');
        unit *= 10;
    }
    if (at == *len || at == 0 || text[at - 1] != ':' || number > INT32_MAX)
        return false;
    *len = at - 1;
    *ret_number = (uint32_t)number;
    return true;
}

/* Without "[12]" at its end. */
static size_t
find_end (const char *text)
{
    size_t len = strlen (text), at = len;
    if (len == 0 || text[len - 1] != ']')
        return len;
    for (at--; at > 0 && g_ascii_isdigit (text[at - 1]); at--)
        ;
    return at > 0 && text[at - 1] == '[' ? at - 1 : len;
}

FirefoxLocation
firefox_parse_location (const char *text)
{
    size_t end = find_end (text);
    FirefoxLocation location = {.name_len = strlen (text)};
    const char *open = strstr (text, " (");
    if (open == NULL || end == 0 || text[end - 1] != ')' || open + 2 > text + end - 1)
        return location;
    const char *file = open + 2;
    size_t len = (size_t)(text + end - 1 - file);
    uint32_t last, before;
    if (!take_number (file, &len, &last))
        return location;
    if (take_number (file, &len, &before))
        last = before; /* the last one was the column */
    return (FirefoxLocation){
        .file = file, .name_len = (size_t)(open - text), .file_len = len, .line = last};
}

char *
firefox_shorten_path (const char *path)
{
    static const char *const kinds[] = {"hg:", "git:", "s3:", "cargo:"};
    size_t kind = 0;
    while (kind < G_N_ELEMENTS (kinds) && !g_str_has_prefix (path, kinds[kind]))
        kind++;
    g_auto (GStrv) parts =
        kind < G_N_ELEMENTS (kinds) ? g_strsplit (path, ":", 4) : g_new0 (char *, 1);
    if (g_strv_length (parts) < 4 || *parts[2] == '\0')
        return g_strdup (path);
    return g_str_equal (parts[0], "cargo") ? g_strconcat (parts[2], "/", parts[3], NULL)
                                           : g_strdup (parts[2]);
}

char *
firefox_find_origin (const char *url)
{
    const char *last = strstr (url, " -> "); /* loaded by one another; the last is the code's */
    for (; last != NULL; last = strstr (url, " -> "))
        url = last + 4;
    const char *host = strstr (url, "://");
    if (host == NULL)
        return g_strdup ("");
    return g_strndup (url, (size_t)(host + 3 - url) + strcspn (host + 3, "/?#"));
}

int32_t
firefox_parse_id (const char *text)
{
    char *end;
    guint64 id = g_ascii_isdigit (*text) ? g_ascii_strtoull (text, &end, 10) : G_MAXUINT64;
    return id <= INT32_MAX ? (int32_t)id : -1;
}
