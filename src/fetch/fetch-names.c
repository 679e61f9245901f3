/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of functions, as gperftools' “pprof remote servers” and Go's net/http/pprof have them.
 * GET answers "num_symbols: N"; N is 0 where the server has no names. POST of addresses with a plus
 * between them, "0x401010+0x402010", answers lines with an address and a name.
 */
#include "fetch/fetch-names.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/answer-text.h"
#include "fetch/fetch-error.h"
#include "fetch/fetch-store.h"
#include "fetch/fetch-transfer.h"
#include "fetch/fetch-url.h"

enum {
    ADDRESSES_PER_REQUEST = 4096,
    MAX_ADDRESSES = 1 << 20,
    MAX_ANSWER_BYTES = 32 << 20,
    MAX_NAME_CHARACTERS = 4096,
    MAX_NAMES_BYTES = 128 << 20, /* of all answers */
    ANSWER_SECONDS = 30,         /* to wait for one answer */
    ALL_SECONDS = 120,           /* for all of them */
};

typedef struct {
    const PvFetchOptions *options;
    GCancellable *cancellable;
    GUri *page;      /* that has the names; NULL: not found */
    bool is_unsure;  /* it did not say so */
    uint64_t *addrs; /* sorted */
    size_t n_addrs, n_asked;
    char **names; /* of addrs; NULL: unknown */
    uint64_t n_bytes;
    int64_t start_us, end_us;
    GError *error; /* why names are missing; NULL: nothing went wrong */
} Names;

/* Requests */

static void
report_progress (const PvFetchProgress *of_request, void *user)
{
    const Names *names = user;
    PvFetchProgress progress = {
        .elapsed_seconds = (double)(g_get_monotonic_time () - names->start_us) / 1e6,
        .n_addresses = names->n_addrs,
        .n_named = names->n_asked,
    };
    names->options->progress (&progress, names->options->user);
}

/* form: NULL to GET. */
static GBytes *
request (Names *names, GUri *url, const char *form, GError **error)
{
    double left_seconds = (double)(names->end_us - g_get_monotonic_time ()) / 1e6;
    double wanted = names->options->timeout_seconds;
    PvFetchOptions options = *names->options;
    options.max_bytes = MAX_ANSWER_BYTES;
    options.timeout_seconds = fmin (wanted > 0 ? wanted : ANSWER_SECONDS, fmax (left_seconds, 0.1));
    options.stall_seconds = options.timeout_seconds;
    options.progress = options.progress != NULL ? report_progress : NULL;
    options.user = names;
    return pv_fetch_transfer_text (url, form, &options, names->cancellable, error);
}

/* Where the names may be, for the n-th time; NULL if there are no more places. jeprof and pprof
 * look beside the profile; other services have one page for all. */
static GUri *
get_place (GUri *url, unsigned n)
{
    static const char *const places[] = {"symbol", "symbolz", "/pprof/symbol", "/symbolz"};
    if (n >= G_N_ELEMENTS (places))
        return NULL;
    if (places[n][0] == '/')
        return pv_fetch_move_url (url, places[n], NULL);
    const char *path = g_uri_get_path (url), *slash = strrchr (path, '/');
    g_autofree char *beside =
        g_strdup_printf ("%.*s/%s", slash != NULL ? (int)(slash - path) : 0, path, places[n]);
    return pv_fetch_move_url (url, beside, NULL);
}

/* True if the server has no such page, or none for us. */
static bool
is_refused (const GError *error)
{
    return error->domain == PV_FETCH_ERROR &&
           (error->code == PV_FETCH_ERROR_NOT_FOUND || error->code == PV_FETCH_ERROR_REFUSED ||
            error->code == PV_FETCH_ERROR_REDIRECT);
}

/* True if the server says that it names functions at this page. */
static bool
has_names (Names *names, GUri *page, bool *ret_is_over)
{
    static const char count[] = "num_symbols:";
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) answer = request (names, page, NULL, &error);
    *ret_is_over = g_cancellable_is_cancelled (names->cancellable);
    if (answer == NULL) {
        if (is_refused (error))
            return false;
        /* A server that does not answer this will not answer more. */
        *ret_is_over = true;
        names->error = g_steal_pointer (&error);
        return false;
    }
    gsize size;
    const char *text = g_bytes_get_data (answer, &size);
    const char *found = size > 0 ? memmem (text, size, count, strlen (count)) : NULL;
    if (found == NULL)
        return false;
    g_autofree char *number = g_strndup (found + strlen (count),
                                         MIN (size - (size_t)(found + strlen (count) - text), 32));
    *ret_is_over = true;
    return g_ascii_strtoull (number, NULL, 10) > 0;
}

/* Servers that only answer POST are asked beside the profile, as by pprof. */
static bool
find_page (Names *names, GUri *url)
{
    GUri *page;
    bool is_over = false;
    g_autoptr (GUri) beside = get_place (url, 0);
    for (unsigned n = 0; !is_over && (page = get_place (url, n)) != NULL; n++) {
        bool is_same = n > 0 && g_str_equal (g_uri_get_path (page), g_uri_get_path (beside));
        if (!is_same && has_names (names, page, &is_over)) {
            names->page = page;
            return true;
        }
        g_uri_unref (page);
    }
    if (is_over || strstr (g_uri_get_path (url), "/pprof/") == NULL)
        return false;
    names->page = g_uri_ref (beside);
    names->is_unsure = true;
    return true;
}

/* Answers */

