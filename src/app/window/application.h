/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/plan/plan.h"

/* GTK allocates and frees a buffer of the window's size for every frame. Above glibc's limit for
 * mmap each of them is mapped, faulted in page by page and unmapped again, which in software
 * rendering costs more than drawing into it. Call before anything else. */
void pv_app_tune_allocator (void);

/* Runs the window until it is closed; argv with files and what the window knows of options. plan:
 * what is to be recorded at once; or NULL. Where an instance runs already, that happens there.
 * Returns the exit status. */
int pv_app_main (int argc, char **argv, const PvRecordPlan *plan);
