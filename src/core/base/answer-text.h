/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

enum { PV_ANSWER_MAX_CHARACTERS = 2000 };

typedef enum {
    PV_ANSWER_EMPTY,
    PV_ANSWER_PAGE, /* HTML or other markup */
    PV_ANSWER_TEXT,
    PV_ANSWER_BINARY,
} PvAnswerKind;

/* What a server's answer is, by its first bytes. */
PvAnswerKind pv_answer_get_kind (const void *data, size_t size);

/* An answer's readable text: for a page, the text between its tags without scripts and styles.
 * UTF-8 without control characters or repeated empty lines, at most PV_ANSWER_MAX_CHARACTERS. NULL
 * if there is none; g_free () it. */
char *pv_answer_make_text (const void *data, size_t size);

/* The same in one line, cut to max_characters. */
char *pv_answer_make_line (const char *text, unsigned max_characters);
