/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "core/analyze/query/query-words.h"
#include "core/analyze/query/stack-filter.h"
#include "core/analyze/tree/call-tree.h"
#include "core/model/build/builder.h"
#include "folded-profile.h"
#include "weigh-stacks.h"

static const char text[] = "main;a@11 1\nmain;b@12 2\nmain;a@21 4\nmain;c@31 8\nmain;b@11 16\n";

static uint64_t
weigh (const PvProfile *profile, const PvQuery *query)
{
    uint64_t total = 0, sum = 0;
    g_autofree uint64_t *weights = weigh_stacks (profile, query, &total);
    for (PvStackId s = 0; s < profile->n_stacks; s++)
        sum += weights[s];
    g_assert_cmpuint (sum, ==, total);
    return total;
}

TEST (time)
{
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    PvQuery query = new_query ();
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 31);
    query.start_ns = 1000;
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 30);
    query.end_ns = 3000; /* exclusive */
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 6);
    query.end_ns = 3001;
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 14);
    query.start_ns = query.end_ns = 5;
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 0);
    query.start_ns = UINT64_MAX;
    query.end_ns = UINT64_MAX;
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 0);
}

static PvThreadId
find_thread (const PvProfile *profile, int tid)
{
    for (PvThreadId t = 1; t < profile->n_threads; t++)
        if (profile->threads[t].tid == tid)
            return t;
    return 0;
}

TEST (who)
{
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    PvQuery query = new_query ();
    uint64_t all = weigh (folded.profile, &query);
    PvThreadId thread = find_thread (folded.profile, 11);
    pv_query_set_only (&query, PV_ORIGIN_THREAD, &thread, 1);
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 17);
    pv_query_set_except (&query, PV_ORIGIN_THREAD, &thread, 1);
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 0);
    pv_query_set_only (&query, PV_ORIGIN_THREAD, NULL, 0);
    g_assert_cmpuint (weigh (folded.profile, &query), ==, all - 17);
    pv_query_clear (&query);

    const PvProcessId process = 1; /* the first made: threads 11 and 12 */
    pv_query_set_only (&query, PV_ORIGIN_PROCESS, &process, 1);
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 19);
    pv_query_set_except (&query, PV_ORIGIN_THREAD, &thread, 1);
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 2);
    pv_query_clear (&query);

    const uint32_t cpus[] = {3, 0, 3};
    pv_query_set_only (&query, PV_ORIGIN_CPU, cpus, 3);
    g_assert_cmpuint (query.only[PV_ORIGIN_CPU].n_ids, ==, 2);
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 25);
    pv_query_clear (&query);
    pv_query_set_except (&query, PV_ORIGIN_CPU, cpus, 3);
    g_assert_cmpuint (weigh (folded.profile, &query), ==, all - 25);
    pv_query_clear (&query);

    query.measure = 7; /* there is none */
    g_assert_cmpuint (weigh (folded.profile, &query), ==, 0);
}

/* Intervals count for the part inside the range; adjoining ranges add up exactly. */
TEST (intervals)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    made_set (builder, "off-cpu", true, PV_UNIT_NS);
    PvModuleId m = made_module (builder, "prog");
    PvStackId stack = made_stack (builder, 0, m, 1);
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    PvThreadId thread = pv_profile_builder_add_thread (builder, process, 1, "t", 0);
    uint64_t all = 0;
    for (unsigned i = 0; i < 20; i++) {
        uint64_t weight = 777 + 13 * i;
        PvNewSample sample = {.time_ns = 1000 + 100 * i,
                              .duration_ns = weight,
                              .thread = thread,
                              .stack = stack,
                              .cpu = PV_CPU_UNKNOWN};
        all += weight;
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    PvQuery query = new_query ();
    g_assert_cmpuint (weigh (profile, &query), ==, all);
    query.start_ns = 100;
    query.end_ns = 150;
    /* The first two are running, 50 ns each. */
    g_assert_cmpuint (weigh (profile, &query), ==, 100);
    uint64_t sum = 0;
    for (uint64_t start_ns = 0; start_ns < 10000; start_ns += 37) {
        query.start_ns = start_ns;
        query.end_ns = start_ns + 37;
        sum += weigh (profile, &query);
    }
    g_assert_cmpuint (sum, ==, all);
}

