/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/edges/call-samples.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/read/unpack/reader.h"

/* Lines of a function are shared among its paths in proportion, unless that makes too many samples
 * for the function, or too many amounts (samples times events) all in all: then they are handed out
 * to its paths one after the other. */
#define MAX_SAMPLES_OF_FUNCTION (1u << 16)
#define MAX_SHARED              (1u << 21)

/* Where even that makes too many amounts, functions are shown without lines. */
#define MAX_AMOUNTS      (1u << 24)
#define AMOUNTS_PER_LINE 4u

#define PATHS_PER_CHECK 1024u
#define PERCENT         100

typedef struct {
    const PvCallSamples *samples;
    const PvCallPaths *paths;
    const PvCallGraph *graph;
    PV_ARRAY (PvStackId) parents; /* of stacks; 0: no parent */
    PV_ARRAY (PvLocationId) locations;
    PvStackId *callers;           /* the stack below the function of a path */
    PvLocationId *line_locations; /* 0: not requested yet */
    PV_ARRAY (PvStackId) stacks;  /* of samples */
    PV_ARRAY (uint64_t) costs;    /* of samples: n_events for each */
    PV_ARRAY (uint64_t) left;     /* of the lines of the function at hand */
    PV_ARRAY (uint64_t) taken;
    PV_ARRAY (uint32_t) touched; /* lines that something was taken of */
    uint64_t sum_left[PV_CALL_MAX_EVENTS];
    uint64_t n_shared; /* amounts, at most */
    bool has_lineless; /* functions without lines */
    uint64_t n_paths_done;
    bool is_cancelled;
} Adding;

static PvStackId
add_stack (Adding *self, PvStackId parent, PvLocationId location)
{
    pv_array_push (&self->parents, parent);
    pv_array_push (&self->locations, location);
    return (PvStackId)(self->parents.len - 1);
}

static PvLocationId
get_line_location (Adding *self, uint32_t line)
{
    PvLocationId *location = &self->line_locations[line];
    if (*location == 0)
        *location = self->samples->locate (self->samples->user, self->graph->lines.data[line]);
    return *location;
}

static PvLocationId
get_edge_location (Adding *self, uint32_t edge, PvLocationId *locations)
{
    const PvCallEdge *call = &self->graph->edges.data[edge];
    if (call->line != UINT32_MAX)
        return get_line_location (self, call->line);
    if (locations[edge] == 0)
        locations[edge] = self->samples->locate (self->samples->user, call->place);
    return locations[edge];
}

static void
find_callers (Adding *self)
{
    const PvCallPaths *paths = self->paths;
    g_autofree PvLocationId *edge_locations = g_new0 (PvLocationId, self->graph->edges.len + 1);
    self->callers = g_new0 (PvStackId, paths->paths.len + 1);
    for (size_t i = 0; i < paths->paths.len; i++) {
        const PvCallPath *path = &paths->paths.data[i];
        if (path->parent != PV_NO_PATH)
            self->callers[i] = add_stack (self, self->callers[path->parent],
                                          get_edge_location (self, path->edge, edge_locations));
    }
}

static bool
has_too_many (const Adding *self)
{
    return self->costs.len > MAX_AMOUNTS + AMOUNTS_PER_LINE * self->graph->line_costs.len;
}

static void
add_sample_at (Adding *self, uint32_t path, PvLocationId location, const uint64_t *costs)
{
    PvStackId caller = self->callers[path];
    PvStackId stack = location != 0 ? add_stack (self, caller, location) : caller;
    pv_array_push (&self->stacks, stack);
    pv_array_append (&self->costs, costs, self->graph->n_events);
}

static void
add_sample (Adding *self, uint32_t path, uint32_t line, const uint64_t *costs)
{
    add_sample_at (self, path, get_line_location (self, line), costs);
}

/* Gives the builder all stacks, which it takes only at once, then the samples. */
static void
hand_over (Adding *self)
{
    const PvCallSamples *samples = self->samples;
    uint32_t n_stacks = (uint32_t)self->parents.len;
    g_autofree uint64_t *weights = g_new0 (uint64_t, samples->n_weights + 1);
    pv_profile_builder_take_stacks (samples->builder, pv_array_steal (&self->parents),
                                    pv_array_steal (&self->locations), n_stacks);
    for (size_t i = 0; i < self->stacks.len; i++) {
        PvNewSample sample = {.stack = self->stacks.data[i],
                              .cpu = PV_CPU_UNKNOWN,
                              .stack_end = PV_STACK_END_UNKNOWN};
        samples->weigh (samples->user, self->costs.data + i * self->graph->n_events, weights);
        pv_profile_builder_add_sample (samples->builder, samples->set, &sample, weights);
    }
}

