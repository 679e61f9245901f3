/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/query.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/profile/drop-frames.h"
#include "core/model/profile/labels.h"
#include "core/model/profile/matcher.h"

void
pv_query_init (PvQuery *query)
{
    g_assert (query != NULL);
    *query = (PvQuery){.end_ns = UINT64_MAX};
}

static bool
has_transform (const PvQuery *query, PvTransformKind kind)
{
    for (uint32_t i = 0; i < query->n_transforms; i++)
        if (query->transforms[i].kind == kind)
            return true;
    return false;
}

/* Inserts a transform before the others, unless one of its kind exists. */
static void
put_first (PvQuery *query, PvTransformKind kind, const char *expression)
{
    if (has_transform (query, kind))
        return;
    pv_query_add_transform (query, kind, expression);
    PvTransform added = query->transforms[query->n_transforms - 1];
    memmove (query->transforms + 1, query->transforms,
             (query->n_transforms - 1) * sizeof (PvTransform));
    query->transforms[0] = added;
}

static const char *own_expressions[PV_N_TRANSFORMS]; /* atomic; interned */

void
pv_query_set_own_expression (PvTransformKind kind, const char *expression)
{
    g_assert (kind < PV_N_TRANSFORMS && pv_transforms[kind].may_have_expression &&
              !pv_transforms[kind].must_have_expression);
    bool is_none = expression == NULL || *expression == '\0';
    g_atomic_pointer_set (&own_expressions[kind], is_none ? NULL : g_intern_string (expression));
}

const char *
pv_query_get_own_expression (PvTransformKind kind)
{
    g_assert (kind < PV_N_TRANSFORMS);
    return g_atomic_pointer_get (&own_expressions[kind]);
}

void
pv_query_set_defaults (PvQuery *query, const PvProfile *profile)
{
    g_assert (query != NULL && profile != NULL);
    if (profile->n_joined > 0)
        return; /* what the files hide is not there */
    if (profile->heap != NULL || profile->is_of_allocations)
        put_first (query, PV_TRANSFORM_HIDE_ALLOCATORS,
                   pv_query_get_own_expression (PV_TRANSFORM_HIDE_ALLOCATORS));
    /* The first of all, because it applies to whole stacks. */
    g_autofree char *drop = pv_drop_frames_make_expression (profile, NULL);
    if (drop != NULL)
        put_first (query, PV_TRANSFORM_DROP, drop);
}

static uint32_t *
copy_ids (const PvIdList *list)
{
    return g_memdup2 (list->ids, list->n_ids * sizeof *list->ids);
}

/* Gives a shallow copy its own processes, threads, processors and labels. */
static void
own_samples (PvQuery *query)
{
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++) {
        query->only[origin].ids = copy_ids (&query->only[origin]);
        query->except[origin].ids = copy_ids (&query->except[origin]);
    }
    query->labels = g_memdup2 (query->labels, query->n_labels * sizeof (PvLabelFilter));
    for (uint32_t i = 0; i < query->n_labels; i++) {
        query->labels[i].key = g_strdup (query->labels[i].key);
        query->labels[i].expression = g_strdup (query->labels[i].expression);
        query->labels[i].list = pv_label_list_ref (query->labels[i].list);
        query->labels[i].matcher = pv_matcher_ref (query->labels[i].matcher);
    }
}

void
pv_query_copy (PvQuery *ret_copy, const PvQuery *query)
{
    g_assert (ret_copy != NULL && query != NULL && ret_copy != query);
    PvQuery copy = *query;
    own_samples (&copy);
    copy.transforms = g_memdup2 (query->transforms, query->n_transforms * sizeof (PvTransform));
    for (uint32_t i = 0; i < copy.n_transforms; i++) {
        copy.transforms[i].expression = g_strdup (query->transforms[i].expression);
        copy.transforms[i].matcher = pv_matcher_ref (query->transforms[i].matcher);
    }
    copy.group_label = g_strdup (query->group_label);
    copy.formulas = g_strdupv (query->formulas);
    copy.suppressions = pv_suppressions_ref (query->suppressions);
    *ret_copy = copy;
}

static void
clear_label (PvLabelFilter *label)
{
    g_free (label->key);
    g_free (label->expression);
    pv_label_list_unref (label->list);
    pv_matcher_unref (label->matcher);
}

static void
clear_transform (PvTransform *transform)
{
    g_free (transform->expression);
    pv_matcher_unref (transform->matcher);
}

static void
clear_samples (PvQuery *query)
{
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++) {
        g_free (query->only[origin].ids);
        g_free (query->except[origin].ids);
    }
    for (uint32_t i = 0; i < query->n_labels; i++)
        clear_label (&query->labels[i]);
    g_free (query->labels);
}

