/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/load/save-pprof.h"
#include "core/model/build/builder.h"
#include "core/model/profile/symbols.h"
#include "core/write/pprof-names.h"
#include "pprof-text.h"

#define SECOND UINT64_C (1000000000)

/* A program of two modules: main calls work, which calls a library; helper is inlined into work,
 * and a place in the library has no name. */
typedef struct {
    PvProfileBuilder *builder;
    PvModuleId program;
    PvModuleId library;
    PvLocationId main, work, leaf, nameless;
    PvProfile *profile;
    PvSymbolTable *symbols;
} Fixture;

static void
add_modules (Fixture *fixture)
{
    PvModule program = {.path = "/opt/bin/prog",
                        .kind = PV_MODULE_FILE,
                        .address_kind = PV_ADDRESS_FILE_OFFSET,
                        .build_id = {0x0a, 0xb3},
                        .build_id_size = 2,
                        .is_main = true,
                        .load_addr = 0x400000};
    PvModule library = {.path = "/lib/libx.so",
                        .kind = PV_MODULE_FILE,
                        .address_kind = PV_ADDRESS_FILE_OFFSET,
                        .load_addr = 0x7f0000000000,
                        .end_addr = 0x7f0000009000};
    fixture->library = pv_profile_builder_add_module (fixture->builder, &library);
    fixture->program = pv_profile_builder_add_module (fixture->builder, &program);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->builder = pv_profile_builder_new ();
    PvProfileBuilder *builder = fixture->builder;
    add_modules (fixture);
    fixture->main =
        pv_profile_builder_location (builder, fixture->program, 0x1235, PV_LOCATION_RETURN);
    fixture->work =
        pv_profile_builder_location (builder, fixture->program, 0x2001, PV_LOCATION_RETURN);
    fixture->leaf =
        pv_profile_builder_location (builder, fixture->library, 0x10, PV_LOCATION_EXACT);
    fixture->nameless =
        pv_profile_builder_location (builder, fixture->library, 0x3456, PV_LOCATION_EXACT);
    PvFacts *facts = pv_profile_builder_facts (builder);
    facts->command = pv_profile_builder_string (builder, "prog --fast");
    facts->host = pv_profile_builder_string (builder, "box");
    facts->recorded_at = 1700000000;
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    pv_profile_builder_add_measure (builder, 0, "time", PV_UNIT_NS, PV_AGGREGATION_SUM);
    made_set (builder, "faults", false, PV_UNIT_COUNT);
}

static void
add_sample (Fixture *fixture, uint32_t set, PvThreadId thread, uint32_t label_set,
            PvLocationId leaf, uint64_t time_ns, uint64_t weight)
{
    PvLocationId chain[] = {leaf, fixture->work, fixture->main};
    uint64_t weights[] = {weight, 10 * weight};
    PvNewSample sample = {.time_ns = time_ns,
                          .thread = thread,
                          .label_set = label_set,
                          .cpu = PV_CPU_UNKNOWN,
                          .stack = pv_profile_builder_chain (fixture->builder, chain, 3)};
    pv_profile_builder_add_sample (fixture->builder, set, &sample, weights);
}

static PvFunctionId
make_function (PvSymbolBuilder *symbols, PvModuleId module, const char *name, const char *raw_name,
               const char *file, uint32_t line)
{
    PvFunction function = {
        .name = name, .raw_name = raw_name, .file = file, .line = line, .module = module};
    return pv_symbol_builder_function (symbols, &function);
}

