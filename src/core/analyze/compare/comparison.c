/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/compare/comparison.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/analyze/compare/compare-rows.h"
#include "core/analyze/join/compare-join.h"
#include "core/analyze/join/join-modules.h"
#include "core/analyze/renames/renames.h"
#include "core/base/pool.h"
#include "core/model/profile/event-names.h"
#include "core/model/profile/fraction.h"

/* A difference between the sides in samples without any function that is said. */
#define MIN_SHARE_WITHOUT 0.01

/* Runs of both sides in one list, the new ones first: what is said once is said of them. */
typedef struct {
    const PvCompareRun *run;
    PvSide side;
    size_t place; /* of its profile */
} Run;

/* A measure that all runs have. */
typedef struct {
    const char *name;
    PvMeasureId *of_run;
    bool is_sampled;
    bool
        is_in_samples; /* numbers of samples are compared, as folded stacks have no other amounts */
} Shared;

/* One run's rows of one measure. */
typedef struct {
    const Run *run;
    PvMeasureId measure;
    PvCompareRows rows; /* until they are samples of the comparison */
    uint32_t n_rows;
    PvCompareEntries entries;
    GError *error;
} Part;

typedef struct {
    const PvCompareInput *input;
    PvJob *job;
    uint32_t n_runs;
    Run *runs;
    PV_ARRAY (Shared) shared;
    Part *parts; /* by measure, then by run */
    PvCompareJoin join;
} Comparing;

void
pv_comparison_clear (PvComparison *comparison)
{
    g_clear_pointer (&comparison->profile, pv_profile_free);
    g_clear_pointer (&comparison->symbols, pv_symbol_table_free);
}

/* --- measures --- */

PvMeasureId
pv_comparison_find_like (const PvProfile *profile, const PvProfile *other, PvMeasureId measure)
{
    g_assert (profile != NULL && other != NULL && measure < other->n_measures);
    const PvMeasure *wanted = &other->measures[measure];
    if (profile == other)
        return measure;
    if (pv_compare_is_folded (profile) != pv_compare_is_folded (other))
        return UINT32_MAX; /* its “samples” may be anything */
    PvMeasureId found = pv_profile_find_measure (profile, wanted->name);
    if (found == UINT32_MAX)
        found =
            pv_profile_find_measure_or_title (profile, pv_measure_get_event_title (other, measure));
    bool is_same =
        pv_compare_has_measure (profile, found) && profile->measures[found].unit == wanted->unit;
    return is_same ? found : UINT32_MAX;
}

static void
add_shared (Comparing *self, const char *name, PvMeasureId *of_run)
{
    Shared shared = {.name = name, .of_run = of_run, .is_sampled = true};
    for (uint32_t r = 0; r < self->n_runs; r++)
        shared.is_sampled &= pv_compare_is_sampled (self->runs[r].run->profile, of_run[r]);
    pv_array_push (&self->shared, shared);
}

/* Amounts of the same unit may count different things: cycles, and page faults. */
static void
note_difference (Comparing *self, const PvMeasure *base, const PvMeasure *newer)
{
    const bool is_wanted = self->input->runs[PV_SIDE_BASE][0].query->is_measure_chosen;

    pv_profile_builder_note (self->join.builder, is_wanted ? PV_NOTE_INFO : PV_NOTE_WARNING,
                             PV_NOTE_GENERAL, 0,
                             /* Translators: names of measures */
                             _ ("“%s” of the base is compared with “%s”"), base->name, newer->name);
    const bool is_folded = pv_compare_is_folded (self->input->runs[PV_SIDE_BASE][0].profile) ||
                           pv_compare_is_folded (self->input->runs[PV_SIDE_NEW][0].profile);
    if (is_folded && base->total != newer->total)
        pv_profile_builder_note (self->join.builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("Folded stacks do not say what their numbers count. If that is "
                                    "something else than on the other side, only shares can be "
                                    "compared: scale to equal totals (--scale=total)."));
}

