/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document without a window: what each kind of source does to its states, what is shown meanwhile
 * and afterwards. At every change it must be whole: there is an answer or none, and what is there
 * beside it follows from it.
 */
#include "../cases.h"
#include "../new-query.h"
#include "../scratch.h"
#include "app/document/document.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

#include "app/document/comparing.h"
#include "app/document/document-private.h"
#include "app/source/source-file.h"
#include "app/source/source-recording.h"
#include "app/source/source-series.h"
#include "app/source/source-url.h"
#include "core/base/error.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-store.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)

typedef struct {
    char *folder; /* for files of the test */
    PvDocument *document;
    PvDocumentChange changes; /* so far */
    GPtrArray *messages;
    gboolean was_fetching;
    gboolean had_preview;
    unsigned n_trees;
    unsigned n_states;
    GSocketService *service; /* where start_server () was called */
    char *address;           /* "http://127.0.0.1:1234" */
} Fixture;

static const PvDocumentData *
get (const Fixture *fixture)
{
    return pv_document_get (fixture->document);
}

static void
on_changed (PvDocument *document, guint what, Fixture *fixture)
{
    const PvDocumentData *data = pv_document_get (document);
    gboolean is_ready = data->state == PV_DOCUMENT_READY;
    g_autofree char *activity = pv_document_describe_activity (document, NULL);

    fixture->changes |= what;
    fixture->was_fetching |= activity != NULL;
    fixture->had_preview |= data->is_preview;
    fixture->n_trees += (what & PV_CHANGED_TREE) != 0;
    fixture->n_states += (what & PV_CHANGED_STATE) != 0;
    g_assert_cmpint (is_ready, ==, data->answer != &pv_no_answer);
    g_assert_cmpint (is_ready, ==, data->answer->serial != 0);
    g_assert_cmpint (is_ready, ==, data->answer->tree != NULL);
    g_assert_true (!is_ready || data->answer->tree->profile == data->answer->profile);
    if (data->functions != NULL) {
        g_assert_true (data->functions->tree->symbols == data->answer->tree->symbols);
        g_assert_true (pv_query_equal (&data->functions->tree->query, data->answer->query));
    }
    g_assert_true (data->facet_keys == NULL || data->facet_keys->profile == data->answer->profile);
    g_assert_true (!data->is_preview || is_ready);
    g_assert_true (data->state != PV_DOCUMENT_FAILED || data->error != NULL);
    g_assert_true (data->loading != PV_LOADING_FIRST || !data->is_preview);
}

static void
on_message (PvDocument *document, const char *text, Fixture *fixture)
{
    g_ptr_array_add (fixture->messages, g_strdup (text));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->folder = g_dir_make_tmp ("pv document-XXXXXX", NULL);
    fixture->messages = g_ptr_array_new_with_free_func (g_free);
}

static void
close_document (Fixture *fixture)
{
    if (fixture->document == NULL)
        return;
    pv_document_close (fixture->document);
    g_clear_object (&fixture->document);
}

static void
stop_server (Fixture *fixture)
{
    g_autofree char *fetched = pv_fetch_get_folder ();

    if (fixture->service == NULL)
        return;
    g_socket_service_stop (fixture->service);
    g_socket_listener_close (G_SOCKET_LISTENER (fixture->service));
    g_object_unref (fixture->service);
    g_free (fixture->address);
    remove_files (fetched);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    close_document (fixture);
    stop_server (fixture);
    remove_files (fixture->folder);
    g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
    g_ptr_array_unref (fixture->messages);
    g_free (fixture->folder);
}

/* Takes source. words: asked before it is loaded; or NULL. */
static void
open_source (Fixture *fixture, PvSource *source, gboolean has_symbols, const char *const *words)
{
    g_autofree char *sysroot = get_data ("sysroot");
    PvSymbolOptions symbols = {.sysroot = sysroot, .n_workers = 2};

    fixture->document = pv_document_new (source, has_symbols ? &symbols : NULL);
    g_signal_connect (fixture->document, "changed", G_CALLBACK (on_changed), fixture);
    g_signal_connect (fixture->document, "message", G_CALLBACK (on_message), fixture);
    g_assert_cmpint (get (fixture)->state, ==, PV_DOCUMENT_LOADING);
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_NONE);
    if (words != NULL)
        pv_document_apply_words (fixture->document, words);
    pv_document_load (fixture->document);
}

static void
open_path (Fixture *fixture, const char *path, gboolean has_symbols)
{
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (path);
    open_source (fixture, pv_file_source_new (spec), has_symbols, NULL);
}

static void
open_recording (Fixture *fixture)
{
    g_autofree char *path = get_data ("recordings/inlining-fp.data");
    open_path (fixture, path, TRUE);
}

/* Waiting */

static void
wait_until (Fixture *fixture, gboolean (*is_so) (const Fixture *fixture))
{
    gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

    while (!is_so (fixture)) {
        g_assert_cmpint (g_get_monotonic_time (), <, until_us);
        g_main_context_iteration (NULL, FALSE);
        g_usleep (200);
    }
}

static gboolean
is_failed (const Fixture *fixture)
{
    return get (fixture)->state == PV_DOCUMENT_FAILED;
}

static gboolean
is_ready (const Fixture *fixture)
{
    return get (fixture)->state == PV_DOCUMENT_READY;
}

static gboolean
is_preview (const Fixture *fixture)
{
    return get (fixture)->is_preview;
}

static gboolean
is_idle (const Fixture *fixture)
{
    return get (fixture)->loading == PV_LOADING_NONE;
}

