/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice from the program's file about how it can be recorded, and about heap recorders. */
#include <glib/gi18n-lib.h>

#include "record/advice/checks-private.h"

/* Stacks and names */

/* Copied stacks need unwind tables; without them, LBR may work. */
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
        return _ (
            "Most stacks would be truncated or wrong. Record copies of the stack (DWARF) instead.");
    if (fix == PV_FIX_USE_DWARF)
        return _ ("Most stacks would be truncated or wrong. Record copies of the stack (DWARF) "
                  "instead, or compile with -fno-omit-frame-pointer.");
    if (fix == PV_FIX_USE_LBR)
        return _ ("Most stacks would be truncated or wrong. It has no unwind tables either, so let "
                  "the processor record the calls (LBR), or compile with -fno-omit-frame-pointer.");
    return _ ("Most stacks would be truncated or wrong. Copies of the stack (DWARF) would not "
              "help, as it has no unwind tables either. Compile it with -fno-omit-frame-pointer.");
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
                                    ? _ ("Some stacks will be truncated or lack callers. Copies of "
                                         "the stack (DWARF) would be complete.")
                                    : _ ("Some stacks will be truncated or lack callers. Compile "
                                         "all of it with -fno-omit-frame-pointer.")));
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
        fix == PV_FIX_USE_FP ? _ ("Copies of the stack (DWARF) cannot be unwound without them. The "
                                  "program keeps frame pointers, so record with those.")
        : fix == PV_FIX_USE_LBR
            ? _ ("Copies of the stack (DWARF) cannot be unwound without them. Let the processor "
                 "record the calls (LBR), or compile with -fasynchronous-unwind-tables.")
            : _ ("Copies of the stack (DWARF) cannot be unwound without them, so most stacks will "
                 "be truncated. Compile it with -fasynchronous-unwind-tables, or with "
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
        pv_check_add (check,
                      (PvAdviceHead){PV_ADVICE_HINT, "script", _ ("The program is a script")},
                      g_strdup (_ ("The recording will show the functions of its interpreter, not "
                                   "those of the script.")));
    else if (!facts->has_debug_info && !facts->is_go)
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_HINT, "no-debug-info",
                           _ ("The program has no debug information")},
            g_strdup (
                facts->has_symbols
                    ? _ ("Functions will have names but no source lines, and inlined functions "
                         "will be missing. Compile with -g, or install its debug symbols.")
                    : _ ("Most of its functions will have no names. Compile with -g and do not "
                         "strip it, or install its debug symbols.")));
}

void
pv_check_program (PvCheck *check)
{
    if (!check->facts->is_known || check->plan->target == PV_TARGET_SYSTEM)
        return;
    if (check->facts->is_foreign) {
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_WARNING, "foreign",
                           _ ("The program is built for another kind of processor")},
            g_strdup (
                _ ("It only runs in an emulator, and then the recording shows the emulator.")));
        return;
    }
    if (pv_check_is_perf (check))
        check_stacks (check);
    check_names (check);
}

/* Heaptrack */

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
check_heap_attach (PvCheck *check)
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
check_heap_program (PvCheck *check)
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

/* Jemalloc */

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
