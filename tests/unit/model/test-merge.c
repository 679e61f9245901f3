/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles put together: what was one is one again, and what is not the same stays apart.
 */
#include <stdlib.h>
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../texts.h"
#include "core/model/merge/merge.h"

enum { N_MODULES = 6, N_PLACES = 40, N_THREADS = 5, N_SAMPLES = 3000, MAX_DEPTH = 7 };

/* One sample, said without ids: any builder can get it, in any order. */
typedef struct {
    unsigned place[MAX_DEPTH]; /* leaf first */
    unsigned depth;
    unsigned thread;
    unsigned label; /* 0: none */
    unsigned set;
    uint64_t time_ns;
    uint64_t weights[2];
    uint16_t cpu;
} Said;

/* Things of samples that a builder knows already. */
typedef struct {
    PvProfileBuilder *builder;
    GRand *rand;
    PvModuleId modules[N_MODULES];
    PvLocationId places[N_PLACES];
    PvProcessId processes[2];
    PvThreadId threads[N_THREADS];
    uint32_t sets[2];
    bool has_sets[2];
    unsigned n_named;
} Teller;

static PvModuleId
tell_module (Teller *teller, unsigned i)
{
    static const PvNamedRange ranges[] = {{.start = 0x10, .size_bytes = 8, .name = "jitted"}};
    static const PvModule modules[N_MODULES] = {
        {.path = "/bin/prog", .kind = PV_MODULE_FILE, .build_id = {1, 2}, .build_id_size = 2},
        {.path = "/bin/prog", .kind = PV_MODULE_FILE, .build_id = {1, 3}, .build_id_size = 2},
        {.path = "/lib/libx.so", .kind = PV_MODULE_FILE},
        {.path = "", .kind = PV_MODULE_JIT, .pid = 7, .named_ranges = ranges, .n_named_ranges = 1},
        {.path = "", .kind = PV_MODULE_JIT, .pid = 8},
        {.path = "names", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_ORDINAL},
    };
    if (teller->modules[i] == 0)
        teller->modules[i] = pv_profile_builder_add_module (teller->builder, &modules[i]);
    return teller->modules[i];
}

static void
tell_frames (Teller *teller, PvLocationId location, unsigned i)
{
    char name[32], file[32];
    g_snprintf (name, sizeof name, "function %u", i % 7);
    g_snprintf (file, sizeof file, "file%u.c", i % 3);
    PvGivenFrame frames[2] = {
        {.name = pv_profile_builder_string (teller->builder, "inlined"), .line = i},
        {.name = pv_profile_builder_string (teller->builder, name),
         .raw_name = pv_profile_builder_string (teller->builder, "raw"),
         .file = pv_profile_builder_string (teller->builder, file),
         .line = i,
         .start_line = 2},
    };
    pv_profile_builder_give_frames (teller->builder, location, frames + i % 2, 2 - i % 2);
}

static PvLocationId
tell_place (Teller *teller, unsigned i)
{
    if (teller->places[i] != 0)
        return teller->places[i];
    unsigned m = i % N_MODULES;
    PvModuleId module = tell_module (teller, m);
    /* Ordinals are a matter of each file. */
    bool is_named = m == N_MODULES - 1;
    uint64_t address = is_named ? ++teller->n_named : 0x10 + i / N_MODULES;
    PvLocationId place = pv_profile_builder_location (
        teller->builder, module, address, is_named ? PV_LOCATION_NAMED : PV_LOCATION_RETURN);
    if (is_named || m == 1)
        tell_frames (teller, place, i);
    return teller->places[i] = place;
}

static PvThreadId
tell_thread (Teller *teller, unsigned i)
{
    unsigned p = i % 2;
    char name[32];
    if (i == 0 || teller->threads[i] != 0)
        return teller->threads[i];
    if (teller->processes[p] == 0)
        teller->processes[p] =
            pv_profile_builder_add_process (teller->builder, (int)(100 + p), "process", 5);
    g_snprintf (name, sizeof name, "worker %u", i / 2);
    return teller->threads[i] = pv_profile_builder_add_thread (
               teller->builder, teller->processes[p], (int)(200 + i / 2), name, 5);
}

