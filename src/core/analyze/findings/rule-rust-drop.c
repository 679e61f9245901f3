/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"core::ptr::drop_in_place*", "*core::ops::drop::Drop>::drop",
                                    "*core::ops::Drop>::drop", NULL};

const PvFindingRule pv_rule_rust_drop = {
    .word = "rust-drop",
    .place = PV_RULE_IN_USER,
    .names = names,
    .least = 0.05,
    .title = N_ ("Dropping values in Rust (%s) takes %s of %s"),
    .detail = N_ ("Reuse values, or keep many small ones in one allocation such as an "
                  "arena."),
};
