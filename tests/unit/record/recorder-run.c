/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recorder-run.h"

#include <stdarg.h>
#include <string.h>
#include <zstd.h>

enum { ACTION_MS = 20, PATIENCE_S = 60 };

typedef struct {
    GMainLoop *loop;
    PvRecording *recording;
    RecorderDo action;
    void *user;
} Run;

static void
ended (PvRecording *recording, void *user)
{
    g_main_loop_quit (((Run *)user)->loop);
}

static gboolean
act (gpointer user)
{
    Run *run = user;
    if (pv_recording_get_state (run->recording) <= PV_RECORDING_RUNNING &&
        run->action (run->recording, run->user))
        run->action = NULL;
    return run->action != NULL ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static gboolean
give_up (gpointer user)
{
    g_error ("The recording does not end.");
    return G_SOURCE_REMOVE;
}

RecorderRun
recorder_run (const PvRecordPlan *plan, RecorderDo action, void *user)
{
    Run run = {.loop = g_main_loop_new (NULL, false), .action = action, .user = user};
    PvRecordingOptions options = {.events = {.ended = ended, .user = &run}};
    RecorderRun result = {NULL};
    result.recording = run.recording = pv_recording_start (plan, &options, &result.error);
    if (run.recording != NULL) {
        unsigned patience = g_timeout_add_seconds (PATIENCE_S, give_up, NULL);
        unsigned source = action != NULL ? g_timeout_add (ACTION_MS, act, &run) : 0;
        g_main_loop_run (run.loop);
        g_source_remove (patience);
        if (source > 0 && run.action != NULL)
            g_source_remove (source);
        if (pv_recording_get_error (run.recording) != NULL)
            result.error = g_error_copy (pv_recording_get_error (run.recording));
        result.says = pv_recording_describe (run.recording);
    }
    g_main_loop_unref (run.loop);
    return result;
}

void
recorder_run_clear (RecorderRun *run)
{
    pv_recording_free (run->recording);
    g_clear_error (&run->error);
    g_free (run->says);
    *run = (RecorderRun){NULL};
}

bool
recorder_runs_since (const PvRecording *recording, double seconds)
{
    return pv_recording_get_state (recording) == PV_RECORDING_RUNNING &&
           pv_recording_get_figures (recording)->elapsed_seconds >= seconds;
}

bool
recorder_has_allocations (PvRecording *recording)
{
    if (pv_recording_get_state (recording) != PV_RECORDING_RUNNING)
        return false;
    pv_recording_flush (recording);
    g_autoptr (GString) text = recorder_unpack (pv_recording_get_path (recording));
    return strstr (text->str, "\n+ ") != NULL;
}

PvRecordPlan *
recorder_make_plan (PvRecordKind kind, const char *folder, const char *program, ...)
{
    g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
    va_list list;
    va_start (list, program);
    for (const char *word = program; word != NULL; word = va_arg (list, const char *))
        g_strv_builder_add (argv, word);
    va_end (list);
    PvRecordPlan *plan = pv_record_plan_new ();
    plan->kind = kind;
    plan->argv = g_strv_builder_end (argv);
    plan->output = g_build_filename (folder, "recording", NULL);
    return plan;
}

GString *
recorder_unpack (const char *path)
{
    g_autofree char *packed = NULL;
    gsize size = 0;
    GString *text = g_string_new (NULL);
    g_assert_true (g_file_get_contents (path, &packed, &size, NULL));
    ZSTD_DCtx *zstd = ZSTD_createDCtx ();
    ZSTD_inBuffer in = {packed, size, 0};
    size_t left = 0;
    char piece[65536];
    bool is_full = false; /* then there may be more, though all has been taken in */
    while (in.pos < in.size || is_full) {
        ZSTD_outBuffer out = {piece, sizeof piece, 0};
        left = ZSTD_decompressStream (zstd, &out, &in);
        g_assert_false (ZSTD_isError (left));
        g_string_append_len (text, piece, (gssize)out.pos);
        is_full = left > 0 && out.pos == out.size;
    }
    g_assert_cmpuint (left, ==, 0); /* not in the middle of a frame */
    ZSTD_freeDCtx (zstd);
    return text;
}
