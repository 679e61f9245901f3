/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of V8: random ones in each layout, whose samples must come out again; single cases. */
#include <string.h>

#include "reader-case.h"

#define read_text(text) read_well (&pv_v8_reader, (text))

enum { N_CASES = 300, MAX_NODES = 40, MAX_SAMPLES = 60 };

typedef enum { FLAT, FLAT_PARENTS, TRACE, OLD, N_LAYOUTS } Layout;

/* A profile as it was made up. Node 0 is the root. */
typedef struct {
    GRand *random;
    int n_nodes;
    int parent[MAX_NODES];
    int id[MAX_NODES];
    int function[MAX_NODES]; /* -1: idle */
    int n_samples;
    int sample[MAX_SAMPLES]; /* node */
    int delta[MAX_SAMPLES];
    int start;
} Made;

static void
make_up (Made *made, GRand *random)
{
    made->random = random;
    made->n_nodes = g_rand_int_range (random, 2, MAX_NODES);
    made->n_samples = g_rand_int_range (random, 1, MAX_SAMPLES);
    made->start = g_rand_int_range (random, 1000, 100000000);
    for (int i = 0; i < made->n_nodes; i++) {
        made->id[i] = 3 * (i + 1); /* the last one may come first */
        made->parent[i] = i > 0 ? g_rand_int_range (random, 0, i) : -1;
        made->function[i] = g_rand_int_range (random, 0, 6);
    }
    made->function[1] = -1;
    made->parent[1] = 0;
    for (int s = 0; s < made->n_samples; s++) {
        made->sample[s] = g_rand_int_range (random, 0, made->n_nodes);
        made->delta[s] = g_rand_int_range (random, s > 0 ? -3 : 0, 30);
    }
}

/* "f1;f3" */
static char *
spell_node (const Made *made, int node)
{
    GString *text = g_string_new (NULL);
    for (; node > 0; node = made->parent[node]) {
        g_autofree char *name = made->function[node] < 0
                                    ? g_strdup ("(idle)")
                                    : g_strdup_printf ("f%d", made->function[node]);
        g_string_prepend (text, text->len > 0 ? ";" : "");
        g_string_prepend (text, name);
    }
    return g_string_free (text, FALSE);
}

static char *
spell_made (const Made *made, const char *thread)
{
    g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
    int order[MAX_SAMPLES], at[MAX_SAMPLES];
    for (int s = 0, now = made->start; s < made->n_samples; s++) {
        now += made->delta[s];
        int place = s;
        for (; place > 0 && at[place - 1] > now; place--) {
            at[place] = at[place - 1];
            order[place] = order[place - 1];
        }
        at[place] = now;
        order[place] = made->sample[s];
    }
    for (int s = 0; s < made->n_samples; s++) {
        int node = order[s], length = s + 1 < made->n_samples ? at[s + 1] - at[s] : 0;
        g_autofree char *stack = spell_node (made, node);
        g_ptr_array_add (lines,
                         g_strdup_printf ("%s %s %d001+%d %d %s",
                                          made->function[node] < 0 && node > 0 ? "idle" : "time",
                                          thread, at[s], length * 1000, length * 1000, stack));
    }
    return join_sorted (lines);
}

/* --- layouts --- */

static void
append_call_frame (const Made *made, int node, GString *text)
{
    int function = made->function[node];
    g_string_append (text, "\"callFrame\": {\"scriptId\": \"7\", \"functionName\": ");
    if (node == 0 || function < 0)
        g_string_append_printf (text, "\"%s\", \"url\": \"\", \"lineNumber\": -1}",
                                node == 0 ? "(root)" : "(idle)");
    else
        g_string_append_printf (text,
                                "\"f%d\", \"url\": \"file:///a%%20b/x.js\", \"lineNumber\": "
                                "%d, \"columnNumber\": 4}",
                                function, function + 10);
}

static void
append_node (const Made *made, int node, bool has_parent, GString *text)
{
    g_string_append_printf (text, "{\"id\": %d, ", made->id[node]);
    append_call_frame (made, node, text);
    if (has_parent && node > 0) {
        g_string_append_printf (text, ", \"parent\": %d}", made->id[made->parent[node]]);
        return;
    }
    bool is_first = true;
    for (int c = 0; c < made->n_nodes && !has_parent; c++)
        if (made->parent[c] == node) {
            g_string_append_printf (text, "%s%d", is_first ? ", \"children\": [" : ", ",
                                    made->id[c]);
            is_first = false;
        }
    g_string_append (text, is_first ? "}" : "]}");
}

