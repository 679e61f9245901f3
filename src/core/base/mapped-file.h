/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A file's bytes, mapped read-only. Files may shrink while we read them: the first mapped file
 * installs the process's one SIGBUS handler, and a fault inside a registered range is answered
 * with zero pages and remembered. Any thread may read; reference counting is atomic.
 */
typedef struct PvMappedFile PvMappedFile;

/* A file's identity and times, as of when it was opened or last grew. All 0 for taken bytes. */
typedef struct {
    uint64_t inode;
    uint32_t device_major, device_minor;
    int64_t modified_at_ns; /* since 1970, and so is the next */
    int64_t changed_at_ns;  /* contents, name or owner; nobody can set it back */
} PvFileStatus;

/* Opens regular files only (a FIFO or device is an error, and is neither opened nor waited for). A
 * file of another host that would have to be mounted first, as /net/HOST does, is not found: its
 * path may come from the profile. Errors are of PV_READ_ERROR. */
PvMappedFile *pv_mapped_file_open (const char *path, GError **error);

/* The same for a file that is still being written: its bytes stay at the same address while it
 * grows, as far as there is address space. */
PvMappedFile *pv_mapped_file_open_growing (const char *path, GError **error);

/* Updates the size and mtime of a growing file, which do not change otherwise. No other thread may
 * use the file meanwhile. False with an error, and the old size, if the file became
 * shorter or too large. */
bool pv_mapped_file_grow (PvMappedFile *file, GError **error);

/* Takes ownership of bytes from g_malloc (). */
PvMappedFile *pv_mapped_file_new_take (void *data, size_t size_bytes);

/* The bytes of a file from an offset on, at most its size, which is not of one that may grow. Keeps
 * a reference to it, and has its modification time. */
PvMappedFile *pv_mapped_file_new_part (PvMappedFile *whole, size_t offset);

PvMappedFile *pv_mapped_file_ref (PvMappedFile *file);
void pv_mapped_file_unref (PvMappedFile *file);

const uint8_t *pv_mapped_file_get_data (const PvMappedFile *file);
size_t pv_mapped_file_get_size (const PvMappedFile *file);

/* The path that the file, or that which it is a part of, was opened by; NULL for taken bytes. */
const char *pv_mapped_file_get_path (const PvMappedFile *file);

/* Modification time, seconds since 1970; 0 for taken bytes. */
int64_t pv_mapped_file_get_mtime (const PvMappedFile *file);

/* The user who owns the file; 0 for taken bytes. */
uid_t pv_mapped_file_get_owner (const PvMappedFile *file);
const PvFileStatus *pv_mapped_file_get_status (const PvMappedFile *file);

/* True if the file became shorter while it was mapped; zeros replaced the missing bytes. */
bool pv_mapped_file_has_faulted (const PvMappedFile *file);

/* Tells the kernel that [offset, offset + size) will not be needed again soon: its pages leave our
 * resident memory and come back from the page cache when touched. */
void pv_mapped_file_release (PvMappedFile *file, size_t offset, size_t size_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMappedFile, pv_mapped_file_unref)
