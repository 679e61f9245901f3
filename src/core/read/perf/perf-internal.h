/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/idmap.h"
#include "core/base/pool.h"
#include "core/model/profile/address-space.h"
#include "core/read/unpack/reader.h"

/*
 * What the files of the perf.data reader share. Data flows one way:
 *
 *   perf-data.c      header, attributes, features, which bytes are records
 *     perf-stream.c  walks records, unpacks COMPRESSED ones
 *     perf-threads.c walks several packed streams side by side
 *       perf-queue.c   puts them in order of time
 *         perf-decode.c  takes samples apart ahead of their turn, many at once
 *         perf-records.c side-band records -> perf-maps.c (processes, threads, modules)
 *         perf-sample.c  SAMPLE records -> perf-stacks.c (chains, stack dumps) -> builder
 *                                            perf-leaf.c (callers that AArch64 chains lack)
 *
 * Names of record types, sample bits and features are those of the kernel's and perf's headers.
 */
typedef enum {
    PERF_RECORD_MMAP = 1,
    PERF_RECORD_LOST = 2,
    PERF_RECORD_COMM = 3,
    PERF_RECORD_EXIT = 4,
    PERF_RECORD_THROTTLE = 5,
    PERF_RECORD_UNTHROTTLE = 6,
    PERF_RECORD_FORK = 7,
    PERF_RECORD_READ = 8,
    PERF_RECORD_SAMPLE = 9,
    PERF_RECORD_MMAP2 = 10,
    PERF_RECORD_AUX = 11,
    PERF_RECORD_ITRACE_START = 12,
    PERF_RECORD_LOST_SAMPLES = 13,
    PERF_RECORD_SWITCH = 14,
    PERF_RECORD_SWITCH_CPU_WIDE = 15,
    PERF_RECORD_NAMESPACES = 16,
    PERF_RECORD_KSYMBOL = 17,
    PERF_RECORD_BPF_EVENT = 18,
    PERF_RECORD_CGROUP = 19,
    PERF_RECORD_TEXT_POKE = 20,
    PERF_RECORD_AUX_OUTPUT_HW_ID = 21,
    PERF_RECORD_CALLCHAIN_DEFERRED = 22,

    PERF_RECORD_USER_TYPE_START = 64,
    PERF_RECORD_HEADER_ATTR = 64,
    PERF_RECORD_HEADER_EVENT_TYPE = 65,
    PERF_RECORD_HEADER_TRACING_DATA = 66,
    PERF_RECORD_HEADER_BUILD_ID = 67,
    PERF_RECORD_FINISHED_ROUND = 68,
    PERF_RECORD_AUXTRACE = 71,
    PERF_RECORD_AUXTRACE_ERROR = 72,
    PERF_RECORD_STAT_CONFIG = 75,
    PERF_RECORD_STAT_ROUND = 77,
    PERF_RECORD_EVENT_UPDATE = 78,
    PERF_RECORD_TIME_CONV = 79,
    PERF_RECORD_HEADER_FEATURE = 80,
    PERF_RECORD_COMPRESSED = 81,
    PERF_RECORD_COMPRESSED2 = 83,
    PERF_RECORD_USER_TYPE_KNOWN = 86, /* the last one we know of */
    PERF_RECORD_SIMPLEPERF_START = 32768,
    PERF_RECORD_SIMPLEPERF_END = 33024,
} PerfRecordType;

#define PERF_MISC_CPUMODE_MASK     7u
#define PERF_MISC_PROC_MAP_TIMEOUT (1u << 12)
#define PERF_MISC_MMAP_DATA        (1u << 13)
#define PERF_MISC_COMM_EXEC        (1u << 13)
#define PERF_MISC_FORK_EXEC        (1u << 13)
#define PERF_MISC_SWITCH_OUT       (1u << 13)
#define PERF_MISC_MMAP_BUILD_ID    (1u << 14)
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