static void
append_numbers (const int *numbers, int n, GString *text)
{
    for (int i = 0; i < n; i++)
        g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", numbers[i]);
}

static void
append_ids (const Made *made, int first, int end, GString *text)
{
    for (int s = first; s < end; s++)
        g_string_append_printf (text, "%s%d", s > first ? ", " : "", made->id[made->sample[s]]);
}

static char *
write_flat (const Made *made, bool has_parents)
{
    GString *text = g_string_new ("{\"nodes\": [");
    for (int i = made->n_nodes; i-- > 0;) { /* in any order */
        append_node (made, i, has_parents, text);
        g_string_append (text, i > 0 ? ", " : "], \"samples\": [");
    }
    append_ids (made, 0, made->n_samples, text);
    g_string_append (text, "], \"timeDeltas\": [");
    append_numbers (made->delta, made->n_samples, text);
    g_string_append_printf (text, "], \"startTime\": %d, \"endTime\": %d}", made->start,
                            made->start + 5000);
    return g_string_free (text, FALSE);
}

/* A chunk for each few samples; not in the order of time. */
static char *
write_trace (const Made *made)
{
    g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func (g_free);
    g_ptr_array_add (events, g_strdup_printf ("{\"args\": {\"data\": {\"startTime\": %d}}, \"id\": "
                                              "\"0x2\", \"name\": \"Profile\", \"ph\": \"P\", "
                                              "\"pid\": 5, \"tid\": 6, \"ts\": 10}",
                                              made->start));
    g_ptr_array_add (events,
                     g_strdup ("{\"ph\": \"M\", \"pid\": 5, \"tid\": 6, \"ts\": 0, \"name\": "
                               "\"thread_name\", \"args\": {\"name\": \"main\"}}"));
    g_ptr_array_add (events,
                     g_strdup ("{\"ph\": \"X\", \"pid\": 5, \"tid\": 6, \"ts\": 1, \"name\": "
                               "\"Task\", \"args\": {\"data\": {\"startTime\": 3}}}"));
    int step = g_rand_int_range (made->random, 1, 20), n_nodes = 0;
    for (int s = 0; s < made->n_samples; s += step) {
        int end = MIN (s + step, made->n_samples), last = n_nodes;
        for (int i = s; i < end; i++)
            last = MAX (last, made->sample[i] + 1);
        g_autoptr (GString) text = g_string_new ("{\"args\": {\"data\": {\"cpuProfile\": {");
        g_string_append (text, n_nodes < last ? "\"nodes\": [" : "");
        for (; n_nodes < last; n_nodes++) {
            append_node (made, n_nodes, true, text);
            g_string_append (text, n_nodes + 1 < last ? ", " : "], ");
        }
        g_string_append (text, "\"samples\": [");
        append_ids (made, s, end, text);
        g_string_append (text, "]}, \"timeDeltas\": [");
        append_numbers (made->delta + s, end - s, text);
        g_string_append_printf (text,
                                "]}}, \"id\": \"0x2\", \"name\": \"ProfileChunk\", \"ph\": "
                                "\"P\", \"pid\": 5, \"tid\": 9, \"ts\": %d}",
                                20 + s);
        g_ptr_array_insert (events, g_rand_int_range (made->random, 0, (gint32)events->len),
                            g_strdup (text->str));
    }
    g_ptr_array_add (events, NULL);
    g_autofree char *all = g_strjoinv (",\n", (char **)events->pdata);
    return g_rand_boolean (made->random) ? g_strdup_printf ("[%s]", all)
                                         : g_strdup_printf ("{\"traceEvents\": [%s]}", all);
}

