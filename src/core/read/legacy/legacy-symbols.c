/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/legacy/legacy-symbols.h"

#include <string.h>

void
legacy_take_symbols (LegacySession *session)
{
    PvText text = session->text, line;
    if (!pv_text_next_trimmed (&text, &line) || !pv_text_begins (line, "--- symbol"))
        return;
    while (pv_text_next_trimmed (&text, &line) && !pv_text_begins (line, "---")) {
        uint64_t addr;
        if (pv_text_take_next (&line, "binary=")) {
            session->binary = pv_text_keep (line, session->builder);
        } else if (legacy_take_address (&line, &addr) && line.at < line.end) {
            line.at++;
            pv_array_push (&session->names, line);
            *pv_id_map_slot (&session->name_of_addr, addr) = (uint32_t)session->names.len;
        }
    }
    session->text = text;
}

/* Finds the separator in "OUTER--INLINED--INNERMOST", but not the one in "operator--". */
static const char *
find_separator (PvText text)
{
    static const char separator[] = "--", operator_name[] = "operator";
    const char *start = text.at;
    for (const char *at; (at = pv_text_find (text, separator)) != NULL; text.at = at + 2) {
        size_t len = strlen (operator_name);
        if ((size_t)(at - start) < len || memcmp (at - len, operator_name, len) != 0)
            return at;
    }
    return NULL;
}

/* The length without the address that distinguishes static functions with the same name:
 * "f<0000000000001270>". */
static size_t
cut_address (const char *name, size_t len)
{
    static const size_t suffix_len = 18;
    if (len <= suffix_len || name[len - suffix_len] != '<' || name[len - 1] != '>')
        return len;
    for (size_t i = len - suffix_len + 1; i < len - 1; i++)
        if (!g_ascii_isxdigit (name[i]))
            return len;
    return len - suffix_len;
}

bool
legacy_find_symbol (LegacySession *session, uint64_t lookup_addr)
{
    uint32_t name = pv_id_map_find (&session->name_of_addr, lookup_addr);
    if (name == 0)
        return false;
    PvText text = session->names.data[name - 1];
    session->frames.len = 0;
    for (bool is_last = false; !is_last;) {
        const char *separator = find_separator (text);
        is_last = separator == NULL;
        size_t len = is_last ? pv_text_len (text) : (size_t)(separator - text.at);
        PvGivenFrame frame = {.name = pv_profile_builder_string_len (session->builder, text.at,
                                                                     cut_address (text.at, len))};
        pv_array_push (&session->frames, frame);
        text.at += len + (is_last ? 0 : 2);
    }
    for (size_t i = 0, j = session->frames.len - 1; i < j; i++, j--) {
        PvGivenFrame outer = session->frames.data[i];
        session->frames.data[i] = session->frames.data[j];
        session->frames.data[j] = outer;
    }
    return true;
}
