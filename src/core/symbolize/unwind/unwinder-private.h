/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <string.h>

#include "core/model/profile/raw-stack.h"
#include "core/symbolize/files/module-files.h"
#include "core/symbolize/unwind/cfi-table.h"
#include "core/symbolize/unwind/unwinder.h"

/*
 * Private to unwind*.c.
 *
 *   unwinder.c        PvUnwinder: workers, memory of results
 *   unwind-module.c   modules: their tables, bytes and known places
 *   unwind-step.c     what to do at one pc, with the cache in front
 *   unwind-walk.c     from the leaf to the root by compact rows
 *   unwind-rare.c     every other way to find a caller
 */

/* Modules */

/* A range of link addresses. */
typedef struct {
    uint64_t start;
    uint64_t end;
} PvLinkRange;

static inline bool
pv_link_range_has (PvLinkRange range, uint64_t link_addr)
{
    return link_addr >= range.start && link_addr < range.end;
}

/* One module file as the unwinder sees it; immutable once built. */
typedef struct {
    PvElfImage *binary;    /* NULL: not found */
    PvCfiTable *table;     /* NULL: unsupported processor */
    uint64_t entry_addr;   /* link address of the program's first instruction; 0: none */
    PvLinkRange code;      /* all executable segments */
    PvLinkRange written;   /* all sections that the program may write to */
    PvLinkRange plt;       /* .plt: its first entry differs from the rest */
    PvLinkRange plts[3];   /* .plt.sec, .plt.got, .iplt: entries that only jump */
    PvLinkRange starts[2]; /* .init and .fini: each one function without rules */
} PvUnwindModule;

typedef struct PvUnwindModules PvUnwindModules;

PvUnwindModules *pv_unwind_modules_new (PvModuleFiles *files);
void pv_unwind_modules_free (PvUnwindModules *modules);

/* Opens the module's file and builds its table on first use; other threads that need it wait. NULL
 * for modules that are not files. Any thread. */
const PvUnwindModule *pv_unwind_modules_get (PvUnwindModules *modules, const PvModule *module);

/* A piece of code that was generated at run time, as a module of its own whose link addresses are
 * the run-time addresses; arch is that of the recording, for jitdumps that do not tell theirs.
 * NULL: no jitdump has rules for the code at this address. Any thread. */
const PvUnwindModule *pv_unwind_modules_get_code (PvUnwindModules *modules, const PvModule *module,
                                                  uint64_t runtime_addr, PvArch arch);

/* The module's bytes at a link address, or NULL if the program may have written to them. */
const uint8_t *pv_unwind_module_read (const PvUnwindModule *module, uint64_t link_addr,
                                      size_t size_bytes);
bool pv_unwind_module_is_code (const PvUnwindModule *module, uint64_t link_addr);

/* True if link_addr is the start of a signal trampoline, where handlers return to, or, if is_exact,
 * anywhere in it. */
bool pv_unwind_module_is_sigreturn (const PvUnwindModule *module, uint64_t link_addr,
                                    bool is_exact);
/* True if a call instruction ends at link_addr. */
bool pv_unwind_module_follows_call (const PvUnwindModule *module, uint64_t link_addr);

/* Workers */

typedef enum {
    PV_STEP_SP, /* by compact row: CFA relative to the stack pointer ... */
    PV_STEP_FP, /* ... or the frame pointer */
    PV_STEP_FULL,
    PV_STEP_SIGNAL, /* at a signal trampoline, recognised by its code */
    PV_STEP_ROOT,
    PV_STEP_ENTRY, /* code without rules at the program's entry */
    PV_STEP_AWAY,  /* in code that has switched stacks */
    PV_STEP_NO_CFI,
    PV_STEP_NO_BINARY,
    PV_STEP_UNMAPPED,
} PvStepKind;

/* How to unwind one pc in one address space: a slot of the cache. */
typedef struct {
    uint64_t key;
    uint64_t delta;      /* address in the module = pc + delta */
    uint32_t generation; /* of the address space; 0: free */
    PvModuleId module;
    uint32_t cfa_offset;
    int16_t frame; /* as in PvUnwindRow */
    uint8_t kind;  /* PvStepKind */
    bool is_file_missing;
} PvUnwindStep;

#define PV_STEP_CACHE_SIZE 8192
#define PV_RULE_CACHE_SIZE 64

typedef struct {
    const PvUnwindModule *module; /* NULL: free */
    uint64_t link_addr;
    bool is_found;
    PvCfiRules rules;
} PvRuleSlot;

typedef struct {
    PvUnwindModules *shared;
    const PvModule *modules;      /* of the current call */
    PvArch arch;                  /* of the current call */
    const PvUnwindModule **known; /* by module id; cached */
    bool *is_known;
    size_t n_known;
    PvUnwindStep *steps;
    PvRuleSlot *rules;
    /* Results of the current call. */
    PvRawFrame **blocks;
    size_t n_blocks;
    size_t n_used_blocks;
    size_t n_used_frames; /* in the last used block */
} PvUnwindWorker;

