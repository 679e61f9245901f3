/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of a heaptrack file's lines. */
#include <string.h>

#include "../cases.h"
#include "core/read/heaptrack/heaptrack-hex.h"
#include "heap-text.h"

/* A program, a library, and three traces: main, main;f, main;lib. */
#define RAW_MODULES                                                                                \
    "v 10400 3\n"                                                                                  \
    "x 9 /bin/prog\n"                                                                              \
    "X ./prog a b \n"                                                                              \
    "I 1000 200\n"                                                                                 \
    "m 1 -\n"                                                                                      \
    "m 1 x 400000 1000 1000 3000 500\n"                                                            \
    "m f linux-vdso.so.1 7fff0000 0 1000\n"                                                        \
    "m e /lib/li b.so.1 7f0000000000 0 2000\n"
#define RAW RAW_MODULES "t 401010 0\nt 401020 1\nt 7f0000000010 1\n"

static void
assert_sites (const char *text, const char *expected)
{
    g_autoptr (PvProfile) profile = read_heap (text);
    assert_string (sites_text (profile), expected);
}

/* The same, where nothing was skipped. */
static void
assert_clean (const char *text, const char *expected)
{
    g_autoptr (PvProfile) profile = read_heap (text);
    g_assert_cmpuint (profile->n_notes, ==, 0);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    assert_string (sites_text (profile), expected);
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void
assert_hex (const char *field, char end, size_t expected_len, uint64_t expected)
{
    char text[64] = {0};
    uint64_t value = 0x5555;
    memset (text, '\n', sizeof text);
    memcpy (text, field, strlen (field));
    text[strlen (field)] = end;
    const char *at = heaptrack_parse_hex (text, &value);
    bool is_number = at > text && (*at == ' ' || *at == '\n');
    g_assert_cmpint (is_number, ==, expected_len > 0);
    if (!is_number)
        return;
    g_assert_cmpuint ((size_t)(at - text), ==, expected_len);
    g_assert_cmpuint (value, ==, expected);
}

TEST (hex)
{
    static const char digits[] = "123456789abcdef0";
    for (unsigned len = 1; len <= 16; len++) {
        g_autofree char *field = g_strndup (digits, len);
        uint64_t value = g_ascii_strtoull (field, NULL, 16);
        assert_hex (field, ' ', len, value);
        assert_hex (field, '\n', len, value);
        for (unsigned at = 0; at < len; at++) {
            for (unsigned c = 0; c < 256; c++) {
                char changed[32] = {0};
                memcpy (changed, field, len);
                changed[at] = (char)c;
                bool is_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                if (c == 0)
                    continue;
                if (c == ' ' || c == '\n')
                    assert_hex (changed, ' ', at, at > 0 ? value >> 4 * (len - at) : 0);
                else
                    assert_hex (changed, ' ', is_digit ? len : 0,
                                is_digit ? g_ascii_strtoull (changed, NULL, 16) : 0);
            }
        }
    }
    assert_hex ("", ' ', 0, 0);
    assert_hex ("ffffffffffffffff", ' ', 16, UINT64_MAX);
    assert_hex ("1ffffffffffffffff", ' ', 0, 0);
    assert_hex ("00000000000000001", ' ', 0, 0);
}

/* --- raw files -------------------------------------------------------------------------------- */

TEST (raw)
{
    g_autoptr (PvProfile) profile = read_heap (RAW "c a\nR 20\n"
                                                   "+ 10 2 55aa0010\n"
                                                   "+ 20 3 55aa0020\n"
                                                   "c 14\nR 30\n"
                                                   "- 55aa0010\n"
                                                   "+ 8 2 55aa0010\n"
                                                   "c 1e\nR 28\n");
    assert_string (sites_text (profile), "prog+0x1010;prog+0x1020 2/0 24 8 16\n"
                                         "prog+0x1010;li b.so.1+0x10 1/0 32 32 32\n");
    const PvHeap *heap = profile->heap;
    g_assert_true (heap->is_exact);
    g_assert_false (heap->is_attached);
    g_assert_cmpuint (heap->duration_ms, ==, 30);
    g_assert_cmpint (heap->peak_bytes, ==, 48);
    g_assert_cmpuint (heap->peak_ms, ==, 10);
    g_assert_cmpuint (heap->peak_rss_bytes, ==, 0x30000);
    g_assert_cmpuint (profile->n_notes, ==, 0);
    g_assert_cmpstr (profile->facts.format, ==, "heaptrack");
    g_assert_cmpstr (profile->facts.recorder, ==, "heaptrack 1.4.0");
    g_assert_cmpstr (profile->facts.command, ==, "./prog a b");
    g_assert_null (profile->facts.recorded_with);
    g_assert_cmpuint (profile->facts.memory_bytes, ==, 0x200000);
    g_assert_null (profile->facts.call_graph);
    g_assert_cmpuint (profile->n_processes, ==, 2);
    g_assert_cmpstr (profile->processes[1].name, ==, "prog");
    g_assert_cmpuint (profile->n_threads, ==, 2);
}

TEST (modules)
{
    g_autoptr (PvProfile) profile = read_heap (RAW "+ 10 1 1000\n");
    const PvModule *program = find_module (profile, "/bin/prog");
    g_assert_nonnull (program);
    g_assert_true (program->is_main);
    g_assert_cmpint (program->kind, ==, PV_MODULE_FILE);
    g_assert_cmpint (program->address_kind, ==, PV_ADDRESS_LINK);
    g_assert_cmpuint (program->load_addr, ==, 0x401000);
    g_assert_cmpuint (program->end_addr, ==, 0x403500);
    const PvModule *library = find_module (profile, "/lib/li b.so.1");
    g_assert_nonnull (library);
    g_assert_false (library->is_main);
    const PvModule *vdso = find_module (profile, "[vdso]");
    g_assert_nonnull (vdso);
    g_assert_cmpint (vdso->kind, ==, PV_MODULE_VDSO);
    g_assert_cmpint (profile->kind_of_location[1], ==, PV_LOCATION_EXACT);

    /* Between and behind segments there is nothing. */
    assert_clean (RAW_MODULES "t 402000 0\nt 4034ff 0\nt 403500 0\nt 400fff 0\n"
                              "+ 1 1 10\n+ 1 2 20\n+ 1 3 30\n+ 1 4 40\n",
                  "[unknown]+0x402000 1/0 1 1 1\nprog+0x34ff 1/0 1 1 1\n"
                  "[unknown]+0x403500 1/0 1 1 1\n[unknown]+0x400fff 1/0 1 1 1\n");
}

/* The same address is another place after the modules have changed. */
TEST (reload)
{
    assert_clean (RAW "+ 1 3 10\n"
                      "m 1 -\n"
                      "t 7f0000000010 0\n"
                      "+ 1 4 20\n"
                      "m 1 -\n"
                      "m 5 /b.so 7f0000000000 0 1000\n"
                      "t 7f0000000010 0\n"
                      "+ 1 5 30\n"
                      /* what comes later in a list lies above */
                      "m 5 /c.so 7effffffff00 100 80\n"
                      "t 7f0000000010 0\n"
                      "t 7f0000000090 0\n"
                      "+ 1 6 40\n+ 1 7 50\n"
                      /* and again as it was first: no second module */
                      "m 1 -\n"
                      "m e /lib/li b.so.1 7f0000001000 0 2000\n"
                      "t 7f0000001010 0\n"
                      "+ 1 8 60\n",
                  "prog+0x1010;li b.so.1+0x10 1/0 1 1 1\n"
                  "[unknown]+0x7f0000000010 1/0 1 1 1\n"
                  "b.so+0x10 1/0 1 1 1\n"
                  "c.so+0x110 1/0 1 1 1\n"
                  "b.so+0x90 1/0 1 1 1\n"
                  "li b.so.1+0x10 1/0 1 1 1\n");
    g_autoptr (PvProfile) profile = read_heap (RAW "m 1 -\nm e /lib/li b.so.1 1000 0 2000\n");
    unsigned n = 0;
    for (uint32_t m = 1; m < profile->n_modules; m++)
        n += strcmp (profile->modules[m].path, "/lib/li b.so.1") == 0;
    g_assert_cmpuint (n, ==, 1);
}

/* Temporary is a block that is freed before anything else is allocated or freed; a free of a block
 * that is not known comes between as well, as for heaptrack_interpret. */
TEST (temporary_raw)
{
    assert_clean (RAW "+ 10 1 100\nc 5\nR 5\n- 100\nR 5\n", "prog+0x1010 1/1 16 0 16\n");
    assert_clean (RAW "+ 10 1 100\n+ 10 1 200\n- 100\n- 200\n", "prog+0x1010 2/0 32 0 32\n");
    assert_clean (RAW "+ 10 1 100\n- 999\n- 100\n", "prog+0x1010 1/0 16 0 16\n");
    assert_clean (RAW "+ 10 1 100\n- 100\n- 100\n", "prog+0x1010 1/1 16 0 16\n");
    assert_clean (RAW "- 0\n+ 10 1 0\n- 0\n- 0\n", "prog+0x1010 1/1 16 0 16\n");
    assert_clean (RAW "+ 10 1 100\n+ 20 2 ffffffffffffffff\n- ffffffffffffffff\n- 100\n",
                  "prog+0x1010 1/0 16 0 16\nprog+0x1010;prog+0x1020 1/1 32 0 32\n");
}

/* realloc frees before it allocates, also in place. */
TEST (realloc)
{
    assert_clean (RAW "+ 10 1 100\n+ 1 1 900\n- 100\n+ 30 2 100\n",
                  "prog+0x1010 2/0 17 1 1\nprog+0x1010;prog+0x1020 1/0 48 48 48\n");
}

/* The free was not seen: what was there stays live, and the next free is that of the new block. */
TEST (live_pointer)
{
    assert_clean (RAW "+ 10 1 100\n+ 20 2 100\n- 100\n- 100\n",
                  "prog+0x1010 1/0 16 16 16\nprog+0x1010;prog+0x1020 1/1 32 0 32\n");
}

/* The first moment of the highest level; what is equal later does not count. */
TEST (peak)
{
    assert_clean (RAW "c a\n+ 10 1 100\nc 14\n- 100\nc 1e\n+ 10 2 100\nc 28\n",
                  "prog+0x1010 1/1 16 0 16\nprog+0x1010;prog+0x1020 1/0 16 16 0\n");
    g_autoptr (PvProfile) profile =
        read_heap (RAW "c a\n+ 10 1 100\nc 14\n- 100\nc 1e\n+ 10 2 100\nc 28\n");
    g_assert_cmpuint (profile->heap->peak_ms, ==, 10);
    g_assert_cmpint (profile->heap->peak_bytes, ==, 16);
}

TEST (time)
{
    g_autoptr (PvProfile) profile = read_heap (RAW "c 64\n+ 10 1 100\nc 32\nc c8\n- 100\n");
    g_assert_cmpuint (profile->heap->duration_ms, ==, 200);
    g_assert_cmpuint (profile->heap->peak_ms, ==, 100);
    g_assert_true (perf_has_note (profile, PV_NOTE_SKIPPED_RECORDS));
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    /* A stamp that comes again does no harm. */
    g_autoptr (PvProfile) again = read_heap (RAW "c 64\nc 64\n");
    g_assert_false (perf_has_note (again, PV_NOTE_SKIPPED_RECORDS));
}

static uint64_t
count_ages (const PvHeap *heap, uint64_t age_ms)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < heap->first_age_of_site[heap->n_sites]; i++)
        if (heap->class_of_age[i] == pv_heap_age_class (age_ms))
            n += heap->frees_of_age[i];
    return n;
}

