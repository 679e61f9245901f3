/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/query.h"

/*
 * Groups on the first level of a tree. A process, thread, processor or label belongs to the sample;
 * a module, file or package to the stack: that of its innermost kept frame. So each sample is in
 * one group, and the groups add up to the whole.
 *
 * Groups have ids: rows of the profile's processes and threads, values of a label (see
 * PvLabelValues), processor + 1, or the place among all modules, files or packages sorted by name.
 * Id 0 means no value. Immutable, any thread. Holds nothing: profile and symbols must outlive it.
 */
typedef struct PvTreeGroups PvTreeGroups;

/* NULL if the query has no grouping that applies to the profile. */
PvTreeGroups *pv_tree_groups_new (const PvProfile *profile, const PvSymbolTable *symbols,
                                  const PvQuery *query);
void pv_tree_groups_free (PvTreeGroups *groups);

/* Ids are below this. */
uint32_t pv_tree_groups_count_ids (const PvTreeGroups *groups);

/* True if stacks have groups, false if samples have them. */
bool pv_tree_groups_are_of_stacks (const PvTreeGroups *groups);
uint32_t pv_tree_groups_find_by_sample (const PvTreeGroups *groups, const PvSampleSet *set,
                                        uint32_t sample);
/* function is what the query's transforms make of the frame. */
uint32_t pv_tree_groups_find_by_leaf (const PvTreeGroups *groups, const PvFrame *frame,
                                      PvFunctionId function);

/* In the order of lists: by name, then by number. */
int pv_tree_groups_compare (const PvTreeGroups *groups, uint32_t a, uint32_t b);

/* For the user; free with g_free (). */
char *pv_tree_groups_make_name (const PvTreeGroups *groups, uint32_t id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTreeGroups, pv_tree_groups_free)
