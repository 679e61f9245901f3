/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>
#include <string.h>

#include "app/document/document-private.h"
#include "core/base/error.h"

#define MIN_REBUILD_DELAY_US (G_USEC_PER_SEC / 4) /* at most four rebuilds a second */

/* Requests */

static void
add_renewal (PvDocument *self, PvQuestion *question)
{
    const PvDocumentData *data = &self->data;

    question->is_renewal = TRUE;
    question->nodes = g_array_new (FALSE, FALSE, sizeof (PvNodeId));
    g_array_append_val (question->nodes, data->look.zoom);
    g_array_append_val (question->nodes, data->look.selected);
    pv_document_list_history_nodes (self, question->nodes);
    pv_document_adapt_query (self, &question->query, data->answer->profile, self->next_profile);
}

static void
clear_path (gpointer path)
{
    g_free (((PvTreePath *)path)->steps);
}

/* Where a folded tree has to have more: what the user looks at or has opened. */
static void
collect_anchors (PvDocument *self, PvQuestion *question)
{
    question->anchors = g_array_new (FALSE, FALSE, sizeof (PvTreeAnchor));
    question->paths = g_array_new (FALSE, FALSE, sizeof (PvTreePath));
    g_array_set_clear_func (question->paths, clear_path);
    g_array_append_vals (question->anchors, self->opened->data, self->opened->len);
    pv_document_add_spots (self, question);
}

void
pv_document_start_build (PvDocument *self)
{
    PvDocumentData *data = &self->data;
    gboolean is_renewal = self->next_profile != NULL;
    PvQuestion *question;

    g_clear_handle_id (&self->rebuild_timeout, g_source_remove);
    if (data->answer->tree == NULL)
        return;
    question = g_new0 (PvQuestion, 1);
    question->profile = pv_profile_ref (is_renewal ? self->next_profile : data->answer->profile);
    question->symbols = pv_symbol_table_ref (is_renewal ? self->next_symbols : self->symbols);
    pv_query_copy_active (&question->query, &data->query);
    pv_comparison_view_copy (&question->comparison, &data->comparison);
    if (is_renewal)
        add_renewal (self, question);
    else
        collect_anchors (self, question);
    if (!is_renewal && self->formula != NULL)
        question->formula = pv_formula_ref (self->formula);
    question->is_inverted = data->look.is_inverted;
    question->previous = pv_answer_ref (data->answer);
    self->next_build = PV_BUILD_NOTHING;
    self->last_build_us = g_get_monotonic_time ();
    pv_task_start (self->answer_task, question);
}

void
pv_document_refine (PvDocument *self)
{
    if (self->data.answer->tree != NULL && self->data.answer->tree->has_folded)
        pv_document_start_build (self);
}

static gboolean
rebuild_on_main (gpointer user)
{
    PvDocument *self = user;

    self->rebuild_timeout = 0;
    pv_document_start_build (self);
    return G_SOURCE_REMOVE;
}

void
pv_document_rebuild_for_names (PvDocument *self)
{
    gint64 wait_us = self->last_build_us + MIN_REBUILD_DELAY_US - g_get_monotonic_time ();

    if (pv_task_is_busy (self->answer_task))
        self->next_build = MAX (self->next_build, PV_BUILD_NAMES);
    else if (wait_us <= 0)
        pv_document_start_build (self);
    else if (self->rebuild_timeout == 0)
        self->rebuild_timeout = g_timeout_add ((guint)(wait_us / 1000) + 1, rebuild_on_main, self);
}

/* Derived results */

/* A folded tree has not all functions, but the list has. */
static void
use_functions (PvDocument *self, const GError *error)
{
    const PvFunctions *functions = self->data.functions;
    PvFunctionId function = self->data.look.function;

    if (!self->may_lack_function || functions == NULL)
        return;
    self->may_lack_function = FALSE;
    for (uint32_t i = 0; i < functions->list->n_rows; i++)
        if (functions->list->rows[i].function == function)
            return;
    self->data.look.selected = PV_NODE_NONE;
    self->data.look.is_node_selected = FALSE;
    self->data.look.function = 0;
    pv_document_drop_derived (self, PV_DERIVED_CALLERS_CALLEES);
    pv_document_emit (self, PV_CHANGED_SELECTION | PV_CHANGED_CALLERS_CALLEES);
}

