/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../unit/cases.h"
#include "cli/cli.h"
#include "cli/options/options-parse.h"
#include "core/model/build/builder.h"
#include "export/exports.h"

static char **
split_args (const char *line, int *ret_n)
{
    g_autofree char *all = g_strconcat ("profview ", line, NULL);
    char **args = g_strsplit (all, " ", -1);
    *ret_n = (int)g_strv_length (args);
    return args;
}

static bool
parse (const char *line, PvOptions *options, GError **error)
{
    int n;
    g_auto (GStrv) args = split_args (line, &n);
    return pv_options_parse (options, n, args, error);
}

/* Instead of what they were. */
static void
parse_well (const char *line, PvOptions *options)
{
    pv_options_clear (options);
    g_assert_true (assert_ok (error, parse (line, options, &error)));
}

TEST (order)
{
    g_auto (PvOptions) options = {0};
    parse_well ("--hide=b --focus a --collapse-recursion file --hide=c --merge-module=m "
                "--show-from=s --show=t --ignore=i",
                &options);
    static const struct {
        PvTransformKind kind;
        const char *expression;
    } expected[] = {{PV_TRANSFORM_HIDE, "b"},
                    {PV_TRANSFORM_FOCUS, "a"},
                    {PV_TRANSFORM_COLLAPSE_RECURSION, NULL},
                    {PV_TRANSFORM_HIDE, "c"},
                    {PV_TRANSFORM_MERGE_MODULE, "m"},
                    {PV_TRANSFORM_SHOW_FROM, "s"},
                    {PV_TRANSFORM_SHOW, "t"},
                    {PV_TRANSFORM_IGNORE, "i"}};
    g_assert_cmpuint (options.words.query.n_transforms, ==, G_N_ELEMENTS (expected));
    for (size_t i = 0; i < G_N_ELEMENTS (expected); i++) {
        g_assert_cmpint (options.words.query.transforms[i].kind, ==, expected[i].kind);
        g_assert_cmpstr (options.words.query.transforms[i].expression, ==, expected[i].expression);
    }
    g_assert_cmpstr (options.open.files[0], ==, "file");
    g_assert_null (options.open.files[1]);
}

TEST (times)
{
    static const struct {
        const char *text;
        uint64_t start_ns, end_ns;
    } cases[] = {{"1..2", 1000000000, 2000000000},
                 {"1.5s..", 1500000000, UINT64_MAX},
                 {"..20ms", 0, 20000000},
                 {"7us..900us", 7000, 900000},
                 {"3ns..4ns", 3, 4},
                 {"..", 0, UINT64_MAX},
                 {"0..1e30", 0, UINT64_MAX}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *line = g_strdup_printf ("--time=%s f", cases[i].text);
        g_auto (PvOptions) options = {0};
        parse_well (line, &options);
        g_assert_cmpuint (options.words.query.start_ns, ==, cases[i].start_ns);
        g_assert_cmpuint (options.words.query.end_ns, ==, cases[i].end_ns);
    }
}

TEST (values)
{
    g_auto (PvOptions) options = {0};
    parse_well ("--cpu=0-2,7 --cpu=9 --print=tree --format=json --by=line --group=process "
                "--invert --no-inline --limit=3 --jobs=2 --no-demangle --symbol-path=/ "
                "--symbol-path=. --map-path=/x=/y --sysroot=/./ --min-percent=1.5 f",
                &options);
    g_assert_cmpuint (options.words.query.only[PV_ORIGIN_CPU].n_ids, ==, 5);
    g_assert_cmpuint (options.words.query.only[PV_ORIGIN_CPU].ids[3], ==, 7);
    g_assert_cmpuint (options.words.query.only[PV_ORIGIN_CPU].ids[4], ==, 9);
    g_assert_cmpint (options.out.print, ==, PV_PRINT_TREE);
    g_assert_cmpint (options.out.format, ==, PV_FORMAT_JSON);
    g_assert_cmpint (options.words.query.granularity, ==, PV_BY_LINE);
    g_assert_cmpint (options.words.query.grouping, ==, PV_GROUP_PROCESS);
    g_assert_true (options.words.query.is_inverted && options.words.query.no_inline);
    PvLoadOptions load;
    pv_options_fill_load (&options, &load);
    g_assert_cmpstr (load.symbols.sysroot, ==, "/./");
    g_assert_cmpstr (load.symbols.search_paths[1], ==, ".");
    g_assert_cmpstr (load.symbols.path_maps[0], ==, "/x=/y");
    g_assert_true (load.symbols.no_demangle);
    g_assert_cmpuint (load.symbols.n_workers, ==, 2);
}