TEST (ages)
{
    g_autoptr (PvProfile) profile = read_heap (RAW "+ 10 1 100\nc a\n+ 10 1 200\nc 1e\n- 100\n"
                                                   "+ 10 1 300\n- 300\nc 28\n- 200\n"
                                                   "+ 10 1 400\n+ 10 2 500\nc 2d\n");
    const PvHeap *heap = profile->heap;
    g_assert_nonnull (heap->first_age_of_site);
    g_assert_cmpuint (count_ages (heap, 30), ==, 2);
    g_assert_cmpuint (count_ages (heap, 0), ==, 1);
    g_assert_cmpuint (count_ages (heap, 5), ==, 2); /* never freed */
}

TEST (attached)
{
    g_autoptr (PvProfile) profile =
        read_heap (RAW "+ 10 1 100\nA\n- 100\n+ 20 2 200\n- 999\n- 200\n+ 8 2 200\n");
    g_assert_true (profile->heap->is_attached);
    g_assert_cmpuint (profile->heap->n_allocations, ==, 2);
    g_assert_cmpint (profile->heap->leaked_bytes, ==, 8);
}

TEST (large_sizes)
{
    g_autoptr (PvProfile) profile =
        read_heap (RAW "+ fffffffe 1 100\n+ ffffffff 1 200\n+ 100000000 2 300\n- 200\n");
    assert_string (sites_text (profile),
                   "prog+0x1010 2/0 8589934589 4294967294 8589934589\n"
                   "prog+0x1010;prog+0x1020 1/0 4294967296 4294967296 4294967296\n");
    /* Far beyond what memory there is: nothing overflows. */
    g_autoptr (PvProfile) absurd = read_heap (
        RAW "+ ffffffffffffffff 1 100\n+ ffffffffffffffff 1 200\n- 100\n- 200\nc ffffffffffffffff\n"
            "R ffffffffffffffff\n");
    g_assert_cmpuint (absurd->heap->n_allocations, ==, 2);
    g_assert_cmpuint (absurd->heap->n_frees, ==, 2);
}

