/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/widgets/chooser.h"
#include "record/process/processes.h"

/* The running processes, read every two seconds while the page is shown. The signal "chosen" has a
 * const PvRunningProcess that is valid while it is emitted. */
#define PV_TYPE_PROCESS_CHOOSER (pv_process_chooser_get_type ())
G_DECLARE_FINAL_TYPE (PvProcessChooser, pv_process_chooser, PV, PROCESS_CHOOSER, PvChooser)
