/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of speedscope: random ones, whose samples must come out again; and single cases. */
#include <string.h>

#include "reader-case.h"

#define read_text(text) read_well (&pv_speedscope_reader, (text))

enum { N_CASES = 400, N_FRAMES = 7 };

#define SCHEMA "\"$schema\": \"https://www.speedscope.app/file-format-schema.json\""
#define FRAMES "\"shared\": {\"frames\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}]}"

static const struct {
    const char *unit, *measure;
    unsigned scale;
    bool is_time;
} units[] = {
    {"none", "weight", 1, false},          {"nanoseconds", "time", 1, true},
    {"microseconds", "time", 1000, true},  {"milliseconds", "time", 1000000, true},
    {"seconds", "time", 1000000000, true}, {"bytes", "bytes", 1, false},
    {"cycles", "weight", 1, false},
};

/* Puts parts in any order. */
static char *
join_shuffled (GRand *random, GPtrArray *parts)
{
    for (guint i = parts->len; i > 1; i--) {
        guint other = (guint)g_rand_int_range (random, 0, (gint32)i);
        gpointer part = parts->pdata[i - 1];
        parts->pdata[i - 1] = parts->pdata[other];
        parts->pdata[other] = part;
    }
    g_ptr_array_add (parts, NULL);
    return g_strjoinv (",\n", (char **)parts->pdata);
}

typedef struct {
    GRand *random;
    size_t unit;
    const char *thread;
    unsigned start; /* startValue */
    GPtrArray *lines;
} Case;

static void
expect (Case *self, bool has_time, unsigned at, unsigned weight, const char *stack)
{
    unsigned scale = units[self->unit].scale;
    unsigned ns = units[self->unit].is_time ? 1 : 1000000; /* of what has no unit of time */
    guint64 time = has_time ? (guint64)(self->start + at) * scale * ns + 1 : 0;
    guint64 whole = (guint64)weight * scale;
    g_ptr_array_add (self->lines, g_strdup_printf ("%s %s %" G_GUINT64_FORMAT "+%" G_GUINT64_FORMAT
                                                   " %" G_GUINT64_FORMAT " %s",
                                                   units[self->unit].measure, self->thread, time,
                                                   has_time ? whole * ns : 0, whole, stack));
}

static char *
make_sampled (Case *self)
{
    g_autoptr (GString) samples = g_string_new ("\"samples\": [");
    g_autoptr (GString) weights = g_string_new ("\"weights\": [");
    int n = g_rand_int_range (self->random, 0, 40);
    unsigned at = 0;
    for (int i = 0; i < n; i++) {
        g_autoptr (GString) stack = g_string_new (NULL);
        int depth = g_rand_int_range (self->random, 0, 6);
        unsigned weight = (unsigned)g_rand_int_range (self->random, 0, 5);
        g_string_append (samples, i > 0 ? ", [" : "[");
        for (int d = 0; d < depth; d++) {
            int frame = g_rand_int_range (self->random, 0, d < 3 ? 2 : N_FRAMES);
            g_string_append_printf (samples, "%s%d", d > 0 ? "," : "", frame);
            g_string_append_printf (stack, "%sf%d", d > 0 ? ";" : "", frame);
        }
        g_string_append (samples, "]");
        g_string_append_printf (weights, "%s%u", i > 0 ? "," : "", weight);
        if (depth > 0 && weight > 0)
            expect (self, units[self->unit].is_time, at, weight, stack->str);
        at += weight;
    }
    return g_strdup_printf ("%s], %s]", samples->str, weights->str);
}

static char *
spell_open (GArray *open)
{
    GString *text = g_string_new (NULL);
    for (guint i = 0; i < open->len; i++)
        g_string_append_printf (text, "%sf%d", i > 0 ? ";" : "", g_array_index (open, int, i));
    return g_string_free (text, FALSE);
}

