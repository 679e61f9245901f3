/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "core/analyze/tables/stack-quality.h"
#include "core/model/build/builder.h"

typedef struct {
    const char *root;
    PvStackEnd end;
    unsigned n;
} Case;

static const char *recorder; /* of what is measured */

static void
measure (const Case *cases, size_t n_cases, const char *call_graph, PvStackQuality *quality)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    pv_profile_builder_facts (builder)->call_graph =
        pv_profile_builder_string (builder, call_graph);
    pv_profile_builder_facts (builder)->recorder = pv_profile_builder_string (builder, recorder);
    PvModuleId m = made_module (builder, "prog");
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    PvThreadId thread = pv_profile_builder_add_thread (builder, process, 1, "t", 0);
    for (size_t i = 0; i < n_cases; i++) {
        PvLocationId root = pv_profile_builder_location (builder, m, 2 * i + 1, PV_LOCATION_RETURN);
        PvLocationId leaf = pv_profile_builder_location (builder, m, 2 * i, PV_LOCATION_EXACT);
        PvStackId stack = pv_profile_builder_stack (builder, 0, root);
        PvNewSample sample = {.time_ns = 1,
                              .thread = thread,
                              .stack = pv_profile_builder_stack (builder, stack, leaf),
                              .stack_end = (uint8_t)cases[i].end};
        uint64_t weight = 1;
        for (unsigned n = 0; n < cases[i].n; n++)
            pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
    for (size_t i = 0; i < n_cases; i++)
        made_function (names, (PvLocationId)(2 * i + 1), cases[i].root, m);
    g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (names, true);
    pv_stack_quality_measure (profile, symbols, 0, quality);
}

TEST (roots)
{
    static const struct {
        const char *name;
        bool is_root;
    } names[] = {{"_start", true},
                 {"__libc_start_main@@GLIBC_2.34", true},
                 {"__libc_start_call_main", true},
                 {"clone3", true},
                 {"start_thread", true},
                 {"__start_thread", true},
                 {"__libc_init", true},
                 {"__dl__start", true},
                 {"runtime.goexit.abi0", true},
                 {"runtime.mstart", true},
                 {"entry_SYSCALL_64_after_hwframe", true},
                 {"ret_from_fork_asm", true},
                 {"asm_sysvec_apic_timer_interrupt", true},
                 {"secondary_startup_64_no_verify", true},
                 {"main", false},
                 {"_start_work", false},
                 {"cloned", false},
                 {"??", false}};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        Case one = {names[i].name, PV_STACK_END_UNKNOWN, 3};
        PvStackQuality quality;
        measure (&one, 1, "frame pointers", &quality);
        g_test_message ("%s", names[i].name);
        g_assert_cmpuint (quality.n_complete, ==, names[i].is_root ? 3 : 0);
        bool is_named = strcmp (names[i].name, "??") != 0;
        g_assert_cmpuint (quality.n_broken, ==, names[i].is_root || !is_named ? 0 : 3);
        g_assert_cmpuint (quality.n_unknown, ==, is_named ? 0 : 3);
    }
}

/* A thread begins in a function of the C++ library that has no name when the library is stripped;
 * the same place in another module, or as a leaf, tells nothing. */
TEST (unnamed_roots)
{
    static const struct {
        const char *path;
        PvLocationKind kind;
        bool is_root;
    } cases[] = {{"/usr/lib/libstdc++.so.6.0.30", PV_LOCATION_RETURN, true},
                 {"/usr/lib/libc.so.6", PV_LOCATION_RETURN, true},
                 {"/usr/lib/libstdc++.so.6.0.30", PV_LOCATION_EXACT, false},
                 {"/usr/lib/libother.so.1", PV_LOCATION_RETURN, false}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        pv_profile_builder_add_set (builder, "cycles", false);
        PvModuleId m = made_module (builder, cases[i].path);
        PvLocationId root = pv_profile_builder_location (builder, m, 5, cases[i].kind);
        PvNewSample sample = {.time_ns = 1, .stack = pv_profile_builder_stack (builder, 0, root)};
        pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
        PvStackQuality quality;
        pv_stack_quality_measure (profile, symbols, 0, &quality);
        g_assert_cmpuint (quality.n_complete, ==, cases[i].is_root ? 1 : 0);
    }
}

/* A program's entry calls the C library only, so other callees are what a broken chain of frame
 * pointers ran into; without the library, anything may come next. */
