/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {
    "runtime.schedule",   "runtime.findRunnable*", "runtime.findrunnable*", "runtime.wakep",
    "runtime.stealWork*", "runtime.startm",        "runtime.stopm",         NULL};

const PvFindingRule pv_rule_go_scheduler = {
    .word = "go-scheduler",
    .names = names,
    .least = 0.1,
    .title = N_ ("Go’s scheduler (%s) takes %s of %s"),
    .detail = N_ ("Goroutines run only briefly before they wait: give each of them more "
                  "to do, or use fewer."),
};
