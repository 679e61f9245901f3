/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packs: what was written comes back; what is damaged, cut off, or made to harm gives a note or an
 * error. And profiles with pseudonyms. */
#include <glib/gstdio.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "../cases.h"
#include "../made.h"
#include "core/base/error.h"
#include "core/load/load.h"
#include "core/load/save-pack.h"
#include "core/model/anonymous/anonymize.h"
#include "core/model/build/builder.h"
#include "core/model/heap/heap-sizes.h"
#include "core/model/pack/pack-format.h"
#include "core/model/profile/note-groups.h"
#include "core/read/readers.h"
#include "core/write/pack/pack.h"
#include "loaded.h"

#define MS UINT64_C (1000000)

enum { MAIN, WORK, HELP, N_PLACES };

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    char *folder;
    char *path; /* of the pack */
} Fixture;

/* --- a profile with some of everything --- */

static void
add_waits (PvProfileBuilder *builder, PvThreadId thread, PvStackId stack)
{
    uint32_t set = pv_profile_builder_add_set (builder, "offcpu-time", true);
    pv_profile_builder_set_derived (builder, set);
    pv_profile_builder_add_measure (builder, set, "offcpu-time", PV_UNIT_NS, PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (builder, set, "delay", PV_UNIT_NS, PV_AGGREGATION_SUM);
    pv_profile_builder_set_delay (builder, set, 1);
    PvWait wait = {.waker = thread, .waker_stack = stack, .state = 'S', .is_open = true};
    PvNewSample sample = {.time_ns = 5 * MS,
                          .duration_ns = 3 * MS,
                          .thread = thread,
                          .stack = stack,
                          .wait = pv_profile_builder_wait (builder, &wait),
                          .cpu = 1};
    pv_profile_builder_add_sample (builder, set, &sample, (uint64_t[]){3 * MS, MS});
}

static void
add_marks (PvProfileBuilder *builder, PvThreadId thread, PvStackId stack)
{
    uint32_t set = made_set (builder, "probe:secret_call", false, PV_UNIT_COUNT);
    PvField fields[] = {{.name = "comm", .size_bytes = 8, .kind = PV_FIELD_TEXT},
                        {.name = "count", .offset = 8, .size_bytes = 4}};
    pv_profile_builder_set_fields (builder, set, fields, G_N_ELEMENTS (fields), false);
    const uint8_t data[] = "secret8\0\x07\0\0";
    PvNewSample sample = {.time_ns = 6 * MS, .thread = thread, .stack = stack, .cpu = 2};
    sample.record = pv_profile_builder_add_record (builder, set, data, 12);
    pv_profile_builder_add_sample (builder, set, &sample, (uint64_t[]){1});
    sample.time_ns++;
    sample.record = 0;
    pv_profile_builder_add_sample (builder, set, &sample, (uint64_t[]){1});
}

static void
add_samples (PvProfileBuilder *builder, PvThreadId thread, const PvStackId *stacks)
{
    pv_profile_builder_add_set (builder, "cycles", false);
    pv_profile_builder_add_measure (builder, 0, "instructions", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (builder, 0, "cycles", PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    pv_profile_builder_prefer_measure (builder, 1);
    PvLabel labels[] = {{.key = pv_profile_builder_string (builder, "customer"),
                         .text = pv_profile_builder_string (builder, "secretive")},
                        {.key = pv_profile_builder_string (builder, "size"),
                         .number = -7,
                         .unit = pv_profile_builder_string (builder, "bytes")}};
    uint32_t label_set = pv_profile_builder_label_set (builder, labels, G_N_ELEMENTS (labels));
    for (uint32_t i = 0; i < 40; i++) {
        PvNewSample sample = {.time_ns = MS + i * (i % 3 == 0 ? MS : MS / 2),
                              .thread = thread,
                              .stack = stacks[i % 3],
                              .label_set = i % 2 == 0 ? label_set : 0,
                              .cpu = (uint16_t)(i % 5 == 0 ? PV_CPU_UNKNOWN : i % 4),
                              .stack_end = PV_STACK_END_ROOT};
        pv_profile_builder_add_sample (builder, 0, &sample, (uint64_t[]){3, 1000 + i});
    }
}

static void
add_facts (PvProfileBuilder *builder)
{
    PvFacts *facts = pv_profile_builder_facts (builder);
    facts->format = "perf.data";
    facts->host = pv_profile_builder_string (builder, "secrethost");
    facts->command = pv_profile_builder_string (builder, "perf record ./secretprog");
    facts->comment =
        pv_profile_builder_lines (builder, (const char *const[]){"two", "secret lines"}, 2);
    facts->n_cpus = 4;
    facts->recorded_at = -3;
    pv_profile_builder_add_lost (builder, 4 * MS, 5);
    pv_profile_builder_add_skipped (builder, 2);
    pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_CHANGED_BINARY, 1, "%s",
                             "secretprog was rebuilt");
    PvBucket buckets[] = {{-4, -1, 2}, {0, 7, 9}};
    PvDistribution distribution = {.name = pv_profile_builder_string (builder, "@secrets"),
                                   .kind = PV_DISTRIBUTION_HISTOGRAM,
                                   .n_buckets = 2,
                                   .buckets = buckets};
    pv_profile_builder_add_distribution (builder, &distribution);
}

static void
name_places (Fixture *fixture, const char *source)
{
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (fixture->profile);
    const char *file = pv_symbol_builder_string (symbols, source);
    PvFunction functions[] = {
        {.name = "secret_main", .file = source, .line = 1, .module = 1},
        {.name = "secret::work(int)",
         .short_name = "secret::work",
         .raw_name = "_ZN6secret4workEi",
         .file = source,
         .line = 10,
         .module = 1},
        {.name = "secret_inlined", .module = 1},
        {.name = "libsecret.so+0x20", .module = 2, .kind = PV_FUNCTION_RANGE},
    };
    PvFunctionId ids[4];
    for (int i = 0; i < 4; i++)
        ids[i] = pv_symbol_builder_function (symbols, &functions[i]);
    PvFrame main_frame = {ids[0], 3, file, false};
    PvFrame work_frames[] = {{ids[2], 5, NULL, true}, {ids[1], 12, file, false}};
    PvFrame help_frame = {ids[3], 0, NULL, false};
    pv_symbol_builder_set_frames (symbols, MAIN + 1, &main_frame, 1);
    pv_symbol_builder_set_frames (symbols, WORK + 1, work_frames, 2);
    pv_symbol_builder_set_frames (symbols, HELP + 1, &help_frame, 1);
    pv_symbol_builder_set_module (symbols, 1, PV_MODULE_SYMBOLS_FULL, "/usr/lib/debug/secretprog");
    pv_symbol_builder_set_module (symbols, 2, PV_MODULE_SYMBOLS_NONE, NULL);
    static const PvLinkSegment segments[] = {{0x800, 0x1000, 0x401800}, {0, 0x400, UINT64_MAX}};
    pv_symbol_builder_set_links (symbols, 1, &(PvLinkMap){segments, G_N_ELEMENTS (segments)});
    pv_symbol_builder_note (symbols, PV_NOTE_INFO, PV_NOTE_MISSING_DEBUG_INFO, 2,
                            "libsecret.so is stripped");
    fixture->symbols = pv_symbol_builder_publish (symbols, true);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->folder = g_dir_make_tmp ("profview-pack-XXXXXX", NULL);
    fixture->path = g_build_filename (fixture->folder, "x.profview", NULL);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    add_facts (builder);
    PvModule program = {.path = "/opt/secretprog",
                        .kind = PV_MODULE_FILE,
                        .is_main = true,
                        .build_id = {1, 2, 3, 255},
                        .build_id_size = 4,
                        .load_addr = 0x400000,
                        .end_addr = 0x500000};
    pv_profile_builder_add_module (builder, &program);
    made_module (builder, "/opt/libsecret.so");
    PvProcessId process = pv_profile_builder_add_process (builder, 70, "secretprog", 1);
    PvThreadId thread = pv_profile_builder_add_thread (builder, process, 71, "secretwork", 2);
    pv_profile_builder_end_thread (builder, thread, 90 * MS);
    PvLocationId places[N_PLACES] = {
        pv_profile_builder_location (builder, 1, 0x1000, PV_LOCATION_RETURN),
        pv_profile_builder_location (builder, 1, 0x10, PV_LOCATION_EXACT),
        pv_profile_builder_location (builder, 2, UINT64_MAX, PV_LOCATION_EXACT),
    };
    PvStackId stacks[N_PLACES];
    stacks[0] = pv_profile_builder_stack (builder, 0, places[MAIN]);
    stacks[1] = pv_profile_builder_stack (builder, stacks[0], places[WORK]);
    stacks[2] = pv_profile_builder_stack (builder, stacks[1], places[HELP]);
    add_samples (builder, thread, stacks);
    add_waits (builder, thread, stacks[1]);
    add_marks (builder, thread, stacks[2]);
    fixture->profile = pv_profile_builder_snapshot (builder);
    g_autofree char *source = g_build_filename (fixture->folder, "secret.c", NULL);
    g_assert_true (g_file_set_contents (source, "int secret;\n", -1, NULL));
    name_places (fixture, source);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    pv_symbol_table_free (fixture->symbols);
    pv_profile_free (fixture->profile);
    g_autofree char *source = g_build_filename (fixture->folder, "secret.c", NULL);
    g_unlink (source);
    g_unlink (fixture->path);
    g_rmdir (fixture->folder);
    g_free (fixture->path);
    g_free (fixture->folder);
}

/* --- writing and reading --- */

static void
save (const Fixture *fixture, bool with_sources)
{
    const PvSymbolOptions options = {0};
    const PvPackSources sources = {.options = &options};
    assert_ok (error, pv_save_pack (fixture->profile, fixture->symbols,
                                    with_sources ? &sources : NULL, fixture->path, NULL, &error));
}

static GByteArray *
get_bytes (const Fixture *fixture)
{
    char *data;
    gsize size;
    g_assert_true (g_file_get_contents (fixture->path, &data, &size, NULL));
    return g_byte_array_new_take ((guint8 *)data, size);
}

/* NULL with an error that is never empty. */
static PvProfile *
read_bytes (const uint8_t *data, size_t size, GError **error)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    PvReadContext context = {.budget = pv_budget_new (0)};
    GError *problem = NULL;
    bool is_read = pv_pack_reader.read (file, NULL, builder, &context, &problem);
    g_assert_true (is_read == (problem == NULL));
    if (problem != NULL)
        g_assert_cmpstr (problem->message, !=, "");
    if (problem != NULL)
        g_propagate_error (error, problem);
    return is_read ? pv_profile_builder_snapshot (builder) : NULL;
}

static bool
has_note (const PvProfile *profile, PvNoteKind kind, const char *part)
{
    for (uint32_t i = 0; i < profile->n_notes; i++)
        if (profile->notes[i].kind == kind && strstr (profile->notes[i].text, part) != NULL)
            return true;
    return false;
}

/* --- the same again --- */

static void
compare_sets (const PvProfile *a, const PvProfile *b)
{
    g_assert_cmpuint (a->n_sets, ==, b->n_sets);
    for (uint32_t s = 0; s < a->n_sets; s++) {
        const PvSampleSet *x = &a->sets[s], *y = &b->sets[s];
        g_assert_cmpstr (x->name, ==, y->name);
        g_assert_cmpuint (x->n_samples, ==, y->n_samples);
        g_assert_cmpuint (x->n_weights, ==, y->n_weights);
        g_assert_cmpuint (x->delay_column, ==, y->delay_column);
        g_assert_true (x->is_derived == y->is_derived);
        for (uint32_t i = 0; i < x->n_samples; i++) {
            size_t n_x = 0, n_y = 0;
            const uint8_t *record_x = pv_sample_set_get_record (x, i, &n_x);
            const uint8_t *record_y = pv_sample_set_get_record (y, i, &n_y);
            g_assert_cmpuint (pv_sample_set_time_ns (x, i), ==, pv_sample_set_time_ns (y, i));
            g_assert_cmpuint (pv_sample_set_thread (x, i), ==, pv_sample_set_thread (y, i));
            g_assert_cmpuint (pv_sample_set_cpu (x, i), ==, pv_sample_set_cpu (y, i));
            g_assert_cmpuint (pv_sample_set_stack_end (x, i), ==, pv_sample_set_stack_end (y, i));
            g_assert_cmpuint (x->stack[i], ==, y->stack[i]);
            g_assert_cmpuint (pv_sample_set_wait (x, i), ==, pv_sample_set_wait (y, i));
            g_assert_cmpmem (record_x, n_x, record_y, n_y);
            if (x->label_set != NULL)
                g_assert_cmpuint (x->label_set[i], ==, y->label_set[i]);
            if (x->duration_ns != NULL)
                g_assert_cmpuint (x->duration_ns[i], ==, y->duration_ns[i]);
            for (uint32_t c = 0; c < x->n_weights; c++)
                g_assert_cmpuint (pv_sample_set_weight (x, c, i), ==,
                                  pv_sample_set_weight (y, c, i));
        }
    }
    g_assert_cmpuint (a->n_measures, ==, b->n_measures);
    for (PvMeasureId m = 0; m < a->n_measures; m++) {
        g_assert_cmpstr (a->measures[m].name, ==, b->measures[m].name);
        g_assert_cmpuint (a->measures[m].set, ==, b->measures[m].set);
        g_assert_cmpuint (a->measures[m].column, ==, b->measures[m].column);
        g_assert_cmpuint (a->measures[m].total, ==, b->measures[m].total);
        g_assert_cmpuint (a->measures[m].unit, ==, b->measures[m].unit);
    }
}

static void
compare_tables (const PvProfile *a, const PvProfile *b)
{
    g_assert_cmpstr (a->facts.format, ==, b->facts.format);
    g_assert_cmpstr (a->facts.host, ==, b->facts.host);
    g_assert_cmpstr (a->facts.comment, ==, b->facts.comment);
    g_assert_cmpint (a->facts.recorded_at, ==, b->facts.recorded_at);
    g_assert_cmpuint (a->n_lost, ==, b->n_lost);
    g_assert_cmpuint (a->n_losses, ==, b->n_losses);
    g_assert_cmpuint (a->n_skipped_records, ==, b->n_skipped_records);
    g_assert_cmpuint (a->start_ns, ==, b->start_ns);
    g_assert_cmpuint (a->duration_ns, ==, b->duration_ns);
    g_assert_cmpuint (a->n_modules, ==, b->n_modules);
    for (PvModuleId m = 0; m < a->n_modules; m++) {
        g_assert_cmpstr (a->modules[m].path, ==, b->modules[m].path);
        g_assert_cmpstr (a->modules[m].name, ==, b->modules[m].name);
        g_assert_cmpmem (a->modules[m].build_id, a->modules[m].build_id_size,
                         b->modules[m].build_id, b->modules[m].build_id_size);
        g_assert_true (a->modules[m].is_main == b->modules[m].is_main);
        g_assert_cmpuint (a->modules[m].load_addr, ==, b->modules[m].load_addr);
    }
    g_assert_cmpuint (a->n_threads, ==, b->n_threads);
    for (PvThreadId t = 0; t < a->n_threads; t++) {
        g_assert_cmpstr (a->threads[t].name, ==, b->threads[t].name);
        g_assert_cmpuint (a->threads[t].end_ns, ==, b->threads[t].end_ns);
    }
    g_assert_cmpmem (a->address_of_location, a->n_locations * sizeof (uint64_t),
                     b->address_of_location, b->n_locations * sizeof (uint64_t));
    g_assert_cmpmem (a->kind_of_location, a->n_locations, b->kind_of_location, b->n_locations);
    g_assert_cmpmem (a->parent_of_stack, a->n_stacks * sizeof (uint32_t), b->parent_of_stack,
                     b->n_stacks * sizeof (uint32_t));
    g_assert_cmpuint (a->n_label_sets, ==, b->n_label_sets);
    for (uint32_t i = 0; i < a->first_label_of_set[a->n_label_sets]; i++) {
        g_assert_cmpstr (a->labels[i].key, ==, b->labels[i].key);
        g_assert_cmpstr (a->labels[i].text, ==, b->labels[i].text);
        g_assert_cmpint (a->labels[i].number, ==, b->labels[i].number);
    }
    g_assert_cmpuint (a->n_waits, ==, b->n_waits);
    for (uint32_t i = 0; i < a->n_waits; i++) {
        g_assert_cmpuint (a->waits[i].waker, ==, b->waits[i].waker);
        g_assert_cmpuint (a->waits[i].waker_stack, ==, b->waits[i].waker_stack);
        g_assert_cmpint (a->waits[i].state, ==, b->waits[i].state);
        g_assert_true (a->waits[i].is_open == b->waits[i].is_open);
    }
    g_assert_cmpuint (a->n_distributions, ==, b->n_distributions);
    for (uint32_t d = 0; d < a->n_distributions; d++)
        g_assert_cmpuint (a->distributions[d].total, ==, b->distributions[d].total);
}

static void
compare_names (const PvSymbolTable *a, const PvSymbolTable *b)
{
    g_assert_cmpuint (a->n_locations, ==, b->n_locations);
    for (PvLocationId l = 1; l < a->n_locations; l++) {
        uint32_t n_a, n_b;
        const PvFrame *x = pv_symbol_table_frames (a, l, &n_a);
        const PvFrame *y = pv_symbol_table_frames (b, l, &n_b);
        g_assert_cmpuint (n_a, ==, n_b);
        for (uint32_t i = 0; i < n_a; i++) {
            const PvFunction *f = &a->functions[x[i].function], *g = &b->functions[y[i].function];
            g_assert_cmpstr (f->name, ==, g->name);
            g_assert_cmpstr (f->short_name, ==, g->short_name);
            g_assert_cmpstr (f->raw_name, ==, g->raw_name);
            g_assert_cmpstr (f->file, ==, g->file);
            g_assert_cmpuint (f->line, ==, g->line);
            g_assert_cmpuint (f->kind, ==, g->kind);
            g_assert_cmpuint (f->module, ==, g->module);
            g_assert_cmpuint (x[i].line, ==, y[i].line);
            g_assert_cmpstr (x[i].file, ==, y[i].file);
            g_assert_true (x[i].is_inlined == y[i].is_inlined);
        }
    }
    for (PvModuleId m = 0; m < a->n_modules; m++) {
        g_assert_cmpuint (a->symbols_of_module[m], ==, b->symbols_of_module[m]);
        g_assert_cmpstr (a->file_of_module[m], ==, b->file_of_module[m]);
    }
}

/* Addresses as they were linked, also at the end of a segment and beyond 64 bits. */
static void
check_addresses (const PvProfile *profile, const PvSymbolTable *symbols)
{
    static const uint64_t expected[N_PLACES] = {
        [MAIN] = 0x402000, [WORK] = 0xf, [HELP] = UINT64_MAX};
    for (int place = 0; place < N_PLACES; place++)
        g_assert_cmpuint (pv_symbol_table_get_address (symbols, profile, (PvLocationId)place + 1),
                          ==, expected[place]);
}

static void
compare_notes (const PvNote *a, const PvNote *b)
{
    g_assert_cmpint (a->severity, ==, b->severity);
    g_assert_cmpint (a->kind, ==, b->kind);
    g_assert_cmpuint (a->module, ==, b->module);
    g_assert_cmpstr (a->text, ==, b->text);
}

FIXTURE_TEST (round_trip, fixture)
{
    save (fixture, false);
    g_auto (Loaded) loaded = load_file (fixture->path, &(PvLoadOptions){0});
    compare_tables (fixture->profile, loaded.profile);
    compare_sets (fixture->profile, loaded.profile);
    compare_names (fixture->symbols, loaded.symbols);
    check_addresses (fixture->profile, fixture->symbols);
    check_addresses (loaded.profile, loaded.symbols);
    g_assert_true (has_note (loaded.profile, PV_NOTE_CHANGED_BINARY, "rebuilt"));
    g_assert_cmpuint (loaded.profile->n_notes, ==, 1);
    g_assert_cmpuint (loaded.symbols->n_notes, ==, 1);
    compare_notes (&loaded.symbols->notes[0], &fixture->symbols->notes[0]);
    g_assert_cmpint (pv_note_get_group (loaded.profile, &loaded.symbols->notes[0]), ==,
                     PV_NOTE_GROUP_MISSING_DEBUG_INFO);
    g_assert_cmpuint (loaded.profile->n_sources, ==, 0);
    /* And once more: the pack of a pack is the same file, but for its size. */
    Fixture again = *fixture;
    again.profile = loaded.profile;
    again.symbols = loaded.symbols;
    g_autoptr (GByteArray) first = get_bytes (fixture);
    save (&again, false);
    g_autoptr (GByteArray) second = get_bytes (fixture);
    g_assert_cmpuint (first->len, ==, second->len);
    loaded_clear (&loaded);
    loaded = load_file (fixture->path, &(PvLoadOptions){.symbols.no_demangle = true});
    check_addresses (loaded.profile, loaded.symbols);
    uint32_t n_frames;
    const PvFrame *frames = pv_symbol_table_frames (loaded.symbols, WORK + 1, &n_frames);
    g_assert_cmpuint (n_frames, ==, 2);
    g_assert_cmpstr (loaded.symbols->functions[frames[1].function].name, ==, "_ZN6secret4workEi");
}

FIXTURE_TEST (sources, fixture)
{
    g_autofree char *source = g_build_filename (fixture->folder, "secret.c", NULL);
    save (fixture, true);
    g_unlink (source);
    g_auto (Loaded) loaded = load_file (fixture->path, &(PvLoadOptions){0});
    const PvEmbeddedSource *text = pv_profile_find_source (loaded.profile, source);
    g_assert_nonnull (text);
    g_assert_cmpstr (text->text, ==, "int secret;\n");
    g_assert_cmpuint (text->size_bytes, ==, 12);
    g_assert_null (pv_profile_find_source (loaded.profile, "/elsewhere.c"));
    /* Sources that came with a pack go into the next one. */
    Fixture again = *fixture;
    again.profile = loaded.profile;
    again.symbols = loaded.symbols;
    save (&again, true);
    loaded_clear (&loaded);
    loaded = load_file (fixture->path, &(PvLoadOptions){0});
    g_assert_nonnull (pv_profile_find_source (loaded.profile, source));
}

/* A profile may name any file as source code. */
FIXTURE_TEST (no_other_files, fixture)
{
    g_autofree char *secret = g_build_filename (fixture->folder, "id_rsa", NULL);
    g_autofree char *hidden = g_build_filename (fixture->folder, ".c", NULL);
    g_assert_true (g_file_set_contents (secret, "key", -1, NULL));
    g_assert_true (g_file_set_contents (hidden, "key", -1, NULL));
    pv_symbol_table_free (fixture->symbols);
    name_places (fixture, secret);
    save (fixture, true);
    g_auto (Loaded) loaded = load_file (fixture->path, &(PvLoadOptions){0});
    g_assert_cmpuint (loaded.profile->n_sources, ==, 0);
    loaded_clear (&loaded);
    pv_symbol_table_free (fixture->symbols);
    name_places (fixture, hidden);
    save (fixture, true);
    loaded = load_file (fixture->path, &(PvLoadOptions){0});
    g_assert_cmpuint (loaded.profile->n_sources, ==, 0);
    g_unlink (secret);
    g_unlink (hidden);
}

/* --- damage --- */

FIXTURE_TEST (cut_off, fixture)
{
    save (fixture, true);
    g_autoptr (GByteArray) bytes = get_bytes (fixture);
    uint64_t most = 0;
    unsigned n_read = 0, n_tried = 0, step = pv_test_step (7);
    for (guint size = (bytes->len - 1) % step; size < bytes->len; size += step, n_tried++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = read_bytes (bytes->data, size, &error);
        if (profile == NULL)
            continue;
        n_read++;
        g_assert_true (has_note (profile, PV_NOTE_TRUNCATED_FILE, "not complete"));
        g_assert_cmpuint (profile->n_samples, >=, most);
        most = profile->n_samples;
    }
    g_assert_cmpuint (n_read, >, n_tried / 2);
    g_assert_cmpuint (most, ==, fixture->profile->n_samples);
}

/* Any byte that is wrong is found. */
FIXTURE_TEST (wrong_bytes, fixture)
{
    save (fixture, false);
    g_autoptr (GByteArray) bytes = get_bytes (fixture);
    unsigned n_shown = 0, n_tried = 0, step = pv_test_step (7);
    for (guint i = 0; i < bytes->len; i += i < PV_PACK_HEADER_BYTES ? 1 : step, n_tried++) {
        if (i >= 12 && i < PV_PACK_HEADER_BYTES)
            continue; /* nobody reads these */
        bytes->data[i] ^= 0x10;
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile =
            i < PV_PACK_MAGIC_BYTES ? NULL : read_bytes (bytes->data, bytes->len, &error);
        if (i < PV_PACK_MAGIC_BYTES)
            g_assert_false (pv_pack_reader.sniff (bytes->data, bytes->len));
        else if (profile != NULL)
            g_assert_true (has_note (profile, PV_NOTE_TRUNCATED_FILE, ""));
        n_shown += profile != NULL;
        bytes->data[i] ^= 0x10;
    }
    g_assert_cmpuint (n_shown, >, n_tried / 2);
}

static guint
find_section (const GByteArray *bytes, uint32_t tag)
{
    guint at = PV_PACK_HEADER_BYTES;
    while (at < bytes->len) {
        uint32_t words[3];
        memcpy (words, bytes->data + at, sizeof words);
        if (GUINT32_FROM_LE (words[1]) == tag)
            return at;
        at += PV_PACK_SECTION_BYTES + GUINT32_FROM_LE (words[2]);
    }
    g_assert_not_reached ();
}

FIXTURE_TEST (wrong_checksum, fixture)
{
    save (fixture, false);
    g_autoptr (GByteArray) bytes = get_bytes (fixture);
    bytes->data[find_section (bytes, PV_PACK_SAMPLES)] ^= 1;
    g_autoptr (PvProfile) profile = assert_ok (error, read_bytes (bytes->data, bytes->len, &error));
    g_assert_true (has_note (profile, PV_NOTE_TRUNCATED_FILE, "damaged"));
    g_assert_cmpuint (profile->n_stacks, ==, fixture->profile->n_stacks);
    g_assert_cmpuint (profile->n_samples, ==, 0);
    bytes->data[find_section (bytes, PV_PACK_STRINGS)] ^= 1;
    assert_error (error, read_bytes (bytes->data, bytes->len, &error), PV_READ_ERROR,
                  PV_READ_ERROR_CORRUPT);
}

FIXTURE_TEST (newer, fixture)
{
    save (fixture, false);
    g_autoptr (GByteArray) bytes = get_bytes (fixture);
    bytes->data[PV_PACK_MAGIC_BYTES] = PV_PACK_VERSION + 1;
    assert_error (error, read_bytes (bytes->data, bytes->len, &error), PV_READ_ERROR,
                  PV_READ_ERROR_UNSUPPORTED);
}

static void
put_u32 (uint8_t *place, uint32_t number)
{
    number = GUINT32_TO_LE (number);
    memcpy (place, &number, sizeof number);
}

/* A section of n equal bytes; said_bytes: what its header says of them. */
static GByteArray *
make_section (uint32_t tag, uint8_t byte, size_t n, uint32_t said_bytes)
{
    g_autofree uint8_t *plain = g_malloc (n + 1);
    memset (plain, byte, n);
    size_t bound = ZSTD_compressBound (n);
    g_autofree uint8_t *packed = g_malloc (PV_PACK_SECTION_BYTES + bound);
    size_t size = ZSTD_compress (packed + PV_PACK_SECTION_BYTES, bound, plain, n, 1);
    g_assert_false (ZSTD_isError (size));
    put_u32 (packed + 4, tag);
    put_u32 (packed + 8, (uint32_t)size);
    put_u32 (packed + 12, said_bytes);
    put_u32 (packed, (uint32_t)crc32_z (0, packed + 4, PV_PACK_SECTION_BYTES - 4 + size));
    GByteArray *section = g_byte_array_new ();
    g_byte_array_append (section, packed, (guint)(PV_PACK_SECTION_BYTES + size));
    return section;
}

/* The pack with n times the section before the one with the tag. */
static GByteArray *
insert_section (const GByteArray *bytes, uint32_t before, const GByteArray *section, unsigned n)
{
    guint at = find_section (bytes, before);
    GByteArray *result = g_byte_array_new ();
    g_byte_array_append (result, bytes->data, at);
    for (unsigned i = 0; i < n; i++)
        g_byte_array_append (result, section->data, section->len);
    g_byte_array_append (result, bytes->data + at, bytes->len - at);
    return result;
}

FIXTURE_TEST (unknown_section, fixture)
{
    save (fixture, false);
    g_autoptr (GByteArray) bytes = get_bytes (fixture);
    g_autoptr (GByteArray) section = make_section (PV_PACK_TAG ('N', 'E', 'W', '!'), 9, 99, 99);
    g_autoptr (GByteArray) more = insert_section (bytes, PV_PACK_STACKS, section, 2);
    g_autoptr (PvProfile) profile = assert_ok (error, read_bytes (more->data, more->len, &error));
    compare_sets (fixture->profile, profile);
    g_assert_false (has_note (profile, PV_NOTE_TRUNCATED_FILE, ""));
}

LARGE_TEST (bombs)
{
    Fixture fixture = {0};
    set_up (&fixture, NULL);
    const size_t most = PV_PACK_MAX_SECTION_BYTES;
    static const uint32_t tags[] = {PV_PACK_STRINGS, PV_PACK_PROCESSES,    PV_PACK_LOCATIONS,
                                    PV_PACK_LABELS,  PV_PACK_SUPPRESSIONS, PV_PACK_LOSSES};
    const unsigned n_sections = pv_test_is_short () ? 1 : 5;
    save (&fixture, false);
    g_autoptr (GByteArray) bytes = get_bytes (&fixture);
    for (size_t t = 0; t < G_N_ELEMENTS (tags); t += pv_test_step (3)) {
        g_autoptr (GByteArray) section = make_section (tags[t], 0, most, (uint32_t)most);
        g_autoptr (GByteArray) many = insert_section (bytes, PV_PACK_STACKS, section, n_sections);
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = read_bytes (many->data, many->len, &error);
        g_assert_true (profile != NULL || error != NULL);
    }
    /* One that says it is larger than any, and one that is not as large as it says. */
    g_autoptr (GByteArray) huge = make_section (PV_PACK_STRINGS, 0, most + 1, (uint32_t)most + 1);
    g_autoptr (GByteArray) small = make_section (PV_PACK_STRINGS, 0, 100, 99);
    const GByteArray *wrong[] = {huge, small};
    for (int i = 0; i < 2; i++) {
        g_autoptr (GByteArray) file = insert_section (bytes, PV_PACK_STACKS, wrong[i], 1);
        g_autoptr (PvProfile) profile =
            assert_ok (error, read_bytes (file->data, file->len, &error));
        g_assert_true (has_note (profile, PV_NOTE_TRUNCATED_FILE, "damaged"));
        g_assert_cmpuint (profile->n_samples, ==, 0);
    }
    tear_down (&fixture, NULL);
}

/* --- heaps --- */

static PvHeapEvent
event (PvHeapEventKind kind, uint32_t site, uint64_t value)
{
    return (PvHeapEvent){.kind = kind, .site = site, .value = value, .age_ms = 7};
}

/* Some seconds in which sites allocate and free, a peak in the middle, and blocks that stay. */
static PvHeap *
make_heap (void)
{
    g_autoptr (PvHeapBuilder) builder = pv_heap_builder_new (true, 0);
    for (uint32_t ms = 0; ms < 500; ms += 3) {
        const PvHeapEvent events[] = {
            event (PV_HEAP_EVENT_TIME, 0, ms),
            event (PV_HEAP_EVENT_ALLOC, ms % 3, 100 + (uint64_t)ms * 1000),
            event (PV_HEAP_EVENT_ALLOC, 1, ms),
            event (PV_HEAP_EVENT_FREE_TEMPORARY, 1, ms),
            event (PV_HEAP_EVENT_RSS, 0, 5000 + ms % 17),
            event (ms < 250 ? PV_HEAP_EVENT_RSS : PV_HEAP_EVENT_FREE, ms % 3, 100),
        };
        pv_heap_builder_add (builder, events, G_N_ELEMENTS (events));
    }
    pv_heap_builder_add_unfreed (builder, 2, 400);
    return pv_heap_builder_finish (builder, (const uint32_t[]){1, 2, 3, 2}, 4);
}

/* The fixture's profile, with a heap instead of samples. */
static void
give_heap (Fixture *fixture)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule program = {.path = "/opt/secretprog", .kind = PV_MODULE_FILE};
    PvModule library = {.path = "/opt/libsecret.so", .kind = PV_MODULE_FILE};
    pv_profile_builder_facts (builder)->format = "heaptrack";
    pv_profile_builder_add_module (builder, &program);
    pv_profile_builder_add_module (builder, &library);
    PvStackId stack = 0;
    for (uint64_t i = 0; i < N_PLACES; i++)
        stack = made_stack (builder, stack, i < HELP ? 1 : 2, 0x100 + i);
    pv_profile_builder_add_suppression (builder, "secret_*", 8);
    pv_profile_builder_set_heap (builder, make_heap ());
    pv_symbol_table_free (fixture->symbols);
    pv_profile_free (fixture->profile);
    fixture->profile = pv_profile_builder_snapshot (builder);
    name_places (fixture, "/src/secret.c");
}

