/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of bpftrace: made from random entries, which must come out again; and single cases. */
#include <glib.h>
#include <string.h>

#include "core/base/error.h"
#include "core/model/profile/profile.h"
#include "core/read/readers.h"

enum { N_CASES = 400 };

static PvProfile *
try_text (const char *text, GError **error)
{
    PvReadContext context = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvMappedFile *file = pv_mapped_file_new_take (g_memdup2 (text, strlen (text)), strlen (text));
    g_assert_true (pv_read_find_reader (file) == &pv_bpftrace_reader);
    bool is_read = pv_read_bytes (file, builder, &context, error);
    pv_mapped_file_unref (file);
    return is_read ? pv_profile_builder_snapshot (builder) : NULL;
}

static PvProfile *
read_text (const char *text)
{
    g_autoptr (GError) error = NULL;
    PvProfile *profile = try_text (text, &error);
    g_assert_no_error (error);
    return profile;
}

/* Frames, outermost first: "main;f(inlined);read@kernel". */
static void
spell_stack (const PvProfile *profile, PvStackId stack, GString *text)
{
    g_autoptr (GString) frames = g_string_new (NULL);
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[location]];
        for (;; frame++) {
            g_autofree char *spelled =
                g_strdup_printf ("%s%s%s%s", frame->name, frame->is_last ? "" : "(inlined)",
                                 module->is_kernel ? "@kernel" : "", frames->len > 0 ? ";" : "");
            g_string_prepend (frames, spelled);
            if (frame->is_last)
                break;
        }
    }
    g_string_append (text, frames->str);
}

/* "comm/pid/tid key=value stack" */
static char *
spell_sample (const PvProfile *profile, const PvSampleSet *set, uint32_t sample)
{
    GString *text = g_string_new (NULL);
    PvThreadId id = pv_sample_set_thread (set, sample);
    const PvThread *thread = &profile->threads[id];
    if (id != 0)
        g_string_append_printf (text, "%s/%d/%d ", thread->name,
                                MAX (profile->processes[thread->process].pid, -1),
                                MAX (thread->tid, -1));
    uint32_t label_set = set->label_set != NULL ? set->label_set[sample] : 0;
    const uint32_t *first = profile->first_label_of_set;
    for (uint32_t i = 0; label_set != 0 && i < first[label_set + 1] - first[label_set]; i++) {
        const PvLabel *label = &profile->labels[first[label_set] + i];
        if (label->text != NULL)
            g_string_append_printf (text, "%s=%s ", label->key, label->text);
        else
            g_string_append_printf (text, "%s=%" G_GINT64_FORMAT " ", label->key, label->number);
    }
    spell_stack (profile, set->stack[sample], text);
    return g_string_free (text, FALSE);
}

static GTree *
new_sums (void)
{
    return g_tree_new_full ((GCompareDataFunc)(void (*) (void))g_strcmp0, NULL, g_free, NULL);
}

static void
add_to_sums (GTree *sums, char *key, gsize weight)
{
    weight += GPOINTER_TO_SIZE (g_tree_lookup (sums, key));
    g_tree_replace (sums, key, GSIZE_TO_POINTER (weight));
}

/* Lines of "SUM KEY". */
static char *
spell_sums (GTree *sums)
{
    GString *text = g_string_new (NULL);
    for (GTreeNode *node = g_tree_node_first (sums); node != NULL; node = g_tree_node_next (node))
        g_string_append_printf (text, "%" G_GSIZE_FORMAT " %s\n",
                                GPOINTER_TO_SIZE (g_tree_node_value (node)),
                                (const char *)g_tree_node_key (node));
    return g_string_free (text, FALSE);
}

static char *
spell_set (const PvProfile *profile, uint32_t set_id, uint32_t column)
{
    g_autoptr (GTree) sums = new_sums ();
    const PvSampleSet *set = &profile->sets[set_id];
    for (uint32_t i = 0; i < set->n_samples; i++)
        add_to_sums (sums, spell_sample (profile, set, i), pv_sample_set_weight (set, column, i));
    return spell_sums (sums);
}

static void
assert_set (const PvProfile *profile, uint32_t set, uint32_t column, const char *expected)
{
    g_autofree char *found = spell_set (profile, set, column);
    g_assert_cmpstr (found, ==, expected);
}

