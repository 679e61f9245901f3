/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "record/plan/launches.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static PvRecordPlan *
make_plan (const char *typed)
{
    PvRecordPlan *plan = pv_record_plan_new ();
    g_assert_true (pv_record_parse_typed (typed, &plan->argv, &plan->environment, NULL));
    return plan;
}

static char *
get_path (void)
{
    return g_build_filename (g_get_user_state_dir (), "profview", "launches.ini", NULL);
}

static void
clear (void)
{
    g_autofree char *path = get_path ();
    g_unlink (path);
}

static void
add (const PvRecordPlan *plan)
{
    g_assert_true (assert_ok (error, pv_launches_add (plan, &error)));
}

TEST (equal)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("A=1 ./x y");
    g_autoptr (PvRecordPlan) other = make_plan ("A=1 ./x y");
    other->output = g_strdup ("/somewhere");
    other->frequency_hz = PV_RECORD_DEFAULT_FREQUENCY_HZ;
    other->stack_bytes = PV_RECORD_DEFAULT_STACK_BYTES;
    other->events = g_new0 (char *, 1);
    g_assert_true (pv_record_plan_equal (plan, other));
    other->frequency_hz = 100;
    g_assert_false (pv_record_plan_equal (plan, other));
    other->frequency_hz = 0;
    other->call_graph = PV_CALL_GRAPH_FP;
    g_assert_false (pv_record_plan_equal (plan, other));
    other->kind = PV_RECORD_HEAPTRACK;
    g_assert_false (pv_record_plan_equal (plan, other));
    plan->kind = PV_RECORD_HEAPTRACK;
    g_assert_true (pv_record_plan_equal (plan, other));
    other->folder = g_strdup ("/");
    g_assert_false (pv_record_plan_equal (plan, other));
    g_clear_pointer (&other->folder, g_free);
    other->max_memory_bytes = 1;
    g_assert_false (pv_record_plan_equal (plan, other));
    other->max_memory_bytes = 0;
    g_clear_pointer (&other->environment, g_strfreev);
    g_assert_false (pv_record_plan_equal (plan, other));
    plan->target = other->target = PV_TARGET_ATTACH;
    g_assert_true (pv_record_plan_equal (plan, other));
    other->pid = 5;
    g_assert_false (pv_record_plan_equal (plan, other));
}

static void
check_first (const PvRecordPlan *plan)
{
    g_autoptr (GPtrArray) plans = pv_launches_list ();
    g_assert_cmpuint (plans->len, >, 0);
    const PvRecordPlan *first = plans->pdata[0];
    g_assert_true (pv_record_plan_equal (first, plan));
    g_assert_cmpint (first->call_graph, ==, plan->call_graph);
    g_assert_cmpuint (first->frequency_hz, ==, plan->frequency_hz);
    g_assert_cmpuint (first->stack_bytes, ==, plan->stack_bytes);
    g_assert_cmpuint (first->dump_interval_bytes, ==, plan->dump_interval_bytes);
    g_assert_cmpint (first->is_privileged, ==, plan->is_privileged);
    g_assert_cmpint (first->leaves_target, ==, plan->leaves_target);
    g_assert_null (first->output);
}

/* By its program, as the number will be another's. */
TEST (process)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("unused");
    g_autoptr (GSubprocess) process =
        g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "sleep", "60", NULL);
    g_autofree char *link = g_strdup_printf ("/proc/%s/exe", g_subprocess_get_identifier (process));
    g_autofree char *program = g_file_read_link (link, NULL);
    clear ();
    plan->target = PV_TARGET_ATTACH;
    plan->pid = atoi (g_subprocess_get_identifier (process));
    plan->frequency_hz = 77;
    add (plan);
    add (plan);
    g_autoptr (GPtrArray) plans = pv_launches_list ();
    g_assert_cmpuint (plans->len, ==, 1);
    const PvRecordPlan *kept = plans->pdata[0];
    g_assert_cmpint (kept->target, ==, PV_TARGET_ATTACH);
    g_assert_cmpint (kept->pid, ==, 0);
    g_assert_cmpuint (kept->frequency_hz, ==, 77);
    g_assert_cmpstr (kept->argv[0], ==, program);
    g_assert_null (kept->argv[1]);
    g_assert_true (pv_record_plan_lacks_process (kept));
    g_assert_false (pv_record_plan_lacks_process (plan));
    g_autoptr (PvRecordPlan) other = pv_record_plan_copy (kept);
    g_free (other->argv[0]);
    other->argv[0] = g_strdup ("/another");
    g_assert_false (pv_record_plan_equal (kept, other));
    clear ();
    g_subprocess_force_exit (process);
    g_assert_true (g_subprocess_wait (process, NULL, NULL));
}

/* A message has what a launch does not: the process and the file. */
TEST (text)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("A=\xff ./x '\n \\s'");
    plan->kind = PV_RECORD_SAMPLY;
    plan->call_graph = PV_CALL_GRAPH_LBR;
    plan->pid = 4711;
    plan->output = g_strdup ("/a b/\xfe");
    plan->max_memory_bytes = UINT64_MAX;
    plan->frequency_hz = 7;
    g_autofree char *text = pv_record_plan_to_text (plan);
    g_assert_true (g_str_is_ascii (text));
    g_autoptr (PvRecordPlan) again = pv_record_plan_from_text (text);
    g_assert_nonnull (again);
    g_assert_true (pv_record_plan_equal (again, plan));
    g_assert_cmpint (again->call_graph, ==, PV_CALL_GRAPH_LBR);
    g_assert_cmpint (again->pid, ==, 4711);
    g_assert_cmpstr (again->output, ==, plan->output);
    g_assert_cmpstrv (again->argv, plan->argv);
    g_assert_null (pv_record_plan_from_text (""));
    g_assert_null (pv_record_plan_from_text ("[1]\nkind=nothing\ntarget=launch\n"));
    g_assert_null (pv_record_plan_from_text ("[1]\nkind=perf\n"));
}

