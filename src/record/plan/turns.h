/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "record/plan/plan.h"

/*
 * Recording a plan several times; with two programs in turn, so that what drifts on the machine
 * hits both alike. Says which run is next, how it is recorded, and when there are enough; whoever
 * records asks for one run after the other. Plain data; any thread, one at a time.
 *
 *     while (pv_turns_get (turns, &turn)) {
 *         plan = pv_turns_make_plan (turns); record it
 *         pv_turns_add (turns, path);
 *         if (pv_turns_wants_uncertainty (turns))
 *             pv_turns_judge (turns, percent);
 *     }
 */
typedef struct PvTurns PvTurns;

typedef struct {
    PvSide side;         /* of one program: the new one */
    unsigned round;      /* from 0 */
    unsigned n_rounds;   /* runs of each at most */
    const char *program; /* borrowed; NULL: there are no sides */
    bool is_first;       /* nothing was recorded before it */
} PvTurn;

/* Copies the plan, of which n_rounds is not 0; without programs there is one side. */
PvTurns *pv_turns_new (const PvRecordPlan *plan);
void pv_turns_free (PvTurns *turns);

/* The run that is next or on. False: there are enough. */
bool pv_turns_get (const PvTurns *turns, PvTurn *ret_turn);
/* Its plan, without programs; "out.data" is "out-new-3.data". Free it. */
PvRecordPlan *pv_turns_make_plan (const PvTurns *turns);
/* It is recorded in this file, and the next one is on. */
void pv_turns_add (PvTurns *turns, const char *path);

/* True after a run if it has to be found out how far the true change of everything may be from the
 * one that is seen. */
bool pv_turns_wants_uncertainty (const PvTurns *turns);
/* That, in percent of the base; INFINITY: it is not known. True if it is little enough: then no run
 * is next. */
bool pv_turns_judge (PvTurns *turns, double percent);

/* The plan of one of its two programs: without programs, rounds and numbers. Free it. */
PvRecordPlan *pv_turns_make_plan_of_side (const PvRecordPlan *plan, PvSide side);

/* The files of a side. NULL-terminated; g_strfreev () it. */
char **pv_turns_list (const PvTurns *turns, PvSide side);
unsigned pv_turns_count (const PvTurns *turns, PvSide side);

/* The command with the program in place of each "{}"; without any, it is what runs with the command
 * as its arguments. command may be NULL. g_strfreev () the result. */
char **pv_turns_put_program (char *const *command, const char *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvTurns, pv_turns_free)
