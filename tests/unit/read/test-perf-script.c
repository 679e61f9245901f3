/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of perf script, against what it was written from. */
#include <string.h>

#include "reader-case.h"

#define read_text(text) read_well (&pv_perf_script_reader, (text))

enum { N_CASES = 400, N_EVENTS = 3 };

/* "main:a.c:5" */
static void
spell_frame (GString *text, const PvGivenFrame *frame)
{
    g_string_append (text, frame->name != NULL ? frame->name : "??");
    if (frame->file != NULL)
        g_string_append_printf (text, ":%s:%u", frame->file, frame->line);
}

/* Leaf first: "read@[kernel.kallsyms] inner<outer@/bin/sh 45af@/bin/dash" */
static void
spell_stack (GString *text, const PvProfile *profile, PvStackId stack)
{
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        g_string_append_c (text, ' ');
        if (profile->given_of_location != NULL &&
            profile->given_of_location[location] != UINT32_MAX) {
            const PvGivenFrame *frame =
                &profile->given_frames[profile->given_of_location[location]];
            for (; !frame->is_last; frame++) {
                spell_frame (text, frame);
                g_string_append_c (text, '<');
            }
            spell_frame (text, frame);
        } else {
            g_string_append_printf (text, "%" G_GINT64_MODIFIER "x",
                                    profile->address_of_location[location]);
        }
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        g_string_append_printf (text, "@%s", module->path[0] != '\0' ? module->path : "?");
    }
}

static void
spell_sample (GString *text, const PvProfile *profile, const PvSampleSet *set, uint32_t i)
{
    const PvThread *thread = &profile->threads[pv_sample_set_thread (set, i)];
    uint16_t cpu = pv_sample_set_cpu (set, i);
    g_string_append_printf (text, "%s %s %d/%d [%d] %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                            set->name, thread->name, profile->processes[thread->process].pid,
                            thread->tid, cpu == PV_CPU_UNKNOWN ? -1 : cpu,
                            pv_sample_set_time_ns (set, i), pv_sample_set_weight (set, 0, i));
    spell_stack (text, profile, set->stack[i]);
    g_string_append_c (text, '\n');
}

static char *
spell_profile (const PvProfile *profile)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (uint32_t s = 0; s < profile->n_sets; s++)
        for (uint32_t i = 0; i < profile->sets[s].n_samples; i++)
            spell_sample (text, profile, &profile->sets[s], i);
    return sort_lines (text->str);
}

/* --- random texts --- */

/* How all samples of a text are printed. */
typedef struct {
    GRand *random;
    bool has_chains, has_pids, has_cpus, has_times, has_periods, has_offsets, has_sources;
    const char *line_end;
    int comm_width;
} Style;

static int
below (Style *style, int n)
{
    return g_rand_int_range (style->random, 0, n);
}

#define PICK(style, array) ((array)[below (style, G_N_ELEMENTS (array))])

typedef struct {
    const char *symbol; /* NULL: [unknown] */
    const char *name;   /* as it is to be read */
} Name;

static const Name names[] = {
    {"main", "main"},
    {NULL, NULL},
    {"std::map<int, char>::find(int const&) (.cold)",
     "std::map<int, char>::find(int const&) (.cold)"},
    {"operator-> (x)", "operator-> (x)"},
    {"add", "add"},
    {"runtime.mapassign", "runtime.mapassign"},
};
static const char *const modules[] = {"/usr/bin/dash", "[kernel.kallsyms]", "/opt/a (b)/lib c.so",
                                      "[nf_tables]", "/lib/modules/6.1/kernel/x.ko.xz"};

