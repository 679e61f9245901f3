/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks, against another reading of the same text by splitting each line. */
#include <string.h>

#include "../scratch.h"
#include "reader-case.h"

#define read_text(text) read_well (&pv_folded_reader, (text))

enum { N_CASES = 300 };

/* The frames of a stack as they were in the file, with the module of each: "main;open@[kernel]". */
static char *
spell_stack (const PvProfile *profile, PvStackId stack)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[location]];
        for (bool is_inlined = !frame->is_last;; frame++, is_inlined = !frame->is_last) {
            g_autofree char *spelled =
                g_strdup_printf ("%s%s%s%s", frame->name, is_inlined ? "_[i]" : "",
                                 strcmp (module->name, "[unknown]") == 0 ? "" : "@",
                                 strcmp (module->name, "[unknown]") == 0 ? "" : module->name);
            g_string_prepend (text, text->len > 0 ? ";" : "");
            g_string_prepend (text, spelled);
            if (frame->is_last)
                break;
        }
    }
    return g_string_free (g_steal_pointer (&text), FALSE);
}

/* "SUM stack" for each stack, sorted. */
static char *
spell_profile (const PvProfile *profile)
{
    g_autoptr (GHashTable) sums = new_sums ();
    g_assert_cmpuint (profile->n_sets, ==, 1);
    const PvSampleSet *set = &profile->sets[0];
    for (uint32_t i = 0; i < set->n_samples; i++) {
        g_autofree char *stack = spell_stack (profile, set->stack[i]);
        add_to_sums (sums, stack, pv_sample_set_weight (set, 0, i));
    }
    return spell_sums (sums);
}

static char *
random_line (GRand *random, GString *expected)
{
    static const char *const names[] = {"main", "run loop", "f(int, char)", "a::b", "7", "x"};
    static const char *const marks[] = {"", "", "", "_[k]", "_[j]"};
    static const char *const modules[] = {"", "", "", "@[kernel]", "@[jit]"};
    g_autoptr (GString) line = g_string_new (NULL);
    int n = g_rand_int_range (random, 1, 9), mark = 0;
    for (int i = 0; i < n; i++) {
        const char *name = names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))];
        bool is_inlined = i > 0 && g_rand_int_range (random, 0, 4) == 0;
        if (!is_inlined)
            mark = g_rand_int_range (random, 0, G_N_ELEMENTS (marks));
        bool has_empty_after = i + 1 < n && g_rand_int_range (random, 0, 30) == 0;
        g_string_append_printf (line, "%s%s%s%s", i > 0 ? ";" : "", name,
                                is_inlined ? "_[i]" : marks[mark], has_empty_after ? ";" : "");
        g_string_append_printf (expected, "%s%s%s%s", i > 0 ? ";" : "", name,
                                is_inlined ? "_[i]" : "", modules[mark]);
        if (has_empty_after) { /* no frame, so that nothing can be inlined into it */
            i++;
            mark = 0;
            g_string_append (line, ";end");
            g_string_append (expected, ";end");
        }
    }
    return g_string_free (g_steal_pointer (&line), FALSE);
}

/* Sorted or not, all stacks come out with their sums. */
TEST (random)
{
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
        g_autoptr (GHashTable) sums = new_sums ();
        for (unsigned i = 0; i < 2 + seed; i++) {
            g_autoptr (GString) expected = g_string_new (NULL);
            g_autofree char *stack = random_line (random, expected);
            gsize weight = (gsize)g_rand_int_range (random, 1, 1000);
            g_ptr_array_add (lines, g_strdup_printf ("%s %" G_GSIZE_FORMAT, stack, weight));
            add_to_sums (sums, expected->str, weight);
        }
        g_ptr_array_add (lines, g_strdup ("main;end 1"));
        add_to_sums (sums, "main;end", 1);
        if (seed % 2 == 0)
            g_ptr_array_sort (lines, compare_texts);
        g_ptr_array_add (lines, NULL);
        g_autofree char *text = g_strjoinv (seed % 3 == 0 ? "\r\n" : "\n", (char **)lines->pdata);
        g_autofree char *expected = spell_sums (sums);
        g_autoptr (PvProfile) profile = read_text (text);
        g_autofree char *found = spell_profile (profile);
        pv_test_say_case (seed, text);
        g_assert_cmpstr (found, ==, expected);
        g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    }
}

