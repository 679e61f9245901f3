/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call that reads or writes a few bytes spends its time on entering and leaving the kernel and on
 * looking up the file; one that moves many spends it on moving them. Only the first part counts: it
 * is what larger reads and writes save.
 */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const calls[] = {"__x64_sys_read",
                                    "__x64_sys_write",
                                    "__x64_sys_pread64",
                                    "__x64_sys_pwrite64",
                                    "__arm64_sys_read",
                                    "__arm64_sys_write",
                                    "__arm64_sys_pread64",
                                    "__arm64_sys_pwrite64",
                                    "ksys_read",
                                    "ksys_write",
                                    "ksys_pread64",
                                    "ksys_pwrite64",
                                    NULL};

/* Other costs that each call has, whatever it moves. */
static const char *const leaves[] = {"vfs_read",
                                     "vfs_write",
                                     "new_sync_read",
                                     "new_sync_write",
                                     "rw_verify_area",
                                     "__fget_light",
                                     "__fdget",
                                     "__fdget_pos",
                                     "fdget_pos",
                                     "__f_unlock_pos",
                                     "fput",
                                     "security_file_permission",
                                     "apparmor_file_permission",
                                     "selinux_file_permission",
                                     "bpf_lsm_file_permission",
                                     "aa_file_perm",
                                     "fsnotify",
                                     "fsnotify_*",
                                     "__fsnotify_parent",
                                     "touch_atime",
                                     "atime_needs_update",
                                     "file_update_time",
                                     "file_modified_flags",
                                     "inode_needs_update_time",
                                     "current_time",
                                     "ktime_get_coarse_real_ts64",
                                     "__cond_resched",
                                     "entry_SYSCALL_64*",
                                     "do_syscall_64",
                                     "pvm_irq_enable",
                                     "__raw_callee_save_*irq_enable",
                                     NULL};

/* The C library's functions do little but enter the kernel; others may have such names. */
static bool
is_wrapper (const PvFunction *function, const PvModule *module)
{
    static const char *const wrappers[] = {
        "read",        "write",        "pread64",          "pwrite64",
        "__libc_read", "__libc_write", "__GI___libc_read", "__GI___libc_write",
        NULL};
    return module->name != NULL &&
           (g_str_has_prefix (module->name, "libc.so") ||
            g_str_has_prefix (module->name, "libc-")) &&
           g_strv_contains (wrappers, function->short_name);
}

const PvFindingRule pv_rule_small_io = {
    .word = "small-io",
    .kernel_names = calls,
    .matches = is_wrapper,
    .leaf_names = leaves,
    .least = 0.1,
    .title = N_ ("The overhead of reads and writes (%s) takes %s of %s"),
    .detail = N_ ("Each call costs that, whether it moves one byte or many: use a buffer, and read "
                  "and write more at once."),
};
