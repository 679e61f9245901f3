/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/beginning.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/error.h"
#include "core/read/text/text.h"

#define MAX_RESPONSES    8u /* with redirections and "100 Continue" */
#define SNIFFED_UNITS    64u
#define MIN_UNITS        4u
#define UNITS_PER_CHECK  ((size_t)1 << 20)
#define MAX_UTF8_BYTES   3u /* of one unit */
#define NOT_A_CHARACTER  0xfffdu
#define FIRST_HIGH       0xd800u /* surrogates: the first of a pair, ... */
#define FIRST_LOW        0xdc00u /* ... the second */
#define AFTER_SURROGATES 0xe000u

/* --- lines --- */

/* Takes the headers of one response. */
static bool
take_response (PvText *text)
{
    PvText rest = *text, line;
    if (!pv_text_begins (rest, "HTTP/") || !pv_text_next_line (&rest, &line))
        return false;
    while (pv_text_next_line (&rest, &line)) {
        if (pv_text_len (line) == 0) {
            *text = rest;
            return true;
        }
        if (pv_text_find_char (line, ':') == NULL)
            return false;
    }
    return false;
}

size_t
pv_beginning_skip_headers (const uint8_t *data, size_t size_bytes)
{
    g_assert (data != NULL || size_bytes == 0);
    PvText all = pv_text (data, size_bytes), text = all;
    for (unsigned i = 0; i < MAX_RESPONSES && take_response (&text); i++)
        ;
    return (size_t)(text.at - all.at);
}

bool
pv_beginning_next_line (const uint8_t *data, size_t size_bytes, size_t *offset)
{
    g_assert (*offset <= size_bytes);
    const uint8_t *start = data + *offset, *end = memchr (start, '\n', size_bytes - *offset);
    if (end == NULL || memchr (start, 0, (size_t)(end - start)) != NULL)
        return false;
    *offset = (size_t)(end - data) + 1;
    return *offset < size_bytes;
}

/* --- 16 bits --- */

static bool
has_mark (const uint8_t *data, size_t size_bytes, bool *ret_is_big)
{
    if (size_bytes < 2)
        return false;
    *ret_is_big = data[0] == 0xfe && data[1] == 0xff;
    return *ret_is_big || (data[0] == 0xff && data[1] == 0xfe);
}

static uint32_t
get_unit (const uint8_t *at, bool is_big)
{
    return is_big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

static bool
is_latin (const uint8_t *data, size_t size_bytes, bool is_big)
{
    size_t n = MIN (size_bytes / 2, SNIFFED_UNITS);
    for (size_t i = 0; i < n; i++) {
        uint32_t unit = get_unit (data + 2 * i, is_big);
        if (unit >= 0x7f || (unit < ' ' && strchr ("\t\n\r", (int)unit) == NULL) || unit == 0)
            return false;
    }
    return n >= MIN_UNITS;
}

/* Finds out how the bytes are ordered. */
static bool
find_order (const uint8_t *data, size_t size_bytes, bool *ret_is_big)
{
    if (has_mark (data, size_bytes, ret_is_big))
        return true;
    *ret_is_big = false;
    if (is_latin (data, size_bytes, false))
        return true;
    *ret_is_big = true;
    return is_latin (data, size_bytes, true);
}

bool
pv_beginning_is_utf16 (const uint8_t *data, size_t size_bytes)
{
    g_assert (data != NULL || size_bytes == 0);
    bool is_big;
    return find_order (data, size_bytes, &is_big);
}

/* Takes one or two units. */
static uint32_t
take_character (const uint8_t *data, size_t n_units, size_t *i, bool is_big)
{
    uint32_t unit = get_unit (data + 2 * (*i)++, is_big);
    if (unit < FIRST_HIGH || unit >= AFTER_SURROGATES)
        return unit;
    uint32_t next = *i < n_units ? get_unit (data + 2 * *i, is_big) : 0;
    if (unit >= FIRST_LOW || next < FIRST_LOW || next >= AFTER_SURROGATES)
        return NOT_A_CHARACTER;
    (*i)++;
    return 0x10000 + ((unit - FIRST_HIGH) << 10) + (next - FIRST_LOW);
}

PvMappedFile *
pv_beginning_recode_utf16 (const uint8_t *data, size_t size_bytes, PvJob *job, GError **error)
{
    g_assert (data != NULL || size_bytes == 0);
    bool is_big = false, is_marked_big;
    find_order (data, size_bytes, &is_big);
    size_t n_units = size_bytes / 2, len = 0, next_check = 0;
    char *text = g_try_malloc (MAX (n_units * MAX_UTF8_BYTES, 1));
    if (text == NULL) {
        pv_read_fail (error, PV_READ_ERROR_TOO_LARGE,
                      _ ("There is not enough memory to read the text"));
        return NULL;
    }
    for (size_t i = has_mark (data, size_bytes, &is_marked_big) ? 1 : 0; i < n_units;) {
        if (i >= next_check && !pv_job_check (job, error)) {
            g_free (text);
            return NULL;
        }
        next_check = i >= next_check ? i + UNITS_PER_CHECK : next_check;
        len += (size_t)g_unichar_to_utf8 (take_character (data, n_units, &i, is_big), text + len);
    }
    return pv_mapped_file_new_take (g_realloc (text, MAX (len, 1)), len);
}
