/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/read/text/text.h"

/* "COMM [PID/]TID [CPU] SECONDS: [PERIOD] EVENT: REST" */
typedef struct {
    PvText comm;
    int32_t pid; /* -1: not printed */
    int32_t tid;
    int32_t cpu; /* -1: not printed */
    bool has_time;
    uint64_t time_ns;
    bool has_period;
    uint64_t period;
    PvText event; /* empty: not printed */
    PvText rest;  /* a frame, or the fields of a tracepoint */
} ScriptHeader;

/* False: the line is not the first of a sample. */
bool script_parse_header (PvText line, ScriptHeader *ret);

/* "ADDRESS SYMBOL+0xOFFSET (MODULE)", or only a part of that */
typedef struct {
    uint64_t address;
    PvText symbol;   /* without offset; empty: unknown */
    PvText module;   /* without brackets and " (deleted)"; empty: not printed */
    bool is_inlined; /* into the function of the next line */
    bool has_offset; /* the address is that in the module's file */
} ScriptFrame;

bool script_parse_frame (PvText line, ScriptFrame *ret);

/* "FILE:LINE" */
bool script_parse_source (PvText line, PvText *ret_file, uint32_t *ret_line);

/* True if the first bytes of a file look like text of perf script. */
bool script_sniff (const uint8_t *data, size_t size_bytes);