TEST (heap_values)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } sizes[] = {{"1", 1},
                 {"1000000", 1000000},
                 {"500M", UINT64_C (500) << 20},
                 {"3k", 3072},
                 {"64GiB", UINT64_C (64) << 30},
                 {"2TB", UINT64_C (2) << 40},
                 {"16777215T", UINT64_C (16777215) << 40}};
    for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
        g_autofree char *line = g_strdup_printf ("--max-unpacked=%s f", sizes[i].text);
        g_auto (PvOptions) options = {0};
        PvLoadOptions load;
        parse_well (line, &options);
        pv_options_fill_load (&options, &load);
        g_assert_cmpuint (load.max_unpacked_bytes, ==, sizes[i].bytes);
    }
    g_auto (PvOptions) options = {0};
    parse_well ("--chart=rss --show-allocators --no-suppressions f", &options);
    g_assert_cmpint (options.out.chart, ==, PV_CHART_RSS);
    g_assert_true (options.words.is_off[PV_TRANSFORM_HIDE_ALLOCATORS] &&
                   options.words.query.no_default_suppressions);
    parse_well ("--export=x.svg --view=sandwich --function=main f", &options);
    g_assert_cmpint (options.out.view, ==, PV_VIEW_SANDWICH);
    parse_well ("--export=x.svg --view=timeline --group=cpu f", &options);
    g_assert_cmpint (options.out.view, ==, PV_VIEW_TIMELINE);
    parse_well ("--export=x.svg --view=heatmap f", &options);
    g_assert_cmpint (options.out.view, ==, PV_VIEW_HEAT_MAP);
    parse_well ("--export=x.svg --view=treemap --invert f", &options);
    g_assert_cmpint (options.out.view, ==, PV_VIEW_TREEMAP);
    parse_well ("--export=x.svg --view=graph --nodecount=20 --edgefraction=0.1 "
                "--function=main --callers=2 f",
                &options);
    g_assert_cmpint (options.out.view, ==, PV_VIEW_GRAPH);
    g_assert_cmpint (options.out.n_graph_nodes, ==, 20);
    g_assert_cmpfloat (options.out.edge_fraction, ==, 0.1);
    g_assert_cmpfloat (options.out.node_fraction, ==, -1);
    g_assert_cmpint (options.out.n_callers, ==, 2);
    g_assert_cmpint (options.out.n_callees, ==, -1);
    parse_well ("--export=x.svg --view=flamechart --thread=4 f", &options);
    g_assert_cmpint (options.out.view, ==, PV_VIEW_FLAME_CHART);
    parse_well ("f", &options);
    g_assert_cmpint (options.out.chart, ==, PV_N_CHARTS);
    g_assert_cmpint (options.out.view, ==, PV_VIEW_UNSET);
    g_assert_false (options.words.is_off[PV_TRANSFORM_HIDE_ALLOCATORS] ||
                    options.words.query.no_default_suppressions);
}

/* One set of options serves a script for every kind of report: what has no effect in one is let
 * be. */
TEST (shared)
{
    static const char *const lines[] = {
        "--print=summary --focus=main --time=1..2 --limit=3 f",
        "--print=notes --measure=cycles --thread=main f",
        "--print=top --function=main --group=thread --width=800 f",
        "--print=tree --height=800 f",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (lines); i++) {
        g_auto (PvOptions) options = {0};
        parse_well (lines[i], &options);
    }
}

