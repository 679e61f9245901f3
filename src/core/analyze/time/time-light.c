/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stacks instead of nodes are read, as a tree may have its light nodes folded. Parents come first,
 * so each stack continues where its parent ended.
 */
#include "core/analyze/time/time-light.h"

#include <string.h>

#include "core/analyze/time/time-classes.h"
#include "core/analyze/tree/call-tree-private.h"
#include "core/analyze/tree/stack-walk.h"
#include "core/base/large.h"

enum { STACKS_PER_CHECK = 1 << 15 };

/* Flags of a location in a state, and of a stack from its root on. */
enum { IS_READ = 1, HAS_FUNCTION = 2, HAS_MATCH = 4 };

#define OFF_PATH UINT32_MAX

void
pv_time_light_set_node (PvTimeLight *light, const PvCallTree *tree, PvNodeId node)
{
    g_assert (light != NULL && tree != NULL && node < tree->n_nodes);
    uint32_t n_keys = 0;
    light->function = 0;
    light->has_node = light->has_group = false;
    g_clear_pointer (&light->keys, g_free);
    light->n_keys = 0;
    if (node == 0 || (!pv_call_tree_is_group (tree, node) && !pv_call_tree_is_frame (tree, node)))
        return;
    light->has_node = true;
    light->is_inverted = tree->query.is_inverted;
    if (tree->group_of_node != NULL) {
        light->has_group = true;
        light->group = tree->group_of_node[node];
    }
    for (PvNodeId n = node; n != 0; n = tree->parent_of_node[n])
        n_keys += !pv_call_tree_is_group (tree, n);
    light->n_keys = n_keys;
    light->keys = g_new (uint64_t, MAX (n_keys, 1));
    for (PvNodeId n = node; n != 0; n = tree->parent_of_node[n])
        if (!pv_call_tree_is_group (tree, n))
            light->keys[--n_keys] = pv_call_tree_key (tree, n);
}

bool
pv_time_light_is_empty (const PvTimeLight *light)
{
    g_assert (light != NULL);
    return light->function == 0 && !light->has_node && light->search.text == NULL;
}

bool
pv_time_light_equal (const PvTimeLight *a, const PvTimeLight *b)
{
    g_assert (a != NULL && b != NULL);
    if (a->function != b->function || a->has_node != b->has_node ||
        !pv_search_term_equal (&a->search, &b->search))
        return false;
    return !a->has_node || (a->is_inverted == b->is_inverted && a->has_group == b->has_group &&
                            (!a->has_group || a->group == b->group) && a->n_keys == b->n_keys &&
                            memcmp (a->keys, b->keys, a->n_keys * sizeof *a->keys) == 0);
}

void
pv_time_light_copy (PvTimeLight *ret_copy, const PvTimeLight *light)
{
    g_assert (ret_copy != NULL && light != NULL && ret_copy != light);
    *ret_copy = *light;
    ret_copy->keys = g_memdup2 (light->keys, light->n_keys * sizeof *light->keys);
    pv_search_term_copy (&ret_copy->search, &light->search);
}

void
pv_time_light_clear (PvTimeLight *light)
{
    g_assert (light != NULL);
    g_free (light->keys);
    pv_search_term_clear (&light->search);
    *light = (PvTimeLight){0};
}

typedef struct {
    const PvTimeLight *light;
    const PvTreeShape *shape;
    const PvStackStates *states;
    bool is_identity;
    bool *is_match; /* functions that the search finds by their names; NULL: no search */
    uint8_t *flags_of_location; /* and number of the state; NULL: there are too many */
    uint8_t *flags_of_stack;
    uint32_t *n_passed; /* keys of the path that a stack has passed, or OFF_PATH; NULL: no path */
} Reading;

