/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Massif's snapshots, against the trees that they were written from. */
#include <string.h>

#include "core/model/profile/dumps.h"
#include "reader-case.h"

#define read_text(text) read_well (&pv_massif_reader, (text))

enum { N_CASES = 200, MOST_DEPTH = 8 };

/* "DUMP MEASURE BYTES stack" for each sample with weight. */
static char *
spell_profile (const PvProfile *profile)
{
    g_autoptr (GString) text = g_string_new (NULL);
    g_assert_cmpuint (profile->n_sets, ==, 1);
    const PvSampleSet *set = &profile->sets[0];
    for (PvMeasureId m = 0; m < profile->n_measures; m++) {
        const PvMeasure *measure = &profile->measures[m];
        bool is_total = strcmp (measure->name, "total") == 0 && profile->n_measures > 3;
        if (measure->aggregation != PV_AGGREGATION_STATE || is_total)
            continue;
        for (uint32_t i = 0; i < set->n_samples; i++) {
            uint64_t weight = pv_sample_set_weight (set, measure->column, i);
            uint32_t dump = 0;
            while (profile->dumps[dump].time_ns != pv_sample_set_time_ns (set, i))
                dump++;
            if (weight == 0)
                continue;
            g_string_append_printf (text, "%s %s %" G_GUINT64_FORMAT, profile->dumps[dump].name,
                                    measure->name, weight);
            spell_places (text, profile, set->stack[i]);
            g_string_append_c (text, '\n');
        }
    }
    return sort_lines (text->str);
}

/* --- random files --- */

typedef struct {
    GRand *random;
    GString *text;
    GString *expected;
    const char *dump;
} Writer;

static const struct {
    const char *text, *spelled;
} frames[] = {
    {"0x401234: main (shop.c:5)", "main:shop.c:5"},
    {"0x401234: main (shop.c:6)", "main:shop.c:6"},
    {"0x4ABC: f(int, (anonymous namespace)::x) (a b.c:77)",
     "f(int, (anonymous namespace)::x):a b.c:77"},
    {"0x70B8B64: g (in /usr/lib/lib x (1).so)", "g@/usr/lib/lib x (1).so"},
    {"0x12: ??? (in /bin/sh)", "0x12@/bin/sh"},
    {"0x34: ???", "0x34"},
    {"in 7 places, all below massif's threshold (01.00%)", "[below massif’s threshold]"},
    {"in 1 place, below massif's threshold (1.00%)", "[below massif’s threshold]"},
};

static int
below (Writer *writer, int n)
{
    return g_rand_int_range (writer->random, 0, n);
}

/* Writes the children of a node with so many bytes; what they leave is its own. */
static void
add_children (Writer *writer, int depth, guint64 bytes, const char *path)
{
    int n = depth < MOST_DEPTH ? below (writer, 4) : 0;
    guint64 rest = bytes;
    gsize mark = writer->text->len;
    g_string_append_printf (writer->text, "n%d: %" G_GUINT64_FORMAT " ", n, bytes);
    if (depth == 0)
        g_string_append (writer->text, "(heap allocation functions) malloc/new/new[], etc.\n");
    else
        g_string_truncate (writer->text, mark); /* written by the caller */
    for (int i = 0; i < n; i++) {
        int frame = below (writer, G_N_ELEMENTS (frames));
        bool is_small = g_str_has_prefix (frames[frame].text, "in ");
        guint64 part = rest > 0 ? (guint64)below (writer, (int)MIN (rest, 100000) + 1) : 0;
        g_autofree char *inner = g_strconcat (path, " ", frames[frame].spelled, NULL);
        gsize at = writer->text->len;
        rest -= part;
        if (is_small) {
            g_string_append_printf (writer->text, "%*sn0: %" G_GUINT64_FORMAT " %s\n", depth + 1,
                                    "", part, frames[frame].text);
            if (part > 0)
                g_string_append_printf (writer->expected, "%s heap %" G_GUINT64_FORMAT "%s\n",
                                        writer->dump, part, inner);
            continue;
        }
        add_children (writer, depth + 1, part, inner);
        /* Its line, now that the number of its children is known. */
        int n_children = 0;
        for (const char *line = writer->text->str + at; *line != '\0';
             line = strchr (line, '\n') + 1)
            n_children += (int)strspn (line, " ") == depth + 2;
        g_autofree char *line = g_strdup_printf ("%*sn%d: %" G_GUINT64_FORMAT " %s\n", depth + 1,
                                                 "", n_children, part, frames[frame].text);
        g_string_insert (writer->text, (gssize)at, line);
    }
    if (rest > 0)
        g_string_append_printf (writer->expected, "%s heap %" G_GUINT64_FORMAT "%s\n", writer->dump,
                                rest, path);
}