/* Notes where functions lack what stacks without any function have. */
static void
note_no_functions (Comparing *self)
{
    double share[PV_N_SIDES] = {0};
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        uint64_t whole = 0, without = 0;
        for (uint32_t r = 0; r < self->n_runs; r++) {
            const Part *part = &self->parts[r];
            for (size_t i = 0; i < part->rows.len && part->run->side == side; i++) {
                whole += part->rows.data[i].weight;
                without += part->rows.data[i].stack == 0 ? part->rows.data[i].weight : 0;
            }
        }
        share[side] = whole > 0 ? (double)without / (double)whole : 0;
    }
    if (fabs (share[PV_SIDE_BASE] - share[PV_SIDE_NEW]) < MIN_SHARE_WITHOUT)
        return;
    pv_profile_builder_note (
        self->join.builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0,
        /* Translators: two shares, such as 0.0 % and 12.5 % */
        _ ("Samples without any function are %.1f %% of the base and %.1f %% of the new side. What "
           "one side has more of these, it has less in functions, without a change of the "
           "program."),
        share[PV_SIDE_BASE] * 100, share[PV_SIDE_NEW] * 100);
}

/* True if a run's measure is of differences: one side of a comparison was taken from the other when
 * the file was written. */
static bool
is_difference (const PvCompareRun *run)
{
    return run->profile->n_pairs > 0 &&
           !pv_compare_has_measure (run->profile, pv_compare_find_own_measure (run));
}

static void
set_nothing_shared (const Comparing *self, GError **error)
{
    bool has_program = false;
    for (uint32_t r = 0; r < self->n_runs; r++) {
        has_program |= pv_profile_has_sections (self->runs[r].run->profile);
        if (!is_difference (self->runs[r].run))
            continue;
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                     /* Translators: the name of a file */
                     _ ("%s is itself the difference of two profiles, which cannot be compared "
                        "again. Compare the profiles that it was made of"),
                     self->runs[r].run->name);
        return;
    }
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                         has_program
                             ? _ ("The profiles have no measure in common: of a program "
                                  "there are sizes only. To see these beside a profile, "
                                  "function by function, use Compare › Combine With Another "
                                  "Profile in the window, or --with=PROGRAM on the command line")
                             : _ ("The profiles have no measure in common"));
}

/* True if one side is folded stacks whose numbers are of samples, as far as their size tells: they
 * are nearer to the number of samples on the other side than to its amounts. */
static bool
are_in_samples (const Comparing *self, const PvProfile *const *profiles, const PvMeasureId *own)
{
    const bool is_base_folded = pv_compare_is_folded (profiles[PV_SIDE_BASE]);
    const PvSide folded = is_base_folded ? PV_SIDE_BASE : PV_SIDE_NEW, other = 1 - folded;
    if (is_base_folded == pv_compare_is_folded (profiles[PV_SIDE_NEW]) ||
        self->input->runs[PV_SIDE_BASE][0].query->is_measure_chosen ||
        self->input->runs[PV_SIDE_NEW][0].query->is_measure_chosen)
        return false;
    const double amount = (double)profiles[folded]->measures[own[folded]].total /
                          (double)pv_fraction_get_ones (&profiles[folded]->measures[own[folded]]);
    const double whole = (double)profiles[other]->measures[own[other]].total;
    const double n_samples = (double)pv_compare_count_samples (profiles[other], own[other]);
    return amount > 0 && n_samples > 0 && whole > n_samples &&
           fabs (log (amount / n_samples)) < fabs (log (amount / whole));
}

static void
note_samples (Comparing *self, const PvProfile *const *profiles, const PvMeasureId *own)
{
    const PvSide other = pv_compare_is_folded (profiles[PV_SIDE_BASE]) ? PV_SIDE_NEW : PV_SIDE_BASE;
    pv_profile_builder_note (
        self->join.builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
        /* Translators: the name of a measure */
        _ ("Folded stacks do not say what their numbers count. As they are like numbers of "
           "samples, "
           "these are compared, and not “%s”. If that is wrong, choose the measure."),
        profiles[other]->measures[own[other]].name);
}

/* Finds the measure of a run of each side that is compared. *ret_like: the base's that is like the
 * new one's, or UINT32_MAX. False: they have no measure in common. */
