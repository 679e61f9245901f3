/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/fetch-error.h"

#include <glib/gi18n-lib.h>
#include <stdarg.h>

typedef struct {
    char *redirect;
    char *answer;
    char **links;
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
    to->links = g_strdupv (from->links);
}

static void
pv_fetch_error_private_clear (PvFetchErrorPrivate *more)
{
    g_free (more->redirect);
    g_free (more->answer);
    g_strfreev (more->links);
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

void
pv_fetch_set_list_error (GError **error, const char *const *links, const char *paths)
{
    g_assert (links != NULL && *links != NULL && paths != NULL);
    GError *made = NULL;
    /* Translators: a list of paths on a server */
    pv_fetch_set_error (&made, PV_FETCH_ERROR_LIST, NULL, NULL,
                        _ ("This page lists profiles, each at its own address: %s"), paths);
    PvFetchErrorPrivate *more = pv_fetch_error_get_private (made);
    more->links = g_strdupv ((char **)links);
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

const char *const *
pv_fetch_error_get_links (const GError *error)
{
    g_assert (error != NULL);
    const PvFetchErrorPrivate *more =
        error->domain == PV_FETCH_ERROR ? pv_fetch_error_get_private (error) : NULL;
    return more != NULL ? (const char *const *)more->links : NULL;
}

bool
pv_fetch_error_is_elsewhere (const GError *error)
{
    return g_error_matches (error, PV_FETCH_ERROR, PV_FETCH_ERROR_NOT_FOUND) ||
           g_error_matches (error, PV_FETCH_ERROR, PV_FETCH_ERROR_PAGE);
}
