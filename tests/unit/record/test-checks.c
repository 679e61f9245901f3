#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "record/checks-private.h"

/* A machine where all is well; tests take something away. */
static const PvRecordMachine good_machine = {
    .has_hardware_counters = true,
    .has_lbr = true,
    .may_count = true,
    .may_count_kernel = true,
    .may_count_system = true,
    .paranoid = 1,
    .ptrace_scope = 0,
    .mlock_kib = 516,
    .max_frequency_hz = 100000,
    .perf = "/usr/bin/perf",
    .heaptrack = "/usr/lib/heaptrack/libheaptrack_preload.so",
    .gdb = "/usr/bin/gdb",
    .pkexec = "/usr/bin/pkexec",
};

static const PvProgramFacts good_facts = {
    .is_known = true, .has_frame_pointers = true, .has_debug_info = true, .has_symbols = true};

typedef struct {
    PvRecordPlan *plan;
    PvRecordMachine machine;
    PvProgramFacts facts;
    PvCheckedTarget target;
} Case;

static void
case_init (Case *c, PvRecordKind kind, PvTargetKind target)
{
    static const char *const argv[] = {"/opt/app/server", "--port", "80", NULL};
    *c = (Case){.plan = pv_record_plan_new (),
                .machine = good_machine,
                .facts = good_facts,
                .target = {.is_there = true,
                           .is_ours = true,
                           .may_be_counted = true,
                           .output_folder = g_strdup ("/home/ann/recordings"),
                           .free_bytes = UINT64_MAX}};
    c->plan->kind = kind;
    c->plan->target = target;
    if (target == PV_TARGET_LAUNCH)
        c->plan->argv = g_strdupv ((char **)argv);
    if (target == PV_TARGET_ATTACH)
        c->plan->pid = 4711;
}

static void
case_clear (Case *c)
{
    pv_record_plan_free (c->plan);
    pv_checked_target_clear (&c->target);
}

/* The ids, with a mark for the level: "!fault ?warning hint". */
static char *
list_ids (const Case *c)
{
    static const char marks[] = {'\0', '?', '!'};
    g_autoptr (GPtrArray) advice =
        pv_record_check_with (c->plan, &c->facts, &c->machine, &c->target);
    GString *ids = g_string_new (NULL);
    for (guint i = 0; i < advice->len; i++) {
        const PvAdvice *each = advice->pdata[i];
        if (i > 0)
            g_string_append_c (ids, ' ');
        if (marks[each->level] != '\0')
            g_string_append_c (ids, marks[each->level]);
        g_string_append (ids, each->id);
        /* Whatever it is, it is complete. */
        g_assert_cmpuint (strlen (each->title), >, 0);
        g_assert_false (g_str_has_suffix (each->title, "."));
        g_assert_cmpuint (strlen (each->text), >, 10);
        g_assert_true (g_utf8_validate (each->text, -1, NULL));
        if (each->remedy == PV_REMEDY_COPY || each->remedy == PV_REMEDY_USE_PKEXEC)
            g_assert_nonnull (each->command);
        else
            g_assert_null (each->command);
    }
    return g_string_free (ids, FALSE);
}

static void
assert_ids (const Case *c, const char *expected)
{
    g_autofree char *ids = list_ids (c);
    g_assert_cmpstr (ids, ==, expected);
}

/* The advice of that id; g_ptr_array_unref () *ret_all. */
static const PvAdvice *
find_advice (const Case *c, const char *id, GPtrArray **ret_all)
{
    *ret_all = pv_record_check_with (c->plan, &c->facts, &c->machine, &c->target);
    for (guint i = 0; i < (*ret_all)->len; i++) {
        const PvAdvice *each = (*ret_all)->pdata[i];
        if (g_str_equal (each->id, id))
            return each;
    }
    g_assert_not_reached ();
}

static void
assert_remedy (const Case *c, const char *id, PvRemedy remedy, const char *part_of_command)
{
    g_autoptr (GPtrArray) all = NULL;
    const PvAdvice *advice = find_advice (c, id, &all);
    g_assert_cmpint (advice->remedy, ==, remedy);
    if (part_of_command == NULL)
        return;
    g_test_message ("%s", advice->command);
    g_assert_nonnull (strstr (advice->command, part_of_command));
}

static void
test_all_well (void)
{
    for (int kind = 0; kind < PV_N_RECORD_KINDS; kind++)
        for (int target = PV_TARGET_LAUNCH; target <= PV_TARGET_SYSTEM; target++) {
            Case c;
            bool is_perf = kind == PV_RECORD_PERF || kind == PV_RECORD_OFF_CPU;
            if ((target == PV_TARGET_SYSTEM && !is_perf) ||
                (target == PV_TARGET_ATTACH && kind == PV_RECORD_JEMALLOC))
                continue;
            case_init (&c, (PvRecordKind)kind, (PvTargetKind)target);
            c.facts.has_jemalloc = kind == PV_RECORD_JEMALLOC;
            assert_ids (&c, "");
            case_clear (&c);
        }
}

