/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/files/symbol-archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/format.h"
#include "core/base/subprocess.h"

/* Bytes that an archive may unpack to: debug information becomes a tenth of its size at most. */
#define MAX_UNPACKED_BYTES (INT64_C (16) << 30)
#define MIN_UNPACKED_BYTES (INT64_C (64) << 20)
#define UNPACKED_PER_BYTE  64
#define BYTES_PER_ENTRY    4096 /* on the disk, at least */

#define BLOCK_BYTES (64u << 10)

struct PvSymbolArchive {
    char *folder;
    pid_t keeper; /* 0: none */
    int keeper_fd;
};

typedef struct {
    struct archive *in, *out;
    const char *path, *folder;
    PvJob *job;
    int64_t max_bytes, bytes_left;
    char *problem;
} Unpacking;

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
fail_to_write (Unpacking *self)
{
    /* Translators: an archive, and what the system says, such as “No space left on device” */
    self->problem = g_strdup_printf (_ ("%s was not unpacked to its end: %s."), self->path,
                                     g_strerror (archive_errno (self->out)));
    return false;
}

static bool
copy_data (Unpacking *self)
{
    const void *block;
    size_t size_bytes;
    la_int64_t offset;

    for (;;) {
        int status = archive_read_data_block (self->in, &block, &size_bytes, &offset);
        if (status == ARCHIVE_EOF)
            return true;
        if (status < ARCHIVE_WARN || pv_job_is_cancelled (self->job))
            return false;
        if (archive_write_data_block (self->out, block, size_bytes, offset) < ARCHIVE_WARN)
            return fail_to_write (self);
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

/* Even an entry that is skipped is unpacked. */
static bool
has_room (Unpacking *self, struct archive_entry *entry)
{
    int64_t size_bytes = MAX (archive_entry_size (entry), 0);

    if (self->bytes_left >= BYTES_PER_ENTRY && size_bytes <= self->bytes_left - BYTES_PER_ENTRY) {
        self->bytes_left -= BYTES_PER_ENTRY + size_bytes;
        return true;
    }
    g_autofree char *most = pv_format_amount ((uint64_t)self->max_bytes, PV_UNIT_BYTES);
    /* Translators: an archive, and a size */
    self->problem = g_strdup_printf (
        _ ("%s was not unpacked to its end: it would become larger than %s."), self->path, most);
    return false;
}

static bool
unpack_entry (Unpacking *self, struct archive_entry *entry)
{
    if (!has_room (self, entry))
        return false;
    if (!place_entry (entry, self->folder))
        return true;
    if (archive_write_header (self->out, entry) < ARCHIVE_WARN)
        return archive_errno (self->out) != ENOSPC || fail_to_write (self);
    if (!copy_data (self)) {
        unlink (archive_entry_pathname (entry));
        return false;
    }
    archive_write_finish_entry (self->out);
    return true;
}

/* True if there was any entry. */
static bool
unpack_entries (Unpacking *self)
{
    struct archive_entry *entry;
    bool is_any = false;
    int status = ARCHIVE_OK;

    self->out = archive_write_disk_new ();
    archive_write_disk_set_options (self->out, ARCHIVE_EXTRACT_SECURE_SYMLINKS |
                                                   ARCHIVE_EXTRACT_SECURE_NODOTDOT |
                                                   ARCHIVE_EXTRACT_UNLINK);
    while (!pv_job_is_cancelled (self->job) &&
           (status = archive_read_next_header (self->in, &entry)) >= ARCHIVE_WARN &&
           status != ARCHIVE_EOF) {
        is_any = true;
        if (!unpack_entry (self, entry))
            break;
    }
    archive_write_free (self->out);
    if (is_any && status < ARCHIVE_WARN)
        self->problem =
            g_strdup_printf (_ ("%s is damaged. The part before the damage is used."), self->path);
    return is_any;
}

/* The limit for unpacked bytes: in proportion to the archive, and half of the disk at most. */
static int64_t
find_limit (const char *path, const char *folder)
{
    struct stat status;
    struct statvfs disk;
    int64_t most = MAX_UNPACKED_BYTES;

    if (stat (path, &status) == 0)
        most = MIN (most, MIN_UNPACKED_BYTES +
                              MIN (status.st_size, MAX_UNPACKED_BYTES) * UNPACKED_PER_BYTE);
    if (statvfs (folder, &disk) == 0 && disk.f_bavail < (uint64_t)most / disk.f_frsize * 2)
        most = (int64_t)(disk.f_bavail * disk.f_frsize / 2);
    return most;
}

/* Starts a program that waits until we end, by a signal too, and then removes the folder. */
static void
start_keeper (PvSymbolArchive *self)
{
    int ends[2];

    if (pipe2 (ends, O_CLOEXEC) != 0)
        return;
    const char *const argv[] = {"sh", "-c", "cat > /dev/null; exec rm -rf -- \"$0\"", self->folder,
                                NULL};
    const PvSubprocess program = {.argv = argv, .fds = ends, .n_fds = 1, .starts_session = true};
    bool is_started = pv_subprocess_start (&program, &self->keeper) == 0;
    close (ends[0]);
    if (is_started) {
        self->keeper_fd = ends[1];
    } else {
        self->keeper = 0;
        close (ends[1]);
    }
}

PvSymbolArchive *
pv_symbol_archive_unpack (const char *path, PvJob *job, char **ret_problem)
{
    g_assert (path != NULL && ret_problem != NULL);

    *ret_problem = NULL;
    /* libarchive refuses to write through symbolic links, so the folder's own path must not have
     * any. */
    const char *variable = getenv ("TMPDIR");
    g_autofree char *temporary =
        realpath (variable != NULL && *variable == '/' ? variable : "/tmp", NULL);
    if (temporary == NULL)
        return NULL;
    PvSymbolArchive *self = g_new0 (PvSymbolArchive, 1);
    g_autofree char *id = g_uuid_string_random ();
    self->folder = g_strconcat (temporary, "/profview-symbols-", id, NULL);
    Unpacking unpacking = {.in = archive_read_new (), .path = path, .job = job};
    struct archive *in = unpacking.in;
    bool is_any = false;

    /* Not "all": some filters start programs. */
    archive_read_support_filter_bzip2 (in);
    archive_read_support_filter_gzip (in);
    archive_read_support_filter_xz (in);
    archive_read_support_filter_zstd (in);
    archive_read_support_format_tar (in);
    bool is_open = archive_read_open_filename (in, path, BLOCK_BYTES) == ARCHIVE_OK;
    /* Before the folder is made, so that no signal leaves it behind. */
    if (is_open)
        start_keeper (self);
    if (is_open && mkdir (self->folder, 0700) == 0) {
        unpacking.folder = self->folder;
        unpacking.max_bytes = unpacking.bytes_left = find_limit (path, self->folder);
        is_any = unpack_entries (&unpacking);
    } else {
        /* A folder of that name is not ours to remove. */
        if (self->keeper > 0)
            kill (self->keeper, SIGKILL);
        g_clear_pointer (&self->folder, g_free);
    }
    archive_read_free (in);
    *ret_problem = unpacking.problem;
    if (is_any && !pv_job_is_cancelled (job))
        return self;
    pv_symbol_archive_free (self);
    return NULL;
}

const char *
pv_symbol_archive_get_folder (const PvSymbolArchive *self)
{
    g_assert (self != NULL);

    return self->folder;
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
pv_symbol_archive_free (PvSymbolArchive *self)
{
    if (self == NULL)
        return;
    if (self->folder != NULL)
        nftw (self->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    if (self->keeper > 0) {
        close (self->keeper_fd);
        while (waitpid (self->keeper, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    g_free (self->folder);
    g_free (self);
}
