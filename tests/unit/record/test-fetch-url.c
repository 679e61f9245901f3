/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"
#include "fetch/endpoints.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-store.h"
#include "fetch/fetch-url.h"
#include "fetch/netrc.h"
#include "fetch/page-links.h"

static const PvFetchEndpoint *
find (const char *path)
{
    unsigned n_kinds;
    const PvFetchKind *kinds = pv_fetch_get_kinds (&n_kinds);
    for (unsigned k = 0; k < n_kinds; k++) {
        for (unsigned i = 0; i < kinds[k].n_endpoints; i++)
            if (strcmp (kinds[k].endpoints[i].path, path) == 0)
                return &kinds[k].endpoints[i];
    }
    return NULL;
}

static void
check_url (const char *typed, const PvFetchEndpoint *endpoint, unsigned seconds,
           const char *expected)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *url = pv_fetch_make_url (typed, endpoint, seconds, &error);
    if (expected == NULL)
        g_assert_error (error, PV_FETCH_ERROR, PV_FETCH_ERROR_BAD_URL);
    else
        g_assert_no_error (error);
    g_assert_cmpstr (url, ==, expected);
}

TEST (servers)
{
    const PvFetchEndpoint *heap = find ("/debug/pprof/heap");
    const PvFetchEndpoint *growth = find ("/pprof/growth");
    check_url ("localhost:6060", NULL, 0, "http://localhost:6060/debug/pprof/profile?seconds=30");
    check_url ("  localhost:6060\n", NULL, 5,
               "http://localhost:6060/debug/pprof/profile?seconds=5");
    check_url ("localhost:6060", heap, 5, "http://localhost:6060/debug/pprof/heap");
    check_url ("http://db.example/", growth, 0, "http://db.example/pprof/growth");
    check_url ("HTTPS://db.example", heap, 0, "https://db.example/debug/pprof/heap");
    check_url ("//db.example", heap, 0, "http://db.example/debug/pprof/heap");
    check_url ("10.0.0.1", heap, 0, "http://10.0.0.1/debug/pprof/heap");
    check_url ("::1", heap, 0, "http://[::1]/debug/pprof/heap");
    check_url ("[::1]:6060", heap, 0, "http://[::1]:6060/debug/pprof/heap");
    check_url ("ann:pw@db.example:1", heap, 0, "http://ann:pw@db.example:1/debug/pprof/heap");
    g_assert_true (pv_fetch_is_server ("localhost:6060"));
    g_assert_true (pv_fetch_is_server (" http://[::1]:6060/ "));
    g_assert_false (pv_fetch_is_server ("localhost:6060/debug/pprof/heap"));
    g_assert_false (pv_fetch_is_server ("http://localhost/?x"));
    g_assert_false (pv_fetch_is_server ("ftp://localhost"));
    g_assert_false (pv_fetch_is_server (""));
}

TEST (complete_urls)
{
    const PvFetchEndpoint *heap = find ("/debug/pprof/heap");
    static const char *const kept[] = {
        "http://h/debug/pprof/profile?seconds=7",
        "http://h/debug/pprof/heap?gc=1",
        "https://h:8443/own/path?a=b&c=%20d",
        "http://ann:p%40w@h/debug/pprof/heap",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (kept); i++)
        check_url (kept[i], heap, 0, kept[i]);
    check_url ("h/debug/pprof/profile", heap, 9, "http://h/debug/pprof/profile?seconds=9");
    check_url ("http://h/a/pprof/profile?x=1&seconds=3&y", NULL, 9,
               "http://h/a/pprof/profile?x=1&y&seconds=9");
    /* Like "go tool pprof -seconds": to a heap, a server may send what it allocates meanwhile. */
    check_url ("http://h/debug/pprof/heap", NULL, 9, "http://h/debug/pprof/heap?seconds=9");
    check_url ("http://h/own?x=1", NULL, 9, "http://h/own?x=1&seconds=9");
    check_url ("http://h/debug/pprof/heap#part", NULL, 0, "http://h/debug/pprof/heap");
    check_url ("http://h/a b/ä?ö=\"", NULL, 0, "http://h/a%20b/%C3%A4?%C3%B6=%22");
}

