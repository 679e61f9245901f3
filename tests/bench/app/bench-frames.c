/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frame times of the flame graph in a real window, run inside of tests/ui/session.sh:
 *
 *     bench-frames [--frames=N] [--kind=empty|full|hover|still] [--alone] [FILE]
 *
 * The window covers the screen and has a header bar and the page Flame Graph, with its path and its
 * details line; with --alone there is nothing but the picture. Without a FILE the profile is a
 * made-up one that fills the screen with 18,000 boxes (many-boxes.h).
 *
 * Kinds of frames, taken in turns so that all see the same load of the machine:
 *
 *     empty   a white fill in place of the page: what the display costs whoever draws
 *     full    the whole picture anew
 *     hover   the pointer moves to another box
 *     still   the pointer rests: how many frames are drawn in two seconds, which must be none
 *
 * "_ms" is the wall time between the frame clock's before-paint and after-paint, "_cpu_ms" all that
 * the main thread worked for the frame, events included. Both are medians; "above_empty" is what
 * remains when an empty frame of the same window is subtracted.
 */
#include <X11/Xlib.h>
#include <adwaita.h>
#include <gdk/x11/gdkx.h>
#include <stdio.h>
#include <stdlib.h>

#include "../times.h"
#include "app/desktop/application.h"
#include "app/document/document.h"
#include "app/pages/flame-page.h"
#include "app/pictures/flame-area.h"
#include "app/source/source-file.h"
#include "made-profile.h"
#include "many-boxes.h"
#include "pv-app-resources.h"
#include "render/flame/flame-layout.h"

enum {
    N_ROUNDS = 5,
    N_WARM_UP = 4, /* frames that fill caches after a change of kind */
    INTERVAL_MS = 40,
    SETTLE_MS = 3000, /* until the scroll bars of the last movement have faded */
    STILL_MS = 2000,
    PATIENCE_S = 240,
};

#define BENCH_TYPE_BLANK (bench_blank_get_type ())
G_DECLARE_FINAL_TYPE (BenchBlank, bench_blank, BENCH, BLANK, GtkWidget)

struct _BenchBlank {
    GtkWidget parent_instance;
};

G_DEFINE_TYPE (BenchBlank, bench_blank, GTK_TYPE_WIDGET)

static void
bench_blank_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
    graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget),
                                                 (float)gtk_widget_get_height (widget));
    /* Never twice the same, or the renderer would find nothing to paint. */
    static bool is_odd;
    is_odd = !is_odd;
    gtk_snapshot_append_color (snapshot, &(GdkRGBA){1, 1, is_odd ? 1 : 0.95f, 1}, &bounds);
}

static void
bench_blank_class_init (BenchBlankClass *class)
{
    GTK_WIDGET_CLASS (class)->snapshot = bench_blank_snapshot;
}

