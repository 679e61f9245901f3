/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of gprof in all layouts, both orders of bytes and both sizes of addresses. */
#include <elf.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "../scratch.h"
#include "../symbolize/elf-maker.h"
#include "core/model/calls/known-calls.h"
#include "reader-case.h"

enum { A = 0x1000, B = 0x1100, C = 0x1200, END = 0x1300, BIN_BYTES = 4 };

typedef enum { TAGGED, BSD, OLD_BSD, N_LAYOUTS } Layout;

typedef struct {
    Layout layout;
    bool is_big;
    unsigned address_bytes;
    GByteArray *bytes;
} Writing;

typedef struct {
    uint64_t from, to, count;
} Arc;

static void
put (Writing *self, uint64_t value, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++) {
        unsigned shift = 8 * (self->is_big ? n_bytes - 1 - i : i);
        uint8_t byte = (uint8_t)(value >> shift);
        g_byte_array_append (self->bytes, &byte, 1);
    }
}

static void
put_text (Writing *self, const char *text, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; i++)
        put (self, i < strlen (text) ? (uint8_t)text[i] : 0, 1);
}

static void
put_bins (Writing *self)
{
    for (uint64_t at = A; at < END; at += BIN_BYTES)
        put (self, at == A + 16 ? 10 : at == B + 32 ? 20 : at == C + 64 ? 40 : 0, 2);
}

static void
put_arcs (Writing *self, const Arc *arcs, size_t n_arcs)
{
    for (size_t i = 0; i < n_arcs; i++) {
        if (self->layout == TAGGED)
            put (self, 1, 1);
        put (self, arcs[i].from, self->address_bytes);
        put (self, arcs[i].to, self->address_bytes);
        put (self, arcs[i].count, self->layout == TAGGED ? 4 : self->address_bytes);
    }
}

static GByteArray *
write_file (Layout layout, bool is_big, unsigned address_bytes, const Arc *arcs, size_t n_arcs)
{
    Writing self = {layout, is_big, address_bytes, g_byte_array_new ()};
    unsigned n_bins = (END - A) / BIN_BYTES;
    if (layout == TAGGED) {
        put_text (&self, "gmon", 4);
        put (&self, 1, 4);
        put_text (&self, "", 12);
        put (&self, 0, 1);
    }
    put (&self, A, address_bytes);
    put (&self, END, address_bytes);
    if (layout == TAGGED) {
        put (&self, n_bins, 4);
        put (&self, 100, 4);
        put_text (&self, "seconds", 15);
        put_text (&self, "s", 1);
    } else {
        unsigned header_bytes = 2 * address_bytes + (layout == BSD ? 24 : 4);
        put (&self, n_bins * 2 + header_bytes, 4);
        if (layout == BSD) {
            put (&self, 0x51879, 4);
            put (&self, 100, 4);
            put_text (&self, "", 12);
        }
    }
    put_bins (&self);
    put_arcs (&self, arcs, n_arcs);
    return self.bytes;
}

static PvProfile *
read_bytes (const uint8_t *data, size_t size_bytes)
{
    return assert_ok (error, read_piece (&pv_gprof_reader, data, size_bytes, &error));
}

static bool
is_gprof (const GByteArray *bytes)
{
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (bytes->data, bytes->len), bytes->len);
    return pv_read_find_reader (file) == &pv_gprof_reader;
}

/* The cost of stacks that end with a function, or have it; without a caller: in any. */
static uint64_t
sum (const PvProfile *profile, const char *measure_name, uint64_t function, bool is_self,
     uint64_t caller)
{
    PvMeasureId measure = pv_profile_find_measure (profile, measure_name);
    g_assert_cmpuint (measure, !=, UINT32_MAX);
    const PvSampleSet *set = &profile->sets[0];
    uint64_t whole = 0;
    for (uint32_t i = 0; i < set->n_samples; i++) {
        for (PvStackId stack = set->stack[i]; stack != 0; stack = profile->parent_of_stack[stack]) {
            PvStackId parent = profile->parent_of_stack[stack];
            PvLocationId above = parent != 0 ? profile->location_of_stack[parent] : 0;
            if (profile->address_of_location[profile->location_of_stack[stack]] == function &&
                (caller == 0 || (above != 0 && profile->address_of_location[above] == caller))) {
                whole += pv_sample_set_weight (set, profile->measures[measure].column, i);
                break;
            }
            if (is_self)
                break;
        }
    }
    return whole;
}

static uint64_t
self_of (const PvProfile *profile, const char *measure, uint64_t function)
{
    return sum (profile, measure, function, true, 0);
}

