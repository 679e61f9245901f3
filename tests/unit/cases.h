/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* --- which tests a file has --- */

/* A test, or what runs instead of all tests of a file. Constructors add them before main () runs;
 * run.c calls those of the requested file. */
typedef struct {
    const char *file;
    int line;
    const char *name; /* NULL: of main */
    int (*main) (int argc, char **argv);
    void (*run) (void); /* NULL: run_with */
    gsize fixture_size_bytes;
    GTestFixtureFunc set_up, run_with, tear_down;
    bool is_large;
} PvTest;

void pv_test_add (const PvTest *test);
/* Is g_test_init (), and adds the tests of the file in their order there. */
void pv_test_init (int argc, char **argv);

#define PV_TEST_ADD(function, ...)                                                                 \
    __attribute__ ((constructor)) static void add_##function (void)                                \
    {                                                                                              \
        static const PvTest test = {.file = __FILE__, .line = __LINE__, __VA_ARGS__};              \
        pv_test_add (&test);                                                                       \
    }
#define PV_TEST(its_name, ...)                                                                     \
    static void test_##its_name (void);                                                            \
    PV_TEST_ADD (test_##its_name, .name = #its_name, .run = test_##its_name, __VA_ARGS__)          \
    static void test_##its_name (void)

/* Head of a test: TEST (two_counts) in test-massif.c is /massif/two-counts. */
#define TEST(name) PV_TEST (name, .is_large = false)

/* Head of a test of much work that begins no threads that others do not: ThreadSanitizer has it
 * with --full only. */
#define LARGE_TEST(name) PV_TEST (name, .is_large = true)

/* Head of a test that gets a Fixture, which the file's set_up () fills and tear_down () clears. */
#define FIXTURE_TEST(its_name, fixture)                                                            \
    static void test_##its_name (Fixture *fixture, gconstpointer data);                            \
    PV_TEST_ADD (test_##its_name, .name = #its_name, .fixture_size_bytes = sizeof (Fixture),       \
                 .set_up = (GTestFixtureFunc)set_up,                                               \
                 .run_with = (GTestFixtureFunc)test_##its_name,                                    \
                 .tear_down = (GTestFixtureFunc)tear_down)                                         \
    static void test_##its_name (Fixture *fixture, gconstpointer data)

/* Head of what runs instead where tests need more than a call of each: it calls pv_test_init () and
 * returns what g_test_run () says. */
#define TESTS_MAIN(argc, argv)                                                                     \
    static int run_tests (int argc, char **argv);                                                  \
    PV_TEST_ADD (run_tests, .main = run_tests)                                                     \
    static int run_tests (int argc, char **argv)

/* --- what they assert --- */

/* Is what a call returns, which must give no error: assert_ok (error, pv_save (path, &error)). */
#define assert_ok(error, call)                                                                     \
    __extension__({                                                                                \
        GError *error = NULL;                                                                      \
        __typeof__ (call) returned = (call);                                                       \
        g_assert_no_error (error);                                                                 \
        returned;                                                                                  \
    })

/* A call must fail with this error: assert_error (error, pv_load ("/", &error), PV_READ_ERROR, …).
 */
#define assert_error(error, call, domain, code)                                                    \
    do {                                                                                           \
        g_autoptr (GError) error = NULL;                                                           \
        g_assert_true (!(call));                                                                   \
        g_assert_error (error, domain, (int)(code));                                               \
    } while (0)

/* The string that is made, and is freed here, must be this one. */
#define assert_string(made, expected)                                                              \
    do {                                                                                           \
        g_autofree char *made_string = (made);                                                     \
        g_assert_cmpstr (made_string, ==, (expected));                                             \
    } while (0)

/* --- how much they do --- */

static inline bool
pv_test_is_sanitized (void)
{
    return g_getenv ("PV_SANITIZED") != NULL;
}

/* Is true in the standard run: build-aux/test --full has time for more. */
static inline bool
pv_test_is_short (void)
{
    return pv_test_is_sanitized () && g_getenv ("PV_FULL") == NULL;
}

/* Rounds that a test of random cases makes, of n: a sixth of them under sanitizers, where each
 * takes six times as long, and half of those in the standard run. Races do not depend on figures:
 * ThreadSanitizer gets a quarter of them. */
static inline unsigned
pv_test_rounds (unsigned n)
{
#ifdef __SANITIZE_THREAD__
    const unsigned share = pv_test_is_short () ? 24 : 6;
#else
    const unsigned share = pv_test_is_short () ? 12 : 6;
#endif
    return pv_test_is_sanitized () ? (n + share - 1) / share : n;
}

/* Steps in which a test goes that could try all lengths or all places: by n in the standard run
 * under sanitizers, else by one. */
static inline unsigned
pv_test_step (unsigned n)
{
    return pv_test_is_short () ? n : 1;
}

/* Names the case, so that one that fails can be repeated; with --verbose also says what it reads,
 * which is too long for every run. */
static inline void
pv_test_say_case (unsigned seed, const char *text)
{
    if (g_test_verbose ())
        g_test_message ("case %u:\n%s", seed, text);
    else
        g_test_message ("case %u", seed);
}
