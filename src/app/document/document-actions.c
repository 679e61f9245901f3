/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/document/document-private.h"
#include "core/model/profile/drop-frames.h"
#include "core/model/profile/dumps.h"

/* The query. What the user changes is remembered first. */

static void
query_changed (PvDocument *self)
{
    self->query_state = PV_QUERY_CHOSEN;
    pv_document_start_build (self);
    pv_document_emit (self, PV_CHANGED_QUERY);
}

void
pv_document_set_measure (PvDocument *self, PvMeasureId measure)
{
    if (self->data.query.measure == measure)
        return;
    pv_document_remember (self);
    self->data.query.measure = measure;
    query_changed (self);
}

void
pv_document_set_formula (PvDocument *self, PvFormula *formula)
{
    const char *known = self->formula != NULL ? self->formula->definition : NULL;

    if (g_strcmp0 (known, formula != NULL ? formula->definition : NULL) == 0)
        return;
    g_clear_pointer (&self->formula, pv_formula_unref);
    self->formula = formula != NULL ? pv_formula_ref (formula) : NULL;
    pv_document_start_build (self);
}

/* Time */

static gboolean
change_range (PvDocument *self, uint64_t start_ns, uint64_t end_ns)
{
    PvQuery *query = &self->data.query;

    if (query->start_ns == start_ns && query->end_ns == end_ns)
        return FALSE;
    query->start_ns = start_ns;
    query->end_ns = end_ns;
    return TRUE;
}

void
pv_document_set_time_range (PvDocument *self, uint64_t start_ns, uint64_t end_ns)
{
    g_assert (start_ns <= end_ns);
    if (!change_range (self, start_ns, end_ns))
        return;
    self->query_state = PV_QUERY_CHOSEN;
    if (pv_task_is_busy (self->answer_task))
        self->next_build = PV_BUILD_QUERY;
    else
        pv_document_start_build (self);
    pv_document_emit (self, PV_CHANGED_QUERY);
}

gboolean
pv_document_has_time_range (PvDocument *self)
{
    return self->data.query.start_ns > 0 || self->data.query.end_ns < UINT64_MAX;
}

void
pv_document_show_moment (PvDocument *self, uint64_t end_ns)
{
    const PvProfile *profile = self->data.answer->profile;
    PvQuery *query = &self->data.query;
    PvMeasureId live;

    if (profile == NULL || (profile->heap == NULL && profile->n_dumps == 0))
        return;
    live = profile->heap != NULL
               ? pv_profile_find_heap_measure (profile, PV_HEAP_LIVE)
               : pv_dumps_find_measure (profile, query->measure, PV_AGGREGATION_STATE);
    if (live == UINT32_MAX ||
        (query->measure == live && query->start_ns == 0 && query->end_ns == end_ns))
        return;
    pv_document_remember (self);
    change_range (self, 0, end_ns);
    query->measure = live;
    query_changed (self);
}

void
pv_document_clear_time_range (PvDocument *self)
{
    if (!pv_document_has_time_range (self))
        return;
    pv_document_remember (self);
    change_range (self, 0, UINT64_MAX);
    query_changed (self);
}

/* Parts of the recording */

void
pv_document_set_samples (PvDocument *self, const PvQuery *wanted)
{
    PvQuery *query = &self->data.query;

    if (pv_query_same_samples (query, wanted))
        return;
    pv_document_remember (self);
    pv_query_copy_samples (query, wanted);
    query_changed (self);
}

void
pv_document_remove_label (PvDocument *self, uint32_t index)
{
    PvQuery *query = &self->data.query;

    if (index >= query->n_labels)
        return;
    pv_document_remember (self);
    pv_query_remove_label (query, index);
    query_changed (self);
}

void
pv_document_set_grouping (PvDocument *self, PvGrouping by, const char *key)
{
    g_assert ((by == PV_GROUP_LABEL) == (key != NULL));
    if (self->data.query.grouping == by && g_strcmp0 (self->data.query.group_label, key) == 0)
        return;
    pv_document_remember (self);
    pv_query_set_grouping (&self->data.query, by, key);
    query_changed (self);
}

/* Transforms */

