/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the pages Call Graph and Source take, run inside of tests/ui/session.sh:
 *
 *     bench-code [--function=NAME] [--then=NAME] [--frames=N] [FILE]
 *
 * Opens the real window on FILE and shows the call graph; then the function, or the first with
 * lines of those that cost most: its source, its machine code beside it, which is scrolled from its
 * start to its end, and then both for the other one. In milliseconds from the click until it is
 * drawn:
 *
 *     graph_ms         the call graph
 *     source_ms        the lines with their costs
 *     machine_ms       the instructions
 *     hottest_ms       the hottest instruction is selected and on screen
 *     then_ms          both, of the other function
 *     scroll_ms        one frame of scrolling, median; then the 95 % and the worst
 *     scroll_cpu_ms    the same, of which the main thread worked
 *     held_cpu_ms      the longest time that the main thread worked between two turns of its loop,
 *                      a frame included, in each of the steps before
 */
#include <adwaita.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../times.h"
#include "app/code/code-page.h"
#include "app/graph/graph-page.h"
#include "app/machine/machine-view.h"
#include "app/window/application.h"
#include "app/window/document-view.h"
#include "app/window/window.h"
#include "pv-app-resources.h"

enum { PATIENCE_S = 120, PAUSE_MS = 500, TURN_MS = 1 };

typedef enum { STEP_GRAPH, STEP_SOURCE, STEP_MACHINE, STEP_THEN, STEP_SCROLL } Step;

typedef struct {
    double ms;
    double cpu_ms;
} Frame;

typedef struct {
    AdwApplication *application;
    PvWindow *window;
    PvDocumentView *view;
    PvDocument *document;
    GtkWidget *graph;   /* the page Call Graph; NULL: not yet there */
    GtkWidget *page;    /* Source; NULL: not yet there */
    GtkWidget *machine; /* NULL: not yet there */
    const char *path;
    char *function;
    char *then;
    int n_frames;
    PvSymbolOptions symbols;

    Step step;
    gint64 start_us;
    double turn_ms;          /* what the main thread had worked at the last turn of its loop */
    double held_ms;          /* in this step */
    double machine_ms;       /* < 0: not yet drawn */
    char *old_title;         /* of the page, when the step began */
    unsigned n_frames_since; /* that were drawn since all was there */
    GArray *frames;          /* of Frame */
    Frame frame;
    int n_scrolled;
} Bench;