/* Calls visit for the kept frames of a stack's location, the outermost first, until it is false. */
static void
read_frames (const Reading *reading, PvStackId stack,
             bool (*visit) (void *data, const PvFrame *frame, PvFunctionId function), void *data)
{
    const PvProfile *profile = reading->shape->profile;
    uint32_t state = pv_stack_states_get (reading->states, profile->parent_of_stack[stack]);
    uint32_t n_frames;
    const PvFrame *chain = pv_symbol_table_frames (reading->shape->symbols,
                                                   profile->location_of_stack[stack], &n_frames);
    uint32_t stop = reading->shape->query.no_inline && n_frames > 0 ? n_frames - 1 : 0;
    for (uint32_t i = n_frames; i > stop; i--) {
        PvFunctionId function = chain[i - 1].function;
        if (!reading->is_identity &&
            !pv_stack_filter_step (reading->shape->filter, &state, &chain[i - 1], &function))
            continue;
        if (!visit (data, &chain[i - 1], function))
            return;
    }
}

typedef struct {
    const Reading *reading;
    uint8_t flags;
} Flags;

static bool
visit_flags (void *data, const PvFrame *frame, PvFunctionId function)
{
    Flags *flags = data;
    const bool *is_match = flags->reading->is_match;
    if (flags->reading->light->function != 0 && function == flags->reading->light->function)
        flags->flags |= HAS_FUNCTION;
    if (is_match != NULL && is_match[function])
        flags->flags |= HAS_MATCH;
    return true;
}

static void
read_flags (Reading *reading, PvStackId stack)
{
    const PvProfile *profile = reading->shape->profile;
    PvStackId parent = profile->parent_of_stack[stack];
    uint8_t unknown = 0, *known = &unknown;
    if (reading->flags_of_location != NULL)
        known = &reading->flags_of_location[(size_t)profile->location_of_stack[stack] *
                                                reading->states->n_states +
                                            pv_stack_states_number (reading->states, parent)];
    if (*known == 0) {
        Flags flags = {reading, IS_READ};
        read_frames (reading, stack, visit_flags, &flags);
        *known = flags.flags;
    }
    reading->flags_of_stack[stack] = *known | reading->flags_of_stack[parent];
}

typedef struct {
    const Reading *reading;
    PvLocationId location;
    uint32_t n_passed;
} Passing;

static bool
visit_path (void *data, const PvFrame *frame, PvFunctionId function)
{
    Passing *passing = data;
    const PvTimeLight *light = passing->reading->light;
    uint64_t key =
        pv_tree_shape_place_key (passing->reading->shape, frame, function, passing->location);
    passing->n_passed = key == light->keys[passing->n_passed] ? passing->n_passed + 1 : OFF_PATH;
    return passing->n_passed < light->n_keys;
}

static void
follow_path (Reading *reading, PvStackId stack)
{
    const PvProfile *profile = reading->shape->profile;
    Passing passing = {reading, profile->location_of_stack[stack],
                       reading->n_passed[profile->parent_of_stack[stack]]};
    if (passing.n_passed < reading->light->n_keys)
        read_frames (reading, stack, visit_path, &passing);
    reading->n_passed[stack] = passing.n_passed;
}

/* False when cancelled. */
static bool
read_stacks (Reading *reading, PvJob *job)
{
    const PvProfile *profile = reading->shape->profile;
    size_t n_stacks = MAX (profile->n_stacks, 1);
    reading->flags_of_stack = pv_new0_large (uint8_t, n_stacks);
    if (reading->states->n_states > 0)
        reading->flags_of_location = pv_new0_large (uint8_t, MAX (profile->n_locations, 1) *
                                                                 (size_t)reading->states->n_states);
    if (reading->light->has_node && !reading->light->is_inverted)
        reading->n_passed = pv_new0_large (uint32_t, n_stacks);
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        read_flags (reading, s);
        if (reading->n_passed != NULL)
            follow_path (reading, s);
        if (s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return false;
    }
    return true;
}

/* Facts that only the leaf of a stack can tell. */
typedef struct {
    PvStackReader *reader;
    const PvTreeGroups *groups; /* of stacks; or NULL */
} Leaves;