static bool
find_own_measures (const PvCompareRun *base, const PvCompareRun *newer, PvMeasureId own[PV_N_SIDES],
                   PvMeasureId *ret_like)
{
    own[PV_SIDE_BASE] = pv_compare_find_own_measure (base);
    own[PV_SIDE_NEW] = pv_compare_find_own_measure (newer);
    *ret_like = UINT32_MAX;
    if (!pv_compare_has_measure (newer->profile, own[PV_SIDE_NEW]))
        return false;
    *ret_like = pv_comparison_find_like (base->profile, newer->profile, own[PV_SIDE_NEW]);
    if (*ret_like != UINT32_MAX && !base->query->is_measure_chosen)
        own[PV_SIDE_BASE] = *ret_like;
    return pv_compare_has_measure (base->profile, own[PV_SIDE_BASE]) &&
           (base->profile->measures[own[PV_SIDE_BASE]].unit ==
                newer->profile->measures[own[PV_SIDE_NEW]].unit ||
            pv_compare_is_folded (base->profile) || pv_compare_is_folded (newer->profile));
}

bool
pv_comparison_can_build (const PvCompareRun *base, const PvCompareRun *newer)
{
    g_assert (base != NULL && newer != NULL);
    PvMeasureId own[PV_N_SIDES], like;
    return find_own_measures (base, newer, own, &like);
}

/* The measure of the first run of each side, and what the other runs of the side have like it. */
static bool
add_own_measures (Comparing *self, GError **error)
{
    g_autofree PvMeasureId *of_run = g_new (PvMeasureId, self->n_runs);
    PvMeasureId own[PV_N_SIDES], like;
    const PvProfile *profiles[PV_N_SIDES];
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        profiles[side] = self->input->runs[side][0].profile;
    bool is_fine = find_own_measures (&self->input->runs[PV_SIDE_BASE][0],
                                      &self->input->runs[PV_SIDE_NEW][0], own, &like);
    const bool is_in_samples = is_fine && are_in_samples (self, profiles, own);
    if (is_in_samples)
        note_samples (self, profiles, own);
    else if (is_fine && own[PV_SIDE_BASE] != like)
        note_difference (self, &profiles[PV_SIDE_BASE]->measures[own[PV_SIDE_BASE]],
                         &profiles[PV_SIDE_NEW]->measures[own[PV_SIDE_NEW]]);
    for (uint32_t r = 0; r < self->n_runs && is_fine; r++) {
        PvSide side = self->runs[r].side;
        of_run[r] = pv_comparison_find_like (self->runs[r].run->profile, profiles[side], own[side]);
        is_fine = of_run[r] != UINT32_MAX;
    }
    if (!is_fine) {
        set_nothing_shared (self, error);
        return false;
    }
    const PvSide named =
        is_in_samples && !pv_compare_is_folded (profiles[PV_SIDE_NEW]) ? PV_SIDE_BASE : PV_SIDE_NEW;
    add_shared (self, profiles[named]->measures[own[named]].name, g_steal_pointer (&of_run));
    self->shared.data[0].is_in_samples = is_in_samples;
    return true;
}

static void
add_other_measures (Comparing *self)
{
    const PvProfile *first = self->runs[0].run->profile;
    for (PvMeasureId m = 0; m < first->n_measures; m++) {
        if (m == self->shared.data[0].of_run[0] || !pv_compare_has_measure (first, m))
            continue;
        g_autofree PvMeasureId *of_run = g_new (PvMeasureId, self->n_runs);
        bool is_everywhere = true;
        for (uint32_t r = 0; r < self->n_runs && is_everywhere; r++) {
            of_run[r] = r == 0 ? m : pv_comparison_find_like (self->runs[r].run->profile, first, m);
            is_everywhere = of_run[r] != UINT32_MAX;
        }
        if (is_everywhere)
            add_shared (self, first->measures[m].name, g_steal_pointer (&of_run));
    }
}

static bool
is_shared (const Comparing *self, uint32_t run, PvMeasureId measure)
{
    for (size_t i = 0; i < self->shared.len; i++)
        if (self->shared.data[i].of_run[run] == measure)
            return true;
    return false;
}

/* True if the measure of a run is neither compared nor in all other runs. */
static bool
is_left_out (const Comparing *self, uint32_t run, PvMeasureId measure)
{
    const PvProfile *profile = self->runs[run].run->profile;
    if (!pv_compare_has_measure (profile, measure) || is_shared (self, run, measure))
        return false;
    for (uint32_t r = 0; r < self->n_runs; r++)
        if (pv_comparison_find_like (self->runs[r].run->profile, profile, measure) == UINT32_MAX)
            return true;
    return false;
}

