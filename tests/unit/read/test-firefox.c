/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random profiles, written as several versions of the format and as Gecko's, come out the same. */
#include <string.h>

#include "core/read/firefox/firefox-text.h"
#include "reader-case.h"

#define read_text(text) read_well (&pv_firefox_reader, (text))

enum { N_CASES = 240, N_LIBS = 3, MAX_NODES = 60, N_NAMES = 6, GECKO = 0 };

/* --- a profile --- */

typedef struct {
    int parent; /* -1: a root */
    int name;   /* -1: only an address */
    int lib;    /* -1: none */
    int address;
    int depth; /* of inlining */
} Node;

typedef struct {
    int n_nodes;
    Node nodes[MAX_NODES];
} Tree;

static const char *const names[N_NAMES] = {"main", "run \\\"loop\\\"", "f(int, char)", "a::b",
                                           "x",    "Vec<T>::push"};
static const char *const meant[N_NAMES] = {"main", "run \"loop\"", "f(int, char)", "a::b",
                                           "x",    "Vec<T>::push"};

static void
make_tree (Tree *tree, GRand *random, bool is_gecko)
{
    tree->n_nodes = g_rand_int_range (random, 1, MAX_NODES);
    for (int i = 0; i < tree->n_nodes; i++) {
        Node *node = &tree->nodes[i];
        node->parent = i > 0 ? g_rand_int_range (random, -1, i) : -1;
        node->lib = g_rand_int_range (random, is_gecko ? 0 : -1, N_LIBS);
        bool is_bare = node->lib >= 0 && g_rand_int_range (random, 0, 3) == 0;
        node->name = is_bare ? -1 : g_rand_int_range (random, 0, N_NAMES);
        if (is_gecko && !is_bare)
            node->lib = -1;
        node->address = g_rand_int_range (random, 0, 8) * 16;
        node->depth = 0;
        const Node *parent = node->parent >= 0 ? &tree->nodes[node->parent] : NULL;
        if (!is_gecko && parent != NULL && parent->name >= 0 && node->name >= 0 &&
            parent->lib >= 0 && g_rand_boolean (random)) {
            node->lib = parent->lib;
            node->address = parent->address;
            node->depth = parent->depth + 1;
        }
    }
}

static void
spell_node (const Tree *tree, int n, bool is_leaf, bool is_gecko, GString *out)
{
    const Node *node = &tree->nodes[n];
    if (node->parent >= 0) {
        spell_node (tree, node->parent, false, is_gecko, out);
        g_string_append_c (out, ';');
    }
    if (node->name < 0)
        g_string_append_printf (out, "lib%d+0x%x%s", node->lib, node->address,
                                is_gecko && !is_leaf ? "(return)" : "");
    else
        g_string_append_printf (out, "%s%s", meant[node->name], node->depth > 0 ? "_[i]" : "");
    if (node->name >= 0 && node->lib >= 0)
        g_string_append_printf (out, "@lib%d", node->lib);
}

typedef struct {
    GRand *random;
    int version; /* GECKO, or of the processed format */
    GString *text;
    GHashTable *expected; /* lines */
} Writing;

static bool
is_shared (const Writing *self)
{
    return self->version >= 60;
}

/* --- columns --- */

static void
begin_column (GString *text, const char *name)
{
    g_string_append_printf (text, "%s\"%s\":[", text->str[text->len - 1] == '{' ? "" : ",", name);
}

static void
add_cell (GString *text, const char *format, ...)
{
    va_list args;
    va_start (args, format);
    if (text->str[text->len - 1] != '[')
        g_string_append_c (text, ',');
    g_string_append_vprintf (text, format, args);
    va_end (args);
}

static void
add_index (GString *text, int index)
{
    if (index < 0)
        add_cell (text, "null");
    else
        add_cell (text, "%d", index);
}

#define ADD_COLUMN(text, name, n, add)                                                             \
    do {                                                                                           \
        begin_column (text, name);                                                                 \
        for (int i = 0; i < (n); i++)                                                              \
            add;                                                                                   \
        g_string_append_c (text, ']');                                                             \
    } while (0)

