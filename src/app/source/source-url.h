/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source.h"

/* A server's answer to a URL; or, if interval_seconds is not 0, a series of answers until it is
 * cancelled (seconds from the start of one request to that of the next). */
PvSource *pv_url_source_new (const char *url, unsigned interval_seconds);
/* The URL to ask from the next start on. */
void pv_url_source_set_url (PvSource *source, const char *url);
