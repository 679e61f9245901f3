/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the main loop of the window is held, run inside of tests/ui/session.sh:
 *
 *     bench-holds [--runs=N] [--stacks=N] [--only=STEP] [FILE|FOLDER OF DUMPS]
 *
 * Opens the real window on FILE, or on a made-up profile with so many distinct stacks, and goes
 * through what a user does: each page for the first and the second time, another measure, the other
 * direction, a search typed letter by letter, zoom, selection, scrolling, for heaps the charts and
 * a range of time dragged over them, reading the file again, closing the tab. What is measured is
 * said in holds.h.
 */
#include <adwaita.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/charts/chart-area.h"
#include "app/desktop/application.h"
#include "app/pages/tree-page.h"
#include "app/widgets/row-model.h"
#include "app/window/document-view.h"
#include "app/window/window.h"
#include "holds.h"
#include "made-profile.h"
#include "many-stacks.h"

enum {
    TYPING_MS = 70,
    MAX_SORTING_MS = 10000, /* the first rows may stay where they are */
    N_HASHED = 1000,
    DRAG_MS = 16,   /* between two motions of a hand ... */
    N_DRAGGED = 60, /* ... and so many of them */
};

/* One run -------------------------------------------------------------------------------------- */

struct Bench {
    AdwApplication *application;
    PvWindow *window;
    PvDocument *document; /* NULL before the file is opened and after it is closed */
    GFile *file;
    PvSymbolOptions symbols;
    Holds *holds;

    unsigned n_typed;
    unsigned n_dragged;
    const void *before; /* what is replaced by the step */
};

static const PvDocumentData *
get_data (Bench *bench)
{
    return pv_document_get (bench->document);
}

static AdwTabView *
get_tabs (Bench *bench)
{
    return ADW_TAB_VIEW (
        gtk_widget_get_template_child (GTK_WIDGET (bench->window), PV_TYPE_WINDOW, "tab_view"));
}

static PvDocumentView *
get_view (Bench *bench)
{
    return PV_DOCUMENT_VIEW (
        adw_tab_page_get_child (adw_tab_view_get_selected_page (get_tabs (bench))));
}

static void
show_page (Bench *bench, const char *name)
{
    gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.page", "s", name);
}

static GtkWidget *
get_page (Bench *bench)
{
    AdwViewStack *pages = pv_document_view_get_pages (get_view (bench));
    return adw_bin_get_child (ADW_BIN (adw_view_stack_get_visible_child (pages)));
}

static GtkWidget *
get_child (Bench *bench, const char *name)
{
    return GTK_WIDGET (
        gtk_widget_get_template_child (get_page (bench), G_OBJECT_TYPE (get_page (bench)), name));
}

/* Steps ---------------------------------------------------------------------------------------- */

static void
open_window (Bench *bench)
{
    bench->window = pv_window_new (bench->application);
    gtk_window_set_default_size (GTK_WINDOW (bench->window), 1600, 1000);
    pv_window_show_start (bench->window);
    gtk_window_present (GTK_WINDOW (bench->window));
    holds_watch (bench->holds, GTK_WIDGET (bench->window), false);
}

/* A folder is one of dumps. */
static void
open_file (Bench *bench)
{
    g_autofree char *path = g_file_get_path (bench->file);
    const char *const paths[] = {path, NULL};
    g_autoptr (PvSourceSpec) spec =
        g_file_test (path, G_FILE_TEST_IS_DIR)
            ? pv_source_spec_new_together (paths, PV_TOGETHER_SERIES, NULL)
            : pv_source_spec_new_for_path (path);

    pv_window_open_spec (bench->window, spec, &(PvOpenOptions){.symbols = &bench->symbols});
    bench->document = g_object_ref (pv_document_view_get_document (get_view (bench)));
}

static bool
is_loaded (Bench *bench)
{
    const PvDocumentData *data = get_data (bench);

    if (data->state == PV_DOCUMENT_FAILED) {
        holds_fail (bench->holds, data->error->message);
        return true;
    }
    return data->state == PV_DOCUMENT_READY && !pv_document_is_loading (bench->document) &&
           data->functions != NULL;
}

