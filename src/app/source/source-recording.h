/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/source/source.h"
#include "record/run/recording.h"

/* State of a recording, for the user. */
typedef struct {
    const PvRecordPlan *plan;
    const PvRecording *recording; /* also when it has ended; NULL: it has not started */
    gboolean is_recording;        /* it has not ended */
    gboolean is_discarded;
    uint64_t n_recorded; /* samples, allocations or dumps in what was loaded last */
    uint64_t n_lost;
} PvRecordingStatus;

/* Records, and delivers what there is by then while the recording goes on; after that it is a
 * source of the file. plan is copied. */
PvSource *pv_recording_source_new (const PvRecordPlan *plan);
/* The functions below take only such sources. */
gboolean pv_source_is_recording (const PvSource *source);

/* Valid until the next change. */
PvRecordingStatus pv_recording_source_get_status (const PvSource *source);
/* While nobody sees it, nothing is loaded before the recording has ended. */
void pv_recording_source_set_hidden (PvSource *source, gboolean is_hidden);
/* As in recording-session.h. */
int pv_recording_source_take_terminal (PvSource *source);
/* As in recording.h. Nothing happens unless something is being recorded. */
void pv_recording_source_stop (PvSource *source);
void pv_recording_source_kill (PvSource *source);
void pv_recording_source_discard (PvSource *source);
