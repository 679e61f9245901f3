/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

#include "../cases.h"
#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/budget.h"
#include "core/base/cursor.h"
#include "core/base/error.h"
#include "core/base/idmap.h"
#include "core/base/intern.h"
#include "core/base/job.h"
#include "core/base/path.h"
#include "core/base/pool.h"

TEST (array)
{
    PV_ARRAY (uint32_t) array = {0};
    for (uint32_t i = 0; i < 1000; i++)
        pv_array_push (&array, i * 3);
    uint32_t more[] = {7, 8};
    pv_array_append (&array, more, G_N_ELEMENTS (more));
    pv_array_resize (&array, 1005);
    g_assert_cmpuint (array.len, ==, 1005);
    g_assert_cmpuint (array.data[999], ==, 2997);
    g_assert_cmpuint (array.data[1001], ==, 8);
    g_assert_cmpuint (array.data[1004], ==, 0);
    g_autofree uint32_t *stolen = pv_array_steal (&array);
    g_assert_cmpuint (stolen[1], ==, 3);
    g_assert_null (array.data);
    g_assert_cmpuint (array.len, ==, 0);
}

TEST (arena)
{
    g_autoptr (PvArena) arena = pv_arena_new ();
    char *blocks[3000];
    for (int i = 0; i < 3000; i++) {
        size_t size = (size_t)(i * 37) % 5000;
        blocks[i] = pv_arena_alloc (arena, size);
        g_assert_cmpuint ((uintptr_t)blocks[i] % 16, ==, 0);
        memset (blocks[i], i & 0xff, size);
    }
    for (int i = 0; i < 3000; i++) {
        for (size_t k = 0; k < (size_t)(i * 37) % 5000; k++)
            g_assert_cmpint ((uint8_t)blocks[i][k], ==, i & 0xff);
    }
    g_assert_cmpstr (pv_arena_strndup (arena, "hello", 4), ==, "hell");
    g_assert_cmpstr (pv_arena_printf (arena, "%d+%s", 1, "x"), ==, "1+x");
}

TEST (id_map)
{
    PvIdMap map = {0};
    g_assert_cmpuint (pv_id_map_find (&map, 5), ==, 0);
    for (uint32_t i = 0; i < 10000; i++) {
        if (i % 100 == 3)
            pv_id_map_reserve (&map, 3 * i);
        uint32_t *slot = pv_id_map_slot (&map, (uint64_t)i << 32 | (i % 7));
        g_assert_cmpuint (*slot, ==, 0);
        *slot = i + 1;
    }
    for (uint32_t i = 0; i < 10000; i++) {
        g_assert_cmpuint (pv_id_map_find (&map, (uint64_t)i << 32 | (i % 7)), ==, i + 1);
        g_assert_cmpuint (pv_id_map_find (&map, (uint64_t)i << 32 | (i % 7 + 7)), ==, 0);
    }
    pv_id_map_clear (&map);
}

TEST (hash_map)
{
    PvHashMap map = {0};
    for (uint32_t i = 0; i < 10000; i++)
        *pv_hash_map_slot (&map, pv_hash_bytes (&i, sizeof i, 1)) = i + 1;
    for (uint32_t i = 0; i < 10000; i++)
        g_assert_cmpuint (*pv_hash_map_slot (&map, pv_hash_bytes (&i, sizeof i, 1)), ==, i + 1);
    uint32_t i = 1;
    g_assert_cmpuint (*pv_hash_map_slot (&map, pv_hash_bytes (&i, sizeof i, 2)), ==, 0);
    pv_hash_map_clear (&map);
}

/* Every length and every single changed byte gives another value. */
TEST (hash)
{
    uint8_t bytes[64] = {0};
    PvHash seen[65 + 64];
    size_t n = 0;
    for (size_t len = 0; len <= 64; len++)
        seen[n++] = pv_hash_bytes (bytes, len, 0);
    for (size_t i = 0; i < 64; i++) {
        bytes[i] = 1;
        seen[n++] = pv_hash_bytes (bytes, 64, 0);
        bytes[i] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i + 1; k < n; k++) {
            g_assert_cmpuint (seen[i].a, !=, seen[k].a);
            g_assert_cmpuint (seen[i].b, !=, seen[k].b);
        }
    }
}

