/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/* A folder below the build's for what a test writes; free with remove_folder (), which also checks
 * that no temporary file of a picture "kept.svg" was left. */
char *make_folder (const char *name);
void remove_folder (char *folder);

/* All of a file that must be readable; g_free () it. */
char *read_file (const char *path, size_t *ret_len);

/* How often something stands in a text. */
uint32_t count (const char *text, const char *what);