TEST (two_counts)
{
    g_autoptr (PvProfile) profile = read_text ("# before and after\nmain;7 3 5\nmain;f 8 0\n"
                                               "main 0 2\n");
    g_assert_cmpuint (profile->n_pairs, ==, 1);
    g_assert_nonnull (profile->compared);
    const PvPair *pair = &profile->pairs[0];
    g_assert_cmpuint (profile->measures[pair->both].total, ==, 18);
    g_assert_cmpuint (profile->measures[pair->of_side[PV_SIDE_BASE]].total, ==, 11);
    g_assert_cmpuint (profile->measures[pair->of_side[PV_SIDE_NEW]].total, ==, 7);
    assert_string (spell_profile (profile), "2 main\n8 main;7\n8 main;f\n");

    /* One line with a single number: the others' frames end in numbers. */
    g_autoptr (PvProfile) single = read_text ("main;worker 3 5\nmain 2\n");
    g_assert_cmpuint (single->n_pairs, ==, 0);
    assert_string (spell_profile (single), "2 main\n5 main;worker 3\n");
}

/* Differences, as they are exported: one of less and one of more, which are no two files. */
TEST (signed)
{
    g_autoptr (PvProfile) profile = read_text ("main;f -8\nmain;g 5\nmain 1\nmain;h -0\n");
    g_assert_cmpuint (profile->n_pairs, ==, 1);
    g_assert_null (profile->compared);
    const PvPair *pair = &profile->pairs[0];
    g_assert_cmpuint (profile->measures[pair->of_side[PV_SIDE_BASE]].total, ==, 8);
    g_assert_cmpuint (profile->measures[pair->of_side[PV_SIDE_NEW]].total, ==, 6);
    g_assert_cmpint (pv_profile_net_total (profile, pair->both), ==, -2);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    g_autoptr (PvProfile) zero = read_text ("main;f -0\nmain;g 5\n");
    g_assert_cmpuint (zero->n_pairs, ==, 0);
}

TEST (fractions)
{
    g_autoptr (PvProfile) profile =
        read_text ("\xef\xbb\xbfmain;a 0.25\nmain;b 0.25\nmain;c 0.125\nmain;d 3.375\n");
    g_assert_cmpstr (profile->measures[0].name, ==, "amount");
    g_assert_cmpstr (profile->measures[0].unit_name, ==, "0.001");
    g_assert_true (has_note (profile, "in units of 0.001: 1 is shown as 1000."));
    assert_string (spell_profile (profile), "250 main;a\n250 main;b\n125 main;c\n3375 main;d\n");

    /* Rounding changes no shares of large sums. */
    g_autoptr (PvProfile) large = read_text ("main;a 0.25\nmain;b 0.25\nmain;c 999.5\n");
    g_assert_null (large->measures[0].unit_name);
    g_assert_cmpuint (large->measures[0].total, ==, 1000);
    g_assert_true (has_note (large, "rounded so that their sum is right"));
}

