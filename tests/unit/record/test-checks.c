/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cases.h"
#include "record/advice/checks-private.h"
#include "record/perf/perf-options.h"

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
    .may_sample = true,
    .pkexec = "/usr/bin/pkexec",
    .samply = "/usr/bin/samply",
};

static const PvProgramFacts good_facts = {.is_known = true,
                                          .has_debug_info = true,
                                          .has_symbols = true,
                                          .frame_pointers = PV_FRAME_POINTERS_KEPT};

typedef struct {
    PvRecordPlan *plan;
    PvRecordMachine machine;
    PvProgramFacts facts;
    PvCheckedTarget target;
} Case;

static void
case_clear (Case *c)
{
    pv_record_plan_free (c->plan);
    pv_checked_target_clear (&c->target);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvCheckedTarget, pv_checked_target_clear)

/* A case in which all is well. */
static Case
new_case (PvRecordKind kind, PvTargetKind target)
{
    static const char *const argv[] = {"/opt/app/server", "--port", "80", NULL};
    Case c = {.plan = pv_record_plan_new (),
              .machine = good_machine,
              .facts = good_facts,
              .target = {.is_there = true,
                         .is_ours = true,
                         .may_be_counted = true,
                         .output_folder = g_strdup ("/home/ann/recordings"),
                         .free_bytes = UINT64_MAX}};
    c.plan->kind = kind;
    c.plan->target = target;
    if (target == PV_TARGET_LAUNCH)
        c.plan->argv = g_strdupv ((char **)argv);
    if (target == PV_TARGET_ATTACH)
        c.plan->pid = 4711;
    return c;
}

static void
case_reset (Case *c, PvRecordKind kind, PvTargetKind target)
{
    case_clear (c);
    *c = new_case (kind, target);
}

/* Sentences for people: no numbers of errors, and none of the words that people use who have none
 * of their own. */