/* Matches of an older expression are not those of one that failed. */
static void
use_search (PvDocument *self, const GError *error)
{
    PvDocumentData *data = &self->data;

    g_free (data->search_error);
    data->search_error = g_strdup (error != NULL ? error->message : NULL);
    pv_document_forget_matches (self);
    if (data->search == NULL)
        return;
    data->is_match = g_steal_pointer (&data->search->is_match);
    data->n_is_match = data->answer->flame_tree->symbols->n_functions;
}

/* Once only: if the function is still folded then, it stays so. */
static void
open_anchor (PvDocument *self, const PvTreeAnchor *anchor)
{
    for (unsigned i = 0; i < self->opened->len; i++) {
        const PvTreeAnchor *known = &g_array_index (self->opened, PvTreeAnchor, i);
        if (known->stack == anchor->stack && known->place == anchor->place)
            return;
    }
    g_array_append_vals (self->opened, anchor, 1);
    pv_document_refine (self);
}

static void
use_callers_callees (PvDocument *self, const GError *error)
{
    PvDocumentData *data = &self->data;
    const PvCallersCalleesResult *found = data->callers_callees;

    if (data->look.selected == PV_NODE_NONE && found->heaviest != PV_NODE_NONE) {
        data->look.selected = found->heaviest;
        pv_document_emit (self, PV_CHANGED_SELECTION);
    }
    if (data->look.selected == PV_NODE_NONE && found->is_folded)
        open_anchor (self, &found->anchor);
}

static gpointer
make_functions_input (PvDocument *self)
{
    return pv_call_tree_ref (self->data.answer->tree);
}

static gpointer
make_search_input (PvDocument *self)
{
    PvSearchInput *input;

    if (self->data.search_term.text == NULL)
        return NULL;
    input = g_new0 (PvSearchInput, 1);
    input->tree = pv_call_tree_ref (self->data.answer->flame_tree);
    pv_search_term_copy (&input->term, &self->data.search_term);
    return input;
}

static gpointer
make_callers_callees_input (PvDocument *self)
{
    PvDocumentData *data = &self->data;
    PvCallersCalleesInput *input;

    if (data->look.function == 0)
        return NULL;
    input = g_new0 (PvCallersCalleesInput, 1);
    input->answer = pv_answer_ref (data->answer);
    input->function = data->look.function;
    if (data->sums != NULL)
        input->sums = pv_compared_sums_ref (data->sums);
    return input;
}

static gpointer
make_sums_input (PvDocument *self)
{
    PvCallTree *tree = self->data.answer->tree;

    return tree->profile->compared != NULL && pv_changes_can_sum (tree) ? pv_call_tree_ref (tree)
                                                                        : NULL;
}

static gpointer
make_facet_keys_input (PvDocument *self)
{
    return pv_profile_ref (self->data.answer->profile);
}

static const struct {
    PvTask *(*make_task) (gpointer owner, PvTaskDone done);
    gpointer (*make_input) (PvDocument *self); /* NULL: there is nothing to derive */
    size_t place;                              /* of the result in the data */
    GDestroyNotify free;
    PvDocumentChange change;
    enum {
        EACH_ANSWER,  /* begins again with each serial */
        EACH_PROFILE, /* only with another profile */
        WHILE_BUSY,   /* also, as it looks at nodes, with answers that unfold more while it runs */
        EACH_TREE,    /* also with all such answers */
    } begins;
    void (*use) (PvDocument *self, const GError *error); /* once it is in its place; or NULL */
} derived[PV_N_DERIVED] = {
    [PV_DERIVED_FUNCTIONS] = {pv_functions_task_new, make_functions_input,
                              offsetof (PvDocumentData, functions),
                              (GDestroyNotify)pv_functions_unref, PV_CHANGED_FUNCTIONS, EACH_ANSWER,
                              use_functions},
    [PV_DERIVED_SEARCH] = {pv_search_task_new, make_search_input, offsetof (PvDocumentData, search),
                           (GDestroyNotify)pv_search_result_free, PV_CHANGED_SEARCH, EACH_ANSWER,
                           use_search},
    [PV_DERIVED_CALLERS_CALLEES] = {pv_callers_callees_task_new, make_callers_callees_input,
                                    offsetof (PvDocumentData, callers_callees),
                                    pv_callers_callees_result_free, PV_CHANGED_CALLERS_CALLEES,
                                    WHILE_BUSY, use_callers_callees},
    [PV_DERIVED_SUMS] = {pv_compared_task_new, make_sums_input, offsetof (PvDocumentData, sums),
                         (GDestroyNotify)pv_compared_sums_unref, PV_CHANGED_COMPARISON, EACH_TREE},
    [PV_DERIVED_FACET_KEYS] = {pv_facet_keys_task_new, make_facet_keys_input,
                               offsetof (PvDocumentData, facet_keys),
                               (GDestroyNotify)pv_facet_keys_free, PV_CHANGED_FACETS, EACH_PROFILE},
};

