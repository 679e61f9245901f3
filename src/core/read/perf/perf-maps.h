/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/model/build/link-bases.h"
#include "core/model/profile/address-space.h"
#include "core/read/events/perf-session.h"
#include "core/read/jit/jitdump.h"

/* A stack, or an entry in the batch of dumps that will become one. */
typedef struct {
    PvStackId stack;
    uint8_t end;
    uint32_t pending; /* index + 1 in the batch; 0: stack is valid */
} PerfStackRef;

/* A wait for a lock that is not over. Within one for a mutex there may be others for spinlocks, and
 * interrupts have theirs. */
#define PERF_MAX_LOCK_WAITS 4
typedef struct {
    uint64_t lock;
    uint64_t since_ns; /* 0: unused */
    PvThreadId row;    /* of the thread as it began */
    uint64_t flags;    /* UINT64_MAX: unknown */
    PerfStackRef stack;
    uint16_t cpu;
} PerfLockWait;

/* A jitdump of a process. */
typedef struct PerfJit PerfJit;
struct PerfJit {
    PvJitCode *code;
    const char *path;    /* as recorded */
    uint64_t size_bytes; /* when it was read */
    PerfJit *older;      /* of the same process; NULL: none */
};

/* The number of processes that share an address space, and of mappings added to it. */
typedef struct {
    uint32_t n_sharers;
    uint32_t n_mappings;
} PerfSpaceUse;

typedef struct {
    int32_t pid;
    int32_t container_pid; /* 0: unknown */
    const char *comm;      /* its main thread's, in the session's arena; NULL: unknown */
    uint32_t program;      /* serial of the program that it executes */
    uint32_t n_threads;    /* known and not over */
    uint64_t start_ns;     /* since when it has its row */
    uint64_t end_ns;
    PvProcessId row;       /* under its current name; 0: none in the profile yet */
    PvAddressSpace *space; /* shared with forks until one changes it; NULL: nothing mapped */
    PerfSpaceUse *space_use;
    PvModuleId jit_module;   /* its anonymous code; 0: none yet */
    PvModuleId fresh_module; /* the same where a file has been since its jitdump had code there */
    PerfJit *jits;           /* its jitdumps, the newest first; NULL: none */
    PvJitCode *methods;      /* code in files of simpleperf; NULL: none */
    uint32_t in_batch;       /* serial of the latest batch with its stacks */
    PvLinkBases link_bases;
    bool has_main;     /* a mapping of its program was seen */
    bool has_names;    /* code with names of a perf-PID.map was looked for */
    bool has_mappings; /* any was seen, of this program or one before it */
} PerfProcess;

typedef struct {
    int32_t tid;
    uint32_t number; /* among all threads, from 1 on */
    PerfProcess *process;
    const char *comm; /* NULL: that of the process */
    uint64_t start_ns, end_ns;
    PvThreadId row; /* under its current name; valid if process_row still is the process's */
    PvProcessId process_row;
    PerfStackRef last_stack; /* of its latest sample */
    bool is_at_switch;       /* that sample was taken as it left its CPU */
    PerfStackRef off_stack;
    uint64_t off_since_ns; /* 0: on a CPU, or it is not known when it left that */
    PvThreadId off_row;    /* its row as it left that */
    uint64_t seen_ns;      /* its first event since then, which may not tell that; 0: none yet */
    uint16_t off_cpu;
    char off_state;   /* see PvWait.state */
    bool is_on_cpu;   /* it was seen to come to one */
    uint64_t call_ns; /* when it entered a system call; 0: it is in none, as far as is known */
    int64_t call;     /* its number */
    uint16_t call_cpu;
    PvThreadId call_row; /* its row as it entered that */
    PerfStackRef call_stack;
    PerfLockWait *lock_waits; /* PERF_MAX_LOCK_WAITS, in the arena; NULL: it had none */
    uint64_t woken_ns;        /* since it left the CPU; 0: not yet */
    PvThreadId waker;
    PerfStackRef waker_stack;
} PerfThread;

typedef struct {
    uint8_t id[PV_BUILD_ID_MAX];
    uint8_t size;
    bool is_ambiguous; /* several build-ids for this path */
} PerfBuildId;

