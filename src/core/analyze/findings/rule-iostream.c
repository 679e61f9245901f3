/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"std::basic_ostream::*",
                                    "std::ostream::*",
                                    "std::operator<<",
                                    "std::__ostream_insert",
                                    "std::__ostream_write*",
                                    "std::endl",
                                    "std::flush",
                                    "std::basic_istream::*",
                                    "std::istream::*",
                                    "std::operator>>",
                                    "std::getline",
                                    "std::num_put::*",
                                    "std::num_get::*",
                                    "std::basic_filebuf::*",
                                    "std::basic_stringbuf::*",
                                    "std::basic_streambuf::*",
                                    "std::basic_stringstream::*",
                                    "std::basic_ostringstream::*",
                                    "std::basic_istringstream::*",
                                    "std::basic_ios::*",
                                    "std::basic_iostream::*",
                                    "std::ios_base::*",
                                    "std::__cxx11::basic_stringbuf::*",
                                    "std::__cxx11::basic_ostringstream::*",
                                    "std::__cxx11::basic_stringstream::*",
                                    "std::__cxx11::basic_istringstream::*",
                                    "__gnu_cxx::stdio_sync_filebuf::*",
                                    "std::locale::*",
                                    NULL};

const PvFindingRule pv_rule_iostream = {
    .word = "iostream",
    .names = names,
    .least = 0.05,
    .title = N_ ("Streams of C++ (%s) take %s of %s"),
    .detail =
        N_ ("Write a newline character in place of std::endl, keep streams instead of making new "
            "ones, call std::ios::sync_with_stdio (false), or use std::to_chars and"
            " std::from_chars."),
};
