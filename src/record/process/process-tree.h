/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A process and its descendants, followed through /proc. Children are found through their parents;
 * once seen, they are followed even if the parent is gone. Limited in number and time; one thread.
 */
typedef struct PvProcessTree PvProcessTree;

PvProcessTree *pv_process_tree_new (pid_t root);
void pv_process_tree_free (PvProcessTree *tree);

/* CPU usage since the last call: 1.0 is one busy CPU; -1 on the first call. */
double pv_process_tree_measure (PvProcessTree *tree, unsigned *ret_n_processes);

/* The processes as pid_t; g_array_unref () it. Not to be mixed with measuring. */
GArray *pv_process_tree_list (PvProcessTree *tree);

/* Sends signal to a group at once (0: no group), and to the root and those descendants that
 * are in this session but not in the group. Returns the number of the latter. */
unsigned pv_process_tree_signal (PvProcessTree *tree, int signal, pid_t session, pid_t group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvProcessTree, pv_process_tree_free)
