/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/loading/symbol-fetching.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/load/missing-files.h"
#include "core/symbolize/files/source-files.h"

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

/* A file that is fetched in a thread. */
typedef struct Fetch {
    bool (*run) (struct Fetch *fetch);
    const char *path; /* that the user knows it by */
    char *what;       /* "Debug information 1 of 3" */
    const PvMissingFile *missing;
    uint64_t max_bytes;
    const PvProfile *profile; /* of a source file, and what its module is */
    PvModuleId module;
    const char *binary;
    PvJob *job;
    gint is_done; /* atomic */
    bool is_new;
    GError *error;
} Fetch;

static bool
run_missing (Fetch *fetch)
{
    return pv_missing_file_fetch (fetch->missing, fetch->max_bytes, fetch->job, &fetch->error);
}

static bool
run_source (Fetch *fetch)
{
    return pv_source_file_fetch (fetch->profile, fetch->path, fetch->module, fetch->binary,
                                 fetch->job, &fetch->error);
}

static gpointer
run_fetch (gpointer data)
{
    Fetch *fetch = data;
    fetch->is_new = fetch->run (fetch);
    g_atomic_int_set (&fetch->is_done, TRUE);
    return NULL;
}

static void
show_progress (const Fetch *fetch)
{
    uint64_t total;
    uint64_t done = pv_job_get_done (fetch->job, &total);
    g_autofree char *base = g_path_get_basename (fetch->path);
    g_autofree char *name = pv_format_path (base);
    g_autofree char *so_far = pv_format_amount (done, PV_UNIT_BYTES);
    g_autofree char *all = pv_format_amount (total, PV_UNIT_BYTES);
    fputs ("\r\033[K", stderr);
    if (total > 0)
        /* Translators: what is fetched, two sizes, a file name */
        fprintf (stderr, _ ("%s: %s of %s: %s"), fetch->what, so_far, all, name);
    else
        /* Translators: what is fetched, a file name */
        fprintf (stderr, _ ("%s: waiting for the answer: %s"), fetch->what, name);
    fflush (stderr);
}

/* Waits for it, and says how it went: fetched with the name of the file. */
static void
fetch_one (Fetch *fetch, const char *fetched)
{
    bool is_terminal = isatty (STDERR_FILENO);
    GThread *thread = g_thread_new ("debuginfod", run_fetch, fetch);
    while (!g_atomic_int_get (&fetch->is_done)) {
        if (is_terminal)
            show_progress (fetch);
        if (caught_signal != 0)
            pv_job_cancel (fetch->job);
        g_usleep (POLL_MS * 1000);
    }
    g_thread_join (thread);
    if (is_terminal)
        fputs ("\r\033[K", stderr);
    if (caught_signal != 0)
        raise (caught_signal);
    g_autofree char *path = pv_format_path (fetch->path);
    if (fetch->is_new)
        fprintf (stderr, "%s %s\n", fetched, path);
    else
        fprintf (stderr, "profview: %s: %s\n", path, fetch->error->message);
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
        const PvMissingFile *missing = all->pdata[i];
        g_autoptr (PvJob) job = pv_job_new ();
        /* Translators: the number of a file and how many there are */
        g_autofree char *what = g_strdup_printf (_ ("Debug information %u of %u"), i + 1, all->len);
        Fetch fetch = {.run = run_missing,
                       .path = missing->path,
                       .what = what,
                       .missing = missing,
                       .max_bytes = max_bytes > 0 ? max_bytes : PV_MISSING_FILE_MAX_BYTES,
                       .job = job};
        fetch_one (&fetch, _ ("Fetched debug information for"));
        g_clear_error (&fetch.error);
        has_new |= fetch.is_new;
    }
    restore_signals (before);
    return has_new;
}

bool
pv_symbol_fetching_fetch_source (const PvProfile *profile, const char *path, PvModuleId module,
                                 const char *binary, bool *ret_is_gone)
{
    g_assert (profile != NULL && path != NULL && ret_is_gone != NULL);
    struct sigaction before[G_N_ELEMENTS (signals)];
    g_autoptr (PvJob) job = pv_job_new ();
    g_autofree char *what = g_strdup (C_ ("progress", "Source"));
    Fetch fetch = {.run = run_source,
                   .path = path,
                   .what = what,
                   .profile = profile,
                   .module = module,
                   .binary = binary,
                   .job = job};
    watch_signals (before);
    fetch_one (&fetch, C_ ("progress", "Fetched"));
    restore_signals (before);
    *ret_is_gone = fetch.error != NULL &&
                   !g_error_matches (fetch.error, PV_READ_ERROR, PV_READ_ERROR_NOT_FOUND) &&
                   !g_error_matches (fetch.error, PV_READ_ERROR, PV_READ_ERROR_TOO_LARGE);
    g_clear_error (&fetch.error);
    return fetch.is_new;
}
