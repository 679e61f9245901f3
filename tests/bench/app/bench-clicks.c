/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the window takes to answer, run inside of tests/ui/session.sh:
 *
 *     bench-clicks [--clicks=N] [--stacks=N] [--seed=N] [--only=NAME,...] [--verbose]
 *                  [--base=BASE] [FILE]
 *
 * Opens the real window on FILE, or on a made-up profile with so many distinct stacks, or on a
 * comparison of BASE with FILE, and does random things on random rows and boxes, one after the
 * other; with --only nothing but some of them. One line per kind of click, in milliseconds from
 * the click until
 *
 *     tree  the new tree is drawn
 *     all   so are the table of functions, the search and the callers and callees
 *
 * each as median, 95 % and worst.
 */
#include <adwaita.h>
#include <stdio.h>
#include <stdlib.h>

#include "../times.h"
#include "app/desktop/application.h"
#include "app/document/comparing.h"
#include "app/document/document-private.h"
#include "app/window/document-view.h"
#include "app/window/window.h"
#include "core/analyze/tables/facet-choice.h"
#include "made-profile.h"
#include "many-stacks.h"
#include "pv-app-resources.h"

enum {
    LOOK_MS = 1,
    PAUSE_MS = 50,      /* from one answer to the next click */
    MAX_TRANSFORMS = 4, /* of one function each, as users do */
};

typedef struct Bench Bench;

typedef struct {
    const char *name;
    bool (*act) (Bench *bench); /* false: there is nothing to click on */
    PvTransformKind kind;       /* of acts that filter */
} Click;

struct Bench {
    AdwApplication *application;
    PvWindow *window;
    PvDocument *document;
    const char *path;
    const char *base; /* NULL: no comparison */
    const char *only; /* names with commas between; NULL: all */
    PvSymbolOptions symbols;

    GRand *random;
    int n_left;
    gboolean is_verbose;
    unsigned click;
    PvTransformKind kind; /* of the click */
    gint64 start_us;
    double tree_ms; /* < 0: not yet */
    bool is_frame_wanted;
    gint64 painted_us;
    GArray **tree_times; /* of double, one array for each kind */
    GArray **all_times;
};

static const PvDocumentData *
get_data (Bench *bench)
{
    return pv_document_get (bench->document);
}

/* Clicks --------------------------------------------------------------------------------------- */

/* Some levels down from where the user is, always to a child as likely as it is wide. */
static PvNodeId
pick_node (Bench *bench)
{
    const PvDocumentData *data = get_data (bench);
    const PvCallTree *tree = data->answer->flame_tree;
    PvNodeId node = data->look.zoom;

    for (int level = g_rand_int_range (bench->random, 1, 12); level > 0; level--) {
        PvNodeId child = tree->first_child[node], end = tree->first_child[node + 1];
        double wanted = g_rand_double (bench->random) * (double)tree->total[node];
        while (child < end && wanted > (double)tree->total[child])
            wanted -= (double)tree->total[child++];
        if (child >= end)
            break;
        node = child;
    }
    return node;
}

static bool
zoom (Bench *bench)
{
    PvNodeId node = pick_node (bench);

    if (node == get_data (bench)->look.zoom)
        return false;
    pv_document_zoom (bench->document, node);
    return true;
}

static bool
zoom_out (Bench *bench)
{
    if (get_data (bench)->look.zoom == 0)
        return false;
    pv_document_zoom (bench->document, 0);
    return true;
}

static bool
open_folded (Bench *bench)
{
    const PvCallTree *tree = get_data (bench)->answer->tree;
    PvNodeId node = (PvNodeId)g_rand_int_range (bench->random, 0, (int)tree->n_nodes);

    for (uint32_t i = 0; i < tree->n_nodes; i++, node = node + 1 < tree->n_nodes ? node + 1 : 0)
        if (pv_call_tree_count_folded (tree, node) > 0) {
            pv_document_open (bench->document, tree->parent_of_node[node]);
            return true;
        }
    return false;
}

static bool
select_node (Bench *bench)
{
    PvNodeId node = pick_node (bench);

    if (node == 0 || node == get_data (bench)->look.selected)
        return false;
    pv_document_select_node (bench->document, node);
    return true;
}

