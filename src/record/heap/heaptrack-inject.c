/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/heap/heaptrack-inject.h"

#include <glib/gi18n-lib.h>
#include <gnu/libc-version.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/process/background.h"
#include "record/process/tool.h"
#include "record/run/recording.h"

#define PTRACE_SCOPE_FILE "/proc/sys/kernel/yama/ptrace_scope"

enum {
    MAX_SAID_BYTES = 400,
    MAX_READ_BYTES = 16384,
    POLL_MS = 20,
    GDB_PATIENCE_MS = 120000,
    LAST_PATIENCE_MS = 5000,
};

/* gdb's message if the process was never outside of its allocator and loader. */
#define NO_SAFE_POINT "profview: no safe point"

/* gdb's arguments */

/* Appends a string literal for gdb expressions, which use C syntax. */
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

/* Since glibc 2.34 the C library contains dlmopen (); 2 is RTLD_NOW, 0 the program's namespace.
 * Older versions have an internal function; 0x80000000 is its flag for calls that do not come from
 * a program. Assumes that the process has the same C library as we do. */
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

/* gdb stops the process anywhere, and what it calls runs in the main thread. If that is inside
 * malloc (), the dynamic loader or heaptrack, the call waits for a lock that the thread itself
 * holds, and both hang for good; other threads go on meanwhile. So gdb lets the process go on and
 * looks again, until nothing of that is among the thread's frames. If it never is, gdb leaves the
 * process, and the calls that follow fail. A gdb without Python calls at once.
 *
 * Functions inside the C library have no names without its debug info: such a frame counts if the
 * program called it. */
static const char wait_for_safe_point[] =
    "import gdb, re, sys, time\n"
    "names = re.compile ('_*(libc_|GI_)?_*(malloc|calloc|realloc|free|memalign|aligned_alloc|"
    "posix_memalign|valloc|pvalloc|mall(oc_|info|opt).*|int_.*|sysmalloc.*|systrim.*|tcache_.*|"
    "unlink_chunk.*|arena_get.*|s?brk|morecore|glibc_morecore|dl_?[a-z].*|fork|exit|"
    "run_exit_handlers)(@.*)?$')\n"
    "def is_busy ():\n"
    "    frame, n = gdb.newest_frame (), 0\n"
    "    while frame is not None and n < 200:\n"
    "        place = (gdb.solib_name (frame.pc ()) or '').split ('/')[-1]\n"
    "        older = frame.older ()\n"
    "        if place.startswith (('libheaptrack', 'ld-')):\n"
    "            return True\n"
    "        if place.startswith (('libc.so', 'libc-')):\n"
    "            name = frame.name ()\n"
    "            if name is None:\n"
    "                if older is None or gdb.solib_name (older.pc ()) != "
    "gdb.solib_name (frame.pc ()):\n"
    "                    return True\n"
    "            elif names.match (name):\n"
    "                return True\n"
    "        frame, n = older, n + 1\n"
    "    return False\n"
    "pid, end = gdb.selected_inferior ().pid, time.monotonic () + 5\n"
    "while pid != 0 and is_busy ():\n"
    "    gdb.execute ('detach')\n"
    "    if time.monotonic () > end:\n"
    "        sys.stderr.write ('" NO_SAFE_POINT "\\n')\n"
    "        break\n"
    "    time.sleep (0.02)\n"
    "    gdb.execute ('attach %d' % pid)\n"
    "    gdb.execute ('sharedlibrary libc.so')\n"
    "    gdb.execute ('sharedlibrary libheaptrack_inject')\n";

/* The escapes of C are Python's too. */
static char *
make_wait_command (void)
{
    g_autoptr (GString) command = g_string_new ("python exec (");
    append_quoted (command, wait_for_safe_point);
    g_string_append_c (command, ')');
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

/* gdb loads only the symbols of two libraries; those of a large program take seconds. */
static GStrv
make_argv (pid_t pid, const char *library, const char *pipe_path)
{
    g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
    g_autofree char *pid_text = g_strdup_printf ("%d", (int)pid);
    g_autofree char *wait = make_wait_command ();
    g_strv_builder_add_many (argv, "gdb", "--batch-silent", "-n", "-iex", "set auto-solib-add off",
                             "-p", pid_text, "-ex", "sharedlibrary libc.so", "-ex",
                             "sharedlibrary libheaptrack_inject", "-ex", wait, NULL);
    if (pipe_path != NULL) {
        g_autofree char *load = make_load_command (library);
        g_autofree char *inject = make_inject_command (pipe_path);
        g_strv_builder_add_many (argv, "-ex", load, "-ex", "sharedlibrary libheaptrack_inject",
                                 "-ex", inject, NULL);
    } else {
        g_strv_builder_add_many (argv, "-ex", "call (void) heaptrack_stop()", NULL);
    }
    g_strv_builder_add_many (argv, "-ex", "detach", NULL);
    return g_strv_builder_end (argv);
}

GStrv
pv_heaptrack_make_stop_argv (pid_t pid)
{
    g_assert (pid > 0);
    return make_argv (pid, NULL, NULL);
}

/* Running it */

struct PvHeaptrackCall {
    PvTool *gdb;
    int said_fd; /* memfd: needs no reader, so either side may end first */
    PvHeaptrackCalled called;
    void *user;
};

static void
free_call (PvHeaptrackCall *call)
{
    pv_tool_free (call->gdb);
    if (call->said_fd >= 0)
        close (call->said_fd);
    g_free (call);
}

/* Reads the end of gdb's output, which has the error. */
static char *
read_said (int fd)
{
    char bytes[MAX_READ_BYTES];
    off_t size = lseek (fd, 0, SEEK_END);
    ssize_t n = pread (fd, bytes, sizeof bytes, MAX (size - MAX_READ_BYTES, 0));
    return n > 0 ? g_utf8_make_valid (bytes, n) : NULL;
}

static void
gdb_ended (const PvToolEnd *end, void *user)
{
    const PvHeaptrackCall *call = user;
    g_autofree char *said = end->start_errno != 0 ? g_strdup (g_strerror (end->start_errno))
                                                  : read_said (call->said_fd);
    call->called (said, call->user); /* last: the callback may free call */
}

/* gdb must not get Ctrl+C from our terminal. */
static PvTool *
start_gdb (const char *const *argv, int said_fd, PvToolEnded ended, void *user, GError **error)
{
    g_auto (GStrv) environment = g_environ_unsetenv (g_get_environ (), "DEBUGINFOD_URLS");
    /* Its error messages are compared with known ones. */
    environment = g_environ_setenv (environment, "LC_ALL", "C", true);
    PvSubprocess program = {
        .argv = argv,
        .environment = (const char *const *)environment,
        .fds = (int[]){-1, -1, said_fd},
        .n_fds = 3,
        .starts_session = true,
    };
    return pv_tool_start (&program, 0, ended, user, error);
}

PvHeaptrackCall *
pv_heaptrack_call (pid_t pid, const char *library, const char *pipe_path, PvHeaptrackCalled called,
                   void *user, GError **error)
{
    g_auto (GStrv) argv = make_argv (pid, library, pipe_path);
    g_autoptr (GError) cause = NULL;
    PvHeaptrackCall *call = g_new (PvHeaptrackCall, 1);
    *call = (PvHeaptrackCall){
        .said_fd = memfd_create ("gdb", MFD_CLOEXEC), .called = called, .user = user};
    call->gdb = start_gdb ((const char *const *)argv, call->said_fd, gdb_ended, call, &cause);
    if (call->gdb != NULL)
        return call;
    g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NO_RECORDER,
                 _ ("gdb is needed to attach heaptrack, but cannot be started: %s"),
                 cause->message);
    free_call (call);
    return NULL;
}

