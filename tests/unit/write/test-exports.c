/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files for the Firefox Profiler and of callgrind, as text, and pages of HTML. */
#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/base/error.h"
#include "core/load/page/save-page.h"
#include "core/load/save-callgrind.h"
#include "core/load/save-firefox.h"
#include "core/model/build/builder.h"
#include "core/model/profile/symbols.h"
#include "core/write/escape.h"
#include "core/write/html/html-page.h"

#define MS UINT64_C (1000000)

/* main calls a, a calls b, and b calls a; c is inlined into b. */
enum { MAIN, A, B, N_PLACES };

typedef struct {
    PvProfileBuilder *builder;
    PvThreadId thread;
    PvLocationId places[N_PLACES];
    PvProfile *profile;
    PvSymbolTable *symbols;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
    PvProfileBuilder *builder = fixture->builder = pv_profile_builder_new ();
    PvModule program = {.path = "/opt/bin/prog",
                        .kind = PV_MODULE_FILE,
                        .address_kind = PV_ADDRESS_IMAGE,
                        .build_id = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09},
                        .build_id_size = 9};
    PvModuleId module = pv_profile_builder_add_module (builder, &program);
    for (int p = 0; p < N_PLACES; p++)
        fixture->places[p] = pv_profile_builder_location (
            builder, module, 0x1000 * ((uint64_t)p + 1), PV_LOCATION_EXACT);
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    pv_profile_builder_add_measure (builder, 0, "time used", PV_UNIT_NS, PV_AGGREGATION_SUM);
    PvProcessId process = pv_profile_builder_add_process (builder, 7, "prog", 0);
    fixture->thread = pv_profile_builder_add_thread (builder, process, 8, "worker", 0);
}

static PvFunctionId
make_function (PvSymbolBuilder *symbols, const char *name, const char *file, uint32_t line)
{
    PvFunction function = {.name = name, .file = file, .line = line, .module = 1};
    return pv_symbol_builder_function (symbols, &function);
}

static void
finish (Fixture *fixture)
{
    fixture->profile = pv_profile_builder_snapshot (fixture->builder);
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (fixture->profile);
    const char *file = pv_symbol_builder_string (symbols, "p.c");
    PvFrame main_frame = {make_function (symbols, "main", "p.c", 10), 11, file, false};
    PvFrame a_frame = {make_function (symbols, "a", "p.c", 20), 21, file, false};
    PvFrame b_frames[] = {{make_function (symbols, "c", "c.h", 1), 0, NULL, true},
                          {make_function (symbols, "b", NULL, 0), 0, NULL, false}};
    pv_symbol_builder_set_frames (symbols, fixture->places[MAIN], &main_frame, 1);
    pv_symbol_builder_set_frames (symbols, fixture->places[A], &a_frame, 1);
    pv_symbol_builder_set_frames (symbols, fixture->places[B], b_frames, 2);
    fixture->symbols = pv_symbol_builder_publish (symbols, true);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    pv_symbol_table_free (fixture->symbols);
    pv_profile_free (fixture->profile);
    pv_profile_builder_free (fixture->builder);
}

/* The places are outermost first. */
static void
add_sample (Fixture *fixture, uint64_t time_ns, const int *places, size_t n, uint64_t weight)
{
    PvLocationId chain[8];
    uint64_t weights[] = {weight, 1000 * weight};
    for (size_t i = 0; i < n; i++)
        chain[n - 1 - i] = fixture->places[places[i]];
    PvNewSample sample = {
        .time_ns = time_ns,
        .thread = fixture->thread,
        .cpu = PV_CPU_UNKNOWN,
        .stack = pv_profile_builder_chain (fixture->builder, chain, (uint32_t)n),
    };
    pv_profile_builder_add_sample (fixture->builder, 0, &sample, weights);
}

static void
add_samples (Fixture *fixture)
{
    static const int deep[] = {MAIN, A, B, A, B}, flat[] = {MAIN, A}, alone[] = {MAIN};
    add_sample (fixture, 5 * MS, deep, G_N_ELEMENTS (deep), 3);
    add_sample (fixture, 6 * MS + MS / 2, flat, G_N_ELEMENTS (flat), 20);
    add_sample (fixture, 8 * MS, alone, G_N_ELEMENTS (alone), 100);
    finish (fixture);
}

