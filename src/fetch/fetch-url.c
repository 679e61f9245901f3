/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-url.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "fetch/fetch-error.h"

enum { MAX_URL_BYTES = 8192, MAX_SHOWN_CHARACTERS = 200 };

/* "https+insecure" is pprof's word for https with any certificate. The host of an "http+unix" URL
 * is the path of a socket, escaped, as several libraries for HTTP have it. */
#define INSECURE "https+insecure"
#define SOCKET   "http+unix"

enum { MAX_SOCKET_BYTES = sizeof ((struct sockaddr_un *)NULL)->sun_path - 1 };

static const char *const schemes[] = {"http", "https", INSECURE, SOCKET, NULL};

static GUri *
set_bad_url (GError **error, const char *message)
{
    g_set_error_literal (error, PV_FETCH_ERROR, PV_FETCH_ERROR_BAD_URL, message);
    return NULL;
}

bool
pv_fetch_is_url (const char *argument)
{
    g_assert (argument != NULL);
    g_autofree char *scheme = g_uri_parse_scheme (argument);
    if (scheme == NULL)
        return false;
    g_autofree char *lower = g_ascii_strdown (scheme, -1);
    return g_strv_contains (schemes, lower) ||
           (g_str_equal (lower, "unix") && argument[strlen ("unix:")] == '/');
}

bool
pv_fetch_is_address (const char *argument)
{
    g_assert (argument != NULL);
    /* A host or IPv6 address, a port, and perhaps a path. */
    return g_regex_match_simple ("^([A-Za-z0-9._-]+|\\[[[:xdigit:]:.]+\\]):[0-9]{1,5}(/.*)?$",
                                 argument, G_REGEX_RAW, 0);
}

/* The length of the path of the socket at the start of "/run/app.sock:/debug/pprof/heap". Without
 * the colon it ends where a socket is, if there is one. */
static size_t
get_socket_len (const char *path)
{
    const char *separator = strstr (path, ":/");
    size_t len = separator != NULL ? (size_t)(separator - path) : strcspn (path, "?#");
    struct stat status;
    for (size_t n = MIN (len, MAX_SOCKET_BYTES); separator == NULL && n > 1; n--) {
        if (n < len && path[n] != '/')
            continue;
        g_autofree char *part = g_strndup (path, n);
        if (stat (part, &status) == 0 && S_ISSOCK (status.st_mode))
            return n;
    }
    return len;
}

/* "unix:///run/app.sock:/debug/pprof/heap" as a URL. */
static char *
make_socket_url (const char *text)
{
    const char *path = text + strlen ("unix:");
    if (g_str_has_prefix (path, "//"))
        path += 2;
    size_t len = get_socket_len (path);
    const char *rest = path + len;
    g_autofree char *only = g_strndup (path, len);
    g_autofree char *escaped = g_uri_escape_string (only, NULL, true);
    return g_strconcat (SOCKET "://", escaped, *rest == ':' ? rest + 1 : rest, NULL);
}

/* Adds a missing scheme; "localhost:" is a host, although it looks like a scheme. */
static char *
complete_scheme (const char *typed)
{
    g_autofree char *text = g_strstrip (g_strdup (typed));
    if (g_ascii_strncasecmp (text, "unix:/", strlen ("unix:/")) == 0)
        return make_socket_url (text);
    const char *separator = strstr (text, "://");
    if (separator != NULL && separator < text + strcspn (text, "/?#"))
        return g_steal_pointer (&text);
    if (strchr (text, ':') != NULL && g_hostname_is_ip_address (text))
        return g_strdup_printf ("http://[%s]", text);
    const char *rest = text;
    while (*rest == '/')
        rest++;
    return g_strconcat ("http://", rest, NULL);
}

/* Escapes what a request line cannot carry, but keeps percent signs: they are escapes already. */
static char *
escape_part (const char *part)
{
    return part != NULL
               ? g_uri_escape_string (part, G_URI_RESERVED_CHARS_ALLOWED_IN_PATH "?%[]", false)
               : NULL;
}