#define PERF_SAMPLE_IP           (1u << 0)
#define PERF_SAMPLE_TID          (1u << 1)
#define PERF_SAMPLE_TIME         (1u << 2)
#define PERF_SAMPLE_ADDR         (1u << 3)
#define PERF_SAMPLE_READ         (1u << 4)
#define PERF_SAMPLE_CALLCHAIN    (1u << 5)
#define PERF_SAMPLE_ID           (1u << 6)
#define PERF_SAMPLE_CPU          (1u << 7)
#define PERF_SAMPLE_PERIOD       (1u << 8)
#define PERF_SAMPLE_STREAM_ID    (1u << 9)
#define PERF_SAMPLE_RAW          (1u << 10)
#define PERF_SAMPLE_BRANCH_STACK (1u << 11)
#define PERF_SAMPLE_REGS_USER    (1u << 12)
#define PERF_SAMPLE_STACK_USER   (1u << 13)
#define PERF_SAMPLE_IDENTIFIER   (1u << 16)

#define PERF_FORMAT_TOTAL_TIME_ENABLED 1u
#define PERF_FORMAT_TOTAL_TIME_RUNNING 2u
#define PERF_FORMAT_ID                 4u
#define PERF_FORMAT_GROUP              8u
#define PERF_FORMAT_LOST               16u

/* Times from here on are made up: of waits that were added up. */
#define PERF_FAKE_TIME_LOW UINT64_C (0xffffffff00000000)

#define PERF_BRANCH_CALL_STACK (1u << 11)
#define PERF_BRANCH_HW_INDEX   (1u << 17)
#define PERF_BRANCH_COUNTERS   (1u << 19)

#define PERF_TYPE_HARDWARE   0u
#define PERF_TYPE_SOFTWARE   1u
#define PERF_TYPE_TRACEPOINT 2u
#define PERF_TYPE_HW_CACHE   3u
#define PERF_TYPE_RAW        4u
#define PERF_TYPE_BREAKPOINT 5u

#define PERF_COUNT_SW_CPU_CLOCK  0u
#define PERF_COUNT_SW_TASK_CLOCK 1u
#define PERF_COUNT_SW_DUMMY      9u
#define PERF_COUNT_SW_BPF_OUTPUT 10u

/* Bits of the flag word of perf_event_attr. */
typedef enum {
    PERF_ATTR_INHERIT = 1,
    PERF_ATTR_EXCLUDE_USER = 4,
    PERF_ATTR_EXCLUDE_KERNEL = 5,
    PERF_ATTR_EXCLUDE_HV = 6,
    PERF_ATTR_FREQ = 10,
    PERF_ATTR_PRECISE_LOW = 15, /* two bits */
    PERF_ATTR_SAMPLE_ID_ALL = 18,
    PERF_ATTR_EXCLUDE_HOST = 19,
    PERF_ATTR_EXCLUDE_GUEST = 20,
    PERF_ATTR_EXCLUDE_CALLCHAIN_USER = 22,
    PERF_ATTR_COMM_EXEC = 24,
    PERF_ATTR_USE_CLOCKID = 25,
} PerfAttrFlag;

/* perf_event_attr, and what follows from it. */
typedef struct {
    uint32_t type;
    uint64_t config;
    uint64_t sample_period; /* or frequency */
    uint64_t sample_type;
    uint64_t read_format;
    uint64_t flags;
    uint64_t branch_sample_type;
    uint64_t sample_regs_user;
    uint32_t sample_stack_user;
    uint32_t clockid;
    uint16_t sample_max_stack;

    const char *name;       /* NULL until known; in the session's arena */
    uint32_t time_offset;   /* of TIME in a SAMPLE record; 0: none */
    uint32_t id_offset;     /* of the id in a SAMPLE record; 0: none */
    uint32_t time_from_end; /* in other records with a trailer; 0: none */
    uint32_t id_from_end;
    uint32_t trailer_size_bytes;
    bool has_set;
    bool is_offcpu_time;
    uint32_t sched_switch; /* index + 1 of its tracepoint; 0: another event */
    uint32_t set;
} PerfAttr;

