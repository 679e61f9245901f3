/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON that the test writes comes out as it was meant, however it is taken, skipped or cut. */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "core/read/json/json-lexer.h"
#include "core/read/json/json-number.h"
#include "core/read/json/json-outline.h"
#include "core/read/json/json.h"

enum { N_CASES = 400, MAX_LEVEL = 6, PIECE_BYTES = 128 << 10 };

static const PvReadContext no_context = {0};

typedef struct {
    PvMappedFile *file;
    PvUnpackStream *stream;
    PvJson *json;
} Reading;

static Reading
begin (const char *text, size_t size_bytes)
{
    Reading self = {.file = pv_mapped_file_new_take (g_memdup2 (text, size_bytes), size_bytes)};
    self.stream = pv_unpack_stream_new (self.file, PV_PACKING_NONE, UINT64_MAX);
    self.json = pv_json_new (self.stream, &no_context);
    return self;
}

static void
end (Reading *self)
{
    pv_json_free (self->json);
    pv_unpack_stream_free (self->stream);
    pv_mapped_file_unref (self->file);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, end)

/* --- random values --- */

/* A written text, and the expected report of the reader below: in a fixed spelling, without what it
 * skips. */
typedef struct {
    GRand *random;
    GString *text, *expected;
} Writing;

static int
roll (Writing *self, int n)
{
    return g_rand_int_range (self->random, 0, n);
}

static void
add_space (Writing *self)
{
    static const char *const spaces[] = {"", "", "", "", " ", "\n", "\t\r\n  "};
    g_string_append (self->text, spaces[roll (self, G_N_ELEMENTS (spaces))]);
}

static void
add_string (Writing *self)
{
    static const struct {
        const char *written, *meant;
    } parts[] = {
        {"main", "main"},
        {"\\n", "\n"},
        {"\\\"", "\""},
        {"\\\\", "\\"},
        {"\xc3\xa9", "é"},
        {"\\u00e9", "é"},
        {"\\/", "/"},
        {"\\ud83d\\ude00", "😀"},
        {"operator()(int&) const", "operator()(int&) const"},
    };
    g_string_append_c (self->text, '"');
    g_string_append_c (self->expected, '<');
    for (int n = roll (self, 4); n > 0; n--) {
        int part = roll (self, G_N_ELEMENTS (parts));
        g_string_append (self->text, parts[part].written);
        g_string_append (self->expected, parts[part].meant);
    }
    if (roll (self, 50) == 0) { /* longer than a piece of the file */
        g_autofree char *filler = g_strnfill ((gsize)roll (self, 3 * PIECE_BYTES), 'x');
        g_string_append (self->text, filler);
        g_string_append (self->expected, filler);
    }
    g_string_append_c (self->text, '"');
    g_string_append_c (self->expected, '>');
}

static void
add_scalar (Writing *self)
{
    static const char *const numbers[] = {"0", "-0.5", "17", "9223372036854775807", "1.5e3", "-12"};
    static const char *const meant[] = {"0", "-0.5", "17", "9223372036854775807", "1500", "-12"};
    static const char *const words[] = {"null", "true", "false"};
    int number = roll (self, G_N_ELEMENTS (numbers)), word = roll (self, G_N_ELEMENTS (words));
    switch (roll (self, 3)) {
    case 0:
        g_string_append (self->text, numbers[number]);
        g_string_append (self->expected, meant[number]);
        break;
    case 1:
        g_string_append (self->text, words[word]);
        g_string_append (self->expected, words[word]);
        break;
    default:
        add_string (self);
        break;
    }
}

static void add_value (Writing *self, int level);

static void
add_array (Writing *self, int level, size_t n_taken)
{
    g_string_append (self->text, "[");
    g_string_append (self->expected, "[");
    size_t n = (size_t)roll (self, 6), taken_len = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == n_taken)
            taken_len = self->expected->len;
        add_space (self);
        if (i > 0)
            g_string_append_c (self->text, ',');
        add_space (self);
        add_value (self, level + 1);
        g_string_append_c (self->expected, ' ');
    }
    if (n > n_taken)
        g_string_truncate (self->expected, taken_len);
    add_space (self);
    g_string_append (self->text, "]");
    g_string_append (self->expected, "]");
}

