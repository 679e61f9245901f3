/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Undo and redo of what the user does to a document: random sequences of filters, zooms and
 * selections, then all the way back and forth. What is looked at must be the same each time: the
 * query, the direction, the sandwich and its zoom, the zoom, the selection and the function.
 */
#include <string.h>

#include "../cases.h"
#include "../scratch.h"
#include "app/document/document.h"
#include "app/source/source-file.h"
#include "core/analyze/tables/facet-choice.h"
#include "core/analyze/tree/sandwich.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define MAX_STEPS   6

typedef struct {
    PvDocument *document;
    GRand *random;
} Use;

/* The user's view; nodes by the names from the root. */
typedef struct {
    PvQuery query;
    gboolean is_inverted;
    gboolean is_sandwich;
    char *zoom;
    double range_start, range_end;
    char *halves;
    char *selected;
    PvFunctionId function;
} State;

static const PvDocumentData *
get (const Use *use)
{
    return pv_document_get (use->document);
}

static gboolean
is_settled (const Use *use)
{
    const PvDocumentData *data = get (use);
    g_auto (PvQuery) active;

    pv_query_copy_active (&active, &data->query);
    return data->state == PV_DOCUMENT_READY && data->loading == PV_LOADING_NONE &&
           data->functions != NULL && pv_query_equal (&active, data->answer->query) &&
           data->answer->flame_tree->query.is_inverted == data->look.is_inverted &&
           (data->look.function == 0 || data->callers_callees != NULL);
}

static void
settle (const Use *use)
{
    gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

    while (!is_settled (use)) {
        g_assert_cmpint (g_get_monotonic_time (), <, until_us);
        g_main_context_iteration (NULL, TRUE);
    }
}

static char *
name_path (const PvCallTree *tree, PvNodeId node)
{
    GString *path = g_string_new (NULL);

    if (node == PV_NODE_NONE)
        g_string_append (path, "none");
    for (; node != PV_NODE_NONE; node = tree->parent_of_node[node])
        g_string_append_printf (path, "%s\n", pv_call_tree_get_name (tree, node));
    return g_string_free (path, FALSE);
}

/* The zoom of both halves of a sandwich. */
static char *
name_halves (const PvDocumentData *data)
{
    GString *text = g_string_new (NULL);

    for (unsigned half = 0; half < PV_N_HALVES; half++) {
        const PvHalfZoom *zoom = &data->look.half_zooms[half];
        for (uint32_t i = 0; i < zoom->path.n_steps; i++)
            g_string_append_printf (text, "%u;", zoom->path.steps[i]);
        g_string_append_printf (text, " %g %g\n", zoom->start, zoom->end);
    }
    return g_string_free (text, FALSE);
}

static State *
read_state (const Use *use)
{
    const PvDocumentData *data = get (use);
    State *state = g_new0 (State, 1);

    pv_query_copy (&state->query, &data->query);
    state->is_inverted = data->look.is_inverted;
    state->is_sandwich = data->look.is_sandwich;
    state->zoom = name_path (data->answer->flame_tree, data->look.zoom);
    state->range_start = data->look.range_start;
    state->range_end = data->look.range_end;
    state->halves = name_halves (data);
    state->selected = name_path (data->answer->flame_tree, data->look.selected);
    state->function = data->look.function;
    return state;
}

static void
free_state (gpointer data)
{
    g_autofree State *state = data;

    pv_query_clear (&state->query);
    g_free (state->zoom);
    g_free (state->halves);
    g_free (state->selected);
}

static void
assert_state (const Use *use, const State *wanted)
{
    State *state = read_state (use);

    g_assert_true (pv_query_equal (&state->query, &wanted->query));
    g_assert_cmpint (state->is_inverted, ==, wanted->is_inverted);
    g_assert_cmpint (state->is_sandwich, ==, wanted->is_sandwich);
    g_assert_cmpstr (state->zoom, ==, wanted->zoom);
    g_assert_cmpfloat (state->range_start, ==, wanted->range_start);
    g_assert_cmpfloat (state->range_end, ==, wanted->range_end);
    g_assert_cmpstr (state->halves, ==, wanted->halves);
    g_assert_cmpstr (state->selected, ==, wanted->selected);
    g_assert_cmpuint (state->function, ==, wanted->function);
    free_state (state);
}

/* True if the step from one to the other is one of the history. */
static gboolean
is_other_view (const State *a, const State *b)
{
    return !pv_query_equal (&a->query, &b->query) || a->is_inverted != b->is_inverted ||
           strcmp (a->zoom, b->zoom) != 0 || a->range_start != b->range_start ||
           a->range_end != b->range_end || a->is_sandwich != b->is_sandwich ||
           strcmp (a->halves, b->halves) != 0 || (b->is_sandwich && a->function != b->function);
}

