/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-failure.h"

#include <glib/gi18n-lib.h>

#include "core/base/answer-text.h"
#include "fetch/fetch-error.h"

/* libsoup gives up at 64 or 100 KiB, and says no more than that the answer is not complete. */
enum { MAX_HEADER_BYTES = 32 << 10, SHOWN_CHARACTERS = 200, SHOWN_NAME_CHARACTERS = 100 };

static GError *
make_error (int code, const char *text)
{
    GError *error = NULL;
    pv_fetch_set_error (&error, code, NULL, NULL, "%s", text);
    return error;
}

static char *
show_host (SoupMessage *message)
{
    return pv_answer_make_line (g_uri_get_host (soup_message_get_uri (message)),
                                SHOWN_NAME_CHARACTERS);
}

/* --- TLS --- */

static const char *
explain_certificate (GTlsCertificateFlags flags)
{
    if (flags & G_TLS_CERTIFICATE_EXPIRED)
        return _ ("it has expired");
    if (flags & G_TLS_CERTIFICATE_NOT_ACTIVATED)
        return _ ("it is not valid yet");
    if (flags & G_TLS_CERTIFICATE_REVOKED)
        return _ ("it was revoked");
    if (flags & G_TLS_CERTIFICATE_BAD_IDENTITY)
        return _ ("it belongs to another host");
    if (flags & G_TLS_CERTIFICATE_UNKNOWN_CA)
        return _ ("nobody this system trusts has signed it");
    if (flags & G_TLS_CERTIFICATE_INSECURE)
        return _ ("its signature is not safe");
    return _ ("it is not valid");
}

static GError *
explain_tls (const GError *cause, SoupMessage *message, bool is_in_body)
{
    g_autofree char *host = show_host (message);
    g_autofree char *text = NULL;
    if (is_in_body)
        return pv_fetch_make_cut_error ();
    if (cause->code == G_TLS_ERROR_UNAVAILABLE)
        text = g_strdup (_ ("https needs GLib's TLS module, which is not installed "
                            "(package glib-networking)."));
    else if (cause->code == G_TLS_ERROR_BAD_CERTIFICATE)
        text = g_strdup_printf (
            /* Translators: a host, and a reason such as "it has expired" */
            _ ("The certificate of %s is not to be trusted: %s."), host,
            explain_certificate (soup_message_get_tls_peer_certificate_errors (message)));
    else
        text = g_strdup_printf (
            _ ("There is no safe connection to %s; perhaps it speaks http, not https."), host);
    return make_error (PV_FETCH_ERROR_UNTRUSTED, text);
}

/* --- the network --- */

static GError *
explain_end (SoupMessage *message, bool is_in_body)
{
    SoupMessageMetrics *metrics = soup_message_get_metrics (message);
    guint64 n_headers =
        metrics != NULL ? soup_message_metrics_get_response_header_bytes_received (metrics) : 0;
    if (is_in_body || (n_headers > 0 && n_headers < MAX_HEADER_BYTES))
        return pv_fetch_make_cut_error ();
    if (n_headers >= MAX_HEADER_BYTES)
        return make_error (PV_FETCH_ERROR_BAD_ANSWER,
                           _ ("The server's answer has headers without end."));
    return make_error (PV_FETCH_ERROR_UNREACHABLE,
                       _ ("The server closed the connection without an answer."));
}

static GError *
explain_io (const GError *cause, SoupMessage *message, bool is_in_body)
{
    GUri *url = soup_message_get_uri (message);
    g_autofree char *host = show_host (message);
    g_autofree char *text = NULL;
    switch ((GIOErrorEnum)cause->code) {
    case G_IO_ERROR_PARTIAL_INPUT:
    case G_IO_ERROR_CONNECTION_CLOSED:
        return explain_end (message, is_in_body);
    case G_IO_ERROR_CONNECTION_REFUSED:
        text = g_strdup_printf (_ ("Nothing answers at %s, port %d."), host, g_uri_get_port (url));
        break;
    case G_IO_ERROR_HOST_UNREACHABLE:
    case G_IO_ERROR_NETWORK_UNREACHABLE:
        text = g_strdup_printf (_ ("There is no way to %s from here."), host);
        break;
    case G_IO_ERROR_HOST_NOT_FOUND:
        text = g_strdup_printf (_ ("There is no host with the name %s."), host);
        break;
    case G_IO_ERROR_TIMED_OUT:
        return make_error (PV_FETCH_ERROR_TIMED_OUT, _ ("The server does not answer."));
    default: {
        /* Whatever the system says is better than nothing. */
        g_autofree char *reason = pv_answer_make_line (cause->message, SHOWN_CHARACTERS);
        text = is_in_body ? g_strdup_printf (_ ("The answer broke off: %s"), reason)
                          : g_strdup_printf (_ ("%s cannot be reached: %s"), host, reason);
        return make_error (is_in_body ? PV_FETCH_ERROR_CUT : PV_FETCH_ERROR_UNREACHABLE, text);
    }
    }
    return make_error (PV_FETCH_ERROR_UNREACHABLE, text);
}

GError *
pv_failure_explain (const GError *cause, SoupMessage *message, bool is_in_body)
{
    if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Cancelled"));
    if (cause->domain == G_TLS_ERROR)
        return explain_tls (cause, message, is_in_body);
    if (cause->domain == G_RESOLVER_ERROR) {
        g_autofree char *host = show_host (message);
        g_autofree char *text =
            cause->code == G_RESOLVER_ERROR_TEMPORARY_FAILURE
                ? g_strdup_printf (_ ("The name %s cannot be looked up now."), host)
                : g_strdup_printf (_ ("There is no host with the name %s."), host);
        return make_error (PV_FETCH_ERROR_UNREACHABLE, text);
    }
    if (cause->domain == SOUP_SESSION_ERROR)
        return make_error (PV_FETCH_ERROR_BAD_ANSWER,
                           _ ("What answers there is not HTTP, or not a kind that is known."));
    return explain_io (cause, message, is_in_body);
}

/* --- refusals --- */

void
pv_failure_set_refused (SoupMessage *message, const PvFetchBody *body, GError **error)
{
    SoupStatus status = soup_message_get_status (message);
    /* Its own words for the number may be anything. */
    g_autofree char *named =
        g_strdup_printf ("%u %s", (unsigned)status,
                         status < 600 && status >= 100 ? soup_status_get_phrase (status) : "");
    g_autofree char *shown = g_strstrip (pv_answer_make_line (named, SHOWN_NAME_CHARACTERS));
    g_autofree char *answer = pv_answer_make_text (body->head->data, body->head->len);
    g_autofree char *line = answer != NULL ? pv_answer_make_line (answer, SHOWN_CHARACTERS) : NULL;
    bool is_go = soup_message_headers_get_one (soup_message_get_response_headers (message),
                                               "X-Go-Pprof") != NULL;
    if (line == NULL)
        pv_fetch_set_error (error, PV_FETCH_ERROR_REFUSED, NULL, NULL,
                            _ ("The server answered “%s”."), shown);
    else if (is_go) /* it says itself what is wrong */
        pv_fetch_set_error (error, PV_FETCH_ERROR_REFUSED, NULL, answer,
                            _ ("The server's profiler says: “%s” (%s)"), line, shown);
    else
        pv_fetch_set_error (error, PV_FETCH_ERROR_REFUSED, NULL, answer,
                            _ ("The server answered “%s”: “%s”"), shown, line);
}