static void
test_missing_tools (void)
{
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.perf = NULL;
    assert_ids (&c, "!no-perf");
    case_clear (&c);

    case_init (&c, PV_RECORD_HEAPTRACK, PV_TARGET_LAUNCH);
    c.machine.heaptrack = NULL;
    c.machine.gdb = NULL;
    assert_ids (&c, "!no-heaptrack");
    case_clear (&c);

    case_init (&c, PV_RECORD_HEAPTRACK, PV_TARGET_ATTACH);
    c.machine.gdb = NULL;
    assert_ids (&c, "!no-gdb");
    case_clear (&c);

    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.plan->is_privileged = true;
    c.machine.pkexec = NULL;
    assert_ids (&c, "!no-pkexec");
    case_clear (&c);
}

static void
test_paranoid (void)
{
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.may_count_system = c.machine.may_count_kernel = false;
    c.machine.paranoid = 2;
    assert_ids (&c, "user-only");
    assert_remedy (&c, "user-only", PV_REMEDY_USE_PKEXEC, "pkexec");
    c.machine.may_count = false;
    c.machine.paranoid = 4;
    assert_ids (&c, "!paranoid");
    assert_remedy (&c, "paranoid", PV_REMEDY_USE_PKEXEC, "/usr/bin/pkexec /usr/bin/perf record");
    assert_remedy (&c, "paranoid", PV_REMEDY_USE_PKEXEC, "--control=fifo:");
    c.machine.pkexec = NULL;
    assert_remedy (&c, "paranoid", PV_REMEDY_COPY, "sudo sysctl kernel.perf_event_paranoid=2");
    /* With rights, all is well. */
    c.machine.pkexec = "/usr/bin/pkexec";
    c.plan->is_privileged = true;
    assert_ids (&c, "");
    case_clear (&c);

    case_init (&c, PV_RECORD_PERF, PV_TARGET_SYSTEM);
    c.machine.may_count_system = false;
    assert_ids (&c, "!system-rights");
    c.plan->is_privileged = true;
    assert_ids (&c, "");
    case_clear (&c);

    case_init (&c, PV_RECORD_OFF_CPU, PV_TARGET_LAUNCH);
    c.machine.may_count_kernel = false;
    assert_ids (&c, "?off-cpu-stacks");
    case_clear (&c);
}

static void
test_container (void)
{
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.may_count = c.machine.may_count_kernel = c.machine.may_count_system = false;
    c.machine.is_filtered = true;
    assert_ids (&c, "!filtered");
    c.plan->is_privileged = true;
    assert_ids (&c, "!filtered");
    case_clear (&c);
}

static void
test_counters (void)
{
    static const char *const hardware[] = {"page-faults", "cache-misses:u", NULL};
    static const char *const software[] = {"page-faults", "sched:sched_cycles", "cpu-clock", NULL};
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.has_hardware_counters = c.machine.has_lbr = false;
    assert_ids (&c, "?no-counters");
    c.plan->events = g_strdupv ((char **)hardware);
    assert_ids (&c, "!no-event");
    g_strfreev (c.plan->events);
    c.plan->events = g_strdupv ((char **)software);
    assert_ids (&c, "");
    c.plan->call_graph = PV_CALL_GRAPH_LBR;
    assert_ids (&c, "!no-lbr");
    assert_remedy (&c, "no-lbr", PV_REMEDY_USE_DWARF, NULL);
    case_clear (&c);
}

static void
test_settings (void)
{
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.is_kernel_hidden = true;
    assert_ids (&c, "kernel-hidden");
    c.machine.may_count_kernel = false;
    assert_ids (&c, "user-only"); /* nothing of the kernel to name */
    c.machine.may_count_system = false;
    c.machine.mlock_kib = 64;
    c.plan->frequency_hz = 200000;
    assert_ids (&c, "?frequency user-only mlock");
    case_clear (&c);
}

static void
test_processes (void)
{
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_ATTACH);
    c.target.is_there = false;
    assert_ids (&c, "!no-process");
    c.target.is_there = true;
    c.target.may_be_counted = false;
    assert_ids (&c, "!protected-process");
    c.target.is_ours = false;
    assert_ids (&c, "!other-user");
    assert_remedy (&c, "other-user", PV_REMEDY_USE_PKEXEC, "-p");
    case_clear (&c);

    case_init (&c, PV_RECORD_HEAPTRACK, PV_TARGET_ATTACH);
    c.machine.ptrace_scope = 1;
    assert_ids (&c, "!ptrace-scope");
    assert_remedy (&c, "ptrace-scope", PV_REMEDY_COPY, "ptrace_scope=0");
    c.machine.may_trace_all = true;
    assert_ids (&c, "");
    c.machine.ptrace_scope = 3;
    assert_ids (&c, "!ptrace-scope");
    assert_remedy (&c, "ptrace-scope", PV_REMEDY_NONE, NULL);
    c.machine = good_machine;
    c.target.is_ours = false;
    assert_ids (&c, "!other-user");
    c.target.is_traced = true;
    assert_ids (&c, "!traced");
    case_clear (&c);
}