static PvFunctionId
pick_function (Bench *bench)
{
    const PvFunctions *functions = get_data (bench)->functions;
    uint32_t n_rows = functions != NULL ? functions->list->n_rows : 0;

    /* The upper part of the list, where users click. */
    return n_rows > 0
               ? functions->list->rows[g_rand_int_range (bench->random, 0, (int)MIN (n_rows, 200))]
                     .function
               : 0;
}

static bool
select_function (Bench *bench)
{
    PvFunctionId function = pick_function (bench);

    if (function == 0 || function == get_data (bench)->look.function)
        return false;
    pv_document_select_function (bench->document, function);
    return true;
}

static bool
set_range (Bench *bench)
{
    uint64_t duration_ns = get_data (bench)->answer->profile->duration_ns;
    uint64_t start_ns = (uint64_t)(g_rand_double (bench->random) * (double)duration_ns);

    if (duration_ns == 0)
        return false;
    pv_document_remember (bench->document);
    pv_document_set_time_range (bench->document, start_ns,
                                start_ns + (duration_ns - start_ns) / 2 + 1);
    return true;
}

static bool
clear_range (Bench *bench)
{
    if (!pv_document_has_time_range (bench->document))
        return false;
    pv_document_clear_time_range (bench->document);
    return true;
}

/* The samples of one process, thread or processor only. */
static bool
choose_only (Bench *bench)
{
    const PvDocumentData *data = get_data (bench);
    const PvFacetKeys *keys = data->facet_keys;
    g_auto (PvQuery) query = {0};
    g_autoptr (PvFacet) facet = NULL;
    const PvFacetKey *key;
    const PvFacetValue *value;

    if (keys == NULL || keys->n_keys == 0)
        return false;
    key = &keys->keys[g_rand_int_range (bench->random, 0, (int)keys->n_keys)];
    facet = pv_facet_build (data->answer->profile, &data->query, key, NULL, 100, NULL);
    value = &facet->values[g_rand_int_range (bench->random, 0, (int)facet->n_values)];
    pv_query_copy (&query, &data->query);
    pv_facet_show_only (&query, key, value);
    pv_document_set_samples (bench->document, &query);
    bench->start_us = g_get_monotonic_time (); /* the user has read the list before */
    return true;
}

static bool
change_measure (Bench *bench)
{
    const PvDocumentData *data = get_data (bench);

    if (data->answer->profile->n_measures < 2)
        return false;
    pv_document_set_measure (bench->document,
                             (data->query.measure + 1) % data->answer->profile->n_measures);
    return true;
}

static bool
invert (Bench *bench)
{
    pv_document_set_inverted (bench->document, !get_data (bench)->look.is_inverted);
    return true;
}

static bool
search (Bench *bench)
{
    PvFunctionId function = pick_function (bench);
    const PvCallTree *tree = get_data (bench)->answer->tree;
    g_autofree char *text = NULL;

    if (function == 0 || function >= tree->symbols->n_functions)
        return false;
    text = g_utf8_substring (tree->symbols->functions[function].name, 0,
                             MIN (4, g_utf8_strlen (tree->symbols->functions[function].name, -1)));
    pv_document_search (bench->document, &(PvSearchTerm){text, false, true});
    return true;
}

static bool
end_search (Bench *bench)
{
    if (get_data (bench)->search_term.text == NULL)
        return false;
    pv_document_search (bench->document, NULL);
    return true;
}

static bool
go_back (Bench *bench)
{
    if (!get_data (bench)->can_go_back)
        return false;
    pv_document_go_back (bench->document);
    return true;
}

static bool
filter_function (Bench *bench)
{
    PvFunctionId function = pick_function (bench);
    const PvCallTree *tree = get_data (bench)->answer->tree;
    g_autofree char *expression = NULL;

    if (function == 0 || function >= tree->symbols->n_functions ||
        get_data (bench)->query.n_transforms >= MAX_TRANSFORMS)
        return false;
    expression =
        pv_subject_make_expression (PV_SUBJECT_FUNCTION, tree->symbols->functions[function].name);
    pv_document_add_transform (bench->document, bench->kind, expression);
    return true;
}

static bool
switch_kind (Bench *bench)
{
    pv_document_set_transform (bench->document, bench->kind,
                               !pv_document_has_transform (bench->document, bench->kind));
    return true;
}