/* An allocation that has no trace, and a frame that has no address. */
TEST (no_trace)
{
    assert_clean (RAW "t 0 2\nt 0 0\n+ 10 0 100\n+ 10 4 200\n+ 10 5 300\n",
                  "[unknown]+0x0 1/0 16 16 16\n"
                  "prog+0x1010;prog+0x1020 1/0 16 16 16\n"
                  "[unknown]+0x0 1/0 16 16 16\n");
}

/* --- interpreted files ------------------------------------------------------------------------ */

#define INTERPRETED                                                                                \
    "v 10400 3\n"                                                                                  \
    "X /opt/prog x\n"                                                                              \
    "I 1000 200\n"                                                                                 \
    "s 9 /usr/prog\n"                                                                              \
    "s 4 main\n"                                                                                   \
    "s 6 main.c\n"                                                                                 \
    "i 401010 1 2 3 10\n"                                                                          \
    "t 1 0\n"

TEST (interpreted)
{
    g_autoptr (PvProfile) profile = read_heap (INTERPRETED "s 5 inner\n"
                                                           "s 3 a b\n"
                                                           "i 401020 1 4 5 7 2 3 1a\n"
                                                           "t 2 1\n"
                                                           "a 10 1\n"
                                                           "+ 0\n"
                                                           "a 20 2\n"
                                                           "+ 1\n"
                                                           "c a\n"
                                                           "- 1\n"
                                                           "- 0\n"
                                                           "+ 1\n"
                                                           "# strings: 5\n"
                                                           "# ips: 2\n");
    assert_string (sites_text (profile),
                   "main@main.c:16 1/0 16 0 16\n"
                   "main@main.c:16;inner@a b:7<main@main.c:26 2/1 64 32 32\n");
    g_assert_false (profile->heap->is_exact);
    g_assert_null (profile->heap->first_age_of_site);
    g_assert_cmpuint (profile->n_notes, ==, 0);
    g_assert_cmpstr (profile->processes[1].name, ==, "prog");
    const PvModule *module = find_module (profile, "/usr/prog");
    g_assert_nonnull (module);
    g_assert_true (module->is_main);
    g_assert_cmpint (module->address_kind, ==, PV_ADDRESS_ORDINAL);
}

