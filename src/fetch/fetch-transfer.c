/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-transfer.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <math.h>
#include <string.h>

#include "core/base/answer-text.h"
#include "fetch/fetch-body.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-failure.h"
#include "fetch/fetch-url.h"
#include "fetch/netrc.h"

/*
 * Every request, even a redirected one, has its own session, so that no cookies, cache or
 * connections are kept. One timer watches for a slow server: one that does not answer
 * (PvFetchOptions.timeout_seconds; the end of a text counts) or sends almost nothing
 * (stall_seconds).
 */
enum {
    READ_BYTES = 1 << 16,
    TICK_MS = 250,
    MAX_REDIRECTS = 10,
    MAX_INTERIM_ANSWERS = 32,
    STALL_BYTES = 4096,
    MIN_TIMEOUT_SECONDS = 60,
    MORE_SECONDS = 15, /* for the server to process a recording before it sends it */
    DEFAULT_STALL_SECONDS = 30,
    REFUSAL_SECONDS = 3, /* for the text of a refusal */
    SHOWN_CHARACTERS = 200,
};

typedef struct {
    const PvFetchOptions *options;
    bool is_text;     /* the answer is a text, not a profile */
    const char *form; /* to POST; NULL: GET */
    double record_seconds, timeout_seconds, stall_seconds;

    GMainLoop *loop;
    GCancellable *cancellable; /* the caller's; or NULL */
    GCancellable *inner;       /* cancelled with it, and on timeouts */
    GUri *url;
    SoupSession *session;
    SoupMessage *message;
    GInputStream *stream;
    unsigned n_redirects, n_interim_answers;

    PvFetchBody body;
    char *path;    /* of the profile */
    GBytes *text;  /* instead of that */
    GError *error; /* the first one is kept */
    bool is_over;

    int64_t start_us;
    int64_t window_us; /* start of the interval for stall_seconds; 0: no bytes yet */
    uint64_t window_bytes;
    int64_t refused_us; /* when the server refused; 0: it did not */
    char buffer[READ_BYTES];
} Transfer;

static void send_request (Transfer *transfer);
static void read_more (Transfer *transfer);

/* Takes ownership of error, which may be NULL. */
static void
finish (Transfer *transfer, GError *error)
{
    if (error != NULL && transfer->error == NULL)
        transfer->error = error;
    else
        g_clear_error (&error);
    transfer->is_over = true;
    g_main_loop_quit (transfer->loop);
}

/* Time */

static void
report_progress (Transfer *transfer)
{
    const PvFetchOptions *options = transfer->options;
    uint64_t expected = transfer->body.expected_bytes;
    bool is_known = transfer->stream != NULL && expected != UINT64_MAX;
    PvFetchProgress progress = {
        .n_bytes = transfer->body.n_received,
        .expected_bytes = is_known ? expected : 0,
        .elapsed_seconds = (double)(g_get_monotonic_time () - transfer->start_us) / 1e6,
        .record_seconds = transfer->record_seconds,
    };
    if (options->progress != NULL)
        options->progress (&progress, options->user);
}

/* Cancels the current operation, whose callback then finishes with this error. Takes ownership. */
static void
give_up (Transfer *transfer, GError *error)
{
    if (transfer->error == NULL)
        transfer->error = error;
    else
        g_error_free (error);
    g_cancellable_cancel (transfer->inner);
}

static GError *
make_timeout (const char *text)
{
    GError *error = NULL;
    pv_fetch_set_error (&error, PV_FETCH_ERROR_TIMED_OUT, NULL, NULL, "%s", text);
    return error;
}

static void
check_answer_time (Transfer *transfer, int64_t now_us)
{
    if ((double)(now_us - transfer->start_us) / 1e6 <= transfer->timeout_seconds)
        return;
    g_autofree char *text = g_strdup_printf (_ ("The server did not answer within %.10g seconds."),
                                             transfer->timeout_seconds);
    give_up (transfer, make_timeout (text));
}

static void
check_stall (Transfer *transfer, int64_t now_us)
{
    if ((double)(now_us - transfer->window_us) / 1e6 <= transfer->stall_seconds)
        return;
    if (transfer->body.n_received - transfer->window_bytes < STALL_BYTES) {
        g_autofree char *text = g_strdup_printf (
            _ ("The server stopped sending: almost nothing arrived for %.10g seconds."),
            transfer->stall_seconds);
        give_up (transfer, make_timeout (text));
    }
    transfer->window_us = now_us;
    transfer->window_bytes = transfer->body.n_received;
}

