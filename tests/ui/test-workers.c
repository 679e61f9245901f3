/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nothing is computed, and nothing large is freed, on the main loop. The functions of the core that
 * take long are wrapped by the linker (see meson.build), and complain when the main thread calls
 * them while the window is used as a person would.
 *
 *     test-workers SYSROOT FILE HEAP DUMP...       in session.sh
 */
#include <adwaita.h>
#include <pthread.h>
#include <stdio.h>

#include "app/desktop/application.h"
#include "app/window/document-view.h"
#include "app/window/opening.h"
#include "app/window/window.h"
#include "core/analyze/series/series-build.h"
#include "core/analyze/tables/bottom-up.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/stack-quality.h"
#include "core/analyze/tree/search.h"
#include "core/load/load.h"
#include "core/model/profile/labels.h"
#include "pv-app-resources.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)

static pthread_t main_thread;
static int n_wrong; /* atomic, as are those below */

static bool
is_main (void)
{
    return pthread_equal (pthread_self (), main_thread);
}

/* Counts calls, to know that the wrapping works. */
static void
expect_worker (const char *function, int *n_calls)
{
    g_atomic_int_inc (n_calls);
    if (!is_main ())
        return;
    fprintf (stderr, "%s is called by the main loop\n", function);
    g_atomic_int_inc (&n_wrong);
}

/* Only the last reference of a freed object takes time. */
static void
expect_reference (const char *function, int ref_count, int *n_calls)
{
    g_atomic_int_inc (n_calls);
    if (!is_main () || ref_count > 1)
        return;
    fprintf (stderr, "%s frees in the main loop\n", function);
    g_atomic_int_inc (&n_wrong);
}

static int n_quality, n_trees, n_lists, n_searches, n_neighbours, n_bottom_up, n_loads, n_freed,
    n_series, n_leaks, n_groups, n_together, n_values;

/* The linker's names. */
void __real_pv_stack_quality_measure (const PvProfile *profile, const PvSymbolTable *symbols,
                                      uint32_t set, PvStackQuality *ret_quality);
void __wrap_pv_stack_quality_measure (const PvProfile *profile, const PvSymbolTable *symbols,
                                      uint32_t set, PvStackQuality *ret_quality);
PvCallTree *__real_pv_call_tree_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                       const PvQuery *query, const PvCallTree *previous, PvJob *job,
                                       GError **error);
PvCallTree *__wrap_pv_call_tree_build (const PvProfile *profile, const PvSymbolTable *symbols,
                                       const PvQuery *query, const PvCallTree *previous, PvJob *job,
                                       GError **error);
void __real_pv_call_tree_free (PvCallTree *tree);
void __wrap_pv_call_tree_free (PvCallTree *tree);
PvFunctionList *__real_pv_function_list_build (const PvCallTree *tree, PvJob *job);
PvFunctionList *__wrap_pv_function_list_build (const PvCallTree *tree, PvJob *job);
PvSearchResult *__real_pv_search (const PvCallTree *tree, const PvSearchTerm *term, PvJob *job,
                                  GError **error);
PvSearchResult *__wrap_pv_search (const PvCallTree *tree, const PvSearchTerm *term, PvJob *job,
                                  GError **error);
PvCallersCallees *__real_pv_callers_callees_build (const PvCallTree *tree, PvFunctionId function,
                                                   PvJob *job);
PvCallersCallees *__wrap_pv_callers_callees_build (const PvCallTree *tree, PvFunctionId function,
                                                   PvJob *job);
PvBottomUp *__real_pv_bottom_up_new (const PvCallTree *tree, const PvMeasureId *measures,
                                     uint32_t n_measures, PvJob *job);
PvBottomUp *__wrap_pv_bottom_up_new (const PvCallTree *tree, const PvMeasureId *measures,
                                     uint32_t n_measures, PvJob *job);
bool __real_pv_load (const char *path, const PvLoadOptions *options, const PvLoadEvents *events,
                     PvJob *job, GError **error);
bool __wrap_pv_load (const char *path, const PvLoadOptions *options, const PvLoadEvents *events,
                     PvJob *job, GError **error);
PvSeries *__real_pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns,
                                  uint64_t end_ns, uint32_t max_layers, uint32_t max_points,
                                  PvJob *job);