/* A delay is the end of its interval, and counts for the part of that inside the range. */
TEST (delays)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    made_set (builder, "off-cpu", true, PV_UNIT_NS);
    pv_profile_builder_add_measure (builder, 0, "delay", PV_UNIT_NS, PV_AGGREGATION_SUM);
    pv_profile_builder_set_delay (builder, 0, 1);
    PvNewSample sample = {.time_ns = 1000, .duration_ns = 400, .cpu = PV_CPU_UNKNOWN};
    const uint64_t weights[][2] = {{400, 100}, {400, 0}, {400, 400}};
    for (unsigned i = 0; i < G_N_ELEMENTS (weights); i++)
        pv_profile_builder_add_sample (builder, 0, &sample, weights[i]);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->sets[0].delay_column, ==, 2);
    g_assert_cmpuint (pv_sample_set_delay_ns (&profile->sets[0], 0), ==, 100);
    static const struct {
        uint64_t start_ns, end_ns, whole, delay;
    } ranges[] = {{0, UINT64_MAX, 1200, 500}, {0, 400, 1200, 500}, {0, 300, 900, 300},
                  {0, 350, 1050, 400},        {290, 310, 60, 30},  {390, 1000, 30, 20},
                  {400, 1000, 0, 0},          {100, 100, 0, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS (ranges); i++) {
        PvQuery query = new_query ();
        query.start_ns = ranges[i].start_ns;
        query.end_ns = ranges[i].end_ns;
        g_assert_cmpuint (weigh (profile, &query), ==, ranges[i].whole);
        query.measure = 1;
        g_assert_cmpuint (weigh (profile, &query), ==, ranges[i].delay);
    }
}

/* Weights of a damaged file may not make sums wrap. */
TEST (huge_weights)
{
    g_auto (FoldedProfile) folded =
        folded_profile_new ("a;b 18446744073709551615\na;c 18446744073709551615\n");
    PvQuery query = new_query ();
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
    folded_check_tree (tree);
}

TEST (copy)
{
    g_auto (PvQuery) query = new_query (), copy = new_query ();
    const uint32_t ids[] = {0, 1}, other_ids[] = {0, 5};
    pv_query_set_only (&query, PV_ORIGIN_THREAD, ids, 2);
    pv_query_set_except (&query, PV_ORIGIN_CPU, ids, 1);
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, "a");
    pv_query_add_transform (&query, PV_TRANSFORM_COLLAPSE_RECURSION, NULL);
    pv_query_copy (&copy, &query);
    g_assert_true (pv_query_equal (&query, &copy));
    g_assert_true (pv_query_same_shape (&query, &copy));
    pv_query_set_only (&copy, PV_ORIGIN_THREAD, other_ids, 2);
    g_assert_false (pv_query_equal (&query, &copy));
    pv_query_set_only (&copy, PV_ORIGIN_THREAD, ids, 2);
    g_assert_true (pv_query_equal (&query, &copy));
    pv_query_set_except (&copy, PV_ORIGIN_CPU, NULL, 0);
    g_assert_false (pv_query_equal (&query, &copy));
    g_assert_true (pv_query_same_shape (&query, &copy));
    copy.transforms[0].expression[0] = 'b';
    g_assert_false (pv_query_same_shape (&query, &copy));
    g_assert_true (pv_query_check (&query, NULL));
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "[");
    g_assert_false (pv_query_check (&query, NULL));
    pv_query_remove_transforms (&query, PV_TRANSFORM_HIDE);
    g_assert_cmpuint (query.n_transforms, ==, 2);
    g_assert_true (pv_query_check (&query, NULL));
}

TEST (copy_labels)
{
    g_auto (PvQuery) query = new_query (), copy = new_query ();
    pv_query_add_label (&query, "tenant", "red");
    pv_query_set_grouping (&query, PV_GROUP_LABEL, "tenant");
    pv_query_copy (&copy, &query);
    g_assert_true (pv_query_equal (&query, &copy));
    copy.labels[0].expression[0] = 'b';
    g_assert_false (pv_query_equal (&query, &copy));
    g_assert_true (pv_query_same_shape (&query, &copy));
    copy.labels[0].expression[0] = 'r';
    pv_query_add_label (&copy, "a", "b");
    g_assert_false (pv_query_equal (&query, &copy));
    pv_query_clear (&copy);
    pv_query_copy (&copy, &query);
    pv_query_set_grouping (&copy, PV_GROUP_LABEL, "size");
    g_assert_false (pv_query_equal (&query, &copy));
    g_assert_false (pv_query_same_shape (&query, &copy));
    pv_query_set_grouping (&copy, PV_GROUP_THREAD, "size");
    g_assert_null (copy.group_label);
    g_assert_true (pv_query_check (&query, NULL));
    pv_query_add_label (&query, "tenant", "(");
    g_assert_false (pv_query_check (&query, NULL));
}

