/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/text/text-tasks.h"

void
pv_text_tasks_init (PvTextTasks *tasks, PvProfileBuilder *builder, bool is_in_order)
{
    g_assert (tasks != NULL && builder != NULL);
    *tasks = (PvTextTasks){.builder = builder, .is_in_order = is_in_order};
}

void
pv_text_tasks_clear (PvTextTasks *tasks)
{
    pv_array_clear (&tasks->processes);
    pv_array_clear (&tasks->tasks);
    pv_hash_map_clear (&tasks->task_of_name);
    pv_id_map_clear (&tasks->process_of_pid);
    pv_hash_map_clear (&tasks->process_of_comm);
    pv_hash_map_clear (&tasks->rows);
}

uint64_t
pv_text_tasks_count_bytes (const PvTextTasks *tasks)
{
    uint64_t n_hash_slots =
        (uint64_t)tasks->task_of_name.mask + tasks->process_of_comm.mask + tasks->rows.mask + 3;
    return n_hash_slots * sizeof (PvHashSlot) +
           ((uint64_t)tasks->process_of_pid.mask + 1) * sizeof (PvIdSlot) +
           tasks->processes.cap * sizeof (PvTextProcess) + tasks->tasks.cap * sizeof (PvTextTask);
}

/* The key of a process's row, or of that of a thread with its number in such a row. */
static PvHash
hash_row (bool is_thread, uint32_t owner, int32_t tid, PvText comm)
{
    const uint64_t words[] = {is_thread, owner, (uint32_t)tid};
    return pv_text_hash (comm, pv_hash_bytes (words, sizeof words, 0).a);
}

static PvProcessId
add_process_row (PvTextTasks *tasks, const PvTextProcess *process, PvText comm)
{
    g_autofree char *name = pv_text_copy (comm);
    return pv_profile_builder_add_process (tasks->builder, process->pid, name, 0);
}

/* The row under the name of its main thread. */
static PvProcessId
name_process (PvTextTasks *tasks, PvTextProcess *process, PvText comm)
{
    uint32_t *slot = pv_hash_map_slot (&tasks->rows, hash_row (false, process->number, 0, comm));
    if (*slot == 0 && process->is_guessed) {
        g_autofree char *name = pv_text_copy (comm);
        *slot = process->row;
        pv_profile_builder_name_process (tasks->builder, process->row, name);
    } else if (*slot == 0) {
        *slot = add_process_row (tasks, process, comm);
    }
    if (tasks->is_in_order || process->row == 0)
        process->row = *slot;
    process->is_guessed = false;
    return *slot;
}

/* The row that a thread is in which is not the main one. Without an order that is the process with
 * the thread's name, if there is one: a program's threads begin with the name of the program. */
static PvProcessId
find_process_row (PvTextTasks *tasks, PvTextProcess *process, PvText comm)
{
    if (process->row == 0) {
        process->row = add_process_row (tasks, process, comm);
        process->is_guessed = true;
    }
    if (tasks->is_in_order)
        return process->row;
    PvProcessId named = pv_hash_map_find (&tasks->rows, hash_row (false, process->number, 0, comm));
    return named != 0 ? named : process->row;
}

static PvThreadId
place_task (PvTextTasks *tasks, PvTextTask *task, PvText comm, int32_t pid, int32_t tid)
{
    PvTextProcess *process = &tasks->processes.data[task->process];
    bool is_main = pid < 0 || pid == tid;
    task->process_row =
        is_main ? name_process (tasks, process, comm) : find_process_row (tasks, process, comm);
    uint32_t *slot = pv_hash_map_slot (&tasks->rows, hash_row (true, task->process_row, tid, comm));
    if (*slot == 0) {
        g_autofree char *name = pv_text_copy (comm);
        int32_t number = tid < 0 && tasks->numbers_unknown ? process->pid : tid;
        *slot = pv_profile_builder_add_thread (tasks->builder, task->process_row, number, name, 0);
    }
    return task->row = *slot;
}

static uint32_t
add_task (PvTextTasks *tasks, PvText comm, int32_t pid)
{
    uint32_t *slot = pid >= 0 ? pv_id_map_slot (&tasks->process_of_pid, (uint64_t)pid)
                              : pv_hash_map_slot (&tasks->process_of_comm, pv_text_hash (comm, 0));
    if (*slot == 0) {
        *slot = (uint32_t)tasks->processes.len + 1;
        PvTextProcess process = {.number = *slot, .pid = MAX (pid, -1)};
        if (pid < 0 && tasks->numbers_unknown)
            process.pid = --tasks->last_unknown;
        pv_array_push (&tasks->processes, process);
    }
    PvTextTask task = {.process = *slot - 1};
    pv_array_push (&tasks->tasks, task);
    return (uint32_t)tasks->tasks.len;
}

PvThreadId
pv_text_tasks_get (PvTextTasks *tasks, PvText comm, int32_t pid, int32_t tid)
{
    uint64_t numbers = (uint64_t)(uint32_t)pid << 32 | (uint32_t)tid;
    uint32_t *slot = pv_hash_map_slot (&tasks->task_of_name, pv_text_hash (comm, numbers));
    if (*slot == 0)
        *slot = add_task (tasks, comm, pid);
    PvTextTask *task = &tasks->tasks.data[*slot - 1];
    bool is_placed = tasks->is_in_order
                         ? task->process_row == tasks->processes.data[task->process].row
                         : task->process_row != 0;
    return is_placed && task->row != 0 ? task->row : place_task (tasks, task, comm, pid, tid);
}