/* The path of a socket is the host of a URL, as far as there is a socket, or to the colon. */
TEST (sockets)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp ("profview-socket-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (folder, "s", NULL);
    g_autofree char *escaped = g_uri_escape_string (path, NULL, TRUE);
    g_autofree char *beside = g_strdup_printf ("unix://%s/debug/pprof/heap?gc=1", path);
    g_autofree char *expected = g_strdup_printf ("http+unix://%s/debug/pprof/heap?gc=1", escaped);
    g_autoptr (GSocketListener) listener = g_socket_listener_new ();
    g_autoptr (GSocketAddress) place = g_unix_socket_address_new (path);
    assert_ok (failed,
               g_socket_listener_add_address (listener, place, G_SOCKET_TYPE_STREAM,
                                              G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, &failed));
    check_url (beside, NULL, 0, expected);
    check_url (expected, NULL, 0, expected);
    check_url ("unix:///run/a b.sock:/x?y", NULL, 0, "http+unix://%2Frun%2Fa%20b.sock/x?y");
    check_url ("Unix:/run/a.sock:/x", NULL, 3, "http+unix://%2Frun%2Fa.sock/x?seconds=3");
    check_url ("unix:///run/a.sock", find ("/pprof/heap"), 0,
               "http+unix://%2Frun%2Fa.sock/pprof/heap");
    check_url ("http+unix://%2Frun%2Fa.sock", find ("/pprof/heap"), 0,
               "http+unix://%2Frun%2Fa.sock/pprof/heap");
    check_url ("https+insecure://h:8443", find ("/pprof/heap"), 0,
               "https+insecure://h:8443/pprof/heap");
    static const char *const bad[] = {
        "unix://run/a.sock",       "http+unix://run/a",        "http+unix://",
        "http+unix://%2Frun%01/x", "http+unix://%2Frun%3A1/x", "http+unix://%2Frun:80/x"};
    for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
        check_url (bad[i], NULL, 0, NULL);
    g_autofree char *name = g_strnfill (200, 'x');
    g_autofree char *too_long = g_strdup_printf ("unix:///%s:/x", name);
    check_url (too_long, NULL, 0, NULL);
    g_assert_true (pv_fetch_is_url ("unix:///run/a.sock"));
    g_assert_true (pv_fetch_is_url ("https+insecure://h"));
    g_assert_false (pv_fetch_is_url ("unix:file"));
    assert_string (pv_fetch_format_url ("http+unix://%2Frun%2Fa.sock/x?y"),
                   "unix:///run/a.sock:/x?y");
    g_unlink (path);
    g_rmdir (folder);
}

static void
assert_links_of (const char *page, const char *html, const char *expected)
{
    g_autoptr (GUri) url = pv_fetch_parse_url (page, NULL);
    g_autoptr (GError) error = NULL;
    bool is_list = pv_page_links_find (html, strlen (html), url, &error);
    g_assert_true (is_list == (expected != NULL));
    const char *const *links = error != NULL ? pv_fetch_error_get_links (error) : NULL;
    g_autofree char *joined = links != NULL ? g_strjoinv (" ", (char **)links) : NULL;
    g_assert_cmpstr (joined, ==, expected);
}

static void
assert_links (const char *html, const char *expected)
{
    assert_links_of ("http://ann:x@h:80/a/debug/pprof/", html, expected);
}

