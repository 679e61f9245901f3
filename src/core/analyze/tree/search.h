/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/base/job.h"

/*
 * Functions of a tree that match, whatever the case, and their cost together. A prefix of the text
 * names the part that is matched, as in expressions of filters ("module:libc", see
 * pv_subject_skip_prefix ()). Without one these are the names of functions, or the files and
 * modules if no function has such a name. Takes the time of a few passes over all stacks. Any
 * thread.
 */
typedef struct {
    char *text;         /* may begin with a prefix */
    bool is_expression; /* a regular expression; else the text itself */
    /* Matches whole names, with template arguments and parameters, which names leave out when
     * shown. */
    bool in_full;
} PvSearchTerm;

void pv_search_term_copy (PvSearchTerm *ret_copy, const PvSearchTerm *term);
void pv_search_term_clear (PvSearchTerm *term);
bool pv_search_term_equal (const PvSearchTerm *a, const PvSearchTerm *b);

typedef struct {
    bool *is_match; /* symbols->n_functions entries; only functions of the tree */
    uint32_t n_functions;
    uint64_t weight;    /* of stacks with any match, each counted once */
    PvSubject subject;  /* matched part; PV_SUBJECT_ANY: file or module, as no name matches */
    bool is_incomplete; /* the expression took too long on some names */
} PvSearchResult;

/* An empty text finds nothing. NULL with a G_REGEX_ERROR if the expression is invalid, or when
 * cancelled. */
PvSearchResult *pv_search (const PvCallTree *tree, const PvSearchTerm *term, PvJob *job,
                           GError **error);
/* The functions of the tree's symbols that match by their names, whether they are in the tree or
 * not; free with g_free (). NULL when cancelled, or if the expression is invalid. */
bool *pv_search_names (const PvCallTree *tree, const PvSearchTerm *term, PvJob *job);
void pv_search_result_free (PvSearchResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSearchResult, pv_search_result_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvSearchTerm, pv_search_term_clear)
