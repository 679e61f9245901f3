/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/job.h"

/*
 * Folded stacks, the input of flame graph scripts: one line per distinct stack, frames root first
 * and separated by ';', a space, and a weight, which is below zero where more was taken away than
 * added. Stacks without weight are left out. Lines are sorted by their bytes.
 *
 * The caller passes a tree of names from the root down; the writer merges siblings with the same
 * name. In names, ';' becomes ':' and control characters become spaces. Not thread-safe.
 */
typedef struct PvFoldedWriter PvFoldedWriter;

PvFoldedWriter *pv_folded_writer_new (void);
void pv_folded_writer_free (PvFoldedWriter *writer);

/* The node with that name below parent (0: the root), created on first use. */
uint32_t pv_folded_writer_node (PvFoldedWriter *writer, uint32_t parent, const char *name);

/* Adds to the weight of the stack that ends at node. */
void pv_folded_writer_add (PvFoldedWriter *writer, uint32_t node, int64_t weight);

/* Writes all lines. False with a G_FILE_ERROR, or when cancelled. */
bool pv_folded_writer_write (PvFoldedWriter *writer, FILE *file, PvJob *job, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFoldedWriter, pv_folded_writer_free)