/* --- the processed format --- */

/* Strings are the names, then an address for each node. A frame and a function for each node. */
static void
add_strings (Writing *self, const Tree *tree, const char *key)
{
    begin_column (self->text, key);
    for (int i = 0; i < N_NAMES; i++)
        add_cell (self->text, "\"%s\"", names[i]);
    for (int i = 0; i < tree->n_nodes; i++)
        add_cell (self->text, "\"0x%x\"", tree->nodes[i].address);
    g_string_append_c (self->text, ']');
}

static void
add_tables (Writing *self, const Tree *tree)
{
    GString *text = self->text;
    const Node *nodes = tree->nodes;
    int n = tree->n_nodes;
    g_string_append (text, ",\"stackTable\":{");
    ADD_COLUMN (text, "frame", n, add_cell (text, "%d", n - 1 - i));
    if (self->version >= 66)
        ADD_COLUMN (text, "prefixOffset", n,
                    add_cell (text, "%d", nodes[i].parent < 0 ? 0 : i - nodes[i].parent));
    else
        ADD_COLUMN (text, "prefix", n, add_index (text, nodes[i].parent));
    g_string_append_printf (text, ",\"length\":%d},\"frameTable\":{", n);
    /* Frames are the other way round. */
    ADD_COLUMN (text, "address", n, add_cell (text, "%d", nodes[n - 1 - i].address));
    if (self->version >= 36)
        ADD_COLUMN (text, "inlineDepth", n, add_cell (text, "%d", nodes[n - 1 - i].depth));
    ADD_COLUMN (text, "category", n, add_index (text, (n - 1 - i) % 3 - 1));
    ADD_COLUMN (text, "func", n, add_cell (text, "%d", i));
    ADD_COLUMN (text, "line", n, add_cell (text, "null"));
    if (self->version >= 70)
        ADD_COLUMN (text, "lib", n, add_cell (text, "%d", nodes[n - 1 - i].lib));
    g_string_append (text, "},\"funcTable\":{");
    ADD_COLUMN (
        text, "name", n,
        add_cell (text, "%d",
                  nodes[n - 1 - i].name >= 0 ? nodes[n - 1 - i].name : N_NAMES + n - 1 - i));
    ADD_COLUMN (text, "isJS", n, add_cell (text, "false"));
    ADD_COLUMN (text, "resource", n, add_cell (text, "%d", nodes[n - 1 - i].lib));
    g_string_append (text, "},\"resourceTable\":{");
    ADD_COLUMN (text, "type", N_LIBS, add_cell (text, "1"));
    if (self->version < 70)
        ADD_COLUMN (text, "lib", N_LIBS, add_cell (text, "%d", i));
    g_string_append (text, "}");
}

static void
add_libs (Writing *self)
{
    g_string_append (self->text, ",\"libs\":[");
    for (int i = 0; i < N_LIBS; i++)
        add_cell (self->text,
                  "{\"name\":\"lib%d\",\"path\":\"/usr/lib/lib%d\",\"start\":%d,\"end\":%d,"
                  "\"offset\":0,\"debugName\":\"lib%d\",\"breakpadId\":\"0\",\"codeId\":null}",
                  i, i, (i + 1) * 65536, (i + 2) * 65536, i);
    g_string_append (self->text, "]");
}

typedef struct {
    int node, weight, cpu_us, time_ms;
} Sample;

static void
expect (Writing *self, const Tree *tree, const Sample *sample, int tid)
{
    g_autoptr (GString) line = g_string_new (NULL);
    g_string_append_printf (line, "%d: %d ms, %d, %d us ", tid, sample->time_ms, sample->weight,
                            sample->cpu_us);
    if (sample->node >= 0)
        spell_node (tree, sample->node, true, self->version == GECKO, line);
    add_to_sums (self->expected, line->str, 1);
}

