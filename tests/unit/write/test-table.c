/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "../cases.h"
#include "core/model/profile/profile.h"
#include "core/write/escape.h"
#include "core/write/table.h"

static PvTable *
make_table (void)
{
    const PvTableColumn columns[] = {
        {.id = "", .title = "Share", .kind = PV_CELL_PERCENT, .whole = 2000},
        {.id = "self", .title = "Self", .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_COUNT},
        {.id = "name", .title = "Name"},
        {.id = "line", .title = "Line", .kind = PV_CELL_LINE},
    };
    PvTable *table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_add_number (table, 1500);
    pv_table_add_number (table, 1500);
    pv_table_add_text (table, "a\tb\\c\"d\n");
    pv_table_add_number (table, 7);
    pv_table_add_number (table, 500);
    pv_table_add_number (table, 500);
    pv_table_add_text (table, NULL);
    pv_table_add_number (table, 0);
    g_assert_cmpuint (pv_table_get_n_rows (table), ==, 2);
    return table;
}

static void
assert_output (PvFormat format, const char *expected)
{
    g_autoptr (PvTable) table = make_table ();
    g_autoptr (GString) out = g_string_new (NULL);
    pv_table_append (table, format, out);
    g_assert_cmpstr (out->str, ==, expected);
}

TEST (tsv)
{
    assert_output (PV_FORMAT_TSV, "self\tname\tline\n1500\ta\\tb\\\\c\"d\\n\t7\n500\t\t\n");
}

TEST (csv)
{
    assert_output (PV_FORMAT_CSV, "self,name,line\n1500,\"a\tb\\c\"\"d\n\",7\n500,,\n");
}

/* A spreadsheet computes what begins like this. */
TEST (formulas)
{
    static const char *const formulas[] = {
        "=1+2", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "-[Shop init]", "\tx", "＝1"};
    static const char *const texts[] = {"a=1", "-5", "+0.5 %", "-20 ms", "-1.5e3", "", "—"};
    for (size_t i = 0; i < G_N_ELEMENTS (formulas); i++) {
        g_autoptr (GString) out = g_string_new (NULL);
        pv_csv_append_cell (out, formulas[i]);
        g_autofree char *expected = g_strdup_printf ("\"'%s\"", formulas[i]);
        g_assert_cmpstr (out->str, ==, expected);
    }
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
        g_autoptr (GString) out = g_string_new (NULL);
        pv_csv_append_cell (out, texts[i]);
        g_assert_cmpstr (out->str, ==, texts[i]);
    }
}

TEST (json)
{
    assert_output (PV_FORMAT_JSON,
                   "[\n  {\"self\": 1500, \"name\": \"a\\tb\\\\c\\\"d\\n\", \"line\": 7},\n"
                   "  {\"self\": 500, \"name\": null, \"line\": null}\n]\n");
}

TEST (text)
{
    const PvTableColumn columns[] = {
        {.id = "n", .title = "N", .kind = PV_CELL_NUMBER},
        {.id = "name", .title = "Name"},
        {.id = "what", .title = "What"},
    };
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    pv_table_add_number (table, 5);
    pv_table_add_text (table, "größe");
    pv_table_add_text (table, "x");
    pv_table_add_number (table, 1234);
    pv_table_add_text (table, "b");
    pv_table_add_text (table, "");
    g_autoptr (GString) out = g_string_new (NULL);
    pv_table_append (table, PV_FORMAT_TEXT, out);
    g_assert_cmpstr (out->str, ==, "   N  Name   What\n   5  größe  x\n1234  b\n");
}

