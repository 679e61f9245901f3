/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "core/load/code-costs.h"
#include "core/model/code/source-text.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * A function's machine code as rows: its instructions, and between them the lines that they are
 * from, and the symbols that hold them where there are several. Immutable and reference counted;
 * any thread.
 */
typedef enum {
    PV_MACHINE_ROW_PLACE,
    PV_MACHINE_ROW_LINE,
    PV_MACHINE_ROW_INSTRUCTION,
} PvMachineRowKind;

/* Jumps are drawn beside the rows, in lanes: the shorter ones are nearer to the instructions. */
enum { PV_MACHINE_LANES = 8 };

typedef struct {
    uint32_t index;         /* of the part, or of the instruction; for a line: the one after it */
    uint8_t kind;           /* PvMachineRowKind */
    uint8_t lanes_above;    /* bits: jumps that pass the upper half of the row */
    uint8_t lanes_below;    /* the same of the lower half */
    uint8_t lanes_of_loops; /* bits: these jump back */
    uint8_t lanes_here;     /* bits: jumps that begin or end here */
    uint8_t lane_count;
    bool is_target;
} PvMachineRow;

typedef struct {
    int ref_count;      /* atomic */
    PvProfile *profile; /* references */
    PvSymbolTable *symbols;
    PvModuleFiles *files;
    PvCodeCosts *costs; /* NULL: there is no code */
    char *problem;      /* why; or NULL */
    char *label;        /* of the function */
    PvUnit unit;
    uint64_t whole;
    const char *skid;    /* why costs may be at a neighbour, translated; or NULL */
    GHashTable *sources; /* recorded path -> PvSourceFile; NULL: not found */
    uint32_t n_rows;
    PvMachineRow *rows;
    uint32_t *row_of_instruction;
    uint32_t *by_self; /* rows of instructions with cost, the highest first */
    uint32_t n_with_cost;
} PvMachineRows;

typedef struct {
    PvProfile *profile; /* references */
    PvSymbolTable *symbols;
    PvQuery query;
    PvFunctionId function;
    PvSymbolOptions options; /* a copy */
} PvMachineInput;

void pv_machine_input_free (gpointer input);
/* Blocking. NULL when cancelled, or with an error if an expression of the query is not valid; code
 * that is not found is a result with a problem. */
gpointer pv_machine_rows_build (gpointer input, PvJob *job, GError **error);
PvMachineRows *pv_machine_rows_ref (PvMachineRows *rows);
void pv_machine_rows_unref (gpointer rows);

/* NULL for rows of other kinds. */
const PvInstruction *pv_machine_rows_get_instruction (const PvMachineRows *rows, uint32_t row);
/* The line that the row's code is from; NULL: unknown. */
const PvInstructionFrame *pv_machine_rows_get_line (const PvMachineRows *rows, uint32_t row);
/* What stands in the row: "cmpq %rdx, %rdi", "work.c:12  x += y;". g_free () it. */
char *pv_machine_rows_format (const PvMachineRows *rows, uint32_t row);
/* Where its jump or call leads: "malloc", "0x12a0"; NULL: nowhere. g_free () it. */
char *pv_machine_rows_format_target (const PvMachineRows *rows, uint32_t row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMachineRows, pv_machine_rows_unref)
