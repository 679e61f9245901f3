/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of callgrind, of cachegrind, and of others who write the same, by hand. */
#include <string.h>

#include "reader-case.h"

static bool
is_callgrind (const char *text)
{
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (text, strlen (text)), strlen (text));
    return pv_read_find_reader (file) == &pv_callgrind_reader;
}

static PvProfile *
assert_spelled (const char *text, const char *expected)
{
    PvProfile *profile = read_well (&pv_callgrind_reader, text);
    assert_string (spell_weights (profile), expected);
    g_assert_true (profile->sets[0].is_exact);
    return profile;
}

static const PvMeasure *
find_measure (const PvProfile *profile, const char *name)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (strcmp (profile->measures[m].name, name) == 0)
            return &profile->measures[m];
    return NULL;
}

/* --- what is one --- */

TEST (detection)
{
    static const char *const good[] = {
        "# callgrind format\n",
        "version: 1\ncreator: callgrind-3.19.0\npid: 7\nevents: Ir\n",
        "positions: instr line\nevents: cpu(ms)\n\nob=(1) x\n",
        "events: Ticks\r\nsummary: 3\r\nfi=~\r\nfn=main\r\n0 3\n",
        "events: Ir\n\n", /* nothing was called */
        "# of the shop\n\ndesc: I1 cache: 32768 B\ncmd: ./shop\nevents: Ir\nfl=shop.c\nfn=main\n1 "
        "2\n",
    };
    static const char *const others[] = {
        "main;f 3\nmain 2\n",
        "events: 5\nmain;f 3\n",
        "cmd: ./shop\nmain;events: Ir 3\n",
        "desc: (none)\ncmd: ./shop\ntime_unit: i\n#-----------\nsnapshot=0\n",
        "shop 7 1.0: 3 cycles: \n\t1000 main (shop)\n\n",
        "Dear reader,\nevents: Ir\nfn=main\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS (good); i++)
        g_assert_true (is_callgrind (good[i]));
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
        g_assert_false (is_callgrind (others[i]));
}

/* --- syntax --- */

#define START "# callgrind format\nevents: Ir Dr\n"

/* Names by id, relative positions, inlined code, calls into other objects and files, jumps. */
TEST (forms)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "# callgrind format\r\nversion: 1\r\ncreator: callgrind-3.19.0\r\ncmd: ./shop 3\r\n"
        "desc: I1 cache: \r\ndesc: Trigger: Program termination\r\npositions: instr bb line\r\n"
        "events: Ir Dr\r\n\r\n"
        "ob=(1) /bin/shop\r\nfl=(1) shop.c\r\nfn=(1) main\r\n0x1000 0x1000 5 10 1\r\n"
        "+4 * +1 0x2\r\n" /* Dr is 0 */
        "cob=(2) /lib/libc.so\r\ncfi=(2) malloc.c\r\ncfn=(2) malloc\r\ncalls=3 0x40 0 20\r\n"
        "* * * 30 5\r\n"
        "fi=(3) list.h\r\n+4 * 40 1\r\njcnd=4/5 -21 * *\r\n* * *\r\njump=3 +9 * +2\r\n* * *\r\n"
        "fe=(1)\r\n  -4   *\t-33 6 7  \r\n# nothing\r\n"
        "ob=(2)\r\nfl=(2)\r\nfn=(2)\r\n0x40 * 20 30 5\r\n",
        "Ir=10 Dr=1 main:shop.c:5@/bin/shop\n"
        "Ir=2 Dr=0 main:shop.c:6@/bin/shop\n"
        "Ir=1 Dr=0 main:list.h:40@/bin/shop\n"
        "Ir=6 Dr=7 main:shop.c:7@/bin/shop\n"
        "Ir=30 Dr=5 malloc:malloc.c:20@/lib/libc.so main:shop.c:6@/bin/shop\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    g_assert_cmpstr (profile->facts.format, ==, "callgrind");
    g_assert_cmpstr (profile->facts.command, ==, "./shop 3");
    g_assert_cmpstr (profile->facts.recorder, ==, "callgrind-3.19.0");
    g_assert_cmpstr (profile->facts.comment, ==, "Trigger: Program termination");
    g_assert_true (has_note (profile, "estimate"));
    for (uint32_t m = 0; m < profile->n_modules; m++)
        g_assert_cmpint (profile->modules[m].is_main, ==,
                         g_str_equal (profile->modules[m].path, "/bin/shop"));
}

