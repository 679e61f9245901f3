/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * Work that continues after a recording was freed: a recorder that completes its file, a debugger
 * that must not be interrupted. Each blocking function runs in its own thread; the process does not
 * exit before all have returned.
 */

/* Runs work in a new thread, or directly if none can be created. Any thread. */
void pv_background_run (void (*work) (void *data), void *data);

/* For existing threads: exit () waits for the code between these calls. Any threads. */
void pv_background_begin (void);
void pv_background_end (void);

/* Waits until all work is done; exit () calls it. Each work must end within minutes. */
void pv_background_wait (void);