/* The profiles that a page lists: those with known paths, and what is beside them on Go's page. */
TEST (page_links)
{
    assert_links ("<a href='heap?debug=1'>heap</a><a HREF = \"profile\">",
                  "http://ann:x@h/a/debug/pprof/heap "
                  "http://ann:x@h/a/debug/pprof/profile?seconds=30");
    assert_links ("<a href=goroutine?debug=2><a href='goroutine?debug=1&amp;gc=1'>"
                  "<a href='goroutine'>",
                  "http://ann:x@h/a/debug/pprof/goroutine "
                  "http://ann:x@h/a/debug/pprof/goroutine?gc=1");
    assert_links ("<a href='my.own'><a href='cmdline'><a href='trace'><a href='../x'>",
                  "http://ann:x@h/a/debug/pprof/my.own");
    assert_links ("<a href='/pprof/growth'><a href='http://h/pprof/heap'>",
                  "http://ann:x@h/pprof/growth http://ann:x@h/pprof/heap");
    assert_links ("<a href='http://other/debug/pprof/heap'><a href='file:///pprof/heap'>"
                  "<a href='unix:///x:/pprof/heap'><a href='http+unix://h/pprof/heap'>",
                  NULL);
    assert_links_of ("unix:///run/a.sock:/pprof/", "<a href='heap'><a href='/debug/pprof/block'>",
                     "http+unix://%2Frun%2Fa.sock/pprof/heap "
                     "http+unix://%2Frun%2Fa.sock/debug/pprof/block");
    assert_links ("<a href='heap", NULL);
    assert_links ("<a href=", NULL);
    assert_links ("href='\xff\xfe/pprof/heap'", NULL);
    assert_links ("<a href='x:/.//a'>", NULL);
    /* Too long once its letters are escaped, with three bytes for each. */
    g_autofree char *folders = g_strnfill (7950, 'a');
    g_autofree char *page = g_strconcat ("http://h/", folders, "/pprof/", NULL);
    g_autofree char *heap = g_strconcat (page, "heap", NULL);
    g_autoptr (GString) html = g_string_new ("<a href='");
    for (unsigned i = 0; i < 50; i++)
        g_string_append (html, "ü");
    g_string_append (html, "'><a href='heap'>");
    assert_links_of (page, html->str, heap);
}

TEST (bad_urls)
{
    static const char *const bad[] = {"",
                                      "  ",
                                      "http://",
                                      "http:///path",
                                      "ftp://h/x",
                                      "file:///x",
                                      "http://h:x/",
                                      "http://[::1/",
                                      "http://a b",
                                      "http://\r/",
                                      "http://h\nX:",
                                      "http://h/\x01",
                                      "http://\xff/",
                                      "http://h:0/",
                                      "http://h:70000/"};
    for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
        check_url (bad[i], NULL, 0, NULL);
    g_autofree char *huge = g_strnfill (1 << 20, 'x');
    check_url (huge, NULL, 0, NULL);
    g_assert_true (pv_fetch_is_url ("http://h"));
    g_assert_true (pv_fetch_is_url ("HTTPS://h"));
    g_assert_false (pv_fetch_is_url ("localhost:6060"));
    g_assert_false (pv_fetch_is_url ("https"));
    g_assert_false (pv_fetch_is_url ("file:///x"));
    g_assert_true (pv_fetch_is_address ("localhost:6060"));
    g_assert_true (pv_fetch_is_address ("db-1.example:80/debug/pprof/heap?gc=1"));
    g_assert_true (pv_fetch_is_address ("[::1]:6060"));
    g_assert_false (pv_fetch_is_address ("localhost"));
    g_assert_false (pv_fetch_is_address ("folder/name:6060"));
    g_assert_false (pv_fetch_is_address ("name:123456"));
    g_assert_false (pv_fetch_is_address ("name:12.heap"));
    g_assert_false (pv_fetch_is_address ("\xff:12"));
}

TEST (endpoints)
{
    g_assert_true (pv_fetch_find_endpoint ("http://h/debug/pprof/heap?gc=1") ==
                   find ("/debug/pprof/heap"));
    g_assert_true (pv_fetch_find_endpoint ("http://h/behind/debug/pprof/heap") ==
                   find ("/debug/pprof/heap"));
    g_assert_true (pv_fetch_find_endpoint ("http://h/pprof/heap") == find ("/pprof/heap"));
    g_assert_null (pv_fetch_find_endpoint ("http://h/heap"));
    g_assert_null (pv_fetch_find_endpoint ("no url"));
    g_assert_cmpfloat (pv_fetch_get_seconds ("http://h/x?a=1&seconds=2.5"), ==, 2.5);
    g_assert_cmpfloat (pv_fetch_get_seconds ("http://h/x?seconds=-1"), ==, 0);
    g_assert_cmpfloat (pv_fetch_get_seconds ("http://h/x?seconds=nan"), ==, 0);
    g_assert_cmpfloat (pv_fetch_get_seconds ("http://h/x?seconds=1e99"), <=, 1e6);
    g_assert_cmpfloat (pv_fetch_get_seconds ("http://h/x?milliseconds=5"), ==, 0);
    g_assert_cmpfloat (pv_fetch_get_seconds ("http://h/x"), ==, 0);
}

