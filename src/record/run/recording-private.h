/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/run/recording.h"

/*
 * Between recording.c, which knows the states and the target, and the recorders: perf-recorder.c,
 * heaptrack-recorder.c, jemalloc-recorder.c. A recorder is a const struct of functions; its own
 * data is recording->data. No function blocks.
 *
 *   prepare ─▶ (target launched, held) ─▶ start ─▶ pv_recording_ready () ─▶ (target released) ─▶
 *   ... flush ... ─▶ stop, as the target ended or the user wants it ─▶ pv_recording_complete ()
 *
 * Whenever something goes wrong: pv_recording_fail (), once; later calls do nothing.
 */
typedef struct {
    /* Makes pipes, adds to recording->target_environment. False with a PV_RECORD_ERROR. */
    bool (*prepare) (PvRecording *recording, GError **error);
    /* The target is there, held if it is launched (none of PV_TARGET_SYSTEM). */
    bool (*start) (PvRecording *recording, GError **error);
    void (*flush) (PvRecording *recording); /* NULL: nothing to flush */
    /* Called once, in PREPARING or RUNNING. */
    void (*stop) (PvRecording *recording);
    void (*kill) (PvRecording *recording); /* also after stop */
    /* Frees data; kills and forgets what still runs. After this nothing of it may come back. What
     * has to go on does so in the background. Before the end it sets is_empty, or takes aside and
     * sees to the two files itself when it knows what there is. */
    void (*clear) (PvRecording *recording);
} PvRecorder;

struct PvRecording {
    const PvRecorder *recorder;
    void *data;
    PvRecordPlan *plan;
    char *path;  /* created before prepare () */
    char *aside; /* the file that path named before, until there is something worth its place */
    PvTarget *target;
    GStrvBuilder *target_environment;
    PvRecordingState state;
    PvRecordingFigures figures;
    GError *error;
    GString *remarks; /* sentences, of pv_recording_describe () */
    PvRecordingEvents events;
    char *terminal;

    /* Set by the recorder before pv_recording_complete () or _fail (): nothing in the file is worth
     * opening, so it is deleted. */
    bool is_empty;
    bool is_kill_asked;  /* kill () was called, so the recorder's end is no error */
    bool is_target_gone; /* the target has ended */

    /* recording.c's own. */
    GMainContext *context;
    int64_t started_at_us, stopped_at_us;
    GSource *tick, *ready, *patience, *ended;
    unsigned n_ticks;
    PvRecording **cleaning; /* to us, of the callback for when files were deleted; or NULL */
    bool is_recorder_done;
    bool is_target_waited_for;
    bool is_target_told; /* to end, by us */
    bool is_discarded;
    bool is_stop_asked; /* by the user; else by the target's end */
};

extern const PvRecorder pv_perf_recorder;
extern const PvRecorder pv_heaptrack_recorder;
extern const PvRecorder pv_jemalloc_recorder;

/* The recorder records: the target may go. */
void pv_recording_ready (PvRecording *recording);
/* The same, a moment later: for start () of recorders that have nothing to wait for. */
void pv_recording_ready_soon (PvRecording *recording);
/* The file is complete and closed. */
void pv_recording_complete (PvRecording *recording);
/* Takes error. The target is released or, if it was held, killed. */
void pv_recording_fail (PvRecording *recording, GError *error);
/* A sentence for the user, not said twice; takes no ownership. */
void pv_recording_remark (PvRecording *recording, const char *sentence);

/* The command line that is kept in the file, for whoever it is given to: without the variables of
 * the environment, whose values can be secrets. g_free () it. */
char *pv_recording_make_stored_command (const PvRecordPlan *plan);

/* Calls function once, milliseconds from now, in the recording's context. Clear *source, which is
 * set, with pv_source_clear () if that is not to be; the function does so first thing. */
void pv_recording_after (PvRecording *recording, GSource **source, unsigned milliseconds,
                         GSourceFunc function, void *user);
void pv_source_clear (GSource **source);
