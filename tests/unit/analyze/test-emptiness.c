/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "../made.h"
#include "core/analyze/tables/emptiness.h"
#include "folded-profile.h"

#define MS UINT64_C (1000000)

/* The sentences about a query, as the command line has them; "": there is something. */
static char *
explain (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query)
{
    g_autoptr (PvEmptiness) emptiness = pv_emptiness_find (profile, symbols, query, NULL);
    return emptiness != NULL ? pv_emptiness_format (emptiness, profile) : g_strdup ("");
}

static void
check_query (const FoldedProfile *folded, const PvQuery *query, const char *wanted)
{
    g_autofree char *text = explain (folded->profile, folded->symbols, query);
    g_assert_cmpstr (text, ==, wanted);
}

TEST (filters)
{
    /* Samples at 0, 1 and 2 µs. */
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B @11 3/1\nA;C @12 0/2\nA;B @11 4/0\n");
    g_auto (PvQuery) query;
    pv_query_init (&query);
    check_query (&folded, &query, "");
    pv_query_add_transform (&query, PV_TRANSFORM_FOCUS, "^Z$");
    g_autoptr (PvEmptiness) emptiness =
        pv_emptiness_find (folded.profile, folded.symbols, &query, NULL);
    g_assert_true (emptiness->has_filters && !emptiness->has_range && !emptiness->is_of_file);
    g_assert_cmpuint (emptiness->measure, ==, UINT32_MAX);
    g_assert_nonnull (strstr (emptiness->title, " with these filters"));
    g_assert_cmpstr (emptiness->reason, ==, "The filters leave out all of it: 7.");
    /* The range does have something. */
    query.end_ns = 2000000;
    g_autoptr (PvEmptiness) part = pv_emptiness_find (folded.profile, folded.symbols, &query, NULL);
    g_assert_true (g_str_has_suffix (part->title, " until 2 ms with these filters"));
    g_assert_cmpstr (part->reason, ==, "The filters leave out all of it: 7.");
    query.end_ns = UINT64_MAX;
    /* One that is switched off is none. */
    query.transforms[0].is_off = true;
    check_query (&folded, &query, "");
}

TEST (range)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("A;B @11 3/1\nA;C @12 0/2\nA;B @11 4/0\n");
    g_auto (PvQuery) query;
    pv_query_init (&query);
    query.start_ns = 1000;
    query.end_ns = 2000;
    g_autoptr (PvEmptiness) emptiness =
        pv_emptiness_find (folded.profile, folded.symbols, &query, NULL);
    g_assert_true (emptiness->has_range && !emptiness->has_filters);
    g_assert_cmpuint (emptiness->measure, ==, 1);
    g_assert_cmpuint (emptiness->amount, ==, 2);
    /* Beyond the end of the recording nothing else helps. */
    query.start_ns = 5000000;
    query.end_ns = UINT64_MAX;
    g_autoptr (PvEmptiness) beyond =
        pv_emptiness_find (folded.profile, folded.symbols, &query, NULL);
    g_assert_true (beyond->has_range && beyond->measure == UINT32_MAX);
    g_assert_cmpstr (beyond->reason, ==, "The recording ends after 2.00 µs.");
    /* A thread and a time that do not go together: leaving out either one helps. */
    pv_query_clear (&query);
    pv_query_init (&query);
    query.end_ns = 1000;
    for (PvThreadId t = 1; t < folded.profile->n_threads; t++)
        if (folded.profile->threads[t].tid == 12)
            pv_query_set_only (&query, PV_ORIGIN_THREAD, &t, 1);
    g_autoptr (PvEmptiness) both = pv_emptiness_find (folded.profile, folded.symbols, &query, NULL);
    g_assert_true (both->has_filters);
}

/* Samples of the CPU at 1 and 9 ms; n threads wait from 2 to 8 ms. */
static PvProfile *
make_waits (unsigned n)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t cpu = made_set (builder, "cpu-clock", false, PV_UNIT_NS);
    uint32_t waits = made_set (builder, "offcpu-time", true, PV_UNIT_NS);
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    PvStackId stack = made_stack (builder, 0, made_module (builder, "prog"), 1);
    for (unsigned i = 0; i < n; i++) {
        PvThreadId thread =
            pv_profile_builder_add_thread (builder, process, (int32_t)(i + 1), "t", 0);
        PvNewSample sample = {.time_ns = MS, .thread = thread, .stack = stack};
        uint64_t weight = MS;
        pv_profile_builder_add_sample (builder, cpu, &sample, &weight);
        sample.time_ns = 9 * MS;
        pv_profile_builder_add_sample (builder, cpu, &sample, &weight);
        sample.time_ns = 2 * MS;
        sample.duration_ns = weight = 6 * MS;
        pv_profile_builder_add_sample (builder, waits, &sample, &weight);
    }
    return pv_profile_builder_snapshot (builder);
}

