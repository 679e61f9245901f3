/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A long-running task: a cancel flag and progress, shared between the thread that works and those
 * that watch. All functions may be called from any thread; none takes a lock.
 */
typedef struct PvJob PvJob;

typedef enum {
    PV_STAGE_OPEN,
    PV_STAGE_READ,       /* units: bytes of the file */
    PV_STAGE_SYMBOLS,    /* units: modules */
    PV_STAGE_DEBUG_INFO, /* units: bytes of debug information */
    PV_STAGE_ANALYZE,
    PV_STAGE_FETCH, /* units: bytes of a file that a server sends */
    PV_STAGE_DONE,
} PvStage;

PvJob *pv_job_new (void);
/* Creates a part of a whole job, which may be NULL. A part is cancelled with the whole, and its
 * complete progress in PV_STAGE_READ counts as `units` units of the whole. */
PvJob *pv_job_new_part (PvJob *whole, uint64_t units);
PvJob *pv_job_ref (PvJob *job);
void pv_job_unref (PvJob *job);

void pv_job_cancel (PvJob *job);

/* Every function accepts NULL: a job that is never cancelled and has no progress. */
bool pv_job_is_cancelled (const PvJob *job);

/* False, with PV_JOB_ERROR_CANCELLED, once the job is cancelled. */
bool pv_job_check (const PvJob *job, GError **error);

/* Starts a stage of total units (0: unknown) with none done. */
void pv_job_set_stage (PvJob *job, PvStage stage, uint64_t total);
void pv_job_set_done (PvJob *job, uint64_t done);
void pv_job_add_done (PvJob *job, uint64_t amount);

/* The current stage and its fraction 0..1, or -1 if the total is unknown. */
PvStage pv_job_get_progress (const PvJob *job, double *ret_fraction);
/* How many units of the current stage are done, and how many there are; 0: unknown. */
uint64_t pv_job_get_done (const PvJob *job, uint64_t *ret_total);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvJob, pv_job_unref)