/* Notes the measures that cannot be compared, as not all runs have them. */
static void
note_left_out (Comparing *self)
{
    g_autoptr (GPtrArray) names = g_ptr_array_new ();
    for (uint32_t r = 0; r < self->n_runs; r++) {
        const PvProfile *profile = self->runs[r].run->profile;
        for (PvMeasureId m = 0; m < profile->n_measures; m++)
            if (is_left_out (self, r, m) &&
                !g_ptr_array_find_with_equal_func (names, profile->measures[m].name, g_str_equal,
                                                   NULL))
                g_ptr_array_add (names, (char *)profile->measures[m].name);
    }
    if (names->len == 0)
        return;
    g_ptr_array_add (names, NULL);
    g_autofree char *list = g_strjoinv (", ", (char **)names->pdata);
    pv_profile_builder_note (self->join.builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                             /* Translators: names of measures, with commas */
                             _ ("Not all profiles have these measures, so they are not compared: "
                                "%s."),
                             list);
}

/* --- rows --- */

static void
make_part (void *data, size_t item, unsigned worker)
{
    Comparing *self = data;
    Part *part = &self->parts[item];
    (void)worker;
    const bool is_in_samples = self->shared.data[item / self->n_runs].is_in_samples &&
                               !pv_compare_is_folded (part->run->run->profile);
    if (!pv_compare_rows_make (part->run->run, part->measure, &part->rows,
                               is_in_samples ? NULL : &part->entries, self->job, &part->error))
        return;
    for (size_t i = 0; i < part->rows.len && is_in_samples; i++)
        part->rows.data[i].weight = part->rows.data[i].n_samples;
}

static bool
make_parts (Comparing *self, GError **error)
{
    size_t n = self->shared.len * self->n_runs;
    self->parts = g_new0 (Part, n);
    for (size_t i = 0; i < n; i++) {
        self->parts[i].run = &self->runs[i % self->n_runs];
        self->parts[i].measure = self->shared.data[i / self->n_runs].of_run[i % self->n_runs];
    }
    g_autoptr (PvPool) pool = pv_pool_new (0);
    pv_pool_run (pool, n, make_part, self);
    for (size_t i = 0; i < n; i++) {
        if (self->parts[i].error != NULL) {
            g_propagate_error (error, g_steal_pointer (&self->parts[i].error));
            return false;
        }
    }
    return true;
}

/* --- one recording --- */

/* The rows of a run. */
typedef struct {
    uint64_t whole;
    GHashTable *names; /* of its functions */
} Content;

static void
add_stack_names (const PvCompareRun *run, PvStackId stack, bool *is_seen, const Content *content)
{
    for (; stack != 0 && !is_seen[stack]; stack = run->profile->parent_of_stack[stack]) {
        uint32_t n;
        const PvFrame *chain =
            pv_symbol_table_frames (run->symbols, run->profile->location_of_stack[stack], &n);
        is_seen[stack] = true;
        for (uint32_t i = 0; i < n; i++) {
            const PvFunction *function = &run->symbols->functions[chain[i].function];
            if (!pv_compare_is_unmapped (function, run->profile))
                g_hash_table_add (content->names, (char *)function->name);
        }
    }
}

static Content
find_content (const Part *part)
{
    const PvCompareRun *run = part->run->run;
    g_autofree bool *is_seen = g_new0 (bool, MAX (run->profile->n_stacks, 1));
    Content content = {.names = g_hash_table_new (g_str_hash, g_str_equal)};
    for (size_t i = 0; i < part->rows.len; i++) {
        content.whole += part->rows.data[i].weight;
        add_stack_names (run, part->rows.data[i].stack, is_seen, &content);
    }
    return content;
}

static bool
has_all (GHashTable *names, GHashTable *wanted)
{
    GHashTableIter iter;
    gpointer name;
    g_hash_table_iter_init (&iter, wanted);
    while (g_hash_table_iter_next (&iter, &name, NULL))
        if (!g_hash_table_contains (names, name))
            return false;
    return true;
}

/* True if both sides are one recording, in different files: they have the same amount, and one has
 * all functions of the other, which may lack allocators. Then addresses without a name are the same
 * places, even where no build-id tells that. */
