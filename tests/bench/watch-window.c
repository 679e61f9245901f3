/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts a program and says after how many milliseconds it has a picture on the X display: a window
 * in which the middle is painted, and, with --colors=N, in which at least N saturated colours are
 * seen (a flame graph has many, a progress bar one). Then ends the program.
 *
 *     watch-window [--colors=N] [--timeout=SECONDS] PROGRAM ARGUMENT...
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_COLORS     64
#define MIN_BOX_HEIGHT 12

static int
ignore_error (Display *display, XErrorEvent *event)
{
    (void)display;
    (void)event;
    return 0;
}

static double
now_ms (void)
{
    struct timespec now;
    clock_gettime (CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool
is_saturated (unsigned long pixel)
{
    int red = (int)(pixel >> 16 & 0xff), green = (int)(pixel >> 8 & 0xff),
        blue = (int)(pixel & 0xff);
    int high = red > green ? red : green, low = red < green ? red : green;
    high = high > blue ? high : blue;
    low = low < blue ? low : blue;
    return high - low > 40;
}

/* How many different saturated colours there are in a few columns of the window, over at least the
 * height of a box: a progress bar and its soft edges are lower. */
static int
count_colors (Display *display, Window window, int width, int height)
{
    unsigned long colors[MAX_COLORS];
    int n_colors = 0;
    for (int column = 1; column < 8; column++) {
        XImage *image = XGetImage (display, window, width * column / 8, 0, 1, (unsigned)height,
                                   AllPlanes, ZPixmap);
        if (image == NULL)
            return 0;
        unsigned long last = 0;
        int n_equal = 0;
        for (int y = 0; y < height && n_colors < MAX_COLORS; y++) {
            unsigned long pixel = XGetPixel (image, 0, y);
            n_equal = pixel == last ? n_equal + 1 : 1;
            last = pixel;
            bool is_new = n_equal == MIN_BOX_HEIGHT && is_saturated (pixel);
            for (int i = 0; i < n_colors && is_new; i++)
                is_new = colors[i] != pixel;
            if (is_new)
                colors[n_colors++] = pixel;
        }
        XDestroyImage (image);
    }
    return n_colors;
}

/* The root window is black; a painted one is not. */
static bool
is_painted (Display *display, Window window, int width, int height)
{
    XImage *image = XGetImage (display, window, width / 2, height / 2, 8, 8, AllPlanes, ZPixmap);
    if (image == NULL)
        return false;
    bool is_black = true;
    for (int i = 0; i < 64 && is_black; i++)
        is_black = (XGetPixel (image, i % 8, i / 8) & 0xffffff) == 0;
    XDestroyImage (image);
    return !is_black;
}

static bool
has_picture (Display *display, int n_colors)
{
    Window root = DefaultRootWindow (display), parent, *children = NULL;
    unsigned n_children = 0;
    bool found = false;
    if (!XQueryTree (display, root, &root, &parent, &children, &n_children))
        return false;
    for (unsigned i = 0; i < n_children && !found; i++) {
        XWindowAttributes attributes;
        if (!XGetWindowAttributes (display, children[i], &attributes) ||
            attributes.map_state != IsViewable || attributes.width < 300 || attributes.height < 200)
            continue;
        found = is_painted (display, children[i], attributes.width, attributes.height) &&
                (n_colors == 0 || count_colors (display, children[i], attributes.width,
                                                attributes.height) >= n_colors);
    }
    if (children != NULL)
        XFree (children);
    return found;
}

int
main (int argc, char **argv)
{
    int n_colors = 0, first = 1;
    double timeout_ms = 60000;
    for (; first < argc && strncmp (argv[first], "--", 2) == 0; first++) {
        if (strncmp (argv[first], "--colors=", 9) == 0)
            n_colors = atoi (argv[first] + 9);
        else if (strncmp (argv[first], "--timeout=", 10) == 0)
            timeout_ms = atof (argv[first] + 10) * 1000;
    }
    Display *display = XOpenDisplay (NULL);
    if (display == NULL || first >= argc) {
        fprintf (stderr, "watch-window: no display or no program\n");
        return 2;
    }
    XSetErrorHandler (ignore_error);

    double start_ms = now_ms ();
    pid_t child = fork ();
    if (child == 0) {
        execvp (argv[first], argv + first);
        _exit (127);
    }
    bool found = false;
    while (!found && now_ms () - start_ms < timeout_ms) {
        if (waitpid (child, NULL, WNOHANG) == child) {
            fprintf (stderr, "watch-window: the program ended\n");
            return 1;
        }
        found = has_picture (display, n_colors);
        if (!found)
            nanosleep (&(struct timespec){.tv_nsec = 3000000}, NULL);
    }
    printf ("%.1f\n", now_ms () - start_ms);
    kill (child, SIGTERM);
    waitpid (child, NULL, 0);
    XCloseDisplay (display);
    return found ? 0 : 1;
}
