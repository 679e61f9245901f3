/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What is to be recorded and how: what the dialog, the command line and the list of recent launches
 * have in common. Plain data; any thread.
 */
typedef enum {
    PV_RECORD_PERF,      /* time on the CPU, or other events that perf counts */
    PV_RECORD_OFF_CPU,   /* time off the CPU: perf's context switches */
    PV_RECORD_HEAPTRACK, /* every allocation: heaptrack, raw */
    PV_RECORD_JEMALLOC,  /* a series of jemalloc's dumps */
    PV_N_RECORD_KINDS,
} PvRecordKind;

typedef enum {
    PV_TARGET_LAUNCH, /* argv, folder, environment, max_memory_bytes */
    PV_TARGET_ATTACH, /* pid */
    PV_TARGET_SYSTEM, /* perf only: all processes, until it is stopped */
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
};

typedef struct {
    PvRecordKind kind;
    PvTargetKind target;

    /* Of PV_TARGET_ATTACH in the list of launches: the program of a process that is to be found. */
    char **argv;        /* argv[0] without a slash is looked for in PATH; never a shell's words */
    char *folder;       /* to work in; NULL: ours */
    char **environment; /* "NAME=VALUE", on top of ours; NULL: nothing */
    uint64_t max_memory_bytes; /* of address space (RLIMIT_AS); 0: no limit */

    pid_t pid;

    PvCallGraph call_graph;
    unsigned stack_bytes;  /* of PV_CALL_GRAPH_DWARF; a multiple of 8; 0: the default */
    unsigned frequency_hz; /* 0: the default */
    char **events;         /* names perf knows; NULL: cycles, or cpu-clock where there are none */

    /* Of jemalloc: a dump whenever so much more has been allocated; 0: 64 MiB. */
    uint64_t dump_interval_bytes;

    bool is_privileged; /* perf runs with rights, by pkexec; the target never does */
    bool leaves_target; /* when recording is stopped, the launched program goes on */
    char *output; /* file to write (of jemalloc: folder); NULL: one in the folder of recordings */
} PvRecordPlan;

/* A plan with defaults, of perf with dwarf stacks. */
PvRecordPlan *pv_record_plan_new (void);
PvRecordPlan *pv_record_plan_copy (const PvRecordPlan *plan);
void pv_record_plan_free (PvRecordPlan *plan);

/* "perf", "offcpu", "heaptrack", "jemalloc": what --record takes. */
const char *pv_record_kind_get_id (PvRecordKind kind);
bool pv_record_kind_find (const char *id, PvRecordKind *ret_kind);
/* "fp", "dwarf", "lbr", "none": what --call-graph takes. */
const char *pv_call_graph_get_id (PvCallGraph call_graph);
bool pv_call_graph_find (const char *id, PvCallGraph *ret_call_graph);

/* Whether it says all that is needed and nothing that cannot be (jemalloc of a running process, a
 * whole system under heaptrack, an empty argv). Otherwise a sentence for the user, static. What
 * does not apply to its kind and target is not looked at: a frequency for heaptrack, a folder of a
 * running process. */
const char *pv_record_plan_find_fault (const PvRecordPlan *plan);

/* What perf record is told about what to count and what to keep of it: "--call-graph",
 * "dwarf,16384", "-F", "999", "-e", "cycles". Of PV_RECORD_PERF and _OFF_CPU; nothing about the
 * target and the file. Free with g_strfreev (). */
char **pv_record_plan_make_perf_options (const PvRecordPlan *plan);

/* The command line that does the same by hand, quoted for a shell: "perf record --call-graph
 * dwarf,16384 -F 999 -- ./server --port 80". For people to read and for the recording's summary;
 * never run. */
char *pv_record_plan_format_command (const PvRecordPlan *plan);

/* Splits a command line that the user typed, as g_shell_parse_argv () does: nothing is expanded or
 * run, "$(x)" is these four characters. Leading NAME=VALUE words are the environment (NULL: there
 * are none). Free both with g_strfreev (). False with a G_SHELL_ERROR for an open quote, or if no
 * program is named. */
bool pv_record_parse_typed (const char *typed, char ***ret_argv, char ***ret_environment,
                            GError **error);
/* The other direction: the text to type, in UTF-8; bytes that are not are replaced. environment may
 * be NULL; variables with names that a shell would not take are left out. g_free () it. */
char *pv_record_format_typed (const char *const *argv, const char *const *environment);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvRecordPlan, pv_record_plan_free)