TEST (intern)
{
    g_autoptr (PvInterner) interner = pv_interner_new ();
    PvStringId a = pv_interner_add (interner, "a");
    g_assert_cmpuint (a, !=, 0);
    g_assert_cmpuint (pv_interner_add_len (interner, "abc", 1), ==, a);
    g_assert_cmpuint (pv_interner_add (interner, ""), ==, 0);
    const char *stays = pv_interner_get (interner, a);
    for (int i = 0; i < 5000; i++) {
        g_autofree char *text = g_strdup_printf ("string %d", i);
        pv_interner_add (interner, text);
    }
    g_assert_cmpuint (pv_interner_get_count (interner), ==, 5002);
    g_assert_true (pv_interner_get (interner, a) == stays);
    /* Invalid bytes are replaced; UTF-8 is retained. */
    PvStringId odd = pv_interner_add (interner, "x\n\xff\x01y");
    g_assert_cmpstr (pv_interner_get (interner, odd), ==, "x\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdy");
    PvStringId utf8 = pv_interner_add (interner, "Größe");
    g_assert_cmpstr (pv_interner_get (interner, utf8), ==, "Größe");
    g_assert_cmpuint (pv_interner_add (interner, "x\r\xfe\x02y"), ==, odd);
    /* DEL and a byte that is no UTF-8, in a word of its own and behind one. */
    PvStringId last = pv_interner_add (interner, "12345678\x7f");
    g_assert_cmpstr (pv_interner_get (interner, last), ==, "12345678\xef\xbf\xbd");
    PvStringId first = pv_interner_add (interner, "1234567\xff");
    g_assert_cmpstr (pv_interner_get (interner, first), ==, "1234567\xef\xbf\xbd");
    /* Control characters and non-characters, bidirectional overrides, what hides text. */
    static const char *const harmful[] = {
        "\xc2\x80",   "\xc2\x9b",   "\xc2\x9f",    "\u00ad", "\u061c", "\u200b",
        "\u200e",     "\u202e",     "\u2028",      "\u2060", "\u2066", "\u2069",
        "\ufdd0",     "\ufeff",     "\ufffe",      "\uffff", "\ufff9", "\U0001fffe",
        "\U0010ffff", "\U000e0041", "\xed\xa0\x80"};
    for (size_t i = 0; i < G_N_ELEMENTS (harmful); i++) {
        g_autofree char *text = g_strconcat ("name of ", harmful[i], " x", NULL);
        const char *shown = pv_interner_get (interner, pv_interner_add (interner, text));
        g_assert_true (g_str_has_prefix (shown, "name of \ufffd"));
        g_assert_true (g_str_has_suffix (shown, " x"));
        g_assert_null (strstr (shown, harmful[i]));
    }
    static const char *const harmless[] = {"\u00a0", "ü", "क्\u200dष", "ن\u200cم", "→", "😀"};
    for (size_t i = 0; i < G_N_ELEMENTS (harmless); i++)
        assert_string (pv_make_showable (harmless[i], strlen (harmless[i])), harmless[i]);
    /* Translations put names into isolates. */
    static const char isolated[] = "ليس في \u2068/usr/lib/x\u2069 \u200e-g";
    assert_string (pv_make_showable_sentence (isolated), isolated);
    assert_string (pv_make_showable_sentence ("a\u202eb\u2066c"), "a\ufffdb\ufffdc");
    /* Long strings are known by where they are. */
    g_autofree char *long_text = g_strnfill (5000, 'x');
    const char *kept = pv_interner_get (interner, pv_interner_add (interner, long_text));
    g_assert_true (pv_interner_has_long (interner, kept));
    g_assert_false (pv_interner_has_long (interner, long_text));
    g_assert_false (pv_interner_has_long (interner, kept + 1));
    g_assert_false (pv_interner_has_long (interner, stays));
    /* A lent string is not copied, unless it is there. */
    const char *lent = "lent";
    g_assert_true (pv_interner_get (interner, pv_interner_lend (interner, lent)) == lent);
    g_assert_cmpuint (pv_interner_add_len (interner, "lent by", 4), ==,
                      pv_interner_lend (interner, lent));
    g_assert_cmpuint (pv_interner_lend (interner, "a"), ==, a);
    g_assert_cmpuint (pv_interner_lend (interner, ""), ==, 0);
}

TEST (mounts)
{
    static const char mounts[] =
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        "30 22 0:30 / /net rw,relatime shared:9 - autofs -hosts rw,indirect\n"
        "31 22 0:31 / /home rw,relatime - autofs auto.home rw,indirect\n"
        "32 22 0:32 / /hosts rw,relatime - autofs -hosts rw,indirect\n"
        "33 30 0:33 / /net/shop/srv rw,relatime shared:11 - nfs4 shop:/srv rw\n";
    static const char *const waiting[] = {"/net/other/a.so", "/net/shop/a.so",
                                          "//net/../net/other/a", "/hosts/shop/a"};
    static const char *const others[] = {"/net/shop/srv/a.so", "/home/ann/a.so", "/netx/a", "/net",
                                         "/usr/lib/a.so"};
    for (size_t i = 0; i < G_N_ELEMENTS (waiting); i++)
        g_assert_true (pv_path_waits_for_mount (mounts, waiting[i]));
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
        g_assert_false (pv_path_waits_for_mount (mounts, others[i]));
    g_assert_true (pv_path_has_hosts (mounts));
    g_assert_false (pv_path_has_hosts ("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"));
    g_assert_false (pv_path_has_hosts ("22\n\n22 1 8:1 / /net"));
}

