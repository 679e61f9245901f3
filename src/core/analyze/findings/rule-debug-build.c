/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions so small that every compiler inlines them, unless it is told not to optimize.
 * Where the profile does not tell which frames are inlined, nothing is said.
 */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"std::move",
                                    "std::forward",
                                    "std::vector::operator[]",
                                    "std::vector::size",
                                    "std::vector::begin",
                                    "std::vector::end",
                                    "std::array::operator[]",
                                    "std::__array_traits::_S_ref",
                                    "std::unique_ptr::get",
                                    "std::unique_ptr::operator->",
                                    "std::unique_ptr::operator*",
                                    "std::__shared_ptr_access::operator->",
                                    "std::__shared_ptr_access::operator*",
                                    "std::__shared_ptr_access::_M_get",
                                    "std::__shared_ptr::get",
                                    "std::__uniq_ptr_impl::_M_ptr",
                                    "std::get",
                                    "std::__get_helper",
                                    "std::max",
                                    "std::min",
                                    "std::addressof",
                                    "std::__addressof",
                                    "std::__niter_base",
                                    "std::__miter_base",
                                    "__gnu_cxx::__normal_iterator::*",
                                    "__gnu_cxx::operator!=",
                                    "__gnu_cxx::operator==",
                                    "__gnu_cxx::operator-",
                                    "std::__wrap_iter::*",
                                    "core::ptr::const_ptr::*",
                                    "core::ptr::mut_ptr::*",
                                    "core::ptr::non_null::*",
                                    "core::slice::index::*",
                                    "core::iter::range::*",
                                    "*core::iter::range::RangeIteratorImpl>::spec_next",
                                    "*core::slice::index::SliceIndex>::index",
                                    "*core::slice::index::SliceIndex>::index_mut",
                                    "*core::ops::index::Index>::index",
                                    "*core::ops::index::IndexMut>::index_mut",
                                    "*core::ops::deref::Deref>::deref",
                                    "*core::iter::traits::collect::IntoIterator>::into_iter",
                                    "core::cmp::impls::*",
                                    "core::hint::*",
                                    "core::mem::*",
                                    NULL};

const PvFindingRule pv_rule_debug_build = {
    .word = "debug-build",
    .place = PV_RULE_AT_LEAF,
    .names = names,
    .is_of_physical = true,
    .least = 0.05,
    .title = N_ ("Small functions that an optimizing compiler would inline (%s) take %s "
                 "of %s"),
    .detail = N_ ("The program looks like a build without optimization (-O0, or Rust’s "
                  "dev profile): its costs are not those of a release build."),
};
