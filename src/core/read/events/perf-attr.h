/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/read/events/perf-session.h"

/* Values of struct perf_event_attr's fields, named as in linux/perf_event.h. */
#define PERF_SAMPLE_IP            (1u << 0)
#define PERF_SAMPLE_TID           (1u << 1)
#define PERF_SAMPLE_TIME          (1u << 2)
#define PERF_SAMPLE_ADDR          (1u << 3)
#define PERF_SAMPLE_READ          (1u << 4)
#define PERF_SAMPLE_CALLCHAIN     (1u << 5)
#define PERF_SAMPLE_ID            (1u << 6)
#define PERF_SAMPLE_CPU           (1u << 7)
#define PERF_SAMPLE_PERIOD        (1u << 8)
#define PERF_SAMPLE_STREAM_ID     (1u << 9)
#define PERF_SAMPLE_RAW           (1u << 10)
#define PERF_SAMPLE_BRANCH_STACK  (1u << 11)
#define PERF_SAMPLE_REGS_USER     (1u << 12)
#define PERF_SAMPLE_STACK_USER    (1u << 13)
#define PERF_SAMPLE_WEIGHT        (1u << 14)
#define PERF_SAMPLE_DATA_SRC      (1u << 15)
#define PERF_SAMPLE_IDENTIFIER    (1u << 16)
#define PERF_SAMPLE_TRANSACTION   (1u << 17)
#define PERF_SAMPLE_REGS_INTR     (1u << 18)
#define PERF_SAMPLE_PHYS_ADDR     (1u << 19)
#define PERF_SAMPLE_WEIGHT_STRUCT (1u << 24)
/* Fields that tell of a memory access. */
#define PERF_SAMPLE_ACCESS                                                                         \
    (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_WEIGHT_STRUCT)

#define PERF_FORMAT_TOTAL_TIME_ENABLED 1u
#define PERF_FORMAT_TOTAL_TIME_RUNNING 2u
#define PERF_FORMAT_ID                 4u
#define PERF_FORMAT_GROUP              8u
#define PERF_FORMAT_LOST               16u

#define PERF_BRANCH_CALL_STACK (1u << 11)
#define PERF_BRANCH_HW_INDEX   (1u << 17)
#define PERF_BRANCH_COUNTERS   (1u << 19)

#define PERF_TYPE_HARDWARE   0u
#define PERF_TYPE_SOFTWARE   1u
#define PERF_TYPE_TRACEPOINT 2u
#define PERF_TYPE_HW_CACHE   3u
#define PERF_TYPE_RAW        4u
#define PERF_TYPE_BREAKPOINT 5u

#define PERF_COUNT_SW_CPU_CLOCK        0u
#define PERF_COUNT_SW_TASK_CLOCK       1u
#define PERF_COUNT_SW_CONTEXT_SWITCHES 3u
#define PERF_COUNT_SW_DUMMY            9u
#define PERF_COUNT_SW_BPF_OUTPUT       10u

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

/* perf_event_attr and what is derived from it. */
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
    uint64_t sample_regs_intr;
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
    bool is_at_switch;   /* its samples are taken as threads leave their CPU */
    bool has_fields;     /* those of its tracepoint are kept with its samples */
    uint32_t tracepoint; /* its index + 1; 0: unknown, or another kind of event */
    uint32_t set;        /* sample set in the builder, if has_set */
} PerfAttr;

static inline bool
perf_attr_has_flag (const PerfAttr *attr, PerfAttrFlag flag)
{
    return (attr->flags >> flag & 1) != 0;
}

/* True if call stacks are recorded as register and stack dumps. */
static inline bool
perf_attr_is_dwarf (const PerfAttr *attr)
{
    return (attr->sample_type & PERF_SAMPLE_REGS_USER) != 0 &&
           (attr->sample_type & PERF_SAMPLE_STACK_USER) != 0;
}

/* True if samples say how long something took, in cycles. */
static inline bool
perf_attr_has_weight (const PerfAttr *attr)
{
    return (attr->sample_type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) != 0;
}

/* The events of the recording. */
struct PerfEvents {
    PV_ARRAY (PerfAttr) attrs;
    PvIdMap attr_of_id;        /* -> index + 1 */
    bool mixed_layouts;        /* TIME is not at the same offset in all */
    bool has_sets;             /* every attribute has a sample set */
    bool has_cpu_time;         /* some event measures time on a CPU */
    bool begins_with_waits;    /* the first event is of each context switch: waits are looked for */
    bool has_states;           /* sched_switch says why threads leave their CPU */
    bool has_switches;         /* there is sched_switch at all */
    bool is_sampling_switches; /* it is, but not of each: by a frequency, or a period above 1 */
    bool has_all_enters;       /* there is an event of all system calls that begin, ... */
    bool has_all_exits;        /* ... of all that return */
    bool has_contention;       /* lock:contention_begin says when threads begin to wait */
    bool has_waking;           /* there is sched_waking, ... */
    bool has_wakeups;          /* ... or another event that says when threads can run again */
};

PerfEvents *perf_events_new (void);
void perf_events_free (PerfEvents *events);

/* Reads an attribute of size_bytes bytes and derives offsets. False if it is too short. */
bool perf_attr_parse (PerfAttr *ret_attr, const uint8_t *data, size_t size_bytes, bool swap);
/* Adds a copy of the attribute with its ids: n_ids u64 in the file's byte order. */
void perf_attr_add (PerfSession *session, const PerfAttr *attr, const uint8_t *ids, size_t n_ids);
/* The attribute of a record of at least 8 bytes, or NULL. Valid until the next perf_attr_add (). */
PerfAttr *perf_attr_of_record (const PerfSession *session, const uint8_t *record, uint32_t type,
                               size_t size_bytes);
PerfAttr *perf_attr_of_id (const PerfSession *session, uint64_t id);
/* Copies the name; an empty one is ignored. */
void perf_attr_set_name (PerfSession *session, PerfAttr *attr, const char *name);
/* Hash of all that affects how records are read in the attributes, including their names. */
uint64_t perf_events_hash (const PerfSession *session);
/* Creates sample sets for attributes without one. Call before the first sample and at the end. */
void perf_attr_make_sets (PerfSession *session);
/* Adds facts and notes about the attributes. Call after perf_attr_make_sets (). */
void perf_attr_describe (PerfSession *session);
