/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/array.h"
#include "core/read/json/json-end.h"

/*
 * The tokens of JSON, as RFC 8259 has it, of bytes that come piece by piece. Strings may have bytes
 * that are not UTF-8, and between tokens there may be vertical tabs and form feeds.
 */
typedef enum {
    PV_JSON_TOKEN_END, /* nothing more will come */
    PV_JSON_TOKEN_NULL,
    PV_JSON_TOKEN_FALSE,
    PV_JSON_TOKEN_TRUE,
    PV_JSON_TOKEN_INTEGER,
    PV_JSON_TOKEN_REAL,
    PV_JSON_TOKEN_STRING,
    PV_JSON_TOKEN_KEY,
    PV_JSON_TOKEN_ARRAY,
    PV_JSON_TOKEN_OBJECT,
    PV_JSON_TOKEN_CLOSE,
} PvJsonTokenType;

typedef struct {
    uint32_t type;
    uint32_t size_bytes; /* of text; of a whole number that is too large, a hash of its digits */
    union {
        int64_t integer;
        double real;
        size_t text; /* where it begins in `text`; a zero follows it */
    };
} PvJsonToken;

typedef enum {
    PV_JSON_WANTS_VALUE,
    PV_JSON_WANTS_FIRST_ELEMENT, /* or the end of the array */
    PV_JSON_WANTS_FIRST_KEY,     /* or the end of the object */
    PV_JSON_WANTS_KEY,
    PV_JSON_WANTS_COLON,
    PV_JSON_WANTS_COMMA, /* or the end of what it is in */
} PvJsonState;

/* So many are made at a time. */
#define PV_JSON_MAX_TOKENS ((size_t)32 << 10)

/* All zeros before the first piece. */
typedef struct {
    PV_ARRAY (PvJsonToken) tokens; /* the caller empties both */
    PV_ARRAY (char) text;
    PvJsonState state;
    uint32_t depth;                        /* so many arrays and objects are open */
    uint32_t dropped_depth;                /* deeper values make no tokens; 0: all do */
    bool had_token;                        /* set with any token, also with one that is dropped */
    bool is_object[PV_JSON_MAX_DEPTH + 1]; /* by depth */
} PvJsonLexer;

void pv_json_lexer_clear (PvJsonLexer *lexer);

/* Appends the tokens of these bytes, until there are PV_JSON_MAX_TOKENS. Returns how many bytes
 * were used: what is left has to come again, and with more behind it if there are fewer tokens, as
 * it is the beginning of one. ret_end becomes PV_JSON_END_OPEN, or tells why nothing more is to
 * come: _COMPLETE, _DAMAGED or _TOO_LARGE. */
size_t pv_json_lexer_take (PvJsonLexer *lexer, const char *bytes, size_t n_bytes,
                           PvJsonEnd *ret_end);