/* Nothing comes any more. */
static gboolean
is_complete (const Fixture *fixture)
{
    const PvDocumentData *data = get (fixture);

    return is_ready (fixture) && is_idle (fixture) && !data->is_recording &&
           data->functions != NULL;
}

static gboolean
has_query (const Fixture *fixture)
{
    const PvDocumentData *data = get (fixture);
    return is_complete (fixture) && pv_query_equal (&data->query, data->answer->query);
}

static gboolean
has_message (const Fixture *fixture)
{
    return fixture->messages->len > 0;
}

static gboolean
has_callers (const Fixture *fixture)
{
    return get (fixture)->callers_callees != NULL && get (fixture)->look.selected != PV_NODE_NONE;
}

static void
assert_message (const Fixture *fixture, const char *part)
{
    g_assert_cmpuint (fixture->messages->len, ==, 1);
    g_test_message ("%s", (const char *)fixture->messages->pdata[0]);
    g_assert_nonnull (strstr (fixture->messages->pdata[0], part));
}

/* Files */

FIXTURE_TEST (file, fixture)
{
    open_recording (fixture);
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_FIRST);
    g_assert_true (pv_document_is_loading (fixture->document));
    wait_until (fixture, is_complete);
    g_assert_cmpstr (get (fixture)->title, ==, "inlining-fp.data");
    g_assert_true (get (fixture)->answer->symbols->is_complete);
    g_assert_cmpuint (get (fixture)->answer->tree->n_nodes, >, 10);
    g_assert_cmpuint (get (fixture)->answer->query->measure, ==, get (fixture)->query.measure);
    g_assert_false (pv_document_is_busy (fixture->document));
    g_assert_cmpuint (fixture->messages->len, ==, 0);
    g_assert_cmpuint (fixture->n_states, ==, 2); /* LOADING, READY */
}

/* The direction is chosen while there is nothing to turn yet. */
FIXTURE_TEST (inverted_while_loading, fixture)
{
    open_recording (fixture);
    pv_document_set_inverted (fixture->document, TRUE);
    wait_until (fixture, has_query);
    g_assert_true (get (fixture)->answer->flame_tree->query.is_inverted);
    g_assert_false (get (fixture)->answer->query->is_inverted);
}

FIXTURE_TEST (missing_file, fixture)
{
    g_autofree char *path = g_build_filename (fixture->folder, "later.data", NULL);

    open_path (fixture, path, TRUE);
    wait_until (fixture, is_failed);
    g_assert_error (get (fixture)->error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND);
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_NONE);
    g_assert_cmpuint (fixture->messages->len, ==, 0);

    g_autofree char *made =
        copy_data ("recordings/inlining-fp.data", fixture->folder, "later.data");
    pv_document_load (fixture->document);
    g_assert_cmpint (get (fixture)->state, ==, PV_DOCUMENT_LOADING);
    wait_until (fixture, is_complete);
}

FIXTURE_TEST (file_elsewhere, fixture)
{
    g_autoptr (GFile) file = g_file_new_for_uri ("elsewhere://host/perf.data");
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_file (file);

    open_source (fixture, pv_file_source_new (spec), FALSE, NULL);
    g_assert_true (is_failed (fixture));
    g_assert_error (get (fixture)->error, PV_READ_ERROR, PV_READ_ERROR_FAILED);
    g_assert_cmpstr (get (fixture)->title, ==, "perf.data");
}

FIXTURE_TEST (cancel_loading, fixture)
{
    open_recording (fixture);
    pv_document_cancel (fixture->document);
    wait_until (fixture, is_failed);
    g_assert_error (get (fixture)->error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
    pv_document_load (fixture->document);
    wait_until (fixture, is_complete);
}

FIXTURE_TEST (close_while_loading, fixture)
{
    open_recording (fixture);
    pv_document_close (fixture->document);
    fixture->changes = 0;
    for (unsigned i = 0; i < 100; i++) {
        g_main_context_iteration (NULL, FALSE);
        g_usleep (1000);
    }
    g_assert_cmpuint (fixture->changes, ==, 0);
    pv_document_load (fixture->document);
    pv_document_reload (fixture->document);
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_FIRST); /* as it was left */
}

/* The user's view and query are there again in the profile that replaces this one. */
FIXTURE_TEST (reload, fixture)
{
    open_recording (fixture);
    wait_until (fixture, is_complete);
    const PvProfile *before = get (fixture)->answer->profile;
    pv_document_select_function (fixture->document,
                                 get (fixture)->functions->list->rows[0].function);
    wait_until (fixture, has_callers);
    g_autofree char *name = g_strdup (
        pv_call_tree_get_name (get (fixture)->answer->flame_tree, get (fixture)->look.selected));
    pv_document_zoom (fixture->document, get (fixture)->look.selected);
    pv_document_set_grouping (fixture->document, PV_GROUP_THREAD, NULL);
    wait_until (fixture, has_query);

    pv_document_reload (fixture->document);
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_RENEWAL);
    g_assert_true (get (fixture)->answer->profile == before);
    wait_until (fixture, has_query);
    g_assert_true (get (fixture)->answer->profile != before);
    g_assert_cmpint (get (fixture)->answer->query->grouping, ==, PV_GROUP_THREAD);
    g_assert_cmpstr (
        pv_call_tree_get_name (get (fixture)->answer->flame_tree, get (fixture)->look.selected), ==,
        name);
    g_assert_true (get (fixture)->can_go_back);
    g_assert_cmpuint (fixture->messages->len, ==, 0);
}

