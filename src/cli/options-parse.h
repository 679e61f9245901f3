/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cli/options.h"

/* The one table of command-line options: of the headless commands and of the window. */

/* argv is not changed. With --record, all behind the first "--" is the command, as it is. Files
 * that options name must exist, and suppressions are read. False with a G_OPTION_ERROR, or a
 * G_REGEX_ERROR, for bad usage. Clear options in either case. */
bool pv_options_parse (PvOptions *ret_options, int argc, char **argv, GError **error);

/* The text of --help. */
char *pv_options_get_help (void);
