/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <assert.h>
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/build-id.h"
#include "core/base/format.h"
#include "core/base/intern.h"
#include "core/base/name-source.h"
#include "core/model/counters/counter.h"
#include "core/model/distribution/distribution.h"
#include "core/model/fields/fields.h"
#include "core/model/heap/heap.h"

/*
 * The profile: what was recorded, in tables of columns addressed by uint32_t ids. Row 0 of every
 * table that ids point into is "none". A PvProfile is immutable and may be read from any thread; it
 * holds its own memory by reference count. Names of functions are not here but in a PvSymbolTable
 * (symbols.h), which is replaced as names become known.
 *
 * PvProfileBuilder (builder.h) makes profiles. Tables only grow and ids stay, so a profile taken
 * while the builder continues is a prefix of every later one.
 */
typedef uint32_t PvModuleId;
typedef uint32_t PvLocationId;
typedef uint32_t PvStackId;
typedef uint32_t PvThreadId;
typedef uint32_t PvProcessId;
typedef uint32_t PvMeasureId;

/* The kind of address that a module's locations have. */
typedef enum {
    PV_ADDRESS_FILE_OFFSET, /* offset in the module's file (from a mapping) */
    PV_ADDRESS_LINK,        /* ELF virtual address as linked */
    PV_ADDRESS_IMAGE,       /* counted from where the lowest segment begins */
    PV_ADDRESS_RUNTIME,     /* absolute, as it was in the recorded process or kernel */
    PV_ADDRESS_ORDINAL,     /* no address: n-th named location of the module */
} PvAddressKind;

typedef enum {
    PV_MODULE_UNKNOWN, /* addresses outside every mapping; one module for user, one for kernel */
    PV_MODULE_FILE,    /* program or shared library */
    PV_MODULE_VDSO,
    PV_MODULE_KERNEL,        /* kernel proper, with run-time addresses */
    PV_MODULE_KERNEL_MODULE, /* run-time addresses, from load_addr on */
    PV_MODULE_JIT,           /* anonymous code of one process: perf-PID.map, jitdump */
} PvModuleKind;

/* Names of a jitdump are cut after so many bytes. */
#define PV_MAX_JIT_NAME_BYTES ((size_t)4096)

/* A name from the recording: jitdump, KSYMBOL records. Sorted by start, not overlapping. */
typedef struct {
    uint64_t start; /* same kind of address as the module */
    uint64_t size_bytes;
    const char *name;
    const char *file;     /* NULL if unknown */
    uint32_t line;        /* 0 if unknown */
    uint64_t code_offset; /* where its bytes begin in the module's code_path; 0: unknown */
    /* The .eh_frame of the code that the range is part of, in the same file; size 0: none. */
    uint32_t unwind_size_bytes;
    uint64_t unwind_offset;
} PvNamedRange;

/* Purpose of a section, in a profile of the sizes of a program or library. */
typedef enum {
    PV_SECTION_NONE,
    PV_SECTION_CODE,
    PV_SECTION_CONSTANTS, /* data that is only read */
    PV_SECTION_DATA,
    PV_SECTION_ZEROS,   /* .bss */
    PV_SECTION_TABLES,  /* for loading, linking and unwinding */
    PV_SECTION_SYMBOLS, /* their names too */
    PV_SECTION_DEBUG,
    PV_SECTION_REST, /* headers, padding, notes */
    PV_N_SECTION_KINDS,
} PvSectionKind;

/* A file as the recorded kernel told it apart from others at the same path. */
typedef struct {
    uint64_t inode;      /* 0: not recorded, nor is the device */
    uint64_t generation; /* of the inode, which gets another file later; 0: not recorded */
    uint32_t device_major, device_minor;
    uint64_t size_bytes; /* it had more bytes than this, as they were mapped; 0: unknown */
    int32_t pid;         /* the latest process that mapped it; 0: unknown */
    uint64_t link_bias;  /* link address - file offset of its code */
    uint8_t n_biases;    /* that its mappings tell: 0 is none, 2 or more is not one for all */
    int64_t until_ns; /* latest end of a recording on this machine, since 1970; 0: not known, or it
                         was another machine */
} PvFileIdentity;

