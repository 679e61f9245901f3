/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of bpftrace: made from random entries, which must come out again; and single cases. */
#include <string.h>

#include "reader-case.h"

#define read_text(text) read_well (&pv_bpftrace_reader, (text))

enum { N_CASES = 400 };

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

static char *
spell_set (const PvProfile *profile, uint32_t set_id, uint32_t column)
{
    g_autoptr (GHashTable) sums = new_sums ();
    const PvSampleSet *set = &profile->sets[set_id];
    for (uint32_t i = 0; i < set->n_samples; i++) {
        g_autofree char *sample = spell_sample (profile, set, i);
        add_to_sums (sums, sample, pv_sample_set_weight (set, column, i));
    }
    return spell_sums (sums);
}

static void
assert_set (const PvProfile *profile, uint32_t set, uint32_t column, const char *expected)
{
    assert_string (spell_set (profile, set, column), expected);
}

/* "@name[key] FIRST..LAST=COUNT …", or "@name KEY=VALUE …", of stats with "/COUNT". */
static char *
spell_distributions (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    for (uint32_t d = 0; d < profile->n_distributions; d++) {
        const PvDistribution *distribution = &profile->distributions[d];
        g_autofree char *title = pv_distribution_make_title (distribution);
        g_string_append (text, title);
        for (uint32_t b = 0; b < distribution->n_buckets; b++) {
            const PvBucket *bucket = &distribution->buckets[b];
            g_string_append_c (text, ' ');
            if (bucket->first != PV_BUCKET_NO_FIRST)
                g_string_append_printf (text, "%" G_GINT64_FORMAT, bucket->first);
            g_string_append (text, "..");
            if (bucket->last != PV_BUCKET_NO_LAST)
                g_string_append_printf (text, "%" G_GINT64_FORMAT, bucket->last);
            g_string_append_printf (text, "=%" G_GUINT64_FORMAT, bucket->count);
        }
        for (uint32_t r = 0; r < distribution->n_rows; r++) {
            const PvDistributionRow *row = &distribution->rows[r];
            g_string_append_printf (text, " %s=%" G_GINT64_FORMAT, row->key, row->value);
            if (distribution->kind == PV_DISTRIBUTION_STATS)
                g_string_append_printf (text, "/%" G_GUINT64_FORMAT, row->count);
        }
        g_string_append_c (text, '\n');
    }
    return g_string_free (text, FALSE);
}

static void
assert_distributions (const PvProfile *profile, const char *expected)
{
    assert_string (spell_distributions (profile), expected);
}

static void
assert_read (const char *text, const char *expected)
{
    g_test_message ("%s", text);
    g_autoptr (PvProfile) profile = read_text (text);
    g_assert_cmpuint (profile->n_measures, ==, 1);
    g_assert_true (pv_profile_has_only_distributions (profile));
    assert_distributions (profile, expected);
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
    g_autoptr (GHashTable) sums = new_sums ();
    g_autoptr (GHashTable) keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned i = 0; i < 10 + seed; i++) {
        g_autoptr (GString) spelled = g_string_new (NULL);
        g_autofree char *key = random_key (random, shape, style, spelled);
        gsize weight = (gsize)g_rand_int_range (random, 1, 1000);
        if (g_hash_table_contains (keys, key))
            continue; /* a second print would begin */
        g_string_append_printf (text, "@calls[%s]: %" G_GSIZE_FORMAT "\n", key, weight);
        g_hash_table_add (keys, g_steal_pointer (&key));
        add_to_sums (sums, spelled->str, weight);
    }
    if (seed % 5 == 0) { /* other maps are not mixed up with it */
        g_string_append (text, "\n@total: 7\n@by[bash, 7]: 3\n@lat:\n[1] 3 |@@@@|\n");
    }
    pv_test_say_case (seed, text->str);
    g_autoptr (PvProfile) profile = read_text (text->str);
    g_autofree char *expected = spell_sums (sums);
    g_assert_cmpuint (profile->n_sets, ==, 1);
    assert_set (profile, 0, 0, expected);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

TEST (random)
{
    for (unsigned seed = 0; seed < pv_test_rounds (N_CASES); seed++)
        check_random (seed);
}

/* --- single cases --- */

TEST (maps)
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
    g_assert_cmpuint (profile->n_notes, ==, 0);
    assert_distributions (profile, "@hist[read+7] 0..0=3\n@n =7\n");
}

TEST (prints)
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

TEST (frames)
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

