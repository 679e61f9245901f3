/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/read/text/text.h"

#define FOLDED_BILLION 1000000000u

/* A number with an optional fraction, which is in billionths. */
typedef struct {
    uint64_t whole;
    uint32_t billionths;
    bool is_negative; /* a difference */
} FoldedNumber;

typedef struct {
    PvText stack; /* without blanks at its ends */
    FoldedNumber last;
    bool has_before; /* the word before the last number is one too, neither is negative ... */
    FoldedNumber before;
    const char *stack_end_before; /* ... and the stack would end here */
} FoldedLine;

/* True if a line is neither a stack nor a mistake: empty, or a remark. */
bool folded_is_remark (PvText line);
/* False: the line is not a stack and a number. */
bool folded_parse_line (PvText line, FoldedLine *ret);

/* Finds the numbers at the end of "NAME-PID" or "NAME-PID/TID", with "?" for a PID that is not
 * known. False: the frame is not a thread. */
bool folded_parse_thread (PvText frame, PvText *ret_name, int32_t *ret_pid, int32_t *ret_tid);

/* True if the first bytes of a file look like folded stacks. */
bool folded_sniff (const uint8_t *data, size_t size_bytes);
/* True if all of them are stacks, of one frame perhaps: enough where the name of the file says that
 * it has some. */
bool folded_sniff_named (const uint8_t *data, size_t size_bytes);
/* True if they are nothing but stacks of several frames. */
bool folded_sniff_all (const uint8_t *data, size_t size_bytes);