static void
add_object (Writing *self, int level)
{
    static const char *const keys[] = {"name", "skip", "leave", "other", "\\u006eame"};
    static const char *const meant[] = {"0", "", "2", "other", "0"};
    g_string_append (self->text, "{");
    g_string_append (self->expected, "{");
    for (int i = 0, n = roll (self, 6); i < n; i++) {
        int key = roll (self, G_N_ELEMENTS (keys));
        gsize before = self->expected->len;
        add_space (self);
        g_string_append_printf (self->text, "%s\"%s\":", i > 0 ? "," : "", keys[key]);
        g_string_append_printf (self->expected, "%s=", meant[key]);
        add_space (self);
        if (key == 2)
            add_array (self, level + 1, 2);
        else
            add_value (self, level + 1);
        g_string_append_c (self->expected, ' ');
        if (key == 1)
            g_string_truncate (self->expected, before);
    }
    add_space (self);
    g_string_append (self->text, "}");
    g_string_append (self->expected, "}");
}

static void
add_value (Writing *self, int level)
{
    int kind = level >= MAX_LEVEL ? 2 : level == 0 ? roll (self, 2) : roll (self, 3);
    if (kind == 0)
        add_array (self, level, SIZE_MAX);
    else if (kind == 1)
        add_object (self, level);
    else
        add_scalar (self);
}

/* --- the reader of these values --- */

static void spell (PvJson *json, GString *out);

static void
spell_array (PvJson *json, GString *out, size_t n_taken)
{
    g_assert_true (pv_json_enter_array (json));
    g_string_append_c (out, '[');
    for (size_t i = 0; pv_json_next_element (json); i++) {
        if (i == n_taken) {
            pv_json_leave (json);
            break;
        }
        spell (json, out);
        g_string_append_c (out, ' ');
    }
    g_string_append_c (out, ']');
}

static void
spell_object (PvJson *json, GString *out)
{
    static const char *const keys[] = {"name", "skip", "leave", NULL};
    int key;
    g_assert_true (pv_json_enter_object (json));
    g_string_append_c (out, '{');
    while (pv_json_next_key (json, keys, &key)) {
        if (key == 1)
            continue;
        if (key < 0)
            g_string_append_printf (out, "%s=", pv_json_get_key (json, NULL));
        else
            g_string_append_printf (out, "%d=", key);
        if (key == 2 && pv_json_get_type (json) == PV_JSON_ARRAY)
            spell_array (json, out, 2);
        else
            spell (json, out);
        g_string_append_c (out, ' ');
    }
    g_string_append_c (out, '}');
}

static void
spell_number (PvJson *json, GString *out)
{
    double number = pv_json_get_number (json, 0);
    int64_t integer = pv_json_get_integer (json, 0);
    if ((double)integer == number)
        g_string_append_printf (out, "%" G_GINT64_FORMAT, integer);
    else
        g_string_append_printf (out, "%g", number);
}

static void
spell (PvJson *json, GString *out)
{
    switch (pv_json_get_type (json)) {
    case PV_JSON_NONE:
        break;
    case PV_JSON_NULL:
        g_string_append (out, "null");
        break;
    case PV_JSON_BOOLEAN:
        g_string_append (out, pv_json_get_boolean (json, false) ? "true" : "false");
        break;
    case PV_JSON_NUMBER:
        spell_number (json, out);
        break;
    case PV_JSON_STRING:
        g_string_append_printf (out, "<%s>", pv_json_get_string (json, NULL));
        break;
    case PV_JSON_ARRAY:
        spell_array (json, out, SIZE_MAX);
        break;
    case PV_JSON_OBJECT:
        spell_object (json, out);
        break;
    }
}

static char *
read_text (const char *text, size_t size_bytes, PvJsonEnd *ret_end)
{
    g_auto (Reading) reading = begin (text, size_bytes);
    g_autoptr (GString) out = g_string_new (NULL);
    spell (reading.json, out);
    *ret_end = pv_json_get_end (reading.json);
    g_assert_cmpuint (pv_json_get_position (reading.json), <=, size_bytes);
    g_assert_false (pv_json_next_element (reading.json));
    return g_string_free (g_steal_pointer (&out), FALSE);
}

TEST (random)
{
    for (unsigned seed = 0; seed < pv_test_rounds (N_CASES); seed++) {
        g_autoptr (GRand) random = g_rand_new_with_seed (seed);
        g_autoptr (GString) text = g_string_new (seed % 3 == 0 ? "\xef\xbb\xbf" : "");
        g_autoptr (GString) expected = g_string_new (NULL);
        Writing writing = {random, text, expected};
        add_space (&writing);
        add_value (&writing, 0);
        g_string_append (text, seed % 2 == 0 ? "\n" : "\n}, nothing");
        PvJsonEnd how;
        assert_string (read_text (text->str, text->len, &how), expected->str);
        g_assert_cmpint (how, ==, PV_JSON_END_COMPLETE);
    }
}

