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

/* Parses what the user typed into a URL with a host and a path, escaped so that it can be sent:
 * http, https, https+insecure (see pv_fetch_is_insecure ()), or http+unix, whose host is the path
 * of a socket; "unix:///run/app.sock:/debug/pprof/heap" becomes one. NULL with
 * PV_FETCH_ERROR_BAD_URL. */
GUri *pv_fetch_parse_url (const char *typed, GError **error);

/* True if the server is at a socket in the file system: the URL's host. */
bool pv_fetch_is_socket (GUri *url);

/* True if the server is on this machine, by its name. */
bool pv_fetch_is_local (GUri *url);

/* True if any certificate of the server will do. */
bool pv_fetch_is_insecure (GUri *url);

/* True if both are on one server; also if the second has https in place of http. */
bool pv_fetch_is_same_server (GUri *from, GUri *to);

/* The URL that a link or a redirect on a page leads to; NULL if it cannot be fetched. */
GUri *pv_fetch_resolve_url (GUri *base, const char *reference);

/* The URL of another path, and a query or NULL, on the server. */
GUri *pv_fetch_move_url (GUri *url, const char *path, const char *query);

/* True if the text names only a server ("localhost:6060", "http://[::1]:6060/"), so that the user
 * still has to choose an endpoint. Also false if it is not a URL at all. */
bool pv_fetch_is_server (const char *typed);

/* Completes what the user typed to a URL. The default scheme is http. A server alone gets the path
 * of endpoint (NULL: the CPU profile) and, if the endpoint has_seconds, "?seconds=" with seconds
 * (0: PV_FETCH_DEFAULT_SECONDS). A URL with a path keeps it; seconds other than 0 replace those in
 * the URL. NULL with PV_FETCH_ERROR_BAD_URL. */
char *pv_fetch_make_url (const char *typed, const PvFetchEndpoint *endpoint, unsigned seconds,
                         GError **error);

/* Where else a profile may be when the server does not know url, or has a page there; a URL as
 * pv_fetch_make_url () makes it: the n-th place, on the same server, or NULL if there are no more.
 * An address without an endpoint may be the one that jeprof or pprof is given, and the endpoint is
 * below it; services have their CPU profile at different paths. Free with g_free (). */
char *pv_fetch_guess_url (const char *url, unsigned n);

/* The paths of all of them, for messages: "/a/pprof/heap, /a/pprof/profile"; NULL if there are
 * none. Free with g_free (). */
char *pv_fetch_list_guesses (const char *url);

/* True if an argument is a URL for pv_fetch_async (): it begins with http:, https:,
 * https+insecure:, http+unix: or unix:/. */
bool pv_fetch_is_url (const char *argument);

/* Overwrites the user name and the password in every URL of an argument, "--base=http://…" too,
 * with
 * "*": other users of the machine can read the arguments of a process. Leaves the rest alone. */
void pv_fetch_hide_secrets (char *argument);

/* The URL with this user name and password, in place of its own; free with g_free (). NULL if url
 * is not valid. */
char *pv_fetch_add_user (const char *url, const char *user, const char *password);

/* True if an argument, if no file has that name, may be the address of a server:
 * "localhost:6060", "[::1]:6060/debug/pprof/heap". */
bool pv_fetch_is_address (const char *argument);

/* The URL for titles and messages: without user name and password, at most 200 characters. */
char *pv_fetch_format_url (const char *url);

/* How many seconds the server records before it answers, by the URL's "seconds="; 0 if it has
 * none. */
double pv_fetch_get_seconds (const char *url);