/* Going back undoes filters and the measure, one by one, and forward brings them again. */
FIXTURE_TEST (history, fixture)
{
    uint32_t thread = 1;
    g_auto (PvQuery) wanted = new_query ();

    open_recording (fixture);
    wait_until (fixture, is_complete);
    pv_query_set_only (&wanted, PV_ORIGIN_THREAD, &thread, 1);
    pv_document_set_samples (fixture->document, &wanted);
    pv_document_set_samples (fixture->document, &wanted);
    pv_document_set_grouping (fixture->document, PV_GROUP_THREAD, NULL);
    wait_until (fixture, has_query);
    pv_document_go_back (fixture->document);
    g_assert_cmpint (get (fixture)->query.grouping, ==, PV_GROUP_NONE);
    g_assert_cmpuint (get (fixture)->query.only[PV_ORIGIN_THREAD].n_ids, ==, 1);
    pv_document_go_back (fixture->document);
    g_assert_cmpuint (get (fixture)->query.only[PV_ORIGIN_THREAD].n_ids, ==, 0);
    g_assert_false (get (fixture)->can_go_back);
    pv_document_go_forward (fixture->document);
    wait_until (fixture, has_query);
    g_assert_cmpuint (get (fixture)->answer->query->only[PV_ORIGIN_THREAD].n_ids, ==, 1);
    g_assert_cmpuint (get (fixture)->answer->query->only[PV_ORIGIN_THREAD].ids[0], ==, thread);
    pv_query_set_only (&wanted, PV_ORIGIN_THREAD, NULL, 0);
    pv_document_set_samples (fixture->document, &wanted);
    g_assert_false (get (fixture)->can_go_forward);
    pv_document_go_back (fixture->document);
    g_assert_cmpuint (get (fixture)->query.only[PV_ORIGIN_THREAD].n_ids, ==, 1);
}

static gboolean
has_search (const Fixture *fixture)
{
    return get (fixture)->search != NULL;
}

static void
derive_much (Fixture *fixture)
{
    static const PvSearchTerm term = {.text = (char *)"main"};

    open_recording (fixture);
    wait_until (fixture, is_complete);
    pv_document_search (fixture->document, &term);
    wait_until (fixture, has_search);
    pv_document_select_function (fixture->document,
                                 get (fixture)->functions->list->rows[0].function);
    wait_until (fixture, has_callers);
}

/* With another answer, what followed from the one before is gone at once. What only depends on the
 * profile, and matches by function, stay. */
FIXTURE_TEST (derived_again, fixture)
{
    derive_much (fixture);
    const PvFacetKeys *keys = get (fixture)->facet_keys;
    unsigned serial = get (fixture)->answer->serial;
    pv_document_set_time_range (fixture->document, 0,
                                get (fixture)->answer->profile->duration_ns / 2);
    while (get (fixture)->answer->serial == serial)
        g_main_context_iteration (NULL, TRUE);
    g_assert_null (get (fixture)->functions);
    g_assert_null (get (fixture)->search);
    g_assert_null (get (fixture)->callers_callees);
    g_assert_nonnull (get (fixture)->is_match);
    g_assert_nonnull (keys);
    g_assert_true (get (fixture)->facet_keys == keys);
    g_assert_true (pv_document_is_deriving (fixture->document, PV_DERIVED_SEARCH));
    wait_until (fixture, is_complete);
    wait_until (fixture, has_search);
    wait_until (fixture, has_callers);
}

/* A result that was begun for another answer than the one that is shown when it comes is dropped.
 */
FIXTURE_TEST (late_results, fixture)
{
    derive_much (fixture);
    const PvFunctions *functions = get (fixture)->functions;
    const PvSearchResult *search = get (fixture)->search;
    const PvCallersCalleesResult *callers_callees = get (fixture)->callers_callees;
    fixture->changes = 0;
    for (PvDerived which = 0; which < PV_N_DERIVED; which++) {
        pv_document_derive (fixture->document, which);
        fixture->document->derived[which].serial--;
    }
    for (PvDerived which = 0; which < PV_N_DERIVED; which++)
        while (pv_document_is_deriving (fixture->document, which))
            g_main_context_iteration (NULL, TRUE);
    g_assert_cmpuint (fixture->changes, ==, 0);
    g_assert_true (get (fixture)->functions == functions);
    g_assert_true (get (fixture)->search == search);
    g_assert_true (get (fixture)->callers_callees == callers_callees);
}

/* A change without effect is no step: equal filters can change places. */
FIXTURE_TEST (same_filters, fixture)
{
    open_recording (fixture);
    wait_until (fixture, is_complete);
    PvDocument *document = fixture->document;
    pv_document_add_transform (document, PV_TRANSFORM_IGNORE, "a");
    pv_document_add_transform (document, PV_TRANSFORM_HIDE, "b");
    pv_document_edit_transform (document, 1, PV_TRANSFORM_IGNORE, "a");
    pv_document_edit_transform (document, 1, PV_TRANSFORM_IGNORE, "a");
    pv_document_move_transform (document, 1, 0);
    pv_document_move_transform (document, 1, 1);
    g_assert_cmpuint (get (fixture)->query.n_transforms, ==, 2);
    pv_document_go_back (document);
    g_assert_cmpint (get (fixture)->query.transforms[1].kind, ==, PV_TRANSFORM_HIDE);
    pv_document_move_transform (document, 1, 0);
    g_assert_cmpint (get (fixture)->query.transforms[0].kind, ==, PV_TRANSFORM_HIDE);
    pv_document_go_back (document);
    g_assert_cmpint (get (fixture)->query.transforms[1].kind, ==, PV_TRANSFORM_HIDE);
}