/* A call's object and file are of that call only; without them they are those of here. */
TEST (callees)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        START "ob=a\nfl=a.c\nfn=f\n1 1\n"
              "cfi=b.c\ncfn=g\ncalls=1 1\n2 20\n"
              "cfn=g\ncalls=1 1\n3 10\n"
              "fi=b.c\ncfn=g\ncalls=1 1\n4 3\n"
              "cob=c\ncfn=unused\ncfn=g\ncalls=1 1\n4 4\n" /* of a call that never came */
              "cfn=h\ncfi=h.c\ncalls=1 1\n5 7\n"
              "fl=a.c\nfn=g\n1 10\nfl=b.c\nfn=g\n1 27\nfl=h.c\nfn=h\n1 7\n",
        "Ir=1 Dr=0 f:a.c:1@a\nIr=27 Dr=0 g:b.c:1@a f:a.c:2@a\n"
        "Ir=10 Dr=0 g:a.c:1@a f:a.c:3@a\nIr=7 Dr=0 h:h.c:1@a f:b.c:5@a\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
}

/* A function is an object, a file and a name: "f" is two here. Ids without a name stand for
 * something that has none. */
TEST (names)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        START
        "ob=(8)\nfl=(1) a.c\nfn=(5) f\n1 1 0\nfl=b.c\nfn=(5)\n1 2 0\n"
        "fl=???\nfn=(77)\n3 4\nfn=f'2\n1 8\nfn=operator()(int)\n1 16\nfn=(below main)\n1 32\n",
        "Ir=1 Dr=0 f:a.c:1\nIr=2 Dr=0 f:b.c:1\nIr=4 Dr=0 (77):3\nIr=8 Dr=0 f'2:1\n"
        "Ir=16 Dr=0 operator()(int):1\nIr=32 Dr=0 (below main):1\n");
    g_assert_cmpuint (profile->n_modules, ==, 3 + 1);
}

/* Files and functions that call each have names of their own. */
TEST (kinds_of_ids)
{
    g_autoptr (PvProfile) profile =
        assert_spelled (START "ob=(1) o\nfl=(1) a.c\nfn=(1) f\n1 1\ncfn=(2) g\ncalls=1 1\n1 5\n"
                              "cfl=(2) b.c\ncfn=(3) h\ncalls=1 1\n1 5\n"
                              "fn=(2)\n1 5\nfl=(2)\nfn=(3)\n1 5\n",
                        "Ir=1 Dr=0 f:a.c:1@o\nIr=5 Dr=0 g:a.c:1@o f:a.c:1@o\n"
                        "Ir=5 Dr=0 h:b.c:1@o f:a.c:1@o\n");
}

/* Parts, of time or of threads, are added up; each may count something else. Numbers of lines begin
 * anew. */
TEST (parts)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "# callgrind format\nversion: 1\npart: 1\nthread: 1\nevents: Ir\nsummary: 3\n\n"
        "fl=(1) a.c\nfn=(1) f\n5 3\ntotals: 3\n"
        "part: 2\nthread: 1\nevents: Dr Ir\nsummary: 9 4\n\n"
        "fl=(1)\nfn=(1)\n5 9 4\n+1 1\ntotals: 9 4\n"
        "part: 3\nthread: 1\nevents: Ir\nsummary: 8\n\n"
        "fl=(1)\nfn=(1)\n+2 8\ntotals: 8\n",
        "Ir=7 Dr=9 f:a.c:5\nIr=0 Dr=1 f:a.c:6\nIr=8 Dr=0 f:a.c:2\n");
    g_assert_true (has_note (profile, "The 3 parts"));
}

/* --- events --- */

TEST (formulas)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "# callgrind format\nevent: Twice = 2*Sum - Ir : twice\nevent: Sum = Ir + 10 Dr\n"
        "event: Ir : instructions\nevent: Self = Self + Ir\nevent: Odd = Ir / Dr\n"
        "event: A = B\nevent: B = A\nevent: Less=-Ir\nevents: Ir Dr\nfl=a.c\nfn=f\n1 3 2\n",
        "Ir=3 Dr=2 Twice=43 Sum=23 Less=0 f:a.c:1\n");
    g_assert_true (has_note (profile, "“Self”") && has_note (profile, "“Odd”"));
    g_assert_true (has_note (profile, "“A”") && has_note (profile, "“B”"));
    g_assert_false (has_note (profile, "“Ir” is"));
}

