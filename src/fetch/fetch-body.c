/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-body.h"

#include <glib/gi18n-lib.h>

#include "core/base/answer-text.h"
#include "fetch/fetch-error.h"

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
                        _ ("The answer is larger than %s, the limit."), limit);
    return false;
}

bool
pv_fetch_body_begin (PvFetchBody *ret_body, const PvFetchOptions *options, bool is_refusal,
                     const char *encoding, uint64_t expected_bytes, const char *content_type,
                     GError **error)
{
    PvFetchBody *body = ret_body;
    *body = (PvFetchBody){.options = options,
                          .is_refusal = is_refusal,
                          .content_type = g_strdup (content_type),
                          .store = {.fd = -1},
                          .head = g_byte_array_new (),
                          .expected_bytes = expected_bytes};
    bool is_plain = encoding == NULL || g_ascii_strcasecmp (encoding, "identity") == 0;
    if (!is_plain && g_ascii_strcasecmp (encoding, "gzip") != 0 &&
        g_ascii_strcasecmp (encoding, "x-gzip") != 0) {
        g_autofree char *shown = pv_answer_make_line (encoding, MESSAGE_CHARACTERS);
        pv_fetch_set_error (error, PV_FETCH_ERROR_BAD_ANSWER, NULL, NULL,
                            _ ("The server packed its answer in a way that was not asked for: %s"),
                            shown);
        return false;
    }
    if (!is_plain)
        body->unpacker = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    if (is_refusal)
        return true;
    if (expected_bytes != UINT64_MAX && expected_bytes > get_max_bytes (body))
        return set_too_large (body, error);
    return pv_fetch_store_begin (&body->store, error);
}

/* --- is it a profile? --- */

static bool
judge (PvFetchBody *body, GError **error)
{
    body->is_judged = true;
    if (body->head->len > 0 && body->options->is_profile (body->head->data, body->head->len))
        return true;
    g_autofree char *answer = pv_answer_make_text (body->head->data, body->head->len);
    g_autofree char *line =
        answer != NULL ? pv_answer_make_line (answer, MESSAGE_CHARACTERS) : NULL;
    PvAnswerKind kind = pv_answer_get_kind (body->head->data, body->head->len);
    if (kind == PV_ANSWER_EMPTY)
        pv_fetch_set_error (error, PV_FETCH_ERROR_NOT_A_PROFILE, NULL, NULL,
                            _ ("The server's answer is empty."));
    else if (kind == PV_ANSWER_BINARY) {
        g_autofree char *type = pv_answer_make_line (
            body->content_type != NULL ? body->content_type : "?", MESSAGE_CHARACTERS);
        pv_fetch_set_error (error, PV_FETCH_ERROR_NOT_A_PROFILE, NULL, NULL,
                            _ ("What the server answered is no profile that Profview can read "
                               "(type: %s)."),
                            type);
    } else if (kind == PV_ANSWER_PAGE)
        pv_fetch_set_error (error, PV_FETCH_ERROR_NOT_A_PROFILE, NULL, answer,
                            _ ("The server answered with a page, not with a profile: “%s”"),
                            line != NULL ? line : "");
    else
        pv_fetch_set_error (error, PV_FETCH_ERROR_NOT_A_PROFILE, NULL, answer,
                            _ ("The server answered with text that is no profile: “%s”"),
                            line != NULL ? line : "");
    return false;
}

/* --- receiving --- */

static bool
take_unpacked (PvFetchBody *body, const char *data, size_t size, GError **error)
{
    size_t n_head = MIN (size, (size_t)PV_FETCH_HEAD_BYTES - body->head->len);
    g_byte_array_append (body->head, (const guint8 *)data, (guint)n_head);
    body->n_saved += size;
    if (body->is_refusal)
        return true;
    if (body->n_saved > get_max_bytes (body))
        return set_too_large (body, error);
    if (!body->is_judged && body->head->len == PV_FETCH_HEAD_BYTES && !judge (body, error))
        return false;
    if (body->expected_bytes == UINT64_MAX)
        pv_whole_check_add (&body->check, data, size);
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
                                _ ("The server's answer is damaged: it cannot be unpacked."));
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
    /* Some servers say that they packed what they did not. */
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
    return body->is_refusal && body->head->len == PV_FETCH_HEAD_BYTES;
}

char *
pv_fetch_body_commit (PvFetchBody *body, const char *url, GError **error)
{
    bool has_end =
        (body->expected_bytes == UINT64_MAX || body->n_received >= body->expected_bytes) &&
        (body->unpacker == NULL || body->is_unpacked || body->n_received == 0);
    if (!has_end) {
        g_propagate_error (error, pv_fetch_make_cut_error ());
        return NULL;
    }
    if (!body->is_judged && !judge (body, error))
        return NULL;
    if (!pv_whole_check_is_whole (&body->check)) {
        g_propagate_error (error, pv_fetch_make_cut_error ());
        return NULL;
    }
    return pv_fetch_store_commit (&body->store, url, body->head->data, body->head->len, error);
}

void
pv_fetch_body_clear (PvFetchBody *body)
{
    pv_fetch_store_clear (&body->store);
    g_clear_object (&body->unpacker);
    pv_whole_check_clear (&body->check);
    g_clear_pointer (&body->head, g_byte_array_unref);
    g_clear_pointer (&body->content_type, g_free);
}
