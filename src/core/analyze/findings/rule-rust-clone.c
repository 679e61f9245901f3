/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"*core::clone::Clone>::clone",
                                    "*alloc::borrow::ToOwned>::to_owned",
                                    "alloc::slice::hack::*",
                                    "*alloc::slice::hack::ConvertVec>::to_vec",
                                    "*alloc::string::ToString>::to_string",
                                    NULL};

const PvFindingRule pv_rule_rust_clone = {
    .word = "rust-clone",
    .names = names,
    .least = 0.05,
    .title = N_ ("Cloning values in Rust (%s) takes %s of %s"),
    .detail = N_ ("Borrow values instead, or share them with Rc or Arc."),
};