static int
make_samples (Writing *self, const Tree *tree, int tid, Sample *samples)
{
    int n = g_rand_int_range (self->random, 1, 40), time_ms = 5;
    for (int i = 0; i < n; i++) {
        time_ms += g_rand_int_range (self->random, 0, 3);
        samples[i] = (Sample){
            .node = g_rand_int_range (self->random, -1, tree->n_nodes),
            .weight = self->version == GECKO ? 1 : g_rand_int_range (self->random, 0, 9),
            .cpu_us = i > 0 ? g_rand_int_range (self->random, 1, 900) : 0,
            .time_ms = time_ms,
        };
        expect (self, tree, &samples[i], tid);
    }
    return n;
}

static void
add_samples (Writing *self, const Tree *tree, int tid)
{
    Sample samples[40];
    GString *text = self->text;
    int n = make_samples (self, tree, tid, samples);
    g_string_append_printf (text, ",\"samples\":{\"length\":%d", n);
    ADD_COLUMN (text, "stack", n, add_index (text, samples[i].node));
    if (self->version >= 50 && g_rand_boolean (self->random))
        ADD_COLUMN (
            text, "timeDeltas", n,
            add_cell (text, "%d", samples[i].time_ms - (i > 0 ? samples[i - 1].time_ms : 0)));
    else
        ADD_COLUMN (text, "time", n, add_cell (text, "%d.0", samples[i].time_ms));
    ADD_COLUMN (text, "weight", n, add_cell (text, "%d", samples[i].weight));
    ADD_COLUMN (text, "threadCPUDelta", n, add_cell (text, "%d", samples[i].cpu_us));
    g_string_append (text, ",\"weightType\":\"samples\"}");
}

static void
add_thread (Writing *self, const Tree *shared, int tid)
{
    Tree own;
    const Tree *tree = shared;
    g_string_append_printf (self->text,
                            "%s{\"name\":\"t%d\",\"pid\":\"7.1\",\"tid\":\"%d\",\"processName\":"
                            "\"shop\",\"registerTime\":1.5,\"unregisterTime\":null",
                            tid > 0 ? "," : "", tid, tid);
    if (!is_shared (self)) {
        make_tree (&own, self->random, false);
        tree = &own;
        if (self->version < 41)
            add_libs (self);
    }
    bool samples_first = g_rand_boolean (self->random);
    if (samples_first)
        add_samples (self, tree, tid);
    if (!is_shared (self)) {
        add_tables (self, tree);
        add_strings (self, tree, "stringArray");
    }
    if (!samples_first)
        add_samples (self, tree, tid);
    g_string_append (self->text, "}");
}

static void
write_processed (Writing *self)
{
    Tree shared;
    make_tree (&shared, self->random, false);
    g_string_append_printf (
        self->text,
        "{\"meta\":{\"preprocessedProfileVersion\":%d,\"interval\":1,\"startTime\":1000.5,"
        "\"product\":\"shop\",\"categories\":[{\"name\":\"User\"},{\"name\":\"Kernel\"}],"
        "\"sampleUnits\":{\"time\":\"ms\",\"threadCPUDelta\":\"\\u00b5s\"}}",
        self->version);
    bool libs_first = g_rand_boolean (self->random);
    if (libs_first && self->version >= 41)
        add_libs (self);
    g_string_append (self->text, ",\"threads\":[");
    for (int t = 0; t < 3; t++)
        add_thread (self, &shared, t);
    g_string_append (self->text, "]");
    if (is_shared (self)) {
        g_string_append (self->text, ",\"shared\":{\"sources\":{\"length\":0}");
        add_tables (self, &shared);
        add_strings (self, &shared, "stringArray");
        g_string_append (self->text, "}");
    }
    if (!libs_first && self->version >= 41)
        add_libs (self);
    g_string_append (self->text, "}");
}

/* --- Gecko's format --- */

static void
add_gecko_location (GString *text, const Node *node)
{
    if (node->name >= 0)
        add_cell (text, "\"%s\"", names[node->name]);
    else
        add_cell (text, "\"0x%x\"", (node->lib + 1) * 65536 + node->address);
}