/* Formulas in words are kept apart from the query, so they cost no tree; the first one's base is
 * what is shown. */
FIXTURE_TEST (formulas, fixture)
{
    static const char *const first[] = {"--measure=size=allocated/allocations", NULL};
    static const char *const usual[] = {"--measure=temporary-share", NULL};
    static const char *const missing[] = {"--measure=x=flops/allocations", NULL};
    static const char *const shown[] = {"size=allocated/allocations", "x = peak*2%", NULL};
    g_autofree char *path = get_data ("heaptrack/leak.raw.zst");
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (path);
    g_autofree char *command = NULL;
    PvDocumentChange changes;

    open_source (fixture, pv_file_source_new (spec), TRUE, first);
    wait_until (fixture, has_query);
    g_assert_cmpstr (get (fixture)->formulas[0], ==, "size=allocated/allocations");
    g_assert_null (get (fixture)->formulas[1]);
    g_assert_null (get (fixture)->query.formulas);
    g_assert_null (get (fixture)->answer->query->formulas);
    g_assert_cmpstr (pv_document_get_measure (fixture->document)->name, ==, "allocations");
    g_assert_false (get (fixture)->can_go_back);

    unsigned n_trees = fixture->n_trees;
    fixture->changes = 0;
    pv_document_apply_words (fixture->document, usual);
    changes = fixture->changes;
    g_assert_cmpint (changes, ==, PV_CHANGED_FORMULAS);
    g_assert_cmpstr (get (fixture)->formulas[0], ==, "temporary-share=temporary/allocations%");
    pv_document_apply_words (fixture->document, missing);
    assert_message (fixture, "there is no measure “flops”");
    g_assert_cmpstr (get (fixture)->formulas[0], ==, "temporary-share=temporary/allocations%");
    g_assert_cmpuint (fixture->n_trees, ==, n_trees);

    command =
        pv_document_make_command (fixture->document, &(PvCommand){.options = {"--print=tree"},
                                                                  .measure = UINT32_MAX,
                                                                  .formulas = (char **)shown});
    g_assert_nonnull (strstr (command, "profview --print=tree --measure=allocations "
                                       "--measure=size=allocated/allocations "
                                       "'--measure=x = peak*2%' "));
}

static const char *
get_function_name (const Fixture *fixture)
{
    return get (fixture)->answer->flame_tree->symbols->functions[get (fixture)->look.function].name;
}

static PvFunctionId
find_function (const Fixture *fixture, const char *short_name)
{
    const PvFunctionList *list = get (fixture)->functions->list;

    for (uint32_t i = 0; i < list->n_rows; i++) {
        PvFunctionId function = list->rows[i].function;
        if (g_str_equal (get (fixture)->answer->tree->symbols->functions[function].short_name,
                         short_name))
            return function;
    }
    g_assert_not_reached ();
}

/* Functions of sandwiches are steps of the history, and are found again in another profile. A
 * filter that takes one of the function's places does not take the sandwich. */
FIXTURE_TEST (sandwich, fixture)
{
    open_recording (fixture);
    wait_until (fixture, is_complete);
    const PvProfile *before = get (fixture)->answer->profile;
    pv_document_show_sandwich (fixture->document, find_function (fixture, "geometry::Vec::dot"),
                               FALSE);
    g_assert_true (get (fixture)->look.is_sandwich);
    pv_document_show_sandwich (fixture->document, find_function (fixture, "main"), FALSE);
    pv_document_show_sandwich (fixture->document, find_function (fixture, "main"), FALSE);
    pv_document_set_inverted (fixture->document, FALSE);
    g_assert_false (get (fixture)->look.is_sandwich);
    pv_document_reload (fixture->document);
    wait_until (fixture, has_query);
    g_assert_true (get (fixture)->answer->profile != before);

    pv_document_go_back (fixture->document);
    g_assert_true (get (fixture)->look.is_sandwich);
    g_assert_cmpstr (get_function_name (fixture), ==, "main");
    pv_document_go_back (fixture->document);
    g_assert_true (get (fixture)->look.is_sandwich);
    g_assert_true (g_str_has_prefix (get_function_name (fixture), "geometry::Vec::dot("));
    wait_until (fixture, has_callers);
    pv_document_add_transform (fixture->document, PV_TRANSFORM_IGNORE, "^geometry::centre");
    wait_until (fixture, has_query);
    wait_until (fixture, has_callers);
    g_assert_true (g_str_has_prefix (get_function_name (fixture), "geometry::Vec::dot("));
    pv_document_go_back (fixture->document);
    wait_until (fixture, has_query);
    pv_document_go_back (fixture->document);
    g_assert_false (get (fixture)->look.is_sandwich);
    g_assert_cmpuint (get (fixture)->look.function, ==, 0);
    g_assert_false (get (fixture)->can_go_back);
}

/* The query changes while the file is read again. */
FIXTURE_TEST (query_while_reloading, fixture)
{
    open_recording (fixture);
    wait_until (fixture, is_complete);
    const PvProfile *before = get (fixture)->answer->profile;
    uint64_t duration_ns = before->duration_ns;
    pv_document_reload (fixture->document);
    for (unsigned i = 1; i <= 8; i++) {
        pv_document_set_time_range (fixture->document, 0, duration_ns * i / 16);
        g_main_context_iteration (NULL, FALSE);
    }
    wait_until (fixture, has_query);
    g_assert_true (get (fixture)->answer->profile != before);
    g_assert_cmpuint (get (fixture)->answer->query->end_ns, ==, duration_ns / 2);
}

