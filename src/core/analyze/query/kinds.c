/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/kinds.h"

#include <glib/gi18n-lib.h>

static bool
allocates (const PvProfile *profile)
{
    return profile->heap != NULL || profile->is_of_allocations;
}

static bool
drops_frames (const PvProfile *profile)
{
    return profile->drop_frames != NULL;
}

const PvTransformInfo pv_transforms[PV_N_TRANSFORMS] = {
    [PV_TRANSFORM_FOCUS] = {.word = "focus",
                            .option = "focus",
                            .option_help =
                                N_ ("Keep stacks with a frame that matches (repeatable)"),
                            .title = NC_ ("transform", "Focus"),
                            .chip = N_ ("Focus: %s"),
                            .labels = {[PV_SUBJECT_FUNCTION] = N_ ("Foc_us on This Function"),
                                       [PV_SUBJECT_FILE] = N_ ("_Focus on This File"),
                                       [PV_SUBJECT_MODULE] = N_ ("_Focus on This Module"),
                                       [PV_SUBJECT_PACKAGE] = N_ ("_Focus on This Package")},
                            .must_have_expression = true,
                            .may_have_expression = true,
                            .takes_subject = true,
                            .chooses_stacks = true,
                            .leaves_out = true},
    [PV_TRANSFORM_IGNORE] =
        {.word = "ignore",
         .option = "ignore",
         .option_help = N_ ("Drop stacks with a frame that matches (repeatable)"),
         .title = NC_ ("transform", "Ignore"),
         .chip = N_ ("Ignore: %s"),
         .labels = {[PV_SUBJECT_FUNCTION] = N_ ("_Ignore Stacks With This Function"),
                    [PV_SUBJECT_FILE] = N_ ("_Ignore Stacks With This File"),
                    [PV_SUBJECT_MODULE] = N_ ("_Ignore Stacks With This Module"),
                    [PV_SUBJECT_PACKAGE] = N_ ("_Ignore Stacks With This Package")},
         .must_have_expression = true,
         .may_have_expression = true,
         .takes_subject = true,
         .chooses_stacks = true,
         .leaves_out = true},
    [PV_TRANSFORM_HIDE] =
        {.word = "hide",
         .option = "hide",
         .option_help =
             N_ ("Remove matching frames; their cost goes to their callers (repeatable)"),
         .title = NC_ ("transform", "Hide"),
         .chip = N_ ("Hide: %s"),
         .labels = {[PV_SUBJECT_FUNCTION] = N_ ("_Hide This Function"),
                    [PV_SUBJECT_FILE] = N_ ("_Hide This File"),
                    [PV_SUBJECT_MODULE] = N_ ("_Hide This Module"),
                    [PV_SUBJECT_PACKAGE] = N_ ("_Hide This Package")},
         .must_have_expression = true,
         .may_have_expression = true,
         .takes_subject = true},
    [PV_TRANSFORM_SHOW] = {.word = "show",
                           .option = "show",
                           .option_help = N_ ("Show only matching frames (repeatable)"),
                           .title = NC_ ("transform", "Show"),
                           .chip = N_ ("Show: %s"),
                           .labels = {[PV_SUBJECT_FUNCTION] = N_ ("_Show Only This Function"),
                                      [PV_SUBJECT_FILE] = N_ ("_Show Only This File"),
                                      [PV_SUBJECT_MODULE] = N_ ("_Show Only This Module"),
                                      [PV_SUBJECT_PACKAGE] = N_ ("_Show Only This Package")},
                           .must_have_expression = true,
                           .may_have_expression = true,
                           .takes_subject = true,
                           .leaves_out = true},
    [PV_TRANSFORM_SHOW_FROM] =
        {.word = "show-from",
         .option = "show-from",
         .option_help = N_ ("Start stacks at the outermost frame that matches (repeatable)"),
         .title = NC_ ("transform", "Show from"),
         .chip = N_ ("Show from: %s"),
         .labels = {[PV_SUBJECT_FUNCTION] = N_ ("S_tart Stacks at This Function")},
         .must_have_expression = true,
         .may_have_expression = true,
         .takes_subject = true,
         .leaves_out = true},
    [PV_TRANSFORM_COLLAPSE_RECURSION] = {.word = "collapse-recursion",
                                         .bare_option = "collapse-recursion",
                                         .bare_help = N_ ("Show recursive calls as one frame"),
                                         .bare_chip = N_ ("Recursion collapsed"),
                                         .switch_label = N_ ("Collapse Rec_ursion")},
    [PV_TRANSFORM_MERGE_MODULE] = {.word = "merge-module",
                                   .option = "merge-module",
                                   .option_help = N_ (
                                       "Show the frames of a matching module as one (repeatable)"),
                                   .title = NC_ ("transform", "Merge module"),
                                   .chip = N_ ("Merge module: %s"),
                                   .labels = {[PV_SUBJECT_MODULE] =
                                                  N_ ("_Merge Into One Function")},
                                   .must_have_expression = true,
                                   .may_have_expression = true},
    [PV_TRANSFORM_MY_CODE] =
        {.word = "my-code",
         .option = "my-code-is",
         .option_help = N_ ("The same, with REGEX as the rule for what is your own code"),
         .bare_option = "my-code",
         .bare_help =
             N_ ("Show only your own code: no libraries of the system, no run time of a language"),
         .title = NC_ ("transform", "My code"),
         .chip = N_ ("My code: %s"),
         .bare_chip = N_ ("My code"),
         .switch_label = N_ ("Only M_y Code"),
         .may_have_expression = true,
         .takes_subject = true,
         .leaves_out = true},
    [PV_TRANSFORM_HIDE_ALLOCATORS] =
        {.word = "hide-allocators",
         .option = "allocators",
         .option_help = N_ ("Hide functions that only allocate, and those that match"),
         .off_option = "show-allocators",
         .off_help = N_ ("Do not hide allocator functions in heap profiles"),
         .chip = N_ ("Allocators hidden, and %s"),
         .bare_chip = N_ ("Allocators hidden"),
         .switch_label = N_ ("Hide _Allocators"),
         .applies = allocates,
         .may_have_expression = true,
         .takes_subject = true},
    [PV_TRANSFORM_DROP] = {.word = "drop-frames",
                           .off_option = "show-dropped",
                           .off_help = N_ ("Show frames that the profile says to leave out"),
                           .bare_chip = N_ ("Frames dropped by the file"),
                           .switch_label = N_ ("_Drop Frames Listed in the File"),
                           .applies = drops_frames,
                           .must_have_expression = true,
                           .may_have_expression = true},
};

