/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/plan/plan.h"

/* GTK allocates and frees a buffer of the window's size for every frame. Above glibc's mmap
 * threshold each one is mapped, faulted in page by page and unmapped again, which costs more than
 * drawing into it in software. Call first in main (). */
void pv_app_tune_allocator (void);

/* Runs the window until it is closed; or, if an instance is running, lets that one open the files.
 * argv: the files, and the options that the window knows. plan: record this at once; or NULL.
 * Returns the exit status. */
int pv_app_main (int argc, char **argv, const PvRecordPlan *plan);
