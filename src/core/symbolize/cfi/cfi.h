/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/cursor.h"

/*
 * Call frame information of one section, .eh_frame or .debug_frame: entries whose programs say, for
 * each address, how to find the caller's registers. The bytes are untrusted. Any thread may read
 * one section; the structures below belong to the thread that fills them.
 */

/* Properties of a processor that CFI depends on. Registers have their DWARF numbers. */
typedef struct {
    uint16_t machine;    /* EM_* */
    uint8_t word_size;   /* bytes of an address */
    uint8_t n_registers; /* tracked: 0 .. n_registers - 1 */
    uint8_t sp;
    uint8_t fp;
    uint8_t ra;             /* the column of the return address */
    bool has_link_register; /* a call leaves the return address in ra, not on the stack */
} PvCfiArch;

#define PV_CFI_MAX_REGISTERS 33

/* NULL: unsupported machine. */
const PvCfiArch *pv_cfi_arch_find (uint16_t machine);

typedef struct {
    const uint8_t *data;
    size_t size_bytes;
    uint64_t link_addr; /* of data; pointers may be relative to their own address */
    uint64_t data_addr; /* base of DW_EH_PE_datarel; 0 if unknown */
    bool is_debug_frame;
} PvCfiSection;

typedef enum {
    PV_CFI_SAME,
    PV_CFI_UNDEFINED,
    PV_CFI_OFFSET,         /* saved at CFA + value */
    PV_CFI_VAL_OFFSET,     /* is CFA + value */
    PV_CFI_REGISTER,       /* is in register `value` */
    PV_CFI_EXPRESSION,     /* saved at the address that the expression yields */
    PV_CFI_VAL_EXPRESSION, /* is the value that the expression yields */
} PvCfiRuleKind;

typedef struct {
    int64_t value;       /* of expressions: offset of their first byte in the section */
    uint32_t size_bytes; /* of expressions */
    uint8_t kind;
} PvCfiRule;

/* The rules at one address. The CFA's rule is REGISTER (cfa_register plus value), VAL_EXPRESSION,
 * or UNDEFINED until the program sets it. */
typedef struct {
    PvCfiRule cfa;
    uint64_t cfa_register;
    PvCfiRule registers[PV_CFI_MAX_REGISTERS];
} PvCfiRow;

typedef struct {
    size_t offset; /* in the section; SIZE_MAX: not read yet */
    uint64_t code_align;
    int64_t data_align;
    uint8_t fde_encoding; /* DW_EH_PE_* */
    bool has_augmentation_data;
    bool is_signal;
    bool is_usable;
    PvCfiRow initial;
} PvCfiCie;

/* Parsed CIEs: FDEs that share a CIE parse it only once. */
#define PV_CFI_CIE_SLOTS 8
typedef struct {
    PvCfiCie slots[PV_CFI_CIE_SLOTS];
} PvCfiCieCache;

void pv_cfi_cie_cache_init (PvCfiCieCache *cache);

/* One entry of the section, unparsed. */
typedef struct {
    size_t offset; /* of the entry */
    size_t body;   /* of the bytes after the id */
    size_t next;   /* of the following entry */
    size_t cie;    /* FDE: offset of its CIE */
    bool is_cie;
    bool is_64bit;
} PvCfiEntry;

/* Reads the entry at *offset and advances *offset; false at the end or if a length is invalid. */
bool pv_cfi_next_entry (const PvCfiSection *section, size_t *offset, PvCfiEntry *ret_entry);

typedef struct {
    const PvCfiCie *cie; /* in the cache, valid until its next use */
    uint64_t start;      /* link addresses */
    uint64_t end;
    PvCursor program;
} PvCfiFde;

bool pv_cfi_read_fde (const PvCfiSection *section, const PvCfiArch *arch, const PvCfiEntry *entry,
                      PvCfiCieCache *cache, PvCfiFde *ret_fde);

/* Runs an FDE's program row by row. */
#define PV_CFI_MAX_SAVED 16
typedef struct {
    const PvCfiSection *section;
    const PvCfiArch *arch;
    const PvCfiCie *cie;
    PvCursor cursor;
    uint64_t location;
    uint64_t end;
    bool failed; /* unknown or malformed instruction: no rules from location on */
    unsigned n_saved;
    PvCfiRow row;
    PvCfiRow saved[PV_CFI_MAX_SAVED];
} PvCfiProgram;

void pv_cfi_program_start (PvCfiProgram *program, const PvCfiSection *section,
                           const PvCfiArch *arch, const PvCfiFde *fde);

/* Moves to the next range of addresses; program->row then holds for [*ret_start, *ret_end). False
 * at the end. */
bool pv_cfi_program_next (PvCfiProgram *program, uint64_t *ret_start, uint64_t *ret_end);
