/*
 * Frame times of the flame graph in a real window of 1920×1080 pixels, run inside of
 * tests/ui/session.sh:
 *
 *     bench-frames [FRAMES [FILE]]
 *
 * Without a FILE it is a made-up profile that fills the screen with 18,000 boxes.
 * A frame is what passes between the frame clock's before-paint and after-paint. Three kinds are
 * measured: an empty one (a white fill: what the display costs whoever draws), a full redraw, and
 * one in which only the hovered box changes. The first is to be subtracted from the others.
 */
#include <X11/Xlib.h>
#include <gdk/x11/gdkx.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app/application.h"
#include "app/document.h"
#include "app/flame-area.h"
#include "many-boxes.h"
#include "render/flame-layout.h"

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
    (void)self;
}

typedef enum { KIND_EMPTY, KIND_FULL, KIND_HOVER, N_KINDS } Kind;

typedef struct {
    PvDocument *document;
    GtkWindow *window;
    GtkWidget *blank;
    GtkWidget *area;
    GMainLoop *loop;
    Kind kind;
    unsigned n_wanted;
    unsigned n_frames;
    double *times_ms;
    double paint_start_ms;
    double medians[N_KINDS];
    unsigned step;
    int status;
} Bench;

static double
now_ms (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int
compare_doubles (const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static unsigned
count_boxes (Bench *bench)
{
    const PvCallTree *tree = pv_document_get (bench->document)->flame_tree;
    const PvFlameView *view = pv_flame_area_get_view (PV_FLAME_AREA (bench->area));
    PvFlamePainter *painter = pv_flame_painter_new (NULL);
    PvFlameLayout layout;
    PvFlameIter iter;
    PvFlameItem item;
    uint32_t first, last;
    unsigned n_boxes = 0;
    pv_flame_layout_init (&layout, tree, view, pv_flame_painter_get_row_height (painter));
    if (pv_flame_layout_visible_levels (&layout, &first, &last)) {
        for (uint32_t level = first; level <= last; level++) {
            pv_flame_iter_init (&iter, &layout, level, 0);
            while (pv_flame_iter_next (&iter, &item))
                n_boxes++;
        }
    }
    pv_flame_painter_free (painter);
    return n_boxes;
}

static void
finish_kind (Bench *bench)
{
    static const char *const names[] = {"empty", "full", "hover"};
    qsort (bench->times_ms, bench->n_frames, sizeof *bench->times_ms, compare_doubles);
    bench->medians[bench->kind] = bench->times_ms[bench->n_frames / 2];
    printf ("%s_ms %.2f\n%s_p90_ms %.2f\n", names[bench->kind], bench->medians[bench->kind],
            names[bench->kind], bench->times_ms[bench->n_frames * 9 / 10]);
    bench->n_frames = 0;
    bench->step = 0;
    bench->kind++;
    if (bench->kind == KIND_FULL) {
        gtk_window_set_child (bench->window, bench->area);
    } else if (bench->kind == N_KINDS) {
        printf ("boxes %u\nabove_empty_full_ms %.2f\n", count_boxes (bench),
                bench->medians[KIND_FULL] - bench->medians[KIND_EMPTY]);
        g_main_loop_quit (bench->loop);
    }
}

/* What makes the next frame one of its kind. */
static void
provoke (Bench *bench)
{
    bench->step++;
    switch (bench->kind) {
    case KIND_EMPTY:
        gtk_widget_queue_draw (bench->blank);
        break;
    case KIND_FULL:
        pv_flame_area_set_colors (PV_FLAME_AREA (bench->area),
                                  bench->step % 2 ? PV_COLOR_BY_HASH : PV_COLOR_BY_MODULE);
        gtk_widget_queue_draw (bench->area);
        break;
    default: {
        GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (bench->window));
        Display *display = gdk_x11_display_get_xdisplay (gdk_surface_get_display (surface));
        XWarpPointer (display, None, gdk_x11_surface_get_xid (surface), 0, 0, 0, 0,
                      100 + (int)(bench->step * 97 % 1700), 20 + (int)(bench->step * 41 % 600));
        XFlush (display);
    }
    }
}

static void
on_before_paint (GdkFrameClock *clock, Bench *bench)
{
    (void)clock;
    bench->paint_start_ms = now_ms ();
}

static void
on_after_paint (GdkFrameClock *clock, Bench *bench)
{
    (void)clock;
    if (bench->kind == N_KINDS)
        return;
    /* The first frames of a kind have to fill caches. */
    if (bench->step > 5)
        bench->times_ms[bench->n_frames++] = now_ms () - bench->paint_start_ms;
    if (bench->n_frames == bench->n_wanted)
        finish_kind (bench);
}

static gboolean
on_timeout (gpointer user)
{
    Bench *bench = user;
    if (bench->kind < N_KINDS)
        provoke (bench);
    return G_SOURCE_CONTINUE;
}

static void
show_window (Bench *bench)
{
    bench->window = GTK_WINDOW (gtk_window_new ());
    gtk_window_set_decorated (bench->window, FALSE);
    gtk_window_set_default_size (bench->window, 1920, 1080);
    bench->blank = g_object_new (BENCH_TYPE_BLANK, NULL);
    bench->area = g_object_ref_sink (g_object_new (PV_TYPE_FLAME_AREA, NULL));
    pv_flame_area_set_document (PV_FLAME_AREA (bench->area), bench->document);
    gtk_window_set_child (bench->window, bench->blank);
    gtk_window_fullscreen (bench->window);
    gtk_window_present (bench->window);

    GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (bench->window));
    g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), bench);
    g_signal_connect_after (clock, "after-paint", G_CALLBACK (on_after_paint), bench);
    g_timeout_add (40, on_timeout, bench);
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
    if (data->state != PV_DOCUMENT_READY || data->is_working)
        return G_SOURCE_CONTINUE;
    show_window (bench);
    return G_SOURCE_REMOVE;
}