TEST (entry)
{
    static const struct {
        const char *callee;
        const char *library;
        PvStackClass class;
    } cases[] = {{"__libc_start_main", "/usr/lib/libc.so.6", PV_STACK_COMPLETE},
                 {"work", "/usr/lib/libc.so.6", PV_STACK_BROKEN},
                 {NULL, "/usr/lib/libc.so.6", PV_STACK_COMPLETE},
                 {"work", "/usr/lib/libother.so.1", PV_STACK_COMPLETE}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        pv_profile_builder_add_set (builder, "cycles", false);
        PvModuleId program = made_module (builder, "/usr/bin/prog");
        PvModuleId library = made_module (builder, cases[i].library);
        PvLocationId root = pv_profile_builder_location (builder, program, 1, PV_LOCATION_RETURN);
        PvLocationId leaf = pv_profile_builder_location (builder, library, 5, PV_LOCATION_RETURN);
        PvStackId stack = pv_profile_builder_stack (builder, 0, root);
        PvNewSample sample = {.time_ns = 1,
                              .stack = pv_profile_builder_stack (builder, stack, leaf)};
        pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        sample.stack = stack; /* in the entry itself */
        pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
        made_function (names, root, "_start", program);
        if (cases[i].callee != NULL)
            made_function (names, leaf, cases[i].callee, library);
        g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (names, true);
        PvStackQuality quality;
        pv_stack_quality_measure (profile, symbols, 0, &quality);
        g_assert_cmpuint (quality.n_complete, ==, cases[i].class == PV_STACK_COMPLETE ? 2 : 1);
        g_assert_cmpuint (quality.n_broken, ==, cases[i].class == PV_STACK_BROKEN ? 1 : 0);
    }
}

/* Where names are missing, the start of a thread cannot be told from another function. */
TEST (nameless_roots)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    pv_profile_builder_add_set (builder, "cycles", false);
    pv_profile_builder_facts (builder)->call_graph =
        pv_profile_builder_string (builder, "frame pointers");
    PvModuleId program = made_module (builder, "/memfd:prog");
    PvLocationId root = pv_profile_builder_location (builder, program, 5, PV_LOCATION_RETURN);
    PvNewSample sample = {.time_ns = 1, .stack = pv_profile_builder_stack (builder, 0, root)};
    pv_profile_builder_add_sample (builder, 0, &sample, NULL);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
    PvStackQuality quality;
    pv_stack_quality_measure (profile, symbols, 0, &quality);
    g_assert_cmpuint (quality.n_broken, ==, 0);
    g_assert_cmpuint (quality.n_unknown, ==, 1);
    pv_stack_quality_note (profile, symbols);
    g_assert_cmpuint (symbols->n_notes, ==, 0);
}

/* An address at which there was no code is no function, in files of any format that say where code
 * was. Many such stacks are a warning. */
TEST (unmapped)
{
    for (int is_mapped = 0; is_mapped < 2; is_mapped++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        pv_profile_builder_add_set (builder, "cycles", false);
        if (is_mapped)
            made_module (builder, "/usr/bin/prog");
        PvModuleId unknown = pv_profile_builder_unknown_module (builder, false);
        PvLocationId root = pv_profile_builder_location (builder, unknown, 5, PV_LOCATION_RETURN);
        PvNewSample sample = {.time_ns = 1, .stack = pv_profile_builder_stack (builder, 0, root)};
        for (int i = 0; i < 2; i++)
            pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        sample.stack = 0;
        for (int i = 0; i < 10; i++)
            pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        for (int n_broken = 2; n_broken <= 3; n_broken++) {
            g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
            g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
            PvStackQuality quality;
            pv_stack_quality_measure (profile, symbols, 0, &quality);
            g_assert_cmpuint (quality.n_broken, ==, is_mapped ? n_broken : 0);
            g_assert_cmpint (pv_stack_quality_is_known (&quality), ==, is_mapped);
            pv_stack_quality_note (profile, symbols);
            g_assert_cmpuint (symbols->n_notes, ==, is_mapped && n_broken * 5 > 10 + n_broken);
            sample.stack = pv_profile_builder_stack (builder, 0, root);
            pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        }
    }
}

/* A chain that breaks past the function that starts the thread lacks no caller; that function is no
 * start where it is the one that ran, or is called further in. */