static void
add_snapshot (Writer *writer, int number, const char *tree)
{
    guint64 heap = 1 + (guint64)below (writer, 1000000), extra = 1 + (guint64)below (writer, 999);
    g_autofree char *dump =
        g_strdup_printf ("snapshot %d%s", number, strcmp (tree, "peak") == 0 ? " (peak)" : "");
    writer->dump = dump;
    g_string_append_printf (writer->text,
                            "#-----------\nsnapshot=%d\n#-----------\ntime=%d\nmem_heap_B="
                            "%" G_GUINT64_FORMAT "\nmem_heap_extra_B=%" G_GUINT64_FORMAT
                            "\nmem_stacks_B=0\nheap_tree=%s\n",
                            number, number / 2, heap, extra, tree);
    g_string_append_printf (writer->expected, "%s extra %" G_GUINT64_FORMAT " [heap overhead]\n",
                            dump, extra);
    if (strcmp (tree, "empty") != 0)
        add_children (writer, 0, heap, "");
    else
        g_string_append_printf (
            writer->expected, "%s heap %" G_GUINT64_FORMAT " [without call stacks]\n", dump, heap);
}

TEST (random)
{
    static const char *const trees[] = {"empty", "empty", "detailed", "peak"};
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_autoptr (GString) text =
            g_string_new ("desc: (none)\ncmd: ./shop --all\ntime_unit: ms\n");
        g_autoptr (GString) expected = g_string_new (NULL);
        Writer writer = {random, text, expected, NULL};
        bool has_trees = below (&writer, 5) > 0;
        int n = 1 + below (&writer, 12);
        for (int i = 0; i < n; i++) {
            const char *tree = trees[has_trees ? below (&writer, G_N_ELEMENTS (trees)) : 0];
            add_snapshot (&writer, i, i == 0 && has_trees ? "detailed" : tree);
        }
        pv_test_say_case (seed, text->str);
        g_autoptr (PvProfile) profile = read_text (text->str);
        g_autofree char *sorted = sort_lines (expected->str);
        assert_string (spell_profile (profile), sorted);
        g_assert_cmpuint (profile->n_dumps, ==, n);
        g_assert_cmpuint (profile->n_skipped_records, ==, 0);
        g_assert_cmpstr (profile->facts.command, ==, "./shop --all");
    }
}

/* --- single things --- */

#define SNAPSHOT(n, time, heap, stacks, tree)                                                      \
    "#---\nsnapshot=" #n "\n#---\ntime=" #time "\nmem_heap_B=" #heap                               \
    "\nmem_heap_extra_B=0\nmem_stacks_B=" #stacks "\nheap_tree=" tree "\n"

TEST (times)
{
    static const char text[] = "desc: --x\ncmd: ./a\ntime_unit: ms\n" SNAPSHOT (0, 0, 1, 0, "empty")
        SNAPSHOT (1, 70, 1, 0, "empty") SNAPSHOT (2, 70, 1, 0, "empty");
    g_autoptr (PvProfile) timed = read_text (text);
    g_assert_true (timed->has_dump_times);
    g_assert_cmpuint (timed->n_dumps, ==, 3);
    g_assert_cmpuint (timed->dumps[0].time_ns, ==, 1000000);
    g_assert_cmpuint (timed->dumps[1].time_ns, ==, 70000000);
    g_assert_cmpuint (timed->dumps[2].time_ns, ==, 71000000);
    g_assert_cmpstr (timed->facts.comment, ==, "--x");

    g_autoptr (PvProfile) ordered =
        read_text ("desc: (none)\ncmd: ./a\ntime_unit: i\n" SNAPSHOT (0, 0, 1, 0, "empty"));
    g_assert_false (ordered->has_dump_times);
    g_assert_null (ordered->facts.comment);
}

