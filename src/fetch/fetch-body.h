/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "fetch/fetch-options.h"
#include "fetch/fetch-store.h"
#include "fetch/whole-check.h"

/*
 * The body of one answer: HTTP's packing is undone, its beginning is kept and judged, and all of it
 * goes to a file. Of a refusal only the beginning is kept.
 */
typedef struct {
    const PvFetchOptions *options;
    bool is_refusal;
    char *content_type; /* or NULL */

    PvFetchStore store;
    GByteArray *head;
    bool is_judged;
    uint64_t n_received;     /* as they came */
    uint64_t n_saved;        /* after unpacking */
    uint64_t expected_bytes; /* that should come; UINT64_MAX: the server does not say */

    GConverter *unpacker; /* for HTTP's packing; or NULL */
    bool is_unpacked;     /* it came to its end */
    PvWholeCheck check;   /* of what the server does not tell the length of */
} PvFetchBody;

enum { PV_FETCH_HEAD_BYTES = 1 << 16 };

/* encoding: the header Content-Encoding; or NULL. False with a PV_FETCH_ERROR; the same for the
 * functions below. */
bool pv_fetch_body_begin (PvFetchBody *ret_body, const PvFetchOptions *options, bool is_refusal,
                          const char *encoding, uint64_t expected_bytes, const char *content_type,
                          GError **error);
bool pv_fetch_body_add (PvFetchBody *body, const void *data, size_t size, GError **error);

/* Whether nothing more is wanted: all of a refusal that is shown is there. */
bool pv_fetch_body_is_enough (const PvFetchBody *body);

/* All came: judges what is not judged yet, and gives the file its name. Returns its path. */
char *pv_fetch_body_commit (PvFetchBody *body, const char *url, GError **error);

void pv_fetch_body_clear (PvFetchBody *body);
