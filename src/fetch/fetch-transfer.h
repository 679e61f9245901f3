/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "fetch/fetch-options.h"

/* One fetch from beginning to end, in a main context of its own that this thread runs meanwhile.
 * url is one that pv_fetch_parse_url () gave. The path of the saved file, or NULL with an error as
 * pv_fetch () gives. */
char *pv_fetch_transfer (GUri *url, const PvFetchOptions *options, GCancellable *cancellable,
                         GError **error);
