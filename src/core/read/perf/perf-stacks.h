/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/perf/perf-maps.h"
#include "core/read/perf/perf-sample.h"

/* A sample set that a sample goes into, and with which weight. */
typedef struct {
    uint32_t set;
    uint64_t weight;
} PerfTarget;

/* A sample whose stack is to be found: whose it is and which sets it goes into. */
typedef struct {
    PvNewSample base; /* without the stack */
    PerfThread *thread;
    const PerfTarget *targets; /* copied if they are needed later */
    size_t n_targets;
} PerfNewSample;

/* What is needed of a SAMPLE record whose chain has been seen before. */
typedef struct {
    PvHash chain;  /* perf_sample_hash_chain () */
    uint32_t attr; /* index + 1; 0: parse the record when its turn comes */
    uint32_t pid, tid;
    uint16_t cpu; /* or PV_CPU_UNKNOWN */
    bool has_chain;
    uint64_t period;
} PerfDecoded;

PerfStacks *perf_stacks_new (void);
void perf_stacks_free (PerfStacks *stacks);

/* Adds the sample to its sets, now or once its stack is known. The record's bytes must stay until
 * then: perf_stacks_flush (). */
void perf_stacks_add (PerfSession *session, const PerfAttr *attr, const PerfNewSample *new_sample,
                      PerfSample *sample);
/* Adds a sample that was decoded ahead of its turn; false if its record is damaged. */
bool perf_stacks_add_decoded (PerfSession *session, const PerfAttr *attr,
                              const PerfNewSample *new_sample, const PerfDecoded *decoded,
                              const uint8_t *record, size_t size_bytes);
/* Fetches the memory that perf_stacks_add_decoded () will look at. */
void perf_stacks_prefetch (PerfSession *session, const PerfDecoded *decoded);
/* A CALLCHAIN_DEFERRED record. */
void perf_stacks_resolve_deferred (PerfSession *session, PerfThread *thread, uint64_t cookie,
                                   const uint8_t *ips, size_t n_ips);
/* No deferred chain will come any more for the thread (NULL: for any). */
void perf_stacks_drop_deferred (PerfSession *session, const PerfThread *thread);
/* A PerfBeforeChange: unwinds the batch if it needs the process's address space. */
void perf_stacks_before_change (PerfSession *session, const PerfProcess *process);
/* Unwinds the batch. */
void perf_stacks_flush (PerfSession *session);
