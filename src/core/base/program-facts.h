#pragma once

#include <stdbool.h>

/*
 * What an ELF program says about how it can be recorded, for the advice given before that. All
 * false: nothing is known. Read by pv_program_facts_read () in symbolize/.
 */
typedef struct {
    bool is_known;              /* an ELF program or a script whose interpreter is one */
    bool is_script;             /* the rest is about its interpreter */
    bool is_static;             /* has no interpreter (PT_INTERP), so nothing can be preloaded */
    bool has_jemalloc;          /* needs libjemalloc, or defines mallctl or _rjem_mallctl */
    bool has_prefixed_jemalloc; /* _rjem_mallctl: Rust's */
    bool has_own_malloc;        /* defines malloc (or is linked with jemalloc) itself, so that no
                                   library can be put in front of it */
    bool has_frame_pointers;    /* most of its functions begin by keeping one */
    bool has_debug_info;        /* in it, or in a file for it that is found by build-id or link */
    bool has_symbols;
    bool is_go;
} PvProgramFacts;
