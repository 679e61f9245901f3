/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "fetch/fetch-options.h"
#include "fetch/fetch-store.h"

/*
 * The body of one answer. Undoes HTTP's compression, checks that it starts like a profile, and
 * writes it to a file. For a refusal, keeps only the beginning, in memory.
 */
typedef struct {
    const PvFetchOptions *options;
    bool is_refusal;
    char *content_type; /* or NULL */

    PvFetchStore store;
    GByteArray *head;        /* the first bytes, unpacked */
    bool is_judged;          /* head is known to be a profile */
    uint64_t n_received;     /* before unpacking */
    uint64_t n_saved;        /* after unpacking */
    uint64_t expected_bytes; /* UINT64_MAX: the server does not say */

    GConverter *unpacker; /* or NULL */
    bool is_unpacked;     /* the compressed stream is complete */
} PvFetchBody;

enum { PV_FETCH_HEAD_BYTES = 1 << 16 };

/* Starts a body; clear it in any case. options must outlive it. encoding: the header
 * Content-Encoding, or NULL. False with a PV_FETCH_ERROR; the same for the functions below. */
bool pv_fetch_body_begin (PvFetchBody *ret_body, const PvFetchOptions *options, bool is_refusal,
                          const char *encoding, uint64_t expected_bytes, const char *content_type,
                          GError **error);

/* size must not be 0. */
bool pv_fetch_body_add (PvFetchBody *body, const void *data, size_t size, GError **error);

/* True if the rest of a refusal need not be read. */
bool pv_fetch_body_is_enough (const PvFetchBody *body);

/* Call at the end of a complete answer: does the remaining checks, gives the file its name, and
 * returns its path. Not for a refusal. */
char *pv_fetch_body_commit (PvFetchBody *body, const char *url, GError **error);

/* Sets PV_FETCH_ERROR_NOT_FOUND, _UNAUTHORIZED or _REFUSED: the HTTP status, and the first line of
 * the answer if it is text. */
void pv_fetch_body_set_refused (const PvFetchBody *body, unsigned status, GError **error);

void pv_fetch_body_clear (PvFetchBody *body);
