/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <libsoup/soup.h>

#include "fetch/fetch-body.h"

/* A GIO, TLS or libsoup error in the user's words, as a PV_FETCH_ERROR; "cancelled" stays what it
 * is. is_in_body: the answer had begun. */
GError *pv_failure_explain (const GError *cause, SoupMessage *message, bool is_in_body);

/* The server's "no", with the reason it gave. */
void pv_failure_set_refused (SoupMessage *message, const PvFetchBody *body, GError **error);
