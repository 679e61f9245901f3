#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/intern.h"
#include "core/model/heap.h"

/*
 * The profile: what was recorded, in tables of columns addressed by uint32_t ids. Row 0 of every
 * table that ids point into is "none". A PvProfile is immutable and may be read from any thread;
 * it holds its own memory by reference count. Names of functions are not here: they are in the
 * PvSymbolTable beside it (symbols.h), which is replaced as names become known.
 *
 * PvProfileBuilder (builder.h) makes profiles. Tables only grow and ids stay, so a profile taken
 * while the builder goes on is a prefix of every later one.
 */
typedef uint32_t PvModuleId;
typedef uint32_t PvLocationId;
typedef uint32_t PvStackId;
typedef uint32_t PvThreadId;
typedef uint32_t PvProcessId;
typedef uint32_t PvMeasureId;

/* What the address of a module's locations counts. */
typedef enum {
    PV_ADDRESS_FILE_OFFSET, /* offset in the module's file (from a mapping) */
    PV_ADDRESS_LINK,        /* ELF virtual address as linked */
    PV_ADDRESS_RUNTIME,     /* absolute, as it was in the recorded process or kernel */
    PV_ADDRESS_ORDINAL,     /* no address: n-th named place of the module */
} PvAddressKind;

typedef enum {
    PV_MODULE_UNKNOWN, /* addresses outside every mapping; one module for user, one for kernel */
    PV_MODULE_FILE,    /* program or shared library */
    PV_MODULE_VDSO,
    PV_MODULE_KERNEL,        /* kernel proper, with run-time addresses */
    PV_MODULE_KERNEL_MODULE, /* run-time addresses from load_addr on */
    PV_MODULE_JIT,           /* anonymous code of one process: perf-PID.map, jitdump */
} PvModuleKind;

#define PV_BUILD_ID_MAX 32

/* A name that came with the recording: jitdump, KSYMBOL records. Sorted by start, not overlapping.
 */
typedef struct {
    uint64_t start; /* in the module's kind of address */
    uint64_t size_bytes;
    const char *name;
    const char *file; /* NULL if unknown */
    uint32_t line;    /* 0 if unknown */
} PvNamedRange;

typedef struct {
    const char *path; /* as recorded; "[vdso]", "[kernel.kallsyms]", "[kvm]", "" for unknown */
    const char *name; /* what to show: the last part of the path */
    PvModuleKind kind;
    PvAddressKind address_kind;
    uint8_t build_id[PV_BUILD_ID_MAX];
    uint8_t build_id_size; /* 0: unknown */
    bool is_kernel;        /* its code ran in kernel mode */
    bool is_main;          /* the program itself of some process */
    uint64_t load_addr; /* kernel and kernel modules: run-time start; else lowest mapped address */
    uint64_t end_addr;
    const char *reference_symbol; /* kernel: "_text" or "_stext"; else NULL */
    uint64_t reference_addr;      /* its run-time address; 0 if hidden */
    int32_t pid;                  /* JIT: whose code; else 0 */
    int32_t container_pid;        /* JIT: pid inside its pid namespace, where known; else pid */
    const PvNamedRange *named_ranges;
    uint32_t n_named_ranges;
} PvModule;

typedef enum {
    PV_LOCATION_EXACT,  /* address of an instruction that was running */
    PV_LOCATION_RETURN, /* return address: look up at address - 1 */
    PV_LOCATION_NAMED,  /* no address; ordinal of a name */
} PvLocationKind;

/* How a sample's stack ended at its root. */
typedef enum {
    PV_STACK_END_UNKNOWN,      /* e.g. a frame-pointer chain: judged by the name of its root */
    PV_STACK_END_ROOT,         /* unwound to the end of the thread */
    PV_STACK_END_DUMP,         /* the copy of the stack was too small */
    PV_STACK_END_DEPTH,        /* the recorder's limit of frames */
    PV_STACK_END_NO_BINARY,    /* a module on the way was not found, so could not be unwound */
    PV_STACK_END_NO_RULE,      /* code without unwind information */
    PV_STACK_END_BAD_FRAME,    /* a frame that leads nowhere */
    PV_STACK_END_OTHER_STACK,  /* goes on on one that was not copied: Go's, a signal's */
    PV_STACK_END_NOT_RECORDED, /* recorded without call graph: one frame */
    PV_N_STACK_ENDS
} PvStackEnd;