/* A location: frames inlined into another, which perf prints in lines of their own. */
static void
add_location (Style *style, GString *text, GString *expected, bool is_in_header)
{
    unsigned address = 0x1000u + (unsigned)below (style, 64);
    const char *module = PICK (style, modules);
    int n = is_in_header || below (style, 4) != 0 ? 1 : 1 + below (style, 3);
    g_string_append_c (expected, ' ');
    for (int i = 0; i < n; i++) {
        const Name *name = &names[n > 1 ? 0 : (unsigned)below (style, G_N_ELEMENTS (names))];
        bool is_inlined = i + 1 < n;
        bool has_source = style->has_sources && below (style, 3) > 0;
        g_string_append_printf (text, is_in_header ? "%16x" : "\t%16x", address);
        g_string_append_printf (text, " %s", name->symbol != NULL ? name->symbol : "[unknown]");
        if (style->has_offsets && name->symbol != NULL)
            g_string_append_printf (text, "+0x%x", address & 0xff);
        if (is_inlined)
            g_string_append (text, " (inlined)");
        else
            g_string_append_printf (text, " (%s%s)", module,
                                    module[0] == '/' && below (style, 9) == 0 ? " (deleted)" : "");
        g_string_append (text, style->line_end);
        if (name->name != NULL)
            g_string_append (expected, name->name);
        else
            g_string_append_printf (expected, "%x", address);
        if (has_source) {
            g_string_append_printf (text, "  dir/a%d.c:%d%s", i, 7 + i, style->line_end);
            if (name->name != NULL)
                g_string_append_printf (expected, ":dir/a%d.c:%d", i, 7 + i);
        }
        if (is_inlined)
            g_string_append_c (expected, '<');
    }
    g_string_append_printf (expected, "@%s", module);
}

static void
add_sample (Style *style, GString *text, GString *expected, int number)
{
    static const char *const comms[] = {"sh",  "V8 Worker 7", "kworker/0:1-ev",
                                        ":77", "dd",          "[x] 3"};
    static const char *const events[N_EVENTS] = {"cycles:u", "sched:sched_switch", "cpu-clock"};
    int comm = below (style, G_N_ELEMENTS (comms)), tid = 100 + comm;
    const char *event = PICK (style, events);
    int cpu = below (style, 200), period = 1 + below (style, 9999);
    guint64 us = (guint64)number * 1000 + (guint64)below (style, 1000) + 1;
    g_string_append_printf (text, "%*s ", style->comm_width, comms[comm]);
    if (style->has_pids)
        g_string_append_printf (text, "%5d/%-5d", tid - comm % 2, tid);
    else
        g_string_append_printf (text, "%5d", tid);
    if (style->has_cpus)
        g_string_append_printf (text, " [%03d]", cpu);
    if (style->has_times)
        g_string_append_printf (text, " %" G_GUINT64_FORMAT ".%06u:", us / 1000000,
                                (unsigned)(us % 1000000));
    if (style->has_periods)
        g_string_append_printf (text, " %10d", period);
    g_string_append_printf (text, " %s: ", event);

    bool is_samples = !style->has_periods && strchr (event, '_') == NULL;
    g_string_append_printf (expected, "%s%s %s %d/%d [%d] %" G_GUINT64_FORMAT " %d", event,
                            is_samples ? " samples" : "", comms[comm],
                            style->has_pids ? tid - comm % 2 : -1, tid, style->has_cpus ? cpu : -1,
                            style->has_times ? us * 1000 : 0, style->has_periods ? period : 1);
    if (!style->has_chains) {
        add_location (style, text, expected, true);
    } else {
        if (strchr (event, '_') != NULL && style->has_times)
            g_string_append (text, "prev_comm=a prev_pid=7 ==> next: 1.5");
        g_string_append (text, style->line_end);
        for (int n = below (style, 6) + !style->has_times; n > 0; n--)
            add_location (style, text, expected, false);
        if (below (style, 5) == 0)
            g_string_append_printf (text, "\tffffffffffffffff [unknown] ([unknown])%s",
                                    style->line_end);
        g_string_append (text, style->line_end);
    }
    g_string_append_c (expected, '\n');
}

TEST (random)
{
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        Style style = {.random = random, .line_end = "\n"};
        style.has_chains = below (&style, 3) > 0;
        style.has_pids = below (&style, 2) == 0;
        style.has_cpus = below (&style, 2) == 0;
        style.has_times = !style.has_chains || below (&style, 4) > 0;
        style.has_pids |= !style.has_times; /* or a number may be either, a period or a thread */
        style.has_periods = below (&style, 2) == 0;
        style.has_offsets = below (&style, 2) == 0;
        style.has_sources = below (&style, 3) == 0;
        style.comm_width = !style.has_chains ? 16 : 0;
        if (below (&style, 4) == 0)
            style.line_end = "\r\n";
        g_autoptr (GString) text = g_string_new (below (&style, 5) == 0 ? "\xef\xbb\xbf" : NULL);
        g_autoptr (GString) expected = g_string_new (NULL);
        int n = 1 + below (&style, 60);
        for (int i = 0; i < n; i++)
            add_sample (&style, text, expected, i);
        pv_test_say_case (seed, text->str);
        g_autoptr (PvProfile) profile = read_text (text->str);
        g_autofree char *sorted = sort_lines (expected->str);
        assert_string (spell_profile (profile), sorted);
        g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    }
}