static void
finish (Fixture *fixture)
{
    fixture->profile = pv_profile_builder_snapshot (fixture->builder);
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (fixture->profile);
    const char *file = pv_symbol_builder_string (symbols, "a.cc");
    const char *header = pv_symbol_builder_string (symbols, "a.h");
    PvFrame main_frame = {.function =
                              make_function (symbols, fixture->program, "main", NULL, "a.cc", 9),
                          .line = 11,
                          .file = file};
    PvFrame work_frames[] = {
        {.function = make_function (symbols, fixture->program, "ns::helper<int, 2>(int)",
                                    "_ZN2ns6helperIiLi2EEEvi", "a.h", 3),
         .line = 4,
         .file = header,
         .is_inlined = true},
        {.function = make_function (symbols, fixture->program, "work(char;int)", NULL, "a.cc", 20),
         .line = 22,
         .file = file}};
    PvFrame leaf_frame = {.function =
                              make_function (symbols, fixture->library, "read", NULL, NULL, 0)};
    pv_symbol_builder_set_frames (symbols, fixture->main, &main_frame, 1);
    pv_symbol_builder_set_frames (symbols, fixture->work, work_frames, 2);
    pv_symbol_builder_set_frames (symbols, fixture->leaf, &leaf_frame, 1);
    fixture->symbols = pv_symbol_builder_publish (symbols, true);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    pv_symbol_table_free (fixture->symbols);
    pv_profile_free (fixture->profile);
    pv_profile_builder_free (fixture->builder);
}

static char *
save (const Fixture *fixture, const PvQuery *query, size_t *ret_size, uint64_t *ret_n_samples)
{
    g_autofree char *folder = g_dir_make_tmp ("pprof-XXXXXX", NULL);
    g_autofree char *path = g_build_filename (folder, "out.pb.gz", NULL);
    char *data;
    g_assert_true (assert_ok (error, pv_save_pprof (fixture->profile, fixture->symbols, query, path,
                                                    ret_n_samples, NULL, &error)));
    g_assert_true (g_file_get_contents (path, &data, ret_size, NULL));
    g_unlink (path);
    g_rmdir (folder);
    return data;
}

static char *
save_text (const Fixture *fixture, const PvQuery *query)
{
    size_t size_bytes;
    uint64_t n_samples;
    g_autofree char *data = save (fixture, query, &size_bytes, &n_samples);
    return pprof_text (data, size_bytes);
}

#define MAIN_WORD " 0x401234@/opt/bin/prog{main(main) a.cc:11 9}"
#define HELPER    "ns::helper<int, 2>(int)(_ZN2ns6helperIiLi2EEEvi) a.h:4 3"
#define WORK_WORD " 0x402000@/opt/bin/prog{" HELPER ";work(char;int)(work(char;int)) a.cc:22 20}"
#define LEAF_WORD " 0x7f0000000010@/lib/libx.so{read(read) :0 0}"
#define MAPPINGS                                                                                   \
    "mapping /opt/bin/prog 0x400000-0x403000 0ab3 functions filenames lines inlined\n"             \
    "mapping /lib/libx.so 0x7f0000000000-0x7f0000009000  functions\n"
#define TAIL                                                                                       \
    "comment command: prog --fast\n"                                                               \
    "comment host: box\n"

FIXTURE_TEST (everything, fixture)
{
    PvProcessId process = pv_profile_builder_add_process (fixture->builder, 70, "prog", 0);
    PvThreadId thread = pv_profile_builder_add_thread (fixture->builder, process, 71, "io", 0);
    PvLabel labels[] = {{.key = "request", .text = "a,b=<c>"},
                        {.key = "bytes", .number = -5, .unit = "bytes"}};
    uint32_t label_set = pv_profile_builder_label_set (fixture->builder, labels, 2);
    add_sample (fixture, 0, thread, 0, fixture->leaf, 1 * SECOND, 3);
    add_sample (fixture, 0, thread, 0, fixture->leaf, 2 * SECOND, 4);
    add_sample (fixture, 0, thread, label_set, fixture->leaf, 2 * SECOND, 1);
    add_sample (fixture, 0, 0, 0, fixture->nameless, 3 * SECOND, 2);
    add_sample (fixture, 1, 0, 0, fixture->nameless, 4 * SECOND, 5);
    add_sample (fixture, 1, 0, 0, fixture->leaf, 4 * SECOND, 0);
    finish (fixture);
    PvQuery query = new_query ();
    query.measure = 2;
    g_autofree char *text = save_text (fixture, &query);
#define WHO " thread=io tid=71 process=prog pid=70"
    g_assert_cmpstr (text, ==,
                     "types cycles/count time/nanoseconds faults/count default faults\n"
                     "sample 7 70 0" WHO " |" LEAF_WORD WORK_WORD MAIN_WORD "\n"
                     "sample 1 10 0" WHO
                     " request=a,b=<c> bytes=-5bytes |" LEAF_WORD WORK_WORD MAIN_WORD "\n"
                     "sample 2 20 5 | 0x7f0000003456@/lib/libx.so" WORK_WORD MAIN_WORD
                     "\n" MAPPINGS TAIL "time 1700000000000000000 duration 3000000000\n");
}

