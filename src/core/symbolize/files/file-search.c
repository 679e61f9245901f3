/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds binaries: first in the user's path maps, sysroot and symbol folders, then where a recorded
 * process that still runs sees them, then in the build-id caches, at the same path on this machine,
 * last beside the recording. The first candidate of the recorded build wins.
 */
#include "core/symbolize/files/file-search.h"

#include <elf.h>
#include <glib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "core/base/path.h"
#include "core/elf/elf-unpack.h"
#include "core/symbolize/files/file-identity.h"

#define MAX_UNPACKED_FILE (UINT64_C (2) << 30)
#define MAX_VDSO_BYTES    (1u << 20)
#define MAX_FILES_TRIED   1024u

PvElfImage *
pv_file_open_image (const char *path)
{
    g_assert (path != NULL);

    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    if (file == NULL)
        return NULL;

    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    if (pv_unpack_knows (data, size_bytes))
        return pv_elf_image_new_packed (data, size_bytes, MAX_UNPACKED_FILE, path, NULL);
    return pv_elf_image_new (file, path, NULL);
}

/* Old recordings pad ids of 16 bytes to 20 with zeros. */
bool
pv_build_ids_equal (const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size)
{
    size_t common = MIN (a_size, b_size);
    const uint8_t *longer = a_size > b_size ? a : b;

    if (common == 0 || memcmp (a, b, common) != 0)
        return false;
    for (size_t i = common; i < MAX (a_size, b_size); i++)
        if (longer[i] != 0)
            return false;
    return true;
}

bool
pv_elf_image_has_id (const PvElfImage *image, const uint8_t *build_id, size_t size_bytes)
{
    const uint8_t *own;
    size_t own_size = pv_elf_image_get_build_id (image, &own);

    return pv_build_ids_equal (own, own_size, build_id, size_bytes);
}

const PvElfSection *
pv_elf_image_find_stored (const PvElfImage *image, const char *name)
{
    g_assert (image != NULL && name != NULL);

    const PvElfSection *section = pv_elf_image_find_section (image, name);
    return section != NULL && section->type != SHT_NOBITS && section->size_bytes > 0 ? section
                                                                                     : NULL;
}

bool
pv_elf_image_has_debug_info (const PvElfImage *image)
{
    return pv_elf_image_find_stored (image, ".debug_info") != NULL;
}

PvElfImage *
pv_file_search_try (PvFileSearch *search, const char *path, bool needs_id)
{
    const PvModule *module = search->module;

    if (path == NULL)
        return NULL;
    g_autoptr (PvElfImage) image = pv_file_open_image (path);
    if (image == NULL)
        return NULL;
    if (module->build_id_size > 0) {
        if (!pv_elf_image_has_id (image, module->build_id, module->build_id_size)) {
            search->is_mismatched = true;
            return NULL;
        }
    } else if (needs_id) {
        return NULL;
    } else if (pv_file_identity_is_too_short (&module->identity, pv_elf_image_get_file (image))) {
        search->is_mismatched = true;
        return NULL;
    }
    return g_steal_pointer (&image);
}

static PvElfImage *
try_in_root (PvFileSearch *search, const char *root, const char *path, bool needs_id)
{
    g_autofree char *inside = pv_path_in_root (root, path);
    return pv_file_search_try (search, inside, needs_id);
}

/* Looks in a folder with the layout of perf's or the distribution's build-id tree. */
static PvElfImage *
try_tree (PvFileSearch *search, const char *folder)
{
    static const char *const suffixes[] = {"/elf", "", "/vdso"};

    for (size_t i = 0; search->hex != NULL && i < G_N_ELEMENTS (suffixes); i++) {
        g_autofree char *path = pv_build_id_path (folder, search->hex, suffixes[i]);
        PvElfImage *image = pv_file_search_try (search, path, true);
        if (image != NULL)
            return image;
    }
    return NULL;
}

/* The kernel resolves links in recorded paths; in a sysroot made from packages, /lib and /usr/lib
 * may be separate. */
static PvElfImage *
try_sysroot (PvFileSearch *search, const char *root)
{
    PvElfImage *image = try_in_root (search, root, search->path, false);

    if (image == NULL && g_str_has_prefix (search->path, "/usr/"))
        image = try_in_root (search, root, search->path + strlen ("/usr"), false);
    else if (image == NULL) {
        g_autofree char *below_usr = g_strconcat ("/usr", search->path, NULL);
        image = try_in_root (search, root, below_usr, false);
    }
    return image;
}

/* Looks at all files of a folder for the build of a program that was run from memory, whose name
 * there tells nothing. */
static PvElfImage *
try_all_in_folder (PvFileSearch *search, const char *folder)
{
    bool was_mismatched = search->is_mismatched;
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    PvElfImage *image = NULL;
    const char *name;

    for (unsigned n = 0; dir != NULL && image == NULL && n < MAX_FILES_TRIED; n++) {
        if ((name = g_dir_read_name (dir)) == NULL)
            break;
        image = try_in_root (search, folder, name, true);
    }
    search->is_mismatched = was_mismatched;
    return image;
}

