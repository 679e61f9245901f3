/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/bisect/history.h"
#include "cli/bisect/pairs.h"
#include "cli/bisect/work-trees.h"
#include "cli/options/options.h"

/*
 * State of a search: which commits there are, and what was recorded of them. Main thread only.
 */
typedef struct {
    char *id, *short_id;
    char *title;         /* NULL: not asked for yet */
    GArray *amounts;     /* double [PV_N_SIDES] of each pair of recordings */
    PvEstimate estimate; /* of the change, if there are some */
    bool is_measured;    /* to the end */
    bool is_broken;      /* it does not build ... */
    bool is_unable;      /* ... or run */
} PvBisectCommit;

typedef struct {
    PvOptions *options;
    PvHistory *history;
    char *folder; /* of the search */
    int lock;     /* on a file in it */
    PvWorkTrees trees;
    PvBisectCommit *good; /* the base of all */
    GPtrArray *commits;   /* PvBisectCommit, as in the history */
    PvUnit unit;          /* of amounts */
    bool has_ratios;      /* changes are logarithms of ratios; else differences */
    bool has_advised;
    bool goes_on;     /* the search has failed, but the same command would go on */
    unsigned n_built; /* for the new side */
    int status;       /* to end with, if the search fails */
} PvBisect;

/* A chance with which a commit is found. */
#define PV_BISECT_FOUND_CHANCE 0.95

static inline PvBisectCommit *
pv_bisect_get (const PvBisect *bisect, uint32_t index)
{
    return (PvBisectCommit *)bisect->commits->pdata[index];
}

static inline PvBisectCommit *
pv_bisect_get_bad (const PvBisect *bisect)
{
    return pv_bisect_get (bisect, bisect->commits->len - 1);
}

/* From the history; they are none before. */
void pv_bisect_add_commits (PvBisect *bisect);
void pv_bisect_clear_commits (PvBisect *bisect);

/* For people; borrowed from the commit. */
const char *pv_bisect_get_title (const PvBisect *bisect, PvBisectCommit *commit);
/* The commit that is most likely the one. */
uint32_t pv_bisect_find_likeliest (const PvBisect *bisect);
/* Its recordings, in packs; g_strfreev () them. */
char **pv_bisect_list_packs (const PvBisect *bisect, const PvBisectCommit *commit, PvSide side);

/* Paths in the folder; g_free () them. A file of a commit: "1a2b3c4d5e-3.profview". */
char *pv_bisect_make_path (const PvBisect *bisect, const char *name);
char *pv_bisect_make_file_path (const PvBisect *bisect, const PvBisectCommit *commit,
                                const char *ending);
char *pv_bisect_make_pack_path (const PvBisect *bisect, const PvBisectCommit *commit, PvSide side,
                                unsigned round);

/* True if all amounts are like this: more than nothing, so that ratios have logarithms; or nothing.
 */
bool pv_bisect_are_all (const PvBisectCommit *commit, bool is_more);
/* Estimates the changes of all commits: each pair tells something of the spread. */
void pv_bisect_estimate (PvBisect *bisect);
/* A change, as it is estimated, in percent or in the unit. */
double pv_bisect_get_amount (const PvBisect *bisect, double change);
/* "+12.30 %, between +10.90 % and +13.80 %"; g_free () it. */
char *pv_bisect_describe_change (const PvBisect *bisect, const PvBisectCommit *commit);