/* Xdebug's times and memory; its summary is in the midst of a function, and memory is freed. */
TEST (units)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "version: 1\ncreator: xdebug 3.0.2 (PHP 7.4.14)\ncmd: index.php\npart: 1\n"
        "positions: line\n\nevents: Time_(10ns) Memory_(bytes) cpu(ms) odd(parsecs)\n\n"
        "fl=(1) php:internal\nfn=(1) php::strlen\n3 1 -40\n\n"
        "fl=(2) index.php\nfn=(2) {main}\n\nsummary: 20 30\n\n0 19 70 2 1\n1 1 -30\n"
        "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 1 -40\n",
        "Time=10 Memory=0 cpu=0 odd(parsecs)=0 php::strlen:php:internal:3 {main}:index.php:3\n"
        "Time=190 Memory=40 cpu=2000000 odd(parsecs)=1 {main}:index.php:0\n"
        "Time=10 Memory=0 cpu=0 odd(parsecs)=0 {main}:index.php:1\n");
    g_assert_cmpint (find_measure (profile, "Time")->unit, ==, PV_UNIT_NS);
    g_assert_cmpint (find_measure (profile, "Memory")->unit, ==, PV_UNIT_BYTES);
    g_assert_cmpint (find_measure (profile, "cpu")->unit, ==, PV_UNIT_NS);
    g_assert_cmpint (find_measure (profile, "odd(parsecs)")->unit, ==, PV_UNIT_COUNT);
    g_assert_true (has_note (profile, "Negative numbers"));
}

/* The summary is in units of the file, as costs are; several files may be in one, each with its own
 * ids of names; php-memprof has a "total" at the end. */
TEST (xdebug)
{
    static const char file[] =
        "\n==== NEW PROFILING FILE ==============================================\n"
        "version: 1\ncreator: xdebug 3.1.2 (PHP 8.1.2)\ncmd: /app/%s.php\npart: 1\n"
        "positions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n"
        "fl=(1) /app/%s.php\nfn=(%d) %s\n3 50 10\n\nfl=(1)\nfn=(%d) {main}\n1 15 8\ncfl=(1)\n"
        "cfn=(%d)\ncalls=1 0 0\n9 50 10\n\nsummary: 65 18\n\n";
    g_autofree char *first = g_strdup_printf (file, "index", "index", 1, "first", 2, 1);
    g_autofree char *second = g_strdup_printf (file, "other", "other", 2, "second", 1, 2);
    g_autofree char *both = g_strconcat (first, second, "total: 130 36\n", NULL);
    g_autoptr (PvProfile) profile =
        assert_spelled (both, "Time=500 Memory=10 first:/app/index.php:3 {main}:/app/index.php:9\n"
                              "Time=150 Memory=8 {main}:/app/index.php:1\n"
                              "Time=500 Memory=10 second:/app/other.php:3 {main}:/app/other.php:9\n"
                              "Time=150 Memory=8 {main}:/app/other.php:1\n");
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    g_assert_false (has_note (profile, "all functions together"));
    g_autoptr (PvProfile) wrong = read_well (
        &pv_callgrind_reader, "version: 1\ncreator: x\nevents: T_(10ns)\nfn=f\n1 5\nsummary: 70\n");
    g_assert_true (has_note (wrong, "all functions together cost 700; its lines add up to 50"));
}

/* Valgrind's execution trees say what an event is. */
TEST (long_names)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "# callgrind format\nversion: 1\ncreator: xtree-1\nevent: curB : currently allocated "
        "Bytes\n"
        "event: curBk : currently allocated Blocks\nevent: DB : lost Bytes (all)\n"
        "events: curB curBk DB\n\nfn=main\n1 70 2 5\n",
        "curB=70 curBk=2 DB=5 main:1\n");
    g_assert_cmpint (find_measure (profile, "DB")->unit, ==, PV_UNIT_BYTES);
    g_assert_cmpint (find_measure (profile, "curB")->unit, ==, PV_UNIT_BYTES);
    g_assert_cmpint (find_measure (profile, "curBk")->unit, ==, PV_UNIT_COUNT);
}

/* Speedscope writes costs as it writes positions. */
TEST (relative_costs)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "# callgrind format\nevents: Ir\nfl=a.c\nfn=main\n16 20\ncfn=f\ncalls=1 50\n"
        "* 400\ncfi=b.c\ncfn=g\ncalls=3 20\n* *\n\nfn=f\n+35 -300\n"
        "cfi=b.c\ncfn=g\ncalls=2 20\n* 300\n\nfl=b.c\nfn=g\n-31 +400",
        "Ir=20 main:a.c:16\nIr=100 f:a.c:51 main:a.c:16\n"
        "Ir=400 g:b.c:20 main:a.c:16\nIr=300 g:b.c:20 f:a.c:51 main:a.c:16\n");
}