static uint32_t
find_transform (const PvQuery *query, PvTransformKind kind)
{
    uint32_t i = 0;

    while (i < query->n_transforms &&
           (query->transforms[i].kind != kind || query->transforms[i].is_off))
        i++;
    return i;
}

gboolean
pv_document_has_transform (PvDocument *self, PvTransformKind kind)
{
    const PvQuery *query = &self->data.query;
    return find_transform (query, kind) < query->n_transforms;
}

void
pv_document_set_transform (PvDocument *self, PvTransformKind kind, gboolean is_set)
{
    PvQuery *query = &self->data.query;
    g_autofree char *expression = g_strdup (pv_query_get_own_expression (kind));

    if (pv_document_has_transform (self, kind) == is_set || self->data.answer->profile == NULL)
        return;
    if (!is_set) {
        pv_document_remove_transform (self, find_transform (query, kind));
        return;
    }
    if (kind == PV_TRANSFORM_DROP)
        expression = pv_drop_frames_make_expression (self->data.answer->profile, NULL);
    if (kind == PV_TRANSFORM_DROP && expression == NULL)
        return;
    pv_document_remember (self);
    pv_query_add_transform (query, kind, expression);
    query_changed (self);
}

void
pv_document_add_transform (PvDocument *self, PvTransformKind kind, const char *expression)
{
    PvQuery *query = &self->data.query;

    g_assert (expression != NULL ? pv_transforms[kind].may_have_expression
                                 : !pv_transforms[kind].must_have_expression);
    for (uint32_t i = 0; i < query->n_transforms; i++)
        if (query->transforms[i].kind == kind &&
            g_strcmp0 (query->transforms[i].expression, expression) == 0) {
            pv_document_switch_transform (self, i, TRUE);
            return;
        }
    pv_document_remember (self);
    pv_query_add_transform (query, kind, expression);
    query_changed (self);
}

void
pv_document_switch_transform (PvDocument *self, uint32_t index, gboolean is_on)
{
    PvQuery *query = &self->data.query;

    if (index >= query->n_transforms || query->transforms[index].is_off != is_on)
        return;
    pv_document_remember (self);
    query->transforms[index].is_off = !is_on;
    query_changed (self);
}

void
pv_document_edit_transform (PvDocument *self, uint32_t index, PvTransformKind kind,
                            const char *expression)
{
    PvQuery *query = &self->data.query;
    PvTransform *transform = index < query->n_transforms ? &query->transforms[index] : NULL;

    g_assert (expression != NULL || !pv_transforms[kind].must_have_expression);
    if (transform == NULL ||
        (transform->kind == kind && g_strcmp0 (transform->expression, expression) == 0))
        return;
    pv_document_remember (self);
    pv_query_edit_transform (query, index, kind, expression);
    query_changed (self);
}

void
pv_document_move_transform (PvDocument *self, uint32_t index, uint32_t to)
{
    PvQuery *query = &self->data.query;
    g_auto (PvQuery) moved;

    if (index >= query->n_transforms || to >= query->n_transforms)
        return;
    pv_query_copy (&moved, query);
    pv_query_move_transform (&moved, index, to);
    if (pv_query_equal (&moved, query)) /* two of them may be the same */
        return;
    pv_document_remember (self);
    pv_query_move_transform (query, index, to);
    query_changed (self);
}

void
pv_document_remove_transform (PvDocument *self, uint32_t index)
{
    PvQuery *query = &self->data.query;

    if (index >= query->n_transforms)
        return;
    pv_document_remember (self);
    pv_query_remove_transform (query, index);
    query_changed (self);
}

void
pv_document_clear_filters (PvDocument *self)
{
    PvQuery *query = &self->data.query;
    PvQuery cleared;

    if (self->data.answer->profile == NULL)
        return;
    pv_query_init (&cleared);
    pv_query_set_defaults (&cleared, self->data.answer->profile);
    cleared.measure = query->measure;
    pv_query_set_grouping (&cleared, query->grouping, query->group_label);
    cleared.suppressions = pv_suppressions_ref (query->suppressions);
    cleared.no_default_suppressions = query->no_default_suppressions;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        cleared.factor_of_side[side] = query->factor_of_side[side];
    if (pv_query_equal (&cleared, query)) {
        pv_query_clear (&cleared);
        return;
    }
    pv_document_remember (self);
    pv_query_clear (query);
    *query = cleared;
    query_changed (self);
}