static uint32_t
tell_set (Teller *teller, unsigned i)
{
    if (!teller->has_sets[i]) {
        teller->has_sets[i] = true;
        teller->sets[i] =
            pv_profile_builder_add_set (teller->builder, i == 0 ? "cpu" : "off", i == 1);
        pv_profile_builder_add_measure (teller->builder, teller->sets[i],
                                        i == 0 ? "cpu" : "off-cpu", PV_UNIT_NS, PV_AGGREGATION_SUM);
        if (i == 0)
            pv_profile_builder_add_measure (teller->builder, teller->sets[i], "samples",
                                            PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    }
    return teller->sets[i];
}

static void
tell (Teller *teller, const Said *said)
{
    PvLocationId locations[MAX_DEPTH];
    for (unsigned d = 0; d < said->depth; d++)
        locations[d] = tell_place (teller, said->place[d]);
    PvLabel labels[] = {{.key = "user", .text = "somebody"},
                        {.key = "size", .number = said->label * 16, .unit = "bytes"}};
    PvNewSample sample = {
        .time_ns = said->time_ns,
        .duration_ns = said->set == 1 ? said->weights[0] : 0,
        .thread = tell_thread (teller, said->thread),
        .stack = pv_profile_builder_chain (teller->builder, locations, said->depth),
        .cpu = said->cpu,
        .stack_end = said->depth % PV_N_STACK_ENDS,
        .label_set =
            said->label > 0 ? pv_profile_builder_label_set (teller->builder, labels, 2) : 0,
    };
    if (said->set == 1 && said->label != 1) {
        const PvWait wait = {.waker = tell_thread (teller, (said->thread + said->label) % 4),
                             .waker_stack = sample.stack,
                             .state = said->label == 2 ? 'D' : 'S',
                             .is_open = said->label == 3};
        sample.wait = pv_profile_builder_wait (teller->builder, &wait);
    }
    pv_profile_builder_add_sample (teller->builder, tell_set (teller, said->set), &sample,
                                   said->weights);
}

static Said
random_sample (GRand *rand)
{
    Said said = {
        .depth = (unsigned)g_rand_int_range (rand, 0, MAX_DEPTH + 1),
        .thread = (unsigned)g_rand_int_range (rand, 0, N_THREADS),
        .label = (unsigned)g_rand_int_range (rand, 0, 4),
        .set = (unsigned)g_rand_int_range (rand, 0, 2),
        .time_ns = (uint64_t)g_rand_int_range (rand, 1, 1 << 30),
        .weights = {(uint64_t)g_rand_int_range (rand, 0, 1000), 1},
        .cpu = (uint16_t)g_rand_int_range (rand, 0, 4),
    };
    for (unsigned d = 0; d < said.depth; d++)
        said.place[d] = (unsigned)g_rand_int_range (rand, 0, N_PLACES);
    return said;
}

/* --- profiles as texts ------------------------------------------------------------------------ */

static void
append_location (GString *text, const PvProfile *profile, PvLocationId location)
{
    const PvModule *module = &profile->modules[profile->module_of_location[location]];
    bool is_named = profile->kind_of_location[location] == PV_LOCATION_NAMED;
    g_string_append_printf (text, " %s#%d#%02x+%d:%" G_GINT64_MODIFIER "x", module->path,
                            module->kind, module->build_id[1], module->pid,
                            is_named ? 0 : profile->address_of_location[location]);
    if (profile->given_of_location == NULL || profile->given_of_location[location] == UINT32_MAX)
        return;
    const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[location]];
    for (bool is_last = false; !is_last; is_last = frame++->is_last)
        g_string_append_printf (text, "(%s %s %s:%u %u)", frame->name, frame->raw_name, frame->file,
                                frame->line, frame->start_line);
}

static char *
format_sample (const PvProfile *profile, const PvSampleSet *set, uint32_t i)
{
    GString *text = g_string_new (set->name);
    const PvThread *thread = &profile->threads[pv_sample_set_thread (set, i)];
    const PvProcess *process = &profile->processes[thread->process];
    g_string_append_printf (text, " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s/%d %s/%d %u %u",
                            pv_sample_set_time_ns (set, i),
                            set->duration_ns != NULL ? set->duration_ns[i] : 0, process->name,
                            process->pid, thread->name, thread->tid, pv_sample_set_cpu (set, i),
                            pv_sample_set_stack_end (set, i));
    for (PvStackId s = set->stack[i]; s != 0; s = profile->parent_of_stack[s])
        append_location (text, profile, profile->location_of_stack[s]);
    uint32_t label_set = set->label_set != NULL ? set->label_set[i] : 0;
    for (uint32_t l = profile->first_label_of_set[label_set];
         l < profile->first_label_of_set[label_set + 1]; l++)
        g_string_append_printf (text, " %s=%s%" G_GINT64_FORMAT, profile->labels[l].key,
                                profile->labels[l].text, profile->labels[l].number);
    const PvWait *wait =
        pv_sample_set_wait (set, i) != 0 ? &profile->waits[pv_sample_set_wait (set, i)] : NULL;
    if (wait != NULL)
        g_string_append_printf (text, " %c%d by %d:", wait->state, wait->is_open,
                                profile->threads[wait->waker].tid);
    for (PvStackId s = wait != NULL ? wait->waker_stack : 0; s != 0;
         s = profile->parent_of_stack[s])
        append_location (text, profile, profile->location_of_stack[s]);
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        if (&profile->sets[profile->measures[m].set] == set)
            g_string_append_printf (text, " %s:%" G_GUINT64_FORMAT, profile->measures[m].name,
                                    pv_sample_set_weight (set, profile->measures[m].column, i));
    }
    return g_string_free (text, FALSE);
}

