/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel records the inode that holds the bytes. For files of stacked file systems, stat ()
 * tells another one: overlayfs the inode of the layer that the file came from, and its own device.
 * Devices without a major number get their minor number when they are mounted, and disks may get
 * other numbers at the next boot.
 */
#include "core/symbolize/files/file-identity.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND INT64_C (1000000000)

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif
#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC 0x65735546
#endif

static uint32_t
find_file_system (const char *path)
{
    struct statfs info;
    return statfs (path, &info) == 0 ? (uint32_t)info.f_type : 0;
}

static bool
has_own_inodes (uint32_t file_system)
{
    return file_system != OVERLAYFS_SUPER_MAGIC && file_system != FUSE_SUPER_MAGIC;
}

/* True if stat () tells the device that the kernel records. */
static bool
has_plain_device (uint32_t file_system)
{
    return file_system == EXT4_SUPER_MAGIC || file_system == XFS_SUPER_MAGIC ||
           file_system == F2FS_SUPER_MAGIC || file_system == TMPFS_MAGIC;
}

bool
pv_file_identity_has_other_generation (const PvFileIdentity *identity, const char *path)
{
    g_assert (identity != NULL && path != NULL);

    if (identity->generation == 0 || identity->generation > UINT32_MAX)
        return false;
    uint32_t generation[2] = {0}; /* file systems write 32 bits, though a long is asked for */
    struct stat status;
    /* To open a device may do something: the path is what the recording says. */
    if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
        return false;
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is_known = fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
                    ioctl (fd, FS_IOC_GETVERSION, generation) == 0;
    if (fd >= 0)
        close (fd);
    return is_known && generation[0] != 0 && generation[0] != identity->generation;
}

/* True if the moment is after this machine was started. */
static bool
is_of_this_boot (int64_t at_ns)
{
    struct timespec now, uptime;
    if (at_ns == 0 || clock_gettime (CLOCK_REALTIME, &now) != 0 ||
        clock_gettime (CLOCK_BOOTTIME, &uptime) != 0)
        return false;
    return at_ns / NS_PER_SECOND > (int64_t)(now.tv_sec - uptime.tv_sec);
}

PvFileComparison
pv_file_identity_compare (const PvFileIdentity *identity, const PvMappedFile *file,
                          const char *path, int64_t recorded_at_ns)
{
    g_assert (identity != NULL && file != NULL && path != NULL);

    const PvFileStatus *status = pv_mapped_file_get_status (file);
    if (identity->inode == 0 || status->inode == 0)
        return PV_FILE_UNKNOWN;
    if (identity->inode != status->inode || pv_file_identity_has_other_generation (identity, path))
        return has_own_inodes (find_file_system (path)) ? PV_FILE_OTHER : PV_FILE_UNSURE;
    bool is_same_device = identity->device_major == status->device_major &&
                          identity->device_minor == status->device_minor;
    bool has_device = identity->device_major != 0 || identity->device_minor != 0;
    if (is_same_device || !has_device || !is_of_this_boot (recorded_at_ns))
        return PV_FILE_SAME;
    return has_plain_device (find_file_system (path)) ? PV_FILE_OTHER : PV_FILE_SAME;
}

bool
pv_file_identity_is_other (const PvFileIdentity *identity, const PvMappedFile *file,
                           const char *path)
{
    g_assert (identity != NULL && file != NULL && path != NULL);

    return identity->until_ns != 0 &&
           pv_file_identity_compare (identity, file, path, identity->until_ns) == PV_FILE_OTHER;
}

bool
pv_file_identity_is_too_short (const PvFileIdentity *identity, const PvMappedFile *file)
{
    g_assert (identity != NULL && file != NULL);

    return pv_mapped_file_get_size (file) <= identity->size_bytes && identity->size_bytes > 0;
}
