/* What the program's file says about how it can be recorded, and the recorders of heaps. */
#include <glib/gi18n-lib.h>

#include "record/checks-private.h"

/* --- stacks and names --- */

static void
check_stacks (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    PvCallGraph call_graph = check->plan->call_graph;
    if (call_graph == PV_CALL_GRAPH_FP && !facts->has_frame_pointers)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_WARNING, "no-frame-pointers",
                                     _ ("The program keeps no frame pointers"),
                                     PV_REMEDY_USE_DWARF},
                      g_strdup (_ ("Most stacks would be cut or wrong. Record copies of the stack "
                                   "(DWARF) instead, or compile with -fno-omit-frame-pointer.")));
    else if (call_graph == PV_CALL_GRAPH_DWARF && facts->is_go)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_HINT, "go-frame-pointers",
                                     _ ("Go programs keep frame pointers"), PV_REMEDY_USE_FP},
                      g_strdup (_ ("With them, the recording is much smaller and just as good.")));
}

static void
check_names (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    if (facts->is_script)
        pv_check_add (
            check, (PvAdviceHead){PV_ADVICE_HINT, "script", _ ("The program is a script")},
            g_strdup (_ ("What is recorded is the interpreter that runs it: its functions, "
                         "not those of the script.")));
    else if (!facts->has_debug_info && !facts->is_go)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_HINT, "no-debug-info",
                           _ ("The program has no debug information")},
            g_strdup (
                facts->has_symbols
                    ? _ ("Functions will have names, but no lines of source code, and inlined "
                         "functions will not be seen. Compile with -g, or install its debug "
                         "symbols.")
                    : _ ("Most of its functions will have no names. Compile with -g and do not "
                         "strip it, or install its debug symbols.")));
}

void
pv_check_program (PvCheck *check)
{
    if (!check->facts->is_known || check->plan->target == PV_TARGET_SYSTEM)
        return;
    if (pv_check_is_perf (check))
        check_stacks (check);
    check_names (check);
}

/* --- heaptrack --- */

static void
add_missing_tool (PvCheck *check, const char *tool, const char *id, const char *title, char *text)
{
    g_autofree char *command = pv_check_make_install_command (tool);
    pv_check_add (check,
                  (PvAdviceHead){PV_ADVICE_FAULT, id, title,
                                 command != NULL ? PV_REMEDY_COPY : PV_REMEDY_NONE, command},
                  text);
}

static void
check_heaptrack_tools (PvCheck *check)
{
    if (check->machine->heaptrack == NULL)
        add_missing_tool (check, "heaptrack", "no-heaptrack", _ ("heaptrack is not installed"),
                          g_strdup (_ ("It is what records the allocations. Install the package "
                                       "heaptrack.")));
    if (check->plan->target == PV_TARGET_ATTACH && check->machine->gdb == NULL)
        add_missing_tool (check, "gdb", "no-gdb", _ ("gdb is not installed"),
                          g_strdup (_ ("heaptrack needs the debugger to get into a process that "
                                       "runs already. Install the package gdb, or start the "
                                       "program from here.")));
}

static void
check_heap_attach (PvCheck *check)
{
    const PvCheckedTarget *target = check->target;
    const PvRecordMachine *machine = check->machine;
    if (!target->is_there)
        return;
    if (target->is_traced)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "traced", _ ("A debugger is in the process already")},
            g_strdup (
                _ ("heaptrack needs to get in as one, and there can be only one. End the other "
                   "debugger first.")));
    else if (!target->is_ours && !machine->may_trace_all)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "other-user",
                           _ ("The process belongs to another user")},
            g_strdup (_ ("heaptrack can only get into processes of your own. Start profview as "
                         "that user.")));
    else if (machine->ptrace_scope >= 3)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "ptrace-scope",
                           _ ("Running processes cannot be recorded on this system")},
            g_strdup (_ ("It forbids debuggers altogether (kernel.yama.ptrace_scope is 3, "
                         "until the next start). Start the program from here "
                         "instead.")));
    else if (machine->ptrace_scope >= 1 && !machine->may_trace_all)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "ptrace-scope",
                                     _ ("Running processes are protected from debuggers"),
                                     PV_REMEDY_COPY, "sudo sysctl kernel.yama.ptrace_scope=0"},
                      g_strdup_printf (
                          _ ("heaptrack gets into a process as a debugger does, which this system "
                             "forbids (kernel.yama.ptrace_scope is %d). Start the program from "
                             "here instead, or lift the protection."),
                          machine->ptrace_scope));
}