void
pv_query_copy_samples (PvQuery *query, const PvQuery *from)
{
    g_assert (query != NULL && from != NULL && query != from);
    clear_samples (query);
    memcpy (query->only, from->only, sizeof query->only);
    memcpy (query->except, from->except, sizeof query->except);
    query->labels = from->labels;
    query->n_labels = from->n_labels;
    own_samples (query);
}

void
pv_query_clear (PvQuery *query)
{
    g_assert (query != NULL);
    for (uint32_t i = 0; i < query->n_transforms; i++)
        clear_transform (&query->transforms[i]);
    g_free (query->transforms);
    clear_samples (query);
    g_free (query->group_label);
    g_strfreev (query->formulas);
    pv_suppressions_free (query->suppressions);
    pv_query_init (query);
}

static bool
same_ids (const PvIdList *a, const PvIdList *b)
{
    return a->n_ids == b->n_ids &&
           (a->n_ids == 0 || memcmp (a->ids, b->ids, a->n_ids * sizeof *a->ids) == 0);
}

static bool
same_origins (const PvQuery *a, const PvQuery *b)
{
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++) {
        if (!same_ids (&a->only[origin], &b->only[origin]) ||
            !same_ids (&a->except[origin], &b->except[origin]))
            return false;
    }
    return true;
}

static bool
same_labels (const PvQuery *a, const PvQuery *b)
{
    for (uint32_t i = 0; a->n_labels == b->n_labels && i < a->n_labels; i++) {
        if (strcmp (a->labels[i].key, b->labels[i].key) != 0 ||
            g_strcmp0 (a->labels[i].expression, b->labels[i].expression) != 0 ||
            a->labels[i].is_excluding != b->labels[i].is_excluding)
            return false;
    }
    return a->n_labels == b->n_labels;
}

bool
pv_query_same_samples (const PvQuery *a, const PvQuery *b)
{
    g_assert (a != NULL && b != NULL);
    return same_origins (a, b) && same_labels (a, b);
}

static bool
have_same_formulas (const PvQuery *a, const PvQuery *b)
{
    if (a->formulas == NULL || b->formulas == NULL)
        return a->formulas == b->formulas;
    return g_strv_equal ((const char *const *)a->formulas, (const char *const *)b->formulas);
}

bool
pv_query_equal (const PvQuery *a, const PvQuery *b)
{
    g_assert (a != NULL && b != NULL);
    return have_same_formulas (a, b) && pv_query_same_shape (a, b) && a->measure == b->measure &&
           a->start_ns == b->start_ns && a->end_ns == b->end_ns &&
           a->factor_of_side[PV_SIDE_BASE] == b->factor_of_side[PV_SIDE_BASE] &&
           a->factor_of_side[PV_SIDE_NEW] == b->factor_of_side[PV_SIDE_NEW] &&
           a->no_default_suppressions == b->no_default_suppressions &&
           pv_suppressions_equal (a->suppressions, b->suppressions) && pv_query_same_samples (a, b);
}

bool
pv_query_same_shape (const PvQuery *a, const PvQuery *b)
{
    g_assert (a != NULL && b != NULL);
    if (a->granularity != b->granularity || a->grouping != b->grouping ||
        g_strcmp0 (a->group_label, b->group_label) != 0 || a->is_inverted != b->is_inverted ||
        a->no_inline != b->no_inline || a->n_transforms != b->n_transforms)
        return false;
    for (uint32_t i = 0; i < a->n_transforms; i++) {
        if (a->transforms[i].kind != b->transforms[i].kind ||
            a->transforms[i].is_off != b->transforms[i].is_off ||
            g_strcmp0 (a->transforms[i].expression, b->transforms[i].expression) != 0)
            return false;
    }
    return true;
}

/* The same process in another profile; 0 if it is missing. */
static PvProcessId
find_process (const PvProfile *profile, const PvProcess *wanted)
{
    for (PvProcessId p = 1; p < profile->n_processes; p++) {
        const PvProcess *process = &profile->processes[p];
        if (process->pid == wanted->pid && process->start_ns == wanted->start_ns)
            return p;
    }
    return 0;
}

static PvThreadId
find_thread (const PvProfile *profile, const PvThread *wanted)
{
    for (PvThreadId t = 1; t < profile->n_threads; t++) {
        const PvThread *thread = &profile->threads[t];
        if (thread->tid == wanted->tid && thread->start_ns == wanted->start_ns)
            return t;
    }
    return 0;
}

