/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/heap/heaptrack-pump.h"

/*
 * Heaptrack in a process that runs already: gdb stops it for a moment and lets it load heaptrack's
 * library and call it. gdb is run with an argument vector, without anybody's .gdbinit, and looks up
 * no debug info on the network.
 */

/* After gdb's end, for the pump to see that the process has opened it. */
enum { PV_HEAPTRACK_SEEN_WITHIN_MS = 500 };

/* Called once in the caller's main context, unless forgotten. said: what gdb complained about,
 * valid UTF-8; NULL: about nothing. Success can only be known by what becomes of the pipe: gdb's
 * exit status is 0 even when a call has failed. */
typedef void (*PvHeaptrackCalled) (const char *said, void *user);

/* What gdb does. It is never disturbed: a process whose debugger ends in the middle of a call goes
 * on from wherever it is, which is its end. */
typedef struct PvHeaptrackCall PvHeaptrackCall;

/* Calls heaptrack_inject (pipe_path) in the process, or heaptrack_stop () where pipe_path is NULL.
 * library is not looked at then. NULL with a PV_RECORD_ERROR. */
PvHeaptrackCall *pv_heaptrack_call (pid_t pid, const char *library, const char *pipe_path,
                                    PvHeaptrackCalled called, void *user, GError **error);
/* Forgets it: what it does is done without us, even if we end at once. NULL is fine. */
void pv_heaptrack_call_free (PvHeaptrackCall *call);

/* For who has lost interest: waits, in the background (record/background.h), until call is done,
 * gives the pump away and then, if heaptrack has come into the process, calls heaptrack_stop ().
 * Takes both; call may be NULL: it is done. */
void pv_heaptrack_call_undo (PvHeaptrackCall *call, pid_t pid, PvHeaptrackPump *pump);

/* Why it cannot be done, as far as that can be known before, or is known from what gdb said. False
 * with a PV_RECORD_ERROR. */
bool pv_heaptrack_check_process (pid_t pid, GError **error);
void pv_heaptrack_set_call_error (GError **error, pid_t pid, const char *said);