static GPtrArray *
list_samples (const PvProfile *profile)
{
    GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        for (uint32_t i = 0; i < profile->sets[s].n_samples; i++)
            g_ptr_array_add (texts, format_sample (profile, &profile->sets[s], i));
    }
    g_ptr_array_sort (texts, compare_texts);
    return texts;
}

static void
check_same_samples (const PvProfile *a, const PvProfile *b)
{
    g_autoptr (GPtrArray) left = list_samples (a), right = list_samples (b);
    g_assert_cmpuint (left->len, ==, right->len);
    for (guint i = 0; i < left->len; i++)
        g_assert_cmpstr (left->pdata[i], ==, right->pdata[i]);
}

/* --- tests ------------------------------------------------------------------------------------ */

static PvProfile *
tell_all (const Said *said, unsigned n, unsigned part, unsigned n_parts)
{
    Teller teller = {.builder = pv_profile_builder_new ()};
    for (unsigned i = 0; i < n; i++)
        if (i % 17 % n_parts == part)
            tell (&teller, &said[i]);
    PvProfile *profile = pv_profile_builder_snapshot (teller.builder);
    pv_profile_builder_free (teller.builder);
    return profile;
}

/* However samples are dealt out to files, all files together say the same. */
TEST (parts_make_the_whole)
{
    for (unsigned seed = 0; seed < 12; seed++) {
        g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
        g_autofree Said *said = g_new (Said, N_SAMPLES);
        for (unsigned i = 0; i < N_SAMPLES; i++)
            said[i] = random_sample (rand);
        g_autoptr (PvProfile) whole = tell_all (said, N_SAMPLES, 0, 1);
        unsigned n_parts = 1 + seed % 6;
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        g_autoptr (PvMerger) merger = pv_merger_new (builder, false);
        for (unsigned p = 0; p < n_parts; p++) {
            g_autoptr (PvProfile) part = tell_all (said, N_SAMPLES, p, n_parts);
            pv_merger_append (merger, part, "part");
        }
        pv_merger_finish (merger, NULL, false);
        g_autoptr (PvProfile) merged = pv_profile_builder_snapshot (builder);
        check_same_samples (whole, merged);
        g_assert_cmpuint (merged->n_samples, ==, N_SAMPLES);
        g_assert_cmpuint (merged->n_modules, ==, whole->n_modules);
        g_assert_cmpuint (merged->n_locations, ==, whole->n_locations);
        g_assert_cmpuint (merged->n_stacks, ==, whole->n_stacks);
        g_assert_cmpuint (merged->n_processes, ==, whole->n_processes);
        g_assert_cmpuint (merged->n_threads, ==, whole->n_threads);
        g_assert_cmpuint (merged->n_label_sets, ==, whole->n_label_sets);
        g_assert_cmpuint (merged->n_waits, ==, whole->n_waits);
        g_assert_cmpuint (merged->n_waits, >, 3);
        g_assert_cmpuint (merged->n_sets, ==, whole->n_sets);
        g_assert_cmpuint (merged->n_measures, ==, 3);
        g_assert_cmpuint (merged->start_ns, ==, whole->start_ns);
        g_assert_cmpuint (merged->duration_ns, ==, whole->duration_ns);
        for (PvMeasureId m = 0; m < whole->n_measures; m++) {
            const PvMeasure *measure = &whole->measures[m];
            PvMeasureId same = pv_profile_find_measure (merged, measure->name);
            g_assert_cmpuint (merged->measures[same].total, ==, measure->total);
        }
    }
}

typedef struct {
    const char *name;
    PvUnit unit;
    PvAggregation aggregation;
    PvMeasurePart part; /* of the only pair */
    PvSide side;
} Column;

