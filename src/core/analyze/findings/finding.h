/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/symbols.h"

/* One sentence about the program, with its figures, how sure they are, and what shows it. */
typedef struct {
    const char *rule; /* word for machines, "allocator"; static */
    char *title;      /* one sentence for people, with figures, without a full stop; translated */
    char *detail;     /* sentences on how to find out more, or what to do; or NULL */
    PvMeasureId measure;
    uint64_t amount; /* in the measure's unit */
    double cost;     /* amount as a share of all that the query keeps of the measure, 0 to 1 */
    /* Standard error of cost, with the bursts of the recording taken into account; 0: it is exact,
     * or nothing is known. */
    double error;
    uint64_t n_samples; /* that amount is estimated from; 0: exact, or not known */
    bool is_measured;   /* samples are waits, each of which was measured: nothing is estimated */
    char *interval;     /* a sentence on the amount, where its share would tell less; or NULL */
    /* The way to see it: options of a query that are added to those of the asked one ("--focus=…",
     * NULL-terminated, maybe none; pv_query_words_add_all () reads them), one of the PV_FINDING_…
     * below, and what to select there; 0: nothing. */
    char **options;
    const char *page;
    PvFunctionId function;
    PvModuleId module;
} PvFinding;

/* Values of PvFinding.page. */
#define PV_FINDING_SUMMARY   "summary"
#define PV_FINDING_GRAPH     "graph"
#define PV_FINDING_FUNCTIONS "functions"
#define PV_FINDING_TIMELINE  "timeline"
#define PV_FINDING_SOURCE    "source"

/* "1,234 samples: between 27.1 and 29.3 %", or "between +12 ms and +18 ms", for people: true for 95
 * of 100 recordings; NULL: the figure is exact, or nothing is known. g_free () it. Any thread. */
char *pv_finding_describe_certainty (const PvFinding *finding);
