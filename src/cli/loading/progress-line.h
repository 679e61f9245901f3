/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/job.h"

/*
 * A line on the terminal that says what a job of this thread is at, from when it has taken a
 * second: for reading a large file, or writing one. Only if standard error is a terminal.
 */
typedef struct PvProgressLine PvProgressLine;

/* NULL, if nothing is to be shown. writes: the name of a file that is written; NULL: one is read.
 */
PvProgressLine *pv_progress_line_new (const char *writes);
/* NULL for NULL; valid until the end. */
PvJob *pv_progress_line_get_job (PvProgressLine *self);
/* Erases the line. NULL is allowed. */
void pv_progress_line_end (PvProgressLine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvProgressLine, pv_progress_line_end)
