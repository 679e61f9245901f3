/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program's file says about how it can be recorded, and the recorders of heaps. */
#include <glib/gi18n-lib.h>

#include "record/advice/checks-private.h"

/* --- stacks and names --- */

/* Copies of the stack can be followed if it has unwind tables; else the processor may know. */
static PvFix
find_other_stacks (const PvCheck *check)
{
    if (!check->facts->lacks_unwind_tables)
        return PV_FIX_USE_DWARF;
    return check->machine->has_lbr ? PV_FIX_USE_LBR : PV_FIX_NONE;
}

static const char *
get_frame_pointer_text (const PvProgramFacts *facts, PvFix fix)
{
    if (facts->is_go)
        return _ ("Most stacks would be cut or wrong. Record copies of the stack (DWARF) instead.");
    if (fix == PV_FIX_USE_DWARF)
        return _ ("Most stacks would be cut or wrong. Record copies of the stack (DWARF) instead, "
                  "or compile with -fno-omit-frame-pointer.");
    if (fix == PV_FIX_USE_LBR)
        return _ ("Most stacks would be cut or wrong. It has no unwind tables either, so let the "
                  "processor record the calls (LBR), or compile with -fno-omit-frame-pointer.");
    return _ ("Most stacks would be cut or wrong. Copies of the stack (DWARF) would not help, as "
              "it has no unwind tables either. Compile it with -fno-omit-frame-pointer.");
}

static void
check_frame_pointers (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    PvFix fix = find_other_stacks (check);
    if (facts->frame_pointers == PV_FRAME_POINTERS_OMITTED)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_WARNING, "no-frame-pointers",
                                     facts->is_script
                                         ? _ ("The script’s interpreter keeps no frame pointers")
                                         : _ ("The program keeps no frame pointers"),
                                     fix},
                      g_strdup (get_frame_pointer_text (facts, fix)));
    else if (facts->frame_pointers == PV_FRAME_POINTERS_MIXED)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_HINT, "some-frame-pointers",
                                     _ ("Parts of the program keep no frame pointers"), fix},
                      g_strdup (fix == PV_FIX_USE_DWARF
                                    ? _ ("Some stacks will be cut or lack callers. Copies of the "
                                         "stack (DWARF) would be complete.")
                                    : _ ("Some stacks will be cut or lack callers. Compile all of "
                                         "it with -fno-omit-frame-pointer.")));
}

static void
add_no_tables (PvCheck *check)
{
    static const char *const id = "no-unwind-tables";
    bool has_frame_pointers = check->facts->frame_pointers == PV_FRAME_POINTERS_KEPT;
    PvFix fix = has_frame_pointers        ? PV_FIX_USE_FP
                : check->machine->has_lbr ? PV_FIX_USE_LBR
                                          : PV_FIX_NONE;
    const char *text =
        fix == PV_FIX_USE_FP
            ? _ ("Copies of the stack (DWARF) cannot be followed without them. But the program "
                 "keeps frame pointers: record with those.")
        : fix == PV_FIX_USE_LBR
            ? _ ("Copies of the stack (DWARF) cannot be followed without them. Let the processor "
                 "record the calls (LBR), or compile with -fasynchronous-unwind-tables.")
            : _ ("Copies of the stack (DWARF) cannot be followed without them, so most stacks "
                 "will be cut. Compile it with -fasynchronous-unwind-tables, or with "
                 "-fno-omit-frame-pointer and record with frame pointers.");
    pv_check_add (
        check, (PvAdviceHead){PV_ADVICE_WARNING, id, _ ("The program has no unwind tables"), fix},
        g_strdup (text));
}

static void
check_stacks (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    PvCallGraph call_graph = check->plan->call_graph;
    if (call_graph == PV_CALL_GRAPH_FP)
        check_frame_pointers (check);
    else if (call_graph == PV_CALL_GRAPH_DWARF && facts->lacks_unwind_tables)
        add_no_tables (check);
    else if (call_graph == PV_CALL_GRAPH_DWARF && facts->is_go &&
             facts->frame_pointers == PV_FRAME_POINTERS_KEPT)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_HINT, "go-frame-pointers",
                                     _ ("Go programs keep frame pointers"), PV_FIX_USE_FP},
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
    if (check->facts->is_foreign) {
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_WARNING, "foreign",
                                     _ ("The program is made for another kind of processor")},
                      g_strdup (_ ("It only starts if there is an emulator for it, and then it is "
                                   "the emulator that is recorded.")));
        return;
    }
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
                                 command != NULL ? PV_FIX_COPY : PV_FIX_NONE, command},
                  text);
}