/* One sample that weighs 1, 2, 3 ... in the columns, at function `name`. */
static PvProfile *
make_small (const Column *columns, unsigned n_columns, const char *name, PvFacts facts)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = made_module (builder, "/bin/p");
    PvLocationId location = pv_profile_builder_location (builder, m, 16, PV_LOCATION_RETURN);
    if (name != NULL) {
        PvGivenFrame frame = {.name = pv_profile_builder_string (builder, name)};
        pv_profile_builder_give_frames (builder, location, &frame, 1);
    }
    uint32_t set = pv_profile_builder_add_set (builder, "samples", false);
    uint64_t weights[8];
    for (unsigned c = 0; c < n_columns; c++) {
        pv_profile_builder_add_measure (builder, set, columns[c].name, columns[c].unit,
                                        columns[c].aggregation);
        weights[c] = c + 1;
        if (columns[c].part == PV_PART_BOTH)
            pv_profile_builder_add_pair (builder);
    }
    for (unsigned c = 0; c < n_columns; c++)
        if (columns[c].part != PV_PART_NONE)
            pv_profile_builder_set_part (builder, set, c, 0, columns[c].part, columns[c].side);
    pv_profile_builder_prefer_measure (builder, n_columns - 1);
    PvNewSample sample = {.stack = pv_profile_builder_stack (builder, 0, location)};
    pv_profile_builder_add_sample (builder, set, &sample, weights);
    PvFacts *own = pv_profile_builder_facts (builder);
    *own = facts;
    g_auto (GStrv) lines = g_strsplit_set (facts.comment != NULL ? facts.comment : "", "\n", -1);
    own->comment =
        pv_profile_builder_lines (builder, (const char *const *)lines, g_strv_length (lines));
    own->format = pv_profile_builder_string (builder, "pprof");
    pv_profile_builder_add_lost (builder, 0, 3);
    pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0, "in all of them");
    if (facts.n_cpus == 4)
        pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, m, "in one of them");
    return pv_profile_builder_snapshot (builder);
}

static PvProfile *
merge_two (PvProfile *a, PvProfile *b)
{
    g_autoptr (PvProfile) first = a, second = b;
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMerger) merger = pv_merger_new (builder, false);
    pv_merger_append (merger, first, "first.pb");
    pv_merger_append (merger, second, "second.pb");
    pv_merger_finish (merger, NULL, false);
    return pv_profile_builder_snapshot (builder);
}

static const PvMeasure *
find_measure (const PvProfile *profile, const char *name)
{
    PvMeasureId m = pv_profile_find_measure (profile, name);
    return m != UINT32_MAX ? &profile->measures[m] : NULL;
}

static bool
has_note (const PvProfile *profile, const char *text)
{
    for (uint32_t i = 0; i < profile->n_notes; i++)
        if (strcmp (profile->notes[i].text, text) == 0)
            return true;
    return false;
}

static const PvFacts no_facts;
static const Column plain_column[] = {{"n", PV_UNIT_COUNT, PV_AGGREGATION_SUM}};

static PvProfile *
merge_columns (const Column *first, unsigned n_first, const Column *second, unsigned n_second)
{
    return merge_two (make_small (first, n_first, NULL, no_facts),
                      make_small (second, n_second, NULL, no_facts));
}

/* Only what both have is left, in whatever column. */
TEST (common_measures)
{
    static const Column first[] = {{"samples", PV_UNIT_COUNT, PV_AGGREGATION_SUM},
                                   {"wall", PV_UNIT_NS, PV_AGGREGATION_SUM},
                                   {"cpu", PV_UNIT_NS, PV_AGGREGATION_SUM}};
    static const Column second[] = {{"cpu", PV_UNIT_NS, PV_AGGREGATION_SUM},
                                    {"samples", PV_UNIT_COUNT, PV_AGGREGATION_SUM},
                                    {"bytes", PV_UNIT_BYTES, PV_AGGREGATION_SUM}};
    g_autoptr (PvProfile) merged = merge_columns (first, 3, second, 3);
    g_assert_cmpuint (merged->n_sets, ==, 1);
    g_assert_cmpuint (merged->n_measures, ==, 2);
    g_assert_cmpuint (merged->n_stacks, ==, 2);
    g_assert_cmpstr (merged->measures[0].name, ==, "cpu"); /* the first file's choice */
    g_assert_cmpuint (merged->measures[0].total, ==, 3 + 1);
    g_assert_cmpuint (find_measure (merged, "samples")->total, ==, 1 + 2);
    g_assert_true (has_note (merged, "Not all files have “wall”, so it was left out."));
    g_assert_true (has_note (merged, "Not all files have “bytes”, so it was left out."));
}

/* Two waits, one of them with a delay. */
static PvProfile *
make_waits (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t set = made_set (builder, "off-cpu", true, PV_UNIT_NS);
    pv_profile_builder_add_measure (builder, set, "delay", PV_UNIT_NS, PV_AGGREGATION_SUM);
    pv_profile_builder_set_derived (builder, set);
    for (uint64_t i = 0; i < 2; i++) {
        const PvNewSample sample = {.time_ns = 10 + 10 * i, .duration_ns = 5};
        const uint64_t weights[] = {5, i};
        pv_profile_builder_add_sample (builder, set, &sample, weights);
    }
    return pv_profile_builder_snapshot (builder);
}