TEST (cachegrind)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "desc: I1 cache:         32768 B, 64 B, 8-way associative\ncmd: ./shop\n"
        "events: Ir I1mr \nfl=shop.c\nfn=main\n5 10 1\n6 2\nfl=ctype.h\nfn=main\n3 4 0\n"
        "fl=???\nfn=???\n0 9 1\nsummary: 25 2\n",
        "Ir=10 I1mr=1 main:shop.c:5\nIr=2 I1mr=0 main:shop.c:6\nIr=4 I1mr=0 main:ctype.h:3\n"
        "Ir=9 I1mr=1 ???\n");
    g_assert_cmpstr (profile->facts.format, ==, "cachegrind");
    g_assert_false (has_note (profile, "estimate"));
    g_assert_true (has_note (profile, "no calls"));
    g_assert_false (has_note (profile, "add up to"));
    for (uint32_t i = 0; i < profile->n_notes; i++) /* nothing that is told above the picture */
        g_assert_cmpint (profile->notes[i].kind, ==, PV_NOTE_GENERAL);
}

/* Callgrind without calls is not what was wanted. */
TEST (no_calls)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "# callgrind format\npositions: instr line\nevents: Ir\nfl=a.c\nfn=main\n0x10 5 10\n",
        "Ir=10 main:a.c:5\n");
    g_assert_cmpstr (profile->facts.format, ==, "callgrind");
    g_assert_cmpuint (profile->n_notes, ==, 1);
    g_assert_cmpint (profile->notes[0].kind, ==, PV_NOTE_NO_CALL_GRAPH);
}

/* f and g call each other: what each costs itself is right, and no stack has one of them twice. */
TEST (cycle)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        "# callgrind format\nevents: Ir\nfl=a.c\nfn=main\n1 10\ncfn=f\ncalls=1 2\n1 90\n"
        "fn=f\n2 50\ncfn=g\ncalls=9 3\n2 70\ncfn=f\ncalls=2 2\n2 30\n"
        "fn=g\n3 40\ncfn=f\ncalls=8 2\n3 50\n",
        "Ir=10 main:a.c:1\nIr=50 f:a.c:2 main:a.c:1\nIr=40 g:a.c:3 f:a.c:2 main:a.c:1\n");
    g_assert_true (has_note (profile, "2 functions call each other"));
}

/* --- damage --- */

static const char whole[] =
    "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\nevent: Sum = Ir + Dr\n"
    "positions: instr line\nevents: Ir Dr\nsummary: 60 9\n\nob=(1) /bin/shop\nfl=(1) shop.c\n"
    "fn=(1) main\n0x1000 5 10 1\n+4 +1 20\ncob=(2) /lib/libc.so\ncfi=(2) malloc.c\n"
    "cfn=(2) malloc\ncalls=3 0x40 20\n* * 30 5\njcnd=4/5 -21 *\n* *\n"
    "ob=(2)\nfl=(2)\nfn=(2)\n0x40 20 30 5\ntotals: 60 9\npart: 2\nevents: Bc\nfn=(1)\n9 9 1\n";

TEST (cut)
{
    uint64_t before = 0;
    for (size_t n = 0; n <= strlen (whole); n++) {
        g_autoptr (GError) error = NULL;
        g_autoptr (PvProfile) profile = read_piece (&pv_callgrind_reader, whole, n, &error);
        if (profile == NULL) {
            g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_CORRUPT);
            g_assert_cmpuint (before, ==, 0);
            continue;
        }
        g_assert_cmpuint (profile->measures[0].total, <=, 60);
        /* A number may be cut too. */
        g_assert_cmpuint (profile->measures[0].total + 30, >=, before);
        before = profile->measures[0].total;
    }
    g_assert_cmpuint (before, ==, 60);
}

/* Lines that are none, numbers out of range, costs of no function. */
TEST (odd)
{
    g_autoptr (PvProfile) profile = assert_spelled (
        START "1 1\nwhat is this\nfl=a.c\nfn=(18446744073709551617) f\n"
              "99999999999999999999 2\n-5 3 x\ncalls=1 1\n4 4\n"
              "fn=g\n7 99999999999999999999999999 1 1 1\nfn=(18446744073709551617)\n*\n* 5\n+\n",
        "Ir=1 Dr=0 ???:1\nIr=5 Dr=0 f:a.c:0\n"
        "Ir=2305843009213693945 Dr=1 g:a.c:7\n");
    g_assert_true (has_note (profile, "lines could not be read"));
    g_assert_true (has_note (profile, "too large"));
}
