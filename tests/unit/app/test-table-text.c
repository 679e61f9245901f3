/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "app/tables/table-text.h"

static const char *const names[] = {"plain",      "with, comma", "\"quoted\"", "tab\there",
                                    "two\nlines", "back\\slash", "",           "=1+2"};

static char *
make_cell (gconstpointer data, guint number, gboolean is_share, uint32_t key)
{
    g_assert_cmpstr (data, ==, "data");
    if (number == 0)
        return g_strdup (names[key]);
    if (key == 0)
        return NULL;
    return is_share ? g_strdup_printf ("%u.50", key) : g_strdup_printf ("%u", 1000 * key);
}

static int n_freed;

static void
count_free (gpointer data)
{
    n_freed++;
}

static PvTableText *
make_text (const uint32_t *keys, uint32_t n, GtkBitset *selected)
{
    PvTextSource source = {(gpointer) "data", count_free, make_cell};
    PvTableText *text = pv_table_text_new (&source, keys, n, selected);
    pv_table_text_add_column (text, 1, "Self", FALSE);
    pv_table_text_add_column (text, 0, "A, B", FALSE);
    pv_table_text_add_column (text, 1, "Self %", TRUE);
    return text;
}

static gboolean
append (gpointer user, const GString *part, uint32_t n_rows_done)
{
    g_string_append_len (user, part->str, (gssize)part->len);
    return TRUE;
}

static void
assert_text (const uint32_t *keys, uint32_t n, GtkBitset *selected, PvTextFormat format,
             const char *expected)
{
    PvTableText *text = make_text (keys, n, selected);
    g_autoptr (GString) written = g_string_new (NULL);
    n_freed = 0;
    g_assert_true (pv_table_text_write (text, format, append, written));
    g_assert_cmpstr (written->str, ==, expected);
    g_assert_cmpint (n_freed, ==, 0);
    pv_table_text_free (text);
    g_assert_cmpint (n_freed, ==, 1);
}

TEST (formats)
{
    static const uint32_t keys[] = {1, 0, 2, 3, 4, 5, 6, 7};
    assert_text (keys, 8, NULL, PV_TEXT_TSV,
                 "Self\tA, B\tSelf %\n"
                 "1000\twith, comma\t1.50\n"
                 "\tplain\t\n"
                 "2000\t\"quoted\"\t2.50\n"
                 "3000\ttab\\there\t3.50\n"
                 "4000\ttwo\\nlines\t4.50\n"
                 "5000\tback\\\\slash\t5.50\n"
                 "6000\t\t6.50\n"
                 "7000\t'=1+2\t7.50\n");
    assert_text (keys, 8, NULL, PV_TEXT_CSV,
                 "Self,\"A, B\",Self %\n"
                 "1000,\"with, comma\",1.50\n"
                 ",plain,\n"
                 "2000,\"\"\"quoted\"\"\",2.50\n"
                 "3000,tab\there,3.50\n"
                 "4000,\"two\nlines\",4.50\n"
                 "5000,back\\slash,5.50\n"
                 "6000,,6.50\n"
                 "7000,\"'=1+2\",7.50\n");
}

TEST (selected)
{
    static const uint32_t keys[] = {3, 2, 1, 0};
    g_autoptr (GtkBitset) selected = gtk_bitset_new_empty ();
    assert_text (keys, 4, selected, PV_TEXT_CSV, "Self,\"A, B\",Self %\n");
    gtk_bitset_add (selected, 3);
    gtk_bitset_add (selected, 2);
    assert_text (keys, 4, selected, PV_TEXT_CSV,
                 "Self,\"A, B\",Self %\n1000,\"with, comma\",1.50\n,plain,\n");
    /* The model may have had more rows. */
    gtk_bitset_add (selected, 9);
    assert_text (keys, 4, selected, PV_TEXT_CSV,
                 "Self,\"A, B\",Self %\n1000,\"with, comma\",1.50\n,plain,\n");
}

typedef struct {
    uint32_t n_done;
    unsigned n_parts;
} Progress;

static gboolean
stop_at_third (gpointer user, const GString *part, uint32_t n_rows_done)
{
    Progress *progress = user;
    g_assert_cmpuint (part->len, >, 0);
    g_assert_cmpuint (n_rows_done, >, progress->n_done);
    progress->n_done = n_rows_done;
    return ++progress->n_parts < 3;
}

/* Long texts come in parts, and can be stopped. */
TEST (parts)
{
    const uint32_t n = 100000;
    g_autofree uint32_t *keys = g_new (uint32_t, n);
    Progress progress = {0};
    for (uint32_t i = 0; i < n; i++)
        keys[i] = i % G_N_ELEMENTS (names);
    PvTableText *text = make_text (keys, n, NULL);
    g_assert_false (pv_table_text_write (text, PV_TEXT_TSV, stop_at_third, &progress));
    g_assert_cmpuint (progress.n_parts, ==, 3);
    g_assert_cmpuint (progress.n_done, <, n);
    pv_table_text_free (text);
}
