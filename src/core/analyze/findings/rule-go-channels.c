/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"runtime.chansend*", "runtime.chanrecv*",  "runtime.selectgo*",
                                    "runtime.selectnb*", "runtime.closechan*", NULL};

const PvFindingRule pv_rule_go_channels = {
    .word = "go-channels",
    .names = names,
    .least = 0.05,
    .title = N_ ("Go’s channels (%s) take %s of %s"),
    .detail = N_ ("Send several values at once, or use a mutex where goroutines only "
                  "share data."),
};
