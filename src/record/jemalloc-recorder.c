/*
 * jemalloc's own profiler, of a program that is linked with it: told by the environment to write a
 * dump into our folder whenever so much more has been allocated, and one at the end. The program
 * itself does all the work; whether it did is known by the dumps only. Rust's jemalloc, whose names
 * begin with _rjem_, reads a variable of its own.
 */
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/environment.h"
#include "record/recording-private.h"

enum { POLL_MS = 50, DEFAULT_INTERVAL_BITS = 26 };

static const char *const variables[] = {"MALLOC_CONF", "_RJEM_MALLOC_CONF"};

typedef struct {
    char *private_folder, *link; /* NULL: not needed */
    GSource *poll_source;
} Jemalloc;

/* --- the end --- */

/* Its dumps, made as private as other recordings are: jemalloc asks for 0644. */
static unsigned
count_dumps (const char *path)
{
    g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
    unsigned n = 0;
    const char *name;
    while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
        g_autofree char *dump = g_build_filename (path, name, NULL);
        struct stat status;
        if (!g_str_has_suffix (name, ".heap") || g_lstat (dump, &status) != 0 ||
            !S_ISREG (status.st_mode))
            continue;
        g_chmod (dump, 0600);
        n += status.st_size > 0;
    }
    return n;
}

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
            _ ("The program wrote no dumps. It is not linked with jemalloc, or with one that was "
               "built without profiling (--enable-prof): that one complains of “prof:true” in "
               "the program's output. heaptrack records programs with any allocator."));
    return g_error_new (PV_RECORD_ERROR, PV_RECORD_ERROR_NOTHING,
                        _ ("The program wrote no dumps until it was stopped. jemalloc writes one "
                           "whenever %s more have been allocated, and one at the end of a program "
                           "that ends by itself: choose a smaller interval, or let it end. If "
                           "that does not help, it is not linked with a jemalloc that was built "
                           "with profiling (--enable-prof)."),
                        interval);
}

static void
conclude (PvRecording *recording)
{
    recording->is_empty |= count_dumps (recording->path) == 0;
    if (recording->is_empty && !recording->is_kill_asked)
        pv_recording_fail (recording, make_nothing_error (recording));
    else
        pv_recording_complete (recording);
}

/* Its last dump is written while it ends. recording.c sees to it that it does. */
static gboolean
wait_for_target (gpointer user)
{
    PvRecording *recording = user;
    Jemalloc *jemalloc = recording->data;
    pv_source_clear (&jemalloc->poll_source);
    if (recording->is_target_gone || recording->plan->leaves_target)
        conclude (recording);
    else
        pv_recording_after (recording, &jemalloc->poll_source, POLL_MS, wait_for_target, recording);
    return G_SOURCE_REMOVE;
}

/* --- preparing --- */

/* jemalloc's settings end at a comma, so a path with one goes by another name. */
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
                         _ ("jemalloc takes no file names with commas."));
    return NULL;
}

/* What the user has set stays, but where we need something else: the last one counts. */
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

/* --- what recording.c wants --- */

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
    pv_recording_after (recording, &jemalloc->poll_source, 0, wait_for_target, recording);
}

static void
kill_recorder (PvRecording *recording)
{
    Jemalloc *jemalloc = recording->data;
    pv_source_clear (&jemalloc->poll_source);
    conclude (recording);
}

static void
clear (PvRecording *recording)
{
    Jemalloc *jemalloc = recording->data;
    if (jemalloc == NULL)
        return;
    pv_source_clear (&jemalloc->poll_source);
    if (jemalloc->link != NULL)
        g_unlink (jemalloc->link);
    if (jemalloc->private_folder != NULL)
        g_rmdir (jemalloc->private_folder);
    g_free (jemalloc->link);
    g_free (jemalloc->private_folder);
    g_free (jemalloc);
    recording->data = NULL;
}

const PvRecorder pv_jemalloc_recorder = {
    .prepare = prepare,
    .start = start,
    .stop = stop,
    .kill = kill_recorder,
    .clear = clear,
};