/* Ends that come too early or in the wrong place end everything that is open. */
TEST (cut)
{
    static const char text[] = "{\"name\": [1, {\"skip\": [[]], \"leave\": [1, 2, 3]}, \"é\\n\", "
                               "true], \"other\": -1.5e1}";
    for (size_t len = 0; len < sizeof text - 1; len++) {
        PvJsonEnd how;
        g_autofree char *cut = read_text (text, len, &how);
        g_assert_cmpint (how, ==, PV_JSON_END_TRUNCATED);
        g_autofree char *damaged_text = g_strndup (text, len + 1);
        damaged_text[len] = '\1';
        g_autofree char *damaged = read_text (damaged_text, len + 1, &how);
        g_assert_cmpint (how, ==, PV_JSON_END_DAMAGED);
    }
    PvJsonEnd how;
    g_autofree char *whole = read_text (text, sizeof text - 1, &how);
    g_assert_cmpint (how, ==, PV_JSON_END_COMPLETE);
    g_assert_cmpstr (whole, ==, "{0=[1 {2=[1 2 ] } <é\n> true ] other=-15 }");
}

/* --- columns --- */

TEST (columns)
{
    static const char *const keys[] = {"ints", "longs", "numbers", "strings", NULL};
    static const char text[] =
        "{\"ints\": [1, null, -3, 4000000000, 5.75, \"6\", [7, [8]], {\"a\": 9}, true, 10],"
        "\"longs\": [1, null, 9007199254740993, 1e300, -2.5],"
        "\"numbers\": [1, null, 0.25, 1e300],"
        "\"strings\": [\"a\", null, \"b\", \"a\", 3], \"ints\": 5, \"ints\": [11]}";
    g_auto (Reading) reading = begin (text, sizeof text - 1);
    PvInt32Column ints = {0};
    PvInt64Column longs = {0};
    PvNumberColumn numbers = {0};
    PvStringColumn strings = {0};
    g_autoptr (PvInterner) interner = pv_interner_new ();
    int key, n_columns = 0;
    g_assert_true (pv_json_enter_object (reading.json));
    while (pv_json_next_key (reading.json, keys, &key)) {
        PvJson *json = reading.json;
        n_columns += key == 0   ? pv_json_append_int32s (json, &ints, -1)
                     : key == 1 ? pv_json_append_int64s (json, &longs, -1)
                     : key == 2 ? pv_json_append_numbers (json, &numbers, -1)
                                : pv_json_append_strings (json, &strings, interner);
    }
    g_assert_cmpint (pv_json_get_end (reading.json), ==, PV_JSON_END_COMPLETE);
    g_assert_cmpint (n_columns, ==, 5);
    static const int32_t expected_ints[] = {1, -1, -3, -1, 5, -1, -1, -1, 1, 10, 11};
    static const int64_t expected_longs[] = {1, -1, 9007199254740993, -1, -2};
    static const double expected_numbers[] = {1, -1, 0.25, 1e300};
    g_assert_cmpmem (ints.data, ints.len * sizeof (int32_t), expected_ints, sizeof expected_ints);
    g_assert_cmpmem (longs.data, longs.len * sizeof (int64_t), expected_longs,
                     sizeof expected_longs);
    g_assert_cmpmem (numbers.data, numbers.len * sizeof (double), expected_numbers,
                     sizeof expected_numbers);
    g_assert_cmpuint (strings.len, ==, 5);
    g_assert_cmpstr (pv_interner_get (interner, strings.data[2]), ==, "b");
    g_assert_cmpuint (strings.data[0], ==, strings.data[3]);
    g_assert_cmpuint (strings.data[1] | strings.data[4], ==, 0);
    pv_array_clear (&ints);
    pv_array_clear (&longs);
    pv_array_clear (&numbers);
    pv_array_clear (&strings);
}

