/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"regcomp",
                                    "__regcomp",
                                    "re_compile_internal",
                                    "re_compile_fastmap*",
                                    "pcre2_compile*",
                                    "pcre_compile*",
                                    "pcre2_jit_compile*",
                                    "g_regex_new",
                                    "onig_new*",
                                    "std::__detail::_Compiler::*",
                                    "std::basic_regex::_M_compile",
                                    "std::basic_regex::basic_regex",
                                    "regex::Regex::new",
                                    "regex::bytes::Regex::new",
                                    "regex::regex::string::Regex::new",
                                    "regex::builders::*",
                                    "regex::re_builder::*",
                                    "regex_syntax::*",
                                    "regex_automata::*::Builder::build*",
                                    "regex_automata::meta::regex::Builder::build*",
                                    "regex_automata::nfa::thompson::compiler::*",
                                    "regexp.Compile*",
                                    "regexp.MustCompile*",
                                    "regexp.compile*",
                                    "regexp.onepass*",
                                    "regexp/syntax.*",
                                    "re2::RE2::RE2",
                                    "re2::RE2::Init",
                                    "re2::Compiler::*",
                                    "re2::Regexp::Parse*",
                                    "boost::re_detail*::basic_regex_parser::*",
                                    "QRegularExpressionPrivate::compilePattern",
                                    "java.util.regex.Pattern.compile",
                                    NULL};

const PvFindingRule pv_rule_regex_compile = {
    .word = "regex-compile",
    .names = names,
    .least = 0.02,
    .title = N_ ("Compiling regular expressions (%s) takes %s of %s"),
    .detail = N_ ("Compile each expression once, outside of loops, and keep it."),
};
