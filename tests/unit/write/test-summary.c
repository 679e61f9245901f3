/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "core/model/build/builder.h"
#include "core/write/summary.h"

static PvProfile *
make_profile (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvFacts *facts = pv_profile_builder_facts (builder);
    facts->format = pv_profile_builder_string (builder, "perf.data");
    facts->command = pv_profile_builder_string (builder, "perf record \"x\"");
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    PvModule module = {
        .path = "/usr/bin/x", .kind = PV_MODULE_FILE, .build_id = {0xab, 0x01}, .build_id_size = 2};
    PvModuleId used = pv_profile_builder_add_module (builder, &module);
    module.path = "/usr/lib/unused.so";
    pv_profile_builder_add_module (builder, &module);
    PvLocationId location = pv_profile_builder_location (builder, used, 16, PV_LOCATION_EXACT);
    PvProcessId process = pv_profile_builder_add_process (builder, 10, "x", 0);
    /* An exec: two rows, one thread. */
    PvThreadId before = pv_profile_builder_add_thread (builder, process, 10, "sh", 0);
    PvThreadId after = pv_profile_builder_add_thread (builder, process, 10, "x", 0);
    for (unsigned i = 0; i < 4; i++) {
        PvNewSample sample = {.time_ns = 100 + i,
                              .thread = i < 2 ? before : after,
                              .stack = pv_profile_builder_stack (builder, 0, location)};
        uint64_t weight = 25;
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    }
    pv_profile_builder_add_lost (builder, 0, 3);
    pv_profile_builder_add_skipped (builder, 2);
    pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_LOST_SAMPLES, 0, "%s", "lost some");
    return pv_profile_builder_snapshot (builder);
}

static char *
write_format (PvFormat format)
{
    g_autoptr (PvProfile) profile = make_profile ();
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (profile);
    pv_symbol_builder_set_module (builder, 1, PV_MODULE_SYMBOLS_NAMES, "/usr/bin/x");
    pv_symbol_builder_note (builder, PV_NOTE_INFO, PV_NOTE_MISSING_DEBUG_INFO, 1, "%s", "no lines");
    g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (builder, true);
    PvSummaryStacks stacks = {.all = {3, 1, 0, 0},
                              .of_measure = {4, 1, 0, 0},
                              .is_known = true,
                              .cause = "a cause",
                              .advice = "an advice",
                              .n_of_cause = 1};
    GString *out = g_string_new (NULL);
    const PvSummaryFigure figures[] = {{"ipc", "Instructions per cycle", "1.85", "1.8512"},
                                       {"miss-rate", "Miss rate", "4.2 %", "4.2"}};
    pv_write_summary (profile, symbols, &stacks, NULL, figures, G_N_ELEMENTS (figures), format,
                      out);
    return g_string_free (out, FALSE);
}

/* Two sites of one function; nothing but the builder's own rules decides what is at peak. */
static PvProfile *
make_heap_profile (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    pv_profile_builder_facts (builder)->format = pv_profile_builder_string (builder, "heaptrack");
    PvModuleId id = made_module (builder, "/usr/bin/x");
    PvStackId stacks[] = {made_stack (builder, 0, id, 1), made_stack (builder, 0, id, 2)};
    static const PvHeapEvent events[] = {
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 100, .site = 0},
        {.kind = PV_HEAP_EVENT_TIME, .value = 50},
        {.kind = PV_HEAP_EVENT_ALLOC, .value = 2048, .site = 1},
        {.kind = PV_HEAP_EVENT_FREE_TEMPORARY, .value = 2048, .site = 1},
        {.kind = PV_HEAP_EVENT_RSS, .value = 8192},
        {.kind = PV_HEAP_EVENT_TIME, .value = 200},
    };
    g_autoptr (PvHeapBuilder) heap = pv_heap_builder_new (true, 0);
    pv_heap_builder_add (heap, events, G_N_ELEMENTS (events));
    pv_profile_builder_set_heap (builder, pv_heap_builder_finish (heap, stacks, 2));
    return pv_profile_builder_snapshot (builder);
}

static char *
write_heap (PvFormat format)
{
    g_autoptr (PvProfile) profile = make_heap_profile ();
    g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
    const PvSummarySite sites[] = {
        {.measure = 0, .weight = 2048, .function = "big", .label = "big", .module = "x"},
        {.measure = 0, .weight = 100, .function = "small", .label = "small", .module = "x"},
        {.measure = 1, .weight = 60, .function = "small", .label = "small", .module = "x"}};
    const PvSummaryHeap heap = {.leaked_bytes = 60,
                                .suppressed_bytes = 40,
                                .sites = sites,
                                .n_sites = G_N_ELEMENTS (sites)};
    GString *out = g_string_new (NULL);
    pv_write_summary (profile, symbols, NULL, &heap, NULL, 0, format, out);
    return g_string_free (out, FALSE);
}

