/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options/options.h"

/* The table of all command-line options, for headless commands and the window. */

/* Does not change argv. With --record, everything after the first "--" is the command, unchanged.
 * Checks that --sysroot and --symbol-path exist; reads suppressions. False with a G_OPTION_ERROR
 * or G_REGEX_ERROR for bad usage. Clear options in either case. */
bool pv_options_parse (PvOptions *ret_options, int argc, char **argv, GError **error);

/* The text of --help. */
char *pv_options_get_help (void);

typedef void (*PvOptionFunc) (const char *heading, const GOptionEntry *entry, gpointer data);

/* Calls visit for each option of the table, hidden ones and the files too, with the heading that it
 * stands under in --help ("": the first). Texts are as in --help, but those of the entry are not
 * translated; entry lives during the call. */
void pv_options_visit (PvOptionFunc visit, gpointer data);
