/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/job.h"
#include "core/base/mapped-file.h"

/*
 * Beginnings of files that are not the beginning of a profile: headers of HTTP, lines that another
 * program wrote before it, text of 16 bits. All look at bounded parts only.
 */

/* The length of what "curl -i" puts before a document: headers of HTTP, of each response. 0: data
 * does not begin with it, or it has no end. */
size_t pv_beginning_skip_headers (const uint8_t *data, size_t size_bytes);

/* Moves offset, where a line begins, to the next line. False: there is none, or the line is no
 * text. */
bool pv_beginning_next_line (const uint8_t *data, size_t size_bytes, size_t *offset);

/* True for text of UTF-16, with a byte order mark or, if it is of Latin letters, without. */
bool pv_beginning_is_utf16 (const uint8_t *data, size_t size_bytes);

/* The same text in UTF-8, without the mark; what is no character is replaced by one that says so.
 * NULL with an error when cancelled or if there is not enough memory. */
PvMappedFile *pv_beginning_recode_utf16 (const uint8_t *data, size_t size_bytes, PvJob *job,
                                         GError **error);