static void
assert_sentences (const PvAdvice *advice)
{
    static const char *const bad[] = {"errno",  "EPERM", "EACCES", "EINVAL", "rror", "ailed",
                                      "nvalid", "  ",    " ,",     " .",     "..",   "(null)"};
    g_test_message ("%s | %s | %s", advice->title, advice->text,
                    advice->command != NULL ? advice->command : "");
    g_assert_cmpuint (strlen (advice->title), >, 0);
    g_assert_cmpuint (strlen (advice->title), <, 60);
    g_assert_false (g_str_has_suffix (advice->title, "."));
    g_assert_cmpuint (strlen (advice->text), >, 10);
    g_assert_true (g_utf8_validate (advice->text, -1, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
        g_assert_null (strstr (advice->text, bad[i]));
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
        assert_sentences (each);
        if (each->fix == PV_FIX_COPY || each->fix == PV_FIX_USE_PKEXEC)
            g_assert_nonnull (each->command);
        else
            g_assert_null (each->command);
    }
    return g_string_free (ids, FALSE);
}

static void
assert_ids (const Case *c, const char *expected)
{
    assert_string (list_ids (c), expected);
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
assert_fix (const Case *c, const char *id, PvFix fix, const char *part_of_command)
{
    g_autoptr (GPtrArray) all = NULL;
    const PvAdvice *advice = find_advice (c, id, &all);
    g_assert_cmpint (advice->fix, ==, fix);
    if (part_of_command == NULL)
        return;
    g_test_message ("%s", advice->command);
    g_assert_nonnull (strstr (advice->command, part_of_command));
}

/* Checks the only advice, with the mark of its level, and its fix. */
static void
assert_only (const Case *c, const char *expected, PvFix fix, const char *part_of_command)
{
    assert_ids (c, expected);
    assert_fix (c, expected + strspn (expected, "!?"), fix, part_of_command);
}

/* That advice contains these words and not those (NULL: whatever). */
static void
assert_words (const Case *c, const char *id, const char *words, const char *not_words)
{
    g_autoptr (GPtrArray) all = NULL;
    const PvAdvice *advice = find_advice (c, id, &all);
    g_assert_nonnull (strstr (advice->text, words));
    if (not_words != NULL)
        g_assert_null (strstr (advice->text, not_words));
}

/* The command that installs a package here; none is known on every system. */
static void
assert_installs (const Case *c, const char *id, const char *what)
{
    g_autofree char *command = pv_check_make_install_command (what);
    g_autoptr (GPtrArray) all = NULL;
    const PvAdvice *advice = find_advice (c, id, &all);
    g_assert_cmpstr (advice->command, ==, command);
    g_assert_cmpint (advice->fix, ==, command != NULL ? PV_FIX_COPY : PV_FIX_NONE);
    if (command != NULL)
        g_assert_true (g_str_has_prefix (command, "sudo "));
}

TEST (all_well)
{
    for (int kind = 0; kind < PV_N_RECORD_KINDS; kind++)
        for (int target = PV_TARGET_LAUNCH; target <= PV_TARGET_SYSTEM; target++) {
            g_auto (Case) c = {0};
            bool is_perf = kind == PV_RECORD_PERF || kind == PV_RECORD_OFF_CPU;
            if ((target == PV_TARGET_SYSTEM && !is_perf) ||
                (target == PV_TARGET_ATTACH && kind == PV_RECORD_JEMALLOC))
                continue;
            case_reset (&c, (PvRecordKind)kind, (PvTargetKind)target);
            c.facts.has_jemalloc = kind == PV_RECORD_JEMALLOC;
            assert_ids (&c, "");
        }
}

TEST (missing_tools)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.perf = NULL;
    assert_ids (&c, "!no-perf");
    assert_installs (&c, "no-perf", "perf");

    case_reset (&c, PV_RECORD_OFF_CPU, PV_TARGET_SYSTEM);
    c.machine.missing_perf_option = "--control";
    assert_ids (&c, "!old-perf");
    assert_words (&c, "old-perf", "/usr/bin/perf does not know the option --control", NULL);
    assert_installs (&c, "old-perf", "perf");
    c.machine.perf = NULL; /* what it lacked does not matter then */
    assert_ids (&c, "!no-perf");

    case_reset (&c, PV_RECORD_HEAPTRACK, PV_TARGET_LAUNCH);
    c.machine.heaptrack = NULL;
    c.machine.gdb = NULL;
    assert_ids (&c, "!no-heaptrack");
    assert_installs (&c, "no-heaptrack", "heaptrack");
    c.machine.lacks_heaptrack_library = true;
    assert_ids (&c, "!no-heaptrack-library");
    assert_words (&c, "no-heaptrack-library", "libheaptrack_preload.so", NULL);
    assert_fix (&c, "no-heaptrack-library", PV_FIX_NONE, NULL);

    case_reset (&c, PV_RECORD_HEAPTRACK, PV_TARGET_ATTACH);
    c.machine.gdb = NULL;
    assert_ids (&c, "!no-gdb");
    assert_installs (&c, "no-gdb", "gdb");

    case_reset (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.plan->is_privileged = true;
    c.machine.pkexec = NULL;
    assert_ids (&c, "!no-pkexec");
    assert_installs (&c, "no-pkexec", "pkexec");
}

TEST (paranoid)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.may_count_system = c.machine.may_count_kernel = false;
    c.machine.paranoid = 2;
    assert_only (&c, "user-only", PV_FIX_USE_PKEXEC, "pkexec");
    c.machine.may_count = false;
    c.machine.paranoid = 4;
    assert_only (&c, "!paranoid", PV_FIX_USE_PKEXEC, "/usr/bin/pkexec /usr/bin/perf record");
    assert_fix (&c, "paranoid", PV_FIX_USE_PKEXEC, "--control=fd:0,0");
    c.machine.pkexec = NULL;
    assert_fix (&c, "paranoid", PV_FIX_COPY, "sudo sysctl kernel.perf_event_paranoid=2");
    /* With rights, all is well. */
    c.machine.pkexec = "/usr/bin/pkexec";
    c.plan->is_privileged = true;
    assert_ids (&c, "");

    case_reset (&c, PV_RECORD_PERF, PV_TARGET_SYSTEM);
    c.machine.may_count_system = false;
    assert_ids (&c, "!system-rights");
    c.plan->is_privileged = true;
    assert_ids (&c, "");

    case_reset (&c, PV_RECORD_OFF_CPU, PV_TARGET_LAUNCH);
    c.machine.may_count_kernel = false;
    assert_ids (&c, "?off-cpu-stacks");

    /* Who wakes a thread is told by a trace event. */
    case_reset (&c, PV_RECORD_OFF_CPU, PV_TARGET_LAUNCH);
    c.machine.tracing = PV_TRACING_FORBIDDEN;
    assert_ids (&c, "no-wakers");
    assert_words (&c, "no-wakers", "only administrators", "containers");
    c.plan->target = PV_TARGET_SYSTEM;
    assert_ids (&c, "no-wakers");
    c.plan->is_privileged = true;
    assert_ids (&c, "");
    c.machine.tracing = PV_TRACING_MISSING;
    assert_ids (&c, "no-wakers");
    assert_words (&c, "no-wakers", "containers", "administrators");
    c.plan->kind = PV_RECORD_PERF;
    assert_ids (&c, "");
}

TEST (container)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.may_count = c.machine.may_count_kernel = c.machine.may_count_system = false;
    c.machine.is_filtered = true;
    assert_ids (&c, "!filtered");
    assert_words (&c, "filtered", "CAP_PERFMON", "kernel.perf_event_paranoid");
    assert_fix (&c, "filtered", PV_FIX_NONE, NULL);
    c.plan->is_privileged = true;
    assert_ids (&c, "!filtered");
    c.plan->is_privileged = false;
    /* A setting of 2 forbids nobody to count programs of their own: it is something else. */
    c.machine.is_filtered = false;
    c.machine.paranoid = 2;
    assert_ids (&c, "!filtered");
    assert_words (&c, "filtered", "security module", "whatever rights");
    c.machine.paranoid = 3;
    assert_ids (&c, "!paranoid");
}

