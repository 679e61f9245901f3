/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "core/base/format.h"

/* A row of a list of things to choose from, each with a check mark, a name and an amount, and a
 * button for the pointer that shows nothing else (signal "only"). The list sees to the keys, and
 * toggles the mark when the row is activated. */
G_DECLARE_FINAL_TYPE (PvFacetRow, pv_facet_row, PV, FACET_ROW, GtkWidget)
#define PV_TYPE_FACET_ROW (pv_facet_row_get_type ())

GtkWidget *pv_facet_row_new (void);
/* The name is copied. */
void pv_facet_row_set (PvFacetRow *row, const char *name, uint64_t amount, uint64_t total,
                       PvUnit unit);
void pv_facet_row_set_shown (PvFacetRow *row, gboolean is_shown);
/* The row's description for a screen reader; g_free () it. */
char *pv_facet_row_describe (PvFacetRow *row);
