/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <stdbool.h>

/*
 * Measures how long the main loop is held while a window goes through steps. Between two calls of
 * poll () nothing else is answered; that time is a hold. One line per step, in milliseconds, each
 * the longest of its kind within the step and the smallest over the runs, every run a process of
 * its own:
 *
 *     hold    wall time of one turn of the main loop
 *     work    processor time of the main thread in one turn, whatever else the machine did
 *     events  of that, outside of the frame clock: our callbacks and GTK's handling of input
 *     tick    in the frame clock before layout: animations and the like
 *     layout  styles, sizes and positions; rows of tables are made and filled here
 *     paint   snapshots, and what the renderer makes of them
 *     gap     wall time from one frame of an animated window to the next; 0: there is none
 *     answer  from the start of the step until what it asks for is there, looked for every 5 ms
 *
 * Where the display server shows a new frame does not count: GDK does not wait for it.
 */
typedef struct Holds Holds;

/* A program's knowledge of its window. */
typedef struct Bench Bench;

typedef struct {
    const char *name;
    void (*act) (Bench *bench);
    bool (*is_done) (Bench *bench); /* looked at every 5 ms after act (); NULL: at once */
} HoldsStep;

typedef struct {
    const HoldsStep *steps;
    unsigned n_steps;
    void (*begin) (Bench *bench); /* before each step */
    void (*end) (Bench *bench);   /* after the last step, or a failure */
} HoldsScript;

typedef struct {
    const char *only;    /* the one step that is printed, and the last; NULL: all */
    gboolean is_verbose; /* list holds over 8 ms of processor time, with the monotonic time at which
                            they began, for a profiler beside it (perf record -k CLOCK_MONOTONIC) */
} HoldsOptions;

Holds *holds_new (const HoldsScript *script, const HoldsOptions *options, Bench *bench);
/* Runs all steps in an application of its own, and frees. The status for main (): 0 or 1. */
int holds_run (Holds *holds, AdwApplication *application);
/* The phases of its frames are told apart from now on. Realized. Animated: it draws frames all the
 * time, so that gaps between them are seen. */
void holds_watch (Holds *holds, GtkWidget *window, bool is_animated);
/* Since the step began. */
double holds_get_ms (Holds *holds);
void holds_fail (Holds *holds, const char *what);

/* Runs argv, which prints its steps, so many times, and prints the best. The same status. */
int holds_run_many (const HoldsScript *script, const char *const *argv, int n_runs);