static uint64_t
total_of (const PvProfile *profile, const char *measure, uint64_t function)
{
    return sum (profile, measure, function, false, 0);
}

static const Arc simple[] = {{A + 16, B + 4, 3},
                             {A + 32, C + 4, 1},
                             {B + 8, C + 4, 2},
                             {B + 16, C + 4, 1},
                             {C + 8, C + 4, 7}};

#define MS(n) ((n)*UINT64_C (10000000)) /* of ticks */

/* Functions are addresses that were called: 4 after the start. */
static void
check_simple (const PvProfile *profile)
{
    g_assert_cmpuint (self_of (profile, "time", A), ==, MS (10));
    g_assert_cmpuint (self_of (profile, "time", B + 4), ==, MS (20));
    g_assert_cmpuint (self_of (profile, "time", C + 4), ==, MS (40));
    g_assert_cmpuint (total_of (profile, "time", A), ==, MS (70));
    g_assert_cmpuint (total_of (profile, "time", B + 4), ==, MS (50));
    g_assert_cmpuint (sum (profile, "time", C + 4, false, B + 4), ==, MS (30));
    g_assert_cmpuint (sum (profile, "time", C + 4, false, A), ==, MS (10));
    g_assert_cmpuint (self_of (profile, "calls", C + 4), ==, 4);
    g_assert_cmpuint (self_of (profile, "calls", B + 4), ==, 3);
    g_assert_cmpuint (self_of (profile, "calls", A), ==, 0);
}

TEST (layouts)
{
    for (Layout layout = TAGGED; layout < N_LAYOUTS; layout++)
        for (unsigned i = 0; i < 4; i++) {
            g_autoptr (GByteArray) bytes =
                write_file (layout, i % 2 == 1, i < 2 ? 8 : 4, simple, G_N_ELEMENTS (simple));
            g_assert_true (is_gprof (bytes));
            g_autoptr (PvProfile) profile = read_bytes (bytes->data, bytes->len);
            check_simple (profile);
        }
}

/* "CALLER>CALLEE calls time" of all that the file says of calls; "?": not known. */
static char *
spell_known (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    const PvKnownCalls *known = profile->known_calls;
    const PvMeasure *time = &profile->measures[pv_profile_find_measure (profile, "time")];
    g_assert_cmpuint (known->n_functions, ==, 0);
    for (uint32_t i = 0; i < known->n_calls; i++) {
        const PvKnownCall *call = &known->calls[i];
        uint64_t weight = pv_known_calls_weigh (known, time, i);
        g_string_append_printf (
            text, "%" G_GINT64_MODIFIER "x>%" G_GINT64_MODIFIER "x %" G_GUINT64_FORMAT,
            profile->address_of_location[call->caller], profile->address_of_location[call->callee],
            call->n_calls);
        if (weight != PV_AMOUNT_UNKNOWN)
            g_string_append_printf (text, " %" G_GUINT64_FORMAT "\n", weight / MS (1));
        else
            g_string_append (text, " ?\n");
    }
    return g_string_free (text, false);
}

/* The number of calls is known of all, also of a function's to itself; their time is only shared
 * out, by the number of calls, and not within cycles. */
TEST (known_calls)
{
    static const Arc arcs[] = {{A + 16, B, 1}, {B + 8, C, 10}, {C + 8, B, 9},
                               {A + 20, C, 3}, {B + 12, B, 5}, {A + 24, B, 2}};
    g_autoptr (GByteArray) bytes = write_file (TAGGED, false, 8, arcs, G_N_ELEMENTS (arcs));
    g_autoptr (PvProfile) profile = read_bytes (bytes->data, bytes->len);
    assert_string (spell_known (profile),
                   "1000>1100 3 30\n1000>1200 3 30\n1100>1100 5 ?\n1100>1200 10 ?\n"
                   "1200>1100 9 ?\n");
}

/* B and C call each other; A calls both. What they cost is all A's, and nothing is lost. */
TEST (cycle)
{
    static const Arc arcs[] = {{A + 16, B, 1}, {B + 8, C, 10}, {C + 8, B, 9}, {A + 20, C, 1}};
    g_autoptr (GByteArray) bytes = write_file (TAGGED, false, 8, arcs, G_N_ELEMENTS (arcs));
    g_autoptr (PvProfile) profile = read_bytes (bytes->data, bytes->len);
    g_assert_cmpuint (total_of (profile, "time", A), ==, MS (70));
    g_assert_cmpuint (self_of (profile, "time", B), ==, MS (20));
    g_assert_cmpuint (self_of (profile, "time", C), ==, MS (40));
    g_assert_cmpuint (self_of (profile, "calls", C), ==, 11);
}