/* Suppressed leaks */

gpointer
pv_document_read_suppressions (gpointer path, PvJob *job, GError **error)
{
    return pv_suppressions_load (path, error);
}

static void
set_suppressions (PvDocument *self, PvSuppressions *suppressions)
{
    pv_suppressions_free (self->data.query.suppressions);
    self->data.query.suppressions = suppressions;
    query_changed (self);
}

void
pv_document_take_suppressions (gpointer owner, gpointer suppressions, const GError *error)
{
    PvDocument *self = owner;

    if (suppressions == NULL)
        g_clear_pointer (&self->data.suppressions_name, g_free);
    if (error != NULL)
        pv_document_emit_message (self, error->message);
    set_suppressions (self, suppressions);
}

void
pv_document_set_suppressions_file (PvDocument *self, GFile *file)
{
    g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;

    pv_task_cancel (self->suppressions_task);
    g_clear_pointer (&self->data.suppressions_name, g_free);
    if (path == NULL) {
        set_suppressions (self, NULL);
        return;
    }
    self->data.suppressions_name = g_filename_display_basename (path);
    pv_task_start (self->suppressions_task, g_steal_pointer (&path));
}

void
pv_document_set_show_suppressed (PvDocument *self, gboolean is_shown)
{
    if (self->data.query.no_default_suppressions == is_shown)
        return;
    self->data.query.no_default_suppressions = is_shown;
    query_changed (self);
}

/* Views */

void
pv_document_set_inverted (PvDocument *self, gboolean is_inverted)
{
    gboolean is_turned = self->data.look.is_inverted != is_inverted;

    if (!is_turned && !self->data.look.is_sandwich)
        return;
    if (self->data.answer->flame_tree != NULL)
        pv_document_remember (self);
    self->data.look.is_sandwich = FALSE;
    self->data.look.is_inverted = is_inverted;
    if (is_turned) {
        pv_document_forget_wanted (self);
        pv_document_start_build (self);
    }
    pv_document_emit (self, PV_CHANGED_DIRECTION);
}

void
pv_document_show_sandwich (PvDocument *self, PvFunctionId function, gboolean continues)
{
    PvDocumentData *data = &self->data;

    if (data->answer->flame_tree == NULL ||
        (data->look.is_sandwich && (function == 0 || function == data->look.function)))
        return;
    if (!continues)
        pv_document_remember (self);
    pv_document_freeze (self);
    data->look.is_sandwich = TRUE;
    pv_document_clear_half_zooms (data->look.half_zooms);
    pv_document_emit (self, PV_CHANGED_DIRECTION);
    if (function != 0)
        pv_document_select_function (self, function);
    pv_document_thaw (self);
}

void
pv_document_zoom (PvDocument *self, PvNodeId node)
{
    const PvCallTree *tree = self->data.answer->flame_tree;

    if (tree == NULL || node == PV_NODE_NONE ||
        (node == self->data.look.zoom && !pv_document_has_range (self)))
        return;
    if (pv_call_tree_count_folded (tree, node) > 0) {
        node = tree->parent_of_node[node];
        pv_document_open (self, node);
    }
    pv_document_zoom_to_range (self, node, 0, 1, FALSE);
}

gboolean
pv_document_has_range (PvDocument *self)
{
    return self->data.look.range_start > 0 || self->data.look.range_end < 1;
}

/* Moves a range into the whole without making it narrower, where that is possible. */
static void
clamp_range (double *start, double *end)
{
    double width = *end - *start;

    if (!(width > 0 && width < 1 && fabs (*start) < 2)) {
        *start = 0;
        *end = 1;
        return;
    }
    width = MAX (width, PV_DOCUMENT_LEAST_RANGE);
    *start = CLAMP (*start, 0, 1 - width);
    *end = *start + width;
}