static void
show_summary (Bench *bench)
{
    show_page (bench, "summary");
}

static void
show_tree (Bench *bench)
{
    show_page (bench, "tree");
}

static void
show_functions (Bench *bench)
{
    show_page (bench, "functions");
}

static void
show_flame (Bench *bench)
{
    show_page (bench, "flame");
}

/* The other measure, or the same anew where there is only one. */
static void
change_measure (Bench *bench)
{
    const PvDocumentData *data = get_data (bench);

    bench->before = data->functions;
    if (data->answer->profile->n_measures > 1)
        pv_document_set_measure (bench->document, data->query.measure == 0 ? 1 : 0);
    else
        pv_document_reload (bench->document);
}

static void
reload (Bench *bench)
{
    bench->before = get_data (bench)->functions;
    pv_document_reload (bench->document);
}

static bool
has_new_functions (Bench *bench)
{
    return get_data (bench)->functions != bench->before && is_loaded (bench);
}

static void
invert (Bench *bench)
{
    GtkWidget *drop_down = get_child (bench, "direction_drop_down");

    gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), !get_data (bench)->look.is_inverted);
}

static bool
is_inverted (Bench *bench)
{
    const PvDocumentData *data = get_data (bench);
    return data->answer->flame_tree->query.is_inverted == data->look.is_inverted &&
           is_loaded (bench);
}

/* One letter more at every look, then the answer to the last. */
static void
type_letter (Bench *bench)
{
    static const char text[] = "func";
    g_autofree char *typed = g_strndup (text, ++bench->n_typed);

    pv_document_view_search (get_view (bench), typed);
}

static bool
is_typed (Bench *bench)
{
    if (holds_get_ms (bench->holds) < bench->n_typed * TYPING_MS)
        return false;
    if (bench->n_typed < 4) {
        type_letter (bench);
        return false;
    }
    return get_data (bench)->search != NULL;
}

static void
close_search (Bench *bench)
{
    gtk_search_bar_set_search_mode (pv_document_view_get_search_bar (get_view (bench)), FALSE);
}

/* The heaviest node some calls away from the start. */
static PvNodeId
find_inner_node (Bench *bench)
{
    const PvCallTree *tree = get_data (bench)->answer->flame_tree;
    PvNodeId node = 0;

    for (unsigned level = 0; level < 5 && tree->first_child[node + 1] > tree->first_child[node];
         level++)
        node = tree->first_child[node];
    return node;
}

static void
zoom_in (Bench *bench)
{
    pv_document_zoom (bench->document, find_inner_node (bench));
}

static void
zoom_out (Bench *bench)
{
    pv_document_zoom (bench->document, 0);
}

/* Another function than is selected, one far down in the list. */
static void
select_function (Bench *bench)
{
    const PvDocumentData *data = get_data (bench);
    const PvFunctionList *list = data->functions->list;
    uint32_t row = list->n_rows / 3;

    if (list->n_rows == 0)
        return;
    if (list->rows[row].function == data->look.function)
        row = 0;
    pv_document_select_function (bench->document, list->rows[row].function);
}

static bool
has_neighbours (Bench *bench)
{
    return get_data (bench)->callers_callees != NULL ||
           get_data (bench)->functions->list->n_rows == 0;
}

/* The deepest node under the heaviest path: the tree opens all rows above it. */
static void
select_deep_node (Bench *bench)
{
    const PvCallTree *tree = get_data (bench)->answer->flame_tree;
    PvNodeId node = tree->n_nodes - 1;

    while (pv_call_tree_count_folded (tree, node) > 0)
        node--;
    pv_document_select_node (bench->document, node);
}

static void
turn_tree (Bench *bench)
{
    GtkToggleButton *button = GTK_TOGGLE_BUTTON (get_child (bench, "bottom_up_button"));

    gtk_toggle_button_set_active (button, !gtk_toggle_button_get_active (button));
}

static GtkColumnView *
get_table (Bench *bench)
{
    return GTK_COLUMN_VIEW (get_child (bench, "view"));
}