static PvProfile *
make_labelled (const char *key)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const PvLabel label = {.key = key, .text = "red"};
    pv_profile_builder_label_set (builder, &label, 1);
    return pv_profile_builder_snapshot (builder);
}

/* Labels that are not there any more go, as threads do. */
TEST (adapt_labels)
{
    g_autoptr (PvProfile) from = make_labelled ("tenant");
    g_autoptr (PvProfile) same = make_labelled ("tenant");
    g_autoptr (PvProfile) other = make_labelled ("user");
    g_auto (PvQuery) query = new_query ();
    pv_query_add_label (&query, "tenant", "red");
    pv_query_set_grouping (&query, PV_GROUP_LABEL, "tenant");
    pv_query_adapt (&query, from, same);
    g_assert_cmpuint (query.n_labels, ==, 1);
    g_assert_cmpstr (query.group_label, ==, "tenant");
    pv_query_adapt (&query, from, other);
    g_assert_cmpuint (query.n_labels, ==, 0);
    g_assert_cmpint (query.grouping, ==, PV_GROUP_NONE);
    g_assert_null (query.group_label);
}

TEST (defaults)
{
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    PvQuery query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "a");
    pv_query_set_defaults (&query, folded.profile);
    g_assert_cmpuint (query.n_transforms, ==, 1);

    static const PvHeap heap;
    PvProfile profile = *folded.profile;
    profile.heap = &heap;
    for (unsigned i = 0; i < 2; i++) {
        pv_query_set_defaults (&query, &profile);
        g_assert_cmpuint (query.n_transforms, ==, 2);
        g_assert_cmpint (query.transforms[0].kind, ==, PV_TRANSFORM_HIDE_ALLOCATORS);
        g_assert_null (query.transforms[0].expression);
        g_assert_cmpstr (query.transforms[1].expression, ==, "a");
    }
    g_assert_true (pv_query_check (&query, NULL));
    pv_query_clear (&query);

    /* Samples of allocations have the same, and frames that the file drops come before it. */
    profile.heap = NULL;
    profile.is_of_allocations = true;
    profile.drop_frames = "malloc";
    for (unsigned i = 0; i < 2; i++) {
        pv_query_set_defaults (&query, &profile);
        g_assert_cmpuint (query.n_transforms, ==, 2);
        g_assert_cmpint (query.transforms[0].kind, ==, PV_TRANSFORM_DROP);
        g_assert_cmpstr (query.transforms[0].expression, ==, "^(?:malloc)$");
        g_assert_cmpint (query.transforms[1].kind, ==, PV_TRANSFORM_HIDE_ALLOCATORS);
    }
    pv_query_clear (&query);
    pv_query_set_own_expression (PV_TRANSFORM_HIDE_ALLOCATORS, "^arena");
    pv_query_set_defaults (&query, &profile);
    g_assert_cmpstr (query.transforms[1].expression, ==, "^arena");
    pv_query_clear (&query);
    pv_query_set_own_expression (PV_TRANSFORM_HIDE_ALLOCATORS, "");
    g_assert_null (pv_query_get_own_expression (PV_TRANSFORM_HIDE_ALLOCATORS));
    profile.is_of_allocations = false;
    profile.drop_frames = "(";
    pv_query_set_defaults (&query, &profile);
    g_assert_cmpuint (query.n_transforms, ==, 0);
}

