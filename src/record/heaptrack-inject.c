#include "record/heaptrack-inject.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/recording.h"

#define PTRACE_SCOPE_FILE "/proc/sys/kernel/yama/ptrace_scope"

enum { MAX_SAID_BYTES = 400 };

/* --- what gdb is told --- */

/* A string in gdb's language of expressions, which is C's. */
static void
append_quoted (GString *text, const char *bytes)
{
    g_string_append_c (text, '"');
    for (const unsigned char *pos = (const unsigned char *)bytes; *pos != '\0'; pos++) {
        if (g_ascii_isalnum (*pos) || strchr ("/-_.", *pos) != NULL)
            g_string_append_c (text, (char)*pos);
        else
            g_string_append_printf (text, "\\%03o", *pos);
    }
    g_string_append_c (text, '"');
}

/* Since 2.34 dlmopen () is in the C library itself; 2 is RTLD_NOW, 0 the program's own name space.
 * Before that there was something internal, to which 0x80000000 says that it is not a program's own
 * call. The process is taken to have the same C library as we do. */
static char *
make_load_command (const char *library)
{
    const char *version = gnu_get_libc_version ();
    char *end;
    long major = strtol (version, &end, 10);
    long minor = *end == '.' ? strtol (end + 1, NULL, 10) : 0;
    bool is_old = major < 2 || (major == 2 && minor < 34);
    g_autoptr (GString) command = g_string_new ("call (void) ");
    g_string_append (command, is_old ? "__libc_dlopen_mode(" : "dlmopen(0, ");
    append_quoted (command, library);
    g_string_append (command, is_old ? ", 0x80000002)" : ", 2)");
    return g_string_free (g_steal_pointer (&command), false);
}

static char *
make_inject_command (const char *pipe_path)
{
    g_autoptr (GString) command = g_string_new ("call (void) heaptrack_inject(");
    append_quoted (command, pipe_path);
    g_string_append_c (command, ')');
    return g_string_free (g_steal_pointer (&command), false);
}

/* The symbols of two libraries are all that is needed; those of a large program take seconds. */
static GStrv
make_argv (pid_t pid, const char *library, const char *pipe_path)
{
    g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
    g_autofree char *pid_text = g_strdup_printf ("%d", (int)pid);
    g_strv_builder_add_many (argv, "gdb", "--batch-silent", "-n", "-iex", "set auto-solib-add off",
                             "-p", pid_text, NULL);
    if (pipe_path != NULL) {
        g_autofree char *load = make_load_command (library);
        g_strv_builder_add_many (argv, "-ex", "sharedlibrary libc.so", "-ex", load, NULL);
    }
    g_strv_builder_add_many (argv, "-ex", "sharedlibrary libheaptrack_inject", "-ex", NULL);
    if (pipe_path != NULL) {
        g_autofree char *inject = make_inject_command (pipe_path);
        g_strv_builder_add (argv, inject);
    } else {
        g_strv_builder_add (argv, "call (void) heaptrack_stop()");
    }
    g_strv_builder_add_many (argv, "-ex", "detach", NULL);
    return g_strv_builder_end (argv);
}

/* --- running it --- */

typedef struct {
    PvHeaptrackCalled called;
    void *user;
} Call;

static void
finish_call (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autofree Call *call = data;
    g_autoptr (GBytes) said = NULL;
    g_autoptr (GError) error = NULL;
    bool is_done =
        g_subprocess_communicate_finish (G_SUBPROCESS (source), result, NULL, &said, &error);
    if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
    g_autofree char *text = NULL;
    if (is_done && said != NULL && g_bytes_get_size (said) > 0) {
        size_t size;
        const char *bytes = g_bytes_get_data (said, &size);
        text = g_utf8_make_valid (bytes, (gssize)size);
    }
    call->called (text, call->user);
}

static GSubprocess *
spawn (const char *const *argv, GSubprocessFlags flags, GError **error)
{
    g_autoptr (GSubprocessLauncher) launcher =
        g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | flags);
    g_subprocess_launcher_unsetenv (launcher, "DEBUGINFOD_URLS");
    /* What it complains about is compared. */
    g_subprocess_launcher_setenv (launcher, "LC_ALL", "C", true);
    return g_subprocess_launcher_spawnv (launcher, argv, error);
}