/* Threads that cannot be told apart are one, those with another process are not. */
FIXTURE_TEST (merged, fixture)
{
    PvProcessId first = pv_profile_builder_add_process (fixture->builder, 70, "prog", 0);
    PvProcessId second = pv_profile_builder_add_process (fixture->builder, 80, "prog", 0);
    PvThreadId threads[] = {
        pv_profile_builder_add_thread (fixture->builder, second, 71, "b", 0),
        pv_profile_builder_add_thread (fixture->builder, first, 71, "b", 0),
        pv_profile_builder_add_thread (fixture->builder, first, 71, "a", 0),
        pv_profile_builder_add_thread (fixture->builder, first, 71, "b", SECOND),
    };
    PvLabel own = {.key = "tid", .text = "its own"};
    uint32_t own_tid = pv_profile_builder_label_set (fixture->builder, &own, 1);
    for (unsigned i = 0; i < G_N_ELEMENTS (threads); i++)
        add_sample (fixture, 0, threads[i], 0, fixture->leaf, SECOND, 1u << i);
    add_sample (fixture, 0, threads[2], own_tid, fixture->leaf, SECOND, 16);
    finish (fixture);
    PvQuery query = new_query ();
    g_autofree char *text = save_text (fixture, &query);
#define STACK " |" LEAF_WORD WORK_WORD MAIN_WORD "\n"
    const char *expected = "sample 4 40 0 thread=a tid=71 process=prog pid=70" STACK
                           "sample 16 160 0 thread=a process=prog pid=70 tid=its own" STACK
                           "sample 10 100 0 thread=b tid=71 process=prog pid=70" STACK
                           "sample 1 10 0 thread=b tid=71 process=prog pid=80" STACK;
    g_assert_nonnull (strstr (text, expected));
}

static char *
save_under (const Fixture *fixture, PvTransformKind kind, const char *expression)
{
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, kind, expression);
    return save_text (fixture, &query);
}

FIXTURE_TEST (transforms, fixture)
{
    add_sample (fixture, 0, 0, 0, fixture->leaf, SECOND, 3);
    add_sample (fixture, 0, 0, 0, fixture->nameless, SECOND, 4);
    finish (fixture);
    g_autofree char *focused = save_under (fixture, PV_TRANSFORM_FOCUS, "^read$");
    g_assert_nonnull (
        strstr (focused, "sample 3 30 0 |" LEAF_WORD WORK_WORD MAIN_WORD "\nmapping"));
    /* The rest of a location keeps its address; stacks that end in the same place are one sample.
     */
    g_autofree char *hidden = save_under (fixture, PV_TRANSFORM_HIDE, "helper|libx");
    g_assert_nonnull (
        strstr (hidden, "\nsample 7 70 0 | 0x402000@/opt/bin/prog{work(char;int)(work(char;int)) "
                        "a.cc:22 20}" MAIN_WORD "\nmapping"));
    g_autofree char *shown = save_under (fixture, PV_TRANSFORM_SHOW, "helper");
    g_assert_nonnull (
        strstr (shown, "\nsample 7 70 0 | 0x402000@/opt/bin/prog{" HELPER "}\nmapping"));
    g_autofree char *merged = save_under (fixture, PV_TRANSFORM_MERGE_MODULE, "prog");
    g_assert_nonnull (
        strstr (merged, "\nsample 3 30 0 |" LEAF_WORD " 0x0@/opt/bin/prog{prog(prog) :0 0}\n"));
}

