/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"__cxa_demangle*",
                                    "abi::__cxa_demangle*",
                                    "cplus_demangle*",
                                    "bfd_demangle",
                                    "d_demangle*",
                                    "d_print*",
                                    "d_encoding",
                                    "d_type",
                                    "d_name",
                                    "rust_demangle*",
                                    "rustc_demangle::*",
                                    "llvm::demangle*",
                                    "llvm::itaniumDemangle*",
                                    "llvm::itanium_demangle::*",
                                    "__cxxabiv1::(anonymous namespace)::*Demangl*",
                                    NULL};

const PvFindingRule pv_rule_demangling = {
    .word = "demangling",
    .names = names,
    .least = 0.02,
    .title = N_ ("Demangling the names of symbols (%s) takes %s of %s"),
    .detail = N_ ("Demangle only names that are shown, and keep the results."),
};