static void
check_shown (const char *url, const char *expected)
{
    assert_string (pv_fetch_format_url (url), expected);
}

TEST (shown)
{
    check_shown ("http://ann:secret@h:1/x?y", "http://h:1/x?y");
    check_shown ("http://ann@h/", "http://h/");
    check_shown ("http://ann:sec@ret@/x", "@/x");
    g_autofree char *path = g_strnfill (500, 'x');
    g_autofree char *url = g_strconcat ("http://h/", path, NULL);
    g_autofree char *shown = pv_fetch_format_url (url);
    g_assert_cmpint (g_utf8_strlen (shown, -1), ==, 200);
    g_assert_true (g_str_has_suffix (shown, "x…"));
}

static void
check_name (const char *url, const char *head, size_t size, const char *expected)
{
    g_autoptr (GDateTime) when = g_date_time_new_local (2026, 11, 21, 13, 15, 2);
    assert_string (pv_fetch_make_name (url, when, head, size), expected);
}

TEST (names)
{
    static const char gzip_of_pb[] =
        "\x1f\x8b\x08\0\0\0\0\0\0\x03\xe3\x62\x60\x64\x02\0\x3e\xb0\x60"
        "\x3a\x04\0\0\0";
    check_name ("http://localhost:6060/debug/pprof/heap", "\x0a\x04\x08\x01", 4,
                "localhost-6060-heap-2026-11-21-131502.pb");
    check_name ("http://h/debug/pprof/heap", gzip_of_pb, sizeof gzip_of_pb - 1,
                "h-heap-2026-11-21-131502.pb.gz");
    check_name ("https://h/pprof/heap", "heap profile: 1: 2", 18, "h-heap-2026-11-21-131502.heap");
    check_name ("http://h/x/own.thing", "heap_v2/524288\n", 15,
                "h-own.thing-2026-11-21-131502.heap");
    check_name ("http://h/x", "\0\0\0\0\0\0\0\0\3", 9, "h-x-2026-11-21-131502.prof");
    check_name ("http://h/x", "--- contentionz", 15, "h-x-2026-11-21-131502.prof");
    check_name ("http://h/x", "\x28\xb5\x2f\xfd", 4, "h-x-2026-11-21-131502.prof.zst");
    check_name ("http://ann:secret@[fe80::1]:99/../%2e%2e%2Fetc/.pass%00wd", "--- x", 5,
                "fe80-1-99-pass-00wd-2026-11-21-131502.prof");
    check_name ("http://h/..", "--- x", 5, "h-profile-2026-11-21-131502.prof");
}

static void
assert_guess (const char *url, unsigned n, const char *expected)
{
    assert_string (pv_fetch_guess_url (url, n), expected);
}

/* Where else a profile may be: below an address without an endpoint, or at the path of a CPU
 * profile of other services; never on another server. */
TEST (guesses)
{
    assert_guess ("http://a:8080/debug/mem", 0, "http://a:8080/debug/mem/pprof/heap");
    assert_guess ("http://a:8080/debug/mem", 1, "http://a:8080/debug/mem/pprof/profile");
    assert_guess ("http://ann:x@a/prof/", 3, "http://ann:x@a/prof/prof/heap");
    assert_guess ("http://ann:x@a/prof/", 4, "http://ann:x@a/prof/heap");
    assert_guess ("http://a/app?token=5", 0, "http://a/app/pprof/heap?token=5");
    assert_guess ("http://a/app?token=5", 1, "http://a/app/pprof/profile?token=5&seconds=30");
    assert_guess ("http://a/app?seconds=5", 1, "http://a/app/pprof/profile?seconds=5");
    assert_guess ("http://a/app", 6, NULL);
    assert_guess ("http://a/debug/pprof/heap", 0, NULL);
    assert_guess ("http://a/debug/pprof/profile?seconds=7", 0, "http://a/pprof/profile?seconds=7");
    assert_guess ("http://a/debug/pprof/profile?seconds=7", 1, "http://a/profile/cpu?seconds=7");
    assert_guess ("http://a/debug/pprof/profile?seconds=7", 2, NULL);
    assert_guess ("http://a/debug/pprof/", 0, "http://a/debug/pprof/heap");
    assert_guess ("http://a/debug/pprof", 1, "http://a/debug/pprof/profile?seconds=30");
    assert_guess ("http://a/debug/pprof", 2, NULL);
    assert_guess ("not a URL", 0, NULL);
}