static char *
make_evented (Case *self)
{
    GString *text = g_string_new ("\"events\": [");
    g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (int));
    int n = g_rand_int_range (self->random, 0, 60);
    unsigned at = 0;
    for (int i = 0; i < n || open->len > 0; i++) {
        unsigned step = (unsigned)g_rand_int_range (self->random, 0, 4);
        g_autofree char *stack = spell_open (open);
        if (open->len > 0 && step > 0)
            expect (self, true, at, step, stack);
        at += step;
        bool opens = open->len == 0 || (i < n && g_rand_boolean (self->random));
        int frame = opens ? g_rand_int_range (self->random, 0, N_FRAMES)
                          : g_array_index (open, int, open->len - 1);
        if (opens)
            g_array_append_val (open, frame);
        else
            g_array_set_size (open, open->len - 1);
        g_string_append_printf (text, "%s{\"type\": \"%c\", \"frame\": %d, \"at\": %u}",
                                i > 0 ? ", " : "", opens ? 'O' : 'C', frame, self->start + at);
    }
    g_string_append (text, "]");
    return g_string_free (text, FALSE);
}

static char *
make_profile (Case *self)
{
    g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
    bool is_evented = g_rand_boolean (self->random);
    g_ptr_array_add (parts, g_strdup_printf ("\"name\": \"%s\"", self->thread));
    g_ptr_array_add (parts, g_strdup_printf ("\"unit\": \"%s\"", units[self->unit].unit));
    g_ptr_array_add (parts,
                     g_strdup_printf ("\"type\": \"%s\"", is_evented ? "evented" : "sampled"));
    g_ptr_array_add (parts, g_strdup_printf ("\"startValue\": %u, \"endValue\": 0", self->start));
    g_ptr_array_add (parts, is_evented ? make_evented (self) : make_sampled (self));
    return join_shuffled (self->random, parts);
}