/* Puts it in the place of the one before; TRUE if there was one. */
static gboolean
put_derived (PvDocument *self, PvDerived which, gpointer result)
{
    gpointer *place = G_STRUCT_MEMBER_P (&self->data, derived[which].place);
    gpointer before = *place;

    *place = result;
    pv_free_later (before, derived[which].free);
    return before != NULL;
}

void
pv_document_drop_derived (PvDocument *self, PvDerived which)
{
    put_derived (self, which, NULL);
}

/* All results arrive here. One that was begun for an answer that is no longer shown is dropped. */
static void
on_derived (gpointer owner, gpointer result, const GError *error)
{
    PvDerivation *derivation = owner;
    PvDocument *self = derivation->document;
    PvDerived which = (PvDerived)(derivation - self->derived);

    if (derivation->serial != self->data.answer->serial) {
        pv_free_later (result, derived[which].free);
        return;
    }
    pv_document_freeze (self);
    put_derived (self, which, result);
    if (derived[which].use != NULL)
        derived[which].use (self, error);
    pv_document_emit (self, derived[which].change);
    pv_document_thaw (self);
}

void
pv_document_derive (PvDocument *self, PvDerived which)
{
    PvTask *task = self->derived[which].task;
    gpointer input = self->data.answer->tree != NULL ? derived[which].make_input (self) : NULL;

    self->derived[which].serial = self->data.answer->serial;
    if (input != NULL)
        pv_task_start (task, input);
    else
        pv_task_cancel (task);
}

gboolean
pv_document_is_deriving (PvDocument *self, PvDerived which)
{
    g_assert (PV_IS_DOCUMENT (self) && which < PV_N_DERIVED);
    return pv_task_is_busy (self->derived[which].task);
}

/* Takes a result that came with the answer, so that it need not be derived. */
static void
take_derived (PvDocument *self, PvDerived which, gpointer result)
{
    if (result == NULL)
        return;
    put_derived (self, which, result);
    self->derived[which].serial = self->data.answer->serial;
    pv_task_cancel (self->derived[which].task);
    pv_document_emit (self, derived[which].change);
}

/* Drops what follows from an older answer, and begins it again. */
static void
derive_all (PvDocument *self, const PvAnswer *old)
{
    const PvAnswer *answer = self->data.answer;

    for (PvDerived which = 0; which < PV_N_DERIVED; which++) {
        PvDerivation *derivation = &self->derived[which];
        gboolean is_old, was_known;
        if (derived[which].begins == EACH_PROFILE && old->profile == answer->profile)
            derivation->serial = answer->serial;
        is_old = derivation->serial != answer->serial;
        was_known = is_old && put_derived (self, which, NULL);
        if (is_old || derived[which].begins == EACH_TREE ||
            (derived[which].begins == WHILE_BUSY && pv_task_is_busy (derivation->task)))
            pv_document_derive (self, which);
        /* If nothing comes in its place, views must know it now. */
        if (was_known && !pv_task_is_busy (derivation->task))
            pv_document_emit (self, derived[which].change);
    }
}

/* Answers */

void
pv_document_update_title (PvDocument *self)
{
    g_autofree char *title = pv_source_make_title (self->source, self->data.answer->profile);

    if (g_strcmp0 (title, self->data.title) == 0)
        return;
    g_free (self->data.title);
    self->data.title = g_steal_pointer (&title);
    pv_document_emit (self, PV_CHANGED_TITLE);
}

