/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/*
 * Pointer and keys of a picture with time along x. The pointer hovers moments; a drag brushes the
 * time range of the document, or moves the end of it that it begins at; wheel, two fingers and keys
 * zoom and move the view; keys move a cursor, and with Shift the range from where it was.
 * Everything else is up to the picture, by functions. Times are nanoseconds since the start of the
 * recording. Main loop only.
 */
enum { PV_TIME_N_CELLS = 2 };

/* The times of a picture, which x is linear to. */
typedef struct {
    double x; /* of start_ns */
    double width;
    uint64_t start_ns; /* visible: [start, end), not empty */
    uint64_t end_ns;
    uint64_t first_ns; /* the cursor is between these */
    uint64_t last_ns;
    uint64_t step_ns;    /* the cursor moves this far at least */
    uint64_t limit_ns;   /* the document's range is shown up to here; UINT64_MAX: all of it */
    gboolean has_time;   /* FALSE: something else is along x, and there are no ranges and no zoom */
    gboolean takes_keys; /* the cursor has rows or layers to be on */
} PvTimeAxis;

typedef enum {
    PV_TIME_NO_DRAG,
    PV_TIME_PRESSED,
    PV_TIME_BRUSHING,
    PV_TIME_PANNING,
    PV_TIME_OTHER_DRAG, /* the picture's own; the cursor stays */
} PvTimeDrag;

typedef void (*PvTimeAct) (gpointer picture);

/* All functions but the optional ones must be set. Those that need an axis are called only while
 * there is one; all may be called without are get_axis (), update_hit (), click_twice () and
 * open_menu (). */
typedef struct {
    gboolean wheel_zooms;      /* without Ctrl too; else it moves the view while that is zoomed */
    gboolean ends_are_in_view; /* Home and End lead to those of the visible times */

    /* Brings the view up to date and fills in the axis. FALSE: the picture shows nothing. */
    gboolean (*get_axis) (gpointer picture, PvTimeAxis *ret_axis);
    /* Optional: finds the stretch at a time, if ranges consist of whole ones. */
    void (*snap) (gpointer picture, uint64_t time_ns, uint64_t *ret_start_ns, uint64_t *ret_end_ns);

    /* The view. x may be out of it; zooms in with a factor above 1. */
    gboolean (*is_zoomed) (gpointer picture);
    PvTimeAct reset_zoom;
    PvTimeAct zoom_to_range;
    void (*zoom) (gpointer picture, double x, double factor);
    void (*pan) (gpointer picture, double by_px);
    /* Optional: scrolls what is beside the times, when the pointer is there, or with two fingers.
     */
    void (*scroll) (gpointer picture, double by_px);

    /* The pointer. Finds again what it or the cursor is on. */
    PvTimeAct update_hit;
    /* Optional: says if a press acts where the pointer is; else all do. */
    gboolean (*takes_press) (gpointer picture);
    /* Optional: names the shape of the pointer at a point. NULL: the usual one. */
    const char *(*get_shape) (gpointer picture, double x, double y);
    /* Optional: says what the drag does that has begun at press_x of the input and at this height;
     * else it brushes. */
    PvTimeDrag (*begin_drag) (gpointer picture, double press_y);
    void (*drag) (gpointer picture, double y); /* for PV_TIME_OTHER_DRAG */
    PvTimeAct click;                           /* where the press was */
    PvTimeAct click_twice;
    void (*open_menu) (gpointer picture, double x, double y);

    /* The cursor. Returns where it appears, if that is in view. */
    uint64_t (*find_start) (gpointer picture);
    /* Moves it up (1) or down (-1), and shows it. */
    void (*move_across) (gpointer picture, int by);
    /* It has moved: scrolls to it, updates the hit and tells a screen reader. */
    PvTimeAct show_cursor;
    PvTimeAct activate; /* by Return or the space bar */
    /* Handles keys of its own, which come first; FALSE: not one of them. */
    gboolean (*take_key) (gpointer picture, guint key, GdkModifierType state);
} PvTimePicture;

/* A part of the picture's widget, which reads it. */
typedef struct {
    GtkWidget *widget;
    const PvTimePicture *functions;
    PvDocument *document; /* that the widget holds; NULL: not yet, or no more */

    double pointer_x, pointer_y; /* negative: outside */
    double rest_x, rest_y;       /* where on the window GTK last reported it */
    const char *shape;           /* of the pointer; NULL: the usual one */
    gboolean has_cursor;
    uint64_t cursor_ns;
    uint64_t anchor_ns; /* where the range that keys set began; UINT64_MAX: no such range */

    PvTimeDrag drag;
    double press_x;
    double last_dx;
    uint64_t held_start_ns, held_end_ns; /* always in the range that is dragged */

    /* Have the keyboard focus in turns: a screen reader reads a widget when the focus moves to it.
     */
    GtkWidget *cells[PV_TIME_N_CELLS];
    unsigned current_cell;
} PvTimeInput;

/* Adds controllers and cells to the widget. The functions must stay. */
void pv_time_input_init (PvTimeInput *input, GtkWidget *widget, const PvTimePicture *functions);
void pv_time_input_allocate (PvTimeInput *input, int width, int height);
gboolean pv_time_input_grab_focus (PvTimeInput *input);

/* Names the widget, and its cells until the next text, for screen readers. */
void pv_time_input_set_name (PvTimeInput *input, const char *name);
/* Moves the focus, if it is here, to a cell with this text. description NULL: stays. */
void pv_time_input_set_cell_text (PvTimeInput *input, const char *text, const char *description);

/* Shows the time range, or else everything. */
void pv_time_input_fit (PvTimeInput *input);

/* Shows the cursor where it starts; FALSE: it is there already, or nothing is shown. */
gboolean pv_time_input_begin_cursor (PvTimeInput *input);
/* The pointer counts again. */
void pv_time_input_forget_cursor (PvTimeInput *input);