static void
write_gecko (Writing *self)
{
    Tree tree;
    Sample samples[40];
    GString *text = self->text;
    g_string_append (text,
                     "{\"meta\":{\"version\":24,\"interval\":1,\"startTime\":5,\"sampleUnits\":"
                     "{\"threadCPUDelta\":\"us\"}}");
    add_libs (self);
    g_string_append (text, ",\"threads\":[");
    for (int tid = 0; tid < 2; tid++) {
        make_tree (&tree, self->random, true);
        int n = make_samples (self, &tree, tid, samples);
        g_string_append_printf (
            text,
            "%s{\"name\":\"t%d\",\"pid\":7,\"tid\":%d,\"samples\":{\"schema\":{\"stack\":0,"
            "\"time\":1,\"eventDelay\":2,\"threadCPUDelta\":3},\"data\":[",
            tid > 0 ? "," : "", tid, tid);
        for (int i = 0; i < n; i++) {
            add_cell (text, "[");
            add_index (text, samples[i].node);
            add_cell (text, "%d.0", samples[i].time_ms);
            if (samples[i].cpu_us > 0)
                g_string_append_printf (text, ",0,%d", samples[i].cpu_us);
            g_string_append_c (text, ']');
        }
        g_string_append (text,
                         "]},\"stackTable\":{\"schema\":{\"frame\":1,\"prefix\":0},\"data\":[");
        for (int i = 0; i < tree.n_nodes; i++) {
            add_cell (text, "[");
            add_index (text, tree.nodes[i].parent);
            add_cell (text, "%d]", i);
        }
        g_string_append (text,
                         "]},\"frameTable\":{\"schema\":{\"location\":0,\"line\":1},\"data\":[");
        for (int i = 0; i < tree.n_nodes; i++)
            add_cell (text, "[%d]", i);
        g_string_append (text, "]}");
        begin_column (text, "stringTable");
        for (int i = 0; i < tree.n_nodes; i++)
            add_gecko_location (text, &tree.nodes[i]);
        g_string_append (text, "]}");
    }
    g_string_append (text, "]}");
}

/* --- what came out --- */

static void
spell_stack (const PvProfile *profile, PvStackId stack, GString *out)
{
    PvLocationId location = profile->location_of_stack[stack];
    const PvModule *module = &profile->modules[profile->module_of_location[location]];
    if (profile->parent_of_stack[stack] != 0) {
        spell_stack (profile, profile->parent_of_stack[stack], out);
        g_string_append_c (out, ';');
    }
    uint32_t given =
        profile->given_of_location != NULL ? profile->given_of_location[location] : UINT32_MAX;
    if (given == UINT32_MAX) {
        g_string_append_printf (
            out, "%s+0x%x%s", module->name, (unsigned)profile->address_of_location[location],
            profile->kind_of_location[location] == PV_LOCATION_RETURN ? "(return)" : "");
        return;
    }
    uint32_t last = given;
    while (!profile->given_frames[last].is_last)
        last++;
    for (uint32_t i = last + 1; i-- > given;) { /* outermost first */
        g_string_append_printf (out, "%s%s%s", i < last ? ";" : "", profile->given_frames[i].name,
                                i < last ? "_[i]" : "");
        if (module->kind == PV_MODULE_FILE)
            g_string_append_printf (out, "@%s", module->name);
    }
}

static char *
spell_profile (const PvProfile *profile)
{
    g_autoptr (GHashTable) lines = new_sums ();
    const PvSampleSet *set = &profile->sets[0];
    g_assert_cmpstr (set->name, ==, "samples");
    for (uint32_t i = 0; i < set->n_samples; i++) {
        g_autoptr (GString) line = g_string_new (NULL);
        const PvThread *thread = &profile->threads[pv_sample_set_thread (set, i)];
        uint64_t cpu_ns = set->n_weights > 1 ? pv_sample_set_weight (set, 1, i) : 0;
        g_string_append_printf (line, "%d: %d ms, %d, %d us ", thread->tid,
                                (int)((pv_sample_set_time_ns (set, i) - 1000000000000) / 1000000),
                                (int)pv_sample_set_weight (set, 0, i), (int)(cpu_ns / 1000));
        if (set->stack[i] != 0)
            spell_stack (profile, set->stack[i], line);
        add_to_sums (lines, line->str, 1);
    }
    return spell_sums (lines);
}

