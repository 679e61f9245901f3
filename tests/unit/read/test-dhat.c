/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of Valgrind's DHAT and the crate dhat, written here by hand. */
#include <string.h>

#include "../cases.h"
#include "core/base/error.h"
#include "core/model/profile/profile.h"
#include "core/read/readers.h"

static PvProfile *
read_text (const char *text, GError **error)
{
    PvReadContext context = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (text, strlen (text)), strlen (text));
    g_assert_true (pv_read_find_reader (file) == &pv_dhat_reader);
    bool is_ok = pv_read_bytes (file, builder, &context, error);
    pv_mapped_file_unref (file);
    return is_ok ? pv_profile_builder_snapshot (builder) : NULL;
}

/* Leaf first: "f:a.c:5@/bin/sh[inlined] main". */
static void
spell_stack (GString *text, const PvProfile *profile, PvStackId stack)
{
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[location]];
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        for (bool is_last = false; !is_last; frame++) {
            is_last = frame->is_last;
            g_string_append_printf (text, " %s", frame->name);
            if (frame->file != NULL)
                g_string_append_printf (text, ":%s:%u", frame->file, frame->line);
            if (module->kind == PV_MODULE_FILE)
                g_string_append_printf (text, "@%s", module->path);
            g_string_append (text, is_last ? "" : "[inlined]");
        }
    }
}

/* A line for each sample: its weights by measure, then its stack. */
static char *
spell_profile (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    g_assert_cmpuint (profile->n_sets, ==, 1);
    const PvSampleSet *set = &profile->sets[0];
    for (uint32_t i = 0; i < set->n_samples; i++) {
        for (PvMeasureId m = 0; m < profile->n_measures; m++)
            g_string_append_printf (text, "%s%s=%" G_GUINT64_FORMAT, m > 0 ? " " : "",
                                    profile->measures[m].name,
                                    pv_sample_set_weight (set, profile->measures[m].column, i));
        spell_stack (text, profile, set->stack[i]);
        g_string_append_c (text, '\n');
    }
    return g_string_free (text, false);
}

static void
assert_spelled (const char *text, const char *expected)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (PvProfile) profile = read_text (text, &error);
    g_assert_no_error (error);
    assert_string (spell_profile (profile), expected);
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
    g_autoptr (PvProfile) profile = read_text (valgrind, NULL);
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

TEST (version)
{
    g_autoptr (GError) error = NULL;
    g_assert_null (read_text ("{\"dhatFileVersion\":1,\"pps\":[]}", &error));
    g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED);
}

/* Cut anywhere, it gives what was there. */
TEST (cut)
{
    for (size_t n = strlen (VALGRIND); n < strlen (valgrind); n++) {
        g_autofree char *text = g_strndup (valgrind, n);
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = read_text (text, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (profile->n_notes, >=, 1);
        g_assert_cmpuint (profile->sets[0].n_samples, <=, 2);
    }
}
