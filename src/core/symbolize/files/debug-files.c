/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds debug files: the binary itself if it has debug information, else by build-id, by
 * .gnu_debuglink and its checksum, by the usual names, and last .gnu_debugdata (a small compressed
 * ELF file) in the binary. Finds dwz's alternate file by the build-id in .gnu_debugaltlink.
 */
#include <glib.h>
#include <string.h>
#include <zlib.h>

#include "core/base/cursor.h"
#include "core/base/path.h"
#include "core/symbolize/files/file-search.h"

#define MAX_UNPACKED_FILE (UINT64_C (2) << 30)

/* The properties that a debug file must have. */
typedef struct {
    const uint8_t *build_id;
    size_t build_id_size;
    bool has_checksum;
    uint32_t checksum;
    const PvJob *job;
    PvFileSearch *search; /* notes what a link wrongly leads to; NULL: this is no link */
} Wanted;

static bool
is_checksum_right (const PvElfImage *image, const Wanted *wanted)
{
    enum { PIECE_BYTES = 16 << 20 };
    PvMappedFile *file = pv_elf_image_get_file (image);
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    unsigned long checksum = crc32_z (0, NULL, 0);

    for (size_t at = 0; at < size_bytes; at += PIECE_BYTES) {
        if (pv_job_is_cancelled (wanted->job))
            return false;
        checksum = crc32_z (checksum, data + at, MIN (size_bytes - at, PIECE_BYTES));
    }
    return checksum == wanted->checksum;
}

/* The bytes of a section that the file has, or NULL. */
static const uint8_t *
read_section (PvElfImage *image, const char *name, size_t *ret_size_bytes)
{
    const PvElfSection *section = pv_elf_image_find_stored (image, name);
    return section != NULL ? pv_elf_image_get_section_data (image, section, ret_size_bytes) : NULL;
}

static PvElfImage *
try_debug (const Wanted *wanted, const char *path)
{
    if (path == NULL)
        return NULL;
    g_autoptr (PvElfImage) image = pv_file_open_image (path);
    if (image == NULL)
        return NULL;
    if (!pv_elf_image_has_debug_info (image) && pv_elf_image_find_stored (image, ".symtab") == NULL)
        return NULL;

    const uint8_t *own;
    size_t own_size = pv_elf_image_get_build_id (image, &own);
    bool matches, has_ids = wanted->build_id_size > 0 && own_size > 0;
    if (has_ids)
        matches = pv_build_ids_equal (own, own_size, wanted->build_id, wanted->build_id_size);
    else
        matches = wanted->has_checksum && is_checksum_right (image, wanted);
    PvFileSearch *search = wanted->search;
    if (!matches && search != NULL && search->wrong_debug == NULL) {
        search->wrong_debug = g_strdup (path);
        search->is_wrong_by_id = has_ids;
    }
    return matches ? g_steal_pointer (&image) : NULL;
}

static PvElfImage *
try_debug_in_root (const Wanted *wanted, const char *root, const char *path)
{
    g_autofree char *inside = pv_path_in_root (root, path);
    return try_debug (wanted, inside);
}

static PvElfImage *
try_debug_tree (const Wanted *wanted, const char *folder, const char *hex)
{
    static const char *const suffixes[] = {".debug", "/debug", "/elf"};
    PvElfImage *image = NULL;

    for (size_t i = 0; folder != NULL && image == NULL && i < G_N_ELEMENTS (suffixes); i++) {
        g_autofree char *path = pv_build_id_path (folder, hex, suffixes[i]);
        image = try_debug (wanted, path);
    }
    return image;
}

static PvElfImage *
find_debug_by_id (PvFileRoots *roots, const Wanted *wanted)
{
    const char *const *folders;
    size_t n_folders = pv_file_roots_get_folders (roots, &folders);
    PvElfImage *image = NULL;

    if (wanted->build_id_size < 2)
        return NULL;
    g_autofree char *hex = pv_build_id_to_hex (wanted->build_id, wanted->build_id_size);
    for (size_t i = 0; image == NULL && i < n_folders; i++) {
        image = try_debug_tree (wanted, folders[i], hex);
        if (image == NULL) {
            g_autofree char *deeper = pv_path_in_root (folders[i], "/usr/lib/debug");
            image = try_debug_tree (wanted, deeper, hex);
        }
    }
    if (image == NULL && roots->sysroot != NULL) {
        g_autofree char *folder = pv_path_in_root (roots->sysroot, "/usr/lib/debug");
        image = try_debug_tree (wanted, folder, hex);
    }
    if (image == NULL && roots->build_id_cache != NULL)
        image = try_debug_tree (wanted, roots->build_id_cache, hex);
    if (image == NULL)
        image = try_debug_tree (wanted, "/usr/lib/debug", hex);
    if (image == NULL && roots->debuginfod_cache != NULL) {
        g_autofree char *path =
            g_strconcat (roots->debuginfod_cache, "/", hex, "/", "debuginfo", NULL);
        image = try_debug (wanted, path);
    }
    return image;
}

