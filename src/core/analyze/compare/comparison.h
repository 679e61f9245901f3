/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/join/compare-input.h"
#include "core/base/job.h"

/*
 * Two profiles, or two parts of one, put together so that they can be compared: a profile of its
 * own, in which each measure that both have is a pair (see PvPair). Its samples are sums by stack,
 * thread and labels, without times.
 *
 * Functions are one where module and full name are the same. Of a module, only the name without its
 * version counts ("libfoo.so" for libfoo.so.1.2), and the recorded programs are one module whatever
 * they are called, if each side has only one. What has no name is joined by build-id and address.
 * Threads, processes and labels are joined by their names.
 */
typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} PvComparison;

/* Takes references of nothing. Uses several threads. False when cancelled, with a G_REGEX_ERROR for
 * a rename that is invalid, or with a G_OPTION_ERROR if the sides have no measure in common. The
 * pair of the first runs' own measures is that of measure 0. Clear the result. */
bool pv_comparison_build (const PvCompareInput *input, PvComparison *ret_comparison, PvJob *job,
                          GError **error);
/* True if they have a measure in common, so that they can be built into a comparison. Reads no
 * samples. */
bool pv_comparison_can_build (const PvCompareRun *base, const PvCompareRun *newer);
/* Finds the profile's measure that is like one of another profile, by its name, or by the title
 * that people see; files may have a name twice. UINT32_MAX: there is none. */
PvMeasureId pv_comparison_find_like (const PvProfile *profile, const PvProfile *other,
                                     PvMeasureId measure);
void pv_comparison_clear (PvComparison *comparison);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvComparison, pv_comparison_clear)
