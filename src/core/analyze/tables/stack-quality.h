/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"

/*
 * How complete the stacks are. A stack is complete if the unwinder reached the end of the thread or
 * its root is a known one (_start, clone, start_thread, runtime.goexit, kernel entry ...);
 * truncated if it is known to be cut; else unknown.
 */
typedef enum {
    PV_STACK_COMPLETE,
    PV_STACK_TRUNCATED,
    PV_STACK_UNKNOWN,
    PV_N_STACK_CLASSES,
} PvStackClass;

/* One bool per stack: its root is a known one; free with g_free (). */
bool *pv_stack_quality_find_rooted (const PvProfile *profile, const PvSymbolTable *symbols);
/* The class of a sample, by how its stack ended and whether that has a known root. */
PvStackClass pv_stack_quality_classify (PvStackEnd end, bool is_rooted);

typedef struct {
    uint64_t n_complete; /* samples of the set, in the whole recording */
    uint64_t n_truncated;
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
/* The samples of all sets together; cause and advice are those of the set with most bad stacks. */
void pv_stack_quality_measure_all (const PvProfile *profile, const PvSymbolTable *symbols,
                                   PvStackQuality *ret_quality);
