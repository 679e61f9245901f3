/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/work/work.h"
#include "core/load/code/code-sides.h"
#include "core/model/code/source-text.h"
#include "core/symbolize/files/symbol-options.h"

/*
 * A function's machine code as rows: its instructions, and between them their source lines, and
 * their symbols if there are several. In a comparison of two builds, the base's own code is below.
 * Immutable and reference counted; any thread.
 */
typedef enum {
    PV_MACHINE_ROW_BASE, /* the base's own code is below */
    PV_MACHINE_ROW_PLACE,
    PV_MACHINE_ROW_LINE,
    PV_MACHINE_ROW_INSTRUCTION,
} PvMachineRowKind;

/* Jumps are drawn beside the rows, in lanes: the shorter ones are nearer to the instructions. */
enum { PV_MACHINE_LANES = 8 };

typedef struct {
    uint32_t index;         /* of the part or instruction; for a line: the next instruction */
    bool is_base;           /* of the base's own code */
    uint8_t kind;           /* PvMachineRowKind */
    uint8_t lanes_above;    /* bits: jumps that pass the upper half of the row */
    uint8_t lanes_below;    /* the same for the lower half */
    uint8_t lanes_of_loops; /* bits: these jump back */
    uint8_t lanes_here;     /* bits: jumps that begin or end here */
    uint8_t lane_count;
    bool is_target;
} PvMachineRow;

typedef struct {
    int ref_count;      /* atomic */
    PvProfile *profile; /* references */
    PvSymbolTable *symbols;
    const PvCodeCosts *costs; /* those shown; NULL: no code */
    const PvCodeCosts *base;  /* of the base's own code, shown below; NULL: all is beside */
    PvCodeCosts *own_costs;   /* owns `costs` for a measure without sides; else NULL */
    PvCodeSides *sides;       /* owns `costs` and `base` for one with sides; else NULL */
    bool is_compared;         /* the sides are those of two profiles */
    char *problem;            /* why there is no code; or NULL */
    char *label;              /* of the function */
    PvUnit unit;
    uint64_t whole;
    const char *skid;    /* why costs may be at a neighbour, translated; or NULL */
    GHashTable *sources; /* recorded path -> PvSourceFile; NULL: not found */
    uint32_t n_rows;
    PvMachineRow *rows;
    uint32_t *row_of_instruction; /* those of base last; UINT32_MAX: not shown */
    uint32_t *by_self; /* rows of instructions with cost; highest cost or largest change first */
    uint32_t *by_total;
    uint32_t n_with_cost;
    GHashTable *group_of_line; /* source line -> group of its rows; group 0: the others */
    uint32_t *first_of_group;  /* index in row_of_group; one more at the end */
    uint32_t *row_of_group;
} PvMachineRows;

typedef struct {
    PvCallTree *tree; /* a reference: its profile, symbols and query */
    PvFunctionId function;
    PvSymbolOptions options; /* a copy */
    PvCodeFiles *files;      /* a reference: of this profile, with these options */
} PvMachineInput;

void pv_machine_input_free (gpointer input);
/* Blocking. NULL when cancelled, or with an error if an expression of the query is not valid; code
 * that is not found is a result with a problem. */
gpointer pv_machine_rows_build (gpointer input, PvJob *job, GError **error);
void pv_machine_rows_unref (gpointer rows);

/* Code that has the row. */
const PvMachineCode *pv_machine_rows_get_code (const PvMachineRows *rows, uint32_t row);
/* Row that the row's jump leads to; UINT32_MAX: none of the function. */
uint32_t pv_machine_rows_get_target (const PvMachineRows *rows, uint32_t row);

/* Costs of an instruction by side; without sides, the first one has everything. */
typedef struct {
    uint64_t self[PV_N_SIDES];
    uint64_t total[PV_N_SIDES];
} PvMachineAmounts;

/* row: of an instruction. */
PvMachineAmounts pv_machine_rows_get_amounts (const PvMachineRows *rows, uint32_t row);
/* Net amount: new less base; without sides, the first amount. */
int64_t pv_machine_rows_get_net (const PvMachineRows *rows, const uint64_t amounts[PV_N_SIDES]);

/* The row's instruction; NULL for rows of other kinds. */
const PvInstruction *pv_machine_rows_get_instruction (const PvMachineRows *rows, uint32_t row);
/* The line that the row's code is from; NULL: unknown. */
const PvInstructionFrame *pv_machine_rows_get_line (const PvMachineRows *rows, uint32_t row);
/* The rows of a line, and of the instructions that are from it, in order; borrowed. */
const uint32_t *pv_machine_rows_find_line (const PvMachineRows *rows, const char *file,
                                           uint32_t line, uint32_t *ret_n_rows);
/* Text of the row: "cmpq %rdx, %rdi", "work.c:12  x += y;", without operands that only repeat the
 * target. g_free () it. */
char *pv_machine_rows_format (const PvMachineRows *rows, uint32_t row);
/* Target of the row's jump or call: "malloc", "0x12a0"; NULL: none. g_free () it. */
char *pv_machine_rows_format_target (const PvMachineRows *rows, uint32_t row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvMachineRows, pv_machine_rows_unref)