static void
append_old_node (const Made *made, int node, GString *text)
{
    g_string_append_printf (text, "{\"functionName\": \"%s",
                            node == 0                  ? "(root)"
                            : made->function[node] < 0 ? "(idle)"
                                                       : "f");
    if (node > 0 && made->function[node] >= 0)
        g_string_append_printf (text, "%d", made->function[node]);
    g_string_append_printf (text, "\", \"url\": \"\", \"hitCount\": 1, \"id\": %d, \"children\": [",
                            made->id[node]);
    bool is_first = true;
    for (int c = 0; c < made->n_nodes; c++)
        if (made->parent[c] == node) {
            g_string_append (text, is_first ? "" : ", ");
            append_old_node (made, c, text);
            is_first = false;
        }
    g_string_append (text, "]}");
}

static char *
write_old (const Made *made)
{
    GString *text = g_string_new ("{\"typeId\": \"CPU\", \"head\": ");
    append_old_node (made, 0, text);
    g_string_append (text, ", \"startTime\": 1, \"endTime\": 2, \"samples\": [");
    append_ids (made, 0, made->n_samples, text);
    g_string_append (text, "], \"timestamps\": [");
    for (int s = 0, at = made->start; s < made->n_samples; s++)
        g_string_append_printf (text, "%s%d", s > 0 ? ", " : "", at += made->delta[s]);
    g_string_append (text, "]}");
    return g_string_free (text, FALSE);
}

static char *
write_made (const Made *made, Layout layout)
{
    switch (layout) {
    case FLAT:
    case FLAT_PARENTS:
        return write_flat (made, layout == FLAT_PARENTS);
    case TRACE:
        return write_trace (made);
    case OLD:
        return write_old (made);
    case N_LAYOUTS:
        break;
    }
    g_assert_not_reached ();
}

TEST (random)
{
    for (unsigned seed = 0; seed < N_CASES; seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        Made made;
        make_up (&made, random);
        g_autofree char *text = write_made (&made, (Layout)(seed % N_LAYOUTS));
        pv_test_say_case (seed, text);
        g_autoptr (PvProfile) profile = read_text (text);
        for (PvMeasureId m = 0; m < profile->n_measures; m++)
            g_assert_false (pv_profile_counts_waits (profile, m));
        g_autofree char *expected = spell_made (&made, "main");
        assert_string (spell_samples (profile), expected);
        g_assert_cmpuint (profile->n_notes, ==, 0);
    }
}

/* --- single cases --- */

TEST (heap)
{
    g_autoptr (PvProfile) profile = read_text (
        "{\"head\": {\"callFrame\": {\"functionName\": \"(root)\", \"url\": \"\"}, \"selfSize\": "
        "0, "
        "\"children\": [{\"callFrame\": {\"functionName\": \"\", \"url\": \"node:fs\", "
        "\"lineNumber\": 6, \"columnNumber\": 2}, \"children\": [{\"selfSize\": 30, \"callFrame\": "
        "{\"functionName\": \"g\", \"url\": \"file:///x.js\", \"lineNumber\": 1}}], \"selfSize\": "
        "12}]}, \"samples\": [{\"size\": 8, \"nodeId\": 7, \"ordinal\": 1}]}");
    assert_string (spell_samples (profile), "space  0+0 12 (anonymous) node:fs:7:3\n"
                                            "space  0+0 30 (anonymous) node:fs:7:3;g");
    g_assert_cmpint (profile->measures[0].unit, ==, PV_UNIT_BYTES);
    const PvGivenFrame *frame = &profile->given_frames[profile->given_of_location[2]];
    g_assert_cmpstr (frame->file, ==, "/x.js");
    g_assert_cmpuint (frame->start_line, ==, 2);
}

TEST (hits)
{
    g_autoptr (PvProfile) profile =
        read_text ("{\"nodes\": [{\"id\": 1, \"callFrame\": {\"functionName\": \"(root)\"}, "
                   "\"children\": [2, 3]},"
                   "{\"id\": 2, \"callFrame\": {\"functionName\": \"f\"}, \"hitCount\": 1},"
                   "{\"id\": 3, \"callFrame\": {\"functionName\": \"(idle)\"}, \"hitCount\": 2}],"
                   "\"startTime\": 100, \"endTime\": 400}");
    assert_string (spell_samples (profile), "idle main 0+0 200000 (idle)\ntime main 0+0 100000 f");
    g_assert_cmpuint (profile->n_notes, ==, 1);
}

