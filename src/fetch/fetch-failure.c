/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-failure.h"

#include <glib/gi18n-lib.h>
#include <stdint.h>

#include "core/base/answer-text.h"
#include "fetch/fetch-error.h"

/* libsoup gives up at 64 or 100 KiB of headers, and only reports a connection that ended. */
enum { MAX_HEADER_BYTES = 32 << 10, SHOWN_CHARACTERS = 200 };

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
        return _ ("it is not signed by an authority that this system trusts");
    return _ ("it is not valid");
}

static uint64_t
get_header_bytes (SoupMessage *message)
{
    SoupMessageMetrics *metrics = soup_message_get_metrics (message);
    return metrics != NULL ? soup_message_metrics_get_response_header_bytes_received (metrics) : 0;
}

static int
get_code (const GError *cause)
{
    if (cause->domain == G_TLS_ERROR)
        return PV_FETCH_ERROR_UNTRUSTED;
    if (cause->domain == SOUP_SESSION_ERROR)
        return PV_FETCH_ERROR_BAD_ANSWER;
    if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
        return PV_FETCH_ERROR_TIMED_OUT;
    return PV_FETCH_ERROR_UNREACHABLE;
}

GError *
pv_failure_explain (const GError *cause, SoupMessage *message, bool is_in_body)
{
    g_assert (cause != NULL && message != NULL);
    GError *error = NULL;
    if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, C_ ("error", "Cancelled"));
    uint64_t n_header_bytes = get_header_bytes (message);
    bool is_end = g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT) ||
                  g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED);
    if (is_in_body || (is_end && n_header_bytes > 0 && n_header_bytes < MAX_HEADER_BYTES))
        return pv_fetch_make_cut_error ();
    if (is_end && n_header_bytes > 0) {
        pv_fetch_set_error (&error, PV_FETCH_ERROR_BAD_ANSWER, NULL, NULL,
                            _ ("The headers of the server's answer are too long."));
    } else if (g_error_matches (cause, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE)) {
        pv_fetch_set_error (
            &error, PV_FETCH_ERROR_UNTRUSTED, NULL, NULL,
            /* Translators: a reason such as "it has expired" */
            _ ("The server's certificate cannot be trusted: %s."),
            explain_certificate (soup_message_get_tls_peer_certificate_errors (message)));
    } else {
        g_autofree char *text = pv_answer_make_line (cause->message, SHOWN_CHARACTERS);
        pv_fetch_set_error (&error, get_code (cause), NULL, NULL, "%s%s", text,
                            g_str_has_suffix (text, ".") ? "" : ".");
    }
    return error;
}
