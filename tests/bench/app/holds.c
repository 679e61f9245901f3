/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "holds.h"

#include <stdio.h>
#include <stdlib.h>

#include "../times.h"
#include "pv-app-resources.h"

enum {
    POLL_MS = 5,      /* between two looks whether a step is over */
    SETTLE_MS = 500,  /* after the answer is there: what follows it belongs to the step */
    PATIENCE_S = 120, /* for one step */
    LIMIT_MS = 8,     /* longer holds are listed when verbose */
};

typedef enum { HOLD, WORK, EVENTS, TICK, LAYOUT, PAINT, GAP, ANSWER, N_COLUMNS } Column;

static const char *const column_names[] = {"hold",   "work",  "events", "tick",
                                           "layout", "paint", "gap",    "answer"};

struct Holds {
    HoldsScript script;
    Bench *bench;
    HoldsOptions options;
    int status;

    unsigned step;
    bool is_over; /* only what follows is awaited */
    gint64 start_us;
    gint64 over_us;

    double poll_end[2]; /* wall and processor time, 0: not yet */
    double frame_start; /* processor time, of the phase that runs */
    double in_frame;
    double last_frame; /* wall time, of the animated window */
    double longest[N_COLUMNS];
};

static Holds *the_holds; /* for the poll function, which has no argument of ours */

/* Measuring ------------------------------------------------------------------------------------ */

static const char *
get_name (const Holds *holds)
{
    return holds->script.steps[holds->step].name;
}

static void
note (Holds *holds, Column column, double ms)
{
    holds->longest[column] = MAX (holds->longest[column], ms);
}

static int
timed_poll (GPollFD *fds, guint n_fds, int timeout_ms)
{
    Holds *holds = the_holds;
    int status;

    if (holds->poll_end[0] > 0) {
        double work = bench_get_ms (CLOCK_THREAD_CPUTIME_ID) - holds->poll_end[1];
        if (holds->options.is_verbose && work > LIMIT_MS)
            fprintf (stderr, "%s: %.1f ms from %.1f ms on, %.1f of them in a frame\n",
                     get_name (holds), work, holds->poll_end[0], holds->in_frame);
        note (holds, HOLD, bench_get_ms (CLOCK_MONOTONIC) - holds->poll_end[0]);
        note (holds, WORK, work);
        note (holds, EVENTS, work - holds->in_frame);
    }
    status = g_poll (fds, n_fds, timeout_ms);
    holds->in_frame = 0;
    holds->poll_end[0] = bench_get_ms (CLOCK_MONOTONIC);
    holds->poll_end[1] = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
    return status;
}

static void
on_before_paint (GdkFrameClock *clock, Holds *holds)
{
    holds->frame_start = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);
}

static void
end_phase (Holds *holds, Column column)
{
    double now = bench_get_ms (CLOCK_THREAD_CPUTIME_ID);

    note (holds, column, now - holds->frame_start);
    holds->in_frame += now - holds->frame_start;
    holds->frame_start = now;
}

static void
on_update (GdkFrameClock *clock, Holds *holds)
{
    end_phase (holds, TICK);
}

static void
on_layout (GdkFrameClock *clock, Holds *holds)
{
    end_phase (holds, LAYOUT);
}

static void
on_after_paint (GdkFrameClock *clock, Holds *holds)
{
    end_phase (holds, PAINT);
}

static void
on_animated_paint (GdkFrameClock *clock, Holds *holds)
{
    double now = bench_get_ms (CLOCK_MONOTONIC);

    if (holds->last_frame > 0)
        note (holds, GAP, now - holds->last_frame);
    holds->last_frame = now;
}

static gboolean
tick (GtkWidget *window, GdkFrameClock *clock, gpointer user)
{
    return G_SOURCE_CONTINUE;
}

void
holds_watch (Holds *holds, GtkWidget *window, bool is_animated)
{
    GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

    g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), holds);
    g_signal_connect_after (clock, "update", G_CALLBACK (on_update), holds);
    g_signal_connect_after (clock, "layout", G_CALLBACK (on_layout), holds);
    g_signal_connect_after (clock, "after-paint", G_CALLBACK (on_after_paint), holds);
    if (!is_animated)
        return;
    g_signal_connect_after (clock, "after-paint", G_CALLBACK (on_animated_paint), holds);
    gtk_widget_add_tick_callback (window, tick, NULL, NULL);
}

/* One run -------------------------------------------------------------------------------------- */

double
holds_get_ms (Holds *holds)
{
    return (double)(g_get_monotonic_time () - holds->start_us) / 1e3;
}

void
holds_fail (Holds *holds, const char *what)
{
    fprintf (stderr, "%s: %s: %s\n", g_get_prgname (), get_name (holds), what);
    holds->status = 1;
}

static bool
is_wanted (Holds *holds)
{
    return holds->options.only == NULL || g_str_equal (holds->options.only, get_name (holds));
}

