/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/environment.h"

#include <glib.h>
#include <string.h>

/* main () puts them aside, as they are meant for others and not for libraries of ours. */
static const char *const put_aside[] = {"DEBUGINFOD_URLS"};

/* The kernel keeps what a process was started with, whatever it does to its variables since. */
static char **
give_back (char **environment)
{
    g_autofree char *text = NULL;
    gsize size = 0;
    if (!g_file_get_contents ("/proc/self/environ", &text, &size, NULL))
        return environment;
    for (const char *entry = text; entry < text + size; entry += strlen (entry) + 1) {
        for (unsigned i = 0; i < G_N_ELEMENTS (put_aside); i++) {
            size_t length = strlen (put_aside[i]);
            if (strncmp (entry, put_aside[i], length) == 0 && entry[length] == '=')
                environment =
                    g_environ_setenv (environment, put_aside[i], entry + length + 1, FALSE);
        }
    }
    return environment;
}

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
    char **environment = give_back (g_get_environ ());
    environment = add_entries (environment, entries);
    return add_entries (environment, more_entries);
}