/* .gnu_debuglink: a file name, padding to 4 bytes, a checksum in the file's byte order. */
static char *
read_debug_link (PvElfImage *binary, uint32_t *ret_checksum)
{
    size_t size_bytes, len;
    const uint8_t *data = read_section (binary, ".gnu_debuglink", &size_bytes);
    if (data == NULL)
        return NULL;
    PvCursor cursor = pv_cursor (data, size_bytes, pv_elf_image_is_swapped (binary));
    const char *name = pv_cursor_string (&cursor, &len);
    if (name == NULL || len == 0 || strchr (name, '/') != NULL)
        return NULL;
    pv_cursor_skip (&cursor, (-(len + 1)) & 3);
    *ret_checksum = pv_cursor_u32 (&cursor);
    return cursor.failed ? NULL : g_strdup (name);
}

/* A global debug folder repeats the binary's folder; leading parts may be missing. */
static PvElfImage *
try_link_below (const Wanted *wanted, const char *root, const char *debug_folder,
                const char *binary_folder, const char *link)
{
    PvElfImage *image = NULL;

    for (const char *rest = binary_folder; image == NULL && rest != NULL;) {
        g_autofree char *path = g_strconcat (debug_folder, "/", rest, "/", link, NULL);
        image = try_debug_in_root (wanted, root, path);
        rest = *rest != '\0' ? strchr (rest + 1, '/') : NULL;
    }
    return image;
}

/* Beside the program as recorded: the file that was found may be a copy, as in a cache. */
static PvElfImage *
try_link_beside_recorded (const Wanted *wanted, const PvFileSearch *search, const char *link)
{
    static const char *const folders[] = {"", "/.debug"};
    const PvFileRoots *roots = search->roots;
    g_autofree char *folder = g_path_get_dirname (search->path);
    PvElfImage *image = NULL;

    for (size_t i = 0; image == NULL && i < G_N_ELEMENTS (folders); i++) {
        g_autofree char *path = g_strconcat (folder, folders[i], "/", link, NULL);
        g_autofree char *mapped = pv_file_roots_map (roots, path);
        if (strcmp (path, search->path) == 0)
            continue;
        image = try_debug (wanted, mapped);
        if (image == NULL && roots->sysroot != NULL)
            image = try_debug_in_root (wanted, roots->sysroot, path);
        else if (image == NULL && *path == '/')
            image = try_debug (wanted, path);
    }
    if (image == NULL && roots->sysroot == NULL && *folder == '/')
        image = try_link_below (wanted, "/", "/usr/lib/debug", folder, link);
    return image;
}

static PvElfImage *
find_debug_by_link (PvFileSearch *search, Wanted wanted, PvElfImage *binary)
{
    PvFileRoots *roots = search->roots;
    g_autofree char *link = read_debug_link (binary, &wanted.checksum);
    if (link == NULL)
        return NULL;
    wanted.has_checksum = true;
    wanted.search = search;

    const char *const *folders;
    size_t n_folders = pv_file_roots_get_folders (roots, &folders);
    g_autofree char *folder = g_path_get_dirname (pv_elf_image_get_path (binary));
    g_autofree char *beside = g_strconcat (folder, "/", link, NULL);
    g_autofree char *below = g_strconcat (folder, "/", ".debug", "/", link, NULL);
    PvElfImage *image = NULL;
    if (strcmp (beside, pv_elf_image_get_path (binary)) != 0)
        image = try_debug (&wanted, beside);
    if (image == NULL)
        image = try_debug (&wanted, below);
    for (size_t i = 0; image == NULL && i < n_folders; i++)
        image = try_debug_in_root (&wanted, folders[i], link);

    g_autofree char *recorded_folder = g_path_get_dirname (search->path);
    for (size_t i = 0; image == NULL && i < n_folders; i++)
        image = try_link_below (&wanted, folders[i], "", recorded_folder, link);
    if (image == NULL && roots->sysroot != NULL)
        image = try_link_below (&wanted, roots->sysroot, "/usr/lib/debug", recorded_folder, link);
    if (image == NULL)
        image = try_link_below (&wanted, "/", "/usr/lib/debug", folder, link);
    if (image == NULL)
        image = try_link_beside_recorded (&wanted, search, link);
    return image;
}

