/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"runtime.mallocgc*", NULL};

const PvFindingRule pv_rule_go_allocation = {
    .word = "go-allocation",
    .names = names,
    .least = 0.08,
    .title = N_ ("Allocation by Go’s run time (%s) takes %s of %s"),
    .detail = N_ ("Reuse memory, for example with sync.Pool, and give slices and maps "
                  "their size when they are made."),
};
