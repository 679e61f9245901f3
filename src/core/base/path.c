/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/path.h"

#include <glib.h>
#include <string.h>

const char *
pv_path_get_base (const char *path)
{
    const char *slash = strrchr (path, '/');
    return slash != NULL ? slash + 1 : path;
}

size_t
pv_path_get_plain_len (const char *path)
{
    static const char deleted[] = " (deleted)";
    return strlen (path) - (g_str_has_suffix (path, deleted) ? strlen (deleted) : 0);
}

char *
pv_path_name_kernel_module (const char *path)
{
    const char *base = pv_path_get_base (path), *end = strstr (base, ".ko");
    if (end == NULL || (end[3] != '\0' && end[3] != '.'))
        return NULL;
    return g_strdelimit (g_strdup_printf ("[%.*s]", (int)(end - base), base), "-", '_');
}

bool
pv_path_is_memfd (const char *path)
{
    return g_str_has_prefix (path, "/memfd:");
}

char *
pv_path_name_memfd (const char *path)
{
    size_t len = strcspn (path + 1, "/");
    while (len > 0 && path[len] == ':')
        len--;
    return g_strndup (path + 1, len);
}