FIXTURE_TEST (filters, fixture)
{
    add_sample (fixture, 0, 0, 0, fixture->leaf, 1 * SECOND, 3);
    add_sample (fixture, 0, 0, 0, fixture->leaf, 5 * SECOND, 4);
    add_sample (fixture, 1, 0, 0, fixture->leaf, 4 * SECOND, 9);
    pv_profile_builder_set_drop_frames (fixture->builder, "read", "main");
    finish (fixture);
    PvQuery query = new_query ();
    query.start_ns = 2 * SECOND;
    g_autofree char *late = save_text (fixture, &query);
    g_assert_nonnull (strstr (late, "sample 4 40 9 |" LEAF_WORD));
    g_assert_nonnull (strstr (late, "duration 2000000000 drop read keep main\n"));
    query.start_ns = 100 * SECOND;
    uint64_t n_samples = 1;
    size_t size_bytes;
    g_autofree char *nothing = save (fixture, &query, &size_bytes, &n_samples);
    g_assert_cmpuint (n_samples, ==, 0);
    g_autofree char *text = pprof_text (nothing, size_bytes);
    g_assert_true (g_str_has_prefix (text, "types cycles/count time/nanoseconds faults/count "
                                           "default cycles\ncomment command"));
}

/* Two return addresses that are looked up at one, and an address that is exactly there. */
FIXTURE_TEST (same_places, fixture)
{
    PvLocationId same =
        pv_profile_builder_location (fixture->builder, fixture->library, 0x11, PV_LOCATION_RETURN);
    add_sample (fixture, 0, 0, 0, fixture->nameless, SECOND, 1);
    add_sample (fixture, 0, 0, 0, same, SECOND, 2);
    fixture->nameless = pv_profile_builder_location (fixture->builder, fixture->library, 0x3457,
                                                     PV_LOCATION_RETURN);
    add_sample (fixture, 0, 0, 0, fixture->nameless, SECOND, 4);
    finish (fixture);
    PvQuery query = new_query ();
    g_autofree char *text = save_text (fixture, &query);
    g_assert_nonnull (strstr (text, "\nsample 5 50 0 | 0x7f0000003456@/lib/libx.so" WORK_WORD));
    g_assert_nonnull (strstr (text, "\nsample 2 20 0 | 0x7f0000000010@/lib/libx.so" WORK_WORD));
}