/* True for the name of a host, or the path of a socket. */
static bool
is_host (GUri *uri)
{
    const char *host = g_uri_get_host (uri);
    if (host == NULL || *host == '\0' || g_uri_get_port (uri) == 0)
        return false;
    if (!pv_fetch_is_socket (uri))
        return strpbrk (host, " /?#@\\") == NULL;
    for (const char *pos = host; *pos != '\0'; pos++)
        if (g_ascii_iscntrl (*pos) || *pos == ':')
            return false;
    return *host == '/' && strlen (host) <= MAX_SOCKET_BYTES && g_utf8_validate (host, -1, NULL) &&
           g_uri_get_port (uri) == -1;
}

bool
pv_fetch_is_socket (GUri *url)
{
    g_assert (url != NULL);
    return g_str_equal (g_uri_get_scheme (url), SOCKET);
}

bool
pv_fetch_is_insecure (GUri *url)
{
    g_assert (url != NULL);
    return g_str_equal (g_uri_get_scheme (url), INSECURE);
}

bool
pv_fetch_is_local (GUri *url)
{
    g_assert (url != NULL);
    const char *host = g_uri_get_host (url);
    g_autoptr (GInetAddress) address = g_inet_address_new_from_string (host);
    return pv_fetch_is_socket (url) ||
           (address != NULL ? g_inet_address_get_is_loopback (address)
                            : g_ascii_strcasecmp (host, "localhost") == 0);
}

GUri *
pv_fetch_parse_url (const char *typed, GError **error)
{
    g_assert (typed != NULL);
    g_autofree char *text = complete_scheme (typed);
    if (g_str_equal (text, "http://"))
        return set_bad_url (error, _ ("The address is empty."));
    if (strlen (text) > MAX_URL_BYTES || !g_utf8_validate (text, -1, NULL))
        return set_bad_url (error, _ ("This is not a valid address."));
    for (const char *pos = text; *pos != '\0'; pos++) {
        if ((unsigned char)*pos < ' ' || *pos == 0x7f)
            return set_bad_url (error, _ ("This is not a valid address."));
    }
    g_autoptr (GUri) uri = g_uri_parse (text, SOUP_HTTP_URI_FLAGS, NULL);
    if (uri != NULL && !g_strv_contains (schemes, g_uri_get_scheme (uri)))
        return set_bad_url (error, _ ("Only http and https addresses can be fetched."));
    if (uri == NULL || !is_host (uri))
        return set_bad_url (error, _ ("This is not a valid address."));
    g_autofree char *path = escape_part (g_uri_get_path (uri));
    g_autofree char *query = escape_part (g_uri_get_query (uri));
    return g_uri_build_with_user (SOUP_HTTP_URI_FLAGS, g_uri_get_scheme (uri), g_uri_get_user (uri),
                                  g_uri_get_password (uri), NULL, g_uri_get_host (uri),
                                  g_uri_get_port (uri), *path != '\0' ? path : "/", query, NULL);
}

static bool
is_https (GUri *uri)
{
    return g_str_has_prefix (g_uri_get_scheme (uri), "https");
}

bool
pv_fetch_is_same_server (GUri *from, GUri *to)
{
    g_assert (from != NULL && to != NULL);
    if (g_ascii_strcasecmp (g_uri_get_host (from), g_uri_get_host (to)) != 0 ||
        pv_fetch_is_socket (from) != pv_fetch_is_socket (to))
        return false;
    int from_port = g_uri_get_port (from), to_port = g_uri_get_port (to);
    if (is_https (from) == is_https (to)) {
        int usual_port = is_https (from) ? 443 : 80;
        return (from_port != -1 ? from_port : usual_port) == (to_port != -1 ? to_port : usual_port);
    }
    return is_https (to) && (from_port == -1 || from_port == 80) &&
           (to_port == -1 || to_port == 443);
}

static bool
has_no_path (GUri *uri)
{
    return g_str_equal (g_uri_get_path (uri), "/") && g_uri_get_query (uri) == NULL;
}

bool
pv_fetch_is_server (const char *typed)
{
    g_autoptr (GUri) uri = pv_fetch_parse_url (typed, NULL);
    return uri != NULL && has_no_path (uri);
}

static bool
is_seconds (const char *parameter)
{
    return g_str_has_prefix (parameter, "seconds=");
}