TEST (cursor)
{
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 'h', 'i', 0, 9};
    PvCursor cursor = pv_cursor (bytes, sizeof bytes, G_BYTE_ORDER == G_BIG_ENDIAN);
    g_assert_cmphex (pv_cursor_u16 (&cursor), ==, 0x0201);
    g_assert_cmphex (pv_cursor_u32 (&cursor), ==, 0x06050403);
    g_assert_cmphex (pv_cursor_u16 (&cursor), ==, 0x0807);
    size_t len = 0;
    g_assert_cmpstr (pv_cursor_string (&cursor, &len), ==, "hi");
    g_assert_cmpuint (len, ==, 2);
    g_assert_false (cursor.failed);
    g_assert_cmphex (pv_cursor_u64 (&cursor), ==, 0);
    g_assert_true (cursor.failed);
    g_assert_cmpuint (pv_cursor_left (&cursor), ==, 0);

    cursor = pv_cursor (bytes, 8, G_BYTE_ORDER == G_LITTLE_ENDIAN);
    g_assert_cmphex (pv_cursor_u64 (&cursor), ==, 0x0102030405060708);

    cursor = pv_cursor (bytes, 4, false);
    PvCursor sub = pv_cursor_sub (&cursor, 3);
    g_assert_cmpuint (pv_cursor_left (&sub), ==, 3);
    g_assert_cmpuint (pv_cursor_left (&cursor), ==, 1);
    sub = pv_cursor_sub (&cursor, SIZE_MAX);
    g_assert_true (sub.failed && cursor.failed);
    g_assert_null (pv_cursor_string (&cursor, NULL));

    cursor = pv_cursor (NULL, 0, false);
    g_assert_cmpuint (pv_cursor_left (&cursor), ==, 0);
    g_assert_cmpuint (pv_cursor_u8 (&cursor), ==, 0);
    g_assert_true (cursor.failed);
}

static uint64_t
uleb (const char *bytes, size_t size, bool *ret_failed)
{
    PvCursor cursor = pv_cursor (bytes, size, false);
    uint64_t value = pv_cursor_uleb (&cursor);
    *ret_failed = cursor.failed;
    return value;
}

