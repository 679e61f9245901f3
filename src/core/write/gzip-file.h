/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Compresses data and writes it to a file in pieces, in constant memory. The output depends only on
 * the data: no time, no name. */
typedef struct PvGzipFile PvGzipFile;

PvGzipFile *pv_gzip_file_new (FILE *file); /* borrowed */
void pv_gzip_file_free (PvGzipFile *gzip);
/* pv_gzip_file_finish () reports errors. */
void pv_gzip_file_write (PvGzipFile *gzip, const void *data, size_t size_bytes);
bool pv_gzip_file_has_failed (const PvGzipFile *gzip);
/* Ends the stream. False with a G_FILE_ERROR if any write failed. */
bool pv_gzip_file_finish (PvGzipFile *gzip, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGzipFile, pv_gzip_file_free)
