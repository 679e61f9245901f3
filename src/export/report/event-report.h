/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/* Reports of events. False with an error; then nothing was passed to the sink. */

/* Writes --print=wakers: the threads that woke waiting threads, and from which functions. */
bool pv_event_report_write_wakers (const PvReport *report, GError **error);
/* Writes --print=marks: the samples of tracepoints with their fields, or, if the options say so,
 * sums of a field. */
bool pv_event_report_write_marks (const PvReport *report, GError **error);
/* Writes --print=syscalls: the system calls of each thread. */
bool pv_event_report_write_calls (const PvReport *report, GError **error);
