/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/job.h"
#include "core/elf/elf-image.h"

/*
 * From bytes to instructions, by Capstone: x86, ARM, AArch64, MIPS, PowerPC, SPARC, System z, and
 * RISC-V and others as far as its version has them. x86 is written as the GNU tools do (AT&T).
 */
typedef enum {
    PV_INSTRUCTION_PLAIN,
    PV_INSTRUCTION_JUMP,
    PV_INSTRUCTION_CALL,
    PV_INSTRUCTION_RETURN,
    PV_INSTRUCTION_DATA, /* bytes that are no known instruction */
} PvInstructionKind;

#define PV_NO_TARGET UINT64_MAX

typedef struct {
    uint64_t addr;        /* link address */
    uint64_t target_addr; /* of jumps and calls that say where; PV_NO_TARGET */
    const char *mnemonic;
    const char *operands; /* "": none */
    const uint8_t *bytes; /* in the file */
    uint8_t size_bytes;
    uint8_t kind;    /* PvInstructionKind */
    uint32_t target; /* the instruction jumped to in the same code, plus 1; 0: none */
    uint32_t callee; /* function called or jumped to elsewhere, see PvCallee; 0: none */
    uint32_t lines;  /* see PvInstructionLines; 0: unknown */
} PvInstruction;

typedef PV_ARRAY (PvInstruction) PvInstructions;

/* The kind of a run of bytes, where the file has it (mapping symbols of ARM). */
typedef enum {
    PV_CODE_DEFAULT,
    PV_CODE_THUMB,
    PV_CODE_DATA,
} PvCodeState;

/* One thread at a time. */
typedef struct PvDecoder PvDecoder;

/* For code of the image's machine; strings go to the arena. NULL: Capstone does not know it. */
PvDecoder *pv_decoder_new (const PvElfImage *image, PvArena *arena);
void pv_decoder_free (PvDecoder *decoder);

/* Appends the instructions of size_bytes bytes; bytes that are no instruction become data, and
 * decoding goes on. The bytes must outlive the result. Any input is fine. False when cancelled. */
bool pv_decoder_run (PvDecoder *decoder, PvCodeState state, const uint8_t *bytes, size_t size_bytes,
                     uint64_t link_addr, PvInstructions *instructions, PvJob *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDecoder, pv_decoder_free)