/* g_uri_resolve_relative () forgets that a slash in a host is escaped. */
GUri *
pv_fetch_resolve_url (GUri *base, const char *reference)
{
    g_assert (base != NULL && reference != NULL);
    g_autoptr (GUri) uri = g_uri_parse_relative (base, reference, SOUP_HTTP_URI_FLAGS, NULL);
    /* GLib cannot write one without a host whose path begins with two slashes: "x:/.//a". */
    bool is_odd = uri == NULL ||
                  (g_uri_get_host (uri) == NULL && g_str_has_prefix (g_uri_get_path (uri), "//"));
    g_autofree char *text = is_odd ? NULL : g_uri_to_string (uri);
    return text != NULL && pv_fetch_is_url (text) ? pv_fetch_parse_url (text, NULL) : NULL;
}

GUri *
pv_fetch_move_url (GUri *uri, const char *path, const char *query)
{
    g_assert (uri != NULL && path != NULL);
    return g_uri_build_with_user (SOUP_HTTP_URI_FLAGS, g_uri_get_scheme (uri), g_uri_get_user (uri),
                                  g_uri_get_password (uri), NULL, g_uri_get_host (uri),
                                  g_uri_get_port (uri), path, query, NULL);
}

/* query may be NULL. */
static char *
set_seconds (const char *query, unsigned seconds)
{
    g_autoptr (GString) joined = g_string_new (NULL);
    g_auto (GStrv) parts = g_strsplit (query != NULL ? query : "", "&", -1);
    for (char **part = parts; *part != NULL; part++) {
        if (**part != '\0' && !is_seconds (*part))
            g_string_append_printf (joined, "%s&", *part);
    }
    g_string_append_printf (joined, "seconds=%u", seconds);
    return g_string_free (g_steal_pointer (&joined), false);
}

char *
pv_fetch_make_url (const char *typed, const PvFetchEndpoint *endpoint, unsigned seconds,
                   GError **error)
{
    unsigned n_kinds;
    const PvFetchEndpoint *cpu = pv_fetch_get_kinds (&n_kinds)[0].endpoints;
    g_autoptr (GUri) uri = pv_fetch_parse_url (typed, error);
    if (uri == NULL)
        return NULL;
    if (has_no_path (uri)) {
        const PvFetchEndpoint *chosen = endpoint != NULL ? endpoint : cpu;
        g_autofree char *query =
            chosen->has_seconds
                ? set_seconds (NULL, seconds != 0 ? seconds : PV_FETCH_DEFAULT_SECONDS)
                : NULL;
        g_autoptr (GUri) complete = pv_fetch_move_url (uri, chosen->path, query);
        return g_uri_to_string (complete);
    }
    if (seconds == 0)
        return g_uri_to_string (uri);
    g_autofree char *query = set_seconds (g_uri_get_query (uri), seconds);
    g_autoptr (GUri) complete = pv_fetch_move_url (uri, g_uri_get_path (uri), query);
    return g_uri_to_string (complete);
}

/* Below a page that lists profiles, if it lists none. */
static const char *const guesses_of_page[] = {"/heap", "/profile"};

/* First the paths that jeprof requests, then those of other services: Go and IOx, Materialize,
 * Neon. */
static const char *const guesses_below[] = {
    "/pprof/heap", "/pprof/profile", "/debug/pprof/heap", "/prof/heap", "/heap", "/profile/heap",
};

static const char *const guesses_of_cpu[] = {"/pprof/profile", "/profile/cpu"};

/* The path of the n-th guess for a URL with this path; NULL if there are no more. */
static char *
guess_path (GUri *uri, const char *url, unsigned n)
{
    unsigned n_kinds;
    const PvFetchEndpoint *cpu = pv_fetch_get_kinds (&n_kinds)[0].endpoints;
    g_autofree char *base = g_strdup (g_uri_get_path (uri));
    if (g_str_equal (base, cpu->path))
        return n < G_N_ELEMENTS (guesses_of_cpu) ? g_strdup (guesses_of_cpu[n]) : NULL;
    if (pv_fetch_find_endpoint (url) != NULL)
        return NULL;
    for (size_t len = strlen (base); len > 0 && base[len - 1] == '/'; len--)
        base[len - 1] = '\0';
    if (g_str_has_suffix (base, "/pprof"))
        return n < G_N_ELEMENTS (guesses_of_page) ? g_strconcat (base, guesses_of_page[n], NULL)
                                                  : NULL;
    if (n >= G_N_ELEMENTS (guesses_below))
        return NULL;
    return g_strconcat (base, guesses_below[n], NULL);
}