static inline bool
perf_attr_has_flag (const PerfAttr *attr, PerfAttrFlag flag)
{
    return (attr->flags >> flag & 1) != 0;
}

/* Call stacks come as register and stack dumps. */
static inline bool
perf_attr_is_dwarf (const PerfAttr *attr)
{
    return (attr->sample_type & PERF_SAMPLE_REGS_USER) != 0 &&
           (attr->sample_type & PERF_SAMPLE_STACK_USER) != 0;
}

/* A name and offsets taken from the format text of a tracepoint. */
typedef struct {
    uint64_t id;
    const char *name; /* "sched:sched_switch" */
    /* sched_switch only; sizes 0 if the field is missing */
    uint32_t prev_pid_offset, next_pid_offset;
    bool has_pids;
} PerfTracepoint;

/* A stack, or the place in the batch of dumps that will become one. */
typedef struct {
    PvStackId stack;
    uint8_t end;
    uint32_t pending; /* index + 1 in the batch; 0: stack is valid */
} PerfStackRef;

typedef struct PerfJit PerfJit;

/* Who shares an address space, and how many mappings it has had. */
typedef struct {
    uint32_t n_sharers;
    uint32_t n_mappings;
} PerfSpaceUse;

typedef struct {
    int32_t pid;
    int32_t container_pid; /* 0: unknown */
    const char *comm;      /* in the session's arena; NULL: unknown */
    uint64_t start_ns, end_ns;
    PvProcessId row;       /* 0: none in the profile yet */
    PvAddressSpace *space; /* shared with forks until one changes it; NULL: nothing mapped */
    PerfSpaceUse *space_use;
    PvModuleId jit_module; /* the anonymous code of this process; 0: none yet */
    PerfJit *jit;          /* NULL: no jitdump */
    uint32_t in_batch;     /* serial of the batch that holds stacks of it */
    bool has_main;         /* its program has been seen */
} PerfProcess;

typedef struct {
    int32_t tid;
    PerfProcess *process;
    const char *comm; /* NULL: that of the process */
    uint64_t start_ns, end_ns;
    PvThreadId row;
    PerfStackRef last_stack; /* of its latest sample */
    PerfStackRef off_stack;
    uint64_t off_since_ns; /* 0: on a CPU */
    bool off_has_stack;    /* off_stack comes from a sched_switch sample */
    uint16_t off_cpu;
} PerfThread;

/* One part of unpacked data; aligned to its size, so that a record's address leads to it. */
typedef struct PerfChunk {
    struct PerfChunk *next;
    size_t len;       /* bytes used, including this header */
    size_t n_pending; /* records that wait for their turn */
    bool is_filling;
} PerfChunk;

#define PERF_CHUNK_BYTES ((size_t)1 << 20)

/* A record that waits for its turn. Its size is kept because the file may change under us. */
typedef struct {
    uint64_t time_ns;
    const uint8_t *record;
    uint32_t size_bytes;
    bool is_unpacked; /* it is in a chunk */
} PerfQueued;

/* What is needed of a SAMPLE record whose chain has been seen before. */
typedef struct {
    PvHash chain;  /* of the addresses and of what they depend on within the record */
    uint32_t attr; /* index + 1; 0: the record must be taken apart when its turn comes */
    uint32_t pid, tid;
    uint16_t cpu; /* or PV_CPU_UNKNOWN */
    bool has_chain;
    uint64_t period;
} PerfDecoded;

typedef struct {
    PV_ARRAY (PerfQueued) items;
    PV_ARRAY (PerfQueued) scratch;
    PV_ARRAY (size_t) runs; /* starts of ascending runs in items */
    PV_ARRAY (PerfDecoded) decoded;
    PvPool *pool; /* NULL: not needed yet */
    uint64_t next_flush_ns;
    uint64_t max_ns;
    bool ignores_rounds;
} PerfQueue;