static bool
switch_off (Bench *bench)
{
    const PvQuery *query = &get_data (bench)->query;
    uint32_t index;

    if (query->n_transforms == 0)
        return false;
    index = (uint32_t)g_rand_int_range (bench->random, 0, (int)query->n_transforms);
    pv_document_switch_transform (bench->document, index, query->transforms[index].is_off);
    return true;
}

static bool
clear_filters (Bench *bench)
{
    if (get_data (bench)->query.n_transforms == 0)
        return false;
    pv_document_clear_filters (bench->document);
    return true;
}

/* Clicks in a comparison */

static bool
scale (Bench *bench)
{
    PvScale scale = (PvScale)g_rand_int_range (bench->random, 0, PV_N_SCALES);
    PvFunctionId function = pick_function (bench);
    const PvCallTree *tree = get_data (bench)->answer->tree;
    g_autofree char *expression = NULL;

    if (bench->base == NULL || function == 0 || function >= tree->symbols->n_functions)
        return false;
    expression =
        pv_subject_make_expression (PV_SUBJECT_FUNCTION, tree->symbols->functions[function].name);
    pv_document_set_scale (bench->document, scale, scale == PV_SCALE_FUNCTION ? expression : NULL);
    return true;
}

static bool
change_width (Bench *bench)
{
    PvSide side;

    if (bench->base == NULL)
        return false;
    side = pv_document_get_width_side (bench->document);
    pv_document_set_width_side (bench->document,
                                (PvSide)((side + g_rand_int_range (bench->random, 1, 3)) % 3));
    return true;
}

static const Click clicks[] = {
    {"zoom", zoom},
    {"zoom-out", zoom_out},
    {"open-folded", open_folded},
    {"select-box", select_node},
    {"select-function", select_function},
    {"time-range", set_range},
    {"all-times", clear_range},
    {"one-thread", choose_only},
    {"measure", change_measure},
    {"invert", invert},
    {"search", search},
    {"end-search", end_search},
    {"back", go_back},
    {"focus", filter_function, PV_TRANSFORM_FOCUS},
    {"ignore", filter_function, PV_TRANSFORM_IGNORE},
    {"hide", filter_function, PV_TRANSFORM_HIDE},
    {"show-from", filter_function, PV_TRANSFORM_SHOW_FROM},
    {"my-code", switch_kind, PV_TRANSFORM_MY_CODE},
    {"recursion", switch_kind, PV_TRANSFORM_COLLAPSE_RECURSION},
    {"switch-off", switch_off},
    {"clear-filters", clear_filters},
    {"scale", scale},
    {"width", change_width},
};

static bool
is_wanted (const Bench *bench, const Click *click)
{
    g_auto (GStrv) names = g_strsplit (bench->only != NULL ? bench->only : "", ",", -1);

    return bench->only == NULL || g_strv_contains ((const char *const *)names, click->name);
}

/* Waiting for answers -------------------------------------------------------------------------- */

static gboolean look (gpointer user);

static gboolean
click_next (gpointer user)
{
    Bench *bench = user;

    if (bench->n_left == 0) {
        gtk_window_destroy (GTK_WINDOW (bench->window));
        return G_SOURCE_REMOVE;
    }
    do {
        bench->click = (unsigned)g_rand_int_range (bench->random, 0, G_N_ELEMENTS (clicks));
        bench->kind = clicks[bench->click].kind;
        bench->start_us = g_get_monotonic_time ();
    } while (!is_wanted (bench, &clicks[bench->click]) || !clicks[bench->click].act (bench));
    bench->n_left--;
    bench->tree_ms = -1;
    bench->painted_us = 0;
    bench->is_frame_wanted = false;
    g_timeout_add (LOOK_MS, look, bench);
    return G_SOURCE_REMOVE;
}

static void
on_paint (GdkFrameClock *clock, gpointer user)
{
    Bench *bench = user;

    if (bench->is_frame_wanted)
        bench->painted_us = g_get_monotonic_time ();
}

