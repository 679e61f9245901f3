/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf reports problems only as text that differs between versions; this recognizes the most stable
 * phrases. perf runs in the C locale. Unrecognized messages are quoted in the error. Based on the
 * messages of perf 4.19 to 6.12.
 */
#include "record/perf/perf-messages.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/base/answer-text.h"
#include "record/run/recording.h"

enum { MAX_LINE_BYTES = 1000, PKEXEC_DISMISSED = 126, PKEXEC_NOT_AUTHORIZED = 127 };

typedef struct {
    const char *part; /* any case */
    PvPerfProblem problem;
} Phrase;

/* The first match counts. */
static const Phrase phrases[] = {
    {"no space left on device", PV_PERF_PROBLEM_DISK_FULL},
    {"disk quota exceeded", PV_PERF_PROBLEM_DISK_FULL},
    {"file too large", PV_PERF_PROBLEM_DISK_FULL},
    {"failed to write perf data", PV_PERF_PROBLEM_CANNOT_WRITE},
    {"failed to open", PV_PERF_PROBLEM_OTHER},
    {"permission error mapping pages", PV_PERF_PROBLEM_LOCKED_MEMORY},
    {"no permissions to read", PV_PERF_PROBLEM_NO_TRACING},
    {"tracefs filesystem", PV_PERF_PROBLEM_NO_TRACING},
    {"unable to find debugfs", PV_PERF_PROBLEM_NO_TRACING},
    {"perf not found for kernel", PV_PERF_PROBLEM_WRONG_PERF},
    {"unknown option", PV_PERF_PROBLEM_WRONG_PERF},
    {"unknown switch", PV_PERF_PROBLEM_WRONG_PERF},
    {"no support to record build id", PV_PERF_PROBLEM_WRONG_PERF},
    {"branch stack sampling", PV_PERF_PROBLEM_NO_BRANCHES},
    {"branch sampling", PV_PERF_PROBLEM_NO_BRANCHES},
    {"observability operations is limited", PV_PERF_PROBLEM_NOT_PERMITTED},
    {"you may not have permission", PV_PERF_PROBLEM_NOT_PERMITTED},
    {"no permission to", PV_PERF_PROBLEM_NOT_PERMITTED},
    {"(operation not permitted)", PV_PERF_PROBLEM_NOT_PERMITTED},
    {"(permission denied)", PV_PERF_PROBLEM_NOT_PERMITTED},
    {"maps: no such process", PV_PERF_PROBLEM_NO_TARGET},
    {"(no such process)", PV_PERF_PROBLEM_NO_TARGET},
    {"problems finding running", PV_PERF_PROBLEM_NO_TARGET},
    {"too many events are opened", PV_PERF_PROBLEM_MANY_FILES},
    {"(too many open files)", PV_PERF_PROBLEM_MANY_FILES},
    {"event syntax error", PV_PERF_PROBLEM_NO_EVENT},
    {"event is not supported", PV_PERF_PROBLEM_NO_EVENT},
    {"(no such file or directory)", PV_PERF_PROBLEM_NO_EVENT},
    {"(no such device)", PV_PERF_PROBLEM_NO_EVENT},
    {"(invalid argument)", PV_PERF_PROBLEM_NO_EVENT},
    {"does not support", PV_PERF_PROBLEM_NO_EVENT},
    {"doesn't support", PV_PERF_PROBLEM_NO_EVENT},
    {"(device or resource busy)", PV_PERF_PROBLEM_BUSY},
    {"pmu counters are busy", PV_PERF_PROBLEM_BUSY},
    {"error:", PV_PERF_PROBLEM_OTHER},
    {"failed", PV_PERF_PROBLEM_OTHER},
};

static bool
is_more_specific (PvPerfProblem now, PvPerfProblem then)
{
    /* Messages about rights may begin with "event syntax error". */
    return then <= PV_PERF_PROBLEM_OTHER ||
           (then == PV_PERF_PROBLEM_NO_EVENT && now == PV_PERF_PROBLEM_NO_TRACING) ||
           (then == PV_PERF_PROBLEM_CANNOT_WRITE && now == PV_PERF_PROBLEM_DISK_FULL);
}

static char *
find_event (const char *line)
{
    const char *quote = strchr (line, '\'');
    if (strstr (line, "event syntax error") != NULL && quote != NULL)
        return g_strndup (quote + 1, strcspn (quote + 1, "'"));
    const char *end = strstr (line, " event is not supported");
    const char *start = line;
    if (end == NULL || end == line)
        return NULL;
    while (g_str_has_prefix (start, "The ") || g_str_has_prefix (start, "Error:") || *start == ' ')
        start += *start == ' ' ? 1 : strcspn (start, " :") + 1;
    return start < end ? g_strndup (start, (size_t)(end - start)) : NULL;
}