static bool
has_any (const Adding *self, const uint64_t *costs)
{
    for (uint32_t e = 0; e < self->graph->n_events; e++)
        if (costs[e] > 0)
            return true;
    return false;
}

static void
begin_function (Adding *self, uint32_t function)
{
    const PvCallGraph *graph = self->graph;
    self->left.len = 0;
    for (uint32_t i = graph->first_line[function]; i < graph->first_line[function + 1]; i++)
        pv_array_append (&self->left, pv_call_graph_line_costs (graph, graph->lines_in_order[i]),
                         graph->n_events);
    pv_array_resize (&self->taken, self->left.len);
    memcpy (self->sum_left, pv_call_graph_function_costs (graph, function),
            graph->n_events * sizeof *self->sum_left);
}

/* Takes a path's costs from all lines in proportion to what they have left. */
static void
add_path (Adding *self, uint32_t function, uint32_t path)
{
    const uint64_t *costs = pv_call_paths_costs (self->paths, path);
    uint32_t n = self->graph->n_events, first = self->graph->first_line[function];
    if (!has_any (self, costs))
        return;
    pv_call_take (self->left.data, self->taken.data, self->left.len, n, self->sum_left, costs);
    for (size_t i = 0; i < self->left.len / n; i++)
        if (has_any (self, self->taken.data + i * n))
            add_sample (self, path, self->graph->lines_in_order[first + i],
                        self->taken.data + i * n);
}

static bool
may_continue (Adding *self)
{
    if (++self->n_paths_done % PATHS_PER_CHECK == 0 && self->samples->job != NULL)
        self->is_cancelled = pv_job_is_cancelled (self->samples->job);
    return !self->is_cancelled;
}

/* Takes of an event, from the line at hand on, as much as the path costs. */
static void
take_in_order (Adding *self, uint32_t path, uint32_t event, size_t *line)
{
    uint32_t n = self->graph->n_events;
    uint64_t wanted = pv_call_paths_costs (self->paths, path)[event];
    while (wanted > 0 && *line < self->left.len / n) {
        size_t at = *line * n + event;
        uint64_t part = MIN (wanted, self->left.data[at]);
        if (part > 0 && !has_any (self, self->taken.data + *line * n))
            pv_array_push (&self->touched, (uint32_t)*line);
        self->taken.data[at] += part;
        self->left.data[at] -= part;
        wanted -= part;
        *line += self->left.data[at] == 0;
    }
}

static void
add_without_line (Adding *self, uint32_t function, uint32_t path, PvLocationId *location)
{
    const PvCallGraph *graph = self->graph;
    const uint64_t *costs = pv_call_paths_costs (self->paths, path);
    if (!has_any (self, costs))
        return;
    PvCallPlace place = graph->lines.data[graph->lines_in_order[graph->first_line[function]]];
    place.line = 0;
    if (*location == 0)
        *location = self->samples->locate (self->samples->user, place);
    add_sample_at (self, path, *location, costs);
    self->has_lineless = true;
}

/* Hands out the lines, one after the other, to the paths in their order. */
static void
add_in_order (Adding *self, uint32_t function)
{
    uint32_t n = self->graph->n_events, first = self->graph->first_line[function];
    size_t lines[PV_CALL_MAX_EVENTS] = {0};
    PvLocationId without_line = 0;
    memset (self->taken.data, 0, self->taken.len * sizeof *self->taken.data);
    for (uint32_t path = self->paths->first_path[function];
         path != PV_NO_PATH && may_continue (self); path = self->paths->paths.data[path].next) {
        if (has_too_many (self)) {
            add_without_line (self, function, path, &without_line);
            continue;
        }
        self->touched.len = 0;
        for (uint32_t e = 0; e < n; e++)
            take_in_order (self, path, e, &lines[e]);
        for (size_t i = 0; i < self->touched.len; i++) {
            uint64_t *costs = self->taken.data + (size_t)self->touched.data[i] * n;
            add_sample (self, path, self->graph->lines_in_order[first + self->touched.data[i]],
                        costs);
            memset (costs, 0, n * sizeof *costs);
        }
    }
}

