/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* A PV_FETCH_ERROR that carries more than its message; redirect and answer may be NULL. */
void pv_fetch_set_error (GError **error, int code, const char *redirect, const char *answer,
                         const char *format, ...) G_GNUC_PRINTF (5, 6);

/* The connection ended before the answer did. */
GError *pv_fetch_make_cut_error (void);