/* Without a link: tries the usual names of debug files. */
static PvElfImage *
find_debug_by_name (PvFileRoots *roots, const Wanted *wanted, const char *recorded_path)
{
    const char *const *folders;
    size_t n_folders = pv_file_roots_get_folders (roots, &folders);
    g_autofree char *base = g_path_get_basename (recorded_path);
    g_autofree char *with_suffix = g_strconcat (base, ".debug", NULL);
    g_autofree char *central = g_strconcat ("/usr/lib/debug", recorded_path, ".debug", NULL);
    PvElfImage *image = NULL;

    for (size_t i = 0; image == NULL && i < n_folders; i++) {
        image = try_debug_in_root (wanted, folders[i], with_suffix);
        if (image == NULL)
            image = try_debug_in_root (wanted, folders[i], base);
    }
    if (image == NULL && roots->sysroot != NULL)
        image = try_debug_in_root (wanted, roots->sysroot, central);
    if (image == NULL && recorded_path[0] == '/')
        image = try_debug (wanted, central);
    return image;
}

static PvElfImage *
open_mini_debug_info (PvElfImage *binary)
{
    size_t size_bytes;
    const uint8_t *data = read_section (binary, ".gnu_debugdata", &size_bytes);
    return data != NULL ? pv_elf_image_new_packed (data, size_bytes, MAX_UNPACKED_FILE,
                                                   pv_elf_image_get_path (binary), NULL)
                        : NULL;
}

PvElfImage *
pv_file_search_find_separate_debug (PvFileSearch *search, PvElfImage *binary)
{
    g_assert (search->roots != NULL && search->module != NULL);

    PvFileRoots *roots = search->roots;
    Wanted wanted = {.build_id = search->module->build_id,
                     .build_id_size = search->module->build_id_size,
                     .job = search->job};

    if (binary != NULL)
        wanted.build_id_size = pv_elf_image_get_build_id (binary, &wanted.build_id);
    PvElfImage *image = find_debug_by_id (roots, &wanted);
    if (image == NULL && binary != NULL)
        image = find_debug_by_link (search, wanted, binary);
    if (image == NULL && wanted.build_id_size > 0)
        image = find_debug_by_name (roots, &wanted, search->path);
    return image;
}

PvElfImage *
pv_file_search_find_debug (PvFileSearch *search, PvElfImage *binary)
{
    g_assert (search->roots != NULL && search->module != NULL);

    if (binary != NULL && pv_elf_image_has_debug_info (binary))
        return pv_elf_image_ref (binary);
    PvElfImage *image = pv_file_search_find_separate_debug (search, binary);
    if (image == NULL && binary != NULL)
        image = open_mini_debug_info (binary);
    if (image == NULL && binary != NULL)
        image = pv_elf_image_ref (binary);
    return image;
}

/* Reads .gnu_debugaltlink: a file name, then a build-id to the end of the section. Returns the name
 * or NULL. */
static const char *
read_alternate_link (PvElfImage *debug, const uint8_t **ret_build_id, size_t *ret_size)
{
    size_t size_bytes, len;
    const uint8_t *data = read_section (debug, ".gnu_debugaltlink", &size_bytes);
    if (data == NULL)
        return NULL;
    PvCursor cursor = pv_cursor (data, size_bytes, false);
    const char *name = pv_cursor_string (&cursor, &len);
    *ret_build_id = cursor.pos;
    *ret_size = pv_cursor_left (&cursor);
    return name != NULL && len > 0 ? name : NULL;
}

size_t
pv_file_get_alternate_id (PvElfImage *debug, const uint8_t **ret_build_id)
{
    size_t size_bytes;
    return read_alternate_link (debug, ret_build_id, &size_bytes) != NULL ? size_bytes : 0;
}

