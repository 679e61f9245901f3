/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/mapped-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/base/budget.h"
#include "core/base/error.h"
#include "core/base/path.h"

/*
 * Ranges that the SIGBUS handler covers. Slots are found without a lock, because a signal handler
 * must not take one; they are reused and never freed. A slot is in use while start != 0.
 */
typedef struct {
    atomic_uintptr_t start;
    atomic_uintptr_t end;
    atomic_bool has_faulted;
} GuardSlot;

typedef struct GuardBlock GuardBlock;
struct GuardBlock {
    GuardSlot slots[256];
    GuardBlock *_Atomic next;
};

static GuardBlock guard_blocks;
static pthread_mutex_t guard_lock = PTHREAD_MUTEX_INITIALIZER; /* for taking slots */
static struct sigaction previous_action;
static uintptr_t page_size; /* signal handlers must not call sysconf () */
static pthread_once_t handler_once = PTHREAD_ONCE_INIT;

struct PvMappedFile {
    atomic_int ref_count;
    uint8_t *data;
    size_t size;
    PvFileStatus status;
    uid_t owner;
    size_t mapped_bytes; /* of address space; more than size if the file may grow */
    int fd;              /* of a file that may grow; else -1 */
    GuardSlot *guard;    /* NULL: not mapped but taken from malloc, or a part */
    PvMappedFile *whole; /* of a part, whose bytes are the end of it; else NULL */
    char *path;          /* NULL: taken bytes, or a part */
};

/* Other slots may be reused meanwhile, so an end is only valid between two reads of the same start.
 * The slot searched for does not change, as the faulting thread uses its range. */
static GuardSlot *
find_guard (uintptr_t addr, uintptr_t *ret_end)
{
    for (GuardBlock *block = &guard_blocks; block != NULL; block = atomic_load (&block->next)) {
        for (size_t i = 0; i < G_N_ELEMENTS (block->slots); i++) {
            GuardSlot *slot = &block->slots[i];
            uintptr_t start = atomic_load (&slot->start);
            *ret_end = atomic_load (&slot->end);
            if (start != 0 && addr >= start && addr < *ret_end &&
                atomic_load (&slot->start) == start)
                return slot;
        }
    }
    return NULL;
}

/* ThreadSanitizer would report replacing the pages as a write to all of them while other threads
 * read there, so the call is hidden from it. */
static bool
put_zero_pages (uintptr_t start, size_t size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
#ifdef __SANITIZE_THREAD__
    return syscall (SYS_mmap, start, size, PROT_READ, flags, -1, 0) != -1;
#else
    return mmap ((void *)start, size, PROT_READ, flags, -1, 0) != MAP_FAILED;
#endif
}

/* Maps zero pages where the file has none any more, from the faulting page to the range's end. */
static void
on_sigbus (int signal_number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    uintptr_t addr = (uintptr_t)info->si_addr;
    uintptr_t end;
    GuardSlot *slot = find_guard (addr, &end);
    if (slot != NULL) {
        uintptr_t page = addr & ~(page_size - 1);
        size_t size = end - page;
        atomic_store (&slot->has_faulted, true);
        if (put_zero_pages (page, size)) {
            errno = saved_errno;
            return;
        }
    }
    /* Not ours: the previous handler gets the signal when the access is repeated. */
    sigaction (SIGBUS, &previous_action, NULL);
    errno = saved_errno;
}

static void
install_handler (void)
{
    page_size = (uintptr_t)sysconf (_SC_PAGESIZE);
    struct sigaction action = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};
    sigemptyset (&action.sa_mask);
    sigaction (SIGBUS, &action, &previous_action);
}

static GuardSlot *
take_free_slot (void)
{
    for (GuardBlock *block = &guard_blocks;; block = atomic_load (&block->next)) {
        for (size_t i = 0; i < G_N_ELEMENTS (block->slots); i++) {
            if (atomic_load (&block->slots[i].start) == 0)
                return &block->slots[i];
        }
        if (atomic_load (&block->next) == NULL)
            atomic_store (&block->next, g_new0 (GuardBlock, 1));
    }
}

static GuardSlot *
guard_range (const void *data, size_t size)
{
    pthread_once (&handler_once, install_handler);
    pthread_mutex_lock (&guard_lock);
    GuardSlot *slot = take_free_slot ();
    atomic_store (&slot->has_faulted, false);
    atomic_store (&slot->end, (uintptr_t)data + size);
    atomic_store (&slot->start, (uintptr_t)data);
    pthread_mutex_unlock (&guard_lock);
    return slot;
}

static void
set_error_from_errno (GError **error, int saved_errno)
{
    PvReadError code = saved_errno == EACCES || saved_errno == EPERM     ? PV_READ_ERROR_PERMISSION
                       : saved_errno == ENOENT || saved_errno == ENOTDIR ? PV_READ_ERROR_NOT_FOUND
                                                                         : PV_READ_ERROR_FAILED;
    g_set_error_literal (error, PV_READ_ERROR, code, g_strerror (saved_errno));
}

