/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../new-query.h"
#include "core/analyze/tree/call-tree.h"
#include "core/model/build/builder.h"

/*
 * Profiles from text for tests. One stack per line, root first, its weight last: "A;B;C 3".
 * A frame may be "module!name", and a chain of inlined frames is written "A>B" (B inlined into A).
 * A name may be followed by "|FILE", else its file is "/src/NAME.c", and then by ":LINE". What is
 * before "(" is its short name.
 * "3/0/7" instead of a weight are those of several measures, as many as in the first line.
 * "@T" before the weight puts the sample into thread T (its process is T / 10), and
 * "#tenant=red,size=12" after that are its labels: texts and numbers. Time counts up from 1000 ns
 * in steps of 1000, so sample i is at 1000 * i after the start; the processor is i % 4.
 */
typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
} FoldedProfile;

FoldedProfile folded_profile_new (const char *text);
/* The same stacks, with functions numbered in another order. */
FoldedProfile folded_profile_new_shuffled (const char *text, unsigned seed);
void folded_profile_clear (FoldedProfile *folded);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FoldedProfile, folded_profile_clear)

/* The function of that name, or 0. */
PvFunctionId folded_profile_find (const FoldedProfile *folded, const char *name);

/* The whole tree as text: one line per node "depth name self total", in the order of a walk that
 * goes down first. */
char *folded_dump_tree (const PvCallTree *tree);

/* Aborts the test unless all that call-tree.h promises about the arrays holds. */
void folded_check_tree (const PvCallTree *tree);

/* Random stacks over few functions, one of them malloc, with recursion, modules, inlining and
 * threads. */
char *folded_random_text (GRand *random, unsigned n_stacks, unsigned n_functions);

/*
 * The reference: lists of frame names, treated one transform at a time, without any tree.
 */
typedef struct {
    char **frames; /* "module!name", root first; NULL-terminated */
    uint64_t weight;
    int tid;
    unsigned index; /* of the sample */
} ReferenceStack;

/* The stacks of the text under the query's transforms and inlining. Free with g_ptr_array_unref ().
 */
GPtrArray *reference_stacks (const char *text, const PvQuery *query);

/* "module!name" of a node; the bare name for groups. */
char *reference_frame_of_node (const PvCallTree *tree, PvNodeId node);
/* "module!name" of a function. */
char *reference_name (const PvCallTree *tree, PvFunctionId function);

/* A random list of transforms. */
void reference_random_transforms (GRand *random, PvQuery *query);