/* As many rows as functions with self cost. */
static bool
has_callers (Bench *bench)
{
    GListModel *rows = G_LIST_MODEL (gtk_column_view_get_model (get_table (bench)));
    const PvFunctionList *list = get_data (bench)->functions->list;
    uint32_t n = 0;

    while (n < list->n_rows && list->rows[n].self > 0)
        n++;
    return g_list_model_get_n_items (rows) == n;
}

static void
scroll_to_end (Bench *bench)
{
    GtkWidget *view = get_child (bench, "view");
    GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));

    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

/* Charts: of other profiles than heaps and series there are none, and nothing happens. */

static bool
is_heap (Bench *bench)
{
    return get_data (bench)->answer->profile->heap != NULL;
}

static bool
has_times (Bench *bench)
{
    return is_heap (bench) || get_data (bench)->answer->profile->n_dumps > 0;
}

static void
show_timeline (Bench *bench)
{
    show_page (bench, "timeline");
}

static bool
has_chart (Bench *bench)
{
    PvChartArea *area;
    const PvSeries *series;

    if (!has_times (bench))
        return true;
    area = PV_CHART_AREA (get_child (bench, "area"));
    series = pv_chart_area_get_series (area);
    return series != NULL && series->kind == pv_chart_area_get_kind (area);
}

static void
press_kind (Bench *bench, const char *button)
{
    if (is_heap (bench))
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (get_child (bench, button)), TRUE);
}

static void
show_allocations (Bench *bench)
{
    press_kind (bench, "allocations_button");
}

static void
show_sizes (Bench *bench)
{
    press_kind (bench, "sizes_button");
}

static void
show_live (Bench *bench)
{
    press_kind (bench, "live_button");
}

/* The range gets longer at every look, and views follow as they can. */
static void
drag_range (Bench *bench)
{
    uint64_t duration_ns = get_data (bench)->answer->profile->duration_ns;
    uint64_t start_ns = duration_ns / 4;

    bench->n_dragged++;
    if (has_times (bench))
        pv_document_set_time_range (bench->document, start_ns,
                                    start_ns + duration_ns / 2 * bench->n_dragged / N_DRAGGED);
}

static bool
has_range (Bench *bench)
{
    const PvDocumentData *data = get_data (bench);
    return data->answer->query->start_ns == data->query.start_ns &&
           data->answer->query->end_ns == data->query.end_ns && is_loaded (bench);
}

static bool
is_dragged (Bench *bench)
{
    if (holds_get_ms (bench->holds) < bench->n_dragged * DRAG_MS)
        return false;
    if (bench->n_dragged < N_DRAGGED) {
        drag_range (bench);
        return false;
    }
    return has_range (bench);
}

/* Tells the order of the first rows. Never NULL. */
static gpointer
hash_keys (Bench *bench)
{
    PvRowModel *rows = PV_ROW_MODEL (gtk_column_view_get_model (get_table (bench)));
    gsize hash = 1;

    for (uint32_t i = 0; i < MIN (pv_row_model_get_n_rows (rows), N_HASHED); i++)
        hash = hash * 31 + pv_row_model_get_key (rows, i);
    return GSIZE_TO_POINTER (hash | 1);
}

static void
sort_by (Bench *bench, const char *title, GtkSortType direction)
{
    GListModel *columns = gtk_column_view_get_columns (get_table (bench));

    bench->before = hash_keys (bench);
    for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
        g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
        if (gtk_column_view_column_get_visible (column) &&
            g_strcmp0 (gtk_column_view_column_get_title (column), title) == 0)
            gtk_column_view_sort_by_column (get_table (bench), column, direction);
    }
}

static void
sort_by_name (Bench *bench)
{
    sort_by (bench, "Function", GTK_SORT_ASCENDING);
}

static void
sort_by_total (Bench *bench)
{
    sort_by (bench, "Total", GTK_SORT_DESCENDING);
}

static void
sort_by_module (Bench *bench)
{
    sort_by (bench, "Module", GTK_SORT_ASCENDING);
}

