/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/pictures/flame-area.h"

/*
 * A strip that shows the whole flame graph in small, and which part of it is in view. That is moved
 * by dragging it, and to where the user clicks. Hidden while everything is in view.
 */
#define PV_TYPE_FLAME_MAP (pv_flame_map_get_type ())
G_DECLARE_FINAL_TYPE (PvFlameMap, pv_flame_map, PV, FLAME_MAP, GtkWidget)

/* Once, before anything else; the area has its document. */
void pv_flame_map_set_area (PvFlameMap *map, PvFlameArea *area, PvDocument *document);
/* Something else than the range has changed of how the area looks. */
void pv_flame_map_redraw (PvFlameMap *map);