static void
assert_hidden (const char *argument, const char *expected)
{
    g_autofree char *hidden = g_strdup (argument);
    pv_fetch_hide_secrets (hidden);
    g_assert_cmpstr (hidden, ==, expected);
}

TEST (secrets)
{
    assert_hidden ("http://ann:pass@a/b", "http://********@a/b");
    assert_hidden ("https://ann@a", "https://***@a");
    assert_hidden ("http://a:b@c@d?x@y", "http://*****@d?x@y");
    assert_hidden ("http://a/b@c", "http://a/b@c");
    assert_hidden ("--base=http://ann:pass@a/b", "--base=http://********@a/b");
    assert_hidden ("--with=HTTPS://ann:pass@a", "--with=HTTPS://********@a");
    assert_hidden ("--map-path=/a@b=/c", "--map-path=/a@b=/c");
    assert_hidden ("http:", "http:");
    assert_hidden ("dir//ann:pass@a", "dir//ann:pass@a");

    g_autofree char *named = pv_fetch_add_user ("http://old:x@h:80/p?q", "ann", "a b@c/%");
    g_autoptr (GUri) uri = g_uri_parse (named, G_URI_FLAGS_HAS_PASSWORD, NULL);
    g_assert_cmpstr (g_uri_get_user (uri), ==, "ann");
    g_assert_cmpstr (g_uri_get_password (uri), ==, "a b@c/%");
    g_assert_cmpstr (g_uri_get_host (uri), ==, "h");
    g_assert_null (pv_fetch_add_user ("not a URL", "ann", "x"));
}

static void
assert_netrc (const char *text, const char *expected)
{
    g_autofree char *user = NULL, *password = NULL;
    bool is_found = pv_netrc_find (text, strlen (text), "host", &user, &password);
    g_autofree char *found = g_strdup_printf ("%s:%s", user, password);
    g_assert_cmpstr (is_found ? found : NULL, ==, expected);
    /* No byte after the end is read, wherever that is. */
    for (size_t n = 0; n < strlen (text); n++) {
        g_autofree char *part = g_memdup2 (text, n);
        g_autofree char *cut_user = NULL, *cut_password = NULL;
        pv_netrc_find (part, n, "host", &cut_user, &cut_password);
    }
}

TEST (netrc)
{
    assert_netrc ("machine host login ann password x", "ann:x");
    assert_netrc ("machine HOST\n\tlogin ann\n\tpassword x\nmachine b login bob password y",
                  "ann:x");
    assert_netrc ("machine a login bob password y machine host password x login ann", "ann:x");
    assert_netrc ("machine host password \"a \\\"b\\\\\" login ann", "ann:a \"b\\");
    assert_netrc ("default login ann password x", "ann:x");
    assert_netrc ("default login ann password x machine host login bob password y", "ann:x");
    assert_netrc (
        "# machine host login no password no\nmachine host login ann password x account z",
        "ann:x");
    assert_netrc ("machine a macdef init\nmachine host login no password no\n\n"
                  "machine host login ann password x",
                  "ann:x");
    assert_netrc ("machine hosts login ann password x", NULL);
    assert_netrc ("machine host login ann", NULL);
    assert_netrc ("machine host login ann machine b password x", NULL);
    assert_netrc ("machine", NULL);
    assert_netrc ("macdef", NULL);
    assert_netrc ("", NULL);
}
