/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/text/text.h"

#include <glib.h>

PvText
pv_text_take_word (PvText *text)
{
    pv_text_skip_blanks (text);
    PvText word = {text->at, text->at};
    while (word.end < text->end && !pv_text_is_blank (*word.end))
        word.end++;
    text->at = word.end;
    pv_text_skip_blanks (text);
    return word;
}

PvText
pv_text_take_last_word (PvText *text)
{
    *text = pv_text_trim_end (*text);
    PvText word = {text->end, text->end};
    while (word.at > text->at && !pv_text_is_blank (word.at[-1]))
        word.at--;
    *text = pv_text_trim_end ((PvText){text->at, word.at});
    return word;
}

/* --- numbers --- */

static inline unsigned
get_digit (char c)
{
    unsigned letter = (unsigned)(c | 0x20) - 'a', digit = (unsigned)c - '0';
    return digit < 10 ? digit : letter < 6 ? letter + 10 : 16;
}

static inline bool
take_digits (PvText *text, unsigned base, uint64_t *ret)
{
    const char *at = text->at, *end = text->end;
    uint64_t number = 0;
    bool is_too_large = false;
    for (unsigned digit; at < end && (digit = get_digit (*at)) < base; at++) {
        is_too_large |= number >= UINT64_MAX / base &&
                        (number > UINT64_MAX / base || digit > UINT64_MAX % base);
        number = number * base + digit;
    }
    if (at == text->at)
        return false;
    text->at = at;
    *ret = is_too_large ? UINT64_MAX : number;
    return true;
}

bool
pv_text_take_number (PvText *text, uint64_t *ret)
{
    return take_digits (text, 10, ret);
}

bool
pv_text_take_hex (PvText *text, uint64_t *ret)
{
    return take_digits (text, 16, ret);
}

bool
pv_text_parse_number (PvText text, uint64_t *ret)
{
    return pv_text_take_number (&text, ret) && text.at == text.end && *ret < UINT64_MAX;
}

bool
pv_text_names_bytes (PvText description)
{
    static const char bytes[] = "bytes";
    const char *remark = pv_text_find_last (description, '(');
    if (remark != NULL && pv_text_ends (description, ")"))
        description.end = remark;
    PvText word = pv_text_take_last_word (&description);
    return pv_text_len (word) == strlen (bytes) &&
           g_ascii_strncasecmp (word.at, bytes, strlen (bytes)) == 0;
}

void
pv_text_set_build_id (PvText hex, PvModule *module)
{
    size_t len = pv_text_len (hex);
    if (len % 2 != 0 || len / 2 > PV_BUILD_ID_MAX)
        return;
    for (size_t i = 0; i < len; i++)
        if (get_digit (hex.at[i]) > 15)
            return;
    for (size_t i = 0; i < len; i += 2)
        module->build_id[i / 2] = (uint8_t)(get_digit (hex.at[i]) << 4 | get_digit (hex.at[i + 1]));
    module->build_id_size = (uint8_t)(len / 2);
}

/* --- copies --- */

const char *
pv_text_keep (PvText text, PvProfileBuilder *builder)
{
    return text.at < text.end ? pv_profile_builder_string_len (builder, text.at, pv_text_len (text))
                              : NULL;
}

char *
pv_text_copy (PvText text)
{
    return g_strndup (text.at, pv_text_len (text));
}
