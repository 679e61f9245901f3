/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits of threads: which one there is at a time, and who ended it from where. */
#include "../cases.h"
#include "../made.h"
#include "core/analyze/tables/wakers.h"
#include "core/analyze/time/wait-index.h"
#include "core/model/build/builder.h"

enum { N_THREADS = 4, ROUNDS = 60, START = 1000 };

typedef struct {
    uint64_t start_ns, end_ns;
    PvThreadId thread;
    char state;
} Interval;

static PvProfileBuilder *
make_builder (void)
{
    PvProfileBuilder *builder = pv_profile_builder_new ();
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    for (int t = 0; t < N_THREADS; t++)
        pv_profile_builder_add_thread (builder, process, t, "t", 0);
    made_set (builder, "off-cpu", true, PV_UNIT_NS);
    return builder;
}

/* Threads that run and wait by turns; one of them never waits. */
static PvProfile *
make_waits (GRand *random, Interval *intervals, unsigned n)
{
    g_autoptr (PvProfileBuilder) builder = make_builder ();
    uint64_t now_ns[N_THREADS] = {START, START, START, START};
    for (unsigned i = 0; i < n; i++) {
        unsigned t = (unsigned)g_rand_int_range (random, 0, N_THREADS - 1);
        now_ns[t] += (uint64_t)g_rand_int_range (random, i == 0 ? 0 : 1, 50);
        Interval interval = {.start_ns = now_ns[t],
                             .end_ns = now_ns[t] + (uint64_t)g_rand_int_range (random, 1, 90),
                             .thread = t + 1,
                             .state = "SRD?"[g_rand_int_range (random, 0, 4)]};
        if (i == 0) /* where the profile begins */
            interval.start_ns = START;
        now_ns[t] = interval.end_ns;
        const PvWait wait = {.state = interval.state};
        PvNewSample sample = {.time_ns = interval.start_ns,
                              .duration_ns = interval.end_ns - interval.start_ns,
                              .thread = interval.thread,
                              .cpu = PV_CPU_UNKNOWN,
                              .wait = pv_profile_builder_wait (builder, &wait)};
        pv_profile_builder_add_sample (builder, 0, &sample, &sample.duration_ns);
        intervals[i] = interval;
    }
    return pv_profile_builder_snapshot (builder);
}

static const Interval *
find_plainly (const Interval *intervals, unsigned n, PvThreadId thread, uint64_t clock_ns)
{
    for (unsigned i = 0; i < n; i++)
        if (intervals[i].thread == thread && intervals[i].start_ns <= clock_ns &&
            clock_ns < intervals[i].end_ns)
            return &intervals[i];
    return NULL;
}

/* A thread's waits between two times, cut to them. */
static void
check_sum (const PvWaitIndex *index, const Interval *intervals, unsigned n, uint64_t start_ns,
           uint64_t end_ns)
{
    uint64_t base_ns = index->profile->start_ns;
    uint64_t end_clock_ns = end_ns + MIN (base_ns, UINT64_MAX - end_ns);
    for (PvThreadId thread = 1; thread <= N_THREADS; thread++) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < n; i++) {
            uint64_t from = MAX (intervals[i].start_ns, start_ns + base_ns);
            uint64_t to = MIN (intervals[i].end_ns, end_clock_ns);
            if (intervals[i].thread == thread && from < to)
                sum += to - from;
        }
        g_assert_cmpuint (pv_wait_index_sum (index, thread, start_ns, end_ns), ==, sum);
    }
}

static void
check_find (const PvWaitIndex *index, const Interval *intervals, unsigned n, uint64_t time_ns)
{
    for (PvThreadId thread = 1; thread <= N_THREADS; thread++) {
        uint32_t sample;
        const Interval *expected =
            find_plainly (intervals, n, thread, time_ns + index->profile->start_ns);
        g_assert_cmpint (pv_wait_index_find (index, thread, time_ns, &sample), ==,
                         expected != NULL);
        if (expected == NULL)
            continue;
        g_assert_cmpuint (pv_sample_set_time_ns (index->set, sample), ==, expected->start_ns);
        g_assert_cmpuint (pv_sample_set_thread (index->set, sample), ==, thread);
    }
}

static void
check_kinds (const PvWaitIndex *index, const Interval *intervals, unsigned n, uint64_t start_ns,
             uint64_t end_ns, uint32_t n_bins)
{
    g_autofree uint8_t *kinds = g_malloc (n_bins);
    for (PvThreadId thread = 1; thread <= N_THREADS; thread++) {
        pv_wait_index_sample (index, thread, start_ns, end_ns, n_bins, kinds);
        for (uint32_t bin = 0; bin < n_bins; bin++) {
            double middle = (double)(end_ns - start_ns) * (bin + 0.5) / n_bins;
            const Interval *expected =
                find_plainly (intervals, n, thread,
                              index->profile->start_ns + start_ns + (uint64_t)(middle + 1e-9));
            PvWaitKind kind = expected == NULL         ? PV_WAIT_NONE
                              : expected->state == 'R' ? PV_WAIT_PREEMPTED
                                                       : PV_WAIT_BLOCKED;
            g_assert_cmpuint (kinds[bin], ==, kind);
        }
    }
}