/* Over many pieces, with something deep to be skipped before. */
TEST (long_column)
{
    enum { N = 300000 };
    static const char *const keys[] = {"times", NULL};
    g_autoptr (GString) text = g_string_new ("{\"skipped\": [");
    for (int i = 0; i < N / 4; i++)
        g_string_append_printf (text, "{\"a\": [[%d]], \"b\": \"[[{\"},", i);
    g_string_append (text, "0], \"times\": [");
    for (int i = 0; i < N; i++)
        g_string_append_printf (text, "%s%d.%03d", i > 0 ? ", " : "", i, i % 1000);
    g_string_append (text, "]}");
    g_auto (Reading) reading = begin (text->str, text->len);
    PvNumberColumn times = {0};
    int key;
    g_assert_true (pv_json_enter_object (reading.json));
    while (pv_json_next_key (reading.json, keys, &key))
        g_assert_true (key < 0 || pv_json_append_numbers (reading.json, &times, 0));
    g_assert_cmpint (pv_json_get_end (reading.json), ==, PV_JSON_END_COMPLETE);
    g_assert_cmpuint (times.len, ==, N);
    for (int i = 0; i < N; i++)
        g_assert_cmpfloat_with_epsilon (times.data[i], i + i % 1000 / 1000.0, 1e-9);
    pv_array_clear (&times);
}

TEST (numbers)
{
    static const char *const edges[] = {"0",
                                        "-0",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "123456789012345678901234567890",
                                        "1e400",
                                        "-1e400",
                                        "0.1",
                                        "1234567.0000000002",
                                        "12345678901234567.25",
                                        "9007199254740992.5",
                                        "9007199254740993.0",
                                        "9007199254740993.001",
                                        "900719925474099.2999",
                                        "-0.000000000000000000000000001",
                                        "1E2",
                                        "3.0"};
    g_autoptr (GRand) random = g_rand_new_with_seed (1);
    for (int i = 0; i < 20000; i++) {
        char written[G_ASCII_DTOSTR_BUF_SIZE];
        double value = (g_rand_double (random) - 0.5) * pow (10, g_rand_int_range (random, -5, 18));
        if (i < (int)G_N_ELEMENTS (edges))
            g_strlcpy (written, edges[i], sizeof written);
        else if (i % 3 == 0) /* as many digits as there may be */
            g_snprintf (written, sizeof written, "%u%09u.%09u", (unsigned)i % 10,
                        g_rand_int (random) % 1000000000, g_rand_int (random) % 1000000000);
        else
            g_ascii_dtostr (written, sizeof written, i % 3 == 1 ? value : round (value));
        int64_t integer = 0;
        double real = 0, expected = g_ascii_strtod (written, NULL);
        if (pv_json_parse_number (written, strlen (written), &integer, &real)) {
            g_assert_cmpint (integer, ==, g_ascii_strtoll (written, NULL, 10));
            continue;
        }
        expected = CLAMP (expected, -G_MAXDOUBLE, G_MAXDOUBLE);
        g_assert_cmpfloat (real, ==, expected);
    }
}

/* --- limits --- */

static PvJsonEnd
skip_text (const char *text, size_t size_bytes)
{
    g_auto (Reading) reading = begin (text, size_bytes);
    g_assert_true (pv_json_enter_array (reading.json));
    while (pv_json_next_element (reading.json))
        ;
    return pv_json_get_end (reading.json);
}

TEST (limits)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (unsigned i = 0; i < PV_JSON_MAX_DEPTH; i++)
        g_string_append_c (text, '[');
    gsize n_open = text->len;
    for (unsigned i = 0; i < PV_JSON_MAX_DEPTH; i++)
        g_string_append_c (text, ']');
    g_assert_cmpint (skip_text (text->str, text->len), ==, PV_JSON_END_COMPLETE);
    g_assert_cmpint (skip_text (text->str, n_open), ==, PV_JSON_END_TRUNCATED);
    g_string_prepend_c (text, '[');
    g_assert_cmpint (skip_text (text->str, text->len), ==, PV_JSON_END_TOO_LARGE);

    size_t n = PV_JSON_MAX_TOKEN_BYTES;
    g_string_set_size (text, 2 * n);
    memset (text->str, 'x', text->len);
    memcpy (text->str, "[\"", 2);
    g_assert_cmpint (skip_text (text->str, text->len), ==, PV_JSON_END_TOO_LARGE);
    memcpy (text->str + n / 2, "\\\\\"]", 4);
    g_assert_cmpint (skip_text (text->str, text->len), ==, PV_JSON_END_COMPLETE);
    memset (text->str + 1, ' ', text->len - 1);
    g_assert_cmpint (skip_text (text->str, text->len), ==, PV_JSON_END_TOO_LARGE);
}