/* Both of two that lose events say when; of one that does not, they are at the start. */
TEST (losses)
{
    g_autoptr (PvProfile) times = make_waits ();
    for (unsigned has_times = 0; has_times < 2; has_times++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        g_autoptr (PvMerger) merger = pv_merger_new (builder, false);
        g_autoptr (PvProfile) first = make_small (plain_column, 1, NULL, no_facts);
        PvProfile lossy = *times;
        const PvLoss losses[] = {{11, 100}, {20, 1000}};
        lossy.n_lost = 1100;
        lossy.losses = losses;
        lossy.n_losses = has_times ? 2 : 0;
        g_assert_cmpuint (first->n_losses, ==, 0);
        pv_merger_append (merger, first, "first.pb");
        pv_merger_append (merger, &lossy, "second.data");
        pv_merger_finish (merger, NULL, false);
        g_autoptr (PvProfile) merged = pv_profile_builder_snapshot (builder);
        g_assert_cmpuint (merged->n_lost, ==, 1103);
        g_assert_cmpuint (merged->n_losses, ==, has_times ? 3 : 1);
        g_assert_cmpuint (merged->losses[0].time_ns, ==, 10);
        g_assert_cmpuint (merged->losses[0].n_lost, ==, has_times ? 3 : 1103);
        if (has_times) {
            g_assert_cmpuint (merged->losses[1].time_ns, ==, 11);
            g_assert_cmpuint (merged->losses[2].n_lost, ==, 1000);
        }
    }
}

/* The samples of a derived set are counted by measure, each once. */
TEST (derived)
{
    g_autoptr (PvProfile) merged = merge_two (make_waits (), make_waits ());
    g_assert_cmpuint (merged->n_sets, ==, 1);
    g_assert_cmpuint (find_measure (merged, "off-cpu")->n_samples, ==, 4);
    g_assert_cmpuint (find_measure (merged, "delay")->n_samples, ==, 2);
}

/* Sets with nothing in common stay two. */
TEST (other_measures)
{
    static const Column first[] = {{"cpu", PV_UNIT_NS, PV_AGGREGATION_SUM}};
    static const Column second[] = {{"cpu", PV_UNIT_COUNT, PV_AGGREGATION_SUM}};
    g_autoptr (PvProfile) merged = merge_columns (first, 1, second, 1);
    g_assert_cmpuint (merged->n_sets, ==, 2);
    g_assert_cmpuint (merged->n_measures, ==, 2);
    g_assert_cmpuint (merged->measures[0].unit, ==, PV_UNIT_NS);
    g_assert_cmpuint (merged->measures[1].unit, ==, PV_UNIT_COUNT);
    g_assert_cmpuint (merged->n_samples, ==, 2);
}

/* A measure that goes both ways, of which the sample has 1 in base and 2 in new. */
static const Column pair_columns[] = {
    {"space-negative", PV_UNIT_BYTES, PV_AGGREGATION_STATE, PV_PART_SIDE, PV_SIDE_BASE},
    {"space-positive", PV_UNIT_BYTES, PV_AGGREGATION_STATE, PV_PART_SIDE, PV_SIDE_NEW},
    {"space", PV_UNIT_BYTES, PV_AGGREGATION_STATE, PV_PART_BOTH, 0},
    {"objects", PV_UNIT_COUNT, PV_AGGREGATION_STATE},
};

static void
check_pair (const PvProfile *merged, uint64_t base, uint64_t new)
{
    PvMeasureId space = pv_profile_find_measure (merged, "space");
    const PvPair *pair = pv_profile_get_pair (merged, space);
    g_assert_cmpuint (merged->n_pairs, ==, 1);
    g_assert_nonnull (pair);
    g_assert_cmpuint (pair->both, ==, space);
    const PvMeasure *of_base = &merged->measures[pair->of_side[PV_SIDE_BASE]];
    const PvMeasure *of_new = &merged->measures[pair->of_side[PV_SIDE_NEW]];
    g_assert_cmpstr (of_base->name, ==, "space-negative");
    g_assert_cmpstr (of_new->name, ==, "space-positive");
    g_assert_cmpuint (of_base->total, ==, base);
    g_assert_cmpuint (of_new->total, ==, new);
    g_assert_cmpuint (merged->measures[space].total, ==, base + new);
    const PvSampleSet *set = &merged->sets[0];
    for (uint32_t i = 0; i < set->n_samples; i++)
        g_assert_cmpuint (pv_sample_set_weight (set, merged->measures[space].column, i), ==,
                          pv_sample_set_weight (set, of_base->column, i) +
                              pv_sample_set_weight (set, of_new->column, i));
}

/* A measure that is signed in one file is signed in all: in the others all of it is new. */
TEST (pairs)
{
    static const Column plain[] = {{"space", PV_UNIT_BYTES, PV_AGGREGATION_STATE}};
    for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
        PvProfile *a = make_small (plain, 1, NULL, no_facts);
        PvProfile *b = make_small (pair_columns, 3, NULL, no_facts);
        g_autoptr (PvProfile) merged = is_swapped ? merge_two (b, a) : merge_two (a, b);
        g_assert_cmpuint (merged->n_sets, ==, 1);
        g_assert_cmpuint (merged->n_measures, ==, 1);
        g_assert_cmpuint (merged->n_weights, ==, 3);
        g_assert_cmpstr (merged->measures[0].name, ==, "space");
        check_pair (merged, 1, 1 + 2);
        g_assert_false (has_note (merged, "Not all files have"));
    }
    g_autoptr (PvProfile) twice = merge_columns (pair_columns, 4, pair_columns, 4);
    g_assert_cmpuint (twice->n_weights, ==, 4);
    check_pair (twice, 2, 4);
}