TEST (past_starts)
{
    static const struct {
        const char *function;
        PvLocationKind kind;
        bool is_deeper;
        bool is_complete;
    } cases[] = {{"__libc_start_main", PV_LOCATION_RETURN, false, true},
                 {"start_thread", PV_LOCATION_RETURN, false, true},
                 {"clone", PV_LOCATION_EXACT, false, false},
                 {"entry_SYSCALL_64", PV_LOCATION_RETURN, false, false},
                 {"main", PV_LOCATION_RETURN, false, false},
                 {"__libc_start_main", PV_LOCATION_RETURN, true, false}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        pv_profile_builder_add_set (builder, "cycles", false);
        PvModuleId m = made_module (builder, "/usr/bin/prog");
        PvModuleId unknown = pv_profile_builder_unknown_module (builder, false);
        PvLocationId bad = pv_profile_builder_location (builder, unknown, 5, PV_LOCATION_RETURN);
        PvLocationId named = pv_profile_builder_location (builder, m, 5, cases[i].kind);
        PvLocationId other = pv_profile_builder_location (builder, m, 9, PV_LOCATION_RETURN);
        PvStackId stack = pv_profile_builder_stack (builder, 0, bad);
        if (cases[i].is_deeper)
            stack = pv_profile_builder_stack (builder, stack, other);
        PvNewSample sample = {.time_ns = 1,
                              .stack = pv_profile_builder_stack (builder, stack, named)};
        pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
        made_function (names, named, cases[i].function, m);
        g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (names, true);
        PvStackQuality quality;
        pv_stack_quality_measure (profile, symbols, 0, &quality);
        g_test_message ("%s", cases[i].function);
        g_assert_cmpuint (quality.n_complete, ==, cases[i].is_complete ? 1 : 0);
        g_assert_cmpuint (quality.n_broken, ==, cases[i].is_complete ? 0 : 1);
    }
}

/* Whoever does not follow frame pointers is not told to build with them; and stacks of which
 * nothing is known are not called broken. */
TEST (advice_of_formats)
{
    static const struct {
        const char *format;
        unsigned n_broken;
        const char *cause; /* NULL: nothing is said */
        bool has_advice;
    } cases[] = {{"perf script", 10, "Frame pointer chains break", true},
                 {"bpftrace", 10, "Frame pointer chains break", true},
                 {"perf script", 1, NULL, false},
                 {"massif", 10, "Some stacks end before", false},
                 {"jemalloc heap", 10, "Some stacks end before", false},
                 {"pprof", 10, "Some stacks end before", false}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        pv_profile_builder_facts (builder)->format = cases[i].format;
        pv_profile_builder_add_set (builder, "cycles", false);
        PvModuleId m = made_module (builder, "/usr/bin/prog");
        PvModuleId unknown = pv_profile_builder_unknown_module (builder, false);
        PvLocationId good = pv_profile_builder_location (builder, m, 5, PV_LOCATION_RETURN);
        PvLocationId bad = pv_profile_builder_location (builder, unknown, 5, PV_LOCATION_RETURN);
        for (unsigned n = 0; n < 90 + cases[i].n_broken; n++) {
            PvStackId stack = pv_profile_builder_stack (builder, 0, n < 90 ? good : bad);
            PvNewSample sample = {.time_ns = 1, .stack = stack};
            pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        }
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
        PvStackQuality quality;
        pv_stack_quality_measure (profile, symbols, 0, &quality);
        g_assert_cmpuint (quality.n_broken, ==, cases[i].n_broken);
        g_assert_cmpuint (quality.n_unknown, ==, 90);
        g_assert_cmpint (quality.cause != NULL, ==, cases[i].cause != NULL);
        g_assert_cmpint (quality.command_advice != NULL, ==, cases[i].has_advice);
        if (cases[i].cause == NULL)
            continue;
        g_assert_true (g_str_has_prefix (quality.cause, cases[i].cause));
        g_assert_cmpuint (quality.n_of_cause, ==, cases[i].n_broken);
    }
}

TEST (ends)
{
    static const Case cases[] = {{"main", PV_STACK_END_ROOT, 50},
                                 {"deep", PV_STACK_END_DUMP, 30},
                                 {"lost", PV_STACK_END_NO_BINARY, 5},
                                 {"odd", PV_STACK_END_UNKNOWN, 15}};
    PvStackQuality quality;
    measure (cases, G_N_ELEMENTS (cases), "DWARF, 8192 bytes", &quality);
    g_assert_cmpuint (quality.n_complete, ==, 50);
    g_assert_cmpuint (quality.n_truncated, ==, 35);
    g_assert_cmpuint (quality.n_broken, ==, 15);
    g_assert_cmpuint (quality.n_unknown, ==, 0);
    g_assert_cmpuint (quality.n_of_end[PV_STACK_END_DUMP], ==, 30);
    g_assert_nonnull (strstr (quality.command_advice, "dwarf,32768"));
    measure (cases, G_N_ELEMENTS (cases), "DWARF, 32768 bytes", &quality);
    g_assert_nonnull (strstr (quality.command_advice, "dwarf,65528"));
}