/* The same recording read again, in which thread 23 and process 3 are not found any more. */
TEST (adapt)
{
    g_auto (FoldedProfile) from = folded_profile_new ("main;a@11 1\nmain;b@23 2\nmain;c@31 3\n");
    g_auto (FoldedProfile) to = folded_profile_new ("main;x@40 9\nmain;c@12 3\nmain;a@11 1\n");
    g_auto (PvQuery) query = new_query ();

    const PvThreadId threads[] = {find_thread (from.profile, 23), find_thread (from.profile, 11)};
    const PvProcessId processes[] = {
        from.profile->threads[find_thread (from.profile, 31)].process,
        from.profile->threads[find_thread (from.profile, 11)].process,
    };
    const uint32_t cpu = 7;
    const PvIdList *only = query.only, *except = query.except;
    pv_query_set_only (&query, PV_ORIGIN_THREAD, threads, 2);
    pv_query_set_only (&query, PV_ORIGIN_PROCESS, processes, 2);
    pv_query_set_except (&query, PV_ORIGIN_THREAD, threads, 2);
    pv_query_set_except (&query, PV_ORIGIN_CPU, &cpu, 1);
    g_assert_cmpint (from.profile->processes[processes[0]].pid, ==, 3);
    pv_query_adapt (&query, from.profile, from.profile);
    g_assert_cmpuint (only[PV_ORIGIN_THREAD].n_ids, ==, 2);
    pv_query_adapt (&query, from.profile, to.profile);
    g_assert_cmpuint (query.measure, ==, 0);
    g_assert_cmpuint (only[PV_ORIGIN_THREAD].n_ids, ==, 1);
    g_assert_cmpint (to.profile->threads[only[PV_ORIGIN_THREAD].ids[0]].tid, ==, 11);
    g_assert_cmpuint (only[PV_ORIGIN_PROCESS].n_ids, ==, 1);
    g_assert_cmpint (to.profile->processes[only[PV_ORIGIN_PROCESS].ids[0]].pid, ==, 1);
    g_assert_cmpuint (except[PV_ORIGIN_THREAD].n_ids, ==, 1);
    g_assert_cmpint (to.profile->threads[except[PV_ORIGIN_THREAD].ids[0]].tid, ==, 11);
    g_assert_cmpuint (except[PV_ORIGIN_CPU].ids[0], ==, 7);
}

static void
check_subject (const char *expression, PvSubject wanted, const char *wanted_text)
{
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, expression);
    g_assert_true (pv_query_check (&query, NULL));
    g_assert_cmpint (query.transforms[0].subject, ==, wanted);
    g_assert_cmpstr (query.transforms[0].expression, ==, expression);
    PvSubject subject;
    assert_string (pv_subject_find_text (expression, &subject), wanted_text);
    g_assert_cmpint (subject, ==, wanted);
}

TEST (subjects)
{
    check_subject ("main", PV_SUBJECT_ANY, NULL);
    check_subject ("^main$", PV_SUBJECT_ANY, "main");
    check_subject ("module:^libc\\.so\\.6$", PV_SUBJECT_MODULE, "libc.so.6");
    check_subject ("module:^libc.so.6$", PV_SUBJECT_MODULE, NULL);
    check_subject ("function:a|b", PV_SUBJECT_FUNCTION, NULL);
    check_subject ("file::name", PV_SUBJECT_ANY, NULL);
    check_subject ("packages:x", PV_SUBJECT_ANY, NULL);
    for (PvSubject s = 0; s < PV_N_SUBJECTS; s++) {
        g_autofree char *expression =
            pv_subject_make_expression (s, "a(b)*::~c<int[3]>\\ $^ \303\251");
        check_subject (expression, s, "a(b)*::~c<int[3]>\\ $^ \303\251");
    }
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "file:*");
    assert_error (error, pv_query_check (&query, &error), G_REGEX_ERROR,
                  G_REGEX_ERROR_NOTHING_TO_REPEAT);
}

TEST (packages)
{
    static const struct {
        PvTransformKind kind;
        const char *expression;
        uint64_t total;
    } cases[] = {
        {PV_TRANSFORM_FOCUS, "package:^net$", 3}, {PV_TRANSFORM_IGNORE, "package:^net$", 4},
        {PV_TRANSFORM_FOCUS, "package:Dial", 0},  {PV_TRANSFORM_FOCUS, "function:Dial", 1},
        {PV_TRANSFORM_FOCUS, "file:^/src/os", 4}, {PV_TRANSFORM_FOCUS, "module:net", 0},
        {PV_TRANSFORM_FOCUS, "module:^prog$", 7},
    };
    g_auto (FoldedProfile) folded =
        folded_profile_new ("main;net.Dial 1\nmain;net.Listen 2\nmain;os.Open 4\n");
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_auto (PvQuery) query = new_query ();
        pv_query_add_transform (&query, cases[i].kind, cases[i].expression);
        g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
        g_assert_cmpuint (tree->total[0], ==, cases[i].total);
    }
}