TEST (counters)
{
    static const char *const hardware[] = {"page-faults", "cache-misses:u", NULL};
    static const char *const software[] = {"page-faults", "sched:sched_cycles", "cpu-clock", NULL};
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.has_hardware_counters = c.machine.has_lbr = false;
    assert_ids (&c, "no-counters");
    c.plan->events = g_strdupv ((char **)hardware);
    assert_ids (&c, "!no-event");
    g_strfreev (c.plan->events);
    c.plan->events = g_strdupv ((char **)software);
    assert_ids (&c, "");
    c.plan->call_graph = PV_CALL_GRAPH_LBR;
    assert_only (&c, "!no-lbr", PV_FIX_USE_DWARF, NULL);
    c.facts.lacks_unwind_tables = true;
    assert_fix (&c, "no-lbr", PV_FIX_USE_FP, NULL);
    c.facts.frame_pointers = PV_FRAME_POINTERS_UNKNOWN;
    assert_fix (&c, "no-lbr", PV_FIX_NONE, NULL);

    case_reset (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.has_hardware_counters = false;
    assert_words (&c, "no-counters", "cpu-clock", NULL);
    case_reset (&c, PV_RECORD_OFF_CPU, PV_TARGET_LAUNCH); /* counts nothing of the processor's */
    c.machine.has_hardware_counters = false;
    assert_ids (&c, "");
}

TEST (settings)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.is_kernel_hidden = true;
    assert_only (&c, "kernel-hidden", PV_FIX_COPY, "sudo sysctl kernel.kptr_restrict=0");
    assert_words (&c, "kernel-hidden", "kernel.kptr_restrict", "perf_event_paranoid");
    /* By itself, that would not help. */
    c.plan->is_privileged = true;
    c.machine.paranoid = 3;
    assert_fix (&c, "kernel-hidden", PV_FIX_COPY,
                "sudo sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1");
    c.plan->is_privileged = false;
    c.machine.paranoid = 1;
    c.machine.may_count_kernel = false;
    assert_ids (&c, "user-only"); /* nothing of the kernel to name */
    c.machine.may_count_system = false;
    c.machine.mlock_kib = 64;
    c.plan->frequency_hz = 200000;
    assert_ids (&c, "?frequency user-only mlock");
    assert_fix (&c, "mlock", PV_FIX_COPY, "sudo sysctl kernel.perf_event_mlock_kb=516");
    assert_words (&c, "mlock", "64 KiB", NULL);
    assert_words (&c, "frequency", "at most 100000 a second", NULL);
    c.machine.mlock_kib = 0; /* unknown */
    c.plan->frequency_hz = 0;
    c.machine.max_frequency_hz = 700; /* the kernel lowers it when it is busy */
    assert_ids (&c, "?frequency user-only");
}

