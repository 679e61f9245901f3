/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * Classes of stacks for a time index: one byte for each stack of the profile, PV_TIME_DROPPED for
 * those that the tree's query drops. Free with g_free (); NULL when cancelled. Private to the room.
 */

#define PV_TIME_DROPPED UINT8_MAX

/* The class of the innermost kept frame; see pv_time_index_build (). */
uint8_t *pv_time_classes_by_leaf (const PvCallTree *tree, const uint8_t *class_of_function,
                                  PvJob *job);
