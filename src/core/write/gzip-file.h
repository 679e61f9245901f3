/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/output.h"

/* Compresses data and writes it to a file in pieces, in constant memory. The output depends only on
 * the data: no time, no name. */
typedef struct PvGzipFile PvGzipFile;

PvGzipFile *pv_gzip_file_new (PvWriter *out); /* borrowed; it reports errors */
void pv_gzip_file_free (PvGzipFile *gzip);
void pv_gzip_file_write (PvGzipFile *gzip, const void *data, size_t size_bytes);
/* Ends the stream. */
void pv_gzip_file_finish (PvGzipFile *gzip);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGzipFile, pv_gzip_file_free)
