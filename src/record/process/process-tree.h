/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A process and what it started, followed through /proc. Children are found by their parents, and
 * those that were seen once are followed even when their parent has gone. Bounded in number and in
 * time; one thread.
 */
typedef struct PvProcessTree PvProcessTree;

PvProcessTree *pv_process_tree_new (pid_t root);
void pv_process_tree_free (PvProcessTree *tree);

/* CPU since the last call, 1.0 for one that is kept busy; -1 on the first call. */
double pv_process_tree_measure (PvProcessTree *tree, unsigned *ret_n_processes);

/* Sends signal to the root and all others that are in this session, but not those of except_group
 * (0: none); their number. */
unsigned pv_process_tree_signal (PvProcessTree *tree, int signal, pid_t session,
                                 pid_t except_group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvProcessTree, pv_process_tree_free)
