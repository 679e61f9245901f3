/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"fsync",   "fdatasync",   "sync_file_range", "msync",
                                    "__fsync", "__fdatasync", "syncfs",          NULL};

static const char *const kernel_names[] = {"__x64_sys_fsync",
                                           "__x64_sys_fdatasync",
                                           "__x64_sys_msync",
                                           "__x64_sys_sync*",
                                           "__arm64_sys_fsync",
                                           "__arm64_sys_fdatasync",
                                           "__do_sys_fsync",
                                           "__do_sys_fdatasync",
                                           "do_fsync",
                                           "vfs_fsync*",
                                           "ksys_sync*",
                                           "file_write_and_wait_range",
                                           NULL};

const PvFindingRule pv_rule_fsync = {
    .word = "fsync",
    .names = names,
    .kernel_names = kernel_names,
    .least = 0.02,
    .title = N_ ("Writing files through to the disk (%s) takes %s of %s"),
    .detail = N_ ("Collect several changes before each fsync."),
};