typedef struct {
    int32_t pid;      /* -1: unknown */
    const char *name; /* its last command name */
    uint64_t start_ns;
    uint64_t end_ns; /* UINT64_MAX: still running when the recording ended */
} PvProcess;

/* A thread between two execs: exec and reuse of an id start a new row. */
typedef struct {
    int32_t tid;
    PvProcessId process;
    const char *name;
    uint64_t start_ns;
    uint64_t end_ns;
} PvThread;

typedef enum {
    PV_UNIT_COUNT,
    PV_UNIT_NS,
    PV_UNIT_BYTES,
    PV_UNIT_BYTE_MS, /* bytes held, times the milliseconds they were */
} PvUnit;

typedef enum {
    PV_AGGREGATION_SUM,   /* amounts that add up over time */
    PV_AGGREGATION_STATE, /* a level at a moment: bytes live */
} PvAggregation;

#define PV_NO_SET UINT32_MAX

/* What is counted. Its weights are column `column` of sample set `set`, or, where that is
 * PV_NO_SET, come from the history of the heap. */
typedef struct {
    const char *name;
    PvUnit unit;
    PvAggregation aggregation;
    PvHeapMeasure heap;
    uint32_t set;
    uint32_t column;
    uint64_t total; /* over all samples; of a heap measure, over the whole recording */
} PvMeasure;

#define PV_CPU_UNKNOWN UINT16_MAX

/* Samples that share their measures, in order of time. */
typedef struct {
    const char *name; /* the event */
    uint32_t n_samples;
    const uint64_t *time_ns; /* 0: unknown, outside the time line */
    const PvThreadId *thread;
    const uint16_t *cpu;
    const PvStackId *stack;
    const uint8_t *stack_end;    /* PvStackEnd */
    const uint64_t *duration_ns; /* NULL unless samples are intervals that begin at time_ns */
    uint32_t n_weights;
    const uint64_t *const *weights; /* NULL column: every sample weighs uniform_weights[column] */
    const uint64_t *uniform_weights;
} PvSampleSet;

static inline uint64_t
pv_sample_set_weight (const PvSampleSet *set, uint32_t column, uint32_t sample)
{
    const uint64_t *weights = set->weights[column];
    return weights != NULL ? weights[sample] : set->uniform_weights[column];
}

/* Facts of the recording, for the summary; NULL or 0 where unknown. */
typedef struct {
    const char *format; /* "perf.data", translated nowhere */
    const char *command;
    const char *host;
    const char *kernel_release;
    const char *arch;       /* uname -m of the recording machine */
    const char *cpu;        /* description */
    const char *recorder;   /* "perf 6.1.0" */
    const char *call_graph; /* "frame pointers", "DWARF, 8192 bytes", "LBR", "none"; untranslated */
    const char *events;     /* what was recorded how: "cycles:u at 4000 Hz, ..." */
    uint32_t n_cpus;
    uint64_t memory_bytes;
    int64_t recorded_at; /* seconds since 1970 */
    uint64_t size_bytes; /* of the file */
} PvFacts;

typedef enum {
    PV_NOTE_INFO,
    PV_NOTE_WARNING, /* something is missing from the picture */
} PvNoteSeverity;

/* What a note is about, so that the window can offer the remedy beside it. */
typedef enum {
    PV_NOTE_GENERAL,
    PV_NOTE_TRUNCATED_FILE,
    PV_NOTE_SKIPPED_RECORDS,
    PV_NOTE_LOST_SAMPLES,
    PV_NOTE_THROTTLED,
    PV_NOTE_NO_CALL_GRAPH,
    PV_NOTE_TRUNCATED_STACKS,
    PV_NOTE_KERNEL_NAMES_HIDDEN,
    PV_NOTE_MISSING_BINARY,
    PV_NOTE_MISSING_DEBUG_INFO,
    PV_NOTE_CHANGED_BINARY, /* rebuilt since, or of unknown build */
    PV_NOTE_OTHER_MACHINE,
} PvNoteKind;

