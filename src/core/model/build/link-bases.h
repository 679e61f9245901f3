/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/build/builder.h"

/*
 * The way from file offsets to link addresses, for files that may not be there later. Programs that
 * are linked for fixed addresses have theirs below 4 GiB, where Linux puts no other program of a
 * 64-bit process; all others count from where their file begins in memory, which often is not code.
 * One for each process, which gets mappings in the order in which the kernel made them; zeros are
 * empty.
 */
typedef struct {
    PvModuleId low_main;  /* its program if that is mapped below 4 GiB; 0: not, or told already */
    uint64_t low_bias;    /* run-time address - file offset of that */
    uint64_t image_start; /* where the latest file begins of which the start is mapped as data */
    uint64_t image_path;  /* hash of its path; 0: none */
    bool has_data;        /* any mapping was seen that is not executable */
} PvLinkBases;

/* Takes a mapping of a file that is not executable. */
void pv_link_bases_take_data (PvLinkBases *bases, uint64_t start, uint64_t file_offset,
                              const char *path);

/* Takes an executable one, and tells its module, if that has file offsets, what is known of it. */
void pv_link_bases_take_code (PvLinkBases *bases, PvProfileBuilder *builder, uint64_t start,
                              uint64_t file_offset, const char *path, PvModuleId module);