TEST (index)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (17);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned n = (unsigned)g_rand_int_range (random, 1, 300);
        g_autofree Interval *intervals = g_new (Interval, n);
        g_autoptr (PvProfile) profile = make_waits (random, intervals, n);
        g_autoptr (PvWaitIndex) index = pv_wait_index_build (profile, NULL, NULL);
        g_assert_nonnull (index);
        uint64_t length_ns = profile->duration_ns;
        for (uint64_t time_ns = 0; time_ns < length_ns + 200; time_ns += 7)
            check_find (index, intervals, n, time_ns);
        check_find (index, intervals, n, UINT64_MAX);
        for (unsigned i = 0; i < 50; i++) {
            uint64_t a = (uint64_t)g_rand_int_range (random, 0, (gint32)length_ns + 50);
            uint64_t b = (uint64_t)g_rand_int_range (random, 0, (gint32)length_ns + 50);
            check_sum (index, intervals, n, MIN (a, b), MAX (a, b));
        }
        check_sum (index, intervals, n, 0, UINT64_MAX);
        /* Bins of whole nanoseconds, so that both sides round alike. */
        check_kinds (index, intervals, n, 0, 64 * (length_ns / 64 + 1), 64);
        check_kinds (index, intervals, n, length_ns / 3, length_ns / 3 + 500, 500);
        check_kinds (index, intervals, n, length_ns, length_ns, 3);
    }
}

static PvThreadId
get_waker (void *data, uint32_t sample)
{
    const PvWaitIndex *index = data;
    return index->profile->waits[pv_sample_set_wait (index->set, sample)].waker;
}

/* 1 waits for 2, which waited for 3, which holds what they need while it sleeps. */
TEST (follow)
{
    static const struct {
        uint64_t start_ns, end_ns;
        PvThreadId thread, waker;
    } waits[] = {{5, 9, 2, 4}, {20, 120, 1, 2}, {30, 100, 2, 3}, {40, 80, 3, 0}, {130, 140, 1, 0}};
    g_autoptr (PvProfileBuilder) builder = make_builder ();
    for (unsigned i = 0; i < G_N_ELEMENTS (waits); i++) {
        const PvWait wait = {.state = 'S', .waker = waits[i].waker};
        PvNewSample sample = {.time_ns = waits[i].start_ns,
                              .duration_ns = waits[i].end_ns - waits[i].start_ns,
                              .thread = waits[i].thread,
                              .cpu = PV_CPU_UNKNOWN,
                              .wait = pv_profile_builder_wait (builder, &wait)};
        pv_profile_builder_add_sample (builder, 0, &sample, &sample.duration_ns);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvWaitIndex) index = pv_wait_index_build (profile, NULL, NULL);
    PvWaitStep steps[PV_WAIT_STEPS];

    g_assert_cmpuint (pv_wait_index_follow (index, 1, get_waker, index, steps), ==, 2);
    g_assert_cmpuint (steps[0].thread, ==, 2);
    g_assert_cmpuint (steps[0].ns, ==, 20);
    g_assert_cmpuint (steps[1].thread, ==, 3);
    g_assert_cmpuint (steps[1].ns, ==, 80);
    g_assert_cmpuint (pv_wait_index_follow (index, 4, get_waker, index, steps), ==, 0);

    /* Without the wait of 2, it is all that 1 waited for. */
    const bool is_kept[] = {true, true, false, true, true};
    g_autoptr (PvWaitIndex) fewer = pv_wait_index_build (profile, is_kept, NULL);
    g_assert_cmpuint (pv_wait_index_follow (fewer, 1, get_waker, fewer, steps), ==, 1);
    g_assert_cmpuint (steps[0].thread, ==, 2);
    g_assert_cmpuint (steps[0].ns, ==, 100);
}

/* Nothing is known of waits: no state, and no waker. */
TEST (nothing_known)
{
    g_autoptr (PvProfileBuilder) builder = make_builder ();
    PvNewSample sample = {.time_ns = 5, .duration_ns = 10, .thread = 1};
    pv_profile_builder_add_sample (builder, 0, &sample, &sample.duration_ns);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_null (pv_wait_index_build (profile, NULL, NULL));
    g_assert_false (pv_wakers_can_build (profile, 0));
    g_assert_false (pv_wakers_can_build (profile, 1));
    g_assert_cmpuint (pv_wakers_find_measure (profile), ==, UINT32_MAX);
}

/* A stack of these modules, innermost first, has the functions in `expected`. */
TEST (functions)
{
    static const struct {
        const char *modules, *expected;
    } cases[] = {
        {"kkkuuuu", "3 4 5"}, {"uuu", "0 1 2"}, {"kk", "0 1"}, {"kkkkk", "0 1 2"},
        {"kku", "2"},         {"uku", "0 2"},   {"", ""},
    };
    for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
        g_autoptr (PvProfileBuilder) builder = make_builder ();
        PvModule kernel = {.path = "k", .kind = PV_MODULE_KERNEL, .is_kernel = true};
        PvModuleId modules[] = {made_module (builder, "p"),
                                pv_profile_builder_add_module (builder, &kernel)};
        PvStackId stack = 0;
        for (size_t i = strlen (cases[c].modules); i > 0; i--) {
            bool is_kernel = cases[c].modules[i - 1] == 'k';
            PvLocationId location =
                pv_profile_builder_location (builder, modules[is_kernel], i - 1, PV_LOCATION_EXACT);
            stack = pv_profile_builder_stack (builder, stack, location);
        }
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
        for (PvLocationId l = 1; l < profile->n_locations; l++) {
            g_autofree char *name =
                g_strdup_printf ("%" G_GUINT64_FORMAT, profile->address_of_location[l]);
            made_function (names, l, name, profile->module_of_location[l]);
        }
        g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (names, true);
        PvFunctionId functions[PV_WAKER_FUNCTIONS];
        pv_wakers_find_functions (profile, symbols, stack, functions);
        g_autoptr (GString) text = g_string_new (NULL);
        for (unsigned i = 0; i < PV_WAKER_FUNCTIONS && functions[i] != 0; i++)
            g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                                    symbols->functions[functions[i]].name);
        g_assert_cmpstr (text->str, ==, cases[c].expected);
    }
}
