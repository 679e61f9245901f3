/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/save-callgrind.h"

#include <stdlib.h>

#include "core/analyze/query/sample-filter.h"
#include "core/analyze/tables/sample-rows.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/large.h"
#include "core/base/output.h"
#include "core/load/save-stacks.h"
#include "core/write/callgrind.h"

enum { STEPS_PER_CHECK = 4096 };

/* Cost of a line of a function, its own or of its calls of another function. */
typedef struct {
    PvFunctionId function;
    PvFunctionId callee; /* 0: none */
    const char *file;
    uint32_t line;
    uint32_t number; /* of its costs */
} Cost;

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvSampleRows *rows;
    PvSavedStacks *stacks;
    PvJob *job;
    uint64_t n_steps;

    PV_ARRAY (PvMeasureId) measures; /* by event */
    uint32_t n_events;
    uint64_t *totals;
    PV_ARRAY (uint64_t) weights; /* by stack: n_events each */
    uint64_t *without_frames;    /* the same of what is in no stack */
    uint64_t n_samples;

    PV_ARRAY (Cost) costs;
    PvHashMap cost_ids;            /* number + 1 */
    PV_ARRAY (uint64_t) amounts;   /* by number: n_events each */
    const char **file_of_function; /* NULL: unknown */
} Save;

static bool
go_on (Save *save, GError **error)
{
    return save->n_steps++ % STEPS_PER_CHECK != 0 || pv_job_check (save->job, error);
}

static void
choose_measures (Save *save, PvMeasureId first)
{
    pv_array_push (&save->measures, first);
    for (PvMeasureId m = 0; m < save->profile->n_measures; m++)
        if (m != first && pv_profile_get_pair (save->profile, m) == NULL)
            pv_array_push (&save->measures, m);
    save->n_events = (uint32_t)save->measures.len;
    save->totals = g_new0 (uint64_t, save->n_events);
}

static void
add_amounts (const Save *save, uint64_t *to, const uint64_t *from)
{
    for (uint32_t e = 0; e < save->n_events; e++)
        to[e] += MIN (from[e], PV_TOTAL_MAX - to[e]);
}

/* --- weights of stacks --- */

static uint64_t *
get_weights (Save *save, uint32_t stack)
{
    return save->weights.data + (size_t)stack * save->n_events;
}

/* Each stack gets what ends there. */
static bool
weigh_stacks (Save *save, GError **error)
{
    PvSampleRow row;
    g_autofree uint64_t *weights = g_new0 (uint64_t, save->n_events);
    while (pv_sample_rows_next (save->rows, &row)) {
        uint32_t stack = pv_saved_stacks_get (save->stacks, row.node), n_stacks;
        if (!go_on (save, error))
            return false;
        pv_saved_stacks_get_all (save->stacks, &n_stacks);
        pv_array_resize (&save->weights, (size_t)n_stacks * save->n_events);
        for (uint32_t e = 0; e < save->n_events; e++)
            weights[e] = row.weights[save->measures.data[e]];
        add_amounts (save, get_weights (save, stack), weights);
        add_amounts (save, save->totals, weights);
        save->n_samples++;
    }
    return true;
}

/* --- costs --- */

static const PvSavedFrame *
get_frame (const Save *save, uint32_t stack)
{
    uint32_t n;
    return &pv_saved_stacks_get_frames (
        save->stacks, &n)[pv_saved_stacks_get_all (save->stacks, &n)[stack].frame];
}

static void
add_cost (Save *save, const PvSavedFrame *frame, PvFunctionId callee, const uint64_t *amounts)
{
    const uint64_t key[] = {(uint64_t)frame->function << 32 | callee,
                            (uint64_t)(uintptr_t)frame->file, frame->line};
    uint32_t *number = pv_hash_map_slot (&save->cost_ids, pv_hash_bytes (key, sizeof key, 0));
    if (*number == 0) {
        Cost cost = {frame->function, callee, frame->file, frame->line, (uint32_t)save->costs.len};
        pv_array_push (&save->costs, cost);
        pv_array_resize (&save->amounts, save->costs.len * save->n_events);
        *number = (uint32_t)save->costs.len;
    }
    add_amounts (save, save->amounts.data + (size_t)(*number - 1) * save->n_events, amounts);
}

static bool
is_nothing (const Save *save, const uint64_t *amounts)
{
    for (uint32_t e = 0; e < save->n_events; e++)
        if (amounts[e] != 0)
            return false;
    return true;
}

/* Takes what stacks weigh themselves, and makes of it what they weigh with all on top of them. */
static bool
add_self_costs (Save *save, uint32_t n_stacks, GError **error)
{
    const PvSavedStack *stacks = pv_saved_stacks_get_all (save->stacks, &n_stacks);
    save->without_frames =
        g_memdup2 (get_weights (save, 0), save->n_events * sizeof *save->without_frames);
    for (uint32_t s = 1; s < n_stacks; s++) {
        if (!go_on (save, error))
            return false;
        if (!is_nothing (save, get_weights (save, s)))
            add_cost (save, get_frame (save, s), 0, get_weights (save, s));
    }
    for (uint32_t s = n_stacks; s-- > 1;)
        add_amounts (save, get_weights (save, stacks[s].parent), get_weights (save, s));
    return true;
}

