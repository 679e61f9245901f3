/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "../scratch.h"
#include "fetch/fetch.h"

#include <glib/gstdio.h>
#include <string.h>

#include "fetch/fetch-error.h"
#include "fetch/fetch-store.h"

#define PROFILE "PROFILE of something"

typedef struct {
    GMainLoop *loop;
    GSocketService *server;
    char *url;
    GCancellable *cancellable;
    unsigned n_progress, n_callbacks;
    PvFetchProgress progress;
    char *path;
    GError *error;
} Fixture;

static bool
is_profile (const void *data, size_t size)
{
    return size >= 7 && memcmp (data, "PROFILE", 7) == 0;
}

static char *
describe (const void *data, size_t size, bool *ret_is_known)
{
    *ret_is_known = false;
    return g_strdup ("This is something else");
}

/* Answers a request by its path, some after a second. */
static gboolean
answer (GThreadedSocketService *server, GSocketConnection *connection, GObject *source,
        gpointer data)
{
    static const char elsewhere[] = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n"
                                    "Location: https://elsewhere.example/x?y\r\n\r\n";
    static const char page[] = "HTTP/1.0 200 OK\r\n\r\n<html>Hello\r\n<p>there";
    static const char profile[] = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n" PROFILE;
    g_autoptr (GDataInputStream) input =
        g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));
    g_data_input_stream_set_newline_type (input, G_DATA_STREAM_NEWLINE_TYPE_CR_LF);
    g_autofree char *request = g_data_input_stream_read_line (input, NULL, NULL, NULL);
    g_autofree char *line = g_strdup (request);
    while (line != NULL && *line != '\0') {
        g_free (line);
        line = g_data_input_stream_read_line (input, NULL, NULL, NULL);
    }
    const char *text = profile;
    if (request == NULL)
        return TRUE;
    if (strstr (request, "/other") != NULL)
        text = elsewhere;
    else if (strstr (request, "/page") != NULL)
        text = page;
    else if (strstr (request, "/debug/pprof/profile") != NULL)
        g_usleep (G_USEC_PER_SEC);
    g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), text,
                               strlen (text), NULL, NULL, NULL);
    return TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->loop = g_main_loop_new (NULL, FALSE);
    fixture->cancellable = g_cancellable_new ();
    fixture->server = g_threaded_socket_service_new (4);
    g_signal_connect (fixture->server, "run", G_CALLBACK (answer), NULL);
    g_autoptr (GInetAddress) local = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
    g_autoptr (GSocketAddress) any_port = g_inet_socket_address_new (local, 0);
    g_autoptr (GSocketAddress) used = NULL;
    assert_ok (error, g_socket_listener_add_address (G_SOCKET_LISTENER (fixture->server), any_port,
                                                     G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP,
                                                     NULL, &used, &error));
    fixture->url = g_strdup_printf ("http://127.0.0.1:%u",
                                    g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (used)));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    g_autofree char *folder = pv_fetch_get_folder ();
    remove_files (folder);
    g_socket_service_stop (fixture->server);
    g_socket_listener_close (G_SOCKET_LISTENER (fixture->server));
    g_object_unref (fixture->server);
    g_object_unref (fixture->cancellable);
    g_main_loop_unref (fixture->loop);
    g_clear_error (&fixture->error);
    g_free (fixture->path);
    g_free (fixture->url);
}

static void
on_progress (const PvFetchProgress *progress, void *user)
{
    Fixture *fixture = user;
    g_assert_cmpuint (fixture->n_callbacks, ==, 0);
    g_assert_cmpfloat (progress->elapsed_seconds, >=, fixture->progress.elapsed_seconds);
    fixture->progress = *progress;
    fixture->n_progress++;
}

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer data)
{
    Fixture *fixture = data;
    fixture->n_callbacks++;
    fixture->path = pv_fetch_finish (result, &fixture->error);
    g_main_loop_quit (fixture->loop);
}

static gboolean
cancel (gpointer cancellable)
{
    g_cancellable_cancel (cancellable);
    return G_SOURCE_REMOVE;
}

static gboolean
quit (gpointer loop)
{
    g_main_loop_quit (loop);
    return G_SOURCE_REMOVE;
}

