/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds out what the machine supports. Rights are not derived from settings, which vary between
 * kernels, but tried: perf_event_open(2) with the attributes that perf would use.
 */
#include "record/plan/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "record/plan/heaptrack-library.h"

enum { MAX_SETTING_BYTES = 4096 };

#define CAP_SYS_PTRACE_BIT 19

/* Reads the beginning of a file in /proc or /sys, or of a script. */
static char *
read_head (const char *path)
{
    char buffer[MAX_SETTING_BYTES];
    int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (fd < 0)
        return NULL;
    ssize_t n = read (fd, buffer, sizeof buffer);
    close (fd);
    return n >= 0 ? g_strndup (buffer, (gsize)n) : NULL;
}

static int
read_number (const char *path, int otherwise)
{
    g_autofree char *text = read_head (path);
    char *end = NULL;
    gint64 value = text != NULL ? g_ascii_strtoll (text, &end, 10) : 0;
    if (text == NULL || end == text || value < G_MININT || value > G_MAXINT)
        return otherwise;
    return (int)value;
}

/* Counters */

static const char *const tracing_folders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

/* The number of the trace event sched_waking; −1 with errno set: it cannot be read. */
static int
find_waking_id (void)
{
    int reason = ENOENT;
    for (size_t i = 0; i < G_N_ELEMENTS (tracing_folders); i++) {
        g_autofree char *path =
            g_build_filename (tracing_folders[i], "events/sched/sched_waking/id", NULL);
        int id = read_number (path, -1);
        if (id >= 0)
            return id;
        reason = errno == EACCES || errno == EPERM ? errno : reason;
    }
    errno = reason;
    return -1;
}