TEST (processes)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_ATTACH);
    c.target.is_there = false;
    assert_ids (&c, "!no-process");
    assert_words (&c, "no-process", "4711", NULL);
    c.target.is_there = true;
    c.target.may_be_counted = false;
    assert_ids (&c, "!protected-process");
    c.target.is_ours = false;
    assert_only (&c, "!other-user", PV_FIX_USE_PKEXEC, "-p");
    c.machine.pkexec = NULL; /* no setting lets anybody record others' processes */
    assert_installs (&c, "other-user", "pkexec");
    assert_words (&c, "other-user", "install pkexec", "kernel.");

    case_reset (&c, PV_RECORD_HEAPTRACK, PV_TARGET_ATTACH);
    c.machine.ptrace_scope = 1;
    assert_only (&c, "!ptrace-scope", PV_FIX_COPY, "ptrace_scope=0");
    c.machine.may_trace_all = true;
    assert_ids (&c, "");
    c.machine.ptrace_scope = 3;
    assert_only (&c, "!ptrace-scope", PV_FIX_NONE, NULL);
    c.machine = good_machine;
    c.target.is_ours = false;
    assert_ids (&c, "!other-user");
    c.target.is_traced = true;
    assert_ids (&c, "!traced");
}

/* Numbers of processes that are not what they seem. */
TEST (odd_processes)
{
    static const PvRecordKind kinds[] = {PV_RECORD_PERF, PV_RECORD_OFF_CPU, PV_RECORD_HEAPTRACK};
    for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
        bool is_heap = kinds[i] == PV_RECORD_HEAPTRACK;
        g_auto (Case) c = new_case (kinds[i], PV_TARGET_ATTACH);
        c.target.is_replaced = true;
        assert_ids (&c, "replaced");
        c.target.is_replaced = false;
        c.target.has_own_root = true;
        assert_ids (&c, is_heap ? "!container-heap" : "");
        c.target.is_in_container = true;
        assert_ids (&c, is_heap ? "!container-heap" : "container");
        if (!is_heap)
            assert_words (&c, "container", "/proc/4711/root", NULL);
        c.target.is_kernel_thread = true;
        c.target.is_in_container = c.target.has_own_root = false;
        assert_ids (&c, is_heap ? "!kernel-thread" : "");
        c.target.thread_of = 4700;
        c.target.may_be_counted = c.target.is_ours = false;
        assert_ids (&c, "!thread");
        assert_words (&c, "thread", "the process 4700.", NULL);
        c.target.is_hidden = true;
        assert_ids (&c, "!hidden-process");
        c.target.is_there = false;
        assert_ids (&c, "!no-process");
    }
}

TEST (builds)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.facts.frame_pointers = PV_FRAME_POINTERS_OMITTED;
    assert_ids (&c, "");
    c.plan->call_graph = PV_CALL_GRAPH_FP;
    assert_only (&c, "?no-frame-pointers", PV_FIX_USE_DWARF, NULL);
    c.facts.frame_pointers = PV_FRAME_POINTERS_MIXED;
    assert_only (&c, "some-frame-pointers", PV_FIX_USE_DWARF, NULL);
    c.facts.frame_pointers = PV_FRAME_POINTERS_UNKNOWN; /* so nothing is said */
    assert_ids (&c, "");
    c.facts.frame_pointers = PV_FRAME_POINTERS_OMITTED;
    c.facts.has_debug_info = false;
    assert_ids (&c, "?no-frame-pointers no-debug-info");
    c.facts.is_script = true;
    c.plan->call_graph = PV_CALL_GRAPH_DWARF;
    assert_ids (&c, "script");
    c.facts =
        (PvProgramFacts){.is_known = true, .is_go = true, .frame_pointers = PV_FRAME_POINTERS_KEPT};
    assert_ids (&c, "go-frame-pointers");
    c.facts.frame_pointers = PV_FRAME_POINTERS_OMITTED;
    assert_ids (&c, "");
    c.plan->call_graph = PV_CALL_GRAPH_FP;
    assert_fix (&c, "no-frame-pointers", PV_FIX_USE_DWARF, NULL);
    assert_words (&c, "no-frame-pointers", "(DWARF) instead.", "compile");
    c.facts = (PvProgramFacts){.is_known = true, .is_foreign = true};
    assert_ids (&c, "?foreign");
    c.facts = (PvProgramFacts){0}; /* nothing is known: nothing is said */
    c.plan->call_graph = PV_CALL_GRAPH_FP;
    assert_ids (&c, "");
}

