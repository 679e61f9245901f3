/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/read/text/text.h"

/* "ADDRESS SYMBOL+0xOFFSET (MODULE)", or only a part of that */
typedef struct {
    uint64_t address;
    PvText symbol;   /* without offset; empty: unknown */
    PvText module;   /* without brackets and " (deleted)"; empty: not printed */
    bool is_inlined; /* into the function of the next line */
    bool has_offset; /* the address is that in the module's file */
    bool is_alone;   /* only the address was printed */
} ScriptFrame;

bool script_parse_frame (PvText line, ScriptFrame *ret);

/* True for a line that is a frame and hardly anything else: its address is in a column of 16
 * characters as perf prints it, or it names a module, or says that it is inlined. */
bool script_is_usual_frame (PvText line);

/* Finds the frame in a line that begins with other fields, without what is behind it. fields
 * begins at a colon's right or at the line's start, with the blanks there, as columns tell. False:
 * none. */
bool script_find_frame (PvText fields, PvText *ret_frame);

/* "FILE:LINE", the place of the frame before. *ret_file is empty where perf does not know it. */
bool script_parse_source (PvText line, PvText *ret_file, uint32_t *ret_line);

/* True for a line with fields that perf prints behind the frames of a sample: instructions,
 * registers, branches, lines of source code. */
bool script_is_trailer (PvText line);