FIXTURE_TEST (reload_deleted, fixture)
{
    g_autofree char *path = copy_data ("recordings/inlining-fp.data", fixture->folder, "gone.data");

    open_path (fixture, path, TRUE);
    wait_until (fixture, is_complete);
    const PvProfile *before = get (fixture)->answer->profile;
    g_assert_cmpint (g_unlink (path), ==, 0);
    pv_document_reload (fixture->document);
    wait_until (fixture, has_message);
    assert_message (fixture, "“gone.data” could not be read again");
    wait_until (fixture, is_complete);
    g_assert_true (get (fixture)->answer->profile == before);
}

FIXTURE_TEST (cancel_reload, fixture)
{
    open_recording (fixture);
    wait_until (fixture, is_complete);
    const PvProfile *before = get (fixture)->answer->profile;
    pv_document_reload (fixture->document);
    pv_document_cancel (fixture->document);
    wait_until (fixture, is_complete);
    g_assert_true (get (fixture)->answer->profile == before);
    g_assert_cmpuint (fixture->messages->len, ==, 0);
}

FIXTURE_TEST (added_folder, fixture)
{
    g_autofree char *path = get_data ("recordings/inlining-fp.data");
    g_autofree char *sysroot = get_data ("sysroot/opt/samples/bin");

    open_path (fixture, path, FALSE);
    wait_until (fixture, is_complete);
    pv_document_add_symbol_path (fixture->document, fixture->folder);
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_RENEWAL);
    wait_until (fixture, has_message);
    assert_message (fixture, "has none of the missing files");
    wait_until (fixture, is_complete);

    g_ptr_array_set_size (fixture->messages, 0);
    pv_document_add_symbol_path (fixture->document, sysroot);
    wait_until (fixture, has_message);
    assert_message (fixture, "Found 1 missing file in “bin”");
    wait_until (fixture, is_complete);
}

/* A source that the test holds at any point of its loading */

static int gate;    /* atomic: how far the worker may go */
static int n_ended; /* atomic: workers that have told all there is to tell */
static PvProfile *scripted_profile;
static PvSymbolTable *scripted_symbols;

static void
take_profile (PvProfile *profile, void *user)
{
    scripted_profile = profile;
}

static void
take_symbols (PvSymbolTable *symbols, void *user)
{
    if (scripted_symbols != NULL)
        pv_symbol_table_free (scripted_symbols);
    scripted_symbols = symbols;
}

static bool
wait_for_gate (int n, PvJob *job, GError **error)
{
    while (g_atomic_int_get (&gate) < n && !pv_job_is_cancelled (job))
        g_usleep (500);
    return pv_job_check (job, error);
}

/* A preview, the profile with names that are not complete, then complete ones; each when the gate
 * is opened for it. The names are the same, which nobody can see. */
static bool
read_step_by_step (PvSourceSpec *spec, const PvLoadOptions *options, const PvLoadEvents *events,
                   PvJob *job, GError **error)
{
    PvLoadEvents taking = {.profile_ready = take_profile, .symbols_ready = take_symbols};

    if (!pv_load (spec->paths[0], options, &taking, NULL, error))
        return false;
    PvSymbolTable *early = pv_symbol_table_ref (scripted_symbols);
    if (events->preview_ready != NULL && wait_for_gate (1, job, NULL))
        events->preview_ready (pv_profile_ref (scripted_profile),
                               pv_symbol_table_ref (scripted_symbols), job, events->user);
    bool is_done = wait_for_gate (2, job, error);
    if (is_done) {
        events->profile_ready (pv_profile_ref (scripted_profile), events->user);
        events->symbols_ready (early, events->user);
        is_done = wait_for_gate (3, job, error);
    } else {
        pv_symbol_table_free (early);
    }
    if (is_done)
        events->symbols_ready (pv_symbol_table_ref (scripted_symbols), events->user);
    g_clear_pointer (&scripted_profile, pv_profile_free);
    g_clear_pointer (&scripted_symbols, pv_symbol_table_free);
    g_atomic_int_inc (&n_ended);
    return is_done;
}

static char *
make_scripted_title (const PvSource *source, const PvProfile *profile)
{
    return g_strdup ("step by step");
}

static void
open_step_by_step (Fixture *fixture)
{
    static const PvSourceClass class = {
        .size_bytes = sizeof (PvSource),
        .start = pv_source_load,
        .read = read_step_by_step,
        .make_title = make_scripted_title,
    };
    g_autofree char *path = get_data ("recordings/inlining-fp.data");

    g_atomic_int_set (&gate, 0);
    g_atomic_int_set (&n_ended, 0);
    open_source (fixture, pv_source_new (&class, pv_source_spec_new_for_path (path)), TRUE, NULL);
}

static gboolean
can_compare (const Fixture *fixture)
{
    return pv_document_can_compare (fixture->document);
}

/* Until all of it is shown, the part must not be taken for it. */
FIXTURE_TEST (preview, fixture)
{
    open_step_by_step (fixture);
    g_atomic_int_set (&gate, 1);
    wait_until (fixture, is_preview);
    g_assert_true (is_ready (fixture));
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_RENEWAL);
    g_assert_true (pv_document_is_loading (fixture->document));
    g_assert_nonnull (get (fixture)->answer->profile);
    g_assert_false (pv_document_can_compare (fixture->document));
    g_atomic_int_set (&gate, 3);
    wait_until (fixture, can_compare);
    g_assert_false (get (fixture)->is_preview);
    wait_until (fixture, is_complete);
    g_assert_false (get (fixture)->is_preview);
    g_assert_cmpuint (fixture->n_trees, ==, 2);
    g_assert_cmpuint (fixture->messages->len, ==, 0);
}

