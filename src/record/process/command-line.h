/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Splits and quotes shell command lines. Nothing is ever expanded: "$(x)" is four characters.
 */

/* Splits text into its leading assignments, NAME=VALUE with an unquoted name, and the rest; each is
 * NULL if empty. Free both with g_strfreev (). False with a G_SHELL_ERROR for an unclosed quote. */
bool pv_command_line_split (const char *text, char ***ret_assignments, char ***ret_argv,
                            GError **error);

/* These append to line, after a blank unless it is empty, and quote only if needed. */
void pv_command_line_append (GString *line, const char *argument);
/* Quotes argv[0] if it looks like an assignment. argv may be NULL. */
void pv_command_line_append_argv (GString *line, const char *const *argv);
/* "NAME=VALUE". False, with nothing appended, if a shell does not accept the name. */
bool pv_command_line_append_assignment (GString *line, const char *assignment);
