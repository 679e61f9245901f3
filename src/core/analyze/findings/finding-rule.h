/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/findings/finding.h"
#include "core/analyze/query/query.h"
#include "core/base/array.h"
#include "core/base/job.h"

/*
 * Private to findings/: what a rule is, and what rules have in common.
 *
 * Most rules are about functions of a class, such as all that allocate: they have names, and the
 * pass (finding-pass.h) adds up, for all of these rules at once, how much is spent in functions of
 * their class, and who calls them. Others have a function that looks at the profile itself.
 */
typedef PV_ARRAY (PvFinding) PvFindingList;

/* Callers that are looked at for who is to blame: nobody farther away is, and walks of the deepest
 * stacks end. */
enum { PV_BLAME_DEPTH = 1000 };

/* The question that all rules answer. */
typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols; /* without pseudonyms, to be matched */
    const PvSymbolTable *shown;   /* the same rows, with the names to tell */
    const PvQuery *query;
    PvMeasureId cpu_measure;   /* UINT32_MAX: none */
    PvMeasureId wait_measure;  /* of times that threads did not run; UINT32_MAX: none */
    const bool *is_stack_kept; /* by focus and ignore; NULL: all are */
    uint8_t *traits;           /* by function: see pv_finding_get_traits () */
    PvJob *job;
} PvFindingContext;

typedef enum {
    PV_RULE_OF_CPU,
    PV_RULE_OF_WAITS,
    PV_N_RULE_SCOPES,
} PvRuleScope;

/* The part of a stack that decides whether its samples are of a class. */
typedef enum {
    PV_RULE_ANYWHERE, /* any frame is of the class: callees count too */
    PV_RULE_IN_USER,  /* the same, but without what is spent in the kernel */
    PV_RULE_AT_LEAF,  /* only the innermost frame counts */
} PvRulePlace;

typedef struct {
    const char *word;

    /* Rules about a class of functions have these. */
    PvRuleScope scope;
    PvRulePlace place;
    /* Short names, "malloc", "je_*", "*_unlocked", "*::park::*"; names without parameters if they
     * begin with "<". NULL-terminated; NULL: none. Suffixes of compilers and linkers do not count.
     */
    const char *const *names;        /* of the program and its libraries */
    const char *const *kernel_names; /* of the kernel */
    const char *const *modules;      /* all functions of files with such names */
    /* Only stacks count that end in such a function, of the program or the kernel, or in one of the
     * class. NULL: all stacks. */
    const char *const *leaf_names;
    /* Decides where names alone do not tell. */
    bool (*matches) (const PvFunction *function, const PvModule *module);
    bool is_of_physical;     /* only frames that are known not to be inlined are of the class */
    bool is_of_calls;        /* inlined frames are not: compilers make of them what is no call */
    double least;            /* share of the measure from which on it is worth a sentence */
    bool is_excluding;       /* stacks with such functions are of no class; never told itself */
    bool is_never_blamed;    /* its functions only do what others ask for */
    bool is_shown_by_module; /* by filters on modules: its functions are too many */
    bool is_broad;           /* not told where another finding is most of it */
    /* Forms, to be translated, with "%s" for the heaviest functions of the class, then for the
     * share of the measure, then for the measure. */
    const char *title;
    const char *detail; /* without forms; NULL: none */
    /* The same, of waits that were mostly for one thread, with "%s" for that thread and for its
     * share of the amount; or NULL. */
    const char *detail_of_holder;

    /* Other rules have this, which adds findings, if any. */
    void (*find) (const PvFindingContext *context, PvFindingList *list);
} PvFindingRule;

/* The measure in the middle of a sentence: "CPU time". Translated, static or the profile's. */
const char *pv_finding_get_measure_title (const PvProfile *profile, PvMeasureId measure);

/* The name of a function for a sentence: cut where it is very long. g_free () it. */
char *pv_finding_format_function (const PvFindingContext *context, PvFunctionId function);

/* A form of a rule with these texts in place of each "%s", in their order, whatever they contain.
 * g_free () it. */
char *pv_finding_fill_in (const char *form, const char *const *texts, unsigned n_texts);

/* An expression for exactly these functions, "function:^(malloc|free)$", or for their modules.
 * g_free () it. */
char *pv_finding_make_expression (const PvFindingContext *context, const PvFunctionId *functions,
                                  unsigned n_functions);
char *pv_finding_make_module_expression (const PvFindingContext *context,
                                         const PvFunctionId *functions, unsigned n_functions);

/* The options that focus on one function. g_strfreev () it. */
char **pv_finding_focus_on (const PvFindingContext *context, PvFunctionId function);

/* Facts about a function. */
enum {
    PV_TRAIT_IS_KNOWN = 1 << 0,
    PV_TRAIT_IS_OWN = 1 << 1, /* of the user's own, with a name */
    /* It has a name, and is no part of the C library, the kernel, or of what starts a program. */
    PV_TRAIT_IS_BLAMABLE = 1 << 2,
    PV_TRAIT_IS_ENTRY = 1 << 3, /* leads from the entry of the kernel to the requested work */
    PV_TRAIT_IS_MAIN = 1 << 4,  /* calls all others: who is nearer tells more */
    PV_TRAIT_IS_TOLD = 1 << 5,  /* of a class that has a finding; known after the passes */
};

/* The traits of a function, which are found once. */
unsigned pv_finding_get_traits (const PvFindingContext *context, PvFunctionId function);

/* The innermost function of a stack that may be blamed for what its leaf does: of the user's own,
 * or else another one that does not only allocate. 0: there is none. */
PvFunctionId pv_finding_blame_stack (const PvFindingContext *context, PvStackId stack);