static gboolean
tick (gpointer data)
{
    Transfer *transfer = data;
    int64_t now_us = g_get_monotonic_time ();
    if (transfer->refused_us != 0) {
        if (now_us - transfer->refused_us > REFUSAL_SECONDS * G_USEC_PER_SEC)
            g_cancellable_cancel (transfer->inner);
    } else if (transfer->window_us == 0 || transfer->is_text) {
        check_answer_time (transfer, now_us);
    } else {
        check_stall (transfer, now_us);
    }
    report_progress (transfer);
    return G_SOURCE_CONTINUE;
}

/* The body */

static void
finish_body (Transfer *transfer)
{
    GError *error = NULL;
    if (transfer->body.kind == PV_FETCH_BODY_REFUSAL)
        pv_fetch_body_set_refused (&transfer->body, soup_message_get_status (transfer->message),
                                   &error);
    else if (transfer->is_text)
        transfer->text = pv_fetch_body_take_text (&transfer->body, &error);
    else
        transfer->path = pv_fetch_body_commit (&transfer->body, &error);
    finish (transfer, error);
}

/* libsoup before 3.6.5 reports a connection that ends between two chunks as the end of the answer.
 * Its chunk stream still knows: after the last chunk it returns the end even to a cancelled read;
 * before it, it tries to read and reports the cancellation. */
static bool
is_cut_between_chunks (Transfer *transfer)
{
    SoupMessageHeaders *headers = soup_message_get_response_headers (transfer->message);
    if (soup_check_version (3, 6, 5) || !G_IS_FILTER_INPUT_STREAM (transfer->stream) ||
        soup_message_headers_get_encoding (headers) != SOUP_ENCODING_CHUNKED)
        return false;
    GInputStream *chunks =
        g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (transfer->stream));
    g_autoptr (GCancellable) cancelled = g_cancellable_new ();
    g_autoptr (GError) error = NULL;
    g_cancellable_cancel (cancelled);
    return g_input_stream_read (chunks, transfer->buffer, 1, cancelled, &error) < 0 &&
           g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
    Transfer *transfer = data;
    g_autoptr (GError) cause = NULL;
    GError *error = NULL;
    gssize n = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &cause);
    bool is_refusal = transfer->body.kind == PV_FETCH_BODY_REFUSAL;
    if (n > 0 && transfer->window_us == 0)
        transfer->window_us = g_get_monotonic_time ();
    if (transfer->error != NULL)
        finish (transfer, NULL);
    else if (n < 0 && is_refusal && !g_cancellable_is_cancelled (transfer->cancellable))
        finish_body (transfer); /* the text that arrived is enough */
    else if (n < 0)
        finish (transfer, pv_failure_explain (cause, transfer->message, true));
    else if (n == 0 && !is_refusal && is_cut_between_chunks (transfer))
        finish (transfer, pv_fetch_make_cut_error ());
    else if (n == 0)
        finish_body (transfer);
    else if (!pv_fetch_body_add (&transfer->body, transfer->buffer, (size_t)n, &error))
        finish (transfer, error);
    else if (pv_fetch_body_is_enough (&transfer->body))
        finish_body (transfer);
    else
        read_more (transfer);
}

static void
read_more (Transfer *transfer)
{
    g_input_stream_read_async (transfer->stream, transfer->buffer, sizeof transfer->buffer,
                               G_PRIORITY_DEFAULT, transfer->inner, on_read, transfer);
}

static void
begin_body (Transfer *transfer, bool is_refusal)
{
    SoupMessageHeaders *headers = soup_message_get_response_headers (transfer->message);
    bool has_length = soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH;
    goffset length = has_length ? soup_message_headers_get_content_length (headers) : -1;
    GError *error = NULL;
    PvFetchBodyKind kind = is_refusal          ? PV_FETCH_BODY_REFUSAL
                           : transfer->is_text ? PV_FETCH_BODY_TEXT
                                               : PV_FETCH_BODY_PROFILE;
    if (is_refusal)
        transfer->refused_us = g_get_monotonic_time ();
    if (pv_fetch_body_begin (&transfer->body, transfer->options, kind, transfer->url,
                             soup_message_headers_get_list (headers, "Content-Encoding"),
                             length >= 0 ? (uint64_t)length : UINT64_MAX,
                             soup_message_headers_get_content_type (headers, NULL), &error))
        read_more (transfer);
    else
        finish (transfer, error);
}

/* Redirects */

/* With this user name and password (or NULL) instead of those in url. */
static GUri *
copy_url (GUri *url, const char *scheme, const char *user, const char *password)
{
    return g_uri_build_with_user (SOUP_HTTP_URI_FLAGS, scheme, user, password, NULL,
                                  g_uri_get_host (url), g_uri_get_port (url), g_uri_get_path (url),
                                  g_uri_get_query (url), NULL);
}

