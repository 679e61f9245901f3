/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Decimal points of the user's locale, as format.h has it, in numbers that other programs or people
 * have written. All return UTF-8 text to g_free (). Any thread.
 */

/* A plain number, "1.5", with the locale's decimal point: "1,5". */
char *pv_decimals_localize (const char *number);

/* The other way round, of all numbers in a text that somebody has typed: "1,5s" becomes "1.5s". The
 * text keeps its number of letters. */
char *pv_decimals_read (const char *text);
