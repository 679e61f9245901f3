/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/symbolize/files/symbol-options.h"
#include "fetch/fetch-options.h"

/* How to fetch the URLs on the command line; zeroes are the defaults. */
typedef struct {
    int seconds;             /* recording time; 0: the URL's */
    int repeat;              /* how often to fetch each URL; 0: once */
    double interval_seconds; /* from start to start; 0: 10 s */
    double timeout_seconds;
    uint64_t max_bytes;
    PvFetchTls tls;                 /* owned strings of the command line */
    const PvSymbolOptions *symbols; /* where files of functions' names are; NULL: the defaults */
} PvFetching;

/* True if an argument is a URL, or a server address ("localhost:6060") and not an existing file. */
bool pv_fetching_is_url (const char *argument);

/* The argument for messages and titles: a URL without its password, a file name as UTF-8. */
char *pv_fetching_format_argument (const char *argument);

/* Fetches a URL fetching->repeat times; returns the paths of the files, NULL-terminated. Shows
 * progress on standard error if it is a terminal. A signal removes the unfinished file and ends
 * the program. NULL with a PV_FETCH_ERROR; keeps files fetched before it. Main thread. */
char **pv_fetching_fetch (const PvFetching *fetching, const char *argument, GError **error);