GSubprocess *
pv_heaptrack_call (pid_t pid, const char *library, const char *pipe_path, GCancellable *cancellable,
                   PvHeaptrackCalled called, void *user, GError **error)
{
    g_auto (GStrv) argv = make_argv (pid, library, pipe_path);
    g_autoptr (GError) cause = NULL;
    GSubprocess *gdb = spawn ((const char *const *)argv, G_SUBPROCESS_FLAGS_STDERR_PIPE, &cause);
    if (gdb == NULL) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
                     _ ("gdb, which is needed to attach heaptrack, cannot be started: %s"),
                     cause->message);
        return NULL;
    }
    Call *call = g_new (Call, 1);
    *call = (Call){.called = called, .user = user};
    g_subprocess_communicate_async (gdb, NULL, cancellable, finish_call, call);
    return gdb;
}

void
pv_heaptrack_call_stop_detached (pid_t pid)
{
    g_auto (GStrv) argv = make_argv (pid, NULL, NULL);
    g_autoptr (GSubprocess) gdb =
        spawn ((const char *const *)argv, G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL);
}

/* --- why it cannot be done --- */

static int
read_ptrace_scope (void)
{
    g_autofree char *text = NULL;
    return g_file_get_contents (PTRACE_SCOPE_FILE, &text, NULL, NULL) ? atoi (text) : 0;
}

bool
pv_heaptrack_check_process (pid_t pid, GError **error)
{
    g_autofree char *path = g_strdup_printf ("/proc/%d", (int)pid);
    g_autofree char *gdb = g_find_program_in_path ("gdb");
    struct stat status;
    if (gdb == NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
                             _ ("gdb is not installed. heaptrack needs it to attach to a running "
                                "process; the package is called gdb. To launch the program "
                                "instead works without it."));
        return false;
    }
    if (stat (path, &status) != 0) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_BAD_PLAN,
                     _ ("There is no process %d."), (int)pid);
        return false;
    }
    if (geteuid () != 0 && status.st_uid != geteuid ()) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED,
                     _ ("Process %d belongs to another user. heaptrack can only be attached to "
                        "processes of your own."),
                     (int)pid);
        return false;
    }
    return true;
}

static void
set_ptrace_error (GError **error, pid_t pid)
{
    int scope = read_ptrace_scope ();
    if (scope == 3)
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED,
                             _ ("This system lets nobody attach to a running process "
                                "(kernel.yama.ptrace_scope is 3, until it is started again). "
                                "Launch the program instead."));
    else if (scope > 0)
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED,
                     _ ("This system lets users not attach to their running processes "
                        "(kernel.yama.ptrace_scope is %d). Launch the program instead, or allow "
                        "it until the next start with “sudo sysctl kernel.yama.ptrace_scope=0”."),
                     scope);
    else
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED,
                     _ ("The system does not let gdb attach to process %d. Either another debugger "
                        "is attached to it, or it protects itself, or a container forbids it."),
                     (int)pid);
}

/* What it said last is what went wrong; before that there can be warnings. */
static char *
find_last_line (const char *said)
{
    g_autofree char *text = g_strdup (said);
    g_strchomp (text);
    const char *newline = strrchr (text, '\n');
    const char *line = newline != NULL ? newline + 1 : text;
    const char *end = line;
    while (*end != '\0' && end - line < MAX_SAID_BYTES)
        end = g_utf8_next_char (end);
    return g_strndup (line, (size_t)(end - line));
}

void
pv_heaptrack_set_call_error (GError **error, pid_t pid, const char *said)
{
    if (said == NULL)
        said = "";
    if (strstr (said, "Operation not permitted") != NULL) {
        set_ptrace_error (error, pid);
        return;
    }
    if (strstr (said, "No such process") != NULL) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_BAD_PLAN,
                     _ ("There is no process %d."), (int)pid);
        return;
    }
    if (strstr (said, "No symbol \"dlmopen\"") != NULL ||
        strstr (said, "No symbol \"__libc_dlopen_mode\"") != NULL ||
        strstr (said, "No symbol table is loaded") != NULL) {
        g_set_error_literal (error, PV_RECORD_ERROR, PV_RECORD_ERROR_UNSUPPORTED,
                             _ ("heaptrack cannot be loaded into this process: it is statically "
                                "linked, or has another C library than this system."));
        return;
    }
    g_autofree char *line = find_last_line (said);
    if (line[0] != '\0')
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                     _ ("gdb could not attach heaptrack to process %d: %s"), (int)pid, line);
    else
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                     _ ("gdb could not attach heaptrack to process %d."), (int)pid);
}
