/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "core/model/build/builder.h"

static PvModuleId
add_module (PvProfileBuilder *builder, const char *path)
{
    return made_module (builder, path);
}

TEST (stacks)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = add_module (builder, "/usr/lib/libx.so.1");
    PvLocationId a = pv_profile_builder_location (builder, m, 0x100, PV_LOCATION_RETURN);
    PvLocationId b = pv_profile_builder_location (builder, m, 0x200, PV_LOCATION_RETURN);
    PvLocationId c = pv_profile_builder_location (builder, m, 0x200, PV_LOCATION_EXACT);
    g_assert_cmpuint (b, !=, c);
    g_assert_cmpuint (pv_profile_builder_location (builder, m, 0x100, PV_LOCATION_RETURN), ==, a);

    PvStackId ab = pv_profile_builder_chain (builder, (PvLocationId[]){b, a}, 2);
    PvStackId abc = pv_profile_builder_chain (builder, (PvLocationId[]){c, b, a}, 3);
    g_assert_cmpuint (pv_profile_builder_chain (builder, (PvLocationId[]){b, a}, 2), ==, ab);
    g_assert_cmpuint (pv_profile_builder_stack (builder, ab, c), ==, abc);
    g_assert_cmpuint (pv_profile_builder_chain (builder, NULL, 0), ==, 0);

    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_stacks, ==, 4);
    g_assert_cmpuint (profile->parent_of_stack[abc], ==, ab);
    g_assert_cmpuint (profile->location_of_stack[abc], ==, c);
    g_assert_cmpuint (pv_profile_lookup_address (profile, b), ==, 0x1ff);
    g_assert_cmpuint (pv_profile_lookup_address (profile, c), ==, 0x200);
    g_assert_cmpstr (profile->modules[m].name, ==, "libx.so.1");
}

/* Whatever the order they are asked for in, the same stack is the same id, and others are not. */
TEST (stack_ids)
{
    enum { N = 40, N_STEPS = 20000 };
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = add_module (builder, "a");
    PvLocationId locations[N];
    for (unsigned i = 0; i < N; i++)
        locations[i] = pv_profile_builder_location (builder, m, i, PV_LOCATION_EXACT);
    g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
    g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
    uint32_t n_stacks = 1;
    uint64_t random = 88172645463325252u;
    for (unsigned step = 0; step < N_STEPS; step++) {
        if (step % 1000 == 500)
            pv_profile_builder_expect_sisters (builder, step);
        g_autoptr (GString) text = g_string_new (NULL);
        PvStackId stack = 0;
        unsigned depth = 1 + step % 6;
        for (unsigned d = 0; d < depth; d++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            unsigned i = (unsigned)(random % (d % 2 == 0 ? N : 2));
            pv_profile_builder_prefetch_stack (builder, stack, locations[i]);
            g_string_append_printf (text, "%u;", i);
            stack = pv_profile_builder_stack (builder, stack, locations[i]);
            PvStackId known = GPOINTER_TO_UINT (g_hash_table_lookup (seen, text->str));
            if (known != 0) {
                g_assert_cmpuint (stack, ==, known);
                continue;
            }
            g_assert_cmpuint (stack, ==, n_stacks++);
            g_ptr_array_add (texts, g_strdup (text->str));
            g_hash_table_insert (seen, texts->pdata[texts->len - 1], GUINT_TO_POINTER (stack));
        }
    }
}

/* A snapshot stays as it was while the builder goes on. */
TEST (snapshot_is_a_prefix)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = add_module (builder, "a");
    uint32_t set = made_set (builder, "cycles", false, PV_UNIT_COUNT);
    PvProfile *snapshots[20];
    for (uint32_t i = 0; i < 2000; i++) {
        if (i % 100 == 0)
            snapshots[i / 100] = pv_profile_builder_snapshot (builder);
        PvLocationId l = pv_profile_builder_location (builder, m, i, PV_LOCATION_EXACT);
        PvNewSample sample = {.time_ns = 1000 + i,
                              .stack = pv_profile_builder_stack (builder, 0, l)};
        pv_profile_builder_add_sample (builder, set, &sample, &(uint64_t){5 + (i > 150)});
    }
    g_clear_pointer (&builder, pv_profile_builder_free);
    for (uint32_t n = 0; n < 20; n++) {
        const PvProfile *profile = snapshots[n];
        const PvSampleSet *samples = &profile->sets[0];
        g_assert_cmpuint (samples->n_samples, ==, n * 100);
        g_assert_cmpuint (profile->n_locations, ==, n * 100 + 1);
        for (uint32_t i = 0; i < n * 100; i++) {
            g_assert_cmpuint (pv_sample_set_time_ns (samples, i), ==, 1000 + i);
            g_assert_cmpuint (pv_sample_set_weight (samples, 0, i), ==, 5 + (i > 150));
            g_assert_cmpuint (profile->address_of_location[i + 1], ==, i);
        }
        if (n > 0)
            g_assert_cmpuint (profile->duration_ns, ==, n * 100 - 1);
        pv_profile_free (snapshots[n]);
    }
}

