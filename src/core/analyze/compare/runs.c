/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/runs.h"

#include <glib/gi18n-lib.h>
#include <pthread.h>
#include <string.h>

#include "core/analyze/compare/compare-rows.h"
#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"
#include "core/analyze/join/join-places.h"
#include "core/analyze/tables/functions.h"
#include "core/base/error.h"
#include "core/base/idmap.h"
#include "core/base/large.h"
#include "core/base/ref.h"
#include "core/model/profile/event-names.h"
#include "core/model/profile/fraction.h"
#include "core/model/profile/matcher.h"
#include "core/model/profile/short-name.h"

/* The sums of one run, until all are there; exactly as long as they need to be. */
typedef struct {
    bool is_there;
    uint32_t *functions;
    uint64_t *self;
    uint64_t *total;
} Sums;

struct PvRunsBuilder {
    uint32_t n_places;
    pthread_mutex_t lock; /* of everything below */
    PvRun *runs;          /* by place */
    Sums *sums;           /* by place */
    size_t n_entries;

    PvInterner *strings;
    PV_ARRAY (PvRunFunction) functions;
    PvHashMap function_ids; /* ids are one more than places in functions */
    const char *main_name;  /* of the first run's program; NULL: not known */
    PvJoinPlaces *places;   /* of code without names */
    size_t n_added;         /* runs that it has */
    PvIdMap module_ids;     /* of its modules */

    bool has_measure;
    const char *measure, *measure_title;
    PvUnit unit;
};

PvRunsBuilder *
pv_runs_builder_new (const char *const *names, uint32_t n_runs)
{
    g_assert (names != NULL || n_runs == 0);
    PvRunsBuilder *builder = g_new0 (PvRunsBuilder, 1);
    builder->n_places = n_runs;
    builder->runs = g_new0 (PvRun, MAX (n_runs, 1));
    builder->sums = g_new0 (Sums, MAX (n_runs, 1));
    builder->strings = pv_interner_new ();
    builder->places = pv_join_places_new (false, 0, builder->strings);
    pthread_mutex_init (&builder->lock, NULL);
    for (uint32_t r = 0; r < n_runs; r++)
        builder->runs[r] = (PvRun){
            .name =
                pv_interner_get (builder->strings, pv_interner_add (builder->strings, names[r])),
            .place = r,
            .factor = 1,
        };
    return builder;
}

static void
clear_sums (Sums *sums)
{
    g_clear_pointer (&sums->functions, g_free);
    g_clear_pointer (&sums->self, g_free);
    g_clear_pointer (&sums->total, g_free);
}

void
pv_runs_builder_free (PvRunsBuilder *builder)
{
    if (builder == NULL)
        return;
    for (uint32_t r = 0; r < builder->n_places; r++)
        clear_sums (&builder->sums[r]);
    g_free (builder->sums);
    g_free (builder->runs);
    g_clear_pointer (&builder->places, pv_join_places_free);
    pv_id_map_clear (&builder->module_ids);
    g_clear_pointer (&builder->strings, pv_interner_free);
    pv_array_clear (&builder->functions);
    pv_hash_map_clear (&builder->function_ids);
    pthread_mutex_destroy (&builder->lock);
    g_free (builder);
}

/* --- the measure --- */

static bool
set_no_measure (const char *name, GError **error)
{
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("it has no measure “%s”"), name);
    return false;
}

static bool
is_comparable (const PvProfile *profile, PvMeasureId measure)
{
    return pv_profile_has_weights (profile, measure) &&
           profile->measures[measure].part == PV_PART_NONE;
}