static void
bench_blank_init (BenchBlank *self)
{
    gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

typedef enum { KIND_EMPTY, KIND_FULL, KIND_HOVER, KIND_STILL, N_KINDS } Kind;

static const char *const kind_names[] = {"empty", "full", "hover", "still"};

typedef struct {
    double ms;
    double cpu_ms;
} Frame;

typedef struct {
    char *only; /* --kind */
    int n_frames;
    gboolean is_alone;

    PvDocument *document;
    GtkWindow *window;
    GtkWidget *stack; /* "blank" and "page" */
    GtkWidget *blank;
    GtkWidget *area;
    GMainLoop *loop;
    int status;

    Kind kind;
    int round;
    int step;          /* of this kind in this round */
    unsigned position; /* of the pointer, never back at the start */
    bool is_awaited;   /* the next frame is one of this kind */
    Frame start;
    GArray *frames[N_KINDS]; /* of Frame */
    unsigned n_still;
    unsigned n_boxes;
} Bench;

/* A quantile of the wall times, or of the times worked. */
static double
get_quantile (const GArray *frames, bool is_cpu, double part)
{
    g_autofree double *values = g_new (double, frames->len + 1);
    for (guint i = 0; i < frames->len; i++) {
        const Frame *frame = &g_array_index (frames, Frame, i);
        values[i] = is_cpu ? frame->cpu_ms : frame->ms;
    }
    qsort (values, frames->len, sizeof *values, bench_compare);
    return frames->len > 0 ? values[(guint)((frames->len - 1) * part)] : 0;
}

static unsigned
count_boxes (Bench *bench)
{
    const PvCallTree *tree = pv_document_get (bench->document)->answer->flame_tree;
    const PvFlameView *view = pv_box_area_get_view (PV_BOX_AREA (bench->area));
    g_autoptr (GtkAdjustment) adjustment = NULL;
    PvFlameLayout layout;
    PvFlameIter iter;
    PvFlameItem item;
    uint32_t first, last;
    unsigned n_boxes = 0;
    double row_height = 19;

    g_object_get (bench->area, "vadjustment", &adjustment, NULL);
    if (adjustment != NULL) /* a turn of the wheel is three rows */
        row_height = gtk_adjustment_get_step_increment (adjustment) / 3;
    pv_flame_layout_init (&layout, tree, view, row_height);
    if (!pv_flame_layout_visible_levels (&layout, &first, &last))
        return 0;
    for (uint32_t level = first; level <= last; level++) {
        pv_flame_iter_init (&iter, &layout, level, 0);
        while (pv_flame_iter_next (&iter, &item))
            n_boxes += !item.is_run;
    }
    return n_boxes;
}

static void
print_results (Bench *bench)
{
    double empty = get_quantile (bench->frames[KIND_EMPTY], false, 0.5);
    double empty_cpu = get_quantile (bench->frames[KIND_EMPTY], true, 0.5);

    printf ("boxes %u\n", bench->n_boxes);
    for (Kind kind = KIND_EMPTY; kind < KIND_STILL; kind++) {
        const GArray *frames = bench->frames[kind];
        if (frames->len == 0)
            continue;
        printf ("%s_ms %.2f\n%s_p90_ms %.2f\n%s_cpu_ms %.2f\n", kind_names[kind],
                get_quantile (frames, false, 0.5), kind_names[kind],
                get_quantile (frames, false, 0.9), kind_names[kind],
                get_quantile (frames, true, 0.5));
    }
    if (bench->frames[KIND_FULL]->len > 0 && bench->frames[KIND_EMPTY]->len > 0)
        printf ("above_empty_full_ms %.2f\nabove_empty_full_cpu_ms %.2f\n",
                get_quantile (bench->frames[KIND_FULL], false, 0.5) - empty,
                get_quantile (bench->frames[KIND_FULL], true, 0.5) - empty_cpu);
    printf ("still_frames %u\n", bench->n_still);
}

static void
place_pointer (Bench *bench)
{
    GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (bench->window));
    Display *display = gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface));
    int width = gtk_widget_get_width (bench->area), height = gtk_widget_get_height (bench->area);
    double x = 20 + bench->position * 97 % MAX (width - 60, 1);
    double y = 10 + bench->position * 41 % MAX (height - 40, 1);

    bench->position++;
    gtk_widget_translate_coordinates (bench->area, GTK_WIDGET (bench->window), x, y, &x, &y);
    XWarpPointer (display, None, gdk_x11_surface_get_xid (surface), 0, 0, 0, 0, (int)x, (int)y);
    XFlush (display);
}

/* Provokes the next frame of its kind. */
static void
provoke (Bench *bench)
{
    bench->step++;
    bench->start.cpu_ms = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
    bench->is_awaited = bench->kind != KIND_HOVER; /* other frames may come before the pointer */
    if (bench->kind == KIND_EMPTY)
        gtk_widget_queue_draw (bench->blank);
    else if (bench->kind == KIND_FULL)
        pv_box_area_set_colors (PV_BOX_AREA (bench->area),
                                bench->step % 2 ? PV_COLOR_BY_HASH : PV_COLOR_BY_MODULE);
    else if (bench->kind == KIND_HOVER)
        place_pointer (bench);
}

static gboolean
is_wanted (const Bench *bench, Kind kind)
{
    return bench->only == NULL || g_str_equal (bench->only, kind_names[kind]);
}