static void
compare_bins (const PvHeap *a, const PvHeap *b, uint32_t n)
{
    g_autofree int64_t *x = g_new (int64_t, a->n_sites), *y = g_new (int64_t, b->n_sites);
    g_assert_cmpuint (a->n_sites, ==, b->n_sites);
    for (uint32_t i = 0; i < n; i++) {
        g_assert_cmpint (a->bins[i].live_bytes, ==, b->bins[i].live_bytes);
        g_assert_cmpint (a->bins[i].live_blocks, ==, b->bins[i].live_blocks);
        g_assert_cmpint (a->bins[i].peak_bytes, ==, b->bins[i].peak_bytes);
        g_assert_cmpuint (a->bins[i].peak_ms, ==, b->bins[i].peak_ms);
        g_assert_cmpuint (a->bins[i].allocated_bytes, ==, b->bins[i].allocated_bytes);
        g_assert_cmpuint (a->bins[i].n_allocations, ==, b->bins[i].n_allocations);
        g_assert_cmpuint (a->bins[i].n_temporary, ==, b->bins[i].n_temporary);
        g_assert_cmpuint (a->bins[i].rss_bytes, ==, b->bins[i].rss_bytes);
    }
    for (PvHeapMeasure m = PV_HEAP_PEAK; m < PV_N_HEAP_MEASURES && n > 0; m++) {
        pv_heap_weigh_sites (a, m, n / 3, n, x, NULL);
        pv_heap_weigh_sites (b, m, n / 3, n, y, NULL);
        g_assert_cmpmem (x, a->n_sites * sizeof *x, y, b->n_sites * sizeof *y);
    }
}

