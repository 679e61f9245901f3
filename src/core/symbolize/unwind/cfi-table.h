/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/elf/elf-image.h"
#include "core/symbolize/cfi/cfi.h"
#include "core/symbolize/go/go-pclntab.h"

/*
 * A module's unwind rules as one sorted array of 8-byte rows, built once from all of its call frame
 * information and, for Go functions, from Go's own table. A row applies from its pc to the next
 * row's:
 *
 *     pc     u32  link address - base
 *     cfa    u16  kind:2 | offset in words:14
 *     frame  i16  where the caller's registers are (see below)
 *
 * CFA kinds: SP or FP plus the offset; FULL: a rare rule, found by running the FDE's program again
 * (pv_cfi_table_find_rules); OTHER: none of these; the offset is a PvUnwindOther.
 *
 * frame, if calls push the return address: the return address is in the word below the CFA, the
 * caller's frame pointer at CFA + frame words; 0: unchanged.
 * frame, with a link register: shape:2 | n:14, see PvUnwindShape.
 */
typedef enum {
    PV_UNWIND_SP,
    PV_UNWIND_FP,
    PV_UNWIND_FULL,
    PV_UNWIND_OTHER,
} PvUnwindKind;

typedef enum {
    PV_UNWIND_NONE, /* no FDE covers these addresses */
    PV_UNWIND_ROOT, /* the return address is undefined: nothing called this */
    PV_UNWIND_AWAY, /* on a different stack than the caller's */
} PvUnwindOther;

typedef enum {
    PV_UNWIND_LEAF,       /* return address in the link register, frame pointer unchanged */
    PV_UNWIND_RECORD,     /* frame pointer at CFA - n words, return address in the word after it */
    PV_UNWIND_LINK,       /* return address at CFA - n words, frame pointer unchanged */
    PV_UNWIND_LINK_BELOW, /* frame pointer at CFA - n words, return address in the word before it */
} PvUnwindShape;

typedef struct {
    uint32_t pc;
    uint16_t cfa;
    int16_t frame;
} PvUnwindRow;

static inline PvUnwindKind
pv_unwind_row_kind (const PvUnwindRow *row)
{
    return (PvUnwindKind)(row->cfa & 3);
}

/* Immutable; any thread. */
typedef struct PvCfiTable PvCfiTable;

/* Built from call frame information and Go's table; where they overlap, Go's table wins, then the
 * first section. go may be NULL, and then binary, too; takes ownership of go. Image and sections
 * must outlive the table. Leaves out addresses outside [start, end) and those 4 GiB or more above
 * the lowest. Never NULL. Costs about 40 ns per row. */
PvCfiTable *pv_cfi_table_new (const PvCfiArch *arch, PvElfImage *binary, PvGoTable *go,
                              const PvCfiSection *sections, unsigned n_sections, uint64_t start,
                              uint64_t end);

/* Built from Go's table, .eh_frame and .debug_frame of binary, and .debug_frame of debug, which may
 * be NULL. NULL if its processor is not supported. The images must outlive the table. */
PvCfiTable *pv_cfi_table_new_for_image (PvElfImage *binary, PvElfImage *debug);

void pv_cfi_table_free (PvCfiTable *table);

const PvCfiArch *pv_cfi_table_get_arch (const PvCfiTable *table);

/* The row that applies at link_addr; never NULL. */
const PvUnwindRow *pv_cfi_table_find (const PvCfiTable *table, uint64_t link_addr);

/* All rows in order, the first with pc 0. pc is relative to *ret_base. */
size_t pv_cfi_table_get_rows (const PvCfiTable *table, const PvUnwindRow **ret_rows,
                              uint64_t *ret_base);

/* The function that covers link_addr, according to call frame information. */
bool pv_cfi_table_find_function (const PvCfiTable *table, uint64_t link_addr, uint64_t *ret_start,
                                 uint64_t *ret_end);

/* The full rules at one address. */
typedef struct {
    const PvCfiSection *section; /* contains the bytes of expressions */
    bool is_signal;              /* a signal trampoline: the caller was interrupted */
    bool may_switch_stack;       /* may be on a different stack than the caller's */
    PvCfiRow row;
} PvCfiRules;

/* Runs the FDE's program up to link_addr; false if no FDE covers it or the program is invalid
 * there. */
bool pv_cfi_table_find_rules (const PvCfiTable *table, uint64_t link_addr, PvCfiRules *ret_rules);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCfiTable, pv_cfi_table_free)
