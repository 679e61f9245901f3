/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <unistd.h>

#include "../cases.h"
#include "record/perf/perf-arguments.h"
#include "record/plan/plan.h"

/* Typed command lines */

static void
check_typed (const char *typed, const char *wanted_environment, const char *wanted_argv)
{
    g_auto (GStrv) argv = NULL;
    g_auto (GStrv) environment = NULL;
    g_assert_true (assert_ok (error, pv_record_parse_typed (typed, &argv, &environment, &error)));
    g_autofree char *variables = environment != NULL ? g_strjoinv ("|", environment) : NULL;
    assert_string (g_strjoinv ("|", argv), wanted_argv);
    g_assert_cmpstr (variables, ==, wanted_environment);
}

TEST (typed)
{
    check_typed ("ls", NULL, "ls");
    check_typed ("  ./server\t--port  80\n", NULL, "./server|--port|80");
    check_typed ("'a b' \"c d\" e\\ f g''h '' \"\"", NULL, "a b|c d|e f|gh||");
    check_typed ("'\\n' \"\\n\\\"\\$\\`\\\\\" \\n a\\\\b", NULL, "\\n|\\n\"$`\\|n|a\\b");
    check_typed ("x $(x) `x` $HOME \"$(x)\" ~ * ; & | > <", NULL,
                 "x|$(x)|`x`|$HOME|$(x)|~|*|;|&|||>|<");
    check_typed ("x a#b '#c' #y", NULL, "x|a#b|#c");
    check_typed ("x 'a\nb' \"c\nd\" e\\\nf \\\n g", NULL, "x|a\nb|c\nd|ef|g");
    check_typed ("x $ $\"a\" $'a'", NULL, "x|$|$a|$a");
}

TEST (typed_environment)
{
    check_typed ("A=1 B_2='x y' ./p C=3", "A=1|B_2=x y", "./p|C=3");
    check_typed ("A= p", "A=", "p");
    check_typed ("A=\\ \\' B=\"c ' \\\" d\"'e\\' C='' p q", "A= '|B=c ' \" de\\|C=", "p|q");
    check_typed ("A=$(x)=y p", "A=$(x)=y", "p");
    check_typed ("'A'=1 p", NULL, "A=1|p");
    check_typed ("A\\=1 p", NULL, "A=1|p");
    check_typed ("2A=1 p", NULL, "2A=1|p");
    check_typed ("./A=1 p", NULL, "./A=1|p");
    check_typed ("--A=1 p", NULL, "--A=1|p");
}

static void
check_bad (const char *typed, int code)
{
    char **argv = NULL, **environment = NULL;
    assert_error (error, pv_record_parse_typed (typed, &argv, &environment, &error), G_SHELL_ERROR,
                  code);
    g_assert_null (argv);
    g_assert_null (environment);
}

TEST (typed_bad)
{
    check_bad ("", G_SHELL_ERROR_EMPTY_STRING);
    check_bad (" \n ", G_SHELL_ERROR_EMPTY_STRING);
    check_bad ("A=1", G_SHELL_ERROR_EMPTY_STRING);
    check_bad ("'' x", G_SHELL_ERROR_EMPTY_STRING);
    check_bad ("a 'b", G_SHELL_ERROR_BAD_QUOTING);
    check_bad ("a \"b\\\"", G_SHELL_ERROR_BAD_QUOTING);
    check_bad ("A='b p", G_SHELL_ERROR_BAD_QUOTING);
    check_bad ("a b\\", G_SHELL_ERROR_BAD_QUOTING);
    check_bad ("A=1\\", G_SHELL_ERROR_BAD_QUOTING);
}

static void
check_round_trip (const char *const *argv, const char *const *environment)
{
    g_auto (GStrv) parsed_argv = NULL;
    g_auto (GStrv) parsed_environment = NULL;
    g_autofree char *typed = pv_record_format_typed (argv, environment);
    g_assert_true (g_utf8_validate (typed, -1, NULL));
    g_assert_true (assert_ok (
        error, pv_record_parse_typed (typed, &parsed_argv, &parsed_environment, &error)));
    g_assert_cmpstrv (parsed_argv, argv);
    g_assert_cmpstrv (parsed_environment, environment);
}

static const char *const strange[] = {
    "a b",
    "it's",
    "\"",
    "'",
    "\\",
    "a\\",
    "\n",
    "a\nb",
    "\r\n",
    "\t",
    "--x",
    "-",
    "$(rm)",
    "`x`",
    "${x}",
    "#",
    "a#b",
    "été",
    "日本 語",
    "A=1",
    "A='1'",
    "~",
    "*",
    "$'a'",
    "\x01\x7f",
    "!x",
    "\u202e"
    "x",
    "\u00a0x",
    "a;b|c&d>e<f(g)",
    "\\n\\x41",
    "\033[31m",
    "",
};