TEST (ends)
{
    g_autoptr (PvProfile) profile =
        read_text ("@[\na+1\n<unwind failure>\n]: 3\n@[\n]: 4\n@[]: 5\n");
    g_assert_cmpuint (profile->measures[0].total, ==, 12);
    g_assert_cmpuint (pv_sample_set_stack_end (&profile->sets[0], 0), ==, PV_STACK_END_NO_RULE);
    assert_set (profile, 0, 0, "9 \n3 a\n");
}

TEST (broken)
{
    g_autoptr (PvProfile) profile =
        read_text ("@[\na+1\n@[\nb+1\n]: 99999999999999999999\n@[\nd+1\n]: -4\n@[\nc+1\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 2);
    g_assert_cmpuint (profile->n_notes, ==, 2);
    g_assert_cmpuint (profile->measures[0].total, ==, INT64_MAX / 4);
}

/* --- distributions --- */

TEST (buckets)
{
    static const struct {
        const char *line, *spelled;
    } lines[] = {
        {"[0]  3 |@@|", "0..0=3"},
        {"[1]                    1 |@                   |", "1..1=1"},
        {"[4, 8)  2 |@|", "4..7=2"},
        {"  [512, 1K)  2 |@|\r", "512..1023=2"},
        {"[1K, 2K) 2 |@|", "1024..2047=2"},
        {"[2M, 4M) 0 | |", "2097152..4194303=0"},
        {"[1G, 2G) 7 ||", "1073741824..2147483647=7"},
        {"[4E, 8E) 7 ||", "4611686018427387904..=7"},
        {"(..., 0) 9 |@|", "..-1=9"},
        {"(..., 100) 9 |@|", "..99=9"},
        {"(..., -5) 9 |@|", "..-6=9"},
        {"[-20, -10) 9 |@|", "-20..-11=9"},
        {"[-10, 0) 9 |@|", "-10..-1=9"},
        {"[1000, ...) 9 |@|", "1000..=9"},
        {"[0, 1] 9 |@|", "0..1=9"},
        {"[5, 5) 9 |@|", NULL},
        {"[8, 4) 9 |@|", NULL},
        {"[4, 8)  2", NULL},
        {"[4, 8)  2 |@@", NULL},
        {"[4, 8)  |@@|", NULL},
        {"[4, 8)  -2 |@@|", NULL},
        {"[4 8)  2 |@@|", NULL},
        {"[4Q, 8)  2 |@@|", NULL},
        {"[...]", NULL},
        {"[a, b) 2 |@|", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (lines); i++) {
        g_autofree char *text = g_strdup_printf ("@n[x]: 4\n@h:\n%s\n", lines[i].line);
        g_autofree char *spelled = lines[i].spelled != NULL
                                       ? g_strdup_printf ("@n x=4\n@h %s\n", lines[i].spelled)
                                       : g_strdup ("@n x=4\n");
        assert_read (text, spelled);
    }
}

TEST (histograms)
{
    assert_read ("@usecs: \n[0]     3 |@@@|\n[1]     0 |   |\n[2, 4)  1 |@  |\n\n",
                 "@usecs 0..0=3 1..1=0 2..3=1\n");
    assert_read ("@us[a, b c, 7]:\n[4, 8)  1 |@|\n\n@us[x[1]]: \n[16K, 32K)  2 |@|\n",
                 "@us[a, b c, 7] 4..7=1\n@us[x[1]] 16384..32767=2\n");
    /* The last print, also where its keys are others. */
    assert_read ("@h:\n[0] 1 |@|\n\n10:01\n@h:\n[1] 2 |@|\n", "@h 1..1=2\n");
    assert_read ("@h[a]:\n[0] 1 |@|\n\n@h[b]:\n[0] 3 |@|\n\n@h[a]:\n[1] 2 |@|\n", "@h[a] 1..1=2\n");
    /* By stack, beside weights of stacks. */
    g_autoptr (PvProfile) profile =
        read_text ("@h[\na+1\nb+2\n, sh]:\n[0] 1 |@|\n\n@[\nc+1\n]: 4\n");
    assert_distributions (profile, "@h[a+1; b+2, sh] 0..0=1\n");
    g_assert_cmpuint (profile->measures[0].total, ==, 4);
    g_assert_false (pv_profile_has_only_distributions (profile));
    g_assert_cmpuint (profile->distributions[0].total, ==, 1);
}

TEST (rows)
{
    assert_read ("Attached 1 probe\n@n: 7\n", "@n =7\n");
    assert_read ("@by[a, b, -3]: 3\n@by[x y]: 12\n@min[1]: -9\n@min[2]: 5\n",
                 "@by x y=12 a, b, -3=3\n@min 2=5 1=-9\n");
    assert_read ("@s[a]: count 3, average 5, total 15\n@s[b]: count 2, average 20, total 41\n",
                 "@s b=41/2 a=15/3\n");
    assert_read ("Attaching 1 probe...\n@s: count 3, average 5, total 15\n", "@s =15/3\n");
    assert_read ("@by[a]: 3\n\n10:01\n@by[a]: 1\n@by[b]: 2\n", "@by b=2 a=1\n");
    const PvDistributionRow row = {"", -41, 2};
    g_assert_cmpint (pv_distribution_get_mean (&row), ==, -20);
    g_assert_cmpint (pv_distribution_get_mean (&(PvDistributionRow){"", 7, 0}), ==, 0);
}

TEST (cut_off)
{
    static const char *const texts[] = {
        "@h:\n[0] 1 |@|\n[1] 2",
        "@n[x]: 4\n@h[a]:\n[0] 1 |@|\n\n@h[b]:\n[0]",
        "@n[x]: 4\n@h[a",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
        g_autoptr (PvProfile) profile = read_text (texts[i]);
        g_assert_cmpuint (profile->n_skipped_records, ==, 1);
        g_assert_cmpuint (profile->n_notes, >=, 1);
    }
    /* Any beginning of a file is read or refused. */
    static const char whole[] =
        "Attached 1 probe\n@a[b, c]:\n[0] 1 |@|\n[1K, 2K) 2 |@|\n\n@s[x]: count 3, average 5, "
        "total 15\n@[\nmain+1\n]: 3\n";
    for (size_t n = 40; n < strlen (whole); n++) {
        g_autofree char *part = g_strndup (whole, n);
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = try_to_read (&pv_bpftrace_reader, part, &error);
        g_assert_true ((profile != NULL) == (error == NULL));
    }
}

TEST (json)
{
    assert_read ("{\"type\": \"attached_probes\", \"data\": {\"probes\": 1}}\n"
                 "{\"type\": \"map\", \"data\": {\"@n\": 7}}\n"
                 "{\"type\": \"map\", \"data\": {\"@by\": {\"a,b\": 3, \"x y\": "
                 "\"9007199254740993\", \"t\": [1, 2], \"z\": -4}}}\n",
                 "@n =7\n@by x y=9007199254740993 a,b=3 z=-4\n");
    assert_read (
        "{\"type\": \"hist\", \"data\": {\"@h\": [{\"max\": -1, \"count\": 2}, {\"min\": 0, "
        "\"max\": 0, \"count\": 1}, {\"min\": 4, \"max\": 7, \"count\": 5}, {\"min\": 100, "
        "\"count\": 8}]}}\n",
        "@h ..-1=2 0..0=1 4..7=5 100..=8\n");
    assert_read ("{\"type\": \"hist\", \"data\": {\"@h\": {\"a,1\": [{\"min\": 1, \"max\": 1, "
                 "\"count\": 5}], \"count\": [{\"min\": 2, \"max\": 3, \"count\": 6}]}}}\n",
                 "@h[a,1] 1..1=5\n@h[count] 2..3=6\n");
    assert_read ("{\"type\": \"stats\", \"data\": {\"@s\": {\"count\": 3, \"average\": 5, "
                 "\"total\": 15}}}\n"
                 "{\"type\": \"stats\", \"data\": {\"@k\": {\"count\": {\"count\": 2, "
                 "\"average\": 1, \"total\": 3}}}}\n"
                 "{\"type\": \"stats\", \"data\": {\"@avg\": {\"count\": 3, \"bash\": 5}}}\n",
                 "@s =15/3\n@k count=3/2\n@avg bash=5 count=3\n");
    /* The last print. */
    assert_read ("{\"type\": \"map\", \"data\": {\"@by\": {\"a\": 3}}}\n"
                 "{\"type\": \"printf\", \"data\": \"hello\\n\"}\n"
                 "{\"type\": \"map\", \"data\": {\"@by\": {\"b\": 5}}}\n",
                 "@by b=5\n");
    g_autoptr (PvProfile) profile =
        read_text ("{\"type\": \"map\", \"data\": {\"@\": {\"\\nread+1\\nmain+2\\n,sh,4711\": 3, "
                   "\"\\nmain+2\\n,sh,4711\": \"4\"}}}\n");
    assert_set (profile, 0, 0, "4 sh/4711/4711 main\n3 sh/4711/4711 main;read\n");
    g_assert_cmpuint (profile->n_distributions, ==, 0);
}

TEST (broken_json)
{
    static const char *const texts[] = {
        "{\"type\": \"map\", \"data\": {\"@n\": {\"a\": 4, \"b\": 5",
        "{\"type\": \"map\", \"data\": {\"@n\": {\"a\": 4}}}\n{\"type\": \"map\", \"da",
        "{\"type\": \"map\", \"data\": {\"@n\": {\"a\": 4, nonsense}}}\n",
        "{\"type\": \"map\", \"data\": {\"@n\": {\"a\": 4}}}\n{\"type\": \"stats\", \"data\": "
        "{\"@s\": {\"count\": 3, \"ave",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
        g_test_message ("%s", texts[i]);
        g_autoptr (PvProfile) profile = read_text (texts[i]);
        assert_distributions (profile, "@n a=4\n");
        g_assert_cmpuint (profile->n_skipped_records, ==, 1);
    }
}

TEST (words)
{
    static const struct {
        PvBucket bucket;
        const char *range, *edge;
    } samples[] = {
        {{0, 0, 1}, "0", "0"},
        {{4, 7, 1}, "4 to 7", "4"},
        {{16384, 32767, 1}, "16,384 to 32,767", "16K"},
        {{INT64_MIN, -1, 1}, "below 0", "…"},
        {{-20, -11, 1}, "−20 to −11", "−20"},
        {{1000, INT64_MAX, 1}, "1,000 and more", "1,000"},
        {{INT64_MIN, INT64_MAX, 1}, "any number", "…"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        g_autofree char *range = pv_bucket_format_range (&samples[i].bucket);
        g_autofree char *edge = pv_bucket_format_edge (&samples[i].bucket);
        g_assert_cmpstr (range, ==, samples[i].range);
        g_assert_cmpstr (edge, ==, samples[i].edge);
    }
    g_autoptr (PvProfile) profile = read_text ("@h:\n[0] 1 |@|\n[1] 3 |@|\n");
    g_assert_cmpfloat (pv_distribution_get_percent (&profile->distributions[0], 0), ==, 25);
    g_assert_cmpfloat (pv_distribution_get_percent (&profile->distributions[0], 1), ==, 100);
}

TEST (refused)
{
    g_autoptr (GError) error = NULL;
    g_assert_null (try_to_read (
        &pv_bpftrace_reader, "{\"type\": \"map\", \"data\": {\"@a\": {\"b\": [1, 2]}}}\n", &error));
    g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED);
    g_assert_nonnull (strstr (error->message, "@a"));
    g_clear_error (&error);
    g_assert_null (try_to_read (&pv_bpftrace_reader,
                                "{\"type\": \"attached_probes\", \"data\": {\"probes\": 1}}\n",
                                &error));
    g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED);
}

TEST (sniff)
{
    static const SniffedText samples[] = {
        {"Attached 1 probe\n@n: 5\n", true},
        {"@x[1]: 5\n", true},
        {"words\n@[\nmain+1\nstart+2\n]: 5\n", true},
        {"@[\nmain+1\n", false},
        {"@n: 5\n", false},
        {"@a.b[1]: 5\n", false},
        {"main;@[x] 5\n", false},
        {"", false},
        {"@h:\n[0] 1 |@|\n", true},
        {"@h:\n0 1\n", false},
        {"{\"type\": \"hist\", \"data\": {\"@\": []}}", true},
        {"\n{ \"type\" : \"attached_probes\", \"data\": {}}\n", true},
        {"{\"type\": \"printf\", \"data\": \"x\"}\n{\"type\": \"map\", \"data\": {}}\n", true},
        {"{\"type\": \"printf\", \"data\": \"x\"}\n", false},
        {"{\"type\": \"map\"}", false},
        {"{\"data\": {}}\n{\"type\": \"map\", \"data\": {}}\n", false},
    };
    assert_sniffs (&pv_bpftrace_reader, samples, G_N_ELEMENTS (samples));
    /* So long a text that a reader of files without a magic number might take it for one. */
    g_autoptr (GString) text = g_string_new (NULL);
    for (int i = 0; i < 100000; i++)
        g_string_append_printf (text, "@n[key %d, x]: %d\n", i, i);
    g_autoptr (PvProfile) profile = read_text (text->str);
    g_assert_cmpuint (profile->distributions[0].n_rows, ==, 100000);
}