/* A function with one path needs no sharing. */
static void
add_all_lines (Adding *self, uint32_t function, uint32_t path)
{
    const PvCallGraph *graph = self->graph;
    for (uint32_t i = graph->first_line[function]; i < graph->first_line[function + 1]; i++) {
        const uint64_t *costs = pv_call_graph_line_costs (graph, graph->lines_in_order[i]);
        if (has_any (self, costs))
            add_sample (self, path, graph->lines_in_order[i], costs);
    }
}

static void
add_function (Adding *self, uint32_t function)
{
    uint64_t n_paths = 0;
    uint32_t first_path = self->paths->first_path[function];
    if (first_path == PV_NO_PATH || !may_continue (self))
        return;
    if (first_path == self->paths->last_path[function]) {
        add_all_lines (self, function, first_path);
        return;
    }
    begin_function (self, function);
    for (uint32_t path = self->paths->first_path[function]; path != PV_NO_PATH;
         path = self->paths->paths.data[path].next)
        n_paths++;
    uint64_t n_samples = n_paths * (self->left.len / self->graph->n_events);
    uint64_t n_amounts = n_samples * self->graph->n_events;
    if (n_samples > MAX_SAMPLES_OF_FUNCTION || self->n_shared + n_amounts > MAX_SHARED ||
        has_too_many (self)) {
        add_in_order (self, function);
        return;
    }
    self->n_shared += n_amounts;
    for (uint32_t path = self->paths->first_path[function];
         path != PV_NO_PATH && may_continue (self); path = self->paths->paths.data[path].next)
        add_path (self, function, path);
}

void
pv_call_samples_add (const PvCallSamples *samples, const PvCallPaths *paths)
{
    g_assert (samples != NULL && samples->builder != NULL && paths != NULL);
    g_assert (samples->locate != NULL && samples->weigh != NULL);
    Adding self = {
        .samples = samples,
        .paths = paths,
        .graph = paths->graph,
        .line_locations = g_new0 (PvLocationId, paths->graph->lines.len + 1),
    };
    add_stack (&self, 0, 0);
    find_callers (&self);
    for (uint32_t f = 0; f < self.graph->n_functions && !self.is_cancelled; f++)
        add_function (&self, f);
    hand_over (&self);
    if (self.has_lineless)
        pv_note_info (samples->builder,
                      _ ("Some functions are shown without lines: there are too many of them on "
                         "too many paths through the call graph."));
    g_free (self.callers);
    g_free (self.line_locations);
    pv_array_clear (&self.left);
    pv_array_clear (&self.taken);
    pv_array_clear (&self.touched);
    pv_array_clear (&self.stacks);
    pv_array_clear (&self.costs);
}

void
pv_call_samples_add_notes (const PvCallPaths *paths, PvProfileBuilder *builder, bool is_known,
                           const char *text)
{
    g_assert (paths != NULL && builder != NULL && text != NULL);
    if (paths->graph->edges.len == 0) {
        pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_NO_CALL_GRAPH, 0,
                                 _ ("The file has functions and lines, but no calls."));
        return;
    }
    pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_ESTIMATED_STACKS, 0, "%s", text);
    if (paths->n_cyclic > 0 && is_known)
        pv_note_info (
            builder,
            g_dngettext (
                GETTEXT_PACKAGE,
                "%u function is part of a cycle of calls. Its callers and callees are as in the "
                "file, which counts a call within a call again; its total is no more than what the "
                "whole cycle costs. With filters, these are estimates.",
                "%u functions call each other in cycles. Their callers and callees are as in the "
                "file, which counts a call within a call again; their totals are no more than what "
                "the whole cycle costs. With filters, these are estimates.",
                paths->n_cyclic),
            paths->n_cyclic);
    else if (paths->n_cyclic > 0)
        pv_note_info (
            builder,
            g_dngettext (
                GETTEXT_PACKAGE,
                "%u function is part of a cycle of calls. What it costs itself is as in the file; "
                "its total, and those of its callers and callees, are estimates.",
                "%u functions call each other in cycles. What they cost themselves is as in the "
                "file; their totals, callers and callees are estimates.",
                paths->n_cyclic),
            paths->n_cyclic);
    if (paths->is_pruned && paths->least_share > 1)
        pv_note_info (builder, _ ("There are too many paths through the call graph. Each call is "
                                  "shown on its largest one only."));
    else if (paths->is_pruned)
        pv_note_info (builder,
                      _ ("There are very many paths through the call graph. Those with less than "
                         "%g %% are shown as part of larger ones."),
                      paths->least_share * PERCENT);
}