/* Over-long names lose their middle, on a terminal only, and never in the last column. */
TEST (long_names)
{
    const PvTableColumn columns[] = {{.id = "name", .title = "Name"},
                                     {.id = "path", .title = "Path"}};
    g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
    g_autofree char *many = g_strnfill (200, 'x');
    g_autofree char *name = g_strconcat ("begin", many, "end", NULL);
    pv_table_add_text (table, name);
    pv_table_add_text (table, name);
    g_autoptr (GString) text = g_string_new (NULL);
    pv_table_append (table, PV_FORMAT_TEXT, text);
    g_autofree char *whole = g_strdup_printf ("%s  %s\n", name, name);
    g_assert_true (g_str_has_suffix (text->str, whole));
    g_assert_true (g_str_has_prefix (text->str, "Name  "));
    pv_table_set_max_width (table, 1000);
    g_string_truncate (text, 0);
    pv_table_append (table, PV_FORMAT_TEXT, text);
    g_auto (GStrv) lines = g_strsplit_set (text->str, "\n", -1);
    g_auto (GStrv) cells = g_strsplit (lines[1], "  ", -1);
    g_assert_cmpint (g_utf8_strlen (cells[0], -1), ==, 96);
    g_assert_true (g_str_has_prefix (cells[0], "beginx") && g_str_has_suffix (cells[0], "xend"));
    g_assert_nonnull (strstr (cells[0], "…"));
    g_assert_cmpstr (cells[1], ==, name);
    g_autoptr (GString) tsv = g_string_new (NULL);
    pv_table_append (table, PV_FORMAT_TSV, tsv);
    g_assert_null (strstr (tsv->str, "…"));
}

/* Where a name is too wide, its label comes before a name without its middle; not for scripts. */
TEST (labels)
{
    const PvTableColumn columns[] = {{.id = "name", .title = "Name"},
                                     {.id = "module", .title = "Module"}};
    g_autoptr (PvTable) table = pv_table_new (columns, 2);
    g_autofree char *wide = g_strnfill (97, 'w');
    pv_table_add_name (table, wide, "g<…, 4>");
    pv_table_add_text (table, "m");
    pv_table_add_name (table, "g<int, 4, 5>", "g<…, 4>");
    pv_table_add_text (table, "m");
    g_autoptr (GString) text = g_string_new (NULL);
    pv_table_set_max_width (table, 1000);
    pv_table_append (table, PV_FORMAT_TEXT, text);
    g_assert_cmpstr (text->str, ==, "Name          Module\ng<…, 4>       m\ng<int, 4, 5>  m\n");
    pv_table_set_max_width (table, 19);
    g_string_truncate (text, 0);
    pv_table_append (table, PV_FORMAT_TEXT, text);
    g_assert_cmpstr (text->str, ==, "Name         Module\ng<…, 4>      m\ng<…, 4>      m\n");
    g_string_truncate (text, 0);
    pv_table_append (table, PV_FORMAT_TSV, text);
    g_autofree char *tsv = g_strdup_printf ("name\tmodule\n%s\tm\ng<int, 4, 5>\tm\n", wide);
    g_assert_cmpstr (text->str, ==, tsv);
}

TEST (times)
{
    const PvTableColumn columns[] = {{.id = "ms", .title = "Time", .kind = PV_CELL_TIME}};
    g_autoptr (PvTable) table = pv_table_new (columns, 1);
    g_autoptr (GString) out = g_string_new (NULL);
    pv_table_add_number (table, 1500);
    pv_table_add_number (table, 0);
    pv_table_add_number (table, UINT64_MAX);
    pv_table_add_number (table, UINT64_MAX - 1);
    pv_table_append (table, PV_FORMAT_JSON, out);
    pv_table_append (table, PV_FORMAT_TSV, out);
    pv_table_append (table, PV_FORMAT_TEXT, out);
    g_assert_cmpstr (out->str, ==,
                     "[\n  {\"ms\": 1500},\n  {\"ms\": 0},\n  {\"ms\": null},\n"
                     "  {\"ms\": 18446744073709551614}\n]\n"
                     "ms\n1500\n0\n\n18446744073709551614\n"
                     "            Time\n          1.50 s\n            0 ms\n\n18,446,744,074 s\n");
}

static void
count_and_keep (GString *text, void *user)
{
    GString **pieces = user;
    g_string_append_len (pieces[0], text->str, (gssize)text->len);
    g_string_append_c (pieces[1], '.');
    g_string_truncate (text, 0);
}

static void
fill_long (PvTable *table)
{
    for (unsigned i = 0; i < 20000; i++) {
        g_autofree char *name =
            g_strdup_printf ("name\t%u of this\\or that\x01%c", i, 'a' + i % 26);
        pv_table_add_number (table, i);
        pv_table_add_number (table, UINT64_MAX / 20000 * i);
        pv_table_add_name (table, i % 7 == 0 ? NULL : name, "label");
        pv_table_add_number (table, i % 3);
    }
}