/* Only users choose sockets, and which certificates need not be checked. */
static bool
can_lead_to (GUri *from, GUri *to)
{
    bool is_plain = !pv_fetch_is_socket (to) && !pv_fetch_is_insecure (to);
    return is_plain || g_str_equal (g_uri_get_scheme (from), g_uri_get_scheme (to));
}

static void
close_request (Transfer *transfer)
{
    /* Unless it is cancelled, closing reads the rest of the answer. */
    g_autoptr (GCancellable) at_once = g_cancellable_new ();
    g_cancellable_cancel (at_once);
    if (transfer->stream != NULL)
        g_input_stream_close (transfer->stream, at_once, NULL);
    g_clear_object (&transfer->stream);
    if (transfer->session != NULL)
        soup_session_abort (transfer->session);
    g_clear_object (&transfer->message);
    g_clear_object (&transfer->session);
}

static GError *
follow (Transfer *transfer, const char *location)
{
    GError *error = NULL;
    g_autoptr (GUri) parsed = pv_fetch_resolve_url (transfer->url, location);
    if (parsed == NULL || !can_lead_to (transfer->url, parsed)) {
        g_autofree char *shown = pv_answer_make_line (location, SHOWN_CHARACTERS);
        pv_fetch_set_error (&error, PV_FETCH_ERROR_BAD_ANSWER, NULL, NULL,
                            _ ("The server redirects to an address that cannot be fetched: “%s”"),
                            shown);
        return error;
    }
    if (!pv_fetch_is_same_server (transfer->url, parsed)) {
        g_autoptr (GUri) bare = copy_url (parsed, g_uri_get_scheme (parsed), NULL, NULL);
        g_autofree char *redirect = g_uri_to_string (bare);
        g_autofree char *shown = pv_fetch_format_url (redirect);
        pv_fetch_set_error (
            &error, PV_FETCH_ERROR_REDIRECT, redirect, NULL,
            _ ("The server redirects to another server, which needs your consent: %s"), shown);
        return error;
    }
    if (++transfer->n_redirects > MAX_REDIRECTS) {
        pv_fetch_set_error (&error, PV_FETCH_ERROR_BAD_ANSWER, NULL, NULL,
                            _ ("The server redirects too many times."));
        return error;
    }
    GUri *scheme_of = pv_fetch_is_insecure (transfer->url) ? transfer->url : parsed;
    GUri *next = copy_url (parsed, g_uri_get_scheme (scheme_of), g_uri_get_user (transfer->url),
                           g_uri_get_password (transfer->url));
    g_uri_unref (transfer->url);
    transfer->url = next;
    close_request (transfer);
    send_request (transfer);
    return NULL;
}

/* The request */

static void
on_sent (GObject *source, GAsyncResult *result, gpointer data)
{
    Transfer *transfer = data;
    g_autoptr (GError) cause = NULL;
    transfer->stream = soup_session_send_finish (transfer->session, result, &cause);
    if (transfer->error != NULL || transfer->stream == NULL) {
        finish (transfer, transfer->error == NULL
                              ? pv_failure_explain (cause, transfer->message, false)
                              : NULL);
        return;
    }
    SoupStatus status = soup_message_get_status (transfer->message);
    const char *location = soup_message_headers_get_one (
        soup_message_get_response_headers (transfer->message), "Location");
    if (status >= 300 && status < 400 && location != NULL) {
        GError *error = follow (transfer, location);
        if (error != NULL)
            finish (transfer, error);
        return;
    }
    begin_body (transfer, !SOUP_STATUS_IS_SUCCESSFUL (status));
}

/* An endless run of "100 Continue" would keep the main loop from ever running the timer. */
static void
count_interim_answer (SoupMessage *message, Transfer *transfer)
{
    if (++transfer->n_interim_answers > MAX_INTERIM_ANSWERS) {
        GError *error = NULL;
        pv_fetch_set_error (&error, PV_FETCH_ERROR_BAD_ANSWER, NULL, NULL,
                            _ ("The server sends too many interim responses."));
        give_up (transfer, error);
    }
}

/* HTTP/2 gains nothing for a single request, and with it libsoup 3.2 waits forever when a server
 * drops the connection. libsoup 3.4 has a function for this. */