PvElfImage *
pv_file_find_alternate (PvFileRoots *roots, PvElfImage *debug)
{
    g_assert (roots != NULL && debug != NULL);

    Wanted wanted = {0};
    const char *name = read_alternate_link (debug, &wanted.build_id, &wanted.build_id_size);

    if (name == NULL)
        return NULL;
    PvElfImage *image = find_debug_by_id (roots, &wanted);
    g_autofree char *folder = g_path_get_dirname (pv_elf_image_get_path (debug));
    g_autofree char *in_dwz = g_strconcat (folder, "/", ".dwz", "/", pv_path_get_base (name), NULL);
    if (image == NULL && *name == '/') {
        if (roots->sysroot != NULL)
            image = try_debug_in_root (&wanted, roots->sysroot, name);
        if (image == NULL)
            image = try_debug (&wanted, name);
    } else if (image == NULL) {
        g_autofree char *relative = g_strconcat (folder, "/", name, NULL);
        image = try_debug (&wanted, relative);
    }
    if (image == NULL)
        image = try_debug (&wanted, in_dwz);
    return image;
}

/* Split debug information */

static void
add_in_root (GPtrArray *paths, const char *root, const char *path)
{
    char *inside = pv_path_in_root (root, path);
    if (inside != NULL)
        g_ptr_array_add (paths, inside);
}

/* NAME.dwp, and beside NAME.debug, which was split from NAME, too. */
static void
add_beside (GPtrArray *paths, const PvElfImage *image)
{
    static const char debug[] = ".debug";
    const char *path = image != NULL ? pv_elf_image_get_path (image) : NULL;
    if (path == NULL)
        return;
    g_ptr_array_add (paths, g_strconcat (path, ".dwp", NULL));
    if (g_str_has_suffix (path, debug))
        g_ptr_array_add (paths,
                         g_strdup_printf ("%.*s.dwp", (int)(strlen (path) - strlen (debug)), path));
}

static void
add_in_tree (GPtrArray *paths, const char *folder, const char *hex)
{
    char *path = folder != NULL ? pv_build_id_path (folder, hex, ".dwp") : NULL;
    if (path != NULL)
        g_ptr_array_add (paths, path);
}

char **
pv_file_search_list_packages (PvFileSearch *search, const PvElfImage *binary,
                              const PvElfImage *debug)
{
    g_assert (search->roots != NULL && search->path != NULL && debug != NULL);

    const PvFileRoots *roots = search->roots;
    GPtrArray *paths = g_ptr_array_new ();
    const char *const *folders;
    const uint8_t *build_id;
    size_t size_bytes = pv_elf_image_get_build_id (debug, &build_id);
    size_t n_folders = pv_file_roots_get_folders (search->roots, &folders);
    g_autofree char *hex = pv_build_id_to_hex (build_id, size_bytes);
    g_autofree char *recorded = g_strconcat (search->path, ".dwp", NULL);

    add_beside (paths, debug);
    if (binary != debug)
        add_beside (paths, binary);
    char *mapped = pv_file_roots_map (roots, recorded);
    if (mapped != NULL)
        g_ptr_array_add (paths, mapped);
    if (roots->sysroot != NULL)
        add_in_root (paths, roots->sysroot, recorded);
    for (size_t i = 0; i < n_folders; i++) {
        add_in_root (paths, folders[i], pv_path_get_base (recorded));
        add_in_root (paths, folders[i], recorded);
        add_in_tree (paths, folders[i], hex);
    }
    add_in_tree (paths, roots->build_id_cache, hex);
    add_in_tree (paths, "/usr/lib/debug", hex);
    if (roots->sysroot == NULL && recorded[0] == '/')
        g_ptr_array_add (paths, g_strdup (recorded));
    g_ptr_array_add (paths, NULL);
    return (char **)g_ptr_array_free (paths, FALSE);
}

char **
pv_file_search_list_split_folders (PvFileSearch *search)
{
    g_assert (search->roots != NULL && search->path != NULL);

    const PvFileRoots *roots = search->roots;
    GPtrArray *paths = g_ptr_array_new ();
    const char *const *folders;
    size_t n_folders = pv_file_roots_get_folders (search->roots, &folders);
    g_autofree char *recorded = g_path_get_dirname (search->path);

    if (roots->sysroot != NULL)
        add_in_root (paths, roots->sysroot, recorded);
    for (size_t i = 0; i < n_folders; i++)
        g_ptr_array_add (paths, g_strdup (folders[i]));
    if (roots->sysroot == NULL && recorded[0] == '/')
        g_ptr_array_add (paths, g_strdup (recorded));
    g_ptr_array_add (paths, NULL);
    return (char **)g_ptr_array_free (paths, FALSE);
}
