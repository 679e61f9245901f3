/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The lines of perf script's text. Nothing here allocates; texts point into the file. */
typedef struct {
    const char *at, *end;
} ScriptText;

static inline size_t
script_left (ScriptText text)
{
    return (size_t)(text.end - text.at);
}

/* Takes the next line, without its end. False: there is none. */
bool script_next_line (ScriptText *text, ScriptText *ret_line);

bool script_begins (ScriptText text, const char *prefix);
bool script_ends (ScriptText text, const char *suffix);
bool script_equals (ScriptText text, const char *other);
ScriptText script_trim (ScriptText text);

/* "COMM [PID/]TID [CPU] SECONDS: [PERIOD] EVENT: REST" */
typedef struct {
    ScriptText who; /* as in the file: COMM and ids */
    ScriptText comm;
    int32_t pid; /* -1: not printed */
    int32_t tid;
    int32_t cpu; /* -1: not printed */
    bool has_time;
    uint64_t time_ns;
    bool has_period;
    uint64_t period;
    ScriptText event; /* empty: not printed */
    ScriptText rest;  /* a frame, or the fields of a tracepoint */
} ScriptHeader;

/* False: the line is not the first of a sample. */
bool script_parse_header (ScriptText line, ScriptHeader *ret);

/* "ADDRESS SYMBOL+0xOFFSET (MODULE)", or only a part of that */
typedef struct {
    uint64_t address;
    ScriptText symbol; /* without offset; empty: unknown */
    ScriptText module; /* without brackets and " (deleted)"; empty: not printed */
    bool is_inlined;   /* into the function of the next line */
    bool has_offset;   /* the address is that in the module's file */
} ScriptFrame;

bool script_parse_frame (ScriptText line, ScriptFrame *ret);

/* "FILE:LINE" */
bool script_parse_source (ScriptText line, ScriptText *ret_file, uint32_t *ret_line);

/* Whether the first bytes of a file look like text of perf script. */
bool script_sniff (const uint8_t *data, size_t size_bytes);
