/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/output.h"

/*
 * Files of callgrind, for KCachegrind and callgrind_annotate: functions, each with what its lines
 * cost and what its calls cost with all they do. Names are written once. Writes as it is told. Not
 * thread-safe.
 */
typedef struct PvCallgrindWriter PvCallgrindWriter;

/* A function; NULL: unknown. */
typedef struct {
    const char *object; /* the path of the program or library */
    const char *file;
    const char *name;
} PvCallgrindFunction;

/* Events are words without blanks; costs are one for each, as are totals, of it all. command may be
 * NULL. Borrows out, which reports errors. */
PvCallgrindWriter *pv_callgrind_writer_new (PvWriter *out, const char *command,
                                            const char *const *events, uint32_t n_events,
                                            const uint64_t *totals);
void pv_callgrind_writer_free (PvCallgrindWriter *writer);

/* Begins a function: the lines and calls that follow are part of it. */
void pv_callgrind_writer_begin_function (PvCallgrindWriter *writer,
                                         const PvCallgrindFunction *function);
/* Adds costs of a line itself. file: NULL is that of the function; line: 0 if unknown. */
void pv_callgrind_writer_add_line (PvCallgrindWriter *writer, const char *file, uint32_t line,
                                   const uint64_t *costs);
/* Adds costs of calls from a line. */
void pv_callgrind_writer_add_call (PvCallgrindWriter *writer, const char *file, uint32_t line,
                                   const PvCallgrindFunction *callee, uint32_t callee_line,
                                   const uint64_t *costs);

/* After this the writer can only be freed. */
void pv_callgrind_writer_finish (PvCallgrindWriter *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCallgrindWriter, pv_callgrind_writer_free)
