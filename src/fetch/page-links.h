/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

/* Looks for links to profiles in the beginning of a page of HTML, such as that of Go's
 * net/http/pprof at /debug/pprof/, which has this URL. True if there are any: error is then
 * PV_FETCH_ERROR_LIST with them. Only those on the same server count. Any thread. */
bool pv_page_links_find (const void *html, size_t size_bytes, GUri *url, GError **error);