/* Called before the address space of a process changes. */
typedef void (*PerfBeforeChange) (PerfSession *session, const PerfProcess *process);

struct PerfMaps {
    PerfBeforeChange before_change;
    PvArena *arena;         /* processes, threads, names */
    PvIdMap process_of_pid; /* -> index + 1 */
    PvIdMap thread_of_tid;
    PerfThread *recent_threads[16]; /* by the low bits of tid */
    PV_ARRAY (PerfProcess *) processes;
    PV_ARRAY (PerfThread *) threads;
    PV_ARRAY (PerfProcess *) ended; /* address spaces to free soon */
    size_t n_ended_done;
    PvAddressSpace *kernel, *guest_kernel;
    uint64_t n_mappings;     /* of all processes */
    PvHashMap module_of_key; /* path and identity -> module */
    PvHashMap row_of_name;   /* of processes and threads */
    uint32_t n_programs;
    GHashTable *build_ids; /* path -> PerfBuildId */
    PerfBuildId kernel_build_id;
    PvJitCode *bpf_code, *trampolines;
    PV_ARRAY (PerfJit *) jits;              /* of all processes */
    PV_ARRAY (PvJitCode *) methods;         /* of all processes */
    PV_ARRAY (PerfProcess *) jit_processes; /* with a jitdump */
    PvIdMap is_dumped;                      /* modules with code of a jitdump, or methods -> 1 */
    PvIdMap is_replaced;                    /* files of which memory took the place -> 1 */
    uint64_t n_steps;                       /* taken over mappings that generated code meets */
    uint64_t n_names;                       /* of simpleperf, with mappings of their own */
    uint64_t next_jit_ns;                   /* time of the next code load */
    PvJitClock time_conversion;             /* for jitdumps */
};

typedef struct {
    int32_t pid;
    uint64_t start, size_bytes, file_offset;
    const char *path;
    uint32_t prot;  /* PROT_EXEC etc.; executable if not recorded */
    uint32_t flags; /* of mmap () */
    uint32_t device_major, device_minor;
    uint64_t inode, inode_generation;
    bool has_identity; /* device and inode were recorded */
    uint8_t build_id[20];
    uint8_t build_id_size;
    uint8_t mode;
} PerfMap;

PerfMaps *perf_maps_new (PerfBeforeChange before_change);
void perf_maps_free (PerfMaps *maps);
/* The memory of processes, threads and mappings, approximately. */
uint64_t perf_maps_count_bytes (const PerfMaps *maps);
/* Returns the thread with this id; creates it if it is new. */
PerfThread *perf_maps_thread (PerfSession *session, int32_t pid, int32_t tid, uint64_t time_ns);
/* The thread if it was used recently, or NULL. */
static inline PerfThread *
perf_maps_find_recent (const PerfSession *session, int32_t tid)
{
    const PerfMaps *maps = session->maps;
    PerfThread *recent = maps->recent_threads[(uint32_t)tid % G_N_ELEMENTS (maps->recent_threads)];
    return recent != NULL && recent->tid == tid ? recent : NULL;
}
/* The thread, or NULL if it is unknown. */
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
/* Handles a build-id recorded separately from mappings; applies to known and future modules. */
void perf_maps_build_id (PerfSession *session, const char *path, uint8_t mode, const uint8_t *id,
                         uint8_t size);
/* The process's address space, created if it has none. Do not change it. */
PvAddressSpace *perf_maps_get_space (PerfSession *session, PerfProcess *process);
/* Maps the generated code loaded up to time_ns. */
void perf_maps_advance_jit (PerfSession *session, uint64_t time_ns);
/* The location of an address. Looks up return addresses one byte before them. */
PvLocationId perf_maps_locate (PerfSession *session, const PerfProcess *process, PerfMode mode,
                               uint64_t runtime_addr, PvLocationKind kind);
/* Completes modules with what was only found during reading. May be called repeatedly. */
void perf_maps_finish (PerfSession *session);
/* True if a jitdump has grown since it was read. */
bool perf_maps_have_grown (PerfSession *session);