TEST (typed_round_trip)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (strange); i++) {
        g_autofree char *variable = g_strconcat ("V_1=", strange[i], NULL);
        const char *const argv[] = {strange[i], "x", strange[i], NULL};
        const char *const environment[] = {variable, NULL};
        if (*strange[i] == '\0')
            continue;
        check_round_trip (argv, NULL);
        check_round_trip (argv, environment);
    }
    const char *const empty[] = {"p", "", "", NULL};
    check_round_trip (empty, NULL);
    const char *const no_name[] = {"A.B=1", "=x", "%%", NULL}, *const program[] = {"p", NULL};
    assert_string (pv_record_format_typed (program, no_name), "p");
    const char *const not_text[] = {"p\xff", NULL};
    assert_string (pv_record_format_typed (not_text, NULL), "'p\uFFFD'");
}

/* Any characters. */
TEST (typed_random)
{
    static const char likely[] = "'\"\\$ \n#=A(x1";
    for (unsigned n = 0; n < 20000; n++) {
        char words[3][9] = {"p"};
        const char *argv[] = {words[0], words[1], words[2], NULL};
        for (unsigned i = 0; i < 3; i++)
            for (int j = g_test_rand_int_range (i == 0 ? 1 : 0, 8); j >= 0; j--)
                words[i][j] = g_test_rand_bit ()
                                  ? (char)g_test_rand_int_range (1, 128)
                                  : likely[g_test_rand_int_range (0, (int)sizeof likely - 1)];
        check_round_trip (argv, NULL);
    }
}

/* The words as a real shell splits them; it is given nothing that it would run. */
TEST (typed_as_shell)
{
    g_autofree char *bash = g_find_program_in_path ("bash");
    g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
    g_autoptr (GString) wanted = g_string_new (NULL);
    g_autofree char *output = NULL;
    g_assert_nonnull (bash);
    g_strv_builder_add_many (words, "printf", "%s|", NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS (strange); i++) {
        g_strv_builder_add (words, strange[i]);
        g_string_append_printf (wanted, "%s|", strange[i]);
    }
    g_auto (GStrv) argv = g_strv_builder_end (words);
    g_autofree char *typed = pv_record_format_typed ((const char *const *)argv, NULL);
    const char *shell[] = {bash, "-c", typed, NULL};
    g_assert_true (assert_ok (error, g_spawn_sync (NULL, (char **)shell, NULL, 0, NULL, NULL,
                                                   &output, NULL, NULL, &error)));
    g_assert_cmpstr (output, ==, wanted->str);
}

/* Plans */

static PvRecordPlan *
make_plan (const char *typed)
{
    PvRecordPlan *plan = pv_record_plan_new ();
    g_assert_true (pv_record_parse_typed (typed, &plan->argv, &plan->environment, NULL));
    return plan;
}

TEST (ids)
{
    PvRecordKind kind;
    PvCallGraph call_graph;
    for (unsigned i = 0; i < PV_N_RECORD_KINDS; i++) {
        g_assert_true (pv_record_kind_find (pv_recorder_get (i)->id, &kind));
        g_assert_cmpint (kind, ==, i);
    }
    for (unsigned i = 0; i < PV_N_CALL_GRAPHS; i++) {
        g_assert_true (pv_call_graph_find (pv_call_graph_get_id (i), &call_graph));
        g_assert_cmpint (call_graph, ==, i);
    }
    g_assert_cmpstr (pv_recorder_get (PV_RECORD_OFF_CPU)->id, ==, "offcpu");
    g_assert_false (pv_record_kind_find ("", &kind));
    g_assert_false (pv_record_kind_find ("Perf", &kind));
    g_assert_false (pv_call_graph_find ("dwarf,8192", &call_graph));
}

