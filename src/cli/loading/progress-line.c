/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/loading/progress-line.h"

#include <glib/gi18n-lib.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/format.h"

enum { FIRST_MS = 1000, EACH_MS = 250 };

struct PvProgressLine {
    PvJob *job;
    char *writes;
    GThread *thread;
    GMutex mutex;
    GCond cond;
    bool is_over;
    bool has_line; /* of the thread */
};

static char *
describe (const PvProgressLine *self, PvStage stage)
{
    if (self->writes != NULL)
        /* Translators: the name of a file */
        return g_strdup_printf (_ ("Writing %s"), self->writes);
    if (stage == PV_STAGE_SYMBOLS || stage == PV_STAGE_DEBUG_INFO)
        return g_strdup (_ ("Finding names"));
    return g_strdup (stage == PV_STAGE_ANALYZE ? _ ("Adding up") : C_ ("progress", "Reading"));
}

static void
show (PvProgressLine *self)
{
    double fraction;
    PvStage stage = pv_job_get_progress (self->job, &fraction);
    g_autofree char *what = describe (self, stage);
    fprintf (stderr, "\r\033[K%s …", what);
    if (fraction >= 0)
        fprintf (stderr, " %.0f %%", CLAMP (fraction, 0, 1) * 100);
    fflush (stderr);
    self->has_line = true;
}

static gpointer
run (gpointer data)
{
    PvProgressLine *self = data;
    gint64 next_us = g_get_monotonic_time () + FIRST_MS * 1000;
    g_mutex_lock (&self->mutex);
    while (!self->is_over) {
        if (g_cond_wait_until (&self->cond, &self->mutex, next_us) || self->is_over)
            continue;
        show (self);
        next_us = g_get_monotonic_time () + EACH_MS * 1000;
    }
    g_mutex_unlock (&self->mutex);
    return NULL;
}

PvProgressLine *
pv_progress_line_new (const char *writes)
{
    if (isatty (STDERR_FILENO) != 1)
        return NULL;
    PvProgressLine *self = g_new0 (PvProgressLine, 1);
    self->job = pv_job_new ();
    if (writes != NULL) {
        g_autofree char *name = g_path_get_basename (writes);
        self->writes = pv_format_path (name);
    }
    g_mutex_init (&self->mutex);
    g_cond_init (&self->cond);
    self->thread = g_thread_new ("progress", run, self);
    return self;
}

PvJob *
pv_progress_line_get_job (PvProgressLine *self)
{
    return self != NULL ? self->job : NULL;
}

void
pv_progress_line_end (PvProgressLine *self)
{
    if (self == NULL)
        return;
    g_mutex_lock (&self->mutex);
    self->is_over = true;
    g_cond_signal (&self->cond);
    g_mutex_unlock (&self->mutex);
    g_thread_join (self->thread);
    if (self->has_line)
        fputs ("\r\033[K", stderr);
    g_mutex_clear (&self->mutex);
    g_cond_clear (&self->cond);
    pv_job_unref (self->job);
    g_free (self->writes);
    g_free (self);
}