/* The first run's own measure becomes that of all. */
static bool
choose_measure (PvRunsBuilder *builder, const PvProfile *profile, PvMeasureId measure,
                PvMeasureId *ret_measure, GError **error)
{
    const char *name =
        pv_profile_has_weights (profile, measure) ? profile->measures[measure].name : "";
    if (!is_comparable (profile, measure))
        return set_no_measure (name, error);
    const char *title = pv_measure_get_event_title (profile, measure);
    builder->has_measure = true;
    builder->measure = pv_interner_get (builder->strings, pv_interner_add (builder->strings, name));
    builder->measure_title =
        pv_interner_get (builder->strings, pv_interner_add (builder->strings, title));
    builder->unit = profile->measures[measure].unit;
    *ret_measure = measure;
    return true;
}

static bool
find_measure (const PvRunsBuilder *builder, const PvProfile *profile, PvMeasureId *ret_measure,
              GError **error)
{
    PvMeasureId found = pv_profile_find_measure (profile, builder->measure);
    if (found == UINT32_MAX)
        found = pv_profile_find_measure_or_title (profile, builder->measure_title);
    if (!is_comparable (profile, found) || profile->measures[found].unit != builder->unit)
        return set_no_measure (builder->measure, error);
    *ret_measure = found;
    return true;
}

/* --- one run --- */

/* Length of time in which the run's samples were taken; 0: unknown. */
static uint64_t
find_duration (const PvProfile *profile, const PvQuery *query)
{
    uint64_t whole_ns =
        profile->facts.profiled_ns != 0 ? profile->facts.profiled_ns : profile->duration_ns;
    uint64_t end_ns = MIN (query->end_ns, whole_ns);
    return profile->n_dumps == 0 && end_ns > query->start_ns ? end_ns - query->start_ns : 0;
}

static bool
count_samples (PvRun *run, const PvProfile *profile, const PvSymbolTable *symbols,
               const PvQuery *query, PvJob *job, GError **error)
{
    PvCompareRun as_compared = {profile, symbols, query, run->name};
    PvCompareRows rows = {0};
    bool is_done = pv_compare_rows_make (&as_compared, query->measure, &rows, NULL, job, error);
    bool is_sampled = pv_compare_is_sampled (profile, query->measure);
    for (size_t i = 0; i < rows.len; i++) {
        run->all += rows.data[i].weight;
        run->n_samples += is_sampled ? rows.data[i].n_samples : 0;
    }
    pv_array_clear (&rows);
    return is_done;
}

/* The rows of --print=top, in any order. *ret_tree: what they are of; or NULL. */
static PvFunctionList *
list_functions (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                uint64_t *ret_whole, PvCallTree **ret_tree, PvJob *job, GError **error)
{
    *ret_tree = NULL;
    if (pv_function_list_can_sum (profile, query))
        return pv_function_list_sum (profile, symbols, query, 0, ret_whole, job, error);
    *ret_tree = pv_call_tree_build_stacks (profile, symbols, query, NULL, job, error);
    if (*ret_tree == NULL)
        return NULL;
    *ret_whole = (*ret_tree)->total[0];
    PvFunctionList *list = pv_function_list_build (*ret_tree, job);
    if (list == NULL)
        pv_job_check (job, error);
    return list;
}

/* Common part of the keys of each module's functions. */
static uint64_t *
seed_modules (const PvProfile *profile, const char *main_name)
{
    uint64_t *seeds = g_new (uint64_t, MAX (profile->n_modules, 1));
    g_autofree char *own_main = pv_compare_find_main_name (profile);
    for (PvModuleId m = 0; m < profile->n_modules; m++) {
        g_autofree char *name = pv_compare_make_module_name (&profile->modules[m]);
        const char *joined =
            main_name != NULL && g_strcmp0 (name, own_main) == 0 ? main_name : name;
        seeds[m] = m == 0 ? 0 : pv_hash_bytes (joined, strlen (joined), 0).a;
    }
    return seeds;
}

