/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/boxes/box-area.h"
#include "render/treemap/treemap.h"

/*
 * The treemap of a document: shows its flame tree below the zoomed node, its selection and its
 * matches. A click selects, a double click zooms. A comparison that knows its sides has the sizes
 * of the new one.
 */
#define PV_TYPE_TREEMAP_AREA (pv_treemap_area_get_type ())
G_DECLARE_FINAL_TYPE (PvTreemapArea, pv_treemap_area, PV, TREEMAP_AREA, PvBoxArea)