static bool
is_one_recording (const Comparing *self)
{
    if (self->n_runs != 2)
        return false;
    Content contents[] = {find_content (&self->parts[0]), find_content (&self->parts[1])};
    bool is_one =
        contents[0].whole == contents[1].whole && (has_all (contents[0].names, contents[1].names) ||
                                                   has_all (contents[1].names, contents[0].names));
    for (size_t i = 0; i < G_N_ELEMENTS (contents); i++)
        g_hash_table_unref (contents[i].names);
    return is_one;
}

static bool
join_stacks (Comparing *self, GError **error)
{
    size_t n = self->shared.len * self->n_runs;
    for (uint32_t r = 0; r < self->n_runs; r++) {
        const PvProfile *profile = self->runs[r].run->profile;
        g_autofree bool *is_wanted = g_new0 (bool, MAX (profile->n_stacks, 1));
        for (size_t i = r; i < n; i += self->n_runs)
            for (size_t k = 0; k < self->parts[i].rows.len; k++)
                is_wanted[self->parts[i].rows.data[k].stack] = true;
        if (!pv_compare_join_stacks (&self->join, self->runs[r].place, is_wanted, self->job, error))
            return false;
    }
    return true;
}

/* --- samples --- */

enum { ROWS_PER_CHECK = 65536 };

/* The columns of a set: one for all, two for the sides, two for their samples, one for each run. */
enum { COLUMN_BOTH, COLUMN_BASE, COLUMN_NEW, COLUMN_BASE_SAMPLES, COLUMN_NEW_SAMPLES, N_COLUMNS };

/* How many units of the run's measure are 1 of its file. */
static uint64_t
get_ones (const Comparing *self, const Shared *shared, uint32_t run)
{
    const PvProfile *profile = self->runs[run].run->profile;
    return shared->is_in_samples && !pv_compare_is_folded (profile)
               ? 1
               : pv_fraction_get_ones (&profile->measures[shared->of_run[run]]);
}

/* The run with the smallest unit for fractions, which all get. */
static uint32_t
find_finest (const Comparing *self, const Shared *shared)
{
    uint32_t finest = 0;
    for (uint32_t r = 1; r < self->n_runs; r++)
        if (get_ones (self, shared, r) > get_ones (self, shared, finest))
            finest = r;
    return finest;
}

/* The measure as the first run has it that tells its unit; else as the first run does, or the one
 * with the smallest unit for fractions. */
static const PvMeasure *
find_measure_with_unit (const Comparing *self, const Shared *shared)
{
    uint32_t found = 0;
    while (found < self->n_runs &&
           pv_compare_is_folded (self->runs[found].run->profile) != shared->is_in_samples)
        found++;
    found = found < self->n_runs ? found : find_finest (self, shared);
    return &self->runs[found].run->profile->measures[shared->of_run[found]];
}

static void
add_column (Comparing *self, const Shared *shared, uint32_t set, uint32_t pair, const char *suffix,
            PvMeasurePart part, PvSide side)
{
    PvProfileBuilder *builder = self->join.builder;
    const PvMeasure *measure = find_measure_with_unit (self, shared);
    g_autofree char *name = g_strconcat (shared->name, suffix, NULL);
    uint32_t column = pv_profile_builder_count_measures (builder, set);
    bool is_count = part == PV_PART_SAMPLES;
    pv_profile_builder_add_measure (builder, set, name, is_count ? PV_UNIT_COUNT : measure->unit,
                                    PV_AGGREGATION_SUM);
    if (!is_count && measure->unit_name != NULL)
        pv_profile_builder_name_unit (builder, set, column, measure->unit_name);
    pv_profile_builder_set_part (builder, set, column, pair, part, side);
}

static void
add_set (Comparing *self, const Shared *shared, uint32_t *ret_set)
{
    PvProfileBuilder *builder = self->join.builder;
    uint32_t set = pv_profile_builder_add_set (builder, shared->name, false);
    uint32_t pair = pv_profile_builder_add_pair (builder);
    add_column (self, shared, set, pair, "", PV_PART_BOTH, PV_SIDE_NEW);
    add_column (self, shared, set, pair, "-base", PV_PART_SIDE, PV_SIDE_BASE);
    add_column (self, shared, set, pair, "-new", PV_PART_SIDE, PV_SIDE_NEW);
    if (shared->is_sampled) {
        add_column (self, shared, set, pair, "-base-samples", PV_PART_SAMPLES, PV_SIDE_BASE);
        add_column (self, shared, set, pair, "-new-samples", PV_PART_SAMPLES, PV_SIDE_NEW);
    }
    for (uint32_t r = 0; r < self->n_runs; r++) {
        PvSide side = self->runs[r].side;
        g_autofree char *suffix =
            g_strdup_printf (side == PV_SIDE_BASE ? "-base-run-%u" : "-new-run-%u", r + 1);
        if (self->input->n_runs[PV_SIDE_BASE] + self->input->n_runs[PV_SIDE_NEW] > 2)
            add_column (self, shared, set, pair, suffix, PV_PART_RUN, side);
    }
    *ret_set = set;
}

