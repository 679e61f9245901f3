/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/comparison.h"

/*
 * Several profiles side by side: a profile of its own in which each has its measures, under their
 * names, with a number behind a name that an earlier profile has ("cycles-2"). Nothing is
 * subtracted. As in a comparison, samples are sums without times, and functions, threads and labels
 * are joined as they are there, but programs only if they are called the same, so that a function
 * has the amounts of all profiles. These should be of one build of a program, so what has no name
 * is the same place wherever its address is.
 *
 * Functions that a run's query hides by default, those that only allocate and those that a file
 * asks to drop, are left out of the stacks of that profile alone: each function has the amounts
 * that its profile shows by itself. The query's other transforms are ignored.
 *
 * Recorders follow stacks to different ends: perf by frame pointers often to what calls main,
 * heaptrack to _start. So that callers are the same, stacks begin at main, or at what a thread
 * runs; only the totals of what starts these are less than by itself.
 */

/* At least one run. Takes references of nothing. Uses several threads. False when cancelled, with a
 * G_REGEX_ERROR for an expression that is invalid or too slow, or with a G_OPTION_ERROR if a
 * profile has no measure that can be joined. Clear the result. */
bool pv_joined_build (const PvCompareRun *runs, uint32_t n_runs, PvComparison *ret_joined,
                      PvJob *job, GError **error);