/* Unknown parts of an address are left out at the end of its line. */
TEST (partial_names)
{
    assert_clean (INTERPRETED "i 500 1\n"
                              "i 501 1 2\n"
                              "i 502 0\n"
                              "i 503 1 0 3 5\n"
                              "t 2 0\nt 3 0\nt 4 0\nt 5 0\nt 0 2\n"
                              "a 1 2\na 1 3\na 1 4\na 1 5\na 1 6\n"
                              "+ 0\n+ 1\n+ 2\n+ 3\n+ 4\n",
                  "prog at 0x500 1/0 1 1 1\nmain 1/0 1 1 1\n0x502 1/0 1 1 1\n"
                  "prog at 0x503@main.c:5 1/0 1 1 1\nprog at 0x500 1/0 1 1 1\n");
}

/* By number: freeing an older one of the same kind counts, too. None is not number 0. */
TEST (temporary_interpreted)
{
    assert_sites (INTERPRETED "a 10 1\na 20 1\n- 0\n- 0\n", "main@main.c:16 0/0 0 -32 0\n");
    assert_clean (INTERPRETED "a 10 1\n+ 0\n+ 0\n- 0\n- 0\n", "main@main.c:16 2/1 32 0 32\n");
    assert_clean (INTERPRETED "a 10 1\na 20 1\n+ 0\n+ 1\n- 0\n- 1\n",
                  "main@main.c:16 2/0 48 0 48\n");
}

