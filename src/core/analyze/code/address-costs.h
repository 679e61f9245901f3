/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * The cost of addresses of code, by row: a set of locations, such as those of an instruction. Self
 * counts stacks whose innermost frame is there, total all that go through it: a stack counts once
 * for each row. Unlike lines, instructions have the cost of what is inlined there.
 */
typedef struct {
    uint64_t self;
    uint64_t total;
} PvAddressCost;

/* row_of_location has an entry for each location of the profile: its row, 0 for none; rows are
 * below n_rows. is_wanted has one for each function of the tree's symbol table: it must be true of
 * all that have a frame in a location with a row. The result has n_rows entries; row 0 is all other
 * code. g_free () it. NULL when cancelled. Any thread. */
PvAddressCost *pv_address_costs_build (const PvCallTree *tree, const uint32_t *row_of_location,
                                       uint32_t n_rows, const bool *is_wanted, PvJob *job);
