/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/plan/turns.h"

#include <string.h>

/* Fewer runs do not tell how they differ. */
enum { MIN_ROUNDS = 2 };

struct PvTurns {
    PvRecordPlan *plan;
    GPtrArray *paths[PV_N_SIDES]; /* char * */
    unsigned n_runs;              /* recorded by now */
    bool is_enough;
};

PvTurns *
pv_turns_new (const PvRecordPlan *plan)
{
    g_assert (plan != NULL && plan->n_rounds > 0);
    g_assert (plan->programs == NULL || plan->target == PV_TARGET_LAUNCH);
    PvTurns *turns = g_new0 (PvTurns, 1);
    turns->plan = pv_record_plan_copy (plan);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        turns->paths[side] = g_ptr_array_new_with_free_func (g_free);
    return turns;
}

void
pv_turns_free (PvTurns *turns)
{
    if (turns == NULL)
        return;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        g_ptr_array_unref (turns->paths[side]);
    pv_record_plan_free (turns->plan);
    g_free (turns);
}

/* Each is first as often as the other: who comes second may find a warmer machine. */
static PvSide
find_side (const PvTurns *turns)
{
    static const PvSide order[] = {PV_SIDE_BASE, PV_SIDE_NEW, PV_SIDE_NEW, PV_SIDE_BASE};
    return turns->plan->programs != NULL ? order[turns->n_runs % G_N_ELEMENTS (order)]
                                         : PV_SIDE_NEW;
}

static unsigned
count_sides (const PvTurns *turns)
{
    return turns->plan->programs != NULL ? PV_N_SIDES : 1;
}

bool
pv_turns_get (const PvTurns *turns, PvTurn *ret_turn)
{
    g_assert (turns != NULL && ret_turn != NULL);
    const PvRecordPlan *plan = turns->plan;
    const unsigned round = turns->n_runs / count_sides (turns);
    if (round >= plan->n_rounds || turns->is_enough)
        return false;
    const PvSide side = find_side (turns);
    *ret_turn = (PvTurn){.side = side,
                         .round = round,
                         .n_rounds = plan->n_rounds,
                         .program = plan->programs != NULL ? plan->programs[side] : NULL,
                         .is_first = turns->n_runs == 0};
    return true;
}

static char *
number_output (const char *output, const PvTurn *turn)
{
    const char *slash = strrchr (output, '/');
    const char *base = slash != NULL ? slash + 1 : output;
    const char *dot = strrchr (base, '.');
    size_t len = dot != NULL && dot != base ? (size_t)(dot - output) : strlen (output);
    const char *name = turn->program == NULL ? "" : turn->side == PV_SIDE_BASE ? "-base" : "-new";
    return g_strdup_printf ("%.*s%s-%u%s", (int)len, output, name, turn->round + 1, output + len);
}

PvRecordPlan *
pv_turns_make_plan_of_side (const PvRecordPlan *plan, PvSide side)
{
    g_assert (plan != NULL && side < PV_N_SIDES);
    PvRecordPlan *one = pv_record_plan_copy (plan);
    if (plan->programs != NULL) {
        g_strfreev (one->argv);
        one->argv = pv_turns_put_program (plan->argv, plan->programs[side]);
    }
    g_clear_pointer (&one->programs, g_strfreev);
    one->n_rounds = 0;
    one->until_percent = 0;
    return one;
}

PvRecordPlan *
pv_turns_make_plan (const PvTurns *turns)
{
    PvTurn turn;
    const bool has_turn = pv_turns_get (turns, &turn);
    g_assert (has_turn);
    PvRecordPlan *plan = pv_turns_make_plan_of_side (turns->plan, turn.side);
    if (plan->output != NULL) {
        g_autofree char *output = g_steal_pointer (&plan->output);
        plan->output = number_output (output, &turn);
    }
    return plan;
}

void
pv_turns_add (PvTurns *turns, const char *path)
{
    g_assert (turns != NULL && path != NULL);
    g_ptr_array_add (turns->paths[find_side (turns)], g_strdup (path));
    turns->n_runs++;
}

bool
pv_turns_wants_uncertainty (const PvTurns *turns)
{
    g_assert (turns != NULL);
    const unsigned n_rounds = turns->n_runs / count_sides (turns);
    return turns->plan->programs != NULL && turns->plan->until_percent > 0 && !turns->is_enough &&
           turns->n_runs % PV_N_SIDES == 0 && n_rounds >= MIN_ROUNDS &&
           n_rounds < turns->plan->n_rounds;
}

bool
pv_turns_judge (PvTurns *turns, double percent)
{
    g_assert (turns != NULL);
    turns->is_enough = percent <= turns->plan->until_percent;
    return turns->is_enough;
}

char **
pv_turns_list (const PvTurns *turns, PvSide side)
{
    g_assert (turns != NULL && side < PV_N_SIDES);
    const GPtrArray *paths = turns->paths[side];
    char **files = g_new0 (char *, paths->len + 1);
    for (guint i = 0; i < paths->len; i++)
        files[i] = g_strdup (paths->pdata[i]);
    return files;
}

unsigned
pv_turns_count (const PvTurns *turns, PvSide side)
{
    g_assert (turns != NULL && side < PV_N_SIDES);
    return turns->paths[side]->len;
}

char **
pv_turns_put_program (char *const *command, const char *program)
{
    g_assert (program != NULL);
    g_autoptr (GPtrArray) argv = g_ptr_array_new ();
    bool is_there = false;
    for (char *const *word = command; word != NULL && *word != NULL; word++)
        is_there |= strstr (*word, "{}") != NULL;
    if (!is_there)
        g_ptr_array_add (argv, g_strdup (program));
    for (char *const *word = command; word != NULL && *word != NULL; word++) {
        g_auto (GStrv) parts = g_strsplit (*word, "{}", -1);
        g_ptr_array_add (argv, g_strjoinv (program, parts));
    }
    g_ptr_array_add (argv, NULL);
    return (char **)g_ptr_array_free (g_steal_pointer (&argv), FALSE);
}
