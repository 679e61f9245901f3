/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/widgets/chooser.h"
#include "record/process/programs.h"

/* The events that perf can count, listed when the page is first shown. Any number of them can be
 * checked. Emits "changed". */
#define PV_TYPE_EVENT_CHOOSER (pv_event_chooser_get_type ())
G_DECLARE_FINAL_TYPE (PvEventChooser, pv_event_chooser, PV, EVENT_CHOOSER, PvChooser)

/* names may be NULL, and may contain events that perf does not list. */
void pv_event_chooser_set_names (PvEventChooser *chooser, const char *const *names);
/* NULL-terminated; borrowed until the next change. */
const char *const *pv_event_chooser_get_names (PvEventChooser *chooser);