/* Writing row by row gives the same bytes as writing at once, but in pieces. */
TEST (pieces)
{
    const PvTableColumn columns[] = {
        {.id = "", .title = "Share", .kind = PV_CELL_PERCENT, .whole = 20000},
        {.id = "self", .title = "Self", .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "name", .title = "Name"},
        {.id = "line", .title = "Line", .kind = PV_CELL_LINE},
    };
    for (PvFormat format = PV_FORMAT_TEXT; format <= PV_FORMAT_JSON; format++) {
        g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
        g_autoptr (PvTable) begun = pv_table_new (columns, G_N_ELEMENTS (columns));
        g_autoptr (GString) expected = g_string_new (NULL), rest = g_string_new (NULL);
        g_autoptr (GString) all = g_string_new (NULL), dots = g_string_new (NULL);
        PvTextSink sink = {rest, count_and_keep, (GString *[]){all, dots}};
        fill_long (table);
        pv_table_append (table, format, expected);
        pv_table_begin (begun, format, &sink);
        fill_long (begun);
        g_assert_cmpuint (pv_table_get_n_rows (begun), ==, 20000);
        pv_table_end (begun);
        g_assert_cmpuint (dots->len, >, 5);
        g_assert_cmpuint (rest->len, <, expected->len / 5);
        g_string_append (all, rest->str);
        g_assert_cmpstr (all->str, ==, expected->str);
    }
}

/* Cells of columns that a format lacks are left out. */
TEST (columns_by_format)
{
    const PvTableColumn columns[] = {
        {.title = "Share", .kind = PV_CELL_PERCENT, .whole = 4},
        {.id = "name", .title = "Name"},
        {.id = "pid", .kind = PV_CELL_FIGURE},
        {.title = "Held", .kind = PV_CELL_AMOUNT, .unit = PV_UNIT_NS},
        {.id = "held", .kind = PV_CELL_NUMBER},
    };
    static const char *const expected[] = {
        [PV_FORMAT_TEXT] = " Share  Name  Held\n25.0 %  a     3 ns\n50.0 %  b     4 ns\n",
        [PV_FORMAT_TSV] = "name\tpid\theld\na\t7\t3\nb\t\t4\n",
        [PV_FORMAT_CSV] = "name,pid,held\na,7,3\nb,,4\n",
        [PV_FORMAT_JSON] = "[\n  {\"name\": \"a\", \"pid\": 7, \"held\": 3},"
                           "\n  {\"name\": \"b\", \"pid\": null, \"held\": 4}\n]\n",
    };
    for (PvFormat format = PV_FORMAT_TEXT; format <= PV_FORMAT_JSON; format++) {
        g_autoptr (PvTable) table = pv_table_new (columns, G_N_ELEMENTS (columns));
        g_autoptr (GString) out = g_string_new (NULL);
        pv_table_begin (table, format, &(PvTextSink){.text = out});
        for (unsigned i = 0; i < 2; i++) {
            pv_table_add_number (table, i + 1);
            pv_table_add_name (table, i == 0 ? "a" : "b", NULL);
            pv_table_add_text (table, i == 0 ? "7" : NULL);
            pv_table_add_number (table, i + 3);
            pv_table_add_number (table, i + 3);
        }
        g_assert_cmpuint (pv_table_get_n_rows (table), ==, 2);
        pv_table_end (table);
        g_assert_cmpstr (out->str, ==, expected[format]);
    }
}

TEST (empty)
{
    const PvTableColumn columns[] = {{.id = "a", .title = "A"}};
    g_autoptr (PvTable) table = pv_table_new (columns, 1);
    g_autoptr (GString) out = g_string_new (NULL);
    pv_table_append (table, PV_FORMAT_JSON, out);
    pv_table_append (table, PV_FORMAT_TSV, out);
    for (PvFormat format = PV_FORMAT_TSV; format <= PV_FORMAT_JSON; format++) {
        g_autoptr (PvTable) begun = pv_table_new (columns, 1);
        pv_table_begin (begun, format, &(PvTextSink){.text = out});
        pv_table_end (begun);
    }
    g_assert_cmpstr (out->str, ==, "[]\na\na\na\n[]\n");
}
