/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"

/* A program that reads a text and writes another one. */
typedef struct {
    const char *const *argv; /* argv[0] is looked up in PATH; NULL-terminated */
    const char *input;       /* for its standard input */
    size_t input_len;
    size_t max_output; /* bytes; more is an error */
    unsigned max_ms;   /* it is killed after that long */
    size_t max_memory; /* bytes of its address space; 0: no limit */
} PvProgramRun;

/* Runs it, without a shell and in a session of its own, until it ends, and returns what it wrote to
 * standard output; its messages are lost. NULL with a G_SPAWN_ERROR (NOENT: there is no such
 * program; TOO_BIG: it wrote too much, or took too long; FAILED: anything else), or with
 * PV_JOB_ERROR_CANCELLED, at most 50 ms after that; then it is killed. Blocks; any thread. */
GString *pv_run_program (const PvProgramRun *run, PvJob *job, GError **error);