/* --- fields of one's own choice --- */

/* A sample as perf script prints it with these fields, and what is to be read of it. */
typedef struct {
    bool has_comms, has_pids, has_tids, has_cpus, has_misc, has_days, has_times, has_periods,
        has_events, has_addresses, has_weights, has_modules, has_offsets, has_insns, has_sources,
        has_chains;
} Fields;

static void
add_fields (Style *style, const Fields *fields, GString *text, GString *expected, int number)
{
    static const char *const comms[] = {"sh", "kworker/0:1-ev", ":77", "V8 Worker"};
    static const char *const events[] = {"cycles:u", "cpu-clock", "sched:sched_wakeup"};
    static const char *const bits[] = {"K", "U", "KGg"};
    int comm = below (style, G_N_ELEMENTS (comms)), tid = 100 + comm, cpu = below (style, 200);
    const char *event = PICK (style, events);
    int period = 1 + below (style, 9999999);
    guint64 us = (guint64)number * 1000 + 1;
    if (fields->has_comms)
        g_string_append_printf (text, "%*s ", fields->has_chains ? 0 : 16, comms[comm]);
    if (fields->has_tids && fields->has_pids)
        g_string_append_printf (text, "%7d/%-7d ", tid - comm, tid);
    else if (fields->has_tids)
        g_string_append_printf (text, "%7d ", tid);
    if (fields->has_cpus)
        g_string_append_printf (text, "[%03d] ", cpu);
    if (fields->has_misc)
        g_string_append_printf (text, "%-6s", PICK (style, bits));
    if (fields->has_days)
        g_string_append_printf (text, "2024-03-01 04:05:06.%06u ", (unsigned)us);
    if (fields->has_times)
        g_string_append_printf (text, "%5u.%06u: ", 7, (unsigned)us);
    if (fields->has_periods)
        g_string_append_printf (text, "%10d ", period);
    if (fields->has_events)
        g_string_append_printf (text, "%18s: ", event);
    if (fields->has_events && strchr (event, '_') != NULL)
        g_string_append (text, "comm=sh [2] pid=7 target: 003");
    if (fields->has_addresses)
        g_string_append_printf (text, "%16x", 0x7000 + below (style, 9));
    if (fields->has_weights)
        g_string_append_printf (text, "%16d", 12 + below (style, 99));

    bool is_samples = !fields->has_periods && strchr (event, '_') == NULL;
    const char *unnamed = fields->has_periods ? "events" : "samples";
    guint64 day_ns = G_GUINT64_CONSTANT (1709265906) * 1000000000; /* date -u */
    g_string_append_printf (expected, "%s%s %s %d/%d [%d] %" G_GUINT64_FORMAT " %d",
                            fields->has_events ? event : unnamed,
                            fields->has_events && is_samples ? " samples" : "",
                            fields->has_comms ? comms[comm] : "",
                            fields->has_tids && fields->has_pids ? tid - comm : -1,
                            fields->has_tids ? tid : -1, fields->has_cpus ? cpu : -1,
                            fields->has_times  ? us * 1000 + G_GUINT64_CONSTANT (7000000000)
                            : fields->has_days ? us * 1000 + day_ns
                                               : 0,
                            fields->has_periods ? period : 1);

    g_string_append_c (text, fields->has_chains ? '\n' : ' ');
    for (int n = fields->has_chains ? 1 + below (style, 4) : 1; n > 0; n--) {
        const char *name = names[below (style, G_N_ELEMENTS (names))].symbol;
        if (!fields->has_modules && name != NULL && strchr (name, '(') != NULL)
            name = "main"; /* or what is in brackets may be a module */
        const char *module = PICK (style, modules);
        unsigned address = 0x1000u + (unsigned)below (style, 64);
        g_string_append_printf (text, "%s%16x %s", fields->has_chains ? "\t" : "", address,
                                name != NULL ? name : "[unknown]");
        if (fields->has_offsets && name != NULL)
            g_string_append_printf (text, "+0x%x", address & 0xff);
        if (fields->has_modules)
            g_string_append_printf (text, " (%s)", module);
        g_string_append (text, fields->has_chains ? "\n" : "");
        if (name != NULL)
            g_string_append_printf (expected, " %s@", name);
        else
            g_string_append_printf (expected, " %x@", address);
        g_string_append (expected, fields->has_modules ? module : "?");
    }
    if (fields->has_insns)
        g_string_append (text, " ilen: 3 insn: 48 89 e5");
    g_string_append_c (text, '\n');
    if (fields->has_sources)
        g_string_append (text, "|12       return add (x); /* 1 */\n");
    g_string_append_c (expected, '\n');
}

