/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"
#include "core/base/job.h"
#include "core/model/profile/symbols.h"

/*
 * Why there is nothing to show, and the ways on: sentences that the window and the command line
 * have in common. Any thread.
 */
typedef struct {
    char *title;         /* for people: "No CPU time in 3.45–4.09 s" */
    char *reason;        /* sentences for people; NULL: the title says all */
    bool is_of_file;     /* nothing was read, whatever is asked */
    bool has_range;      /* the time range leaves out all that there is */
    bool has_filters;    /* other filters do */
    bool needs_both;     /* only without both there is something */
    PvMeasureId measure; /* has something where the query's has nothing; UINT32_MAX: none */
    uint64_t amount;     /* of that measure */
} PvEmptiness;

/* For a query of which a tree has nothing, or no functions. Reads the samples several times, and
 * builds trees where stacks are filtered. NULL: there is something, or when cancelled. */
PvEmptiness *pv_emptiness_find (const PvProfile *profile, const PvSymbolTable *symbols,
                                const PvQuery *query, PvJob *job);
void pv_emptiness_free (PvEmptiness *emptiness);

/* True if less filtering would show something of this measure. */
static inline bool
pv_emptiness_is_of_query (const PvEmptiness *emptiness)
{
    return emptiness->has_range || emptiness->has_filters;
}

/* Title, reason, and the ways on as options of the command line, in sentences; g_free () it. */
char *pv_emptiness_format (const PvEmptiness *emptiness, const PvProfile *profile);

/* Adds a note to a table that nobody else has yet if nothing was read, or if the program did
 * nothing while it was profiled. */
void pv_emptiness_note (const PvProfile *profile, PvSymbolTable *symbols);

/* False: there is nothing that could be shown of any measure. True if there are only stacks
 * missing.
 */
bool pv_emptiness_has_amounts (const PvProfile *profile);

/* That note, of the reader or of the table; NULL: there is none. */
const PvNote *pv_emptiness_find_note (const PvProfile *profile, const PvSymbolTable *symbols);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvEmptiness, pv_emptiness_free)
