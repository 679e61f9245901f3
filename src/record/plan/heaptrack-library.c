/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/plan/heaptrack-library.h"

#include <stdlib.h>

char *
pv_heaptrack_find_library (const char *name)
{
    g_assert (name != NULL);
    static const char *const folders[] = {"lib", "lib64", "lib/x86_64-linux-gnu",
                                          "lib/aarch64-linux-gnu"};
    g_autofree char *program = g_find_program_in_path ("heaptrack");
    char *real = program != NULL ? realpath (program, NULL) : NULL;
    if (real == NULL)
        return NULL;
    g_autofree char *bin = g_path_get_dirname (real);
    free (real);
    for (unsigned i = 0; i < G_N_ELEMENTS (folders); i++) {
        g_autofree char *path = g_build_filename (bin, "..", folders[i], "heaptrack", name, NULL);
        char *library = realpath (path, NULL);
        if (library == NULL)
            continue;
        char *copy = g_strdup (library);
        free (library);
        return copy;
    }
    return NULL;
}