TEST (bad)
{
    static const char *const lines[] = {
        "--nonsense f",
        "--print=everything f",
        "--format=xml f",
        "--time=5 f",
        "--time=2..1 f",
        "--time=a..b f",
        "--time=-1..2 f",
        "--time=1m..2m f",
        "--chart=pie f",
        "--max-unpacked=0 f",
        "--max-unpacked=-1 f",
        "--max-unpacked=M f",
        "--max-unpacked=5X f",
        "--max-unpacked=5Mega f",
        "--max-unpacked=16777216T f",
        "--max-unpacked=99999999999999999999 f",
        "--suppressions=/no/such/file f",
        "--cpu= f",
        "--cpu=1- f",
        "--cpu=3-1 f",
        "--cpu=99999 f",
        "--cpu=1,,2 f",
        "--focus=( f",
        "--limit=x f",
        "--limit=-5 f",
        "--jobs=-1 f",
        "--width=3 f",
        "--group=modules f",
        "--by=file f",
        "--map-path=nothing f",
        "--print=callers f",
        "--export=x.svg --view=sandwich f",
        "--export=x.svg --view=club --function=main f",
        "--export=x.svg --view=sandwich --function=main --invert f",
        "--export=x.svg --view=sandwich --function=main --group=thread f",
        "--export=x.svg --view=flamechart --invert f",
        "--export=x.svg --view=flamechart --group=cpu f",
        "--export=x.svg --view=heatmap --invert f",
        "--export=x.dot --nodecount=-2 f",
        "--export=x.dot --nodefraction=1.5 f",
        "--export=x.dot --edgefraction=nan f",
        "--export=x.dot --callers=2 f",
        "--export=x.svg --view=timeline --invert f",
        "--export=x.svg --view=timeline --group=process f",
        "--diff f",
        "--diff f f f",
        "--diff --merge f f",
        "--diff --scale=half f f",
        "--diff --scale=function f f",
        "--diff --scale=function:( f f",
        "--diff --width-by=old f f",
        "--width-by=side-by-side f",
        "--diff --rename=x f f",
        "--diff --base-time=5 f f",
        "--diff --new-time=5 f f",
        "--diff --new-cpu=x f f",
        "--new-time=0..1 f f",
        "--hide-noise f",
        "--hide-noise --with=f f",
        "--diff --width-by=side-by-side --export=o.svg --view=sandwich --function=f f f",
        "--runs --with=f f f",
        "--runs --width-by=side-by-side f f",
        "--runs --new-time=0..1 f f",
        "--runs --print=runs --invert f f",
        "--runs --print=runs --by=line f f",
        "--runs --export=o.tsv --group=thread f f",
        "--runs --export=o.tsv --measure=x=a/b f f",
        "--scale=total f",
        "--base-time=0..1 f",
        "--debuginfod f",
        "--label= f",
        "--label==b f",
        "--label=a= f",
        "--label=a=( f",
        "--label=a=\xff f",
        "--group=label: f",
        "--group=label f",
        "--group=label:\xff f",
        "--print=callees f",
        "--merge --series f f",
        "--chart=x f",
        "--record=perf f",
        "--min-percent=101 f",
        "--print f",
        "--function=[ f",
        "--limit=-1 f",
        "--min-percent=-1 f",
        "--min-percent=nan f",
        "--sysroot=/no/such f",
        "--symbol-path=/no/such f",
        "--focus= f",
        "--hide=\xff f",
        "--print=callers --function= f",
        "--print=callers --function=\xff f",
        "--record",
        "--record=perf",
        "--record=perf --",
        "--record=gprof -- f",
        "--record -- f",
        "--record=perf --pid=0",
        "--record=perf --pid=-3",
        "--record=perf --pid=x",
        "--record=perf --pid=3 -- f",
        "--record=perf --system --pid=3",
        "--record=perf f -- f",
        "--record=heaptrack --system",
        "--record=jemalloc --pid=3",
        "--record=heaptrack --call-graph=fp -- f",
        "--record=jemalloc --frequency=9 -- f",
        "--record=heaptrack --event=cycles -- f",
        "--record=offcpu --event=cycles -- f",
        "--record=heaptrack --pkexec -- f",
        "--record=perf --dump-interval=1M -- f",
        "--record=perf --call-graph=stack -- f",
        "--record=perf --call-graph=fp,8192 -- f",
        "--record=perf --call-graph=dwarf, -- f",
        "--record=perf --call-graph=dwarf,9 -- f",
        "--record=perf --call-graph=dwarf,65536 -- f",
        "--record=perf --frequency=0 -- f",
        "--record=perf --duration=0 -- f",
        "--record=perf --duration=-1 -- f",
        "--record=perf --duration=nan -- f",
        "--record=perf --memory-limit=much -- f",
        "--record=perf --memory-limit=1G --pid=3",
        "--record=perf --env=A=b --system",
        "--record=perf --env=A -- f",
        "--record=perf --env==b -- f",
        "--record=perf --event= -- f",
        "--record=perf --output= -- f",
        "--output=x f",
        "--pid=3 f",
        "--system",
        "--duration=3 f",
        "--pkexec -- --record=perf",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (lines); i++) {
        g_auto (PvOptions) options = {0};
        g_autoptr (GError) error = NULL;
        g_autofree char *shown = g_strescape (lines[i], NULL);
        g_test_message ("%s", shown);
        g_assert_false (parse (lines[i], &options, &error));
        g_assert_nonnull (error);
    }
}