TEST (leb)
{
    bool failed;
    g_assert_cmpuint (uleb ("\x7f", 1, &failed), ==, 127);
    g_assert_cmpuint (uleb ("\xe5\x8e\x26", 3, &failed), ==, 624485);
    g_assert_false (failed);
    g_assert_cmpuint (uleb ("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, &failed), ==,
                      UINT64_MAX);
    g_assert_false (failed);
    g_assert_cmpuint (uleb ("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 12, &failed), ==,
                      1);
    g_assert_false (failed);
    uleb ("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x03", 10, &failed);
    g_assert_true (failed);
    uleb ("\x80\x80", 2, &failed);
    g_assert_true (failed);

    PvCursor cursor = pv_cursor ("\x7f\x80\x7f\x3f\xc0\xbb\x78", 7, false);
    g_assert_cmpint (pv_cursor_sleb (&cursor), ==, -1);
    g_assert_cmpint (pv_cursor_sleb (&cursor), ==, -128);
    g_assert_cmpint (pv_cursor_sleb (&cursor), ==, 63);
    g_assert_cmpint (pv_cursor_sleb (&cursor), ==, -123456);
    g_assert_false (cursor.failed);
}

TEST (job)
{
    g_autoptr (PvJob) job = pv_job_new ();
    g_autoptr (GError) error = NULL;
    double fraction;
    g_assert_true (pv_job_check (job, &error));
    g_assert_true (pv_job_check (NULL, &error));
    pv_job_set_stage (job, PV_STAGE_READ, 0);
    g_assert_cmpint (pv_job_get_progress (job, &fraction), ==, PV_STAGE_READ);
    g_assert_cmpfloat (fraction, <, 0);
    pv_job_set_stage (job, PV_STAGE_SYMBOLS, 8);
    pv_job_add_done (job, 2);
    g_assert_cmpint (pv_job_get_progress (job, &fraction), ==, PV_STAGE_SYMBOLS);
    g_assert_cmpfloat (fraction, ==, 0.25);
    pv_job_cancel (job);
    g_assert_false (pv_job_check (job, &error));
    g_assert_error (error, PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
}

/* The progress of parts adds up in the whole, and is never counted twice. */
TEST (job_parts)
{
    g_autoptr (PvJob) whole = pv_job_new ();
    g_autoptr (PvJob) a = pv_job_new_part (whole, 300);
    g_autoptr (PvJob) b = pv_job_new_part (whole, 100);
    double fraction;
    pv_job_set_stage (whole, PV_STAGE_READ, 400);
    pv_job_set_stage (a, PV_STAGE_OPEN, 10);
    pv_job_set_done (a, 10);
    pv_job_get_progress (whole, &fraction);
    g_assert_cmpfloat (fraction, ==, 0);
    pv_job_set_stage (a, PV_STAGE_READ, 1000);
    pv_job_set_done (a, 500);
    pv_job_set_stage (b, PV_STAGE_READ, 10);
    pv_job_add_done (b, 10);
    g_assert_cmpint (pv_job_get_progress (whole, &fraction), ==, PV_STAGE_READ);
    g_assert_cmpfloat (fraction, ==, 250.0 / 400);
    pv_job_set_stage (a, PV_STAGE_READ, 200); /* once more, from the beginning */
    pv_job_set_done (a, 100);
    pv_job_get_progress (whole, &fraction);
    g_assert_cmpfloat (fraction, ==, 250.0 / 400);
    pv_job_set_done (a, 900);
    pv_job_get_progress (whole, &fraction);
    g_assert_cmpfloat (fraction, ==, 1);

    g_autoptr (PvJob) alone = pv_job_new_part (NULL, 7);
    pv_job_set_stage (alone, PV_STAGE_READ, 1);
    pv_job_set_done (alone, 1);
    pv_job_cancel (b);
    g_assert_true (pv_job_is_cancelled (b));
    g_assert_false (pv_job_is_cancelled (whole));
    pv_job_cancel (whole);
    g_assert_true (pv_job_is_cancelled (a));
    g_assert_false (pv_job_is_cancelled (alone));
}

typedef struct {
    atomic_int n_done[1000];
    atomic_int n_in_worker[16];
} PoolCheck;

static void
check_item (void *data, size_t item, unsigned worker)
{
    PoolCheck *check = data;
    g_assert_cmpint (atomic_fetch_add (&check->n_in_worker[worker], 1), ==, 0);
    atomic_fetch_add (&check->n_done[item], 1);
    atomic_fetch_sub (&check->n_in_worker[worker], 1);
}

TEST (pool)
{
    for (unsigned n_workers = 1; n_workers <= 5; n_workers++) {
        g_autoptr (PvPool) pool = pv_pool_new (n_workers);
        g_autofree PoolCheck *check = g_new0 (PoolCheck, 1);
        g_assert_cmpuint (pv_pool_get_size (pool), ==, n_workers);
        for (size_t n_items = 0; n_items <= 1000; n_items += 50)
            pv_pool_run (pool, n_items, check_item, check);
        g_assert_cmpint (atomic_load (&check->n_done[0]), ==, 20);
        g_assert_cmpint (atomic_load (&check->n_done[999]), ==, 1);
    }
}

TEST (budget)
{
    const uint64_t gib = UINT64_C (1) << 30;
    PvBudget budget = {0};
    g_assert_cmpuint (pv_budget_get_bytes (&budget, 0), ==, PV_BUDGET_MIN_BYTES);
    g_assert_cmpuint (pv_budget_get_bytes (&budget, gib), ==, 3 * gib);
    g_assert_cmpuint (pv_budget_get_bytes (&budget, UINT64_MAX), ==, UINT64_MAX);
    budget.available_bytes = 2 * gib;
    g_assert_cmpuint (pv_budget_get_bytes (&budget, gib), ==, gib);
    budget.max_bytes = 1000;
    g_assert_cmpuint (pv_budget_get_bytes (&budget, gib), ==, 1000);
    budget.max_bytes = 100 * gib;
    g_assert_cmpuint (pv_budget_get_bytes (&budget, 0), ==, gib);

    /* The system says something, and no more than a limit of the process. */
    g_assert_cmpuint (pv_budget_new (5).max_bytes, ==, 5);
    uint64_t available = pv_budget_new (0).available_bytes;
    g_assert_cmpuint (available, >, 0);
    if (g_test_subprocess ()) {
        struct rlimit limit = {gib / 2, gib / 2};
        g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
        g_assert_cmpuint (pv_budget_new (0).available_bytes, <, gib / 2);
        return;
    }
    if (g_getenv ("PV_SANITIZED") == NULL) { /* sanitizers map terabytes */
        g_test_trap_subprocess (NULL, 0, 0);
        g_test_trap_assert_passed ();
    }
}