typedef struct {
    uint32_t set;
    uint64_t weight;
} PerfTarget;

/* A sample whose stack is not known yet: a dump in the batch, or a deferred chain. */
typedef struct {
    PvNewSample sample;
    PerfThread *thread;
    uint32_t first_target, n_targets;
    uint32_t first_location, n_locations; /* kernel part, leaf first */
    uint64_t cookie;                      /* deferred chains */
    uint64_t user_ip;                     /* for when nothing can be unwound */
    bool has_user_ip;
} PerfPending;

/* An off-CPU interval that waits for the stack of a batch entry. */
typedef struct {
    PerfThread *thread;
    uint32_t pending;
    uint16_t cpu;
    uint64_t start_ns, duration_ns;
} PerfPendingInterval;

/* A SAMPLE record taken apart. Pointers are into the record. */
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
    uint64_t leaf_caller; /* to be put behind the first address of the program; 0: nothing */
    uint8_t mode;         /* PerfMode of the ip */
    bool has_chain;
    bool swap;
} PerfSample;

/* Where an address was found last. */
typedef struct {
    uint64_t addr;
    uint64_t spaces; /* generations of both address spaces */
    uint32_t how;    /* mode and kind of location, + 1 */
    PvLocationId location;
} PerfLocationSlot;

#define PERF_LOCATION_SLOTS 8192u

/* The chain made last, root first, and the stack of each of its frames. */
typedef struct {
    PV_ARRAY (PvLocationId) locations;
    PV_ARRAY (PvStackId) stacks;
} PerfLastChain;

#define PERF_LAST_CHAINS 8u

/* Whether the function at a place had its return address in a register there. */
typedef struct {
    uint64_t pc;
    uint32_t generation; /* of the address space; 0: free */
    bool returns_by_register;
} PerfLeafSlot;

#define PERF_LEAF_SLOTS 4096u

/* 96 bits of a chain's hash and what it stands for, in a quarter of a cache line. */
typedef struct {
    uint64_t a;
    uint32_t b;
    uint32_t value; /* 0: free */
} PerfChainSlot;

typedef struct {
    PerfChainSlot *cache; /* raw chain, address spaces -> stack; NULL: nothing yet */
    uint32_t cache_mask;
    uint32_t cache_len;
    PerfLocationSlot *location_cache;
    PerfLeafSlot *leaf_slots; /* NULL: not needed yet */
    PV_ARRAY (PvLocationId) locations;
    PerfLastChain last_chains[PERF_LAST_CHAINS]; /* by thread */

    PV_ARRAY (PvRawStack) raw; /* the batch: parallel to pending */
    PV_ARRAY (PvRawResult) results;
    PV_ARRAY (PerfPending) pending;
    PV_ARRAY (PerfTarget) targets;
    PV_ARRAY (PvLocationId) kernel_locations;
    PV_ARRAY (PerfPendingInterval) intervals;
    PvArena *registers; /* converted copies, for the batch */
    uint64_t batch_bytes;
    uint32_t batch_serial; /* from 1 */

    PV_ARRAY (PerfPending) deferred;
} PerfStacks;

typedef struct {
    uint8_t id[PV_BUILD_ID_MAX];
    uint8_t size;
    bool is_ambiguous; /* several ids for this path */
} PerfBuildId;

typedef struct {
    PvArena *arena;         /* processes, threads, names */
    PvIdMap process_of_pid; /* -> index + 1 */
    PvIdMap thread_of_tid;
    PerfThread *recent_threads[16]; /* by the low bits of tid */
    PV_ARRAY (PerfProcess *) processes;
    PV_ARRAY (PerfThread *) threads;
    PV_ARRAY (PerfProcess *) ended; /* whose address space can go soon */
    size_t n_ended_done;
    PvAddressSpace *kernel, *guest_kernel;
    uint64_t n_mappings;      /* of all processes */
    PvModuleId kernel_module; /* the kernel proper; 0: no map of it seen */
    PvHashMap module_of_key;  /* path and identity -> module */
    GHashTable *build_ids;    /* path -> PerfBuildId */
    PerfBuildId kernel_build_id;
    PerfJit *bpf_code, *trampolines;
    PV_ARRAY (PerfJit *) jits;              /* of processes */
    PV_ARRAY (PerfProcess *) jit_processes; /* with a jitdump */
    uint64_t next_jit_ns;                   /* when code is loaded next */
} PerfMaps;