static void
test_builds (void)
{
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.facts.has_frame_pointers = false;
    assert_ids (&c, "");
    c.plan->call_graph = PV_CALL_GRAPH_FP;
    assert_ids (&c, "?no-frame-pointers");
    assert_remedy (&c, "no-frame-pointers", PV_REMEDY_USE_DWARF, NULL);
    c.facts.has_debug_info = false;
    assert_ids (&c, "?no-frame-pointers no-debug-info");
    c.facts.is_script = true;
    c.plan->call_graph = PV_CALL_GRAPH_DWARF;
    assert_ids (&c, "script");
    c.facts = (PvProgramFacts){.is_known = true, .is_go = true, .has_frame_pointers = true};
    assert_ids (&c, "go-frame-pointers");
    c.facts = (PvProgramFacts){0}; /* nothing is known: nothing is said */
    c.plan->call_graph = PV_CALL_GRAPH_FP;
    assert_ids (&c, "");
    case_clear (&c);
}

static void
test_heaps (void)
{
    Case c;
    case_init (&c, PV_RECORD_HEAPTRACK, PV_TARGET_LAUNCH);
    c.facts.is_static = true;
    assert_ids (&c, "!static-heap");
    assert_remedy (&c, "static-heap", PV_REMEDY_NONE, NULL);
    c.facts.has_jemalloc = c.facts.has_own_malloc = true;
    assert_remedy (&c, "static-heap", PV_REMEDY_USE_JEMALLOC, NULL);
    c.facts.is_static = false;
    assert_ids (&c, "?own-malloc");
    assert_remedy (&c, "own-malloc", PV_REMEDY_USE_JEMALLOC, NULL);
    c.facts.has_own_malloc = false; /* a library: heaptrack comes before it */
    assert_ids (&c, "");
    c.facts.has_jemalloc = false;
    c.facts.has_own_malloc = true;
    assert_ids (&c, "?own-malloc");
    assert_remedy (&c, "own-malloc", PV_REMEDY_NONE, NULL);
    c.facts.is_go = c.facts.is_static = true;
    assert_ids (&c, "!go-heap");
    c.facts = good_facts;
    c.target.is_setuid = true;
    assert_ids (&c, "!setuid-heap");
    c.plan->kind = PV_RECORD_PERF;
    assert_ids (&c, "?setuid");
    case_clear (&c);

    case_init (&c, PV_RECORD_JEMALLOC, PV_TARGET_LAUNCH);
    assert_ids (&c, "?no-jemalloc");
    c.facts.is_static = true;
    assert_ids (&c, "!no-jemalloc");
    c.facts = good_facts;
    c.target.preloads_jemalloc = true;
    assert_ids (&c, "");
    case_clear (&c);
}

/* --- real files --- */

static char *
list_real (PvRecordPlan *plan)
{
    PvCheckedTarget target;
    static const PvProgramFacts nothing;
    pv_checked_target_find (plan, &target);
    target.free_bytes = UINT64_MAX; /* whatever there is here */
    Case c = {plan, good_machine, nothing, target};
    char *ids = list_ids (&c);
    pv_checked_target_clear (&target);
    return ids;
}

static void
assert_real (const char *program, const char *folder, const char *output, const char *expected)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    plan->argv = g_new0 (char *, 2);
    plan->argv[0] = g_strdup (program);
    plan->environment = g_strsplit ("PATH=/usr/bin:/bin", " ", -1);
    plan->folder = g_strdup (folder);
    plan->output = g_strdup (output);
    g_autofree char *ids = list_real (plan);
    g_test_message ("%s, %s, %s", program, folder != NULL ? folder : "-", output);
    g_assert_cmpstr (ids, ==, expected);
}