int
pv_record_try (PvTrial trial, int pid)
{
    struct perf_event_attr attr = {
        .size = sizeof attr,
        .type = PERF_TYPE_SOFTWARE,
        .config = PERF_COUNT_SW_CPU_CLOCK,
        .sample_period = 1000000,
        .sample_type = PERF_SAMPLE_IP,
        .disabled = 1,
        .exclude_hv = 1,
        .exclude_kernel = trial != PV_TRIAL_CLOCK_ALL && trial != PV_TRIAL_WAKING,
    };
    if (trial == PV_TRIAL_CYCLES || trial == PV_TRIAL_LBR) {
        attr.type = PERF_TYPE_HARDWARE;
        attr.config = PERF_COUNT_HW_CPU_CYCLES;
    }
    if (trial == PV_TRIAL_LBR) {
        attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
        attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
    }
    if (trial == PV_TRIAL_WAKING) {
        int id = find_waking_id ();
        if (id < 0)
            return errno;
        attr.type = PERF_TYPE_TRACEPOINT;
        attr.config = (unsigned)id;
        attr.sample_period = 1;
        attr.sample_type |= PERF_SAMPLE_RAW;
    }
    long fd =
        syscall (SYS_perf_event_open, &attr, pid, pid == -1 ? 0 : -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return errno;
    close ((int)fd);
    return 0;
}

static bool
is_any_there (const char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (g_file_test (paths[i], G_FILE_TEST_EXISTS))
            return true;
    return false;
}

/* If we may not count at all, looks at the kernel's list of PMUs. */
static bool
find_hardware (bool may_count)
{
    static const char *const devices[] = {
        "/sys/bus/event_source/devices/cpu", "/sys/bus/event_source/devices/cpu_core",
        "/sys/bus/event_source/devices/armv8_pmuv3", "/sys/bus/event_source/devices/armv8_pmuv3_0"};
    if (may_count)
        return pv_record_try (PV_TRIAL_CYCLES, 0) == 0;
    return is_any_there (devices, G_N_ELEMENTS (devices));
}

static bool
find_lbr (bool may_count)
{
    static const char *const signs[] = {"/sys/bus/event_source/devices/cpu/caps/branches",
                                        "/sys/bus/event_source/devices/cpu_core/caps/branches"};
    if (may_count)
        return pv_record_try (PV_TRIAL_LBR, 0) == 0;
    return is_any_there (signs, G_N_ELEMENTS (signs));
}

/* perf reads the descriptions of trace events with our rights to files, whatever its own are. */
static PvTracing
find_tracing (bool may_perf)
{
    int reason = may_perf && find_waking_id () >= 0 ? 0 : pv_record_try (PV_TRIAL_WAKING, 0);
    return reason == 0                           ? PV_TRACING_ALLOWED
           : reason == EACCES || reason == EPERM ? PV_TRACING_FORBIDDEN
                                                 : PV_TRACING_MISSING;
}

/* The recorder itself may have been given rights (setcap(8)). */
static bool
has_capabilities (const char *path)
{
    return path != NULL && getxattr (path, "security.capability", NULL, 0) > 0;
}

static void
find_rights (PvRecordMachine *machine)
{
    int reason = pv_record_try (PV_TRIAL_CLOCK_USER, 0);
    bool may_perf = has_capabilities (machine->perf);
    machine->may_count = may_perf || reason == 0;
    bool may_all = pv_record_try (PV_TRIAL_CLOCK_ALL, 0) == 0;
    machine->may_count_kernel = may_perf || may_all;
    machine->may_sample = has_capabilities (machine->samply) || may_all;
    machine->may_count_system = may_perf || pv_record_try (PV_TRIAL_CLOCK_ALL, -1) == 0;
    machine->tracing = find_tracing (may_perf);
    /* Settings cause EACCES; seccomp causes EPERM or ENOSYS. */
    machine->is_filtered = reason == ENOSYS || (reason == EPERM && machine->paranoid < 2) ||
                           (reason != 0 && geteuid () == 0);
    machine->has_hardware_counters = find_hardware (reason == 0);
    machine->has_lbr = find_lbr (reason == 0);
}

static bool
has_capability (unsigned bit)
{
    g_autofree char *status = read_head ("/proc/self/status");
    const char *line = status != NULL ? strstr (status, "\nCapEff:") : NULL;
    guint64 set = line != NULL ? g_ascii_strtoull (line + strlen ("\nCapEff:"), NULL, 16) : 0;
    return (set >> bit & 1) != 0;
}

/* The addresses are zeros for users who may not see them. */
static bool
is_kernel_hidden (void)
{
    g_autofree char *symbols = read_head ("/proc/kallsyms");
    return symbols == NULL || strspn (symbols, "0") >= 8;
}

/* Programs */

/* On Ubuntu and older Debian, perf is a script that starts the perf of the running kernel, if it is
 * installed. */
static char *
find_behind_wrapper (void)
{
    struct utsname name;
    if (uname (&name) != 0)
        return NULL;
    g_autofree char *tools = g_build_filename ("/usr/lib/linux-tools", name.release, "perf", NULL);
    if (g_file_test (tools, G_FILE_TEST_IS_EXECUTABLE))
        return g_steal_pointer (&tools);
    g_autofree char *joined = g_strdup_printf ("/usr/lib/linux-tools-%s/perf", name.release);
    if (g_file_test (joined, G_FILE_TEST_IS_EXECUTABLE))
        return g_steal_pointer (&joined);
    const char *dot = strchr (name.release, '.');
    size_t length = dot != NULL ? (size_t)(dot - name.release) + 1 : 0;
    length += strspn (name.release + length, "0123456789");
    g_autofree char *versioned = g_strdup_printf ("perf_%.*s", (int)length, name.release);
    return g_find_program_in_path (versioned);
}

static char *
find_perf (void)
{
    g_autofree char *path = g_find_program_in_path ("perf");
    g_autofree char *head = path != NULL ? read_head (path) : NULL;
    bool is_script = head != NULL && (g_str_has_prefix (head, "#!/bin/sh") ||
                                      g_str_has_prefix (head, "#!/bin/bash"));
    bool is_wrapper =
        is_script && (strstr (head, "linux-tools") != NULL || strstr (head, "_$version") != NULL ||
                      strstr (head, "_${version") != NULL);
    return is_wrapper ? find_behind_wrapper () : g_steal_pointer (&path);
}

/* There are few paths, so they are interned for the life of the process. */
static const char *
keep (char *path)
{
    const char *kept = path != NULL ? g_intern_string (path) : NULL;
    g_free (path);
    return kept;
}

static bool
is_in_path (const char *name)
{
    g_autofree char *path = g_find_program_in_path (name);
    return path != NULL;
}

/* A terminal that is a snap tells its folder to all programs that are started in it, so only those
 * that lie in that folder are of the snap. */
static bool
is_in_snap (void)
{
    const char *folder = g_getenv ("SNAP");
    if (folder == NULL || *folder == '\0')
        return false;
    g_autofree char *inside = g_strconcat (folder, "/", NULL);
    g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
    return program != NULL && g_str_has_prefix (program, inside);
}

bool
pv_record_is_sandboxed (void)
{
    return access ("/.flatpak-info", F_OK) == 0 || is_in_snap ();
}

static void
find_machine (PvRecordMachine *machine)
{
    memset (machine, 0, sizeof *machine); /* compared as bytes */
    machine->is_sandboxed = pv_record_is_sandboxed ();
    machine->paranoid = read_number ("/proc/sys/kernel/perf_event_paranoid", 2);
    machine->ptrace_scope = read_number ("/proc/sys/kernel/yama/ptrace_scope", 0);
    machine->mlock_kib = (unsigned)MAX (read_number ("/proc/sys/kernel/perf_event_mlock_kb", 0), 0);
    machine->max_frequency_hz =
        (unsigned)MAX (read_number ("/proc/sys/kernel/perf_event_max_sample_rate", 0), 0);
    machine->may_trace_all = has_capability (CAP_SYS_PTRACE_BIT);
    machine->is_kernel_hidden = is_kernel_hidden ();
    machine->perf = keep (find_perf ());
    machine->heaptrack = keep (pv_heaptrack_find_library (PV_HEAPTRACK_PRELOAD));
    machine->lacks_heaptrack_library = machine->heaptrack == NULL && is_in_path ("heaptrack");
    machine->gdb = keep (g_find_program_in_path ("gdb"));
    machine->pkexec = keep (g_find_program_in_path ("pkexec"));
    machine->samply = keep (g_find_program_in_path ("samply"));
    find_rights (machine);
}

const PvRecordMachine *
pv_record_machine_get (void)
{
    static GMutex mutex;
    static GSList *machines; /* newest first; a change adds one */
    PvRecordMachine found;

    find_machine (&found);
    g_mutex_lock (&mutex);
    if (machines == NULL || memcmp (machines->data, &found, sizeof found) != 0)
        machines = g_slist_prepend (machines, g_memdup2 (&found, sizeof found));
    const PvRecordMachine *latest = machines->data;
    g_mutex_unlock (&mutex);
    return latest;
}
