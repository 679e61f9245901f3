/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"core::fmt::*",
                                    "alloc::fmt::format*",
                                    "*core::fmt::Display>::fmt",
                                    "*core::fmt::Debug>::fmt",
                                    "*core::fmt::Write>::write_fmt",
                                    "std::io::Write::write_fmt*",
                                    "*std::io::Write>::write_fmt",
                                    NULL};

const PvFindingRule pv_rule_rust_fmt = {
    .word = "rust-fmt",
    .place = PV_RULE_IN_USER,
    .names = names,
    .least = 0.05,
    .title = N_ ("Formatting text in Rust (%s) takes %s of %s"),
    .detail = N_ ("Write strings and numbers directly, into a buffer that is kept, in "
                  "place of format! and to_string ()."),
};
