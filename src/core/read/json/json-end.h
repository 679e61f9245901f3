/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The limits of what is read, and why reading ends. */

/* Arrays and objects in one another. */
#define PV_JSON_MAX_DEPTH 4096u
/* One string, one number, or space between them. */
#define PV_JSON_MAX_TOKEN_BYTES (32u << 20)

typedef enum {
    PV_JSON_END_OPEN, /* it has not been reached */
    PV_JSON_END_COMPLETE,
    PV_JSON_END_TRUNCATED, /* the file ends before the value does */
    PV_JSON_END_DAMAGED,   /* not JSON from here on, or the packed file is damaged */
    PV_JSON_END_TOO_LARGE, /* one of the limits */
    PV_JSON_END_NO_MEMORY, /* the budget is spent */
    PV_JSON_END_CANCELLED,
} PvJsonEnd;
