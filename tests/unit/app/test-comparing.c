/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents that compare two others: what they read and what they share, swapping, scaling, and
 * what goes wrong.
 */
#include "../cases.h"
#include "../scratch.h"
#include "app/document/comparing.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/source/source-comparison.h"
#include "app/source/source-file.h"
#include "core/base/error.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)
#define TITLE       "inlining-fp.data → inlining-fp-z.data"
#define SWAPPED     "inlining-fp-z.data → inlining-fp.data"

typedef struct {
    char *folder;
    PvDocument *document; /* the comparison */
    PvDocument *other;    /* what it is made of; or NULL */
    GPtrArray *messages;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->folder = g_dir_make_tmp ("pv comparing-XXXXXX", NULL);
    fixture->messages = g_ptr_array_new_with_free_func (g_free);
}

static void
close_document (PvDocument **document)
{
    if (*document != NULL)
        pv_document_close (*document);
    g_clear_object (document);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    close_document (&fixture->document);
    close_document (&fixture->other);
    remove_files (fixture->folder);
    g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
    g_ptr_array_unref (fixture->messages);
    g_free (fixture->folder);
}

/* Waiting */

static gboolean
is_complete (PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);

    return data->state == PV_DOCUMENT_READY && data->loading == PV_LOADING_NONE &&
           data->functions != NULL && pv_query_equal (&data->query, data->answer->query);
}

static gboolean
has_sums (PvDocument *document)
{
    const PvDocumentData *data = pv_document_get (document);
    return is_complete (document) && data->sums != NULL;
}

/* Until then, the trees are as they were. */
static gboolean
is_scaled_by_function (PvDocument *document)
{
    const char *text = pv_document_get (document)->answer->scale_text;
    return has_sums (document) && text != NULL && strstr (text, "equal totals of") != NULL;
}

static gboolean
is_as_recorded (PvDocument *document)
{
    return has_sums (document) && pv_document_get (document)->comparison.scale == PV_SCALE_NONE;
}

static gboolean
has_failed (PvDocument *document)
{
    return pv_document_get (document)->state == PV_DOCUMENT_FAILED;
}

static void
wait_until (PvDocument *document, gboolean (*is_so) (PvDocument *document))
{
    gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

    while (!is_so (document)) {
        g_assert_cmpint (g_get_monotonic_time (), <, until_us);
        g_main_context_iteration (NULL, FALSE);
        g_usleep (200);
    }
}

/* Opening */

static void
on_message (PvDocument *document, const char *text, Fixture *fixture)
{
    g_ptr_array_add (fixture->messages, g_strdup (text));
}

/* Takes source. */
static PvDocument *
open_source (Fixture *fixture, PvSource *source)
{
    g_autofree char *sysroot = get_data ("sysroot");
    PvSymbolOptions symbols = {.sysroot = sysroot, .n_workers = 2};
    PvDocument *document = pv_document_new (source, &symbols);

    g_signal_connect (document, "message", G_CALLBACK (on_message), fixture);
    return document;
}

static void
open_other (Fixture *fixture, const char *name)
{
    g_autofree char *path = get_data (name);
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (path);

    fixture->other = open_source (fixture, pv_file_source_new (spec));
    pv_document_load (fixture->other);
    wait_until (fixture->other, is_complete);
}

/* Takes the spec. */
static void
open_comparison (Fixture *fixture, PvSourceSpec *spec)
{
    fixture->document = open_source (fixture, pv_comparison_source_new (spec));
    pv_source_spec_free (spec);
}

static void
add_path (PvSourceSpec *comparison, PvSide side, const char *path, const char *const *words)
{
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (path);
    pv_source_spec_add_files (comparison, side, spec, words);
}

static PvSourceSpec *
make_spec (const char *base, const char *newer)
{
    PvSourceSpec *comparison = pv_source_spec_new_comparison (NULL);
    g_autofree char *base_path = get_data (base);
    g_autofree char *new_path = get_data (newer);

    add_path (comparison, PV_SIDE_BASE, base_path, NULL);
    add_path (comparison, PV_SIDE_NEW, new_path, NULL);
    return comparison;
}

static void
open_recordings (Fixture *fixture)
{
    open_comparison (fixture,
                     make_spec ("recordings/inlining-fp.data", "recordings/inlining-fp-z.data"));
}

