/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

/* What a program does with the register of frame pointers, where that can be told. */
typedef enum {
    PV_FRAME_POINTERS_UNKNOWN,
    PV_FRAME_POINTERS_KEPT,  /* by most of its functions */
    PV_FRAME_POINTERS_MIXED, /* by some; the chain breaks now and then */
    PV_FRAME_POINTERS_OMITTED,
} PvFramePointers;

/*
 * What an ELF program says about how it can be recorded, for the advice given before that. All
 * zero: nothing is known. Read by pv_program_facts_read () in symbolize/.
 */
typedef struct {
    bool is_known;              /* an ELF program or a script whose interpreter is one */
    bool is_script;             /* the rest is about its interpreter */
    bool is_static;             /* has no interpreter (PT_INTERP), so nothing can be preloaded */
    bool is_32bit;              /* of a processor that has 64 bits too: x86, ARM */
    bool is_foreign;            /* made for another processor than this one */
    bool has_jemalloc;          /* needs libjemalloc, or defines mallctl or _rjem_mallctl */
    bool has_prefixed_jemalloc; /* _rjem_mallctl: Rust's */
    bool lacks_jemalloc_dumps;  /* the jemalloc inside was built without profiling */
    bool has_own_malloc;        /* defines malloc (or is linked with jemalloc) itself, so that no
                                   library can be put in front of it */
    bool lacks_unwind_tables;   /* of most functions: DWARF cannot unwind it either */
    bool has_debug_info;        /* in it, or in a file for it that is found by build-id or link */
    bool has_symbols;
    bool is_go;
    PvFramePointers frame_pointers;
} PvProgramFacts;
