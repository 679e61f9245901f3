/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/read/text/text.h"

/* "COMM [PID/]TID [CPU] MISC DATE SECONDS: PERIOD EVENT: REST", of which most may be missing */
typedef struct {
    PvText task; /* as in the file: COMM and ids */
    PvText comm;
    int32_t pid;    /* -1: not printed */
    int32_t tid;    /* -1: not printed */
    int32_t cpu;    /* -1: not printed */
    bool has_time;  /* of either kind */
    bool has_clock; /* that with SECONDS */
    uint64_t time_ns;
    bool has_period;
    uint64_t period;
    PvText event; /* empty: not printed */
    PvText rest;  /* a frame, or the fields of a tracepoint, with the blanks before them */
} ScriptHeader;

/* False: the line is not the first of a sample; that names a thread, and has a time or ends with an
 * event. */
bool script_parse_header (PvText line, ScriptHeader *ret);
/* The fields of a line that is known to be a header. */
void script_parse_some_header (PvText line, ScriptHeader *ret);

/* How a text has its samples. */
typedef struct {
    bool has_headers;      /* those of script_parse_header () */
    bool has_some_headers; /* not all are those of script_parse_header () */
    bool has_no_headers;   /* frames alone */
    bool has_gaps;         /* empty lines between samples: their frames have lines of their own */
} ScriptLayout;

/* Looks at the first lines. False: they do not look like text of perf script. is_whole: the text
 * does not end within a line. */
bool script_find_layout (PvText text, bool is_whole, ScriptLayout *ret);

/* Something that stopped perf from decoding a hardware trace; between samples. */
typedef struct {
    uint64_t time_ns; /* 0: not printed */
    PvText message;
} ScriptError;

bool script_parse_error (PvText line, ScriptError *ret);

/* True for a record that is not a sample (perf script --show-task-events and the like). */
bool script_is_record (PvText line);

/* True if the first bytes of a file look like text of perf script. */
bool script_sniff (const uint8_t *data, size_t size_bytes);
/* The same behind lines of something else, which may end with a number as well: there is a usual
 * header. */
bool script_sniff_after_lines (const uint8_t *data, size_t size_bytes);