TEST (heap)
{
    g_autofree char *json = write_heap (PV_FORMAT_JSON);
    g_assert_nonnull (strstr (json, "  \"samples\": 2,\n"));
    g_assert_nonnull (strstr (json, "  \"duration_ns\": 200000000,\n"
                                    "  \"allocations\": 2,\n"
                                    "  \"temporary\": 1,\n"
                                    "  \"allocated_bytes\": 2148,\n"
                                    "  \"leaked_bytes\": 60,\n"
                                    "  \"suppressed_bytes\": 40,\n"
                                    "  \"peak_bytes\": 2148,\n"
                                    "  \"peak_ns\": 50000000,\n"
                                    "  \"peak_rss_bytes\": 8192,\n"
                                    "  \"is_exact\": true,\n"
                                    "  \"is_attached\": false,\n"
                                    "  \"is_cut\": false,\n"
                                    "  \"stacks\": null,\n"));
    g_autofree char *tsv = write_heap (PV_FORMAT_TSV);
    g_assert_nonnull (strstr (tsv, "\nallocations\t2\n"));
    g_assert_nonnull (strstr (tsv, "\nsuppressed_bytes\t40\n"));
    g_assert_nonnull (strstr (tsv, "\nis_exact\t1\n"));
    g_assert_null (strstr (tsv, "stacks_"));
    static const char *const expected[] = {
        "2, 10 per second",          "50.0 % of the allocations", "2.10 KiB, 10.5 KiB per second",
        "2.10 KiB, at 50.0 ms",      "60 B, excluding 40 B",      "8.00 KiB",
        "peak     2.00 KiB  95.3 %", "         100 B     4.7 %",  "leaked   60 B      100.0 %"};
    g_autofree char *text = write_heap (PV_FORMAT_TEXT);
    for (size_t i = 0; i < G_N_ELEMENTS (expected); i++)
        if (strstr (text, expected[i]) == NULL)
            g_error ("no “%s” in:\n%s", expected[i], text);
    g_assert_null (strstr (text, "complete"));
    g_assert_null (strstr (text, "matched by size"));
}

TEST (json)
{
    g_autofree char *json = write_format (PV_FORMAT_JSON);
    g_assert_cmpstr (
        json, ==,
        "{\n"
        "  \"format\": \"perf.data\",\n"
        "  \"measures\": [\n"
        "    {\"name\": \"cycles\", \"unit\": \"count\", \"samples\": 4, \"total\": 100}\n"
        "  ],\n"
        "  \"derived\": {\"ipc\": 1.8512, \"miss-rate\": 4.2},\n"
        "  \"samples\": 4,\n"
        "  \"lost\": 3,\n"
        "  \"skipped_records\": 2,\n"
        "  \"processes\": 1,\n"
        "  \"threads\": 1,\n"
        "  \"modules\": [\n"
        "    {\"path\": \"/usr/bin/x\", \"build_id\": \"ab01\", \"debug_info\": \"symbols\"}\n"
        "  ],\n"
        "  \"start_ns\": 100,\n"
        "  \"duration_ns\": 3,\n"
        "  \"stacks\": {\"complete\": 3, \"truncated\": 1, \"broken\": 0, \"unknown\": 0},\n"
        "  \"command\": \"perf record \\\"x\\\"\",\n"
        "  \"recorded_with\": null,\n"
        "  \"profiled_ns\": 0,\n"
        "  \"period\": null,\n"
        "  \"comment\": null,\n"
        "  \"doc_url\": null,\n"
        "  \"dumps\": [],\n"
        "  \"labels\": [],\n"
        "  \"notes\": [\n"
        "    {\"severity\": \"warning\", \"module\": null, \"text\": \"lost some\"},\n"
        "    {\"severity\": \"info\", \"module\": \"/usr/bin/x\", \"text\": \"no lines\"}\n"
        "  ]\n"
        "}\n");
}

TEST (text)
{
    static const char *const expected[] = {
        "perf.data", "80.0 % complete", "25.0 % of the stacks: a cause an advice",
        "lost some", "no lines",        "cycles",
        "/usr/bin/x"};
    g_autofree char *text = write_format (PV_FORMAT_TEXT);
    for (size_t i = 0; i < G_N_ELEMENTS (expected); i++)
        g_assert_nonnull (strstr (text, expected[i]));
    g_assert_null (strstr (text, "unused.so"));
    g_assert_nonnull (strstr (text, "\n\n"
                                    "Derived measure         Value\n"
                                    "Instructions per cycle  1.85\n"
                                    "Miss rate               4.2 %\n"));
}

TEST (tsv)
{
    g_autofree char *tsv = write_format (PV_FORMAT_TSV);
    g_assert_true (g_str_has_prefix (tsv, "key\tvalue\nformat\tperf.data\n"));
    g_assert_nonnull (strstr (tsv, "\nsamples\t4\n"));
    g_assert_nonnull (strstr (tsv, "\nstacks_truncated\t1\n"));
    g_assert_nonnull (strstr (tsv, "\nderived.ipc\t1.8512\nderived.miss-rate\t4.2\n"));
}