/* The module at a run-time address and the link address there; NULL if nothing is mapped, or it is
 * neither a file nor generated code with rules. ret_mapping may be NULL. */
const PvUnwindModule *pv_unwind_find_module (PvUnwindWorker *worker, const PvAddressSpace *space,
                                             uint64_t runtime_addr, uint64_t *ret_link_addr,
                                             const PvMapping **ret_mapping);

/* Fills the slot for pc. */
void pv_unwind_resolve_step (PvUnwindWorker *worker, const PvAddressSpace *space, uint64_t pc,
                             bool is_return, PvUnwindStep *step);

/* Finds the step at pc; valid until the next call. Return addresses and exact ones have separate
 * slots: a return address is looked up one byte earlier. */
static inline const PvUnwindStep *
pv_unwind_find_step (PvUnwindWorker *worker, const PvAddressSpace *space, uint32_t generation,
                     uint64_t pc, bool is_return)
{
    uint64_t key = pc ^ (uint64_t)is_return << 63;
    uint64_t hash = (key ^ (uint64_t)generation << 40) * 0x9e3779b97f4a7c15u;
    PvUnwindStep *step = &worker->steps[hash >> 51];
    G_STATIC_ASSERT (PV_STEP_CACHE_SIZE == 1 << (64 - 51));
    if (G_UNLIKELY (step->key != key || step->generation != generation)) {
        pv_unwind_resolve_step (worker, space, pc, is_return, step);
        step->key = key;
        step->generation = generation;
    }
    return step;
}

/* One stack */

/* The known registers of one frame, by DWARF number. */
typedef struct {
    uint64_t values[PV_CFI_MAX_REGISTERS];
    uint64_t valid; /* bit n: values[n] is known */
    uint64_t pc;
    bool is_return; /* pc is a return address */
} PvUnwindRegisters;

typedef struct {
    PvUnwindWorker *worker;
    const PvRawStack *raw;
    const PvCfiArch *arch;
    uint32_t generation;
    const uint8_t *stack;
    uint64_t stack_start; /* run-time addresses of the dump */
    uint64_t stack_end;
    /* The current frame, the last one in frames. */
    uint64_t pc;
    uint64_t sp;
    uint64_t fp;
    uint64_t lr; /* the link register, if has_lr */
    bool has_lr;
    bool is_return;
    bool is_frame_pointer_chain; /* found by the frame pointer alone */
    bool has_left_dump;          /* interrupted outside the dump ... */
    bool is_on_other_stack;      /* ... and too far away to be the same stack */
    PvRawFrame *frames;
    uint32_t n_frames;
    /* The last frame with all registers known, for the few rules that need them. */
    bool has_anchor;
    uint32_t anchor; /* its index */
    PvUnwindRegisters anchor_registers;
} PvUnwindWalk;

/* Unwinds one stack into frames, which holds PV_UNWIND_MAX_FRAMES. */
void pv_unwind_walk (PvUnwindWorker *worker, PvArch arch, const PvRawStack *raw, PvRawFrame *frames,
                     PvRawResult *ret_result);

/* Goes from the current frame to its caller by a step that is not a compact row. True if there is a
 * caller; else *ret_end says how the stack ended. */
bool pv_unwind_rare_step (PvUnwindWalk *walk, const PvUnwindStep *step, PvStackEnd *ret_end);

/* How a stack ends if its next word is at addr, outside the dump. */
PvStackEnd pv_unwind_end_outside (const PvUnwindWalk *walk, uint64_t addr);

/* A register of the sample; false if it was not recorded. */
bool pv_unwind_sample_register (const PvRawStack *raw, unsigned perf_bit, uint64_t *ret_value);

/* All registers of the sample. */
void pv_unwind_sample_registers (const PvRawStack *raw, const PvCfiArch *arch,
                                 PvUnwindRegisters *ret_registers);

static inline uint64_t
pv_unwind_load_word (const uint8_t *bytes, unsigned word_size)
{
    if (word_size == 4) {
        uint32_t word;
        memcpy (&word, bytes, sizeof word);
        return word;
    }
    uint64_t word;
    memcpy (&word, bytes, sizeof word);
    return word;
}

/* A word of the dump; false if any of it is outside. */
static inline bool
pv_unwind_read_stack (const PvUnwindWalk *walk, uint64_t addr, unsigned word_size,
                      uint64_t *ret_word)
{
    uint64_t offset = addr - walk->stack_start;
    uint64_t size_bytes = walk->stack_end - walk->stack_start;
    if (offset > size_bytes || size_bytes - offset < word_size)
        return false;
    *ret_word = pv_unwind_load_word (walk->stack + offset, word_size);
    return true;
}