/* Stacks that nobody asks for again are beside those that are found. */
TEST (new_stacks)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = made_module (builder, "prog");
    PvLocationId known[3], only_once[3];
    PvStackId stacks[3], new_ones[3];
    for (uint32_t i = 0; i < 3; i++) {
        known[i] = pv_profile_builder_location (builder, m, i, PV_LOCATION_EXACT);
        only_once[i] = pv_profile_builder_add_location (builder, m, 10 + i, PV_LOCATION_NAMED);
    }
    for (uint32_t i = 0; i < 3; i++) {
        new_ones[i] = pv_profile_builder_new_stack (builder, 0, only_once[i]);
        stacks[i] = pv_profile_builder_stack (builder, 0, known[i]);
    }
    for (uint32_t i = 0; i < 3; i++)
        g_assert_cmpuint (pv_profile_builder_stack (builder, 0, known[i]), ==, stacks[i]);
    PvStackId above = pv_profile_builder_stack (builder, new_ones[1], known[0]);
    g_assert_cmpuint (pv_profile_builder_stack (builder, new_ones[1], known[0]), ==, above);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_stacks, ==, 1 + 3 + 3 + 1);
    for (uint32_t i = 0; i < 3; i++) {
        g_assert_cmpuint (profile->parent_of_stack[new_ones[i]], ==, 0);
        g_assert_cmpuint (profile->location_of_stack[new_ones[i]], ==, only_once[i]);
        g_assert_cmpuint (profile->location_of_stack[stacks[i]], ==, known[i]);
    }
    g_assert_cmpuint (profile->parent_of_stack[above], ==, new_ones[1]);
}

TEST (unordered_samples)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t dummy = made_set (builder, "dummy", false, PV_UNIT_COUNT);
    pv_profile_builder_hide_empty_set (builder, dummy);
    made_set (builder, "other", false, PV_UNIT_COUNT);
    uint32_t set = pv_profile_builder_add_set (builder, "off", true);
    pv_profile_builder_add_measure (builder, set, "off-CPU", PV_UNIT_NS, PV_AGGREGATION_SUM);
    pv_profile_builder_prefer_set (builder, set);
    const uint64_t times[] = {50, 20, 90, 20, 0};
    for (uint64_t i = 0; i < G_N_ELEMENTS (times); i++) {
        PvNewSample sample = {.time_ns = times[i], .duration_ns = 10 + i};
        pv_profile_builder_add_sample (builder, set, &sample, &i);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_sets, ==, 2);
    g_assert_cmpuint (profile->n_measures, ==, 2);
    g_assert_cmpstr (profile->measures[0].name, ==, "off-CPU");
    g_assert_cmpuint (profile->measures[0].set, ==, 1);
    g_assert_cmpuint (profile->measures[0].total, ==, 10);
    g_assert_cmpuint (pv_profile_find_measure (profile, "OTHER"), ==, 1);
    g_assert_cmpuint (pv_profile_find_measure (profile, "dummy"), ==, UINT32_MAX);
    const PvSampleSet *samples = &profile->sets[1];
    const uint64_t expected[] = {4, 1, 3, 0, 2};
    for (uint32_t i = 0; i < 5; i++) {
        g_assert_cmpuint (pv_sample_set_weight (samples, 0, i), ==, expected[i]);
        g_assert_cmpuint (pv_sample_set_time_ns (samples, i), ==, times[expected[i]]);
        g_assert_cmpuint (samples->duration_ns[i], ==, 10 + expected[i]);
    }
    g_assert_cmpuint (profile->start_ns, ==, 20);
    g_assert_cmpuint (profile->duration_ns, ==, 90 + 12 - 20);
}

