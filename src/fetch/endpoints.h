/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* A profile that servers usually offer. */
typedef struct {
    const char *id;    /* "heap"; saved files are named after it */
    const char *title; /* translate with _() before it is shown */
    const char *path;  /* below the server: "/debug/pprof/heap" */
    bool has_seconds;  /* records first, for as long as "?seconds=" says */
} PvFetchEndpoint;

typedef struct {
    const char *title; /* "Go", ...; translate with _() before it is shown */
    const PvFetchEndpoint *endpoints;
    unsigned n_endpoints;
} PvFetchKind;

/* The kinds of services, the most common first; static. endpoints[0] of the first is a CPU profile,
 * the default of pv_fetch_make_url (). */
const PvFetchKind *pv_fetch_get_kinds (unsigned *ret_n_kinds);

/* The endpoint that the path of this URL ends with, whatever its server and query; NULL if it is
 * not a known one. */
const PvFetchEndpoint *pv_fetch_find_endpoint (const char *url);
