/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frame times of the page Timeline in a window, run inside of tests/ui/session.sh:
 *
 *     bench-tracks [--steps=N] [--samples=N] [--threads=N] [FILE]
 *
 * The view of FILE, or of a made-up profile with so many samples of so many threads, is panned,
 * zoomed and scrolled in turns, and after that ranges of time are selected. Prints, in
 * milliseconds, as median, 95 % and worst:
 *
 *     frame   wall time of each frame that is drawn on the way
 *     answer  from a movement until the amounts of the new view are drawn
 *     brush   from a new range until its flame tree is there, and a frame is drawn
 *
 * and the bytes that the index takes for each sample.
 */
#include <adwaita.h>
#include <stdio.h>
#include <stdlib.h>

#include "../times.h"
#include "app/document/document-private.h"
#include "app/source/source-file.h"
#include "app/tracks/tracks-area-private.h"
#include "app/tracks/tracks-page.h"
#include "app/window/application.h"
#include "core/base/hash.h"
#include "made-profile.h"
#include "many-threads.h"
#include "pv-app-resources.h"

enum { LOOK_MS = 1, PAUSE_MS = 20, N_BRUSHES = 20, PATIENCE_S = 600 };

typedef struct {
    int n_steps;
    int step;
    GMainLoop *loop;
    GtkWindow *window;
    PvDocument *document;
    PvTracksArea *area;
    GArray *frames; /* of double, as all times */
    GArray *answers;
    GArray *brushes;
    gint64 frame_us; /* when the current frame began */
    gint64 start_us; /* of the step */
    gboolean has_painted;
    int status;
} Bench;

static double
get_random (Bench *bench, unsigned kind)
{
    return (double)(pv_hash_mix ((uint64_t)bench->step * 8 + kind + 1) >> 11) / (1ull << 53);
}

static void
add_ms (GArray *times, gint64 start_us)
{
    double ms = (double)(g_get_monotonic_time () - start_us) / 1e3;
    g_array_append_val (times, ms);
}

/* Another view: every third time panned, zoomed, or scrolled. */
static void
move (Bench *bench)
{
    PvTracksArea *area = bench->area;
    uint64_t end_ns = pv_document_get (bench->document)->profile->duration_ns;
    uint64_t span_ns = area->view.end_ns - area->view.start_ns;
    double turn = get_random (bench, 0);

    if (bench->step % 3 == 0) {
        span_ns = (uint64_t)((double)end_ns * turn * turn) + 1000;
        area->view.start_ns = (uint64_t)(get_random (bench, 1) * (double)(end_ns - span_ns));
    } else if (bench->step % 3 == 1) {
        uint64_t by_ns = (uint64_t)((double)span_ns * turn / 10);
        area->view.start_ns = MIN (area->view.start_ns + by_ns, end_ns - span_ns);
    } else if (area->vertical != NULL) {
        double room = gtk_adjustment_get_upper (area->vertical) -
                      gtk_adjustment_get_page_size (area->vertical);
        gtk_adjustment_set_value (area->vertical, room * turn);
    }
    area->view.end_ns = area->view.start_ns + span_ns;
    pv_tracks_area_view_changed (area);
}

static void
brush (Bench *bench)
{
    double duration_ns = (double)pv_document_get (bench->document)->profile->duration_ns;
    double start_ns = get_random (bench, 0) * duration_ns * 0.9;

    pv_document_set_time_range (
        bench->document, (uint64_t)start_ns,
        (uint64_t)(start_ns + get_random (bench, 1) * (duration_ns - start_ns)) + 1);
}

static gboolean look (gpointer user);

static gboolean
next_step (gpointer user)
{
    Bench *bench = user;

    if (bench->step == bench->n_steps + N_BRUSHES) {
        g_main_loop_quit (bench->loop);
        return G_SOURCE_REMOVE;
    }
    bench->has_painted = FALSE;
    bench->start_us = g_get_monotonic_time ();
    if (bench->step < bench->n_steps)
        move (bench);
    else
        brush (bench);
    bench->step++;
    g_timeout_add (LOOK_MS, look, bench);
    return G_SOURCE_REMOVE;
}

static gboolean
look (gpointer user)
{
    Bench *bench = user;
    gboolean is_brush = bench->step > bench->n_steps;
    gboolean is_busy =
        pv_task_is_busy (is_brush ? bench->document->tree_task : bench->area->bins_task);

    if (is_busy) {
        bench->has_painted = FALSE;
        return G_SOURCE_CONTINUE;
    }
    if (!bench->has_painted) {
        gtk_widget_queue_draw (GTK_WIDGET (bench->area));
        return G_SOURCE_CONTINUE;
    }
    add_ms (is_brush ? bench->brushes : bench->answers, bench->start_us);
    g_timeout_add (PAUSE_MS, next_step, bench);
    return G_SOURCE_REMOVE;
}

static void
on_before_paint (GdkFrameClock *clock, Bench *bench)
{
    bench->frame_us = g_get_monotonic_time ();
}

static void
on_after_paint (GdkFrameClock *clock, Bench *bench)
{
    bench->has_painted = TRUE;
    if (bench->step > 0 && bench->step <= bench->n_steps)
        add_ms (bench->frames, bench->frame_us);
}