/* Without a server the option is bad usage, as in the lines above. */
TEST (diff)
{
    g_auto (PvOptions) options = {0};
    parse_well ("--diff --scale=function:^run$ --width-by=new --rename=a(.)=b --hide-noise "
                "--base-time=0..1 --base-thread=x f g",
                &options);
    g_assert_true (options.is_diff && options.out.hides_noise);
    g_assert_cmpint (options.out.scale, ==, PV_SCALE_FUNCTION);
    g_assert_cmpstr (options.out.scale_function, ==, "^run$");
    g_assert_cmpint (options.width_part, ==, PV_PART_SIDE);
    g_assert_cmpint (options.width_side, ==, PV_SIDE_NEW);
    g_assert_cmpstr (options.side_options[PV_SIDE_BASE][0], ==, "--time=0..1");
    g_assert_cmpstr (options.side_options[PV_SIDE_BASE][1], ==, "--thread=x");
    g_assert_null (options.side_options[PV_SIDE_NEW]);
    parse_well ("--diff --new-cpu=1 --new-no-suppressions --base-exclude-label=k f g", &options);
    g_assert_cmpstr (options.side_options[PV_SIDE_NEW][0], ==, "--cpu=1");
    g_assert_cmpstr (options.side_options[PV_SIDE_NEW][1], ==, "--no-suppressions");
    g_assert_cmpstr (options.side_options[PV_SIDE_BASE][0], ==, "--exclude-label=k");
    parse_well ("--diff --new-time=0..1 f", &options);
    parse_well ("--diff --width-by=side-by-side f g", &options);
    g_assert_true (options.out.is_side_by_side);
    g_assert_cmpint (options.width_part, ==, PV_PART_BOTH);
    parse_well ("--base=a --base=b f", &options);
    g_assert_true (options.is_diff);
    g_assert_cmpuint (g_strv_length (options.open.base_files), ==, 2);
    parse_well ("--diff --base-time=0..1 --time=1..2 f", &options);
}

TEST (debuginfod)
{
    g_auto (PvOptions) options = {0};
    g_setenv ("DEBUGINFOD_URLS", "http://127.0.0.1:1/", TRUE);
    parse_well ("--debuginfod f", &options);
    g_assert_true (options.fetches_debug_info);
    parse_well ("f", &options);
    g_assert_false (options.fetches_debug_info);
    g_unsetenv ("DEBUGINFOD_URLS");
}

/* Nothing behind "--" is ours, whatever it looks like. */
TEST (record_command)
{
    char *args[] = {"profview", "--record",  "perf", "--frequency=99", "--", "--help", "-x",
                    "--",       "--print=z", "a b",  "$(x)",           "",   "\xff\n", NULL};
    g_auto (PvOptions) options = {0};
    g_assert_true (pv_options_parse (&options, (int)G_N_ELEMENTS (args) - 1, args, NULL));
    const PvRecordPlan *plan = options.record_plan;
    g_assert_nonnull (plan);
    g_assert_false (options.show_help);
    g_assert_cmpint (plan->kind, ==, PV_RECORD_PERF);
    g_assert_cmpint (plan->target, ==, PV_TARGET_LAUNCH);
    g_assert_cmpuint (plan->frequency_hz, ==, 99);
    for (size_t i = 0; args[5 + i] != NULL; i++)
        g_assert_cmpstr (plan->argv[i], ==, args[5 + i]);
    g_assert_cmpuint (g_strv_length (plan->argv), ==, 8);
}