static double
get_ms (const Bench *bench)
{
    return (double)(g_get_monotonic_time () - bench->start_us) / 1e3;
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
    if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
        return widget;
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child)) {
        GtkWidget *found = find_widget (child, type);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static gpointer
get_part (GtkWidget *widget, GType type, const char *name)
{
    return gtk_widget_get_template_child (widget, type, name);
}

/* The function that has the name; or the costliest one with a line. */
static PvFunctionId
find_function (Bench *bench, const char *name)
{
    const PvDocumentData *data = pv_document_get (bench->document);
    const PvSymbolTable *symbols = data->tree->symbols;

    for (uint32_t i = 0; i < data->functions->list->n_rows; i++) {
        const PvFunctionId id = data->functions->list->rows[i].function;
        const PvFunction *function = id < symbols->n_functions ? &symbols->functions[id] : NULL;
        if (function != NULL && (name != NULL ? strstr (function->name, name) != NULL
                                              : function->line > 0 && function->file != NULL))
            return id;
    }
    fprintf (stderr, "bench-code: no function %s\n", name != NULL ? name : "with lines");
    exit (1);
}

static bool
shows_code (GtkWidget *widget, GType type)
{
    return widget != NULL &&
           g_strcmp0 (gtk_stack_get_visible_child_name (get_part (widget, type, "stack")),
                      "code") == 0;
}

/* The page has another title than before. */
static bool
has_source (Bench *bench)
{
    return shows_code (bench->page, PV_TYPE_CODE_PAGE) &&
           g_strcmp0 (
               gtk_label_get_text (get_part (bench->page, PV_TYPE_CODE_PAGE, "function_label")),
               bench->old_title) != 0;
}

static GtkSelectionModel *
get_rows (Bench *bench)
{
    return gtk_column_view_get_model (get_part (bench->machine, PV_TYPE_MACHINE_VIEW, "view"));
}

static bool
has_selection (Bench *bench)
{
    g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (get_rows (bench));
    return !gtk_bitset_is_empty (selected);
}

static void
start (Bench *bench, Step step)
{
    bench->step = step;
    bench->machine_ms = -1;
    bench->n_frames_since = 0;
    bench->held_ms = 0;
    bench->turn_ms = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
    bench->start_us = g_get_monotonic_time ();
}

/* Scrolling */

static void
scroll (Bench *bench)
{
    GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (
        GTK_SCROLLABLE (get_part (bench->machine, PV_TYPE_MACHINE_VIEW, "view")));
    const double end =
        gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

    bench->n_scrolled++;
    gtk_adjustment_set_value (adjustment, end * bench->n_scrolled / bench->n_frames);
}

static void
print_frames (const Bench *bench, const char *name, bool is_cpu)
{
    const guint n = bench->frames->len;
    g_autofree double *values = g_new (double, n);

    for (guint i = 0; i < n; i++) {
        const Frame *frame = &g_array_index (bench->frames, Frame, i);
        values[i] = is_cpu ? frame->cpu_ms : frame->ms;
    }
    qsort (values, n, sizeof *values, bench_compare);
    printf ("%s %.2f %.2f %.2f\n", name, values[n / 2], values[(n - 1) * 95 / 100], values[n - 1]);
}

/* Steps */

static void
start_source (Bench *bench)
{
    const PvFunctionId function = find_function (bench, bench->function);

    printf ("function %s\n",
            pv_document_get (bench->document)->tree->symbols->functions[function].name);
    start (bench, STEP_SOURCE);
    pv_document_select_function (bench->document, function);
    pv_document_view_show_page (bench->view, "source");
}

static void
next_step (Bench *bench)
{
    const double ms = get_ms (bench);

    if (bench->step != STEP_SCROLL)
        printf ("held_cpu_ms %.1f\n", bench->held_ms);
    switch (bench->step) {
    case STEP_GRAPH:
        printf ("graph_ms %.1f\n", ms);
        start_source (bench);
        break;
    case STEP_SOURCE:
        printf ("source_ms %.1f\n", ms);
        start (bench, STEP_MACHINE);
        gtk_toggle_button_set_active (get_part (bench->page, PV_TYPE_CODE_PAGE, "machine_button"),
                                      TRUE);
        bench->machine = find_widget (bench->page, PV_TYPE_MACHINE_VIEW);
        break;
    case STEP_MACHINE:
        printf ("machine_ms %.1f\nhottest_ms %.1f\ninstructions_and_lines %u\n", bench->machine_ms,
                ms, g_list_model_get_n_items (G_LIST_MODEL (get_rows (bench))));
        bench->n_frames_since = 0;
        bench->step = STEP_SCROLL;
        scroll (bench);
        break;
    case STEP_SCROLL:
        if (bench->n_scrolled < bench->n_frames) {
            scroll (bench);
            return;
        }
        print_frames (bench, "scroll_ms", false);
        print_frames (bench, "scroll_cpu_ms", true);
        if (bench->then == NULL) {
            gtk_window_destroy (GTK_WINDOW (bench->window));
            return;
        }
        g_free (bench->old_title);
        bench->old_title = g_strdup (
            gtk_label_get_text (get_part (bench->page, PV_TYPE_CODE_PAGE, "function_label")));
        const PvFunctionId then = find_function (bench, bench->then);
        start (bench, STEP_THEN);
        pv_document_select_function (bench->document, then);
        break;
    case STEP_THEN:
        printf ("then_ms %.1f\n", ms);
        gtk_window_destroy (GTK_WINDOW (bench->window));
        break;
    }
}

static bool
is_there (Bench *bench)
{
    switch (bench->step) {
    case STEP_GRAPH: /* it says how much is shown */
        return bench->graph != NULL &&
               gtk_label_get_text (
                   get_part (bench->graph, PV_TYPE_GRAPH_PAGE, "extent_label"))[0] != '\0';
    case STEP_SOURCE:
        return has_source (bench);
    case STEP_MACHINE:
        return shows_code (bench->machine, PV_TYPE_MACHINE_VIEW) && has_selection (bench);
    case STEP_THEN:
        return has_source (bench) && shows_code (bench->machine, PV_TYPE_MACHINE_VIEW) &&
               has_selection (bench);
    case STEP_SCROLL:
        return true;
    }
    return false;
}

static void
on_before_paint (GdkFrameClock *clock, Bench *bench)
{
    bench->frame = (Frame){bench_get_ms (CLOCK_MONOTONIC), bench_get_ms (CLOCK_THREAD_CPUTIME_ID)};
}

/* What is there before a frame is drawn by its end. */
static void
on_after_paint (GdkFrameClock *clock, Bench *bench)
{
    const Frame frame = {bench_get_ms (CLOCK_MONOTONIC) - bench->frame.ms,
                         bench_get_ms (CLOCK_THREAD_CPUTIME_ID) - bench->frame.cpu_ms};

    if (bench->start_us == 0)
        return;
    if (bench->step == STEP_SCROLL)
        g_array_append_val (bench->frames, frame);
    if (bench->machine_ms < 0 && shows_code (bench->machine, PV_TYPE_MACHINE_VIEW))
        bench->machine_ms = get_ms (bench);
    bench->n_frames_since += is_there (bench);
}

static gboolean
on_turn (gpointer user)
{
    Bench *bench = user;
    const double now_ms = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);

    bench->held_ms = MAX (bench->held_ms, now_ms - bench->turn_ms);
    bench->turn_ms = now_ms;
    if (bench->page == NULL && bench->start_us != 0)
        bench->page = find_widget (GTK_WIDGET (bench->view), PV_TYPE_CODE_PAGE);
    if (bench->graph == NULL && bench->start_us != 0)
        bench->graph = find_widget (GTK_WIDGET (bench->view), PV_TYPE_GRAPH_PAGE);
    if (bench->n_frames_since > 0) {
        bench->n_frames_since = 0;
        next_step (bench);
    }
    return G_SOURCE_CONTINUE;
}