/* Every recorder has all of its texts. */
TEST (recorders)
{
    for (unsigned i = 0; i < PV_N_RECORD_KINDS; i++) {
        const PvRecorder *recorder = pv_recorder_get (i);
        bool can_all = recorder->can_attach && recorder->can_record_system;
        g_assert_true (recorder->name != NULL && recorder->title != NULL);
        g_assert_true (recorder->about != NULL && recorder->subject < PV_N_RECORD_SUBJECTS);
        g_assert_cmpint (recorder->target_fault == NULL, ==, can_all);
        g_assert_cmpint (*recorder->ending == '\0', ==, recorder->writes_folder);
        g_assert_cmpuint (recorder->fields & recorder->ignored_fields, ==, 0);
        g_assert_true (recorder->append_command != NULL && recorder->check != NULL);
        g_assert_nonnull (recorder->run);
    }
    for (unsigned field = 1; field <= PV_PLAN_DUMP_INTERVAL; field <<= 1) {
        bool is_used = false;
        for (unsigned i = 0; i < PV_N_RECORD_KINDS; i++)
            is_used |= pv_record_kind_uses (i, field);
        g_assert_true (is_used);
    }
    assert_string (pv_record_kinds_join (), "perf, offcpu, heaptrack, jemalloc, samply");
}

TEST (faults)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("A=1 ./x");
    char *bad_environment[] = {(char *)"nothing", NULL}, *bad_events[] = {(char *)"", NULL};
    g_assert_null (pv_record_plan_find_fault (plan));
    for (unsigned kind = 0; kind < PV_N_RECORD_KINDS; kind++) {
        plan->kind = kind;
        plan->target = PV_TARGET_LAUNCH;
        g_assert_null (pv_record_plan_find_fault (plan));
        plan->target = PV_TARGET_ATTACH;
        plan->pid = 1;
        g_assert_cmpint (pv_record_plan_find_fault (plan) == NULL, ==, kind != PV_RECORD_JEMALLOC);
        plan->pid = 0;
        g_assert_nonnull (pv_record_plan_find_fault (plan));
        plan->pid = getpid ();
        g_assert_nonnull (pv_record_plan_find_fault (plan));
        plan->target = PV_TARGET_SYSTEM;
        g_assert_cmpint (pv_record_plan_find_fault (plan) == NULL, ==, kind <= PV_RECORD_OFF_CPU);
        plan->target = PV_TARGET_LAUNCH;
        plan->is_privileged = true;
        g_assert_cmpint (pv_record_plan_find_fault (plan) == NULL, ==, kind <= PV_RECORD_OFF_CPU);
        plan->is_privileged = false;
    }
    plan->kind = PV_RECORD_PERF;
    plan->stack_bytes = 65528;
    g_assert_null (pv_record_plan_find_fault (plan));
    plan->stack_bytes = 65536;
    g_assert_nonnull (pv_record_plan_find_fault (plan));
    plan->stack_bytes = 8191;
    g_assert_nonnull (pv_record_plan_find_fault (plan));
    plan->call_graph = PV_CALL_GRAPH_LBR;
    g_assert_null (pv_record_plan_find_fault (plan));
    plan->kind = PV_RECORD_OFF_CPU;
    g_assert_nonnull (pv_record_plan_find_fault (plan));
    plan->kind = PV_RECORD_HEAPTRACK;
    g_assert_null (pv_record_plan_find_fault (plan));

    g_autoptr (PvRecordPlan) odd = make_plan ("x");
    odd->environment = bad_environment;
    g_assert_nonnull (pv_record_plan_find_fault (odd));
    odd->environment = NULL;
    odd->events = bad_events;
    g_assert_nonnull (pv_record_plan_find_fault (odd));
    odd->events = NULL;
    **odd->argv = '\0';
    g_assert_nonnull (pv_record_plan_find_fault (odd));
    g_autoptr (PvRecordPlan) empty = pv_record_plan_new ();
    g_assert_nonnull (pv_record_plan_find_fault (empty));
}

static void
check_command (const PvRecordPlan *plan, const char *wanted)
{
    assert_string (pv_record_plan_format_command (plan), wanted);
}