/* place: its name in all runs, if it has no other one than its place; or NULL. */
static PvHash
make_key (const PvProfile *profile, const PvFunction *function, const char *place,
          const uint64_t *seeds)
{
    const PvModule *module = &profile->modules[function->module];
    uint64_t seed = seeds[function->module];
    if (place != NULL)
        return pv_hash_bytes (place, strlen (place), seed);
    if (function->kind != PV_FUNCTION_NAMED)
        seed ^= pv_hash_bytes (module->build_id, module->build_id_size, 1).a;
    g_autofree char *unified =
        function->kind == PV_FUNCTION_NAMED ? pv_unify_name (function->name) : NULL;
    const char *name = unified != NULL ? unified : function->name;
    return pv_hash_bytes (name, strlen (name), seed);
}

static const char *
keep_string (PvRunsBuilder *builder, const char *string)
{
    return pv_interner_get (builder->strings,
                            pv_interner_add (builder->strings, string != NULL ? string : ""));
}

/* The function's place; under the lock. */
static uint32_t
find_function (PvRunsBuilder *builder, const PvProfile *profile, const PvFunction *function,
               const char *place, PvHash key)
{
    uint32_t *slot = pv_hash_map_slot (&builder->function_ids, key);
    if (*slot == 0) {
        PvRunFunction kept = {
            .name = keep_string (builder, place != NULL ? place : function->name),
            .short_name = keep_string (builder, place != NULL ? place : function->short_name),
            .label = keep_string (builder, place != NULL             ? place
                                           : function->label != NULL ? function->label
                                                                     : function->short_name),
            .module = keep_string (
                builder, function->module != 0 ? profile->modules[function->module].name : ""),
        };
        pv_array_push (&builder->functions, kept);
        *slot = (uint32_t)builder->functions.len;
    }
    return *slot - 1;
}

static int
compare_ids (const void *a, const void *b)
{
    const PvFunctionRow *x = a, *y = b;
    return (x->function > y->function) - (x->function < y->function);
}

/* Puts the rows in the order of their functions, and adds up those that are the same one. */
static uint32_t
join_rows (PvFunctionRow *rows, uint32_t n_rows)
{
    uint32_t n = 0;
    if (n_rows > 0)
        qsort (rows, n_rows, sizeof *rows, compare_ids);
    for (uint32_t i = 0; i < n_rows; i++) {
        if (n > 0 && rows[n - 1].function == rows[i].function) {
            rows[n - 1].self += rows[i].self;
            rows[n - 1].total += rows[i].total;
        } else {
            rows[n++] = rows[i];
        }
    }
    return n;
}

static void
keep_sums (Sums *sums, const PvFunctionRow *rows, uint32_t n)
{
    sums->is_there = true;
    sums->functions = g_new (uint32_t, MAX (n, 1));
    sums->self = g_new (uint64_t, MAX (n, 1));
    sums->total = g_new (uint64_t, MAX (n, 1));
    for (uint32_t i = 0; i < n; i++) {
        sums->functions[i] = rows[i].function;
        sums->self[i] = rows[i].self;
        sums->total[i] = rows[i].total;
    }
}

/* Finds the places of a run's code without names, under the lock. Returns the number of the run. */
static size_t
add_places (PvRunsBuilder *builder, const PvProfile *profile, const PvSymbolTable *symbols,
            const uint64_t *seeds, PvJob *job)
{
    g_autofree PvModuleId *module_of = g_new0 (PvModuleId, MAX (symbols->n_functions, 1));
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        const PvModuleId module = symbols->functions[f].module;
        uint32_t *id = module != 0 ? pv_id_map_slot (&builder->module_ids, seeds[module]) : NULL;
        if (id != NULL && *id == 0)
            *id = builder->module_ids.len;
        module_of[f] = id != NULL ? *id : 0;
    }
    pv_join_places_add (builder->places, profile, symbols, module_of, NULL, job);
    return builder->n_added++;
}