static void
compare_classes (const PvHeap *a, const PvHeap *b)
{
    g_assert_cmpmem (a->size_classes, sizeof a->size_classes, b->size_classes,
                     sizeof b->size_classes);
    uint32_t n = a->first_size_of_site[a->n_sites], n_ages = a->first_age_of_site[a->n_sites];
    g_assert_cmpmem (a->first_size_of_site, (a->n_sites + 1) * sizeof (uint32_t),
                     b->first_size_of_site, (b->n_sites + 1) * sizeof (uint32_t));
    g_assert_cmpmem (a->class_of_size, n, b->class_of_size, n);
    g_assert_cmpmem (a->allocations_of_size, n * sizeof (uint64_t), b->allocations_of_size,
                     n * sizeof (uint64_t));
    g_assert_cmpmem (a->bytes_of_size, n * sizeof (uint64_t), b->bytes_of_size,
                     n * sizeof (uint64_t));
    g_assert_cmpmem (a->first_age_of_site, (a->n_sites + 1) * sizeof (uint32_t),
                     b->first_age_of_site, (b->n_sites + 1) * sizeof (uint32_t));
    g_assert_cmpmem (a->class_of_age, n_ages * sizeof (uint16_t), b->class_of_age,
                     n_ages * sizeof (uint16_t));
    g_assert_cmpmem (a->frees_of_age, n_ages * sizeof (uint64_t), b->frees_of_age,
                     n_ages * sizeof (uint64_t));
}