TEST (commands)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("./server --port 80");
    check_command (plan, "perf record --call-graph dwarf,16384 -F 999 -- ./server --port 80");
    plan->call_graph = PV_CALL_GRAPH_FP;
    plan->frequency_hz = 4000;
    plan->events = g_strsplit_set ("cycles:u,sched:sched_switch", ",", -1);
    plan->max_memory_bytes = 1 << 30;
    plan->folder = g_strdup ("/my work");
    plan->environment = g_strsplit_set ("A=b c|D=", "|", -1);
    check_command (plan, "cd -- '/my work' && A='b c' D= perf record --call-graph fp -F 4000 "
                         "-e cycles:u -e sched:sched_switch -- prlimit --as=1073741824 -- "
                         "./server --port 80");
    plan->kind = PV_RECORD_HEAPTRACK;
    check_command (plan, "cd -- '/my work' && A='b c' D= heaptrack --raw prlimit --as=1073741824 "
                         "-- ./server --port 80");
    plan->target = PV_TARGET_ATTACH;
    plan->pid = 4711;
    check_command (plan, "heaptrack --raw -p 4711");
    plan->kind = PV_RECORD_PERF;
    plan->is_privileged = true;
    plan->frequency_hz = 0;
    g_clear_pointer (&plan->events, g_strfreev);
    check_command (plan, "pkexec perf record --call-graph fp -F 999 -p 4711");
    plan->target = PV_TARGET_SYSTEM;
    plan->call_graph = PV_CALL_GRAPH_NONE;
    check_command (plan, "pkexec perf record -F 999 -a");

    g_autoptr (PvRecordPlan) privileged = make_plan ("'a b' $(x)");
    privileged->is_privileged = true;
    privileged->events = g_strsplit_set ("sched:sched_wakeup", ",", -1);
    check_command (privileged, "'a b' '$(x)' & pkexec perf record --call-graph dwarf,16384 "
                               "-e sched:sched_wakeup -p $!");

    g_autoptr (PvRecordPlan) off_cpu = make_plan ("./x");
    off_cpu->kind = PV_RECORD_OFF_CPU;
    off_cpu->frequency_hz = 100;
    g_autofree char *off_cpu_command = g_strdup_printf (
        "perf record --call-graph dwarf,16384 --switch-events -e context-switches %s"
        "-e cpu-clock/period=1001001,name=cpu-clock/ -c 1 -- ./x",
        pv_perf_may_trace (off_cpu, pv_record_machine_get ()) ? "-e sched:sched_waking " : "");
    check_command (off_cpu, off_cpu_command);

    g_autoptr (PvRecordPlan) jemalloc = make_plan ("./x");
    jemalloc->kind = PV_RECORD_JEMALLOC;
    check_command (jemalloc, "MALLOC_CONF=prof:true,prof_final:true,lg_prof_interval:26 ./x");
    jemalloc->dump_interval_bytes = 1000;
    check_command (jemalloc, "MALLOC_CONF=prof:true,prof_final:true,lg_prof_interval:9 ./x");
}

TEST (copy)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("A=1 x y");
    plan->folder = g_strdup ("/f");
    plan->events = g_strsplit_set ("a,b", ",", -1);
    plan->output = g_strdup ("o");
    plan->frequency_hz = 7;
    g_autoptr (PvRecordPlan) copy = pv_record_plan_copy (plan);
    g_assert_cmpstrv (copy->argv, plan->argv);
    g_assert_cmpstrv (copy->environment, plan->environment);
    g_assert_cmpstrv (copy->events, plan->events);
    g_assert_cmpstr (copy->folder, ==, "/f");
    g_assert_cmpstr (copy->output, ==, "o");
    g_assert_true (copy->argv != plan->argv && copy->folder != plan->folder);
    g_assert_cmpuint (copy->frequency_hz, ==, 7);
    pv_record_plan_free (NULL);
}

TEST (buffer)
{
    g_autoptr (PvRecordPlan) plan = make_plan ("x");
    g_assert_cmpuint (pv_perf_get_buffer_mib (plan), ==, 16);
    plan->events = g_strsplit_set ("syscalls:sys_enter_write", ",", -1);
    g_assert_cmpuint (pv_perf_get_buffer_mib (plan), ==, 64);
    plan->buffer_mib = 2;
    g_assert_cmpuint (pv_perf_get_buffer_mib (plan), ==, 2);
}

/* Pages for each processor, the most that fit: perf wants a power of two. */
TEST (pages)
{
    static const char *const events[] = {"cycles", "syscalls:sys_enter_write"};
    const PvRecordMachine machine = {.paranoid = 2, .mlock_kib = 516};
    unsigned page_kib = (unsigned)sysconf (_SC_PAGESIZE) / 1024;
    unsigned n_cpus = (unsigned)sysconf (_SC_NPROCESSORS_ONLN);
    for (unsigned i = 0; i < G_N_ELEMENTS (events); i++) {
        g_autoptr (PvRecordPlan) plan = make_plan ("x");
        plan->events = g_strsplit (events[i], ",", -1);
        plan->is_privileged = true; /* the kernel sets no limit then, profview one for all */
        unsigned most = MIN (pv_perf_get_buffer_mib (plan), MAX (256 / n_cpus, 1)) * 1024;
        unsigned kib = pv_perf_choose_pages (plan, &machine) * page_kib;
        g_assert_true (kib == 0 ? most < 2 * PV_PERF_DEFAULT_PAGES * page_kib
                                : kib <= most && kib > most / 2);
        plan->buffer_mib = 2;
        g_assert_cmpuint (pv_perf_choose_pages (plan, &machine) * page_kib, ==, 2048);
    }
}
