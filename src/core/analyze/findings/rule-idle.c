/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No rule by itself: what processors do that have nothing to do is of no other class.
 */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"swapper", "cpu_idle", "cpu_bringup_and_idle",
                                    "[idle]",  "(idle)",   NULL};

static const char *const kernel_names[] = {"do_idle",
                                           "cpu_idle*",
                                           "cpuidle_*",
                                           "cpu_startup_entry",
                                           "default_idle*",
                                           "arch_cpu_idle*",
                                           "native_safe_halt",
                                           "pv_native_safe_halt",
                                           "intel_idle*",
                                           "acpi_idle*",
                                           "acpi_safe_halt",
                                           "acpi_processor_ffh*",
                                           "mwait_idle*",
                                           "poll_idle",
                                           "cpu_bringup_and_idle",
                                           "xen_safe_halt",
                                           "rest_init",
                                           "call_cpuidle",
                                           NULL};

const PvFindingRule pv_rule_idle = {
    .word = "idle",
    .names = names,
    .kernel_names = kernel_names,
    .is_excluding = true,
};