/* Runs that are in order each, of any length, with times that several of them have. */
TEST (samples_in_runs)
{
    enum { N_SAMPLES = 5000, MAX_TIME = 900 };
    for (uint64_t longest = 1; longest < N_SAMPLES; longest = longest * 3 + 1) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        uint32_t set = made_set (builder, "samples", false, PV_UNIT_COUNT);
        uint64_t random = longest, time_ns = 0, left = 0, times[N_SAMPLES];
        for (uint64_t i = 0; i < N_SAMPLES; i++, left--) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            bool is_new = left == 0;
            if (is_new)
                left = 1 + (random >> 40) % longest;
            time_ns = is_new ? (random >> 33) % MAX_TIME : time_ns + (random >> 50) % 3;
            times[i] = time_ns;
            PvNewSample sample = {.time_ns = time_ns};
            pv_profile_builder_add_sample (builder, set, &sample, &i);
        }
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        const PvSampleSet *samples = &profile->sets[0];
        uint64_t sum = 0, before = 0;
        for (uint32_t i = 0; i < N_SAMPLES; i++) {
            uint64_t given = pv_sample_set_weight (samples, 0, i);
            sum += given;
            g_assert_cmpuint (pv_sample_set_time_ns (samples, i), ==, times[given]);
            if (i > 0)
                g_assert_true (times[before] < times[given] ||
                               (times[before] == times[given] && before < given));
            before = given;
        }
        g_assert_cmpuint (sum, ==, (uint64_t)N_SAMPLES * (N_SAMPLES - 1) / 2);
    }
}

enum { N_WIDE = 70000, FIRST_LATE = 50000, LAST_NARROW = 65536 };

static PvNewSample
wide_sample (uint32_t i)
{
    PvNewSample sample = {.cpu = (uint16_t)i, .stack_end = (uint8_t)(i / LAST_NARROW)};
    sample.time_ns = 1000 + (uint64_t)i * 17 + (i >= FIRST_LATE ? (uint64_t)UINT32_MAX : 0);
    return sample;
}

static void
check_wide_samples (const PvSampleSet *samples, uint32_t n, uint32_t n_early)
{
    g_assert_cmpuint (samples->n_samples, ==, n + n_early);
    for (uint32_t i = 0; i < n; i++) {
        PvNewSample expected = wide_sample (i);
        g_assert_cmpuint (pv_sample_set_time_ns (samples, i + n_early), ==, expected.time_ns);
        g_assert_cmpuint (pv_sample_set_cpu (samples, i + n_early), ==, expected.cpu);
        g_assert_cmpint (pv_sample_set_stack_end (samples, i + n_early), ==, expected.stack_end);
    }
}

/* Times and contexts take more bytes once they have to; what snapshots showed stays. */
TEST (wide_samples)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t set = made_set (builder, "cycles", false, PV_UNIT_COUNT);
    PvProfile *snapshots[N_WIDE / 10000];
    g_assert_cmpuint (FIRST_LATE % PV_SAMPLES_PER_TIME_BASE, !=, 0);
    for (uint32_t i = 0; i < N_WIDE; i++) {
        PvNewSample sample = wide_sample (i);
        pv_profile_builder_add_sample (builder, set, &sample, &(uint64_t){1});
        if (i % 10000 == 9999)
            snapshots[i / 10000] = pv_profile_builder_snapshot (builder);
    }
    PvNewSample early = {.time_ns = 7, .cpu = 77};
    pv_profile_builder_add_sample (builder, set, &early, &(uint64_t){1});
    g_autoptr (PvProfile) sorted = pv_profile_builder_snapshot (builder);
    g_clear_pointer (&builder, pv_profile_builder_free);
    for (uint32_t s = 0; s < G_N_ELEMENTS (snapshots); s++) {
        const PvSampleSet *samples = &snapshots[s]->sets[0];
        uint32_t n = (s + 1) * 10000;
        g_assert_true ((samples->time_ns == NULL) == (n <= FIRST_LATE));
        g_assert_true ((samples->wide_context == NULL) == (n <= LAST_NARROW));
        check_wide_samples (samples, n, 0);
        pv_profile_free (snapshots[s]);
    }
    check_wide_samples (&sorted->sets[0], N_WIDE, 1);
    g_assert_cmpuint (pv_sample_set_time_ns (&sorted->sets[0], 0), ==, 7);
    g_assert_cmpuint (pv_sample_set_cpu (&sorted->sets[0], 0), ==, 77);
}

