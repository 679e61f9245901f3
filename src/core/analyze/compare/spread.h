/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * How much more the amounts of functions vary inside a run than samples that come one by one would:
 * their dispersion, as in quasi-Poisson models. Each run is cut into blocks of as much weight;
 * neighbours are compared (the mean square of successive differences; J. von Neumann, Annals of
 * Mathematical Statistics 12, 1941), so a burst shorter than a block counts in full, and a phase of
 * the program only where it begins and ends. What a program repeats every few blocks is the same in
 * each run: of blocks, pairs of them and fours, those count in which its functions vary least.
 * Differences between runs or sides do not count.
 */
typedef struct {
    double dispersion; /* variance of the amount, to that of samples which come one by one */
    double freedom;    /* degrees of freedom of the estimate; 0: nothing is known */
} PvSpread;

/* Spreads of self and total by function of the tree's symbols; total[0] is of everything that the
 * query keeps. */
typedef struct {
    uint32_t n_functions;
    PvSpread *self, *total;
} PvSpreads;

/* The tree is of a comparison, of any shape. Nothing is known where times are not. NULL when
 * cancelled. */
PvSpreads *pv_spreads_measure (const PvCallTree *tree, PvJob *job);
/* Spreads of which nothing is known. */
PvSpreads *pv_spreads_new (uint32_t n_functions);
void pv_spreads_free (PvSpreads *spreads);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSpreads, pv_spreads_free)