typedef struct {
    uint64_t shift, mult, zero;
    bool is_known;
} PerfTimeConversion;

typedef struct PerfSession PerfSession;

/* Where packed records come from: the file, or one of a directory. */
typedef struct {
    PvMappedFile *file; /* owned by the session */
    void *zstd;         /* ZSTD_DStream; NULL until needed */
    PerfChunk *chunk;   /* being filled; NULL until needed */
    size_t parsed;      /* bytes of chunk that have become records */
    bool is_broken;     /* the packed stream cannot go on */
    /* A survey only looks for times: */
    bool is_survey;
    uint64_t earliest_ns;    /* of the records since this was set */
    uint64_t surveyed_bytes; /* unpacked */
} PerfSource;

struct PerfSession {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PV_ARRAY (PvMappedFile *) files; /* the first is the main one; references */
    bool swap;
    bool is_pipe;
    PvArch arch;
    PvArena *arena;

    PV_ARRAY (PerfAttr) attrs;
    PvIdMap attr_of_id;  /* -> index + 1 */
    PvIdMap value_of_id; /* -> index + 1 in read_values */
    PV_ARRAY (uint64_t) read_values;
    bool mixed_layouts; /* attributes differ in where TIME is */
    bool has_sets;

    PV_ARRAY (PerfTracepoint) tracepoints;
    PV_ARRAY (PerfTarget) targets; /* of the sample at hand */

    PerfQueue queue;
    PerfStacks stacks;
    PerfMaps maps;
    PerfTimeConversion time_conversion;

    PerfChunk *chunks; /* unpacked data with records that wait */
    size_t chunk_bytes;
    uint64_t unpacked_bytes;

    uint32_t off_cpu_set; /* + 1; 0: none yet */
    bool has_cpu_time;    /* some event measures time on a CPU */
    uint64_t n_records, n_samples;
    uint64_t n_lost, n_lost_chunks, n_throttled, n_unknown_id, n_bad_records, n_unknown_type;
    uint64_t n_auxtrace, n_aux_truncated, n_map_timeouts;
    uint64_t walked_bytes;    /* of all files */
    uint64_t delivered_bytes; /* since pages were last given back */
    size_t round_start;       /* offsets in the main file */
    size_t released;
    bool has_rounds;
    uint64_t dir_version; /* 0: not a directory of streams */
    bool is_cancelled;
    bool is_stat; /* written by perf stat */
};

/* --- perf-attr.c --- */

/* Reads an attribute of size_bytes bytes and derives offsets. False if it is too short. */
bool perf_attr_parse (PerfAttr *attr, const uint8_t *data, size_t size_bytes, bool swap);
/* Adds an attribute with ids of its own (bytes of u64). */
void perf_attr_add (PerfSession *session, const PerfAttr *attr, const uint8_t *ids, size_t n_ids);
/* The attribute of a record (header checked) or NULL. */
PerfAttr *perf_attr_of_record (const PerfSession *session, const uint8_t *record, uint32_t type,
                               size_t size_bytes);
PerfAttr *perf_attr_of_id (const PerfSession *session, uint64_t id);
/* The name perf would make up. In the session's arena. */
const char *perf_attr_make_name (PerfSession *session, const PerfAttr *attr);
void perf_attr_set_name (PerfSession *session, PerfAttr *attr, const char *name);
/* Makes sample sets for attributes that have none; before the first sample and at the end. */
void perf_attr_make_sets (PerfSession *session);
/* Facts and notes that follow from the attributes. */
void perf_attr_describe (PerfSession *session);

