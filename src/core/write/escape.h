/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Appends digits, faster than by printf. */
void pv_append_number (GString *out, uint64_t number);
/* Appends two hexadecimal digits for each byte. */
void pv_append_hex (GString *out, const uint8_t *bytes, size_t n);

/* Appends a JSON string literal with its quotes. */
void pv_json_append_string (GString *out, const char *string);
/* Appends a JSON number with 15 digits, or null for what is none. */
void pv_json_append_double (GString *out, double number);

/* Appends text with tabs, line breaks and backslashes escaped as \t, \n, \r and \\. */
void pv_tsv_append_cell (GString *out, const char *string);

/* True for text that a spreadsheet would compute: it begins with =, @, + or - and is no number. An
 * apostrophe before it makes it text. */
bool pv_cell_is_formula (const char *string);

/* Appends text, in quotes if it has commas, quotes or line breaks, each quote of it twice (RFC
 * 4180); formulas too, with an apostrophe before them. */
void pv_csv_append_cell (GString *out, const char *string);
