/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks if samply is installed and permitted. It samples in the kernel, too, with the user's
 * rights. */
#include <glib/gi18n-lib.h>

#include "record/advice/checks-private.h"

static void
check_tool (PvCheck *check)
{
    if (check->machine->samply != NULL)
        return;
    pv_check_add (
        check, (PvAdviceHead){PV_ADVICE_FAULT, "no-samply", _ ("samply is not installed")},
        g_strdup (_ ("samply takes the samples. Its releases are at "
                     "https://github.com/mstange/samply, and it must be in a folder of PATH.")));
}

static void
check_rights (PvCheck *check)
{
    const PvRecordMachine *machine = check->machine;
    if (machine->may_sample)
        return;
    if (machine->is_filtered || machine->paranoid <= 1) {
        pv_check_add (
            check,
            (PvAdviceHead){PV_ADVICE_FAULT, "filtered", _ ("samply is blocked on this system")},
            g_strdup (_ ("A system call filter or a security module blocks it, as in most "
                         "containers. Record outside the container, or start the container with "
                         "the capability CAP_PERFMON and a filter that allows "
                         "perf_event_open.")));
        return;
    }
    pv_check_add (check,
                  (PvAdviceHead){PV_ADVICE_FAULT, "paranoid",
                                 _ ("samply needs more rights than you have"), PV_FIX_COPY,
                                 "sudo sysctl kernel.perf_event_paranoid=1"},
                  g_strdup_printf (_ ("The kernel does not let samply record. It needs the setting "
                                      "kernel.perf_event_paranoid to be 1 or lower, and it is %d."),
                                   machine->paranoid));
}

void
pv_check_samply (PvCheck *check)
{
    if (check->plan->kind != PV_RECORD_SAMPLY)
        return;
    check_tool (check);
    check_rights (check);
}