FIXTURE_TEST (cancel_preview, fixture)
{
    open_step_by_step (fixture);
    g_atomic_int_set (&gate, 1);
    wait_until (fixture, is_preview);
    pv_document_cancel (fixture->document);
    wait_until (fixture, is_idle);
    assert_message (fixture, "Only the first part of “step by step” has been read");
    g_assert_true (is_ready (fixture));
    g_assert_true (get (fixture)->is_preview);
}

/* The whole comes before anybody has seen the preview: that is dropped. */
FIXTURE_TEST (late_preview, fixture)
{
    open_step_by_step (fixture);
    g_atomic_int_set (&gate, 3);
    while (g_atomic_int_get (&n_ended) == 0) /* no main loop meanwhile */
        g_usleep (1000);
    wait_until (fixture, is_complete);
    g_assert_false (fixture->had_preview);
    g_assert_cmpuint (fixture->n_states, ==, 2);
}

/* The view with the names so far stays when the search for better ones is given up. */
FIXTURE_TEST (cancel_names, fixture)
{
    open_step_by_step (fixture);
    g_atomic_int_set (&gate, 1);
    wait_until (fixture, is_preview);
    g_atomic_int_set (&gate, 3);
    wait_until (fixture, is_complete);
    g_atomic_int_set (&gate, 0);
    pv_document_reload (fixture->document);
    g_atomic_int_set (&gate, 2);
    pv_document_cancel (fixture->document);
    wait_until (fixture, is_complete);
    g_assert_cmpuint (fixture->messages->len, ==, 0);
}

/* Series */

FIXTURE_TEST (series, fixture)
{
    static const char *const names[] = {"pantry-1.heap", "pantry-2.heap", "pantry-3.heap"};
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    g_autoptr (PvSourceSpec) spec = NULL;

    for (unsigned i = 0; i < 2; i++) {
        g_autofree char *name = g_strconcat ("pprof/", names[i], NULL);
        g_ptr_array_add (paths, copy_data (name, fixture->folder, names[i]));
    }
    g_ptr_array_add (paths, NULL);
    spec = pv_source_spec_new_together ((const char *const *)paths->pdata, PV_TOGETHER_SERIES,
                                        fixture->folder);
    open_source (fixture, pv_series_source_new (spec), FALSE, NULL);
    g_assert_cmpstr (get (fixture)->title, ==, "pantry — 2 dumps");
    wait_until (fixture, is_complete);
    g_assert_cmpuint (get (fixture)->answer->profile->n_dumps, ==, 2);

    /* The folder has one more by now. */
    g_free (copy_data ("pprof/pantry-3.heap", fixture->folder, names[2]));
    fixture->changes = 0;
    pv_document_reload (fixture->document);
    wait_until (fixture, is_complete);
    g_assert_cmpuint (get (fixture)->answer->profile->n_dumps, ==, 3);
    g_assert_cmpstr (get (fixture)->title, ==, "pantry — 3 dumps");
    g_assert_true (fixture->changes & PV_CHANGED_TITLE);
}

FIXTURE_TEST (merged, fixture)
{
    g_autofree char *first = copy_data ("recordings/inlining-fp.data", fixture->folder, "run.1");
    g_autofree char *second = copy_data ("recordings/recursion-fp.data", fixture->folder, "run.2");
    const char *const paths[] = {first, second, NULL};
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_together (paths, PV_TOGETHER_MERGED, NULL);

    open_source (fixture, pv_series_source_new (spec), TRUE, NULL);
    wait_until (fixture, is_complete);
    g_assert_cmpstr (get (fixture)->title, ==, "run — 2 files");
}

/* URLs */

/* Any path has the dump; /slow answers after two seconds, /moved is elsewhere, /none is not. */
static gboolean
answer (GThreadedSocketService *service, GSocketConnection *connection, GObject *source,
        gpointer user)
{
    g_autoptr (GDataInputStream) input =
        g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));
    GOutputStream *output = g_io_stream_get_output_stream (G_IO_STREAM (connection));
    g_autofree char *path = get_data ("pprof/pantry-1.heap");
    g_autofree char *content = NULL;
    g_autofree char *line = NULL;
    g_autofree char *head = NULL;
    gsize size;

    g_data_input_stream_set_newline_type (input, G_DATA_STREAM_NEWLINE_TYPE_CR_LF);
    g_autofree char *request = g_data_input_stream_read_line (input, NULL, NULL, NULL);
    if (request == NULL)
        return TRUE;
    do {
        g_free (line);
        line = g_data_input_stream_read_line (input, NULL, NULL, NULL);
    } while (line != NULL && *line != '\0');
    if (strstr (request, "/none") != NULL) {
        head = g_strdup ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL);
        return TRUE;
    }
    if (strstr (request, "/moved") != NULL) {
        head = g_strdup_printf ("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n"
                                "Location: %s/heap\r\n\r\n",
                                (const char *)g_object_get_data (G_OBJECT (service), "elsewhere"));
        g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL);
        return TRUE;
    }
    if (strstr (request, "/slow") != NULL)
        g_usleep (2 * G_USEC_PER_SEC);
    g_assert_true (g_file_get_contents (path, &content, &size, NULL));
    head = g_strdup_printf ("HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", (size_t)size);
    if (g_output_stream_write_all (output, head, strlen (head), NULL, NULL, NULL))
        g_output_stream_write_all (output, content, size, NULL, NULL, NULL);
    return TRUE;
}

