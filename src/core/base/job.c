/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/job.h"

#include <glib/gi18n-lib.h>
#include <stdatomic.h>

#include "core/base/error.h"

struct PvJob {
    atomic_int ref_count;
    atomic_bool is_cancelled;
    atomic_int stage;
    atomic_uint_fast64_t total;
    atomic_uint_fast64_t done;

    PvJob *whole;                  /* NULL: this is not a part */
    uint64_t units;                /* of the whole that this part has */
    atomic_uint_fast64_t reported; /* units added to the whole */
};

PvJob *
pv_job_new (void)
{
    PvJob *job = g_new0 (PvJob, 1);
    atomic_init (&job->ref_count, 1);
    return job;
}

PvJob *
pv_job_new_part (PvJob *whole, uint64_t units)
{
    PvJob *job = pv_job_new ();
    job->whole = whole != NULL ? pv_job_ref (whole) : NULL;
    job->units = units;
    return job;
}

PvJob *
pv_job_ref (PvJob *job)
{
    g_assert (job != NULL);
    atomic_fetch_add_explicit (&job->ref_count, 1, memory_order_relaxed);
    return job;
}

void
pv_job_unref (PvJob *job)
{
    if (job == NULL || atomic_fetch_sub_explicit (&job->ref_count, 1, memory_order_acq_rel) > 1)
        return;
    pv_job_unref (job->whole);
    g_free (job);
}

void
pv_job_cancel (PvJob *job)
{
    g_assert (job != NULL);
    atomic_store (&job->is_cancelled, true);
}

bool
pv_job_is_cancelled (const PvJob *job)
{
    for (; job != NULL; job = job->whole) {
        if (atomic_load_explicit (&job->is_cancelled, memory_order_relaxed))
            return true;
    }
    return false;
}

bool
pv_job_check (const PvJob *job, GError **error)
{
    if (!pv_job_is_cancelled (job))
        return true;
    g_set_error_literal (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED, C_ ("error", "Cancelled"));
    return false;
}

void
pv_job_set_stage (PvJob *job, PvStage stage, uint64_t total)
{
    if (job == NULL)
        return;
    atomic_store (&job->total, 0);
    atomic_store (&job->done, 0);
    atomic_store (&job->stage, (int)stage);
    atomic_store (&job->total, total);
}

/* Adds the progress since the last call to the whole. Files may be read in several passes, so only
 * progress beyond the furthest point counts. */
static void
report_part (PvJob *job)
{
    uint64_t total = atomic_load_explicit (&job->total, memory_order_relaxed);
    uint64_t done = atomic_load_explicit (&job->done, memory_order_relaxed);
    if (atomic_load_explicit (&job->stage, memory_order_relaxed) != PV_STAGE_READ || total == 0)
        return;
    uint64_t units = (uint64_t)((double)MIN (done, total) / (double)total * (double)job->units);
    uint64_t before = atomic_load_explicit (&job->reported, memory_order_relaxed);
    while (units > before && !atomic_compare_exchange_weak (&job->reported, &before, units))
        ;
    if (units > before)
        pv_job_add_done (job->whole, units - before);
}

void
pv_job_set_done (PvJob *job, uint64_t done)
{
    if (job == NULL)
        return;
    atomic_store_explicit (&job->done, done, memory_order_relaxed);
    if (job->whole != NULL)
        report_part (job);
}

void
pv_job_add_done (PvJob *job, uint64_t amount)
{
    if (job == NULL)
        return;
    atomic_fetch_add_explicit (&job->done, amount, memory_order_relaxed);
    if (job->whole != NULL)
        report_part (job);
}

PvStage
pv_job_get_progress (const PvJob *job, double *ret_fraction)
{
    g_assert (job != NULL && ret_fraction != NULL);
    uint64_t total = atomic_load (&job->total);
    uint64_t done = atomic_load (&job->done);
    *ret_fraction = total > 0 ? MIN ((double)done / (double)total, 1.0) : -1.0;
    return (PvStage)atomic_load (&job->stage);
}

uint64_t
pv_job_get_done (const PvJob *job, uint64_t *ret_total)
{
    g_assert (ret_total != NULL);
    *ret_total = job != NULL ? atomic_load (&job->total) : 0;
    return job != NULL ? atomic_load (&job->done) : 0;
}
