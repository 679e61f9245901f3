/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* How URLs among the arguments are fetched; zeroes are the defaults. */
typedef struct {
    int seconds; /* that the server records for, where its endpoint records; else the URL's */
    int repeat;  /* times each URL is fetched */
    double interval_seconds; /* from one time to the next */
    double timeout_seconds;
    uint64_t max_bytes;
} PvFetching;

/* Whether an argument is a URL, or the address of a server ("localhost:6060"), and not the name of
 * a file that is there. */
bool pv_fetching_is_url (const char *argument);

/* An argument for messages and titles: of a URL not all is shown. */
char *pv_fetching_format_argument (const char *argument);

/* The paths of what was fetched, fetching->repeat of them, NULL-terminated. On a terminal it tells
 * on standard error how far it is. Interrupted, it cleans up and ends the program as the signal
 * would have. NULL with a PV_FETCH_ERROR; what came before it is kept. */
char **pv_fetching_fetch (const PvFetching *fetching, const char *argument, GError **error);