gboolean
pv_document_zoom_to_range (PvDocument *self, PvNodeId node, double start, double end,
                           gboolean continues)
{
    PvDocumentData *data = &self->data;
    gboolean is_other_node = node != data->look.zoom;

    g_assert (data->answer->flame_tree != NULL && node < data->answer->flame_tree->n_nodes);
    clamp_range (&start, &end);
    if (!is_other_node && start == data->look.range_start && end == data->look.range_end)
        return FALSE;
    if (!continues)
        pv_document_remember (self);
    pv_document_forget_wanted (self);
    data->look.zoom = node;
    data->look.range_start = start;
    data->look.range_end = end;
    pv_document_emit (self, PV_CHANGED_ZOOM);
    if (is_other_node)
        pv_document_refine (self);
    return TRUE;
}

static gboolean
half_zoom_equal (const PvHalfZoom *a, const PvHalfZoom *b)
{
    return a->start == b->start && a->end == b->end && a->path.n_steps == b->path.n_steps &&
           (a->path.n_steps == 0 ||
            memcmp (a->path.steps, b->path.steps, a->path.n_steps * sizeof *a->path.steps) == 0);
}

void
pv_document_renew_half_zoom (PvDocument *self, PvSandwichHalf half, const PvCallTree *tree,
                             PvNodeId node, double start, double end)
{
    PvHalfZoom *zoom = &self->data.look.half_zooms[half];

    g_free (zoom->path.steps);
    pv_call_tree_make_path (tree, node, PV_ANCHOR_KEEP, &zoom->path);
    zoom->start = start;
    zoom->end = end;
}

gboolean
pv_document_zoom_half (PvDocument *self, PvSandwichHalf half, const PvCallTree *tree, PvNodeId node,
                       double start, double end, gboolean continues)
{
    PvHalfZoom wanted;
    gboolean is_same;

    g_assert (tree != NULL && node < tree->n_nodes && half < PV_N_HALVES);
    clamp_range (&start, &end);
    wanted = (PvHalfZoom){.start = start, .end = end};
    pv_call_tree_make_path (tree, node, PV_ANCHOR_KEEP, &wanted.path);
    is_same = half_zoom_equal (&wanted, &self->data.look.half_zooms[half]);
    g_free (wanted.path.steps);
    if (is_same)
        return FALSE;
    if (!continues)
        pv_document_remember (self);
    pv_document_renew_half_zoom (self, half, tree, node, start, end);
    pv_document_emit (self, PV_CHANGED_ZOOM);
    return TRUE;
}

gboolean
pv_document_zoom_chart (PvDocument *self, uint64_t start_ns, uint64_t end_ns, gboolean continues)
{
    PvDocumentData *data = &self->data;

    g_assert (PV_IS_DOCUMENT (self) && (start_ns < end_ns || end_ns == 0));
    if (start_ns == data->look.chart_start_ns && end_ns == data->look.chart_end_ns)
        return FALSE;
    if (!continues)
        pv_document_remember (self);
    data->look.chart_start_ns = start_ns;
    data->look.chart_end_ns = end_ns;
    pv_document_emit (self, PV_CHANGED_ZOOM);
    return TRUE;
}

void
pv_document_open (PvDocument *self, PvNodeId node)
{
    const PvCallTree *tree = self->data.answer->tree;
    PvTreeAnchor anchor;

    g_assert (tree != NULL && node < tree->n_nodes);
    if (pv_call_tree_make_anchor (tree, node, PV_ANCHOR_CHILDREN, &anchor))
        g_array_append_val (self->opened, anchor);
    pv_document_refine (self);
}

/* Suppressions have a menu of their own and stay. Takes what query holds. */
static void
restore_query (PvDocument *self, PvQuery *query)
{
    PvQuery *shown = &self->data.query;
    PvSuppressions *suppressions = g_steal_pointer (&shown->suppressions);

    pv_suppressions_free (g_steal_pointer (&query->suppressions));
    query->suppressions = suppressions;
    query->no_default_suppressions = shown->no_default_suppressions;
    pv_query_clear (shown);
    *shown = *query;
    query_changed (self);
}

static gboolean
resolve_words (const PvProfile *profile, const char *const *words, PvQuery *ret_query,
               GError **error)
{
    g_auto (PvQueryWords) parsed;

    pv_query_words_init (&parsed);
    parsed.takes_formulas = true;
    return pv_query_words_add_all (&parsed, words, error) &&
           pv_query_words_resolve (&parsed, profile, ret_query, error);
}