/* --- perf-features.c --- */

/* One feature section, or the payload of a HEADER_FEATURE record. */
void perf_feature_read (PerfSession *session, uint32_t feature, const uint8_t *data,
                        size_t size_bytes);
/* One build-id record (HEADER_BUILD_ID layout, header included). */
void perf_feature_build_id (PerfSession *session, const uint8_t *record, size_t size_bytes,
                            bool has_pid);

/* --- perf-tracing.c --- */

void perf_tracing_read (PerfSession *session, const uint8_t *data, size_t size_bytes);
const PerfTracepoint *perf_tracing_find (const PerfSession *session, uint64_t id);

/* --- perf-stream.c --- */

void perf_source_init (PerfSource *source, PvMappedFile *file);
void perf_source_clear (PerfSession *session, PerfSource *source);
/* Walks the records in a part of the source's file. False when cancelled. */
bool perf_stream_walk (PerfSession *session, PerfSource *source, size_t start, size_t end);
/* Looks at records from start up to one that holds packed ones, or to end, and takes nothing but
 * their times: the earliest goes to source->earliest_ns. The offset behind them; end where the walk
 * would stop. Any thread, with a source of its own. */
size_t perf_stream_survey (PerfSession *session, PerfSource *source, size_t start, size_t end);
/* Frees unpacked data without waiting records, when much has gathered. */
void perf_stream_reclaim (PerfSession *session);
void perf_stream_clear (PerfSession *session);

/* --- perf-threads.c --- */

/* Whether the streams beside the main file hold packed records. */
bool perf_threads_are_packed (const PerfSession *session);
/* Walks the streams beside the main file side by side. False when cancelled. */
bool perf_threads_walk (PerfSession *session);

/* --- perf-queue.c --- */

static inline PerfChunk *
perf_chunk_of (const uint8_t *record)
{
    return (PerfChunk *)((uintptr_t)record & ~(uintptr_t)(PERF_CHUNK_BYTES - 1));
}

static inline void
perf_queue_push (PerfSession *session, uint64_t time_ns, const uint8_t *record, size_t size_bytes,
                 bool is_unpacked)
{
    PerfQueue *queue = &session->queue;
    PerfQueued item = {time_ns, record, (uint32_t)size_bytes, is_unpacked};
    if (is_unpacked)
        perf_chunk_of (record)->n_pending++;
    pv_array_push (&queue->items, item);
    /* Made-up times of aggregated off-CPU samples say nothing about the others. */
    if (time_ns > queue->max_ns && time_ns < PERF_FAKE_TIME_LOW)
        queue->max_ns = time_ns;
}

void perf_queue_finish_round (PerfSession *session);
/* Delivers what is earlier than time_ns. */
void perf_queue_deliver_before (PerfSession *session, uint64_t time_ns);
/* Delivers everything. */
void perf_queue_flush (PerfSession *session);
void perf_queue_clear (PerfQueue *queue);

/* --- perf-records.c --- */

/* A record of the kernel whose turn has come. */
void perf_record_deliver (PerfSession *session, const uint8_t *record, size_t size_bytes,
                          uint64_t time_ns);
/* A record perf itself wrote, other than packed ones and those that end a round. */
void perf_record_user (PerfSession *session, uint32_t type, uint16_t misc, const uint8_t *record,
                       size_t size_bytes);
/* Counts of what was lost become notes. */
void perf_record_finish (PerfSession *session);

/* --- perf-sample.c --- */

/* Takes a SAMPLE record apart; false if it is damaged. Pointers are into the record. */
bool perf_sample_parse (PerfSample *ret_sample, const PerfAttr *attr, const uint8_t *record,
                        size_t size_bytes, bool swap);
void perf_sample_deliver (PerfSession *session, const uint8_t *record, size_t size_bytes);

/* --- perf-decode.c --- */

/* Takes the SAMPLE records among n queued ones apart as far as that depends on nothing else, with
 * all processors; queue->decoded is parallel to items. */
