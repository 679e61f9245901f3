/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks if perf is installed and permitted, and which events it can count. */
#include "record/perf/perf-checks.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "record/advice/checks-private.h"
#include "record/perf/perf-arguments.h"

/* The kernel's default, which is enough for perf's default buffers. */
enum { USUAL_MLOCK_KIB = 516 };

/* Rights */

/* As a level: no setting would help. */
enum { NO_LEVEL = G_MININT };

/* For what perf may not do with the user's rights: offers pkexec, or without it the setting. level:
 * the required value of kernel.perf_event_paranoid. */
static void
add_rights (PvCheck *check, PvAdviceHead head, int level, char *text)
{
    const PvRecordMachine *machine = check->machine;
    g_autofree char *command = NULL;
    if (machine->pkexec != NULL && machine->perf != NULL) {
        head.fix = PV_FIX_USE_PKEXEC;
        command = pv_perf_format_privileged_command (check->plan, machine);
    } else if (level != NO_LEVEL) {
        head.fix = PV_FIX_COPY;
        command = g_strdup_printf ("sudo sysctl kernel.perf_event_paranoid=%d", level);
    } else if (machine->pkexec == NULL) {
        char *before = text;
        /* Translators: a sentence, and a second one */
        text = g_strdup_printf (_ ("%s To be asked for the password, install pkexec."), before);
        g_free (before);
        command = pv_check_make_install_command ("pkexec");
        head.fix = command != NULL ? PV_FIX_COPY : PV_FIX_NONE;
    }
    head.command = command;
    pv_check_add (check, head, text);
}

static void
add_filtered (PvCheck *check)
{
    /* Up to level 2, the setting lets users record their own programs. */
    bool is_certain = check->machine->is_filtered;
    pv_check_add (
        check, (PvAdviceHead){PV_ADVICE_FAULT, "filtered", _ ("perf is blocked on this system")},
        g_strdup (
            is_certain
                ? _ ("The kernel refuses perf whatever rights you have, as in most containers. "
                     "Record outside the container, or start the container with the capability "
                     "CAP_PERFMON and a filter that allows perf_event_open.")
                : _ ("A system call filter or a security module blocks it, as in most containers. "
                     "Record outside the container, or start the container with the capability "
                     "CAP_PERFMON and a filter that allows perf_event_open.")));
}

static void
check_pkexec (PvCheck *check)
{
    if (check->machine->pkexec == NULL) {
        g_autofree char *command = pv_check_make_install_command ("pkexec");
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "no-pkexec", _ ("pkexec is not installed"),
                                     command != NULL ? PV_FIX_COPY : PV_FIX_NONE, command},
                      g_strdup (_ ("pkexec asks for the administrator’s password. Install the "
                                   "package pkexec or polkit.")));
    } else if (check->machine->is_filtered)
        add_filtered (check);
}

static void
add_paranoid (PvCheck *check)
{
    add_rights (
        check,
        (PvAdviceHead){PV_ADVICE_FAULT, "paranoid", _ ("perf needs more rights than you have")}, 2,
        g_strdup_printf (_ ("Only administrators may record with perf on this system "
                            "(kernel.perf_event_paranoid is %d). Your program would still run with "
                            "your own rights."),
                         check->machine->paranoid));
}

static void
check_process_rights (PvCheck *check)
{
    const PvCheckedTarget *target = check->target;
    if (!pv_check_is_open (target) || target->may_be_counted)
        return;
    bool is_ours = target->is_ours;
    add_rights (check,
                (PvAdviceHead){PV_ADVICE_FAULT, is_ours ? "protected-process" : "other-user",
                               is_ours ? _ ("The process is protected")
                                       : _ ("The process belongs to another user")},
                NO_LEVEL,
                g_strdup (is_ours
                              ? _ ("It has more rights than you, or does not let other processes "
                                   "inspect it. Recording it requires administrator rights.")
                              : _ ("Recording it requires administrator rights.")));
}

static void
check_kernel_rights (PvCheck *check)
{
    const PvRecordMachine *machine = check->machine;
    if (machine->may_count_kernel)
        return;
    if (check->plan->kind == PV_RECORD_OFF_CPU)
        add_rights (
            check,
            (PvAdviceHead){PV_ADVICE_WARNING, "off-cpu-stacks",
                           _ ("Where the program waits will not be known")},
            1,
            g_strdup_printf (_ ("The length of each wait is recorded, but the kernel does not let "
                                "you see the stack at that moment (kernel.perf_event_paranoid is "
                                "%d)."),
                             machine->paranoid));
    else
        add_rights (check,
                    (PvAdviceHead){PV_ADVICE_HINT, "user-only",
                                   _ ("Time in the kernel will not be recorded")},
                    1,
                    g_strdup_printf (_ ("You may record programs themselves, but not what the "
                                        "kernel does for them (kernel.perf_event_paranoid is %d)."),
                                     machine->paranoid));
}