/* --- random texts --- */

typedef enum { KSTACK, USTACK, COMM, PID, TID, PROBE, END } Part;

static const Part shapes[][6] = {
    {KSTACK, END},
    {KSTACK, USTACK, END},
    {USTACK, KSTACK, COMM, END},
    {COMM, KSTACK, END},
    {KSTACK, USTACK, COMM, PID, END},
    {PID, TID, COMM, USTACK, END},
    {PROBE, KSTACK, COMM, PID, END},
    {COMM, PID, PROBE, END},
};
static const char *const names[] = {"vfs_read", "operator+(int, char)",    "operator[](T)",
                                    "x+y",      "a::b<c[3], d>::e(f)",     "f@plt",
                                    "g]: 7",    "void f<(anonymous)>(int)"};

static void
add_stack (GRand *random, bool is_kernel, int style, GString *text, GString *spelled)
{
    static const char *const indents[] = {"", "    ", "\t"};
    g_autoptr (GString) frames = g_string_new (NULL);
    int n = g_rand_int_range (random, 0, 6);
    g_string_append (text, "\n");
    for (int i = 0; i < n; i++) {
        bool is_root = i == n - 1;
        const char *name = names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))];
        if (is_root)
            name = is_kernel ? "entry_SYSCALL_64_after_hwframe" : "_start";
        bool is_inlined = !is_root && style < 2 && g_rand_int_range (random, 0, 4) == 0;
        g_string_append (text, indents[style]);
        if (style == 2)
            g_string_append (text, is_kernel ? "ffffffffb4019501 " : "7f4a12345678 ");
        g_string_append_printf (text, "%s%s", is_inlined ? "[inlined] " : "", name);
        if (!is_inlined)
            g_string_append_printf (text, "+%d", g_rand_int_range (random, 0, 3));
        if (style == 2 && !is_kernel)
            g_string_append (text, " (/usr/bin/shop (old))");
        g_string_append (text, "\n");
        g_autofree char *frame = g_strdup_printf ("%s%s%s%s", name, is_inlined ? "(inlined)" : "",
                                                  is_kernel ? "@kernel" : "", i > 0 ? ";" : "");
        g_string_prepend (frames, frame);
    }
    if (spelled->len > 0 && frames->len > 0)
        g_string_append_c (spelled, ';');
    g_string_append (spelled, frames->str);
}

/* An entry's key, and how its sample is spelled. */
static char *
random_key (GRand *random, const Part *shape, int style, GString *ret_spelled)
{
    static const char *const comms[] = {"bash", "web server", "a,b", "x"};
    GString *text = g_string_new (NULL);
    g_autoptr (GString) label = g_string_new (NULL);
    g_autoptr (GString) kernel = g_string_new (NULL);
    g_autoptr (GString) user = g_string_new (NULL);
    const char *comm = NULL;
    int pid = -1, tid = -1;
    for (int i = 0; shape[i] != END; i++) {
        if (i > 0)
            g_string_append (text, ", ");
        switch (shape[i]) {
        case KSTACK:
            add_stack (random, true, style, text, kernel);
            break;
        case USTACK:
            add_stack (random, false, style, text, user);
            break;
        case COMM:
            comm = comms[g_rand_int_range (random, 0, G_N_ELEMENTS (comms))];
            g_string_append (text, comm);
            break;
        case PID:
            pid = g_rand_int_range (random, 1000, 1004);
            g_string_append_printf (text, "%d", pid);
            break;
        case TID:
            tid = pid + g_rand_int_range (random, 0, 3);
            g_string_append_printf (text, "%d", tid);
            break;
        case PROBE:
            g_string_append (text, "kprobe:vfs_read_iter");
            g_string_append_printf (label, "key %d=kprobe:vfs_read_iter ", i + 1);
            break;
        case END:
            g_assert_not_reached ();
        }
    }
    if (comm != NULL)
        g_string_append_printf (ret_spelled, "%s/%d/%d ", comm, pid, tid >= 0 ? tid : pid);
    g_string_append_printf (ret_spelled, "%s%s%s%s", label->str, user->str,
                            user->len > 0 && kernel->len > 0 ? ";" : "", kernel->str);
    return g_string_free (text, FALSE);
}