TEST (record_values)
{
    g_auto (PvOptions) options = {0};
    parse_well ("--record=perf --call-graph=dwarf,8192 --event=a --event=b,c --duration=2.5 "
                "--memory-limit=2G --env=A=b=c --env=D= --pkexec --output=x -- f",
                &options);
    const PvRecordPlan *plan = options.record_plan;
    g_assert_cmpint (plan->call_graph, ==, PV_CALL_GRAPH_DWARF);
    g_assert_cmpuint (plan->stack_bytes, ==, 8192);
    g_assert_cmpstr (plan->events[1], ==, "b,c");
    g_assert_cmpuint (plan->max_memory_bytes, ==, UINT64_C (2) << 30);
    g_assert_cmpstr (plan->environment[0], ==, "A=b=c");
    g_assert_cmpstr (plan->environment[1], ==, "D=");
    g_assert_true (plan->is_privileged);
    g_assert_cmpstr (plan->output, ==, "x");
    g_assert_cmpfloat (options.record_seconds, ==, 2.5);

    parse_well ("--record=offcpu --pid=12 --call-graph=none", &options);
    g_assert_cmpint (options.record_plan->kind, ==, PV_RECORD_OFF_CPU);
    g_assert_cmpint (options.record_plan->target, ==, PV_TARGET_ATTACH);
    g_assert_cmpint (options.record_plan->pid, ==, 12);
    g_assert_cmpint (options.record_plan->call_graph, ==, PV_CALL_GRAPH_NONE);

    parse_well ("--record=jemalloc --dump-interval=1M -- f", &options);
    g_assert_cmpuint (options.record_plan->dump_interval_bytes, ==, 1 << 20);

    parse_well ("--system --record=perf", &options);
    g_assert_cmpint (options.record_plan->target, ==, PV_TARGET_SYSTEM);

    /* Without --record, "--" is what it always was. */
    parse_well ("--print=top -- --record=perf", &options);
    g_assert_null (options.record_plan);
    g_assert_cmpstr (options.open.files[0], ==, "--record=perf");
}

TEST (record_headless)
{
    static const struct {
        const char *line;
        bool is_headless;
    } cases[] = {{"--record=perf -- f", false},
                 {"--record=perf -- f --output=x", false},
                 {"--record=perf --output=x -- f", true},
                 {"--record=perf --duration=1 -- f", true},
                 {"--record=perf --print=top -- f", true},
                 {"--record perf --export=x.svg -- f", true}};
    const char *before = g_getenv ("DISPLAY");
    g_autofree char *kept = g_strdup (before);
    g_setenv ("DISPLAY", ":7", TRUE);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        int n;
        g_auto (GStrv) args = split_args (cases[i].line, &n);
        g_assert_true (pv_cli_is_headless (n, args) == cases[i].is_headless);
    }
    g_unsetenv ("DISPLAY");
    g_unsetenv ("WAYLAND_DISPLAY");
    int n;
    g_auto (GStrv) args = split_args (cases[0].line, &n);
    g_assert_true (pv_cli_is_headless (n, args));
    if (kept != NULL)
        g_setenv ("DISPLAY", kept, TRUE);
}

TEST (headless)
{
    static const struct {
        const char *line;
        bool is_headless;
    } cases[] = {{"f", false},
                 {"", false},
                 {"--print=top f", true},
                 {"--print top f", true},
                 {"f --export=x.svg", true},
                 {"--help", true},
                 {"--version", true},
                 {"--focus=a f", false},
                 {"-- --print=top", false},
                 {"--printer", false}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        int n;
        g_auto (GStrv) args = split_args (cases[i].line, &n);
        g_assert_true (pv_cli_is_headless (n, args) == cases[i].is_headless);
    }
}

