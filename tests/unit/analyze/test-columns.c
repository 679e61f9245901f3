/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of tables: which there are, and the forms of their values.
 */
#include <math.h>
#include <string.h>

#include "../cases.h"
#include "core/analyze/columns/column.h"
#include "folded-profile.h"

/* For people and for other programs, with a bar between; "-": no text. */
static char *
show (const PvValue *value)
{
    g_autofree char *text = pv_value_format (value), *plain = pv_value_format_plain (value);
    return g_strdup_printf ("%s|%s", text != NULL ? text : "-", plain != NULL ? plain : "-");
}

TEST (forms)
{
    const PvChange up = {.base = 4, .newer = 6}, added = {.base = 0, .newer = 3};
    const struct {
        PvValue value;
        const char *expected;
        bool is_zero;
        uint64_t order;
    } cases[] = {
        {{.kind = PV_VALUE_NONE}, "-|-", true, 0},
        {{.kind = PV_VALUE_WORDS, .text = "a.c", .line = 7}, "a.c:7|a.c:7", false, 0},
        {{.kind = PV_VALUE_WORDS, .text = "tokio::run", .length = 5}, "tokio|tokio", false, 0},
        {{.kind = PV_VALUE_LINE, .line = 12345}, "12345|12345", false, 12345},
        {{.kind = PV_VALUE_ADDRESS, .amount = 0xbeef}, "0xbeef|0xbeef", false, 0xbeef},
        {{.kind = PV_VALUE_AMOUNT, .unit = PV_UNIT_NS, .amount = 1500000},
         "1.50 ms|1500000",
         false,
         1500000},
        {{.kind = PV_VALUE_AMOUNT, .show = PV_SHOW_SHARE, .amount = 1, .whole = 3},
         "33.3 %|33.33",
         false,
         1},
        {{.kind = PV_VALUE_AMOUNT, .show = PV_SHOW_SHARE}, "0.0 %|0.00", true, 0},
        {{.kind = PV_VALUE_NET, .amount = (uint64_t)-2, .whole = 8}, "−2|-2", false, 2},
        {{.kind = PV_VALUE_NET, .show = PV_SHOW_SHARE, .amount = (uint64_t)-2, .whole = 8},
         "-25.0 %|-25.00",
         false,
         2},
        {{.kind = PV_VALUE_CHANGE, .show = PV_SHOW_CHANGE, .change = up}, "+2|2", false, 2},
        {{.kind = PV_VALUE_CHANGE, .show = PV_SHOW_PERCENT, .change = up},
         "+50 %|50.00",
         false,
         pv_sort_key_order_value (1.5)},
        {{.kind = PV_VALUE_CHANGE, .show = PV_SHOW_PERCENT, .change = added},
         "new|-",
         false,
         pv_sort_key_order_value (INFINITY)},
        {{.kind = PV_VALUE_CHANGE, .show = PV_SHOW_BASE, .change = added}, "0|0", true, 0},
        {{.kind = PV_VALUE_CHANGE, .show = PV_SHOW_NEW, .change = added}, "3|3", false, 3},
        {{.kind = PV_VALUE_COUNT, .amount = 12000}, "12,000|12000", false, 12001},
        {{.kind = PV_VALUE_LIFETIME, .amount = 9}, "under 10 ms|9", false, 10},
        {{.kind = PV_VALUE_LIFETIME, .amount = 2500}, "2.50 s|2500", false, 2501},
        {{.kind = PV_VALUE_NOISE, .is_noise = true}, "noise|true", false, 1},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (GStringChunk) texts = g_string_chunk_new (64);
        g_autofree char *shown = show (&cases[i].value);
        PvSortKey key = {0};
        pv_value_order (&cases[i].value, &key, texts);
        g_assert_cmpstr (shown, ==, cases[i].expected);
        g_assert_true (pv_value_is_zero (&cases[i].value) == cases[i].is_zero);
        g_assert_cmpuint (key.amount, ==, cases[i].order);
    }
}

/* Ids name columns in the settings, and in tables for other programs. */
TEST (tables)
{
    for (PvTableKind table = 0; table < PV_N_TABLES; table++) {
        g_autoptr (GPtrArray) list = pv_columns_list (table);
        g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
        unsigned n = 0;
        for (unsigned i = 0; i < pv_n_columns; i++)
            n += pv_columns[i].width_px[table] > 0;
        g_assert_cmpuint (list->len, ==, n);
        for (guint i = 0; i < list->len; i++) {
            const PvColumnSpec *spec = list->pdata[i];
            g_assert_true (g_hash_table_add (ids, (gpointer)spec->id));
            g_assert_true (spec->title[0] != '\0' && spec->width_px[table] > 0);
        }
    }
    /* The call tree has the changes of totals first. */
    g_autoptr (GPtrArray) tree = pv_columns_list (PV_TABLE_TREE);
    g_autoptr (GString) names = g_string_new (NULL);
    for (guint i = 0; i < 6; i++)
        g_string_append_printf (names, "%s ", ((PvColumnSpec *)tree->pdata[i])->id);
    g_assert_cmpstr (names->str, ==,
                     "self total total-change total-between total-percent total-base ");
}

/* A row of which a table knows nothing but the function has no more than words. */
TEST (bare_rows)
{
    g_auto (FoldedProfile) folded = folded_profile_new ("a;lib!pack.b|/src/dir/x.c 5");
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
    const struct {
        PvColumn column;
        const char *expected;
    } cases[] = {
        {{PV_COLUMN_NAME}, "pack.b"},
        {{PV_COLUMN_SELF, PV_SHOW_AMOUNT, PV_MEASURE_SHOWN}, "0"},
        {{PV_COLUMN_TOTAL, PV_SHOW_SHARE, PV_MEASURE_SHOWN}, "0.0 %"},
        {{PV_COLUMN_TOTAL, PV_SHOW_CHANGE, PV_MEASURE_SHOWN}, "-"},
        {{PV_COLUMN_TOTAL, PV_SHOW_AMOUNT, PV_MEASURE_SAMPLES}, "-"},
        {{PV_COLUMN_CALLS}, "-"},
        {{PV_COLUMN_MEDIAN}, "-"},
        {{PV_COLUMN_MODULE}, "lib"},
        {{PV_COLUMN_PLACE}, "x.c:1"},
        {{PV_COLUMN_FILE}, "/src/dir/x.c"},
        {{PV_COLUMN_LINE}, "1"},
        {{PV_COLUMN_GROUP}, "-"},
        {{PV_COLUMN_NOISE}, ""},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvRow row, none;
        pv_row_init_from_tree (&row, tree, folded_profile_find (&folded, "pack.b"));
        pv_row_init_from_tree (&none, tree, 0);
        const PvValue value = pv_column_get (&cases[i].column, &row);
        const PvValue nothing = pv_column_get (&cases[i].column, &none);
        g_autofree char *text = pv_value_format (&value);
        g_assert_cmpstr (text != NULL ? text : "-", ==, cases[i].expected);
        g_assert_true (!pv_column_has_words (&cases[i].column) || nothing.kind == PV_VALUE_NONE);
    }
}
