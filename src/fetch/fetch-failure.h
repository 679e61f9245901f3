/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <libsoup/soup.h>
#include <stdbool.h>

/* Turns an error of GIO or libsoup into a PV_FETCH_ERROR with its message; "cancelled" stays
 * G_IO_ERROR_CANCELLED. is_in_body: the answer had begun. */
GError *pv_failure_explain (const GError *cause, SoupMessage *message, bool is_in_body);