/* Less than one in all, as programs write it. */
TEST (small_fractions)
{
    g_autoptr (PvProfile) profile = read_text ("main;a 3e-05\nmain;b 1.25E-05\nmain 0.000002\n");
    assert_string (spell_profile (profile), "20 main\n300 main;a\n125 main;b\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    g_autoptr (PvProfile) two = read_text ("main;a 0.02 0.01\nmain;b 0 0.05\n");
    const PvPair *pair = &two->pairs[0];
    g_assert_cmpuint (two->measures[pair->of_side[PV_SIDE_BASE]].total, ==, 2);
    g_assert_cmpuint (two->measures[pair->of_side[PV_SIDE_NEW]].total, ==, 6);
    g_autoptr (PvProfile) less = read_text ("main;a -0.02\nmain;b 0.5\n");
    g_assert_cmpint (pv_profile_net_total (less, less->pairs[0].both), ==, 48);
}

/* Frames of a single level, which are told from other text by all lines having a number. */
TEST (shallow)
{
    g_autoptr (PvProfile) profile = read_text ("main 30\nidle 70\n");
    assert_string (spell_profile (profile), "70 idle\n30 main\n");
    g_assert_true (has_note (profile, "every stack is taken for a single frame"));
    g_autoptr (PvProfile) deep = read_text ("main 30\nmain;idle 70\n");
    g_assert_cmpuint (deep->n_notes, ==, 0);
}

/* A frame of Java is the same function however its code was run. */
TEST (java)
{
    g_autoptr (PvProfile) profile =
        read_text ("run_[0];loop_[1];hot_[j];leaf_[i] 40\nrun_[0];loop_[0];hot_[0] 10\n"
                   "run_[1];loop_[j];hot_[1];read 5\n_[0] 1\n");
    assert_string (spell_profile (profile), "1 _[0]\n10 run@[jit];loop@[jit];hot@[jit]\n"
                                            "40 run@[jit];loop@[jit];hot@[jit];leaf_[i]@[jit]\n"
                                            "5 run@[jit];loop@[jit];hot@[jit];read\n");
}

TEST (threads)
{
    g_autoptr (PvProfile) profile = read_text ("web server-12/13;main;a 1\nweb server-12/14;b 2\n"
                                               "sh-?/7;c 4\n");
    g_assert_cmpuint (profile->n_threads, ==, 4); /* and none */
    g_assert_cmpuint (profile->n_processes, ==, 3);
    const PvThread *second = &profile->threads[2];
    g_assert_cmpstr (second->name, ==, "web server");
    g_assert_cmpint (second->tid, ==, 14);
    g_assert_cmpint (profile->processes[second->process].pid, ==, 12);
    g_assert_cmpint (profile->processes[profile->threads[3].process].pid, ==, -1);

    /* A program that executed another; threads tell their process by its main thread's name. */
    g_autoptr (PvProfile) exec = read_text ("pool-5/6;a 1\nafter-5/5;a 1\nbefore-5/5;a 1\n"
                                            "before-5/7;a 1\npool-5/8;a 1\n");
    static const char *const names[] = {"after", "after", "before", "before", "after"};
    for (uint32_t t = 1; t < exec->n_threads; t++)
        g_assert_cmpstr (exec->processes[exec->threads[t].process].name, ==, names[t - 1]);
    g_assert_cmpuint (exec->n_processes, ==, 3);

    g_autoptr (PvProfile) mixed = read_text ("web-12/13;main 1\nmain;work 2\n");
    g_assert_cmpuint (mixed->n_threads, ==, 1);
}

/* Exports write stacks without frames, which are not frames then. */
TEST (no_stack)
{
    g_autoptr (PvProfile) profile = read_text ("(no stack) 7\nweb-12;a 5\n(no stack) 3\n");
    assert_string (spell_profile (profile), "10 \n5 web-12;a\n");
    g_assert_cmpuint (profile->n_threads, ==, 2);
    g_autoptr (PvProfile) empty = read_text ("(no stack) 7\n");
    g_assert_cmpuint (empty->sets[0].stack[0], ==, 0);
    g_assert_cmpuint (empty->n_notes, ==, 0);
}

/* A line that may be anything is a stack in a file that is named so. */
TEST (names_of_files)
{
    static const struct {
        const char *name, *text;
        bool is_folded;
    } files[] = {{"a.folded", "main 250000\n", true},
                 {"b.collapsed", "operator new(unsigned long) 5\nf(int) 6", true},
                 {"c.txt", "main 250000\n", false},
                 {"d.folded", "main 250000\nand more\n", false},
                 {"e.folded", "{\"main\": 2, 5\n", false}};
    for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autofree char *folder = scratch_new_folder ();
        g_autofree char *path = g_build_filename (folder, files[i].name, NULL);
        g_assert_true (g_file_set_contents (path, files[i].text, -1, NULL));
        g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
        const PvReader *reader = pv_read_find_reader (file);
        g_assert_true (reader == (files[i].is_folded ? &pv_folded_reader : NULL));
    }
}

TEST (bad_lines)
{
    g_autoptr (PvProfile) profile =
        read_text ("main;a 1\nnothing here\n\n// remark\n 7\nmain;b 99999"
                   "999999999999999999\nmain;c 2\nmain;d 2\nmain;e --3\n"
                   "main;f 1\nmain;f 1\nmain;f 1\nmain;f 1\nmain;f 1\nmain;f 1");
    g_assert_cmpuint (profile->n_skipped_records, ==, 3);
    g_assert_cmpuint (profile->sets[0].n_samples, ==, 10);
    g_assert_cmpuint (profile->measures[0].total, ==, INT64_MAX / 4 + 11);
}

TEST (sniff)
{
    static const SniffedText samples[] = {
        {"# by hand\nshop;main;work 12\r\nshop;main 3.5\nshop 1\n", true},
        {"THIS IS BAD\nmain;a 1\nmain;b 2\nmain;c 3\nmain;d 4\n", true},
        {"main;work 12\nmain;wo", true},
        {"main 12\n", false},
        {"main 12\nidle 7\n", true},
        {"main 12\nidle\n", false},
        {"c 1\nc 2\nc 3\nc 4\n", false},
        {"v 10500 3\nI 1000 20\nt 1 0\na 10 1\n", false},
        {"f(int, int) 12\nidle 7\n", false},
        {"f(int, int) 12\nidle 7\nmain 1\noperator new 2.5\n", true},
        {"the shop; it is open from 9\nuntil 5 o'clock\n", false},
        {"[{\"a;b\": 1},\n;a 2\n;b 3\n;c 4\n", false},
        {"[unknown];main 3\n", true},
        {"", false},
        {"events: Ir\nfn=main\n1 2\n", false},
    };
    assert_sniffs (&pv_folded_reader, samples, G_N_ELEMENTS (samples));
}

TESTS_MAIN (argc, argv)
{
    return scratch_run_tests (argc, argv);
}