/* Transforms change in their place, and those that are off do nothing. */
TEST (edit)
{
    g_auto (PvQuery) query = new_query (), active = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, "a");
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "b");
    pv_query_add_transform (&query, PV_TRANSFORM_SHOW, "c");
    pv_query_move_transform (&query, 0, 2);
    pv_query_move_transform (&query, 1, 0);
    pv_query_edit_transform (&query, 0, PV_TRANSFORM_IGNORE, "module:d");
    query.transforms[1].is_off = true;
    pv_query_edit_transform (&query, 1, PV_TRANSFORM_HIDE, "e");
    g_assert_cmpint (query.transforms[0].kind, ==, PV_TRANSFORM_IGNORE);
    g_assert_cmpint (query.transforms[0].subject, ==, PV_SUBJECT_MODULE);
    g_assert_cmpstr (query.transforms[0].expression, ==, "module:d");
    g_assert_cmpstr (query.transforms[1].expression, ==, "e");
    g_assert_true (query.transforms[1].is_off);
    g_assert_cmpstr (query.transforms[2].expression, ==, "a");
    g_auto (GStrv) options = pv_query_list_transforms (&query);
    assert_string (g_strjoinv (" ", options), "--ignore=module:d --focus=a");
    pv_query_copy_active (&active, &query);
    g_assert_false (pv_query_equal (&active, &query));
    g_assert_cmpuint (active.n_transforms, ==, 2);
    pv_query_remove_transform (&query, 1);
    g_assert_true (pv_query_equal (&active, &query));
}

TEST (count_matches)
{
    static const struct {
        PvTransformKind kind;
        const char *expression;
        uint32_t n;
    } cases[] = {
        {PV_TRANSFORM_FOCUS, "package:^net$", 2},
        {PV_TRANSFORM_HIDE, "Dial|main", 2},
        {PV_TRANSFORM_SHOW, "^os", 1},
        {PV_TRANSFORM_IGNORE, "x", 0},
        {PV_TRANSFORM_MERGE_MODULE, "prog", 1},
        {PV_TRANSFORM_FOCUS, "file:^/src/os", 1},
    };
    g_auto (FoldedProfile) folded =
        folded_profile_new ("main;net.Dial 1\nmain;net.Listen 2\nmain;os.Open 4\n");
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_auto (PvQuery) query = new_query ();
        pv_query_add_transform (&query, cases[i].kind, cases[i].expression);
        g_autoptr (PvStackFilter) filter =
            pv_stack_filter_new (folded.profile, folded.symbols, &query, NULL);
        g_assert_cmpuint (pv_stack_filter_count_matches (filter, 0), ==, cases[i].n);
    }
}

/* Each group of options, asked, gives the same options back. */
TEST (words)
{
    static const char *const groups[] = {
        "",
        "--time=1us..2ms|--thread=11|--cpu=0,3",
        "--time=..1s|--focus=a|--hide=module:^prog$|--focus=b|--collapse-recursion",
        "--time=3ns..|--process=1|--group=thread|--by=line|--no-inline|--invert",
        "--ignore=x|--show=y|--show-from=z|--merge-module=libx|--group=process|--by=address",
        "--my-code|--my-code-is=package:^db$",
        "--exclude-process=1|--thread=11|--thread=21|--cpu=0|--exclude-cpu=1,2|--group=cpu",
        "--process=2|--exclude-thread=11",
        "--group=module",
        "--group=file",
        "--group=package",
    };
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    for (unsigned i = 0; i < G_N_ELEMENTS (groups); i++) {
        g_auto (GStrv) options = g_strsplit (groups[i], "|", -1);
        g_auto (PvQueryWords) words;
        pv_query_words_init (&words);
        assert_ok (error, pv_query_words_add_all (&words, (const char *const *)options, &error));
        assert_string (g_strjoinv ("|", words.options != NULL ? words.options : options),
                       groups[i]);
        g_auto (PvQuery) query;
        assert_ok (error, pv_query_words_resolve (&words, folded.profile, &query, &error));
        g_auto (GStrv) listed = pv_query_list_options (&query, folded.profile);
        assert_string (g_strjoinv ("|", listed), groups[i]);
    }
    g_auto (PvQueryWords) words;
    pv_query_words_init (&words);
    assert_error (error, pv_query_words_add (&words, "--print", "top", &error), G_OPTION_ERROR,
                  G_OPTION_ERROR_UNKNOWN_OPTION);
}