void perf_decode (PerfSession *session, const PerfQueued *items, size_t n);
/* Delivers one that was taken apart. */
void perf_decode_deliver (PerfSession *session, const PerfQueued *item, const PerfDecoded *decoded);

/* --- perf-stacks.c --- */

/* Adds the sample to session->targets once its stack is known. */
void perf_stacks_add (PerfSession *session, const PerfAttr *attr, PerfThread *thread,
                      PerfSample *sample, const PvNewSample *base);
/* The hash of what the stack of a sample without a dump follows from, its address spaces aside. */
PvHash perf_stacks_hash (const PerfSample *sample);
/* Adds a sample that was taken apart ahead of its turn; false if it is damaged. */
bool perf_stacks_add_decoded (PerfSession *session, const PerfAttr *attr, PerfThread *thread,
                              const PerfDecoded *decoded, const PvNewSample *base,
                              const uint8_t *record, size_t size_bytes);
/* Fetches what perf_stacks_add_decoded () will look at. */
void perf_stacks_prefetch (PerfSession *session, const PerfDecoded *decoded);
/* A CALLCHAIN_DEFERRED record. */
void perf_stacks_resolve_deferred (PerfSession *session, PerfThread *thread, uint64_t cookie,
                                   const uint8_t *ips, size_t n_ips);
/* No deferred chain will come any more for the thread (NULL: for any). */
void perf_stacks_drop_deferred (PerfSession *session, const PerfThread *thread);
/* Call before a process's address space changes. */
void perf_stacks_before_change (PerfSession *session, const PerfProcess *process);
/* Unwinds the batch. */
void perf_stacks_flush (PerfSession *session);
void perf_stacks_clear (PerfStacks *stacks);

/* --- perf-leaf.c --- */

/* Whether samples of the event come with what tells the innermost function's caller. */
bool perf_leaf_is_wanted (const PerfSession *session, const PerfAttr *attr);
/* The return address that belongs behind the innermost address of the program, or 0 if the chain
 * has it already or nobody knows. */
uint64_t perf_leaf_find_caller (PerfSession *session, const PerfAttr *attr, PerfThread *thread,
                                const PerfSample *sample);

/* --- perf-maps.c --- */

typedef struct {
    int32_t pid;
    uint64_t start, size_bytes, file_offset;
    const char *path;
    uint32_t prot;        /* PROT_EXEC etc.; assumed executable where not recorded */
    uint32_t flags;       /* of mmap () */
    uint8_t identity[24]; /* device and inode */
    bool has_identity;
    uint8_t build_id[20];
    uint8_t build_id_size;
    uint8_t mode;
} PerfMap;

void perf_maps_init (PerfSession *session);
void perf_maps_clear (PerfSession *session);
PerfProcess *perf_maps_process (PerfSession *session, int32_t pid, uint64_t time_ns);
PerfThread *perf_maps_thread (PerfSession *session, int32_t pid, int32_t tid, uint64_t time_ns);
/* The thread if it is among those sampled lately. */
static inline PerfThread *
perf_maps_find_recent (const PerfSession *session, int32_t tid)
{
    const PerfMaps *maps = &session->maps;
    PerfThread *recent = maps->recent_threads[(uint32_t)tid % G_N_ELEMENTS (maps->recent_threads)];
    return recent != NULL && recent->tid == tid ? recent : NULL;
}
/* The thread if it is known. */
PerfThread *perf_maps_find_thread (PerfSession *session, int32_t tid);
/* The thread's row in the profile. */
PvThreadId perf_maps_thread_row (PerfSession *session, PerfThread *thread);
void perf_maps_add (PerfSession *session, const PerfMap *map, uint64_t time_ns);
void perf_maps_fork (PerfSession *session, int32_t pid, int32_t tid, int32_t ppid, int32_t ptid,
                     bool is_synthesized, uint64_t time_ns);
