/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/analyze/query/query.h"
#include "core/analyze/tree/search.h"

/*
 * The meaning of a query, computed the slow and obvious way: each stack is a list of frames as they
 * stand in the text of folded-profile.h, each transform goes over the list once, and each filter
 * looks at one sample. Shares no code with core but the query itself.
 */
typedef struct {
    const char *module; /* its path */
    const char *name;
    const char *file; /* NULL: it stands for a merged module */
    bool is_inlined;
} PlainFrame;

enum { PLAIN_MAX_FRAMES = 64 };

typedef struct {
    PlainFrame frames[PLAIN_MAX_FRAMES]; /* root first */
    unsigned n_frames;
    uint64_t weight;
    unsigned index; /* of the sample */
    int tid;
    const char *tenant; /* values of labels; NULL: none */
    const char *size;
} PlainStack;

/* Ids of threads and processes that count, and that do not; each list ends with 0, an empty one is
 * of all, or of none. Processors are taken from the query. */
enum { PLAIN_MAX_IDS = 4 };

typedef struct {
    int tids[PLAIN_MAX_IDS];
    int pids[PLAIN_MAX_IDS];
    int except_tids[PLAIN_MAX_IDS];
    int except_pids[PLAIN_MAX_IDS];
} PlainWho;

/* The stacks that count, with the frames that are left. Those without weight are left out. Their
 * strings live until the program ends. Free with g_ptr_array_unref (). */
GPtrArray *plain_stacks_new (const char *text, const PvQuery *query, const PlainWho *who);

/* "module!name", with the module's base name. */
char *plain_frame_text (const PlainFrame *frame);

/* The name of the stack's group; NULL without grouping. */
char *plain_stack_group (const PlainStack *stack, const PvQuery *query);

/* True if a search by names of functions finds the frame, or one by files and modules. */
bool plain_frame_is_found (const PlainFrame *frame, const PvSearchTerm *term, bool by_name);

/* Random stacks in that text. */
char *plain_random_text (GRand *random);

/* Random transforms, some of them off, and expressions for all subjects. */
void plain_random_transforms (GRand *random, PvQuery *query);

/* A random search, always valid. Clear it with pv_search_term_clear (). */
void plain_random_term (GRand *random, PvSearchTerm *ret_term);