static void
compare_sizes_of_bins (const PvHeap *a, const PvHeap *b)
{
    uint32_t n = a->first_size_of_site[a->n_sites];
    g_autofree uint64_t *x = g_new (uint64_t, n * 2), *y = g_new (uint64_t, n * 2);
    uint64_t n_parts = 0;
    for (uint32_t first = 0; first < a->n_bins; first += 7) {
        uint32_t end = MIN (first + 7, a->n_bins);
        g_assert_true (pv_heap_weigh_sizes (a, first, end, x, x + n));
        g_assert_true (pv_heap_weigh_sizes (b, first, end, y, y + n));
        g_assert_cmpmem (x, n * 2 * sizeof *x, y, n * 2 * sizeof *y);
        for (uint32_t i = 0; i < n; i++)
            n_parts += x[i];
    }
    g_assert_cmpuint (n_parts, ==, a->n_allocations);
}

FIXTURE_TEST (heap, fixture)
{
    give_heap (fixture);
    save (fixture, false);
    g_auto (Loaded) loaded = load_file (fixture->path, &(PvLoadOptions){0});
    const PvHeap *a = fixture->profile->heap, *b = loaded.profile->heap;
    compare_tables (fixture->profile, loaded.profile);
    compare_names (fixture->symbols, loaded.symbols);
    g_assert_cmpuint (loaded.profile->n_sets, ==, 0);
    g_assert_cmpuint (loaded.profile->n_suppressions, ==, 1);
    g_assert_cmpuint (a->n_bins, ==, 50);
    g_assert_cmpuint (a->n_bins, ==, b->n_bins);
    g_assert_cmpuint (a->bin_ms, ==, b->bin_ms);
    g_assert_cmpuint (a->n_rows, ==, b->n_rows);
    g_assert_cmpuint (a->duration_ms, ==, b->duration_ms);
    g_assert_cmpuint (a->n_allocations, ==, b->n_allocations);
    g_assert_cmpuint (a->allocated_bytes, ==, b->allocated_bytes);
    g_assert_cmpuint (a->n_frees, ==, b->n_frees);
    g_assert_cmpuint (a->n_temporary, ==, b->n_temporary);
    g_assert_cmpint (a->leaked_bytes, ==, b->leaked_bytes);
    g_assert_cmpint (a->peak_bytes, ==, b->peak_bytes);
    g_assert_cmpuint (a->peak_ms, ==, b->peak_ms);
    g_assert_cmpuint (a->peak_rss_bytes, ==, b->peak_rss_bytes);
    g_assert_true (b->is_exact && !b->is_attached && !b->is_cut);
    g_assert_cmpmem (a->total_of_measure, sizeof a->total_of_measure, b->total_of_measure,
                     sizeof b->total_of_measure);
    g_assert_cmpmem (a->stack_of_site, a->n_sites * sizeof (uint32_t), b->stack_of_site,
                     b->n_sites * sizeof (uint32_t));
    compare_bins (a, b, a->n_bins);
    compare_classes (a, b);
    compare_sizes_of_bins (a, b);
}