static void
show_window (Bench *bench)
{
    GtkWidget *page = pv_view_new (PV_TYPE_TRACKS_PAGE, bench->document);
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    GdkFrameClock *clock;

    bench->area =
        PV_TRACKS_AREA (gtk_widget_get_template_child (page, PV_TYPE_TRACKS_PAGE, "area"));
    bench->window = GTK_WINDOW (adw_window_new ());
    gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
    gtk_box_append (GTK_BOX (box), page);
    adw_window_set_content (ADW_WINDOW (bench->window), box);
    gtk_window_set_default_size (bench->window, 1920, 1080);
    gtk_window_fullscreen (bench->window);
    gtk_window_present (bench->window);
    clock = gtk_widget_get_frame_clock (GTK_WIDGET (bench->window));
    g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), bench);
    g_signal_connect_after (clock, "after-paint", G_CALLBACK (on_after_paint), bench);
}

static gboolean
wait_for_tracks (gpointer user)
{
    Bench *bench = user;
    const PvDocumentData *data = pv_document_get (bench->document);
    const PvTrackSet *set;

    if (data->state == PV_DOCUMENT_FAILED) {
        fprintf (stderr, "bench-tracks: %s\n", data->error->message);
        bench->status = 1;
        g_main_loop_quit (bench->loop);
        return G_SOURCE_REMOVE;
    }
    if (data->state != PV_DOCUMENT_READY || pv_document_is_loading (bench->document) ||
        pv_task_is_busy (bench->document->tree_task))
        return G_SOURCE_CONTINUE;
    if (bench->window == NULL)
        show_window (bench);
    set = pv_tracks_area_get_set (bench->area);
    if (set == NULL || pv_task_is_busy (bench->area->bins_task))
        return G_SOURCE_CONTINUE;
    printf ("samples %" G_GUINT64_FORMAT "\nrows %u\nindex_bytes_per_sample %.2f\n",
            (guint64)data->profile->n_samples, set->whole->index->n_rows,
            (double)pv_time_index_count_bytes (set->whole->index) /
                (double)MAX (data->profile->n_samples, 1));
    g_timeout_add (500, next_step, bench);
    return G_SOURCE_REMOVE;
}

static gboolean
give_up (gpointer user)
{
    Bench *bench = user;
    fprintf (stderr, "bench-tracks: still at step %d after %d s\n", bench->step, PATIENCE_S);
    bench->status = 1;
    g_main_loop_quit (bench->loop);
    return G_SOURCE_REMOVE;
}

static void
print_times (const char *name, GArray *times)
{
    g_array_sort (times, bench_compare);
    if (times->len > 0)
        printf ("%s_ms %.1f %.1f %.1f\n", name, bench_get_quantile (times, .5),
                bench_get_quantile (times, .95), bench_get_quantile (times, 1));
    g_array_unref (times);
}

static void
run (Bench *bench, const char *path, const char *folder)
{
    g_autofree char *made = folder != NULL ? g_build_filename (folder, "perf.data", NULL) : NULL;
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (made != NULL ? made : path);
    PvSymbolOptions symbols = {.sysroot = folder};

    bench->frames = g_array_new (FALSE, FALSE, sizeof (double));
    bench->answers = g_array_new (FALSE, FALSE, sizeof (double));
    bench->brushes = g_array_new (FALSE, FALSE, sizeof (double));
    bench->loop = g_main_loop_new (NULL, FALSE);
    bench->document = pv_document_new (pv_file_source_new (spec), &symbols);
    pv_document_load (bench->document);
    g_timeout_add (5, wait_for_tracks, bench);
    g_timeout_add_seconds (PATIENCE_S, give_up, bench);
    g_main_loop_run (bench->loop);
    print_times ("frame", bench->frames);
    print_times ("answer", bench->answers);
    print_times ("brush", bench->brushes);
    if (bench->window != NULL)
        gtk_window_destroy (bench->window);
    pv_document_close (bench->document);
    g_object_unref (bench->document);
    g_main_loop_unref (bench->loop);
}

int
main (int argc, char **argv)
{
    Bench bench = {.n_steps = 150};
    int n_samples = 1000000, n_threads = 1000;
    const GOptionEntry options[] = {
        {"steps", 0, 0, G_OPTION_ARG_INT, &bench.n_steps, "movements of the view", "N"},
        {"samples", 0, 0, G_OPTION_ARG_INT, &n_samples, "make a profile of so many", "N"},
        {"threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "in so many threads", "N"},
        {NULL},
    };
    g_autoptr (GOptionContext) context = g_option_context_new ("[FILE]");
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = NULL;

    g_option_context_add_main_entries (context, options, NULL);
    pv_app_tune_allocator ();
    if (!g_option_context_parse (context, &argc, &argv, &error) || bench.n_steps < 1 ||
        n_samples < 1 || n_threads < 1 || !gtk_init_check ()) {
        fprintf (stderr, "bench-tracks: %s\n",
                 error != NULL ? error->message : "numbers must be positive, or no display");
        return 2;
    }
    adw_init ();
    pv_app_register_resource ();
    if (argc < 2) {
        folder = bench_make_many_threads ((unsigned)n_samples, (unsigned)n_threads);
        g_assert (folder != NULL);
    }
    run (&bench, argv[1], folder);
    if (folder != NULL)
        made_profile_remove (folder);
    return bench.status;
}
