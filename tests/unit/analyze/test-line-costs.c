/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/analyze/code/line-costs.h"

#include "folded-profile.h"

static void append_lines (GString *out, const PvLineCosts *costs, const PvSymbolTable *symbols,
                          const PvLineCost *lines, uint32_t n_lines, int depth);

static void
append_costs (GString *out, const PvLineCosts *costs, const PvCost *amounts)
{
    for (uint32_t m = 0; m < costs->n_measures; m++)
        g_string_append_printf (out, " %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT, amounts[m].self,
                                amounts[m].total);
    g_string_append_c (out, '\n');
}

static void
append_calls (GString *out, const PvLineCosts *costs, const PvSymbolTable *symbols,
              const PvLineCost *line, int depth)
{
    for (uint32_t c = 0; c < line->n_calls; c++) {
        const PvLineCall *call = &line->calls[c];
        g_string_append_printf (out, "%*s%s%s", depth * 2, "",
                                symbols->functions[call->function].name,
                                call->is_inlined ? " inlined" : "");
        append_costs (out, costs, call->costs);
        append_lines (out, costs, symbols, call->lines, call->n_lines, depth + 1);
    }
}

static void
append_lines (GString *out, const PvLineCosts *costs, const PvSymbolTable *symbols,
              const PvLineCost *lines, uint32_t n_lines, int depth)
{
    for (uint32_t i = 0; i < n_lines; i++) {
        g_string_append_printf (out, "%*s%u", depth * 2, "", lines[i].line);
        append_costs (out, costs, lines[i].costs);
        append_calls (out, costs, symbols, &lines[i], depth + 1);
    }
}

/* Functions, their lines, what these call: "self/total" for each measure; then files, whose lines
 * are followed by the one function that has them. */
static char *
dump (const char *text, const char *function, uint32_t n_measures, unsigned details)
{
    static const PvMeasureId measures[] = {0, 1};
    g_auto (FoldedProfile) folded = folded_profile_new (text);
    g_auto (PvQuery) query = new_query ();
    query.granularity = PV_BY_LINE;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (folded.profile, folded.symbols, &query, NULL, NULL, NULL);
    g_autofree bool *is_wanted = g_new0 (bool, tree->symbols->n_functions);
    is_wanted[folded_profile_find (&folded, function)] = true;
    g_autoptr (PvLineCosts) costs =
        pv_line_costs_build (tree, measures, n_measures, is_wanted, details, NULL, NULL);
    GString *out = g_string_new (NULL);
    for (uint32_t f = 0; f < costs->n_functions; f++) {
        const PvFunctionLines *lines = &costs->functions[f];
        g_string_append (out, tree->symbols->functions[lines->function].name);
        append_costs (out, costs, lines->costs);
        append_lines (out, costs, tree->symbols, lines->lines, lines->n_lines, 1);
    }
    for (uint32_t f = 0; f < costs->n_files; f++) {
        const PvFileLines *file = &costs->files[f];
        g_string_append_printf (out, "%s\n", file->file);
        for (uint32_t i = 0; i < file->n_lines; i++) {
            const PvFunctionId only = file->lines[i].function;
            g_string_append_printf (out, "%s\n",
                                    only != 0 ? tree->symbols->functions[only].name : "several");
            append_lines (out, costs, tree->symbols, &file->lines[i], 1, 1);
        }
    }
    return g_string_free (out, FALSE);
}

#define STACKS                                                                                     \
    "main:3;work:7>add:2>carry:4 5/1\n"                                                            \
    "main:3;work:7>add:3 2/0\n"                                                                    \
    "main:3;work:7;print:9 3/2\n"                                                                  \
    "main:3;work:8;work:7;print:9 4/1\n"                                                           \
    "main:3;work:7;work:7;print:9 1/1\n"

TEST (calls)
{
    assert_string (dump (STACKS, "work", 2, PV_LINES_WITH_CALLS), "work 0/15 0/5\n"
                                                                  "  7 0/15 0/5\n"
                                                                  "    print 8/8 4/4\n"
                                                                  "    add inlined 2/7 0/1\n"
                                                                  "      2 0/5 0/1\n"
                                                                  "        carry inlined 5/5 1/1\n"
                                                                  "          4 5/5 1/1\n"
                                                                  "      3 2/2 0/0\n"
                                                                  "    work 0/1 0/1\n"
                                                                  "  8 0/4 0/1\n"
                                                                  "    work 0/4 0/1\n");
}

TEST (lines_only)
{
    assert_string (dump (STACKS, "work", 1, 0), "work 0/15\n  7 0/15\n  8 0/4\n");
}

/* A function that is inlined into itself is a call of itself, and counts once. */
TEST (recursion)
{
    assert_string (dump ("f:1>f:2>f:2 1\nf:1 1\n", "f", 1, PV_LINES_WITH_CALLS),
                   "f 2/2\n"
                   "  1 1/2\n"
                   "    f inlined 0/1\n"
                   "      2 0/1\n"
                   "        f inlined 1/1\n"
                   "          2 1/1\n"
                   "  2 1/1\n"
                   "    f inlined 1/1\n"
                   "      2 1/1\n");
}

/* All lines of a wanted function's files, also where other functions have them: a stack counts once
 * for each. Files that only others have lines in are left out. */
TEST (lines_of_files)
{
    assert_string (dump ("main|a.c:3;work|a.c:7;add|b.h:2 5\n"
                         "main|a.c:3;help|a.c:9;print|c.c:1 3\n"
                         "main|a.c:4;work|b.h:2 1\n"
                         "main|a.c:3;sum|b.h:2;add|b.h:2 2\n",
                         "work", 1, PV_LINES_WITH_CALLS | PV_LINES_OF_FILES),
                   "work 1/6\n"
                   "  7 0/5\n"
                   "    add 5/5\n"
                   "  2 1/1\n"
                   "a.c\n"
                   "main\n"
                   "  3 0/10\n"
                   "    work 0/5\n"
                   "    help 0/3\n"
                   "    sum 0/2\n"
                   "main\n"
                   "  4 0/1\n"
                   "    work 1/1\n"
                   "work\n"
                   "  7 0/5\n"
                   "help\n"
                   "  9 0/3\n"
                   "    print 3/3\n"
                   "b.h\n"
                   "several\n"
                   "  2 8/8\n"
                   "    add 2/2\n");
}

/* A line has weight in the second measure alone. */
TEST (second_measure)
{
    assert_string (dump ("f:1 0/3\nf:2 1/0\n", "f", 2, PV_LINES_WITH_CALLS),
                   "f 1/1 3/3\n  1 0/0 3/3\n  2 1/1 0/0\n");
}

/* However deep bodies are inlined into each other. */
TEST (depth)
{
    g_autoptr (GString) text = g_string_new ("f:1");
    for (int i = 0; i < 3000; i++)
        g_string_append_printf (text, ">g%d:%d", i % 1500, i);
    g_string_append (text, " 1\n");
    g_autofree char *found = dump (text->str, "f", 1, PV_LINES_WITH_CALLS);
    g_assert_nonnull (strstr (found, " g39 inlined"));
    g_assert_null (strstr (found, " g45 inlined"));
}
