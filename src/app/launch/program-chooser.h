/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/widgets/chooser.h"
#include "record/process/programs.h"

/* The desktop's applications. The signal "chosen" has a const PvProgram that is valid while it is
 * emitted. */
#define PV_TYPE_PROGRAM_CHOOSER (pv_program_chooser_get_type ())
G_DECLARE_FINAL_TYPE (PvProgramChooser, pv_program_chooser, PV, PROGRAM_CHOOSER, PvChooser)