static void
fetch (Fixture *fixture, const char *path)
{
    PvFetchOptions options = {
        .is_profile = is_profile, .describe = describe, .progress = on_progress, .user = fixture};
    g_autofree char *url = g_strconcat (fixture->url, path, NULL);
    pv_fetch_async (url, &options, fixture->cancellable, on_fetched, fixture);
    g_main_loop_run (fixture->loop);
    /* Time for calls that must not follow the callback. */
    g_timeout_add (300, quit, fixture->loop);
    g_main_loop_run (fixture->loop);
    g_assert_cmpuint (fixture->n_callbacks, ==, 1);
}

static void
assert_nothing_left (void)
{
    g_autofree char *folder = pv_fetch_get_folder ();
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    g_assert_true (dir == NULL || g_dir_read_name (dir) == NULL);
}

FIXTURE_TEST (async, fixture)
{
    g_autofree char *content = NULL;
    fetch (fixture, "/debug/pprof/profile?seconds=1");
    g_assert_no_error (fixture->error);
    g_assert_true (g_file_get_contents (fixture->path, &content, NULL, NULL));
    g_assert_cmpstr (content, ==, PROFILE);
    g_assert_cmpuint (fixture->n_progress, >=, 2);
    g_assert_cmpfloat (fixture->progress.record_seconds, ==, 1);
    g_assert_cmpfloat (fixture->progress.elapsed_seconds, >, 0.2);
}

FIXTURE_TEST (cancelled, fixture)
{
    int64_t start_us = g_get_monotonic_time ();
    g_timeout_add (400, cancel, fixture->cancellable);
    fetch (fixture, "/debug/pprof/profile");
    g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_assert_null (fixture->path);
    g_assert_cmpint (g_get_monotonic_time () - start_us, <, 20 * G_USEC_PER_SEC);
    assert_nothing_left ();
    /* Until the server has finished too. */
    g_timeout_add (1000, quit, fixture->loop);
    g_main_loop_run (fixture->loop);
}

FIXTURE_TEST (cancelled_before, fixture)
{
    g_cancellable_cancel (fixture->cancellable);
    fetch (fixture, "/good");
    g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    assert_nothing_left ();
}

FIXTURE_TEST (redirect, fixture)
{
    fetch (fixture, "/other");
    g_assert_error (fixture->error, PV_FETCH_ERROR, PV_FETCH_ERROR_REDIRECT);
    g_autoptr (GError) copy = g_error_copy (fixture->error);
    g_assert_cmpstr (pv_fetch_error_get_redirect (copy), ==, "https://elsewhere.example/x?y");
    g_assert_null (pv_fetch_error_get_answer (copy));
    assert_nothing_left ();
}

FIXTURE_TEST (answer, fixture)
{
    fetch (fixture, "/page");
    g_assert_error (fixture->error, PV_FETCH_ERROR, PV_FETCH_ERROR_PAGE);
    g_assert_true (pv_fetch_error_is_elsewhere (fixture->error));
    g_assert_cmpstr (fixture->error->message, ==, "This is something else: “<html>Hello”");
    g_assert_cmpstr (pv_fetch_error_get_answer (fixture->error), ==, "<html>Hello\n<p>there");
    g_assert_null (pv_fetch_error_get_redirect (fixture->error));
    g_autoptr (GError) other = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "x");
    g_assert_null (pv_fetch_error_get_answer (other));
    g_assert_null (pv_fetch_error_get_redirect (other));
    assert_nothing_left ();
}

FIXTURE_TEST (bad_url, fixture)
{
    PvFetchOptions options = {.is_profile = is_profile, .describe = describe};
    assert_error (error, pv_fetch ("ftp://h/x", &options, NULL, &error), PV_FETCH_ERROR,
                  PV_FETCH_ERROR_BAD_URL);
    assert_nothing_left ();
}

TESTS_MAIN (argc, argv)
{
    g_autofree char *cache = g_dir_make_tmp ("profview-fetch-XXXXXX", NULL);
    g_setenv ("XDG_CACHE_HOME", cache, TRUE);
    pv_test_init (argc, argv);
    int status = g_test_run ();
    g_autofree char *folder = pv_fetch_get_folder ();
    g_autofree char *parent = g_path_get_dirname (folder);
    g_rmdir (folder);
    g_rmdir (parent);
    g_rmdir (cache);
    return status;
}
