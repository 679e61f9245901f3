/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf's options. Off-CPU time is recorded from context switches, which need no access to tracefs:
 * a sample at every switch away has the stack of the waiting thread, and SWITCH records say when it
 * came back. These samples are taken in the kernel, so only users who may profile the kernel get
 * them; for others waits have no stack. Who woke a thread is told by sched_waking, where tracefs
 * may be read, and what ran by samples of cpu-clock. Specifications: perf-record(1),
 * perf_event_open(2).
 */
#include "record/perf/perf-arguments.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "record/perf/perf-control.h"
#include "record/process/command-line.h"

enum {
    MAX_LOCKED_MIB = 256, /* for all CPUs, by default */
    NS_PER_S = 1000000000,
};

static unsigned
round_down_to_power (uint64_t number)
{
    unsigned power = 1;
    while (power <= number / 2)
        power *= 2;
    return power;
}

/* A clock gives as many samples as requested, but events come as fast as the program makes them:
 * 4,000 calls of write () by dd, with 16 KiB of stack each, need 64 MiB. */
unsigned
pv_perf_get_buffer_mib (const PvRecordPlan *plan)
{
    g_assert (plan != NULL);
    if (plan->buffer_mib != 0)
        return plan->buffer_mib;
    return plan->events != NULL || plan->kind == PV_RECORD_OFF_CPU ? 64 : 16;
}

/* KiB of the buffer for each CPU that the kernel lets the user lock: perf_event_mlock_kb for each
 * CPU, and RLIMIT_MEMLOCK for all of them. UINT64_MAX: any number. Specification: mmap in
 * perf_event_open(2). */
