/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/system-modules.h"

#include <glib.h>
#include <string.h>

static bool
is_system_path (const char *path)
{
    static const char *const prefixes[] = {"/usr/",      "/lib/",    "/lib32/",     "/lib64/",
                                           "/bin/",      "/sbin/",   "/nix/store/", "/gnu/store/",
                                           "/snap/core", "/app/lib/"};
    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (path, prefixes[i]))
            return !g_str_has_prefix (path, "/usr/local/") && !g_str_has_prefix (path, "/usr/src/");
    return false;
}

/* Text formats often have only the last part of a path. */
static bool
is_system_name (const char *name)
{
    static const char *const prefixes[] = {
        "libc.so",    "libc-2",    "ld-linux",   "ld-2",     "libm.so",  "libm-2",
        "libstdc++",  "libgcc_s",  "libpthread", "libdl.so", "librt.so", "libc++",
        "libsystemd", "libglib-2", "libcrypto",  "libssl",   "ld-musl"};
    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (name, prefixes[i]))
            return true;
    return false;
}

bool
pv_module_is_system (const PvModule *module)
{
    g_assert (module != NULL);

    if (module->path != NULL && g_str_has_prefix (module->path, "node:"))
        return true; /* JavaScript that is part of node */
    if (module->path != NULL && strchr (module->path, '/') != NULL)
        return is_system_path (module->path);
    return module->name != NULL && is_system_name (module->name);
}