static uint64_t
get_whole (Fixture *fixture, PvSide side)
{
    return pv_document_get (fixture->document)->sums->functions->whole_of_side[side];
}

/* Tests */

FIXTURE_TEST (files, fixture)
{
    uint64_t base, newer;

    open_recordings (fixture);
    const PvDocumentData *shown = pv_document_get (fixture->document);
    g_assert_true (pv_document_is_comparison (fixture->document));
    g_assert_cmpstr (shown->title, ==, TITLE);
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    base = get_whole (fixture, PV_SIDE_BASE);
    newer = get_whole (fixture, PV_SIDE_NEW);
    g_assert_cmpuint (base, >, newer);
    g_assert_cmpuint (shown->answer->tree->total[0], ==, base + newer);
    g_assert_cmpstr (shown->answer->scale_text, ==, "as recorded");
    g_assert_nonnull (shown->sums->sentences[0]);
    g_assert_nonnull (strstr (shown->sums->sentences[0], "geometry::Vec::operator*"));
    g_assert_cmpstr (
        shown->answer->tree->symbols->functions[shown->sums->function_of_sentence[0]].short_name,
        ==, "geometry::Vec::operator*");
    /* Profiles that were read are retained for the next time. */
    for (unsigned i = 0; i < shown->spec->runs->len; i++)
        g_assert_nonnull (((PvComparedRun *)shown->spec->runs->pdata[i])->profile);
    g_assert_false (pv_document_can_compare (fixture->document));
    g_assert_cmpuint (fixture->messages->len, ==, 0);
}

FIXTURE_TEST (swap, fixture)
{
    const PvProfile *read;

    open_recordings (fixture);
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    uint64_t base = get_whole (fixture, PV_SIDE_BASE);
    read =
        pv_source_spec_get_run (pv_document_get (fixture->document)->spec, PV_SIDE_BASE)->profile;
    pv_document_swap_sides (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpstr (pv_document_get (fixture->document)->title, ==, SWAPPED);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_NEW), ==, base);
    g_assert_true (
        pv_source_spec_get_run (pv_document_get (fixture->document)->spec, PV_SIDE_NEW)->profile ==
        read);
    /* Twice before the first is done: as it was. */
    pv_document_swap_sides (fixture->document);
    pv_document_swap_sides (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpstr (pv_document_get (fixture->document)->title, ==, SWAPPED);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_NEW), ==, base);
    /* A cancelled reading does not count. */
    pv_document_swap_sides (fixture->document);
    pv_document_cancel (fixture->document);
    pv_document_swap_sides (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpstr (pv_document_get (fixture->document)->title, ==, TITLE);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_BASE), ==, base);
    g_assert_cmpuint (fixture->messages->len, ==, 0);
}

/* The factor follows from what is shown; it is none of the user's steps. */
FIXTURE_TEST (scale, fixture)
{
    open_recordings (fixture);
    const PvDocumentData *shown = pv_document_get (fixture->document);
    pv_document_set_scale (fixture->document, PV_SCALE_TOTAL, NULL);
    pv_document_set_width_side (fixture->document, PV_SIDE_NEW);
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpint (pv_document_get_width_side (fixture->document), ==, PV_SIDE_NEW);
    g_assert_cmpuint (shown->answer->tree->total[0], ==, get_whole (fixture, PV_SIDE_NEW));
    g_assert_cmpfloat (shown->query.factor_of_side[PV_SIDE_BASE], <, 0.5);
    g_assert_cmpfloat_with_epsilon ((double)get_whole (fixture, PV_SIDE_BASE),
                                    (double)get_whole (fixture, PV_SIDE_NEW), 100);
    g_assert_nonnull (strstr (shown->answer->scale_text, "for equal totals"));

    pv_document_swap_sides (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpfloat (shown->query.factor_of_side[PV_SIDE_BASE], >, 2);
    pv_document_set_width_side (fixture->document, PV_N_SIDES);
    pv_document_set_scale (fixture->document, PV_SCALE_FUNCTION, "^geometry::Vec::dot");
    wait_until (fixture->document, is_scaled_by_function);
    g_assert_nonnull (strstr (shown->answer->scale_text, "geometry::Vec::dot"));
    g_assert_true (shown->can_go_back); /* the width */
    pv_document_go_back (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpint (pv_document_get_width_side (fixture->document), ==, PV_SIDE_NEW);
    g_assert_cmpint (shown->comparison.scale, ==, PV_SCALE_FUNCTION);
    g_assert_cmpuint (fixture->messages->len, ==, 0);

    pv_document_set_scale (fixture->document, PV_SCALE_FUNCTION, "^no such function$");
    wait_until (fixture->document, is_as_recorded);
    g_assert_cmpstr (shown->answer->scale_text, ==, "as recorded");
    g_assert_cmpuint (fixture->messages->len, ==, 1);
}

/* Nothing is read again of what is open; ranges are those of the comparison. */
FIXTURE_TEST (ranges, fixture)
{
    open_other (fixture, "recordings/inlining-fp.data");
    const PvProfile *profile = pv_document_get (fixture->other)->answer->profile;
    open_comparison (fixture, pv_document_compare_ranges (fixture->other, 0, 200 * 1000 * 1000,
                                                          200 * 1000 * 1000, 400 * 1000 * 1000));
    pv_document_follow_names (fixture->document, fixture->other);
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    const PvSourceSpec *spec = pv_document_get (fixture->document)->spec;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        g_assert_true (pv_source_spec_get_run (spec, side)->profile == profile);
    g_assert_cmpstr (pv_document_get (fixture->document)->title, ==, "until 200 ms → 200–400 ms");
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_BASE), >, 0);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_NEW), <,
                      profile->measures[pv_document_get (fixture->other)->query.measure].total);
    /* It can do without. */
    close_document (&fixture->other);
    pv_document_swap_sides (fixture->document);
    wait_until (fixture->document, has_sums);
    pv_document_reload (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpuint (fixture->messages->len, ==, 0);
}

