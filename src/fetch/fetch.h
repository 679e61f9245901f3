/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "fetch/fetch-options.h"

/*
 * Fetches profiles of running services by URL. The answer is saved in the user's cache folder,
 * profview/fetched (0700, files 0600), and is from then on a file like any other: unchanged, but
 * for names of functions before a profile that has none, if the server knows them.
 *
 * Only http and https, by a network or a socket of this machine, and only the server that the URL
 * names: a redirect to another one fails with PV_FETCH_ERROR_REDIRECT, and the caller may fetch
 * that URL instead. No cookies, no identification but "profview/VERSION". A fetch that fails leaves
 * no file behind.
 */

/* Works in a thread of its own. Calls progress, if any, and then callback, which must call
 * pv_fetch_finish (), in the thread-default main context of the caller; no progress after callback.
 * options are copied. url comes from pv_fetch_make_url (). cancellable may be NULL; once it is
 * cancelled, the fetch ends soon with G_IO_ERROR_CANCELLED. */
void pv_fetch_async (const char *url, const PvFetchOptions *options, GCancellable *cancellable,
                     GAsyncReadyCallback callback, void *user);

/* The path of the saved file; NULL with a PV_FETCH_ERROR or G_IO_ERROR_CANCELLED. */
char *pv_fetch_finish (GAsyncResult *result, GError **error);

/* The same, but it blocks, and calls progress from this thread. */
char *pv_fetch (const char *url, const PvFetchOptions *options, GCancellable *cancellable,
                GError **error);