/* --- calls --- */

/* A walk over stacks from the root: which calls are on the way to the current one. */
typedef struct {
    uint32_t *first_child, *next_sibling; /* 0: none */
    uint32_t *call_of_stack;              /* 0: none */
    uint32_t n_calls;
    PvIdMap calls;       /* by caller and callee: number, 1 first */
    uint32_t *n_entered; /* by call */
} Walk;

static void
init_walk (Walk *walk, const Save *save, const PvSavedStack *stacks, uint32_t n_stacks)
{
    *walk = (Walk){
        .first_child = pv_new0_large (uint32_t, n_stacks),
        .next_sibling = pv_new0_large (uint32_t, n_stacks),
        .call_of_stack = pv_new0_large (uint32_t, n_stacks),
    };
    for (uint32_t s = n_stacks; s-- > 1;) {
        uint32_t parent = stacks[s].parent;
        walk->next_sibling[s] = walk->first_child[parent];
        walk->first_child[parent] = s;
        if (parent == 0)
            continue;
        uint64_t key =
            (uint64_t)get_frame (save, parent)->function << 32 | get_frame (save, s)->function;
        uint32_t *call = pv_id_map_slot (&walk->calls, key);
        if (*call == 0)
            *call = ++walk->n_calls;
        walk->call_of_stack[s] = *call;
    }
    walk->n_entered = g_new0 (uint32_t, walk->n_calls + 1);
}

static void
clear_walk (Walk *walk)
{
    g_free (walk->first_child);
    g_free (walk->next_sibling);
    g_free (walk->call_of_stack);
    g_free (walk->n_entered);
    pv_id_map_clear (&walk->calls);
}

/* Adds the cost of a call; of equal calls within each other only the outermost counts. */
static void
enter_stack (Save *save, Walk *walk, const PvSavedStack *stacks, uint32_t stack)
{
    uint32_t call = walk->call_of_stack[stack];
    if (call == 0 || walk->n_entered[call]++ > 0)
        return;
    add_cost (save, get_frame (save, stacks[stack].parent), get_frame (save, stack)->function,
              get_weights (save, stack));
}

static void
leave_stack (Walk *walk, uint32_t stack)
{
    if (walk->call_of_stack[stack] != 0)
        walk->n_entered[walk->call_of_stack[stack]]--;
}

static bool
add_call_costs (Save *save, GError **error)
{
    uint32_t n_stacks, stack = 0;
    bool is_done = true;
    Walk walk;
    const PvSavedStack *stacks = pv_saved_stacks_get_all (save->stacks, &n_stacks);
    init_walk (&walk, save, stacks, n_stacks);
    while (is_done) {
        if (walk.first_child[stack] != 0) {
            stack = walk.first_child[stack];
        } else {
            while (stack != 0 && walk.next_sibling[stack] == 0) {
                leave_stack (&walk, stack);
                stack = stacks[stack].parent;
            }
            if (stack == 0)
                break;
            leave_stack (&walk, stack);
            stack = walk.next_sibling[stack];
        }
        enter_stack (save, &walk, stacks, stack);
        is_done = go_on (save, error);
    }
    clear_walk (&walk);
    return is_done;
}

/* --- the file --- */

/* Chooses each function's file: that of its declaration, or else of its first line. */
static void
choose_files (Save *save)
{
    uint32_t n;
    const PvSavedFrame *frames = pv_saved_stacks_get_frames (save->stacks, &n);
    save->file_of_function = g_new0 (const char *, MAX (save->symbols->n_functions, 1));
    for (uint32_t i = 0; i < n; i++) {
        const char **file = &save->file_of_function[frames[i].function];
        const char *declared = save->symbols->functions[frames[i].function].file;
        if (*file == NULL)
            *file = declared != NULL ? declared : frames[i].file;
    }
}

