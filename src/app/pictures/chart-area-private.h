/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/chart-area.h"
#include "app/work/work.h"

/* Declarations that the files of PvChartArea share: chart-area.c has the series and the picture,
 * chart-input.c pointer and keys. */
enum { PV_CHART_N_CELLS = 2 };

enum {
    PV_CHART_HIT_CHANGED,
    PV_CHART_VIEW_CHANGED,
    PV_CHART_MENU_REQUESTED,
    PV_CHART_ACTIVATED,
    PV_CHART_N_SIGNALS
};

struct _PvChartArea {
    GtkWidget parent;

    PvDocument *document;
    gulong changed_handler;
    PvTask *task;
    PvChartKind kind;
    PvSeries *series; /* of this kind and the newest tree; of older ones until it is built */
    gboolean is_stale;

    PvChartPainter *painter;
    PvChartView view; /* size, style and selection are set before each use */
    GskRenderNode *base;

    /* The place of the pointer, or of the cursor, which the keys move. */
    PvChartHit hit;
    gboolean has_hit;
    double pointer_x, pointer_y; /* negative: outside */
    double rest_x, rest_y;       /* where on the window GTK last reported it */
    gboolean has_cursor;
    double cursor_x; /* fraction of the plot, or for charts of time: milliseconds */
    uint32_t cursor_layer;
    double last_ms; /* the time of the last hit; negative: none */

    gboolean is_pressed; /* in the plot */
    gboolean is_brushing;
    double press_x;
    double held_start_ms, held_end_ms; /* always in the range that is dragged */
    gboolean is_at_edge;               /* the pointer is, and its shape shows it */
    double anchor_ms;                  /* where a range that is set by keys began; negative: none */
    double pinch_scale;

    /* Have the keyboard focus in turns: a screen reader reads a widget when the focus moves to it.
     */
    GtkWidget *cells[PV_CHART_N_CELLS];
    unsigned current_cell;
};

extern guint pv_chart_signals[PV_CHART_N_SIGNALS];

void pv_chart_area_sync_view (PvChartArea *area);
/* The picture must be drawn again. */
void pv_chart_area_invalidate (PvChartArea *area);
void pv_chart_area_view_changed (PvChartArea *area);
/* Finds the place of the pointer or the cursor again. */
void pv_chart_area_update_hit (PvChartArea *area);
void pv_chart_area_forget_cursor (PvChartArea *area);

void pv_chart_area_add_controllers (PvChartArea *area);
