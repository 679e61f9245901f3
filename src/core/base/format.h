/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Formats numbers for people, in the same way in the window, in pictures and in text reports. The
 * locale chooses the grouping of digits and the decimal point. Machine formats (TSV, JSON, folded)
 * do not use this: they print plain integers.
 *
 * All functions return UTF-8 text to g_free (). Any thread may call them.
 */
typedef enum {
    PV_UNIT_COUNT,
    PV_UNIT_NS,
    PV_UNIT_BYTES,
    PV_UNIT_BYTE_MS, /* bytes times the milliseconds they were held */
} PvUnit;

/* Takes grouping and decimal point from LC_NUMERIC. Call it after setlocale () and before the first
 * thread; until then numbers look like "12,402.5". */
void pv_format_use_locale (void);

/* Sizes in kB and MB, powers of 1000, instead of in KiB and MiB, or not. Call it before the first
 * thread. */
void pv_format_set_decimal_sizes (bool is_decimal);
enum { PV_N_SIZE_UNITS = 7 };

/* The factor between them, 1024 or 1000, and the name of a unit: "B" for 0, "KiB" or "kB" for 1. */
double pv_format_get_size_factor (void);
const char *pv_format_name_size (unsigned power);

/* "12,402,113" */
char *pv_format_count (uint64_t count);

/* "179 M": three significant digits and k, M, G, T, P or E; below 1000 in full. */
char *pv_format_short_count (uint64_t count);

/* Three significant digits in the largest unit that leaves one before the point: "1.25 s",
 * "12.4 MiB", "12.4 GiB·s". Counts are written in full. */
char *pv_format_amount (uint64_t amount, PvUnit unit);

/* The same with its sign: "+1.25 s", "−12.4 MiB"; "0 B" has none. */
char *pv_format_signed_amount (int64_t amount, PvUnit unit);

/* A form with text in place of its first "%s", for forms of tables, which compilers cannot check.
 */
char *pv_fill_in (const char *form, const char *text);

/* "48.2 %"; "0.0 %" if whole is 0. */
char *pv_format_percent (double part, double whole);

/* Appends a fact to a line of them, after a comma, or a remark after a semicolon, as the user's
 * language writes these, unless the line is empty. They take the fact. */
void pv_format_add_fact (GString *line, char *fact);
void pv_format_add_remark (GString *line, char *remark);

/* With exactly this many digits after the point: "0.50". Not grouped. */
char *pv_format_decimals (double number, int n_decimals);

/* With at most this many significant digits and no trailing zeros: "1.5", "20". Not grouped. */
char *pv_format_digits (double number, int max_digits);

/* The text, or its first characters and "…" if it has more than max_bytes bytes. */
char *pv_format_cut (const char *text, size_t max_bytes);

/* The name or path of a file for people, whatever bytes it has: in a terminal too. */
char *pv_format_path (const char *path);

/* The path of a folder for people: "~/work" for "/home/ann/work". */
char *pv_format_folder (const char *path);