/* The functions of the rows become those of the builder. */
static bool
add_rows (PvRunsBuilder *builder, const PvRun *run, const PvProfile *profile,
          const PvSymbolTable *symbols, PvFunctionList *list, PvJob *job, GError **error)
{
    pthread_mutex_lock (&builder->lock);
    if (builder->main_name == NULL && builder->functions.len == 0) {
        g_autofree char *own_main = pv_compare_find_main_name (profile);
        builder->main_name = own_main != NULL ? keep_string (builder, own_main) : NULL;
    }
    const char *main_name = builder->main_name;
    bool is_full = builder->n_entries + list->n_rows > PV_RUNS_MAX_ENTRIES ||
                   pv_interner_count_bytes (builder->strings) > PV_RUNS_MAX_NAME_BYTES;
    builder->n_entries += is_full ? 0 : list->n_rows;
    pthread_mutex_unlock (&builder->lock);
    if (is_full) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_TOO_LARGE,
                             _ ("the runs have too many functions together"));
        return false;
    }
    g_autofree uint64_t *seeds = seed_modules (profile, main_name);
    pthread_mutex_lock (&builder->lock);
    const size_t n_added = add_places (builder, profile, symbols, seeds, job);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunction *function = &symbols->functions[list->rows[i].function];
        const char *place =
            pv_join_places_get_name (builder->places, n_added, list->rows[i].function);
        list->rows[i].function = find_function (builder, profile, function, place,
                                                make_key (profile, function, place, seeds));
    }
    pv_join_places_forget (builder->places, n_added);
    pthread_mutex_unlock (&builder->lock);

    uint32_t n = join_rows (list->rows, list->n_rows);
    pthread_mutex_lock (&builder->lock);
    builder->runs[run->place] = *run;
    builder->runs[run->place].n_functions = n;
    keep_sums (&builder->sums[run->place], list->rows, n);
    pthread_mutex_unlock (&builder->lock);
    return true;
}

/* Adds a run by its query, which has the measure of all runs. */
static bool
add_run (PvRunsBuilder *builder, uint32_t place, const PvProfile *profile,
         const PvSymbolTable *symbols, const PvQuery *query, PvJob *job, GError **error)
{
    PvRun run = builder->runs[place];
    g_autoptr (PvCallTree) tree = NULL;
    run.duration_ns = find_duration (profile, query);
    run.ones = pv_fraction_get_ones (&profile->measures[query->measure]);
    if (!count_samples (&run, profile, symbols, query, job, error))
        return false;
    g_autoptr (PvFunctionList) list =
        list_functions (profile, symbols, query, &run.whole, &tree, job, error);
    if (list == NULL || !pv_query_check_complete (query, error))
        return false;
    return add_rows (builder, &run, profile, tree != NULL ? tree->symbols : symbols, list, job,
                     error);
}

bool
pv_runs_builder_add (PvRunsBuilder *builder, uint32_t place, const PvProfile *profile,
                     const PvSymbolTable *symbols, const PvQuery *query, PvJob *job, GError **error)
{
    g_assert (builder != NULL && place < builder->n_places && !builder->sums[place].is_there);
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    PvMeasureId measure;
    pthread_mutex_lock (&builder->lock);
    bool is_found = builder->has_measure
                        ? find_measure (builder, profile, &measure, error)
                        : choose_measure (builder, profile, query->measure, &measure, error);
    pthread_mutex_unlock (&builder->lock);
    if (!is_found)
        return false;
    PvQuery own;
    pv_query_copy (&own, query);
    own.measure = measure;
    pv_query_set_grouping (&own, PV_GROUP_NONE, NULL);
    bool is_done = add_run (builder, place, profile, symbols, &own, job, error);
    pv_query_clear (&own);
    return is_done;
}

/* --- all of them --- */

static void
find_first_entries (PvRuns *runs, const Sums *sums)
{
    runs->first_of_function = pv_new0_large (size_t, (size_t)runs->n_functions + 1);
    for (uint32_t r = 0; r < runs->n_runs; r++)
        for (uint32_t i = 0; i < runs->runs[r].n_functions; i++)
            runs->first_of_function[sums[runs->runs[r].place].functions[i] + 1]++;
    for (uint32_t f = 0; f < runs->n_functions; f++)
        runs->first_of_function[f + 1] += runs->first_of_function[f];
}