typedef struct {
    const char *path; /* as recorded; "[vdso]", "[kernel.kallsyms]", "[kvm]", "" for unknown */
    const char *name; /* for display: the last part of the path */
    PvModuleKind kind;
    PvAddressKind address_kind;
    uint8_t build_id[PV_BUILD_ID_MAX];
    uint8_t build_id_size; /* 0: unknown */
    bool is_kernel;        /* its code runs in kernel mode */
    bool is_main;          /* the main program of a process */
    uint8_t section_kind;  /* PvSectionKind: it stands for such sections of a program */
    uint64_t load_addr;    /* kernel and modules: run-time start; others: lowest mapped address */
    uint64_t end_addr;
    const char *reference_symbol; /* kernel: "_text" or "_stext"; else NULL */
    uint64_t reference_addr;      /* its run-time address; 0 if hidden */
    int32_t pid;                  /* JIT: the process; else 0 */
    int32_t container_pid;        /* JIT: pid inside its pid namespace if known; else pid */
    const PvNamedRange *named_ranges;
    uint32_t n_named_ranges;
    PvFileIdentity identity; /* of PV_MODULE_FILE; not in packs, which have the notes on it */
    const char *code_path; /* the jitdump with the bytes of named_ranges, as recorded; NULL: none */
} PvModule;

typedef enum {
    PV_LOCATION_EXACT,  /* address of an instruction that was running */
    PV_LOCATION_RETURN, /* return address: look up at address - 1 */
    PV_LOCATION_NAMED,  /* no address; ordinal of a name */
} PvLocationKind;

/* How a sample's stack ended at the root. */
typedef enum {
    PV_STACK_END_UNKNOWN,      /* e.g. a frame-pointer chain: judged by its root's name */
    PV_STACK_END_ROOT,         /* unwound to the end of the thread */
    PV_STACK_END_DUMP,         /* the copy of the stack was too small */
    PV_STACK_END_DEPTH,        /* the recorder's limit of frames */
    PV_STACK_END_NO_BINARY,    /* a module was not found, so unwinding stopped */
    PV_STACK_END_NO_RULE,      /* code without unwind information */
    PV_STACK_END_BAD_FRAME,    /* an invalid frame */
    PV_STACK_END_OTHER_STACK,  /* continues on a stack that was not copied: Go's, a signal's */
    PV_STACK_END_NOT_RECORDED, /* recorded without call graph: one frame */
    PV_N_STACK_ENDS
} PvStackEnd;

/* A process while it executes a program under a name, which is that of its main thread: another
 * program, another name or a reused id is another row. With an earlier name it has its row again.
 */
typedef struct {
    int32_t pid; /* -1: unknown */
    const char *name;
    uint64_t start_ns; /* since when it had the name, or runs at all */
    uint64_t end_ns;   /* UINT64_MAX: still so when the recording ended */
    bool is_unmapped;  /* nothing is known of what it had mapped; not in packs */
} PvProcess;

/* The same of a thread, in a row of its process. */
typedef struct {
    int32_t tid;
    PvProcessId process;
    const char *name;
    uint64_t start_ns;
    uint64_t end_ns;
} PvThread;

typedef enum {
    PV_AGGREGATION_SUM,   /* amounts that add up over time */
    PV_AGGREGATION_STATE, /* a level at one moment: bytes live. In a series: at its last dump */
    /* In a series: increase and decrease of a state between the first and the last dump of the time
     * range; counted per stack, so there may be both. */
    PV_AGGREGATION_GROWTH,
    PV_AGGREGATION_DECREASE,
    PV_AGGREGATION_CHANGE, /* the sum of both: of a signed measure, see PvPair */
} PvAggregation;

/*
 * Weights are unsigned. A signed measure, such as the difference of two profiles, the change
 * between two dumps, or values of which some are below zero, has base + new as its weights, which
 * is the width of boxes, and further columns of weights for its parts: the amount before (base: a
 * decrease, or values below zero), and the amount now (new). Its amount is new - base.
 */
typedef enum {
    PV_SIDE_BASE,
    PV_SIDE_NEW,
    PV_N_SIDES,
} PvSide;

typedef enum {
    PV_PART_NONE,    /* an ordinary measure */
    PV_PART_BOTH,    /* base + new: the signed measure itself */
    PV_PART_SIDE,    /* one side's amount */
    PV_PART_SAMPLES, /* number of samples behind one side's amount; of sampled measures only */
    PV_PART_RUN,     /* amount that one of several runs adds to its side */
} PvMeasurePart;

#define PV_NO_SET UINT32_MAX

/* A measure, or a part of a signed one. Its weights are column `column` of sample set `set`, or, if
 * that is PV_NO_SET, come from the history of the heap. */
typedef struct {
    const char *name;
    PvUnit unit;
    const char *unit_name; /* of PV_UNIT_COUNT: things counted, as recorded; NULL: not known */
    PvAggregation aggregation;
    PvHeapMeasure heap;
    uint32_t set;
    uint32_t column;
    bool is_delay; /* of waits: only their last part counts, as long as the weight says */
    PvMeasurePart part;
    PvSide side;        /* of parts that belong to one */
    uint32_t pair;      /* of parts: in PvProfile.pairs */
    uint64_t total;     /* of the whole recording; for series see pv_dumps_weigh () */
    uint32_t n_samples; /* of a derived set: samples with a weight in this measure */
} PvMeasure;

