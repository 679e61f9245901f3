/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

typedef enum {
    PV_FETCH_ERROR_BAD_URL,       /* or neither http nor https */
    PV_FETCH_ERROR_UNREACHABLE,   /* no such host, refused, closed before an answer */
    PV_FETCH_ERROR_UNTRUSTED,     /* a bad certificate, or no TLS for an https URL */
    PV_FETCH_ERROR_TIMED_OUT,     /* no answer, or one that stops or only trickles */
    PV_FETCH_ERROR_NOT_FOUND,     /* HTTP status 404: see pv_fetch_guess_url () */
    PV_FETCH_ERROR_UNAUTHORIZED,  /* HTTP status 401: it wants a name and a password, or others */
    PV_FETCH_ERROR_REFUSED,       /* another HTTP status such as 403 */
    PV_FETCH_ERROR_REDIRECT,      /* to another server: pv_fetch_error_get_redirect () */
    PV_FETCH_ERROR_NOT_A_PROFILE, /* see pv_fetch_error_get_answer () */
    PV_FETCH_ERROR_PAGE,          /* a page of HTML: see pv_fetch_guess_url () */
    PV_FETCH_ERROR_LIST,          /* such a page that lists profiles: pv_fetch_error_get_links () */
    PV_FETCH_ERROR_BAD_ANSWER,    /* not HTTP, cannot be unpacked, endless redirects */
    PV_FETCH_ERROR_CUT,           /* the connection ended before the answer did */
    PV_FETCH_ERROR_TOO_LARGE,
    PV_FETCH_ERROR_CANNOT_SAVE,
} PvFetchError;

/* Messages are complete sentences for the user, without the URL. */
#define PV_FETCH_ERROR (pv_fetch_error_quark ())
GQuark pv_fetch_error_quark (void);

/* The URL to fetch instead, if the user agrees; borrowed. NULL unless error is
 * PV_FETCH_ERROR_REDIRECT; error may be of any domain. */
const char *pv_fetch_error_get_redirect (const GError *error);

/* The text that the server answered with, made showable (UTF-8, no control characters but line
 * ends, at most 2,000 characters); borrowed. Its beginning is already in the message. NULL: no
 * text; error may be of any domain. */
const char *pv_fetch_error_get_answer (const GError *error);

/* The URLs of profiles that a page lists, on the server that has it, NULL-terminated; borrowed.
 * NULL unless error is PV_FETCH_ERROR_LIST; error may be of any domain. */
const char *const *pv_fetch_error_get_links (const GError *error);

/* True if the profile may be elsewhere on the server: pv_fetch_guess_url (). error may be NULL. */
bool pv_fetch_error_is_elsewhere (const GError *error);

/* Sets a PV_FETCH_ERROR; redirect and answer may be NULL and are copied. */
void pv_fetch_set_error (GError **error, int code, const char *redirect, const char *answer,
                         const char *format, ...) G_GNUC_PRINTF (5, 6);

/* PV_FETCH_ERROR_LIST; copies the links, of which there is at least one. paths: them, to show. */
void pv_fetch_set_list_error (GError **error, const char *const *links, const char *paths);

/* PV_FETCH_ERROR_CUT. */
GError *pv_fetch_make_cut_error (void);
