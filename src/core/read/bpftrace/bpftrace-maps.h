/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/read/bpftrace/bpftrace-buckets.h"
#include "core/read/bpftrace/bpftrace-frames.h"
#include "core/read/bpftrace/bpftrace-text.h"

/* More maps than anybody looks at are not shown. */
#define BPFTRACE_MAX_MAPS 64u

/* Meaning of a part of a map's keys, guessed: keys have no names in the output. */
typedef enum {
    BPFTRACE_LABEL,
    BPFTRACE_STACK,
    BPFTRACE_COMM,
    BPFTRACE_PID,
    BPFTRACE_TID,
} BpftraceRole;

typedef struct {
    BpftraceRole role;
    BpftraceSide side; /* of stacks */
    uint64_t n_stacks, n_numbers, n_texts;
    uint64_t n_of_side[BPFTRACE_USER + 1];
    int64_t min, max; /* of the numbers */
    size_t max_len;   /* of the texts */
} BpftraceKeyPart;

typedef struct {
    PvText name;       /* with the "@" */
    uint32_t n_prints; /* a script may print a map several times */
    int64_t last_number;
    uint64_t n_entries, n_weights, n_of_kind[BPFTRACE_OTHER + 1], n_negative;
    uint32_t n_parts;
    BpftraceKeyPart parts[BPFTRACE_MAX_ELEMENTS];
} BpftraceMap;

/* An entry that has something to show. */
typedef struct {
    PvText key; /* at is NULL: the map has no keys */
    BpftraceValue value;
    uint32_t map, print;
} BpftraceCounted;

/* All entries of a file. Initialise with zeros. Texts are the caller's. */
typedef struct {
    PV_ARRAY (BpftraceMap) maps;
    PV_ARRAY (BpftraceCounted) entries;
    BpftraceBuckets buckets; /* of all histograms */
    PvHashMap map_ids;       /* from 1 on */
    PvHashMap keys;          /* of the prints so far, by map and print */
    uint32_t last_map;       /* of the last entry */
    bool is_json;
    bool has_more_maps;
} BpftraceMaps;

void bpftrace_maps_clear (BpftraceMaps *self);
void bpftrace_maps_add (BpftraceMaps *self, const BpftraceEntry *entry);
/* JSON prints a map as a whole. */
void bpftrace_maps_begin_print (BpftraceMaps *self, PvText name);
/* After the last entry: finds out the roles of the parts of keys. */
void bpftrace_maps_judge (BpftraceMaps *self);
/* True if a map has stacks with weights; other maps, and histograms by stack, are distributions. */
bool bpftrace_map_has_weights (const BpftraceMap *map);
/* True if an entry is the weight of a stack. */
bool bpftrace_maps_is_weight (const BpftraceMaps *self, const BpftraceCounted *entry);
uint64_t bpftrace_maps_count_bytes (const BpftraceMaps *self);