/* A signed measure, and its parts. */
typedef struct {
    PvMeasureId both;
    PvMeasureId of_side[PV_N_SIDES];
    PvMeasureId samples_of_side[PV_N_SIDES]; /* UINT32_MAX: amounts are exact */
    uint32_t n_runs_of_side[PV_N_SIDES];     /* 0: a single one */
    const PvMeasureId *runs_of_side[PV_N_SIDES];
} PvPair;

/* True if the differences of the pair are uncertain, and by how much is known. */
static inline bool
pv_pair_has_intervals (const PvPair *pair)
{
    bool is_sampled = pair->samples_of_side[PV_SIDE_BASE] != UINT32_MAX &&
                      pair->samples_of_side[PV_SIDE_NEW] != UINT32_MAX;
    return is_sampled || pair->n_runs_of_side[PV_SIDE_BASE] > 1 ||
           pair->n_runs_of_side[PV_SIDE_NEW] > 1;
}

/* A part of a module's file, and where its code was linked to. */
typedef struct {
    uint64_t start, end; /* addresses as the module's locations have them; end is exclusive */
    uint64_t link_addr;  /* of start */
} PvLinkSegment;

#define PV_MAX_LINK_SEGMENTS 64u

/* The way from the addresses of a module's locations to those that other tools show. */
typedef struct {
    const PvLinkSegment *segments; /* the first one that has the address counts */
    uint32_t n_segments;           /* 0: addresses are what they are */
} PvLinkMap;

/* A module as one of the compared profiles has it: those of several builds are one module of the
 * comparison. */
typedef struct {
    PvLinkMap links;
    PvModule module; /* named ranges only of code made at run time, of which there is a jitdump */
    bool is_of_side[PV_N_SIDES];
} PvRecordedModule;

/* The two sides of a comparison, in the profile that is the result. */
typedef struct {
    const char *name_of_side[PV_N_SIDES];     /* for display */
    uint64_t duration_ns_of_side[PV_N_SIDES]; /* time spent sampling; 0: unknown */
    uint32_t n_recorded;                      /* row 0 is "none"; 0: not known */
    const PvRecordedModule *recorded;
    const uint32_t *recorded_of_location; /* row whose file has its address; NULL: not known */
} PvCompared;

/* One of the files that stand side by side in a profile that was joined of several: its measures
 * are there under their names. */
typedef struct {
    const char *name;          /* for display */
    PvMeasureId first_measure; /* its own measure; the others follow */
    uint32_t n_measures;
    bool has_sections; /* the sizes of a program: its stacks are those of no run */
} PvJoinedFile;

/* Why a thread did not run, and which thread woke it. Row 0: nothing is known. */
typedef struct {
    PvThreadId waker;      /* 0: not recorded */
    PvStackId waker_stack; /* of the waker as it did so; 0: not recorded */
    char state;            /* as ps prints it: S, D, T, ...; R: preempted. '?': blocked, and nothing
                              says how; 0: not recorded */
    bool is_open;          /* it was not over when the recording ended */
} PvWait;

#define PV_CPU_UNKNOWN UINT16_MAX

/* A label that the program attached to its samples: pprof's tags. */
typedef struct {
    const char *key;
    const char *text; /* NULL: a number */
    int64_t number;
    const char *unit; /* unit of the number, "" if unknown; NULL for text */
} PvLabel;

/* One file of a series: the state of a process at a moment. All its samples have the dump's
 * time. */
typedef struct {
    const char *name;    /* of the file, for display */
    uint64_t time_ns;    /* sample time, at least a millisecond after the previous dump */
    int64_t recorded_at; /* seconds since 1970; 0: unknown */
    bool is_main;        /* the peak: its state is shown where no range is chosen, not the last */
} PvDump;

/* Where a sample was taken, and where its stack ended. Few differ: samples have the number of one.
 */
typedef struct {
    PvThreadId thread;
    uint16_t cpu;
    uint8_t stack_end; /* PvStackEnd */
} PvSampleContext;

/* Blocks that the time of a run of a comparison is cut into, each with as much weight. */
#define PV_N_TIME_BLOCKS 100u

/* When the samples were taken that those of a comparison are sums of. Entries of a sample are
 * first_entry_of_sample[i] up to that of the next one. */
