/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/node-values.h"

/* Texts about a comparison, translated. Any thread; they are freed with g_free (). */

/* "+34 %" of what there was, "×38" from eleven times on; "new" and "gone" where one side has
 * nothing; "" where both have nothing. */
char *pv_compare_format_percent (uint64_t base, uint64_t newer);

/* "+51 ms … +93 ms": where the true change is, 95 of 100 times. */
char *pv_compare_format_interval (int64_t low, int64_t high, PvUnit unit);

/* "before.data: 10.2 s → after.data: 12.4 s, +2.2 s (+21 %), as recorded". The tree is of a
 * comparison; scale is what pv_scale_describe () says. */
char *pv_compare_make_heading (const PvCallTree *tree, const PvChanges *functions,
                               const char *scale);

/* A sentence or two on how sure the changes are: "One run each: a slower machine cannot be told
 * from slower code. ..." */
char *pv_compare_describe_certainty (const PvChanges *functions);

/* The heading of a picture, short: "before.data 10.2 s → after.data 12.4 s: +2.2 s (+21 %)";
 * without names for signed measures of a single profile. Only with sides. */
char *pv_compare_make_caption (const PvNodeValues *values);

/* The heading of a picture of one side: "Base: before.data, 10.2 s". Of values with both trees. */
char *pv_compare_make_side_heading (const PvNodeValues *values, PvSide side);

/* "between +51 ms and +93 ms"; NULL: the change is exact. */
char *pv_compare_describe_interval (const PvChanges *changes, uint32_t row, bool is_self);

/* The same of the change of everything that the query keeps; changes are by function. */
char *pv_compare_describe_whole_interval (const PvChanges *changes);

/* The total of a node: "1.2 s → 1.4 s, +0.2 s (+17 %), 9 % of the change, between +0.1 s and +0.3
 * s". Only with sides. */
char *pv_compare_describe_node (const PvNodeValues *values, PvNodeId node);
/* A change as a share of the whole one, "9 %", "−4 %" if it goes the other way; "" if nothing
 * changed in all. */
char *pv_compare_format_share (int64_t change, int64_t whole);

/* pv_compare_format_nameless () of the module with the largest part of a side, if that matters; or
 * NULL. functions are the tree's changes. */
char *pv_compare_describe_nameless (const PvCallTree *tree, const PvChanges *functions);

/* The largest changes, a sentence each: "Sort::run +1.2 s (+34 %), of which compare +0.9 s".
 * Follows the change from the root of the tree, which is top-down, to where it splits, and names
 * the function of the user's own that is or calls what changed there; leaves noise out. functions
 * and nodes are the tree's changes. Where pv_compare_describe_nameless () has something to say,
 * only that, of no function. At most n_max; NULL-terminated, free with g_strfreev ().
 * ret_functions: the function of each, an array of n_max, or NULL. */
char **pv_compare_list_changes (const PvCallTree *tree, const PvChanges *functions,
                                const PvChanges *nodes, unsigned n_max,
                                PvFunctionId *ret_functions);
