/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>
#include <string.h>

#include "app/document/document-private.h"
#include "core/base/error.h"

#define MIN_REBUILD_DELAY_US (G_USEC_PER_SEC / 4) /* at most four rebuilds a second */

/* Requests */

static void
add_renewal (PvDocument *self, PvTreeInput *input)
{
    const PvDocumentData *data = &self->data;

    input->is_renewal = TRUE;
    input->shown = pv_call_tree_ref (data->flame_tree);
    input->nodes = g_array_new (FALSE, FALSE, sizeof (PvNodeId));
    g_array_append_val (input->nodes, data->look.zoom);
    g_array_append_val (input->nodes, data->look.selected);
    pv_document_list_history_nodes (self, input->nodes);
    pv_document_adapt_query (self, &input->query, data->profile, self->next_profile);
}

static void
clear_path (gpointer path)
{
    g_free (((PvTreePath *)path)->steps);
}

/* Where a folded tree has to have more: what the user looks at or has opened. */
static void
collect_anchors (PvDocument *self, PvTreeInput *input)
{
    input->anchors = g_array_new (FALSE, FALSE, sizeof (PvTreeAnchor));
    input->paths = g_array_new (FALSE, FALSE, sizeof (PvTreePath));
    g_array_set_clear_func (input->paths, clear_path);
    g_array_append_vals (input->anchors, self->opened->data, self->opened->len);
    pv_document_add_spots (self, input);
}

void
pv_document_start_build (PvDocument *self)
{
    PvDocumentData *data = &self->data;
    gboolean is_renewal = self->next_profile != NULL;
    PvTreeInput *input;

    g_clear_handle_id (&self->rebuild_timeout, g_source_remove);
    if (data->tree == NULL)
        return;
    input = g_new0 (PvTreeInput, 1);
    input->profile = pv_profile_ref (is_renewal ? self->next_profile : data->profile);
    input->symbols = pv_symbol_table_ref (is_renewal ? self->next_symbols : data->symbols);
    pv_query_copy_active (&input->query, &data->query);
    pv_comparison_view_copy (&input->comparison, &data->comparison);
    if (is_renewal)
        add_renewal (self, input);
    else
        collect_anchors (self, input);
    if (!is_renewal && self->formula != NULL)
        input->formula = pv_formula_ref (self->formula);
    input->is_inverted = data->look.is_inverted;
    input->previous = pv_call_tree_ref (data->tree);
    self->next_build = PV_BUILD_NOTHING;
    self->last_build_us = g_get_monotonic_time ();
    pv_task_start (self->tree_task, input);
}

void
pv_document_refine (PvDocument *self)
{
    if (self->data.tree != NULL && self->data.tree->has_folded)
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

    if (pv_task_is_busy (self->tree_task))
        self->next_build = MAX (self->next_build, PV_BUILD_NAMES);
    else if (wait_us <= 0)
        pv_document_start_build (self);
    else if (self->rebuild_timeout == 0)
        self->rebuild_timeout = g_timeout_add ((guint)(wait_us / 1000) + 1, rebuild_on_main, self);
}

/* Results */

