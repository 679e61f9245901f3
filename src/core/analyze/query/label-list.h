/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/query/query.h"

/*
 * Filters that name values of a label: expressions of the form "^(?:red|blue)$", or "^(?!(?:red)$)"
 * for all but those. Any thread.
 */

/* Free with g_free (). */
char *pv_label_list_make (const GPtrArray *values, bool is_not);

/* The values that a filter names, in a new array that owns them; NULL if it is not of that form. */
GPtrArray *pv_label_list_read (const PvLabelFilter *label, bool *ret_is_not);

/* Whether it names values, any value or none: as a list of values sets it, not a user's words. */
bool pv_label_filter_is_choice (const PvLabelFilter *label);
