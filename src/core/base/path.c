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

/* A line of mountinfo: "22 1 0:20 / /net rw - autofs -hosts rw,indirect". */
typedef struct {
    const char *place;
    size_t place_len;
    bool is_of_hosts;
} Mount;

static bool
take_mount (const char **lines, Mount *ret_mount)
{
    const char *line = *lines, *end = strchrnul (line, '\n');
    if (*line == '\0')
        return false;
    *lines = *end != '\0' ? end + 1 : end;
    *ret_mount = (Mount){.place = ""};
    for (int i = 0; i < 4 && line < end; i++) {
        const char *space = memchr (line, ' ', (size_t)(end - line));
        line = space != NULL ? space + 1 : end;
    }
    const char *type = memmem (line, (size_t)(end - line), " - ", 3);
    const char *space = memchr (line, ' ', (size_t)(end - line));
    if (space == NULL || type == NULL)
        return true;
    ret_mount->place = line;
    ret_mount->place_len = (size_t)(space - line);
    bool is_net = ret_mount->place_len == 4 && strncmp (line, "/net", 4) == 0;
    ret_mount->is_of_hosts = g_str_has_prefix (type, " - autofs -hosts ") ||
                             (is_net && g_str_has_prefix (type, " - autofs "));
    return true;
}

bool
pv_path_has_hosts (const char *mounts)
{
    g_assert (mounts != NULL);
    Mount mount;
    while (take_mount (&mounts, &mount))
        if (mount.is_of_hosts)
            return true;
    return false;
}

static bool
is_inside (const char *path, const char *folder, size_t folder_len)
{
    return strncmp (path, folder, folder_len) == 0 && path[folder_len] == '/' &&
           path[folder_len + 1] != '\0';
}

/* True if something is mounted on the way from the folder of hosts to the path. */
static bool
is_mounted (const char *mounts, const char *path, size_t folder_len)
{
    Mount mount;
    while (take_mount (&mounts, &mount))
        if (mount.place_len > folder_len && is_inside (path, mount.place, mount.place_len))
            return true;
    return false;
}

bool
pv_path_waits_for_mount (const char *mounts, const char *path)
{
    g_assert (mounts != NULL && path != NULL);
    g_autofree char *canonical = g_canonicalize_filename (path, NULL);
    /* Two slashes at the beginning stay, and mean the same. */
    const char *full = canonical + (canonical[1] == '/'), *rest = mounts;
    Mount mount;
    while (take_mount (&rest, &mount))
        if (mount.is_of_hosts && is_inside (full, mount.place, mount.place_len) &&
            !is_mounted (mounts, full, mount.place_len))
            return true;
    return false;
}

bool
pv_path_is_jitted (const char *path)
{
    return g_str_has_prefix (pv_path_get_base (path), "jitted-") && g_str_has_suffix (path, ".so");
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
