/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/kinds.h"
#include "core/analyze/query/label-list.h"
#include "core/analyze/query/label-range.h"
#include "core/analyze/query/suppressions.h"
#include "core/model/profile/matcher.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"

/*
 * A question about a profile: what to count, in which samples, and how to transform stacks before
 * merging them. Everything shown is the answer to a query.
 */
typedef struct {
    PvTransformKind kind;
    char *expression; /* with its prefix; or NULL */
    PvSubject subject;
    PvMatcher *matcher; /* of what follows the prefix; all copies of a query share its budget */
    bool is_off;        /* retained for later; only pv_query_copy_active () leaves it out */
} PvTransform;

/* When frames with the same caller share a node. */
typedef enum {
    PV_BY_FUNCTION,
    PV_BY_LINE,
    PV_BY_ADDRESS,
} PvGranularity;

/* Ids of profile tables, or numbers of processors: ascending, each once. */
typedef struct {
    uint32_t *ids;
    uint32_t n_ids;
} PvIdList;

/* Samples with a label of this key and a value that matches; or the others. */
typedef struct {
    char *key;
    /* NULL: any value. Else a range, see label-range.h; or a regular expression on the text, or on
     * the number as pv_label_format () writes it. */
    char *expression;
    PvLabelList *list;  /* of an expression that names values; or NULL */
    PvMatcher *matcher; /* of any other regular expression; or NULL */
    bool is_range;
    PvLabelRange range;
    bool is_excluding; /* the others */
} PvLabelFilter;

typedef struct {
    PvMeasureId measure;
    bool is_measure_chosen;        /* the user named it: the base of a comparison has no other */
    uint64_t start_ns;             /* since profile->start_ns */
    uint64_t end_ns;               /* exclusive; UINT64_MAX: to the end */
    PvIdList only[PV_N_ORIGINS];   /* empty: all */
    PvIdList except[PV_N_ORIGINS]; /* not these, even if `only` has them */
    PvLabelFilter *labels;         /* all of them must match */
    uint32_t n_labels;
    PvTransform *transforms; /* applied in this order to each frame, root first */
    uint32_t n_transforms;
    PvGranularity granularity;
    PvGrouping grouping;
    char *group_label; /* the key; NULL unless grouping is PV_GROUP_LABEL */
    char **formulas;   /* computed beside the measure, see formula.h; NULL: no formulas */
    bool is_inverted;
    bool no_inline; /* count inlined frames as the function they were inlined into */
    /* Factors for the sides of a comparison; 0: as recorded. */
    double factor_of_side[PV_N_SIDES];
    /* The user's suppressed leaks, or NULL; and whether to ignore the built-in ones and those in
     * the recording. */
    PvSuppressions *suppressions;
    bool no_default_suppressions;
} PvQuery;

void pv_query_init (PvQuery *query); /* the first measure, everything, by function */
/* The expression that the user has chosen for a kind that needs none, and that takes it by default;
 * "" or NULL: none. It is valid. Any thread. */
void pv_query_set_own_expression (PvTransformKind kind, const char *expression);
const char *pv_query_get_own_expression (PvTransformKind kind); /* never "" */
/* Adds the defaults for a profile, after pv_query_init (): hides allocators in profiles of
 * allocations, and drops frames that the file asks to drop. These come before other transforms. */
void pv_query_set_defaults (PvQuery *query, const PvProfile *profile);
void pv_query_copy (PvQuery *ret_copy, const PvQuery *query);
/* Without the transforms that are switched off: the query to answer. */
void pv_query_copy_active (PvQuery *ret_copy, const PvQuery *query);
void pv_query_clear (PvQuery *query);
bool pv_query_equal (const PvQuery *a, const PvQuery *b);
/* True if both keep the same samples of any time: processes, threads, processors and labels. */
bool pv_query_same_samples (const PvQuery *a, const PvQuery *b);
/* True if both give the same tree, maybe with other weights: only measure, time, processes,
 * threads, processors, labels, suppressions or factors differ. */
bool pv_query_same_shape (const PvQuery *a, const PvQuery *b);
/* Translates a query to another profile of the same file, read again. Drops processes, threads and
 * labels that no longer exist; finds measures by name. */
void pv_query_adapt (PvQuery *query, const PvProfile *from, const PvProfile *to);
/* Takes over processes, threads, processors and labels of another query. */
void pv_query_copy_samples (PvQuery *query, const PvQuery *from);
void pv_query_add_transform (PvQuery *query, PvTransformKind kind, const char *expression);
/* The prefix of a subject without its colon; "" for any. */
const char *pv_subject_get_prefix (PvSubject subject);
/* Where the pattern of an expression starts, after the prefix of its subject. */
const char *pv_subject_skip_prefix (const char *expression, PvSubject *ret_subject);
/* The expression that matches exactly this text of a subject; free with g_free (). */
char *pv_subject_make_expression (PvSubject subject, const char *text);
/* The text of such an expression, for the user; NULL if it has another form. */
char *pv_subject_find_text (const char *expression, PvSubject *ret_subject);
/* Adds a transform of another query; it shares the budget. */
void pv_query_add_copy (PvQuery *query, const PvTransform *transform);
void pv_query_remove_transform (PvQuery *query, uint32_t index);
/* Replaces a transform by another in the same place. */
void pv_query_edit_transform (PvQuery *query, uint32_t index, PvTransformKind kind,
                              const char *expression);
/* Moves a transform to the index `to`. */
void pv_query_move_transform (PvQuery *query, uint32_t index, uint32_t to);
/* Removes all transforms of a kind. */
void pv_query_remove_transforms (PvQuery *query, PvTransformKind kind);
/* Replaces one of the lists by a copy of the ids, in any order. */
void pv_query_set_only (PvQuery *query, PvOrigin origin, const uint32_t *ids, uint32_t n_ids);
void pv_query_set_except (PvQuery *query, PvOrigin origin, const uint32_t *ids, uint32_t n_ids);
/* True if the lists let the process, thread or processor pass. */
bool pv_query_shows (const PvQuery *query, PvOrigin origin, uint32_t id);
bool pv_query_has_origin (const PvQuery *query, PvOrigin origin); /* a list that is not empty */
/* expression may be NULL: any value. */
void pv_query_add_label (PvQuery *query, const char *key, const char *expression);
/* Only samples that do not match. */
void pv_query_exclude_label (PvQuery *query, const char *key, const char *expression);
void pv_query_remove_label (PvQuery *query, uint32_t index);
/* Removes all filters on a key. */
void pv_query_remove_labels (PvQuery *query, const char *key);
/* Copies key; ignores it unless grouping is PV_GROUP_LABEL. */
void pv_query_set_grouping (PvQuery *query, PvGrouping grouping, const char *key);
/* Adds a definition that pv_formula_check () accepts. */
void pv_query_add_formula (PvQuery *query, const char *definition);
/* False with a G_REGEX_ERROR if the expression of a transform or label cannot be compiled. */
bool pv_query_check (const PvQuery *query, GError **error);

/* True if an expression took so long that some names were not matched: then everything that the
 * query or a copy has answered since is incomplete. */
bool pv_transform_gave_up (const PvTransform *transform);
bool pv_label_filter_gave_up (const PvLabelFilter *label);
/* False with a G_REGEX_ERROR if any expression of the query gave up. */
bool pv_query_check_complete (const PvQuery *query, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvQuery, pv_query_clear)