/* Snapshots without a tree are dumps too; what is shown is the last one with a tree. */
TEST (amounts)
{
    g_autoptr (PvProfile) profile = read_text (
        "desc: (none)\ncmd: ./a\ntime_unit: i\n" SNAPSHOT (0, 0, 5, 100, "empty")
            SNAPSHOT (1, 9, 7, 200, "detailed") "n0: 7 (heap allocation functions)\n" SNAPSHOT (
                2, 10, 9, 300, "empty"));
    g_assert_cmpuint (profile->n_dumps, ==, 3);
    g_assert_cmpuint (profile->main_dump, ==, 1);
    g_assert_cmpstr (profile->measures[0].name, ==, "total");
    g_assert_cmpuint (profile->measures[0].total, ==, 207);
    assert_string (spell_profile (profile),
                   "snapshot 0 heap 5 [without call stacks]\nsnapshot 0 stacks 100 [stacks]\n"
                   "snapshot 1 heap 7\nsnapshot 1 stacks 200 [stacks]\n"
                   "snapshot 2 heap 9 [without call stacks]\nsnapshot 2 stacks 300 [stacks]");
    static const uint64_t totals[] = {105, 207, 309};
    for (size_t i = 0; i < G_N_ELEMENTS (totals); i++) {
        uint64_t total, end_ns = profile->dumps[i].time_ns - profile->start_ns + 1;
        g_free (pv_dumps_weigh (profile, &profile->measures[0], 0, end_ns, NULL, NULL, &total));
        g_assert_cmpuint (total, ==, totals[i]);
    }
}

/* With --stacks=yes, a program may have no heap at all. */
TEST (measures)
{
    g_autoptr (PvProfile) profile = read_text ("desc: (none)\ncmd: ./a\ntime_unit: i\n" SNAPSHOT (
        0, 0, 0, 512, "empty") SNAPSHOT (1, 9, 0, 96, "empty"));
    g_assert_cmpstr (profile->measures[0].name, ==, "stacks");
    g_assert_cmpuint (profile->measures[0].total, ==, 96);
    assert_string (spell_profile (profile),
                   "snapshot 0 stacks 512 [stacks]\nsnapshot 1 stacks 96 [stacks]");
}

TEST (damaged)
{
    /* Children are missing; the next snapshot is read all the same. */
    g_autoptr (PvProfile) profile = read_text ("desc: (none)\ncmd: ./a\ntime_unit: i\n" SNAPSHOT (
        0, 0, 100, 0, "detailed") "n2: 100 (heap allocation functions)\n n2: 60 0x1: f (a.c:1)\n"
                                  "  n0: 20 0x2: g (a.c:2)\n" SNAPSHOT (
                                      1, 9, 7, 0, "detailed") "n0: 7 (heap allocation "
                                                              "functions)\n" SNAPSHOT (2, 10, 7, 0,
                                                                                       "detailed"));
    assert_string (spell_profile (profile),
                   "snapshot 0 heap 20 f:a.c:1 g:a.c:2\nsnapshot 0 heap 40\n"
                   "snapshot 0 heap 40 f:a.c:1\nsnapshot 1 heap 7");
    g_assert_cmpuint (profile->n_skipped_records, ==, 2);
    g_assert_cmpuint (profile->n_notes, ==, 1);
}