static int
compare_ids (const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Sorts the ids and removes duplicates. */
static void
tidy_ids (PvIdList *list)
{
    uint32_t n = 0;
    if (list->n_ids > 1)
        qsort (list->ids, list->n_ids, sizeof *list->ids, compare_ids);
    for (uint32_t i = 0; i < list->n_ids; i++) {
        if (n == 0 || list->ids[n - 1] != list->ids[i])
            list->ids[n++] = list->ids[i];
    }
    list->n_ids = n;
}

/* Processors are the same in every profile. */
static void
adapt_ids (PvIdList *list, PvOrigin origin, const PvProfile *from, const PvProfile *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->n_ids && origin != PV_ORIGIN_CPU; i++) {
        uint32_t found = origin == PV_ORIGIN_PROCESS
                             ? find_process (to, &from->processes[list->ids[i]])
                             : find_thread (to, &from->threads[list->ids[i]]);
        if (found != 0)
            list->ids[n++] = found;
    }
    if (origin != PV_ORIGIN_CPU)
        list->n_ids = n;
    tidy_ids (list);
}

void
pv_query_adapt (PvQuery *query, const PvProfile *from, const PvProfile *to)
{
    g_assert (query != NULL && from != NULL && to != NULL);
    uint32_t n = 0;

    if (from == to)
        return;
    if (pv_profile_has_weights (from, query->measure))
        query->measure = pv_profile_find_measure (to, from->measures[query->measure].name);
    if (!pv_profile_has_weights (to, query->measure))
        query->measure = 0;
    for (PvOrigin origin = 0; origin < PV_N_ORIGINS; origin++) {
        adapt_ids (&query->only[origin], origin, from, to);
        adapt_ids (&query->except[origin], origin, from, to);
    }
    for (uint32_t i = 0; i < query->n_labels; i++) {
        if (pv_labels_have_key (to, query->labels[i].key))
            query->labels[n++] = query->labels[i];
        else
            clear_label (&query->labels[i]);
    }
    query->n_labels = n;
    if (query->grouping == PV_GROUP_LABEL && !pv_labels_have_key (to, query->group_label))
        pv_query_set_grouping (query, PV_GROUP_NONE, NULL);
}

static const char *const subject_prefixes[PV_N_SUBJECTS] = {"", "function", "file", "module",
                                                            "package"};

const char *
pv_subject_get_prefix (PvSubject subject)
{
    g_assert (subject < PV_N_SUBJECTS);
    return subject_prefixes[subject];
}

/* "module::" is a name of C++. */
const char *
pv_subject_skip_prefix (const char *expression, PvSubject *ret_subject)
{
    g_assert (expression != NULL && ret_subject != NULL);
    *ret_subject = PV_SUBJECT_ANY;
    for (PvSubject s = PV_SUBJECT_FUNCTION; s < PV_N_SUBJECTS; s++) {
        size_t len = strlen (subject_prefixes[s]);
        if (strncmp (expression, subject_prefixes[s], len) == 0 && expression[len] == ':' &&
            expression[len + 1] != ':') {
            *ret_subject = s;
            return expression + len + 1;
        }
    }
    return expression;
}

static const char *
find_pattern (PvTransformKind kind, const char *expression, PvSubject *ret_subject)
{
    *ret_subject = PV_SUBJECT_ANY;
    return expression != NULL && pv_transforms[kind].takes_subject
               ? pv_subject_skip_prefix (expression, ret_subject)
               : expression;
}

char *
pv_subject_make_expression (PvSubject subject, const char *text)
{
    g_assert (subject < PV_N_SUBJECTS && text != NULL);
    g_autofree char *escaped = g_regex_escape_string (text, -1);
    return g_strdup_printf ("%s%s^%s$", subject_prefixes[subject],
                            subject != PV_SUBJECT_ANY ? ":" : "", escaped);
}

char *
pv_subject_find_text (const char *expression, PvSubject *ret_subject)
{
    g_assert (expression != NULL && ret_subject != NULL);
    const char *pattern = pv_subject_skip_prefix (expression, ret_subject);
    size_t len = strlen (pattern);
    if (len < 3 || pattern[0] != '^' || pattern[len - 1] != '$')
        return NULL;
    g_autofree char *text = g_strndup (pattern + 1, len - 2);
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from == '\\' && from[1] != '\0')
            from++;
        *to++ = *from;
    }
    *to = '\0';
    g_autofree char *again = pv_subject_make_expression (*ret_subject, text);
    return strcmp (again, expression) == 0 ? g_steal_pointer (&text) : NULL;
}

