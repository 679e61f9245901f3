/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * The ends of a command: what it reads and what it writes may be pipes and devices, though the
 * readers want a file they can map and the writers one they can replace.
 */
typedef struct {
    char *path; /* to load from; or NULL */
    int fd;     /* keeps a copy without a name alive; or -1 */
} PvInput;

/* For an argument: the file itself; a file: URL's; or, of a pipe or of "-", a copy of all that
 * comes out of it. Blocks until then. False with a G_FILE_ERROR. */
bool pv_input_open (PvInput *ret_input, const char *argument, GError **error);
void pv_input_clear (PvInput *input);

typedef struct {
    char *path;      /* where it goes, links followed */
    char *work_path; /* where it is written to first; or NULL */
    int mode;        /* permissions of the file that is replaced; or -1 */
    bool is_copied;  /* into the existing path, which cannot be replaced */
} PvOutput;

/* Makes work_path, of the same ending as path. False with a G_FILE_ERROR. */
bool pv_output_begin (PvOutput *ret_output, const char *path, GError **error);

/* Once work_path is written and closed: puts it in place. False with a G_FILE_ERROR. */
bool pv_output_commit (PvOutput *output, GError **error);

/* Removes what was not committed. */
void pv_output_clear (PvOutput *output);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvInput, pv_input_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvOutput, pv_output_clear)