/* The part that a row of one of n runs adds to their mean. Where all have the row with the same
 * weight, the parts add up to that (C. Hermite: the sum of floor ((w + r) / n) for r below n is w);
 * else they are right on average, as rows begin with different runs. */
static uint64_t
divide (uint64_t weight, uint64_t n_runs, uint64_t run, uint64_t row)
{
    return n_runs == 1 ? weight : (weight + (run + row) % n_runs) / n_runs;
}

/* Adds the rows of one run, and frees them. A side with several runs has the mean of them. */
static bool
add_rows (Comparing *self, const Shared *shared, uint32_t set, Part *part, uint32_t run,
          GError **error)
{
    PvSide side = part->run->side;
    uint32_t n_columns = pv_profile_builder_count_measures (self->join.builder, set);
    uint32_t n_fixed = shared->is_sampled ? N_COLUMNS : COLUMN_BASE_SAMPLES;
    bool has_runs = n_columns > n_fixed;
    g_autofree uint64_t *weights = g_new (uint64_t, n_columns);
    uint64_t times =
        get_ones (self, shared, find_finest (self, shared)) / get_ones (self, shared, run);
    for (size_t i = 0; i < part->rows.len; i++) {
        const PvCompareRow *row = &part->rows.data[i];
        size_t place = part->run->place;
        uint64_t weight = pv_fraction_refine (row->weight, times);
        memset (weights, 0, n_columns * sizeof *weights);
        weights[COLUMN_BOTH] = weights[COLUMN_BASE + side] =
            divide (weight, self->input->n_runs[side], run, i);
        if (shared->is_sampled)
            weights[COLUMN_BASE_SAMPLES + side] = row->n_samples;
        if (has_runs)
            weights[n_fixed + run] = weight;
        PvNewSample sample = {
            .stack = self->join.profiles.data[place].stack_of[row->stack],
            .thread = pv_compare_join_thread (&self->join, place, row->thread),
            .label_set = pv_compare_join_label_set (&self->join, place, row->label_set),
            .cpu = PV_CPU_UNKNOWN,
        };
        pv_profile_builder_add_sample (self->join.builder, set, &sample, weights);
        if (i % ROWS_PER_CHECK == 0 && !pv_job_check (self->job, error))
            return false;
    }
    part->n_rows = (uint32_t)part->rows.len;
    pv_array_clear (&part->rows);
    return true;
}

static void
part_clear (Part *part)
{
    pv_array_clear (&part->rows);
    pv_array_clear (&part->entries.list);
}

/* Adds when the samples of all runs were taken, sorted by row. Runs without times, or with more
 * entries than can be numbered: nothing. */
static void
add_blocks (Comparing *self, uint32_t set, const Part *parts)
{
    size_t n_rows = 0, n_entries = 0;
    for (uint32_t r = 0; r < self->n_runs; r++) {
        if (parts[r].entries.list.len == 0)
            return;
        n_rows += parts[r].n_rows;
        n_entries += parts[r].entries.list.len;
    }
    if (n_entries > UINT32_MAX)
        return;
    PvProfileBuilder *builder = self->join.builder;
    uint32_t *first_sample =
        pv_profile_builder_alloc0 (builder, (self->n_runs + 1) * sizeof *first_sample);
    uint32_t *first_entry = pv_profile_builder_alloc0 (builder, (n_rows + 2) * sizeof *first_entry);
    uint8_t *block = pv_profile_builder_alloc0 (builder, n_entries * sizeof *block);
    float *amount = pv_profile_builder_alloc0 (builder, n_entries * sizeof *amount);
    uint32_t first_row = 0;
    /* Two places ahead, so that placing the entries leaves each number where it belongs. */
    for (uint32_t r = 0; r < self->n_runs; r++) {
        first_sample[r] = first_row;
        for (size_t i = 0; i < parts[r].entries.list.len; i++)
            first_entry[first_row + parts[r].entries.list.data[i].row + 2]++;
        first_row += parts[r].n_rows;
    }
    first_sample[self->n_runs] = first_row;
    for (size_t i = 2; i < n_rows + 2; i++)
        first_entry[i] += first_entry[i - 1];
    for (uint32_t r = 0; r < self->n_runs; r++) {
        const PvCompareEntries *entries = &parts[r].entries;
        uint8_t b = 0;
        for (uint32_t i = 0; i < entries->list.len; i++) {
            while (i >= entries->end_of_block[b])
                b++;
            const PvCompareEntry *entry = &entries->list.data[i];
            uint32_t place = first_entry[first_sample[r] + entry->row + 1]++;
            block[place] = b;
            amount[place] = entry->amount;
        }
    }
    PvTimeBlocks blocks = {self->n_runs, first_sample, first_entry, block, amount};
    pv_profile_builder_set_blocks (builder, set, &blocks);
}