static int
compare_addrs (const void *a_, const void *b_)
{
    uint64_t a = *(const uint64_t *)a_, b = *(const uint64_t *)b_;
    return (a > b) - (a < b);
}

/* NULL if the server says that it does not know the name either. */
static char *
clean_name (const char *text, size_t len)
{
    g_autofree char *valid = g_utf8_make_valid (text, (gssize)MIN (len, MAX_NAME_CHARACTERS * 6));
    g_autofree char *name = pv_answer_make_line (valid, MAX_NAME_CHARACTERS);
    bool is_unknown = *name == '\0' || g_str_has_prefix (name, "??") ||
                      g_str_has_prefix (name, "0x") || g_str_has_prefix (name, "---");
    return is_unknown ? NULL : g_steal_pointer (&name);
}

/* "0x401010\tNAME". Names of addresses that nobody asked for are left out. */
static void
take_line (Names *names, const char *line, size_t len)
{
    const char *end = line + len;
    while (line < end && g_ascii_isspace (*line))
        line++;
    if (end - line > 2 && line[0] == '0' && (line[1] == 'x' || line[1] == 'X'))
        line += 2;
    uint64_t addr = 0;
    const char *digits = line;
    for (; line < end && g_ascii_isxdigit (*line) && line - digits <= 16; line++)
        addr = addr << 4 | (uint64_t)g_ascii_xdigit_value (*line);
    if (line == digits || line - digits > 16 || line == end || !g_ascii_isspace (*line))
        return;
    const uint64_t *found =
        bsearch (&addr, names->addrs, names->n_addrs, sizeof addr, compare_addrs);
    char **name = found != NULL ? &names->names[found - names->addrs] : NULL;
    if (name == NULL || *name != NULL || names->n_bytes > MAX_NAMES_BYTES)
        return;
    *name = clean_name (line, (size_t)(end - line));
    names->n_bytes += *name != NULL ? strlen (*name) : 0;
}

static void
take_answer (Names *names, GBytes *answer)
{
    gsize size;
    const char *at = g_bytes_get_data (answer, &size);
    const char *end = at + size;
    while (at < end) {
        const char *newline = memchr (at, '\n', (size_t)(end - at));
        size_t len = (size_t)((newline != NULL ? newline : end) - at);
        take_line (names, at, len);
        at += len + 1;
    }
}

static void
ask (Names *names)
{
    while (names->n_asked < names->n_addrs && names->error == NULL &&
           names->n_bytes <= MAX_NAMES_BYTES) {
        size_t n = MIN (names->n_addrs - names->n_asked, ADDRESSES_PER_REQUEST);
        g_autoptr (GString) form = g_string_new (NULL);
        for (size_t i = 0; i < n; i++)
            g_string_append_printf (form, "%s0x%" G_GINT64_MODIFIER "x", i > 0 ? "+" : "",
                                    names->addrs[names->n_asked + i]);
        g_autoptr (GBytes) answer = request (names, names->page, form->str, &names->error);
        if (answer != NULL)
            take_answer (names, answer);
        names->n_asked += n;
    }
    if (names->is_unsure && names->error != NULL && is_refused (names->error))
        g_clear_error (&names->error);
}

/* The file */

/* Puts the names into the file, at once or not at all. */
static void
save (const Names *names, const char *path)
{
    PvFetchStore store;
    g_autofree char *warning =
        names->error != NULL
            /* Translators: a sentence */
            ? g_strdup_printf (_ ("The server did not name all functions: %s"),
                               names->error->message)
            : NULL;
    PvAddressNames found = {names->addrs, names->names, names->n_addrs, warning};
    if (!pv_fetch_store_begin (&store, NULL))
        return;
    if (names->options->put_names (path, &found, store.work_path))
        pv_fetch_store_replace (&store, path);
    pv_fetch_store_clear (&store);
}

/* All of it */

static void
cancel_job (GCancellable *cancellable, PvJob *job)
{
    pv_job_cancel (job);
}

static void
find_addresses (Names *names, const char *path, GUri *url)
{
    g_autoptr (PvJob) job = pv_job_new ();
    GCancellable *cancellable = names->cancellable;
    gulong handler = cancellable != NULL
                         ? g_cancellable_connect (cancellable, G_CALLBACK (cancel_job), job, NULL)
                         : 0;
    names->addrs = names->options->find_nameless (path, pv_fetch_is_local (url),
                                                  names->options->symbols, job, &names->n_addrs);
    g_cancellable_disconnect (cancellable, handler);
    names->n_addrs = names->addrs != NULL ? MIN (names->n_addrs, MAX_ADDRESSES) : 0;
}

void
pv_fetch_names (const char *path, GUri *url, const PvFetchOptions *options, int64_t start_us,
                GCancellable *cancellable)
{
    g_assert (path != NULL && url != NULL && options != NULL);
    if (options->find_nameless == NULL)
        return;
    Names names = {.options = options, .cancellable = cancellable, .start_us = start_us};
    find_addresses (&names, path, url);
    names.end_us = g_get_monotonic_time () + ALL_SECONDS * G_USEC_PER_SEC;
    names.names = g_new0 (char *, names.n_addrs + 1);
    if (names.n_addrs > 0 && find_page (&names, url))
        ask (&names);
    if (!g_cancellable_is_cancelled (cancellable) && (names.page != NULL || names.error != NULL))
        save (&names, path);
    for (size_t i = 0; i < names.n_addrs; i++)
        g_free (names.names[i]);
    g_clear_pointer (&names.page, g_uri_unref);
    g_clear_error (&names.error);
    g_free (names.names);
    g_free (names.addrs);
}
