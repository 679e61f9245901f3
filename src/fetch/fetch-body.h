/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "fetch/fetch-options.h"
#include "fetch/fetch-store.h"

typedef enum {
    PV_FETCH_BODY_PROFILE, /* must start like one; written to a file */
    PV_FETCH_BODY_TEXT,    /* kept in memory */
    PV_FETCH_BODY_REFUSAL, /* only the beginning is kept, in memory */
} PvFetchBodyKind;

/* The body of one answer. Undoes HTTP's compression. */
typedef struct {
    const PvFetchOptions *options;
    PvFetchBodyKind kind;
    GUri *url;          /* borrowed */
    char *content_type; /* or NULL */

    PvFetchStore store;
    GByteArray *head;        /* the first bytes, unpacked; of a text all of them */
    bool is_judged;          /* head is known to be a profile */
    uint64_t n_received;     /* before unpacking */
    uint64_t n_saved;        /* after unpacking */
    uint64_t expected_bytes; /* UINT64_MAX: the server does not say */

    GConverter *unpacker; /* or NULL */
    bool is_unpacked;     /* the compressed stream is complete */
} PvFetchBody;

enum { PV_FETCH_HEAD_BYTES = 1 << 16 };

/* Starts a body; clear it in any case. options and url must outlive it. encoding: the header
 * Content-Encoding, or NULL. False with a PV_FETCH_ERROR; the same for the functions below. */
bool pv_fetch_body_begin (PvFetchBody *ret_body, const PvFetchOptions *options,
                          PvFetchBodyKind kind, GUri *url, const char *encoding,
                          uint64_t expected_bytes, const char *content_type, GError **error);

/* size must not be 0. */
bool pv_fetch_body_add (PvFetchBody *body, const void *data, size_t size, GError **error);

/* True if the rest of a refusal need not be read. */
bool pv_fetch_body_is_enough (const PvFetchBody *body);

/* Call at the end of a complete profile: does the remaining checks, gives the file its name, and
 * returns its path. */
char *pv_fetch_body_commit (PvFetchBody *body, GError **error);

/* The same for a text: returns it, for g_bytes_unref (). */
GBytes *pv_fetch_body_take_text (PvFetchBody *body, GError **error);

/* Sets PV_FETCH_ERROR_NOT_FOUND, _UNAUTHORIZED or _REFUSED: the HTTP status, and the first line of
 * the answer if it is text. */
void pv_fetch_body_set_refused (const PvFetchBody *body, unsigned status, GError **error);

void pv_fetch_body_clear (PvFetchBody *body);