static void
tell_not_filtered (PvDocument *self, const GError *error)
{
    /* Translators: %s says why, such as “no thread is called worker”. */
    g_autofree char *text = g_strdup_printf (_ ("Not filtered: %s"), error->message);

    pv_document_emit_message (self, text);
}

char **
pv_document_list_transforms (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return pv_query_list_transforms (&self->data.query);
}

void
pv_document_use_transforms (PvDocument *self, const char *const *options)
{
    g_auto (PvQueryWords) words;
    g_autoptr (GError) error = NULL;
    PvQuery query;

    g_assert (PV_IS_DOCUMENT (self) && options != NULL);
    pv_query_words_init (&words);
    if (!pv_query_words_add_all (&words, options, &error)) {
        tell_not_filtered (self, error);
        return;
    }
    pv_query_copy (&query, &self->data.query);
    for (uint32_t i = query.n_transforms; i > 0; i--)
        if (pv_query_has_option (&query.transforms[i - 1]))
            pv_query_remove_transform (&query, i - 1);
    for (uint32_t i = 0; i < words.query.n_transforms; i++)
        pv_query_add_copy (&query, &words.query.transforms[i]);
    if (pv_query_equal (&query, &self->data.query)) {
        pv_query_clear (&query);
        return;
    }
    pv_document_remember (self);
    restore_query (self, &query);
}

/* Takes the formulas out of a query. None leave those that are there. */
static void
take_formulas (PvDocument *self, PvQuery *query)
{
    if (query->formulas == NULL)
        return;
    g_strfreev (self->data.formulas);
    self->data.formulas = g_steal_pointer (&query->formulas);
    pv_document_emit (self, PV_CHANGED_FORMULAS);
}

void
pv_document_take_words (PvDocument *self, PvReply *reply)
{
    g_assert (reply != NULL);
    if (reply->words_error != NULL) {
        tell_not_filtered (self, reply->words_error);
        return;
    }
    self->query_state = PV_QUERY_CHOSEN;
    self->data.look.is_inverted = reply->answer->flame_tree->query.is_inverted;
    if (reply->formulas == NULL)
        return;
    g_strfreev (self->data.formulas);
    self->data.formulas = g_steal_pointer (&reply->formulas);
    pv_document_emit (self, PV_CHANGED_FORMULAS);
}

/* The words are not about the sides. */
static void
keep_comparison (PvDocument *self, PvQuery *query)
{
    const PvQuery *shown = &self->data.query;

    query->measure = shown->measure;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        query->factor_of_side[side] = shown->factor_of_side[side];
}

char **
pv_document_list_words (PvDocument *self)
{
    g_assert (PV_IS_DOCUMENT (self));
    return self->data.answer->profile != NULL
               ? pv_query_list_options (&self->data.query, self->data.answer->profile)
               : g_strdupv (self->words);
}

void
pv_document_apply_words (PvDocument *self, const char *const *words)
{
    g_autoptr (GError) error = NULL;
    PvQuery query;
    gboolean is_inverted;

    g_assert (PV_IS_DOCUMENT (self) && words != NULL);
    if (self->data.state != PV_DOCUMENT_READY) {
        g_strfreev (self->words);
        self->words = g_strdupv ((char **)words);
        self->has_new_words = TRUE;
        return;
    }
    if (!resolve_words (self->data.answer->profile, words, &query, &error)) {
        tell_not_filtered (self, error);
        return;
    }
    self->query_state = PV_QUERY_CHOSEN;
    if (self->data.answer->profile->compared != NULL)
        keep_comparison (self, &query);
    is_inverted = query.is_inverted;
    query.is_inverted = false;
    take_formulas (self, &query);
    if (pv_query_equal (&query, &self->data.query) && is_inverted == self->data.look.is_inverted) {
        pv_query_clear (&query);
        return;
    }
    pv_document_remember (self);
    pv_document_forget_wanted (self);
    self->data.look.is_sandwich =
        self->data.look.is_sandwich && is_inverted == self->data.look.is_inverted;
    self->data.look.is_inverted = is_inverted;
    restore_query (self, &query);
}