/* A measure that is left out takes its sides along. */
TEST (pair_left_out)
{
    static const Column plain[] = {{"objects", PV_UNIT_COUNT, PV_AGGREGATION_STATE}};
    for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
        PvProfile *a = make_small (plain, 1, NULL, no_facts);
        PvProfile *b = make_small (pair_columns, 4, NULL, no_facts);
        g_autoptr (PvProfile) merged = is_swapped ? merge_two (b, a) : merge_two (a, b);
        g_assert_cmpuint (merged->n_measures, ==, 1);
        g_assert_cmpstr (merged->measures[0].name, ==, "objects");
        g_assert_true (has_note (merged, "Not all files have “space”, so it was left out."));
        g_assert_false (has_note (merged, "Not all files have “space-negative”, so it was left "
                                          "out."));
    }
}

/* Two measures with one name are two. */
TEST (same_names)
{
    static const Column columns[] = {{"n", PV_UNIT_COUNT, PV_AGGREGATION_SUM},
                                     {"m", PV_UNIT_COUNT, PV_AGGREGATION_SUM},
                                     {"n", PV_UNIT_COUNT, PV_AGGREGATION_SUM}};
    g_autoptr (PvProfile) merged = merge_columns (columns, 3, columns, 3);
    g_assert_cmpuint (merged->n_sets, ==, 1);
    g_assert_cmpuint (merged->n_measures, ==, 3);
    g_assert_cmpstr (merged->measures[0].name, ==, "n");
    g_assert_cmpuint (merged->measures[0].total, ==, 6);
    g_assert_cmpuint (merged->measures[1].total, ==, 2);
    g_assert_cmpuint (merged->measures[2].total, ==, 4);
}

/* A place that one file names and the other does not has the name; two names are two places. */
TEST (given_frames)
{
    g_autoptr (PvProfile) named = merge_two (make_small (plain_column, 1, NULL, no_facts),
                                             make_small (plain_column, 1, "name", no_facts));
    g_assert_cmpuint (named->n_locations, ==, 2);
    g_assert_cmpstr (named->given_frames[named->given_of_location[1]].name, ==, "name");
    g_autoptr (PvProfile) twice = merge_two (make_small (plain_column, 1, "name", no_facts),
                                             make_small (plain_column, 1, "other", no_facts));
    g_assert_cmpuint (twice->n_locations, ==, 3);
    g_assert_cmpuint (twice->module_of_location[1], ==, twice->module_of_location[2]);
    g_assert_cmpuint (twice->address_of_location[1], ==, twice->address_of_location[2]);
    g_assert_cmpstr (twice->given_frames[twice->given_of_location[2]].name, ==, "other");
    g_assert_cmpuint (twice->n_stacks, ==, 3);
}

TEST (facts)
{
    PvFacts first = {.recorded_at = 2000,
                     .profiled_ns = 10,
                     .size_bytes = 100,
                     .n_cpus = 4,
                     .comment = "one\ntwo"};
    PvFacts second = {.recorded_at = 1000,
                      .recorded_at_ns = 5,
                      .profiled_ns = 30,
                      .size_bytes = 11,
                      .comment = "two\nthree"};
    g_autoptr (PvProfile) merged = merge_two (make_small (plain_column, 1, NULL, first),
                                              make_small (plain_column, 1, NULL, second));
    g_assert_cmpint (merged->facts.recorded_at, ==, 1000);
    g_assert_cmpint (merged->facts.recorded_at_ns, ==, 5);
    g_assert_cmpuint (merged->facts.profiled_ns, ==, 40);
    g_assert_cmpuint (merged->facts.size_bytes, ==, 111);
    g_assert_cmpuint (merged->facts.n_cpus, ==, 4);
    g_assert_cmpstr (merged->facts.comment, ==, "one\ntwo\nthree");
    g_assert_cmpstr (merged->facts.format, ==, "pprof");
    g_assert_cmpuint (merged->n_lost, ==, 6);
    g_assert_cmpuint (merged->n_notes, ==, 2);
    g_assert_true (has_note (merged, "in all of them"));
    g_assert_true (has_note (merged, "first.pb: in one of them"));
    for (uint32_t i = 0; i < merged->n_notes; i++)
        if (strcmp (merged->notes[i].text, "in all of them") != 0)
            g_assert_cmpstr (merged->modules[merged->notes[i].module].name, ==, "p");
}

