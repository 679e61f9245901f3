/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the kernel's image and its modules. Their recorded paths are often not paths:
 * "[kernel.kallsyms]", "[kvm]".
 */
#include <dirent.h>
#include <glib.h>
#include <string.h>

#include "core/base/path.h"
#include "core/symbolize/files/file-search.h"

typedef PvElfImage *(*TryFolderFunc) (PvFileSearch *search, const char *folder, bool needs_id);

/* Calls try for the entries of root/path until one returns an image. */
static PvElfImage *
try_subfolders (PvFileSearch *search, const char *root, const char *path, TryFolderFunc try,
                bool needs_id)
{
    g_autofree char *folder = pv_path_in_root (root, path);
    DIR *listing = folder != NULL ? opendir (folder) : NULL;
    PvElfImage *image = NULL;

    for (struct dirent *entry; listing != NULL && image == NULL;) {
        entry = readdir (listing);
        if (entry == NULL)
            break;
        if (entry->d_name[0] == '.')
            continue;
        g_autofree char *child = g_strconcat (folder, "/", entry->d_name, NULL);
        image = try (search, child, needs_id);
    }
    if (listing != NULL)
        closedir (listing);
    return image;
}

static PvElfImage *
try_vmlinux_in_release (PvFileSearch *search, const char *folder, bool needs_id)
{
    static const char *const names[] = {"vmlinux", "build/vmlinux", "vmlinux.debug"};
    PvElfImage *image = NULL;

    for (size_t i = 0; image == NULL && i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_strconcat (folder, "/", names[i], NULL);
        image = pv_file_search_try (search, path, needs_id);
    }
    return image;
}

/* Tries an entry of a boot folder. */
static PvElfImage *
try_vmlinux_file (PvFileSearch *search, const char *path, bool needs_id)
{
    return g_str_has_prefix (pv_path_get_base (path), "vmlinux")
               ? pv_file_search_try (search, path, needs_id)
               : NULL;
}

static PvElfImage *
try_vmlinux_in_root (PvFileSearch *search, const char *root, bool needs_id)
{
    static const char *const boot_folders[] = {"/boot", "/usr/lib/debug/boot", "/"};
    static const char *const release_folders[] = {"/usr/lib/debug/lib/modules", "/lib/modules",
                                                  "/usr/lib/debug/usr/lib/modules"};
    PvElfImage *image = NULL;

    for (size_t i = 0; image == NULL && i < G_N_ELEMENTS (boot_folders); i++)
        image = try_subfolders (search, root, boot_folders[i], try_vmlinux_file, needs_id);
    for (size_t i = 0; image == NULL && i < G_N_ELEMENTS (release_folders); i++)
        image = try_subfolders (search, root, release_folders[i], try_vmlinux_in_release, needs_id);
    return image;
}

static PvElfImage *
try_debug_by_id (PvFileSearch *search, const char *folder)
{
    static const char *const suffixes[] = {".debug", "/debug", "/elf"};

    for (size_t i = 0; search->hex != NULL && i < G_N_ELEMENTS (suffixes); i++) {
        g_autofree char *path = pv_build_id_path (folder, search->hex, suffixes[i]);
        PvElfImage *image = pv_file_search_try (search, path, true);
        if (image != NULL)
            return image;
    }
    return NULL;
}

PvElfImage *
pv_file_search_find_kernel (PvFileSearch *search)
{
    g_assert (search->roots != NULL && search->module != NULL && search->path != NULL);

    PvFileRoots *roots = search->roots;
    PvElfImage *image = NULL;
    const char *const *folders;

    if (search->path[0] == '/')
        image = pv_file_search_find_binary (search);
    if (image == NULL && roots->sysroot != NULL)
        image = try_vmlinux_in_root (search, roots->sysroot, false);
    size_t n_folders = pv_file_roots_get_folders (roots, &folders);
    for (size_t i = 0; image == NULL && i < n_folders; i++) {
        image = try_vmlinux_in_root (search, folders[i], false);
        if (image == NULL)
            image = try_debug_by_id (search, folders[i]);
    }
    if (image == NULL && search->hex != NULL) {
        image = pv_file_search_try_caches (search);
        if (image == NULL)
            image = try_debug_by_id (search, "/usr/lib/debug");
        if (image == NULL)
            image = try_vmlinux_in_root (search, "/", true);
    }
    return image;
}

/* "kvm_intel" and "kvm-intel.ko.xz" are the same module. */
static bool
is_module_file (const char *file_name, const char *name, size_t name_len)
{
    for (size_t i = 0; i < name_len; i++) {
        char a = file_name[i] == '-' ? '_' : file_name[i];
        char b = name[i] == '-' ? '_' : name[i];
        if (a != b || a == '\0')
            return false;
    }
    return strncmp (file_name + name_len, ".ko", 3) == 0;
}

/* Looks "[name]" up in modules.dep, whose lines begin with a path and a colon. */
static PvElfImage *
try_modules_dep (PvFileSearch *search, const char *folder, bool needs_id)
{
    const char *name = search->path + 1;
    size_t name_len = strcspn (name, "]");
    g_autofree char *index_path = g_strconcat (folder, "/", "modules.dep", NULL);
    g_autoptr (PvMappedFile) index = pv_mapped_file_open (index_path, NULL);

    if (index == NULL)
        return NULL;
    const char *line = (const char *)pv_mapped_file_get_data (index);
    const char *end = line + pv_mapped_file_get_size (index);
    while (line < end) {
        const char *line_end = memchr (line, '\n', (size_t)(end - line));
        if (line_end == NULL)
            line_end = end;
        const char *colon = memchr (line, ':', (size_t)(line_end - line));
        if (colon != NULL) {
            g_autofree char *path = g_strndup (line, (size_t)(colon - line));
            if (is_module_file (pv_path_get_base (path), name, name_len)) {
                g_autofree char *full = g_strconcat (folder, "/", path, NULL);
                return pv_file_search_try (search, full, needs_id);
            }
        }
        line = line_end + 1;
    }
    return NULL;
}

PvElfImage *
pv_file_search_find_kernel_module (PvFileSearch *search)
{
    g_assert (search->roots != NULL && search->module != NULL && search->path != NULL);

    PvFileRoots *roots = search->roots;
    PvElfImage *image = NULL;

    if (search->path[0] != '[')
        return pv_file_search_find_binary (search);
    if (roots->sysroot != NULL)
        image = try_subfolders (search, roots->sysroot, "/lib/modules", try_modules_dep, false);
    if (image == NULL)
        image = pv_file_search_try_folders (search);
    if (image == NULL)
        image = pv_file_search_try_caches (search);
    if (image == NULL)
        image = try_subfolders (search, "/", "/lib/modules", try_modules_dep, true);
    return image;
}
