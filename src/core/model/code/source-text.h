/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A source file, line by line. Immutable, and may be read from any thread.
 */
typedef struct {
    int ref_count; /* atomic */
    char *text;    /* valid UTF-8; what was not is replaced */
    size_t size_bytes;
    uint32_t n_lines; /* an empty text has none; a newline at the end begins no further line */
    uint32_t *start_of_line; /* n_lines + 1 entries; entry 0 is of line 1 */
} PvSourceText;

/* Copies the bytes. The text must be below 1 GiB. */
PvSourceText *pv_source_text_new (const void *bytes, size_t size_bytes);
PvSourceText *pv_source_text_ref (PvSourceText *text);
void pv_source_text_unref (PvSourceText *text);

/* A line, counted from 1, without its newline (nor a carriage return before it): not terminated.
 * NULL, with a length of 0, if there is no such line. */
const char *pv_source_text_get_line (const PvSourceText *text, uint32_t line,
                                     size_t *ret_size_bytes);

/* The same for people: terminated, with spaces in place of tabs (to columns of 8) and of control
 * characters. NULL if there is no such line; free with g_free (). */
char *pv_source_text_format_line (const PvSourceText *text, uint32_t line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSourceText, pv_source_text_unref)