PvSeries *__wrap_pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns,
                                  uint64_t end_ns, uint32_t max_layers, uint32_t max_points,
                                  PvJob *job);
void __real_pv_suppressions_sum_leaks (const PvSuppressions *suppressions, bool with_defaults,
                                       const PvProfile *profile, const PvSymbolTable *symbols,
                                       uint64_t *ret_leaked, uint64_t *ret_suppressed);
void __wrap_pv_suppressions_sum_leaks (const PvSuppressions *suppressions, bool with_defaults,
                                       const PvProfile *profile, const PvSymbolTable *symbols,
                                       uint64_t *ret_leaked, uint64_t *ret_suppressed);

GPtrArray *__real_pv_load_group_files (const char *const *paths, PvJob *job);
GPtrArray *__wrap_pv_load_group_files (const char *const *paths, PvJob *job);
bool __real_pv_load_together (const char *const *paths, PvTogether how,
                              const PvLoadOptions *options, const PvLoadEvents *events, PvJob *job,
                              GError **error);
bool __wrap_pv_load_together (const char *const *paths, PvTogether how,
                              const PvLoadOptions *options, const PvLoadEvents *events, PvJob *job,
                              GError **error);
PvLabelKey *__real_pv_labels_list_keys (const PvProfile *profile, uint32_t *ret_n_keys);
PvLabelKey *__wrap_pv_labels_list_keys (const PvProfile *profile, uint32_t *ret_n_keys);

GPtrArray *
__wrap_pv_load_group_files (const char *const *paths, PvJob *job)
{
    expect_worker ("pv_load_group_files", &n_groups);
    return __real_pv_load_group_files (paths, job);
}

bool
__wrap_pv_load_together (const char *const *paths, PvTogether how, const PvLoadOptions *options,
                         const PvLoadEvents *events, PvJob *job, GError **error)
{
    expect_worker ("pv_load_together", &n_together);
    return __real_pv_load_together (paths, how, options, events, job, error);
}

PvLabelKey *
__wrap_pv_labels_list_keys (const PvProfile *profile, uint32_t *ret_n_keys)
{
    expect_worker ("pv_labels_list_keys", &n_values);
    return __real_pv_labels_list_keys (profile, ret_n_keys);
}

void
__wrap_pv_stack_quality_measure (const PvProfile *profile, const PvSymbolTable *symbols,
                                 uint32_t set, PvStackQuality *ret_quality)
{
    expect_worker ("pv_stack_quality_measure", &n_quality);
    __real_pv_stack_quality_measure (profile, symbols, set, ret_quality);
}

PvCallTree *
__wrap_pv_call_tree_build (const PvProfile *profile, const PvSymbolTable *symbols,
                           const PvQuery *query, const PvCallTree *previous, PvJob *job,
                           GError **error)
{
    expect_worker ("pv_call_tree_build", &n_trees);
    return __real_pv_call_tree_build (profile, symbols, query, previous, job, error);
}

void
__wrap_pv_call_tree_free (PvCallTree *tree)
{
    if (tree != NULL)
        expect_reference ("pv_call_tree_free", __atomic_load_n (&tree->ref_count, __ATOMIC_ACQUIRE),
                          &n_freed);
    __real_pv_call_tree_free (tree);
}

PvFunctionList *
__wrap_pv_function_list_build (const PvCallTree *tree, PvJob *job)
{
    expect_worker ("pv_function_list_build", &n_lists);
    return __real_pv_function_list_build (tree, job);
}

PvSearchResult *
__wrap_pv_search (const PvCallTree *tree, const PvSearchTerm *term, PvJob *job, GError **error)
{
    expect_worker ("pv_search", &n_searches);
    return __real_pv_search (tree, term, job, error);
}

PvCallersCallees *
__wrap_pv_callers_callees_build (const PvCallTree *tree, PvFunctionId function, PvJob *job)
{
    expect_worker ("pv_callers_callees_build", &n_neighbours);
    return __real_pv_callers_callees_build (tree, function, job);
}

PvBottomUp *
__wrap_pv_bottom_up_new (const PvCallTree *tree, const PvMeasureId *measures, uint32_t n_measures,
                         PvJob *job)
{
    expect_worker ("pv_bottom_up_new", &n_bottom_up);
    return __real_pv_bottom_up_new (tree, measures, n_measures, job);
}

