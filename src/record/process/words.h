/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * A command line as people type it, and the words it stands for. Quoting is a shell's, the POSIX
 * one of 2024: blanks, single and double quotes, $'...' and backslashes; nothing else means
 * anything, so nothing is expanded. Words are bytes, a typed line is valid UTF-8 of one line.
 */

/* The words of typed; the first n_assignments are NAME=VALUE with a name that is not quoted. Free
 * with g_strfreev (). G_SHELL_ERROR for an open quote. */
char **pv_words_split (const char *typed, unsigned *ret_n_assignments, GError **error);

/* These append to line, after a blank unless it is empty. */
void pv_words_append (GString *line, const char *word);
/* The word that names the program: never taken for an assignment. */
void pv_words_append_program (GString *line, const char *word);
/* "NAME=VALUE". False if the name is none for a shell; then nothing is appended. */
bool pv_words_append_assignment (GString *line, const char *assignment);

/* All of them, none as program or assignment. */
char *pv_words_join (const char *const *words);
