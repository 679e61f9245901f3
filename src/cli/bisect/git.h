/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Commands on a git repository. None asks the user anything or runs hooks. All block; the main
 * thread only.
 */

/* Runs git in a folder; the list of arguments ends with NULL. Returns what it writes, without the
 * last newlines; NULL with an error that has git's own message. */
char *pv_git_ask (const char *folder, GError **error, ...) G_GNUC_NULL_TERMINATED;

/* Runs a command of the shell in a folder, without input and with its output in a file. Returns the
 * status of waitpid (); -1 with an error if it could not be started. Signals to us that end
 * programs are passed on; *ret_signal is the last one, or 0. */
int pv_shell_run (const char *folder, const char *command, const char *log_path, int *ret_signal,
                  GError **error);