/* The words of the line do not fit the profile. */
static void
check_unresolvable (const char *line, const PvProfile *profile)
{
    g_auto (PvOptions) options = {0};
    PvQuery query;
    parse_well (line, &options);
    assert_error (error, pv_query_words_resolve (&options.words, profile, &query, &error),
                  G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
}

TEST (query)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const char *const names[] = {"cycles", "instructions"};
    PvProcessId process = pv_profile_builder_add_process (builder, 40, "prog", 0);
    PvThreadId thread = pv_profile_builder_add_thread (builder, process, 40, "main", 0);
    pv_profile_builder_add_thread (builder, process, 41, "worker", 0);
    pv_profile_builder_add_thread (builder, process, 42, "worker", 0);
    for (uint32_t set = 0; set < 2; set++) {
        pv_profile_builder_add_set (builder, names[set], false);
        pv_profile_builder_add_measure (builder, set, NULL, PV_UNIT_COUNT, PV_AGGREGATION_SUM);
        PvNewSample sample = {.time_ns = 5, .thread = thread};
        uint64_t weight = set;
        pv_profile_builder_add_sample (builder, set, &sample, &weight);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    static const struct {
        const char *line;
        uint32_t measure, n_threads, n_processes;
    } good[] = {{"f", 1, 0, 0}, /* the first event weighs nothing */
                {"--measure=Cycles f", 0, 0, 0},
                {"--thread=worker f", 1, 2, 0},
                {"--thread=42 --thread=main f", 1, 2, 0},
                {"--process=40 f", 1, 0, 1},
                {"--process=prog f", 1, 0, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS (good); i++) {
        g_auto (PvOptions) options = {0};
        g_auto (PvQuery) query;
        parse_well (good[i].line, &options);
        g_assert_true (pv_query_words_resolve (&options.words, profile, &query, NULL));
        g_assert_cmpuint (query.measure, ==, good[i].measure);
        g_assert_cmpuint (query.only[PV_ORIGIN_THREAD].n_ids, ==, good[i].n_threads);
        g_assert_cmpuint (query.only[PV_ORIGIN_PROCESS].n_ids, ==, good[i].n_processes);
    }
    static const char *const bad[] = {"--measure=flops f", "--thread=none f", "--process=7 f"};
    for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
        check_unresolvable (bad[i], profile);
}

TEST (labels)
{
    g_auto (PvOptions) options = {0};
    parse_well ("--label=tenant=^a=b$ --label=bytes=512 --group=label:a:b --merge "
                "--show-dropped f g",
                &options);
    g_assert_cmpuint (options.words.query.n_labels, ==, 2);
    g_assert_cmpstr (options.words.query.labels[0].key, ==, "tenant");
    g_assert_cmpstr (options.words.query.labels[0].expression, ==, "^a=b$");
    g_assert_cmpstr (options.words.query.labels[1].key, ==, "bytes");
    g_assert_cmpint (options.words.query.grouping, ==, PV_GROUP_LABEL);
    g_assert_cmpstr (options.words.query.group_label, ==, "a:b");
    g_assert_true (options.is_merged && !options.is_series &&
                   options.words.is_off[PV_TRANSFORM_DROP]);
    /* The last one counts. */
    parse_well ("--series --group=label:a --group=thread f", &options);
    g_assert_cmpint (options.words.query.grouping, ==, PV_GROUP_THREAD);
    g_assert_null (options.words.query.group_label);
    g_assert_true (options.is_series && !options.is_merged);
}

/* A heap of samples, as pprof and jemalloc have them. */
static PvProfile *
make_heap_profile (bool has_prefix)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    pv_profile_builder_add_set (builder, "heap", false);
    pv_profile_builder_add_measure (builder, 0, has_prefix ? "inuse_objects" : "objects",
                                    PV_UNIT_COUNT, PV_AGGREGATION_STATE);
    pv_profile_builder_add_measure (builder, 0, has_prefix ? "inuse_space" : "space", PV_UNIT_BYTES,
                                    PV_AGGREGATION_STATE);
    pv_profile_builder_set_of_allocations (builder);
    pv_profile_builder_set_drop_frames (builder, "malloc", "free");
    const PvLabel label = {.key = "bytes", .number = 512, .unit = "bytes"};
    PvNewSample sample = {.label_set = pv_profile_builder_label_set (builder, &label, 1)};
    const uint64_t weights[] = {1, 512};
    pv_profile_builder_add_sample (builder, 0, &sample, weights);
    return pv_profile_builder_snapshot (builder);
}

static void
check_query (const char *line, const PvProfile *profile, PvMeasureId measure, bool drops,
             bool hides)
{
    g_auto (PvOptions) options = {0};
    g_auto (PvQuery) query;
    parse_well (line, &options);
    g_assert_true (pv_query_words_resolve (&options.words, profile, &query, NULL));
    g_assert_cmpuint (query.measure, ==, measure);
    g_assert_cmpuint (query.n_transforms, ==, drops + hides);
    if (drops) {
        g_assert_cmpint (query.transforms[0].kind, ==, PV_TRANSFORM_DROP);
        g_assert_cmpstr (query.transforms[0].expression, ==, "^(?!(?:free)$)(?:malloc)$");
    }
    if (hides)
        g_assert_cmpint (query.transforms[drops].kind, ==, PV_TRANSFORM_HIDE_ALLOCATORS);
}

TEST (heap_query)
{
    for (unsigned has_prefix = 0; has_prefix < 2; has_prefix++) {
        g_autoptr (PvProfile) profile = make_heap_profile (has_prefix);
        check_query ("f", profile, 0, true, true);
        check_query ("--measure=inuse_space f", profile, 1, true, true);
        check_query ("--measure=space f", profile, 1, true, true);
        check_query ("--measure=Inuse_Objects f", profile, 0, true, true);
        check_query ("--show-dropped f", profile, 0, false, true);
        check_query ("--show-allocators f", profile, 0, true, false);
        check_query ("--show-allocators --show-dropped f", profile, 0, false, false);
        check_query ("--label=bytes=5 --group=label:bytes f", profile, 0, true, true);
        check_query ("--label=bytes --exclude-label=bytes=1k..64k f", profile, 0, true, true);
        static const char *const bad[] = {"--measure=alloc_space f", "--label=size=5 f",
                                          "--group=label:size f"};
        for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
            check_unresolvable (bad[i], profile);
    }
}

/* Each transform that has options is asked for by them, and tells them. */
TEST (kinds)
{
    for (PvTransformKind kind = 0; kind < PV_N_TRANSFORMS; kind++) {
        const PvTransformInfo *info = &pv_transforms[kind];
        const char *options[] = {info->option, info->bare_option};
        g_assert_true (info->must_have_expression <= info->may_have_expression);
        g_assert_true (info->option == NULL || info->may_have_expression);
        for (unsigned i = 0; i < G_N_ELEMENTS (options); i++) {
            if (options[i] == NULL)
                continue;
            g_autofree char *line =
                g_strdup_printf ("--%s%s f", options[i], i == 0 ? "=module:^a$" : "");
            g_auto (PvOptions) parsed = {0};
            parse_well (line, &parsed);
            const PvQuery *query = &parsed.words.query;
            g_assert_cmpuint (query->n_transforms, ==, 1);
            g_assert_cmpint (query->transforms[0].kind, ==, kind);
            g_auto (GStrv) told = pv_query_list_transforms (query);
            g_autofree char *again = g_strconcat (told[0], " f", NULL);
            g_assert_cmpstr (again, ==, line);
        }
        if (info->off_option != NULL) {
            g_autofree char *line = g_strdup_printf ("--%s f", info->off_option);
            g_auto (PvOptions) parsed = {0};
            parse_well (line, &parsed);
            g_assert_true (parsed.words.is_off[kind]);
        }
    }
}

/* Each ending finds its own export, a longer one before a shorter one. */
TEST (exports)
{
    for (size_t i = 0; i < pv_n_exports; i++)
        for (size_t e = 0; e < G_N_ELEMENTS (pv_exports[i].endings); e++) {
            const char *ending = pv_exports[i].endings[e];
            if (ending == NULL)
                continue;
            g_autofree char *path = g_strconcat ("/tmp/A.json.B", ending, NULL);
            g_autofree char *loud = g_ascii_strup (path, -1);
            g_assert_true (pv_export_find (path) == &pv_exports[i]);
            g_assert_true (pv_export_find (loud) == &pv_exports[i]);
            g_assert_false (pv_export_find (ending) == &pv_exports[i]);
        }
    g_assert_null (pv_export_find ("perf.data"));
    g_assert_nonnull (pv_export_find ("/tmp/callgrind.out.4711"));
    g_autofree char *endings = pv_export_list_endings ();
    g_assert_true (g_str_has_prefix (endings, ".svg, .png, .pdf, ") &&
                   g_str_has_suffix (endings, " or .profview"));
}
