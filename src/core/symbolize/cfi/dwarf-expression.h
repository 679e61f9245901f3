/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Evaluates the DWARF expressions that occur in call frame information (DWARF 5, sections 2.5 and
 * 6.4.2). The bytes are untrusted: steps and stack are bounded.
 */
#define PV_EXPRESSION_MAX_STACK 64
#define PV_EXPRESSION_MAX_STEPS 1024

typedef enum {
    PV_EXPRESSION_OK,
    PV_EXPRESSION_BAD,         /* malformed, or an operation that is not allowed here */
    PV_EXPRESSION_NO_REGISTER, /* needs a register whose value is unknown */
    PV_EXPRESSION_NO_MEMORY,   /* a memory read failed */
} PvExpressionStatus;

/* Reads size_bytes (1, 2, 4 or 8) at a run-time address, zero-extended. */
typedef bool (*PvReadMemoryFunc) (void *user, uint64_t addr, unsigned size_bytes,
                                  uint64_t *ret_value);

typedef struct {
    const uint64_t *registers; /* by DWARF number */
    uint64_t valid;            /* bit n: registers[n] is known */
    unsigned n_registers;      /* at most 64 */
    uint8_t address_size;      /* 4 or 8 */
    PvReadMemoryFunc read_memory;
    void *user;
} PvExpressionMachine;

/* Pushes *initial first if it is not NULL (the CFA, for register rules). Any thread. */
PvExpressionStatus pv_dwarf_expression_evaluate (const PvExpressionMachine *machine,
                                                 const uint8_t *bytes, size_t size_bytes,
                                                 const uint64_t *initial, uint64_t *ret_value);