/* True if a frame was drawn since the tasks were seen at rest. */
static bool
is_drawn (Bench *bench, bool is_at_rest)
{
    bool is_drawn = is_at_rest && bench->painted_us > 0;

    if (is_at_rest && !bench->is_frame_wanted)
        gtk_widget_queue_draw (GTK_WIDGET (bench->window));
    bench->is_frame_wanted = is_at_rest && !is_drawn;
    if (is_drawn)
        bench->painted_us = 0;
    return is_drawn;
}

static gboolean
look (gpointer user)
{
    Bench *bench = user;
    PvDocument *document = bench->document;
    bool has_tree = !pv_task_is_busy (document->answer_task);
    bool has_all = has_tree && !pv_task_is_busy (document->derived[PV_DERIVED_FUNCTIONS].task) &&
                   !pv_task_is_busy (document->derived[PV_DERIVED_SEARCH].task) &&
                   !pv_task_is_busy (document->derived[PV_DERIVED_CALLERS_CALLEES].task);
    double ms;

    if (!is_drawn (bench, bench->tree_ms < 0 ? has_tree : has_all))
        return G_SOURCE_CONTINUE;
    ms = (double)(g_get_monotonic_time () - bench->start_us) / 1e3;
    if (bench->tree_ms < 0) {
        bench->tree_ms = ms;
        if (!has_all)
            return G_SOURCE_CONTINUE;
    }
    g_array_append_val (bench->tree_times[bench->click], bench->tree_ms);
    g_array_append_val (bench->all_times[bench->click], ms);
    if (bench->is_verbose)
        printf ("# %s %.1f %.1f, %u nodes\n", clicks[bench->click].name, bench->tree_ms, ms,
                get_data (bench)->answer->flame_tree->n_nodes);
    g_timeout_add (PAUSE_MS, click_next, bench);
    return G_SOURCE_REMOVE;
}

static gboolean
wait_for_file (gpointer user)
{
    Bench *bench = user;
    const PvDocumentData *data = get_data (bench);

    if (data->state == PV_DOCUMENT_FAILED) {
        fprintf (stderr, "bench-clicks: %s\n", data->error->message);
        exit (1);
    }
    if (data->state != PV_DOCUMENT_READY || pv_document_is_loading (bench->document) ||
        data->functions == NULL)
        return G_SOURCE_CONTINUE;
    printf ("stacks %u\nnodes %u\n", data->answer->profile->n_stacks, data->answer->tree->n_nodes);
    g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (bench->window)), "after-paint",
                      G_CALLBACK (on_paint), bench);
    g_timeout_add (500, click_next, bench);
    return G_SOURCE_REMOVE;
}

static void
compare (Bench *bench, const PvSourceSpec *spec)
{
    g_autoptr (PvSourceSpec) base = pv_source_spec_new_for_path (bench->base);
    g_autoptr (PvSourceSpec) comparison = pv_source_spec_new_comparison (NULL);

    pv_source_spec_add_files (comparison, PV_SIDE_BASE, base, NULL);
    pv_source_spec_add_files (comparison, PV_SIDE_NEW, spec, NULL);
    pv_window_compare (bench->window, comparison, &(PvOpenOptions){.symbols = &bench->symbols});
}

static void
open_window (Bench *bench)
{
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (bench->path);
    AdwTabView *tabs;

    bench->window = pv_window_new (bench->application);
    gtk_window_set_default_size (GTK_WINDOW (bench->window), 1600, 1000);
    gtk_window_present (GTK_WINDOW (bench->window));
    if (bench->base == NULL)
        pv_window_open_spec (bench->window, spec, &(PvOpenOptions){.symbols = &bench->symbols});
    else
        compare (bench, spec);
    tabs = ADW_TAB_VIEW (
        gtk_widget_get_template_child (GTK_WIDGET (bench->window), PV_TYPE_WINDOW, "tab_view"));
    bench->document = g_object_ref (pv_document_view_get_document (
        PV_DOCUMENT_VIEW (adw_tab_page_get_child (adw_tab_view_get_selected_page (tabs)))));
    g_timeout_add (5, wait_for_file, bench);
}

/* Results -------------------------------------------------------------------------------------- */

