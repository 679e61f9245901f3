/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/job.h"
#include "core/symbolize/machine/code-places.h"
#include "core/symbolize/machine/decoder.h"

/*
 * The instructions of a function's places, with their lines, the calls inlined there, and the names
 * of what they call. Immutable once made; any thread.
 */

/* The function of a source line, and where it calls the next inner one. */
typedef struct {
    const char *function; /* demangled, without parameters; NULL: unknown */
    const char *file;     /* NULL: unknown */
    uint32_t line;        /* 0: unknown */
} PvInstructionFrame;

/* Innermost frame first; all but the last are inlined. Instructions that follow one another share
 * it. */
typedef struct {
    const PvInstructionFrame *frames;
    uint32_t n_frames;
} PvInstructionLines;

typedef struct {
    const char *name;      /* demangled, without parameters; NULL: unknown */
    uint64_t addr;         /* link address */
    uint64_t offset;       /* from the beginning of the function */
    PvFunctionId function; /* of the profile; 0: it has no samples there */
} PvCallee;

typedef struct {
    uint32_t place; /* in PvCodePlaces */
    uint32_t first; /* instruction */
    uint32_t n_instructions;
    const char *problem; /* why it has no instructions, translated; or NULL */
} PvCodePart;

typedef struct {
    uint32_t n_parts;
    PvCodePart *parts;
    uint32_t n_instructions;
    PvInstruction *instructions; /* of a part by address */
    uint32_t n_lines;
    const PvInstructionLines *lines; /* row 0: unknown */
    uint32_t n_callees;
    const PvCallee *callees; /* row 0: none */
    bool has_lines;          /* debug information was found */
    PvElfImage *binary;      /* holds the bytes */
    PvArena *arena;
} PvMachineCode;

/* Decodes some of the places, in this order. NULL with a PV_READ_ERROR (UNSUPPORTED: instructions
 * of a machine that is not known) or PV_JOB_ERROR. For a worker thread. */
PvMachineCode *pv_machine_code_build (const PvCodePlaces *places, const uint32_t *chosen,
                                      uint32_t n_chosen, const PvSymbolTable *symbols, PvJob *job,
                                      GError **error);
void pv_machine_code_free (PvMachineCode *code);

/* The instruction of a part that holds the link address, plus 1; 0: none. */
uint32_t pv_machine_code_find (const PvMachineCode *code, const PvCodePart *part,
                               uint64_t link_addr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMachineCode, pv_machine_code_free)