TEST (fields)
{
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        Style style = {.random = random};
        Fields fields;
        bool *flags = (bool *)&fields;
        for (size_t i = 0; i < sizeof fields / sizeof *flags; i++)
            flags[i] = below (&style, 3) == 0;
        fields.has_misc &= fields.has_tids || fields.has_cpus;
        g_autoptr (GString) text = g_string_new (NULL);
        g_autoptr (GString) expected = g_string_new (NULL);
        for (int i = 0, n = 1 + below (&style, 40); i < n; i++)
            add_fields (&style, &fields, text, expected, i);
        pv_test_say_case (seed, text->str);
        g_autoptr (PvProfile) profile = read_text (text->str);
        g_autofree char *sorted = sort_lines (expected->str);
        assert_string (spell_profile (profile), sorted);
        g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    }
}

/* Behind frames stand what perf knows of the instruction: a branch's target, bytes, registers,
 * branches before it, addresses, sizes of pages. */
TEST (behind_frames)
{
    static const char *const fields[] = {
        " => ffffffff81000000 entry+0x4 ([kernel.kallsyms])",
        " ilen: 3 insn: 48 89 e5",
        "\t\tadd $0x8, (%rsp)",
        " ABI:2    AX:0x0    BX:0x7ffe0001 ",
        " 0x401136/0x401150/P/-/-/0/CALL/-  0x401120/0x401136/M/-/-/12//- ",
        " 0x401136(/bin/sh)/0x401150(/bin/sh)/P/-/-/0/CALL/- ",
        "main+0x4/operator new(unsigned long)+0x0/P/-/-/0 ",
        "        12345678",
        "        12345678 4K 2M",
        " \t IPC: 0.56 (12/21) ",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (fields); i++) {
        g_autofree char *flat =
            g_strconcat ("              sh       7 [003]     1.500000:          9 branches:u:  "
                         "          401136 std::f (int) const+0x6 (/opt/a (b)/sh)",
                         fields[i], "\n", NULL);
        g_autofree char *chain =
            g_strconcat ("sh       7 [003]     1.500000:          9 branches:u: \n"
                         "\t          401136 std::f (int) const+0x6 (/opt/a (b)/sh)\n",
                         fields[i], "\n", NULL);
        pv_test_say_case ((unsigned)i, flat);
        const char *expected =
            "branches:u sh -1/7 [3] 1500000000 9 std::f (int) const@/opt/a (b)/sh";
        g_autoptr (PvProfile) of_flat = read_text (flat), of_chain = read_text (chain);
        assert_string (spell_profile (of_flat), expected);
        assert_string (spell_profile (of_chain), expected);
        g_assert_cmpuint (of_flat->n_notes, ==, 1);
        g_assert_cmpuint (of_chain->n_notes, ==, 0);
    }
}

