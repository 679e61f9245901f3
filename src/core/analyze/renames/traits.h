/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/job.h"
#include "core/model/profile/symbols.h"

/*
 * Private to renames/: by what a function of one side of a comparison can be recognized on the
 * other side, under another name: who calls it, what it calls, and at which lines and instructions
 * it costs. Amounts are those of the first pair.
 */

/* Ways in which a side has a function, by function; 0: not at all. */
typedef enum {
    PV_OF_BASE = 1 << PV_SIDE_BASE,
    PV_OF_NEW = 1 << PV_SIDE_NEW,
    PV_INLINED_IN_BASE = 4 << PV_SIDE_BASE,
    PV_INLINED_IN_NEW = 4 << PV_SIDE_NEW,
} PvPresence;

typedef enum {
    PV_TRAIT_CALLER, /* key: function; 0: none, it is the first */
    PV_TRAIT_CALLEE, /* key: function */
    PV_TRAIT_LINE,   /* key: line, less that of the declaration */
    PV_TRAIT_CODE,   /* key: address */
    PV_N_TRAITS,
} PvTraitKind;

typedef struct {
    uint32_t owner; /* candidate * PV_N_SIDES + side */
    uint32_t kind;
    int64_t key;
    double weight;
} PvTrait;

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    const PvPair *pair;
    uint8_t *presence_of_function;      /* PvPresence */
    unsigned telling_sides;             /* PV_OF_…: those that can tell inlined functions */
    float *weight_of_stack[PV_N_SIDES]; /* with the stacks above it */
    double whole_of_side[PV_N_SIDES];
    double sample_of_side[PV_N_SIDES]; /* mean amount of a sample; 0: amounts are exact */
    double *self_of_function[PV_N_SIDES];
    double *total_of_function[PV_N_SIDES]; /* counts again where it is called by others again */
    uint32_t *candidate_of_function;       /* number + 1 */
    PV_ARRAY (PvFunctionId) candidates;
    PV_ARRAY (PvTrait) traits; /* sorted by owner, kind and key */
    uint32_t *first_trait;     /* by owner * PV_N_TRAITS + kind, and one more */
} PvTraits;

/* Finds which side has which functions. sides_of_location: a bit for each side. Clear it. */
void pv_traits_init (PvTraits *traits, const PvProfile *profile, const PvSymbolTable *symbols,
                     const uint8_t *sides_of_location);
void pv_traits_clear (PvTraits *traits);

/* Adds up amounts by function. False: cancelled. */
bool pv_traits_weigh (PvTraits *traits, PvJob *job);
/* After that: the function's traits are wanted. */
void pv_traits_add_candidate (PvTraits *traits, PvFunctionId function);
/* After all candidates. False: cancelled. */
bool pv_traits_gather (PvTraits *traits, PvJob *job);

/* Traits of a kind of a candidate on a side; the number of them. */
const PvTrait *pv_traits_get (const PvTraits *traits, uint32_t candidate, PvSide side,
                              PvTraitKind kind, uint32_t *ret_n);