void perf_maps_exit (PerfSession *session, int32_t pid, int32_t tid, uint64_t time_ns);
void perf_maps_comm (PerfSession *session, int32_t pid, int32_t tid, const char *comm, bool is_exec,
                     uint64_t time_ns);
void perf_maps_ksymbol (PerfSession *session, uint64_t addr, uint64_t size_bytes, uint16_t type,
                        bool is_removal, const char *name);
/* A build-id that came apart from the maps; applied to what is known and to what comes. */
void perf_maps_build_id (PerfSession *session, const char *path, uint8_t mode, const uint8_t *id,
                         uint8_t size);
/* The process's address space, made if there is none, for reading. */
PvAddressSpace *perf_maps_get_space (PerfSession *session, PerfProcess *process);
/* Puts the generated code in place that was there at time_ns. */
void perf_maps_advance_jit (PerfSession *session, uint64_t time_ns);
/* Where an address lies. kind says whether to look before it. */
PvLocationId perf_maps_locate (PerfSession *session, const PerfProcess *process, PerfMode mode,
                               uint64_t runtime_addr, PvLocationKind kind);
/* Completes modules with what only became known during reading. */
void perf_maps_finish (PerfSession *session);

/* --- perf-off-cpu.c --- */

/* A sched_switch sample: prev leaves the CPU with this stack, next comes back. */
void perf_off_cpu_sched_switch (PerfSession *session, const PerfTracepoint *tracepoint,
                                const PerfSample *sample, PerfThread *thread);
/* A SWITCH or SWITCH_CPU_WIDE record. */
void perf_off_cpu_switch (PerfSession *session, PerfThread *thread, bool is_out, uint16_t cpu,
                          uint64_t time_ns);
/* The stack of a batch entry has become known. */
void perf_off_cpu_resolve (PerfSession *session, PerfThread *thread, uint32_t pending,
                           PvStackId stack, uint8_t end);
void perf_off_cpu_add (PerfSession *session, PerfThread *thread, PvStackId stack, uint8_t end,
                       uint16_t cpu, uint64_t start_ns, uint64_t duration_ns);

/* --- jitdump.c --- */

/* One piece of generated code from some time on. */
typedef struct {
    uint64_t time_ns;
    uint64_t start;
    uint64_t size_bytes;
    uint32_t layer; /* how many others it lies on top of */
    uint32_t first_range, n_ranges;
} PerfJitLoad;

/* Generated code in layers: code that overlaps older code goes one layer up, and each layer is a
 * module, so an address has one name per module. */
PerfJit *perf_jit_new (void);
void perf_jit_free (PerfJit *jit);
/* Adds code with its names (copied, strings too) and returns its layer. */
uint32_t perf_jit_add (PerfJit *jit, uint64_t start, uint64_t size_bytes,
                       const PvNamedRange *ranges, size_t n_ranges);
/* The module of a layer, made with this template if it is new. */
PvModuleId perf_jit_module (PerfJit *jit, PvProfileBuilder *builder, uint32_t layer,
                            const PvModule *template_);
/* Makes an existing module the one of layer 0. */
void perf_jit_set_base_module (PerfJit *jit, PvModuleId module);
/* Hands the names of all layers to the builder. */
void perf_jit_publish (PerfJit *jit, PvProfileBuilder *builder);
/* Whether a path is that of a jitdump, and the pid in it. */
bool perf_jit_is_dump_path (const char *path, int32_t *ret_pid);
/* Reads a jitdump; times are converted with conversion where it says so, and left out (0) if
 * is_untimed. False if it is none. */
bool perf_jit_read_dump (PerfJit *jit, const uint8_t *data, size_t size_bytes,
                         const PerfTimeConversion *conversion, bool is_untimed);
/* The next load not later than time_ns, or NULL; each is given once. */
const PerfJitLoad *perf_jit_next (PerfJit *jit, uint64_t time_ns);
/* When the next load is; UINT64_MAX after the last. */
uint64_t perf_jit_get_next_time (const PerfJit *jit);

/* --- small loads --- */

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
