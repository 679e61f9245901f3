/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What lines of callgrind's files consist of. Nothing here allocates; texts point into the file. */
typedef struct {
    const char *at, *end;
} CallgrindText;

static inline size_t
callgrind_left (CallgrindText text)
{
    return (size_t)(text.end - text.at);
}

/* Takes the next line, without its end and the blanks around it. False: there is none. */
bool callgrind_next_line (CallgrindText *text, CallgrindText *ret_line);

/* Takes a word from the beginning of a text. False: the text does not begin with it. */
bool callgrind_take (CallgrindText *text, const char *word);
bool callgrind_equals (CallgrindText text, const char *other);
void callgrind_skip_blanks (CallgrindText *text);
/* Takes the text up to a blank, and the blanks around it. Empty at the end. */
CallgrindText callgrind_take_word (CallgrindText *text);

/* A number of a line of costs, by what may be before it. */
typedef enum {
    CALLGRIND_ABSOLUTE, /* "16", "0x10" */
    CALLGRIND_PLUS,     /* "+3" */
    CALLGRIND_MINUS,    /* "-3" */
    CALLGRIND_SAME,     /* "*" */
} CallgrindForm;

/* Takes a number and the blanks after it; what is after a decimal point is left out. Amounts too
 * large for an int64_t become the largest. False: there is none. */
bool callgrind_take_number (CallgrindText *text, CallgrindForm *ret_form, uint64_t *ret);

/* "(ID) NAME", "(ID)" or "NAME" */
typedef struct {
    bool has_id;
    uint64_t id;
    CallgrindText name; /* empty: defined before */
} CallgrindName;

CallgrindName callgrind_parse_name (CallgrindText text);

/* "KEY: VALUE", with the keys of headers only. */
typedef enum {
    CALLGRIND_VERSION,
    CALLGRIND_CREATOR,
    CALLGRIND_PID,
    CALLGRIND_CMD,
    CALLGRIND_PART,
    CALLGRIND_THREAD,
    CALLGRIND_DESC,
    CALLGRIND_EVENT,
    CALLGRIND_EVENTS,
    CALLGRIND_POSITIONS,
    CALLGRIND_SUMMARY,
    CALLGRIND_TOTALS,
    CALLGRIND_N_KEYS,
} CallgrindKey;

/* Takes a key and the blanks after it. CALLGRIND_N_KEYS: the text begins with none. */
CallgrindKey callgrind_take_key (CallgrindText *text);

/* "SPEC=VALUE" */
typedef enum {
    CALLGRIND_OB,
    CALLGRIND_FL,
    CALLGRIND_FI,
    CALLGRIND_FE,
    CALLGRIND_FN,
    CALLGRIND_COB,
    CALLGRIND_CFI,
    CALLGRIND_CFL,
    CALLGRIND_CFN,
    CALLGRIND_CALLS,
    CALLGRIND_JFI,
    CALLGRIND_JFN,
    CALLGRIND_JUMP,
    CALLGRIND_JCND,
    CALLGRIND_N_SPECS,
} CallgrindSpec;

CallgrindSpec callgrind_take_spec (CallgrindText *text);

/* Whether the first bytes of a file look like callgrind's or cachegrind's. */
bool callgrind_sniff (const uint8_t *data, size_t size_bytes);
