/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recording from inside a sandbox. Its processes have numbers of their own, and its files are those
 * of a runtime: neither the program nor perf is there. Starting perf outside would not help: the
 * numbers of processes in here mean nothing there.
 */
#include <glib/gi18n-lib.h>

#include "record/advice/checks-private.h"

bool
pv_check_sandbox (PvCheck *check)
{
    if (!check->machine->is_sandboxed)
        return false;
    pv_check_add (check,
                  (PvAdviceHead){.level = PV_ADVICE_FAULT,
                                 .id = "sandbox",
                                 .title = _ ("A sandbox cannot record programs of the system")},
                  g_strdup (_ ("Profview runs in a sandbox such as Flatpak or Snap, and sees no "
                               "programs outside of it. Record in a terminal, for example with "
                               "“perf record”, and open the file here.")));
    return true;
}