static void
judge_line (PvPerfMessages *messages, const char *line)
{
    g_autofree char *lower = g_ascii_strdown (line, -1);
    if (strstr (lower, "captured and wrote") != NULL)
        messages->is_complete = true;
    if (strstr (lower, "and lost") != NULL || strstr (lower, "samples lost") != NULL ||
        strstr (lower, "lost samples") != NULL)
        messages->has_lost = true;
    if (strstr (lower, "executing command as another user") != NULL ||
        strstr (lower, "polkit") != NULL || strstr (lower, "authentication") != NULL ||
        g_str_has_prefix (lower, "not authorized"))
        messages->is_pkexec = true;
    if (g_str_has_prefix (lower, "warning") && strstr (lower, "not found") == NULL)
        return;
    for (size_t i = 0; i < G_N_ELEMENTS (phrases); i++) {
        if (strstr (lower, phrases[i].part) == NULL)
            continue;
        if (is_more_specific (phrases[i].problem, messages->problem))
            messages->problem = phrases[i].problem;
        break;
    }
    if (messages->event == NULL)
        messages->event = find_event (line);
}

static void
take_line (PvPerfMessages *messages)
{
    g_autofree char *valid = g_utf8_make_valid (messages->line->str, (gssize)messages->line->len);
    g_autofree char *line = pv_answer_make_line (valid, MAX_LINE_BYTES);
    g_string_truncate (messages->line, 0);
    /* Skip "[ perf record: Woken up" and the answers to control commands. */
    bool is_relevant = line[0] != '\0' && !g_str_has_prefix (line, "Events ") && line[0] != '[';
    judge_line (messages, line);
    if (!is_relevant)
        return;
    if (messages->lines == NULL)
        messages->lines = g_ptr_array_new_with_free_func (g_free);
    if (messages->lines->len == PV_PERF_MAX_LINES)
        g_ptr_array_remove_index (messages->lines, 0);
    g_ptr_array_add (messages->lines, g_steal_pointer (&line));
}

void
pv_perf_messages_add (PvPerfMessages *messages, const void *data, size_t size)
{
    if (messages->line == NULL)
        messages->line = g_string_new (NULL);
    const char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n' || bytes[i] == '\r')
            take_line (messages);
        else if (messages->line->len < MAX_LINE_BYTES && bytes[i] != '\0')
            g_string_append_c (messages->line, bytes[i]);
    }
}

void
pv_perf_messages_end (PvPerfMessages *messages)
{
    if (messages->line != NULL && messages->line->len > 0)
        take_line (messages);
}

void
pv_perf_messages_clear (PvPerfMessages *messages)
{
    if (messages->line != NULL)
        g_string_free (messages->line, true);
    g_clear_pointer (&messages->lines, g_ptr_array_unref);
    g_free (messages->event);
    *messages = (PvPerfMessages){0};
}

/* Errors for the user */

/* The first line that says more than "Error:". */
static const char *
get_quote (const PvPerfMessages *messages)
{
    for (unsigned i = 0; messages->lines != NULL && i < messages->lines->len; i++) {
        const char *line = g_ptr_array_index (messages->lines, i);
        if (g_ascii_strcasecmp (line, "error:") != 0)
            return line;
    }
    return NULL;
}

static GError *
make_error (PvRecordError code, const char *sentence)
{
    return g_error_new_literal (PV_RECORD_ERROR, (int)code, sentence);
}

static GError *
explain_rights (const PvPerfEnd *end)
{
    if (end->is_privileged)
        return make_error (
            PV_RECORD_ERROR_NOT_PERMITTED,
            _ ("The kernel does not let perf record, even with administrator rights. This is usual "
               "in containers; record outside the container."));
    switch (end->plan->target) {
    case PV_TARGET_SYSTEM:
        return make_error (PV_RECORD_ERROR_NOT_PERMITTED,
                           _ ("Recording the whole system requires administrator rights, or "
                              "kernel.perf_event_paranoid at 0 or less."));
    case PV_TARGET_ATTACH:
        return make_error (PV_RECORD_ERROR_NOT_PERMITTED,
                           _ ("The kernel does not let you record this process: it belongs to "
                              "another user, or the setting kernel.perf_event_paranoid is too "
                              "strict. Record with administrator rights."));
    case PV_TARGET_LAUNCH:
        break;
    }
    return make_error (
        PV_RECORD_ERROR_NOT_PERMITTED,
        _ ("The kernel does not let you record programs: the setting kernel.perf_event_paranoid is "
           "too strict. Record with administrator rights."));
}

static GError *
explain_event (const PvPerfMessages *messages)
{
    if (messages->event == NULL)
        return make_error (PV_RECORD_ERROR_UNSUPPORTED,
                           _ ("This machine cannot count the chosen event."));
    return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_UNSUPPORTED,
                        _ ("This machine cannot count the event “%s”."), messages->event);
}