FIXTURE_TEST (reload, fixture)
{
    static const char *const words[] = {"--time=0..0.2", NULL};
    PvSourceSpec *comparison = pv_source_spec_new_comparison (NULL);
    g_autofree char *path = copy_data ("recordings/inlining-fp.data", fixture->folder, "perf.data");
    g_autofree char *base_path = get_data ("recordings/inlining-fp.data");
    uint64_t base, part;

    add_path (comparison, PV_SIDE_BASE, base_path, NULL);
    add_path (comparison, PV_SIDE_NEW, path, words);
    open_comparison (fixture, comparison);
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    base = get_whole (fixture, PV_SIDE_BASE);
    part = get_whole (fixture, PV_SIDE_NEW);
    g_assert_cmpuint (part, <, base);
    g_free (copy_data ("recordings/inlining-fp-z.data", fixture->folder, "perf.data"));
    pv_document_reload (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_BASE), ==, base);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_NEW), !=, part);
    /* A profile that cannot be read again stays. */
    g_assert_cmpint (g_unlink (path), ==, 0);
    part = get_whole (fixture, PV_SIDE_NEW);
    pv_document_reload (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_NEW), ==, part);
    g_assert_cmpuint (fixture->messages->len, ==, 1);
    g_assert_nonnull (strstr (fixture->messages->pdata[0], "perf.data"));
    /* Then what is there can still be compared the other way round. */
    pv_document_swap_sides (fixture->document);
    wait_until (fixture->document, has_sums);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_BASE), ==, part);
    g_assert_cmpuint (get_whole (fixture, PV_SIDE_NEW), ==, base);
    g_assert_cmpuint (fixture->messages->len, ==, 1);
}

FIXTURE_TEST (failures, fixture)
{
    open_comparison (fixture, make_spec ("recordings/inlining-fp.data", "recordings/no-such.data"));
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_failed);
    g_assert_error (pv_document_get (fixture->document)->error, PV_READ_ERROR,
                    PV_READ_ERROR_NOT_FOUND);
    g_assert_true (
        g_str_has_prefix (pv_document_get (fixture->document)->error->message, "no-such.data: "));
    close_document (&fixture->document);

    open_recordings (fixture);
    pv_document_load (fixture->document);
    pv_document_cancel (fixture->document);
    wait_until (fixture->document, has_failed);
    g_assert_error (pv_document_get (fixture->document)->error, PV_JOB_ERROR,
                    PV_JOB_ERROR_CANCELLED);
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    close_document (&fixture->document);

    open_comparison (fixture, make_spec ("recordings/inlining-fp.data", "pprof/pantry-1.heap"));
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_failed);
    g_assert_nonnull (
        strstr (pv_document_get (fixture->document)->error->message, "no measure in common"));
}