typedef struct {
    uint32_t n_runs;
    const uint32_t *first_sample_of_run;   /* n_runs + 1: those of a run are in one piece */
    const uint32_t *first_entry_of_sample; /* n_samples + 1 */
    const uint8_t *block;                  /* by entry, below PV_N_TIME_BLOCKS; ascending */
    const float *amount;                   /* by entry */
} PvTimeBlocks;

/*
 * Samples with the same measures, sorted by time. Ten bytes for each are the usual case: times are
 * 32-bit offsets from a base for each PV_SAMPLES_PER_TIME_BASE samples as long as that is enough,
 * and contexts have 16-bit numbers. Read both with the functions below.
 */
typedef struct {
    const char *name; /* of the event */
    bool is_derived;  /* made by the reader, from switch records; not among recorded samples */
    bool is_exact;    /* everything was measured, nothing sampled */
    uint32_t n_samples;
    const uint64_t *time_ns; /* NULL: the sum of the next two */
    const uint64_t *time_base_ns;
    const uint32_t *time_offset_ns;
    const uint16_t *context;
    const uint32_t *wide_context; /* NULL: as in context */
    uint32_t n_contexts;
    const PvSampleContext *contexts;
    const PvStackId *stack;
    const uint64_t *duration_ns; /* NULL unless samples are intervals that begin at time_ns */
    const uint32_t *label_set;   /* see first_label_of_set; NULL: no sample has labels */
    const uint32_t *wait;        /* rows of PvProfile.waits; NULL: nothing is known of waits */
    /* Data that the recorder stored with each sample, see pv_sample_set_get_record (); NULL: no
     * data. */
    const PvFields *fields;
    const uint32_t *record;        /* its number, from 1 on; 0: not retained. NULL: all are 0 */
    const uint32_t *end_of_record; /* by number - 1, in record_bytes */
    const uint8_t *record_bytes;
    uint32_t delay_column; /* of the measure with is_delay, plus 1; 0: none */
    uint32_t n_weights;
    const uint64_t *const *weights; /* NULL column: every sample weighs uniform_weights[column] */
    const uint64_t *uniform_weights;
    const PvTimeBlocks *blocks; /* of sampled measures of a comparison; NULL: times are not known */
} PvSampleSet;

#define PV_SAMPLES_PER_TIME_BASE 256

/* 0: unknown, not on the timeline. */
static inline uint64_t
pv_sample_set_time_ns (const PvSampleSet *set, uint32_t sample)
{
    if (set->time_ns != NULL)
        return set->time_ns[sample];
    return set->time_base_ns[sample / PV_SAMPLES_PER_TIME_BASE] + set->time_offset_ns[sample];
}

/* An index in contexts. */
static inline uint32_t
pv_sample_set_context (const PvSampleSet *set, uint32_t sample)
{
    return set->wide_context != NULL ? set->wide_context[sample] : set->context[sample];
}

static inline PvThreadId
pv_sample_set_thread (const PvSampleSet *set, uint32_t sample)
{
    return set->contexts[pv_sample_set_context (set, sample)].thread;
}

static inline uint16_t
pv_sample_set_cpu (const PvSampleSet *set, uint32_t sample)
{
    return set->contexts[pv_sample_set_context (set, sample)].cpu;
}

static inline PvStackEnd
pv_sample_set_stack_end (const PvSampleSet *set, uint32_t sample)
{
    return set->contexts[pv_sample_set_context (set, sample)].stack_end % PV_N_STACK_ENDS;
}

static inline uint64_t
pv_sample_set_weight (const PvSampleSet *set, uint32_t column, uint32_t sample)
{
    const uint64_t *weights = set->weights[column];
    return weights != NULL ? weights[sample] : set->uniform_weights[column];
}

/* The data of the set's fields; NULL: not retained. */
static inline const uint8_t *
pv_sample_set_get_record (const PvSampleSet *set, uint32_t sample, size_t *ret_size_bytes)
{
    uint32_t record = set->record != NULL ? set->record[sample] : 0;
    if (record == 0)
        return NULL;
    uint32_t start = record > 1 ? set->end_of_record[record - 2] : 0;
    *ret_size_bytes = set->end_of_record[record - 1] - start;
    return set->record_bytes + start;
}

/* The sample's row in PvProfile.waits; 0: nothing is known of a wait. */
static inline uint32_t
pv_sample_set_wait (const PvSampleSet *set, uint32_t sample)
{
    return set->wait != NULL ? set->wait[sample] : 0;
}

/* How long before the end of the wait the thread was woken; 0: not known. */
static inline uint64_t
pv_sample_set_delay_ns (const PvSampleSet *set, uint32_t sample)
{
    return set->delay_column != 0 ? pv_sample_set_weight (set, set->delay_column - 1, sample) : 0;
}