/* NULL without a valid expression, which pv_query_check () reports. */
static PvMatcher *
new_matcher (const char *expression)
{
    return expression != NULL ? pv_matcher_new (expression, false, NULL) : NULL;
}

void
pv_query_add_transform (PvQuery *query, PvTransformKind kind, const char *expression)
{
    query->transforms = g_renew (PvTransform, query->transforms, query->n_transforms + 1);
    PvTransform *added = &query->transforms[query->n_transforms++];
    *added = (PvTransform){.kind = kind, .expression = g_strdup (expression)};
    added->matcher = new_matcher (find_pattern (kind, expression, &added->subject));
}

void
pv_query_add_copy (PvQuery *query, const PvTransform *transform)
{
    g_assert (query != NULL && transform != NULL);
    query->transforms = g_renew (PvTransform, query->transforms, query->n_transforms + 1);
    query->transforms[query->n_transforms++] =
        (PvTransform){transform->kind, g_strdup (transform->expression), transform->subject,
                      pv_matcher_ref (transform->matcher), transform->is_off};
}

void
pv_query_remove_transform (PvQuery *query, uint32_t index)
{
    g_assert (query != NULL && index < query->n_transforms);
    clear_transform (&query->transforms[index]);
    query->n_transforms--;
    memmove (query->transforms + index, query->transforms + index + 1,
             (query->n_transforms - index) * sizeof (PvTransform));
}

void
pv_query_edit_transform (PvQuery *query, uint32_t index, PvTransformKind kind,
                         const char *expression)
{
    g_assert (query != NULL && index < query->n_transforms);
    g_assert (expression != NULL ? pv_transforms[kind].may_have_expression
                                 : !pv_transforms[kind].must_have_expression);
    pv_query_add_transform (query, kind, expression);
    PvTransform *added = &query->transforms[query->n_transforms - 1];
    PvTransform *edited = &query->transforms[index], old = *edited;
    *edited = *added;
    edited->is_off = old.is_off;
    *added = old;
    pv_query_remove_transform (query, query->n_transforms - 1);
}

void
pv_query_move_transform (PvQuery *query, uint32_t index, uint32_t to)
{
    g_assert (query != NULL && index < query->n_transforms && to < query->n_transforms);
    PvTransform moved = query->transforms[index];
    PvTransform *from = query->transforms + index, *place = query->transforms + to;
    if (to > index)
        memmove (from, from + 1, (to - index) * sizeof *from);
    else
        memmove (place + 1, place, (index - to) * sizeof *from);
    *place = moved;
}

void
pv_query_copy_active (PvQuery *ret_copy, const PvQuery *query)
{
    pv_query_copy (ret_copy, query);
    for (uint32_t i = ret_copy->n_transforms; i > 0; i--) {
        if (ret_copy->transforms[i - 1].is_off)
            pv_query_remove_transform (ret_copy, i - 1);
    }
}

void
pv_query_remove_transforms (PvQuery *query, PvTransformKind kind)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        if (query->transforms[i].kind == kind)
            clear_transform (&query->transforms[i]);
        else
            query->transforms[n++] = query->transforms[i];
    }
    query->n_transforms = n;
}

static void
set_ids (PvIdList *list, const uint32_t *ids, uint32_t n_ids)
{
    uint32_t *copy = g_memdup2 (ids, n_ids * sizeof *ids);
    g_free (list->ids);
    *list = (PvIdList){copy, n_ids};
    tidy_ids (list);
}

void
pv_query_set_only (PvQuery *query, PvOrigin origin, const uint32_t *ids, uint32_t n_ids)
{
    g_assert (query != NULL && origin < PV_N_ORIGINS);
    set_ids (&query->only[origin], ids, n_ids);
}

void
pv_query_set_except (PvQuery *query, PvOrigin origin, const uint32_t *ids, uint32_t n_ids)
{
    g_assert (query != NULL && origin < PV_N_ORIGINS);
    set_ids (&query->except[origin], ids, n_ids);
}

static bool
has_id (const PvIdList *list, uint32_t id)
{
    return list->n_ids > 0 &&
           bsearch (&id, list->ids, list->n_ids, sizeof *list->ids, compare_ids) != NULL;
}

bool
pv_query_shows (const PvQuery *query, PvOrigin origin, uint32_t id)
{
    g_assert (query != NULL && origin < PV_N_ORIGINS);
    return (query->only[origin].n_ids == 0 || has_id (&query->only[origin], id)) &&
           !has_id (&query->except[origin], id);
}

