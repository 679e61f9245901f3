/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/cursor.h"
#include "core/read/events/perf-attr.h"
#include "core/read/events/perf-session.h"

/* perf makes up times from here on for aggregated off-CPU samples. */
#define PERF_FAKE_TIME_LOW UINT64_C (0xffffffff00000000)

/* The fields of a SAMPLE record. Pointers are into the record. */
typedef struct {
    uint64_t ip;
    uint64_t time_ns;
    uint64_t period;
    uint64_t id;
    uint32_t pid, tid;
    uint32_t cpu;
    uint32_t n_ips;
    const uint8_t *ips; /* u64[n_ips] in the file's byte order */
    const uint8_t *raw;
    uint32_t raw_size_bytes;
    uint32_t n_branches;
    const uint8_t *branches; /* {u64 from, to, flags}[n_branches] */
    const uint8_t *registers;
    uint32_t n_registers;
    bool is_32bit;
    const uint8_t *stack;
    uint32_t stack_size_bytes;
    const uint8_t *read; /* read_format values */
    uint32_t read_size_bytes;
    uint64_t data_address;     /* 0: not recorded; so are the others */
    uint64_t physical_address; /* of the data */
    uint64_t access;           /* see core/model/fields/memory-access.h */
    uint64_t weight;           /* in cycles */
    uint64_t leaf_caller;      /* inserted after the innermost user address; 0: none */
    uint8_t mode;              /* PerfMode of the ip */
    bool has_chain;
    bool swap;
} PerfSample;

/* Parses a SAMPLE record of at least 8 bytes; false if it is damaged. Any thread. */
bool perf_sample_parse (PerfSample *ret_sample, const PerfAttr *attr, const uint8_t *record,
                        size_t size_bytes, bool swap);
/* Hash of everything that determines the stack of a sample without a dump, except the address
 * spaces. Any thread. */
PvHash perf_sample_hash_chain (const PerfSample *sample);
/* PV_CPU_UNKNOWN: too large, or not recorded. */
static inline uint16_t
perf_sample_get_cpu (const PerfSample *sample)
{
    return (uint16_t)MIN (sample->cpu, PV_CPU_UNKNOWN);
}

/* Takes a u64 count and that many elements; NULL and cursor->failed if fewer are left. */
const uint8_t *perf_take_array (PvCursor *cursor, size_t element_size, uint32_t *ret_count);
