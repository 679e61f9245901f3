/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/read/text/text.h"

typedef enum {
    BPFTRACE_NUMBER,
    BPFTRACE_STATS,     /* "count 3, average 5, total 15" */
    BPFTRACE_HISTOGRAM, /* in the lines below */
    BPFTRACE_OTHER,     /* text, or several values */
} BpftraceKind;

typedef struct {
    BpftraceKind kind;
    int64_t number;      /* the total of stats */
    int64_t count;       /* of stats */
    size_t first_bucket; /* of a histogram, among those of all */
    uint32_t n_buckets;
} BpftraceValue;

/* An entry of a map: "@NAME[KEY]: VALUE". */
typedef struct {
    PvText map; /* with the "@" */
    PvText key; /* between the brackets; at is NULL: a map without keys */
    BpftraceValue value;
    bool is_in_container; /* other lines came before it */
} BpftraceEntry;

/* Takes the next entry; adds those without an end to n_broken. False after the last one. */
bool bpftrace_next_entry (PvText *text, BpftraceEntry *ret_entry, uint64_t *n_broken);

#define BPFTRACE_MAX_ELEMENTS 16u

/* A part of a key: the lines of a stack, or something else. */
typedef struct {
    PvText text;
    bool is_stack;
} BpftraceElement;

/* Splits a key into at most BPFTRACE_MAX_ELEMENTS; returns how many. In JSON the comma between two
 * has no blank after it. */
uint32_t bpftrace_split_key (PvText key, bool is_json, BpftraceElement *elements);

/* Takes digits, perhaps after a sign. Numbers that are too large become INT64_MAX or -INT64_MAX.
 * False: there are no digits. */
bool bpftrace_take_number (PvText *text, int64_t *ret_number);

/* Parses a text that is one whole number; false if it is anything else. */
bool bpftrace_parse_number (PvText text, int64_t *ret_number);
