/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records with jemalloc's own profiler, for programs linked with jemalloc. Environment variables
 * make it write a dump into our folder after each interval of allocated bytes, and one at exit.
 * Only the dumps show whether it works. Rust's jemalloc, with the symbol prefix _rjem_, has its own
 * variable.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/model/profile/recorded-with.h"
#include "record/advice/checks-private.h"
#include "record/process/command-line.h"
#include "record/process/environment.h"
#include "record/run/recording-private.h"

enum { POLL_MS = 50, DEFAULT_INTERVAL_BITS = 26 };

static const char *const variables[] = {"MALLOC_CONF", "_RJEM_MALLOC_CONF"};

typedef struct {
    char *private_folder, *link; /* NULL: not needed */
    GSource *poll_source;
    PvRecording **finishing; /* back pointer for the worker that finishes the dumps; or NULL */
} Jemalloc;

/* --- the dumps, in a worker ------------------------------------------------------------------- */

enum { SETTLED_S = 2 };

typedef struct {
    char *path;          /* of the folder */
    char *comment;       /* line to append to each dump */
    bool may_be_written; /* the program is still running */
} Dumps;

static void
free_dumps (void *data)
{
    Dumps *dumps = data;
    g_free (dumps->path);
    g_free (dumps->comment);
    g_free (dumps);
}

/* jemalloc continues a dump at its own offset, so nothing may be appended before it is done. */
static bool
is_settled (const Dumps *dumps, const struct stat *status)
{
    return !dumps->may_be_written || status->st_mtime + SETTLED_S < g_get_real_time () / 1000000;
}

/* True if the last line is complete: the reader reports other dumps as truncated. */
static bool
is_whole (int fd, off_t size)
{
    char last;
    return pread (fd, &last, 1, size - 1) == 1 && last == '\n';
}

/* Only appends, and even part of the line is a valid comment, so a failure cannot damage the dump.
 * Restores the modification time, which orders dumps in a series. */
static void
add_comment (int fd, const char *comment, const struct stat *status)
{
    struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, status->st_mtim};
    size_t left = strlen (comment);
    while (left > 0) {
        ssize_t n = write (fd, comment, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        comment += n;
        left -= (size_t)n;
    }
    (void)futimens (fd, times);
}

/* Makes a dump private, as jemalloc creates it with mode 0644. True if it is worth opening. */
static bool
finish_dump (const Dumps *dumps, const char *path)
{
    struct stat status;
    int fd = g_open (path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    bool is_dump = fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
    if (is_dump)
        (void)fchmod (fd, 0600);
    bool has_content = is_dump && status.st_size > 0;
    if (has_content && dumps->comment != NULL && is_settled (dumps, &status) &&
        is_whole (fd, status.st_size))
        add_comment (fd, dumps->comment, &status);
    close (fd);
    return has_content;
}

/* Returns the number of dumps. */
static void
finish_dumps (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    (void)source, (void)cancellable;
    const Dumps *dumps = data;
    g_autoptr (GDir) dir = g_dir_open (dumps->path, 0, NULL);
    gssize n = 0;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *path = g_build_filename (dumps->path, name, NULL);
        if (g_str_has_suffix (name, ".heap"))
            n += finish_dump (dumps, path);
    }
    g_task_return_int (task, n);
}

/* --- the end ---------------------------------------------------------------------------------- */

static unsigned
find_interval_bits (const PvRecordPlan *plan)
{
    return plan->dump_interval_bytes > 0 ? g_bit_storage (plan->dump_interval_bytes) - 1
                                         : DEFAULT_INTERVAL_BITS;
}