static void
start_server (Fixture *fixture)
{
    g_autoptr (GInetAddress) local = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
    g_autoptr (GSocketAddress) any_port = g_inet_socket_address_new (local, 0);
    g_autoptr (GSocketAddress) used = NULL;

    fixture->service = g_threaded_socket_service_new (4);
    g_signal_connect (fixture->service, "run", G_CALLBACK (answer), NULL);
    g_assert_true (g_socket_listener_add_address (G_SOCKET_LISTENER (fixture->service), any_port,
                                                  G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL,
                                                  &used, NULL));
    unsigned port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (used));
    fixture->address = g_strdup_printf ("http://127.0.0.1:%u", port);
    g_object_set_data_full (G_OBJECT (fixture->service), "elsewhere",
                            g_strdup_printf ("http://localhost:%u", port), g_free);
}

static void
open_url (Fixture *fixture, const char *path, unsigned interval_seconds)
{
    g_autofree char *url = g_strconcat (fixture->address, path, NULL);
    open_source (fixture, pv_url_source_new (url, interval_seconds), FALSE, NULL);
}

FIXTURE_TEST (url, fixture)
{
    g_autoptr (PvProfile) before = NULL;

    start_server (fixture);
    open_url (fixture, "/debug/pprof/heap", 0);
    g_assert_true (pv_document_is_busy (fixture->document));
    g_assert_false (pv_document_is_loading (fixture->document));
    wait_until (fixture, is_complete);
    g_assert_true (fixture->was_fetching);
    g_assert_true (g_str_has_suffix (get (fixture)->title, " – Heap"));
    g_assert_nonnull (get (fixture)->spec->paths[0]);

    before = pv_profile_ref (get (fixture)->answer->profile);
    pv_document_reload (fixture->document);
    g_assert_true (pv_document_is_busy (fixture->document));
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_NONE);
    while (get (fixture)->answer->profile == before)
        g_main_context_iteration (NULL, TRUE);
    wait_until (fixture, is_complete);
    g_assert_cmpuint (get (fixture)->answer->profile->n_dumps, ==, before->n_dumps);
    g_assert_false (pv_document_is_busy (fixture->document));
}

FIXTURE_TEST (url_cancelled, fixture)
{
    start_server (fixture);
    open_url (fixture, "/slow", 0);
    for (unsigned i = 0; i < 20; i++) {
        g_main_context_iteration (NULL, FALSE);
        g_usleep (1000);
    }
    pv_document_cancel (fixture->document);
    wait_until (fixture, is_failed);
    g_assert_error (get (fixture)->error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
    g_assert_false (pv_document_is_busy (fixture->document));
}

FIXTURE_TEST (url_refused, fixture)
{
    start_server (fixture);
    open_url (fixture, "/none", 0);
    wait_until (fixture, is_failed);
    g_assert_error (get (fixture)->error, PV_FETCH_ERROR, PV_FETCH_ERROR_NOT_FOUND);
}

FIXTURE_TEST (url_redirected, fixture)
{
    start_server (fixture);
    open_url (fixture, "/moved", 0);
    wait_until (fixture, is_failed);
    g_assert_error (get (fixture)->error, PV_FETCH_ERROR, PV_FETCH_ERROR_REDIRECT);
    pv_document_follow_redirect (fixture->document);
    g_assert_cmpint (get (fixture)->state, ==, PV_DOCUMENT_LOADING);
    wait_until (fixture, is_complete);
    g_assert_nonnull (strstr (get (fixture)->spec->url, "localhost"));
}

static gboolean
has_two_dumps (const Fixture *fixture)
{
    return is_complete (fixture) && get (fixture)->answer->profile->n_dumps >= 2;
}

FIXTURE_TEST (url_again_and_again, fixture)
{
    start_server (fixture);
    open_url (fixture, "/debug/pprof/heap", 1);
    wait_until (fixture, has_two_dumps);
    g_assert_true (pv_document_is_busy (fixture->document));
    g_assert_nonnull (strstr (get (fixture)->title, " – Heap — "));
    pv_document_cancel (fixture->document);
    wait_until (fixture, is_complete);
    g_assert_false (pv_document_is_busy (fixture->document));
}

/* Recordings, by the stand-in for perf */

static void
open_live (Fixture *fixture, const char *fault, const char *seconds)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    const char *const argv[] = {"sleep", seconds, NULL};

    g_setenv ("PV_STANDIN_PERF", fault, TRUE);
    g_setenv ("PV_STANDIN_PERF_SECONDS", seconds, TRUE);
    plan->call_graph = PV_CALL_GRAPH_FP;
    plan->argv = g_strdupv ((char **)argv);
    plan->output = g_build_filename (fixture->folder, "live.data", NULL);
    open_source (fixture, pv_recording_source_new (plan), TRUE, NULL);
}

static gboolean
is_live (const Fixture *fixture)
{
    return is_ready (fixture) && get (fixture)->is_recording;
}

