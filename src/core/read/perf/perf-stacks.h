/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/events/perf-sample.h"
#include "core/read/perf/perf-maps.h"

/* A sample set to add a sample to, and its weights there: what its event counts, and, if the event
 * has it, the sample's own weight. */
typedef struct {
    uint32_t set;
    uint64_t weights[2];
} PerfTarget;

/* A sample without its stack, its thread, and the sets to add it to. */
typedef struct {
    PvNewSample base; /* without the stack */
    PerfThread *thread;
    const PerfTarget *targets; /* copied if they are needed later */
    size_t n_targets;
} PerfNewSample;

/* The part of a SAMPLE record that is needed if its chain has been seen before. */
typedef struct {
    PvHash chain;  /* perf_sample_hash_chain () */
    uint32_t attr; /* index + 1; 0: parse the record when it is delivered */
    uint32_t pid, tid;
    uint16_t cpu; /* or PV_CPU_UNKNOWN */
    bool has_chain;
    uint64_t period;
} PerfDecoded;

PerfStacks *perf_stacks_new (void);
void perf_stacks_free (PerfStacks *stacks);

/* Adds the sample to its sets, now or once its stack is known. The record's bytes must stay valid
 * until perf_stacks_flush (). */
void perf_stacks_add (PerfSession *session, const PerfAttr *attr, const PerfNewSample *new_sample,
                      PerfSample *sample);
/* Adds a sample that was decoded ahead; false if its record is damaged. */
bool perf_stacks_add_decoded (PerfSession *session, const PerfAttr *attr,
                              const PerfNewSample *new_sample, const PerfDecoded *decoded,
                              const uint8_t *record, size_t size_bytes);
/* Prefetches the memory that perf_stacks_add_decoded () will read. */
void perf_stacks_prefetch (PerfSession *session, const PerfDecoded *decoded);
/* Handles a CALLCHAIN_DEFERRED record. */
void perf_stacks_resolve_deferred (PerfSession *session, PerfThread *thread, uint64_t cookie,
                                   const uint8_t *ips, size_t n_ips);
/* Call when no more deferred chains can come for the thread (NULL: for any thread). */
void perf_stacks_drop_deferred (PerfSession *session, const PerfThread *thread);
/* A PerfBeforeChange: unwinds the batch if it needs the process's address space. */
void perf_stacks_before_change (PerfSession *session, const PerfProcess *process);
/* Unwinds the batch. */
void perf_stacks_flush (PerfSession *session);