char *
pv_fetch_guess_url (const char *url, unsigned n)
{
    g_assert (url != NULL);
    g_autoptr (GUri) uri = pv_fetch_parse_url (url, NULL);
    g_autofree char *path = uri != NULL ? guess_path (uri, url, n) : NULL;
    if (path == NULL)
        return NULL;
    g_autoptr (GUri) moved = pv_fetch_move_url (uri, path, g_uri_get_query (uri));
    g_autofree char *guess = g_uri_to_string (moved);
    const PvFetchEndpoint *endpoint = pv_fetch_find_endpoint (guess);
    bool lacks_seconds =
        endpoint != NULL && endpoint->has_seconds && pv_fetch_get_seconds (guess) == 0;
    return pv_fetch_make_url (guess, NULL, lacks_seconds ? PV_FETCH_DEFAULT_SECONDS : 0, NULL);
}

char *
pv_fetch_list_guesses (const char *url)
{
    g_assert (url != NULL);
    g_autoptr (GUri) uri = pv_fetch_parse_url (url, NULL);
    g_autoptr (GString) paths = g_string_new (NULL);
    char *path;
    for (unsigned n = 0; uri != NULL && (path = guess_path (uri, url, n)) != NULL; n++) {
        g_string_append_printf (paths, "%s%s", n > 0 ? ", " : "", path);
        g_free (path);
    }
    return paths->len > 0 ? g_string_free (g_steal_pointer (&paths), false) : NULL;
}

void
pv_fetch_hide_secrets (char *argument)
{
    g_assert (argument != NULL);
    for (char *start = strstr (argument, "://"); start != NULL; start = strstr (start, "://")) {
        start += strlen ("://");
        char *end = memrchr (start, '@', strcspn (start, "/?#"));
        if (end != NULL)
            memset (start, '*', (size_t)(end - start));
    }
}

char *
pv_fetch_add_user (const char *url, const char *user, const char *password)
{
    g_assert (url != NULL && user != NULL && password != NULL);
    g_autoptr (GUri) uri = pv_fetch_parse_url (url, NULL);
    if (uri == NULL)
        return NULL;
    g_autoptr (GUri) named = g_uri_build_with_user (
        SOUP_HTTP_URI_FLAGS, g_uri_get_scheme (uri), user, password, NULL, g_uri_get_host (uri),
        g_uri_get_port (uri), g_uri_get_path (uri), g_uri_get_query (uri), NULL);
    return g_uri_to_string (named);
}

/* As users type it. */
static char *
format_socket (GUri *uri)
{
    const char *query = g_uri_get_query (uri);
    return g_strconcat ("unix://", g_uri_get_host (uri), ":", g_uri_get_path (uri),
                        query != NULL ? "?" : "", query, NULL);
}

char *
pv_fetch_format_url (const char *url)
{
    g_assert (url != NULL);
    g_autoptr (GUri) uri = pv_fetch_parse_url (url, NULL);
    /* In text that cannot be parsed, anything before the last "@" may be a password. */
    g_autofree char *shown = uri != NULL && pv_fetch_is_socket (uri) ? format_socket (uri)
                             : uri != NULL
                                 ? g_uri_to_string_partial (uri, G_URI_HIDE_USERINFO)
                                 : g_strdup (strchr (url, '@') != NULL ? strrchr (url, '@') : url);
    g_autofree char *valid = g_utf8_make_valid (shown, -1);
    if (g_utf8_strlen (valid, -1) <= MAX_SHOWN_CHARACTERS)
        return g_steal_pointer (&valid);
    g_autofree char *begin = g_utf8_substring (valid, 0, MAX_SHOWN_CHARACTERS - 1);
    return g_strconcat (begin, "…", NULL);
}

double
pv_fetch_get_seconds (const char *url)
{
    g_assert (url != NULL);
    g_autoptr (GUri) uri = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);
    const char *query = uri != NULL ? g_uri_get_query (uri) : NULL;
    g_auto (GStrv) parts = g_strsplit (query != NULL ? query : "", "&", -1);
    for (char **part = parts; *part != NULL; part++) {
        double seconds =
            is_seconds (*part) ? g_ascii_strtod (*part + strlen ("seconds="), NULL) : 0;
        if (isfinite (seconds) && seconds > 0)
            return MIN (seconds, 7 * 24 * 3600.0);
    }
    return 0;
}
