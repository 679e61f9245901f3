/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice from the program's file about how it can be recorded. */
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
    if (pv_record_kind_uses (check->plan->kind, PV_PLAN_CALL_GRAPH))
        check_stacks (check);
    check_names (check);
}
