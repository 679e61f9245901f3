/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* What somebody typed, as an http or https URL with a host and a path; escaped, so that it can be
 * sent. NULL with PV_FETCH_ERROR_BAD_URL. */
GUri *pv_fetch_parse_url (const char *typed, GError **error);