/* Samples without a stack are not said to be all that there are. */
TEST (some_not_recorded)
{
    static const Case cases[] = {{"_start", PV_STACK_END_UNKNOWN, 60},
                                 {"kfree", PV_STACK_END_NOT_RECORDED, 40}};
    PvStackQuality quality;
    measure (cases, 2, "frame pointers", &quality);
    g_assert_true (g_str_has_prefix (quality.cause, "Some samples were recorded without"));
    measure (cases + 1, 1, "none", &quality);
    g_assert_true (g_str_has_prefix (quality.cause, "Recorded without"));
}

TEST (advice)
{
    static const struct {
        PvStackEnd end;
        const char *mode;
        const char *advice;
    } cases[] = {{PV_STACK_END_NOT_RECORDED, "none", "perf record -g"},
                 {PV_STACK_END_UNKNOWN, "frame pointers", "--call-graph dwarf"},
                 {PV_STACK_END_UNKNOWN, "LBR", "--call-graph dwarf"},
                 {PV_STACK_END_DEPTH, "frame pointers", "perf_event_max_stack"},
                 {PV_STACK_END_NO_BINARY, "DWARF, 8192 bytes", "--sysroot"},
                 {PV_STACK_END_NO_RULE, "DWARF, 8192 bytes", "--call-graph fp"},
                 {PV_STACK_END_OTHER_STACK, "DWARF, 8192 bytes", "--call-graph fp"}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        Case one = {"x", cases[i].end, 10};
        PvStackQuality quality;
        measure (&one, 1, cases[i].mode, &quality);
        g_assert_nonnull (quality.cause);
        g_assert_nonnull (strstr (quality.command_advice, cases[i].advice));
        g_assert_nonnull (quality.advice);
        g_assert_null (strstr (quality.advice, "--"));
        bool has_command = strstr (quality.command_advice, "perf record") != NULL;
        recorder = "simpleperf 1.2";
        measure (&one, 1, cases[i].mode, &quality);
        recorder = NULL;
        g_assert_null (strstr (quality.command_advice, " perf record"));
        g_assert_cmpint (strstr (quality.command_advice, "simpleperf record") != NULL, ==,
                         has_command);
    }
    /* One in a hundred is nothing to complain about. */
    static const Case good[] = {{"_start", PV_STACK_END_UNKNOWN, 99},
                                {"x", PV_STACK_END_UNKNOWN, 1}};
    PvStackQuality quality;
    measure (good, 2, "frame pointers", &quality);
    g_assert_null (quality.cause);
    g_assert_null (quality.advice);
}

/* One bad stack is a reason only where there are hardly any others. */
TEST (few)
{
    static const struct {
        unsigned n_good, n_bad;
        bool is_told;
    } cases[] = {{47, 1, false}, {46, 2, true},  {0, 1, true},
                 {3, 1, true},   {98, 2, false}, {97, 3, true}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        const Case both[] = {{"_start", PV_STACK_END_UNKNOWN, cases[i].n_good},
                             {"x", PV_STACK_END_NOT_RECORDED, cases[i].n_bad}};
        PvStackQuality quality;
        measure (both, 2, "frame pointers", &quality);
        g_assert_cmpint (quality.cause != NULL, ==, cases[i].is_told);
        g_assert_cmpuint (quality.n_of_cause, ==, cases[i].is_told ? cases[i].n_bad : 0);
    }
}

/* Where functions have no names, nothing tells that callers are missing. */
TEST (may_be_whole)
{
    static const struct {
        unsigned n_nameless, n_broken, n_of_cause;
        const char *cause;
    } cases[] = {{3, 0, 3, "have no names"}, {97, 1, 97, "have no names"}, {50, 10, 10, "break"}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        const Case both[] = {{"??", PV_STACK_END_UNKNOWN, cases[i].n_nameless},
                             {"x", PV_STACK_END_UNKNOWN, cases[i].n_broken}};
        PvStackQuality quality;
        measure (both, 2, "frame pointers", &quality);
        g_assert_nonnull (strstr (quality.cause, cases[i].cause));
        g_assert_cmpuint (quality.n_of_cause, ==, cases[i].n_of_cause);
    }
}

