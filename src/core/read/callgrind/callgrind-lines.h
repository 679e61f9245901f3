/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/read/text/text.h"

/* A number of a line of costs, by what may be before it. */
typedef enum {
    CALLGRIND_ABSOLUTE, /* "16", "0x10" */
    CALLGRIND_PLUS,     /* "+3" */
    CALLGRIND_MINUS,    /* "-3" */
    CALLGRIND_SAME,     /* "*" */
} CallgrindForm;

/* Takes a number and the blanks after it, without decimals. Amounts too large for an int64_t become
 * the largest. False: the text does not begin with a number. */
bool callgrind_take_number (PvText *text, CallgrindForm *ret_form, uint64_t *ret);

/* "(ID) NAME", "(ID)" or "NAME" */
typedef struct {
    bool has_id;
    uint64_t id;
    PvText name; /* empty: defined before */
} CallgrindName;

CallgrindName callgrind_parse_name (PvText text);

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
    CALLGRIND_TOTAL, /* of php-memprof */
    CALLGRIND_N_KEYS,
} CallgrindKey;

/* Takes a key and the blanks after it. CALLGRIND_N_KEYS: the text does not begin with a key. */
CallgrindKey callgrind_take_key (PvText *text);

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

CallgrindSpec callgrind_take_spec (PvText *text);

/* True for a line that begins another file, as Xdebug writes it where it appends to one. */
bool callgrind_is_new_file (PvText line);

/* True if the first bytes of a file look like callgrind's or cachegrind's. */
bool callgrind_sniff (const uint8_t *data, size_t size_bytes);
/* The same for data that begins with what writers of such files begin with. */
bool callgrind_sniff_all (const uint8_t *data, size_t size_bytes);
