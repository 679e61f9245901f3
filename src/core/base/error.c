/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/error.h"

G_DEFINE_QUARK (pv - read - error - quark, pv_read_error)
G_DEFINE_QUARK (pv - job - error - quark, pv_job_error)

void *
pv_read_fail (GError **error, PvReadError code, const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    if (error != NULL)
        *error = g_error_new_valist (PV_READ_ERROR, (int)code, format, arguments);
    va_end (arguments);
    return NULL;
}

void
pv_errors_prepare (void)
{
    g_error_free (g_error_new_literal (PV_READ_ERROR, PV_READ_ERROR_FAILED, ""));
    g_error_free (g_error_new_literal (PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED, ""));
    g_option_error_quark ();
    g_regex_error_quark ();
}