/* Only such a pack needs the new version. */
FIXTURE_TEST (version, fixture)
{
    save (fixture, false);
    g_autoptr (GByteArray) plain = get_bytes (fixture);
    g_assert_cmpuint (plain->data[PV_PACK_MAGIC_BYTES], ==, 1);
    give_heap (fixture);
    save (fixture, false);
    g_autoptr (GByteArray) heap = get_bytes (fixture);
    g_assert_cmpuint (heap->data[PV_PACK_MAGIC_BYTES], ==, 2);
}

/* A truncated history consists of whole bins. */
FIXTURE_TEST (heap_cut_off, fixture)
{
    give_heap (fixture);
    save (fixture, false);
    g_autoptr (GByteArray) bytes = get_bytes (fixture);
    guint rows = find_section (bytes, PV_PACK_HEAP_ROWS);
    const PvHeap *whole = fixture->profile->heap;
    unsigned n_without = 0, n_bins = 0, step = pv_test_step (7);
    guint first = find_section (bytes, PV_PACK_HEAP);
    first += (bytes->len - 1 - first) % step;
    for (guint size = first; size < bytes->len; size += step) {
        g_autoptr (PvProfile) profile = assert_ok (error, read_bytes (bytes->data, size, &error));
        g_assert_true (has_note (profile, PV_NOTE_TRUNCATED_FILE, "not complete"));
        const PvHeap *heap = profile->heap;
        n_without += heap == NULL;
        if (heap == NULL || heap->n_sites == 0)
            continue;
        compare_bins (whole, heap, heap->n_allocations > 0 ? heap->n_bins : 0);
        g_assert_true (heap->n_allocations > 0 || size < bytes->len);
        g_assert_true (heap->n_allocations == 0 ? heap->is_cut : !heap->is_cut);
        g_assert_cmpuint (heap->n_allocations > 0, <=, size > rows);
        n_bins = MAX (n_bins, heap->n_bins);
    }
    g_assert_cmpuint (n_without, >, 0);
    g_assert_cmpuint (n_bins, ==, whole->n_bins);
}

