/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * The recorders. Each has a room in record/ with a const PvRecorder, from which the options of the
 * command line, the dialog, the lists and the messages are made. A new one adds its line here.
 */
#define PV_RECORDERS(RECORDER)                                                                     \
    RECORDER (PERF, perf)           /* time on the CPU, or other events that perf counts */        \
    RECORDER (OFF_CPU, off_cpu)     /* time off the CPU: perf's context switches */                \
    RECORDER (HEAPTRACK, heaptrack) /* every allocation: heaptrack, raw */                         \
    RECORDER (JEMALLOC, jemalloc)   /* a series of jemalloc's dumps */                             \
    RECORDER (SAMPLY, samply)       /* on and off the CPU: samply, for the Firefox Profiler */

typedef enum {
#define PV_RECORD_KIND(kind, name) PV_RECORD_##kind,
    PV_RECORDERS (PV_RECORD_KIND) PV_N_RECORD_KINDS,
} PvRecordKind;

/* Buttons of the dialog. */
typedef enum {
    PV_RECORD_SUBJECT_CPU,
    PV_RECORD_SUBJECT_OFF_CPU,
    PV_RECORD_SUBJECT_HEAP,
    PV_N_RECORD_SUBJECTS,
} PvRecordSubject;

/* Fields of a plan that only some recorders use. */
typedef enum {
    PV_PLAN_CALL_GRAPH = 1 << 0, /* call_graph, stack_bytes */
    PV_PLAN_FREQUENCY = 1 << 1,
    PV_PLAN_BUFFER = 1 << 2,
    PV_PLAN_EVENTS = 1 << 3,
    PV_PLAN_PRIVILEGED = 1 << 4,
    PV_PLAN_DUMP_INTERVAL = 1 << 5,
} PvPlanFields;

typedef struct PvRecordPlan PvRecordPlan;       /* plan.h */
typedef struct PvRecordMachine PvRecordMachine; /* machine.h */
typedef struct PvCheck PvCheck;                 /* advice/checks-private.h */
typedef struct PvRecorderRun PvRecorderRun;     /* run/recording-private.h */

/* Everything that is known of a recorder. Texts are marked for translation, and translated where
 * they are shown. */
typedef struct {
    const char *id;   /* value of --record, of settings and in the list of launches */
    const char *name; /* not translated; tells it from others with its subject */
    PvRecordSubject subject;
    const char *title;   /* of launches in lists */
    const char *about;   /* a sentence or two: what is recorded, and how */
    const char *waiting; /* for a recording that has nothing to show yet; NULL: waiting for samples
                          */
    const char *program; /* without it in PATH, the dialog does not offer the recorder; NULL: it
                            always does */

    bool can_attach, can_record_system; /* besides launching a program */
    const char *target_fault;           /* why it cannot do the one or the other */
    unsigned fields;                    /* PvPlanFields that it uses */
    unsigned ignored_fields;            /* those that may be given in vain */

    const char *ending;  /* of its file's name */
    bool writes_folder;  /* a series of files in a folder instead of a file */
    bool writes_at_end;  /* there is nothing to read before */
    bool cuts_command;   /* the file may have only the beginning of the command line */
    bool enters_process; /* loads a library into the process, which must be found there */

    /* "12,345 allocations", where amount is n as text; g_free () it. NULL: it records samples. */
    char *(*format_count) (unsigned long n, const char *amount);
    /* Finds a fault of this recorder's fields of the plan, as for
     * pv_record_plan_find_fault (). NULL: no field can have one. */
    const char *(*find_fault) (const PvRecordPlan *plan);
    /* Appends the command line without folder and environment, as for
     * pv_record_plan_format_command (). */
    void (*append_command) (const PvRecordPlan *plan, GString *command);
    /* Adds what only advice needs to know of the machine; NULL: nothing. May block. */
    void (*find_facts) (const PvRecordPlan *plan, PvRecordMachine *machine);
    void (*check) (PvCheck *check); /* adds advice; does not block */
    const PvRecorderRun *run;
} PvRecorder;

#define PV_DECLARE_RECORDER(kind, name) extern const PvRecorder pv_##name##_recorder;
PV_RECORDERS (PV_DECLARE_RECORDER)

const PvRecorder *pv_recorder_get (PvRecordKind kind);
/* By its id. */
bool pv_record_kind_find (const char *id, PvRecordKind *ret_kind);
/* True if it uses one of these PvPlanFields. */
bool pv_record_kind_uses (PvRecordKind kind, unsigned fields);
/* "perf, offcpu, …": the values of --record. g_free () it. */
char *pv_record_kinds_join (void);
