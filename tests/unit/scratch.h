/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A path below tests/data; g_free () it. */
char *get_data (const char *name);

/* A copy of such a file in a folder: its path; g_free () it. */
char *copy_data (const char *data_name, const char *folder, const char *name);

/* Removes what is in a folder, which are files only. */
void remove_files (const char *folder);
/* Removes a file, or a folder with all that is in it; links are not followed. */
void remove_tree (const char *path);

/* How many files there are in a folder, hidden ones too. */
unsigned count_files (const char *folder);

/* Runs the file's tests with a new folder as their home, which is removed with all that is in it.
 */
int scratch_run_tests (int argc, char **argv);
/* A new folder in there; g_free () it. */
char *scratch_new_folder (void);
