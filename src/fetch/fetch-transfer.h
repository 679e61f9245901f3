/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "fetch/fetch-options.h"

/* One fetch from beginning to end; blocks, and runs a main context of its own meanwhile. url comes
 * from pv_fetch_parse_url (). The path of the saved file, or NULL with an error as pv_fetch ()
 * sets. */
char *pv_fetch_transfer (GUri *url, const PvFetchOptions *options, GCancellable *cancellable,
                         GError **error);