TEST (huge_weights)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t set = made_set (builder, "x", false, PV_UNIT_COUNT);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 3; i++)
        pv_profile_builder_add_sample (builder, set, &(PvNewSample){0}, &(uint64_t){UINT64_MAX});
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    for (uint32_t i = 0; i < 3; i++)
        sum += pv_sample_set_weight (&profile->sets[0], 0, i);
    g_assert_cmpuint (sum, ==, INT64_MAX);
    g_assert_cmpuint (profile->measures[0].total, ==, INT64_MAX);
}

/* Named ranges against one byte per address, the later range winning. */
TEST (named_ranges)
{
    const char *names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    for (int round = 0; round < 2000; round++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModuleId m = add_module (builder, "jit");
        PvNamedRange ranges[G_N_ELEMENTS (names)];
        const char *expected[64] = {NULL};
        for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
            uint64_t start = (uint64_t)g_test_rand_int_range (0, 64);
            uint64_t size = (uint64_t)g_test_rand_int_range (0, (gint32)(65 - start));
            ranges[i] = (PvNamedRange){.start = start, .size_bytes = size, .name = names[i]};
            for (uint64_t k = start; k < start + size; k++)
                expected[k] = names[i];
        }
        pv_profile_builder_set_named_ranges (builder, m, ranges, G_N_ELEMENTS (ranges));
        const PvModule *module = pv_profile_builder_module (builder, m);
        const char *found[64] = {NULL};
        uint64_t last_end = 0;
        for (uint32_t i = 0; i < module->n_named_ranges; i++) {
            const PvNamedRange *range = &module->named_ranges[i];
            g_assert_cmpuint (range->start, >=, last_end);
            last_end = range->start + range->size_bytes;
            for (uint64_t k = range->start; k < last_end; k++)
                found[k] = range->name;
        }
        for (size_t k = 0; k < 64; k++)
            g_assert_cmpstr (found[k], ==, expected[k]);
    }
}

TEST (notes)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    for (int i = 0; i < 1000; i++)
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0, "note %d", i / 2);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_notes, ==, 200);
    g_assert_cmpstr (profile->notes[199].text, ==, "note 199");
}

/* The labels of a sample as "key=text key=number unit", in a set of its own for what differs. */
static char *
write_labels (const PvProfile *profile, uint32_t label_set)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = profile->first_label_of_set[label_set];
         i < profile->first_label_of_set[label_set + 1]; i++) {
        const PvLabel *label = &profile->labels[i];
        if (label->text != NULL)
            g_string_append_printf (text, "%s=%s ", label->key, label->text);
        else
            g_string_append_printf (text, "%s=%" G_GINT64_FORMAT " %s ", label->key, label->number,
                                    label->unit);
    }
    return g_string_free (text, FALSE);
}

TEST (labels)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvLabel tenant = {.key = "tenant", .text = "a"};
    PvLabel bytes = {.key = "bytes", .number = -5, .unit = "bytes"};
    PvLabel unknown = {.key = "bytes", .number = -5};
    PvLabel both[] = {tenant, bytes}, turned[] = {bytes, tenant};
    uint32_t set = made_set (builder, "cpu", false, PV_UNIT_NS);
    uint32_t ids[] = {
        pv_profile_builder_label_set (builder, NULL, 0),
        pv_profile_builder_label_set (builder, &tenant, 1),
        pv_profile_builder_label_set (builder, &bytes, 1),
        pv_profile_builder_label_set (builder, &unknown, 1),
        pv_profile_builder_label_set (builder, both, 2),
        pv_profile_builder_label_set (builder, turned, 2),
    };
    g_assert_cmpuint (ids[0], ==, 0);
    g_assert_cmpuint (pv_profile_builder_label_set (builder, both, 2), ==, ids[4]);

    /* Times go down, so that the snapshot puts samples in another order. */
    for (unsigned i = 0; i < G_N_ELEMENTS (ids); i++) {
        PvNewSample sample = {.time_ns = 100 - i, .label_set = ids[i]};
        pv_profile_builder_add_sample (builder, set, &sample, &(uint64_t){1});
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    static const char *const expected[] = {"",
                                           "tenant=a ",
                                           "bytes=-5 bytes ",
                                           "bytes=-5  ",
                                           "tenant=a bytes=-5 bytes ",
                                           "bytes=-5 bytes tenant=a "};
    g_assert_cmpuint (profile->n_label_sets, ==, G_N_ELEMENTS (expected));
    for (unsigned i = 0; i < G_N_ELEMENTS (expected); i++) {
        uint32_t sample = G_N_ELEMENTS (expected) - 1 - i;
        assert_string (write_labels (profile, profile->sets[0].label_set[sample]), expected[i]);
    }
}