static void
check_random (unsigned seed)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (seed);
    g_autoptr (GString) text =
        g_string_new (seed % 2 ? "Attaching 1 probe...\n\n" : "some words\n");
    const Part *shape = shapes[seed % (G_N_ELEMENTS (shapes) - 1)];
    int style = (int)(seed / 7 % 3);
    g_autoptr (GTree) sums = new_sums ();
    g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned i = 0; i < 10 + seed; i++) {
        g_autoptr (GString) spelled = g_string_new (NULL);
        g_autofree char *key = random_key (random, shape, style, spelled);
        gsize weight = (gsize)g_rand_int_range (random, 1, 1000);
        if (g_hash_table_contains (keys, key))
            continue; /* a second print would begin */
        g_string_append_printf (text, "@calls[%s]: %" G_GSIZE_FORMAT "\n", key, weight);
        g_hash_table_add (keys, g_steal_pointer (&key));
        add_to_sums (sums, g_strdup (spelled->str), weight);
    }
    if (seed % 5 == 0) { /* other maps are not mixed up with it */
        g_string_append (text, "\n@total: 7\n@by[bash, 7]: 3\n@lat:\n[1] 3 |@@@@|\n");
    }
    g_test_message ("case %u:\n%s", seed, text->str);
    g_autoptr (PvProfile) profile = read_text (text->str);
    g_autofree char *expected = spell_sums (sums);
    g_assert_cmpuint (profile->n_sets, ==, 1);
    assert_set (profile, 0, 0, expected);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

static void
test_random (void)
{
    for (unsigned seed = 0; seed < N_CASES; seed++)
        check_random (seed);
}

/* --- single cases --- */

static void
test_maps (void)
{
    g_autoptr (PvProfile) profile =
        read_text ("@[\nread+1\nmain+2\n]: 3\n@reads[\nread+1\n]: 5\n@times[\nread+7\n, sh]: count "
                   "2, average 20, total 41\n@hist[\nread+7\n]:\n[0]  3 |@@@|\n@n: 7\n");
    g_assert_cmpuint (profile->n_measures, ==, 4);
    g_assert_cmpstr (profile->measures[0].name, ==, "count");
    g_assert_cmpstr (profile->measures[1].name, ==, "@reads");
    g_assert_cmpstr (profile->measures[2].name, ==, "@times");
    g_assert_cmpstr (profile->measures[3].name, ==, "@times-count");
    g_assert_cmpuint (profile->measures[2].total, ==, 41);
    g_assert_cmpuint (profile->measures[3].total, ==, 2);
    assert_set (profile, 0, 0, "3 main;read\n");
    assert_set (profile, 2, 0, "41 sh/-1/-1 read\n");
    g_assert_cmpuint (profile->n_notes, ==, 1);
    g_assert_nonnull (strstr (profile->notes[0].text, "@hist (histograms), @n"));
}

static void
test_prints (void)
{
    /* The second print begins with a smaller number, the third with a key that was there. */
    g_autoptr (PvProfile) profile =
        read_text ("10:00\n@[\na+1\n]: 3\n@[\nb+1\n]: 5\n\n10:01\n@[\nc+1\n]: 1\n@[\nb+1\n]: 6\n"
                   "@[\nc+1\n]: 8\n@[\na+1\n]: 9\n");
    g_assert_cmpuint (profile->n_measures, ==, 2);
    g_assert_cmpstr (profile->measures[1].name, ==, "count-all-prints");
    g_assert_cmpuint (profile->measures[0].total, ==, 17);
    g_assert_cmpuint (profile->measures[1].total, ==, 32);
    g_assert_cmpuint (profile->n_notes, ==, 1);
    g_assert_nonnull (strstr (profile->notes[0].text, "3 times"));

    g_autoptr (PvProfile) one = read_text ("@[\na+1\n]: 3\n[...]\n@[\nb+1\n]: 5\n");
    g_assert_cmpuint (one->n_measures, ==, 1);
    g_assert_cmpuint (one->measures[0].total, ==, 8);
}