TEST (period)
{
    static const struct {
        const char *fact;
        const char *expected; /* NULL: none */
    } cases[] = {
        {"cpu 10 ms", " period cpu 10000000 nanoseconds\n"},
        {"allocated space 512 KiB", " period allocated space 524288 bytes\n"},
        {"wall 3 µs", " period wall 3000 nanoseconds\n"},
        {"contentions 100 count", " period contentions 100 count\n"},
        {"contentions 100", NULL},
        {"cpu ten ms", NULL},
        {"cpu 99999999999999 s", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        Fixture fixture;
        set_up (&fixture, NULL);
        pv_profile_builder_facts (fixture.builder)->period =
            pv_profile_builder_string (fixture.builder, cases[i].fact);
        finish (&fixture);
        PvQuery query = new_query ();
        g_autofree char *text = save_text (&fixture, &query);
        if (cases[i].expected != NULL)
            g_assert_true (g_str_has_suffix (text, cases[i].expected));
        else
            g_assert_null (strstr (text, " period "));
        tear_down (&fixture, NULL);
    }
}

/* Readers would name places in a file that is not the one at its path, or has its build-id. */
TEST (other_file)
{
    for (unsigned is_other = 0; is_other < 2; is_other++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModule module = {.path = "/bin/prog",
                           .kind = PV_MODULE_FILE,
                           .address_kind = PV_ADDRESS_FILE_OFFSET,
                           .build_id = {0x0a, 0xb3},
                           .build_id_size = 2};
        uint32_t set = made_set (builder, "cycles", false, PV_UNIT_COUNT);
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        PvNewSample sample = {.stack = made_stack (builder, 0, id, 0x10)};
        pv_profile_builder_add_sample (builder, set, &sample, (uint64_t[]){1});
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
        PvFrame frame = {
            .function = pv_symbol_builder_function (
                names,
                &(PvFunction){.name = "prog+0x10", .module = id, .kind = PV_FUNCTION_UNKNOWN})};
        pv_symbol_builder_set_frames (names, 1, &frame, 1);
        pv_symbol_builder_set_module (names, id, PV_MODULE_SYMBOLS_MISSING, NULL);
        if (is_other)
            pv_symbol_builder_note (names, PV_NOTE_WARNING, PV_NOTE_OTHER_FILE, id, "another");
        g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (names, true);
        const Fixture fixture = {.profile = profile, .symbols = symbols};
        PvQuery query = new_query ();
        g_autofree char *text = save_text (&fixture, &query);
        g_assert_cmpint (strstr (text, "0ab3") == NULL, ==, is_other);
        g_assert_cmpint (strstr (text, "{prog+0x10") != NULL, ==, is_other);
    }
}

/* A signed measure, which the model has in parts, has signed values; the parts are no columns,
 * whichever of them is asked for. */
TEST (negative)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule module = {.path = "", .kind = PV_MODULE_UNKNOWN, .address_kind = PV_ADDRESS_RUNTIME};
    PvModuleId unknown = pv_profile_builder_add_module (builder, &module);
    PvLocationId location = pv_profile_builder_location (builder, unknown, 7, PV_LOCATION_EXACT);
    pv_profile_builder_add_set (builder, "heap", false);
    pv_profile_builder_add_measure (builder, 0, "space", PV_UNIT_BYTES, PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (builder, 0, "space-negative", PV_UNIT_BYTES,
                                    PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (builder, 0, "boxes", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_name_unit (builder, 0, 2, "boxes");
    pv_profile_builder_add_measure (builder, 0, "space-positive", PV_UNIT_BYTES,
                                    PV_AGGREGATION_SUM);
    uint32_t pair = pv_profile_builder_add_pair (builder);
    pv_profile_builder_set_part (builder, 0, 0, pair, PV_PART_BOTH, 0);
    pv_profile_builder_set_part (builder, 0, 1, pair, PV_PART_SIDE, PV_SIDE_BASE);
    pv_profile_builder_set_part (builder, 0, 3, pair, PV_PART_SIDE, PV_SIDE_NEW);
    PvNewSample sample = {.stack = pv_profile_builder_chain (builder, &location, 1)};
    pv_profile_builder_add_sample (builder, 0, &sample, (uint64_t[]){14, 12, 1, 2});
    Fixture fixture = {.profile = pv_profile_builder_snapshot (builder)};
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (fixture.profile);
    fixture.symbols = pv_symbol_builder_publish (symbols, true);
    PvQuery query = new_query ();
    static const PvMeasureId of_pair[] = {0, 2, 3};
    for (size_t i = 0; i < G_N_ELEMENTS (of_pair); i++) {
        query.measure = of_pair[i];
        assert_string (save_text (&fixture, &query), "types space/bytes boxes/boxes default space\n"
                                                     "sample -10 1 | 0x7\n"
                                                     "time 0 duration 0\n");
    }
    pv_symbol_table_free (fixture.symbols);
    pv_profile_free (fixture.profile);
}

FIXTURE_TEST (repeatable, fixture)
{
    for (unsigned i = 0; i < 50000; i++)
        add_sample (fixture, i % 2, 0, 0,
                    pv_profile_builder_location (fixture->builder, fixture->library,
                                                 0x5000 + i * 7919 % 65536, PV_LOCATION_EXACT),
                    SECOND + i, i % 100);
    finish (fixture);
    PvQuery query = new_query ();
    size_t first_size, second_size;
    uint64_t n_samples;
    g_autofree char *first = save (fixture, &query, &first_size, &n_samples);
    g_autofree char *second = save (fixture, &query, &second_size, &n_samples);
    g_assert_cmpmem (first, first_size, second, second_size);
    g_assert_cmpuint (n_samples, ==, 49500);
    g_autoptr (GByteArray) unpacked = pprof_unpack (first, first_size);
    g_assert_cmpuint (unpacked->len, >, 1 << 20);
}

FIXTURE_TEST (failures, fixture)
{
    add_sample (fixture, 0, 0, 0, fixture->leaf, SECOND, 3);
    finish (fixture);
    g_auto (PvQuery) query = new_query ();
    uint64_t n_samples;
    g_autoptr (GError) error = NULL;
    g_assert_false (pv_save_pprof (fixture->profile, fixture->symbols, &query, "/dev/full",
                                   &n_samples, NULL, &error));
    g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
    g_clear_error (&error);
    g_assert_false (pv_save_pprof (fixture->profile, fixture->symbols, &query, "/no/such/folder/x",
                                   &n_samples, NULL, &error));
    g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    g_clear_error (&error);
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    g_assert_false (pv_save_pprof (fixture->profile, fixture->symbols, &query, "/dev/null",
                                   &n_samples, job, &error));
    g_assert_nonnull (error);
    g_clear_error (&error);
    pv_query_add_transform (&query, PV_TRANSFORM_HIDE, "(");
    g_assert_false (pv_save_pprof (fixture->profile, fixture->symbols, &query, "/dev/null",
                                   &n_samples, NULL, &error));
    g_assert_cmpuint (error->domain, ==, G_REGEX_ERROR);
}

/* A location without a function, one with a function, and strings. */
static void
make_bare (PvWire *wire)
{
    static const char *const strings[] = {"", "old"};
    PvWire part = {0};
    pv_wire_append_number (&part, 1, 1);
    pv_wire_append_number (&part, 3, 0x1000);
    pv_wire_append_bytes (wire, 4, part.bytes.data, part.bytes.len);
    part.bytes.len = 0;
    pv_wire_append_number (&part, 1, 2);
    pv_wire_append_number (&part, 3, 0x2000);
    pv_wire_append_bytes (&part, 4, "\x08\x07", 2);
    pv_wire_append_bytes (wire, 4, part.bytes.data, part.bytes.len);
    pv_wire_append_bytes (wire, 5, "\x08\x07\x10\x01", 4);
    for (size_t i = 0; i < G_N_ELEMENTS (strings); i++)
        pv_wire_append_bytes (wire, 6, strings[i], strlen (strings[i]));
    pv_wire_clear (&part);
}

/* Names for addresses become functions, but for locations that have one. */
TEST (added_names)
{
    static const char added[] = "\x22\x09\x08\x01\x18\x80\x20\x22\x02\x08\x08";
    static const char function[] = "\x32\x03new\x2a\x06\x08\x08\x10\x02\x18\x02";
    static const char comment[] = "\x32\x03why\x68\x03";
    const uint64_t addrs[] = {0x1000, 0x2000, 0x3000};
    char *const names[] = {(char *)"new", (char *)"other", NULL};
    PvAddressNames found = {addrs, names, G_N_ELEMENTS (addrs), "why"};
    PvWire bare = {0}, out = {0};
    make_bare (&bare);
    g_assert_true (pv_pprof_add_names (bare.bytes.data, bare.bytes.len, &found, &out));
    const size_t old_len = 2 + 5; /* of the first location */
    const size_t kept_len = bare.bytes.len - old_len;
    g_assert_cmpmem (out.bytes.data, sizeof added - 1, added, sizeof added - 1);
    const uint8_t *at = out.bytes.data + sizeof added - 1;
    g_assert_cmpmem (at, kept_len, bare.bytes.data + old_len, kept_len);
    at += kept_len;
    g_assert_cmpmem (at, sizeof function - 1, function, sizeof function - 1);
    at += sizeof function - 1;
    g_assert_cmpmem (at, out.bytes.len - (size_t)(at - out.bytes.data), comment,
                     sizeof comment - 1);
    /* A profile that is cut inside of a message is left alone. */
    found.warning = NULL;
    unsigned n_whole = 0;
    for (size_t size = 0; size < bare.bytes.len; size++) {
        g_autofree uint8_t *cut = g_memdup2 (bare.bytes.data, size);
        out.bytes.len = 0;
        n_whole += pv_pprof_add_names (cut, size, &found, &out);
    }
    g_assert_cmpuint (n_whole, ==, 1); /* before the last string */
    const uint64_t elsewhere[] = {0x9000};
    PvAddressNames none = {elsewhere, names, 1, NULL};
    g_assert_false (pv_pprof_add_names (bare.bytes.data, bare.bytes.len, &none, &out));
    pv_wire_clear (&bare);
    pv_wire_clear (&out);
}
