/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The chance of each commit of a range to be the one that changed an amount.
 *
 * One commit is taken to have changed it: commits that contain that one have the whole change, all
 * others have none of it. What is measured of a commit speaks for one or the other, never with
 * certainty; chances follow from that by Bayes' rule, and were equal at first. The next commit to
 * measure is the one that halves them best, so that clear measurements are a binary search. Not
 * thread-safe.
 */
typedef struct PvSuspects PvSuspects;

enum { PV_SUSPECTS_MAX = 1 << 14 };

/* 1 <= n <= PV_SUSPECTS_MAX commits, older ones first; the last one contains all others. */
PvSuspects *pv_suspects_new (uint32_t n);
void pv_suspects_free (PvSuspects *suspects);

/* The commit contains its parent, which is older and has all parents of its own. */
void pv_suspects_add_parent (PvSuspects *suspects, uint32_t commit, uint32_t parent);
bool pv_suspects_contains (const PvSuspects *suspects, uint32_t commit, uint32_t other);

/* The natural logarithm of how many times likelier a measurement is if the commit has the whole
 * change than if it has none. */
void pv_suspects_add_evidence (PvSuspects *suspects, uint32_t commit, double evidence);
/* All evidence so far, not that some cannot be measured. */
void pv_suspects_forget (PvSuspects *suspects);
/* The commit cannot be measured. */
void pv_suspects_skip (PvSuspects *suspects, uint32_t commit);

/* The commit to measure next; false if no other one would tell more. */
bool pv_suspects_choose (const PvSuspects *suspects, uint32_t *ret_commit);
/* From 0 to 1; the sum of all is 1. */
double pv_suspects_get_chance (const PvSuspects *suspects, uint32_t commit);
/* The chance that the commit has the change, as it contains the one that made it. */
double pv_suspects_get_chance_within (const PvSuspects *suspects, uint32_t commit);
/* How many commits may well be the one. */
uint32_t pv_suspects_count_likely (const PvSuspects *suspects);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSuspects, pv_suspects_free)
