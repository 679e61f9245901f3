/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "fetch/fetch-options.h"

/* One fetch from start to end; blocks, and runs its own main context. url comes from
 * pv_fetch_parse_url (). Returns the path of the saved file, or NULL with an error as from
 * pv_fetch (). */
char *pv_fetch_transfer (GUri *url, const PvFetchOptions *options, GCancellable *cancellable,
                         GError **error);

/* The same for a text, which is kept in memory: asked for with GET, or with POST if there is a form
 * to send. For g_bytes_unref (). */
GBytes *pv_fetch_transfer_text (GUri *url, const char *form, const PvFetchOptions *options,
                                GCancellable *cancellable, GError **error);