/* The first sample at or after time_ns; n_samples if all are earlier. */
uint32_t pv_sample_set_find (const PvSampleSet *set, uint64_t time_ns);

/* Events that the recorder could not keep. */
typedef struct {
    uint64_t time_ns; /* about when that was, in the samples' clock */
    uint64_t n_lost;
} PvLoss;

/* Facts about the recording, for the summary; NULL or 0 if unknown. */
typedef struct {
    const char *format;        /* "perf.data", never translated */
    const char *media_type;    /* of the file, or the first of several; static. Not in packs */
    const char *command;       /* from the file: perf's own command line, heaptrack's program */
    const char *recorded_with; /* the recorder's command line, if our recorder added it */
    const char *host;
    const char *kernel_release;
    const char *arch;       /* uname -m of the recording machine */
    const char *cpu;        /* description */
    const char *recorder;   /* "perf 6.1.0" */
    const char *call_graph; /* "frame pointers", "DWARF, 8192 bytes", "LBR", "none"; untranslated */
    const char *events;     /* events and how they were recorded: "cycles:u at 4000 Hz, ..." */
    uint32_t n_cpus;
    uint64_t memory_bytes;
    int64_t recorded_at;    /* seconds since 1970, as the file says */
    int64_t modified_at;    /* of the file, seconds since 1970: it may be a copy */
    int64_t modified_at_ns; /* the same in nanoseconds; 0: unknown. Not in packs */
    int64_t recorded_at_ns; /* recorded_at in nanoseconds if the file has it; else 0 */
    uint64_t profiled_ns;   /* length of the recording, if samples have no times */
    uint64_t size_bytes;    /* of the file; for a series, of all its files */
    const char *period;     /* the sampling period, see period.h */
    const char *comment;    /* comment of the program that wrote it; lines */
    const char *doc_url;    /* http or https: documentation by the program that wrote it */
} PvFacts;

typedef enum {
    PV_NOTE_INFO,
    PV_NOTE_WARNING, /* the profile is incomplete */
} PvNoteSeverity;

/* The subject of a note, so that the window can offer a fix next to it. */
typedef enum {
    PV_NOTE_GENERAL,
    PV_NOTE_TRUNCATED_FILE,
    PV_NOTE_SKIPPED_RECORDS,
    PV_NOTE_LOST_SAMPLES,
    PV_NOTE_THROTTLED,
    PV_NOTE_NO_CALL_GRAPH,
    PV_NOTE_ESTIMATED_STACKS, /* made from a call graph */
    PV_NOTE_TRUNCATED_STACKS,
    PV_NOTE_BROKEN_STACKS, /* many; the way to their callers led astray */
    PV_NOTE_KERNEL_NAMES_HIDDEN,
    PV_NOTE_MISSING_BINARY,
    PV_NOTE_MISSING_DEBUG_INFO,
    PV_NOTE_CHANGED_BINARY,    /* rebuilt since */
    PV_NOTE_UNVERIFIED_BINARY, /* perhaps rebuilt since */
    PV_NOTE_OTHER_MACHINE,
    PV_NOTE_NO_MAPPINGS,
    PV_NOTE_OTHER_FILE, /* not the one that ran, though it is at its path */
    PV_NOTE_NOTHING,    /* there is nothing in the file to show, and why */
    PV_NOTE_IDLE,       /* the program did nothing while it was profiled */
    PV_NOTE_FRACTIONS,  /* amounts are counted in a smaller unit than 1, see fraction.h */
    PV_NOTE_ONE_SIDE,   /* a comparison has names of a module's functions on one side only */
} PvNoteKind;

typedef struct {
    PvNoteSeverity severity;
    PvNoteKind kind;
    PvModuleId module; /* 0: about the whole profile */
    const char *text;  /* translated, one or two sentences */
} PvNote;

/* A frame with a name from the recording. The chain of a location is innermost first; is_last marks
 * its end. No string is empty. */
typedef struct {
    const char *name;     /* demangled; NULL: unknown */
    const char *raw_name; /* as in a symbol table; NULL: unknown, or name itself */
    const char *file;     /* NULL: unknown */
    uint32_t line;        /* 0: unknown */
    uint32_t start_line;  /* of the function's declaration; 0: unknown */
    PvNameSource source;
    bool is_last;
    bool is_unknown;   /* name is only an address */
    bool is_elsewhere; /* the line is not in the file of the function, such as in inlined code */
} PvGivenFrame;

typedef struct PvStore PvStore; /* the memory behind a profile */

struct PvKnownCalls;  /* core/model/calls/known-calls.h */
struct PvSymbolTable; /* core/model/profile/symbols.h */

