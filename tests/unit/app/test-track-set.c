/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data that depends on the profile only is made once, and again for another profile or measure. */
#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "app/tracks/tracks-work.h"
#include "core/model/build/builder.h"

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} Case;

/* A thread that runs, waits once and switches at both ends. */
static Case
new_case (void)
{
    Case test = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    static const char *const names[] = {"cycles", "context-switches", "instructions", "off-cpu"};
    PvProcessId process = pv_profile_builder_add_process (builder, 7, "server", 0);
    PvThreadId thread = pv_profile_builder_add_thread (builder, process, 7, "main", 0);
    const PvWait wait = {.state = 'S'};
    for (uint32_t s = 0; s < G_N_ELEMENTS (names); s++) {
        bool is_wait = s == 3;
        made_set (builder, names[s], is_wait, PV_UNIT_COUNT);
        for (uint64_t i = 0; i < (is_wait ? 1 : 10); i++) {
            PvNewSample sample = {.time_ns = 1000 + 10 * i, .thread = thread};
            uint64_t weight = 1;
            if (is_wait) {
                sample.duration_ns = 20;
                sample.wait = pv_profile_builder_wait (builder, &wait);
            }
            pv_profile_builder_add_sample (builder, s, &sample, &weight);
        }
    }
    pv_profile_builder_set_derived (builder, 3);
    test.profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (test.profile);
    test.symbols = pv_symbol_builder_publish (symbols, true);
    return test;
}

static void
tear_down (Case *test)
{
    pv_symbol_table_free (test->symbols);
    pv_profile_free (test->profile);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, tear_down)

static PvTrackSet *
build (const Case *test, const char *measure, PvTimeRowKind kind, const PvTrackSet *previous,
       PvJob *job)
{
    g_auto (PvQuery) query = new_query ();
    query.measure = pv_profile_find_measure (test->profile, measure);
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (test->profile, test->symbols, &query, NULL, NULL, NULL);
    PvTrackSetInput input = {.tree = tree,
                             .kind = kind,
                             .colors = PV_COLOR_BY_MODULE,
                             .previous = previous != NULL ? previous->whole : NULL};
    return pv_track_set_build (&input, job, NULL);
}

TEST (once)
{
    Case test = new_case (), other = new_case ();
    PvTrackSet *first = build (&test, "cycles", PV_TIME_THREADS, NULL, NULL);
    PvTrackSet *same = build (&test, "cycles", PV_TIME_THREADS, first, NULL);
    PvTrackSet *instructions = build (&test, "instructions", PV_TIME_THREADS, same, NULL);
    PvTrackSet *switches = build (&test, "context-switches", PV_TIME_THREADS, instructions, NULL);
    PvTrackSet *anew = build (&other, "cycles", PV_TIME_THREADS, first, NULL);
    g_assert_nonnull (first->whole->waits);
    g_assert_nonnull (first->whole->marks);
    g_assert_true (same->whole->waits == first->whole->waits);
    g_assert_true (same->whole->marks == first->whole->marks);
    g_assert_true (instructions->whole->waits == first->whole->waits);
    g_assert_true (instructions->whole->marks == first->whole->marks);
    g_assert_cmpuint (first->whole->events->n_events, ==, 1);
    g_assert_cmpstr (first->whole->events->events[0].name, ==, "instructions");
    g_assert_cmpstr (instructions->whole->events->events[0].name, ==, "cycles");
    /* Its samples are what the rows show: no ticks. */
    g_assert_true (switches->whole->waits == first->whole->waits);
    g_assert_null (switches->whole->marks);
    g_assert_true (anew->whole->waits != first->whole->waits);
    g_assert_true (anew->whole->waits->profile == other.profile);
    g_assert_true (anew->whole->marks->profile == other.profile);
    /* They outlive what they were first made for. */
    pv_track_set_free (first);
    pv_track_set_free (instructions);
    g_assert_cmpuint (same->whole->waits->set->n_samples, ==, 1);
    pv_track_set_free (same);
    pv_track_set_free (switches);
    pv_track_set_free (anew);
    tear_down (&test);
    tear_down (&other);
}

TEST (cpus)
{
    g_auto (Case) test = new_case ();
    PvTrackSet *set = build (&test, "cycles", PV_TIME_CPUS, NULL, NULL);
    g_assert_null (set->whole->waits);
    g_assert_null (set->whole->marks);
    g_assert_cmpuint (set->whole->events->n_events, ==, 1);
    pv_track_set_free (set);
}

TEST (cancel)
{
    g_auto (Case) test = new_case ();
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    g_assert_null (build (&test, "cycles", PV_TIME_THREADS, NULL, job));
}