/* Actions of a user */

static uint32_t
pick (Use *use, uint32_t n)
{
    return n > 0 ? (uint32_t)g_rand_int_range (use->random, 0, (gint32)n) : 0;
}

static void
select_any (Use *use)
{
    const PvDocumentData *data = get (use);
    const PvFunctionList *list = data->functions->list;

    if (pick (use, 3) > 0)
        pv_document_select_node (use->document, pick (use, data->answer->flame_tree->n_nodes));
    else if (list->n_rows > 0)
        pv_document_select_function (use->document, list->rows[pick (use, list->n_rows)].function);
    settle (use);
}

static void
filter_function (Use *use)
{
    static const PvTransformKind kinds[] = {PV_TRANSFORM_FOCUS, PV_TRANSFORM_IGNORE,
                                            PV_TRANSFORM_HIDE, PV_TRANSFORM_SHOW_FROM,
                                            PV_TRANSFORM_MERGE_MODULE};
    const PvDocumentData *data = get (use);
    PvFunctionId function = data->look.function;
    PvTransformKind kind = kinds[pick (use, G_N_ELEMENTS (kinds))];

    if (function == 0 || function >= data->answer->symbols->n_functions)
        return;
    g_autofree char *expression =
        kind == PV_TRANSFORM_MERGE_MODULE
            ? g_strdup ("libc")
            : pv_subject_make_expression (PV_SUBJECT_FUNCTION,
                                          data->answer->symbols->functions[function].name);
    pv_document_add_transform (use->document, kind, expression);
}

static void
change_filter (Use *use)
{
    uint32_t n = get (use)->query.n_transforms;
    uint32_t index = pick (use, n);

    if (n == 0)
        return;
    switch (pick (use, 4)) {
    case 0:
        pv_document_switch_transform (use->document, index,
                                      get (use)->query.transforms[index].is_off);
        break;
    case 1:
        pv_document_move_transform (use->document, index, pick (use, n));
        break;
    case 2:
        pv_document_edit_transform (use->document, index, PV_TRANSFORM_IGNORE, "a");
        break;
    case 3:
        pv_document_remove_transform (use->document, index);
        break;
    }
}

static void
use_saved (Use *use)
{
    static const char *const sets[][3] = {
        {"--focus=function:^main$", "--hide=a"}, {"--my-code", "--collapse-recursion"}, {NULL}};

    pv_document_use_transforms (use->document, sets[pick (use, G_N_ELEMENTS (sets))]);
}

static void
choose_time (Use *use)
{
    uint64_t duration_ns = get (use)->answer->profile->duration_ns;
    uint64_t start_ns = pick (use, 1000) * (duration_ns / 1000);

    pv_document_remember (use->document);
    pv_document_set_time_range (use->document, start_ns,
                                start_ns + (1 + pick (use, 1000)) * (duration_ns / 1000));
}

/* As a wheel does, in several steps that are one for the history. */
static void
choose_range (Use *use)
{
    PvNodeId zoom = get (use)->look.zoom;
    double start = pick (use, 1000) / 1000.0;
    unsigned n = 1 + pick (use, 3);

    gboolean has_begun = FALSE;

    for (unsigned i = 0; i < n; i++)
        has_begun |= pv_document_zoom_to_range (use->document, zoom, start,
                                                start + (1 + pick (use, 1000)) / 1000.0, has_begun);
}

/* Shows or hides one thread or processor, only it, or all of them. */
static void
choose_samples (Use *use)
{
    const PvDocumentData *data = get (use);
    gboolean is_thread = pick (use, 3) > 0;
    uint32_t id = is_thread ? 1 + pick (use, data->answer->profile->n_threads - 1) : pick (use, 4);
    PvFacetKey key = {.by = is_thread ? PV_GROUP_THREAD : PV_GROUP_CPU};
    PvFacetValue value = {.ids = &id, .n_ids = 1};
    g_auto (PvQuery) wanted;

    pv_query_copy (&wanted, &data->query);
    if (pick (use, 4) == 0)
        pv_facet_show_all (&wanted, &key);
    else if (pick (use, 3) == 0)
        pv_facet_show_only (&wanted, &key, &value);
    else
        pv_facet_set_shown (&wanted, data->answer->profile, &key, &value, 1, pick (use, 2));
    pv_document_set_samples (use->document, &wanted);
}

