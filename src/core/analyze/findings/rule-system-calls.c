/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const kernel_names[] = {
    "__x64_sys_*", "__ia32_sys_*", "__arm64_sys_*", "__riscv_sys_*", "__do_sys_*", "__se_sys_*",
    "SyS_*",       "sys_*",        "ksys_*",        "__s390x_sys_*", NULL};

const PvFindingRule pv_rule_system_calls = {
    .word = "system-calls",
    .kernel_names = kernel_names,
    .least = 0.1,
    .is_broad = true,
    .title = N_ ("System calls (%s) take %s of %s"),
    .detail = N_ ("Call less often: read, write or ask for more at once."),
};