static uint64_t
find_allowed_kib (const PvRecordPlan *plan, const PvRecordMachine *machine, uint64_t n_cpus)
{
    struct rlimit limit;
    if (plan->is_privileged || geteuid () == 0 || machine->paranoid < 0 ||
        getrlimit (RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return machine->mlock_kib + limit.rlim_cur / 1024 / n_cpus;
}

unsigned
pv_perf_choose_pages (const PvRecordPlan *plan, const PvRecordMachine *machine)
{
    g_assert (plan != NULL && machine != NULL);

    uint64_t page_kib = MAX ((uint64_t)sysconf (_SC_PAGESIZE) / 1024, 1);
    uint64_t n_cpus = (uint64_t)MAX (sysconf (_SC_NPROCESSORS_ONLN), 1);
    if (plan->buffer_mib != 0)
        return (unsigned)(plan->buffer_mib * UINT64_C (1024) / page_kib);
    uint64_t kib = MIN (pv_perf_get_buffer_mib (plan), MAX (MAX_LOCKED_MIB / n_cpus, 1)) * 1024;
    uint64_t allowed_kib = find_allowed_kib (plan, machine, n_cpus);
    /* A header takes another page. */
    if (allowed_kib < kib + page_kib)
        kib = allowed_kib - MIN (allowed_kib, page_kib);
    unsigned pages = round_down_to_power (kib / page_kib);
    return pages > PV_PERF_DEFAULT_PAGES ? pages : 0;
}

/* Facts of the plan */

/* "sched:sched_switch", but not "cycles:u", where the letters are modifiers. */
static bool
is_tracepoint (const char *event)
{
    const char *colon = strchr (event, ':');
    return colon != NULL && strchr (event, '/') == NULL &&
           strspn (colon + 1, "ukhGHpPSDIWeb") != strlen (colon + 1);
}

/* Tracepoints record every event unless the plan has a frequency. */
static bool
needs_frequency (const PvRecordPlan *plan)
{
    if (plan->kind == PV_RECORD_OFF_CPU)
        return false;
    if (plan->frequency_hz != 0 || plan->events == NULL || plan->events[0] == NULL)
        return true;
    for (char **event = plan->events; *event != NULL; event++)
        if (!is_tracepoint (*event))
            return true;
    return false;
}

static void
add_option (GStrvBuilder *options, const char *name, char *value)
{
    g_strv_builder_add (options, name);
    g_strv_builder_add (options, value);
    g_free (value);
}

bool
pv_perf_may_trace (const PvRecordPlan *plan, const PvRecordMachine *machine)
{
    g_assert (plan != NULL && machine != NULL);
    return plan->is_privileged ? machine->tracing != PV_TRACING_MISSING
                               : machine->tracing == PV_TRACING_ALLOWED;
}

/* A sample with its stack at every switch away, a record of the switch back, and a sample of what
 * wakes a thread. The clock has a period of its own, where perf takes no frequency beside -c. */
static void
add_switches (GStrvBuilder *options, bool may_trace)
{
    g_strv_builder_add (options, "--switch-events");
    add_option (options, "-e", g_strdup ("context-switches"));
    if (may_trace)
        add_option (options, "-e", g_strdup ("sched:sched_waking"));
    add_option (options, "-e",
                g_strdup_printf ("cpu-clock/period=%u,name=cpu-clock/",
                                 NS_PER_S / PV_RECORD_DEFAULT_FREQUENCY_HZ));
    add_option (options, "-c", g_strdup ("1"));
}

char **
pv_perf_make_options (const PvRecordPlan *plan, bool may_trace)
{
    g_assert (pv_record_kind_uses (plan->kind, PV_PLAN_CALL_GRAPH));
    g_autoptr (GStrvBuilder) options = g_strv_builder_new ();
    unsigned stack_bytes =
        plan->stack_bytes != 0 ? plan->stack_bytes : PV_RECORD_DEFAULT_STACK_BYTES;
    unsigned frequency_hz =
        plan->frequency_hz != 0 ? plan->frequency_hz : PV_RECORD_DEFAULT_FREQUENCY_HZ;
    if (plan->call_graph == PV_CALL_GRAPH_DWARF)
        add_option (options, "--call-graph", g_strdup_printf ("dwarf,%u", stack_bytes));
    else if (plan->call_graph != PV_CALL_GRAPH_NONE)
        add_option (options, "--call-graph", g_strdup (pv_call_graph_get_id (plan->call_graph)));
    if (plan->buffer_mib != 0)
        add_option (options, "-m", g_strdup_printf ("%uM", plan->buffer_mib));
    if (needs_frequency (plan))
        add_option (options, "-F", g_strdup_printf ("%u", frequency_hz));
    if (plan->kind == PV_RECORD_OFF_CPU) {
        add_switches (options, may_trace);
        return g_strv_builder_end (options);
    }
    for (char **event = plan->events; event != NULL && *event != NULL; event++)
        add_option (options, "-e", g_strdup (*event));
    return g_strv_builder_end (options);
}

const char *
pv_perf_find_fault (const PvRecordPlan *plan)
{
    if (plan->call_graph == PV_CALL_GRAPH_DWARF && plan->stack_bytes > PV_RECORD_MAX_STACK_BYTES)
        return _ ("perf copies at most 65,528 bytes from each stack.");
    if (plan->call_graph == PV_CALL_GRAPH_DWARF && plan->stack_bytes % 8 != 0)
        return _ ("The number of bytes copied from each stack must be a multiple of 8.");
    if (plan->buffer_mib > PV_RECORD_MAX_BUFFER_MIB ||
        (plan->buffer_mib & (plan->buffer_mib - 1)) != 0)
        return _ ("The size of perf’s buffers must be 1, 2, 4, … or 1024 MiB.");
    if (plan->call_graph == PV_CALL_GRAPH_LBR && plan->kind == PV_RECORD_OFF_CPU)
        return _ ("The processor's branch records (LBR) contain no stacks of context switches.");
    for (char **event = plan->events; event != NULL && *event != NULL; event++)
        if (**event == '\0')
            return _ ("An event needs a name.");
    return NULL;
}

void
pv_perf_append_command (const PvRecordPlan *plan, GString *command)
{
    g_auto (GStrv) options =
        pv_perf_make_options (plan, pv_perf_may_trace (plan, pv_record_machine_get ()));
    bool is_launch = plan->target == PV_TARGET_LAUNCH;
    if (plan->is_privileged && is_launch) { /* the program itself gets no more rights */
        pv_record_plan_append_program (plan, command);
        g_string_append (command, " &");
    }
    if (plan->is_privileged)
        pv_command_line_append (command, "pkexec");
    pv_command_line_append (command, "perf");
    pv_command_line_append (command, "record");
    pv_command_line_append_argv (command, (const char *const *)options);
    if (plan->is_privileged && is_launch) {
        g_string_append (command, " -p $!");
        return;
    }
    if (is_launch)
        pv_command_line_append (command, "--");
    pv_record_plan_append_target (plan, command);
}

/* The program and its arguments */

static void
add_all (GStrvBuilder *builder, char **words)
{
    for (char **word = words; word != NULL && *word != NULL; word++)
        g_strv_builder_add (builder, *word);
}

/* Fills the plan's defaults in for this machine. */
static void
add_options (GStrvBuilder *builder, const PvPerfRun *run)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_copy (run->plan);
    plan->buffer_mib = 0; /* run->mmap_pages */
    if (plan->kind == PV_RECORD_OFF_CPU && !run->may_see_kernel) {
        plan->kind = PV_RECORD_PERF;
        g_strfreev (plan->events);
        plan->events = g_strsplit ("cpu-clock", ",", -1);
        g_strv_builder_add (builder, "--switch-events");
    } else if (plan->kind == PV_RECORD_PERF && (plan->events == NULL || plan->events[0] == NULL)) {
        g_strfreev (plan->events);
        plan->events = g_strsplit (run->has_hardware_counters ? "cycles" : "cpu-clock", ",", -1);
    }
    g_auto (GStrv) options = pv_perf_make_options (plan, run->may_trace);
    add_all (builder, options);
}

static char **
make_arguments (const PvPerfRun *run, const char *pid)
{
    g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
    if (run->pkexec != NULL)
        g_strv_builder_add (builder, run->pkexec);
    g_strv_builder_add_many (builder, run->perf, "record", NULL);
    if (pid != NULL)
        g_strv_builder_add_many (builder, "-p", pid, NULL);
    else
        g_strv_builder_add (builder, "-a");
    g_strv_builder_add_many (builder, "-D", "-1", "--control=" PV_PERF_CONTROL, "-o", run->output,
                             NULL);
    if (run->has_mapped_build_ids)
        g_strv_builder_add (builder, "--buildid-mmap");
    if (run->mmap_pages != 0) {
        g_autofree char *pages = g_strdup_printf ("%u", run->mmap_pages);
        g_strv_builder_add_many (builder, "-m", pages, NULL);
    }
    add_options (builder, run);
    return g_strv_builder_end (builder);
}

char **
pv_perf_make_arguments (const PvPerfRun *run)
{
    g_assert (run->plan != NULL && run->perf != NULL && run->output != NULL);
    g_assert (run->pid > 0 || run->plan->target == PV_TARGET_SYSTEM);
    g_autofree char *pid = g_strdup_printf ("%d", (int)run->pid);
    return make_arguments (run, run->plan->target != PV_TARGET_SYSTEM ? pid : NULL);
}

char *
pv_perf_format_privileged_command (const PvRecordPlan *plan, const PvRecordMachine *machine)
{
    g_assert (plan != NULL && machine != NULL);
    g_autofree char *number = g_strdup_printf ("%d", (int)plan->pid);
    const char *pid = plan->target == PV_TARGET_SYSTEM   ? NULL
                      : plan->target == PV_TARGET_ATTACH ? number
                                                         : "PID";
    g_autoptr (PvRecordPlan) privileged = pv_record_plan_copy (plan);
    privileged->is_privileged = true;
    PvPerfRun run = {
        .plan = plan,
        .perf = machine->perf,
        .pkexec = machine->pkexec,
        .output = "-",
        .has_hardware_counters = machine->has_hardware_counters,
        .may_see_kernel = true,
        .may_trace = pv_perf_may_trace (privileged, machine),
        .mmap_pages = pv_perf_choose_pages (privileged, machine),
        .has_mapped_build_ids = pv_perf_has_mapped_build_ids (),
    };
    g_auto (GStrv) arguments = make_arguments (&run, pid);
    GString *command = g_string_new (NULL);
    pv_command_line_append_argv (command, (const char *const *)arguments);
    return g_string_free (command, FALSE);
}

bool
pv_perf_has_mapped_build_ids (void)
{
    /* Since Linux 5.12 and its perf. */
    struct utsname system;
    int major, minor;
    return uname (&system) == 0 && sscanf (system.release, "%d.%d", &major, &minor) == 2 &&
           (major > 5 || (major == 5 && minor >= 12));
}
