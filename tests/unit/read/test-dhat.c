/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of Valgrind's DHAT and the crate dhat, written here by hand. */
#include <string.h>

#include "reader-case.h"

static void
assert_spelled (const char *text, const char *expected)
{
    g_autoptr (PvProfile) profile = read_well (&pv_dhat_reader, text);
    assert_string (spell_weights (profile), expected);
}

#define VALGRIND                                                                                   \
    "{\"dhatFileVersion\":2,\"mode\":\"heap\",\"verb\":\"Allocated\",\"bklt\":true,"               \
    "\"bkacc\":true,\"bu\":\"byte\",\"bsu\":\"bytes\",\"bksu\":\"blocks\",\"tu\":\"instrs\","      \
    "\"Mtu\":\"Minstr\",\"tuth\":500,\"cmd\":\"./shop 7\",\"pid\":7,\"te\":900,\"tg\":800,\n"

static const char valgrind[] =
    VALGRIND "\"pps\":["
             "{\"tb\":96,\"tbk\":3,\"tl\":70,\"mb\":64,\"mbk\":2,\"gb\":32,\"gbk\":1,\"eb\":32,"
             "\"ebk\":1,\"rb\":10,\"wb\":20,\"acc\":[-4,1],\"fs\":[1,2,4]},"
             "{\"tb\":8,\"tbk\":1,\"tl\":5,\"mb\":8,\"mbk\":1,\"gb\":8,\"gbk\":1,\"eb\":0,"
             "\"ebk\":0,\"rb\":0,\"wb\":8,\"fs\":[3,4]}],"
             "\"ftbl\":[\"[root]\",\"0x109: malloc (in /usr/lib/vg (1).so)\","
             "\"0x10C: make (shop.c:5)\",\"0x10C: ???\",\"0x20: main (shop.c:9)\"]}";

TEST (valgrind)
{
    assert_spelled (
        valgrind,
        "peak=32 allocated=96 allocations=3 lifetime=70 peak-blocks=1 leaked=32 leaked-blocks=1 "
        "read=10 written=20 malloc@/usr/lib/vg (1).so make:shop.c:5 main:shop.c:9\n"
        "peak=8 allocated=8 allocations=1 lifetime=5 peak-blocks=1 leaked=0 leaked-blocks=0 "
        "read=0 written=8 0x10c main:shop.c:9\n");
    g_autoptr (PvProfile) profile = read_well (&pv_dhat_reader, valgrind);
    g_assert_cmpstr (profile->facts.command, ==, "./shop 7");
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (strcmp (profile->measures[m].name, "lifetime") == 0)
            g_assert_cmpstr (profile->measures[m].unit_name, ==, "instrs");
    g_assert_true (profile->sets[0].is_exact);
}

/* Neighbours with one address are inlined; places have columns; times are microseconds. */
TEST (rust)
{
    assert_spelled ("{\n\"dhatFileVersion\": 2,\n\"mode\": \"rust-heap\",\n\"bklt\": true,\n"
                    "\"tu\": \"µs\",\n\"pps\": [\n"
                    "{\"tb\": 6, \"tbk\": 1, \"tl\": 9, \"gb\": 0, \"fs\": [1, 2, 3]}],\n"
                    "\"ftbl\": [\"[root]\", \"0x5: alloc::alloc (alloc/src/alloc.rs:10:3)\",\n"
                    "\"0x5: <T as U<(A, B)>>::new (src/vec.rs:20:0)\",\n"
                    "\"0x9: main (src\\\\main.rs:30:7)\"]}",
                    "allocated=6 allocations=1 lifetime=9000 alloc::alloc:alloc/src/alloc.rs:10"
                    "[inlined] <T as U<(A, B)>>::new:src/vec.rs:20 main:src\\main.rs:30\n");
}

/* The table may come first; what it has not is unknown, and amounts may be no bytes. */
TEST (odd)
{
    assert_spelled ("{\"dhatFileVersion\":2,\"ftbl\":[\"[root]\",\"odd one\"],\"bsu\":\"wishes\","
                    "\"pps\":[{\"tb\":4,\"tbk\":2,\"fs\":[1,7,-3]},{\"tb\":-5,\"fs\":5}]}",
                    "amount=4 events=2 odd one 0x0 0x0\namount=0 events=0\n");
}

/* The verb of the file gives totals their names. */
TEST (verb)
{
    static const struct {
        const char *verb, *samples;
    } cases[] = {{"Copied", "copied=40 copies=2 f\n"},
                 {"Allocated", "allocated=40 allocations=2 f\n"},
                 {"Mapped In", "mapped-in=40 mapped-in-blocks=2 f\n"}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *text = g_strdup_printf (
            "{\"dhatFileVersion\":2,\"mode\":\"x\",\"verb\":\"%s\",\"pps\":[{\"tb\":40,\"tbk\":2,"
            "\"fs\":[1]}],\"ftbl\":[\"[root]\",\"f\"]}",
            cases[i].verb);
        assert_spelled (text, cases[i].samples);
        g_autoptr (PvProfile) profile = read_well (&pv_dhat_reader, text);
        g_assert_true (profile->is_of_allocations == (i == 1));
        g_assert_cmpint (profile->measures[0].unit, ==, PV_UNIT_BYTES);
    }
}

TEST (version)
{
    assert_refused (&pv_dhat_reader, "{\"dhatFileVersion\":1,\"pps\":[]}",
                    PV_READ_ERROR_UNSUPPORTED);
}

/* Cut anywhere, it gives what was there. */
TEST (cut)
{
    for (size_t n = strlen (VALGRIND); n < strlen (valgrind); n++) {
        g_autofree char *text = g_strndup (valgrind, n);
        g_autoptr (PvProfile) profile = read_well (&pv_dhat_reader, text);
        g_assert_cmpuint (profile->n_notes, >=, 1);
        g_assert_cmpuint (profile->sets[0].n_samples, <=, 2);
    }
}