/* A series of two heaps, as pprof has it. */
static PvProfile *
make_pprof_profile (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvFacts *facts = pv_profile_builder_facts (builder);
    facts->format = pv_profile_builder_string (builder, "pprof");
    facts->period = pv_profile_builder_string (builder, "space 512 KiB");
    facts->comment = pv_profile_builder_string (builder, "two lines");
    facts->doc_url = pv_profile_builder_string (builder, "https://example.org/?a=\"b\"");
    facts->profiled_ns = 2000000000;
    pv_profile_builder_add_set (builder, "heap", false);
    pv_profile_builder_add_measure (builder, 0, "objects", PV_UNIT_COUNT, PV_AGGREGATION_STATE);
    pv_profile_builder_name_unit (builder, 0, 0, "objects");
    for (unsigned i = 0; i < 2; i++) {
        PvDump dump = {.name = i == 0 ? "a.heap" : "b.heap",
                       .time_ns = 1000000000 * (uint64_t)(i + 1),
                       .recorded_at = i};
        pv_profile_builder_add_dump (builder, &dump);
        const PvLabel labels[] = {{.key = "bytes", .number = 16 * (i + 1), .unit = "bytes"},
                                  {.key = "tenant", .text = "red"}};
        PvNewSample sample = {
            .time_ns = dump.time_ns,
            .label_set = pv_profile_builder_label_set (builder, labels, G_N_ELEMENTS (labels))};
        pv_profile_builder_add_sample (builder, 0, &sample, &(uint64_t){7 - 2 * i});
    }
    return pv_profile_builder_snapshot (builder);
}

static char *
write_pprof (PvFormat format)
{
    g_autoptr (PvProfile) profile = make_pprof_profile ();
    g_autoptr (PvSymbolTable) symbols = made_no_symbols (profile);
    PvSummaryStacks stacks = {.all = {.n_unknown = 2}, .of_measure = {.n_unknown = 2}};
    GString *out = g_string_new (NULL);
    pv_write_summary (profile, symbols, &stacks, NULL, NULL, 0, format, out);
    return g_string_free (out, FALSE);
}

TEST (pprof)
{
    g_autofree char *json = write_pprof (PV_FORMAT_JSON);
    static const char *const members[] = {
        "\"name\": \"objects\", \"unit\": \"count\", \"unit_name\": \"objects\", \"samples\": 2, "
        "\"total\": 5},\n",
        "{\"name\": \"objects-growth\", \"unit\": \"count\", \"unit_name\": \"objects\", "
        "\"samples\": 2, \"total\": -2, \"base\": \"objects-decrease\", \"new\": "
        "\"objects-increase\"}\n",
        "  \"profiled_ns\": 2000000000,\n",
        "  \"period\": \"space 512 KiB\",\n",
        "  \"comment\": \"two lines\",\n",
        "  \"doc_url\": \"https://example.org/?a=\\\"b\\\"\",\n",
        "  \"dumps\": [\n"
        "    {\"name\": \"a.heap\", \"time_ns\": 1000000000, \"recorded_at\": 0},\n"
        "    {\"name\": \"b.heap\", \"time_ns\": 2000000000, \"recorded_at\": 1}\n"
        "  ],\n",
        "  \"labels\": [\n"
        "    {\"key\": \"bytes\", \"values\": 2},\n"
        "    {\"key\": \"tenant\", \"values\": 1}\n"
        "  ],\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (members); i++)
        if (strstr (json, members[i]) == NULL)
            g_error ("no %s in:\n%s", members[i], json);
    g_autofree char *tsv = write_pprof (PV_FORMAT_TSV);
    g_assert_nonnull (strstr (tsv, "\nprofiled_ns\t2000000000\nperiod\tspace 512 KiB\n"
                                   "comment\ttwo lines\n"));
    g_assert_nonnull (strstr (tsv, "\ndumps\t2\nlabel.bytes\t2\nlabel.tenant\t1\n"));
    static const char *const expected[] = {"two lines",
                                           "−2     first to last dump",
                                           "2, from a.heap to b.heap",
                                           "bytes (2 values), tenant (1 value)",
                                           "2.00 s",
                                           "space 512 KiB",
                                           "https://example.org"};
    g_autofree char *text = write_pprof (PV_FORMAT_TEXT);
    for (size_t i = 0; i < G_N_ELEMENTS (expected); i++)
        if (strstr (text, expected[i]) == NULL)
            g_error ("no “%s” in:\n%s", expected[i], text);
    /* Neither is known. */
    g_assert_null (strstr (text, "Duration"));
    g_assert_null (strstr (text, "Stacks"));
    g_assert_null (strstr (text, "Derived"));
    /* Parts of a measure are not measures of their own. */
    g_assert_null (strstr (text, "-increase"));
    g_assert_null (strstr (json, "\"name\": \"objects-increase\""));
}
