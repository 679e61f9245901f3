/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the files of a module once, then keeps them.
 *
 * Never accepts a file with another build-id than the recorded one. If the recording has no
 * build-id, or a wrong one, accepts the first file and marks it as unverified; but not an older
 * file at the recorded path that is certainly not the one that ran.
 */
#include "core/symbolize/files/module-files.h"

#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/idmap.h"
#include "core/base/path.h"
#include "core/symbolize/files/file-search.h"

typedef struct {
    pthread_mutex_t mutex; /* held during the search for the files */
    bool is_ready;
    PvModuleFile file;
} Entry;

struct PvModuleFiles {
    PvFileRoots roots;
    pthread_mutex_t mutex; /* protects the table */
    PvHashMap index;       /* (kind, build-id, inode, generation, path) -> 1 + index in entries */
    PV_ARRAY (Entry *) entries;
};

PvModuleFiles *
pv_module_files_new (const PvSymbolOptions *options)
{
    PvModuleFiles *files = g_new0 (PvModuleFiles, 1);

    /* Creating a quark takes a lock in GLib: do it now, not in the workers. */
    pv_read_error_quark ();
    pv_file_roots_init (&files->roots, options);
    pthread_mutex_init (&files->mutex, NULL);
    return files;
}

void
pv_module_file_clear (PvModuleFile *file)
{
    g_assert (file != NULL);

    g_clear_pointer (&file->binary, pv_elf_image_unref);
    g_clear_pointer (&file->debug, pv_elf_image_unref);
    g_clear_pointer (&file->alternate, pv_elf_image_unref);
    g_clear_pointer (&file->packages, g_strfreev);
    g_clear_pointer (&file->split_folders, g_strfreev);
    g_clear_pointer (&file->wrong_debug, g_free);
}

void
pv_module_files_free (PvModuleFiles *files)
{
    if (files == NULL)
        return;
    for (size_t i = 0; i < files->entries.len; i++) {
        Entry *entry = files->entries.data[i];
        pv_module_file_clear (&entry->file);
        pthread_mutex_destroy (&entry->mutex);
        g_free (entry);
    }
    pv_array_clear (&files->entries);
    pv_hash_map_clear (&files->index);
    pv_file_roots_clear (&files->roots);
    pthread_mutex_destroy (&files->mutex);
    g_free (files);
}

PvMappedFile *
pv_module_files_open_side_file (PvModuleFiles *files, const char *recorded_path)
{
    g_assert (files != NULL && recorded_path != NULL);

    return pv_file_roots_open_recorded (&files->roots, recorded_path);
}

char *
pv_module_files_find_relative (PvModuleFiles *files, const char *recorded_path,
                               const char *recorder_folder)
{
    g_assert (files != NULL && recorded_path != NULL);

    return pv_file_roots_find_relative (&files->roots, recorded_path, recorder_folder);
}

PvFileRoots *
pv_module_files_get_roots (PvModuleFiles *files)
{
    g_assert (files != NULL);

    return &files->roots;
}

/* Finds what belongs to the binary of the search, which may be NULL. */
static void
find_companions (PvFileSearch *search, PvModuleFile *file)
{
    if (search->roots->no_other_files) {
        file->debug = file->binary != NULL ? pv_elf_image_ref (file->binary) : NULL;
        return;
    }
    file->debug = pv_file_search_find_debug (search, file->binary);
    file->wrong_debug = g_steal_pointer (&search->wrong_debug);
    file->is_wrong_by_id = search->is_wrong_by_id;
    if (file->debug == NULL)
        return;
    file->alternate = pv_file_find_alternate (search->roots, file->debug);
    if (!pv_elf_image_has_debug_info (file->debug))
        return;
    file->packages = pv_file_search_list_packages (search, file->binary, file->debug);
    file->split_folders = pv_file_search_list_split_folders (search);
}

