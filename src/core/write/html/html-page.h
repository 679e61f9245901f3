/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/output.h"

/*
 * A page of HTML with a profile in it, for a browser that has no network: page.html with page.css,
 * page.js and the data as JSON. All texts of the data come from a profile and are hostile: JSON is
 * written so that nothing in it can end the element that holds it, the page's script shows texts as
 * texts only, and its policy runs no other script.
 *
 * Any thread.
 */

/* Appends a string literal of JSON without <, >, &, U+2028 and U+2029. What is not UTF-8 becomes
 * U+FFFD. */
void pv_html_append_string (GString *out, const char *string);
/* Appends a member of an object, up to its value: a comma unless it is the first, the key and a
 * colon. Keys are plain. */
void pv_html_begin_member (GString *out, const char *key);

/* Appends the page's own words as an object, translated, and how numbers are written. */
void pv_html_append_words (GString *out);
void pv_html_append_number_style (GString *out);

/* Writes the page with the data, which is an object. */
void pv_html_page_write (PvWriter *out, const char *title, const GString *data);