TEST (no_labels)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t set = made_set (builder, "cpu", false, PV_UNIT_NS);
    pv_profile_builder_add_sample (builder, set, &(PvNewSample){0}, &(uint64_t){1});
    pv_profile_builder_set_drop_frames (builder, "", NULL);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_null (profile->sets[0].label_set);
    g_assert_cmpuint (profile->n_label_sets, ==, 1);
    g_assert_null (profile->drop_frames);
}

static void
add_dump (PvProfileBuilder *builder, uint32_t set, unsigned number, PvStackId stack,
          uint64_t in_use, uint64_t allocated)
{
    PvNewSample sample = {.time_ns = 1000000000u * number, .stack = stack};
    pv_profile_builder_add_sample (builder, set, &sample, (uint64_t[]){allocated, in_use});
}

/* A series: states are those of the last dump, and what changed are measures of their own. */
TEST (series)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId m = add_module (builder, "a");
    PvStackId one = made_stack (builder, 0, m, 1);
    PvStackId two = made_stack (builder, 0, m, 2);
    uint32_t set = pv_profile_builder_add_set (builder, "heap", false);
    pv_profile_builder_add_measure (builder, set, "calls", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (builder, set, "space", PV_UNIT_BYTES, PV_AGGREGATION_STATE);
    pv_profile_builder_prefer_measure (builder, 1);
    for (unsigned i = 1; i <= 3; i++) {
        PvDump dump = {.name = "dump", .time_ns = 1000000000u * i};
        pv_profile_builder_add_dump (builder, &dump);
    }
    add_dump (builder, set, 1, one, 100, 1);
    add_dump (builder, set, 1, two, 100, 1);
    add_dump (builder, set, 2, two, 700, 1);
    add_dump (builder, set, 3, two, 40, 1);
    add_dump (builder, set, 3, one, 50, 1);
    add_dump (builder, set, 3, one, 60, 1);

    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    static const struct {
        const char *name;
        uint64_t total;
    } expected[] = {{"space", 150},
                    {"calls", 6},
                    {"space-growth", 70},
                    {"space-increase", 10},
                    {"space-decrease", 60}};
    g_assert_cmpuint (profile->duration_ns, ==, 2000000000u);
    g_assert_cmpuint (profile->n_measures, ==, 3);
    g_assert_cmpuint (profile->n_weights, ==, G_N_ELEMENTS (expected));
    for (unsigned i = 0; i < G_N_ELEMENTS (expected); i++) {
        g_assert_cmpstr (profile->measures[i].name, ==, expected[i].name);
        g_assert_cmpuint (profile->measures[i].total, ==, expected[i].total);
    }
    g_assert_cmpuint (profile->n_pairs, ==, 1);
    g_assert_null (pv_profile_get_pair (profile, 0));
    for (PvMeasureId i = 2; i < 5; i++)
        g_assert_true (pv_profile_get_pair (profile, i) == profile->pairs);
    g_assert_cmpint (pv_profile_net_total (profile, 2), ==, -50);
    g_assert_cmpuint (profile->pairs->both, ==, 2);
    g_assert_cmpuint (profile->pairs->of_side[PV_SIDE_NEW], ==, 3);
    g_assert_cmpuint (profile->pairs->of_side[PV_SIDE_BASE], ==, 4);
}