void
pv_heaptrack_call_free (PvHeaptrackCall *call)
{
    if (call == NULL)
        return;
    pv_tool_forget (call->gdb);
    pv_tool_wait_start (call->gdb);
    free_call (call);
}

/* Undoing it */

typedef struct {
    PvHeaptrackCall *call;
    pid_t pid;
    PvHeaptrackPump *pump;
} Undoing;

/* If gdb hangs, it also hangs the process, so killing gdb cannot make it much worse. */
static void
wait_for_gdb (PvTool *gdb)
{
    if (pv_tool_wait (gdb, GDB_PATIENCE_MS, NULL))
        return;
    pv_tool_signal (gdb, SIGTERM);
    pv_tool_wait (gdb, LAST_PATIENCE_MS, NULL);
}

static bool
has_come_in (PvHeaptrackPump *pump)
{
    for (unsigned i = 0; i < PV_HEAPTRACK_SEEN_WITHIN_MS / POLL_MS; i++) {
        if (pv_heaptrack_pump_get_status (pump).was_opened)
            break;
        g_usleep (POLL_MS * 1000);
    }
    PvHeaptrackPumpStatus status = pv_heaptrack_pump_get_status (pump);
    return status.was_opened && status.closed_at_us == 0;
}

/* Nobody waits for the second gdb: the pump's guardian reads what the process still writes. It
 * would run gdb itself if we were killed before. */
static void
undo (void *data)
{
    Undoing *undoing = data;
    if (undoing->call != NULL)
        wait_for_gdb (undoing->call->gdb);
    if (has_come_in (undoing->pump)) {
        g_auto (GStrv) argv = make_argv (undoing->pid, NULL, NULL);
        PvTool *gdb = start_gdb ((const char *const *)argv, -1, NULL, NULL, NULL);
        if (gdb != NULL)
            pv_tool_wait_start (gdb);
        pv_tool_free (gdb);
    }
    pv_heaptrack_pump_free (undoing->pump);
    if (undoing->call != NULL)
        free_call (undoing->call);
    g_free (undoing);
}

void
pv_heaptrack_call_undo (PvHeaptrackCall *call, pid_t pid, PvHeaptrackPump *pump)
{
    if (call != NULL)
        pv_tool_forget (call->gdb);
    Undoing *undoing = g_new (Undoing, 1);
    *undoing = (Undoing){call, pid, pump};
    pv_background_run (undo, undoing);
}

/* Explaining failures */

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
                                "process; the package is called gdb. You can also launch the "
                                "program instead, which does not need gdb."));
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
                        "your own processes."),
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
        g_set_error_literal (
            error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED,
            _ ("This system does not let anyone attach to running processes until it is restarted "
               "(kernel.yama.ptrace_scope is 3). Launch the program instead."));
    else if (scope > 0)
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED,
                     _ ("This system does not let users attach to their running processes "
                        "(kernel.yama.ptrace_scope is %d). Launch the program instead, or allow it "
                        "until the next restart with “sudo sysctl kernel.yama.ptrace_scope=0”."),
                     scope);
    else
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_NOT_PERMITTED,
                     _ ("The system does not let gdb attach to process %d. Either another debugger "
                        "is attached to it, or it protects itself, or a container forbids it."),
                     (int)pid);
}

/* The last line has the error; warnings may precede it. */
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
    if (strstr (said, NO_SAFE_POINT) != NULL) {
        g_set_error (error, PV_RECORD_ERROR, PV_RECORD_ERROR_FAILED,
                     _ ("heaptrack was not attached: each time process %d was stopped, it was "
                        "allocating memory or loading a library, where heaptrack would have made "
                        "it hang. It runs on as before. Try again in a moment."),
                     (int)pid);
        return;
    }
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
                                "linked, or uses a different C library than this system."));
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