static void
print_times (const char *name, GArray *tree, GArray *all)
{
    if (tree->len == 0)
        return;
    g_array_sort (tree, bench_compare);
    g_array_sort (all, bench_compare);
    printf ("%-16s %4u   tree %7.1f %7.1f %7.1f   all %7.1f %7.1f %7.1f\n", name, tree->len,
            bench_get_quantile (tree, .5), bench_get_quantile (tree, .95),
            bench_get_quantile (tree, 1), bench_get_quantile (all, .5),
            bench_get_quantile (all, .95), bench_get_quantile (all, 1));
}

static void
print_results (Bench *bench)
{
    g_autoptr (GArray) tree = g_array_new (FALSE, FALSE, sizeof (double));
    g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));

    for (unsigned i = 0; i < G_N_ELEMENTS (clicks); i++) {
        g_array_append_vals (tree, bench->tree_times[i]->data, bench->tree_times[i]->len);
        g_array_append_vals (all, bench->all_times[i]->data, bench->all_times[i]->len);
        print_times (clicks[i].name, bench->tree_times[i], bench->all_times[i]);
    }
    print_times ("all", tree, all);
}

static void
run (Bench *bench)
{
    GArray *tree_times[G_N_ELEMENTS (clicks)], *all_times[G_N_ELEMENTS (clicks)];

    for (unsigned i = 0; i < G_N_ELEMENTS (clicks); i++) {
        tree_times[i] = g_array_new (FALSE, FALSE, sizeof (double));
        all_times[i] = g_array_new (FALSE, FALSE, sizeof (double));
    }
    bench->tree_times = tree_times;
    bench->all_times = all_times;
    bench->application = adw_application_new ("org.profview.Profview", G_APPLICATION_NON_UNIQUE);
    pv_app_register_resource ();
    g_signal_connect_swapped (bench->application, "activate", G_CALLBACK (open_window), bench);
    g_application_run (G_APPLICATION (bench->application), 0, NULL);
    print_results (bench);
    for (unsigned i = 0; i < G_N_ELEMENTS (clicks); i++) {
        g_array_unref (tree_times[i]);
        g_array_unref (all_times[i]);
    }
    g_clear_object (&bench->document);
    g_clear_object (&bench->application);
}

int
main (int argc, char **argv)
{
    Bench bench = {.n_left = 200};
    int n_stacks = 0, seed = 1;
    g_autofree char *folder = NULL;
    g_autofree char *made = NULL;
    const GOptionEntry options[] = {
        {"clicks", 0, 0, G_OPTION_ARG_INT, &bench.n_left, "how many", "N"},
        {"stacks", 0, 0, G_OPTION_ARG_INT, &n_stacks, "make a profile of so many", "N"},
        {"base", 0, 0, G_OPTION_ARG_FILENAME, &bench.base, "compare the file with this one",
         "FILE"},
        {"only", 0, 0, G_OPTION_ARG_STRING, &bench.only, "some kinds of clicks", "NAME,..."},
        {"seed", 0, 0, G_OPTION_ARG_INT, &seed, "of the random numbers", "N"},
        {"verbose", 0, 0, G_OPTION_ARG_NONE, &bench.is_verbose, "list all clicks", NULL},
        {NULL},
    };
    g_autoptr (GOptionContext) context = g_option_context_new ("[FILE]");
    g_autoptr (GError) error = NULL;

    g_option_context_add_main_entries (context, options, NULL);
    pv_app_tune_allocator ();
    if (!g_option_context_parse (context, &argc, &argv, &error)) {
        fprintf (stderr, "bench-clicks: %s\n", error->message);
        return 2;
    }
    bench.path = argc > 1 ? argv[1] : g_getenv ("PV_BENCH_INPUT");
    if (n_stacks > 0) {
        folder = bench_make_many_stacks ((unsigned)n_stacks);
        g_assert (folder != NULL);
        bench.path = made = g_build_filename (folder, "perf.data", NULL);
        bench.symbols.sysroot = folder;
    } else if (bench.path == NULL) {
        bench.path = g_getenv ("PV_BENCH_DEFAULT");
        bench.symbols.sysroot = g_getenv ("PV_BENCH_SYSROOT");
    }
    if (bench.path == NULL) {
        fprintf (stderr, "bench-clicks: no file\n");
        return 2;
    }
    bench.random = g_rand_new_with_seed ((guint32)seed);
    run (&bench);
    g_rand_free (bench.random);
    if (folder != NULL)
        made_profile_remove (folder);
    return 0;
}
