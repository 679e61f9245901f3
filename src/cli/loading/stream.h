/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Input and output of a headless command, which may be pipes or devices: readers need a file that
 * can be mapped, writers one that can be replaced.
 */
typedef struct {
    char *path; /* to load from; or NULL */
    int fd;     /* keeps the unlinked copy alive; or -1 */
} PvInput;

/* Sets path to the argument's file, to that of a file: URL, or for a pipe or "-" to a copy of its
 * data. Blocks until the pipe ends. False with a G_FILE_ERROR. */
bool pv_input_open (PvInput *ret_input, const char *argument, GError **error);
void pv_input_clear (PvInput *input);

typedef struct {
    char *path;      /* destination, with symbolic links resolved */
    char *work_path; /* temporary file, written first; or NULL */
    int mode;        /* permissions of the replaced file; or -1 */
    bool is_copied;  /* copied into path, which exists but cannot be replaced */
} PvOutput;

/* Creates work_path with the same ending as path. False with a G_FILE_ERROR. */
bool pv_output_begin (PvOutput *ret_output, const char *path, GError **error);

/* Moves work_path, written and closed, into place. False with a G_FILE_ERROR. */
bool pv_output_commit (PvOutput *output, GError **error);

/* Removes work_path if it was not committed. */
void pv_output_clear (PvOutput *output);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvInput, pv_input_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvOutput, pv_output_clear)