/* Whatever is in the sections of a heap: a sound history comes out. */
FIXTURE_TEST (heap_harm, fixture)
{
    static const uint32_t tags[] = {PV_PACK_HEAP,      PV_PACK_SITES,          PV_PACK_HEAP_BINS,
                                    PV_PACK_HEAP_ROWS, PV_PACK_HEAP_BIN_SIZES, PV_PACK_HEAP_SIZES,
                                    PV_PACK_HEAP_AGES, PV_PACK_SETS,           PV_PACK_DUMPS};
    give_heap (fixture);
    save (fixture, false);
    g_autoptr (GByteArray) bytes = get_bytes (fixture);
    for (size_t t = 0; t < G_N_ELEMENTS (tags); t++) {
        for (size_t before = 0; before < 7; before++) {
            for (unsigned byte = 0; byte < 4; byte++) {
                g_autoptr (GByteArray) section = make_section (tags[t], (uint8_t)byte, 60, 60);
                g_autoptr (GByteArray) more = insert_section (bytes, tags[before], section, 2);
                g_autoptr (PvProfile) profile =
                    assert_ok (error, read_bytes (more->data, more->len, &error));
                const PvHeap *heap = profile->heap;
                g_assert_true (heap == NULL || heap->n_bins > 0);
                g_assert_true (heap == NULL || profile->n_sets == 0);
                g_assert_true (heap == NULL || heap->peak_bytes >= 0);
            }
        }
    }
}