static GError *
explain_problem (const PvPerfMessages *messages, const PvPerfEnd *end)
{
    switch (messages->problem) {
    case PV_PERF_PROBLEM_NOT_PERMITTED:
        return explain_rights (end);
    case PV_PERF_PROBLEM_NO_TRACING:
        return make_error (PV_RECORD_ERROR_NOT_PERMITTED,
                           _ ("Tracepoints can only be recorded with administrator rights here: "
                              "you may not read the kernel’s tracing folder."));
    case PV_PERF_PROBLEM_NO_EVENT:
        return explain_event (messages);
    case PV_PERF_PROBLEM_NO_BRANCHES:
        return make_error (PV_RECORD_ERROR_UNSUPPORTED,
                           _ ("This machine has no branch records (LBR), or none for this event. "
                              "Choose another way to record stacks."));
    case PV_PERF_PROBLEM_LOCKED_MEMORY:
        return make_error (
            PV_RECORD_ERROR_NOT_PERMITTED,
            _ ("perf may not lock enough memory for its buffers: kernel.perf_event_mlock_kb and "
               "the limit on locked memory are too low, or other recordings use it up."));
    case PV_PERF_PROBLEM_NO_TARGET:
        return make_error (PV_RECORD_ERROR_BAD_PLAN,
                           _ ("The process ended before it could be recorded."));
    case PV_PERF_PROBLEM_MANY_FILES:
        return make_error (PV_RECORD_ERROR_FAILED,
                           _ ("perf would have to open more files than it may: too many threads "
                              "and events at once. Raise the limit on open files."));
    case PV_PERF_PROBLEM_DISK_FULL:
        return make_error (PV_RECORD_ERROR_DISK_FULL,
                           _ ("There is no room left for the recording."));
    case PV_PERF_PROBLEM_CANNOT_WRITE:
        return make_error (PV_RECORD_ERROR_FAILED, _ ("The recording could not be written."));
    case PV_PERF_PROBLEM_WRONG_PERF:
        return make_error (PV_RECORD_ERROR_NO_RECORDER,
                           _ ("The installed perf does not match this kernel, or is too old."));
    case PV_PERF_PROBLEM_BUSY:
        return make_error (PV_RECORD_ERROR_FAILED,
                           _ ("The processor’s counters are in use by something else, such as "
                              "another recording."));
    case PV_PERF_PROBLEM_OTHER:
    case PV_PERF_PROBLEM_NONE:
        break;
    }
    return NULL;
}

static GError *
explain_pkexec (const PvPerfEnd *end, const PvPerfMessages *messages)
{
    if (!end->is_privileged || end->was_ready || !WIFEXITED (end->wait_status))
        return NULL;
    int code = WEXITSTATUS (end->wait_status);
    if (code == PKEXEC_DISMISSED)
        return make_error (
            PV_RECORD_ERROR_DISMISSED,
            _ ("Administrator rights were requested but not granted. Nothing was recorded."));
    if (code == PKEXEC_NOT_AUTHORIZED || messages->is_pkexec)
        return make_error (
            PV_RECORD_ERROR_DISMISSED,
            _ ("Administrator rights could not be obtained: you may not be allowed to have them, "
               "or no program can ask for the password. Nothing was recorded."));
    return NULL;
}

static GError *
explain_end (const PvPerfMessages *messages, const PvPerfEnd *end)
{
    const char *quote = get_quote (messages);
    if (end->has_timed_out)
        return make_error (PV_RECORD_ERROR_FAILED, _ ("perf was started, but it does not answer."));
    if (WIFSIGNALED (end->wait_status))
        return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_RECORDER_ENDED,
                            end->was_ready ? _ ("perf was killed (%s).")
                                           : _ ("perf was killed (%s) before it could record."),
                            g_strsignal (WTERMSIG (end->wait_status)));
    if (end->was_ready && quote == NULL)
        return make_error (PV_RECORD_ERROR_RECORDER_ENDED, _ ("perf ended too early."));
    if (quote == NULL)
        return make_error (PV_RECORD_ERROR_FAILED, _ ("perf ended without recording anything."));
    return g_error_new (PV_RECORD_ERROR,
                        end->was_ready ? PV_RECORD_ERROR_RECORDER_ENDED : PV_RECORD_ERROR_FAILED,
                        end->was_ready ? _ ("perf ended too early. It said: “%s”.")
                                       : _ ("perf could not record. It said: “%s”."),
                        quote);
}

static GError *
explain_pipe (const PvPerfEnd *end)
{
    if (end->pipe_code == 0)
        return NULL;
    if (end->pipe_code == ENOSPC || end->pipe_code == EDQUOT || end->pipe_code == EFBIG)
        return make_error (PV_RECORD_ERROR_DISK_FULL,
                           _ ("There is no room left for the recording."));
    return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                        _ ("The recording could not be written: %s."), g_strerror (end->pipe_code));
}

/* Says whether anything was recorded before the error. */
static void
add_remainder (GError *error, const PvPerfEnd *end)
{
    char *message =
        g_strdup_printf ("%s %s", error->message,
                         end->has_samples ? _ ("What was recorded before that is kept.")
                                          : _ ("Nothing had been recorded before that."));
    g_free (error->message);
    error->message = message;
}

GError *
pv_perf_messages_explain (const PvPerfMessages *messages, const PvPerfEnd *end)
{
    GError *error = explain_pipe (end);
    if (error == NULL)
        error = explain_pkexec (end, messages);
    if (error == NULL && !end->has_timed_out)
        error = explain_problem (messages, end);
    if (error == NULL)
        error = explain_end (messages, end);
    if (end->was_ready)
        add_remainder (error, end);
    return error;
}