const PvGroupingInfo pv_groupings[PV_N_GROUPINGS] = {
    [PV_GROUP_NONE] = {.word = "none", .label = NC_ ("grouping", "_Nothing"), .heading = ""},
    [PV_GROUP_PROCESS] = {.word = "process",
                          .label = NC_ ("grouping", "_Process"),
                          .chip = N_ ("By process"),
                          .heading = NC_ ("column", "Process")},
    [PV_GROUP_THREAD] = {.word = "thread",
                         .label = NC_ ("grouping", "_Thread"),
                         .chip = N_ ("By thread"),
                         .heading = NC_ ("column", "Thread")},
    [PV_GROUP_CPU] = {.word = "cpu",
                      .label = NC_ ("grouping", "P_rocessor"),
                      .chip = N_ ("By CPU"),
                      .heading = NC_ ("column", "CPU"),
                      .rest = N_ ("(no CPU)")},
    [PV_GROUP_MODULE] = {.word = "module",
                         .label = NC_ ("grouping", "_Module of the Function"),
                         .chip = N_ ("By module"),
                         .heading = NC_ ("column", "Of module"),
                         .rest = N_ ("(no module)"),
                         .is_of_stacks = true},
    [PV_GROUP_FILE] = {.word = "file",
                       .label = NC_ ("grouping", "_File of the Function"),
                       .chip = N_ ("By file"),
                       .heading = NC_ ("column", "Of file"),
                       .rest = N_ ("(no file)"),
                       .is_of_stacks = true},
    [PV_GROUP_PACKAGE] = {.word = "package",
                          .label = NC_ ("grouping", "P_ackage of the Function"),
                          .chip = N_ ("By package"),
                          .heading = NC_ ("column", "Package"),
                          .rest = N_ ("(no package)"),
                          .is_of_stacks = true},
    [PV_GROUP_LABEL] = {.word = "label:",
                        /* Translators: a label's key. */
                        .label = NC_ ("grouping", "Label %s"),
                        /* Translators: stacks are grouped by the values of a label; its key. */
                        .chip = N_ ("By label %s"),
                        /* Translators: samples without a label of this key */
                        .rest = N_ ("(no %s)")},
};

const PvOriginInfo pv_origins[PV_N_ORIGINS] = {
    [PV_ORIGIN_PROCESS] = {.grouping = PV_GROUP_PROCESS,
                           .option = "process",
                           .option_help = N_ ("Only processes with this name or id (repeatable)"),
                           .except_help =
                               N_ ("Without processes with this name or id (repeatable)"),
                           .value = NC_ ("option value", "NAME|PID"),
                           .only_one = "%s",
                           .only_several = N_ ("Processes: %s"),
                           .except_one = N_ ("Without process %s"),
                           .except_several = N_ ("Without processes %s"),
                           .missing = N_ ("no process is called “%s”")},
    [PV_ORIGIN_THREAD] = {.grouping = PV_GROUP_THREAD,
                          .option = "thread",
                          .option_help = N_ ("Only threads with this name or id (repeatable)"),
                          .except_help = N_ ("Without threads with this name or id (repeatable)"),
                          .value = NC_ ("option value", "NAME|TID"),
                          .only_one = "%s",
                          .only_several = N_ ("Threads: %s"),
                          .except_one = N_ ("Without thread %s"),
                          .except_several = N_ ("Without threads %s"),
                          .missing = N_ ("no thread is called “%s”")},
    [PV_ORIGIN_CPU] = {.grouping = PV_GROUP_CPU,
                       .option = "cpu",
                       .option_help = N_ ("Only these CPUs, such as 0-3,7 (repeatable)"),
                       .except_help = N_ ("Without these CPUs (repeatable)"),
                       .value = NC_ ("option value", "LIST"),
                       .only_one = N_ ("CPU %s"),
                       .only_several = N_ ("CPUs: %s"),
                       .except_one = N_ ("Without CPU %s"),
                       .except_several = N_ ("Without CPUs %s")},
};

PvOrigin
pv_grouping_get_origin (PvGrouping grouping)
{
    PvOrigin origin = 0;
    while (origin < PV_N_ORIGINS && pv_origins[origin].grouping != grouping)
        origin++;
    return origin;
}
