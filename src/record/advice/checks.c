/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/advice/checks.h"

#include <gio/gio.h>
#include <string.h>

#include "record/advice/checks-private.h"

/* A stable sort: keeps the order of checks within a level. */
static GPtrArray *
sort_by_level (GPtrArray *advice)
{
    GPtrArray *sorted = pv_advice_array_new ();
    for (int level = PV_ADVICE_FAULT; level >= PV_ADVICE_HINT; level--)
        for (guint i = 0; i < advice->len; i++) {
            PvAdvice *each = advice->pdata[i];
            if ((int)each->level == level)
                g_ptr_array_add (sorted, each);
        }
    return sorted;
}

GPtrArray *
pv_record_check_with (const PvRecordPlan *plan, const PvProgramFacts *facts,
                      const PvRecordMachine *machine, const PvCheckedTarget *target)
{
    g_assert (plan != NULL && facts != NULL && machine != NULL && target != NULL);
    g_autoptr (GPtrArray) advice = g_ptr_array_new ();
    PvCheck check = {plan, facts, machine, target, advice};

    pv_check_target (&check);
    pv_recorder_get (plan->kind)->check (&check);
    pv_check_program (&check);
    return sort_by_level (advice);
}

GPtrArray *
pv_record_check (const PvRecordPlan *plan, const PvProgramFacts *facts)
{
    g_assert (plan != NULL);
    static const PvProgramFacts nothing;
    PvRecordMachine machine = *pv_record_machine_get ();
    PvCheckedTarget target;

    if (pv_recorder_get (plan->kind)->find_facts != NULL)
        pv_recorder_get (plan->kind)->find_facts (plan, &machine);
    pv_checked_target_find (plan, &target);
    GPtrArray *advice =
        pv_record_check_with (plan, facts != NULL ? facts : &nothing, &machine, &target);
    pv_checked_target_clear (&target);
    return advice;
}
