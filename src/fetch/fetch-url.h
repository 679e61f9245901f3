/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "fetch/endpoints.h"

/*
 * URLs of profiles, and what users type for them. All functions: any thread.
 *
 * A user name and password in a URL are sent, but never shown in a file name or a message.
 */

enum { PV_FETCH_DEFAULT_SECONDS = 30 };

/* Parses what the user typed into an http or https URL with a host and a path, escaped so that it
 * can be sent. NULL with PV_FETCH_ERROR_BAD_URL. */
GUri *pv_fetch_parse_url (const char *typed, GError **error);

/* Whether the text names only a server ("localhost:6060", "http://[::1]:6060/"), so that the user
 * still has to choose an endpoint. Also false if it is not a URL at all. */
bool pv_fetch_is_server (const char *typed);

/* Completes what the user typed to a URL. The default scheme is http. A server alone gets the path
 * of endpoint (NULL: the CPU profile) and, if the endpoint has_seconds, "?seconds=" with seconds
 * (0: PV_FETCH_DEFAULT_SECONDS). A URL with a path keeps it; if that path is an endpoint that
 * has_seconds, seconds other than 0 replace those in the URL. NULL with PV_FETCH_ERROR_BAD_URL. */
char *pv_fetch_make_url (const char *typed, const PvFetchEndpoint *endpoint, unsigned seconds,
                         GError **error);

/* Whether an argument is a URL for pv_fetch_async (): it begins with http: or https:. */
bool pv_fetch_is_url (const char *argument);

/* Whether an argument, if no file has that name, may be the address of a server:
 * "localhost:6060", "[::1]:6060/debug/pprof/heap". */
bool pv_fetch_is_address (const char *argument);

/* The URL for titles and messages: without user name and password, at most 200 characters. */
char *pv_fetch_format_url (const char *url);

/* How many seconds the server records before it answers, by the URL's "seconds="; 0 if it has
 * none. */
double pv_fetch_get_seconds (const char *url);
