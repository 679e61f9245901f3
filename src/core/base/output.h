/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * A file that is written as a whole or not at all, and text that goes to a stream. Any thread.
 */
typedef struct {
    char *path;      /* destination, with symbolic links resolved */
    char *work_path; /* temporary file, written first; or NULL */
    int mode;        /* permissions of the replaced file; or -1 */
    bool is_copied;  /* copied into path, which exists but cannot be replaced */
} PvOutput;

/* Creates work_path with the same ending as path. False with a G_FILE_ERROR, also where path is a
 * symbolic link of another user. */
bool pv_output_begin (PvOutput *ret_output, const char *path, GError **error);

/* The file that a symbolic link leads to, which is the one that is written; NULL where path is no
 * link to an ordinary file. Free with g_free (). */
char *pv_output_find_target (const char *path);

/* Moves work_path, written and closed, into place. False with a G_FILE_ERROR. */
bool pv_output_commit (PvOutput *output, GError **error);

/* Removes work_path if it was not committed. */
void pv_output_clear (PvOutput *output);

/* Copies until the end of `from`. 0 or an errno. */
int pv_copy_bytes (int from, int to);

typedef struct {
    FILE *file;
    int code; /* errno of the first failed write; or 0 */
} PvWriter;

/* Creates or replaces a file. False with a G_FILE_ERROR. */
bool pv_writer_open (PvWriter *ret_writer, const char *path, GError **error);
void pv_writer_write (PvWriter *writer, const char *text, size_t len);
/* The write callback of a PvTextSink: writes the text and empties it. */
void pv_writer_take (GString *text, void *writer);
void pv_writer_flush (PvWriter *writer);
/* False with a G_FILE_ERROR if this or an earlier write failed. */
bool pv_writer_close (PvWriter *writer, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvOutput, pv_output_clear)