/* Whether the recorder of jemalloc's dumps could take over. */
static PvRemedy
offer_jemalloc (const PvCheck *check)
{
    bool is_possible = check->facts->has_jemalloc && check->plan->target == PV_TARGET_LAUNCH;
    return is_possible ? PV_REMEDY_USE_JEMALLOC : PV_REMEDY_NONE;
}

static void
check_heap_program (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    PvRemedy remedy = offer_jemalloc (check);
    if (facts->is_go)
        pv_check_add (
            check,
            (PvAdviceHead){facts->is_static ? PV_ADVICE_FAULT : PV_ADVICE_WARNING, "go-heap",
                           _ ("Go programs have a heap of their own")},
            g_strdup (_ ("heaptrack does not see it. A Go program with net/http/pprof tells about "
                         "its heap itself: fetch it by its URL.")));
    else if (facts->is_static)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "static-heap",
                                     _ ("The program is linked statically"), remedy},
                      g_strdup (remedy == PV_REMEDY_USE_JEMALLOC
                                    ? _ ("heaptrack cannot get between it and its allocator. It is "
                                         "linked with jemalloc, which can record by itself.")
                                    : _ ("heaptrack cannot get between it and its allocator. Link "
                                         "it dynamically to record its heap.")));
    else if (facts->has_own_malloc)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_WARNING, "own-malloc",
                           facts->has_jemalloc ? _ ("The program is linked with jemalloc")
                                               : _ ("The program has an allocator of its own"),
                           remedy},
            g_strdup (remedy == PV_REMEDY_USE_JEMALLOC
                          ? _ ("heaptrack does not see what it allocates there, but jemalloc can "
                               "record by itself.")
                          : _ ("heaptrack does not see what it allocates there.")));
    if (check->plan->target == PV_TARGET_LAUNCH && check->target->is_setuid)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "setuid-heap",
                                     _ ("The program takes more rights than you have")},
                      g_strdup (_ ("It runs as another user, so the system keeps heaptrack out of "
                                   "it.")));
}

/* --- jemalloc --- */

static void
check_jemalloc (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    if (!facts->is_known || facts->has_jemalloc || check->target->preloads_jemalloc)
        return;
    bool is_certain = facts->is_static || facts->is_go;
    pv_check_add (
        check,
        (PvAdviceHead){is_certain ? PV_ADVICE_FAULT : PV_ADVICE_WARNING, "no-jemalloc",
                       _ ("The program is not linked with jemalloc")},
        g_strdup (is_certain
                      ? _ ("There will be no dumps. Use heaptrack for programs with the system’s "
                           "allocator.")
                      : _ ("Unless one of its libraries is, there will be no dumps. It can be "
                           "started with jemalloc: set LD_PRELOAD to the path of libjemalloc.so.2. "
                           "Or use heaptrack.")));
}

void
pv_check_heap (PvCheck *check)
{
    if (check->plan->kind == PV_RECORD_JEMALLOC)
        check_jemalloc (check);
    if (check->plan->kind != PV_RECORD_HEAPTRACK)
        return;
    check_heaptrack_tools (check);
    if (check->plan->target == PV_TARGET_ATTACH)
        check_heap_attach (check);
    check_heap_program (check);
}
