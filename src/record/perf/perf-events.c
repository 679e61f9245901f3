/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses the text of perf-list(1): names, with their group in brackets or in a heading, and below a
 * name, indented and in brackets, its description. The metrics at the end are computed from events
 * and cannot be recorded.
 *
 *     List of pre-defined events (to be used in -e or -M):
 *
 *       cpu-cycles OR cycles                               [Hardware event]
 *     cache:
 *       l1d.replacement
 *            [Counts the number of cache lines replaced in L1 data cache]
 */
#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "record/plan/perf-event-text.h"
#include "record/process/programs.h"
#include "record/process/tool.h"
#include "record/run/recording.h"

enum {
    MAX_TEXT_BYTES = 16 << 20,
    MAX_EVENTS = 50000,
    BLOCK_BYTES = 1 << 16,
    PATIENCE_SECONDS = 20,
    POLL_MS = 100,
};

static void
free_event (void *data)
{
    PvEvent *event = data;
    g_free (event->name);
    g_free (event->group);
    g_free (event->description);
    g_free (event);
}

/* Reading the list */

/* The first plain name in "cpu-cycles OR cycles OR cpu/cpu-cycles/"; but prefers "cycles", as the
 * default event is called everywhere. */
static char *
pick_name (const char *names)
{
    g_auto (GStrv) all = g_strsplit (names, " OR ", -1);
    const char *best = NULL;
    for (char **name = all; *name != NULL; name++) {
        g_strstrip (*name);
        bool is_better =
            best == NULL || strcmp (*name, "cycles") == 0 ||
            (strchr (best, '/') != NULL && strchr (*name, '/') == NULL && **name != '\0');
        if (is_better)
            best = *name;
    }
    return best != NULL && *best != '\0' ? g_strdup (best) : NULL;
}

static bool
can_be_recorded (const char *name, const char *group)
{
    /* Skip patterns for raw events, events for perf stat only, and events that must be created
     * first. */
    return name != NULL && strpbrk (name, "<[ \t,") == NULL && strcmp (name, "rNNN") != 0 &&
           strstr (group, "descriptor") == NULL && strcmp (group, "Tool event") != 0 &&
           strcmp (group, "SDT event") != 0;
}

static void
take_event (GPtrArray *events, char *line, const char *heading)
{
    const char *group = heading;
    char *bracket = strrchr (line, '[');
    size_t len = strlen (line);
    if (bracket != NULL && bracket > line && g_ascii_isspace (bracket[-1]) &&
        line[len - 1] == ']') {
        line[len - 1] = '\0';
        *bracket = '\0';
        group = bracket + 1;
    }
    g_autofree char *name = pick_name (line);
    if (!can_be_recorded (name, group))
        return;
    PvEvent *event = g_new0 (PvEvent, 1);
    event->name = g_steal_pointer (&name);
    event->group = g_strdup (group);
    g_ptr_array_add (events, event);
}

static void
add_description (PvEvent *event, const char *text)
{
    size_t len = strlen (text);
    bool is_first = event->description == NULL;
    if (is_first && *text == '[') {
        text++;
        len--;
    }
    if (len > 0 && text[len - 1] == ']')
        len--;
    char *joined = g_strdup_printf ("%s%s%.*s", is_first ? "" : event->description,
                                    is_first ? "" : " ", (int)len, text);
    g_free (event->description);
    event->description = joined;
}

GPtrArray *
pv_perf_events_parse (const char *text)
{
    GPtrArray *events = g_ptr_array_new_with_free_func (free_event);
    g_autofree char *heading = g_strdup ("");
    bool is_described = false; /* the last line was an accepted event or its description */
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    for (char **line = lines; *line != NULL && events->len < MAX_EVENTS; line++) {
        size_t indent = strspn (*line, " \t");
        char *content = g_strchomp (*line + indent);
        if (*content == '\0')
            is_described = false;
        else if (indent == 0) {
            is_described = false;
            if (g_str_has_prefix (content, "Metric"))
                break;
            size_t len = strlen (content);
            g_free (heading);
            /* "List of pre-defined events (to be used in -e or -M):" is no group. */
            bool is_group = content[len - 1] == ':' && strchr (content, '(') == NULL;
            heading = is_group ? g_strndup (content, len - 1) : g_strdup ("");
        } else if (indent <= 3 && *content != '[') {
            unsigned n_before = events->len;
            take_event (events, content, heading);
            is_described = events->len > n_before;
        } else if (is_described)
            add_description (g_ptr_array_index (events, events->len - 1), content);
    }
    return events;
}

/* Asking perf */

/* Reads fd to its end; NULL: cancelled, timed out, or too much text. */
static char *
read_all (int fd, GCancellable *cancellable)
{
    g_autoptr (GString) text = g_string_new (NULL);
    int64_t deadline_us = g_get_monotonic_time () + PATIENCE_SECONDS * G_USEC_PER_SEC;
    g_autofree char *block = g_malloc (BLOCK_BYTES);
    for (;;) {
        if (g_cancellable_is_cancelled (cancellable) || g_get_monotonic_time () > deadline_us ||
            text->len > MAX_TEXT_BYTES)
            return NULL;
        struct pollfd file = {.fd = fd, .events = POLLIN};
        if (poll (&file, 1, POLL_MS) <= 0)
            continue;
        ssize_t n = read (fd, block, BLOCK_BYTES);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            break;
        g_string_append_len (text, block, n);
    }
    g_autofree char *valid = g_utf8_make_valid (text->str, (gssize)text->len);
    return g_steal_pointer (&valid);
}

static char *
ask_perf (const char *perf, GCancellable *cancellable, GError **error)
{
    int ends[2];
    if (!g_unix_open_pipe (ends, FD_CLOEXEC, error))
        return NULL;
    g_auto (GStrv) environment = g_environ_unsetenv (g_get_environ (), "DEBUGINFOD_URLS");
    environment = g_environ_setenv (environment, "LC_ALL", "C", true);
    PvToolOptions options = {
        .argv = (const char *const[]){perf, "list", NULL},
        .environment = (const char *const *)environment,
        .fds = (int[]){-1, ends[1]},
        .n_fds = 2,
        .last_signal = SIGKILL,
    };
    g_autoptr (PvTool) tool = pv_tool_start (&options, NULL, NULL, error);
    /* Only perf may hold the writing end, or the pipe never ends. */
    close (ends[1]);
    char *text = tool != NULL ? read_all (ends[0], cancellable) : NULL;
    close (ends[0]);
    if (tool == NULL)
        return NULL;
    if (text == NULL)
        pv_tool_signal (tool, SIGKILL);
    if (text == NULL && !g_cancellable_set_error_if_cancelled (cancellable, error))
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                             _ ("perf took too long to list its events."));
    return text;
}

GPtrArray *
pv_events_list (GCancellable *cancellable, GError **error)
{
    g_autofree char *perf = g_find_program_in_path ("perf");
    g_autofree char *text = NULL;
    if (perf == NULL)
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
                             _ ("perf is not installed."));
    else
        text = ask_perf (perf, cancellable, error);
    GPtrArray *events = pv_perf_events_parse (text != NULL ? text : "");
    if (text != NULL && events->len == 0)
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                             _ ("perf did not list its events."));
    return events;
}