static bool
add_samples (Comparing *self, GError **error)
{
    for (size_t m = 0; m < self->shared.len; m++) {
        Part *parts = &self->parts[m * self->n_runs];
        uint32_t set;
        add_set (self, &self->shared.data[m], &set);
        for (uint32_t r = 0; r < self->n_runs; r++)
            if (!add_rows (self, &self->shared.data[m], set, &parts[r], r, error))
                return false;
        if (self->shared.data[m].is_sampled)
            add_blocks (self, set, parts);
        for (uint32_t r = 0; r < self->n_runs; r++)
            part_clear (&self->parts[m * self->n_runs + r]);
    }
    return true;
}

/* --- facts --- */

/* Length of time in which the samples of a run were taken; 0: unknown. */
static uint64_t
find_duration (const PvCompareRun *run)
{
    const PvProfile *profile = run->profile;
    uint64_t whole_ns =
        profile->facts.profiled_ns != 0 ? profile->facts.profiled_ns : profile->duration_ns;
    if (profile->n_dumps > 0)
        return 0;
    uint64_t end_ns = MIN (run->query->end_ns, whole_ns);
    return end_ns > run->query->start_ns ? end_ns - run->query->start_ns : 0;
}

static void
add_facts (Comparing *self)
{
    PvProfileBuilder *builder = self->join.builder;
    const PvProfile *first = self->runs[0].run->profile;
    PvCompared compared = {0};
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        uint64_t sum_ns = 0;
        bool is_known = true;
        for (uint32_t r = 0; r < self->input->n_runs[side]; r++) {
            uint64_t duration_ns = find_duration (&self->input->runs[side][r]);
            sum_ns += duration_ns / self->input->n_runs[side];
            is_known &= duration_ns > 0;
        }
        compared.name_of_side[side] = self->input->runs[side][0].name;
        compared.duration_ns_of_side[side] = is_known ? sum_ns : 0;
    }
    PvJoinedModules modules;
    pv_compare_join_list_modules (&self->join, &modules);
    compared.n_recorded = (uint32_t)modules.rows.len;
    compared.recorded = modules.rows.data;
    compared.recorded_of_location = modules.row_of_location;
    pv_profile_builder_set_compared (builder, &compared);
    pv_joined_modules_clear (&modules);
    pv_profile_builder_facts (builder)->format = pv_profile_builder_string (builder, "comparison");
    pv_profile_builder_set_drop_frames (builder, first->drop_frames, first->keep_frames);
    /* A file made of the other one, without its allocators, does not say what it is of. */
    bool is_of_allocations = false;
    for (uint32_t r = 0; r < self->n_runs; r++)
        is_of_allocations |= self->runs[r].run->profile->is_of_allocations ||
                             self->runs[r].run->profile->heap != NULL;
    if (is_of_allocations)
        pv_profile_builder_set_of_allocations (builder);
    uint64_t ones = 1;
    for (size_t m = 0; m < self->shared.len; m++) {
        const Shared *shared = &self->shared.data[m];
        ones = MAX (ones, get_ones (self, shared, find_finest (self, shared)));
    }
    pv_profile_builder_note_fractions (builder, ones);
}