typedef struct {
    PvNoteSeverity severity;
    PvNoteKind kind;
    PvModuleId module; /* 0: about the whole profile */
    const char *text;  /* translated, one or two sentences */
} PvNote;

/* A frame whose name came with the recording. The chain of a location is innermost first, and
 * is_last marks its end. */
typedef struct {
    const char *name; /* demangled; NULL: unknown */
    const char *file; /* NULL: unknown */
    uint32_t line;    /* 0: unknown */
    bool is_last;
} PvGivenFrame;

typedef struct PvStore PvStore; /* the memory behind a profile */

typedef struct {
    int ref_count; /* atomic */
    PvStore *store;

    PvFacts facts;
    uint64_t start_ns;    /* earliest and ... */
    uint64_t duration_ns; /* ... span of all timed samples */
    uint64_t n_samples;   /* of all sets */
    uint64_t n_lost;
    uint64_t n_skipped_records;

    uint32_t n_modules;
    const PvModule *modules;

    uint32_t n_locations;
    const PvModuleId *module_of_location;
    const uint64_t *address_of_location; /* see the module's address_kind */
    const uint8_t *kind_of_location;     /* PvLocationKind */
    /* Where its chain begins in given_frames, UINT32_MAX: it has none. NULL: nothing was given. */
    const uint32_t *given_of_location;
    const PvGivenFrame *given_frames;

    /* A stack is its innermost location on top of a parent stack; parents come first. */
    uint32_t n_stacks;
    const PvStackId *parent_of_stack;
    const PvLocationId *location_of_stack;

    uint32_t n_processes;
    const PvProcess *processes;
    uint32_t n_threads;
    const PvThread *threads;

    uint32_t n_sets; /* sets and measures have no "none" row */
    const PvSampleSet *sets;
    uint32_t n_measures; /* the default one first */
    const PvMeasure *measures;

    /* NULL unless this is a trace of a heap; then there are no sample sets, all measures are heap
     * measures, and n_samples counts the sites. */
    const PvHeap *heap;

    /* Patterns of leaks that the recorded program itself wants out of sight, as it gives them to
     * LeakSanitizer ("leak:PATTERN"): lines as recorded, without blank ones and comments. */
    uint32_t n_suppressions;
    const char *const *suppressions;

    uint32_t n_notes;
    const PvNote *notes;
} PvProfile;

PvProfile *pv_profile_ref (const PvProfile *profile);
void pv_profile_free (PvProfile *profile); /* drops one reference */

/* The measure of that name, exactly or else ignoring ASCII case, or UINT32_MAX. */
PvMeasureId pv_profile_find_measure (const PvProfile *profile, const char *name);

/* The samples behind a measure; NULL for heap measures. */
static inline const PvSampleSet *
pv_profile_get_measure_set (const PvProfile *profile, PvMeasureId measure)
{
    uint32_t set = profile->measures[measure].set;
    return set != PV_NO_SET ? &profile->sets[set] : NULL;
}

/* How many samples, or sites of a heap, a measure counts. */
static inline uint64_t
pv_profile_count_samples (const PvProfile *profile, PvMeasureId measure)
{
    const PvSampleSet *set = pv_profile_get_measure_set (profile, measure);
    return set != NULL ? set->n_samples : profile->heap != NULL ? profile->heap->n_sites : 0;
}

/* The address to look a location up at: a return address is inside the call before it. */
static inline uint64_t
pv_profile_lookup_address (const PvProfile *profile, PvLocationId location)
{
    uint64_t address = profile->address_of_location[location];
    return profile->kind_of_location[location] == PV_LOCATION_RETURN && address > 0 ? address - 1
                                                                                    : address;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvProfile, pv_profile_free)
