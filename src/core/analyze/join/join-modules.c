/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/join/join-modules.h"

#include <string.h>

#include "core/base/path.h"

/* "-1.2.3", "_v2", ".1" at the end: how many bytes are left of the name without it. */
static size_t
cut_version (const char *name, size_t len)
{
    size_t end = len;
    while (end > 0 && (g_ascii_isdigit (name[end - 1]) || name[end - 1] == '.'))
        end--;
    if (end == len)
        return len;
    if (end > 1 && name[end - 1] == 'v' && strchr ("-_.", name[end - 2]) != NULL)
        end--;
    if (end > 1 && (name[end - 1] == '-' || name[end - 1] == '_'))
        return end - 1;
    return end > 0 && name[end] == '.' ? end : len;
}

/* True for "node:internal/modules/cjs/loader", of which the last part is no name. */
static bool
is_address_of_file (const char *path)
{
    size_t len = path != NULL ? strcspn (path, ":/") : 0;
    return len > 0 && path[len] == ':' && strstr (path, "://") == NULL;
}

static bool
is_jit (const char *name)
{
    return g_ascii_strncasecmp (name, "[jit", 4) == 0 || g_ascii_strncasecmp (name, "[v8", 3) == 0;
}

char *
pv_compare_make_module_name (const PvModule *module)
{
    g_assert (module != NULL);
    const char *name = module->name;
    if (is_jit (name))
        return g_strdup ("[jit]"); /* of any kind, which other formats do not know */
    char *of_kernel = module->kind == PV_MODULE_FILE || module->kind == PV_MODULE_KERNEL_MODULE
                          ? pv_path_name_kernel_module (name)
                          : NULL;
    if (of_kernel != NULL)
        return of_kernel; /* "[ext4]", of "ext4.ko" too */
    switch (module->kind) {
    case PV_MODULE_KERNEL:
        return g_strdup ("[kernel]");
    case PV_MODULE_JIT:
        return g_strdup ("[jit]");
    case PV_MODULE_UNKNOWN:
        return g_strdup (module->is_kernel ? "[kernel]" : PV_COMPARE_NAMELESS);
    case PV_MODULE_FILE:
        if (g_str_has_prefix (name, "[kernel") || g_str_has_prefix (name, "vmlinux"))
            return g_strdup ("[kernel]");
        if (is_address_of_file (module->path))
            return g_strdup (module->path);
        break;
    case PV_MODULE_VDSO:
    case PV_MODULE_KERNEL_MODULE:
        break;
    }
    const char *so = strstr (name, ".so");
    if (so != NULL && (so[3] == '.' || so[3] == '\0'))
        return g_strndup (name, (size_t)(so + 3 - name));
    return g_strndup (name, cut_version (name, strlen (name)));
}

bool
pv_compare_is_nowhere (const PvModule *module)
{
    g_assert (module != NULL);
    return !module->is_kernel && ((module->kind == PV_MODULE_UNKNOWN && !is_jit (module->name)) ||
                                  strcmp (module->name, PV_COMPARE_NAMELESS) == 0);
}

bool
pv_compare_is_same_build (const PvModule *a, const PvModule *b)
{
    g_assert (a != NULL && b != NULL);
    return a->build_id_size > 0 && a->build_id_size == b->build_id_size &&
           memcmp (a->build_id, b->build_id, a->build_id_size) == 0;
}

bool
pv_compare_has_files (const PvProfile *profile)
{
    g_assert (profile != NULL);
    for (PvModuleId m = 1; m < profile->n_modules; m++)
        if (profile->modules[m].kind == PV_MODULE_FILE)
            return true;
    return false;
}

/* "0x7f0012345234" */
static bool
is_address (const char *name)
{
    return strncmp (name, "0x", 2) == 0 && name[2] != '\0' &&
           name[2 + strspn (name + 2, "0123456789abcdef")] == '\0';
}

bool
pv_compare_is_unmapped (const PvFunction *function, const PvProfile *profile)
{
    g_assert (function != NULL && profile != NULL);
    const bool is_nothing =
        strcmp (function->name, "??") == 0 || strcmp (function->name, "???") == 0 ||
        strcmp (function->name, PV_COMPARE_NAMELESS) == 0 || is_address (function->name);
    return pv_function_is_unmapped (function, profile) ||
           (is_nothing && pv_compare_is_nowhere (&profile->modules[function->module]));
}

bool
pv_compare_is_folded (const PvProfile *profile)
{
    return pv_profile_has_format (profile, "folded stacks");
}