static gboolean
give_up (gpointer user)
{
    Bench *bench = user;
    fprintf (stderr, "bench-frames: kind %d, %u frames after 120 s\n", bench->kind,
             bench->n_frames);
    bench->status = 1;
    g_main_loop_quit (bench->loop);
    return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
    Bench bench = {.n_wanted = argc > 1 ? (unsigned)atoi (argv[1]) : 40};
    g_autofree char *folder = NULL;
    g_autoptr (GFile) file = NULL;
    PvSymbolOptions symbols = {0};

    pv_app_tune_allocator ();
    if (bench.n_wanted == 0 || !gtk_init_check ()) {
        fprintf (stderr, "bench-frames: no number of frames or no display\n");
        return 2;
    }
    if (argc > 2) {
        file = g_file_new_for_path (argv[2]);
    } else {
        folder = bench_make_many_boxes ();
        g_assert (folder != NULL);
        g_autofree char *path = g_build_filename (folder, "perf.data", NULL);
        file = g_file_new_for_path (path);
        symbols.sysroot = folder;
    }
    bench.times_ms = g_new (double, bench.n_wanted);
    bench.loop = g_main_loop_new (NULL, FALSE);
    bench.document = pv_document_new (file, &symbols);
    pv_document_load (bench.document);
    g_timeout_add (20, wait_for_document, &bench);
    g_timeout_add_seconds (120, give_up, &bench);
    g_main_loop_run (bench.loop);

    if (bench.window != NULL) {
        gtk_window_destroy (bench.window);
        g_object_unref (bench.area);
    }
    pv_document_close (bench.document);
    g_object_unref (bench.document);
    g_main_loop_unref (bench.loop);
    g_free (bench.times_ms);
    if (folder != NULL)
        bench_remove_many_boxes (folder);
    return bench.status;
}
