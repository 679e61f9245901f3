/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "app/document/document.h"

/* The phases of a recording, see phases.h: of all the time, whatever range is selected. They are
 * found in a worker when this opens; choosing one selects its time. */
#define PV_TYPE_PHASE_POPOVER (pv_phase_popover_get_type ())
G_DECLARE_FINAL_TYPE (PvPhasePopover, pv_phase_popover, PV, PHASE_POPOVER, GtkPopover)

/* Once, before anything else. */
void pv_phase_popover_set_document (PvPhasePopover *popover, PvDocument *document);