PvElfImage *
pv_file_search_try_folders (PvFileSearch *search)
{
    const char *const *folders;
    size_t n_folders = pv_file_roots_get_folders (search->roots, &folders);
    PvElfImage *image = NULL;

    for (size_t i = 0; image == NULL && i < n_folders; i++) {
        image = try_in_root (search, folders[i], search->base, false);
        if (image == NULL)
            image = try_in_root (search, folders[i], search->path, false);
        if (image == NULL)
            image = try_tree (search, folders[i]);
        if (image == NULL && search->hex != NULL) {
            g_autofree char *cached = g_strdup_printf ("%s/%s/elf", search->path, search->hex);
            image = try_in_root (search, folders[i], cached, true);
        }
        if (image == NULL && search->hex != NULL && pv_path_is_memfd (search->path))
            image = try_all_in_folder (search, folders[i]);
    }
    return image;
}

PvElfImage *
pv_file_search_try_caches (PvFileSearch *search)
{
    const PvFileRoots *roots = search->roots;
    PvElfImage *image = NULL;

    if (search->hex == NULL)
        return NULL;
    if (roots->sysroot != NULL) {
        g_autofree char *folder = pv_path_in_root (roots->sysroot, "/usr/lib/debug");
        image = folder != NULL ? try_tree (search, folder) : NULL;
    }
    if (image == NULL && roots->build_id_cache != NULL) {
        image = try_tree (search, roots->build_id_cache);
        if (image == NULL) {
            g_autofree char *path =
                g_strdup_printf ("%s/%s/%s/elf", roots->build_id_cache, search->path, search->hex);
            image = pv_file_search_try (search, path, true);
        }
    }
    if (image == NULL)
        image = try_tree (search, "/usr/lib/debug");
    if (image == NULL && roots->debuginfod_cache != NULL) {
        g_autofree char *path =
            g_strconcat (roots->debuginfod_cache, "/", search->hex, "/", "executable", NULL);
        image = pv_file_search_try (search, path, true);
    }
    return image;
}

static bool
is_same_file (const char *a, const char *b)
{
    struct stat of_a, of_b;

    return stat (a, &of_a) == 0 && stat (b, &of_b) == 0 && of_a.st_ino == of_b.st_ino &&
           of_a.st_dev == of_b.st_dev;
}

/* The file that a recorded process has at the path: in a container it is not the one that others
 * see there. After the recording its number may be that of another process, and its root may hold
 * other files, so only the recorded build or inode counts. */
static PvElfImage *
try_process (PvFileSearch *search)
{
    const PvFileRoots *roots = search->roots;
    const PvModule *module = search->module;

    if (module->identity.pid <= 0 || roots->sysroot != NULL || search->path[0] != '/')
        return NULL;
    bool was_mismatched = search->is_mismatched;
    g_autofree char *root = g_strdup_printf ("/proc/%d/root", (int)module->identity.pid);
    g_autofree char *path = pv_path_in_root (root, search->path);
    if (path == NULL || is_same_file (path, search->path))
        return NULL;
    g_autoptr (PvElfImage) image = pv_file_search_try (search, path, false);
    search->is_mismatched = was_mismatched;
    if (image == NULL || module->build_id_size > 0)
        return g_steal_pointer (&image);
    PvFileComparison comparison =
        pv_file_identity_compare (&module->identity, pv_elf_image_get_file (image), path, 0);
    bool is_right =
        comparison == PV_FILE_SAME || (roots->is_recording && comparison != PV_FILE_OTHER);
    return is_right ? g_steal_pointer (&image) : NULL;
}

static bool
note_other (PvFileSearch *search, const PvMappedFile *file)
{
    if (!pv_file_identity_is_other (&search->module->identity, file, search->path))
        return false;
    search->is_other = true;
    search->other = *pv_mapped_file_get_status (file);
    return true;
}

bool
pv_file_search_has_wrong_id (PvFileSearch *search)
{
    g_assert (search->roots != NULL && search->module != NULL && search->path != NULL);

    const PvModule *module = search->module;
    struct stat here;
    /* A mapping that had a build-id has no inode. */
    if (module->build_id_size == 0 || module->identity.inode == 0 ||
        module->identity.until_ns == 0 || search->roots->sysroot != NULL ||
        stat (search->path, &here) != 0 ||
        (here.st_ino == module->identity.inode &&
         !pv_file_identity_has_other_generation (&module->identity, search->path)))
        return false;
    g_autoptr (PvElfImage) image = pv_file_open_image (search->path);
    if (image == NULL || !pv_elf_image_has_id (image, module->build_id, module->build_id_size))
        return false;
    /* The same build may have been installed again since. */
    PvMappedFile *file = pv_elf_image_get_file (image);
    return pv_mapped_file_get_status (file)->changed_at_ns <= module->identity.until_ns &&
           note_other (search, file);
}

