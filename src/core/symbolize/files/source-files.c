/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/files/source-files.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/base/mapped-file.h"
#include "core/symbolize/files/debuginfod.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/files/toolchain-sources.h"

enum { MAX_BYTES = 64 << 20, MAX_FOLDERS_UP = 4 };

typedef struct {
    PvMappedFile *file;
    char *path;
    bool is_fetched;
} Found;

/* A module's; without bytes if it is unknown. */
typedef struct {
    uint8_t bytes[PV_BUILD_ID_MAX];
    size_t size_bytes;
} BuildId;

/* Takes the path. */
static bool
try_path (Found *found, char *path)
{
    found->file = path != NULL ? pv_mapped_file_open (path, NULL) : NULL;
    found->path = path;
    if (found->file == NULL)
        g_clear_pointer (&found->path, g_free);
    return found->file != NULL;
}

/* The longest end of the path that is in the folder: "/build/x/src/a.c" may be "src/a.c" there. */
static bool
try_ends (Found *found, const char *folder, const char *path)
{
    for (const char *end = path; end != NULL; end = strchr (end, '/')) {
        while (*end == '/')
            end++;
        if (*end != '\0' && try_path (found, pv_path_in_root (folder, end)))
            return true;
    }
    return false;
}

static bool
try_folders (Found *found, PvFileRoots *roots, const char *path)
{
    const char *const *folders;
    size_t n_folders = pv_file_roots_get_folders (roots, &folders);
    for (size_t i = 0; i < n_folders; i++)
        if (try_ends (found, folders[i], path))
            return true;
    return false;
}

/* The binary may be in a folder of its own: "build/src/program" beside "src/a.c". */
static bool
try_beside (Found *found, const char *binary, const char *path)
{
    g_autofree char *folder = g_path_get_dirname (binary);
    for (unsigned i = 0; i <= MAX_FOLDERS_UP && strcmp (folder, "/") != 0; i++) {
        if (try_ends (found, folder, path))
            return true;
        char *up = g_path_get_dirname (folder);
        g_free (folder);
        folder = up;
    }
    return false;
}

static bool
try_toolchains (Found *found, const char *path)
{
    g_auto (GStrv) paths = pv_toolchain_list_sources (path);
    for (unsigned i = 0; paths[i] != NULL; i++)
        if (try_path (found, g_strdup (paths[i])))
            return true;
    return false;
}

static BuildId
find_build_id (const PvProfile *profile, PvModuleId module, const char *binary)
{
    BuildId id = {.size_bytes = 0};
    const uint8_t *bytes = NULL;
    g_autoptr (PvElfImage) image = NULL;
    if (profile != NULL && module < profile->n_modules) {
        bytes = profile->modules[module].build_id;
        id.size_bytes = profile->modules[module].build_id_size;
    }
    if (id.size_bytes == 0 && binary != NULL && (image = pv_file_open_image (binary)) != NULL)
        id.size_bytes = pv_elf_image_get_build_id (image, &bytes);
    id.size_bytes = MIN (id.size_bytes, sizeof id.bytes);
    if (id.size_bytes > 0)
        memcpy (id.bytes, bytes, id.size_bytes);
    return id;
}

static bool
try_fetched (Found *found, const PvFileRoots *roots, const char *path, const BuildId *id)
{
    if (roots->debuginfod_cache == NULL || path[0] != '/' || id->size_bytes == 0)
        return false;
    g_auto (GStrv) paths = pv_debuginfod_list_cached_sources (roots->debuginfod_cache, id->bytes,
                                                              id->size_bytes, path);
    for (unsigned i = 0; paths[i] != NULL && !found->is_fetched; i++) {
        struct stat info;
        /* An empty one says that no server had it. */
        if (stat (paths[i], &info) == 0 && info.st_size > 0)
            found->is_fetched = try_path (found, g_strdup (paths[i]));
    }
    return found->is_fetched;
}

static bool
find (Found *found, PvFileRoots *roots, const char *path, const char *binary)
{
    if (try_path (found, pv_file_roots_map (roots, path)))
        return true;
    if (roots->sysroot != NULL && try_path (found, pv_path_in_root (roots->sysroot, path)))
        return true;
    if (try_folders (found, roots, path))
        return true;
    if (roots->sysroot != NULL)
        return false;
    if (path[0] == '/' && try_path (found, g_strdup (path)))
        return true;
    if (binary != NULL && binary[0] == '/' && try_beside (found, binary, path))
        return true;
    return try_toolchains (found, path);
}

