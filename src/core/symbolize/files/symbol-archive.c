/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/files/symbol-archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <ftw.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Far larger than any build-id cache; stops archive bombs. */
#define MAX_UNPACKED_BYTES (INT64_C (16) << 30)
#define MAX_ENTRIES        1000000

#define BLOCK_BYTES (64u << 10)

/* Entries must neither be absolute nor contain "..". */
static bool
is_safe_name (const char *name)
{
    if (name == NULL || *name == '\0' || *name == '/')
        return false;
    for (const char *part = name; part != NULL;) {
        if (strncmp (part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
        part = strchr (part, '/');
        if (part != NULL)
            part++;
    }
    return true;
}

static bool
copy_data (struct archive *in, struct archive *out, int64_t *bytes_left)
{
    const void *block;
    size_t size_bytes;
    la_int64_t offset;

    for (;;) {
        int status = archive_read_data_block (in, &block, &size_bytes, &offset);
        if (status == ARCHIVE_EOF)
            return true;
        if (status < ARCHIVE_WARN || (*bytes_left -= (int64_t)size_bytes) < 0)
            return false;
        if (archive_write_data_block (out, block, size_bytes, offset) < ARCHIVE_WARN)
            return false;
    }
}

/* Moves the entry, and the target of a hard link, below folder. False: skip the entry. */
static bool
place_entry (struct archive_entry *entry, const char *folder)
{
    const char *name = archive_entry_pathname (entry);
    const char *link = archive_entry_hardlink (entry);
    mode_t type = archive_entry_filetype (entry);

    while (name != NULL && g_str_has_prefix (name, "./"))
        name += 2;
    if (!is_safe_name (name) || (link != NULL && !is_safe_name (link)))
        return false;
    if (link == NULL && type != AE_IFREG && type != AE_IFDIR && type != AE_IFLNK)
        return false;

    g_autofree char *path = g_strconcat (folder, "/", name, NULL);
    g_autofree char *target = link != NULL ? g_strconcat (folder, "/", link, NULL) : NULL;
    archive_entry_set_pathname (entry, path);
    if (target != NULL)
        archive_entry_set_hardlink (entry, target);
    archive_entry_set_perm (entry, type == AE_IFDIR ? 0700 : 0600);
    return true;
}

static bool
unpack_entries (struct archive *in, const char *folder)
{
    struct archive *out = archive_write_disk_new ();
    struct archive_entry *entry;
    int64_t bytes_left = MAX_UNPACKED_BYTES;
    unsigned n_entries = 0;

    archive_write_disk_set_options (out, ARCHIVE_EXTRACT_SECURE_SYMLINKS |
                                             ARCHIVE_EXTRACT_SECURE_NODOTDOT |
                                             ARCHIVE_EXTRACT_UNLINK);
    while (n_entries < MAX_ENTRIES && archive_read_next_header (in, &entry) >= ARCHIVE_WARN) {
        n_entries++;
        if (!place_entry (entry, folder) || archive_write_header (out, entry) < ARCHIVE_WARN)
            continue;
        if (!copy_data (in, out, &bytes_left))
            break;
        archive_write_finish_entry (out);
    }
    archive_write_free (out);
    return n_entries > 0;
}

char *
pv_symbol_archive_unpack (const char *path)
{
    g_assert (path != NULL);

    /* libarchive refuses to write through symbolic links, so the folder's own path must not have
     * any. */
    const char *variable = getenv ("TMPDIR");
    g_autofree char *temporary =
        realpath (variable != NULL && *variable == '/' ? variable : "/tmp", NULL);
    if (temporary == NULL)
        return NULL;
    char *folder = g_strconcat (temporary, "/", "profview-symbols-XXXXXX", NULL);
    bool ok = false;

    struct archive *in = archive_read_new ();
    /* Not "all": some filters start programs. */
    archive_read_support_filter_bzip2 (in);
    archive_read_support_filter_gzip (in);
    archive_read_support_filter_xz (in);
    archive_read_support_filter_zstd (in);
    archive_read_support_format_tar (in);
    if (archive_read_open_filename (in, path, BLOCK_BYTES) == ARCHIVE_OK &&
        mkdtemp (folder) != NULL) {
        ok = unpack_entries (in, folder);
        if (!ok)
            pv_symbol_archive_remove (folder);
    }
    archive_read_free (in);
    if (!ok)
        g_clear_pointer (&folder, g_free);
    return folder;
}

static int
remove_one (const char *path, const struct stat *info, int type, struct FTW *walk)
{
    if (type == FTW_DP)
        rmdir (path);
    else
        unlink (path);
    return 0;
}

void
pv_symbol_archive_remove (const char *folder)
{
    g_assert (folder != NULL);

    nftw (folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