static void
test_files (void)
{
    g_autofree char *folder = g_dir_make_tmp ("checks-XXXXXX", NULL);
    g_autofree char *plain = g_build_filename (folder, "plain \"$(x)\"", NULL);
    g_autofree char *output = g_build_filename (folder, "out.data", NULL);
    g_autofree char *nowhere = g_build_filename (folder, "no", "out.data", NULL);
    g_autofree char *below_file = g_build_filename (plain, "out.data", NULL);
    g_assert_true (g_file_set_contents (plain, "x", 1, NULL));

    assert_real ("sh", NULL, output, "");
    assert_real ("/bin/sh", folder, output, "");
    assert_real ("no-such-program-here", NULL, output, "!no-program");
    assert_real ("/nowhere/at-all", NULL, output, "!no-program");
    assert_real (plain, NULL, output, "!not-executable");
    assert_real (folder, NULL, output, "!not-executable");
    assert_real ("sh", "/nowhere", output, "!no-folder");
    assert_real ("sh", plain, output, "!no-folder");
    assert_real ("sh", NULL, nowhere, "!output");
    assert_real ("sh", NULL, below_file, "!output");
    assert_real ("sh", NULL, plain, ""); /* will be replaced */
    assert_real ("", NULL, output, "");  /* not chosen yet */
    g_unlink (plain);
    g_rmdir (folder);
}

static void
test_real_processes (void)
{
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    PvCheckedTarget target;
    plan->target = PV_TARGET_ATTACH;
    plan->pid = getpid ();
    pv_checked_target_find (plan, &target);
    g_assert_true (target.is_there && target.is_ours);
    pv_checked_target_clear (&target);
    plan->pid = 1 << 30;
    pv_checked_target_find (plan, &target);
    g_assert_false (target.is_there);
    pv_checked_target_clear (&target);
}

static void
test_room (void)
{
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.target.free_bytes = 100 << 20;
    assert_ids (&c, "?disk-low");
    c.target.free_bytes = 4096;
    assert_ids (&c, "!disk-full");
    c.target.output_errno = EROFS;
    assert_ids (&c, "!output");
    case_clear (&c);
}

static void
test_order (void)
{
    Case c;
    case_init (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.is_kernel_hidden = true;
    c.machine.has_hardware_counters = false;
    c.target.free_bytes = 0;
    c.facts.has_debug_info = false;
    assert_ids (&c, "!disk-full ?no-counters kernel-hidden no-debug-info");
    case_clear (&c);
}

/* Whatever machine this is, it can be told; and what does not change is not kept twice. */
static void
test_this_machine (void)
{
    const PvRecordMachine *machine = pv_record_machine_get ();
    g_assert_true (machine == pv_record_machine_get ());
    g_assert_cmpint (machine->paranoid, >=, -1);
    g_assert_true (machine->may_count || !machine->may_count_system);
    g_assert_true (machine->perf == NULL || g_path_is_absolute (machine->perf));
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    g_autoptr (GPtrArray) advice = pv_record_check (plan, NULL);
    g_assert_nonnull (advice);
    for (guint i = 0; i < advice->len; i++) {
        const PvAdvice *each = advice->pdata[i];
        g_test_message ("%s: %s: %s", each->id, each->title, each->text);
    }
}

/* The script that stands for perf where the one for this kernel is missing. */
static void
test_wrapper (void)
{
    g_autofree char *folder = g_dir_make_tmp ("checks-XXXXXX", NULL);
    g_autofree char *perf = g_build_filename (folder, "perf", NULL);
    g_autofree char *before = g_strdup (g_getenv ("PATH"));
    g_assert_true (g_setenv ("PATH", folder, TRUE));
    g_assert_null (pv_record_machine_get ()->perf);
    g_assert_true (g_file_set_contents (perf, "#!/bin/sh\nexit 0\n", -1, NULL));
    g_assert_cmpint (g_chmod (perf, 0755), ==, 0);
    g_assert_cmpstr (pv_record_machine_get ()->perf, ==, perf);
    g_assert_true (g_file_set_contents (
        perf, "#!/bin/bash\nexec /usr/lib/linux-tools/$full_version/perf \"$@\"\n", -1, NULL));
    g_assert_cmpint (g_chmod (perf, 0755), ==, 0);
    g_assert_cmpstr (pv_record_machine_get ()->perf, !=, perf);
    g_assert_true (g_setenv ("PATH", before, TRUE));
    g_unlink (perf);
    g_rmdir (folder);
}

int
main (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/checks/all-well", test_all_well);
    g_test_add_func ("/checks/missing-tools", test_missing_tools);
    g_test_add_func ("/checks/paranoid", test_paranoid);
    g_test_add_func ("/checks/container", test_container);
    g_test_add_func ("/checks/counters", test_counters);
    g_test_add_func ("/checks/settings", test_settings);
    g_test_add_func ("/checks/processes", test_processes);
    g_test_add_func ("/checks/builds", test_builds);
    g_test_add_func ("/checks/heaps", test_heaps);
    g_test_add_func ("/checks/files", test_files);
    g_test_add_func ("/checks/real-processes", test_real_processes);
    g_test_add_func ("/checks/room", test_room);
    g_test_add_func ("/checks/order", test_order);
    g_test_add_func ("/checks/this-machine", test_this_machine);
    g_test_add_func ("/checks/wrapper", test_wrapper);
    return g_test_run ();
}