/* Many lines: each is there once, in the order in which they come. */
TEST (many_comments)
{
    g_autoptr (GString) first = g_string_new ("0"), second = g_string_new ("1");
    for (unsigned i = 1; i < 10000; i++) {
        g_string_append_printf (first, "\n%u", i);
        g_string_append_printf (second, "\n%u", i + 1);
    }
    PvFacts facts[] = {{.comment = first->str}, {.comment = second->str}};
    g_autoptr (PvProfile) merged = merge_two (make_small (plain_column, 1, NULL, facts[0]),
                                              make_small (plain_column, 1, NULL, facts[1]));
    g_string_append (first, "\n10000");
    g_assert_cmpstr (merged->facts.comment, ==, first->str);
}

/* Code made at run time is the same only where its names agree. */
TEST (named_ranges)
{
    static const PvNamedRange ranges[][2] = {
        {{.start = 16, .size_bytes = 8, .name = "a"}, {.start = 32, .size_bytes = 8, .name = "b"}},
        {{.start = 32, .size_bytes = 8, .name = "b"}, {.start = 64, .size_bytes = 8, .name = "c"}},
        {{.start = 20, .size_bytes = 8, .name = "d"}, {.start = 99, .size_bytes = 8, .name = "e"}},
    };
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMerger) merger = pv_merger_new (builder, false);
    for (unsigned i = 0; i < 3; i++) {
        g_autoptr (PvProfileBuilder) one = pv_profile_builder_new ();
        PvModule module = {.path = "[JIT]",
                           .kind = PV_MODULE_JIT,
                           .address_kind = PV_ADDRESS_RUNTIME,
                           .pid = 3,
                           .named_ranges = ranges[i],
                           .n_named_ranges = 2};
        PvModuleId m = pv_profile_builder_add_module (one, &module);
        pv_profile_builder_stack (one, 0,
                                  pv_profile_builder_location (one, m, 33, PV_LOCATION_RETURN));
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (one);
        pv_merger_append (merger, profile, "file");
    }
    pv_merger_finish (merger, NULL, false);
    g_autoptr (PvProfile) merged = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (merged->n_modules, ==, 3);
    g_assert_cmpuint (merged->modules[1].n_named_ranges, ==, 3);
    g_assert_cmpstr (merged->modules[1].named_ranges[2].name, ==, "c");
    g_assert_cmpuint (merged->modules[2].n_named_ranges, ==, 2);
    g_assert_cmpuint (merged->n_locations, ==, 3);
}

/* Samples of a series have the time of their dump, in whatever order the files come. */
TEST (series)
{
    static const Column columns[] = {{"objects", PV_UNIT_COUNT, PV_AGGREGATION_STATE},
                                     {"space", PV_UNIT_BYTES, PV_AGGREGATION_STATE}};
    static const char *const names[] = {"same", "new", "same"};
    static const PvDump dumps[] = {{"b", 2000000, 7}, {"c", 9000000, 8}, {"a", 1000000, 6}};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMerger) merger = pv_merger_new (builder, true);
    for (unsigned i = 0; i < 3; i++) {
        g_autoptr (PvProfile) profile = make_small (columns, 2, names[i], no_facts);
        pv_merger_append (merger, profile, dumps[i].name);
    }
    pv_merger_finish (merger, dumps, true);
    g_autoptr (PvProfile) series = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (series->n_dumps, ==, 3);
    g_assert_true (series->has_dump_times);
    g_assert_cmpstr (series->dumps[0].name, ==, "a");
    g_assert_cmpstr (series->dumps[2].name, ==, "c");
    g_assert_cmpuint (series->start_ns, ==, 1000000);
    g_assert_cmpuint (series->duration_ns, ==, 8000000);
    g_assert_cmpuint (series->n_samples, ==, 3);
    const PvSampleSet *set = &series->sets[0];
    g_assert_cmpuint (pv_sample_set_time_ns (set, 0), ==, 1000000);
    g_assert_cmpuint (pv_sample_set_time_ns (set, 2), ==, 9000000);
    g_assert_cmpuint (set->stack[0], ==, set->stack[1]);
    g_assert_cmpuint (set->stack[0], !=, set->stack[2]);
    g_assert_cmpuint (series->n_weights, ==, 8);
    g_assert_cmpstr (series->measures[0].name, ==, "space");
    g_assert_cmpuint (series->measures[0].total, ==, 2);
    g_assert_cmpuint (find_measure (series, "space-growth")->total, ==, 4);
    g_assert_cmpuint (find_measure (series, "space-increase")->total, ==, 2);
    g_assert_cmpuint (find_measure (series, "space-decrease")->total, ==, 2);
}

