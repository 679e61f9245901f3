/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/fetching.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/options/prompt.h"
#include "core/base/format.h"
#include "core/load/load.h"
#include "core/load/nameless.h"
#include "core/load/put-names.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-url.h"
#include "fetch/fetch.h"

enum { DEFAULT_INTERVAL_SECONDS = 10, MAX_QUESTIONS = 3 };

bool
pv_fetching_is_url (const char *argument)
{
    return pv_fetch_is_url (argument) ||
           (pv_fetch_is_address (argument) && !g_file_test (argument, G_FILE_TEST_EXISTS));
}

char *
pv_fetching_format_argument (const char *argument)
{
    return pv_fetching_is_url (argument) ? pv_fetch_format_url (argument)
                                         : pv_format_path (argument);
}

typedef struct {
    GMainLoop *loop;
    GCancellable *cancellable;
    const char *shown_url;
    bool is_terminal;
    int signal;      /* that cancelled the fetch; 0: none */
    bool is_pausing; /* between two fetches */
    bool is_done;    /* the fetch or the pause is over */
    char *path;
    GError *error;
} Fetch;

/* Progress on a terminal */

static void
clear_line (const Fetch *fetch)
{
    if (fetch->is_terminal)
        fputs ("\r\033[K", stderr);
}

static void
show_line (const Fetch *fetch, const char *what)
{
    if (!fetch->is_terminal)
        return;
    struct winsize size;
    bool is_known = ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    g_autofree char *line = g_strdup_printf ("%s: %s", what, fetch->shown_url);
    /* clear_line () cannot clear a wrapped line. */
    if (is_known && g_utf8_strlen (line, -1) >= size.ws_col)
        *g_utf8_offset_to_pointer (line, size.ws_col - 1) = '\0';
    clear_line (fetch);
    fputs (line, stderr);
    fflush (stderr);
}

static void
show_progress (const PvFetchProgress *progress, void *user)
{
    g_autofree char *so_far = pv_format_amount (progress->n_bytes, PV_UNIT_BYTES);
    g_autofree char *what = NULL;
    if (progress->n_addresses > 0) {
        g_autofree char *n_named = pv_format_count (progress->n_named);
        g_autofree char *n_all = pv_format_count (progress->n_addresses);
        /* Translators: two numbers of functions */
        what = g_strdup_printf (_ ("asking for names, %s of %s"), n_named, n_all);
    } else if (progress->n_bytes > 0 && progress->expected_bytes > 0) {
        g_autofree char *all = pv_format_amount (progress->expected_bytes, PV_UNIT_BYTES);
        /* Translators: sizes */
        what = g_strdup_printf (_ ("%s of %s"), so_far, all);
    } else if (progress->n_bytes > 0)
        what = g_steal_pointer (&so_far);
    else if (progress->record_seconds > 0 && progress->elapsed_seconds < progress->record_seconds)
        what = g_strdup_printf (_ ("recording, %.0f of %.0f s"), progress->elapsed_seconds,
                                progress->record_seconds);
    else
        what = g_strdup_printf (_ ("waiting for the answer, %.0f s"), progress->elapsed_seconds);
    show_line (user, what);
}

/* Signals */

static gboolean
cancel_by (Fetch *fetch, int number)
{
    if (fetch->signal != 0) { /* a second signal ends the program at once */
        signal (number, SIG_DFL);
        raise (number);
    }
    fetch->signal = number;
    fetch->is_done |= fetch->is_pausing;
    g_cancellable_cancel (fetch->cancellable);
    g_main_loop_quit (fetch->loop);
    return G_SOURCE_CONTINUE;
}

static gboolean
on_interrupt (gpointer data)
{
    return cancel_by (data, SIGINT);
}

static gboolean
on_terminate (gpointer data)
{
    return cancel_by (data, SIGTERM);
}

static gboolean
on_hangup (gpointer data)
{
    return cancel_by (data, SIGHUP);
}

