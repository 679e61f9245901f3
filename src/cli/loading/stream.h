/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Input of a headless command, which may be a pipe: readers need a file that can be mapped. */
typedef struct {
    char *path; /* to load from; or NULL */
    int fd;     /* keeps the unlinked copy alive; or -1 */
} PvInput;

/* Sets path to the argument's file, to that of a file: URL, or for a pipe or "-" to a copy of its
 * data. Blocks until the pipe ends. False with a G_FILE_ERROR. */
bool pv_input_open (PvInput *ret_input, const char *argument, GError **error);
void pv_input_clear (PvInput *input);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvInput, pv_input_clear)
