/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/query.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/* A run to be compared, see comparison.h. */
typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    /* Which samples count: measure, time, threads, processes, processors and labels. What it does
     * with stacks is ignored. */
    const PvQuery *query;
    const char *name; /* for display */
} PvCompareRun;

typedef struct {
    /* At least one run on each side. Of several, a side has the mean. */
    const PvCompareRun *runs[PV_N_SIDES];
    uint32_t n_runs[PV_N_SIDES];
    /* "EXPRESSION=TEXT": functions whose names match are called TEXT, in which \1 is a group.
     * NULL-terminated; or NULL. */
    const char *const *renames;
    /* Sentences about how the runs were recorded, which become notes. NULL-terminated; or NULL. */
    const char *const *remarks;
} PvCompareInput;