static void
avoid_http2 (SoupMessage *message, GSocketClientEvent event, GIOStream *connection)
{
    static const char *const protocols[] = {"http/1.1", NULL};
    if (event == G_SOCKET_CLIENT_TLS_HANDSHAKING && G_IS_TLS_CONNECTION (connection))
        g_tls_connection_set_advertised_protocols (G_TLS_CONNECTION (connection), protocols);
}

/* The server wants to know who asks, and the URL does not say it. */
static gboolean
answer_challenge (SoupMessage *message, SoupAuth *auth, gboolean is_retry, Transfer *transfer)
{
    g_autofree char *user = NULL, *password = NULL;
    if (is_retry || soup_auth_is_for_proxy (auth) || g_uri_get_user (transfer->url) != NULL ||
        !pv_netrc_look_up (g_uri_get_host (transfer->url), &user, &password))
        return FALSE;
    soup_auth_authenticate (auth, user, password);
    return TRUE;
}

/* libsoup asks only where the certificate is bad. */
static gboolean
accept_certificate (SoupMessage *message, GTlsCertificate *certificate, GTlsCertificateFlags errors,
                    gpointer user)
{
    return TRUE;
}

/* Takes the files of the options. False with PV_FETCH_ERROR_UNTRUSTED. */
static bool
set_tls (Transfer *transfer, GError **error)
{
    const PvFetchTls *tls = &transfer->options->tls;
    g_autoptr (GError) cause = NULL;
    const char *path = tls->authorities;
    if (pv_fetch_is_insecure (transfer->url))
        g_signal_connect (transfer->message, "accept-certificate", G_CALLBACK (accept_certificate),
                          NULL);
    if (tls->authorities != NULL) {
        g_autofree char *absolute = g_canonicalize_filename (tls->authorities, NULL);
        g_autoptr (GTlsDatabase) database = g_tls_file_database_new (absolute, &cause);
        if (database != NULL)
            soup_session_set_tls_database (transfer->session, database);
    }
    if (cause == NULL && tls->certificate != NULL) {
        path = tls->certificate;
        g_autoptr (GTlsCertificate) certificate =
            g_tls_certificate_new_from_files (path, tls->key != NULL ? tls->key : path, &cause);
        if (certificate != NULL)
            soup_message_set_tls_client_certificate (transfer->message, certificate);
    }
    if (cause == NULL)
        return true;
    g_autofree char *shown = g_filename_display_name (path);
    g_autofree char *reason = pv_answer_make_line (cause->message, SHOWN_CHARACTERS);
    pv_fetch_set_error (error, PV_FETCH_ERROR_UNTRUSTED, NULL, NULL,
                        /* Translators: the path of a file, and a reason */
                        _ ("The certificates in %s cannot be used: %s"), shown, reason);
    return false;
}

static SoupSession *
make_session (Transfer *transfer)
{
    g_autoptr (GSocketAddress) place =
        pv_fetch_is_socket (transfer->url)
            ? g_unix_socket_address_new (g_uri_get_host (transfer->url))
            : NULL;
    SoupSession *session = soup_session_new_with_options (
        "user-agent", "profview/" PV_VERSION, "timeout", 0, "remote-connectable", place, NULL);
    /* Requests to this machine bypass the proxy. */
    if (pv_fetch_is_local (transfer->url))
        soup_session_set_proxy_resolver (session, NULL);
    /* The body unpacks by itself, to check the size before and after. */
    soup_session_remove_feature_by_type (session, SOUP_TYPE_CONTENT_DECODER);
    return session;
}

/* The URL as libsoup knows it. */
static GUri *
make_plain_url (GUri *url)
{
    bool is_socket = pv_fetch_is_socket (url), is_insecure = pv_fetch_is_insecure (url);
    if (!is_socket && !is_insecure)
        return g_uri_ref (url);
    return g_uri_build_with_user (
        SOUP_HTTP_URI_FLAGS, is_socket ? "http" : "https", g_uri_get_user (url),
        g_uri_get_password (url), NULL, is_socket ? "localhost" : g_uri_get_host (url),
        g_uri_get_port (url), g_uri_get_path (url), g_uri_get_query (url), NULL);
}

static SoupMessage *
make_message (Transfer *transfer)
{
    g_autoptr (GUri) url = make_plain_url (transfer->url);
    SoupMessage *message = soup_message_new_from_uri (
        transfer->form != NULL ? SOUP_METHOD_POST : SOUP_METHOD_GET, url);
    soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_COLLECT_METRICS);
    SoupMessageHeaders *headers = soup_message_get_request_headers (message);
    soup_message_headers_replace (headers, "Accept-Encoding", "gzip");
    if (transfer->form != NULL) {
        g_autoptr (GBytes) form = g_bytes_new (transfer->form, strlen (transfer->form));
        soup_message_set_request_body_from_bytes (message, "application/x-www-form-urlencoded",
                                                  form);
    } else if (!transfer->is_text) {
        /* Without this, TiKV sends its CPU profile as a picture; other servers ignore it. */
        soup_message_headers_replace (headers, "Content-Type", "application/protobuf");
    }
    return message;
}

