/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/joined.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/compare/compare-rows.h"
#include "core/analyze/join/compare-join.h"
#include "core/base/pool.h"

enum { ROWS_PER_CHECK = 65536 };

/* A measure of one of the profiles, which becomes a set of samples. */
typedef struct {
    uint32_t run;
    PvMeasureId measure;
    char *name;
    PvCompareRows rows;
    GError *error;
} Column;

typedef struct {
    const PvCompareRun *runs;
    uint32_t n_runs;
    size_t *place_of_run;
    PvJoinedFile *files; /* by run */
    PV_ARRAY (Column) columns;
    PvCompareJoin join;
    PvJob *job;
} Joining;

/* --- measures --- */

static bool
has_name (const Joining *self, size_t n_columns, const char *name)
{
    for (size_t i = 0; i < n_columns; i++)
        if (strcmp (self->columns.data[i].name, name) == 0)
            return true;
    return false;
}

/* A profile may have a name twice, and keeps that; names of earlier ones get a number. */
static char *
make_name (const Joining *self, uint32_t run, const char *name)
{
    size_t n_earlier = self->files[run].first_measure;
    g_autofree char *made = g_strdup (name);
    for (uint32_t number = run + 1; has_name (self, n_earlier, made); number++) {
        g_free (made);
        made = g_strdup_printf ("%s-%u", name, number);
    }
    return g_steal_pointer (&made);
}

static void
add_column (Joining *self, uint32_t run, PvMeasureId measure)
{
    Column column = {
        .run = run,
        .measure = measure,
        .name = make_name (self, run, self->runs[run].profile->measures[measure].name),
    };
    pv_array_push (&self->columns, column);
}

/* A run's own measure comes first. */
static bool
add_columns (Joining *self, uint32_t run, GError **error)
{
    const PvProfile *profile = self->runs[run].profile;
    PvMeasureId own = pv_compare_find_own_measure (&self->runs[run]);
    self->files[run] = (PvJoinedFile){self->runs[run].name, (PvMeasureId)self->columns.len, 0};
    if (!pv_compare_has_measure (profile, own)) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                     _ ("%s: it has no measure that can be shown together with others"),
                     self->runs[run].name);
        return false;
    }
    add_column (self, run, own);
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (m != own && pv_compare_has_measure (profile, m))
            add_column (self, run, m);
    self->files[run].has_sections = pv_profile_has_sections (profile);
    self->files[run].n_measures = (uint32_t)self->columns.len - self->files[run].first_measure;
    return true;
}

/* --- rows --- */

static void
make_rows (void *data, size_t item, unsigned worker)
{
    Joining *self = data;
    Column *column = &self->columns.data[item];
    (void)worker;
    pv_compare_rows_make (&self->runs[column->run], column->measure, &column->rows, NULL, self->job,
                          &column->error);
}

static bool
make_all_rows (Joining *self, GError **error)
{
    g_autoptr (PvPool) pool = pv_pool_new (0);
    pv_pool_run (pool, self->columns.len, make_rows, self);
    for (size_t i = 0; i < self->columns.len; i++) {
        if (self->columns.data[i].error == NULL)
            continue;
        g_propagate_error (error, g_steal_pointer (&self->columns.data[i].error));
        return false;
    }
    return true;
}

static bool
join_stacks (Joining *self, uint32_t run, GError **error)
{
    const PvProfile *profile = self->runs[run].profile;
    const PvJoinedFile *file = &self->files[run];
    g_autofree bool *is_wanted = g_new0 (bool, MAX (profile->n_stacks, 1));
    for (uint32_t i = 0; i < file->n_measures; i++) {
        const PvCompareRows *rows = &self->columns.data[file->first_measure + i].rows;
        for (size_t k = 0; k < rows->len; k++)
            is_wanted[rows->data[k].stack] = true;
    }
    return pv_compare_join_stacks (&self->join, self->place_of_run[run], is_wanted, self->job,
                                   error);
}

/* --- samples --- */

static uint32_t
add_set (Joining *self, const Column *column)
{
    PvProfileBuilder *builder = self->join.builder;
    const PvMeasure *measure = &self->runs[column->run].profile->measures[column->measure];
    uint32_t set = pv_profile_builder_add_set (builder, column->name, false);
    pv_profile_builder_add_measure (builder, set, column->name, measure->unit, PV_AGGREGATION_SUM);
    if (measure->unit_name != NULL)
        pv_profile_builder_name_unit (builder, set, 0, measure->unit_name);
    return set;
}

