/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/plan/plan.h"
#include "record/run/target.h"

/*
 * A recording under way, whatever records it. Everything happens in the caller's thread-default
 * main context; nothing here blocks it. What is recorded is a file on disk that grows and can be
 * read at any time.
 */
typedef struct PvRecording PvRecording;

typedef enum {
    PV_RECORDING_PREPARING, /* the recorder starts, the program is held */
    PV_RECORDING_RUNNING,
    PV_RECORDING_STOPPING, /* the recorder completes its file */
    PV_RECORDING_ENDED,
} PvRecordingState;

typedef enum {
    PV_RECORD_ERROR_BAD_PLAN,       /* also: no such program or process */
    PV_RECORD_ERROR_NO_RECORDER,    /* perf, heaptrack or gdb is not installed */
    PV_RECORD_ERROR_NOT_PERMITTED,  /* the kernel says no; pkexec might help */
    PV_RECORD_ERROR_DISMISSED,      /* pkexec: the user said no */
    PV_RECORD_ERROR_UNSUPPORTED,    /* not on this machine: an event, LBR */
    PV_RECORD_ERROR_NOTHING,        /* it ended without a sample or an allocation */
    PV_RECORD_ERROR_RECORDER_ENDED, /* killed or crashed; what was recorded may be there */
    PV_RECORD_ERROR_DISK_FULL,      /* the same */
    PV_RECORD_ERROR_FAILED,
} PvRecordError;

/* Messages are whole sentences for the user, translated. */
#define PV_RECORD_ERROR (pv_record_error_quark ())
GQuark pv_record_error_quark (void);

typedef struct {
    double elapsed_seconds; /* since the program was let go, until the recording was stopped */
    uint64_t size_bytes;    /* of the file or folder */
    double target_cpus;     /* 1.0: it keeps one CPU busy; -1: unknown */
    unsigned n_processes;   /* of the target; 0: unknown */
    bool is_slow;           /* STOPPING for so long that the user may want to kill the recorder */
} PvRecordingFigures;

typedef struct {
    /* The state or the figures changed; about four times a second while it runs. */
    void (*changed) (PvRecording *recording, void *user);
    /* Once, after which nothing comes any more. */
    void (*ended) (PvRecording *recording, void *user);
    void *user;
} PvRecordingEvents;

typedef struct {
    PvRecordingEvents events;
    /* For the launched program, as in PvTargetOptions. */
    const char *terminal;
} PvRecordingOptions;

/* Starts; NULL with a PV_RECORD_ERROR for what is known at once. plan and options are copied. A
 * file that plan->output names is replaced when it has ended with something recorded, else it is
 * kept; meanwhile it has ".old-" and six letters at the end of its name. */
PvRecording *pv_recording_start (const PvRecordPlan *plan, const PvRecordingOptions *options,
                                 GError **error);

PvRecordingState pv_recording_get_state (const PvRecording *recording);
const PvRecordingFigures *pv_recording_get_figures (const PvRecording *recording);
const PvRecordPlan *pv_recording_get_plan (const PvRecording *recording);
const char *pv_recording_get_path (const PvRecording *recording);
const PvTarget *pv_recording_get_target (const PvRecording *recording); /* NULL: whole system */
/* Once ENDED: NULL if all went well. With PV_RECORD_ERROR_RECORDER_ENDED and _DISK_FULL there may
 * be a file: pv_recording_has_file (). */
const GError *pv_recording_get_error (const PvRecording *recording);
/* Whether something was recorded that is worth opening. */
bool pv_recording_has_file (const PvRecording *recording);
/* Whether the launched program was asked to end, by pv_recording_stop () and the like. */
bool pv_recording_has_stopped_target (const PvRecording *recording);
/* Sentences for the user about a recording that went well enough: how the program ended unless it
 * was well, what the recorder complained about. NULL: nothing. g_free () it. */
char *pv_recording_describe (const PvRecording *recording);

/* Writes out what the recorder still holds, so that a reader of the file sees the last second. */
void pv_recording_flush (PvRecording *recording);

/* Ends it and keeps the file; ended () comes later. The launched program is asked to end (SIGTERM,
 * after 5 s SIGKILL), unless the plan leaves it running. */
void pv_recording_stop (PvRecording *recording);
/* Does not wait for the recorder any longer: kills it. What is there stays. */
void pv_recording_kill (PvRecording *recording);
/* Ends it at once and deletes the file; the launched program as with stop. ended () comes too. */
void pv_recording_discard (PvRecording *recording);

/* Stops what still runs, without waiting, and forgets the events. May be called by them. What then
 * has to be done goes on in the background (record/background.h). */
void pv_recording_free (PvRecording *recording);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvRecording, pv_recording_free)
