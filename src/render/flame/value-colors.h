/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/compare/node-values.h"
#include "render/draw/palette.h"
#include "render/draw/stripes.h"

/* The colours of PV_COLOR_BY_VALUE. */

/* The hue of a node; neutral if values is NULL or of another tree, or says nothing about it. */
uint8_t pv_value_hue (const PvNodeValues *values, const PvCallTree *tree, PvNodeId node);

/* The same by which way the node's amount went, and how far; the colours of PV_COLOR_BY_CHANGE and
 * PV_COLOR_BY_CHANGE_SIZE. Noise has that of what did not change. */
uint8_t pv_change_hue (const PvNodeValues *values, const PvCallTree *tree, PvNodeId node,
                       PvColorScheme scheme);
/* The lines over a node that only one side of a comparison has. */
PvStripes pv_change_find_stripes (const PvNodeValues *values, const PvCallTree *tree,
                                  PvNodeId node);

/* "Bytes per allocation, 96 B in all"; free with g_free (). */
char *pv_value_make_caption (const PvNodeValues *values);

/* An entry of the legend: "≥ 2 KiB". */
typedef struct {
    char *text;
    unsigned hue;
    PvStripes stripes;
} PvValueStep;

/* An array of PvValueStep, from low to high, some of all the hues there are; empty if nothing can
 * be compared. g_array_unref () it. */
GArray *pv_value_make_steps (const PvNodeValues *values);
/* The same for both schemes of changes, from less to more, and then what is only on one side of a
 * comparison. values may be NULL. */
GArray *pv_change_make_steps (const PvNodeValues *values, PvColorScheme scheme);
