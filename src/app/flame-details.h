#pragma once

#include <gtk/gtk.h>

#include "app/document.h"
#include "render/flame-graph.h"

/* The line that says everything about one node of the flame graph. */
#define PV_TYPE_FLAME_DETAILS (pv_flame_details_get_type ())
G_DECLARE_FINAL_TYPE (PvFlameDetails, pv_flame_details, PV, FLAME_DETAILS, GtkWidget)

/* node PV_NODE_NONE empties the line. */
void pv_flame_details_show (PvFlameDetails *details, PvDocument *document, PvNodeId node,
                            PvColor color);