/* The program ran until 3 ms, but not the thread. */
TEST (filtered_ranges)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t cpu = made_set (builder, "cpu-clock", false, PV_UNIT_NS);
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    PvStackId stack = made_stack (builder, 0, made_module (builder, "prog"), 1);
    const uint64_t weight = MS;
    for (int32_t tid = 1; tid <= 2; tid++)
        for (uint64_t at = tid == 1 ? 1 : 5; at < (tid == 1 ? 10 : 6); at++) {
            PvNewSample sample = {.time_ns = at * MS, .stack = stack};
            sample.thread = at == 1 || at == 5
                                ? pv_profile_builder_add_thread (builder, process, tid, "t", 0)
                                : 1;
            pv_profile_builder_add_sample (builder, cpu, &sample, &weight);
        }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
    static const struct {
        uint64_t start_ns, end_ns;
        const char *title;
    } cases[] = {{0, 3 * MS, "No CPU time until 3 ms with these filters"},
                 {8 * MS, UINT64_MAX, "No CPU time after 8 ms with these filters"},
                 {MS, 3 * MS, "No CPU time in 1–3 ms with these filters"}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_auto (PvQuery) query;
        pv_query_init (&query);
        query.start_ns = cases[i].start_ns;
        query.end_ns = cases[i].end_ns;
        pv_query_set_only (&query, PV_ORIGIN_THREAD, &(PvThreadId){2}, 1);
        g_autoptr (PvEmptiness) emptiness = pv_emptiness_find (profile, symbols, &query, NULL);
        g_assert_cmpstr (emptiness->title, ==, cases[i].title);
    }
}

TEST (waits)
{
    g_autoptr (PvProfile) profile = make_waits (6);
    g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
    g_auto (PvQuery) query;
    pv_query_init (&query);
    query.start_ns = 2 * MS;
    query.end_ns = 4 * MS;
    g_autofree char *text = explain (profile, symbols, &query);
    g_assert_cmpstr (
        text, ==,
        "No CPU time in 2–4 ms. 6 threads were waiting, for 12.0 ms in all. Show that with "
        "--measure=offcpu-time. Leave out --time.");
}

/* A profile of samples with these amounts in a measure, and maybe a stack. */
static char *
note (const char *format, const char *measure, PvUnit unit, uint64_t weight, unsigned n,
      bool has_stacks)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t set = made_set (builder, measure, false, unit);
    pv_profile_builder_facts (builder)->format = format;
    pv_profile_builder_facts (builder)->profiled_ns = 30000 * MS;
    PvStackId stack = made_stack (builder, 0, made_module (builder, "prog"), 1);
    PvNewSample sample = {.time_ns = 1, .stack = has_stacks ? stack : 0};
    for (unsigned i = 0; i < n; i++)
        pv_profile_builder_add_sample (builder, set, &sample, &weight);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
    g_auto (PvQuery) query;
    pv_emptiness_note (profile, symbols);
    const PvNote *found = pv_emptiness_find_note (profile, symbols);
    pv_query_init (&query);
    g_autofree char *text = explain (profile, symbols, &query);
    /* The same in both places. */
    g_assert_cmpstr (text, ==, found != NULL ? found->text : "");
    return g_strdup (text);
}

TEST (files)
{
    static const struct {
        const char *format, *measure;
        PvUnit unit;
        uint64_t weight;
        unsigned n;
        bool has_stacks;
        const char *wanted;
    } files[] = {
        {"perf.data", "cycles", PV_UNIT_COUNT, 0, 0, true,
         "The recording contains no samples. The program ended too soon, "},
        {"pprof", "cpu", PV_UNIT_NS, 0, 0, true,
         "The profile contains no samples. The program used no CPU time in the 30.0 s that "},
        {"pprof", "delay", PV_UNIT_NS, 0, 0, true,
         "The profile contains no samples. Nothing waited for a lock, "},
        {"pprof", "alloc_space", PV_UNIT_BYTES, 0, 0, true,
         "The profile contains no samples. The program allocated so little "},
        {"folded", "samples", PV_UNIT_COUNT, 0, 3, true,
         "All amounts are 0. The profile has 3 samples, which count nothing. "},
        {"perf.data", "cycles", PV_UNIT_COUNT, 5, 2, false, "No sample has a stack. "},
        {"folded", "samples", PV_UNIT_COUNT, 5, 2, true, ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
        g_autofree char *text = note (files[i].format, files[i].measure, files[i].unit,
                                      files[i].weight, files[i].n, files[i].has_stacks);
        g_assert_true (g_str_has_prefix (text, files[i].wanted));
        g_assert_cmpint (*text == '\0', ==, *files[i].wanted == '\0');
    }
}

TEST (idle)
{
    g_auto (FoldedProfile) idle = folded_profile_new ("swapper;A @11 3\nswapper/1;B @12 2\n");
    g_auto (FoldedProfile) busy = folded_profile_new ("swapper;A @11 3\nmain;B @12 2\n");
    pv_emptiness_note (idle.profile, idle.symbols);
    const PvNote *found = pv_emptiness_find_note (idle.profile, idle.symbols);
    g_assert_nonnull (found);
    g_assert_cmpint (found->kind, ==, PV_NOTE_IDLE);
    pv_emptiness_note (busy.profile, busy.symbols);
    g_assert_null (pv_emptiness_find_note (busy.profile, busy.symbols));
}