bool
__wrap_pv_load (const char *path, const PvLoadOptions *options, const PvLoadEvents *events,
                PvJob *job, GError **error)
{
    expect_worker ("pv_load", &n_loads);
    return __real_pv_load (path, options, events, job, error);
}

PvSeries *
__wrap_pv_series_build (const PvCallTree *tree, PvChartKind kind, uint64_t start_ns,
                        uint64_t end_ns, uint32_t max_layers, uint32_t max_points, PvJob *job)
{
    expect_worker ("pv_series_build", &n_series);
    return __real_pv_series_build (tree, kind, start_ns, end_ns, max_layers, max_points, job);
}

void
__wrap_pv_suppressions_sum_leaks (const PvSuppressions *suppressions, bool with_defaults,
                                  const PvProfile *profile, const PvSymbolTable *symbols,
                                  uint64_t *ret_leaked, uint64_t *ret_suppressed)
{
    expect_worker ("pv_suppressions_sum_leaks", &n_leaks);
    __real_pv_suppressions_sum_leaks (suppressions, with_defaults, profile, symbols, ret_leaked,
                                      ret_suppressed);
}

/* Actions of a user --------------------------------------------------------------------------- */

typedef struct {
    PvWindow *window;
    PvDocument *document;
    AdwTabView *tabs;
} Use;

static bool
is_ready (const Use *use)
{
    const PvDocumentData *data = pv_document_get (use->document);
    return data->state == PV_DOCUMENT_READY && !pv_document_is_loading (use->document) &&
           data->functions != NULL &&
           data->answer->flame_tree->query.is_inverted == data->look.is_inverted;
}

static bool
has_answers (const Use *use)
{
    const PvDocumentData *data = pv_document_get (use->document);
    return is_ready (use) && data->search != NULL && data->callers_callees != NULL;
}

static bool
has_quality (const Use *use)
{
    return g_atomic_int_get (&n_quality) > 0;
}

static bool
has_bottom_up (const Use *use)
{
    return g_atomic_int_get (&n_bottom_up) > 0;
}

static bool
has_leaks (const Use *use)
{
    return g_atomic_int_get (&n_leaks) > 0;
}

/* One on the summary, and another on the timeline. */
static bool
has_charts (const Use *use)
{
    return g_atomic_int_get (&n_series) > 1;
}

/* The last request. */
static bool
has_query (const Use *use)
{
    const PvDocumentData *data = pv_document_get (use->document);
    return is_ready (use) && pv_query_equal (&data->query, data->answer->query);
}

static bool
is_closed (const Use *use)
{
    return adw_tab_view_get_n_pages (use->tabs) == 0;
}

static void
wait_until (const Use *use, bool (*is_so) (const Use *use))
{
    gint64 until = g_get_monotonic_time () + PATIENCE_US;

    while (!is_so (use)) {
        g_assert_cmpint (g_get_monotonic_time (), <, until);
        g_main_context_iteration (NULL, FALSE);
        g_usleep (500);
    }
    /* Runs the main loop for a while, without waiting for anything. */
    for (unsigned i = 0; i < 200; i++) {
        g_main_context_iteration (NULL, FALSE);
        g_usleep (500);
    }
}

static void
show_page (const Use *use, const char *id)
{
    PvDocumentView *view =
        PV_DOCUMENT_VIEW (adw_tab_page_get_child (adw_tab_view_get_selected_page (use->tabs)));

    pv_document_view_show_page (view, id);
    wait_until (use, is_ready);
}

static void
use_window (Use *use)
{
    const PvFunctionList *list;

    wait_until (use, is_ready);
    show_page (use, "summary");
    wait_until (use, has_quality);
    show_page (use, "bottom-up");
    wait_until (use, has_bottom_up);
    show_page (use, "functions");
    list = pv_document_get (use->document)->functions->list;
    pv_document_select_function (use->document, list->rows[0].function);
    pv_document_search (use->document, &(PvSearchTerm){(char *)"e", false, true});
    wait_until (use, has_answers);
    pv_document_set_inverted (use->document, TRUE);
    wait_until (use, is_ready);
    pv_document_set_inverted (use->document, FALSE);
    wait_until (use, is_ready);
    pv_document_reload (use->document);
    wait_until (use, has_answers);
}

