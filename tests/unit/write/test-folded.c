/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cases.h"
#include "../texts.h"
#include "core/write/folded.h"

static char *
write_all (PvFoldedWriter *writer)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream (&text, &size);
    g_assert_true (assert_ok (error, pv_folded_writer_write (writer, file, NULL, &error)));
    fclose (file);
    return text;
}

static void
add_stack (PvFoldedWriter *writer, const char *stack, int64_t weight)
{
    g_auto (GStrv) names = g_strsplit_set (stack, "|", -1);
    uint32_t node = 0;
    for (char **name = names; *name != NULL; name++)
        node = pv_folded_writer_node (writer, node, *name);
    pv_folded_writer_add (writer, node, weight);
}

TEST (names)
{
    g_autoptr (PvFoldedWriter) writer = pv_folded_writer_new ();
    add_stack (writer, "main|a;b|c\nd\te", 3);
    add_stack (writer, "main|a:b|c d e", 4); /* the same once written */
    add_stack (writer, "main|", 1);
    char *text = write_all (writer);
    g_assert_cmpstr (text, ==, "main;?? 1\nmain;a:b;c d e 7\n");
    free (text);
}

/* The lines as `sort` orders them in the C locale. */
static char *
sort_as_files (const char *text)
{
    g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
    guint n = g_strv_length (lines);
    for (guint i = 0; i < n;
         i++) { /* compare with the line end, as sort does not: it is below all */
        char *line = g_strconcat (lines[i], "\n", NULL);
        g_free (lines[i]);
        lines[i] = line;
    }
    qsort (lines, n - 1, sizeof (char *), compare_texts);
    g_free (lines[n - 1]);
    lines[n - 1] = NULL;
    return g_strjoinv ("", lines);
}

TEST (sorted)
{
    static const char *const names[] = {"map", "map<int>", "map int", "mapper", "a", "a b",
                                        "a!",  "b",        "ab",      "z~",     "z", "é"};
    g_autoptr (GRand) random = g_rand_new_with_seed (5);
    for (unsigned round = 0; round < 100; round++) {
        g_autoptr (PvFoldedWriter) writer = pv_folded_writer_new ();
        int64_t all = 0, sum = 0;
        for (unsigned i = 0; i < 100; i++) {
            uint32_t node = 0;
            unsigned depth = (unsigned)g_rand_int_range (random, 1, 6);
            for (unsigned d = 0; d < depth; d++)
                node = pv_folded_writer_node (
                    writer, node, names[g_rand_int_range (random, 0, G_N_ELEMENTS (names))]);
            int64_t weight = g_rand_int_range (random, -20, 100);
            pv_folded_writer_add (writer, node, weight);
            all += weight;
        }
        char *text = write_all (writer);
        g_autofree char *sorted = sort_as_files (text);
        g_assert_cmpstr (text, ==, sorted);
        for (const char *p = text; (p = strchr (p, '\n')) != NULL; p++) {
            const char *digits = p;
            while (digits[-1] != ' ')
                digits--;
            sum += g_ascii_strtoll (digits, NULL, 10);
        }
        g_assert_cmpint (sum, ==, all);
        free (text);
    }
}

/* The net amount of a stack. */
TEST (signed)
{
    g_autoptr (PvFoldedWriter) writer = pv_folded_writer_new ();
    add_stack (writer, "main|less", -3);
    add_stack (writer, "main|same", 4);
    add_stack (writer, "main|same", -4);
    add_stack (writer, "main|same|more", 5);
    char *text = write_all (writer);
    g_assert_cmpstr (text, ==, "main;less -3\nmain;same;more 5\n");
    free (text);
}

TEST (deep)
{
    g_autoptr (PvFoldedWriter) writer = pv_folded_writer_new ();
    uint32_t node = 0;
    for (unsigned i = 0; i < 100000; i++)
        node = pv_folded_writer_node (writer, node, "f");
    pv_folded_writer_add (writer, node, 1);
    char *text = write_all (writer);
    g_assert_cmpuint (strlen (text), ==, 200002);
    free (text);
}
