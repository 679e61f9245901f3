/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"std::_Sp_counted_base::*",
                                    "std::__shared_count::*",
                                    "std::__weak_count::*",
                                    "std::shared_ptr::*",
                                    "std::__shared_ptr::*",
                                    "std::weak_ptr::*",
                                    "std::__shared_weak_count::*",
                                    "std::__shared_count::*",
                                    "__gnu_cxx::__exchange_and_add*",
                                    "__gnu_cxx::__atomic_add*",
                                    "boost::detail::sp_counted_base::*",
                                    "boost::detail::shared_count::*",
                                    "boost::shared_ptr::*",
                                    "boost::detail::atomic_*",
                                    "*alloc::sync::Arc as core::ops::drop::Drop>::drop",
                                    "*alloc::sync::Arc as core::clone::Clone>::clone",
                                    NULL};

const PvFindingRule pv_rule_shared_ptr = {
    .word = "shared-ptr",
    .place = PV_RULE_AT_LEAF,
    .names = names,
    .least = 0.05,
    .title = N_ ("Counting the references of shared pointers (%s) takes %s of %s"),
    .detail = N_ ("Pass shared pointers by reference, or plain references where the owner"
                  " outlives the call."),
};
