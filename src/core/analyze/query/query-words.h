/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/analyze/query/query.h"

/*
 * A query in words, as the options of the command line ask it before a profile is known: measures,
 * threads and processes by name. Main thread.
 */
typedef struct {
    char **options;               /* all that were added, "--focus=main"; or NULL */
    PvQuery query;                /* everything but measure, threads and processes */
    bool is_off[PV_N_TRANSFORMS]; /* not even where the profile asks for it */
    bool takes_formulas; /* what is printed has figures: a measure may be the name of a usual one */
    char *measure;
    /* Threads and processes: names or ids; or NULL. */
    char **only[PV_N_WHO];
    char **except[PV_N_WHO];
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

/* The other way round: the options that ask a query about a profile, "--focus=^main$", without
 * quotes for a shell. Leaves out what is the default, what is switched off, and the suppressions of
 * files. Free with g_strfreev (). */
char **pv_query_list_options (const PvQuery *query, const PvProfile *profile);

/* The options of the active transforms alone, which any profile can be asked; without those that a
 * profile asks for by itself. Free with g_strfreev (). */
char **pv_query_list_transforms (const PvQuery *query);
/* Whether a transform is among those that have an option. */
bool pv_query_has_option (const PvTransform *transform);

/* Whether an option, "--time=0..1", says which samples count, and not what is done with their
 * stacks; of heaps, also which leaks count. */
bool pv_query_is_about_samples (const char *option);

/* "thread", "label:KEY"; "none" without grouping. Free with g_free (). */
char *pv_query_format_grouping (PvGrouping grouping, const char *label);
/* The other way round; false if it is none of these. */
bool pv_query_parse_grouping (PvQuery *query, const char *word);

/* The error of a value: "--time: “x” is not a range". Returns false. */
bool pv_set_bad_value (GError **error, const char *option, const char *value, const char *expected);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvQueryWords, pv_query_words_clear)
