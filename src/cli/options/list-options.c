/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program for the build, which is not installed: it prints the table of options, a line with tabs
 * for each that --help has, for build-aux/make-terminal.py. The columns are named in the first
 * line; words are separated by spaces, and one that ends with a colon has something after it.
 */
#include <stdio.h>
#include <string.h>

#include "cli/options/options-parse.h"
#include "cli/options/options-values.h"
#include "export/exports.h"

/* The i-th word that is a value of an option, "--print"; NULL after the last one. */
typedef const char *(*WordFunc) (const char *option, unsigned i);

static const char *
get_chart (const char *option, unsigned i)
{
    return i < PV_N_CHARTS ? pv_chart_kind_get_name (i) : NULL;
}

static const char *
get_grouping (const char *option, unsigned i)
{
    return i < PV_N_GROUPINGS ? pv_groupings[i].word : NULL;
}

static const char *
get_granularity (const char *option, unsigned i)
{
    return pv_granularity_get_word (i);
}

static const char *
get_scale (const char *option, unsigned i)
{
    return i == PV_SCALE_FUNCTION ? "function:" : i < PV_N_SCALES ? pv_scale_get_word (i) : NULL;
}

static const char *
get_recorder (const char *option, unsigned i)
{
    return i < PV_N_RECORD_KINDS ? pv_recorder_get (i)->id : NULL;
}

static const char *
get_call_graph (const char *option, unsigned i)
{
    return i < PV_N_CALL_GRAPHS ? pv_call_graph_get_id (i) : NULL;
}

/* Endings of file names. */
static const char *
get_ending (const char *option, unsigned i)
{
    const unsigned n = G_N_ELEMENTS (pv_exports->endings);
    unsigned seen = 0;
    for (unsigned k = 0; k < pv_n_exports * n; k++) {
        const char *ending = pv_exports[k / n].endings[k % n];
        if (ending != NULL && seen++ == i)
            return ending;
    }
    return NULL;
}

static const struct {
    const char *option;
    WordFunc get;
} choices[] = {
    {"--print", pv_option_get_word},  {"--format", pv_option_get_word},
    {"--view", pv_option_get_word},   {"--width-by", pv_option_get_word},
    {"--export", get_ending},         {"--chart", get_chart},
    {"--group", get_grouping},        {"--by", get_granularity},
    {"--scale", get_scale},           {"--record", get_recorder},
    {"--call-graph", get_call_graph},
};

static void
print_words (const char *option)
{
    for (size_t i = 0; i < G_N_ELEMENTS (choices); i++) {
        if (strcmp (choices[i].option, option) != 0)
            continue;
        const char *word;
        for (unsigned k = 0; (word = choices[i].get (option, k)) != NULL; k++)
            printf ("%s%s", k > 0 ? " " : "", word);
    }
}

static void
print_option (const char *heading, const GOptionEntry *entry, gpointer data)
{
    const bool is_list =
        entry->arg == G_OPTION_ARG_STRING_ARRAY || entry->arg == G_OPTION_ARG_FILENAME_ARRAY ||
        (entry->description != NULL && strstr (entry->description, "(repeatable") != NULL);
    if ((entry->flags & G_OPTION_FLAG_HIDDEN) != 0 || *entry->long_name == '\0')
        return;
    g_autofree char *option = g_strconcat ("--", entry->long_name, NULL);
    printf ("%s\t%s\t", heading, option);
    if (entry->short_name != 0)
        printf ("-%c", entry->short_name);
    printf ("\t%s\t%s\t", entry->arg_description != NULL ? entry->arg_description : "",
            is_list ? "yes" : "");
    print_words (option);
    printf ("\t%s\n", entry->description);
}

int
main (void)
{
    puts ("heading\toption\tshort\tvalue\trepeatable\twords\tdescription");
    pv_options_visit (print_option, NULL);
    return 0;
}
