/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* How a program uses the frame pointer register, if known. */
typedef enum {
    PV_FRAME_POINTERS_UNKNOWN,
    PV_FRAME_POINTERS_KEPT,  /* by most of its functions */
    PV_FRAME_POINTERS_MIXED, /* by some functions; the chain breaks now and then */
    PV_FRAME_POINTERS_OMITTED,
} PvFramePointers;

/*
 * Facts about an ELF program that decide how it can be recorded. All zero: unknown. Read by
 * pv_program_facts_read () in symbolize/.
 */
typedef struct {
    bool is_known;              /* an ELF program or a script whose interpreter is one */
    bool is_script;             /* the other fields describe the interpreter */
    bool is_static;             /* has no interpreter (PT_INTERP), so nothing can be preloaded */
    bool is_32bit;              /* 32-bit, for a processor that also has 64 bits: x86, ARM */
    bool is_foreign;            /* for a different processor than this machine's */
    bool has_jemalloc;          /* needs libjemalloc, or defines mallctl or _rjem_mallctl */
    bool has_prefixed_jemalloc; /* _rjem_mallctl: Rust's */
    bool lacks_jemalloc_dumps;  /* the built-in jemalloc has no profiling */
    bool has_own_malloc;        /* defines malloc or links jemalloc: no library can override it */
    bool lacks_unwind_tables;   /* for most functions: DWARF cannot unwind it either */
    bool has_debug_info;        /* in the program, or in its debug file found by build-id or link */
    bool has_symbols;
    bool is_go;
    PvFramePointers frame_pointers;
} PvProgramFacts;
