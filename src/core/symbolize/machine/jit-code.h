/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/mapped-file.h"
#include "core/model/profile/profile.h"
#include "core/symbolize/files/module-files.h"
#include "core/symbolize/machine/code-image.h"

/*
 * The bytes of code that was generated at run time, as its runtime wrote them into a jitdump.
 */
typedef struct PvJitDump PvJitDump;

/* A jitdump from an open file; NULL if the file is no jitdump. */
PvJitDump *pv_jit_dump_new (PvMappedFile *file);
/* The jitdump of a module of kind JIT. NULL with a PV_READ_ERROR that says why it is missing. */
PvJitDump *pv_jit_dump_open (PvModuleFiles *files, const PvModule *module, GError **error);
void pv_jit_dump_free (PvJitDump *dump);
/* The machine of its code; if it does not tell, as those of Python 3.13, that of the recording, one
 * of EM_X86_64 ... */
PvCodeMachine pv_jit_dump_find_machine (const PvJitDump *dump, uint16_t recorded);

/* A piece of code: one load, however many lines it has. */
typedef struct {
    uint64_t start; /* run-time addresses */
    uint64_t end;
    const char *name;
    uint64_t code_offset;       /* in the dump; 0: it does not have the bytes */
    uint64_t unwind_offset;     /* of its .eh_frame in the dump */
    uint32_t unwind_size_bytes; /* 0: it has none */
} PvJitPiece;

/* The piece that holds the address; false: none does. */
bool pv_jit_piece_find (const PvModule *module, uint64_t runtime_addr, PvJitPiece *ret_piece);

/* Its bytes, of *ret_size_bytes; valid as long as the dump. NULL: the dump does not have them, or
 * is of another run of the program. */
const uint8_t *pv_jit_dump_read (const PvJitDump *dump, const PvJitPiece *piece,
                                 size_t *ret_size_bytes);

/* Its .eh_frame of piece->unwind_size_bytes, as if it were at *ret_addr; NULL: the dump is shorter.
 */
const uint8_t *pv_jit_dump_read_rules (const PvJitDump *dump, const PvJitPiece *piece,
                                       uint64_t *ret_addr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvJitDump, pv_jit_dump_free)