static void
sort_by_self (Bench *bench)
{
    sort_by (bench, "Self", GTK_SORT_DESCENDING);
}

static bool
is_sorted (Bench *bench)
{
    return hash_keys (bench) != bench->before || holds_get_ms (bench->holds) > MAX_SORTING_MS;
}

static void
select_all (Bench *bench)
{
    gtk_selection_model_select_all (gtk_column_view_get_model (get_table (bench)));
}

static void
copy_rows (Bench *bench)
{
    gtk_widget_activate_action (GTK_WIDGET (get_table (bench)), "table.copy-rows", NULL);
}

static bool
is_copied (Bench *bench)
{
    return gdk_clipboard_get_content (gtk_widget_get_clipboard (GTK_WIDGET (bench->window))) !=
               NULL ||
           get_data (bench)->functions->list->n_rows == 0;
}

static void
select_one (Bench *bench)
{
    gtk_selection_model_select_item (gtk_column_view_get_model (get_table (bench)), 0, TRUE);
}

static void
clear_range (Bench *bench)
{
    pv_document_set_time_range (bench->document, 0, UINT64_MAX);
}

static void
close_tab (Bench *bench)
{
    g_clear_object (&bench->document);
    gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.close-tab", NULL);
}

static const HoldsStep steps[] = {
    {"window", open_window, NULL},
    {"open-file", open_file, is_loaded},
    {"summary-first", show_summary, NULL},
    {"tree-first", show_tree, NULL},
    {"functions-first", show_functions, NULL},
    {"flame-again", show_flame, NULL},
    {"summary-again", show_summary, NULL},
    {"tree-again", show_tree, NULL},
    {"functions-again", show_functions, NULL},
    {"function-in-list", select_function, has_neighbours},
    {"search-in-list", type_letter, is_typed},
    {"search-closed", close_search, NULL},
    {"list-end", scroll_to_end, NULL},
    {"sort-by-name", sort_by_name, is_sorted},
    {"sort-by-total", sort_by_total, is_sorted},
    {"sort-by-module", sort_by_module, is_sorted},
    {"sort-by-self", sort_by_self, is_sorted},
    {"list-end-again", scroll_to_end, NULL},
    {"select-all", select_all, NULL},
    {"copy-rows", copy_rows, is_copied},
    {"select-one", select_one, has_neighbours},
    {"measure-in-list", change_measure, has_new_functions},
    {"tree-with-selected", show_tree, NULL},
    {"node-in-tree", select_deep_node, has_neighbours},
    {"tree-end", scroll_to_end, NULL},
    {"tree-by-name", sort_by_name, is_sorted},
    {"tree-by-total", sort_by_total, is_sorted},
    {"measure-in-tree", change_measure, has_new_functions},
    {"search-in-tree", type_letter, is_typed},
    {"search-closed-in-tree", close_search, NULL},
    {"tree-bottom-up", turn_tree, has_callers},
    {"callers-by-name", sort_by_name, is_sorted},
    {"callers-by-module", sort_by_module, is_sorted},
    {"callers-by-self", sort_by_self, is_sorted},
    {"tree-top-down", turn_tree, NULL},
    {"summary-later", show_summary, NULL},
    {"measure-in-summary", change_measure, has_new_functions},
    {"flame-later", show_flame, NULL},
    {"measure-in-flame", change_measure, has_new_functions},
    {"search-in-flame", type_letter, is_typed},
    {"search-closed-in-flame", close_search, NULL},
    {"zoom-in", zoom_in, NULL},
    {"zoom-out", zoom_out, NULL},
    {"function-in-flame", select_function, has_neighbours},
    {"invert", invert, is_inverted},
    {"invert-back", invert, is_inverted},
    {"timeline-first", show_timeline, has_chart},
    {"chart-allocations", show_allocations, has_chart},
    {"chart-sizes", show_sizes, has_chart},
    {"chart-live", show_live, has_chart},
    {"range-in-timeline", drag_range, is_dragged},
    {"flame-with-range", show_flame, NULL},
    {"range-in-flame", drag_range, is_dragged},
    {"range-cleared", clear_range, has_range},
    {"timeline-again", show_timeline, has_chart},
    {"reload", reload, has_new_functions},
    {"close-tab", close_tab, NULL},
};