/* Goes on to the next kind of frame that is wanted; after the last one the results are there. */
static void
next_kind (Bench *bench)
{
    do {
        if (++bench->kind == N_KINDS) {
            bench->kind = KIND_EMPTY;
            bench->round++;
        }
    } while (!is_wanted (bench, bench->kind) ||
             (bench->kind == KIND_STILL && bench->round < N_ROUNDS - 1));
    bench->step = 0;
    if (bench->round >= N_ROUNDS) {
        bench->n_boxes = count_boxes (bench);
        g_main_loop_quit (bench->loop);
        return;
    }
    gtk_stack_set_visible_child_name (GTK_STACK (bench->stack),
                                      bench->kind == KIND_EMPTY ? "blank" : "page");
}

static bool
is_known (const char *name)
{
    for (Kind kind = 0; name != NULL && kind < N_KINDS; kind++)
        if (g_str_equal (name, kind_names[kind]))
            return true;
    return name == NULL;
}

static gboolean
on_tick (gpointer user)
{
    Bench *bench = user;
    int n_steps = bench->kind == KIND_STILL ? (SETTLE_MS + STILL_MS) / INTERVAL_MS
                                            : N_WARM_UP + bench->n_frames / N_ROUNDS;

    if (bench->step >= n_steps)
        next_kind (bench);
    if (bench->round >= N_ROUNDS)
        return G_SOURCE_REMOVE;
    provoke (bench);
    return G_SOURCE_CONTINUE;
}

static void
on_before_paint (GdkFrameClock *clock, Bench *bench)
{
    bench->start.ms = bench_get_ms (CLOCK_MONOTONIC);
}

static void
on_after_paint (GdkFrameClock *clock, Bench *bench)
{
    double cpu_ms = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
    Frame frame = {bench_get_ms (CLOCK_MONOTONIC) - bench->start.ms, cpu_ms - bench->start.cpu_ms};

    if (bench->kind == KIND_STILL)
        bench->n_still += bench->step > SETTLE_MS / INTERVAL_MS;
    else if (bench->is_awaited && bench->step > N_WARM_UP)
        g_array_append_val (bench->frames[bench->kind], frame);
    bench->is_awaited = false;
    bench->start.cpu_ms = cpu_ms;
}

static void
on_hover_changed (Bench *bench)
{
    bench->is_awaited = bench->kind == KIND_HOVER;
}

/* The page has the area inside; alone it is all there is. */
static GtkWidget *
make_page (Bench *bench)
{
    GtkWidget *page;

    if (bench->is_alone) {
        bench->area = g_object_new (PV_TYPE_FLAME_AREA, NULL);
        pv_view_set_document (PV_VIEW (bench->area), bench->document);
        page = gtk_scrolled_window_new ();
        gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (page), FALSE);
        gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (page), bench->area);
        return page;
    }
    page = pv_view_new (PV_TYPE_FLAME_PAGE, bench->document);
    bench->area = GTK_WIDGET (gtk_widget_get_template_child (page, PV_TYPE_FLAME_PAGE, "area"));
    return page;
}

static void
show_window (Bench *bench)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
    GdkFrameClock *clock;

    bench->blank = g_object_new (BENCH_TYPE_BLANK, NULL);
    bench->stack = gtk_stack_new ();
    gtk_stack_add_named (GTK_STACK (bench->stack), make_page (bench), "page");
    gtk_stack_add_named (GTK_STACK (bench->stack), bench->blank, "blank");
    if (bench->is_alone) {
        bench->window = GTK_WINDOW (gtk_window_new ());
        gtk_window_set_decorated (bench->window, FALSE);
    } else {
        bench->window = GTK_WINDOW (adw_window_new ());
        gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
    }
    gtk_box_append (GTK_BOX (box), bench->stack);
    if (bench->is_alone)
        gtk_window_set_child (bench->window, box);
    else
        adw_window_set_content (ADW_WINDOW (bench->window), box);
    gtk_window_set_default_size (bench->window, 1920, 1080);
    gtk_window_fullscreen (bench->window);
    gtk_window_present (bench->window);

    g_signal_connect_swapped (bench->area, "hover-changed", G_CALLBACK (on_hover_changed), bench);
    clock = gtk_widget_get_frame_clock (GTK_WIDGET (bench->window));
    g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), bench);
    g_signal_connect_after (clock, "after-paint", G_CALLBACK (on_after_paint), bench);
    bench->kind = N_KINDS - 1;
    bench->round = -1;
    next_kind (bench);
    g_timeout_add (INTERVAL_MS, on_tick, bench);
}