/* DWARF is offered only where it can work. */
TEST (no_tables)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.facts.lacks_unwind_tables = true;
    assert_only (&c, "?no-unwind-tables", PV_FIX_USE_FP, NULL);
    c.plan->call_graph = PV_CALL_GRAPH_FP;
    assert_ids (&c, "");
    for (PvFramePointers kind = PV_FRAME_POINTERS_UNKNOWN; kind <= PV_FRAME_POINTERS_OMITTED;
         kind++) {
        if (kind == PV_FRAME_POINTERS_KEPT)
            continue;
        c.facts.frame_pointers = kind;
        c.plan->call_graph = PV_CALL_GRAPH_DWARF;
        c.machine.has_lbr = true;
        assert_only (&c, "?no-unwind-tables", PV_FIX_USE_LBR, NULL);
        c.machine.has_lbr = false;
        assert_fix (&c, "no-unwind-tables", PV_FIX_NONE, NULL);
        assert_words (&c, "no-unwind-tables", "-fasynchronous-unwind-tables", "LBR");
    }
    c.plan->call_graph = PV_CALL_GRAPH_FP;
    c.machine.has_lbr = true;
    assert_fix (&c, "no-frame-pointers", PV_FIX_USE_LBR, NULL);
    c.machine.has_lbr = false;
    assert_fix (&c, "no-frame-pointers", PV_FIX_NONE, NULL);
    assert_words (&c, "no-frame-pointers", "would not help", "instead");
    c.facts.frame_pointers = PV_FRAME_POINTERS_MIXED;
    assert_fix (&c, "some-frame-pointers", PV_FIX_NONE, NULL);
    c.plan->call_graph = PV_CALL_GRAPH_LBR;
    c.machine.has_lbr = true;
    assert_ids (&c, "");
    c.plan->call_graph = PV_CALL_GRAPH_NONE;
    assert_ids (&c, "");
}

TEST (heaps)
{
    g_auto (Case) c = new_case (PV_RECORD_HEAPTRACK, PV_TARGET_LAUNCH);
    c.facts.is_static = true;
    assert_only (&c, "!static-heap", PV_FIX_NONE, NULL);
    c.facts.has_jemalloc = c.facts.has_own_malloc = true;
    assert_fix (&c, "static-heap", PV_FIX_USE_JEMALLOC, NULL);
    c.facts.is_static = false;
    assert_only (&c, "?own-malloc", PV_FIX_USE_JEMALLOC, NULL);
    c.facts.has_own_malloc = false; /* a library: heaptrack comes before it */
    assert_ids (&c, "");
    c.facts.has_jemalloc = false;
    c.facts.has_own_malloc = true;
    assert_only (&c, "?own-malloc", PV_FIX_NONE, NULL);
    c.facts.is_go = c.facts.is_static = true;
    assert_ids (&c, "!go-heap");
    c.facts = good_facts;
    c.target.is_setuid = true;
    assert_ids (&c, "!setuid-heap");
    c.plan->kind = PV_RECORD_PERF;
    assert_ids (&c, "?setuid");
    /* An administrator's rights would not help. */
    assert_fix (&c, "setuid", PV_FIX_NONE, NULL);
    c.plan->is_privileged = true;
    assert_ids (&c, "?setuid");
    c.facts.is_script = true; /* the kernel gives scripts no rights */
    assert_ids (&c, "script");
    c.plan->kind = PV_RECORD_HEAPTRACK;
    assert_ids (&c, "script");

    /* Cases in which jemalloc can record. */
    case_reset (&c, PV_RECORD_HEAPTRACK, PV_TARGET_LAUNCH);
    c.facts.has_jemalloc = c.facts.has_own_malloc = c.facts.lacks_jemalloc_dumps = true;
    assert_fix (&c, "own-malloc", PV_FIX_NONE, NULL);
    assert_words (&c, "own-malloc", "without profiling", NULL);
    c.facts.is_static = true;
    assert_fix (&c, "static-heap", PV_FIX_NONE, NULL);
    assert_words (&c, "static-heap", "without profiling", NULL);
    c.facts.lacks_jemalloc_dumps = false;
    c.plan->target = PV_TARGET_ATTACH;
    assert_fix (&c, "static-process", PV_FIX_NONE, NULL);
    assert_words (&c, "static-process", "from here", NULL);
    c.facts = good_facts;
    c.facts.is_32bit = sizeof (void *) > 4;
    assert_ids (&c, sizeof (void *) > 4 ? "!32-bit-heap" : "");
    c.facts = (PvProgramFacts){.is_known = true, .is_static = true, .is_foreign = true};
    assert_ids (&c, "?foreign");

    case_reset (&c, PV_RECORD_JEMALLOC, PV_TARGET_LAUNCH);
    assert_ids (&c, "?no-jemalloc");
    c.facts.is_static = true;
    assert_ids (&c, "!no-jemalloc");
    c.facts.has_jemalloc = c.facts.lacks_jemalloc_dumps = true;
    assert_ids (&c, "!no-dumps");
    assert_words (&c, "no-dumps", "--enable-prof", NULL);
    c.facts = good_facts;
    c.target.preloads_jemalloc = true;
    assert_ids (&c, "");
}