static PvProfile *
make_distributions (const PvDistribution *distributions, unsigned n)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    for (unsigned i = 0; i < n; i++) {
        PvDistribution copy = distributions[i];
        copy.name = pv_profile_builder_string (builder, copy.name);
        copy.key = pv_profile_builder_string (builder, copy.key);
        pv_profile_builder_add_distribution (builder, &copy);
    }
    return pv_profile_builder_snapshot (builder);
}

static char *
spell_distributions (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    for (uint32_t d = 0; d < profile->n_distributions; d++) {
        const PvDistribution *distribution = &profile->distributions[d];
        g_autofree char *title = pv_distribution_make_title (distribution);
        g_string_append_printf (text, "%s:", title);
        for (uint32_t b = 0; b < distribution->n_buckets; b++)
            g_string_append_printf (text, " %d..%d=%u", (int)distribution->buckets[b].first,
                                    (int)distribution->buckets[b].last,
                                    (unsigned)distribution->buckets[b].count);
        for (uint32_t r = 0; r < distribution->n_rows; r++)
            g_string_append_printf (text, " %s=%d/%u", distribution->rows[r].key,
                                    (int)distribution->rows[r].value,
                                    (unsigned)distribution->rows[r].count);
        g_string_append_c (text, '\n');
    }
    return g_string_free (text, FALSE);
}

/* Ranges that fit and stats are added up; the rest is there for each file. */
TEST (distributions)
{
    static const PvBucket low[] = {{0, 0, 5}, {4, 7, UINT64_MAX}}, high[] = {{2, 3, 1}, {4, 7, 2}};
    static const PvBucket other[] = {{0, 9, 1}};
    static const PvDistributionRow stats[] = {{"b", 50, 2}, {"a", INT64_MAX, 1}};
    static const PvDistributionRow more[] = {{"c", 90, 9}, {"b", 50, 3}, {"a", 1, 1}};
    static const PvDistributionRow numbers[] = {{"k", 3, 0}};
#define HISTOGRAM(n, k, b)                                                                         \
    {                                                                                              \
        .name = n, .key = k, .kind = PV_DISTRIBUTION_HISTOGRAM, .n_buckets = G_N_ELEMENTS (b),     \
        .buckets = b                                                                               \
    }
#define ROWS(n, r, kind_of)                                                                        \
    {                                                                                              \
        .name = n, .kind = kind_of, .n_rows = G_N_ELEMENTS (r), .rows = r                          \
    }
    static const PvDistribution first[] = {HISTOGRAM ("@h", "x", low),
                                           HISTOGRAM ("@other", NULL, low),
                                           ROWS ("@stats", stats, PV_DISTRIBUTION_STATS),
                                           ROWS ("@n", numbers, PV_DISTRIBUTION_NUMBERS)};
    static const PvDistribution second[] = {ROWS ("@n", numbers, PV_DISTRIBUTION_NUMBERS),
                                            HISTOGRAM ("@h", "x", high),
                                            HISTOGRAM ("@h", "y", high),
                                            HISTOGRAM ("@other", NULL, other),
                                            ROWS ("@stats", more, PV_DISTRIBUTION_STATS),
                                            ROWS ("@only", numbers, PV_DISTRIBUTION_NUMBERS)};
#undef HISTOGRAM
#undef ROWS
    g_autoptr (PvProfile) merged =
        merge_two (make_distributions (first, 4), make_distributions (second, 6));
    assert_string (spell_distributions (merged), "@h[x]: 0..0=5 2..3=1 4..7=4294967295\n"
                                                 "first.pb: @other: 0..0=5 4..7=4294967295\n"
                                                 "second.pb: @other: 0..9=1\n"
                                                 "@stats: a=-1/2 b=100/5 c=90/9\n"
                                                 "first.pb: @n: k=3/0\n"
                                                 "second.pb: @n: k=3/0\n"
                                                 "@h[y]: 2..3=1 4..7=2\n"
                                                 "@only: k=3/0\n");
    g_assert_true (merged->distributions[0].buckets[2].count == UINT64_MAX);
    g_assert_true (merged->distributions[0].total == UINT64_MAX);
    g_assert_true (merged->distributions[3].rows[0].value == INT64_MAX);
    g_assert_true (pv_profile_has_only_distributions (merged));
    g_assert_cmpuint (merged->n_notes, ==, 2);
    g_assert_true (has_note (merged, "Maps of numbers are shown for each file, because the files "
                                     "do not say which of them can be added up."));
    g_assert_true (has_note (merged, "Histograms with different ranges are shown for each file, "
                                     "because they cannot be added up."));
    /* Nothing changes for one file with others that have none. */
    g_autoptr (PvProfile) alone =
        merge_two (make_distributions (first, 4), make_distributions (second, 0));
    g_autoptr (PvProfile) before = make_distributions (first, 4);
    g_autofree char *wanted = spell_distributions (before);
    assert_string (spell_distributions (alone), wanted);
    g_assert_cmpuint (alone->n_notes, ==, 0);
}