TEST (random)
{
    static const int versions[] = {GECKO, 36, 40, 49, 57, 60, 66, 70};
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_autoptr (GHashTable) lines = new_sums ();
        g_autoptr (GString) text = g_string_new (NULL);
        Writing writing = {random, versions[seed % G_N_ELEMENTS (versions)], text, lines};
        if (writing.version == GECKO)
            write_gecko (&writing);
        else
            write_processed (&writing);
        pv_test_say_case (seed, text->str);
        g_autoptr (PvProfile) profile = read_text (text->str);
        g_autofree char *expected = spell_sums (lines);
        assert_string (spell_profile (profile), expected);
        g_assert_cmpuint (profile->n_notes, ==, 0);
    }
}

/* Any beginning of a file is an error, or a profile with a note. */
TEST (cut)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    g_autoptr (GHashTable) lines = new_sums ();
    g_autoptr (GString) text = g_string_new (NULL);
    Writing writing = {random, 66, text, lines};
    write_processed (&writing);
    for (size_t len = 100; len < text->len; len += 13) {
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = try_to_read_bytes (NULL, text->str, len, &error);
        if (profile != NULL)
            g_assert_cmpuint (profile->n_notes, ==, 1);
        else
            g_assert_nonnull (error);
    }
}

/* --- the rest --- */

#define META "\"meta\":{\"preprocessedProfileVersion\":66,\"interval\":1,\"startTime\":0}"

TEST (markers)
{
    g_autoptr (PvProfile) profile = read_text (
        "{" META ",\"threads\":[{\"name\":\"t\",\"tid\":1,\"stringArray\":[\"GC\",\"Load\"],"
        "\"markers\":{\"name\":[0,1,1,0],\"startTime\":[1,2,null,7.5],"
        "\"endTime\":[3,null,6,null],\"phase\":[1,2,3,0],\"category\":[0,0,0,0],"
        "\"data\":[{\"type\":\"x\",\"reason\":\"full\",\"bytes\":12},null,null,"
        "{\"cause\":{\"stack\":0}}]},"
        "\"stackTable\":{\"frame\":[0],\"prefix\":[null]},\"frameTable\":{\"func\":[0]},"
        "\"funcTable\":{\"name\":[1]}}]}");
    g_assert_cmpuint (profile->n_sets, ==, 1);
    const PvSampleSet *set = &profile->sets[0];
    static const char *const expected[] = {"GC 2000000  reason: full, bytes: 12 ",
                                           "Load 4000000   ", "GC 0   "};
    g_assert_cmpuint (set->n_samples, ==, G_N_ELEMENTS (expected));
    for (uint32_t i = 0; i < set->n_samples; i++) {
        g_autoptr (GString) line = g_string_new (NULL);
        size_t size = 0;
        const uint8_t *record = pv_sample_set_get_record (set, i, &size);
        for (uint32_t f = 0; f < set->fields->n_fields; f++) {
            pv_field_append (line, &set->fields->fields[f], record, size, false);
            g_string_append_c (line, ' ');
        }
        g_assert_cmpstr (line->str, ==, expected[i]);
    }
    g_assert_cmpuint (set->stack[0], ==, 0);
    g_assert_cmpuint (set->stack[2], !=, 0);
}

TEST (allocations)
{
    g_autoptr (PvProfile) profile = read_text (
        "{" META ",\"threads\":[{\"name\":\"t\",\"tid\":1,\"stringArray\":[\"f\"],"
        "\"nativeAllocations\":{\"time\":[1,2,3,4],\"weight\":[100,50,-100,7],"
        "\"weightType\":\"bytes\",\"stack\":[0,0,null,0],\"memoryAddress\":[4096,8192,4096,4096]},"
        "\"stackTable\":{\"frame\":[0],\"prefix\":[null]},\"frameTable\":{\"func\":[0]},"
        "\"funcTable\":{\"name\":[0]}}]}");
    g_assert_cmpuint (profile->n_measures, ==, 3);
    g_assert_cmpuint (profile->measures[0].total, ==, 157);
    g_assert_cmpuint (profile->measures[1].total, ==, 100);
    g_assert_cmpuint (profile->measures[2].total, ==, 57);
}

