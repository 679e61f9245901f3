/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/plan/plan.h"
#include "record/run/target.h"

/*
 * A recording in progress, with any recorder. Runs in the caller's thread-default main context and
 * never blocks it. The recording is a growing file on disk that can be read at any time.
 */
typedef struct PvRecording PvRecording;

typedef enum {
    PV_RECORDING_PREPARING, /* the recorder is starting, the program is held */
    PV_RECORDING_RUNNING,
    PV_RECORDING_STOPPING, /* the recorder is completing its file */
    PV_RECORDING_ENDED,
} PvRecordingState;

typedef enum {
    PV_RECORD_ERROR_BAD_PLAN,       /* also: no such program or process */
    PV_RECORD_ERROR_NO_RECORDER,    /* perf, heaptrack or gdb is not installed */
    PV_RECORD_ERROR_NOT_PERMITTED,  /* the kernel refuses; pkexec might help */
    PV_RECORD_ERROR_DISMISSED,      /* pkexec: the user cancelled */
    PV_RECORD_ERROR_UNSUPPORTED,    /* this machine lacks it: an event, LBR */
    PV_RECORD_ERROR_NOTHING,        /* ended without any sample or allocation */
    PV_RECORD_ERROR_RECORDER_ENDED, /* killed or crashed; there may be a file */
    PV_RECORD_ERROR_DISK_FULL,      /* there may be a file */
    PV_RECORD_ERROR_FAILED,
} PvRecordError;

/* Messages are whole sentences for the user, translated. */
#define PV_RECORD_ERROR (pv_record_error_quark ())
GQuark pv_record_error_quark (void);

typedef struct {
    double elapsed_seconds; /* from the program's release to the stop */
    uint64_t size_bytes;    /* of the file or folder */
    double target_cpus;     /* 1.0: one CPU busy; -1: unknown */
    unsigned n_processes;   /* of the target; 0: unknown */
    uint64_t n_lost;        /* events that the recorder could not store; known once ENDED */
    bool is_slow;           /* STOPPING takes so long that the user may kill the recorder */
} PvRecordingFigures;

typedef struct {
    /* The state or the figures changed; about four times a second while RUNNING. */
    void (*changed) (PvRecording *recording, void *user);
    /* Called once; no further callbacks. */
    void (*ended) (PvRecording *recording, void *user);
    void *user;
} PvRecordingEvents;

typedef struct {
    PvRecordingEvents events;
    /* For the launched program, as in PvTargetOptions. */
    const char *terminal;
} PvRecordingOptions;

/* Starts a recording; NULL with a PV_RECORD_ERROR for immediate failures. Copies plan and options.
 * An existing plan->output is renamed, with ".old-" and six letters appended; it is deleted when
 * the recording ends with data, else moved back. */
PvRecording *pv_recording_start (const PvRecordPlan *plan, const PvRecordingOptions *options,
                                 GError **error);

PvRecordingState pv_recording_get_state (const PvRecording *recording);
const PvRecordingFigures *pv_recording_get_figures (const PvRecording *recording);
const char *pv_recording_get_path (const PvRecording *recording);
const PvTarget *pv_recording_get_target (const PvRecording *recording); /* NULL: whole system */
/* Once ENDED: NULL on success. With PV_RECORD_ERROR_RECORDER_ENDED or _DISK_FULL there may be a
 * file: see pv_recording_has_file (). */
const GError *pv_recording_get_error (const PvRecording *recording);
/* Once ENDED: true if there is a recording to open. */
bool pv_recording_has_file (const PvRecording *recording);
/* True if pv_recording_stop () or the like asked the launched program to end. */
bool pv_recording_has_stopped_target (const PvRecording *recording);
/* Sentences for the user about a recording that did not fail: how the program ended if abnormally,
 * and the recorder's warnings. NULL: nothing to say. g_free () it. */
char *pv_recording_describe (const PvRecording *recording);

/* Makes the recorder write its buffers, so that readers of the file see the latest data. */
void pv_recording_flush (PvRecording *recording);

/* Stops and keeps the file; ended () follows. The launched program gets SIGTERM, and SIGKILL after
 * 5 s, unless the plan leaves it running. */
void pv_recording_stop (PvRecording *recording);
/* Kills the recorder instead of waiting for it. Keeps the recorded data. */
void pv_recording_kill (PvRecording *recording);
/* Stops at once and deletes the file; the launched program ends as with stop. ended () follows. */
void pv_recording_discard (PvRecording *recording);

/* Stops without waiting; no more callbacks. May be called from a callback. Remaining work continues
 * in the background (process/background.h). */
void pv_recording_free (PvRecording *recording);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvRecording, pv_recording_free)
