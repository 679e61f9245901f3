/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/mapped-file.h"
#include "core/base/pool.h"
#include "core/model/build/builder.h"
#include "core/model/build/losses.h"
#include "core/model/profile/perf-format.h"
#include "core/model/profile/raw-stack.h"
#include "core/read/simpleperf/simpleperf.h"
#include "core/read/unpack/reader.h"

/*
 * Shared by all files of the perf.data reader: the session, flags of records, and loads in the
 * file's byte order. Each part of the session is defined in the header of the file that owns it.
 * From input to profile, each file calling only those below it:
 *
 *   perf-data         header, attributes, where the records are
 *   perf-threads      interleaves several compressed streams
 *   perf-stream       walks records, decompresses them
 *   perf-queue        sorts records by time
 *   perf-records      records other than samples
 *   perf-deliver      samples, decoded ahead by several threads
 *   perf-features     facts about the recording
 *   perf-stacks       turns call chains and stack dumps into stacks
 *   perf-off-cpu      turns context switches into waits
 *   perf-leaf         callers missing from AArch64 chains
 *   perf-maps         processes, threads, modules and their mappings
 *   jitdump           code generated at run time
 *   simpleperf        additions of Android's simpleperf
 *   perf-sample       the fields of a SAMPLE record
 *   perf-attr         events: struct perf_event_attr
 *   perf-tracing      names and fields of tracepoints
 *
 * Record types, sample bits and features are named as in the kernel's and perf's headers.
 */
#define PERF_MISC_CPUMODE_MASK     7u
#define PERF_MISC_PROC_MAP_TIMEOUT (1u << 12)
#define PERF_MISC_MMAP_DATA        (1u << 13)
#define PERF_MISC_COMM_EXEC        (1u << 13)
#define PERF_MISC_FORK_EXEC        (1u << 13)
#define PERF_MISC_SWITCH_OUT       (1u << 13)
#define PERF_MISC_MMAP_BUILD_ID    (1u << 14)
#define PERF_MISC_SWITCH_PREEMPT   (1u << 14)
#define PERF_MISC_BUILD_ID_SIZE    (1u << 15)
#define PERF_MISC_LOST_SAMPLES_BPF (1u << 15)

typedef enum {
    PERF_MODE_UNKNOWN,
    PERF_MODE_KERNEL,
    PERF_MODE_USER,
    PERF_MODE_HYPERVISOR,
    PERF_MODE_GUEST_KERNEL,
    PERF_MODE_GUEST_USER,
} PerfMode;

typedef struct PerfDelivery PerfDelivery;
typedef struct PerfEvents PerfEvents;
typedef struct PerfLeaf PerfLeaf;
typedef struct PerfMaps PerfMaps;
typedef struct PerfOffCpu PerfOffCpu;
typedef struct PerfQueue PerfQueue;
typedef struct PerfStacks PerfStacks;
typedef struct PerfStream PerfStream;
typedef struct PerfTracing PerfTracing;

/* Counts that become notes. */
typedef struct {
    uint64_t n_records, n_samples;
    uint64_t n_lost_records, n_gaps; /* losses by LOST records, and the number of these */
    uint64_t n_lost_samples;
    uint64_t n_throttled, n_unknown_id, n_bad_records, n_unknown_type;
    uint64_t n_records_left_out;   /* fields of tracepoints that were too much to keep */
    uint64_t n_addresses_left_out; /* samples that lack a label with an address */
    uint64_t n_auxtrace, n_aux_truncated, n_map_timeouts;
} PerfCounts;

typedef struct PerfSession PerfSession;

struct PerfSession {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    int64_t start_us;
    /* Called between blocks of records with the number of sorted records still to be delivered:
     * offers a preview. NULL: not wanted, or over. */
    void (*after_block) (PerfSession *session, size_t n_left);
    PV_ARRAY (PvMappedFile *) files; /* the first is the main one; references */
    PvArena *arena;                  /* event names */
    PvPool *pool;                    /* NULL: not needed yet */
    PvArch arch;
    bool swap; /* the file has the other byte order */
    bool is_pipe;
    bool is_stat;       /* written by perf stat */
    bool is_unfinished; /* the recorder did not write its end */
    bool is_cancelled;
    bool is_full;         /* the budget is spent: nothing more is taken */
    uint64_t last_ns;     /* the latest time of a delivered record */
    uint64_t walked_ns;   /* the time of the last record that was read and has one */
    uint64_t read_bytes;  /* walked and unpacked so far */
    uint64_t dir_version; /* 0: not a directory of streams */

    PerfTracing *tracing;
    PerfEvents *events;
    PerfMaps *maps;
    PerfLeaf *leaf;
    PerfOffCpu *off_cpu;
    PerfStacks *stacks;
    PerfDelivery *delivery;
    PerfQueue *queue;
    PerfStream *stream;
    PerfCounts counts;
    PvLossList lost_records, lost_samples; /* when, of the counts with these names */

    PvSimpleperf *simpleperf;     /* its additions, if it wrote the file */
    bool has_call_addresses;      /* callers have the address of a call, not of what follows */
    const uint8_t *first_records; /* of a feature; before all others */
    size_t first_records_size_bytes;
};

/* The thread pool for decoding. */
static inline PvPool *
perf_session_get_pool (PerfSession *session)
{
    if (session->pool == NULL)
        session->pool = pv_pool_new (session->context->n_workers);
    return session->pool;
}

/* True if an address may become a label. Each new one costs a text, a value in lists, and a set of
 * labels, so their number is limited. `addresses` has those with a label. */
#define PERF_MAX_ADDRESS_LABELS 16384u
static inline bool
perf_keep_address (PvIdMap *addresses, uint64_t address)
{
    bool is_full = addresses->len >= PERF_MAX_ADDRESS_LABELS;
    if (is_full && pv_id_map_find (addresses, address) == 0)
        return false;
    *pv_id_map_slot (addresses, address) = 1;
    return true;
}

static inline uint64_t
perf_load_u64 (const uint8_t *p, bool swap)
{
    uint64_t value;
    memcpy (&value, p, sizeof value);
    return swap ? GUINT64_SWAP_LE_BE (value) : value;
}

static inline uint32_t
perf_load_u32 (const uint8_t *p, bool swap)
{
    uint32_t value;
    memcpy (&value, p, sizeof value);
    return swap ? GUINT32_SWAP_LE_BE (value) : value;
}

static inline uint16_t
perf_load_u16 (const uint8_t *p, bool swap)
{
    uint16_t value;
    memcpy (&value, p, sizeof value);
    return swap ? GUINT16_SWAP_LE_BE (value) : value;
}
