/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * The text of a command for a shell that gives the answer of a query, from its options as in
 * PvQueryWords. Any thread.
 */

/* Appends a word, in quotes if a shell needs them: an option with its value, or "" with a value. */
void pv_command_append (GString *command, const char *option, const char *value);

/* Options of sides. True for options that choose samples; in a join, also for those that show
 * functions which only allocate. The measure is that of the comparison. */
bool pv_command_is_about_side (const char *option, bool is_joined);
/* True for options that apply to runs: groups and directions are of trees. */
bool pv_command_is_about_runs (const char *option);
/* True if both have the same options in the same order. */
bool pv_command_same_options (const GPtrArray *a, const GPtrArray *b);
/* Appends the options of the base and of the new side (char *): those of a kind that both have
 * alike are said once, for both. True if a side has some of its own. */
bool pv_command_append_sides (GString *command, const GPtrArray *base, const GPtrArray *newer);