/* A column that takes more than its share of memory ends the reading. */
TEST (budget)
{
    static const char *const keys[] = {"times", NULL};
    enum { N = 1 << 20 };
    g_autoptr (GString) text = g_string_new ("{\"times\": [0");
    for (int i = 0; i < N; i++)
        g_string_append (text, ",0");
    g_string_append (text, "], \"times\": [7]}");
    Reading reading = begin (text->str, text->len);
    PvReadContext context = {.budget = {.max_bytes = 1 << 20}};
    pv_json_free (reading.json);
    reading.json = pv_json_new (reading.stream, &context);
    PvNumberColumn times = {0};
    PvProfileBuilder *builder = pv_profile_builder_new ();
    int key;
    g_assert_true (pv_json_enter_object (reading.json));
    while (pv_json_next_key (reading.json, keys, &key))
        g_assert_true (pv_json_append_numbers (reading.json, &times, 0));
    g_assert_cmpint (pv_json_get_end (reading.json), ==, PV_JSON_END_NO_MEMORY);
    g_assert_cmpuint (times.len, >, 0);
    g_assert_cmpuint (times.len * sizeof (double), <, 2 << 20);
    g_assert_cmpint (pv_json_get_type (reading.json), ==, PV_JSON_NONE);
    pv_json_add_note (reading.json, builder);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_notes, ==, 1);
    pv_profile_builder_free (builder);
    pv_array_clear (&times);
    end (&reading);

    reading = begin ("[1, 2, 3]", 9);
    g_assert_true (pv_json_enter_array (reading.json));
    g_assert_true (pv_json_next_element (reading.json));
    pv_json_count_bytes (reading.json, UINT64_C (1) << 40);
    g_assert_cmpint (pv_json_get_type (reading.json), ==, PV_JSON_NONE);
    g_assert_false (pv_json_next_element (reading.json));
    end (&reading);
}

TEST (cancel)
{
    g_autoptr (PvJob) job = pv_job_new ();
    pv_job_cancel (job);
    g_auto (Reading) reading = begin ("[1]", 3);
    PvReadContext context = {.job = job};
    pv_json_free (reading.json);
    reading.json = pv_json_new (reading.stream, &context);
    g_assert_false (pv_json_enter_array (reading.json));
    g_assert_cmpint (pv_json_get_end (reading.json), ==, PV_JSON_END_CANCELLED);
}

TEST (outline)
{
    static const char text[] = "{\"meta\": {\"version\": 3, \"product\": \"shop\"}, \"threads\": "
                               "[{\"name\": \"main\"}, 5, {\"samples\": {\"stack\": [1]}}], "
                               "\"cut\": {\"short\": [[";
    g_autoptr (PvJsonOutline) outline =
        pv_json_outline_new ((const uint8_t *)text, sizeof text - 1);
    static const char *const there[] = {"meta", "meta.version", "threads[].name",
                                        "threads[].samples.stack", "cut.short"};
    static const char *const not_there[] = {"version", "threads[].stack", "short", "", "met"};
    for (size_t i = 0; i < G_N_ELEMENTS (there); i++)
        g_assert_true (pv_json_outline_has (outline, there[i]));
    for (size_t i = 0; i < G_N_ELEMENTS (not_there); i++)
        g_assert_false (pv_json_outline_has (outline, not_there[i]));
    g_assert_cmpstr (pv_json_outline_get_string (outline, "meta.product"), ==, "shop");
    g_assert_null (pv_json_outline_get_string (outline, "meta.version"));

    g_autoptr (PvJsonOutline) list = pv_json_outline_new ((const uint8_t *)"\n[{\"ph\": 1}", 12);
    g_assert_true (pv_json_outline_has (list, "[].ph"));
    g_assert_null (pv_json_outline_new ((const uint8_t *)"main;a 1\n", 9));
    g_assert_null (pv_json_outline_new (NULL, 0));
}

/* --- the lexer --- */