#define ROOT "{\"id\": 1, \"callFrame\": {\"functionName\": \"(root)\"}, \"children\": [2]}"
#define F    "{\"id\": 2, \"callFrame\": {\"functionName\": \"f\"}}"

typedef struct {
    const char *text;
    const char *samples;
} Odd;

TEST (odd)
{
    static const Odd cases[] = {
        /* A node that is not there, an id that is no number, one more time than samples. */
        {"{\"nodes\": [" ROOT "," F
         "], \"startTime\": 0, \"samples\": [2, 9, \"x\"], \"timeDeltas\": "
         "[1, 2, 3, 4]}",
         "time main 1001+2000 2000 f\ntime main 3001+3000 3000 (unknown)\n"
         "time main 6001+4000 4000 (unknown)"},
        /* Fewer times than samples. */
        {"{\"nodes\": [" ROOT "," F "], \"startTime\": 5, \"samples\": [2, 2, 2], \"timeDeltas\": "
         "[1, 2]}",
         "time main 6001+2000 2000 f\ntime main 8001+0 0 f"},
        /* No times. */
        {"{\"nodes\": [" ROOT "," F "], \"startTime\": 5, \"endTime\": 9, \"samples\": [2, 2]}",
         "time main 5001+2000 2000 f\ntime main 7001+2000 2000 f"},
        /* Nodes that are in one another. */
        {"{\"nodes\": [{\"id\": 3, \"parent\": 2, \"callFrame\": {\"functionName\": \"g\"}},"
         "{\"id\": 2, \"parent\": 3, \"callFrame\": {\"functionName\": \"f\"}}], \"startTime\": 0,"
         "\"samples\": [2], \"timeDeltas\": [1, 2]}",
         "time main 1001+2000 2000 f"},
        /* The envelope of a debugger's message. */
        {"{\"id\": 7, \"result\": {\"profile\": {\"nodes\": [" ROOT "," F "], \"startTime\": 0, "
         "\"samples\": [2], \"timeDeltas\": [1, 2]}}}",
         "time main 1001+2000 2000 f"},
        /* Cut off. */
        {"{\"nodes\": [" ROOT "," F
         "], \"startTime\": 0, \"samples\": [2], \"timeDeltas\": [1, 2, ",
         "time main 1001+2000 2000 f"},
        {"[{\"ph\": \"I\", \"name\": \"CpuProfile\", \"pid\": 1, \"tid\": 2, \"args\": {\"data\": "
         "{\"cpuProfile\": {\"nodes\": [" ROOT "," F "], \"startTime\": 7, \"samples\": [2], "
         "\"timeDeltas\": [1, 2]}}}},",
         "time  8001+2000 2000 f"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_test_message ("%s", cases[i].text);
        g_autoptr (PvProfile) profile = read_text (cases[i].text);
        assert_string (spell_samples (profile), cases[i].samples);
    }
}

/* Ids are any numbers, or strings. */
TEST (ids)
{
    static const struct {
        const char *ids[3];
    } cases[] = {{{"0", "1", "2"}},
                 {{"-1", "-2", "-3"}},
                 {{"9223372036854775808", "9223372036854775809", "18446744073709551615"}},
                 {{"184467440737095516150", "184467440737095516151", "1e40"}},
                 {{"\"1\"", "\"a\"", "\"b\""}},
                 {{"1.5", "1.25", "7.0"}}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        for (unsigned has_parents = 0; has_parents < 2; has_parents++) {
            const char *const *ids = cases[i].ids;
            g_autofree char *children =
                g_strdup_printf (", \"children\": [%s, %s]", ids[1], ids[2]);
            g_autofree char *parent = g_strdup_printf (", \"parent\": %s", ids[0]);
            g_autofree char *text = g_strdup_printf (
                "{\"nodes\": [{\"id\": %s, \"callFrame\": {\"functionName\": \"main\"}%s}, "
                "{\"id\": %s, \"callFrame\": {\"functionName\": \"a\"}%s}, "
                "{\"id\": %s, \"callFrame\": {\"functionName\": \"b\"}%s}], "
                "\"samples\": [%s, %s, %s, %s], \"timeDeltas\": [0, 1, 2, 3], \"startTime\": 0}",
                ids[0], has_parents ? "" : children, ids[1], has_parents ? parent : "", ids[2],
                has_parents ? parent : "", ids[0], ids[1], ids[2], ids[0]);
            g_test_message ("%s", text);
            g_autoptr (PvProfile) profile = read_text (text);
            assert_string (spell_samples (profile),
                           "time main 1+1000 1000 main\ntime main 1001+2000 2000 main;a\n"
                           "time main 3001+3000 3000 main;b\ntime main 6001+0 0 main");
            g_assert_cmpuint (profile->n_notes, ==, 0);
        }
}

/* Samples and stacks that a trace has beside its events, with numbers as strings, as Hermes has it.
 */
TEST (counted)
{
    static const char threads[] = "\"traceEvents\": [{\"name\": \"thread_name\", \"ph\": \"M\", "
                                  "\"pid\": 7, \"tid\": \"12\", \"args\": {\"name\": \"js\"}}]";
    static const char samples[] =
        "\"samples\": [{\"cpu\": \"-1\", \"ts\": \"1000\", \"pid\": 7, \"tid\": \"12\", "
        "\"weight\": \"1\", \"sf\": 1}, {\"ts\": 2000.5, \"pid\": 7, \"tid\": 12, \"weight\": 3, "
        "\"sf\": \"3\"}, {\"ts\": 3000, \"pid\": 7, \"tid\": 13, \"sf\": 9}]";
    static const char stacks[] =
        "\"stackFrames\": {\"1\": {\"name\": \"[root]\"}, \"2\": {\"name\": "
        "\"f(http://a/b.js?x=1:12:4)\", \"parent\": 1}, \"3\": {\"name\": \"g(int)\", "
        "\"parent\": \"2\"}}";
    for (unsigned order = 0; order < 2; order++) {
        g_autofree char *text = g_strdup_printf ("{%s, %s, %s}", order ? stacks : threads, samples,
                                                 order ? threads : stacks);
        g_autoptr (PvProfile) profile = read_text (text);
        assert_string (spell_samples (profile), "samples  3000001+0 1 (unknown)\n"
                                                "samples js 1000001+0 1 [root]\n"
                                                "samples js 2000501+0 3 [root];f;g(int)");
        const PvSampleSet *set = &profile->sets[profile->n_sets - 1];
        const PvGivenFrame *frame = NULL;
        for (uint32_t i = 0; i < set->n_samples; i++) {
            PvStackId caller = profile->parent_of_stack[set->stack[i]];
            uint32_t given = profile->given_of_location[profile->location_of_stack[caller]];
            if (caller != 0 && strcmp (profile->given_frames[given].name, "f") == 0)
                frame = &profile->given_frames[given];
        }
        g_assert_nonnull (frame);
        g_assert_cmpstr (frame->file, ==, "http://a/b.js?x=1");
        g_assert_cmpuint (frame->start_line, ==, 12);
        g_assert_true (has_note (profile, "The function of 1 sample is not in the file"));
    }
}

/* Counts of different events do not add up. */
TEST (counted_events)
{
    g_autoptr (PvProfile) profile = read_text (
        "{\"samples\": [{\"ts\": 1, \"name\": \"cycles\", \"weight\": 1000, \"sf\": 1}, "
        "{\"ts\": 2, \"name\": \"faults\", \"weight\": 2, \"sf\": 1}, "
        "{\"ts\": 3, \"name\": \"cycles\", \"weight\": 7, \"sf\": 1}, {\"ts\": 4, \"sf\": 1}], "
        "\"stackFrames\": {\"1\": {\"name\": \"main\"}}}");
    assert_string (spell_samples (profile), "cycles  1001+0 1000 main\ncycles  3001+0 7 main\n"
                                            "faults  2001+0 2 main\nsamples  4001+0 1 main");
}

TEST (refused)
{
    assert_refused (&pv_v8_reader, "[{\"ph\": \"X\", \"pid\": 1, \"tid\": 2, \"name\": \"Task\"}]",
                    PV_READ_ERROR_UNSUPPORTED);
    assert_refused (&pv_v8_reader, "{\"traceEvents\": [{\"name\": \"ProfileChunk\"}]}",
                    PV_READ_ERROR_UNSUPPORTED);
}