static PvNodeId
translate (const PvCallTree *old, PvNodeId node, const PvCallTree *new_tree, PvTreeJoin *join)
{
    if (old == NULL || node == PV_NODE_NONE)
        return node;
    if (join != NULL)
        return pv_tree_join_node (join, node);
    node = pv_call_tree_translate (old, node, new_tree);
    return node == PV_NODE_NONE ? 0 : node;
}

/* Functions that are new with better names do not match until the search has run again, nor do
 * merged modules, which come after them. */
static void
cover_functions (PvDocument *self, const PvAnswer *old)
{
    PvDocumentData *data = &self->data;
    uint32_t n = data->answer->flame_tree->symbols->n_functions, n_known = data->n_is_match;

    if (data->is_match == NULL)
        return;
    if (old->symbols != data->answer->symbols)
        n_known = MIN (n_known, old->symbols->n_functions);
    if (n <= n_known)
        return;
    data->is_match = g_renew (bool, data->is_match, n);
    memset (data->is_match + n_known, 0, (n - n_known) * sizeof (bool));
    data->n_is_match = n;
}

static void
set_whole_zoom (PvDocumentData *data, PvNodeId node)
{
    data->look.zoom = node;
    data->look.range_start = 0;
    data->look.range_end = 1;
}

/* A range stays where its node does. */
static void
translate_zoom (PvDocumentData *data, const PvCallTree *old, const PvCallTree *new_tree,
                PvTreeJoin *join)
{
    PvNodeId zoom = translate (old, data->look.zoom, new_tree, join);

    if (pv_call_tree_get_level (old, data->look.zoom) == pv_call_tree_get_level (new_tree, zoom))
        data->look.zoom = zoom;
    else
        set_whole_zoom (data, zoom);
}

/* Where a filter has taken the selected node, its caller is selected. A sandwich stays what it is.
 */
static gboolean
is_other_function (const PvDocumentData *data)
{
    return data->look.is_sandwich && data->look.function != 0 &&
           data->look.selected != PV_NODE_NONE &&
           data->answer->flame_tree->function_of_node[data->look.selected] != data->look.function;
}

/* Selects nothing if the function has nothing in another measure: nobody would see where. A
 * sandwich stays what it is. */
static void
drop_function_without_weight (PvDocument *self, const PvCallTree *old)
{
    PvDocumentData *data = &self->data;
    const PvCallTree *tree = data->answer->flame_tree;
    gboolean may_lack = old->query.measure != tree->query.measure && !data->look.is_sandwich &&
                        data->look.function != 0;

    self->may_lack_function = may_lack && tree->has_folded;
    if (!may_lack || tree->has_folded ||
        pv_call_tree_find_heaviest (tree, data->look.function) != PV_NODE_NONE)
        return;
    data->look.selected = PV_NODE_NONE;
    data->look.function = 0;
}

/* Carries over what the user looks at. join: from the old flame tree to this one; NULL: the ids of
 * stacks are the same. */
static void
translate_look (PvDocument *self, const PvAnswer *old_answer, PvTreeJoin *join)
{
    PvDocumentData *data = &self->data;
    const PvCallTree *flame_tree = data->answer->flame_tree;
    const PvCallTree *old = old_answer->flame_tree;
    gboolean same_direction =
        old != NULL && old->query.is_inverted == flame_tree->query.is_inverted;
    /* In a join functions are found by their names. */
    gboolean has_same_names = join != NULL || (old != NULL && old->symbols == flame_tree->symbols);

    pv_document_translate_history (self, old, flame_tree, join);
    if (self->wanted != NULL && self->wanted->look.is_inverted == flame_tree->query.is_inverted) {
        pv_document_show_wanted (self);
    } else if (same_direction) {
        translate_zoom (data, old, flame_tree, join);
        if (join == NULL && has_same_names)
            drop_function_without_weight (self, old);
        data->look.selected = translate (old, data->look.selected, flame_tree, join);
        if (has_same_names && is_other_function (data))
            data->look.selected = PV_NODE_NONE;
    } else {
        set_whole_zoom (data, 0);
        data->look.selected = PV_NODE_NONE;
    }
    pv_document_forget_wanted (self);
    if (data->look.selected == 0)
        data->look.selected = PV_NODE_NONE;
    data->look.is_node_selected &= data->look.selected != PV_NODE_NONE;
    if (data->look.selected != PV_NODE_NONE &&
        flame_tree->function_of_node[data->look.selected] != 0)
        data->look.function = flame_tree->function_of_node[data->look.selected];
    /* A merged module is a function only while it is merged. */
    if (data->look.function >= flame_tree->symbols->n_functions)
        data->look.function = 0;
    cover_functions (self, old_answer);
}