/* The file at the same path on this machine. One that was written after the recording may be of the
 * same build, such as the same program without symbols; an older one is not what ran. */
static PvElfImage *
try_here (PvFileSearch *search)
{
    const PvModule *module = search->module;
    g_autoptr (PvElfImage) image =
        pv_file_search_try (search, search->path, search->roots->sysroot != NULL);
    if (image == NULL || module->build_id_size > 0)
        return g_steal_pointer (&image);
    const PvMappedFile *file = pv_elf_image_get_file (image);
    bool is_older = pv_mapped_file_get_status (file)->modified_at_ns <= module->identity.until_ns;
    return is_older && note_other (search, file) ? NULL : g_steal_pointer (&image);
}

/* The recorded build beside the recording: both were moved or copied here together. */
static PvElfImage *
try_beside (PvFileSearch *search)
{
    bool was_mismatched = search->is_mismatched;
    PvElfImage *image = NULL;

    for (char **folder = search->roots->recording_folders;
         image == NULL && folder != NULL && *folder != NULL; folder++) {
        g_autofree char *path = g_build_filename (*folder, search->base, NULL);
        image = pv_file_search_try (search, path, true);
    }
    search->is_mismatched = was_mismatched;
    return image;
}

PvElfImage *
pv_file_search_find_binary (PvFileSearch *search)
{
    g_assert (search->roots != NULL && search->module != NULL && search->path != NULL);

    const PvFileRoots *roots = search->roots;
    PvElfImage *image = NULL;

    g_autofree char *mapped = pv_file_roots_map (roots, search->path);
    if (mapped != NULL)
        image = pv_file_search_try (search, mapped, false);
    if (image == NULL && roots->sysroot != NULL)
        image = try_sysroot (search, roots->sysroot);
    if (image == NULL)
        image = pv_file_search_try_folders (search);
    if (image == NULL)
        image = try_process (search);
    if (image == NULL)
        image = pv_file_search_try_caches (search);
    /* With a sysroot, the same path here most likely belongs to another system. */
    if (image == NULL && search->path[0] == '/')
        image = try_here (search);
    return image != NULL ? image : try_beside (search);
}

/* The vdso has no file; the one in this process is a complete ELF image in memory. */
static PvElfImage *
open_own_vdso (void)
{
    const uint8_t *start = (const uint8_t *)(uintptr_t)getauxval (AT_SYSINFO_EHDR);
    if (start == NULL || memcmp (start, ELFMAG, SELFMAG) != 0)
        return NULL;

#if __SIZEOF_POINTER__ == 8
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)start;
#else
    const Elf32_Ehdr *header = (const Elf32_Ehdr *)(const void *)start;
#endif
    size_t size_bytes = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
    if (size_bytes > MAX_VDSO_BYTES)
        return NULL;
    g_autoptr (PvMappedFile) copy =
        pv_mapped_file_new_take (g_memdup2 (start, size_bytes), size_bytes);
    return pv_elf_image_new (copy, "[vdso]", NULL);
}

static PvElfImage *
try_vdso_names (PvFileSearch *search, const char *root)
{
    static const char *const names[] = {"vdso", "vdso.so", "vdso64.so", "[vdso]"};
    PvElfImage *image = NULL;

    if (search->hex != NULL) {
        g_autofree char *cached = g_strdup_printf ("/[vdso]/%s/vdso", search->hex);
        image = try_in_root (search, root, cached, true);
    }
    for (size_t i = 0; image == NULL && i < G_N_ELEMENTS (names); i++)
        image = try_in_root (search, root, names[i], false);
    return image;
}

PvElfImage *
pv_file_search_find_vdso (PvFileSearch *search)
{
    g_assert (search->roots != NULL && search->module != NULL && search->path != NULL);

    const PvFileRoots *roots = search->roots;
    PvElfImage *image = NULL;
    const char *const *folders;

    if (roots->sysroot != NULL)
        image = try_vdso_names (search, roots->sysroot);
    size_t n_folders = pv_file_roots_get_folders (search->roots, &folders);
    for (size_t i = 0; image == NULL && i < n_folders; i++) {
        image = try_vdso_names (search, folders[i]);
        if (image == NULL)
            image = try_tree (search, folders[i]);
    }
    if (image == NULL)
        image = pv_file_search_try_caches (search);
    if (image == NULL && roots->build_id_cache != NULL && search->hex != NULL) {
        g_autofree char *path =
            g_strdup_printf ("%s/[vdso]/%s/vdso", roots->build_id_cache, search->hex);
        image = pv_file_search_try (search, path, true);
    }
    if (image != NULL)
        return image;

    g_autoptr (PvElfImage) own = open_own_vdso ();
    if (own == NULL)
        return NULL;
    const PvModule *module = search->module;
    if (module->build_id_size > 0
            ? pv_elf_image_has_id (own, module->build_id, module->build_id_size)
            : roots->sysroot == NULL)
        return g_steal_pointer (&own);
    return NULL;
}