/* Even for root: the kernel closes all counters of a process that gains rights. */
static void
add_setuid (PvCheck *check)
{
    pv_check_add (check,
                  (PvAdviceHead){PV_ADVICE_WARNING, "setuid",
                                 _ ("The program runs with more rights than you have")},
                  g_strdup (_ ("The kernel stops recording such a program as soon as it starts. "
                               "Start it yourself, then record the running process.")));
}

static void
check_rights (PvCheck *check)
{
    const PvRecordMachine *machine = check->machine;
    const PvRecordPlan *plan = check->plan;
    if (plan->target == PV_TARGET_LAUNCH && check->target->is_setuid && !check->facts->is_script)
        add_setuid (check);
    if (plan->is_privileged) {
        check_pkexec (check);
        return;
    }
    if (!machine->may_count && (machine->is_filtered || machine->paranoid <= 2)) {
        add_filtered (check);
        return;
    }
    if (plan->target == PV_TARGET_SYSTEM) {
        if (!machine->may_count_system)
            add_rights (check,
                        (PvAdviceHead){PV_ADVICE_FAULT, "system-rights",
                                       _ ("You may not record the whole system")},
                        -1,
                        g_strdup_printf (_ ("Recording all processes requires administrator rights "
                                            "(kernel.perf_event_paranoid is %d)."),
                                         machine->paranoid));
        return;
    }
    if (!machine->may_count) {
        add_paranoid (check);
        return;
    }
    if (plan->target == PV_TARGET_ATTACH)
        check_process_rights (check);
    check_kernel_rights (check);
}

/* Where nothing worse is said already. */
static void
check_tracing (PvCheck *check)
{
    const PvRecordMachine *machine = check->machine;
    const PvRecordPlan *plan = check->plan;
    bool may_record =
        plan->is_privileged ||
        (plan->target == PV_TARGET_SYSTEM ? machine->may_count_system
                                          : machine->may_count && machine->may_count_kernel);
    if (plan->kind != PV_RECORD_OFF_CPU || !may_record || pv_perf_may_trace (plan, machine))
        return;
    const PvAdviceHead head = {PV_ADVICE_HINT, "no-wakers",
                               _ ("Who ends a wait will not be known")};
    if (machine->tracing == PV_TRACING_FORBIDDEN)
        add_rights (check, head, NO_LEVEL,
                    g_strdup (_ ("The kernel tells who wakes a thread by its trace event "
                                 "sched_waking, which only administrators may record on this "
                                 "system (/sys/kernel/tracing).")));
    else
        pv_check_add (check, head,
                      g_strdup (_ ("The kernel tells who wakes a thread by its trace event "
                                   "sched_waking, but there are no trace events here "
                                   "(/sys/kernel/tracing), as in most containers.")));
}

/* Countable events */

/* Counted by the processor, not the kernel; the names of all such events contain these words. */
static bool
is_hardware_event (const char *event)
{
    static const char *const words[] = {"cycles", "instructions", "cache-", "branch", "L1-",
                                        "LLC-",   "dTLB-",        "iTLB-",  "node-",  "cpu/"};
    const char *colon = strchr (event, ':');
    size_t length = strcspn (event, ":");
    if (colon != NULL && colon[1 + strspn (colon + 1, "ukhGHpPSDWeIbR")] != '\0')
        return false; /* a tracepoint */
    for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
        if (g_strstr_len (event, (gssize)length, words[i]) != NULL)
            return true;
    return false;
}

static void
check_counters (PvCheck *check)
{
    const PvRecordPlan *plan = check->plan;
    if (check->machine->has_hardware_counters || plan->kind != PV_RECORD_PERF)
        return;
    if (plan->events == NULL || plan->events[0] == NULL) {
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_HINT, "no-counters",
                                     _ ("This machine has no hardware counters")},
                      g_strdup (_ ("This is usual in virtual machines and containers. The kernel’s "
                                   "clock (cpu-clock) is used instead of processor cycles; it is "
                                   "accurate enough to show where the time goes.")));
        return;
    }
    for (char **event = plan->events; *event != NULL; event++) {
        if (!is_hardware_event (*event))
            continue;
        g_autofree char *shown = g_filename_display_name (*event);
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "no-event",
                           _ ("This machine has no hardware counters")},
            g_strdup_printf (_ ("“%s” cannot be counted here, as in most virtual machines "
                                "and containers. Use cpu-clock instead."),
                             shown));
        return;
    }
}