/* Real files */

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

TEST (files)
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
    assert_real ("sh", NULL, folder, "!output");
    assert_real ("", NULL, output, ""); /* not chosen yet */
    g_unlink (plain);
    g_rmdir (folder);
}

static PvCheckedTarget
find_process (int pid)
{
    PvCheckedTarget target;
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    plan->target = PV_TARGET_ATTACH;
    plan->pid = pid;
    pv_checked_target_find (plan, &target);
    return target;
}

static bool
is_there (int pid)
{
    g_auto (PvCheckedTarget) target = find_process (pid);
    return target.is_there;
}

typedef struct {
    GAsyncQueue *told, *is_done;
} Teller;

static gpointer
tell_number (gpointer user)
{
    Teller *teller = user;
    g_async_queue_push (teller->told, GINT_TO_POINTER (gettid ()));
    g_async_queue_pop (teller->is_done);
    return NULL;
}

/* A thread's number is in /proc, too. */
TEST (real_thread)
{
    Teller teller = {g_async_queue_new (), g_async_queue_new ()};
    GThread *thread = g_thread_new ("teller", tell_number, &teller);
    int number = GPOINTER_TO_INT (g_async_queue_pop (teller.told));
    g_auto (PvCheckedTarget) target = find_process (number);
    g_async_queue_push (teller.is_done, GINT_TO_POINTER (1));
    g_thread_join (thread);
    g_assert_true (target.is_there && target.is_ours);
    g_assert_cmpint (target.thread_of, ==, getpid ());
    g_async_queue_unref (teller.told);
    g_async_queue_unref (teller.is_done);
}

TEST (real_processes)
{
    g_auto (PvCheckedTarget) target = find_process (getpid ());
    int status;
    g_assert_true (target.is_there && target.is_ours && target.may_be_counted);
    g_assert_false (target.is_hidden || target.is_kernel_thread || target.is_traced);
    g_assert_false (target.is_replaced || target.is_in_container || target.has_own_root);
    g_assert_cmpint (target.thread_of, ==, 0);
    g_assert_false (is_there (1 << 30));
    g_assert_false (is_there (0));
    g_assert_false (is_there (-1));

    pid_t zombie = fork ();
    if (zombie == 0)
        _exit (0);
    siginfo_t end;
    g_assert_cmpint (waitid (P_PID, (id_t)zombie, &end, WEXITED | WNOWAIT), ==, 0);
    g_assert_false (is_there (zombie));
    g_assert_cmpint (waitpid (zombie, &status, 0), ==, zombie);
    g_assert_false (is_there (zombie));
}

/* Processes that end at any moment of being looked at: they are there or not, and never anything
 * that they were not. */
