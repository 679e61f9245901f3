/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/code/annotation.h"

/* List of a line's calls: functions, selected by the action "code.select" (their id), with the
 * costs of the calls. Inlined ones show the lines of their bodies on demand. Takes a reference to
 * the annotation, which has the line. Main loop only. */
GtkWidget *pv_call_list_new (PvAnnotation *annotation, const PvLineCost *line);
