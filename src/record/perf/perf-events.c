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
#include <glib/gi18n-lib.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/subprocess.h"
#include "record/plan/perf-event-text.h"
#include "record/process/programs.h"
#include "record/run/recording.h"

enum {
    MAX_TEXT_BYTES = 16 << 20,
    MAX_EVENTS = 50000,
    PATIENCE_MS = 20000,
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

/* How perf ends does not matter if it has listed events. */
static char *
ask_perf (const char *perf, PvJob *job, GError **error)
{
    g_auto (GStrv) environment = g_environ_unsetenv (g_get_environ (), "DEBUGINFOD_URLS");
    environment = g_environ_setenv (environment, "LC_ALL", "C", true);
    const PvSubprocessRun run = {
        .argv = (const char *const[]){perf, "list", NULL},
        .environment = (const char *const *)environment,
        .max_output = MAX_TEXT_BYTES,
        .max_ms = PATIENCE_MS,
    };
    int status;
    g_autoptr (GError) cause = NULL;
    g_autoptr (GString) text = pv_subprocess_run (&run, job, &status, &cause);
    if (text != NULL)
        return g_utf8_make_valid (text->str, (gssize)text->len);
    if (g_error_matches (cause, G_SPAWN_ERROR, G_SPAWN_ERROR_TOO_BIG))
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                             _ ("perf took too long to list its events."));
    else
        g_propagate_error (error, g_steal_pointer (&cause));
    return NULL;
}

GPtrArray *
pv_events_list (PvJob *job, GError **error)
{
    g_autofree char *perf = g_find_program_in_path ("perf");
    if (perf == NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
                             _ ("perf is not installed."));
        return NULL;
    }
    g_autofree char *text = ask_perf (perf, job, error);
    g_autoptr (GPtrArray) events = text != NULL ? pv_perf_events_parse (text) : NULL;
    if (events == NULL || events->len > 0)
        return g_steal_pointer (&events);
    g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                         _ ("perf did not list its events."));
    return NULL;
}
