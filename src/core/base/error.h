/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* One domain per stage that can fail, codes by what the user can do about it. Messages are
 * translated and need no prefix: the caller adds the file's name. */

typedef enum {
    PV_READ_ERROR_UNKNOWN_FORMAT, /* no reader knows this content */
    PV_READ_ERROR_UNSUPPORTED,    /* known, but not supported */
    PV_READ_ERROR_CORRUPT,        /* damaged beyond a partial result */
    PV_READ_ERROR_TOO_LARGE,      /* a stated limit was passed */
    PV_READ_ERROR_PERMISSION,     /* the user may not read the file */
    PV_READ_ERROR_NOT_FOUND,
    PV_READ_ERROR_FAILED, /* any other system error */
} PvReadError;

typedef enum {
    PV_JOB_ERROR_CANCELLED,
} PvJobError;

#define PV_READ_ERROR pv_read_error_quark ()
#define PV_JOB_ERROR  pv_job_error_quark ()

/* Sets an error of PV_READ_ERROR; NULL, which is false too, for the caller to return. */
void *pv_read_fail (GError **error, PvReadError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

GQuark pv_read_error_quark (void);
GQuark pv_job_error_quark (void);

/* Call before starting threads that may set errors, as pv_pool_new () does: GLib's error lock and
 * the domains are created on first use, in a way that ThreadSanitizer cannot see to be safe. */
void pv_errors_prepare (void);