/* Several histograms: of the same range, and of another. */
TEST (histograms)
{
    g_autoptr (GByteArray) bytes = write_file (TAGGED, false, 8, NULL, 0);
    g_autoptr (GByteArray) again = write_file (TAGGED, false, 8, simple, G_N_ELEMENTS (simple));
    g_byte_array_append (bytes, again->data + 20, again->len - 20);
    g_autoptr (PvProfile) profile = read_bytes (bytes->data, bytes->len);
    g_assert_cmpuint (total_of (profile, "time", A), ==, MS (140));
    g_assert_cmpuint (self_of (profile, "time", C + 4), ==, MS (80));
}

/* A file that is cut anywhere gives what comes before, and says so. */
TEST (cut)
{
    g_autoptr (GByteArray) bytes = write_file (TAGGED, false, 8, simple, G_N_ELEMENTS (simple));
    uint64_t last = 0;
    for (size_t n = 0; n < bytes->len; n++) {
        g_autoptr (PvProfile) profile = read_bytes (bytes->data, n);
        uint64_t whole = profile->n_measures > 0 ? profile->measures[0].total : 0;
        g_assert_cmpuint (whole, >=, last);
        last = whole;
    }
    g_assert_cmpuint (last, ==, MS (70));
}

/* Bytes that say so of no program are nobody's. */
TEST (others)
{
    g_autoptr (GByteArray) bytes = write_file (OLD_BSD, false, 8, simple, G_N_ELEMENTS (simple));
    for (size_t i = 0; i < 20; i++) {
        g_autoptr (GByteArray) other = g_byte_array_new ();
        g_byte_array_append (other, bytes->data, bytes->len);
        other->data[i] ^= 0x55;
        if (i >= 5 && i < 8)
            g_assert_false (is_gprof (other));
    }
}

/* The program that fits has a path that others find, also where the profile was given without one.
 */
TEST (program_beside)
{
    static const MakerSymbol symbols[] = {{"a", A, 0x100, STB_GLOBAL, STT_FUNC, 1},
                                          {"b", B, 0x100, STB_GLOBAL, STT_FUNC, 1},
                                          {"c", C, 0x100, STB_GLOBAL, STT_FUNC, 1},
                                          {NULL, 0, 0, 0, 0, 0}};
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *program = g_build_filename (folder, "prog", NULL);
    g_autofree char *before = g_get_current_dir ();
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_EXEC, EM_X86_64);
    elf_maker_load (maker, elf_maker_text (maker, A, NULL, END - A), true);
    elf_maker_symbols (maker, false, symbols);
    elf_maker_write (maker, program);
    g_assert_cmpint (g_chmod (program, 0755), ==, 0);
    g_autoptr (GByteArray) bytes = write_file (TAGGED, false, 8, simple, G_N_ELEMENTS (simple));
    g_assert_cmpint (g_chdir (folder), ==, 0);
    g_assert_true (
        g_file_set_contents ("gmon.out", (const char *)bytes->data, (gssize)bytes->len, NULL));
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvJob) job = pv_job_new ();
    const PvReadContext context = {.job = job};
    assert_ok (error, pv_read ("gmon.out", 1 << 20, builder, &context, &error));
    g_assert_cmpint (g_chdir (before), ==, 0);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpstr (profile->modules[profile->n_modules - 1].path, ==, program);
}

/* Text may have numbers that fit, where it is too long to be looked at whole. */
TEST (text)
{
    g_autoptr (GString) text = g_string_new ("# callgrind format\nversion: 1\nevents: Ir\n");
    while (text->len < 200000)
        g_string_append (text, "\nfl=(1) a.c\nfn=(1) main\n1 2\n");
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (text->str, text->len), text->len);
    g_assert_true (pv_read_find_reader (file) == &pv_callgrind_reader);
}

TEST (damage)
{
    for (Layout layout = TAGGED; layout < N_LAYOUTS; layout++) {
        g_autoptr (GByteArray) bytes = write_file (layout, false, 8, simple, G_N_ELEMENTS (simple));
        for (unsigned i = 0; i < 20000; i++) {
            g_autoptr (GByteArray) other = g_byte_array_new ();
            g_byte_array_append (other, bytes->data, bytes->len);
            for (int k = g_test_rand_int_range (1, 4); k > 0; k--)
                other->data[g_test_rand_int_range (0, (gint32)other->len)] =
                    (uint8_t)g_test_rand_int ();
            g_autoptr (PvProfile) profile = read_bytes (other->data, other->len);
            g_assert_nonnull (profile);
        }
    }
}

TESTS_MAIN (argc, argv)
{
    return scratch_run_tests (argc, argv);
}