TEST (kept)
{
    static const char *const strange[] = {"./a b", "\xff\n;#[x]\\n\\s", "", " x ", "A=1", "é",
                                          NULL};
    g_autoptr (PvRecordPlan) plan = make_plan ("x");
    clear ();
    g_autoptr (GPtrArray) none = pv_launches_list ();
    g_assert_cmpuint (none->len, ==, 0);
    add (plan);
    check_first (plan);
    g_strfreev (plan->argv);
    plan->argv = g_strdupv ((char **)strange);
    plan->environment = g_strdupv ((char *[]){(char *)"A.B= \xfe", (char *)"C=", NULL});
    plan->folder = g_strdup ("/a b\n\xff");
    plan->events = g_strdupv ((char *[]){(char *)"cycles:u", (char *)"sched:sched_switch", NULL});
    plan->max_memory_bytes = UINT64_MAX;
    plan->stack_bytes = 8192;
    plan->frequency_hz = 1;
    plan->is_privileged = plan->leaves_target = true;
    plan->output = g_strdup ("/nowhere");
    add (plan);
    check_first (plan);
    plan->kind = PV_RECORD_JEMALLOC;
    plan->is_privileged = false;
    plan->dump_interval_bytes = UINT64_MAX - 1;
    add (plan);
    check_first (plan);
    g_autoptr (PvRecordPlan) all = pv_record_plan_new ();
    all->target = PV_TARGET_SYSTEM;
    all->call_graph = PV_CALL_GRAPH_LBR;
    add (all);
    check_first (all);
    all->target = PV_TARGET_ATTACH; /* not kept: nobody knows which program that is */
    all->pid = G_MAXINT;
    add (all);
    g_autoptr (GPtrArray) plans = pv_launches_list ();
    g_assert_cmpuint (plans->len, ==, 4);

    struct stat status;
    g_autofree char *path = get_path ();
    g_assert_cmpint (stat (path, &status), ==, 0);
    g_assert_cmpint (status.st_mode & 0777, ==, 0600);
    clear ();
}

TEST (order)
{
    for (unsigned i = 0; i < PV_MAX_LAUNCHES + 5; i++) {
        g_autofree char *typed = g_strdup_printf ("./x %u", i);
        g_autoptr (PvRecordPlan) plan = make_plan (typed);
        add (plan);
    }
    g_autoptr (PvRecordPlan) again = make_plan ("./x 10");
    add (again);
    add (again);
    g_autoptr (GPtrArray) plans = pv_launches_list ();
    g_assert_cmpuint (plans->len, ==, PV_MAX_LAUNCHES);
    g_assert_cmpstr (((PvRecordPlan *)plans->pdata[0])->argv[1], ==, "10");
    g_assert_cmpstr (((PvRecordPlan *)plans->pdata[1])->argv[1], ==, "16");
    g_assert_cmpstr (((PvRecordPlan *)plans->pdata[PV_MAX_LAUNCHES - 1])->argv[1], ==, "5");
}

static unsigned
count_of (const char *text)
{
    g_autofree char *path = get_path ();
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    g_autoptr (GPtrArray) plans = pv_launches_list ();
    return plans->len;
}

TEST (damaged)
{
    g_autofree char *path = get_path ();
    g_assert_cmpuint (count_of (""), ==, 0);
    g_assert_cmpuint (count_of ("\xff\xfe\x00"), ==, 0);
    g_assert_cmpuint (count_of ("[1]\nkind=perf\ntarget=launch\n"), ==, 0);
    g_assert_cmpuint (count_of ("[1]\nkind=perf\ntarget=launch\ncommand='x\n"), ==, 0);
    g_assert_cmpuint (count_of ("[1]\nkind=perf\ntarget=attach\n"), ==, 0);
    g_assert_cmpuint (count_of ("[1]\nkind=what\ntarget=launch\ncommand=x\n"), ==, 0);
    g_assert_cmpuint (count_of ("[1]\nkind=perf\ntarget=launch\ncommand=x\ncall-graph=y\n"), ==, 0);
    g_assert_cmpuint (count_of ("[1]\nkind=perf\ntarget=launch\ncommand=x\nenvironment=y\n"), ==,
                      0);
    g_assert_cmpuint (count_of ("[1]\nkind=bad\n[2]\nkind=perf\ntarget=launch\ncommand=x\n"
                                "frequency=-5\nstack-bytes=none\nmemory-limit=-1\n"),
                      ==, 1);
    g_assert_cmpint (g_unlink (path), ==, 0);
    g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
    g_autoptr (GPtrArray) plans = pv_launches_list ();
    g_assert_cmpuint (plans->len, ==, 0);
    g_autoptr (PvRecordPlan) plan = make_plan ("x");
    g_autoptr (GError) error = NULL;
    g_assert_false (pv_launches_add (plan, &error));
    g_assert_nonnull (error);
    g_assert_cmpint (g_rmdir (path), ==, 0);
}

TESTS_MAIN (argc, argv)
{
    g_autofree char *folder = g_dir_make_tmp ("pv-launches-XXXXXX", NULL);
    g_autofree char *inside = g_build_filename (folder, "profview", NULL);
    g_setenv ("XDG_STATE_HOME", folder, TRUE);
    pv_test_init (argc, argv);
    int status = g_test_run ();
    clear ();
    g_rmdir (inside);
    g_rmdir (folder);
    return status;
}