/* Reorders sums from by run to by function; frees those that have moved. */
static void
move_sums (PvRuns *runs, Sums *sums)
{
    size_t n = runs->first_of_function[runs->n_functions];
    g_autofree size_t *next = pv_new_large (size_t, (size_t)runs->n_functions + 1);
    memcpy (next, runs->first_of_function, ((size_t)runs->n_functions + 1) * sizeof *next);
    runs->run_of_entry = pv_new_large (uint32_t, MAX (n, 1));
    runs->self_of_entry = pv_new_large (uint64_t, MAX (n, 1));
    runs->total_of_entry = pv_new_large (uint64_t, MAX (n, 1));
    for (uint32_t r = 0; r < runs->n_runs; r++) {
        Sums *of_run = &sums[runs->runs[r].place];
        for (uint32_t i = 0; i < runs->runs[r].n_functions; i++) {
            size_t entry = next[of_run->functions[i]]++;
            runs->run_of_entry[entry] = r;
            runs->self_of_entry[entry] = of_run->self[i];
            runs->total_of_entry[entry] = of_run->total[i];
        }
        clear_sums (of_run);
    }
}

/* Gives all amounts the smallest unit that one of the runs has for fractions. */
static void
refine_amounts (PvRuns *runs, Sums *sums)
{
    uint64_t most = 1;
    for (uint32_t r = 0; r < runs->n_runs; r++)
        most = MAX (most, runs->runs[r].ones);
    for (uint32_t r = 0; r < runs->n_runs; r++) {
        PvRun *run = &runs->runs[r];
        uint64_t times = most / run->ones;
        if (times == 1)
            continue;
        run->whole = pv_fraction_refine (run->whole, times);
        run->all = pv_fraction_refine (run->all, times);
        run->ones = most;
        for (uint32_t i = 0; i < run->n_functions; i++) {
            sums[run->place].self[i] = pv_fraction_refine (sums[run->place].self[i], times);
            sums[run->place].total[i] = pv_fraction_refine (sums[run->place].total[i], times);
        }
    }
}

PvRuns *
pv_runs_builder_finish (PvRunsBuilder *builder)
{
    g_assert (builder != NULL && builder->strings != NULL);
    PvRuns *runs = g_new0 (PvRuns, 1);
    runs->ref_count = 1;
    runs->runs = g_new0 (PvRun, MAX (builder->n_places, 1));
    for (uint32_t r = 0; r < builder->n_places; r++)
        if (builder->sums[r].is_there)
            runs->runs[runs->n_runs++] = builder->runs[r];
    if (runs->n_runs == 0) {
        pv_runs_unref (runs);
        return NULL;
    }
    runs->measure = builder->measure;
    runs->unit = builder->unit;
    runs->strings = g_steal_pointer (&builder->strings);
    pv_interner_seal (runs->strings);
    runs->n_functions = (uint32_t)builder->functions.len;
    runs->functions = pv_array_steal (&builder->functions);
    pv_hash_map_clear (&builder->function_ids);
    refine_amounts (runs, builder->sums);
    find_first_entries (runs, builder->sums);
    move_sums (runs, builder->sums);
    return runs;
}

void
pv_runs_unref (PvRuns *runs)
{
    if (!pv_ref_was_last (runs))
        return;
    g_free (runs->runs);
    g_free (runs->functions);
    g_free (runs->first_of_function);
    g_free (runs->run_of_entry);
    g_free (runs->self_of_entry);
    g_free (runs->total_of_entry);
    g_clear_pointer (&runs->strings, pv_interner_free);
    g_free (runs);
}

/* --- amounts --- */

