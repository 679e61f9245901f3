/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"
#include "core/model/profile/address-space.h"

/*
 * The interface between reader and unwinder, which do not know each other: a reader collects the
 * register and stack dumps of many samples and passes them to the unwind callback in one call.
 * Nothing here outlives that call.
 */
typedef enum {
    PV_ARCH_UNKNOWN,
    PV_ARCH_X86_64,
    PV_ARCH_X86,
    PV_ARCH_AARCH64,
    PV_ARCH_ARM,
} PvArch;

/* A dump of one thread's user stack. */
typedef struct {
    const PvAddressSpace *space; /* as of the sample's time */
    const uint64_t *registers; /* one per bit of register_mask (perf's numbering), in order; may be
                                  unaligned; host byte order */
    uint64_t register_mask;
    const uint8_t *stack;           /* the bytes from the stack pointer up */
    uint32_t stack_size_bytes;      /* valid bytes */
    uint32_t stack_requested_bytes; /* size that the recorder was to copy */
    bool is_32bit;
} PvRawStack;

/* One unwound frame. */
typedef struct {
    uint64_t address;  /* in the module's kind of address */
    PvModuleId module; /* 0: not in any mapping; address is then absolute */
    uint8_t kind;      /* PvLocationKind */
} PvRawFrame;

#define PV_UNWIND_MAX_FRAMES 1024

typedef struct {
    PvRawFrame *frames; /* leaf first; owned by the unwinder until its next call */
    uint32_t n_frames;
    uint8_t end; /* PvStackEnd */
} PvRawResult;

/* Unwinds n stacks; results[i] belongs to stacks[i]. modules[], indexed by module id, describes the
 * modules. Runs its own workers; returns when all are done or the job is cancelled (then results
 * are empty stacks with PV_STACK_END_UNKNOWN). Called from one thread at a time. */
typedef void (*PvUnwindFunc) (void *unwinder, PvArch arch, const PvModule *modules,
                              const PvRawStack *stacks, size_t n, PvRawResult *results, PvJob *job);
