/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/firefox/firefox-places.h"

/* A row of a stack table, once it is used. */
typedef struct {
    PvStackId callers; /* below the chain */
    uint32_t chain;    /* 0: not made */
    PvStackId stack; /* of the row; 0: not made yet, or only the rows of what is inlined are used */
    int32_t category : 28;          /* -1: none */
    uint32_t is_referenced : 1;     /* by samples or markers */
    uint32_t is_used : 1;           /* or it is a parent of such a row */
    uint32_t has_child : 1;         /* that is used, */
    uint32_t has_more_children : 1; /* and others */
} FirefoxStack;

/* Data of a frame for the rows of stacks, side by side. */
typedef struct {
    uint32_t chain;        /* if it is not inlined; 0: not known yet */
    PvLocationId location; /* of the chain; 0: not known yet */
    int32_t category;      /* -1: none */
    int32_t depth;         /* of inlining */
} FirefoxStackFrame;

/*
 * The stacks of one stack table: of a thread, or of all threads of a profile. First request rows,
 * then make their stacks, then get these.
 */
typedef struct {
    FirefoxPlaces *places;
    const FirefoxProfile *profile;
    const FirefoxTables *tables;  /* of stacks, frames, functions, resources */
    const FirefoxTables *strings; /* that has the strings ... */
    const FirefoxTables *sources; /* ... and the sources */
    const FirefoxLibraries *libraries;
    FirefoxStack *rows;
    PvStackId *as_caller; /* of Gecko, by row: its stack as the caller of others; 0: not made yet */
    size_t n_rows, n_frames;
    FirefoxStackFrame *frames; /* by row */
} FirefoxStacks;

/* True if the thread has a stack table of its own. */
bool firefox_has_own_stacks (const FirefoxThread *thread);

/* thread: NULL for the table that threads share. */
void firefox_stacks_init (FirefoxStacks *stacks, FirefoxPlaces *places,
                          const FirefoxProfile *profile, const FirefoxThread *thread);
void firefox_stacks_clear (FirefoxStacks *stacks);
void firefox_stacks_use (FirefoxStacks *stacks, const PvInt32Column *rows);
void firefox_stacks_make (FirefoxStacks *stacks);

/* The stack of a row; 0 if row is -1 or was not requested. */
PvStackId firefox_stacks_get (const FirefoxStacks *stacks, int32_t row);
/* The category of a row; -1 if it has no category. */
int32_t firefox_stacks_get_category (const FirefoxStacks *stacks, int32_t row);
/* Fetches the memory of a row that will be needed soon. */
void firefox_stacks_prefetch (const FirefoxStacks *stacks, int32_t row);