/* Address space for a growing file. Reserving it costs nothing, unless there is a limit: of what is
 * left, a file takes an eighth, and at least as much again as it has. */
#define GROWING_BYTES ((size_t)64 << 30)

static size_t
choose_room (size_t size_bytes)
{
    return MAX (size_bytes * 2, MIN (GROWING_BYTES, pv_budget_get_address_space () / 8));
}

#define NS_PER_SECOND INT64_C (1000000000)

static int64_t
get_ns (const struct timespec *time)
{
    /* A hostile file system may have any time. */
    int64_t seconds =
        CLAMP (time->tv_sec, INT64_MIN / NS_PER_SECOND + 1, INT64_MAX / NS_PER_SECOND - 1);
    return seconds * NS_PER_SECOND + time->tv_nsec;
}

static void
take_status (PvMappedFile *file, const struct stat *status)
{
    file->size = (size_t)status->st_size;
    file->status = (PvFileStatus){
        .inode = status->st_ino,
        .device_major = major (status->st_dev),
        .device_minor = minor (status->st_dev),
        .modified_at_ns = get_ns (&status->st_mtim),
        .changed_at_ns = get_ns (&status->st_ctim),
    };
}

/* Takes ownership of fd. */
static PvMappedFile *
map_descriptor (int fd, const char *path, const struct stat *status, bool is_growing,
                GError **error)
{
    PvMappedFile *file = g_new0 (PvMappedFile, 1);
    atomic_init (&file->ref_count, 1);
    take_status (file, status);
    file->mapped_bytes = file->size;
    file->owner = status->st_uid;
    file->fd = is_growing ? fd : -1;
    if (is_growing)
        file->mapped_bytes = MAX (choose_room (file->size), 1);
    void *data = file->mapped_bytes > 0
                     ? mmap (NULL, file->mapped_bytes, PROT_READ, MAP_PRIVATE, fd, 0)
                     : NULL;
    if (data == MAP_FAILED)
        set_error_from_errno (error, errno);
    if (!is_growing || data == MAP_FAILED)
        close (fd);
    if (data == MAP_FAILED) {
        g_free (file);
        return NULL;
    }
    file->data = data;
    file->path = g_strdup (path);
    if (data != NULL)
        file->guard = guard_range (data, file->mapped_bytes);
    return file;
}

static void
set_not_regular (GError **error, const struct stat *status)
{
    g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED,
                         S_ISDIR (status->st_mode) ? _ ("This is a folder")
                                                   : _ ("This is not a regular file"));
}

static char *
read_mounts (void)
{
    char *mounts = NULL;
    g_file_get_contents ("/proc/self/mountinfo", &mounts, NULL, NULL);
    return mounts;
}

static bool has_hosts; /* a folder of all hosts of the network is mounted */
static pthread_once_t hosts_once = PTHREAD_ONCE_INIT;

static void
look_for_hosts (void)
{
    g_autofree char *mounts = read_mounts ();
    has_hosts = mounts != NULL && pv_path_has_hosts (mounts);
}

/* True for a file on another host of which no folder is mounted yet: to look at it would mount one.
 */
static bool
waits_for_mount (const char *path)
{
    pthread_once (&hosts_once, look_for_hosts);
    if (!has_hosts)
        return false;
    g_autofree char *mounts = read_mounts ();
    return mounts != NULL && pv_path_waits_for_mount (mounts, path);
}

static PvMappedFile *
open_file (const char *path, bool is_growing, GError **error)
{
    /* To open a device can do something, such as rewind a tape: its type is asked first. */
    struct stat status;
    if (waits_for_mount (path)) {
        set_error_from_errno (error, ENOENT);
        return NULL;
    }
    if (stat (path, &status) != 0) {
        set_error_from_errno (error, errno);
        return NULL;
    }
    if (!S_ISREG (status.st_mode)) {
        set_not_regular (error, &status);
        return NULL;
    }
    /* Meanwhile it may be another: without O_NONBLOCK, opening a FIFO would wait for a writer. */
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat (fd, &status) != 0)
        set_error_from_errno (error, errno);
    else if (!S_ISREG (status.st_mode))
        set_not_regular (error, &status);
    else
        return map_descriptor (fd, path, &status, is_growing, error);
    if (fd >= 0)
        close (fd);
    return NULL;
}

PvMappedFile *
pv_mapped_file_open (const char *path, GError **error)
{
    g_assert (path != NULL && (error == NULL || *error == NULL));
    return open_file (path, false, error);
}

PvMappedFile *
pv_mapped_file_open_growing (const char *path, GError **error)
{
    g_assert (path != NULL && (error == NULL || *error == NULL));
    return open_file (path, true, error);
}