static gboolean
wait_for_document (gpointer user)
{
    Bench *bench = user;
    const PvDocumentData *data = pv_document_get (bench->document);

    if (data->state == PV_DOCUMENT_FAILED) {
        fprintf (stderr, "bench-frames: %s\n", data->error->message);
        bench->status = 1;
        g_main_loop_quit (bench->loop);
        return G_SOURCE_REMOVE;
    }
    if (data->state != PV_DOCUMENT_READY || pv_document_is_loading (bench->document))
        return G_SOURCE_CONTINUE;
    show_window (bench);
    return G_SOURCE_REMOVE;
}

static gboolean
give_up (gpointer user)
{
    Bench *bench = user;
    fprintf (stderr, "bench-frames: still at kind %d of round %d after %d s\n", bench->kind,
             bench->round, PATIENCE_S);
    bench->status = 1;
    g_main_loop_quit (bench->loop);
    return G_SOURCE_REMOVE;
}

/* Loads the file, or the made-up profile in folder, and measures. */
static void
run (Bench *bench, const char *path, const char *folder)
{
    g_autofree char *made = folder != NULL ? g_build_filename (folder, "perf.data", NULL) : NULL;
    g_autoptr (PvSourceSpec) spec = pv_source_spec_new_for_path (made != NULL ? made : path);
    PvSymbolOptions symbols = {.sysroot = folder};

    for (Kind kind = 0; kind < N_KINDS; kind++)
        bench->frames[kind] = g_array_new (FALSE, FALSE, sizeof (Frame));
    bench->loop = g_main_loop_new (NULL, FALSE);
    bench->document = pv_document_new (pv_file_source_new (spec), &symbols);
    pv_document_load (bench->document);
    g_timeout_add (20, wait_for_document, bench);
    g_timeout_add_seconds (PATIENCE_S, give_up, bench);
    g_main_loop_run (bench->loop);

    if (bench->status == 0)
        print_results (bench);
    if (bench->window != NULL)
        gtk_window_destroy (bench->window);
    pv_document_close (bench->document);
    g_object_unref (bench->document);
    g_main_loop_unref (bench->loop);
    for (Kind kind = 0; kind < N_KINDS; kind++)
        g_array_unref (bench->frames[kind]);
}

int
main (int argc, char **argv)
{
    Bench bench = {.n_frames = 100};
    const GOptionEntry options[] = {
        {"frames", 0, 0, G_OPTION_ARG_INT, &bench.n_frames, "frames of each kind", "N"},
        {"kind", 0, 0, G_OPTION_ARG_STRING, &bench.only, "only this kind", "KIND"},
        {"alone", 0, 0, G_OPTION_ARG_NONE, &bench.is_alone, "nothing but the picture", NULL},
        {NULL},
    };
    g_autoptr (GOptionContext) context = g_option_context_new ("[FILE]");
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = NULL;

    g_option_context_add_main_entries (context, options, NULL);
    pv_app_tune_allocator ();
    if (!g_option_context_parse (context, &argc, &argv, &error) || bench.n_frames < N_ROUNDS ||
        !is_known (bench.only) || !gtk_init_check ()) {
        fprintf (stderr, "bench-frames: %s\n",
                 error != NULL ? error->message : "too few frames, an unknown kind or no display");
        return 2;
    }
    adw_init ();
    pv_app_register_resource ();
    if (argc < 2) {
        folder = bench_make_many_boxes ();
        g_assert (folder != NULL);
    }
    run (&bench, argv[1], folder);
    if (folder != NULL)
        made_profile_remove (folder);
    g_free (bench.only);
    return bench.status;
}
