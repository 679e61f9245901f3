/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory accesses in samples of perf mem and perf c2c: weights, and labels. */
#include <string.h>

#include "../cases.h"
#include "core/model/profile/labels.h"
#include "perf-writer.h"

enum {
    ADDR = 1 << 3,
    PERIOD = 1 << 8,
    BRANCHES = 1 << 11,
    WEIGHT = 1 << 14,
    SOURCE = 1 << 15,
    IDENTIFIER = 1 << 16,
    TRANSACTION = 1 << 17,
    REGS_INTR = 1 << 18,
    PHYSICAL = 1 << 19,
    PARTS = 1 << 24,
};

#define BASE (7u | ADDR | PERIOD | IDENTIFIER) /* IP, TID, TIME */

#define LOAD_L1 UINT64_C (0x68100142) /* load, L1 hit, no snoop, L1 or L2 TLB hit */
#define STORE   UINT64_C (0x1000144)  /* store, L1 hit, not known to be locked */
#define HITM    UINT64_C (0x2800842)  /* load, L3 hit, HitM, locked */
#define UNKNOWN UINT64_C (0x5080021)  /* what the kernel writes where nothing is known */

typedef struct {
    uint64_t id, time, address, period, weight, source, physical_address;
} Access;

static WriterAttr
attr_of (uint64_t sample_type, uint64_t config)
{
    return (WriterAttr){
        .type = 4,
        .config = config,
        .sample_period = 1,
        .sample_type = sample_type,
        .flags = WRITER_FLAGS,
        .sample_regs_intr = 0x1005, /* 3 registers */
    };
}

/* The words of a sample in the order in which the kernel writes them. Registers were not recorded
 * of every second one. */
static void
put_access (Writer *writer, uint64_t type, const Access *access)
{
    writer_begin (writer, 9, MODE_USER);
    writer_u64s (writer, access->id, 0x1001);
    writer_u32s (writer, 1, 1);
    writer_u64 (writer, access->time);
    if ((type & ADDR) != 0)
        writer_u64 (writer, access->address);
    if ((type & PERIOD) != 0)
        writer_u64 (writer, access->period);
    if ((type & BRANCHES) != 0) {
        writer_u64 (writer, 1);
        for (unsigned i = 0; i < 3; i++)
            writer_u64 (writer, 0x77);
    }
    if ((type & (WEIGHT | PARTS)) != 0)
        writer_u64 (writer, access->weight);
    if ((type & SOURCE) != 0)
        writer_u64 (writer, access->source);
    if ((type & TRANSACTION) != 0)
        writer_u64 (writer, 0x99);
    if ((type & REGS_INTR) != 0) {
        bool has_registers = access->time % 2 == 0;
        writer_u64 (writer, has_registers ? 2 : 0);
        for (unsigned i = 0; i < 3 && has_registers; i++)
            writer_u64 (writer, 0xaaaa);
    }
    if ((type & PHYSICAL) != 0)
        writer_u64 (writer, access->physical_address);
    writer_end (writer);
}

static void
assert_labels (const PvProfile *profile, const PvSampleSet *set, uint32_t sample,
               const char *expected)
{
    assert_string (labels_text (profile, set, sample), expected);
}

static PvMeasureId
find_measure (const PvProfile *profile, const char *name)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (strcmp (profile->measures[m].name, name) == 0)
            return m;
    return UINT32_MAX;
}

