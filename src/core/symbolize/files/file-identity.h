/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/mapped-file.h"
#include "core/model/profile/profile.h"

/*
 * Comparison of a file with the one that was mapped, by what the kernel recorded of it. This is
 * weaker than a build-id: a copy of the same build is another file, too.
 */
typedef enum {
    PV_FILE_UNKNOWN, /* nothing to compare was recorded */
    PV_FILE_SAME,    /* though it may have been written to since */
    PV_FILE_UNSURE,  /* numbers differ, but those of its file system may differ for one file */
    PV_FILE_OTHER,
} PvFileComparison;

/* path is where the file was opened. recorded_at_ns, since 1970, tells whether devices still have
 * the numbers that they had; 0: unknown. Blocking. */
PvFileComparison pv_file_identity_compare (const PvFileIdentity *identity, const PvMappedFile *file,
                                           const char *path, int64_t recorded_at_ns);

/* True if the file has the recorded inode for another file that got it later. */
bool pv_file_identity_has_other_generation (const PvFileIdentity *identity, const char *path);

/* True if the file is another than the one that was mapped, beyond doubt: the recording was made on
 * this machine. */
bool pv_file_identity_is_other (const PvFileIdentity *identity, const PvMappedFile *file,
                                const char *path);

/* True if the file is so short that the mapped one must have been another. */
bool pv_file_identity_is_too_short (const PvFileIdentity *identity, const PvMappedFile *file);