static void
check_random (unsigned seed)
{
    static const char *const threads[] = {"main", "worker", "worker (2)"};
    g_autoptr (GRand) random = g_rand_new_with_seed (seed);
    g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (GString) frames = g_string_new (NULL);
    g_autoptr (GString) profiles = g_string_new (NULL);
    for (int i = 0; i < N_FRAMES; i++)
        g_string_append_printf (frames, "%s{\"line\": null, \"name\": \"f%d\", \"col\": 3}",
                                i > 0 ? ", " : "", i);
    for (unsigned i = 0; i < 1 + seed % 3; i++) {
        Case one = {random, (seed / 3 + i * (seed % 2)) % G_N_ELEMENTS (units), threads[i],
                    (unsigned)g_rand_int_range (random, 0, 50), lines};
        g_autofree char *profile = make_profile (&one);
        g_string_append_printf (profiles, "%s{%s}", i > 0 ? ", " : "", profile);
    }
    g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_add (parts, g_strdup (SCHEMA));
    g_ptr_array_add (parts, g_strdup_printf ("\"shared\": {\"frames\": [%s]}", frames->str));
    g_ptr_array_add (parts, g_strdup_printf ("\"profiles\": [%s]", profiles->str));
    g_ptr_array_add (parts, g_strdup ("\"other\": {\"profiles\": [1, [2]], \"name\": \"x\"}"));
    g_autofree char *inner = join_shuffled (random, parts);
    g_autofree char *text = g_strdup_printf ("{%s}", inner);
    pv_test_say_case (seed, text);
    g_autoptr (PvProfile) profile = read_text (text);
    g_autofree char *expected = join_sorted (lines);
    assert_string (spell_samples (profile), expected);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

TEST (random)
{
    for (unsigned seed = 0; seed < N_CASES; seed++)
        check_random (seed);
}

TEST (frames)
{
    g_autoptr (PvProfile) profile = read_text (
        "{" SCHEMA ", \"exporter\": \"py-spy@0.3\", \"name\": \"shop\", \"shared\": "
        "{\"frames\": [{\"name\": \"f\", \"file\": \"/src/shop.py\", \"line\": 12}, "
        "{}]}, \"profiles\": [{\"type\": \"sampled\", \"unit\": \"seconds\", \"samples\":"
        " [[0, 1]], \"weights\": [0.25]}]}");
    assert_string (spell_samples (profile), "time profile 1 1+250000000 250000000 f;?");
    g_assert_cmpstr (profile->facts.recorder, ==, "py-spy@0.3");
    g_assert_cmpstr (profile->processes[1].name, ==, "shop");
    g_assert_cmpstr (profile->modules[profile->module_of_location[1]].name, ==, "shop.py");
    g_assert_cmpuint (profile->given_frames[profile->given_of_location[1]].line, ==, 12);
}

/* Fractions are rounded so that the sum of all is right. */
TEST (fractions)
{
    g_autoptr (PvProfile) profile = read_text (
        "{" SCHEMA "," FRAMES ", \"profiles\": [{\"type\": \"sampled\", \"unit\": \"bytes\", "
        "\"samples\": [[0], [0], [1], [0], [0]], \"weights\": [0.5, 0.5, 2e3, 0.5, 0.5]}]}");
    g_assert_cmpuint (profile->measures[0].total, ==, 2002);
}

/* Small weights without a unit keep their digits, in all profiles of a file. */
TEST (small_weights)
{
    g_autoptr (PvProfile) profile = read_text (
        "{" SCHEMA "," FRAMES ", \"profiles\": [{\"type\": \"sampled\", \"unit\": \"none\", "
        "\"samples\": [[0], [1], [2]], \"weights\": [0.0125, 0.03, 2e-3]}, {\"type\": \"evented\", "
        "\"unit\": \"none\", \"endValue\": 5, \"events\": [{\"type\": \"O\", \"frame\": 0, \"at\": "
        "0}, {\"type\": \"C\", \"frame\": 0, \"at\": 5}]}]}");
    assert_string (spell_samples (profile),
                   "weight profile 1 0+0 125 a\nweight profile 1 0+0 20 c\n"
                   "weight profile 1 0+0 300 b\nweight profile 2 1+5000000 50000 a");
    g_assert_cmpstr (profile->measures[0].unit_name, ==, "0.0001");
    g_assert_true (has_note (profile, "in units of 0.0001"));
}

/* Weights of a later profile may need more digits than those before. */
TEST (smaller_weights)
{
    g_autoptr (PvProfile) profile = read_text (
        "{" SCHEMA "," FRAMES ", \"profiles\": [{\"type\": \"sampled\", \"unit\": \"none\", "
        "\"samples\": [[0], [1]], \"weights\": [1000, 7]}, {\"type\": \"sampled\", \"unit\": "
        "\"none\", \"samples\": [[1], [2]], \"weights\": [0.3, 0.05]}]}");
    assert_string (spell_samples (profile),
                   "weight profile 1 0+0 100000 a\nweight profile 1 0+0 700 b\n"
                   "weight profile 2 0+0 30 b\nweight profile 2 0+0 5 c");
    g_assert_cmpuint (profile->measures[0].total, ==, 100735);
    g_assert_cmpstr (profile->measures[0].unit_name, ==, "0.01");
    g_assert_true (has_note (profile, "in units of 0.01"));
}

TEST (no_weights)
{
    g_autoptr (PvProfile) profile = read_text (
        "{" SCHEMA "," FRAMES ", \"profiles\": [{\"type\": \"sampled\", \"unit\": \"bytes\", "
        "\"samples\": [[0], [1]], \"weights\": [0, 0.2]}]}");
    g_assert_true (has_note (profile, "The weights of all samples in the file are 0"));
}

/* An array too many around a stack, or around its frames. */
TEST (nested)
{
    g_autoptr (PvProfile) profile = read_text (
        "{" SCHEMA "," FRAMES ", \"profiles\": [{\"type\": \"sampled\", \"unit\": \"none\", "
        "\"samples\": [[[0]], [[0, 1]], [[0], [1]], [0, [[2]]], [[]]], \"weights\": [1, 2, 3, 4, "
        "5]}]}");
    assert_string (spell_samples (profile),
                   "weight profile 1 0+0 1 a\nweight profile 1 0+0 2 a;b\n"
                   "weight profile 1 0+0 3 a;b\nweight profile 1 0+0 4 a;c");
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    /* Each sample with a frame that is not there is counted, also where the one before was the
     * same. */
    g_autoptr (PvProfile) bad = read_text (
        "{" SCHEMA "," FRAMES ", \"profiles\": [{\"type\": \"sampled\", \"unit\": \"none\", "
        "\"samples\": [[0, 9], [0, 9], [0, 9, 1], [0]], \"weights\": [1, 2, 3, 4]}]}");
    g_assert_cmpuint (bad->n_skipped_records, ==, 3);
}

typedef struct {
    const char *profile;
    const char *samples;
    unsigned n_skipped;
    const char *note; /* NULL: none */
} Odd;

TEST (odd)
{
    static const Odd cases[] = {
        /* Closes what is not on top, what is not open, and goes back in time. */
        {"\"type\": \"evented\", \"unit\": \"nanoseconds\", \"events\": "
         "[{\"type\":\"O\",\"frame\":0,"
         "\"at\":0},{\"type\":\"O\",\"frame\":1,\"at\":2},{\"type\":\"C\",\"frame\":0,\"at\":5},"
         "{\"type\":\"C\",\"frame\":1,\"at\":6},{\"type\":\"O\",\"frame\":2,\"at\":6},"
         "{\"type\":\"C\",\"frame\":2,\"at\":4}]",
         "time profile 1 1+2 2 a\ntime profile 1 3+3 3 a;b", 3, "Events are out of order"},
        /* Not closed, no frame, no time. */
        {"\"type\": \"evented\", \"unit\": \"nanoseconds\", \"endValue\": 9, \"events\": "
         "[{\"type\":\"O\",\"frame\":0,\"at\":1},{\"type\":\"O\",\"frame\":7,\"at\":2},"
         "{\"type\":\"O\",\"frame\":1},7]",
         "time profile 1 2+8 8 a", 2, "Frames were not closed"},
        /* Weights below zero, too few of them, frames that are not there. */
        {"\"type\": \"sampled\", \"unit\": \"nanoseconds\", \"samples\": "
         "[[0],[0],[0,9,1],[],[2],[2]],"
         "\"weights\": [1, -2, 3, 4, 5]",
         "time profile 1 1+1 1 a\ntime profile 1 2+3 3 a;b\ntime profile 1 9+5 5 c", 3,
         "Samples with weights below zero"},
        /* Too many of them: as of several processes, of which each has the weights of all. */
        {"\"type\": \"sampled\", \"unit\": \"none\", \"samples\": [[2]], \"weights\": [1, 2]",
         "weight profile 1 0+0 1 c", 0, "more weights than samples"},
        {"\"type\": \"sampled\", \"unit\": \"none\", \"samples\": [[0],[0]]",
         "weight profile 1 0+0 1 a\nweight profile 1 0+0 1 a", 0},
        {"\"type\": \"other\"", "", 1, "Profiles that are neither"},
        {"\"type\": \"sampled\", \"unit\": \"seconds\", \"samples\": [[0]], \"weights\": [1e300]",
         "time profile 1 1+2305843009213693952 2305843009213693952 a", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *text =
            g_strdup_printf ("{" SCHEMA "," FRAMES ",\"profiles\":[{%s}]}", cases[i].profile);
        g_test_message ("%s", text);
        g_autoptr (PvProfile) profile = read_text (text);
        assert_string (spell_samples (profile), cases[i].samples);
        g_assert_cmpuint (profile->n_skipped_records, ==, cases[i].n_skipped);
        g_assert_true (cases[i].note == NULL || has_note (profile, cases[i].note));
    }
}

TEST (damaged)
{
    assert_refused (&pv_speedscope_reader, "{" SCHEMA "," FRAMES "}", PV_READ_ERROR_CORRUPT);

    g_autoptr (PvProfile) cut = read_text (
        "{" FRAMES
        ", \"profiles\": [{\"type\": \"evented\", \"unit\": \"nanoseconds\", \"endValue\": "
        "5, \"events\": [{\"type\": \"O\", \"frame\": 1, \"at\": 2}, {\"type\": \"C\", \"fr");
    assert_string (spell_samples (cut), "time profile 1 3+3 3 b");
    g_assert_cmpuint (cut->n_notes, >, 0);
}
