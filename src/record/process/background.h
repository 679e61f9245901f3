/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/*
 * What goes on when a recording is freed in the middle: a recorder that completes its file, a
 * debugger that had better not be disturbed. Blocking functions, in threads of their own. The
 * process does not end before they have.
 */

/* If there can be no thread, it is done at once. Any thread. */
void pv_background_run (void (*work) (void *data), void *data);

/* For threads that are there already: what is done between these two is waited for. Any threads. */
void pv_background_begin (void);
void pv_background_end (void);

/* Until no more is under way; exit () does so. Each work bounds its patience: minutes at most. */
void pv_background_wait (void);