uint64_t
pv_run_scale_amount (const PvRun *run, uint64_t amount)
{
    g_assert (run != NULL);
    if (run->factor == 1)
        return amount;
    double scaled = (double)amount * run->factor + 0.5;
    return scaled < 0x1p63 ? (uint64_t)scaled : UINT64_C (1) << 63;
}

void
pv_runs_get_line (const PvRuns *runs, uint32_t function, bool is_self, uint64_t *ret_amounts)
{
    g_assert (runs != NULL && function < runs->n_functions && ret_amounts != NULL);
    const uint64_t *amounts = is_self ? runs->self_of_entry : runs->total_of_entry;
    memset (ret_amounts, 0, runs->n_runs * sizeof *ret_amounts);
    for (size_t i = runs->first_of_function[function]; i < runs->first_of_function[function + 1];
         i++) {
        uint32_t r = runs->run_of_entry[i];
        ret_amounts[r] = pv_run_scale_amount (&runs->runs[r], amounts[i]);
    }
}

/* --- scale --- */

/* UINT32_MAX with an error. */
static uint32_t
find_scale_function (const PvRuns *runs, const char *expression, GError **error)
{
    g_autoptr (PvMatcher) matcher = pv_matcher_new (expression, false, error);
    uint32_t found = UINT32_MAX;
    double most = 0;
    for (uint32_t f = 0; matcher != NULL && f < runs->n_functions; f++) {
        double total = 0;
        for (size_t i = runs->first_of_function[f]; i < runs->first_of_function[f + 1]; i++)
            total += (double)runs->total_of_entry[i];
        if (total > most && (pv_matcher_match (matcher, runs->functions[f].name) ||
                             pv_matcher_match (matcher, runs->functions[f].short_name))) {
            most = total;
            found = f;
        }
    }
    if (matcher != NULL && pv_matcher_gave_up (matcher)) {
        pv_matcher_set_slow (expression, error);
        return UINT32_MAX;
    }
    if (matcher != NULL && found == UINT32_MAX)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("no function matches “%s”"),
                     expression);
    return found;
}

/* Amount that the scale makes equal in all runs. */
static double
get_scaled_by (const PvRun *run, PvScale scale, const uint64_t *line, uint32_t r)
{
    switch (scale) {
    case PV_SCALE_TOTAL:
        return (double)run->all;
    case PV_SCALE_TIME:
        return (double)run->duration_ns;
    case PV_SCALE_FUNCTION:
        return (double)line[r];
    case PV_SCALE_NONE:
    case PV_N_SCALES:
        break;
    }
    return 1;
}

bool
pv_runs_scale (PvRuns *runs, PvScale scale, const char *expression, uint32_t *ret_function,
               GError **error)
{
    g_assert (runs != NULL && scale < PV_N_SCALES);
    g_assert (scale != PV_SCALE_FUNCTION || expression != NULL);
    g_autofree uint64_t *line = g_new0 (uint64_t, runs->n_runs);
    uint32_t function = UINT32_MAX;
    for (uint32_t r = 0; r < runs->n_runs; r++)
        runs->runs[r].factor = 1;
    if (scale == PV_SCALE_FUNCTION) {
        function = find_scale_function (runs, expression, error);
        if (function == UINT32_MAX)
            return false;
        pv_runs_get_line (runs, function, false, line);
    }
    uint32_t last = runs->n_runs - 1;
    double wanted = get_scaled_by (&runs->runs[last], scale, line, last);
    for (uint32_t r = 0; r < runs->n_runs; r++) {
        double amount = get_scaled_by (&runs->runs[r], scale, line, r);
        if (amount <= 0 || wanted <= 0) {
            g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                         scale == PV_SCALE_TIME ? _ ("%s does not say how long it was recorded")
                                                : _ ("%s has a total of 0, so it cannot be scaled"),
                         runs->runs[amount <= 0 ? r : last].name);
            return false;
        }
        runs->runs[r].factor = wanted / amount;
    }
    *ret_function = function;
    return true;
}