/* A file with source code that came with the profile. */
typedef struct {
    const char *path; /* as frames have it */
    const char *text; /* size_bytes long, then a NUL; any bytes */
    size_t size_bytes;
} PvEmbeddedSource;

/* A line of a program's leak suppressions, see PV_PROFILE_TABLES. */
typedef const char *PvSuppressionLine;

/*
 * The tables of rows, as TABLE (id, name, type of a row): a profile has name[] and n_name of each.
 * A format that needs a table of its own adds it here, and its members to rows.c.
 */
#define PV_PROFILE_TABLES(TABLE)                                                                   \
    TABLE (PV_PROFILE_MODULES, modules, PvModule)                                                  \
    TABLE (PV_PROFILE_PROCESSES, processes, PvProcess)                                             \
    TABLE (PV_PROFILE_THREADS, threads, PvThread)                                                  \
    /* The labels of all sets: see first_label_of_set. */                                          \
    TABLE (PV_PROFILE_LABELS, labels, PvLabel)                                                     \
    TABLE (PV_PROFILE_WAITS, waits, PvWait)                                                        \
    /* The dumps of a series, sorted by time; none: one recording. */                              \
    TABLE (PV_PROFILE_DUMPS, dumps, PvDump)                                                        \
    /* All of n_lost, sorted by time and within that of the samples; some thousand at most. None   \
     * if samples have no times, or are those of a series. */                                      \
    TABLE (PV_PROFILE_LOSSES, losses, PvLoss)                                                      \
    /* Source code that came with the file; see pv_profile_find_source (). No path twice. */       \
    TABLE (PV_PROFILE_SOURCES, sources, PvEmbeddedSource)                                          \
    /* Leak patterns that the recorded program itself suppresses, as it gives them to              \
     * LeakSanitizer ("leak:PATTERN"): lines as recorded, without blank lines and comments. */     \
    TABLE (PV_PROFILE_SUPPRESSIONS, suppressions, PvSuppressionLine)                               \
    /* Data counted by something else than stacks; most profiles have none. */                     \
    TABLE (PV_PROFILE_DISTRIBUTIONS, distributions, PvDistribution)                                \
    /* Values noted over time beside the samples; in the order of the file. */                     \
    TABLE (PV_PROFILE_COUNTERS, counters, PvCounter)                                               \
    TABLE (PV_PROFILE_NOTES, notes, PvNote)

#define PV_ID_OF_ROWS(id, name, T) id,
typedef enum { PV_PROFILE_TABLES (PV_ID_OF_ROWS) PV_N_PROFILE_TABLES } PvProfileTable;

/* A table, whatever its rows are. */
typedef struct {
    const void *rows;
    uint32_t n_rows;
} PvRows;

#define PV_ROWS_BY_NAME_OF(id, name, T)                                                            \
    struct {                                                                                       \
        const T *name;                                                                             \
        uint32_t n_##name;                                                                         \
    };

typedef struct PvProfile {
    int ref_count;  /* atomic */
    PvStore *store; /* of tables shared with other profiles of the same builder */
    PvArena *arena; /* of the other tables */

    PvFacts facts;
    uint64_t start_ns;    /* earliest and ... */
    uint64_t duration_ns; /* ... span of all timed samples */
    uint64_t n_samples;   /* of all sets but derived ones */
    uint64_t n_lost;
    uint64_t n_skipped_records;

    /* The same twice: code that is about all tables goes by ids, all other by names. */
    union {
        PvRows tables[PV_N_PROFILE_TABLES];
        struct {
            PV_PROFILE_TABLES (PV_ROWS_BY_NAME_OF)
        };
    };

    uint32_t n_locations;
    const PvModuleId *module_of_location;
    const uint64_t *address_of_location; /* see the module's address_kind */
    const uint8_t *kind_of_location;     /* PvLocationKind */
    /* Start of the location's chain in given_frames; UINT32_MAX: none. NULL: no location has
     * one. */
    const uint32_t *given_of_location;
    const PvGivenFrame *given_frames;

    /* A stack is its innermost location on top of a parent stack; parents come first. */
    uint32_t n_stacks;
    const PvStackId *parent_of_stack;
    const PvLocationId *location_of_stack;

    uint32_t n_sets; /* sets and measures have no "none" row */
    const PvSampleSet *sets;
    uint32_t n_measures; /* the default one first */
    uint32_t n_weights;  /* columns of weights: those of the measures, then parts of signed ones */
    const PvMeasure *measures;
    uint32_t n_pairs;
    const PvPair *pairs;
    const PvCompared *compared; /* NULL: not a comparison */
    uint32_t n_joined;          /* 0: not joined of several files */
    const PvJoinedFile *joined;

    /* Labels: set s has [first_label_of_set[s], first_label_of_set[s + 1]), in the order of the
     * file. Set 0 is empty. All sets are different. */
    uint32_t n_label_sets;
    const uint32_t *first_label_of_set; /* n_label_sets + 1 entries */

    /* The dumps of a series have their own times; else only their order is known, and they are a
     * second apart. */
    bool has_dump_times;
    uint32_t main_dump;

    /* Facts about calls from the file itself; NULL: not given, as it has stacks, or is not a single
     * file. */
    const struct PvKnownCalls *known_calls;

    /* All names of locations, if the file has them as a symbol table had them: its given frames say
     * the same in short, for a profile made of several. NULL: none. Only functions, frames and
     * modules are set, and labels; the profile owns it, nobody may take a reference. */
    const struct PvSymbolTable *packed_names;
    /* The profile whose tables this one uses, with the names that this one's are pseudonyms of, and
     * with a reference; NULL: tables and names are its own. */
    const struct PvProfile *named;

    /* Functions that the file asks to drop, see PV_TRANSFORM_DROP: regular expressions for function
     * names, or NULL. */
    const char *drop_frames;
    const char *keep_frames;
    /* Samples are allocations: functions that only allocate are hidden by default. */
    bool is_of_allocations;

    /* Heap traces only, else NULL. With it there are no sample sets, all measures are heap
     * measures, and n_samples is the number of sites. */
    const PvHeap *heap;
} PvProfile;