static int
compare_numbers (uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Order of costs: by function; first its own costs; those of its own file first. */
static int
compare_costs (const void *a, const void *b, void *user)
{
    const Save *save = user;
    const Cost *left = a, *right = b;
    int order = compare_numbers (left->function, right->function);
    if (order == 0)
        order = compare_numbers (left->callee != 0, right->callee != 0);
    const char *own = save->file_of_function[left->function];
    if (order == 0)
        order = compare_numbers (left->file != own, right->file != own);
    if (order == 0)
        order = g_strcmp0 (left->file, right->file);
    if (order == 0)
        order = compare_numbers (left->line, right->line);
    return order != 0 ? order : compare_numbers (left->callee, right->callee);
}

static PvCallgrindFunction
describe (const Save *save, PvFunctionId id)
{
    const PvFunction *function = &save->symbols->functions[id];
    const PvModule *module = &save->profile->modules[function->module];
    const char *object = NULL;
    bool has_file = module->kind != PV_MODULE_JIT && module->path != NULL && *module->path != '\0';
    if (function->module != 0)
        object = has_file ? module->path : module->name;
    return (PvCallgrindFunction){object, save->file_of_function[id], function->name};
}

static bool
write_costs (Save *save, PvCallgrindWriter *writer, const PvWriter *out, GError **error)
{
    PvFunctionId current = 0;
    for (size_t i = 0; i < save->costs.len && out->code == 0; i++) {
        const Cost *cost = &save->costs.data[i];
        const uint64_t *amounts = save->amounts.data + (size_t)cost->number * save->n_events;
        if (!go_on (save, error))
            return false;
        if (cost->function != current) {
            PvCallgrindFunction function = describe (save, cost->function);
            pv_callgrind_writer_begin_function (writer, &function);
            current = cost->function;
        }
        if (cost->callee == 0) {
            pv_callgrind_writer_add_line (writer, cost->file, cost->line, amounts);
        } else {
            PvCallgrindFunction callee = describe (save, cost->callee);
            uint32_t line = save->symbols->functions[cost->callee].line;
            pv_callgrind_writer_add_call (writer, cost->file, cost->line, &callee, line, amounts);
        }
    }
    if (!is_nothing (save, save->without_frames)) {
        const PvCallgrindFunction none = {.name = PV_NO_STACK};
        pv_callgrind_writer_begin_function (writer, &none);
        pv_callgrind_writer_add_line (writer, NULL, 0, save->without_frames);
    }
    return true;
}

/* Events are separated by blanks, and told their units by what is in parentheses. */
static char *
name_event (const PvMeasure *measure)
{
    char *name = NULL;
    switch (measure->unit) {
    case PV_UNIT_NS:
        name = g_strconcat (measure->name, "_(ns)", NULL);
        break;
    case PV_UNIT_BYTES:
        name = g_strconcat (measure->name, "_(bytes)", NULL);
        break;
    case PV_UNIT_COUNT:
    case PV_UNIT_BYTE_MS:
        name = g_strdup (measure->name);
        break;
    }
    return g_strdelimit (name, " \t", '_');
}

static PvCallgrindWriter *
begin_file (Save *save, PvWriter *out)
{
    g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
    for (uint32_t e = 0; e < save->n_events; e++)
        g_ptr_array_add (names, name_event (&save->profile->measures[save->measures.data[e]]));
    return pv_callgrind_writer_new (out, save->profile->facts.command,
                                    (const char *const *)names->pdata, save->n_events,
                                    save->totals);
}

static bool
write_file (Save *save, const char *path, GError **error)
{
    PvWriter out;
    if (!pv_writer_open (&out, path, error))
        return false;
    g_autoptr (PvCallgrindWriter) writer = begin_file (save, &out);
    bool is_done = write_costs (save, writer, &out, error);
    pv_callgrind_writer_finish (writer);
    return pv_writer_close (&out, is_done ? error : NULL) && is_done;
}

static bool
save_costs (Save *save, const char *path, GError **error)
{
    uint32_t n_stacks;
    if (!weigh_stacks (save, error))
        return false;
    pv_saved_stacks_get_all (save->stacks, &n_stacks);
    pv_array_resize (&save->weights, (size_t)n_stacks * save->n_events);
    if (!add_self_costs (save, n_stacks, error) || !add_call_costs (save, error))
        return false;
    choose_files (save);
    if (save->costs.len > 0)
        qsort_r (save->costs.data, save->costs.len, sizeof (Cost), compare_costs, save);
    return write_file (save, path, error);
}

bool
pv_save_callgrind (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                   const char *path, uint64_t *ret_n_samples, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    *ret_n_samples = 0;
    if (!pv_profile_has_weights (profile, query->measure))
        return true;
    g_assert (pv_profile_get_pair (profile, query->measure) == NULL);
    PvSampleRows *rows = pv_sample_rows_new (profile, symbols, query, job, error);
    if (rows == NULL)
        return false;
    pv_job_set_stage (job, PV_STAGE_ANALYZE, 0);
    Save save = {
        .profile = profile,
        .symbols = pv_sample_rows_get_symbols (rows),
        .rows = rows,
        .stacks = pv_saved_stacks_new (rows, profile),
        .job = job,
    };
    choose_measures (&save, query->measure);
    bool is_done = save_costs (&save, path, error);
    *ret_n_samples = save.n_samples;
    pv_array_clear (&save.measures);
    pv_array_clear (&save.weights);
    pv_array_clear (&save.costs);
    pv_array_clear (&save.amounts);
    pv_hash_map_clear (&save.cost_ids);
    g_free (save.totals);
    g_free (save.without_frames);
    g_free (save.file_of_function);
    pv_saved_stacks_free (save.stacks);
    pv_sample_rows_free (rows);
    return is_done;
}