static bool
save (const Fixture *fixture, bool is_callgrind, PvMeasureId measure, const char *path, PvJob *job,
      GError **error)
{
    uint64_t n_samples;
    g_auto (PvQuery) query = new_query ();
    query.measure = measure;
    return is_callgrind ? pv_save_callgrind (fixture->profile, fixture->symbols, &query, path,
                                             &n_samples, job, error)
                        : pv_save_firefox (fixture->profile, fixture->symbols, &query, "p", path,
                                           false, &n_samples, job, error);
}

static char *
save_text (const Fixture *fixture, bool is_callgrind, PvMeasureId measure)
{
    g_autofree char *folder = g_dir_make_tmp ("exports-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (folder, "out", NULL);
    char *text;
    g_assert_true (assert_ok (error, save (fixture, is_callgrind, measure, path, NULL, &error)));
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_unlink (path);
    g_rmdir (folder);
    return text;
}

/* The recursive call of a from b costs no less and no more than what is in it; that of c, twice in
 * the stack, counts once. */
FIXTURE_TEST (callgrind, fixture)
{
    add_samples (fixture);
    g_autofree char *text = save_text (fixture, true, 0);
    const char *body = strstr (text, "positions:");
    g_assert_true (g_str_has_prefix (text, "# callgrind format\n"));
    g_assert_cmpstr (body, ==,
                     "positions: line\nevents: cycles time_used_(ns)\nsummary: 123 123000\n"
                     "\nob=(1) /opt/bin/prog\nfl=(1) p.c\nfn=(1) main\n11 100 100000\n"
                     "cob=(1)\ncfi=(1)\ncfn=(2) a\ncalls=1 20\n11 23 23000\n"
                     "\nob=(1)\nfl=(1)\nfn=(2)\n21 20 20000\n"
                     "cob=(1)\ncfi=(2) ???\ncfn=(3) b\ncalls=1 0\n21 3 3000\n"
                     "\nob=(1)\nfl=(3) c.h\nfn=(4) c\n0 3 3000\n"
                     "cob=(1)\ncfi=(1)\ncfn=(2)\ncalls=1 20\n0 3 3000\n"
                     "\nob=(1)\nfl=(2)\nfn=(3)\n"
                     "cob=(1)\ncfi=(3)\ncfn=(4)\ncalls=1 1\n0 3 3000\n");
    /* The measure that is asked for comes first. */
    g_autofree char *by_time = save_text (fixture, true, 1);
    g_assert_nonnull (strstr (by_time, "\nevents: time_used_(ns) cycles\nsummary: 123000 123\n"));
}

static void
assert_has (const char *text, const char *part)
{
    if (strstr (text, part) == NULL)
        g_error ("%s is not in\n%s", part, text);
}

FIXTURE_TEST (firefox, fixture)
{
    add_samples (fixture);
    g_autofree char *text = save_text (fixture, false, 1);
    assert_has (text, "\"startTimeAsClockMonotonicNanosecondsSinceBoot\":5000000,");
    assert_has (text, "\"profviewMeasure\":\"time used\",\"profviewHasTimes\":true");
    assert_has (text, "{\"name\":\"worker\",\"isMainThread\":false,\"processName\":\"prog\",");
    assert_has (text, "\"pid\":\"7\",\"tid\":\"8\",");
    assert_has (text, "\"weightType\":\"tracing-ms\",\"stack\":[6,1,0]\n,\"time\":[0,1.5,3]\n,"
                      "\"weight\":[0.003,0.02,0.1]\n,\"length\":3}");
    assert_has (text, "\"stackTable\":{\n\"frame\":[0,1,2,3,1,2,3]\n,"
                      "\"prefix\":[null,0,1,2,3,4,5]\n,\"length\":7}");
    assert_has (text, "\"func\":[0,1,2,3]\n,\"address\":[4096,8192,12288,12288]\n,"
                      "\"inlineDepth\":[0,0,0,1]\n,\"line\":[11,21,null,null]\n");
    assert_has (text, "\"breakpadId\":\"040302010605080709000000000000000\","
                      "\"codeId\":\"010203040506070809\"");
    /* It ran until the end. */
    assert_has (text, "\"registerTime\":0,\"unregisterTime\":null");
    /* Counts are no times. */
    g_autofree char *by_count = save_text (fixture, false, 0);
    assert_has (by_count, "\"weightType\":\"samples\"");
    assert_has (by_count, "\"weight\":[3,20,100]\n");
}

FIXTURE_TEST (firefox_ended, fixture)
{
    pv_profile_builder_end_thread (fixture->builder, fixture->thread, 7 * MS);
    add_samples (fixture);
    g_autofree char *text = save_text (fixture, false, 1);
    assert_has (text, "\"registerTime\":0,\"unregisterTime\":2");
}

/* Without times samples come one after the other, as the file says. */
FIXTURE_TEST (no_times, fixture)
{
    static const int flat[] = {MAIN, A}, alone[] = {MAIN};
    add_sample (fixture, 0, alone, G_N_ELEMENTS (alone), 100);
    add_sample (fixture, 0, flat, G_N_ELEMENTS (flat), 20);
    add_sample (fixture, 0, alone, G_N_ELEMENTS (alone), 7);
    finish (fixture);
    g_autofree char *text = save_text (fixture, false, 1);
    assert_has (text, "\"profviewHasTimes\":false");
    assert_has (text, "\"stack\":[0,1]\n,\"time\":[0,0.107]\n,\"weight\":[0.107,0.02]\n");
    g_assert_null (strstr (text, "startTimeAsClockMonotonic"));
}

FIXTURE_TEST (failures, fixture)
{
    add_samples (fixture);
    for (int is_callgrind = 0; is_callgrind < 2; is_callgrind++) {
        g_autoptr (GError) full = NULL, cancelled = NULL, missing = NULL;
        g_autoptr (PvJob) job = pv_job_new ();
        g_assert_false (save (fixture, is_callgrind, 0, "/dev/full", NULL, &full));
        g_assert_error (full, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
        g_assert_false (save (fixture, is_callgrind, 0, "/nonexistent/out", NULL, &missing));
        g_assert_error (missing, G_FILE_ERROR, G_FILE_ERROR_NOENT);
        pv_job_cancel (job);
        g_assert_false (save (fixture, is_callgrind, 0, "/dev/null", job, &cancelled));
        g_assert_error (cancelled, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
    }
}

TEST (html_strings)
{
    g_autoptr (GString) out = g_string_new (NULL);
    pv_html_append_string (out, "</script><!--&\"\\\n\x7f\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xa6\xff");
    g_assert_cmpstr (out->str, ==,
                     "\"\\u003c/script\\u003e\\u003c!--\\u0026\\u0022\\u005c\\u000a\\u007f"
                     "\\u2028\\u2029…\xef\xbf\xbd\"");
    g_string_assign (out, "{");
    pv_html_begin_member (out, "a");
    pv_append_number (out, UINT64_MAX);
    pv_html_begin_member (out, "b");
    pv_append_number (out, 0);
    g_assert_cmpstr (out->str, ==, "{\"a\":18446744073709551615,\n\"b\":0");
}

static uint8_t
get_no_hue (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId function)
{
    (void)profile, (void)symbols, (void)function;
    return 7;
}

static bool
save_page (Fixture *fixture, PvMeasureId measure, const char *path, bool *ret_has_any, PvJob *job,
           GError **error)
{
    const PvPageColors colors = {"{}", get_no_hue};
    g_auto (PvQuery) query = new_query ();
    query.measure = measure;
    return pv_save_page (fixture->profile, fixture->symbols, &query, &colors, "<title>", path,
                         ret_has_any, job, error);
}

FIXTURE_TEST (page, fixture)
{
    g_autoptr (GError) error = NULL, full = NULL, missing = NULL, cancelled = NULL;
    g_autoptr (PvJob) job = pv_job_new ();
    g_autofree char *path = NULL, *text = NULL;
    bool has_any;
    int file = g_file_open_tmp ("page-XXXXXX.html", &path, &error);
    g_assert_no_error (error);
    g_close (file, NULL);
    add_samples (fixture);
    g_assert_true (save_page (fixture, 0, path, &has_any, NULL, &error));
    g_assert_true (has_any);
    g_assert_true (g_file_get_contents (path, &text, NULL, &error));
    g_unlink (path);
    g_assert_nonnull (strstr (text, "<title>&lt;title&gt;</title>"));
    g_assert_nonnull (strstr (text, "\"title\":\"\\u003ctitle\\u003e\""));
    g_assert_true (save_page (fixture, UINT32_MAX, "/nonexistent/out", &has_any, NULL, &error));
    g_assert_false (has_any);
    g_assert_false (save_page (fixture, 0, "/dev/full", &has_any, NULL, &full));
    g_assert_error (full, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
    g_assert_false (save_page (fixture, 0, "/nonexistent/out", &has_any, NULL, &missing));
    g_assert_error (missing, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    pv_job_cancel (job);
    g_assert_false (save_page (fixture, 0, "/dev/null", &has_any, job, &cancelled));
    g_assert_error (cancelled, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
}
