/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/environment.h"

#include <glib.h>
#include <string.h>

static char **
add_entries (char **environment, const char *const *entries)
{
    for (; entries != NULL && *entries != NULL; entries++) {
        const char *equals = strchr (*entries, '=');
        if (equals == NULL || equals == *entries)
            continue;
        g_autofree char *name = g_strndup (*entries, (gsize)(equals - *entries));
        environment = g_environ_setenv (environment, name, equals + 1, TRUE);
    }
    return environment;
}

char **
pv_environment_make (const char *const *entries, const char *const *more_entries)
{
    char **environment = g_get_environ ();
    environment = add_entries (environment, entries);
    return add_entries (environment, more_entries);
}