static void
print_step (Holds *holds)
{
    printf ("%s", get_name (holds));
    for (Column column = 0; column < N_COLUMNS; column++)
        printf ("\t%.2f", holds->longest[column]);
    printf ("\n");
    fflush (stdout);
}

static void
start_step (Holds *holds)
{
    memset (holds->longest, 0, sizeof holds->longest);
    holds->is_over = false;
    holds->start_us = g_get_monotonic_time ();
    holds->script.begin (holds->bench);
    holds->script.steps[holds->step].act (holds->bench);
}

static bool
is_done (Holds *holds)
{
    const HoldsStep *step = &holds->script.steps[holds->step];
    return step->is_done == NULL || step->is_done (holds->bench);
}

static gboolean
look (gpointer user)
{
    Holds *holds = user;

    if (!holds->is_over && holds_get_ms (holds) > PATIENCE_S * 1e3)
        holds_fail (holds, "it takes too long");
    if (!holds->is_over && is_done (holds)) {
        holds->is_over = true;
        note (holds, ANSWER, holds_get_ms (holds));
        holds->over_us = g_get_monotonic_time ();
    } else if (holds->is_over && g_get_monotonic_time () - holds->over_us > SETTLE_MS * 1000) {
        if (is_wanted (holds))
            print_step (holds);
        if (is_wanted (holds) && holds->options.only != NULL)
            holds->step = holds->script.n_steps;
        else if (++holds->step < holds->script.n_steps)
            start_step (holds);
    }
    if (holds->status == 0 && holds->step < holds->script.n_steps)
        return G_SOURCE_CONTINUE;
    holds->step = MIN (holds->step, holds->script.n_steps - 1);
    holds->script.end (holds->bench);
    return G_SOURCE_REMOVE;
}

Holds *
holds_new (const HoldsScript *script, const HoldsOptions *options, Bench *bench)
{
    Holds *holds = g_new0 (Holds, 1);

    holds->script = *script;
    holds->bench = bench;
    holds->options = *options;
    return holds;
}

static void
start (Holds *holds)
{
    the_holds = holds;
    g_main_context_set_poll_func (NULL, timed_poll);
    start_step (holds);
    g_timeout_add (POLL_MS, look, holds);
}

int
holds_run (Holds *holds, AdwApplication *application)
{
    int status;

    pv_app_register_resource ();
    g_signal_connect_swapped (application, "activate", G_CALLBACK (start), holds);
    g_application_run (G_APPLICATION (application), 0, NULL);
    status = holds->status;
    g_main_context_set_poll_func (NULL, NULL);
    g_free (holds);
    return status;
}

/* Many runs ------------------------------------------------------------------------------------ */

/* Keeps the smaller of what is there and what a run printed. */
static void
merge_run (const HoldsScript *script, double (*best)[N_COLUMNS], const char *output)
{
    g_auto (GStrv) lines = g_strsplit (output, "\n", -1);

    for (char **line = lines; *line != NULL; line++) {
        g_auto (GStrv) fields = g_strsplit (*line, "\t", -1);
        if (g_strv_length (fields) != N_COLUMNS + 1)
            continue;
        for (unsigned i = 0; i < script->n_steps; i++)
            for (Column column = 0;
                 g_str_equal (fields[0], script->steps[i].name) && column < N_COLUMNS; column++)
                best[i][column] = MIN (best[i][column], g_ascii_strtod (fields[column + 1], NULL));
    }
}

static void
print_best (const HoldsScript *script, double (*best)[N_COLUMNS])
{
    printf ("%-24s", "step");
    for (Column column = 0; column < N_COLUMNS; column++)
        printf ("%9s", column_names[column]);
    printf ("\n");
    for (unsigned i = 0; i < script->n_steps; i++) {
        if (best[i][HOLD] == G_MAXDOUBLE)
            continue;
        printf ("%-24s", script->steps[i].name);
        for (Column column = 0; column < N_COLUMNS; column++)
            printf ("%9.1f", best[i][column]);
        printf ("\n");
    }
}

int
holds_run_many (const HoldsScript *script, const char *const *argv, int n_runs)
{
    g_autofree double (*best)[N_COLUMNS] = g_malloc (script->n_steps * sizeof *best);

    for (unsigned i = 0; i < script->n_steps; i++)
        for (Column column = 0; column < N_COLUMNS; column++)
            best[i][column] = G_MAXDOUBLE;
    for (int run = 0; run < n_runs; run++) {
        g_autofree char *output = NULL;
        g_autoptr (GError) error = NULL;
        int status = 0;
        if (!g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL,
                           &status, &error) ||
            !g_spawn_check_wait_status (status, &error)) {
            fprintf (stderr, "%s: %s\n", g_get_prgname (), error->message);
            return 1;
        }
        merge_run (script, best, output);
    }
    print_best (script, best);
    return 0;
}
