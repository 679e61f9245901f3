/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/loading/symbol-fetching.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/format.h"
#include "core/load/missing-files.h"

enum { POLL_MS = 50 };

static volatile sig_atomic_t caught_signal;

static void catch (int number)
{
    caught_signal = number;
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

/* A second signal has its default effect. Signals that are already ignored stay ignored. */
static void
watch_signals (struct sigaction *before)
{
    struct sigaction action = {.sa_handler = catch, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
        if (sigaction (signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            sigaction (signals[i], &action, NULL);
}

static void
restore_signals (const struct sigaction *before)
{
    for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
        sigaction (signals[i], &before[i], NULL);
}

typedef struct {
    const PvMissingFile *missing;
    uint64_t max_bytes;
    PvJob *job;
    gint is_done; /* atomic */
    bool is_new;
    GError *error;
} Fetch;

static gpointer
run_fetch (gpointer data)
{
    Fetch *fetch = data;
    fetch->is_new =
        pv_missing_file_fetch (fetch->missing, fetch->max_bytes, fetch->job, &fetch->error);
    g_atomic_int_set (&fetch->is_done, TRUE);
    return NULL;
}

static void
show_progress (const Fetch *fetch, guint index, guint n)
{
    uint64_t total;
    uint64_t done = pv_job_get_done (fetch->job, &total);
    g_autofree char *name = g_path_get_basename (fetch->missing->path);
    g_autofree char *so_far = pv_format_amount (done, PV_UNIT_BYTES);
    g_autofree char *all = pv_format_amount (total, PV_UNIT_BYTES);
    fputs ("\r\033[K", stderr);
    if (total > 0)
        /* Translators: the number of a file and how many there are, two sizes, a file name */
        fprintf (stderr, _ ("Debug information %u of %u: %s of %s: %s"), index + 1, n, so_far, all,
                 name);
    else
        /* Translators: the number of a file and how many there are, a file name */
        fprintf (stderr, _ ("Debug information %u of %u: waiting for the answer: %s"), index + 1, n,
                 name);
    fflush (stderr);
}

static void
fetch_one (Fetch *fetch, guint index, guint n)
{
    bool is_terminal = isatty (STDERR_FILENO);
    GThread *thread = g_thread_new ("debuginfod", run_fetch, fetch);
    while (!g_atomic_int_get (&fetch->is_done)) {
        if (is_terminal)
            show_progress (fetch, index, n);
        if (caught_signal != 0)
            pv_job_cancel (fetch->job);
        g_usleep (POLL_MS * 1000);
    }
    g_thread_join (thread);
    if (is_terminal)
        fputs ("\r\033[K", stderr);
    if (caught_signal != 0)
        raise (caught_signal);
    g_autofree char *path = g_filename_display_name (fetch->missing->path);
    if (fetch->is_new)
        fprintf (stderr, _ ("Fetched debug information for %s\n"), path);
    else
        fprintf (stderr, "profview: %s: %s\n", path, fetch->error->message);
    g_clear_error (&fetch->error);
}

bool
pv_symbol_fetching_run (const char *const *paths, const PvProfile *profile,
                        const PvSymbolOptions *options, uint64_t max_bytes)
{
    g_autoptr (GPtrArray) all = pv_missing_files_find (paths, profile, options);
    bool has_new = false;
    struct sigaction before[G_N_ELEMENTS (signals)];
    watch_signals (before);
    for (guint i = 0; i < all->len; i++) {
        g_autoptr (PvJob) job = pv_job_new ();
        Fetch fetch = {.missing = all->pdata[i],
                       .max_bytes = max_bytes > 0 ? max_bytes : PV_MISSING_FILE_MAX_BYTES,
                       .job = job};
        fetch_one (&fetch, i, all->len);
        has_new |= fetch.is_new;
    }
    restore_signals (before);
    return has_new;
}