static void
send_request (Transfer *transfer)
{
    GError *error = NULL;
    transfer->session = make_session (transfer);
    transfer->message = make_message (transfer);
    if (!set_tls (transfer, &error)) {
        finish (transfer, error);
        return;
    }
    g_signal_connect (transfer->message, "got-informational", G_CALLBACK (count_interim_answer),
                      transfer);
    g_signal_connect (transfer->message, "network-event", G_CALLBACK (avoid_http2), NULL);
    g_signal_connect (transfer->message, "authenticate", G_CALLBACK (answer_challenge), transfer);
    soup_session_send_async (transfer->session, transfer->message, G_PRIORITY_DEFAULT,
                             transfer->inner, on_sent, transfer);
}

/* The transfer */

static void
set_limits (Transfer *transfer, const PvFetchOptions *options)
{
    g_autofree char *url = g_uri_to_string (transfer->url);
    transfer->record_seconds = pv_fetch_get_seconds (url);
    transfer->timeout_seconds =
        options->timeout_seconds > 0
            ? options->timeout_seconds
            : fmax (transfer->record_seconds * 1.5 + MORE_SECONDS, MIN_TIMEOUT_SECONDS);
    transfer->stall_seconds = options->stall_seconds > 0 ? options->stall_seconds
                              : options->timeout_seconds > 0
                                  ? fmin (options->timeout_seconds, DEFAULT_STALL_SECONDS)
                                  : DEFAULT_STALL_SECONDS;
}

static void
cancel_inner (GCancellable *cancellable, GCancellable *inner)
{
    g_cancellable_cancel (inner);
}

static void
run (Transfer *transfer)
{
    g_autoptr (GMainContext) context = g_main_context_new ();
    g_main_context_push_thread_default (context);
    transfer->loop = g_main_loop_new (context, false);
    transfer->inner = g_cancellable_new ();
    gulong handler = transfer->cancellable != NULL
                         ? g_cancellable_connect (transfer->cancellable, G_CALLBACK (cancel_inner),
                                                  transfer->inner, NULL)
                         : 0;
    g_autoptr (GSource) timer = g_timeout_source_new (TICK_MS);
    g_source_set_callback (timer, tick, transfer, NULL);
    g_source_attach (timer, context);
    send_request (transfer);
    while (!transfer->is_over)
        g_main_loop_run (transfer->loop);
    g_source_destroy (timer);
    g_cancellable_disconnect (transfer->cancellable, handler);
    close_request (transfer);
    /* Lets cancelled operations call back. */
    while (g_main_context_iteration (context, false))
        ;
    g_clear_object (&transfer->inner);
    g_clear_pointer (&transfer->loop, g_main_loop_unref);
    g_main_context_pop_thread_default (context);
}

/* The first part of a transfer that run () goes on with. */
static Transfer *
begin (GUri *url, const PvFetchOptions *options, GCancellable *cancellable)
{
    g_assert (url != NULL && options != NULL);
    Transfer *transfer = g_new0 (Transfer, 1);
    transfer->options = options;
    transfer->cancellable = cancellable;
    transfer->url = g_uri_ref (url);
    transfer->start_us = g_get_monotonic_time ();
    transfer->body.store.fd = -1;
    set_limits (transfer, options);
    return transfer;
}

static void
end (Transfer *transfer, GError **error)
{
    if (transfer->error != NULL)
        g_propagate_error (error, transfer->error);
    pv_fetch_body_clear (&transfer->body);
    g_uri_unref (transfer->url);
    g_free (transfer);
}

char *
pv_fetch_transfer (GUri *url, const PvFetchOptions *options, GCancellable *cancellable,
                   GError **error)
{
    Transfer *transfer = begin (url, options, cancellable);
    run (transfer);
    char *path = transfer->path;
    end (transfer, error);
    return path;
}

GBytes *
pv_fetch_transfer_text (GUri *url, const char *form, const PvFetchOptions *options,
                        GCancellable *cancellable, GError **error)
{
    Transfer *transfer = begin (url, options, cancellable);
    transfer->is_text = true;
    transfer->form = form;
    run (transfer);
    GBytes *text = transfer->text;
    end (transfer, error);
    return text;
}
