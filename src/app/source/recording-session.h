/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/run/recording.h"

/*
 * A recording with the terminal of the program that it launches. It may outlive the tab that shows
 * it: then it is stopped, and the application lives until its file is complete. Main loop only.
 */
typedef struct PvRecordingSession PvRecordingSession;

typedef struct {
    void (*changed) (gpointer owner); /* about four times a second */
    void (*ended) (gpointer owner);   /* once, after which nothing comes any more */
} PvRecordingSessionEvents;

/* NULL with a PV_RECORD_ERROR. plan and events are copied. */
PvRecordingSession *pv_recording_session_start (gpointer owner,
                                                const PvRecordingSessionEvents *events,
                                                const PvRecordPlan *plan, GError **error);
PvRecording *pv_recording_session_get (const PvRecordingSession *session);
/* The application's end of the launched program's terminal, which the caller closes and must read
 * from, or the program blocks; -1: there is none, or it was taken. */
int pv_recording_session_take_terminal (PvRecordingSession *session);
/* Stops the recording if it runs, forgets the owner and drops the session. */
void pv_recording_session_leave (PvRecordingSession *session);
