/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * How complete the stacks are. A stack is complete if the unwinder reached the end of the thread or
 * its root is a known one (_start, clone, start_thread, runtime.goexit, kernel entry ...);
 * truncated if it is known to be cut; broken if the way to its callers led astray: to an address
 * without code, or past functions that must be there; else unknown, as most formats do not tell.
 */
typedef enum {
    PV_STACK_COMPLETE,
    PV_STACK_TRUNCATED,
    PV_STACK_BROKEN,
    PV_STACK_UNKNOWN,
    PV_N_STACK_CLASSES,
} PvStackClass;

/* The outermost function of a stack. */
typedef enum {
    PV_ROOT_UNKNOWN, /* it may start a thread or not */
    PV_ROOT_START,   /* threads start there */
    PV_ROOT_ENTRY,   /* a program's entry, without the function that it calls */
    PV_ROOT_BROKEN,
} PvStackRoot;

/* One PvStackRoot per stack; free with g_free (). */
uint8_t *pv_stack_quality_find_roots (const PvProfile *profile, const PvSymbolTable *symbols);
/* The class of a sample, by how its stack ended and by its root. */
PvStackClass pv_stack_quality_classify (PvStackEnd end, PvStackRoot root);

typedef struct {
    uint64_t n_complete; /* samples of the set, in the whole recording */
    uint64_t n_truncated;
    uint64_t n_broken;
    uint64_t n_unknown;
    uint64_t n_of_end[PV_N_STACK_ENDS];
    const char *cause;          /* translated sentence, or NULL if all is well */
    uint64_t n_of_cause;        /* samples whose stacks end for that reason */
    const char *advice;         /* what to change in the record dialog, translated; or NULL */
    const char *command_advice; /* the same on a command line: perf's options; or NULL */
} PvStackQuality;

/* set: index of the sample set. Strings are static. */
void pv_stack_quality_measure (const PvProfile *profile, const PvSymbolTable *symbols, uint32_t set,
                               PvStackQuality *ret_quality);
/* True if there is something to say: else the format does not tell how stacks ended. */
bool pv_stack_quality_is_known (const PvStackQuality *quality);
/* Adds a warning to a table that nobody else has yet if many stacks of the profile are broken. */
void pv_stack_quality_note (const PvProfile *profile, PvSymbolTable *symbols);
/* The samples of all sets together; cause and advice are those of the set with most bad stacks. */
void pv_stack_quality_measure_all (const PvProfile *profile, const PvSymbolTable *symbols,
                                   PvStackQuality *ret_quality);