/* Files of the same name are told apart by their folders. */
TEST (names)
{
    g_autoptr (PvSourceSpec) comparison = pv_source_spec_new_comparison (NULL);
    g_autoptr (PvSourceSpec) copy = NULL;

    add_path (comparison, PV_SIDE_BASE, "/work/old/perf.data", NULL);
    add_path (comparison, PV_SIDE_NEW, "/work/new/perf.data", NULL);
    g_assert_cmpstr (pv_source_spec_get_run (comparison, PV_SIDE_BASE)->name, ==, "old/perf.data");
    g_assert_cmpstr (pv_source_spec_get_run (comparison, PV_SIDE_NEW)->name, ==, "new/perf.data");
    copy = pv_source_spec_copy (comparison);
    g_assert_true (pv_source_spec_equal (comparison, copy));
    pv_source_spec_swap_sides (copy);
    g_assert_false (pv_source_spec_equal (comparison, copy));
    g_assert_cmpstr (pv_source_spec_get_run (copy, PV_SIDE_BASE)->name, ==, "new/perf.data");
}

/* Calls are those of both sides, whatever boxes are as wide as. */

static unsigned n_calls_found; /* how often */

static void
on_changed (PvDocument *document, guint what)
{
    n_calls_found += (what & PV_CHANGED_CALLERS_CALLEES) != 0;
}

static gboolean
has_new_calls (PvDocument *document)
{
    return has_sums (document) && n_calls_found > 0;
}

static char *
describe_calls (Fixture *fixture)
{
    const PvDocumentData *data = pv_document_get (fixture->document);
    const PvCallersCallees *both = data->callers_callees->both;
    GString *text = g_string_new (NULL);

    for (uint32_t i = 0; i < both->n_callers + both->n_callees; i++) {
        const PvCaller *call =
            i < both->n_callers ? &both->callers[i] : &both->callees[i - both->n_callers];
        g_string_append_printf (text, "%u %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT " %d\n",
                                call->function, call->base, call->net, call->is_noise);
    }
    return g_string_free (text, FALSE);
}

static PvFunctionId
find_function (Fixture *fixture, const char *short_name)
{
    const PvSymbolTable *symbols = pv_document_get (fixture->document)->answer->tree->symbols;

    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        if (g_str_equal (symbols->functions[f].short_name, short_name))
            return f;
    g_assert_not_reached ();
}

FIXTURE_TEST (calls, fixture)
{
    static const PvSide widths[] = {PV_SIDE_NEW, PV_SIDE_BASE};

    open_recordings (fixture);
    const PvDocumentData *shown = pv_document_get (fixture->document);
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    g_signal_connect (fixture->document, "changed", G_CALLBACK (on_changed), NULL);
    n_calls_found = 0;
    pv_document_select_function (fixture->document, find_function (fixture, "main"));
    wait_until (fixture->document, has_new_calls);
    g_autofree char *expected = describe_calls (fixture);
    g_assert_cmpuint (shown->callers_callees->both->n_callees, >, 1);
    for (unsigned i = 0; i < G_N_ELEMENTS (widths); i++) {
        g_autofree char *calls = NULL;
        n_calls_found = 0;
        pv_document_set_width_side (fixture->document, widths[i]);
        wait_until (fixture->document, has_new_calls);
        g_assert_cmpint (pv_document_get_width_side (fixture->document), ==, widths[i]);
        calls = describe_calls (fixture);
        g_assert_cmpstr (calls, ==, expected);
    }
}

/* Commands */

static void
assert_command (Fixture *fixture, const PvCommand *wanted, const char *expected)
{
    g_autofree char *command = pv_document_make_command (fixture->document, wanted);
    g_autofree char *data = g_strconcat (g_getenv ("PV_TEST_DATA"), "/", NULL);
    g_autofree char *escaped = g_regex_escape_string (data, -1);
    /* Words with it have quotes where it has a space. */
    g_autofree char *pattern = g_strdup_printf ("'([^']*)%s([^']*)'|%s", escaped, escaped);
    g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
    g_autoptr (GString) text = NULL;

    g_assert_nonnull (command);
    g_autofree char *shown = g_regex_replace (regex, command, -1, 0, "\\1\\2", 0, NULL);
    text = g_string_new (shown);
    g_string_replace (text, " --sysroot=sysroot", "", 0);
    g_assert_cmpstr (text->str, ==, expected);
}