/* True for the id of a measure or of a part of a signed one. */
static inline bool
pv_profile_has_weights (const PvProfile *profile, PvMeasureId measure)
{
    return measure < profile->n_weights;
}

static_assert (offsetof (PvProfile, n_notes) ==
                   offsetof (PvProfile, tables[PV_PROFILE_NOTES].n_rows),
               "tables have the same place by name and by id");

/* The profile itself, unless its names are pseudonyms: see PvSymbolTable. */
static inline const PvProfile *
pv_profile_get_named (const PvProfile *profile)
{
    return profile->named != NULL ? profile->named : profile;
}

PvProfile *pv_profile_ref (const PvProfile *profile);
void pv_profile_free (PvProfile *profile); /* drops one reference */

/* The source code that came with the profile for a file, by the path that frames have; NULL: none.
 */
const PvEmbeddedSource *pv_profile_find_source (const PvProfile *profile, const char *path);

/* The pair that a measure is part of; NULL if it is an ordinary one, or does not exist. */
const PvPair *pv_profile_get_pair (const PvProfile *profile, PvMeasureId measure);

/* Net total of a pair's measure in the whole recording: new - base. */
int64_t pv_profile_net_total (const PvProfile *profile, PvMeasureId measure);

/* Finds a measure or a part by name, exactly or else ignoring ASCII case; UINT32_MAX: not found. */
PvMeasureId pv_profile_find_measure (const PvProfile *profile, const char *name);
/* The names of all measures, for a message: "cycles, instructions"; g_free () it. */
char *pv_profile_format_measures (const PvProfile *profile);

/* Finds the measure with this heap measure, or 0. */
PvMeasureId pv_profile_find_heap_measure (const PvProfile *profile, PvHeapMeasure heap_measure);

/* "worker (4711)", translated if the name or number is unknown; g_free () it. */
char *pv_format_thread (const PvProfile *profile, PvThreadId thread);
char *pv_format_process (const PvProfile *profile, PvProcessId process);

/* The numbers of processes and threads that have samples, by their own numbers: one that has had
 * several names or programs has several rows. Heaps do not say which thread allocates: their
 * processes are those that they mention. */
void pv_profile_count_threads (const PvProfile *profile, uint32_t *ret_n_processes,
                               uint32_t *ret_n_threads);

/* The samples behind a measure; NULL for heap measures. */
static inline const PvSampleSet *
pv_profile_get_measure_set (const PvProfile *profile, PvMeasureId measure)
{
    uint32_t set = profile->measures[measure].set;
    return set != PV_NO_SET ? &profile->sets[set] : NULL;
}

/* True if the measure covers everything, so that its rows are no samples. False for heaps. */
static inline bool
pv_profile_is_exact (const PvProfile *profile, PvMeasureId measure)
{
    const PvSampleSet *set = pv_profile_get_measure_set (profile, measure);
    return set != NULL && set->is_exact;
}

/* 0 if unknown: in a series without times, dumps only pretend to be a second apart. */
static inline uint64_t
pv_profile_known_duration_ns (const PvProfile *profile)
{
    return profile->n_dumps == 0 || profile->has_dump_times ? profile->duration_ns : 0;
}