/* Running -------------------------------------------------------------------------------------- */

static void
begin (Bench *bench)
{
    bench->n_typed = bench->n_dragged = 0;
}

static void
end (Bench *bench)
{
    gtk_window_destroy (GTK_WINDOW (bench->window));
}

static const HoldsScript script = {steps, G_N_ELEMENTS (steps), begin, end};

static int
run_once (const char *path, const char *sysroot, const HoldsOptions *options)
{
    g_autoptr (AdwApplication) application =
        adw_application_new ("org.profview.Profview", G_APPLICATION_NON_UNIQUE);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    Bench bench = {.application = application, .file = file, .symbols = {.sysroot = sysroot}};
    int status;

    bench.holds = holds_new (&script, options, &bench);
    status = holds_run (bench.holds, application);
    g_clear_object (&bench.document);
    return status;
}

static int
run_many (const char *program, int n_runs, const char *path, const char *sysroot, const char *only)
{
    g_autofree char *sysroot_option =
        g_strconcat ("--sysroot=", sysroot != NULL ? sysroot : "", NULL);
    g_autofree char *only_option = g_strconcat ("--only=", only != NULL ? only : "", NULL);
    const char *const argv[] = {program, "--once", sysroot_option, only_option, path, NULL};

    return holds_run_many (&script, argv, n_runs);
}

static const char *
none_if_empty (const char *text)
{
    return text != NULL && *text != '\0' ? text : NULL;
}

int
main (int argc, char **argv)
{
    int n_runs = 3, n_stacks = 0, status;
    gboolean is_once = FALSE, is_verbose = FALSE;
    g_autofree char *only = NULL;
    g_autofree char *sysroot = NULL;
    g_autofree char *folder = NULL;
    g_autofree char *made = NULL;
    const GOptionEntry options[] = {
        {"runs", 0, 0, G_OPTION_ARG_INT, &n_runs, "processes to take the best of", "N"},
        {"stacks", 0, 0, G_OPTION_ARG_INT, &n_stacks, "make a profile of so many", "N"},
        {"only", 0, 0, G_OPTION_ARG_STRING, &only, "print only this step", "STEP"},
        {"sysroot", 0, 0, G_OPTION_ARG_FILENAME, &sysroot, "where the files are", "DIR"},
        {"once", 0, 0, G_OPTION_ARG_NONE, &is_once, "in this process", NULL},
        {"verbose", 0, 0, G_OPTION_ARG_NONE, &is_verbose, "with --once: list the holds", NULL},
        {NULL},
    };
    g_autoptr (GOptionContext) context = g_option_context_new ("[FILE]");
    g_autoptr (GError) error = NULL;
    const char *path;

    g_option_context_add_main_entries (context, options, NULL);
    pv_app_tune_allocator ();
    if (!g_option_context_parse (context, &argc, &argv, &error) || n_runs < 1) {
        fprintf (stderr, "bench-holds: %s\n", error != NULL ? error->message : "no runs");
        return 2;
    }
    path = argc > 1 ? argv[1] : none_if_empty (g_getenv ("PV_BENCH_INPUT"));
    if (n_stacks > 0) {
        folder = bench_make_many_stacks ((unsigned)n_stacks);
        g_assert (folder != NULL);
        path = made = g_build_filename (folder, "perf.data", NULL);
        sysroot = g_strdup (folder);
    } else if (path == NULL) {
        path = g_getenv ("PV_BENCH_DEFAULT");
        sysroot = g_strdup (g_getenv ("PV_BENCH_SYSROOT"));
    }
    if (path == NULL) {
        fprintf (stderr, "bench-holds: no file\n");
        return 2;
    }
    status = is_once ? run_once (path, none_if_empty (sysroot),
                                 &(HoldsOptions){none_if_empty (only), is_verbose})
                     : run_many (argv[0], n_runs, path, sysroot, only);
    if (folder != NULL)
        made_profile_remove (folder);
    return status;
}
