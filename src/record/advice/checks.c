/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/advice/checks.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
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

    /* Other advice would be about the sandbox, not about the system. */
    if (pv_check_sandbox (&check))
        return sort_by_level (advice);
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

/* Two programs */

static bool
has_same (const GPtrArray *advice, const PvAdvice *wanted)
{
    for (guint i = 0; i < advice->len; i++) {
        const PvAdvice *each = advice->pdata[i];
        if (strcmp (each->id, wanted->id) == 0 && strcmp (each->text, wanted->text) == 0)
            return true;
    }
    return false;
}

GPtrArray *
pv_advice_join (GPtrArray *advice_of_side[PV_N_SIDES], const char *const *programs, GPtrArray *more)
{
    g_autoptr (GPtrArray) all = g_ptr_array_new ();
    g_autoptr (GPtrArray) twice = pv_advice_array_new ();
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        for (guint i = 0; i < advice_of_side[side]->len; i++) {
            PvAdvice *each = advice_of_side[side]->pdata[i];
            const bool is_of_both = has_same (advice_of_side[1 - side], each);
            g_ptr_array_add (is_of_both && side == PV_SIDE_NEW ? twice : all, each);
            if (is_of_both)
                continue;
            g_autofree char *title = g_steal_pointer (&each->title);
            g_autofree char *program = g_filename_display_name (programs[side]);
            /* Translators: a program, and the title of advice about it */
            each->title = g_strdup_printf (_ ("%s: %s"), program, title);
        }
    for (guint i = 0; i < more->len; i++)
        g_ptr_array_add (all, more->pdata[i]);
    GPtrArray *const given[] = {advice_of_side[PV_SIDE_BASE], advice_of_side[PV_SIDE_NEW], more};
    for (size_t i = 0; i < G_N_ELEMENTS (given); i++) {
        g_ptr_array_set_free_func (given[i], NULL);
        g_ptr_array_unref (given[i]);
    }
    return sort_by_level (all);
}
