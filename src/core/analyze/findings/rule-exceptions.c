/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"__cxa_throw",
                                    "__cxa_rethrow",
                                    "_Unwind_RaiseException*",
                                    "_Unwind_Resume",
                                    "_Unwind_Resume_or_Rethrow",
                                    "__cxa_begin_catch",
                                    "__cxa_end_catch",
                                    "__gxx_personality_v0",
                                    "std::rethrow_exception",
                                    "rust_eh_personality",
                                    "std::panicking::rust_panic*",
                                    NULL};

const PvFindingRule pv_rule_exceptions = {
    .word = "exceptions",
    .names = names,
    .least = 0.02,
    .title = N_ ("Throwing exceptions (%s) takes %s of %s"),
    .detail = N_ ("Return errors as values where they are common."),
};