static void
check_lbr (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    if (check->plan->call_graph != PV_CALL_GRAPH_LBR || check->machine->has_lbr)
        return;
    bool has_frame_pointers = facts->frame_pointers == PV_FRAME_POINTERS_KEPT;
    PvFix fix = !facts->lacks_unwind_tables ? PV_FIX_USE_DWARF
                : has_frame_pointers        ? PV_FIX_USE_FP
                                            : PV_FIX_NONE;
    pv_check_add (
        check,
        (PvAdviceHead){PV_ADVICE_FAULT, "no-lbr",
                       _ ("This processor does not record branches (LBR)"), fix},
        g_strdup (
            fix == PV_FIX_USE_DWARF
                ? _ ("Only some Intel processors record the call chain, and most virtual machines "
                     "hide it. Record copies of the stack (DWARF) instead.")
            : fix == PV_FIX_USE_FP
                ? _ ("Only some Intel processors record the call chain, and most virtual machines "
                     "hide it. The program keeps frame pointers, so record with those.")
                : _ ("Only some Intel processors record the call chain, and most virtual machines "
                     "hide it. The program has neither unwind tables nor frame pointers to use "
                     "instead.")));
}

/* Without kptr_restrict, the kernel shows its addresses to users who may profile it. */
static void
add_kernel_hidden (PvCheck *check)
{
    bool is_paranoid = check->machine->paranoid > 1;
    pv_check_add (
        check,
        (PvAdviceHead){
            PV_ADVICE_HINT, "kernel-hidden", _ ("Kernel functions will have no names"), PV_FIX_COPY,
            is_paranoid ? "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1"
                        : "sudo sysctl kernel.kptr_restrict=0"},
        g_strdup (is_paranoid ? _ ("The system hides the kernel’s addresses "
                                   "(kernel.kptr_restrict, kernel.perf_event_paranoid), so time "
                                   "in the kernel is shown as one block.")
                              : _ ("The system hides the kernel’s addresses "
                                   "(kernel.kptr_restrict), so time in the kernel is shown as "
                                   "one block.")));
}

static void
check_settings (PvCheck *check)
{
    const PvRecordMachine *machine = check->machine;
    const PvRecordPlan *plan = check->plan;
    bool sees_kernel = machine->may_count_kernel || plan->is_privileged;
    if (machine->is_kernel_hidden && sees_kernel)
        add_kernel_hidden (check);
    if (machine->mlock_kib != 0 && machine->mlock_kib < USUAL_MLOCK_KIB && !plan->is_privileged &&
        !machine->may_count_system)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_HINT, "mlock", _ ("perf’s buffers will be small"), PV_FIX_COPY,
                           "sudo sysctl kernel.perf_event_mlock_kb=516"},
            g_strdup_printf (_ ("The system allows %u KiB for them (kernel.perf_event_mlock_kb), "
                                "so samples may be lost, especially with copies of the stack."),
                             machine->mlock_kib));
    unsigned frequency_hz =
        plan->frequency_hz != 0 ? plan->frequency_hz : PV_RECORD_DEFAULT_FREQUENCY_HZ;
    if (machine->max_frequency_hz != 0 && frequency_hz > machine->max_frequency_hz)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_WARNING, "frequency",
                           _ ("There will be fewer samples than requested")},
            g_strdup_printf (
                _ ("The system allows at most %u a second (kernel.perf_event_max_sample_rate)."),
                machine->max_frequency_hz));
}

static void
check_tool (PvCheck *check)
{
    const PvRecordMachine *machine = check->machine;
    g_autofree char *command = pv_check_make_install_command ("perf");
    PvFix fix = command != NULL ? PV_FIX_COPY : PV_FIX_NONE;
    if (machine->perf == NULL)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "no-perf", _ ("perf is not installed"), fix, command},
            g_strdup (_ ("perf takes the samples. Install the package linux-perf (on Debian), perf "
                         "or linux-tools (elsewhere) for the running kernel.")));
    else if (machine->missing_perf_option != NULL)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "old-perf",
                                     _ ("The installed perf is too old"), fix, command},
                      /* Translators: a path, and an option */
                      g_strdup_printf (_ ("%s does not know the option %s, which is needed. "
                                          "Install the perf for the running kernel."),
                                       machine->perf, machine->missing_perf_option));
}

void
pv_perf_check (PvCheck *check)
{
    check_tool (check);
    check_rights (check);
    check_tracing (check);
    check_counters (check);
    check_lbr (check);
    check_settings (check);
}