static void
open_module (PvModuleFiles *files, const PvModule *module, PvModuleFile *file)
{
    PvModule known = *module;
    PvFileSearch search = {.roots = &files->roots, .module = &known};
    const char *path = module->path != NULL ? module->path : "";

    if (module->kind == PV_MODULE_UNKNOWN || module->kind == PV_MODULE_JIT || *path == '\0')
        return;
    if (files->roots.no_other_files) {
        file->reason = _ ("The file was not found.");
        return;
    }
    search.path = g_strndup (path, pv_path_get_plain_len (path));
    search.base = pv_path_get_base (search.path);
    file->has_wrong_id = module->kind == PV_MODULE_FILE && pv_file_search_has_wrong_id (&search);
    if (file->has_wrong_id)
        known.build_id_size = 0;
    if (known.build_id_size >= 2)
        search.hex = pv_build_id_to_hex (known.build_id, known.build_id_size);

    switch (module->kind) {
    case PV_MODULE_VDSO:
        file->binary = pv_file_search_find_vdso (&search);
        break;
    case PV_MODULE_KERNEL:
        file->binary = pv_file_search_find_kernel (&search);
        break;
    case PV_MODULE_KERNEL_MODULE:
        file->binary = pv_file_search_find_kernel_module (&search);
        break;
    default:
        file->binary = pv_file_search_find_binary (&search);
    }
    find_companions (&search, file);
    file->is_unverified = file->binary != NULL && known.build_id_size == 0;
    if (file->binary == NULL) {
        file->is_mismatched = search.is_mismatched;
        file->is_other = search.is_other;
        file->other = search.other;
        file->reason = search.is_other ? _ ("The file at its path is not the one that ran.")
                       : search.is_mismatched
                           ? _ ("The file found is from a different build than the recorded one.")
                           : _ ("The file was not found.");
    }
    g_free (search.path);
    g_free (search.hex);
}

void
pv_module_files_find_companions (PvModuleFiles *files, PvElfImage *binary, PvModuleFile *ret_file)
{
    g_assert (files != NULL && binary != NULL && ret_file != NULL);

    const char *path = pv_elf_image_get_path (binary);
    const uint8_t *build_id;
    g_autofree char *absolute = g_canonicalize_filename (path, NULL);
    PvModule module = {.path = absolute, .kind = PV_MODULE_FILE};
    module.build_id_size = (uint8_t)pv_elf_image_get_build_id (binary, &build_id);
    memcpy (module.build_id, build_id, module.build_id_size);
    PvFileSearch search = {.roots = &files->roots, .module = &module, .path = absolute};
    search.base = pv_path_get_base (absolute);
    g_autofree char *hex = pv_build_id_to_hex (module.build_id, module.build_id_size);
    search.hex = module.build_id_size >= 2 ? hex : NULL;
    *ret_file = (PvModuleFile){.binary = pv_elf_image_ref (binary)};
    find_companions (&search, ret_file);
}

static Entry *
get_entry (PvModuleFiles *files, const PvModule *module)
{
    const char *path = module->path != NULL ? module->path : "";
    g_autofree char *hex = pv_build_id_to_hex (module->build_id, module->build_id_size);
    g_autofree char *key =
        g_strdup_printf ("%d %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s", (int)module->kind,
                         hex, module->identity.inode, module->identity.generation, path);
    PvHash hash = pv_hash_bytes (key, strlen (key), 0);

    pthread_mutex_lock (&files->mutex);
    uint32_t *slot = pv_hash_map_slot (&files->index, hash);
    if (*slot == 0) {
        Entry *entry = g_new0 (Entry, 1);
        pthread_mutex_init (&entry->mutex, NULL);
        pv_array_push (&files->entries, entry);
        *slot = (uint32_t)files->entries.len;
    }
    Entry *entry = files->entries.data[*slot - 1];
    pthread_mutex_unlock (&files->mutex);
    return entry;
}

static bool
have_same_id (const PvElfImage *a, const PvElfImage *b)
{
    const uint8_t *id;
    if (a == NULL || b == NULL)
        return a == b;
    size_t size_bytes = pv_elf_image_get_build_id (a, &id);
    return a == b || (size_bytes > 0 && pv_elf_image_has_id (b, id, size_bytes));
}

bool
pv_module_files_are_same (PvModuleFiles *files, const PvModule *before, const PvModule *after)
{
    const PvModuleFile *a = pv_module_files_get (files, before);
    const PvModuleFile *b = pv_module_files_get (files, after);
    return have_same_id (a->binary, b->binary);
}

const PvModuleFile *
pv_module_files_get (PvModuleFiles *files, const PvModule *module)
{
    g_assert (files != NULL && module != NULL);

    Entry *entry = get_entry (files, module);

    pthread_mutex_lock (&entry->mutex);
    if (!entry->is_ready)
        open_module (files, module, &entry->file);
    entry->is_ready = true;
    pthread_mutex_unlock (&entry->mutex);
    return &entry->file;
}