/* True if the measure's samples are waits: intervals in which a thread did not run. perf makes some
 * of them itself; in other formats intervals are those in which the thread ran. */
static inline bool
pv_profile_counts_waits (const PvProfile *profile, PvMeasureId measure)
{
    const PvSampleSet *set = pv_profile_get_measure_set (profile, measure);
    return set != NULL && set->duration_ns != NULL &&
           (set->is_derived || g_str_has_prefix (set->name, "offcpu-time"));
}

/* The number of samples that a measure counts, or of sites for a heap. */
static inline uint64_t
pv_profile_count_samples (const PvProfile *profile, PvMeasureId measure)
{
    const PvSampleSet *set = pv_profile_get_measure_set (profile, measure);
    if (set == NULL)
        return profile->heap != NULL ? profile->heap->n_sites : 0;
    return set->is_derived ? profile->measures[measure].n_samples : set->n_samples;
}

/* True if the file was of this format, which is called as PvFacts has it: "perf script". */
bool pv_profile_has_format (const PvProfile *profile, const char *format);

/* True if the profile says which files were mapped where: then an address outside of them is where
 * no code was. */
bool pv_profile_has_mappings (const PvProfile *profile);

/* True if samples are sums of recorded ones, so that their number has no meaning. */
static inline bool
pv_profile_has_sums (const PvProfile *profile)
{
    return profile->compared != NULL || profile->n_joined > 0;
}

/* The joined file that a measure is of. */
static inline const PvJoinedFile *
pv_profile_get_joined_file (const PvProfile *profile, PvMeasureId measure)
{
    for (uint32_t i = 0; i < profile->n_joined; i++)
        if (measure - profile->joined[i].first_measure < profile->joined[i].n_measures)
            return &profile->joined[i];
    return NULL;
}

/* True for a measure of a program's sizes in a profile whose own measure is of a run: each function
 * has the same size wherever it is. */
static inline bool
pv_profile_is_size_beside (const PvProfile *profile, PvMeasureId measure, PvMeasureId own)
{
    const PvJoinedFile *file = pv_profile_get_joined_file (profile, measure);
    const PvJoinedFile *own_file = pv_profile_get_joined_file (profile, own);
    return file != NULL && file->has_sections && own_file != NULL && !own_file->has_sections;
}

/* Samples of all sets, derived ones too: tells if there is anything to show, or anything new. */
static inline uint64_t
pv_profile_count_all_samples (const PvProfile *profile)
{
    uint64_t n_samples = 0;
    for (uint32_t s = 0; s < profile->n_sets; s++)
        n_samples += profile->sets[s].n_samples;
    return n_samples;
}

/* True if there are distributions, but neither samples nor a heap. */
static inline bool
pv_profile_has_only_distributions (const PvProfile *profile)
{
    return profile->n_distributions > 0 && profile->heap == NULL &&
           pv_profile_count_all_samples (profile) == 0;
}

/* True if the profile has the sizes of a program's sections, rather than a run of it. */
static inline bool
pv_profile_has_sections (const PvProfile *profile)
{
    for (PvModuleId m = 0; m < profile->n_modules; m++) {
        if (profile->modules[m].section_kind != PV_SECTION_NONE)
            return true;
    }
    return false;
}

/* A time since the start of the profile in the samples' clock. */
static inline uint64_t
pv_profile_get_clock (const PvProfile *profile, uint64_t time_ns)
{
    return time_ns + MIN (profile->start_ns, UINT64_MAX - time_ns);
}

/* Takes what a mapping of executable code says about the size of its file. It may reach beyond the
 * file's end by less than a page, of 64 KiB at most; the first one may be as long as the program
 * will be in memory. */
static inline void
pv_file_identity_add_mapping (PvFileIdentity *identity, uint64_t file_offset, uint64_t size_bytes)
{
    enum { LARGEST_PAGE = 1 << 16 };
    uint64_t least = file_offset;
    if (file_offset == 0)
        return;
    if (size_bytes > LARGEST_PAGE)
        least += MIN (size_bytes - LARGEST_PAGE, UINT64_MAX - least);
    identity->size_bytes = MAX (identity->size_bytes, least);
}

/* True if the recording was made on this machine, as far as its name tells. */
bool pv_facts_are_of_this_machine (const PvFacts *facts);

/* The address to look a location up at: one less for return addresses, inside the call. */
static inline uint64_t
pv_profile_lookup_address (const PvProfile *profile, PvLocationId location)
{
    uint64_t address = profile->address_of_location[location];
    return profile->kind_of_location[location] == PV_LOCATION_RETURN && address > 0 ? address - 1
                                                                                    : address;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvProfile, pv_profile_free)
