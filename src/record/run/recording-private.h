/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/plan/recorders.h"
#include "record/run/recording.h"

/*
 * The interface between recording.c, which handles states and the target, and the recorders. What a
 * recorder does is a const struct of functions; its own data is recording->data. No function
 * blocks.
 *
 *   prepare ─▶ (target launched, held) ─▶ start ─▶ pv_recording_ready () ─▶ (target released) ─▶
 *   ... flush ... ─▶ stop (the target ended, or the user stops it) ─▶ pv_recording_complete ()
 *
 * On an error at any time: pv_recording_fail (), once; later calls do nothing.
 */
struct PvRecorderRun {
    /* Creates pipes, adds to recording->target_environment. False with a PV_RECORD_ERROR. */
    bool (*prepare) (PvRecording *recording, GError **error);
    /* The target exists now, held if it was launched (PV_TARGET_SYSTEM has none). */
    bool (*start) (PvRecording *recording, GError **error);
    void (*flush) (PvRecording *recording); /* NULL: nothing to flush */
    /* Called once, in PREPARING or RUNNING. */
    void (*stop) (PvRecording *recording);
    void (*kill) (PvRecording *recording); /* also after stop */
    /* Frees data and kills the recorder if it still runs; nothing may call back afterwards. Work
     * that must continue does so in the background. If the recording has not ended, sets is_empty,
     * or takes aside over and cleans up both files itself when it knows the result. */
    void (*clear) (PvRecording *recording);
};

struct PvRecording {
    const PvRecorderRun *run;
    void *data;
    PvRecordPlan *plan;
    char *path;  /* created before prepare () */
    char *aside; /* the file path named before, kept until there is a recording to replace it */
    PvTarget *target;
    GStrvBuilder *target_environment;
    PvRecordingState state;
    PvRecordingFigures figures;
    GError *error;
    GString *notes; /* sentences for pv_recording_describe () */
    PvRecordingEvents events;
    char *terminal;

    /* Set by the recorder before pv_recording_complete () or _fail (): the file has nothing worth
     * opening and is deleted. */
    bool is_empty;
    bool is_kill_requested; /* kill () was called: the recorder's end is no error */
    bool is_target_gone;    /* the target has ended */

    /* Private to recording.c. */
    GMainContext *context;
    int64_t started_at_us, stopped_at_us;
    GSource *tick, *ready, *patience, *ended;
    unsigned n_ticks;
    PvRecording **cleaning; /* the back pointer that tell_ended_and_cleaned () gets; or NULL */
    bool is_recorder_done;
    bool is_target_waited_for;
    bool is_target_signalled; /* we sent it a signal to end */
    bool is_discarded;
    bool is_stop_requested; /* by the user, not because the target ended */
};

/* The recorder is recording: releases the target. */
void pv_recording_ready (PvRecording *recording);
/* The same from an idle source: for recorders whose start () has nothing to wait for. */
void pv_recording_ready_soon (PvRecording *recording);
/* The file is complete and closed. */
void pv_recording_complete (PvRecording *recording);
/* Takes error. The target is released or, if it was held, killed. */
void pv_recording_fail (PvRecording *recording, GError *error);
/* Adds a sentence for the user, unless it is there already. Copies it. */
void pv_recording_add_note (PvRecording *recording, const char *sentence);

/* The command line stored in the file. Without environment variables: the file may be given to
 * others, and their values can be secret. g_free () it. */
char *pv_recording_make_stored_command (const PvRecordPlan *plan);

/* Calls function once, milliseconds from now, in the recording's context. Sets *source; cancel with
 * pv_source_clear (), which function itself must call first. */
void pv_recording_add_timeout (PvRecording *recording, GSource **source, unsigned milliseconds,
                               GSourceFunc function, void *user);
void pv_source_clear (GSource **source);