static void
test_frames (void)
{
    static const struct {
        const char *line, *name, *file;
        unsigned file_line;
        bool is_unknown;
    } samples[] = {
        {"read+12", "read", NULL, 0, false},
        {"  a+b+7\r", "a+b", NULL, 0, false},
        {"main+38@/src/a b.c:17", "main", "/src/a b.c", 17, false},
        {"0x7f12", "0x7f12", NULL, 0, true},
        {"7f1234567890", "0x7f1234567890", NULL, 0, true},
        {"\t55d012345678 f(int)+3 (/bin/x)", "f(int)", NULL, 0, false},
        {"\t55d012345678 [unknown] ([unknown])", "0x55d012345678", NULL, 0, true},
        {"\t55d012345678 0x55d012345678 ([unknown])", "0x55d012345678", NULL, 0, true},
        {"add f+3", "add f", NULL, 0, false},
        {"+7", "+7", NULL, 0, false},
        {"memcpy@@GLIBC_2.14+26", "memcpy@@GLIBC_2.14", NULL, 0, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        g_autofree char *text = g_strdup_printf ("@[\n%s\n]: 1\n", samples[i].line);
        g_test_message ("%s", text);
        g_autoptr (PvProfile) profile = read_text (text);
        g_assert_cmpuint (profile->n_locations, ==, 2);
        const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[1]];
        g_assert_cmpstr (frame->name, ==, samples[i].name);
        g_assert_cmpstr (frame->file, ==, samples[i].file);
        g_assert_cmpuint (frame->line, ==, samples[i].file_line);
        g_assert_true (frame->is_unknown == samples[i].is_unknown);
    }
    g_autoptr (PvProfile) perf = read_text ("@[\n\tffffffffb4019501 do_mmap+1\n\n, \n"
                                            "\t7f12345678 mmap+3 (/lib/libc.so.6)\n]: 1\n");
    assert_set (perf, 0, 0, "1 mmap;do_mmap@kernel\n");
    g_assert_cmpstr (perf->modules[perf->module_of_location[2]].name, ==, "libc.so.6");
}

static void
test_ends (void)
{
    g_autoptr (PvProfile) profile =
        read_text ("@[\na+1\n<unwind failure>\n]: 3\n@[\n]: 4\n@[]: 5\n");
    g_assert_cmpuint (profile->measures[0].total, ==, 12);
    g_assert_cmpuint (pv_sample_set_stack_end (&profile->sets[0], 0), ==, PV_STACK_END_NO_RULE);
    assert_set (profile, 0, 0, "9 \n3 a\n");
}

static void
test_broken (void)
{
    g_autoptr (PvProfile) profile =
        read_text ("@[\na+1\n@[\nb+1\n]: 99999999999999999999\n@[\nd+1\n]: -4\n@[\nc+1\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 2);
    g_assert_cmpuint (profile->n_notes, ==, 2);
    g_assert_cmpuint (profile->measures[0].total, ==, INT64_MAX / 4);
}

static void
test_refused (void)
{
    g_autoptr (GError) error = NULL;
    g_assert_null (try_text ("Attaching 1 probe...\n@reads[bash]: 3\n@n: 7\n", &error));
    g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED);
    g_assert_nonnull (strstr (error->message, "@reads, @n"));
}

static void
test_sniff (void)
{
    static const struct {
        const char *text;
        bool is_bpftrace;
    } samples[] = {
        {"Attached 1 probe\n@n: 5\n", true},
        {"@x[1]: 5\n", true},
        {"words\n@[\nmain+1\nstart+2\n]: 5\n", true},
        {"@[\nmain+1\n", false},
        {"@n: 5\n", false},
        {"@a.b[1]: 5\n", false},
        {"main;@[x] 5\n", false},
        {"", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        g_test_message ("%s", samples[i].text);
        g_assert_true (
            pv_bpftrace_reader.sniff ((const uint8_t *)samples[i].text, strlen (samples[i].text)) ==
            samples[i].is_bpftrace);
    }
}

int
main (int argc, char *argv[])
{
    g_test_init (&argc, &argv, NULL);
    g_test_add_func ("/bpftrace/random", test_random);
    g_test_add_func ("/bpftrace/maps", test_maps);
    g_test_add_func ("/bpftrace/prints", test_prints);
    g_test_add_func ("/bpftrace/frames", test_frames);
    g_test_add_func ("/bpftrace/ends", test_ends);
    g_test_add_func ("/bpftrace/broken", test_broken);
    g_test_add_func ("/bpftrace/refused", test_refused);
    g_test_add_func ("/bpftrace/sniff", test_sniff);
    return g_test_run ();
}