TEST (vanishing)
{
    for (unsigned i = 0; i < 200; i++) {
        int status;
        pid_t pid = fork ();
        if (pid == 0) {
            for (volatile unsigned n = 0; n < i * 500; n++)
                ;
            _exit (0);
        }
        g_assert_cmpint (pid, >, 0);
        g_auto (PvCheckedTarget) target = find_process (pid);
        if (target.is_there)
            g_assert_true (target.is_ours && target.thread_of == 0 && !target.is_hidden &&
                           !target.is_replaced && !target.is_in_container);
        g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
    }
}

/* A program whose file is removed while it runs. */
TEST (replaced)
{
    g_autofree char *folder = g_dir_make_tmp ("checks-XXXXXX", NULL);
    g_autofree char *program = g_build_filename (folder, "sleeper (deleted)", NULL);
    g_autofree char *sleep = g_find_program_in_path ("sleep");
    g_autofree char *bytes = NULL;
    char *argv[] = {program, (char *)"100", NULL};
    gsize size;
    GPid pid;
    int status;
    g_assert_true (g_file_get_contents (sleep, &bytes, &size, NULL));
    g_assert_true (g_file_set_contents (program, bytes, (gssize)size, NULL));
    g_assert_cmpint (g_chmod (program, 0700), ==, 0);
    g_assert_true (
        g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
    g_autofree char *exe = g_strdup_printf ("/proc/%d/exe", (int)pid);
    for (bool has_begun = false; !has_begun; g_usleep (1000)) {
        g_autofree char *path = g_file_read_link (exe, NULL);
        has_begun = path != NULL && strstr (path, "sleeper") != NULL;
    }
    g_auto (PvCheckedTarget) named = find_process (pid); /* the name alone says nothing */
    g_assert_true (named.is_there && !named.is_replaced && !named.is_in_container);
    g_unlink (program);
    g_auto (PvCheckedTarget) replaced = find_process (pid);
    g_assert_true (replaced.is_there && replaced.is_replaced && !replaced.is_in_container);
    kill (pid, SIGKILL);
    g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
    g_rmdir (folder);
}

/* Perf's options */

static void
write_perf (const char *path, const char *begin, const char *texts)
{
    g_autofree char *content = g_strconcat (begin, "(the rest)", texts, NULL);
    g_assert_true (g_file_set_contents (path, content, -1, NULL));
}

TEST (perf_options)
{
    static const char elf[] = "\177ELF\2\1\1";
    g_autofree char *folder = g_dir_make_tmp ("checks-XXXXXX", NULL);
    g_autofree char *perf = g_build_filename (folder, "perf", NULL);
    g_autoptr (PvRecordPlan) plan = pv_record_plan_new ();
    g_assert_null (pv_perf_find_missing_option (perf, plan)); /* not there */
    write_perf (perf, elf, "fd:ctl-fd[,ack-fd] buildid-mmap switch-events");
    g_assert_null (pv_perf_find_missing_option (perf, plan));
    g_assert_null (pv_perf_find_missing_option (perf, plan));
    write_perf (perf, elf, "control buildid-mmap switch-events, of an old one");
    g_assert_cmpstr (pv_perf_find_missing_option (perf, plan), ==, "--control");
    write_perf (perf, elf, "fd:ctl-fd[,ack-fd] buildid-mmap");
    g_assert_null (pv_perf_find_missing_option (perf, plan));
    plan->kind = PV_RECORD_OFF_CPU;
    g_assert_cmpstr (pv_perf_find_missing_option (perf, plan), ==, "--switch-events");
    write_perf (perf, "#!/bin/sh\n", "exec whatever");
    g_assert_null (pv_perf_find_missing_option (perf, plan)); /* who knows */
    g_unlink (perf);
    g_rmdir (folder);

    g_autofree char *real = g_find_program_in_path ("perf");
    if (real != NULL)
        g_test_message ("%s: %s", real, pv_perf_find_missing_option (real, plan));
}

TEST (room)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.target.free_bytes = 100 << 20;
    assert_ids (&c, "?disk-low");
    c.target.free_bytes = 4096;
    assert_ids (&c, "!disk-full");
    c.target.output_errno = EROFS;
    assert_ids (&c, "!output");
}