static bool
is_in_group (const Leaves *leaves, const PvTimeLight *light, PvStackId stack)
{
    PvStackFrame leaf;
    uint32_t group = pv_stack_reader_begin (leaves->reader, stack, &leaf)
                         ? pv_tree_groups_find_by_leaf (leaves->groups, leaf.frame, leaf.function)
                         : 0;
    return group == light->group;
}

/* True if the innermost frames are those of the path. */
static bool
ends_with_path (const Leaves *leaves, const PvTimeLight *light, PvStackId stack)
{
    PvStackFrame frame;
    bool has_frame = pv_stack_reader_begin (leaves->reader, stack, &frame);
    for (uint32_t i = 0; i < light->n_keys; i++) {
        if (!has_frame || frame.key != light->keys[i])
            return false;
        has_frame = pv_stack_reader_next (leaves->reader, frame.stack, frame.place, &frame);
    }
    return true;
}

static bool
is_below_node (const Reading *reading, const Leaves *leaves, PvStackId stack)
{
    const PvTimeLight *light = reading->light;
    if (reading->n_passed != NULL ? reading->n_passed[stack] != light->n_keys
                                  : !ends_with_path (leaves, light, stack))
        return false;
    return leaves->groups == NULL || is_in_group (leaves, light, stack);
}

static uint8_t
classify_stack (const Reading *reading, const PvFocus *focus, const Leaves *leaves, PvStackId stack)
{
    bool is_match = (reading->flags_of_stack[stack] & HAS_MATCH) != 0;
    if (pv_find_position (reading->shape, focus, stack) == UINT32_MAX)
        return PV_TIME_DROPPED;
    if ((reading->flags_of_stack[stack] & HAS_FUNCTION) != 0 ||
        (reading->light->has_node && is_below_node (reading, leaves, stack)))
        return is_match ? PV_LIT_BOTH : PV_LIT_SELECTED;
    return is_match ? PV_LIT_MATCH : PV_TIME_DROPPED;
}

static uint8_t *
classify_stacks (const Reading *reading, const PvCallTreeData *data, PvJob *job)
{
    uint32_t n_stacks = MAX (reading->shape->profile->n_stacks, 1);
    g_autoptr (PvStackReader) reader = pv_stack_reader_new (&data->tree, job);
    g_autoptr (PvTreeGroups) groups = NULL;
    if (reader == NULL)
        return NULL;
    if (reading->light->has_node && reading->light->has_group)
        groups = pv_tree_groups_new (data->tree.profile, data->tree.symbols, &data->tree.query);
    Leaves leaves = {reader,
                     groups != NULL && pv_tree_groups_are_of_stacks (groups) ? groups : NULL};
    g_autofree uint8_t *classes = pv_new0_large (uint8_t, n_stacks);
    for (PvStackId s = 0; s < n_stacks; s++) {
        classes[s] = classify_stack (reading, data->focus, &leaves, s);
        if (s % STACKS_PER_CHECK == 0 && pv_job_is_cancelled (job))
            return NULL;
    }
    return g_steal_pointer (&classes);
}

uint8_t *
pv_time_light_classify (const PvTimeLight *light, const PvCallTree *tree, PvJob *job)
{
    g_assert (light != NULL && tree != NULL && light->function < tree->symbols->n_functions);
    const PvCallTreeData *data = pv_call_tree_data (pv_call_tree_top_down (tree));
    Reading reading = {
        .light = light,
        .shape = data->shape,
        .states = pv_tree_shape_get_states (data->shape, job),
        .is_identity = pv_stack_filter_is_identity (data->shape->filter),
    };
    uint8_t *classes = NULL;
    if (reading.states == NULL)
        return NULL;
    if (light->search.text != NULL)
        reading.is_match = pv_search_names (&data->tree, &light->search, job);
    if ((light->search.text == NULL || reading.is_match != NULL) && read_stacks (&reading, job))
        classes = classify_stacks (&reading, data, job);
    g_free (reading.is_match);
    g_free (reading.flags_of_location);
    g_free (reading.flags_of_stack);
    g_free (reading.n_passed);
    return classes;
}