/* Frames of tracepoints, of which some are in lines of their own; a number is not one. */
TEST (mixed_stacks)
{
    g_autoptr (PvProfile) profile = read_text (
        "fio     501/501     [021]     1.791544:          1 block:block_rq_issue: 259,76 R 4096 () "
        "57622160 + 8 [fio] ffffffff8beead90 blk_mq_start_request ([kernel.kallsyms])\n"
        "fio     501/501     [021]     1.791545:          1 probe:entry:                       0\n"
        "\t          40139f hot (int)+0x0 (/bin/fio)\n"
        "\t          401444 main+0x41 (/bin/fio)\n"
        "\n"
        "fio     501/501     [021]     1.791546:          1 kmem:kfree: call_site=ffffffff81092295 "
        "ptr=(nil)\n");
    assert_string (spell_profile (profile),
                   "block:block_rq_issue fio 501/501 [21] 1791544000 1 "
                   "blk_mq_start_request@[kernel.kallsyms]\n"
                   "kmem:kfree fio 501/501 [21] 1791546000 1\n"
                   "probe:entry fio 501/501 [21] 1791545000 1 hot (int)@/bin/fio main@/bin/fio");
    g_assert_cmpuint (profile->n_notes, ==, 0);
}

TEST (machine_code)
{
    g_autoptr (PvProfile) profile =
        read_text ("sh       7 [003]     1.500000:          9 cycles: \n"
                   "\t          401136 main+0x6 (/bin/sh)\n"
                   "\tmain+4:\n"
                   "\t0000000000401130\tinsn: 55 \t# PRED 3 cycles [3] 0.33 IPC\n"
                   "\t0000000000401131\tinsn: 48 89 e5\n"
                   "\t... not reaching sample ...\n");
    assert_string (spell_profile (profile), "cycles sh -1/7 [3] 1500000000 9 main@/bin/sh");
    g_assert_cmpuint (profile->n_notes, ==, 0);
}

/* Other lines of perf among the samples. */
TEST (trace_errors)
{
    g_autoptr (PvProfile) profile = read_text (
        " instruction trace error type 1 time 45.744123981 cpu 0 pid 7 tid 7 ip 0 code 8: Lost "
        "trace data\n"
        "sh       7 [000]    45.744200000:          1        branches:uH: \n"
        "\t          40139f main+0x0 (/bin/sh)\n\n"
        " instruction trace error type 1 time 45.8 cpu 0 pid 7 tid 7 ip 0x7f code 7: Overflow "
        "packet\n"
        " instruction trace error type 1 time 45.9 cpu 0 pid 7 tid 7 ip 0 code 8: Lost trace data\n"
        "sh       7 [000]    45.950000000: \tmetric: 0.50 insn per cycle\n"
        "sh       7 [000]    45.950000000: DEFERRED CALLCHAIN [cookie: 12]\n"
        "\t          401400 _start+0x0 (/bin/sh)\n\n");
    assert_string (spell_profile (profile), "branches:uH sh -1/7 [0] 45744200000 1 main@/bin/sh");
    g_assert_cmpuint (profile->n_notes, ==, 1);
    g_assert_true (has_note (profile, "trace: 3 (Lost trace data, Overflow packet)"));
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

/* --- single things --- */

static const PvModule *
find_module (const PvProfile *profile, const char *path)
{
    for (uint32_t m = 1; m < profile->n_modules; m++)
        if (strcmp (profile->modules[m].path, path) == 0)
            return &profile->modules[m];
    g_test_message ("no module %s", path);
    g_assert_not_reached ();
}

TEST (modules)
{
    g_autoptr (PvProfile) profile =
        read_text ("a-long-program- 12/13 1.5: 7 cycles: \n"
                   "\tffffffff81000000 read ([kernel.kallsyms])\n"
                   "\tffffffffc0000000 nft ([nf_tables])\n"
                   "\tffffffffc0100000 bpf_prog_1_x (bpf_prog_1_x)\n"
                   "\t    1234 [unknown] (/usr/bin/a-long-program-name)\n"
                   "\t    2345 x (/usr/lib/libx.so (deleted))\n"
                   "\t    2346 y ([cut])/libx.so)\n"
                   "\t    2347 z (/usr/l\n"
                   "\t7f0011223344 LA;::f->LB;::g->LC;::h+0x4 (/tmp/perf-12.map)\n"
                   "\t     9f0 __vdso_gettimeofday ([vdso])\n"
                   "\t       0 [unknown] ([unknown])\n"
                   "\n");
    g_assert_cmpint (find_module (profile, "[kernel.kallsyms]")->kind, ==, PV_MODULE_KERNEL);
    g_assert_cmpint (find_module (profile, "[nf_tables]")->kind, ==, PV_MODULE_KERNEL_MODULE);
    g_assert_true (find_module (profile, "bpf_prog_1_x")->is_kernel);
    const PvModule *program = find_module (profile, "/usr/bin/a-long-program-name");
    g_assert_true (program->is_main);
    g_assert_cmpint (program->address_kind, ==, PV_ADDRESS_FILE_OFFSET);
    g_assert_false (find_module (profile, "/usr/lib/libx.so")->is_main);
    g_assert_cmpint (find_module (profile, "/tmp/perf-12.map")->pid, ==, 12);
    g_assert_cmpint (find_module (profile, "[vdso]")->kind, ==, PV_MODULE_VDSO);
    g_autofree char *found = spell_profile (profile);
    g_assert_cmpstr (
        found, ==,
        "cycles a-long-program- 12/13 [-1] 1500000000 7 read@[kernel.kallsyms] "
        "nft@[nf_tables] bpf_prog_1_x@bpf_prog_1_x 1234@/usr/bin/a-long-program-name "
        "x@/usr/lib/libx.so y@[cut])/libx.so z@? LC;::h<LB;::g<LA;::f@/tmp/perf-12.map "
        "__vdso_gettimeofday@[vdso]");
    /* The leaf, and the first of the program, ran; from all others, calls were to return. */
    static const PvLocationKind kinds[] = {
        PV_LOCATION_EXACT,  PV_LOCATION_RETURN, PV_LOCATION_RETURN,
        PV_LOCATION_EXACT,  PV_LOCATION_RETURN, PV_LOCATION_RETURN,
        PV_LOCATION_RETURN, PV_LOCATION_RETURN, PV_LOCATION_RETURN};
    PvStackId stack = profile->sets[0].stack[0];
    for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++, stack = profile->parent_of_stack[stack])
        g_assert_cmpint (profile->kind_of_location[profile->location_of_stack[stack]], ==,
                         kinds[i]);
}

