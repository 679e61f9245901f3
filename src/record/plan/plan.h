/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/plan/recorders.h"

/*
 * Plan of a recording: its target and method. Used by the dialog, the command line and the list of
 * recent launches. Plain data; any thread.
 */
typedef enum {
    PV_TARGET_LAUNCH, /* argv, folder, environment, max_memory_bytes */
    PV_TARGET_ATTACH, /* pid */
    PV_TARGET_SYSTEM, /* all processes, until stopped */
} PvTargetKind;

typedef enum {
    PV_CALL_GRAPH_DWARF, /* stack_bytes of each stack are copied */
    PV_CALL_GRAPH_FP,
    PV_CALL_GRAPH_LBR,
    PV_CALL_GRAPH_NONE,
    PV_N_CALL_GRAPHS,
} PvCallGraph;

enum {
    PV_RECORD_DEFAULT_FREQUENCY_HZ = 999,
    PV_RECORD_DEFAULT_STACK_BYTES = 16384,
    PV_RECORD_MAX_STACK_BYTES = 65528, /* perf's own limit */
    PV_RECORD_MAX_BUFFER_MIB = 1024,
    PV_RECORD_DEFAULT_ROUNDS = 5,
    PV_RECORD_MAX_ROUNDS = 100,
};

struct PvRecordPlan {
    PvRecordKind kind;
    PvTargetKind target;

    /* For PV_TARGET_ATTACH in the list of launches: the program of the process to choose. */
    char **argv;        /* argv[0] without a slash is searched in PATH; no shell is involved */
    char *folder;       /* working directory; NULL: ours */
    char **environment; /* "NAME=VALUE", added to ours; NULL: none */
    uint64_t max_memory_bytes; /* limit of the address space (RLIMIT_AS); 0: none */
    /* Base and new, recorded in turn, see turns.h; NULL: argv is what is recorded. With them, argv
     * is the command that they are put into, and may be NULL. */
    char **programs;
    unsigned n_rounds;    /* runs of each program; 0: one recording, without a number */
    double until_percent; /* no more runs once the change is known to so many percent; 0: all */

    pid_t pid;

    PvCallGraph call_graph;
    unsigned stack_bytes;  /* for PV_CALL_GRAPH_DWARF; a multiple of 8; 0: the default */
    unsigned frequency_hz; /* 0: the default */
    /* perf's buffer for each CPU, a power of two; 0: as pv_perf_get_buffer_mib () says, or what the
     * system allows. */
    unsigned buffer_mib;
    char **events; /* perf's names; NULL: cycles, or cpu-clock without hardware counters */

    /* For jemalloc: bytes to allocate between two dumps; 0: 64 MiB. */
    uint64_t dump_interval_bytes;

    bool is_privileged; /* perf runs with administrator rights, by pkexec; the target never does */
    bool leaves_target; /* the launched program continues when recording is stopped */
    char *output; /* file (for jemalloc: folder) to write; NULL: in the folder of recordings */
};

/* A plan with the defaults: perf with DWARF stacks. */
PvRecordPlan *pv_record_plan_new (void);
PvRecordPlan *pv_record_plan_copy (const PvRecordPlan *plan);
void pv_record_plan_free (PvRecordPlan *plan);

/* "fp", "dwarf", "lbr", "none": the values of --call-graph. */
const char *pv_call_graph_get_id (PvCallGraph call_graph);
bool pv_call_graph_find (const char *id, PvCallGraph *ret_call_graph);

/* NULL if the plan is complete and possible. Otherwise a sentence for the user, static: for an
 * empty argv, jemalloc with a running process, heaptrack with the whole system. Ignores fields that
 * do not apply to its kind and target, such as the frequency for heaptrack. */
const char *pv_record_plan_find_fault (const PvRecordPlan *plan);

/* The equivalent command line, quoted for a shell: "perf record --call-graph dwarf,16384 -F 999 --
 * ./server --port 80". For people to read and for the recording's summary; never run. */
char *pv_record_plan_format_command (const PvRecordPlan *plan);
/* Parts of it, for recorders: the program with its arguments, and any target, as "-p 4711", "-a" or
 * the program. */
void pv_record_plan_append_program (const PvRecordPlan *plan, GString *command);
void pv_record_plan_append_target (const PvRecordPlan *plan, GString *command);

/* Splits a typed command line like g_shell_parse_argv (), without expanding anything: "$(x)" is
 * these four characters. Leading NAME=VALUE words are the environment (NULL: none). Free both with
 * g_strfreev (). False with a G_SHELL_ERROR for an unclosed quote or a missing program. */
bool pv_record_parse_typed (const char *typed, char ***ret_argv, char ***ret_environment,
                            GError **error);
/* The inverse: the text to type, as UTF-8, with invalid bytes replaced. environment may be NULL;
 * leaves out variables whose names a shell does not accept. g_free () it. */
char *pv_record_format_typed (const char *const *argv, const char *const *environment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvRecordPlan, pv_record_plan_free)