static gboolean
show_graph (gpointer user)
{
    Bench *bench = user;

    start (bench, STEP_GRAPH);
    pv_document_view_show_page (bench->view, "graph");
    return G_SOURCE_REMOVE;
}

static gboolean
wait_for_file (gpointer user)
{
    Bench *bench = user;
    const PvDocumentData *data = pv_document_get (bench->document);

    if (data->state == PV_DOCUMENT_FAILED) {
        fprintf (stderr, "bench-code: %s\n", data->error->message);
        exit (1);
    }
    if (data->state != PV_DOCUMENT_READY || pv_document_is_loading (bench->document) ||
        data->functions == NULL || data->functions->tree != data->tree)
        return G_SOURCE_CONTINUE;
    GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (bench->window));
    g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), bench);
    g_signal_connect_after (clock, "after-paint", G_CALLBACK (on_after_paint), bench);
    g_timeout_add (TURN_MS, on_turn, bench);
    g_timeout_add (PAUSE_MS, show_graph, bench);
    return G_SOURCE_REMOVE;
}

static gboolean
give_up (gpointer user)
{
    const Bench *bench = user;
    fprintf (stderr, "bench-code: still at step %d after %d s\n", bench->step, PATIENCE_S);
    exit (1);
}

static void
open_window (Bench *bench)
{
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (bench->path);

    bench->window = pv_window_new (bench->application);
    gtk_window_set_default_size (GTK_WINDOW (bench->window), 1600, 1000);
    gtk_window_present (GTK_WINDOW (bench->window));
    pv_window_open_spec (bench->window, spec, &(PvOpenOptions){.symbols = &bench->symbols});
    AdwTabView *tabs = get_part (GTK_WIDGET (bench->window), PV_TYPE_WINDOW, "tab_view");
    bench->view = PV_DOCUMENT_VIEW (adw_tab_page_get_child (adw_tab_view_get_selected_page (tabs)));
    bench->document = g_object_ref (pv_document_view_get_document (bench->view));
    g_timeout_add (5, wait_for_file, bench);
    g_timeout_add_seconds (PATIENCE_S, give_up, bench);
}

static void
run (Bench *bench)
{
    bench->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
    bench->application = adw_application_new ("org.profview.Profview", G_APPLICATION_NON_UNIQUE);
    pv_app_register_resource ();
    g_signal_connect_swapped (bench->application, "activate", G_CALLBACK (open_window), bench);
    g_application_run (G_APPLICATION (bench->application), 0, NULL);
    g_array_unref (bench->frames);
    g_free (bench->old_title);
    g_clear_object (&bench->document);
    g_clear_object (&bench->application);
}

int
main (int argc, char **argv)
{
    Bench bench = {.n_frames = 100};
    const GOptionEntry options[] = {
        {"function", 0, 0, G_OPTION_ARG_STRING, &bench.function, "a part of its name", "NAME"},
        {"then", 0, 0, G_OPTION_ARG_STRING, &bench.then, "the other one's", "NAME"},
        {"frames", 0, 0, G_OPTION_ARG_INT, &bench.n_frames, "how many are scrolled", "N"},
        {NULL},
    };
    g_autoptr (GOptionContext) context = g_option_context_new ("[FILE]");
    g_autoptr (GError) error = NULL;

    g_option_context_add_main_entries (context, options, NULL);
    pv_app_tune_allocator ();
    if (!g_option_context_parse (context, &argc, &argv, &error)) {
        fprintf (stderr, "bench-code: %s\n", error->message);
        return 2;
    }
    bench.n_frames = MAX (bench.n_frames, 1);
    bench.path = argc > 1 ? argv[1] : g_getenv ("PV_BENCH_INPUT");
    if (bench.path == NULL) {
        bench.path = g_getenv ("PV_BENCH_DEFAULT");
        bench.symbols.sysroot = g_getenv ("PV_BENCH_SYSROOT");
    }
    if (bench.path == NULL) {
        fprintf (stderr, "bench-code: no file\n");
        return 2;
    }
    run (&bench);
    g_free (bench.function);
    g_free (bench.then);
    return 0;
}