static void
check_heaptrack_tools (PvCheck *check)
{
    if (check->machine->lacks_heaptrack_library)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "no-heaptrack-library",
                                     _ ("heaptrack is not installed completely")},
                      g_strdup (_ ("The library that it puts into programs, "
                                   "libheaptrack_preload.so, was not found. Install the package "
                                   "heaptrack again.")));
    else if (check->machine->heaptrack == NULL)
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
    if (!pv_check_is_open (target) || target->is_kernel_thread)
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
                                     PV_FIX_COPY, "sudo sysctl kernel.yama.ptrace_scope=0"},
                      g_strdup_printf (
                          _ ("heaptrack gets into a process as a debugger does, which this system "
                             "forbids (kernel.yama.ptrace_scope is %d). Start the program from "
                             "here instead, or lift the protection."),
                          machine->ptrace_scope));
}

/* What jemalloc could do in heaptrack's place. */
typedef enum {
    INSTEAD_NOTHING,
    INSTEAD_JEMALLOC,         /* its recorder */
    INSTEAD_JEMALLOC_LAUNCH,  /* the same, for a program that is started from here */
    INSTEAD_JEMALLOC_REBUILD, /* the same, if only it had been compiled for that */
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

/* The sentence, and what can be done about it. */
static char *
join_instead (const char *fault, Instead instead)
{
    const char *rest = NULL;
    switch (instead) {
    case INSTEAD_JEMALLOC:
        rest = _ ("It is linked with jemalloc, which can record by itself.");
        break;
    case INSTEAD_JEMALLOC_LAUNCH:
        rest = _ ("It is linked with jemalloc, which can record by itself if the program is "
                  "started from here.");
        break;
    case INSTEAD_JEMALLOC_REBUILD:
        rest = _ ("It is linked with jemalloc, which could record by itself, but was compiled "
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
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "32-bit-heap",
                                     _ ("The program is made for 32 bits"), fix},
                      join_instead (_ ("heaptrack is installed for programs of 64 bits, and does "
                                       "not get into others."),
                                    instead));
    else if (facts->is_static)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT,
                                     check->plan->target == PV_TARGET_ATTACH ? "static-process"
                                                                             : "static-heap",
                                     _ ("The program is linked statically"), fix},
                      join_instead (instead == INSTEAD_NOTHING
                                        ? _ ("heaptrack cannot get between it and its allocator. "
                                             "Link it dynamically to record its heap.")
                                        : _ ("heaptrack cannot get between it and its allocator."),
                                    instead));
    else if (facts->has_own_malloc)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_WARNING, "own-malloc",
                           facts->has_jemalloc ? _ ("The program is linked with jemalloc")
                                               : _ ("The program has an allocator of its own"),
                           fix},
            join_instead (_ ("heaptrack does not see what it allocates there."), instead));
}

static void
check_heap_program (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    if (facts->is_go)
        pv_check_add (
            check,
            (PvAdviceHead){facts->is_static ? PV_ADVICE_FAULT : PV_ADVICE_WARNING, "go-heap",
                           _ ("Go programs have a heap of their own")},
            g_strdup (_ ("heaptrack does not see it. A Go program with net/http/pprof tells about "
                         "its heap itself: fetch it by its URL.")));
    else if (!facts->is_foreign)
        check_linking (check);
    if (check->plan->target == PV_TARGET_LAUNCH && check->target->is_setuid && !facts->is_script)
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_FAULT, "setuid-heap",
                                     _ ("The program takes more rights than you have")},
                      g_strdup (_ ("The system then keeps heaptrack out of it.")));
}

/* --- jemalloc --- */

static void
check_jemalloc (PvCheck *check)
{
    const PvProgramFacts *facts = check->facts;
    if (!facts->is_known || facts->is_foreign || check->target->preloads_jemalloc)
        return;
    if (facts->lacks_jemalloc_dumps)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "no-dumps", _ ("The program’s jemalloc cannot record")},
            g_strdup (_ ("It was compiled without profiling. Compile jemalloc with "
                         "--enable-prof; of Rust’s tikv-jemallocator, enable the "
                         "feature “profiling”.")));
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
