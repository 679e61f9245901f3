/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/build/builder.h"
#include "core/read/json/json.h"

/* A node of a tree of calls. Strings are the builder's. */
typedef struct {
    uint64_t id;         /* pv_json_get_id (); 0: not given */
    uint64_t parent;     /* id; 0: not given */
    uint32_t parent_row; /* the row of the node that this one is in, + 1; 0: in none */
    const char *name, *url;
    int64_t line, column; /* from 1 on; 0: unknown */
    int64_t n_hits;
    uint64_t self_bytes;
} V8Node;

/* A node that says which are below it. */
typedef struct {
    uint64_t parent, child;
} V8Link;

/* A sample of a trace, which has a weight in place of the time to the next one. */
typedef struct {
    int64_t pid, tid;
    double ts; /* microseconds */
    double weight;
    uint64_t node;    /* id */
    const char *name; /* of the event; the builder's */
} V8Counted;

/* A profile, or the part of one that an event of a trace brings. Initialise with zeros. */
typedef struct {
    PV_ARRAY (V8Node) nodes;
    PV_ARRAY (V8Link) links;
    PvIdColumn samples; /* ids of nodes */
    PV_ARRAY (V8Counted) counted;
    PvNumberColumn deltas;     /* microseconds */
    PvNumberColumn timestamps; /* microseconds */
    double start, end;         /* microseconds; NAN: unknown */
    bool has_sizes;            /* a profile of a heap */
    bool has_hits;
    bool is_old; /* times are in seconds, lines begin with 1 */
} V8Data;

void v8_data_init (V8Data *data);
void v8_data_clear (V8Data *data);
/* True if nothing was read. */
bool v8_data_is_empty (const V8Data *data);

/* The keys of a profile, in any of its layouts; the row is a V8Data, which is the user, too. JSON
 * must keep strings. */
extern const PvJsonField v8_data_fields[];
