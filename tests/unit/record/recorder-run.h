/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/run/recording.h"

/*
 * A recording from its start to its end, in the default main context. What is to be done to it in
 * between is a function that is called every 20 ms while it runs, until it says that it is done.
 */
typedef bool (*RecorderDo) (PvRecording *recording, void *user);

typedef struct {
    PvRecording *recording; /* ended, NULL if it did not even start */
    GError *error;          /* of the start, or a copy of the recording's; NULL: none */
    char *says;             /* pv_recording_describe () */
} RecorderRun;

RecorderRun recorder_run (const PvRecordPlan *plan, RecorderDo action, void *user);
void recorder_run_clear (RecorderRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RecorderRun, recorder_run_clear)

/* For actions, once it has recorded that many seconds. */
bool recorder_runs_since (const PvRecording *recording, double seconds);

/* For actions, whether its file, which is of heaptrack, tells of allocations by now. */
bool recorder_has_allocations (PvRecording *recording);

/* A plan of a kind for a program and its arguments, up to NULL; output in a new folder. */
PvRecordPlan *recorder_make_plan (PvRecordKind kind, const char *folder, const char *program,
                                  ...) G_GNUC_NULL_TERMINATED;

/* The content of a file of whole zstd frames; fails if it is not one. */
GString *recorder_unpack (const char *path);