/* Chooses the sandwich of any function or of the selected one, or ends it. */
static void
choose_sandwich (Use *use)
{
    const PvDocumentData *data = get (use);
    const PvFunctionList *list = data->functions->list;

    if (pick (use, 3) == 0)
        pv_document_set_inverted (use->document, data->look.is_inverted);
    else
        pv_document_show_sandwich (use->document,
                                   list->n_rows > 0 && pick (use, 3) > 0
                                       ? list->rows[pick (use, list->n_rows)].function
                                       : 0,
                                   FALSE);
}

static void
choose_half_zoom (Use *use)
{
    const PvDocumentData *data = get (use);
    PvSandwichHalf half = (PvSandwichHalf)pick (use, PV_N_HALVES);
    double start = pick (use, 1000) / 1000.0;
    g_autoptr (PvSandwich) sandwich = NULL;
    const PvCallTree *tree;

    if (data->look.function == 0 || !data->look.is_sandwich)
        return;
    sandwich = pv_sandwich_build (data->answer->tree, data->look.function, NULL, NULL);
    tree = half == PV_HALF_CALLERS ? sandwich->callers : sandwich->callees;
    pv_document_zoom_half (use->document, half, tree, pick (use, tree->n_nodes), start,
                           start + (1 + pick (use, 1000)) / 1000.0, FALSE);
}

static void
change (Use *use)
{
    const PvDocumentData *data = get (use);

    switch (pick (use, 22)) {
    case 0:
    case 1:
        pv_document_zoom (use->document, pick (use, data->answer->flame_tree->n_nodes));
        break;
    case 2:
    case 3:
        filter_function (use);
        break;
    case 4:
        choose_samples (use);
        break;
    case 5:
        pv_document_set_inverted (use->document, !data->look.is_inverted);
        break;
    case 6:
        pv_document_set_grouping (use->document, (PvGrouping)pick (use, PV_GROUP_LABEL), NULL);
        break;
    case 7:
        pv_document_set_measure (use->document, pick (use, data->answer->profile->n_measures));
        break;
    case 8:
        choose_time (use);
        break;
    case 10:
    case 11:
        choose_range (use);
        break;
    case 9:
        pv_document_clear_filters (use->document);
        break;
    case 12:
        use_saved (use);
        break;
    case 13:
    case 14:
    case 15:
        choose_sandwich (use);
        break;
    case 16:
    case 17:
        choose_half_zoom (use);
        break;
    default:
        change_filter (use);
        break;
    }
    settle (use);
}

/* The states before each step, and after the last. */
static GPtrArray *
take_steps (Use *use)
{
    GPtrArray *states = g_ptr_array_new_with_free_func (free_state);
    unsigned n_steps = 1 + pick (use, MAX_STEPS);

    for (unsigned i = 0; i < n_steps; i++) {
        State *before, *after;
        select_any (use);
        before = read_state (use);
        change (use);
        after = read_state (use);
        if (is_other_view (before, after))
            g_ptr_array_add (states, before);
        else
            free_state (before);
        free_state (after);
    }
    g_ptr_array_add (states, read_state (use));
    return states;
}

static void
use_recording (const char *name, unsigned n_rounds)
{
    g_autofree char *path = g_build_filename (g_getenv ("PV_TEST_DATA"), "recordings", name, NULL);
    g_autofree char *sysroot = get_data ("sysroot");
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (path);
    PvSymbolOptions symbols = {.sysroot = sysroot, .n_workers = 2};
    Use use = {
        .document = pv_document_new (pv_file_source_new (spec), &symbols),
        .random = g_rand_new_with_seed (n_rounds),
    };

    pv_document_load (use.document);
    settle (&use);
    for (unsigned round = 0; round < n_rounds; round++) {
        g_autoptr (GPtrArray) states = take_steps (&use);
        for (unsigned i = states->len - 1; i > 0; i--) {
            pv_document_go_back (use.document);
            settle (&use);
            assert_state (&use, states->pdata[i - 1]);
        }
        for (unsigned i = 1; i < states->len; i++) {
            pv_document_go_forward (use.document);
            settle (&use);
            assert_state (&use, states->pdata[i]);
        }
        g_assert_false (get (&use)->can_go_forward);
        if (round % 20 == 0) {
            const PvGrouping grouping = get (&use)->query.grouping;
            const PvMeasureId measure = get (&use)->query.measure;
            pv_document_clear_filters (use.document);
            g_assert_cmpuint (get (&use)->query.grouping, ==, grouping); /* neither is a filter */
            g_assert_cmpuint (get (&use)->query.measure, ==, measure);
        }
        settle (&use);
    }
    g_rand_free (use.random);
    pv_document_close (use.document);
    g_object_unref (use.document);
}

TEST (threads)
{
    use_recording ("threads-fp.data", 500);
}

TEST (events)
{
    use_recording ("events-fp.data", 500);
}