/* The peak is what most look for, not the last snapshot. */
TEST (peak)
{
    static const char tree[] = "n0: 7 (heap allocation functions)\n";
    g_autofree char *text =
        g_strconcat ("desc: (none)\ncmd: ./a\ntime_unit: i\n" SNAPSHOT (0, 0, 7, 0, "detailed"),
                     tree, SNAPSHOT (1, 9, 12, 0, "peak"), "n0: 12 (heap allocation functions)\n",
                     SNAPSHOT (2, 10, 7, 0, "detailed"), tree, NULL);
    g_autoptr (PvProfile) profile = read_text (text);
    g_assert_cmpuint (profile->main_dump, ==, 1);
    g_assert_cmpuint (profile->measures[0].total, ==, 12);
    uint64_t total;
    g_free (pv_dumps_weigh (profile, &profile->measures[0], 0, profile->duration_ns + 1, NULL, NULL,
                            &total));
    g_assert_cmpuint (total, ==, 7); /* of a range, its end is shown */
}

/* Far deeper than massif writes: what is below counts where reading ends. */
TEST (deep)
{
    g_autoptr (GString) text =
        g_string_new ("desc: (none)\ncmd: ./a\ntime_unit: i\n" SNAPSHOT (0, 0, 9, 0, "peak"));
    g_string_append (text, "n1: 9 (heap allocation functions)\n");
    for (int i = 0; i < 5000; i++)
        g_string_append_printf (text, " n%d: 9 0x%x: f (a.c:%d)\n", i + 1 < 5000, i + 1, i + 1);
    g_autoptr (PvProfile) profile = read_text (text->str);
    g_assert_cmpuint (profile->measures[0].total, ==, 9);
    g_assert_cmpuint (profile->n_samples, ==, 1);
    g_assert_cmpuint (profile->n_stacks, ==, 257);
}

/* Execution trees of Valgrind: each snapshot is what was counted, all at one time. */
TEST (events)
{
    static const char snapshot[] =
        "#-----------\nsnapshot=%d\n#-----------\ntime=2520\nmem_heap_B=%d\nmem_heap_extra_B=0\n"
        "mem_stacks_B=0\nheap_tree=detailed\nn2: %d %s\n n0: %d 0x401234: main (shop.c:5)\n"
        " n1: 5 0x401238: add (shop.c:7)\n  n0: 5 0x401234: main (shop.c:5)\n";
    static const char *const events[] = {"RB : Reachable Bytes", "RBk : Reachable Blocks",
                                         "totB : total allocated Bytes"};
    static const int totals[] = {1005, 13, 2005};
    g_autoptr (GString) text = g_string_new ("desc: xtree\ncmd: ./shop\ntime_unit: ms\n");
    for (int i = 0; i < 3; i++)
        g_string_append_printf (text, snapshot, i, totals[i], totals[i], events[i], totals[i] - 5);
    g_autoptr (PvProfile) profile = read_text (text->str);
    g_assert_cmpuint (profile->n_dumps, ==, 0);
    g_assert_cmpuint (profile->n_notes, ==, 0);
    assert_string (spell_weights (profile), "RB=1000 RBk=0 totB=0 main:shop.c:5\n"
                                            "RB=5 RBk=0 totB=0 add:shop.c:7 main:shop.c:5\n"
                                            "RB=0 RBk=8 totB=0 main:shop.c:5\n"
                                            "RB=0 RBk=5 totB=0 add:shop.c:7 main:shop.c:5\n"
                                            "RB=0 RBk=0 totB=2000 main:shop.c:5\n"
                                            "RB=0 RBk=0 totB=5 add:shop.c:7 main:shop.c:5\n");
    g_assert_cmpint (profile->measures[0].unit, ==, PV_UNIT_BYTES);
    g_assert_cmpint (profile->measures[1].unit, ==, PV_UNIT_COUNT);
    g_assert_cmpint (profile->measures[2].unit, ==, PV_UNIT_BYTES);
}

TEST (sniff)
{
    static const SniffedText samples[] = {
        {"desc: (none)\ncmd: ./shop\ntime_unit: i\n#-----\nsnapshot=0\n", true},
        {"cmd: ./shop\r\ntime_unit: B\r\n", true},
        {"desc: (none)\ncmd: ./shop\nevents: Ir\n", false},
        {"time_unit: i\n", false},
        {"the\ndesc: (none)\ncmd: ./shop\ntime_unit: i\n", false},
        {"", false},
    };
    assert_sniffs (&pv_massif_reader, samples, G_N_ELEMENTS (samples));
}
