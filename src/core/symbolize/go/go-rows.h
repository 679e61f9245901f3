/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/symbolize/cfi/cfi.h"
#include "core/symbolize/go/go-pclntab.h"

/*
 * Unwind rules of Go functions, made from the frame sizes in Go's own table, which survives
 * stripping. Rows come in order and without gaps, from the function's start to where the table
 * ends.
 */
typedef enum {
    PV_GO_ROW_PLAIN,
    PV_GO_ROW_ROOT,        /* nothing called this */
    PV_GO_ROW_INTERRUPTED, /* the runtime faked a call at an interrupted instruction */
    /* The stack pointer was set to another stack. row has the rules if a register holds the old
     * value, else the CFA's rule is UNDEFINED. */
    PV_GO_ROW_SWITCHED,
} PvGoRowKind;

/* An instruction that moves the stack pointer in a way the frame size does not show. */
typedef struct {
    uint32_t offset; /* of the end of the instruction, from the function's start */
    uint8_t kind;
    uint8_t number; /* of a register, as in DWARF */
} PvGoEvent;

#define PV_GO_MAX_EVENTS 16

typedef struct {
    const PvCfiArch *arch;
    PvElfImage *binary;
    PvGoFunction function;
    PvGoFrameSizes sizes;
    uint64_t location;
    uint64_t size_end; /* end of the range where size_bytes applies */
    int64_t size_bytes;
    PvGoRowKind function_kind;
    PvGoEvent events[PV_GO_MAX_EVENTS]; /* in order */
    unsigned n_events;
    unsigned next_event;
    bool is_frame_saved; /* the caller's frame pointer is on the stack */
    bool is_frame_known; /* whether and where the frame pointer is saved is known */
    bool is_switched;
    bool is_copied; /* register `copy` also holds the stack pointer's value */
    uint8_t copy;
    int64_t copy_size_bytes; /* the frame's size at the copy */
} PvGoRows;

typedef struct {
    uint64_t start; /* link addresses */
    uint64_t end;
    PvGoRowKind kind;
    PvCfiRow row;
} PvGoRow;

/* The image and the table must outlive the rows. */
void pv_go_rows_start (PvGoRows *rows, const PvCfiArch *arch, PvElfImage *binary,
                       const PvGoTable *table, const PvGoFunction *function);

bool pv_go_rows_next (PvGoRows *rows, PvGoRow *ret_row);