bool
pv_query_has_origin (const PvQuery *query, PvOrigin origin)
{
    g_assert (query != NULL && origin < PV_N_ORIGINS);
    return query->only[origin].n_ids > 0 || query->except[origin].n_ids > 0;
}

static void
add_label (PvQuery *query, const char *key, const char *expression, bool is_excluding)
{
    PvLabelFilter label = {
        .key = g_strdup (key), .expression = g_strdup (expression), .is_excluding = is_excluding};
    label.is_range = expression != NULL && pv_label_range_parse (&label.range, expression);
    if (expression != NULL && !label.is_range)
        label.list = pv_label_list_parse (expression);
    if (label.list == NULL && !label.is_range)
        label.matcher = new_matcher (expression);
    query->labels = g_renew (PvLabelFilter, query->labels, query->n_labels + 1);
    query->labels[query->n_labels++] = label;
}

void
pv_query_add_label (PvQuery *query, const char *key, const char *expression)
{
    g_assert (query != NULL && key != NULL);
    add_label (query, key, expression, false);
}

void
pv_query_exclude_label (PvQuery *query, const char *key, const char *expression)
{
    g_assert (query != NULL && key != NULL);
    add_label (query, key, expression, true);
}

void
pv_query_remove_label (PvQuery *query, uint32_t index)
{
    g_assert (query != NULL && index < query->n_labels);
    clear_label (&query->labels[index]);
    query->n_labels--;
    memmove (query->labels + index, query->labels + index + 1,
             (query->n_labels - index) * sizeof (PvLabelFilter));
}

void
pv_query_remove_labels (PvQuery *query, const char *key)
{
    g_assert (key != NULL);
    uint32_t n = 0;
    for (uint32_t i = 0; i < query->n_labels; i++) {
        if (strcmp (query->labels[i].key, key) == 0)
            clear_label (&query->labels[i]);
        else
            query->labels[n++] = query->labels[i];
    }
    query->n_labels = n;
}

void
pv_query_set_grouping (PvQuery *query, PvGrouping grouping, const char *key)
{
    g_assert (grouping != PV_GROUP_LABEL || key != NULL);
    char *copy = grouping == PV_GROUP_LABEL ? g_strdup (key) : NULL;
    g_free (query->group_label);
    query->grouping = grouping;
    query->group_label = copy;
}

static bool
check_expression (const char *expression, GError **error)
{
    if (expression == NULL) {
        g_set_error (error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE,
                     _ ("The filter has no expression"));
        return false;
    }
    return pv_matcher_check (expression, error);
}

bool
pv_query_check (const PvQuery *query, GError **error)
{
    g_assert (query != NULL && (error == NULL || *error == NULL));
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        const PvTransform *transform = &query->transforms[i];
        if (transform->expression == NULL && !pv_transforms[transform->kind].must_have_expression)
            continue;
        PvSubject unused;
        if (!check_expression (find_pattern (transform->kind, transform->expression, &unused),
                               error))
            return false;
    }
    for (uint32_t i = 0; i < query->n_labels; i++) {
        const PvLabelFilter *label = &query->labels[i];
        if (label->expression != NULL && !label->is_range && label->list == NULL &&
            !pv_matcher_check (label->expression, error))
            return false;
    }
    return true;
}

bool
pv_transform_gave_up (const PvTransform *transform)
{
    g_assert (transform != NULL);
    return transform->matcher != NULL && pv_matcher_gave_up (transform->matcher);
}

bool
pv_label_filter_gave_up (const PvLabelFilter *label)
{
    g_assert (label != NULL);
    return label->matcher != NULL && pv_matcher_gave_up (label->matcher);
}

bool
pv_query_check_complete (const PvQuery *query, GError **error)
{
    g_assert (query != NULL && (error == NULL || *error == NULL));
    const char *slow = NULL;
    for (uint32_t i = 0; i < query->n_transforms && slow == NULL; i++) {
        if (pv_transform_gave_up (&query->transforms[i]))
            slow = query->transforms[i].expression;
    }
    for (uint32_t i = 0; i < query->n_labels && slow == NULL; i++) {
        if (pv_label_filter_gave_up (&query->labels[i]))
            slow = query->labels[i].expression;
    }
    if (slow != NULL)
        pv_matcher_set_slow (slow, error);
    return slow == NULL;
}

void
pv_query_add_formula (PvQuery *query, const char *definition)
{
    g_assert (query != NULL && definition != NULL);
    guint n = query->formulas != NULL ? g_strv_length (query->formulas) : 0;
    query->formulas = g_renew (char *, query->formulas, n + 2);
    query->formulas[n] = g_strdup (definition);
    query->formulas[n + 1] = NULL;
}