/* Names are those of the time of the sample; a process has that of its main thread. */
TEST (names_over_time)
{
    g_autoptr (PvProfile) profile = read_text ("pool 5/6 1.1: 1 cycles: \n\t1 f (/bin/a)\n\n"
                                               "one 5/5 1.2: 1 cycles: \n\t1 f (/bin/a)\n\n"
                                               "pool 5/6 1.3: 1 cycles: \n\t1 f (/bin/a)\n\n"
                                               "two 5/5 1.4: 1 cycles: \n\t1 f (/bin/a)\n\n"
                                               "pool 5/6 1.5: 1 cycles: \n\t1 f (/bin/a)\n\n"
                                               "one 5/5 1.6: 1 cycles: \n\t1 f (/bin/a)\n\n"
                                               "pool 5/6 1.7: 1 cycles: \n\t1 f (/bin/a)\n\n");
    static const struct {
        PvThreadId row;
        const char *process;
    } expected[] = {{1, "one"}, {2, "one"}, {1, "one"}, {3, "two"},
                    {4, "two"}, {2, "one"}, {1, "one"}};
    for (uint32_t i = 0; i < G_N_ELEMENTS (expected); i++) {
        PvThreadId row = pv_sample_set_thread (&profile->sets[0], i);
        const PvProcess *process = &profile->processes[profile->threads[row].process];
        g_assert_cmpuint (row, ==, expected[i].row);
        g_assert_cmpstr (process->name, ==, expected[i].process);
        g_assert_cmpint (process->pid, ==, 5);
    }
}

/* perf of some years prints addresses of the process; and --fields=+dsoff offsets again. */
TEST (addresses)
{
    g_autoptr (PvProfile) runtime = read_text ("sh 7 1.5: 1 cycles: \n"
                                               "\t  401234 [unknown] (/bin/sh)\n"
                                               "\t7f89e278d702 [unknown] (/lib/libc.so.6)\n\n");
    g_assert_cmpint (find_module (runtime, "/bin/sh")->address_kind, ==, PV_ADDRESS_RUNTIME);
    g_autoptr (PvProfile) offsets =
        read_text ("sh 7 1.5: 1 cycles: \n"
                   "\t7f89e278d702 [unknown] (/lib/libc.so.6+0x2d702)\n\n");
    g_assert_cmpint (find_module (offsets, "/lib/libc.so.6")->address_kind, ==,
                     PV_ADDRESS_FILE_OFFSET);
    assert_string (spell_profile (offsets),
                   "cycles sh -1/7 [-1] 1500000000 1 2d702@/lib/libc.so.6");
}