/* Every field, with and without those before it, in both byte orders, as a file and a pipe. */
TEST (fields)
{
    static const Access accesses[] = {
        {1, 100, 0x7f0000001047, 10, UINT64_C (0x0003000200000123), LOAD_L1, 0x88},
        {1, 101, 0x7f0000001078, 20, UINT64_C (0x0003000200000007), HITM, 0},
        {1, 102, 0, 30, 0, UNKNOWN, 0x1234},
        {1, 103, 0x10, 40, 5, 0, 0},
        {1, 104, 0, 50, 0, STORE, 0x1000},
    };
    static const uint64_t optional[] = {BRANCHES,    WEIGHT,    PARTS,   SOURCE,
                                        TRANSACTION, REGS_INTR, PHYSICAL};
    for (unsigned bits = 0; bits < 1u << (G_N_ELEMENTS (optional) + 2); bits++) {
        uint64_t type = BASE;
        for (unsigned i = 0; i < G_N_ELEMENTS (optional); i++)
            type |= (bits >> (i + 2) & 1) != 0 ? optional[i] : 0;
        if ((type & WEIGHT) != 0 && (type & PARTS) != 0)
            continue; /* the kernel does not allow both */
        g_autoptr (Writer) writer = writer_new ((bits & 1) != 0, (bits & 2) != 0);
        WriterAttr attr = attr_of (type, 0);
        writer_attr (writer, &attr, (const uint64_t[]){1}, 1);
        for (size_t i = 0; i < G_N_ELEMENTS (accesses); i++)
            put_access (writer, type, &accesses[i]);
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpuint (profile->n_sets, ==, 1);
        g_assert_cmpuint (profile->n_skipped_records, ==, 0);
        const PvSampleSet *set = &profile->sets[0];
        g_assert_cmpuint (set->n_samples, ==, G_N_ELEMENTS (accesses));
        g_assert_cmpuint (profile->measures[0].total, ==, 150);

        bool has_weight = (type & (WEIGHT | PARTS)) != 0;
        PvMeasureId weight = find_measure (profile, "weight");
        g_assert_true ((weight != UINT32_MAX) == has_weight);
        if (has_weight) {
            uint64_t parts = (type & PARTS) != 0 ? 0 : 2 * UINT64_C (0x0003000200000000);
            g_assert_cmpuint (profile->measures[weight].total, ==, 0x123 + 7 + 5 + parts);
            g_assert_cmpstr (profile->measures[weight].unit_name, ==, "cycles");
            g_assert_cmpuint (pv_sample_set_weight (set, 1, 3), ==, 5);
        }
        if ((type & SOURCE) == 0) {
            g_assert_false (pv_labels_have_key (profile, "access"));
            continue;
        }
        bool has_physical = (type & PHYSICAL) != 0;
        assert_labels (profile, set, 0,
                       has_physical ? "access=load, memory=L1 hit, snoop=None, tlb=L1 or L2 hit, "
                                      "cache-line=0x7f0000001040, physical-line=0x80"
                                    : "access=load, memory=L1 hit, snoop=None, tlb=L1 or L2 hit, "
                                      "cache-line=0x7f0000001040");
        assert_labels (profile, set, 1,
                       "access=load, memory=L3 hit, snoop=HitM, locked=Yes, "
                       "cache-line=0x7f0000001040");
        assert_labels (profile, set, 2, "");
        assert_labels (profile, set, 3, "");
        assert_labels (profile, set, 4,
                       has_physical ? "access=store, memory=L1 hit, physical-line=0x1000"
                                    : "access=store, memory=L1 hit");
    }
}

/* A sample that ends before its last field is damaged, wherever it ends. */
TEST (truncated)
{
    uint64_t type = BASE | WEIGHT | SOURCE | TRANSACTION | REGS_INTR | PHYSICAL;
    static const Access access = {1, 100, 0x1000, 10, 5, LOAD_L1, 0x2000};
    for (unsigned variant = 0; variant < 2; variant++) {
        g_autoptr (Writer) whole = writer_new (false, true);
        put_access (whole, type, &access);
        uint16_t size = (uint16_t)whole->records->len;
        unsigned n_damaged = 0;
        g_autoptr (Writer) writer = writer_new (false, true);
        WriterAttr attr = attr_of (type, 0);
        writer_attr (writer, &attr, (const uint64_t[]){1}, 1);
        for (uint16_t cut = 16; cut <= size; cut += variant == 0 ? 8 : 1) {
            writer_begin (writer, 9, MODE_USER);
            writer_bytes (writer, whole->records->data + 8, cut - 8u);
            writer_end (writer);
            n_damaged += cut < size;
        }
        g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
        g_assert_cmpuint (profile->sets[0].n_samples, ==, 1);
        g_assert_cmpuint (profile->n_skipped_records, ==, n_damaged);
        g_assert_cmpuint (profile->measures[find_measure (profile, "weight")].total, ==, 5);
    }
}

/* The weights of several events are told apart; an event without has one measure. */
TEST (several_events)
{
    g_autoptr (Writer) writer = writer_new (false, true);
    static const uint64_t types[] = {BASE | WEIGHT | SOURCE, BASE | PARTS | SOURCE, BASE | SOURCE};
    for (uint64_t id = 1; id <= 3; id++) {
        WriterAttr attr = attr_of (types[id - 1], 0x10 + id);
        writer_attr (writer, &attr, &id, 1);
    }
    for (uint64_t i = 0; i < 30; i++) {
        Access access = {1 + i % 3, 100 + i, 0, 1, 10 + i % 3, i % 2 == 0 ? LOAD_L1 : UNKNOWN, 0};
        put_access (writer, types[i % 3], &access);
    }
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    g_assert_cmpuint (profile->n_measures, ==, 5);
    static const struct {
        const char *name;
        uint64_t total;
    } measures[] = {
        {"raw 0x11", 10}, {"weight of raw 0x11", 100},
        {"raw 0x12", 10}, {"weight of raw 0x12", 110},
        {"raw 0x13", 10},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (measures); i++) {
        PvMeasureId measure = find_measure (profile, measures[i].name);
        g_assert_cmpuint (measure, !=, UINT32_MAX);
        g_assert_cmpuint (profile->measures[measure].total, ==, measures[i].total);
    }
    assert_labels (profile, find_set (profile, "raw 0x13"), 0,
                   "access=load, memory=L1 hit, snoop=None, tlb=L1 or L2 hit");
    assert_labels (profile, find_set (profile, "raw 0x13"), 1, "");
}