/* More of the address space behind the file, if it is free. */
static bool
extend_room (PvMappedFile *file, size_t size_bytes)
{
    size_t room = MAX (size_bytes, choose_room (size_bytes));
    if (mremap (file->data, file->mapped_bytes, room, 0) == MAP_FAILED) {
        room = size_bytes;
        if (mremap (file->data, file->mapped_bytes, room, 0) == MAP_FAILED)
            return false;
    }
    file->mapped_bytes = room;
    atomic_store (&file->guard->end, (uintptr_t)file->data + room);
    return true;
}

bool
pv_mapped_file_grow (PvMappedFile *file, GError **error)
{
    g_assert (file->fd >= 0);
    struct stat status;
    if (fstat (file->fd, &status) != 0 || (size_t)status.st_size < file->size ||
        pv_mapped_file_has_faulted (file))
        return pv_read_fail (error, PV_READ_ERROR_FAILED,
                             _ ("The file became shorter while it was being read"));
    if ((size_t)status.st_size > file->mapped_bytes && !extend_room (file, (size_t)status.st_size))
        return pv_read_fail (error, PV_READ_ERROR_FAILED,
                             _ ("There is no address space left to follow the file"));
    take_status (file, &status);
    return true;
}

PvMappedFile *
pv_mapped_file_new_take (void *data, size_t size_bytes)
{
    g_assert (data != NULL || size_bytes == 0);
    PvMappedFile *file = g_new0 (PvMappedFile, 1);
    atomic_init (&file->ref_count, 1);
    file->data = data;
    file->size = size_bytes;
    file->fd = -1;
    return file;
}

PvMappedFile *
pv_mapped_file_new_part (PvMappedFile *whole, size_t offset)
{
    g_assert (whole != NULL && whole->fd < 0 && offset <= whole->size);
    PvMappedFile *file = g_new0 (PvMappedFile, 1);
    atomic_init (&file->ref_count, 1);
    file->whole = pv_mapped_file_ref (whole);
    file->data = whole->data != NULL ? whole->data + offset : NULL;
    file->size = whole->size - offset;
    file->status = whole->status;
    file->owner = whole->owner;
    file->fd = -1;
    return file;
}

PvMappedFile *
pv_mapped_file_ref (PvMappedFile *file)
{
    g_assert (file != NULL);
    atomic_fetch_add_explicit (&file->ref_count, 1, memory_order_relaxed);
    return file;
}

void
pv_mapped_file_unref (PvMappedFile *file)
{
    if (file == NULL || atomic_fetch_sub_explicit (&file->ref_count, 1, memory_order_acq_rel) != 1)
        return;
    if (file->guard != NULL) {
        /* Must precede munmap (), as another mapping may take the range at once. */
        atomic_store (&file->guard->start, 0);
        munmap (file->data, file->mapped_bytes);
    } else if (file->whole != NULL) {
        pv_mapped_file_unref (file->whole);
    } else {
        g_free (file->data);
    }
    if (file->fd >= 0)
        close (file->fd);
    g_free (file->path);
    g_free (file);
}

const uint8_t *
pv_mapped_file_get_data (const PvMappedFile *file)
{
    return file->data != NULL ? file->data : (const uint8_t *)"";
}

size_t
pv_mapped_file_get_size (const PvMappedFile *file)
{
    return file->size;
}

const char *
pv_mapped_file_get_path (const PvMappedFile *file)
{
    return file->whole != NULL ? pv_mapped_file_get_path (file->whole) : file->path;
}

int64_t
pv_mapped_file_get_mtime (const PvMappedFile *file)
{
    /* Rounded down, before 1970 too. */
    int64_t ns = file->status.modified_at_ns;
    return ns / NS_PER_SECOND - (ns % NS_PER_SECOND < 0);
}

const PvFileStatus *
pv_mapped_file_get_status (const PvMappedFile *file)
{
    g_assert (file != NULL);
    return &file->status;
}

uid_t
pv_mapped_file_get_owner (const PvMappedFile *file)
{
    return file->owner;
}

bool
pv_mapped_file_has_faulted (const PvMappedFile *file)
{
    if (file->whole != NULL)
        return pv_mapped_file_has_faulted (file->whole);
    return file->guard != NULL && atomic_load (&file->guard->has_faulted);
}

void
pv_mapped_file_release (PvMappedFile *file, size_t offset, size_t size_bytes)
{
    g_assert (file != NULL);
    if (file->whole != NULL && offset < file->size)
        pv_mapped_file_release (file->whole, file->whole->size - file->size + offset, size_bytes);
    if (file->guard == NULL || offset >= file->size)
        return;
    size_t page = (size_t)sysconf (_SC_PAGESIZE);
    size_t end = offset + MIN (size_bytes, file->size - offset);
    size_t first = (offset + page - 1) / page * page;
    size_t last = end / page * page;
    if (last > first)
        madvise (file->data + first, last - first, MADV_DONTNEED);
}
