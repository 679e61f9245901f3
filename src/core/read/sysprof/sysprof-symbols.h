/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/read/sysprof/sysprof-frames.h"

/*
 * The names that a capture has itself: its table of symbols, which the recorder makes at the end,
 * names of code that was compiled at run time, and the symbols of the kernel. One thread at a time;
 * names stay as long as the capture and the symbols.
 */

typedef struct {
    uint64_t begin, end; /* both are part of it */
    int32_t pid;
    PvText name;
    PvText tag; /* the binary; may be "" */
} SysprofSymbol;

typedef struct {
    uint64_t address;
    PvText name;
    PvText module; /* of the kernel; "": the kernel itself */
} SysprofKernelSymbol;

typedef struct {
    int32_t pid;
    PvText name;
} SysprofJitCode;

typedef struct {
    PV_ARRAY (SysprofSymbol) symbols; /* sorted by pid, then by begin */
    PV_ARRAY (SysprofKernelSymbol) kernel;
    PV_ARRAY (SysprofJitCode) jit;
    PvHashMap jit_of_process; /* by process and address: row of jit + 1 */
    PvIdMap jit_of_address;
    PV_ARRAY (uint8_t *) texts; /* names point into these */
    uint64_t text_bytes;
    bool is_damaged; /* some symbols are missing */
} SysprofSymbols;

void sysprof_symbols_clear (SysprofSymbols *symbols);
uint64_t sysprof_symbols_count_bytes (const SysprofSymbols *symbols);

/* Each takes the bytes, from g_malloc (). */
void sysprof_symbols_add_table (SysprofSymbols *symbols, uint8_t *data, size_t size_bytes,
                                bool swap);
void sysprof_symbols_add_kallsyms (SysprofSymbols *symbols, uint8_t *data, size_t size_bytes);
void sysprof_symbols_add_jit (SysprofSymbols *symbols, const SysprofFrame *frame);
/* After the last one, before names are looked up. */
void sysprof_symbols_sort (SysprofSymbols *symbols);

/* True if an address may stand for a name, where no code is: as written by a 64-bit or a 32-bit
 * program. */
static inline bool
sysprof_is_jit_address (uint64_t address)
{
    return address >> 32 == 0xe0000000u || address >> 28 == 0xeu;
}

/* NULL: none. */
const SysprofSymbol *sysprof_symbols_find (const SysprofSymbols *symbols, int32_t pid,
                                           uint64_t address);
const SysprofKernelSymbol *sysprof_symbols_find_kernel (const SysprofSymbols *symbols,
                                                        uint64_t address);
/* The one of the process, or else of any. */
const SysprofJitCode *sysprof_symbols_find_jit (SysprofSymbols *symbols, int32_t pid,
                                                uint64_t address);
