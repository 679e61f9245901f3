/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"runtime.gcAssistAlloc*", "runtime.deductAssistCredit", NULL};

const PvFindingRule pv_rule_go_assist = {
    .word = "go-assist",
    .names = names,
    .least = 0.03,
    .title = N_ ("Goroutines that have to help Go’s garbage collector (%s) spend %s of "
                 "%s on it"),
    .detail = N_ ("They allocate faster than the collector frees: allocate less in the "
                  "functions that are named here."),
};