/* A signal that is already ignored stays ignored. */
static guint
watch_signal (int number, GSourceFunc handler, Fetch *fetch)
{
    struct sigaction action;
    bool is_ignored = sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
    return is_ignored ? 0 : g_unix_signal_add (number, handler, fetch);
}

/* Runs the main loop until fetch->is_done; nothing else uses it in a headless command. */
static void
run_with_signals (Fetch *fetch)
{
    guint sources[] = {watch_signal (SIGINT, on_interrupt, fetch),
                       watch_signal (SIGTERM, on_terminate, fetch),
                       watch_signal (SIGHUP, on_hangup, fetch)};
    while (!fetch->is_done)
        g_main_loop_run (fetch->loop);
    for (size_t i = 0; i < G_N_ELEMENTS (sources); i++)
        g_clear_handle_id (&sources[i], g_source_remove);
    clear_line (fetch);
    if (fetch->signal != 0)
        raise (fetch->signal); /* ends the program as if the signal had not been caught */
}

/* Fetching */

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer data)
{
    Fetch *fetch = data;
    fetch->path = pv_fetch_finish (result, &fetch->error);
    fetch->is_done = true;
    g_main_loop_quit (fetch->loop);
}

static char *
fetch_url (Fetch *fetch, const PvFetching *fetching, const char *url, GError **error)
{
    PvFetchOptions options = {
        .is_profile = pv_load_is_profile,
        .describe = pv_load_describe_foreign,
        .find_nameless = pv_load_find_nameless,
        .put_names = pv_load_put_names,
        .symbols = fetching->symbols,
        .tls = fetching->tls,
        .progress = show_progress,
        .user = fetch,
        .max_bytes = fetching->max_bytes,
        .timeout_seconds = fetching->timeout_seconds,
    };
    g_autofree char *shown = pv_fetch_format_url (url);
    fetch->shown_url = shown;
    fetch->is_done = false;
    pv_fetch_async (url, &options, fetch->cancellable, on_fetched, fetch);
    run_with_signals (fetch);
    if (fetch->error != NULL)
        g_propagate_error (error, g_steal_pointer (&fetch->error));
    else if (fetch->is_terminal) {
        g_autofree char *where = pv_format_path (fetch->path);
        fprintf (stderr, _ ("Saved as %s"), where);
        fputc ('\n', stderr);
    }
    return g_steal_pointer (&fetch->path);
}

/* Adds to the message of error which other paths were requested for url. */
static void
tell_guesses (GError *error, const char *url)
{
    g_autofree char *paths =
        pv_fetch_error_is_elsewhere (error) ? pv_fetch_list_guesses (url) : NULL;
    if (paths == NULL)
        return;
    g_autofree char *message = g_steal_pointer (&error->message);
    if (g_str_has_suffix (message, "."))
        message[strlen (message) - 1] = '\0';
    /* Translators: a message, and a list of paths */
    error->message = g_strdup_printf (_ ("%s; there is nothing at %s either"), message, paths);
}

/* Asks for a name and a password, and puts them into *url. */
static bool
ask_who (char **url)
{
    g_autofree char *shown = pv_fetch_format_url (*url);
    /* Translators: %s is a URL; the answer is typed after it. */
    g_autofree char *question = g_strdup_printf (_ ("User name for %s:"), shown);
    g_autofree char *user = pv_prompt (question, false);
    g_autofree char *password = user != NULL ? pv_prompt (C_ ("prompt", "Password:"), true) : NULL;
    if (password == NULL)
        return false;
    char *named = pv_fetch_add_user (*url, user, password);
    g_free (*url);
    *url = named;
    return true;
}

/* Like fetch_url (), but where the server wants a name and a password, asks for them on a
 * terminal. */
static char *
fetch_as_someone (Fetch *fetch, const PvFetching *fetching, char **url, GError **error)
{
    for (unsigned n = 0;; n++) {
        g_autoptr (GError) refused = NULL;
        char *path = fetch_url (fetch, fetching, *url, &refused);
        bool is_asked = g_error_matches (refused, PV_FETCH_ERROR, PV_FETCH_ERROR_UNAUTHORIZED);
        if (path != NULL)
            return path;
        if (is_asked && n < MAX_QUESTIONS && ask_who (url))
            continue;
        g_propagate_error (error, g_steal_pointer (&refused));
        return NULL;
    }
}

