/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"__asan_*",
                                    "__asan::*",
                                    "__tsan_*",
                                    "__tsan::*",
                                    "__msan_*",
                                    "__msan::*",
                                    "__ubsan_*",
                                    "__ubsan::*",
                                    "__hwasan_*",
                                    "__hwasan::*",
                                    "__sanitizer::*",
                                    "__sanitizer_*",
                                    "__lsan::*",
                                    "__lsan_*",
                                    "__gcov_*",
                                    "gcov_*",
                                    "__llvm_profile_*",
                                    "__sancov*",
                                    "mcount",
                                    "_mcount",
                                    "__mcount*",
                                    "__mcount_internal",
                                    "__fentry__",
                                    "__cyg_profile_func_*",
                                    "__xray_*",
                                    "_dl_mcount*",
                                    "profil_counter",
                                    "__profile_frequency",
                                    "heaptrack_*",
                                    "runtime.sigprof*",
                                    "runtime.mProf_*",
                                    "runtime.profilealloc",
                                    "runtime/pprof.*",
                                    "runtime/trace.*",
                                    "runtime.raceread*",
                                    "runtime.racewrite*",
                                    "runtime.racefuncenter*",
                                    "__tsan_func_*",
                                    "ProfileHandler::*",
                                    "ProfileData::*",
                                    "prof_backtrace*",
                                    "je_prof_*",
                                    "_rjem_prof_*",
                                    NULL};

static const char *const modules[] = {
    "libasan.so",   "libtsan.so",    "libubsan.so",    "liblsan.so", "libhwasan.so",
    "libclang_rt.", "libheaptrack_", "libprofiler.so", "vgpreload_", NULL};

const PvFindingRule pv_rule_instrumentation = {
    .word = "instrumentation",
    .place = PV_RULE_AT_LEAF,
    .names = names,
    .modules = modules,
    .least = 0.02,
    .title = N_ ("Sanitizers or profilers in the program itself (%s) take %s of %s"),
    .detail = N_ ("All times include their cost: to judge the program, record a build "
                  "without them."),
};