void
pv_document_update_title (PvDocument *self)
{
    g_autofree char *title = pv_source_make_title (self->source, self->data.profile);

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

/* Functions that are new with better names do not match until the search has run again. */
static void
cover_functions (PvDocument *self)
{
    PvDocumentData *data = &self->data;
    uint32_t n = data->flame_tree->symbols->n_functions;

    if (self->is_match == NULL || n <= data->n_is_match)
        return;
    self->is_match = g_renew (bool, self->is_match, n);
    memset (self->is_match + data->n_is_match, 0, (n - data->n_is_match) * sizeof (bool));
    data->is_match = self->is_match;
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
           data->flame_tree->function_of_node[data->look.selected] != data->look.function;
}

/* join: from the old tree to this one; NULL: the ids of stacks are the same. */
static void
take_flame_tree (PvDocument *self, PvCallTree *flame_tree, PvTreeJoin *join)
{
    PvDocumentData *data = &self->data;
    PvCallTree *old = data->flame_tree;
    gboolean same_direction =
        old != NULL && old->query.is_inverted == flame_tree->query.is_inverted;
    /* In a join functions are found by their names. */
    gboolean has_same_names = join != NULL || (old != NULL && old->symbols == flame_tree->symbols);

    pv_document_translate_history (self, old, flame_tree, join);
    data->flame_tree = flame_tree;
    if (self->wanted != NULL && self->wanted->look.is_inverted == flame_tree->query.is_inverted) {
        pv_document_show_wanted (self);
    } else if (same_direction) {
        translate_zoom (data, old, flame_tree, join);
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
    cover_functions (self);
    pv_clear_later (&old, pv_call_tree_free);
}

void
pv_document_forget_matches (PvDocument *self)
{
    g_clear_pointer (&self->is_match, g_free);
    self->data.is_match = NULL;
    self->data.n_is_match = 0;
}

/* The number of modules that have better names than before. */
static unsigned
count_improved (const PvDocumentData *data, const PvTrees *trees)
{
    uint32_t n = MIN (MIN (data->profile->n_modules, data->symbols->n_modules),
                      MIN (trees->profile->n_modules, trees->symbols->n_modules));
    unsigned n_improved = 0;

    for (uint32_t m = 1; m < n; m++) {
        uint8_t before = data->symbols->symbols_of_module[m];
        uint8_t after = trees->symbols->symbols_of_module[m];
        n_improved +=
            (after < before && after != PV_MODULE_SYMBOLS_PENDING) ||
            trees->profile->modules[m].n_named_ranges > data->profile->modules[m].n_named_ranges;
    }
    return n_improved;
}

static void
tell_about_added_path (PvDocument *self, const PvTrees *trees)
{
    g_autofree char *path = g_steal_pointer (&self->added_path);
    g_autofree char *name = NULL;
    g_autofree char *text = NULL;
    unsigned n_improved;

    if (path == NULL)
        return;
    name = g_filename_display_basename (path);
    n_improved = count_improved (&self->data, trees);
    if (n_improved > 0)
        text = g_strdup_printf (g_dngettext (NULL, "Found %u missing file in “%s”",
                                             "Found %u missing files in “%s”", n_improved),
                                n_improved, name);
    else
        text = g_strdup_printf (_ ("“%s” has none of the missing files"), name);
    pv_document_emit_message (self, text);
}

/* Before the trees are taken: with them all ids change. */
static void
take_renewal (PvDocument *self, PvTrees *trees)
{
    PvDocumentData *data = &self->data;

    pv_clear_later (&self->next_profile, pv_profile_free);
    pv_clear_later (&self->next_symbols, pv_symbol_table_free);
    g_array_set_size (self->opened, 0); /* stacks of the old profile */
    tell_about_added_path (self, trees);
    data->is_preview = FALSE;
    pv_document_adapt_query (self, &data->query, data->profile, trees->profile);
    pv_document_adapt_history (self, trees->profile);
    pv_document_emit (self, PV_CHANGED_QUERY);
    data->look.function = pv_tree_join_function (trees->join, data->look.function);
    pv_clear_later (&data->callers_callees, pv_callers_callees_free);
    pv_document_forget_matches (self);
    pv_clear_later (&data->profile, pv_profile_free);
    pv_clear_later (&data->symbols, pv_symbol_table_free);
    pv_clear_later (&data->functions, pv_functions_unref);
    g_clear_pointer (&self->formula, pv_formula_unref);
    data->profile = g_steal_pointer (&trees->profile);
    data->symbols = g_steal_pointer (&trees->symbols);
    data->functions = g_steal_pointer (&trees->functions);
    pv_task_cancel (self->derived[PV_DERIVED_FUNCTIONS].task);
    self->derived[PV_DERIVED_FUNCTIONS].answer = self->answer;
    pv_document_update_title (self);
    pv_document_emit (self, PV_CHANGED_SYMBOLS | PV_CHANGED_FUNCTIONS | PV_CHANGED_SEARCH |
                                PV_CHANGED_CALLERS_CALLEES);
}

void
pv_document_forget_scale (PvDocument *self)
{
    self->data.comparison.scale = PV_SCALE_NONE;
    g_clear_pointer (&self->data.comparison.function, g_free);
}

/* Once the tree of a comparison is taken: its factors, and what it amounts to. */
static void
take_scale (PvDocument *self, PvTrees *trees)
{
    PvDocumentData *data = &self->data;
    PvQuery *query = &data->query;

    g_clear_pointer (&data->scale_text, g_free);
    if (data->profile->compared == NULL)
        return;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        query->factor_of_side[side] = data->tree->query.factor_of_side[side];
    data->scale_text = g_steal_pointer (&trees->scale_text);
    if (trees->scale_error == NULL)
        return;
    pv_document_forget_scale (self);
    data->scale_text = pv_scale_describe (PV_SCALE_NONE, 1, NULL);
    if (*trees->scale_error != '\0')
        pv_document_emit_message (self, trees->scale_error);
    pv_document_emit (self, PV_CHANGED_COMPARISON);
}

/* Tests whether functions and search results of the shown tree hold for another one, which only
 * unfolds more. */
static gboolean
is_refinement (const PvDocumentData *data, const PvCallTree *tree)
{
    const PvCallTree *known = data->functions != NULL ? data->functions->tree : NULL;

    return known != NULL && tree->has_folded && known->profile == tree->profile &&
           known->symbols == tree->symbols && pv_query_equal (&known->query, &tree->query);
}

static void derive_all (PvDocument *self);

void
pv_document_show_trees (PvDocument *self, PvTrees *trees)
{
    PvDocumentData *data = &self->data;
    gboolean is_renewal = trees->join != NULL;
    gboolean is_new = !is_renewal && !is_refinement (data, trees->tree);

    pv_document_freeze (self);
    if (is_new || is_renewal)
        self->answer++;
    if (is_renewal)
        take_renewal (self, trees);
    pv_clear_later (&data->tree, pv_call_tree_free);
    data->tree = g_steal_pointer (&trees->tree);
    take_scale (self, trees);
    pv_clear_later (&data->values, pv_node_values_unref);
    data->values = g_steal_pointer (&trees->values);
    take_flame_tree (self,
                     trees->inverted != NULL ? g_steal_pointer (&trees->inverted)
                                             : pv_call_tree_ref (data->tree),
                     trees->join);
    pv_free_later (trees, pv_trees_free);
    if (data->state != PV_DOCUMENT_READY) {
        data->state = PV_DOCUMENT_READY;
        pv_document_emit (self, PV_CHANGED_STATE);
    }
    if (!is_new && data->look.selected == PV_NODE_NONE && data->look.function != 0)
        data->look.selected = pv_call_tree_find_heaviest (data->flame_tree, data->look.function);
    pv_document_emit (self, PV_CHANGED_TREE | PV_CHANGED_ZOOM | PV_CHANGED_SELECTION);
    pv_document_thaw (self);

    derive_all (self);
}

void
pv_document_drop_next (PvDocument *self)
{
    if (self->next_profile == NULL)
        return;
    pv_task_cancel (self->tree_task);
    pv_clear_later (&self->next_profile, pv_profile_free);
    pv_clear_later (&self->next_symbols, pv_symbol_table_free);
}

void
pv_document_settle (PvDocument *self)
{
    if (pv_source_is_loading (self->source) || self->next_profile != NULL ||
        pv_task_is_busy (self->tree_task))
        return;
    if (self->data.loading != PV_LOADING_NONE) {
        self->data.loading = PV_LOADING_NONE;
        pv_document_emit (self, PV_CHANGED_PROGRESS);
    }
    pv_source_settled (self->source, self->data.state == PV_DOCUMENT_READY);
}

static void
on_trees (gpointer owner, gpointer result, const GError *error)
{
    PvDocument *self = owner;

    if (result != NULL)
        pv_document_show_trees (self, result);
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

static void
on_facet_keys (gpointer owner, gpointer result, const GError *error)
{
    PvDocument *self = owner;

    if (result == NULL)
        return;
    pv_clear_later (&self->data.facet_keys, pv_facet_keys_free);
    self->data.facet_keys = result;
    pv_document_emit (self, PV_CHANGED_FACETS);
}

static void
on_functions (gpointer owner, gpointer result, const GError *error)
{
    PvDocument *self = owner;

    if (result == NULL)
        return;
    pv_clear_later (&self->data.functions, pv_functions_unref);
    self->data.functions = result;
    pv_document_emit (self, PV_CHANGED_FUNCTIONS);
}

static void
on_search (gpointer owner, gpointer result, const GError *error)
{
    PvDocument *self = owner;
    PvDocumentData *data = &self->data;

    g_clear_pointer (&data->search_error, g_free);
    if (result == NULL) {
        /* Matches of an older expression are not those of this one. */
        data->search_error = g_strdup (error != NULL ? error->message : NULL);
        pv_clear_later (&data->search, pv_search_result_free);
        pv_document_forget_matches (self);
        pv_document_emit (self, PV_CHANGED_SEARCH);
        return;
    }
    pv_clear_later (&data->search, pv_search_result_free);
    g_free (self->is_match);
    data->search = result;
    /* The task is restarted with every tree, so the result belongs to this one. */
    self->is_match = g_steal_pointer (&data->search->is_match);
    data->is_match = self->is_match;
    data->n_is_match = data->flame_tree->symbols->n_functions;
    pv_document_emit (self, PV_CHANGED_SEARCH);
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
on_callers_callees (gpointer owner, gpointer result, const GError *error)
{
    PvDocument *self = owner;
    PvDocumentData *data = &self->data;
    PvCallersCalleesAnswer *answer = result;

    if (answer == NULL)
        return;
    pv_document_freeze (self);
    pv_clear_later (&data->callers_callees, pv_callers_callees_free);
    data->callers_callees = g_steal_pointer (&answer->callers_callees);
    if (data->look.selected == PV_NODE_NONE && answer->heaviest != PV_NODE_NONE) {
        data->look.selected = answer->heaviest;
        pv_document_emit (self, PV_CHANGED_SELECTION);
    }
    if (data->look.selected == PV_NODE_NONE && answer->is_folded)
        open_anchor (self, &answer->anchor);
    pv_callers_callees_answer_free (answer);
    pv_document_emit (self, PV_CHANGED_CALLERS_CALLEES);
    pv_document_thaw (self);
}

static void
on_sums (gpointer owner, gpointer result, const GError *error)
{
    PvDocument *self = owner;

    if (result == NULL)
        return;
    pv_clear_later (&self->data.sums, pv_compared_sums_unref);
    self->data.sums = result;
    pv_document_emit (self, PV_CHANGED_COMPARISON);
}

/* Tasks */

static gpointer
make_tree_input (PvDocument *self)
{
    return pv_call_tree_ref (self->data.tree);
}

static gpointer
make_search_input (PvDocument *self)
{
    PvSearchInput *input;

    if (self->data.search_term.text == NULL)
        return NULL;
    input = g_new0 (PvSearchInput, 1);
    input->tree = pv_call_tree_ref (self->data.flame_tree);
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
    input->tree = pv_call_tree_ref (data->tree);
    input->flame_tree = pv_call_tree_ref (data->flame_tree);
    input->function = data->look.function;
    if (data->sums != NULL && data->sums->tree == data->tree)
        input->sums = pv_compared_sums_ref (data->sums);
    return input;
}

static gpointer
make_sums_input (PvDocument *self)
{
    PvCallTree *tree = self->data.tree;

    return tree->profile->compared != NULL && pv_changes_can_sum (tree) ? pv_call_tree_ref (tree)
                                                                        : NULL;
}

static gpointer
make_facet_keys_input (PvDocument *self)
{
    PvDocumentData *data = &self->data;
    gboolean is_known = data->facet_keys != NULL && data->facet_keys->profile == data->profile;

    return is_known ? NULL : pv_profile_ref (data->profile);
}

static const struct {
    PvTask *(*make_task) (gpointer owner, PvTaskDone done);
    PvTaskDone done;
    gpointer (*make_input) (PvDocument *self); /* NULL: there is nothing to derive */
    enum {
        EACH_ANSWER, /* begins again with each answer */
        WHILE_BUSY,  /* and, as it looks at nodes, with trees that unfold more while it runs */
        EACH_TREE,   /* and with all such trees */
    } begins;
} derived[PV_N_DERIVED] = {
    [PV_DERIVED_FUNCTIONS] = {pv_functions_task_new, on_functions, make_tree_input},
    [PV_DERIVED_SEARCH] = {pv_search_task_new, on_search, make_search_input},
    [PV_DERIVED_CALLERS_CALLEES] = {pv_callers_callees_task_new, on_callers_callees,
                                    make_callers_callees_input, WHILE_BUSY},
    [PV_DERIVED_SUMS] = {pv_compared_task_new, on_sums, make_sums_input, EACH_TREE},
    [PV_DERIVED_FACET_KEYS] = {pv_facet_keys_task_new, on_facet_keys, make_facet_keys_input},
};

/* A task that is begun again gives up what it was at, so no result is of older trees. */
void
pv_document_derive (PvDocument *self, PvDerived which)
{
    PvTask *task = self->derived[which].task;
    gpointer input = self->data.tree != NULL ? derived[which].make_input (self) : NULL;

    self->derived[which].answer = self->answer;
    if (input != NULL)
        pv_task_start (task, input);
    else
        pv_task_cancel (task);
}

static void
derive_all (PvDocument *self)
{
    for (PvDerived which = 0; which < PV_N_DERIVED; which++)
        if (self->derived[which].answer != self->answer || derived[which].begins == EACH_TREE ||
            (derived[which].begins == WHILE_BUSY && pv_task_is_busy (self->derived[which].task)))
            pv_document_derive (self, which);
}

void
pv_document_make_tasks (PvDocument *self)
{
    self->tree_task = pv_tree_task_new (self, on_trees);
    for (PvDerived which = 0; which < PV_N_DERIVED; which++)
        self->derived[which].task = derived[which].make_task (self, derived[which].done);
}

void
pv_document_cancel_tasks (PvDocument *self)
{
    g_clear_handle_id (&self->rebuild_timeout, g_source_remove);
    pv_task_cancel (self->tree_task);
    pv_task_cancel (self->suppressions_task);
    for (PvDerived which = 0; which < PV_N_DERIVED; which++)
        pv_task_cancel (self->derived[which].task);
}

void
pv_document_close_tasks (PvDocument *self)
{
    g_clear_pointer (&self->tree_task, pv_task_close);
    g_clear_pointer (&self->suppressions_task, pv_task_close);
    for (PvDerived which = 0; which < PV_N_DERIVED; which++)
        g_clear_pointer (&self->derived[which].task, pv_task_close);
}