/* Where the server does not know *url, asks for what may be meant, and says so. Then *url is where
 * the profile was found. */
static char *
fetch_once (Fetch *fetch, const PvFetching *fetching, char **url, GError **error)
{
    g_autoptr (GError) not_found = NULL;
    char *path = fetch_as_someone (fetch, fetching, url, &not_found);
    for (unsigned n = 0; path == NULL; n++) {
        g_autofree char *guess =
            pv_fetch_error_is_elsewhere (not_found) ? pv_fetch_guess_url (*url, n) : NULL;
        if (guess == NULL)
            break;
        g_autofree char *asked = pv_fetch_format_url (*url), *shown = pv_fetch_format_url (guess);
        g_autoptr (GError) next = NULL;
        path = fetch_as_someone (fetch, fetching, &guess, &next);
        if (path != NULL) {
            fprintf (stderr, "profview: %s: ", asked);
            /* Translators: a URL */
            fprintf (stderr, _ ("not found, so this is %s"), shown);
            fputc ('\n', stderr);
            g_free (*url);
            *url = g_steal_pointer (&guess);
        } else if (!pv_fetch_error_is_elsewhere (next)) {
            g_propagate_prefixed_error (error, g_steal_pointer (&next), "%s: ", shown);
            return NULL;
        }
    }
    if (path != NULL)
        return path;
    tell_guesses (not_found, *url);
    g_propagate_error (error, g_steal_pointer (&not_found));
    return NULL;
}

static gboolean
end_pause (gpointer data)
{
    Fetch *fetch = data;
    fetch->is_done = true;
    g_main_loop_quit (fetch->loop);
    return G_SOURCE_REMOVE;
}

/* Intervals run from start to start; if a fetch took longer, the next starts at once. */
static bool
pause_until (Fetch *fetch, const char *url, int64_t until_us, GError **error)
{
    int64_t left_us = until_us - g_get_monotonic_time ();
    if (left_us <= 0)
        return true;
    fetch->is_done = false;
    fetch->is_pausing = true;
    guint timer = g_timeout_add ((guint)(left_us / 1000), end_pause, fetch);
    g_autofree char *shown = pv_fetch_format_url (url);
    fetch->shown_url = shown;
    show_line (fetch, _ ("waiting for the next fetch"));
    run_with_signals (fetch);
    fetch->is_pausing = false;
    if (fetch->signal != 0)
        g_source_remove (timer);
    return !g_cancellable_set_error_if_cancelled (fetch->cancellable, error);
}

static char **
fetch_all (Fetch *fetch, const PvFetching *fetching, char **url, GError **error)
{
    g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
    double interval =
        fetching->interval_seconds > 0 ? fetching->interval_seconds : DEFAULT_INTERVAL_SECONDS;
    int64_t start_us = g_get_monotonic_time ();
    for (int i = 0; i < MAX (fetching->repeat, 1); i++) {
        if (!pause_until (fetch, *url, start_us + (int64_t)(i * interval * 1e6), error))
            return NULL;
        g_autofree char *path = fetch_once (fetch, fetching, url, error);
        if (path == NULL)
            return NULL;
        g_strv_builder_add (paths, path);
    }
    return g_strv_builder_end (paths);
}

char **
pv_fetching_fetch (const PvFetching *fetching, const char *argument, GError **error)
{
    g_assert (fetching != NULL && argument != NULL);
    g_autofree char *url =
        pv_fetch_make_url (argument, NULL, (unsigned)MAX (fetching->seconds, 0), error);
    if (url == NULL)
        return NULL;
    g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    Fetch fetch = {
        .loop = loop, .cancellable = cancellable, .is_terminal = isatty (STDERR_FILENO) == 1};
    return fetch_all (&fetch, fetching, &url, error);
}
