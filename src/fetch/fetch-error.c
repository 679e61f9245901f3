/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-error.h"

#include <glib/gi18n-lib.h>
#include <stdarg.h>

typedef struct {
    char *redirect;
    char *answer;
} PvFetchErrorPrivate;

static void
pv_fetch_error_private_init (PvFetchErrorPrivate *more)
{
    *more = (PvFetchErrorPrivate){0};
}

static void
pv_fetch_error_private_copy (const PvFetchErrorPrivate *from, PvFetchErrorPrivate *to)
{
    to->redirect = g_strdup (from->redirect);
    to->answer = g_strdup (from->answer);
}

static void
pv_fetch_error_private_clear (PvFetchErrorPrivate *more)
{
    g_free (more->redirect);
    g_free (more->answer);
}

G_DEFINE_EXTENDED_ERROR (PvFetchError, pv_fetch_error)

void
pv_fetch_set_error (GError **error, int code, const char *redirect, const char *answer,
                    const char *format, ...)
{
    va_list arguments;
    va_start (arguments, format);
    GError *made = g_error_new_valist (PV_FETCH_ERROR, code, format, arguments);
    va_end (arguments);
    PvFetchErrorPrivate *more = pv_fetch_error_get_private (made);
    more->redirect = g_strdup (redirect);
    more->answer = g_strdup (answer);
    g_propagate_error (error, made);
}

GError *
pv_fetch_make_cut_error (void)
{
    GError *error = NULL;
    pv_fetch_set_error (&error, PV_FETCH_ERROR_CUT, NULL, NULL, "%s",
                        _ ("The connection ended before the complete answer arrived."));
    return error;
}

const char *
pv_fetch_error_get_redirect (const GError *error)
{
    g_assert (error != NULL);
    const PvFetchErrorPrivate *more =
        error->domain == PV_FETCH_ERROR ? pv_fetch_error_get_private (error) : NULL;
    return more != NULL ? more->redirect : NULL;
}

const char *
pv_fetch_error_get_answer (const GError *error)
{
    g_assert (error != NULL);
    const PvFetchErrorPrivate *more =
        error->domain == PV_FETCH_ERROR ? pv_fetch_error_get_private (error) : NULL;
    return more != NULL ? more->answer : NULL;
}
