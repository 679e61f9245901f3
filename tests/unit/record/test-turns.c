/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "../cases.h"
#include "record/plan/launches.h"
#include "record/plan/turns.h"

static PvRecordPlan *
make_plan (const char *command, const char *programs, unsigned n_rounds, double until_percent)
{
    PvRecordPlan *plan = pv_record_plan_new ();
    plan->argv = *command != '\0' ? g_strsplit (command, " ", -1) : NULL;
    plan->programs = programs != NULL ? g_strsplit (programs, " ", -1) : NULL;
    plan->n_rounds = n_rounds;
    plan->until_percent = until_percent;
    return plan;
}

/* Goes through all runs: "old 1" for each, and its command. */
static char *
run_all (PvTurns *turns)
{
    g_autoptr (GString) text = g_string_new (NULL);
    PvTurn turn;
    while (pv_turns_get (turns, &turn)) {
        g_autoptr (PvRecordPlan) plan = pv_turns_make_plan (turns);
        g_autofree char *command = g_strjoinv (" ", plan->argv);
        g_assert_null (plan->programs);
        g_assert_cmpuint (plan->n_rounds, ==, 0);
        g_assert_true (turn.is_first == (text->len == 0));
        g_string_append_printf (text, "%s%u:%s", text->len > 0 ? ", " : "", turn.round + 1,
                                command);
        pv_turns_add (turns, command);
    }
    return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Each is first as often as the other. */
TEST (order)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("-n 3", "old new", 3, 0);
    g_autoptr (PvTurns) turns = pv_turns_new (plan);
    assert_string (run_all (turns),
                   "1:old -n 3, 1:new -n 3, 2:new -n 3, 2:old -n 3, 3:old -n 3, 3:new -n 3");
    g_auto (GStrv) base = pv_turns_list (turns, PV_SIDE_BASE);
    assert_string (g_strjoinv ("|", base), "old -n 3|old -n 3|old -n 3");
    g_assert_cmpuint (pv_turns_count (turns, PV_SIDE_NEW), ==, 3);
    g_autoptr (PvRecordPlan) alone = make_plan ("x y", NULL, 2, 0);
    g_autoptr (PvTurns) runs = pv_turns_new (alone);
    assert_string (run_all (runs), "1:x y, 2:x y");
    g_assert_cmpuint (pv_turns_count (runs, PV_SIDE_BASE), ==, 0);
    g_assert_cmpuint (pv_turns_count (runs, PV_SIDE_NEW), ==, 2);
}

static void
check_command (const char *command, const char *wanted)
{
    g_auto (GStrv) words = *command != '\0' ? g_strsplit (command, " ", -1) : NULL;
    g_auto (GStrv) argv = pv_turns_put_program (words, "a b");
    assert_string (g_strjoinv ("|", argv), wanted);
}

TEST (commands)
{
    check_command ("", "a b");
    check_command ("-x", "a b|-x");
    check_command ("python3 {}", "python3|a b");
    check_command ("sh -c ./{};test/{}/{}", "sh|-c|./a b;test/a b/a b");
}

static void
check_output (const char *output, const char *programs, const char *wanted)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("x", programs, 2, 0);
    plan->output = g_strdup (output);
    g_autoptr (PvTurns) turns = pv_turns_new (plan);
    pv_turns_add (turns, "first");
    g_autoptr (PvRecordPlan) next = pv_turns_make_plan (turns);
    g_assert_cmpstr (next->output, ==, wanted);
}

TEST (outputs)
{
    check_output ("/a.b/o.data", "old new", "/a.b/o-new-1.data");
    check_output ("/a.b/o", "old new", "/a.b/o-new-1");
    check_output (".o", "old new", ".o-new-1");
    check_output ("o.raw.zst", NULL, "o.raw-2.zst");
    check_output (NULL, "old new", NULL);
}

/* Adds a round; true if the uncertainty is asked for. */
static bool
add_round (PvTurns *turns)
{
    pv_turns_add (turns, "base");
    g_assert_false (pv_turns_wants_uncertainty (turns));
    pv_turns_add (turns, "new");
    return pv_turns_wants_uncertainty (turns);
}

/* One run of each does not tell how runs differ, and after the last one nothing is to be decided.
 */
TEST (until)
{
    PvTurn turn;
    g_autoptr (PvRecordPlan) plan = make_plan ("", "old new", 5, 2);
    g_autoptr (PvTurns) turns = pv_turns_new (plan);
    g_assert_false (add_round (turns));
    g_assert_true (add_round (turns));
    g_assert_false (pv_turns_judge (turns, INFINITY));
    g_assert_true (pv_turns_get (turns, &turn));
    g_assert_cmpuint (turn.round, ==, 2);
    g_assert_true (add_round (turns));
    g_assert_false (pv_turns_judge (turns, 2.01));
    g_assert_true (add_round (turns));
    g_assert_true (pv_turns_judge (turns, 2));
    g_assert_false (pv_turns_get (turns, &turn));
    g_assert_false (pv_turns_wants_uncertainty (turns));
    g_autoptr (PvTurns) others = pv_turns_new (plan);
    for (unsigned i = 0; i < 4; i++)
        add_round (others);
    g_assert_false (add_round (others));
    g_assert_false (pv_turns_get (others, &turn));
    /* Without --until, nobody asks. */
    plan->until_percent = 0;
    g_autoptr (PvTurns) all = pv_turns_new (plan);
    g_assert_false (add_round (all));
    g_assert_false (add_round (all));
}

TEST (text)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("", "./o\n' ./n", 7, 1.5);
    g_autofree char *text = pv_record_plan_to_text (plan);
    g_autoptr (PvRecordPlan) again = pv_record_plan_from_text (text);
    g_assert_null (pv_record_plan_find_fault (again));
    g_assert_true (pv_record_plan_equal (again, plan));
    g_assert_cmpstrv (again->programs, plan->programs);
    g_assert_cmpuint (again->n_rounds, ==, 7);
    g_assert_cmpfloat (again->until_percent, ==, 1.5);
    again->n_rounds = 6;
    g_assert_false (pv_record_plan_equal (again, plan));
    again->n_rounds = PV_RECORD_MAX_ROUNDS + 1;
    g_assert_nonnull (pv_record_plan_find_fault (again));
    g_autoptr (PvRecordPlan) one =
        pv_record_plan_from_text ("[1]\nkind=perf\ntarget=launch\nprograms=x\nrounds=5\n");
    g_assert_nonnull (pv_record_plan_find_fault (one));
    g_autoptr (PvRecordPlan) other =
        pv_record_plan_from_text ("[1]\nkind=perf\ntarget=system\nprograms=x y\nrounds=5\n");
    g_assert_null (other->programs);
    g_autoptr (PvRecordPlan) none =
        pv_record_plan_from_text ("[1]\nkind=perf\ntarget=launch\nprograms='' y\nrounds=5\n");
    g_assert_nonnull (pv_record_plan_find_fault (none));
}