FIXTURE_TEST (recording, fixture)
{
    const PvProfile *live;

    open_live (fixture, "", "30");
    g_assert_true (get (fixture)->is_recording);
    g_assert_cmpstr (get (fixture)->title, ==, "live.data");
    g_assert_false (pv_document_is_loading (fixture->document));
    wait_until (fixture, is_live);
    g_assert_true (get (fixture)->loading == PV_LOADING_LIVE ||
                   get (fixture)->loading == PV_LOADING_NONE);
    g_assert_false (pv_document_is_loading (fixture->document));
    g_assert_cmpuint (get (fixture)->n_recorded, >, 0);
    live = get (fixture)->answer->profile;
    uint32_t n_live = live->n_samples;
    /* The live view is renewed. */
    while (get (fixture)->answer->profile == live && get (fixture)->is_recording)
        g_main_context_iteration (NULL, TRUE);
    pv_document_stop_recording (fixture->document);
    wait_until (fixture, is_complete);
    g_assert_cmpuint (get (fixture)->answer->profile->n_samples, >, n_live);
    g_assert_cmpuint (get (fixture)->n_recorded, ==, get (fixture)->answer->profile->n_samples);
    g_assert_cmpint (get (fixture)->loading, ==, PV_LOADING_NONE);
    g_assert_null (pv_recording_get_error (get (fixture)->recording));
    g_assert_cmpuint (fixture->messages->len, ==, 0);
}

FIXTURE_TEST (recording_stopped, fixture)
{
    open_live (fixture, "", "30");
    wait_until (fixture, is_live);
    pv_document_stop_recording (fixture->document);
    wait_until (fixture, is_complete);
    g_assert_true (pv_recording_has_file (get (fixture)->recording));
}

/* Nobody sees it: nothing is loaded before it has ended. */
FIXTURE_TEST (recording_hidden, fixture)
{
    open_live (fixture, "", "1");
    pv_document_set_hidden (fixture->document, TRUE);
    wait_until (fixture, is_complete);
    g_assert_cmpuint (fixture->n_states, ==, 2);
    g_assert_false (get (fixture)->is_recording);
}

FIXTURE_TEST (recording_refused, fixture)
{
    open_live (fixture, "no-permission", "1");
    wait_until (fixture, is_failed);
    g_assert_error (get (fixture)->error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED);
    g_assert_false (get (fixture)->is_recording);

    /* Trying again records. */
    g_setenv ("PV_STANDIN_PERF", "", TRUE);
    pv_document_load (fixture->document);
    g_assert_true (get (fixture)->is_recording);
    wait_until (fixture, is_complete);
}

static gboolean
is_over (const Fixture *fixture)
{
    return !get (fixture)->is_recording;
}

FIXTURE_TEST (recording_discarded, fixture)
{
    open_live (fixture, "", "30");
    wait_until (fixture, is_live);
    pv_document_discard_recording (fixture->document);
    g_assert_true (get (fixture)->is_discarded);
    wait_until (fixture, is_over);
    wait_until (fixture, is_idle);
    g_assert_true (is_ready (fixture)); /* its last picture */
    g_assert_false (pv_recording_has_file (get (fixture)->recording));
}

/* The tab is closed: the recording is completed without it. */
FIXTURE_TEST (recording_closed, fixture)
{
    g_autofree char *path = g_build_filename (fixture->folder, "live.data", NULL);
    gint64 until_us = g_get_monotonic_time () + PATIENCE_US;

    open_live (fixture, "", "30");
    wait_until (fixture, is_live);
    int fd = pv_document_take_terminal (fixture->document);
    g_assert_cmpint (fd, >=, 0);
    g_assert_cmpint (pv_document_take_terminal (fixture->document), ==, -1);
    close_document (fixture);
    /* A complete file can be opened. */
    for (;;) {
        g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (path);
        g_autofree char *content = NULL;
        gsize size = 0;
        uint64_t data_bytes = 0;
        g_assert_cmpint (g_get_monotonic_time (), <, until_us);
        g_main_context_iteration (NULL, FALSE);
        if (g_file_get_contents (path, &content, &size, NULL) && size > 56)
            memcpy (&data_bytes, content + 48, sizeof data_bytes);
        if (data_bytes > 0)
            break;
        g_usleep (10000);
    }
    /* Its file is complete before all of the recorder is gone. */
    while (waitid (P_ALL, 0, &(siginfo_t){0}, WEXITED | WNOHANG | WNOWAIT) == 0) {
        g_assert_cmpint (g_get_monotonic_time (), <, until_us);
        g_main_context_iteration (NULL, FALSE);
        g_usleep (5000);
    }
    while (g_main_context_iteration (NULL, FALSE)) {
    }
    g_close (fd, NULL);
}

/* The folders for what is fetched; their files are gone. */
static void
remove_scratch (const char *scratch)
{
    g_autofree char *folder = g_build_filename (scratch, "profview", NULL);
    g_autofree char *fetched = g_build_filename (folder, "fetched", NULL);

    g_rmdir (fetched);
    g_rmdir (folder);
    g_assert_cmpint (g_rmdir (scratch), ==, 0);
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    g_autofree char *scratch = g_dir_make_tmp ("pv-document-home-XXXXXX", NULL);
    g_setenv ("XDG_CACHE_HOME", scratch, TRUE);
    g_setenv ("XDG_DATA_HOME", scratch, TRUE);
    g_autofree char *standins =
        g_build_filename (g_getenv ("PV_SOURCE"), "tests", "record", "standin", NULL);
    g_autofree char *path = g_strconcat (standins, ":", g_getenv ("PATH"), NULL);
    g_setenv ("PATH", path, TRUE);
    int status = g_test_run ();
    remove_scratch (scratch);
    return status;
}