static void
use_heap (Use *use)
{
    uint64_t duration_ns;

    wait_until (use, is_ready);
    show_page (use, "summary");
    wait_until (use, has_leaks);
    show_page (use, "timeline");
    wait_until (use, has_charts);
    duration_ns = pv_document_get (use->document)->answer->profile->duration_ns;
    for (unsigned i = 1; i <= 20; i++) {
        pv_document_set_time_range (use->document, 0, duration_ns * i / 40);
        g_main_context_iteration (NULL, FALSE);
    }
    wait_until (use, has_query);
    pv_document_show_moment (use->document, duration_ns / 2);
    pv_document_set_transform (use->document, PV_TRANSFORM_HIDE_ALLOCATORS, FALSE);
    wait_until (use, has_query);
    pv_document_clear_time_range (use->document);
    wait_until (use, has_query);
}

static void
use_shown (Use *use, void (*use_it) (Use *use))
{
    AdwTabPage *page;

    page = adw_tab_view_get_selected_page (use->tabs);
    use->document = g_object_ref (
        pv_document_view_get_document (PV_DOCUMENT_VIEW (adw_tab_page_get_child (page))));
    use_it (use);
    gtk_widget_activate_action (GTK_WIDGET (use->window), "win.close-tab", NULL);
    g_clear_object (&use->document);
    wait_until (use, is_closed);
}

static void
open_and_use (Use *use, const char *path, const PvSymbolOptions *symbols, void (*use_it) (Use *use))
{
    g_autoptr (GFile) file = g_file_new_for_path (path);

    pv_window_open (use->window, file, &(PvOpenOptions){.symbols = symbols});
    use_shown (use, use_it);
}

static void
use_series (Use *use)
{
    uint64_t duration_ns;

    wait_until (use, is_ready);
    show_page (use, "timeline");
    duration_ns = pv_document_get (use->document)->answer->profile->duration_ns;
    for (unsigned i = 1; i <= 20; i++) {
        pv_document_set_time_range (use->document, 0, duration_ns * i / 20);
        g_main_context_iteration (NULL, FALSE);
    }
    wait_until (use, has_query);
    pv_document_set_measure (use->document, 2);
    wait_until (use, has_query);
    pv_document_reload (use->document);
    wait_until (use, has_query);
}

static bool
is_open (const Use *use)
{
    return adw_tab_view_get_n_pages (use->tabs) == 1;
}

static void
open_and_use_series (Use *use, const char *const *paths)
{
    pv_open_files (use->window, paths, PV_OPEN_EACH, NULL);
    wait_until (use, is_open);
    use_shown (use, use_series);
}

static void
on_activate (AdwApplication *application, const char *const *arguments)
{
    PvSymbolOptions symbols = {.sysroot = arguments[1]};
    Use use = {.window = pv_window_new (application)};

    use.tabs = ADW_TAB_VIEW (
        gtk_widget_get_template_child (GTK_WIDGET (use.window), PV_TYPE_WINDOW, "tab_view"));
    gtk_window_present (GTK_WINDOW (use.window));
    open_and_use (&use, arguments[2], &symbols, use_window);
    open_and_use (&use, arguments[3], &symbols, use_heap);
    open_and_use_series (&use, arguments + 4);
    gtk_window_destroy (GTK_WINDOW (use.window));
}

int
main (int argc, char **argv)
{
    g_autoptr (AdwApplication) application =
        adw_application_new ("org.profview.Profview", G_APPLICATION_NON_UNIQUE);
    const int *const calls[] = {&n_quality,   &n_trees,    &n_lists, &n_searches, &n_neighbours,
                                &n_bottom_up, &n_loads,    &n_freed, &n_series,   &n_leaks,
                                &n_groups,    &n_together, &n_values};

    g_assert_cmpint (argc, >=, 6);
    main_thread = pthread_self ();
    pv_app_register_resource ();
    g_signal_connect (application, "activate", G_CALLBACK (on_activate), argv);
    g_application_run (G_APPLICATION (application), 0, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS (calls); i++)
        if (g_atomic_int_get (calls[i]) == 0) {
            fprintf (stderr, "function %u was never called\n", i);
            return 1;
        }
    return g_atomic_int_get (&n_wrong) > 0;
}