TEST (order)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.is_kernel_hidden = true;
    c.machine.has_hardware_counters = false;
    c.target.free_bytes = 0;
    c.facts.has_debug_info = false;
    assert_ids (&c, "!disk-full no-counters kernel-hidden no-debug-info");
}

/* Whatever machine this is, it can be told; and what does not change is not kept twice. */
TEST (this_machine)
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
TEST (wrapper)
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

TEST (samply)
{
    g_auto (Case) c = new_case (PV_RECORD_SAMPLY, PV_TARGET_LAUNCH);
    c.machine.perf = c.machine.gdb = c.machine.heaptrack = NULL; /* not its concern */
    c.machine.may_count = c.machine.may_count_kernel = false;
    assert_ids (&c, "");
    c.machine.samply = NULL;
    assert_ids (&c, "!no-samply");
    assert_words (&c, "no-samply", "https://github.com/mstange/samply", NULL);
    c.machine.samply = good_machine.samply;
    c.machine.may_sample = false;
    c.machine.paranoid = 2;
    assert_ids (&c, "!paranoid");
    assert_words (&c, "paranoid", "to be 1 or lower, and it is 2", NULL);
    assert_fix (&c, "paranoid", PV_FIX_COPY, "sudo sysctl kernel.perf_event_paranoid=1");
    c.machine.paranoid = 1; /* so that is not why */
    assert_only (&c, "!filtered", PV_FIX_NONE, NULL);
    c.machine.paranoid = 2;
    c.machine.is_filtered = true;
    assert_ids (&c, "!filtered");

    /* Others do without. */
    case_reset (&c, PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.samply = NULL;
    c.machine.may_sample = false;
    assert_ids (&c, "");
}

/* Advice that is true of two programs is said once, other advice names the program. */
TEST (two_programs)
{
    static const char *const programs[] = {"./old", "./new"};
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    GPtrArray *advice_of_side[PV_N_SIDES];
    c.facts.has_debug_info = false;
    advice_of_side[PV_SIDE_BASE] = pv_record_check_with (c.plan, &c.facts, &c.machine, &c.target);
    c.target.program_error = g_error_new_literal (G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "Not there.");
    advice_of_side[PV_SIDE_NEW] = pv_record_check_with (c.plan, &c.facts, &c.machine, &c.target);
    g_autoptr (GPtrArray) all = pv_advice_join (advice_of_side, programs, pv_advice_array_new ());
    g_assert_cmpuint (all->len, ==, 2);
    const PvAdvice *fault = all->pdata[0], *hint = all->pdata[1];
    g_assert_cmpint (fault->level, ==, PV_ADVICE_FAULT);
    g_assert_cmpstr (fault->title, ==, "./new: The program was not found");
    g_assert_cmpstr (hint->title, ==, "The program has no debug information");
}

/* Inside of a sandbox nothing else is said to be missing. */
TEST (sandboxed)
{
    g_auto (Case) c = new_case (PV_RECORD_PERF, PV_TARGET_LAUNCH);
    c.machine.is_sandboxed = true;
    c.machine.perf = NULL;
    c.facts.has_debug_info = false;
    assert_only (&c, "!sandbox", PV_FIX_NONE, NULL);
    case_reset (&c, PV_RECORD_HEAPTRACK, PV_TARGET_ATTACH);
    c.machine.is_sandboxed = true;
    assert_ids (&c, "!sandbox");
}

/* A terminal may be a snap without us being in it. */
TEST (snap)
{
    g_autofree char *before = g_strdup (g_getenv ("SNAP"));
    g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
    g_autofree char *folder = g_path_get_dirname (program);
    g_autofree char *beside = g_strndup (folder, strlen (folder) - 1);
    g_unsetenv ("SNAP");
    bool is_elsewhere = pv_record_is_sandboxed (); /* the tests may run in a sandbox */
    const struct {
        const char *folder;
        bool is_ours;
    } cases[] = {{"", false}, {"/snap/terminal/1", false}, {beside, false}, {folder, true}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_setenv ("SNAP", cases[i].folder, TRUE);
        g_assert_cmpint (pv_record_is_sandboxed (), ==, is_elsewhere || cases[i].is_ours);
    }
    if (before != NULL)
        g_setenv ("SNAP", before, TRUE);
    else
        g_unsetenv ("SNAP");
}
