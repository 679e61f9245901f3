/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source.h"

/* What a server answers to a URL: once, or, if interval_seconds is not 0, one answer after the
 * other until it is cancelled (seconds from the start of one request to that of the next). Then all
 * answers are a series. */
PvSource *pv_url_source_new (const char *url, unsigned interval_seconds);
/* The URL to ask from the next start on. */
void pv_url_source_set_url (PvSource *source, const char *url);