/* --- versions --------------------------------------------------------------------------------- */

TEST (versions)
{
    /* Version 0 had pointers in interpreted files. */
    static const char by_pointer[] = "s /usr/prog\ns a b\ns b.c\ni 401010 1 2 3 10\nt 1 0\n"
                                     "+ 10 1 100\n+ 20 1 200\n- 100\n- 200\n- 300\n";
    static const char *const heads_0[] = {"v 10000\n", "v 10100 0\n", "X prog\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (heads_0); i++) {
        g_autofree char *text = g_strconcat (heads_0[i], by_pointer, NULL);
        assert_clean (text, "a b@b.c:16 2/0 48 0 48\n");
        g_autoptr (PvProfile) profile = read_heap (text);
        g_assert_true (profile->heap->is_exact);
    }
    static const char by_number[] = "s /usr/prog\ns a b\ns b.c\ni 401010 1 2 3 10\nt 1 0\n"
                                    "a 10 1\n+ 0\n- 0\n";
    static const char *const heads_1[] = {"v 10200\n", "v 10100 1\n", "v 10100 2\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (heads_1); i++) {
        g_autofree char *text = g_strconcat (heads_1[i], by_number, NULL);
        assert_clean (text, "a b@b.c:16 1/1 16 0 16\n");
    }
    g_autoptr (PvProfile) newer = read_heap ("v 20000 4\nx 2 /p\nt 10 0\n+ 10 1 100\n");
    g_assert_cmpuint (newer->n_notes, ==, 1);
    g_assert_cmpstr (newer->facts.recorder, ==, "heaptrack 2.0.0");
}

/* The second trace has numbers of its own, which do not go with rows of the first. */
TEST (several)
{
    static const char trace[] = "v 10500 3\nx 2 /p\nt 10 0\n+ 10 1 100\n";
    g_autofree char *text = g_strconcat (trace, trace, NULL);
    assert_error (error, read_bytes (text, strlen (text), NULL, &error), PV_READ_ERROR,
                  PV_READ_ERROR_UNSUPPORTED);
}

/* Without lengths a path ends at a space, the last string of a line at its end. */
TEST (old_raw)
{
    for (unsigned version = 0; version < 3; version++) {
        g_autofree char *text =
            g_strdup_printf ("v 10100 %u\nx /opt/my prog\nm -\nm x 400000 0 1000\n"
                             "m /lib/b.so 7f0000000000 0 1000\nt 400010 0\nt 7f0000000020 1\n"
                             "+ 10 2 100\n",
                             version);
        assert_clean (text, "my prog+0x10;b.so+0x20 1/0 16 16 16\n");
        g_autoptr (PvProfile) profile = read_heap (text);
        g_assert_true (profile->heap->is_exact);
        g_assert_true (find_module (profile, "/opt/my prog")->is_main);
    }
}

/* --- odd and damaged lines -------------------------------------------------------------------- */

