/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/read/text/text.h"

/*
 * Threads of a text that tells the name and the numbers of the thread with each sample, as they
 * were then: a thread, and a process, whose name is that of its main thread, have a row for each
 * of their names. Where numbers of processes are not told, each name is a process.
 */
typedef struct {
    uint32_t number;
    int32_t pid;
    PvProcessId row; /* under its name, in a text that is in order the latest; 0: none yet */
    bool is_guessed; /* that is the name of a thread, as nothing was told of its main thread yet */
} PvTextProcess;

/* A thread, under one of its names. */
typedef struct {
    uint32_t process;        /* in processes */
    PvProcessId process_row; /* that it was placed in; 0: nowhere yet */
    PvThreadId row;
} PvTextTask;

typedef struct {
    PvProfileBuilder *builder;
    bool is_in_order;     /* the text is sorted by time */
    bool numbers_unknown; /* processes without a number get different ones, below 0 */
    int32_t last_unknown; /* of these */
    PV_ARRAY (PvTextProcess) processes;
    PV_ARRAY (PvTextTask) tasks;
    PvHashMap task_of_name;    /* by name and numbers; + 1 */
    PvIdMap process_of_pid;    /* + 1 */
    PvHashMap process_of_comm; /* where pids are not told; + 1 */
    PvHashMap rows;            /* in the profile, of processes and threads by name */
} PvTextTasks;

void pv_text_tasks_init (PvTextTasks *tasks, PvProfileBuilder *builder, bool is_in_order);
void pv_text_tasks_clear (PvTextTasks *tasks);
uint64_t pv_text_tasks_count_bytes (const PvTextTasks *tasks);

/* The row of a sample's thread. A new row has the highest id of all until now. Negative numbers are
 * not told. */
PvThreadId pv_text_tasks_get (PvTextTasks *tasks, PvText comm, int32_t pid, int32_t tid);
