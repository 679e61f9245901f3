/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/profile.h"

/*
 * The meaning of each value that a query can choose from, one row each: transforms, groupings, and
 * the origins of samples. Menus, chips, the filter editor, the options of the command line and the
 * words of queries are made from these tables. Texts for people are translated where they are
 * shown.
 */
typedef enum {
    PV_TRANSFORM_FOCUS,              /* keep stacks with a matching frame */
    PV_TRANSFORM_IGNORE,             /* drop them */
    PV_TRANSFORM_HIDE,               /* remove matching frames; their cost goes to the caller */
    PV_TRANSFORM_SHOW,               /* only matching frames */
    PV_TRANSFORM_SHOW_FROM,          /* stacks start at the outermost match */
    PV_TRANSFORM_COLLAPSE_RECURSION, /* no expression */
    PV_TRANSFORM_MERGE_MODULE,       /* merge frames of a matching module into one with its name */
    /* Keep only the user's own code: frames that match the expression or, without one, that
     * my-code.h accepts. Of the kernel, keep the first function after the entry that such
     * code called, unless it handles an interrupt. */
    PV_TRANSFORM_MY_CODE,
    /* Hide functions that only allocate (allocators.h), and those that match the expression, if
     * there is one, but never the outermost frame, so that no stack becomes empty. */
    PV_TRANSFORM_HIDE_ALLOCATORS,
    /* Like pprof's drop_frames: from the root, after the first frame that does not match, drop the
     * first one that does and everything below it; the cost goes to its caller. The expression
     * matches whole function names without a leading '.' and without parameters. */
    PV_TRANSFORM_DROP,
    PV_N_TRANSFORMS,
} PvTransformKind;

/* The part of a frame that an expression is about, named by a prefix: "module:^libc". */
typedef enum {
    PV_SUBJECT_ANY, /* no prefix: function, file or module */
    PV_SUBJECT_FUNCTION,
    PV_SUBJECT_FILE,
    PV_SUBJECT_MODULE,
    PV_SUBJECT_PACKAGE, /* see pv_package_find () */
    PV_N_SUBJECTS,
} PvSubject;

typedef struct {
    const char *word;   /* in the names of actions */
    const char *option; /* takes the expression; NULL: there is no such option */
    const char *option_help;
    const char *bare_option; /* the transform without an expression */
    const char *bare_help;
    const char *off_option; /* switches off what the profile requests by itself */
    const char *off_help;
    const char *title; /* of the kind, in the filter editor; NULL: cannot be edited */
    const char *chip;  /* with "%s" for the expression; NULL: shown without it */
    const char *bare_chip;
    const char
        *labels[PV_N_SUBJECTS]; /* in the menu of a function, about the function, its file … */
    const char *switch_label;   /* in menus that switch it on and off */
    /* Switches are only offered for profiles where they could do something; NULL: for all. */
    bool (*applies) (const PvProfile *profile);
    bool must_have_expression;
    bool may_have_expression;
    bool takes_subject;  /* its expression may have a prefix */
    bool chooses_stacks; /* keeps or drops whole stacks, and changes no frame */
    bool leaves_out;     /* may leave out much of what was counted */
} PvTransformInfo;

extern const PvTransformInfo pv_transforms[PV_N_TRANSFORMS];

/* The first level below the root, see tree-groups.h. */
typedef enum {
    PV_GROUP_NONE,
    PV_GROUP_PROCESS,
    PV_GROUP_THREAD,
    PV_GROUP_CPU,
    PV_GROUP_MODULE,
    PV_GROUP_FILE,
    PV_GROUP_PACKAGE,
    PV_GROUP_LABEL, /* the values of a label */
    PV_N_GROUPINGS,
} PvGrouping;

typedef struct {
    const char *word;    /* of --group and in JSON; of a label, what comes before the key */
    const char *label;   /* in menus; of a label, with "%s" for its key */
    const char *chip;    /* the same */
    const char *heading; /* of a column; NULL: the label's key */
    const char *rest;    /* what has no value; of a label, with "%s" for its key */
    bool is_of_stacks;   /* decided by the innermost frame of a stack; else by the sample */
} PvGroupingInfo;

extern const PvGroupingInfo pv_groupings[PV_N_GROUPINGS];

/* The origins of a sample. */
typedef enum {
    PV_ORIGIN_PROCESS,
    PV_ORIGIN_THREAD,
    PV_ORIGIN_CPU,
    PV_N_ORIGINS,
} PvOrigin;

typedef struct {
    PvGrouping grouping;
    const char *option; /* chooses some; with "exclude-" before it, leaves some out */
    const char *option_help;
    const char *except_help;
    const char *value; /* the form of the option's value */
    /* Chips, with "%s" for one name or several. */
    const char *only_one;
    const char *only_several;
    const char *except_one;
    const char *except_several;
    const char *missing; /* an error, with "%s" for the name that nothing has */
} PvOriginInfo;

extern const PvOriginInfo pv_origins[PV_N_ORIGINS];

/* The origin that a grouping is about; PV_N_ORIGINS: something else. */
PvOrigin pv_grouping_get_origin (PvGrouping grouping);