void
pv_document_forget_matches (PvDocument *self)
{
    g_clear_pointer (&self->data.is_match, g_free);
    self->data.n_is_match = 0;
}

/* The number of modules that have better names than before. */
static unsigned
count_improved (const PvAnswer *old, const PvAnswer *answer)
{
    uint32_t n = MIN (MIN (old->profile->n_modules, old->symbols->n_modules),
                      MIN (answer->profile->n_modules, answer->symbols->n_modules));
    unsigned n_improved = 0;

    for (uint32_t m = 1; m < n; m++) {
        uint8_t before = old->symbols->symbols_of_module[m];
        uint8_t after = answer->symbols->symbols_of_module[m];
        n_improved +=
            (after < before && after != PV_MODULE_SYMBOLS_PENDING) ||
            answer->profile->modules[m].n_named_ranges > old->profile->modules[m].n_named_ranges;
    }
    return n_improved;
}

static void
tell_about_added_path (PvDocument *self, const PvAnswer *answer)
{
    g_autofree char *path = g_steal_pointer (&self->added_path);
    g_autofree char *name = NULL;
    g_autofree char *text = NULL;
    unsigned n_improved;

    if (path == NULL)
        return;
    name = g_filename_display_basename (path);
    n_improved = count_improved (self->data.answer, answer);
    if (n_improved > 0)
        text = g_strdup_printf (g_dngettext (NULL, "Found %u missing file in “%s”",
                                             "Found %u missing files in “%s”", n_improved),
                                n_improved, name);
    else
        text = g_strdup_printf (_ ("“%s” has none of the missing files"), name);
    pv_document_emit_message (self, text);
}

/* Before its answer is taken: with that all ids change. */
static void
take_renewal (PvDocument *self, PvReply *reply)
{
    PvDocumentData *data = &self->data;
    const PvAnswer *answer = reply->answer;

    pv_clear_later (&self->next_profile, pv_profile_free);
    pv_clear_later (&self->next_symbols, pv_symbol_table_free);
    g_array_set_size (self->opened, 0); /* stacks of the old profile */
    tell_about_added_path (self, answer);
    data->is_preview = FALSE;
    pv_document_adapt_query (self, &data->query, data->answer->profile, answer->profile);
    pv_document_adapt_history (self, answer->profile);
    data->look.function = pv_tree_join_function (reply->join, data->look.function);
    pv_document_forget_matches (self);
    g_clear_pointer (&self->formula, pv_formula_unref);
    pv_document_emit (self, PV_CHANGED_QUERY | PV_CHANGED_SEARCH | PV_CHANGED_CALLERS_CALLEES);
}

void
pv_document_forget_scale (PvDocument *self)
{
    self->data.comparison.scale = PV_SCALE_NONE;
    g_clear_pointer (&self->data.comparison.function, g_free);
}

/* Once the answer of a comparison is taken: its factors, and what it amounts to. */
static void
take_scale (PvDocument *self, const char *error)
{
    PvDocumentData *data = &self->data;

    if (data->answer->profile->compared == NULL)
        return;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        data->query.factor_of_side[side] = data->answer->query->factor_of_side[side];
    if (error == NULL)
        return;
    pv_document_forget_scale (self);
    if (*error != '\0')
        pv_document_emit_message (self, error);
    pv_document_emit (self, PV_CHANGED_COMPARISON);
}