/* A group that is read together: the sample's own weight goes to each member that counted. */
TEST (group)
{
    g_autoptr (Writer) writer = writer_new (false, true);
    uint64_t type = 7u | 1u << 4 | IDENTIFIER | WEIGHT | SOURCE;
    for (uint64_t id = 1; id <= 2; id++) {
        WriterAttr attr = attr_of (type, 0x10 + id);
        attr.read_format = 4 | 8;
        writer_attr (writer, &attr, &id, 1);
    }
    for (uint64_t i = 1; i <= 2; i++) {
        writer_begin (writer, 9, MODE_USER);
        writer_u64s (writer, 1, 0x10);
        writer_u32s (writer, 1, 1);
        writer_u64s (writer, 100 + i, 2);
        for (uint64_t id = 1; id <= 2; id++)
            writer_u64s (writer, id == 1 ? 10 * i : 7, id);
        writer_u64s (writer, 50 + i, HITM);
        writer_end (writer);
    }
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    const PvMeasure *measures = profile->measures;
    g_assert_cmpuint (measures[find_measure (profile, "raw 0x11")].total, ==, 20);
    g_assert_cmpuint (measures[find_measure (profile, "weight of raw 0x11")].total, ==, 103);
    g_assert_cmpuint (measures[find_measure (profile, "raw 0x12")].total, ==, 7);
    g_assert_cmpuint (measures[find_measure (profile, "weight of raw 0x12")].total, ==, 51);
    assert_labels (profile, find_set (profile, "raw 0x12"), 0,
                   "access=load, memory=L3 hit, snoop=HitM, locked=Yes");
}

/* Not every address becomes a label, but what is one is one in all its samples. */
TEST (many_lines)
{
    enum { N_LINES = 16384, N_MORE = 100 };
    g_autoptr (Writer) writer = writer_new (false, true);
    uint64_t type = BASE | SOURCE | PHYSICAL;
    WriterAttr attr = attr_of (type, 0);
    writer_attr (writer, &attr, (const uint64_t[]){1}, 1);
    Access access = {1, 100, 0, 1, 0, LOAD_L1, 0};
    for (unsigned i = 1; i <= N_LINES + N_MORE; i++) {
        access.time++;
        access.address = 64 * (uint64_t)i + i % 64;
        access.physical_address = i <= N_LINES ? 0 : access.address;
        put_access (writer, type, &access);
    }
    access.time++;
    access.address = 64 * 7 + 63;
    access.physical_address = 0;
    put_access (writer, type, &access);
    g_autoptr (PvProfile) profile = writer_read (writer, NULL, NULL);
    const PvSampleSet *set = &profile->sets[0];
    g_autoptr (PvLabelValues) values = pv_label_values_new (profile, "cache-line");
    g_assert_cmpuint (values->n_values, ==, N_LINES + 1);
    assert_labels (profile, set, N_LINES - 1,
                   "access=load, memory=L1 hit, snoop=None, tlb=L1 or L2 hit, "
                   "cache-line=0x100000");
    assert_labels (profile, set, N_LINES,
                   "access=load, memory=L1 hit, snoop=None, tlb=L1 or L2 hit, "
                   "physical-line=0x100040");
    assert_labels (profile, set, N_LINES + N_MORE,
                   "access=load, memory=L1 hit, snoop=None, tlb=L1 or L2 hit, cache-line=0x1c0");
    bool has_note = false;
    for (uint32_t i = 0; i < profile->n_notes; i++)
        has_note |= g_str_has_prefix (profile->notes[i].text, "100 samples have no label");
    g_assert_true (has_note);
}

/* Many samples are decoded ahead by several threads; those that tell nothing stay on that way, and
 * the order is kept. */
TEST (decoded)
{
    g_autoptr (Writer) writer = writer_new (false, true);
    uint64_t type = BASE | WEIGHT | SOURCE;
    WriterAttr attr = attr_of (type, 0);
    writer_attr (writer, &attr, (const uint64_t[]){1}, 1);
    enum { N = 40000 };
    uint64_t total = 0;
    for (unsigned i = 0; i < N; i++) {
        bool is_told = i % 3 == 0, has_weight = i % 5 == 0;
        Access access = {1, 1 + i, 0x1000, 1, has_weight ? i : 0, is_told ? STORE : UNKNOWN, 0};
        total += access.weight;
        put_access (writer, type, &access);
    }
    PvReadContext context = {.n_workers = 4};
    g_autoptr (PvProfile) profile = writer_read (writer, &context, NULL);
    const PvSampleSet *set = &profile->sets[0];
    g_assert_cmpuint (set->n_samples, ==, N);
    g_assert_cmpuint (profile->measures[find_measure (profile, "weight")].total, ==, total);
    for (unsigned i = 0; i < N; i++) {
        g_assert_cmpuint (pv_sample_set_weight (set, 1, i), ==, i % 5 == 0 ? i : 0);
        g_assert_true ((set->label_set[i] != 0) == (i % 3 == 0));
    }
}
