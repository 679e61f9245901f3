/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-body.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#include "core/base/answer-text.h"
#include "fetch/fetch-error.h"
#include "fetch/page-links.h"

#define DEFAULT_MAX_BYTES ((uint64_t)2 << 30)

enum { UNPACK_BUFFER_BYTES = 1 << 16, MESSAGE_CHARACTERS = 200 };

static uint64_t
get_max_bytes (const PvFetchBody *body)
{
    return body->options->max_bytes != 0 ? body->options->max_bytes : DEFAULT_MAX_BYTES;
}

static bool
set_too_large (const PvFetchBody *body, GError **error)
{
    g_autofree char *limit = g_format_size_full (get_max_bytes (body), G_FORMAT_SIZE_IEC_UNITS);
    pv_fetch_set_error (error, PV_FETCH_ERROR_TOO_LARGE, NULL, NULL,
                        _ ("The answer is larger than the limit of %s."), limit);
    return false;
}

bool
pv_fetch_body_begin (PvFetchBody *ret_body, const PvFetchOptions *options, PvFetchBodyKind kind,
                     GUri *url, const char *encoding, uint64_t expected_bytes,
                     const char *content_type, GError **error)
{
    g_assert (options != NULL && options->is_profile != NULL && options->describe != NULL);
    g_assert (url != NULL);
    PvFetchBody *body = ret_body;
    *body = (PvFetchBody){.options = options,
                          .kind = kind,
                          .url = url,
                          .content_type = g_strdup (content_type),
                          .store = {.fd = -1},
                          .head = g_byte_array_new (),
                          .expected_bytes = expected_bytes};
    bool is_plain = encoding == NULL || g_ascii_strcasecmp (encoding, "identity") == 0;
    if (!is_plain && g_ascii_strcasecmp (encoding, "gzip") != 0 &&
        g_ascii_strcasecmp (encoding, "x-gzip") != 0) {
        g_autofree char *shown = pv_answer_make_line (encoding, MESSAGE_CHARACTERS);
        pv_fetch_set_error (
            error, PV_FETCH_ERROR_BAD_ANSWER, NULL, NULL,
            _ ("The server compressed its answer in a way that was not requested: %s"), shown);
        return false;
    }
    if (!is_plain)
        body->unpacker = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    if (kind == PV_FETCH_BODY_REFUSAL)
        return true;
    if (expected_bytes != UINT64_MAX && expected_bytes > get_max_bytes (body))
        return set_too_large (body, error);
    return kind == PV_FETCH_BODY_TEXT || pv_fetch_store_begin (&body->store, error);
}

/* Text answers */

/* NULL if the answer is not text, or empty. */
static char *
make_text (const PvFetchBody *body)
{
    const char *type = body->content_type;
    bool is_text = type == NULL || g_ascii_strcasecmp (type, "text/plain") == 0 ||
                   g_ascii_strcasecmp (type, "application/json") == 0;
    return is_text ? pv_answer_make_text (body->head->data, body->head->len) : NULL;
}

static char *
make_first_line (const char *text)
{
    g_autofree char *line = g_strndup (text, strcspn (text, "\n"));
    return pv_answer_make_line (line, MESSAGE_CHARACTERS);
}

/* True for HTML, by what the server says or by the first bytes. */
static bool
is_page (const PvFetchBody *body)
{
    static const char *const starts[] = {"<!doctype html", "<html"};
    const char *head = (const char *)body->head->data;
    size_t size = body->head->len, at = 0;
    while (at < size && g_ascii_isspace (head[at]))
        at++;
    for (size_t i = 0; i < G_N_ELEMENTS (starts); i++) {
        size_t len = strlen (starts[i]);
        if (size - at >= len && g_ascii_strncasecmp (head + at, starts[i], len) == 0)
            return true;
    }
    return body->content_type != NULL && g_ascii_strcasecmp (body->content_type, "text/html") == 0;
}

/* The sentence that a file with these bytes gets, and what the server says of them. */
static void
set_foreign (const PvFetchBody *body, int code, GError **error)
{
    bool is_known;
    g_autofree char *said = body->options->describe (body->head->data, body->head->len, &is_known);
    g_autofree char *text = make_text (body);
    g_autofree char *line = text != NULL ? make_first_line (text) : NULL;
    g_autofree char *type = pv_answer_make_line (
        body->content_type != NULL ? body->content_type : "?", MESSAGE_CHARACTERS);
    /* JSON is mostly an error that it tells. */
    if (text != NULL && (!is_known || strchr ("{[", *text) != NULL))
        /* Translators: a sentence such as “This is JSON, but not a profile in a known format”, and
           the beginning of a server's answer */
        pv_fetch_set_error (error, code, NULL, text, _ ("%s: “%s”"), said, line);
    else if (is_known)
        pv_fetch_set_error (error, code, NULL, text, "%s", said);
    else
        /* Translators: a sentence such as “This is not a profile in a known format”, and a type
           such as “application/octet-stream” */
        pv_fetch_set_error (error, code, NULL, text, _ ("%s (type: %s)."), said, type);
}

static bool
judge (PvFetchBody *body, GError **error)
{
    body->is_judged = true;
    if (body->head->len == 0) {
        pv_fetch_set_error (error, PV_FETCH_ERROR_NOT_A_PROFILE, NULL, NULL,
                            _ ("The server's answer is empty."));
        return false;
    }
    if (body->options->is_profile (body->head->data, body->head->len))
        return true;
    if (!is_page (body))
        set_foreign (body, PV_FETCH_ERROR_NOT_A_PROFILE, error);
    else if (!pv_page_links_find (body->head->data, body->head->len, body->url, error))
        set_foreign (body, PV_FETCH_ERROR_PAGE, error);
    return false;
}