void
pv_document_show_answer (PvDocument *self, PvReply *reply)
{
    PvDocumentData *data = &self->data;
    const PvAnswer *old = data->answer;
    gboolean is_renewal = reply->join != NULL;

    pv_document_freeze (self);
    if (is_renewal)
        take_renewal (self, reply);
    data->answer = g_steal_pointer (&reply->answer);
    if (data->state != PV_DOCUMENT_READY || is_renewal) {
        pv_clear_later (&self->symbols, pv_symbol_table_free);
        self->symbols = pv_symbol_table_ref (data->answer->symbols);
        pv_document_update_title (self);
    }
    take_derived (self, PV_DERIVED_FUNCTIONS, g_steal_pointer (&reply->functions));
    take_derived (self, PV_DERIVED_FACET_KEYS, g_steal_pointer (&reply->facet_keys));
    take_scale (self, reply->scale_error);
    translate_look (self, old, reply->join);
    if (data->state != PV_DOCUMENT_READY) {
        data->state = PV_DOCUMENT_READY;
        pv_document_emit (self, PV_CHANGED_STATE);
    }
    if ((is_renewal || old->serial == data->answer->serial) &&
        data->look.selected == PV_NODE_NONE && data->look.function != 0)
        data->look.selected =
            pv_call_tree_find_heaviest (data->answer->flame_tree, data->look.function);
    pv_document_emit (self, PV_CHANGED_TREE | PV_CHANGED_ZOOM | PV_CHANGED_SELECTION);
    derive_all (self, old);
    pv_answer_unref (old);
    pv_free_later (reply, pv_reply_free);
    pv_document_thaw (self);
}

void
pv_document_drop_next (PvDocument *self)
{
    if (self->next_profile == NULL)
        return;
    pv_task_cancel (self->answer_task);
    pv_clear_later (&self->next_profile, pv_profile_free);
    pv_clear_later (&self->next_symbols, pv_symbol_table_free);
}

void
pv_document_settle (PvDocument *self)
{
    if (pv_source_is_loading (self->source) || self->next_profile != NULL ||
        pv_task_is_busy (self->answer_task) || self->rebuild_timeout != 0)
        return;
    if (self->data.loading != PV_LOADING_NONE) {
        self->data.loading = PV_LOADING_NONE;
        pv_document_emit (self, PV_CHANGED_PROGRESS);
    }
    pv_source_settled (self->source, self->data.state == PV_DOCUMENT_READY);
}

static void
on_reply (gpointer owner, gpointer reply, const GError *error)
{
    PvDocument *self = owner;

    if (reply != NULL)
        pv_document_show_answer (self, reply);
    else if (self->next_build != PV_BUILD_QUERY)
        pv_document_drop_next (self);
    if (error != NULL && !g_error_matches (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED)) {
        /* Translators: why; what is shown answers an older question. */
        g_autofree char *text =
            g_strdup_printf (_ ("The view could not be updated: %s"), error->message);
        pv_document_emit_message (self, text);
    }
    if (self->next_build == PV_BUILD_QUERY)
        pv_document_start_build (self);
    else if (self->next_build == PV_BUILD_NAMES)
        pv_document_rebuild_for_names (self);
    pv_document_settle (self);
}

/* Tasks */

void
pv_document_make_tasks (PvDocument *self)
{
    self->answer_task = pv_answer_task_new (self, on_reply);
    for (PvDerived which = 0; which < PV_N_DERIVED; which++) {
        PvDerivation *derivation = &self->derived[which];
        derivation->document = self;
        derivation->task = derived[which].make_task (derivation, on_derived);
    }
}

void
pv_document_cancel_tasks (PvDocument *self)
{
    g_clear_handle_id (&self->rebuild_timeout, g_source_remove);
    pv_task_cancel (self->answer_task);
    pv_task_cancel (self->suppressions_task);
    for (PvDerived which = 0; which < PV_N_DERIVED; which++)
        pv_task_cancel (self->derived[which].task);
}

void
pv_document_close_tasks (PvDocument *self)
{
    g_clear_pointer (&self->answer_task, pv_task_close);
    g_clear_pointer (&self->suppressions_task, pv_task_close);
    for (PvDerived which = 0; which < PV_N_DERIVED; which++)
        g_clear_pointer (&self->derived[which].task, pv_task_close);
}
