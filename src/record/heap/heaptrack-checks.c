/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice on heaptrack: what it needs of the machine, the process and the program. */
#include "record/heap/heaptrack-checks.h"

#include <glib/gi18n-lib.h>

static void
add_missing_tool (PvCheck *check, const char *tool, const char *id, const char *title, char *text)
{
    g_autofree char *command = pv_check_make_install_command (tool);
    pv_check_add (check,
                  (PvAdviceHead){PV_ADVICE_FAULT, id, title,
                                 command != NULL ? PV_FIX_COPY : PV_FIX_NONE, command},
                  text);
}

static void
check_tools (PvCheck *check)
{
    if (check->machine->lacks_heaptrack_library)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "no-heaptrack-library",
                                     _ ("heaptrack is not installed completely")},
                      g_strdup (_ ("Its library libheaptrack_preload.so, which it loads into "
                                   "programs, was not found. Reinstall the package heaptrack.")));
    else if (check->machine->heaptrack == NULL)
        add_missing_tool (
            check, "heaptrack", "no-heaptrack", _ ("heaptrack is not installed"),
            g_strdup (_ ("heaptrack records the allocations. Install the package heaptrack.")));
    if (check->plan->target == PV_TARGET_ATTACH && check->machine->gdb == NULL)
        add_missing_tool (
            check, "gdb", "no-gdb", _ ("gdb is not installed"),
            g_strdup (_ ("heaptrack needs the debugger to enter a running process. Install the "
                         "package gdb, or launch the program from here.")));
}

static void
check_attach (PvCheck *check)
{
    const PvCheckedTarget *target = check->target;
    const PvRecordMachine *machine = check->machine;
    if (!pv_check_is_open (target) || target->is_kernel_thread)
        return;
    if (target->is_traced)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "traced",
                                     _ ("A debugger is already attached to the process")},
                      g_strdup (_ ("heaptrack attaches as a debugger does, and a process can have "
                                   "only one. End the other debugger first.")));
    else if (!target->is_ours && !machine->may_trace_all)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "other-user",
                           _ ("The process belongs to another user")},
            g_strdup (
                _ ("heaptrack can only enter your own processes. Start Profview as that user.")));
    else if (machine->ptrace_scope >= 3)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "ptrace-scope",
                           _ ("Running processes cannot be recorded on this system")},
            g_strdup (
                _ ("It does not allow debuggers until it is restarted (kernel.yama.ptrace_scope is "
                   "3). Launch the program from here instead.")));
    else if (machine->ptrace_scope >= 1 && !machine->may_trace_all)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "ptrace-scope",
                           _ ("Running processes are protected from debuggers"), PV_FIX_COPY,
                           "sudo sysctl kernel.yama.ptrace_scope=0"},
            g_strdup_printf (_ ("heaptrack enters a process as a debugger does, which this system "
                                "does not allow (kernel.yama.ptrace_scope is %d). Launch the "
                                "program from here instead, or lift the protection."),
                             machine->ptrace_scope));
}

/* Ways for jemalloc to replace heaptrack. */
typedef enum {
    INSTEAD_NOTHING,
    INSTEAD_JEMALLOC,         /* the recorder */
    INSTEAD_JEMALLOC_LAUNCH,  /* if the program is launched from here */
    INSTEAD_JEMALLOC_REBUILD, /* if jemalloc were built with profiling */
} Instead;

static Instead
find_instead (const PvCheck *check)
{
    if (!check->facts->has_jemalloc)
        return INSTEAD_NOTHING;
    if (check->facts->lacks_jemalloc_dumps)
        return INSTEAD_JEMALLOC_REBUILD;
    return check->plan->target == PV_TARGET_LAUNCH ? INSTEAD_JEMALLOC : INSTEAD_JEMALLOC_LAUNCH;
}

/* The fault's sentence, and the way out. */
static char *
join_instead (const char *fault, Instead instead)
{
    const char *rest = NULL;
    switch (instead) {
    case INSTEAD_JEMALLOC:
        rest = _ ("It is linked with jemalloc, which can record the heap itself.");
        break;
    case INSTEAD_JEMALLOC_LAUNCH:
        rest = _ ("It is linked with jemalloc, which can record the heap itself if you launch the "
                  "program from here.");
        break;
    case INSTEAD_JEMALLOC_REBUILD:
        rest = _ ("It is linked with jemalloc, which could record the heap itself but was compiled "
                  "without profiling.");
        break;
    case INSTEAD_NOTHING:
        return g_strdup (fault);
    }
    /* Translators: two sentences */
    return g_strdup_printf (_ ("%s %s"), fault, rest);
}

static void
check_linking (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    Instead instead = find_instead (check);
    PvFix fix = instead == INSTEAD_JEMALLOC ? PV_FIX_USE_JEMALLOC : PV_FIX_NONE;
    if (facts->is_32bit && sizeof (void *) > 4)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "32-bit-heap", _ ("The program is a 32-bit program"),
                           fix},
            join_instead (_ ("The installed heaptrack only works with 64-bit programs."), instead));
    else if (facts->is_static)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT,
                                     check->plan->target == PV_TARGET_ATTACH ? "static-process"
                                                                             : "static-heap",
                                     _ ("The program is linked statically"), fix},
                      join_instead (instead == INSTEAD_NOTHING
                                        ? _ ("heaptrack cannot intercept its allocations. Link it "
                                             "dynamically to record its heap.")
                                        : _ ("heaptrack cannot intercept its allocations."),
                                    instead));
    else if (facts->has_own_malloc)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_WARNING, "own-malloc",
                           facts->has_jemalloc ? _ ("The program is linked with jemalloc")
                                               : _ ("The program has its own allocator"),
                           fix},
            join_instead (_ ("heaptrack does not see what it allocates with it."), instead));
}

static void
check_program (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    if (facts->is_go)
        pv_check_add (check,
                      (PvAdviceHead){facts->is_static ? PV_ADVICE_FAULT : PV_ADVICE_WARNING,
                                     "go-heap", _ ("Go programs manage their own heap")},
                      g_strdup (_ ("heaptrack does not see it. If the program serves "
                                   "net/http/pprof, fetch its heap profile from its URL.")));
    else if (!facts->is_foreign)
        check_linking (check);
    if (check->plan->target == PV_TARGET_LAUNCH && check->target->is_setuid && !facts->is_script)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "setuid-heap",
                                     _ ("The program runs with more rights than you have")},
                      g_strdup (_ ("The system does not let heaptrack into such a program.")));
}

void
pv_heaptrack_check (PvCheck *check)
{
    check_tools (check);
    if (check->plan->target == PV_TARGET_ATTACH)
        check_attach (check);
    check_program (check);
}