static bool
add_samples (Joining *self, const Column *column, GError **error)
{
    uint32_t set = add_set (self, column);
    size_t place = self->place_of_run[column->run];
    for (size_t i = 0; i < column->rows.len; i++) {
        const PvCompareRow *row = &column->rows.data[i];
        PvNewSample sample = {
            .stack = self->join.profiles.data[place].stack_of[row->stack],
            .thread = pv_compare_join_thread (&self->join, place, row->thread),
            .label_set = pv_compare_join_label_set (&self->join, place, row->label_set),
            .cpu = PV_CPU_UNKNOWN,
        };
        pv_profile_builder_add_sample (self->join.builder, set, &sample, &row->weight);
        if (i % ROWS_PER_CHECK == 0 && !pv_job_check (self->job, error))
            return false;
    }
    return true;
}

static void
add_facts (Joining *self)
{
    PvProfileBuilder *builder = self->join.builder;
    bool is_of_allocations = false;
    for (uint32_t r = 0; r < self->n_runs; r++)
        is_of_allocations |=
            self->runs[r].profile->heap != NULL || self->runs[r].profile->is_of_allocations;
    if (is_of_allocations)
        pv_profile_builder_set_of_allocations (builder);
    pv_profile_builder_set_joined (builder, self->files, self->n_runs);
    pv_profile_builder_facts (builder)->format = pv_profile_builder_string (builder, "joined");
}

/* --- the whole --- */

/* Finds the joined profile of each run. The functions that a run hides are part of its profile's
 * stacks: of several runs of one profile, the first one decides. */
static bool
find_places (Joining *self, GError **error)
{
    for (uint32_t r = 0; r < self->n_runs; r++) {
        const PvCompareRun *run = &self->runs[r];
        size_t n_known = self->join.profiles.len;
        self->place_of_run[r] = pv_compare_join_find (&self->join, run->profile, run->symbols);
        if (self->place_of_run[r] < n_known)
            continue;
        if (pv_profile_has_sections (run->profile))
            self->join.profiles.data[n_known].program = run->name;
        pv_compare_join_cut_start (&self->join, n_known);
        if (!pv_compare_join_hide (&self->join, n_known, run->query, error))
            return false;
    }
    return true;
}

static bool
build (Joining *self, PvComparison *ret_joined, GError **error)
{
    if (!find_places (self, error))
        return false;
    for (uint32_t r = 0; r < self->n_runs; r++)
        if (!add_columns (self, r, error))
            return false;
    if (!make_all_rows (self, error))
        return false;
    for (uint32_t r = 0; r < self->n_runs; r++)
        if (!join_stacks (self, r, error))
            return false;
    for (size_t i = 0; i < self->columns.len; i++)
        if (!add_samples (self, &self->columns.data[i], error))
            return false;
    add_facts (self);
    PvComparison joined = {.profile = pv_profile_builder_snapshot (self->join.builder)};
    joined.symbols = pv_compare_join_symbols (&self->join, joined.profile, NULL, self->job, error);
    if (joined.symbols == NULL) {
        pv_comparison_clear (&joined);
        return false;
    }
    *ret_joined = joined;
    return true;
}

static void
clear (Joining *self)
{
    for (size_t i = 0; i < self->columns.len; i++) {
        g_free (self->columns.data[i].name);
        pv_array_clear (&self->columns.data[i].rows);
        g_clear_error (&self->columns.data[i].error);
    }
    pv_array_clear (&self->columns);
    g_free (self->place_of_run);
    g_free (self->files);
    pv_compare_join_clear (&self->join);
}

bool
pv_joined_build (const PvCompareRun *runs, uint32_t n_runs, PvComparison *ret_joined, PvJob *job,
                 GError **error)
{
    g_assert (runs != NULL && n_runs > 0 && ret_joined != NULL);
    Joining self = {.runs = runs, .n_runs = n_runs, .job = job};
    self.place_of_run = g_new0 (size_t, n_runs);
    self.files = g_new0 (PvJoinedFile, n_runs);
    pv_compare_join_init (&self.join, NULL);
    self.join.is_of_one_build = true;
    bool is_done = build (&self, ret_joined, error);
    clear (&self);
    return is_done;
}