static bool
is_newer (const PvMappedFile *file, const char *binary)
{
    struct stat info;
    return binary != NULL && stat (binary, &info) == 0 &&
           pv_mapped_file_get_mtime (file) > (int64_t)info.st_mtime;
}

static PvSourceFile *
read_file (const Found *found, const char *binary, GError **error)
{
    size_t size_bytes = pv_mapped_file_get_size (found->file);
    if (size_bytes > MAX_BYTES)
        return pv_read_fail (error, PV_READ_ERROR_TOO_LARGE,
                             _ ("%s is larger than %u MiB, too large for a source file"),
                             found->path, (unsigned)(MAX_BYTES >> 20));
    PvSourceFile *file = g_new0 (PvSourceFile, 1);
    file->text = pv_source_text_new (pv_mapped_file_get_data (found->file), size_bytes);
    file->path = g_strdup (found->path);
    file->is_fetched = found->is_fetched;
    file->is_newer = !found->is_fetched && is_newer (found->file, binary);
    return file;
}

static PvSourceFile *
take_embedded (const PvEmbeddedSource *source)
{
    PvSourceFile *file = g_new0 (PvSourceFile, 1);
    file->text = pv_source_text_new (source->text, source->size_bytes);
    file->path = g_strdup (source->path);
    return file;
}

PvSourceFile *
pv_source_file_find_of_module (const PvProfile *profile, const PvSymbolOptions *options,
                               const char *recorded_path, PvModuleId module, const char *binary,
                               GError **error)
{
    g_assert (recorded_path != NULL && *recorded_path != '\0');

    const PvEmbeddedSource *embedded =
        profile != NULL ? pv_profile_find_source (profile, recorded_path) : NULL;
    if (embedded != NULL && embedded->size_bytes <= MAX_BYTES)
        return take_embedded (embedded);
    PvFileRoots roots;
    Found found = {0};
    PvSourceFile *file = NULL;
    pv_file_roots_init (&roots, options);
    bool is_found = find (&found, &roots, recorded_path, binary);
    if (!is_found) {
        const BuildId id = find_build_id (profile, module, binary);
        is_found = try_fetched (&found, &roots, recorded_path, &id);
    }
    if (is_found)
        file = read_file (&found, binary, error);
    else
        g_set_error (error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND, _ ("%s was not found"),
                     recorded_path);
    g_clear_pointer (&found.file, pv_mapped_file_unref);
    g_free (found.path);
    pv_file_roots_clear (&roots);
    return file;
}

PvSourceFile *
pv_source_file_find (const PvProfile *profile, const PvSymbolOptions *options,
                     const char *recorded_path, const char *binary, GError **error)
{
    return pv_source_file_find_of_module (profile, options, recorded_path, UINT32_MAX, binary,
                                          error);
}

bool
pv_source_file_can_fetch (const PvProfile *profile, const char *recorded_path, PvModuleId module,
                          const char *binary)
{
    g_assert (recorded_path != NULL);
    return recorded_path[0] == '/' && pv_debuginfod_has_servers () &&
           find_build_id (profile, module, binary).size_bytes > 0;
}

bool
pv_source_file_fetch (const PvProfile *profile, const char *recorded_path, PvModuleId module,
                      const char *binary, PvJob *job, GError **error)
{
    g_assert (recorded_path != NULL && *recorded_path != '\0');
    const BuildId id = find_build_id (profile, module, binary);
    if (id.size_bytes == 0 || recorded_path[0] != '/')
        return pv_read_fail (error, PV_READ_ERROR_NOT_FOUND,
                             id.size_bytes == 0
                                 ? _ ("Its build-id is unknown, so no server can be asked")
                                 : _ ("Its whole path is unknown, so no server can be asked"));
    g_autofree char *path =
        pv_debuginfod_fetch_source (id.bytes, id.size_bytes, recorded_path, MAX_BYTES, job, error);
    return path != NULL;
}

void
pv_source_file_free (PvSourceFile *file)
{
    if (file == NULL)
        return;
    pv_source_text_unref (file->text);
    g_free (file->path);
    g_free (file);
}