/* Stacks that are made of a call graph differ from those that it was made of. */
static void
note_estimates (Comparing *self)
{
    for (uint32_t r = 0; r < self->n_runs; r++) {
        if (self->runs[r].run->profile->known_calls == NULL)
            continue;
        pv_profile_builder_note (self->join.builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("At least one file has a call graph, but no call stacks. What "
                                    "functions cost themselves is as in the file; totals and "
                                    "callers are an estimate, above all of functions that call "
                                    "themselves."));
        return;
    }
}

/* How the runs were recorded. */
static void
note_remarks (Comparing *self)
{
    for (const char *const *remark = self->input->remarks; remark != NULL && *remark != NULL;
         remark++)
        pv_profile_builder_note (self->join.builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0, "%s",
                                 *remark);
}

/* --- the whole --- */

static void
list_runs (Comparing *self)
{
    static const PvSide order[] = {PV_SIDE_NEW, PV_SIDE_BASE};
    const PvCompareInput *input = self->input;
    self->runs = g_new0 (Run, input->n_runs[PV_SIDE_BASE] + input->n_runs[PV_SIDE_NEW]);
    for (unsigned s = 0; s < PV_N_SIDES; s++)
        for (uint32_t r = 0; r < input->n_runs[order[s]]; r++) {
            const PvCompareRun *run = &input->runs[order[s]][r];
            self->runs[self->n_runs++] = (Run){
                .run = run,
                .side = order[s],
                .place = pv_compare_join_find (&self->join, run->profile, run->symbols),
            };
            const size_t place = self->runs[self->n_runs - 1].place;
            self->join.profiles.data[place].is_of_side[order[s]] = true;
        }
}

static void
clear (Comparing *self)
{
    size_t n = self->parts != NULL ? self->shared.len * self->n_runs : 0;
    for (size_t i = 0; i < n; i++) {
        part_clear (&self->parts[i]);
        g_clear_error (&self->parts[i].error);
    }
    for (size_t i = 0; i < self->shared.len; i++)
        g_free (self->shared.data[i].of_run);
    pv_array_clear (&self->shared);
    g_free (self->parts);
    g_free (self->runs);
    pv_compare_join_clear (&self->join);
}

static bool
build (Comparing *self, PvComparison *ret_comparison, GError **error)
{
    if (!add_own_measures (self, error))
        return false;
    add_other_measures (self);
    note_left_out (self);
    if (!make_parts (self, error))
        return false;
    note_estimates (self);
    note_remarks (self);
    note_no_functions (self);
    const bool has_twins = pv_compare_join_find_twins (&self->join, self->job);
    self->join.is_of_one_recording = is_one_recording (self) || (has_twins && self->n_runs == 2);
    if (has_twins)
        pv_profile_builder_note (self->join.builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("One side is text of perf script with the addresses of the "
                                    "other. These have the names that the recording has."));
    if (pv_compare_join_cut_processes (&self->join))
        pv_profile_builder_note (self->join.builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("Folded stacks begin with the names of processes here. These "
                                    "are left out, as the other side does not have them as "
                                    "functions."));
    pv_compare_join_place_names (&self->join);
    if (!join_stacks (self, error) || !add_samples (self, error))
        return false;
    add_facts (self);
    PvComparison comparison = {.profile = pv_profile_builder_snapshot (self->join.builder)};
    comparison.symbols = pv_compare_join_symbols (&self->join, comparison.profile,
                                                  self->input->renames, self->job, error);
    g_autofree uint8_t *sides = pv_compare_join_find_sides (&self->join);
    g_autofree bool *is_one_build =
        pv_compare_join_find_one_build (&self->join, comparison.profile->n_modules);
    if (comparison.symbols == NULL || !pv_renames_find (comparison.profile, comparison.symbols,
                                                        sides, is_one_build, self->job, error)) {
        pv_comparison_clear (&comparison);
        return false;
    }
    *ret_comparison = comparison;
    return true;
}

bool
pv_comparison_build (const PvCompareInput *input, PvComparison *ret_comparison, PvJob *job,
                     GError **error)
{
    g_assert (input != NULL && ret_comparison != NULL);
    g_assert (input->n_runs[PV_SIDE_BASE] > 0 && input->n_runs[PV_SIDE_NEW] > 0);
    Comparing self = {.input = input, .job = job};
    pv_compare_join_init (&self.join, input);
    list_runs (&self);
    bool is_done = build (&self, ret_comparison, error);
    clear (&self);
    return is_done;
}