/* Obstacles that are not the unwinder's: what it says of the end is not advice that helps. */
TEST (obstacles)
{
    static const struct {
        const char *root, *above; /* paths of modules; "": unknown */
        bool is_kernel, has_kernel, is_unmapped;
        PvStackEnd end;
        const char *advice;
    } cases[] = {
        {"[uprobes]", NULL, false, true, false, PV_STACK_END_BAD_FRAME, "%return"},
        {"prog", "[uprobes]", false, true, false, PV_STACK_END_NO_RULE, "%return"},
        {"prog", NULL, false, true, false, PV_STACK_END_BAD_FRAME, "Check that the files"},
        {"", NULL, true, false, false, PV_STACK_END_UNKNOWN, "kernel.kptr_restrict"},
        {"", NULL, true, true, false, PV_STACK_END_UNKNOWN, "--call-graph dwarf"},
        {"", NULL, false, true, true, PV_STACK_END_UNKNOWN, "--synth"},
        {"", NULL, false, true, false, PV_STACK_END_UNKNOWN, "--call-graph dwarf"},
        {"", NULL, true, false, true, PV_STACK_END_NOT_RECORDED, "perf record -g"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvFacts *facts = pv_profile_builder_facts (builder);
        facts->format = "perf.data";
        facts->call_graph = "frame pointers";
        made_set (builder, "cycles", false, PV_UNIT_COUNT);
        if (cases[i].has_kernel)
            pv_profile_builder_add_module (
                builder, &(PvModule){.path = "[kernel.kallsyms]", .kind = PV_MODULE_KERNEL});
        const char *paths[] = {cases[i].root, cases[i].above};
        PvStackId stack = 0;
        for (int f = 0; f < 2 && paths[f] != NULL; f++) {
            PvModule module = {.path = paths[f], .is_kernel = cases[i].is_kernel};
            module.kind = strcmp (paths[f], "prog") == 0 ? PV_MODULE_FILE : PV_MODULE_UNKNOWN;
            PvModuleId id = pv_profile_builder_add_module (builder, &module);
            stack = pv_profile_builder_stack (
                builder, stack, pv_profile_builder_location (builder, id, 16, PV_LOCATION_RETURN));
        }
        PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
        pv_profile_builder_set_unmapped (builder, process, cases[i].is_unmapped);
        PvNewSample sample = {.thread = pv_profile_builder_add_thread (builder, process, 1, "t", 0),
                              .stack = stack,
                              .stack_end = (uint8_t)cases[i].end};
        for (unsigned n = 0; n < 3; n++)
            pv_profile_builder_add_sample (builder, 0, &sample, (uint64_t[]){1});
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
        PvStackQuality quality;
        pv_stack_quality_measure_all (profile, symbols, &quality);
        g_assert_cmpuint (quality.n_of_cause, ==, 3);
        g_assert_nonnull (strstr (quality.command_advice, cases[i].advice));
    }
}

/* The cause that ended a stack before its root is known, or it is not. */
TEST (classes)
{
    for (int end = 0; end < PV_N_STACK_ENDS; end++) {
        bool is_unknown = end == PV_STACK_END_UNKNOWN || end == PV_STACK_END_NOT_RECORDED;
        PvStackClass cut = end == PV_STACK_END_ROOT ? PV_STACK_COMPLETE : PV_STACK_TRUNCATED;
        g_assert_cmpint (pv_stack_quality_classify ((PvStackEnd)end, PV_ROOT_START), ==,
                         PV_STACK_COMPLETE);
        g_assert_cmpint (pv_stack_quality_classify ((PvStackEnd)end, PV_ROOT_ENTRY), ==,
                         PV_STACK_COMPLETE);
        g_assert_cmpint (pv_stack_quality_classify ((PvStackEnd)end, PV_ROOT_UNKNOWN), ==,
                         is_unknown ? PV_STACK_UNKNOWN : cut);
        g_assert_cmpint (pv_stack_quality_classify ((PvStackEnd)end, PV_ROOT_BROKEN), ==,
                         end == PV_STACK_END_UNKNOWN        ? PV_STACK_BROKEN
                         : end == PV_STACK_END_NOT_RECORDED ? PV_STACK_UNKNOWN
                                                            : cut);
    }
}