static GError *
make_nothing_error (const PvRecording *recording)
{
    const PvTargetStatus *status = pv_target_get_status (recording->target);
    g_autofree char *interval = g_format_size_full (
        (uint64_t)1 << find_interval_bits (recording->plan), G_FORMAT_SIZE_IEC_UNITS);
    if (status->is_ended && status->signal == 0)
        return g_error_new_literal (
            PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING,
            _ ("The program wrote no dumps. It is not linked with jemalloc, or its jemalloc was "
               "built without profiling (--enable-prof), which then complains about “prof:true” in "
               "the program’s output. heaptrack records programs with any allocator."));
    return g_error_new (
        PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING,
        _ ("The program wrote no dumps before it was stopped. jemalloc writes one after every %s "
           "of allocations, and one when the program ends by itself: choose a smaller interval, or "
           "let it end. If that does not help, it is not linked with a jemalloc that was built "
           "with profiling (--enable-prof)."),
        interval);
}

/* *link is NULL if the recording has been freed. */
static void
conclude (GObject *source, GAsyncResult *result, gpointer user)
{
    (void)source;
    PvRecording **link = user;
    PvRecording *recording = *link;
    g_free (link);
    if (recording == NULL)
        return;
    Jemalloc *jemalloc = recording->data;
    jemalloc->finishing = NULL;
    recording->is_empty |= g_task_propagate_int (G_TASK (result), NULL) <= 0;
    if (recording->is_empty && !recording->is_kill_requested)
        pv_recording_fail (recording, make_nothing_error (recording));
    else
        pv_recording_complete (recording);
}

static void
start_finishing (PvRecording *recording)
{
    Jemalloc *jemalloc = recording->data;
    if (jemalloc->finishing != NULL)
        return;
    g_autofree char *command = pv_recording_make_stored_command (recording->plan);
    Dumps *dumps = g_new (Dumps, 1);
    *dumps = (Dumps){
        .path = g_strdup (recording->path),
        .comment = pv_recorded_with_make_line (command),
        .may_be_written = !recording->is_target_gone,
    };
    jemalloc->finishing = g_new (PvRecording *, 1);
    *jemalloc->finishing = recording;
    g_autoptr (GTask) task = g_task_new (NULL, NULL, conclude, jemalloc->finishing);
    g_task_set_task_data (task, dumps, free_dumps);
    g_task_run_in_thread (task, finish_dumps);
}

/* The program writes its last dump at exit; recording.c makes it end. */
static gboolean
wait_for_target (gpointer user)
{
    PvRecording *recording = user;
    Jemalloc *jemalloc = recording->data;
    pv_source_clear (&jemalloc->poll_source);
    if (recording->is_target_gone || recording->plan->leaves_target)
        start_finishing (recording);
    else
        pv_recording_add_timeout (recording, &jemalloc->poll_source, POLL_MS, wait_for_target,
                                  recording);
    return G_SOURCE_REMOVE;
}

/* Preparing */

/* A comma ends a jemalloc setting, so a path with one needs a link without. */
static char *
find_prefix (PvRecording *recording, GError **error)
{
    Jemalloc *jemalloc = recording->data;
    if (strchr (recording->path, ',') == NULL)
        return g_build_filename (recording->path, "jeprof", NULL);
    jemalloc->private_folder = g_dir_make_tmp ("profview-heap-XXXXXX", error);
    if (jemalloc->private_folder == NULL)
        return NULL;
    jemalloc->link = g_build_filename (jemalloc->private_folder, "dumps", NULL);
    if (strchr (jemalloc->link, ',') == NULL && symlink (recording->path, jemalloc->link) == 0)
        return g_build_filename (jemalloc->link, "jeprof", NULL);
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                         _ ("jemalloc does not accept file names with commas."));
    return NULL;
}

/* Appends our settings to the user's: of equal settings, the last one counts. */
static void
set_environment (PvRecording *recording, const char *prefix)
{
    g_auto (GStrv) environment =
        pv_environment_make ((const char *const *)recording->plan->environment, NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS (variables); i++) {
        const char *others = g_environ_getenv (environment, variables[i]);
        bool has_others = others != NULL && *others != '\0';
        g_autofree char *assignment =
            g_strdup_printf ("%s=%s%sprof:true,prof_active:true,prof_final:true,"
                             "lg_prof_interval:%u,prof_prefix:%s",
                             variables[i], has_others ? others : "", has_others ? "," : "",
                             find_interval_bits (recording->plan), prefix);
        g_strv_builder_add (recording->target_environment, assignment);
    }
}

