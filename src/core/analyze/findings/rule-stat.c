/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"stat",      "lstat",       "fstatat", "access",  "__xstat*",
                                    "__lxstat*", "__fxstatat*", "stat64",  "lstat64", "fstatat64",
                                    "faccessat", "statx",       NULL};

static const char *const kernel_names[] = {"vfs_stat*",
                                           "vfs_fstatat",
                                           "__do_sys_newfstatat",
                                           "__do_sys_newstat",
                                           "__do_sys_newlstat",
                                           "__x64_sys_newfstatat",
                                           "__x64_sys_newstat",
                                           "__x64_sys_newlstat",
                                           "__x64_sys_stat*",
                                           "__x64_sys_access",
                                           "__x64_sys_faccessat*",
                                           "__arm64_sys_newfstatat",
                                           "__arm64_sys_statx",
                                           "do_statx",
                                           "do_faccessat",
                                           NULL};

const PvFindingRule pv_rule_stat = {
    .word = "stat",
    .names = names,
    .kernel_names = kernel_names,
    .least = 0.03,
    .title = N_ ("Asking for the state of files (%s) takes %s of %s"),
    .detail = N_ ("Keep the answers, or read folders as a whole."),
};