TEST (suppressions)
{
    g_autoptr (PvProfile) profile = read_heap ("v 10400 3\nx 2 /p\n"
                                               "S leak:foo\n"
                                               "S 8 leak:bar\n"
                                               "S 9 leak:baz\n"
                                               "S #nothing\n"
                                               "S 4 #abc\n"
                                               "S   \n"
                                               "S 9  leak:qux\n");
    g_assert_cmpuint (profile->n_suppressions, ==, 4);
    g_assert_cmpstr (profile->suppressions[0], ==, "leak:foo");
    g_assert_cmpstr (profile->suppressions[1], ==, "leak:bar");
    g_assert_cmpstr (profile->suppressions[2], ==, "9 leak:baz");
    g_assert_cmpstr (profile->suppressions[3], ==, "leak:qux");
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

/* A name with a line feed inside is read by its length. */
TEST (line_feeds_in_strings)
{
    assert_clean ("v 10400 3\nx 5 /p\nq!\nm 1 x 0 0 1000\nm 3 /\nb 2000 0 1000\nt 10 0\n"
                  "t 2010 1\n+ 10 2 100\n",
                  "p\357\277\275q!+0x10;\357\277\275b+0x10 1/0 16 16 16\n");
}

/* A damaged line still takes its number. */
TEST (damaged_raw)
{
    static const char *const bad[] = {
        "t\n",
        "t \n",
        "t zz 0\n",
        "t 401030\n",
        "t 401030 3\n",
        "t 401030 g\n",
        "t 401030 ff\n",
        "t 401030  0\n",
        "t 401030 0x1\n",
        "tx\n",
        "t 12345678123456781 0\n",
        "t \xff 0\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
        g_autofree char *text = g_strconcat (RAW_MODULES "t 401010 0\nt 401020 1\n", bad[i],
                                             "t 401040 2\n+ 10 4 100\n", NULL);
        g_autoptr (PvProfile) profile = read_heap (text);
        g_autofree char *sites = sites_text (profile);
        g_assert_cmpstr (sites, ==, "prog+0x1010;prog+0x1020;prog+0x1040 1/0 16 16 16\n");
        g_assert_cmpuint (profile->n_skipped_records, ==, 1);
        g_assert_true (perf_has_note (profile, PV_NOTE_SKIPPED_RECORDS));
    }
    static const char *const others[] = {
        "+\n",        "+ \n",           "+ 10\n",     "+ 10 1\n",     "+ 10 1 \n",
        "+ 10 9 5\n", "+ g 1 5\n",      "+ 10 1 G\n", "-\n",          "- \n",
        "- x\n",      "-5\n",           "+10 1 5\n",  "c\n",          "c -1\n",
        "R\n",        "m 4\n",          "m 99 x 0\n", "m 1 x y\n",    "I\n",
        "I 0 5\n",    "v 10400 3\n",    "x 2 /b\n",   "s 1 a\n",      "i 1 1\n",
        "a 1 1\n",    "what is this\n", "q 1\n",      "m 2 /a 0 0\n", "\x80\n",
        "Again\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++) {
        g_autofree char *text = g_strconcat (RAW "+ 8 1 50\n", others[i], "+ 10 2 100\n", NULL);
        g_autoptr (PvProfile) profile = read_heap (text);
        g_autofree char *sites = sites_text (profile);
        g_assert_cmpstr (sites, ==,
                         "prog+0x1010 1/0 8 8 8\nprog+0x1010;prog+0x1020 1/0 16 16 16\n");
        g_assert_cmpuint (profile->n_skipped_records, ==, 1);
    }
    /* These are none. */
    assert_clean (RAW "\n#\n# what\n+ 10 1 100 and more\n- 200 x\nc 5 6\nR 1 2\n",
                  "prog+0x1010 1/0 16 16 16\n");
}

TEST (damaged_interpreted)
{
    static const char *const bad_strings[] = {"s\n", "s \n", "s z abc\n", "s 99 abc\n",
                                              "s 2 abc\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (bad_strings); i++) {
        g_autofree char *text =
            g_strconcat (INTERPRETED, bad_strings[i],
                         "s 1 f\ni 5 1 5\ni 6 1 4\nt 2 1\nt 3 2\na 10 3\n+ 0\n", NULL);
        g_autoptr (PvProfile) profile = read_heap (text);
        g_autofree char *sites = sites_text (profile);
        g_assert_cmpstr (sites, ==, "main@main.c:16;f;prog at 0x6 1/0 16 16 16\n");
        g_assert_cmpuint (profile->n_skipped_records, ==, 1);
    }
    static const char *const bad_addresses[] = {
        "i\n",         "i 5\n",         "i 5 9\n",         "i 5 1 9\n",
        "i 5 1 2 3\n", "i 5 1 2 9 1\n", "i 5 1 2 3 4 5\n", "i 5 1 2 3 z\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (bad_addresses); i++) {
        g_autofree char *text = g_strconcat (INTERPRETED, bad_addresses[i],
                                             "i 6 1 3\nt 2 1\nt 3 2\na 10 3\n+ 0\n", NULL);
        g_autoptr (PvProfile) profile = read_heap (text);
        g_autofree char *sites = sites_text (profile);
        g_assert_cmpstr (sites, ==, "main@main.c:16;main.c 1/0 16 16 16\n");
        g_assert_cmpuint (profile->n_skipped_records, ==, 1);
    }
    static const char *const bad_infos[] = {"a\n", "a 10\n", "a 10 2\n", "a x 1\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (bad_infos); i++) {
        g_autofree char *text =
            g_strconcat (INTERPRETED, bad_infos[i], "a 20 1\n+ 1\n+ 2\n- 2\nt 2 0\n", NULL);
        g_autoptr (PvProfile) profile = read_heap (text);
        assert_string (sites_text (profile), "main@main.c:16 1/0 32 32 32\n");
        g_assert_cmpuint (profile->n_skipped_records, ==, 4);
    }
    /* Lines of the other kind. */
    g_autoptr (PvProfile) mixed = read_heap (INTERPRETED "m 1 -\nx 2 /p\na 10 1\n+ 0\n");
    g_assert_cmpuint (mixed->n_skipped_records, ==, 2);
    g_assert_cmpuint (mixed->heap->n_allocations, ==, 1);
}

/* A chain as deep as it likes. */
TEST (deep)
{
    enum { DEPTH = 300000 };
    g_autoptr (GString) text = g_string_new (RAW_MODULES);
    for (unsigned i = 0; i < DEPTH; i++)
        g_string_append_printf (text, "t 401010 %x\n", i);
    g_string_append_printf (text, "+ 10 %x 100\n", DEPTH);
    g_autoptr (PvProfile) profile = read_heap (text->str);
    g_assert_cmpuint (profile->n_stacks, ==, DEPTH + 1);
    g_assert_cmpuint (profile->heap->n_sites, ==, 1);
    unsigned depth = 0;
    for (PvStackId s = profile->heap->stack_of_site[0]; s != 0; s = profile->parent_of_stack[s])
        depth++;
    g_assert_cmpuint (depth, ==, DEPTH);
}

/* Our recorder's remark, the first one of them; other remarks are nothing to us. */
TEST (recorded_with)
{
    g_autoptr (PvProfile) profile =
        read_heap ("v 10400 3\n"
                   "# recorded\n"
                   "# recorded with: \n"
                   "# recorded with: heaptrack --raw ./prog \x1b\xff b\n"
                   "# recorded with: something else\n"
                   "x 5 /prog\n"
                   "X ./prog a\n"
                   "t 10 0\n"
                   "+ 10 1 1000\n");
    g_assert_cmpstr (profile->facts.recorded_with, ==, "heaptrack --raw ./prog  � b");
    g_assert_cmpstr (profile->facts.command, ==, "./prog a");
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

static char *
find_relative (void *user, const char *recorded_path, const char *recorder_folder)
{
    g_string_append_printf (user, "%s in %s;", recorded_path,
                            recorder_folder != NULL ? recorder_folder : "?");
    return g_str_has_suffix (recorded_path, "1.so") ? g_strdup ("/found/p 1.so") : NULL;
}

/* Paths of modules may be relative to the folder in which the program was started. */
TEST (relative_modules)
{
    static const struct {
        const char *program, *command, *folder;
    } cases[] = {
        {"/home/me/bin/ap p", "bin/ap p --fast ", "/home/me"},
        {"/home/me/bin/app", "./bin/app", "/home/me"},
        {"/home/me/app", "././app x", "/home/me"},
        {"/app", "./app ", "/"},
        {"/usr/bin/app", "app x", "?"},
        {"/usr/bin/app", "/usr/bin/app x", "?"},
        {"/home/me/app", "../app", "?"},
        {"/home/me/bin/app", "bin/apple", "?"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GString) asked = g_string_new (NULL);
        const PvReadContext context = {.find_relative = find_relative, .user = asked};
        g_autofree char *text = g_strdup_printf (
            "v 10400 3\nx %zx %s\nX %s\nm 1 -\nm 1 x 400000 0 1000\n"
            "m f linux-vdso.so.1 7fff0000 0 1000\nm c plug in/1.so 7f0000000000 0 2000\n"
            "m 1 -\nm c plug in/1.so 7f0000000000 0 2000\nm 6 p/2.so 7e0000000000 0 2000\n"
            "t 7f0000000010 0\nt 7e0000000010 1\n+ 8 2 1000\n",
            strlen (cases[i].program), cases[i].program, cases[i].command);
        g_autoptr (PvProfile) profile =
            assert_ok (error, read_bytes (text, strlen (text), &context, &error));
        assert_string (sites_text (profile), "p 1.so+0x10;2.so+0x10 1/0 8 8 8\n");
        g_autofree char *expected =
            g_strdup_printf ("plug in/1.so in %s;p/2.so in %s;", cases[i].folder, cases[i].folder);
        g_assert_cmpstr (asked->str, ==, expected);
        g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    }
}