TEST (negative)
{
    g_autoptr (PvProfile) profile =
        read_text ("{" META ",\"threads\":[{\"samples\":{\"stack\":[0,0],\"time\":[1,2],"
                   "\"weight\":[-3,5],\"weightType\":\"samples\"}}]}");
    g_assert_cmpuint (profile->n_pairs, ==, 1);
    g_assert_cmpuint (profile->measures[profile->pairs[0].both].total, ==, 8);
    g_assert_cmpint (pv_profile_net_total (profile, profile->pairs[0].both), ==, 2);
}

TEST (texts)
{
    static const struct {
        const char *path, *shortened;
    } paths[] = {
        {"hg:hg.mozilla.org/mozilla-central:widget/nsAppShell.mm:997f", "widget/nsAppShell.mm"},
        {"git:github.com/rust-lang/rust:library/std/rt.rs:9b9", "library/std/rt.rs"},
        {"cargo:github.com-1ecc:serde-1.0:src/de.rs", "serde-1.0/src/de.rs"},
        {"/home/me/a.c", "/home/me/a.c"},
        {"git:broken", "git:broken"},
        {"", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (paths); i++) {
        assert_string (firefox_shorten_path (paths[i].path), paths[i].shortened);
    }
    static const struct {
        const char *text, *name, *file;
        unsigned line;
    } locations[] = {
        {"f (http://a/b.js:12:3)", "f", "http://a/b.js", 12},
        {"f (http://a/b.js:12:3)[4]", "f", "http://a/b.js", 12},
        {"f (self-hosted:12)", "f", "self-hosted", 12},
        {"js::RunScript", "js::RunScript", NULL, 0},
        {"call (it)", "call (it)", NULL, 0},
        {"(root)", "(root)", NULL, 0},
        {" (", " (", NULL, 0},
        {"", "", NULL, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (locations); i++) {
        FirefoxLocation found = firefox_parse_location (locations[i].text);
        g_autofree char *name = g_strndup (locations[i].text, found.name_len);
        g_autofree char *file = g_strndup (found.file, found.file_len);
        g_assert_cmpstr (name, ==, locations[i].name);
        g_assert_cmpstr (file, ==, locations[i].file);
        g_assert_cmpuint (found.line, ==, locations[i].line);
    }
    g_assert_cmpint (firefox_parse_id ("4711.1"), ==, 4711);
    g_assert_cmpint (firefox_parse_id ("Unknown Process 1"), ==, -1);
    g_assert_cmpint (firefox_parse_id ("99999999999"), ==, -1);
}

/* --- counters --- */

#define COUNTED_THREADS                                                                            \
    "\"threads\":[{\"name\":\"main\",\"pid\":\"7\",\"tid\":7,\"processName\":\"shop\","            \
    "\"stringArray\":"                                                                             \
    "[],\"samples\":{\"stack\":[null,null],\"time\":[0,10]}}]"
#define COUNTED_GECKO                                                                              \
    "\"threads\":[{\"name\":\"main\",\"pid\":7,\"tid\":7,\"processName\":\"shop\","                \
    "\"stringTable\":[],"                                                                          \
    "\"samples\":{\"schema\":{\"stack\":0,\"time\":1},\"data\":[[null,0],[null,10]]}}]"

/* Bytes allocated and freed since the previous sample: after 1, 3 and 6 ms. */
static void
check_memory (const char *counter, const char *threads)
{
    g_autofree char *text = g_strdup_printf (
        "{\"meta\":{\"interval\":1,\"startTime\":0,\"version\":24},%s,\"counters\":[{\"name\":"
        "\"malloc\",\"category\":\"Memory\",\"description\":\"heap\",%s}]}",
        threads, counter);
    g_autoptr (PvProfile) profile = read_text (text);
    g_assert_cmpuint (profile->n_counters, ==, 1);
    const PvCounter *memory = &profile->counters[0];
    g_assert_cmpstr (memory->name, ==, "malloc");
    g_assert_cmpstr (memory->category, ==, "Memory");
    g_assert_cmpstr (memory->description, ==, "heap");
    g_assert_cmpint (memory->unit, ==, PV_COUNTER_BYTES);
    g_assert_cmpint (memory->kind, ==, PV_COUNTER_LEVEL);
    g_assert_true (memory->is_relative);
    g_assert_cmpint (profile->processes[memory->process].pid, ==, 7);
    g_assert_cmpuint (memory->n_samples, ==, 3);
    static const uint64_t ms[] = {1, 3, 6};
    static const double levels[] = {1000, 700, 1950};
    for (uint32_t i = 0; i < 3; i++) {
        g_assert_cmpuint (memory->time_ns[i] - profile->start_ns, ==, ms[i] * 1000000);
        g_assert_cmpfloat (memory->values[i], ==, levels[i]);
    }
    g_assert_cmpfloat (memory->min, ==, 700);
    g_assert_cmpfloat (memory->max, ==, 1950);
    g_assert_cmpfloat (memory->total, ==, 1950);
    g_assert_false (has_note (profile, "counter"));
}

#define TIMES  "{\"time\":[1,3,6],\"number\":[1,1,1],\"count\":[1000,-300,1250],\"length\":3}"
#define DELTAS "{\"timeDeltas\":[1,2,3],\"count\":[1000,-300,1250],\"length\":3}"
#define ROWS                                                                                       \
    "{\"schema\":{\"time\":0,\"count\":1,\"number\":2},\"data\":[[1,1000,4],[3,-300],[6,1250,1]]}"

/* As the versions of the format have them. */
TEST (counters)
{
    check_memory ("\"pid\":\"7\",\"mainThreadIndex\":0,\"samples\":" TIMES, COUNTED_THREADS);
    check_memory ("\"pid\":\"7\",\"mainThreadIndex\":0,\"samples\":" DELTAS, COUNTED_THREADS);
    check_memory ("\"pid\":7,\"mainThreadIndex\":0,\"sampleGroups\":[{\"id\":0,\"samples\":" TIMES
                  "}]",
                  COUNTED_THREADS);
    check_memory ("\"mainThreadIndex\":0,\"sampleGroups\":{\"id\":0,\"samples\":" TIMES "}",
                  COUNTED_THREADS);
    check_memory ("\"sample_groups\":[{\"id\":0,\"samples\":" ROWS "}]", COUNTED_GECKO);
    check_memory ("\"samples\":" ROWS, COUNTED_GECKO);
}

/* Counters of other things than memory are amounts. */
TEST (amounts)
{
    g_autoptr (PvProfile) profile = read_text (
        "{\"meta\":{\"interval\":1,\"startTime\":0,\"version\":24}," COUNTED_THREADS
        ",\"counters\":[{\"name\":\"sent\",\"category\":\"Bandwidth\",\"pid\":\"8\","
        "\"samples\":" TIMES
        "},{\"name\":\"Power: CPU\",\"category\":\"power\",\"samples\":{\"time\":[5,4,\"x\",6],"
        "\"count\":[2.5,null,7,1.5]}},{\"name\":\"none\"},17]}");
    g_assert_cmpuint (profile->n_counters, ==, 3);
    const PvCounter *sent = &profile->counters[0], *power = &profile->counters[1];
    g_assert_cmpint (sent->unit, ==, PV_COUNTER_BYTES);
    g_assert_cmpint (sent->kind, ==, PV_COUNTER_AMOUNT);
    g_assert_cmpuint (sent->process, ==, 0); /* of which there is no thread */
    g_assert_cmpfloat (sent->min, ==, -300);
    g_assert_cmpfloat (sent->max, ==, 1250);
    g_assert_cmpfloat (sent->total, ==, 1950);
    g_assert_cmpint (power->unit, ==, PV_COUNTER_PLAIN);
    g_assert_cmpuint (power->n_samples, ==, 2);
    g_assert_cmpfloat (power->total, ==, 4);
    g_assert_cmpuint (profile->counters[2].n_samples, ==, 0);
    g_assert_true (has_note (profile, "1 counter of the profile")); /* of the number */
}

/* The format of the first viewer. */
TEST (ancient)
{
    static const char table[] =
        "\"symbolicationTable\": {\"0\": \"(root)\", \"1\": \"main (in shop)\", "
        "\"2\": \"f(int) (in libshop.so)\", \"3\": \"draw (a.js:12)\"}";
    static const char samples[] =
        "[{\"frames\": [0, 1], \"extraInfo\": {\"time\": 10.5, \"responsiveness\": 1}}, null, "
        "{\"frames\": [0, 1, 2], \"time\": 11}, {\"frames\": [{\"location\": 0}, {\"location\": "
        "\"1\"}, "
        "{\"location\": \"3\", \"line\": 7}, {\"location\": \"here\"}], \"time\": 12}, "
        "{\"frames\": [0, 9], \"time\": 13}]";
    for (unsigned i = 0; i < 3; i++) {
        g_autofree char *text =
            i == 0   ? g_strdup_printf ("{\"format\": \"profileJSONWithSymbolicationTable,1\", "
                                          "\"profileJSON\": %s, %s}",
                                        samples, table)
            : i == 1 ? g_strdup_printf (
                           "{%s, \"profileJSON\": {\"meta\": {\"interval\": 1}, \"threads\": "
                           "[{\"samples\": %s}]}}",
                           table, samples)
                     : g_strdup_printf (
                           "{%s, \"profileJSON\": {\"threads\": {\"0\": {\"samples\": %s}}}}",
                           table, samples);
        g_test_message ("%s", text);
        g_autoptr (PvProfile) profile = read_text (text);
        assert_string (spell_samples (profile), "samples  1000010500000+0 1 main\n"
                                                "samples  1000011000000+0 1 main;f(int)\n"
                                                "samples  1000012000000+0 1 main;draw;here\n"
                                                "samples  1000013000000+0 1 (unknown)");
        bool has_module = false;
        for (PvModuleId m = 0; m < profile->n_modules; m++)
            has_module |= strcmp (profile->modules[m].name, "libshop.so") == 0;
        g_assert_true (has_module);
    }
}

/* The same with tables is not read, which is said. */
TEST (ancient_tables)
{
    g_autoptr (PvProfile) profile = read_text (
        "{\"format\": \"profileJSONWithSymbolicationTable,1\", \"profileJSON\": {\"threads\": "
        "[{\"name\": \"main\", \"samples\": {\"schema\": {\"stack\": 0, \"time\": 1}, \"data\": "
        "[[0, 1]]}}]}, \"symbolicationTable\": {\"0x10\": \"main (in shop)\"}}");
    g_assert_cmpuint (profile->n_samples, ==, 0);
    g_assert_true (has_note (profile, "which Profview cannot read yet"));
}

TEST (sniff)
{
    static const SniffedText samples[] = {
        {"{" META ",\"threads\":[]}", true},
        {"\n {\"libs\":[{\"start\":1,\"breakpadId\":\"A\"", true},
        {"{\"meta\":{\"version\":3,\"interval\":1}", true},
        {"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":"
         "{\"frames\":[]}}",
         false},
        {"{\"nodes\":[{\"id\":1,\"callFrame\":{}}],\"startTime\":1}", false},
        {"{\"dhatFileVersion\":2,\"mode\":\"heap\"}", false},
        {"{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1}]}", false},
        {"{\"meta\":{\"author\":\"me\"}}", false},
        {"[]", false},
        {"main;a 1\n", false},
    };
    assert_sniffs (&pv_firefox_reader, samples, G_N_ELEMENTS (samples));
}