static void
assert_sides_command (Fixture *fixture, const char *const *base_words, const char *const *new_words,
                      const char *expected)
{
    static const PvCommand wanted = {.options = {"--print=top"}, .measure = UINT32_MAX};
    PvSourceSpec *comparison = pv_source_spec_new_comparison (NULL);
    g_autofree char *path = get_data ("recordings/inlining-fp.data");
    g_autofree char *other = get_data ("recordings/inlining-fp-z.data");

    add_path (comparison, PV_SIDE_BASE, path, base_words);
    add_path (comparison, PV_SIDE_NEW, other, new_words);
    close_document (&fixture->document);
    open_comparison (fixture, comparison);
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    assert_command (fixture, &wanted, expected);
}

/* Options of one side are those of that side only. */
FIXTURE_TEST (side_commands, fixture)
{
    static const char *const early[] = {"--time=..0.2", NULL};
    static const char *const threads[] = {"--thread=inlining", "--exclude-cpu=63", NULL};
    static const char *const both[] = {"--exclude-cpu=63", "--exclude-cpu=62", NULL};

#define FILES " recordings/inlining-fp.data recordings/inlining-fp-z.data"
    assert_sides_command (fixture, NULL, NULL,
                          "profview --diff --print=top --measure=cpu-clock:u" FILES);
    assert_sides_command (fixture, early, early,
                          "profview --diff --print=top --measure=cpu-clock:u --time=..0.2" FILES);
    assert_sides_command (
        fixture, NULL, early,
        "profview --diff --print=top --measure=cpu-clock:u --new-time=..0.2" FILES);
    assert_sides_command (
        fixture, early, NULL,
        "profview --diff --print=top --measure=cpu-clock:u --base-time=..0.2" FILES);
    assert_sides_command (fixture, both, threads,
                          "profview --diff --print=top --measure=cpu-clock:u "
                          "--new-thread=inlining --new-exclude-cpu=63 --base-exclude-cpu=63 "
                          "--base-exclude-cpu=62" FILES);
#undef FILES
}

/* Files that are joined, if all are asked the same. */
FIXTURE_TEST (joined_command, fixture)
{
    static const char *const words[] = {"--show-allocators", NULL};
    static const PvCommand wanted = {.options = {"--print=top"}, .measure = UINT32_MAX};
    g_autofree char *cpu = get_data ("recordings/mill-fp.data");
    g_autofree char *heap = get_data ("heaptrack/mill.zst");

    for (unsigned i = 0; i < 2; i++) {
        PvSourceSpec *joined = pv_source_spec_new_joined ();
        add_path (joined, PV_SIDE_BASE, cpu, words);
        add_path (joined, PV_SIDE_NEW, heap, i == 0 ? words : NULL);
        close_document (&fixture->document);
        open_comparison (fixture, joined);
        pv_document_load (fixture->document);
        wait_until (fixture->document, is_complete);
        if (i == 0)
            assert_command (fixture, &wanted,
                            "profview --print=top --measure=cpu-clock:u --show-allocators "
                            "--with=heaptrack/mill.zst recordings/mill-fp.data");
        g_assert_true (pv_document_has_command (fixture->document) == (i == 0));
    }
}

FIXTURE_TEST (runs_command, fixture)
{
    static const char *const words[] = {"--focus=main", "--group=thread", "--time=..0.2", NULL};
    static const char *const side_words[] = {"--time=..0.2", NULL};
    static const PvCommand runs = {.measure = UINT32_MAX, .are_runs = TRUE};
    static const PvCommand wanted = {.options = {"--print=top"}, .measure = UINT32_MAX};
    g_autofree char *first = get_data ("recordings/inlining-fp.data");
    g_autofree char *last = get_data ("recordings/inlining-fp-z.data");
    const char *const paths[] = {first, last, NULL};
    PvRunList *list = pv_run_list_new (paths, words, side_words);

    list->scale = PV_SCALE_TOTAL;
    open_comparison (fixture, pv_source_spec_new_for_runs (list));
    pv_document_load (fixture->document);
    wait_until (fixture->document, has_sums);
    assert_command (fixture, &runs,
                    "profview --runs --print=runs --scale=total --focus=main --time=..0.2 "
                    "recordings/inlining-fp.data recordings/inlining-fp-z.data");
    assert_command (fixture, &wanted,
                    "profview --diff --print=top --measure=cpu-clock:u --time=..0.2 "
                    "recordings/inlining-fp.data recordings/inlining-fp-z.data");
}