/* All tokens, of the text in two pieces. */
static char *
spell_in_pieces (const char *text, size_t cut)
{
    PvJsonLexer lexer = {0};
    PvJsonEnd at_cut, at_end = PV_JSON_END_OPEN;
    size_t used = pv_json_lexer_take (&lexer, text, cut, &at_cut);
    g_assert_cmpuint (used, <=, cut);
    if (at_cut == PV_JSON_END_OPEN)
        pv_json_lexer_take (&lexer, text + used, strlen (text) - used, &at_end);
    GString *spelled = g_string_new (NULL);
    for (size_t t = 0; t < lexer.tokens.len; t++) {
        const PvJsonToken *token = &lexer.tokens.data[t];
        g_string_append_printf (spelled, "%u", token->type);
        if (token->type == PV_JSON_TOKEN_INTEGER)
            g_string_append_printf (spelled, ":%" G_GINT64_FORMAT, token->integer);
        else if (token->type == PV_JSON_TOKEN_REAL)
            g_string_append_printf (spelled, ":%.17g", token->real);
        else if (token->type == PV_JSON_TOKEN_STRING || token->type == PV_JSON_TOKEN_KEY)
            g_string_append_printf (spelled, ":%s/%u", lexer.text.data + token->text,
                                    token->size_bytes);
        g_string_append_c (spelled, ' ');
    }
    g_string_append_printf (spelled, "end %d", at_cut == PV_JSON_END_OPEN ? at_end : at_cut);
    pv_json_lexer_clear (&lexer);
    return g_string_free (spelled, FALSE);
}

/* However long the text is, only so many tokens are made at a time, also after a string that made
 * the pieces long. */
TEST (many_tokens)
{
    enum { N = 3 << 20, STRING_BYTES = 8 << 20 };
    g_autoptr (GString) text = g_string_new ("[\"");
    g_string_set_size (text, STRING_BYTES);
    memset (text->str + 2, 'x', STRING_BYTES - 2);
    g_string_append (text, "\"");
    for (unsigned i = 0; i < N; i++)
        g_string_append_printf (text, ",%u", i % 10);
    g_string_append_c (text, ']');

    PvJsonLexer lexer = {0};
    PvJsonEnd how = PV_JSON_END_OPEN;
    size_t n_tokens = 0, at = 0;
    while (how == PV_JSON_END_OPEN) {
        at += pv_json_lexer_take (&lexer, text->str + at, text->len - at, &how);
        g_assert_cmpuint (lexer.tokens.len, <=, PV_JSON_MAX_TOKENS);
        g_assert_cmpuint (lexer.tokens.cap, <=, 2 * PV_JSON_MAX_TOKENS);
        g_assert_cmpuint (lexer.tokens.len, >, 0);
        n_tokens += lexer.tokens.len;
        lexer.tokens.len = lexer.text.len = 0;
    }
    g_assert_cmpint (how, ==, PV_JSON_END_COMPLETE);
    g_assert_cmpuint (n_tokens, ==, N + 3);
    pv_json_lexer_clear (&lexer);

    g_auto (Reading) reading = begin (text->str, text->len);
    unsigned n = 0;
    size_t size_bytes;
    g_assert_true (pv_json_enter_array (reading.json));
    g_assert_true (pv_json_next_element (reading.json));
    g_assert_nonnull (pv_json_get_string (reading.json, &size_bytes));
    g_assert_cmpuint (size_bytes, ==, STRING_BYTES - 2);
    for (; pv_json_next_element (reading.json); n++)
        g_assert_cmpint (pv_json_get_integer (reading.json, -1), ==, n % 10);
    g_assert_cmpuint (n, ==, N);
    g_assert_cmpint (pv_json_get_end (reading.json), ==, PV_JSON_END_COMPLETE);
}

/* A cut anywhere, in a number, a word, an escape or half a character, changes nothing. */
TEST (cuts)
{
    static const char *const texts[] = {
        "{\"a\": [-12, 0.5, 1e3, -0, 123456789012345678901, true, false, null], \"\": {}} ",
        "[\"\\u00e9\\ud83d\\ude00\\n\\\\\", \"\xc3\xa9\", \"\\ud83dx\", \"\\udc00\"]",
        "[1, 2,, 3]",
        "{\"a\" 1}",
        "[1}",
        "[01]",
        "[1.]",
        "[-]",
        "[\"a\nb\"]",
        "[\"\\x\"]",
        "[\"\\u12g4\"]",
        "[nul]",
        "[\v1\f]",
    };

    for (size_t t = 0; t < G_N_ELEMENTS (texts); t++) {
        size_t n = strlen (texts[t]);
        g_autofree char *whole = spell_in_pieces (texts[t], n);
        for (size_t cut = 0; cut < n; cut++)
            assert_string (spell_in_pieces (texts[t], cut), whole);
    }
    assert_string (spell_in_pieces ("[-12, 0.5, 1e3]", 0), "8 4:-12 5:0.5 5:1000 10 end 1");
    /* Half a character becomes a question mark, what follows it stays. */
    assert_string (spell_in_pieces ("[\"\\ud83dx\", \"\\ud83d\\u0041\"]", 0),
                   "8 6:?x/2 6:?A/2 10 end 1");
}
