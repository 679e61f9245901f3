/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/elf-sizes/source-folders.h"

#include <glib.h>
#include <string.h>

void
source_folders_clear (SourceFolders *folders)
{
    g_assert (folders != NULL);
    pv_array_clear (&folders->nodes);
    pv_id_map_clear (&folders->file_of_path);
    pv_hash_map_clear (&folders->node_of_path);
    pv_hash_map_clear (&folders->child_of_place);
}

static uint32_t
add_node (SourceFolders *folders, const char *path, size_t len, uint32_t parent)
{
    uint32_t *slot = pv_hash_map_slot (&folders->node_of_path, pv_hash_bytes (path, len, 0));
    if (*slot == 0) {
        pv_array_push (&folders->nodes, ((SourceNode){path, (uint32_t)len, parent}));
        *slot = (uint32_t)folders->nodes.len;
    }
    return *slot;
}

/* The path of the folder that a file is in, with its "/"; 0: it does not say. */
static size_t
find_folder_len (const char *path)
{
    const char *slash = strrchr (path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Shortens what is common to what this path has of it. "/" alone is not common to anything. */
static void
join_common (SourceFolders *folders, const char *path)
{
    size_t folder_len = find_folder_len (path), len = 0;
    if (folders->common == NULL) {
        folders->common = path;
        folders->common_len = folder_len;
    }
    for (size_t i = 0; i < MIN (folder_len, folders->common_len); i++) {
        if (path[i] != folders->common[i])
            break;
        len = path[i] == '/' ? i + 1 : len;
    }
    folders->common_len = len > 1 ? len : 0;
}

uint32_t
source_folders_add (SourceFolders *folders, const char *path, bool is_full)
{
    g_assert (folders != NULL && path != NULL);
    uint32_t known = pv_id_map_find (&folders->file_of_path, (uint64_t)(uintptr_t)path);
    if (known != 0)
        return known;
    uint32_t parent = 0;
    const char *at = path;
    for (unsigned depth = 0; depth < SOURCE_FOLDERS_MAX; depth++) {
        const char *slash = strchr (at, '/');
        if (slash == NULL)
            break;
        at = slash + 1;
        parent = add_node (folders, path, (size_t)(at - path), parent);
    }
    uint32_t file = add_node (folders, path, strlen (path), parent);
    if (is_full)
        join_common (folders, path);
    *pv_id_map_slot (&folders->file_of_path, (uint64_t)(uintptr_t)path) = file;
    return file;
}

static PvHash
hash_place (uint32_t place, uint32_t folder)
{
    uint32_t key[] = {place, folder};
    return pv_hash_bytes (key, sizeof key, 0);
}

void
source_folders_put (SourceFolders *folders, uint32_t place, uint32_t file)
{
    g_assert (folders != NULL && place != 0 && file > 0 && file <= folders->nodes.len);
    for (uint32_t child = file; child != 0; child = folders->nodes.data[child - 1].parent) {
        uint32_t folder = folders->nodes.data[child - 1].parent;
        uint32_t *only = pv_hash_map_slot (&folders->child_of_place, hash_place (place, folder));
        bool is_known = *only != 0;
        if (*only != child)
            *only = is_known ? UINT32_MAX : child;
        if (is_known)
            return; /* so are the folders around it */
    }
}

/* Around all files of which the folder is known. */
static bool
is_common (const SourceFolders *folders, uint32_t folder)
{
    const SourceNode *node = folder != 0 ? &folders->nodes.data[folder - 1] : NULL;
    return node != NULL && folders->common_len > 0 && node->len <= folders->common_len &&
           memcmp (node->path, folders->common, node->len) == 0;
}

unsigned
source_folders_list (SourceFolders *folders, uint32_t place, uint32_t file,
                     uint32_t ret_nodes[SOURCE_FOLDERS_MAX + 1])
{
    g_assert (folders != NULL && ret_nodes != NULL && file > 0 && file <= folders->nodes.len);
    uint32_t found[SOURCE_FOLDERS_MAX + 2]; /* innermost first; 0: what is around all folders */
    unsigned n = 0, n_listed = 0;
    for (uint32_t node = file; node != 0;) {
        node = folders->nodes.data[node - 1].parent;
        uint32_t *only = pv_hash_map_slot (&folders->child_of_place, hash_place (place, node));
        g_assert (*only != 0); /* it was put there */
        if (*only == UINT32_MAX)
            found[n++] = node;
    }
    /* The outermost one has all files of the place. */
    for (unsigned i = n > 0 ? n - 1 : 0; i > 0; i--)
        if (!is_common (folders, found[i - 1]))
            ret_nodes[n_listed++] = found[i - 1];
    ret_nodes[n_listed++] = file;
    return n_listed;
}

const char *
source_folders_get_name (const SourceFolders *folders, uint32_t node, size_t *ret_len)
{
    g_assert (folders != NULL && ret_len != NULL && node > 0 && node <= folders->nodes.len);
    const SourceNode *named = &folders->nodes.data[node - 1];
    size_t common = folders->common_len;
    bool is_inside =
        common > 0 && named->len > common && memcmp (named->path, folders->common, common) == 0;
    *ret_len = named->len - (is_inside ? common : 0);
    return named->path + (is_inside ? common : 0);
}
