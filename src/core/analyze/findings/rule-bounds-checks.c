/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that do nothing but compare an index with a size. An access that checks its index
 * itself, such as std::vector::at or Rust's index, is no such function: what it costs may be the
 * memory that it reads.
 */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"std::vector::_M_range_check",
                                    "std::deque::_M_range_check",
                                    "std::bitset::_M_check",
                                    "std::basic_string::_M_check",
                                    "std::__cxx11::basic_string::_M_check",
                                    "std::__cxx11::basic_string::_M_check_length",
                                    "std::__sv_check",
                                    "core::slice::index::range",
                                    NULL};

const PvFindingRule pv_rule_bounds_checks = {
    .word = "bounds-checks",
    .place = PV_RULE_AT_LEAF,
    .names = names,
    .least = 0.03,
    .title = N_ ("Bounds checks (%s) take %s of %s"),
    .detail = N_ ("Iterate instead of using an index, or check the range once before the loop."),
};