static bool
prepare (PvRecording *recording, GError **error)
{
    g_autoptr (GError) cause = NULL;
    recording->data = g_new0 (Jemalloc, 1);
    g_autofree char *prefix = find_prefix (recording, &cause);
    if (prefix == NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED, cause->message);
        return false;
    }
    set_environment (recording, prefix);
    return true;
}

/* The recorder's functions */

static bool
start (PvRecording *recording, GError **error)
{
    (void)error;
    pv_recording_ready_soon (recording);
    return true;
}

static void
stop (PvRecording *recording)
{
    Jemalloc *jemalloc = recording->data;
    pv_recording_add_timeout (recording, &jemalloc->poll_source, 0, wait_for_target, recording);
}

static void
kill_recorder (PvRecording *recording)
{
    Jemalloc *jemalloc = recording->data;
    pv_source_clear (&jemalloc->poll_source);
    start_finishing (recording);
}

static void
clear (PvRecording *recording)
{
    Jemalloc *jemalloc = recording->data;
    if (jemalloc == NULL)
        return;
    pv_source_clear (&jemalloc->poll_source);
    if (jemalloc->finishing != NULL)
        *jemalloc->finishing = NULL;
    if (jemalloc->link != NULL)
        g_unlink (jemalloc->link);
    if (jemalloc->private_folder != NULL)
        g_rmdir (jemalloc->private_folder);
    g_free (jemalloc->link);
    g_free (jemalloc->private_folder);
    g_free (jemalloc);
    recording->data = NULL;
}

/* Before it is recorded */

static void
append_command (const PvRecordPlan *plan, GString *command)
{
    g_autofree char *settings = g_strdup_printf (
        "MALLOC_CONF=prof:true,prof_final:true,lg_prof_interval:%u", find_interval_bits (plan));
    pv_command_line_append_assignment (command, settings);
    pv_record_plan_append_program (plan, command);
}

static char *
format_count (unsigned long n, const char *amount)
{
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s dump", "%s dumps", n), amount);
}

static void
add_advice (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    if (!facts->is_known || facts->is_foreign || check->target->preloads_jemalloc)
        return;
    if (facts->lacks_jemalloc_dumps)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "no-dumps", _ ("The program’s jemalloc cannot record")},
            g_strdup (_ ("It was compiled without profiling. Compile jemalloc with --enable-prof, "
                         "or enable the feature “profiling” of Rust’s tikv-jemallocator.")));
    if (facts->has_jemalloc)
        return;
    bool is_certain = facts->is_static || facts->is_go;
    pv_check_add (
        check,
        (PvAdviceHead){is_certain ? PV_ADVICE_FAULT : PV_ADVICE_WARNING, "no-jemalloc",
                       _ ("The program is not linked with jemalloc")},
        g_strdup (is_certain
                      ? _ ("There will be no dumps. Use heaptrack for programs with the system’s "
                           "allocator.")
                      : _ ("There will be no dumps unless one of its libraries is. To launch it "
                           "with jemalloc, add the environment variable LD_PRELOAD with the path "
                           "of libjemalloc.so.2. Or use heaptrack.")));
}

static const PvRecorderRun run = {
    .prepare = prepare,
    .start = start,
    .stop = stop,
    .kill = kill_recorder,
    .clear = clear,
};

const PvRecorder pv_jemalloc_recorder = {
    .id = "jemalloc",
    .name = "jemalloc",
    .subject = PV_RECORD_SUBJECT_HEAP,
    .title = NC_ ("profile kind", "jemalloc heap"),
    .about = N_ ("Where the memory in use was allocated. Programs that use jemalloc write a series"
                 " of dumps when launched here."),
    .waiting = N_ ("Waiting for the first dump…"),
    .target_fault = N_ ("jemalloc writes dumps only if the program was started with that setting: "
                        "launch the program from here."),
    .fields = PV_PLAN_DUMP_INTERVAL,
    .ending = "",
    .writes_folder = true,
    .format_count = format_count,
    .append_command = append_command,
    .check = add_advice,
    .run = &run,
};
