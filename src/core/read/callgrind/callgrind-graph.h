/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/intern.h"
#include "core/read/callgrind/callgrind-events.h"
#include "core/read/callgrind/callgrind-lines.h"
#include "core/read/edges/call-edges.h"
#include "core/read/unpack/reader.h"

/* A function is an object file, a source file and a name together. 0: unknown. */
typedef struct {
    PvStringId object, file, name;
} CallgrindFunction;

/* Contents of a file. Its parts, which are those of one program in time or by thread, are added up.
 * One thread at a time. */
typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PvCallGraph graph; /* files of its places are ids of names */
    CallgrindEvents *events;
    PvInterner *names;
    PV_ARRAY (CallgrindFunction) functions;
    PV_ARRAY (const char *) descriptions; /* kept by the builder */
    const char *command, *creator;
    uint64_t n_bad_lines;
    uint64_t n_parts;
    bool has_summary;
    int64_t summary;    /* of the first event, as the file has it */
    int64_t sum;        /* the same, added up */
    bool has_positions; /* of callgrind; cachegrind has none */
    bool is_out_of_memory;
} CallgrindGraph;

/* Reads everything. The graph is not sealed. */
void callgrind_graph_read (CallgrindGraph *file, PvText text);
void callgrind_graph_clear (CallgrindGraph *file);
