/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/page-links.h"

#include <string.h>

#include "fetch/endpoints.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-url.h"

enum { MAX_LINKS = 32, MAX_LINK_BYTES = 256 };

/* The value of an attribute, behind its name: = and text, which may be in quotes. False if there is
 * none that is short. */
static bool
take_value (const char **at, const char *end, char **ret_value)
{
    const char *pos = *at;
    while (pos < end && g_ascii_isspace (*pos))
        pos++;
    if (pos == end || *pos != '=')
        return false;
    for (pos++; pos < end && g_ascii_isspace (*pos);)
        pos++;
    char quote = pos < end && (*pos == '"' || *pos == '\'') ? *pos++ : '\0';
    const char *start = pos;
    while (pos < end && (quote != '\0' ? *pos != quote : !g_ascii_isspace (*pos) && *pos != '>'))
        pos++;
    *at = pos;
    size_t len = (size_t)(pos - start);
    if (pos == end || len == 0 || len > MAX_LINK_BYTES)
        return false;
    g_auto (GStrv) parts = NULL;
    g_autofree char *raw = g_strndup (start, len);
    parts = g_strsplit (raw, "&amp;", -1);
    *ret_value = g_strjoinv ("&", parts);
    return true;
}

/* The query without "debug=", with which Go's page asks for text; NULL if nothing is left. */
static char *
drop_debug (const char *query)
{
    g_autoptr (GString) kept = g_string_new (NULL);
    g_auto (GStrv) parts = g_strsplit (query != NULL ? query : "", "&", -1);
    for (char **part = parts; *part != NULL; part++)
        if (**part != '\0' && !g_str_has_prefix (*part, "debug="))
            g_string_append_printf (kept, "%s%s", kept->len > 0 ? "&" : "", *part);
    return kept->len > 0 ? g_string_free (g_steal_pointer (&kept), false) : NULL;
}

/* True for what is directly below Go's page, where programs can add profiles of their own. */
static bool
is_below (GUri *page, GUri *to)
{
    static const char *const others[] = {"cmdline", "symbol", "trace", NULL};
    const char *base = g_uri_get_path (page), *path = g_uri_get_path (to);
    const char *slash = strrchr (base, '/');
    size_t len = slash != NULL ? (size_t)(slash + 1 - base) : 0;
    if (len == 0 || !g_str_has_suffix (base, "/pprof/") || strncmp (path, base, len) != 0)
        return false;
    const char *name = path + len;
    return *name != '\0' && strchr (name, '/') == NULL && !g_strv_contains (others, name);
}

/* The URL of a profile that a link leads to; NULL if it leads elsewhere. */
static char *
find_profile (GUri *page, const char *link)
{
    g_autoptr (GUri) to = pv_fetch_resolve_url (page, link);
    if (to == NULL || !pv_fetch_is_same_server (page, to))
        return NULL;
    g_autofree char *query = drop_debug (g_uri_get_query (to));
    g_autoptr (GUri) moved = pv_fetch_move_url (page, g_uri_get_path (to), query);
    g_autofree char *url = g_uri_to_string (moved);
    const PvFetchEndpoint *endpoint = pv_fetch_find_endpoint (url);
    if (endpoint == NULL && !is_below (page, to))
        return NULL;
    bool lacks_seconds =
        endpoint != NULL && endpoint->has_seconds && pv_fetch_get_seconds (url) == 0;
    return lacks_seconds ? pv_fetch_make_url (url, NULL, PV_FETCH_DEFAULT_SECONDS, NULL)
                         : g_steal_pointer (&url);
}

static bool
set_error (GPtrArray *links, GError **error)
{
    g_autoptr (GString) paths = g_string_new (NULL);
    for (unsigned i = 0; i < links->len; i++) {
        g_autoptr (GUri) uri = pv_fetch_parse_url (links->pdata[i], NULL);
        const char *query = g_uri_get_query (uri);
        g_string_append_printf (paths, "%s%s%s%s", i > 0 ? ", " : "", g_uri_get_path (uri),
                                query != NULL ? "?" : "", query != NULL ? query : "");
    }
    g_ptr_array_add (links, NULL);
    pv_fetch_set_list_error (error, (const char *const *)links->pdata, paths->str);
    return true;
}

bool
pv_page_links_find (const void *html, size_t size_bytes, GUri *url, GError **error)
{
    g_assert (html != NULL && url != NULL);
    g_autoptr (GPtrArray) links = g_ptr_array_new_with_free_func (g_free);
    const char *at = html, *end = at + size_bytes;
    while (at + 4 < end && links->len < MAX_LINKS) {
        g_autofree char *link = NULL;
        if (g_ascii_strncasecmp (at, "href", 4) != 0) {
            at++;
            continue;
        }
        at += 4;
        if (!take_value (&at, end, &link))
            continue;
        g_autofree char *profile = find_profile (url, link);
        /* One that became too long when it was escaped cannot be fetched. */
        g_autoptr (GUri) parsed = profile != NULL ? pv_fetch_parse_url (profile, NULL) : NULL;
        if (parsed != NULL && !g_ptr_array_find_with_equal_func (links, profile, g_str_equal, NULL))
            g_ptr_array_add (links, g_steal_pointer (&profile));
    }
    return links->len > 0 && set_error (links, error);
}