void
pv_fetch_body_set_refused (const PvFetchBody *body, unsigned status, GError **error)
{
    g_assert (body->kind == PV_FETCH_BODY_REFUSAL);
    /* The server's own phrase may be anything. */
    const char *phrase = status >= 100 && status < 600 ? soup_status_get_phrase (status) : "";
    g_autofree char *named = g_strdup_printf ("%u %s", status, phrase);
    g_autofree char *text = make_text (body);
    g_autofree char *line = text != NULL ? make_first_line (text) : NULL;
    g_strchomp (named);
    const int code = status == SOUP_STATUS_NOT_FOUND      ? PV_FETCH_ERROR_NOT_FOUND
                     : status == SOUP_STATUS_UNAUTHORIZED ? PV_FETCH_ERROR_UNAUTHORIZED
                                                          : PV_FETCH_ERROR_REFUSED;
    if (line == NULL)
        pv_fetch_set_error (error, code, NULL, NULL, _ ("The server answered “%s”."), named);
    else
        pv_fetch_set_error (error, code, NULL, text, _ ("The server answered “%s”: “%s”"), named,
                            line);
}

/* Receiving */

static bool
take_unpacked (PvFetchBody *body, const char *data, size_t size, GError **error)
{
    bool is_text = body->kind == PV_FETCH_BODY_TEXT;
    size_t n_head = is_text ? size : MIN (size, (size_t)PV_FETCH_HEAD_BYTES - body->head->len);
    body->n_saved += size;
    if (body->kind != PV_FETCH_BODY_REFUSAL && body->n_saved > get_max_bytes (body))
        return set_too_large (body, error);
    g_byte_array_append (body->head, (const guint8 *)data, (guint)n_head);
    if (body->kind != PV_FETCH_BODY_PROFILE)
        return true;
    if (!body->is_judged && body->head->len == PV_FETCH_HEAD_BYTES && !judge (body, error))
        return false;
    return pv_fetch_store_write (&body->store, data, size, error);
}

static bool
unpack (PvFetchBody *body, const char *data, size_t size, GError **error)
{
    char buffer[UNPACK_BUFFER_BYTES];
    while (size > 0 && !body->is_unpacked) {
        gsize n_read = 0, n_written = 0;
        g_autoptr (GError) bad = NULL;
        GConverterResult result = g_converter_convert (body->unpacker, data, size, buffer,
                                                       sizeof buffer, 0, &n_read, &n_written, &bad);
        if (result == G_CONVERTER_ERROR) {
            if (g_error_matches (bad, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
                return true;
            pv_fetch_set_error (error, PV_FETCH_ERROR_BAD_ANSWER, NULL, NULL,
                                _ ("The server's answer is damaged and cannot be unpacked."));
            return false;
        }
        body->is_unpacked = result == G_CONVERTER_FINISHED;
        data += n_read;
        size -= n_read;
        if (!take_unpacked (body, buffer, n_written, error))
            return false;
        if (pv_fetch_body_is_enough (body))
            return true;
    }
    return true;
}

bool
pv_fetch_body_add (PvFetchBody *body, const void *data, size_t size, GError **error)
{
    g_assert (size > 0);
    /* Some servers announce gzip but send plain data. */
    if (body->n_received == 0 && body->unpacker != NULL && *(const unsigned char *)data != 0x1f)
        g_clear_object (&body->unpacker);
    body->n_received += size;
    if (body->unpacker != NULL)
        return unpack (body, data, size, error);
    return take_unpacked (body, data, size, error);
}

bool
pv_fetch_body_is_enough (const PvFetchBody *body)
{
    return body->kind == PV_FETCH_BODY_REFUSAL && body->head->len == PV_FETCH_HEAD_BYTES;
}

static bool
check_end (const PvFetchBody *body, GError **error)
{
    bool has_end =
        (body->expected_bytes == UINT64_MAX || body->n_received >= body->expected_bytes) &&
        (body->unpacker == NULL || body->is_unpacked || body->n_received == 0);
    if (!has_end)
        g_propagate_error (error, pv_fetch_make_cut_error ());
    return has_end;
}

char *
pv_fetch_body_commit (PvFetchBody *body, GError **error)
{
    g_assert (body->kind == PV_FETCH_BODY_PROFILE);
    if (!check_end (body, error) || (!body->is_judged && !judge (body, error)))
        return NULL;
    g_autofree char *url = g_uri_to_string (body->url);
    return pv_fetch_store_commit (&body->store, url, body->head->data, body->head->len, error);
}

GBytes *
pv_fetch_body_take_text (PvFetchBody *body, GError **error)
{
    g_assert (body->kind == PV_FETCH_BODY_TEXT);
    return check_end (body, error) ? g_byte_array_free_to_bytes (g_steal_pointer (&body->head))
                                   : NULL;
}

void
pv_fetch_body_clear (PvFetchBody *body)
{
    pv_fetch_store_clear (&body->store);
    g_clear_object (&body->unpacker);
    g_clear_pointer (&body->head, g_byte_array_unref);
    g_clear_pointer (&body->content_type, g_free);
}
