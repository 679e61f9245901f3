/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/firefox/firefox-places.h"

/* A row of a stack table, once it is used. */
typedef struct {
    PvStackId callers; /* below the chain */
    uint32_t chain;
    int32_t category;   /* -1: none */
    int32_t depth;      /* of inlining in the chain */
    PvStackId stack[2]; /* of the row: as it is, and as a caller of others; 0: not made yet */
    bool is_used;
} FirefoxStack;

/*
 * The stacks of one stack table: of a thread, or of all threads of a profile. Say first which rows
 * are used, then make them, then get their stacks.
 */
typedef struct {
    FirefoxPlaces *places;
    const FirefoxProfile *profile;
    const FirefoxTables *tables;  /* of stacks, frames, functions, resources */
    const FirefoxTables *strings; /* that has the strings ... */
    const FirefoxTables *sources; /* ... and the sources */
    const FirefoxLibraries *libraries;
    FirefoxStack *rows;
    size_t n_rows, n_frames;
    uint32_t *chain_of_frame; /* by row, for frames that are not inlined; 0: not known yet */
} FirefoxStacks;

/* Whether the thread has a stack table of its own. */
bool firefox_has_own_stacks (const FirefoxThread *thread);

/* thread: NULL for the table that threads share. */
void firefox_stacks_init (FirefoxStacks *stacks, FirefoxPlaces *places,
                          const FirefoxProfile *profile, const FirefoxThread *thread);
void firefox_stacks_clear (FirefoxStacks *stacks);
void firefox_stacks_use (FirefoxStacks *stacks, const PvInt32Column *rows);
void firefox_stacks_make (FirefoxStacks *stacks);

/* 0 for none. Makes the stack and its locations if they are new. */
PvStackId firefox_stacks_get (FirefoxStacks *stacks, int32_t row);
/* -1 for none. */
int32_t firefox_stacks_get_category (const FirefoxStacks *stacks, int32_t row);
/* Fetches the memory of a row that will be asked for soon. */
void firefox_stacks_prefetch (const FirefoxStacks *stacks, int32_t row);