static void
step (PvDocument *self, GPtrArray *from, GPtrArray *to)
{
    PvDocumentData *data = &self->data;
    g_auto (PvQuery) before, now;

    pv_query_copy_active (&before, &data->query);
    pv_query_init (&now);
    if (!pv_document_step (self, from, to))
        return;
    pv_query_copy_active (&now, &data->query);
    if (!pv_query_equal (&before, &now) ||
        data->answer->flame_tree->query.is_inverted != data->look.is_inverted) {
        query_changed (self);
        return;
    }
    if (pv_document_show_wanted (self) || !data->answer->tree->has_folded)
        pv_document_forget_wanted (self);
    if (data->callers_callees == NULL)
        pv_document_derive (self, PV_DERIVED_CALLERS_CALLEES);
    pv_document_emit (self, PV_CHANGED_QUERY | PV_CHANGED_DIRECTION | PV_CHANGED_ZOOM |
                                PV_CHANGED_SELECTION);
    pv_document_refine (self);
}

void
pv_document_go_back (PvDocument *self)
{
    step (self, self->back, self->forward);
}

void
pv_document_go_forward (PvDocument *self)
{
    step (self, self->forward, self->back);
}

static void
set_function (PvDocument *self, PvFunctionId function)
{
    if (self->data.look.function == function)
        return;
    self->data.look.function = function;
    pv_document_drop_derived (self, PV_DERIVED_CALLERS_CALLEES);
    pv_document_derive (self, PV_DERIVED_CALLERS_CALLEES);
}

void
pv_document_select_node (PvDocument *self, PvNodeId node)
{
    const PvCallTree *tree = self->data.answer->flame_tree;

    if (tree == NULL || (node == self->data.look.selected &&
                         (node == PV_NODE_NONE || self->data.look.is_node_selected)))
        return;
    g_assert (node == PV_NODE_NONE || node < tree->n_nodes);
    pv_document_forget_wanted (self);
    self->data.look.selected = node == 0 ? PV_NODE_NONE : node;
    self->data.look.is_node_selected = self->data.look.selected != PV_NODE_NONE;
    set_function (self, node == PV_NODE_NONE ? 0 : tree->function_of_node[node]);
    pv_document_emit (self, PV_CHANGED_SELECTION);
}

void
pv_document_select_function (PvDocument *self, PvFunctionId function)
{
    if (self->data.answer->flame_tree == NULL ||
        (function == self->data.look.function && !self->data.look.is_node_selected))
        return;
    pv_document_forget_wanted (self);
    self->data.look.is_node_selected = FALSE;
    if (function != self->data.look.function)
        self->data.look.selected = PV_NODE_NONE;
    set_function (self, function);
    pv_document_emit (self, PV_CHANGED_SELECTION);
}

gboolean
pv_document_is_match (PvDocument *self, PvFunctionId function)
{
    const PvDocumentData *data = &self->data;
    return data->is_match != NULL && function < data->n_is_match && data->is_match[function];
}

PvFunctionId
pv_document_find_match (PvDocument *self, gboolean forward)
{
    const PvFunctions *functions = self->data.functions;
    const PvFunctionRow *rows = functions != NULL ? functions->list->rows : NULL;
    const uint32_t n = functions != NULL ? functions->list->n_rows : 0;
    uint32_t selected = forward && n > 0 ? n - 1 : 0;

    for (uint32_t i = 0; i < n; i++)
        if (rows[i].function == self->data.look.function)
            selected = i;
    for (uint32_t i = 1; i <= n; i++) {
        PvFunctionId function = rows[(selected + (forward ? i : n - i)) % n].function;
        if (pv_document_is_match (self, function))
            return function;
    }
    return 0;
}

void
pv_document_search (PvDocument *self, const PvSearchTerm *term)
{
    static const PvSearchTerm none;
    PvDocumentData *data = &self->data;

    if (term == NULL || term->text == NULL || *term->text == '\0')
        term = &none;
    if (pv_search_term_equal (term, &data->search_term))
        return;
    pv_search_term_clear (&data->search_term);
    pv_search_term_copy (&data->search_term, term);
    pv_document_derive (self, PV_DERIVED_SEARCH);
    if (term->text != NULL)
        return;
    pv_document_drop_derived (self, PV_DERIVED_SEARCH);
    g_clear_pointer (&data->search_error, g_free);
    pv_document_forget_matches (self);
    pv_document_emit (self, PV_CHANGED_SEARCH);
}
