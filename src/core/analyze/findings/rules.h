/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding-rule.h"

/*
 * The table of rules, as RULE (NAME): pv_rule_NAME is in rule-NAME.c. Of two findings of the same
 * stacks, that of the rule that comes first is told: what is special comes before what is general.
 */
#define PV_FINDING_RULE_TABLE(RULE)                                                                \
    RULE (comparison)                                                                              \
    RULE (idle)                                                                                    \
    RULE (instrumentation)                                                                         \
    RULE (bounds_checks)                                                                           \
    RULE (debug_build)                                                                             \
    RULE (regex_compile)                                                                           \
    RULE (demangling)                                                                              \
    RULE (exceptions)                                                                              \
    RULE (fsync)                                                                                   \
    RULE (small_io)                                                                                \
    RULE (stat)                                                                                    \
    RULE (locks)                                                                                   \
    RULE (lock_waits)                                                                              \
    RULE (go_assist)                                                                               \
    RULE (go_gc)                                                                                   \
    RULE (go_allocation)                                                                           \
    RULE (go_channels)                                                                             \
    RULE (go_scheduler)                                                                            \
    RULE (rust_fmt)                                                                                \
    RULE (rust_clone)                                                                              \
    RULE (rust_drop)                                                                               \
    RULE (rust_tokio)                                                                              \
    RULE (shared_ptr)                                                                              \
    RULE (iostream)                                                                                \
    RULE (page_faults)                                                                             \
    RULE (allocator)                                                                               \
    RULE (formatting)                                                                              \
    RULE (hashing)                                                                                 \
    RULE (copying)                                                                                 \
    RULE (zeroing)                                                                                 \
    RULE (startup)                                                                                 \
    RULE (system_calls)                                                                            \
    RULE (kernel)                                                                                  \
    RULE (recursion)                                                                               \
    RULE (one_thread)                                                                              \
    RULE (no_frames)                                                                               \
    RULE (hot_function)                                                                            \
    RULE (leak_steps)                                                                              \
    RULE (temporary)                                                                               \
    RULE (one_site)                                                                                \
    RULE (fragmentation)                                                                           \
    RULE (series_growth)                                                                           \
    RULE (sizes)

#define PV_DECLARE_RULE(name) extern const PvFindingRule pv_rule_##name;
PV_FINDING_RULE_TABLE (PV_DECLARE_RULE)