/* --- pseudonyms --- */

static void
check_text (const char *text)
{
    g_assert_true (text == NULL || strstr (text, "secret") == NULL);
    g_assert_true (text == NULL || strstr (text, "/opt") == NULL);
}

FIXTURE_TEST (anonymize, fixture)
{
    g_autoptr (PvProfile) profile = NULL;
    g_autoptr (PvSymbolTable) symbols = NULL;
    pv_anonymize (fixture->profile, fixture->symbols, &profile, &symbols);
    g_assert_cmpuint (profile->measures[0].total, ==, fixture->profile->measures[0].total);
    g_assert_cmpstr (profile->measures[0].name, ==, "cycles");
    g_assert_cmpuint (profile->modules[1].build_id_size, ==, 0);
    g_assert_null (profile->facts.comment);
    /* All strings go into a pack, and nothing else. */
    Fixture hidden = *fixture;
    hidden.profile = profile;
    hidden.symbols = symbols;
    save (&hidden, false);
    g_auto (Loaded) loaded = load_file (fixture->path, &(PvLoadOptions){0});
    for (PvFunctionId f = 1; f < loaded.symbols->n_functions; f++) {
        const PvFunction *function = &loaded.symbols->functions[f];
        check_text (function->name);
        check_text (function->short_name);
        check_text (function->label);
        check_text (function->raw_name);
        check_text (function->file);
        g_assert_true (g_str_has_prefix (function->name, "f_") ||
                       strcmp (function->name, "??") == 0);
    }
    for (PvModuleId m = 1; m < loaded.profile->n_modules; m++)
        check_text (loaded.profile->modules[m].path);
    for (PvThreadId t = 1; t < loaded.profile->n_threads; t++)
        check_text (loaded.profile->threads[t].name);
    for (uint32_t s = 0; s < loaded.profile->n_sets; s++)
        check_text (loaded.profile->sets[s].name);
    for (uint32_t i = 0; i < loaded.profile->n_notes; i++)
        check_text (loaded.profile->notes[i].text);
    check_text (loaded.profile->facts.host);
    check_text (loaded.profile->facts.command);
    check_text (loaded.profile->labels[0].text);
    check_text (loaded.profile->distributions[0].name);
    g_assert_null (loaded.profile->sets[2].record);
    /* The next key is another one. */
    g_autoptr (PvProfile) other = NULL;
    g_autoptr (PvSymbolTable) other_symbols = NULL;
    pv_anonymize (fixture->profile, fixture->symbols, &other, &other_symbols);
    g_assert_cmpstr (other->facts.host, !=, profile->facts.host);
    /* Equal names, equal pseudonyms. */
    uint32_t n_frames;
    const PvFrame *frame = pv_symbol_table_frames (symbols, MAIN + 1, &n_frames);
    g_assert_true (frame->file == symbols->functions[frame->function].file);
}
