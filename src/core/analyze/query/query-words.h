/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"

/*
 * A query in words, as the options of the command line express it before a profile is known:
 * measures, threads and processes by name. Main thread.
 */
typedef struct {
    char **options;               /* all that were added, "--focus=main"; or NULL */
    PvQuery query;                /* everything but measure, threads and processes */
    bool is_off[PV_N_TRANSFORMS]; /* off even where the profile requests it */
    bool takes_formulas;          /* the output has figures: measure may name a usual formula */
    char *measure;
    /* Threads and processes: names or ids; or NULL. */
    char **only[PV_N_ORIGINS];
    char **except[PV_N_ORIGINS];
} PvQueryWords;

void pv_query_words_init (PvQueryWords *words);
void pv_query_words_clear (PvQueryWords *words);

/* Adds one option, such as "--focus" with its value; value is ignored if the option has none. False
 * with a G_OPTION_ERROR or G_REGEX_ERROR that begins with the option. */
bool pv_query_words_add (PvQueryWords *words, const char *option, const char *value,
                         GError **error);
/* The same for options with their values, as in words->options. False leaves out the rest. */
bool pv_query_words_add_all (PvQueryWords *words, const char *const *options, GError **error);

/* The query for one profile, with the defaults for its kind. False with a G_OPTION_ERROR if a
 * measure, thread, process or label does not exist, or an option does not apply to heap traces.
 * Clear it with pv_query_clear (). */
bool pv_query_words_resolve (const PvQueryWords *words, const PvProfile *profile,
                             PvQuery *ret_query, GError **error);

/* The options that express a query about a profile, "--focus=^main$", without quotes for a shell.
 * Leaves out defaults, transforms that are switched off, and the suppressions of files. Free with
 * g_strfreev (). */
char **pv_query_list_options (const PvQuery *query, const PvProfile *profile);

/* The options of the active transforms alone, which suit any profile; without those that a profile
 * requests by itself. Free with g_strfreev (). */
char **pv_query_list_transforms (const PvQuery *query);
/* True if there is an option for the transform. */
bool pv_query_has_option (const PvTransform *transform);

/* True for an option, "--time=0..1", that says which samples count, not what is done with their
 * stacks; of heaps, also which leaks count. */
bool pv_query_is_about_samples (const char *option);

/* "thread", "label:KEY"; "none" without grouping. Free with g_free (). */
char *pv_query_format_grouping (PvGrouping grouping, const char *label);
/* Reads such a word into the query; false if it is unknown. */
bool pv_query_parse_grouping (PvQuery *query, const char *word);

/* The i-th word of --by, of a PvGranularity; NULL after the last one. */
const char *pv_granularity_get_word (unsigned i);

/* The error of a value: "--time: “x” is not a range". Returns false. */
bool pv_set_bad_value (GError **error, const char *option, const char *value, const char *expected);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvQueryWords, pv_query_words_clear)
