/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Command lines quoted for a shell, and back. Nothing is ever expanded: "$(x)" is four characters.
 */

/* Splits text into its leading assignments, NAME=VALUE with a name that is not quoted, and the
 * rest. Either may be NULL: there is nothing of it. Free both with g_strfreev (). False with a
 * G_SHELL_ERROR for an open quote. */
bool pv_command_line_split (const char *text, char ***ret_assignments, char ***ret_argv,
                            GError **error);

/* These append to line, after a blank unless it is empty, and quote only where that is needed. */
void pv_command_line_append (GString *line, const char *argument);
/* The first is the program, which is never taken for an assignment. argv may be NULL. */
void pv_command_line_append_argv (GString *line, const char *const *argv);
/* "NAME=VALUE". False if a shell would not take the name; then nothing is appended. */
bool pv_command_line_append_assignment (GString *line, const char *assignment);