TEST (description)
{
    g_autoptr (PvProfile) profile = read_text (
        "# ========\n# captured on: today\n# hostname : shop\n# os release : 6.1.0-9\n"
        "# perf version : 6.1.90\n# arch : x86_64\n# nrcpus online : 8\n# nrcpus avail : 9\n"
        "# cpudesc : A CPU\n# total memory : 2048 kB\n# cmdline : /usr/bin/perf record -g ls \n"
        "# event : name = cycles:u, , size = 112, { sample_period, sample_freq } = 4000, freq = 1\n"
        "# event : name = dummy:u, , size = 112\n# ========\n#\n"
        "ls 7 1.5: 1 cycles:u: \n\t1 f (/bin/ls)\n\n");
    g_assert_cmpstr (profile->facts.format, ==, "perf script");
    g_assert_cmpstr (profile->facts.host, ==, "shop");
    g_assert_cmpstr (profile->facts.kernel_release, ==, "6.1.0-9");
    g_assert_cmpstr (profile->facts.recorder, ==, "perf 6.1.90");
    g_assert_cmpstr (profile->facts.command, ==, "/usr/bin/perf record -g ls");
    g_assert_cmpstr (profile->facts.events, ==, "cycles:u at 4000 Hz");
    g_assert_cmpuint (profile->facts.n_cpus, ==, 8);
    g_assert_cmpuint (profile->facts.memory_bytes, ==, 2048 * 1024);
}

TEST (other_lines)
{
    g_autoptr (PvProfile) profile =
        read_text ("sh 7 1.000001: PERF_RECORD_MMAP2 7/7: [0x1(0x2) @ 0 1:2 3 4]: r-xp /bin/sh\n"
                   "sh 7 1.000002: 5 cycles: \n\t1 f (/bin/sh)\n\t2 g (/bin/sh)\n\n"
                   "sh 7 1.000003: 6 instructions: \n\t1 f (/bin/sh)\n\n"
                   "what is this\n"
                   "sh 7 1.000004: 8 task-clock: \n\t1 f (/bin/sh)\n"
                   "sh 7 1.000005: 99999999999999999999 cycles: \n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 1);
    g_assert_cmpuint (profile->n_samples, ==, 4);
    g_assert_cmpstr (profile->measures[0].name, ==, "cycles");
    g_assert_cmpuint (profile->n_notes, ==, 1);
    for (uint32_t m = 0; m < profile->n_measures; m++)
        if (strcmp (profile->measures[m].name, "task-clock") == 0)
            g_assert_cmpint (profile->measures[m].unit, ==, PV_UNIT_NS);
}

TEST (sniff)
{
    static const SniffedText samples[] = {
        {"# captured on: today\n shop  7  12.5:  1000 cycles:u: \n\t  40123a main+0x4 "
         "(/bin/shop)\n",
         true},
        {"shop 7/8 [001] 12.5: cycles: ", true},
        {"shop 7 cycles: \n\t  40123a main+0x4 (/bin/shop)\n", true},
        {"shop 7 cycles: \nand so on\n", false},
        {"  bash-1994  [000] d..3  1342.5: sched_switch: prev_comm=bash\n", false},
        {"[   12.345678] usb 1-1: new device\n", false},
        {"shop;main;work 12\n", false},
        {"the time is 12.5: or so\n", false},
        {"demo \n\t  401205 leaf (/bin/demo)\n\ndemo \n\t  401215 other (/bin/demo)\n", true},
        {"\t          401205 leaf\n\t          401512 main\n", true},
        {"           401205 leaf\n           401512 main\n", true},
        {"            demo           401205 leaf (/bin/demo)\n", true},
        {"0000000000401136 g     F .text\t000000000000000b              main\n", false},
        {"\tlibc.so.6 => /lib/libc.so.6 (0x00007f1200000000)\n", false},
        {"  add (x)\n  sub (y)\n and more\n", false},
        {"{\"a\": 1}\n", false},
        {"", false},
    };
    assert_sniffs (&pv_perf_script_reader, samples, G_N_ELEMENTS (samples));
}
