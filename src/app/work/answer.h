/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/node-values.h"
#include "core/analyze/tables/emptiness.h"
#include "core/analyze/tree/call-tree.h"

/*
 * The result of a question: the profile, its names, and the trees that were made of both. They
 * belong together, as ids of the one are looked up in the other, so a document replaces all of them
 * at once. Made in a worker (pv_answer_build (), tasks.h).
 *
 * Immutable and reference counted; any thread may read, and drop the last reference.
 */
typedef struct {
    int ref_count; /* atomic */
    /* Number of the question, unique in the process; 0: of pv_no_answer. An answer that only
     * unfolds more nodes has that of the one before: what is known of functions holds, ids of nodes
     * do not. */
    unsigned serial;
    PvProfile *profile;
    PvSymbolTable *symbols; /* the trees' may have functions more for merged modules */
    const PvQuery *query;   /* the top-down tree's */
    PvCallTree *tree;       /* top-down */
    PvCallTree *flame_tree; /* the one in the flame graph: tree, or the bottom-up one */
    PvNodeValues *values;   /* of flame_tree's nodes; NULL: none requested */
    char *scale_text;       /* how a comparison was scaled; else NULL */
    PvEmptiness *emptiness; /* NULL: there is something to show */
} PvAnswer;

/* The answer of a document that has none yet: all pointers are NULL. References to it do not count.
 */
extern const PvAnswer pv_no_answer;

/* True if ids of functions in these symbols, which a view has of another answer, are those of this
 * one. */
gboolean pv_answer_has_functions_of (const PvAnswer *answer, const PvSymbolTable *symbols);

/* With references to profile and symbols and without the rest, which its maker fills in, ... */
PvAnswer *pv_answer_new (const PvProfile *profile, const PvSymbolTable *symbols);
/* ... and then seals it. previous: the one that is shown. */
void pv_answer_seal (PvAnswer *answer, const PvAnswer *previous);
PvAnswer *pv_answer_ref (const PvAnswer *answer);
/* The last reference frees what it holds in a worker. */
void pv_answer_unref (const PvAnswer *answer);
