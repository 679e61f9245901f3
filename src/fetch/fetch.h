/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Profiles of running services, asked for by URL: what the server answers is saved as it came into
 * the user's cache folder, profview/fetched (0700, files 0600), and is a file like any other from
 * then on. Only http and https, and only the server that the URL names: another one is asked only
 * if the caller comes back with the URL that PV_FETCH_ERROR_REDIRECT names. No cookies, no
 * identification but "profview/VERSION". Whatever fails, no file is left behind.
 *
 * A user name and password in a URL are used, but never in a name of a file nor in a message.
 */

/* --- URLs --- */

/* What servers usually offer. */
typedef struct {
    const char *id;    /* "heap", the end of saved files' names */
    const char *title; /* translate with _() before it is shown */
    const char *path;  /* below the server: "/debug/pprof/heap" */
    bool has_seconds;  /* records first, for as long as "?seconds=" says */
    bool is_state;     /* of a moment: worth fetching again and again, as a series */
} PvFetchEndpoint;

typedef struct {
    const char *title; /* "Go", ...; translate with _() before it is shown */
    const PvFetchEndpoint *endpoints;
    unsigned n_endpoints;
} PvFetchKind;

/* Kinds of services, the most usual first; static. endpoints[0] of the first one is a CPU profile,
 * which is the default of pv_fetch_make_url (). */
const PvFetchKind *pv_fetch_get_kinds (unsigned *ret_n_kinds);

/* The endpoint whose path this URL has, whatever its server and query; NULL: none that is known. */
const PvFetchEndpoint *pv_fetch_find_endpoint (const char *url);

/* Whether what somebody typed names a server only ("localhost:6060", "http://[::1]:6060/"), so that
 * an endpoint is to be chosen. False too if it is no URL at all. */
bool pv_fetch_is_server (const char *typed);

enum { PV_FETCH_DEFAULT_SECONDS = 30 };

/* The URL that is meant by what somebody typed. A server alone gets the path of endpoint (NULL: the
 * CPU profile), and "?seconds=" with seconds (0: PV_FETCH_DEFAULT_SECONDS) where it has_seconds;
 * without a scheme it is http. A whole URL is kept as it is, except that seconds other than 0 are
 * added, or replace those in it, where its path is one that has_seconds. NULL with
 * PV_FETCH_ERROR_BAD_URL. */
char *pv_fetch_make_url (const char *typed, const PvFetchEndpoint *endpoint, unsigned seconds,
                         GError **error);

/* Whether an argument is meant as a URL for pv_fetch_async (): begins with http: or https:. */
bool pv_fetch_is_url (const char *argument);

/* Whether an argument, if it is not the name of a file, may be meant as the address of a server:
 * "localhost:6060", "[::1]:6060/debug/pprof/heap". */
bool pv_fetch_is_address (const char *argument);

/* For titles and messages: without user name and password, cut where it is endless. */
char *pv_fetch_format_url (const char *url);

/* How long the server records before it answers; 0: it answers at once, or does not say. */
double pv_fetch_get_seconds (const char *url);

/* --- fetching --- */

typedef enum {
    PV_FETCH_ERROR_BAD_URL,       /* or neither http nor https */
    PV_FETCH_ERROR_UNREACHABLE,   /* no such host, refused, closed before an answer */
    PV_FETCH_ERROR_UNTRUSTED,     /* the certificate, or no TLS where there should be */
    PV_FETCH_ERROR_TIMED_OUT,     /* no answer, or it does not go on, or only by drops */
    PV_FETCH_ERROR_REFUSED,       /* the server says no: 404 and the like */
    PV_FETCH_ERROR_REDIRECT,      /* to another server: pv_fetch_error_get_redirect () */
    PV_FETCH_ERROR_NOT_A_PROFILE, /* pv_fetch_error_get_answer () is what it is */
    PV_FETCH_ERROR_BAD_ANSWER,    /* not HTTP, cannot be unpacked, redirects without end */
    PV_FETCH_ERROR_CUT,           /* the connection ended before the answer did */
    PV_FETCH_ERROR_TOO_LARGE,
    PV_FETCH_ERROR_CANNOT_SAVE,
} PvFetchError;

/* Messages are whole sentences for the user, without the URL. */
#define PV_FETCH_ERROR (pv_fetch_error_quark ())
GQuark pv_fetch_error_quark (void);

/* Of a PV_FETCH_ERROR; borrowed. The URL to fetch instead, if the user agrees; NULL unless the code
 * is PV_FETCH_ERROR_REDIRECT. */
const char *pv_fetch_error_get_redirect (const GError *error);

/* The same: the text the server answered with, made showable (UTF-8, lines, no markup, at most
 * 2,000 characters); NULL: none. Its beginning is in the message already. */
const char *pv_fetch_error_get_answer (const GError *error);

typedef struct {
    uint64_t n_bytes;        /* saved so far */
    uint64_t expected_bytes; /* 0: the server does not say */
    double elapsed_seconds;
    double record_seconds; /* that the server records for before it answers; 0: none */
} PvFetchProgress;

typedef struct {
    /* Whether these first bytes, 64 KiB or the whole answer, begin a profile; called in any
     * thread. pv_load_is_profile (). Required. */
    bool (*is_profile) (const void *data, size_t size_bytes);

    /* Four times a second. NULL: not wanted. */
    void (*progress) (const PvFetchProgress *progress, void *user);
    void *user;

    uint64_t max_bytes; /* after HTTP's own packing is undone; 0: 2 GiB */
    /* The longest wait for the answer to begin; 0: half as long again as the server records, and at
     * least a minute. */
    double timeout_seconds;
    /* The longest time in which less than 4 KiB arrive; 0: half a minute, or timeout_seconds if
     * that is given and less. */
    double stall_seconds;
} PvFetchOptions;

/* Works in a thread of its own. progress, if any, and then callback, which must call
 * pv_fetch_finish (), are called in the thread-default main context of the caller; no progress
 * after callback. options are copied. url is what pv_fetch_make_url () gives. cancellable may be
 * NULL; cancelled, it is soon over, with G_IO_ERROR_CANCELLED. */
void pv_fetch_async (const char *url, const PvFetchOptions *options, GCancellable *cancellable,
                     GAsyncReadyCallback callback, void *user);

/* The path of the saved file; NULL with a PV_FETCH_ERROR or G_IO_ERROR_CANCELLED. */
char *pv_fetch_finish (GAsyncResult *result, GError **error);

/* The same, but it blocks, and calls progress from this thread. */
char *pv_fetch (const char *url, const PvFetchOptions *options, GCancellable *cancellable,
                GError **error);

/* The folder for saved answers, whether it exists or not. */
char *pv_fetch_get_folder (void);
