/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "record/plan/plan.h"

/* GTK allocates and frees a buffer of the window's size for every frame. Above glibc's mmap
 * threshold each one is mapped, faulted in page by page and unmapped again, which costs more than
 * drawing into it in software. Call first in main (). */
void pv_app_tune_allocator (void);

/* The program loads these two functions from the window's module, see main.c. */

/* True if there is a display. */
bool pv_app_can_open (void);

/* Runs the window until it is closed; or, if an instance is running, lets that one do what is
 * asked. request: as pv_cli_parse_for_window () makes it; NULL: argv is for GApplication. plan:
 * record this at once; or NULL. Returns the exit status. */
int pv_app_main (int argc, char **argv, GVariant *request, const PvRecordPlan *plan);
