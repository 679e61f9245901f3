/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/code/annotation.h"

/* What a line calls: functions, which the action "code.select" (their id) selects, with what the
 * calls cost; of inlined ones the lines of their bodies, on demand. Takes a reference to the
 * annotation, whose line it is. Main loop only. */
GtkWidget *pv_call_list_new (PvAnnotation *annotation, const PvLineCost *line);
