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

/* The words of an answer for people: of a page what is between its tags, without scripts and
 * styles; no control characters, no empty lines one after the other; UTF-8, at most
 * PV_ANSWER_MAX_CHARACTERS. NULL: there are none. */
char *pv_answer_make_text (const void *data, size_t size);

/* The same in one line, cut to max_characters. */
char *pv_answer_make_line (const char *text, unsigned max_characters);
