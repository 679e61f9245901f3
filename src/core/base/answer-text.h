/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>

enum { PV_ANSWER_MAX_CHARACTERS = 2000 };

/*
 * Text from servers and programs, made safe to show: UTF-8, no control characters, no marks that
 * change the direction of text, no runs of spaces. Any thread.
 */

/* The text without empty lines, cut to PV_ANSWER_MAX_CHARACTERS. NULL if data is empty or binary
 * (has a zero byte), or none of it can be shown. */
char *pv_answer_make_text (const void *data, size_t size);

/* The text, which must be UTF-8, as one line, cut to max_characters. */
char *pv_answer_make_line (const char *text, unsigned max_characters);
