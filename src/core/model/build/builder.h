/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/calls/known-calls.h"
#include "core/model/profile/profile.h"

/*
 * Makes a profile. One thread at a time. Readers intern modules, locations and stacks, add samples
 * in any order, and leave sorting, totals and memory to pv_profile_builder_snapshot ().
 * All strings are copied and made showable (see intern.h).
 */
typedef struct PvProfileBuilder PvProfileBuilder;

PvProfileBuilder *pv_profile_builder_new (void);
void pv_profile_builder_free (PvProfileBuilder *builder);

/* A string that lives as long as the profile; equal strings give the same pointer. */
const char *pv_profile_builder_string (PvProfileBuilder *builder, const char *string);
const char *pv_profile_builder_string_len (PvProfileBuilder *builder, const char *string,
                                           size_t size_bytes);

/* A sentence of ours that names are put into, in the user's language; lives as long as the profile.
 */
const char *pv_profile_builder_sentence (PvProfileBuilder *builder, const char *sentence);

/* Facts are filled in place; their strings must come from pv_profile_builder_string (). */
PvFacts *pv_profile_builder_facts (PvProfileBuilder *builder);

/* Always makes a new module: the reader decides what is the same one. name is derived from path
 * where template->name is NULL. Strings and named ranges are copied. */
PvModuleId pv_profile_builder_add_module (PvProfileBuilder *builder, const PvModule *template_);

/* The module of addresses outside every mapping, made on first use: "[unknown]", or "[kernel]". */
PvModuleId pv_profile_builder_unknown_module (PvProfileBuilder *builder, bool is_kernel);

/* True for an address that can be of the kernel's code, where only the address is known: the top of
 * the address space, or where PowerPC has it. Broken stacks have other numbers there. */
static inline bool
pv_is_kernel_address (uint64_t addr)
{
    return addr >> 56 == 0xff || addr >> 48 == 0xc000;
}

/* To complete a module later (build-ids arrive late in pipes). Valid until the next add_module. */
PvModule *pv_profile_builder_module (PvProfileBuilder *builder, PvModuleId module);

/* Replaces the module's named ranges by a sorted copy; where they overlap the later one wins. */
void pv_profile_builder_set_named_ranges (PvProfileBuilder *builder, PvModuleId module,
                                          const PvNamedRange *ranges, size_t n_ranges);

/* Several lines as one string with line feeds between them; NULL for none. Lines beyond
 * PV_MAX_LINES_BYTES are left out, and "…" says so. */
#define PV_MAX_LINES_BYTES (4u << 20)
const char *pv_profile_builder_lines (PvProfileBuilder *builder, const char *const *lines,
                                      size_t n_lines);

/* The memory that has been built, together with what names of all locations will need; approximate,
 * for a reader's budget. Linear in the number of sample sets. */
uint64_t pv_profile_builder_count_bytes (const PvProfileBuilder *builder);

PvLocationId pv_profile_builder_location (PvProfileBuilder *builder, PvModuleId module,
                                          uint64_t address, PvLocationKind kind);

/* The same, but always a new one, which pv_profile_builder_location () does not know: for formats
 * that tell locations apart by more than their address. */
PvLocationId pv_profile_builder_add_location (PvProfileBuilder *builder, PvModuleId module,
                                              uint64_t address, PvLocationKind kind);

/* Including row 0. */
uint32_t pv_profile_builder_count_locations (const PvProfileBuilder *builder);

/* The chain of frames that the recording itself names for a location, innermost first. Strings must
 * come from pv_profile_builder_string () or be NULL; empty ones become NULL. is_last is set here.
 * Once per location. */
void pv_profile_builder_give_frames (PvProfileBuilder *builder, PvLocationId location,
                                     const PvGivenFrame *frames, uint32_t n_frames);

/* Gives a location the frames of another one of the same module that was inlined into it, without
 * the innermost. Nothing is copied. */
void pv_profile_builder_share_frames (PvProfileBuilder *builder, PvLocationId location,
                                      PvLocationId inlined);

/* The stack of location on top of parent (0: location is the root). */
PvStackId pv_profile_builder_stack (PvProfileBuilder *builder, PvStackId parent,
                                    PvLocationId location);

/* The same for a location that was just added and is in no stack yet: nobody asks for this stack a
 * second time, so it need not be found. */
PvStackId pv_profile_builder_new_stack (PvProfileBuilder *builder, PvStackId parent,
                                        PvLocationId location);

/* Announces n_stacks stacks whose parents have other children, too. Only for speed. */
void pv_profile_builder_expect_sisters (PvProfileBuilder *builder, size_t n_stacks);
/* Fetches the memory that pv_profile_builder_stack () will need soon. */
void pv_profile_builder_prefetch_stack (const PvProfileBuilder *builder, PvStackId parent,
                                        PvLocationId location);

/* A whole stack, leaf first. Repeats are found by one hash of the array. 0 for no locations. */
PvStackId pv_profile_builder_chain (PvProfileBuilder *builder, const PvLocationId *leaf_first,
                                    size_t n_locations);

/* All stacks at once, in place of any calls of the two above until now. Row 0 is "none", parents
 * come first, and their locations must have been made. Both blocks, from g_malloc (), are taken.
 * Later calls of the two above find these stacks and add to them. */
void pv_profile_builder_take_stacks (PvProfileBuilder *builder, PvStackId *parent_of_stack,
                                     PvLocationId *location_of_stack, uint32_t n_stacks);

PvProcessId pv_profile_builder_add_process (PvProfileBuilder *builder, int32_t pid,
                                            const char *name, uint64_t start_ns);
PvThreadId pv_profile_builder_add_thread (PvProfileBuilder *builder, PvProcessId process,
                                          int32_t tid, const char *name, uint64_t start_ns);
void pv_profile_builder_name_process (PvProfileBuilder *builder, PvProcessId process,
                                      const char *name);
void pv_profile_builder_name_thread (PvProfileBuilder *builder, PvThreadId thread,
                                     const char *name);
void pv_profile_builder_end_process (PvProfileBuilder *builder, PvProcessId process,
                                     uint64_t end_ns);
void pv_profile_builder_set_unmapped (PvProfileBuilder *builder, PvProcessId process,
                                      bool is_unmapped);
void pv_profile_builder_end_thread (PvProfileBuilder *builder, PvThreadId thread, uint64_t end_ns);

/* A new sample set, 0 first. */
uint32_t pv_profile_builder_add_set (PvProfileBuilder *builder, const char *name,
                                     bool has_durations);
void pv_profile_builder_name_set (PvProfileBuilder *builder, uint32_t set, const char *name);
/* Adds a measure with a column of its own to the set; before the set's first sample. The measure
 * takes the name of the set where name is NULL. The name is cut after so many bytes. */
#define PV_MAX_MEASURE_NAME_BYTES 256u
void pv_profile_builder_add_measure (PvProfileBuilder *builder, uint32_t set, const char *name,
                                     PvUnit unit, PvAggregation aggregation);
/* The number of columns of a set. */
uint32_t pv_profile_builder_count_measures (const PvProfileBuilder *builder, uint32_t set);
/* The same with what is counted; see PvMeasure.unit_name. */
void pv_profile_builder_name_unit (PvProfileBuilder *builder, uint32_t set, uint32_t column,
                                   const char *unit_name);
/* The measure counts the end of waits, as long as the sample's weight says in nanoseconds; no more
 * than its duration. */
void pv_profile_builder_set_delay (PvProfileBuilder *builder, uint32_t set, uint32_t column);
/* A number for a new PvPair. */
uint32_t pv_profile_builder_add_pair (PvProfileBuilder *builder);
/* Makes a measure part of a pair; side is ignored where the part is of both. A pair that lacks one
 * of the first three parts when a profile is made leaves ordinary measures. */
void pv_profile_builder_set_part (PvProfileBuilder *builder, uint32_t set, uint32_t column,
                                  uint32_t pair, PvMeasurePart part, PvSide side);
/* When the set's samples were taken; there are no more to come. The arrays are of the memory of
 * pv_profile_builder_alloc0 (), which lives as long as the builder's profiles. */
void *pv_profile_builder_alloc0 (PvProfileBuilder *builder, size_t size_bytes);
void pv_profile_builder_set_blocks (PvProfileBuilder *builder, uint32_t set,
                                    const PvTimeBlocks *blocks);
/* The profile is a comparison. Copied, strings too; if recorded_of_location is set, it has an entry
 * for each location that was added, and there are no more to come. */
void pv_profile_builder_set_compared (PvProfileBuilder *builder, const PvCompared *compared);
/* The profile is joined of files; each set has one measure, so that sets are numbered as measures
 * are. Copied, strings too. */
void pv_profile_builder_set_joined (PvProfileBuilder *builder, const PvJoinedFile *files,
                                    uint32_t n_files);
/* The measure of that column of the preferred set comes first of all. */
void pv_profile_builder_prefer_measure (PvProfileBuilder *builder, uint32_t column);
/* Sets that never got a sample are left out of the profile when this is set (dummy events). */
void pv_profile_builder_hide_empty_set (PvProfileBuilder *builder, uint32_t set);
/* The reader makes the set's samples from other records: they do not count as samples. */
void pv_profile_builder_set_derived (PvProfileBuilder *builder, uint32_t set);
/* The set has everything, not samples of it: differences are not due to chance. */
void pv_profile_builder_set_exact (PvProfileBuilder *builder, uint32_t set);
/* The set's measures come first in the profile. */
void pv_profile_builder_prefer_set (PvProfileBuilder *builder, uint32_t set);

typedef struct {
    uint64_t time_ns; /* 0: unknown */
    uint64_t duration_ns;
    PvThreadId thread;
    PvStackId stack;
    uint32_t label_set; /* of pv_profile_builder_label_set (); 0: no labels */
    uint32_t record;    /* of pv_profile_builder_add_record () for the same set; 0: none */
    uint32_t wait;      /* of pv_profile_builder_wait (); 0: nothing is known of a wait */
    uint16_t cpu;       /* or PV_CPU_UNKNOWN */
    uint8_t stack_end;
} PvNewSample;

/* The set of exactly these labels, made on first use; 0 for none. All strings must be the builder's
 * own, see pv_profile_builder_string (). */
uint32_t pv_profile_builder_label_set (PvProfileBuilder *builder, const PvLabel *labels,
                                       uint32_t n_labels);

/* The row of exactly this wait, made on first use. */
uint32_t pv_profile_builder_wait (PvProfileBuilder *builder, const PvWait *wait);

/* The fields of the set's records; copied, with their names. Before its first record. */
void pv_profile_builder_set_fields (PvProfileBuilder *builder, uint32_t set, const PvField *fields,
                                    uint32_t n_fields, bool swap);
/* The set's records have the same fields as those of `other`, which has some. */
void pv_profile_builder_share_fields (PvProfileBuilder *builder, uint32_t set, uint32_t other);
/* Stores a copy of the data of a sample's fields; returns its number, or 0 beyond the limit. */
#define PV_MAX_RECORD_BYTES ((uint64_t)256 << 20)
uint32_t pv_profile_builder_add_record (PvProfileBuilder *builder, uint32_t set,
                                        const uint8_t *data, size_t size_bytes);

/* weights has one entry for each measure of the set. */
void pv_profile_builder_add_sample (PvProfileBuilder *builder, uint32_t set,
                                    const PvNewSample *sample, const uint64_t *weights);

/* Makes the profile that of a heap: with measures for all that a heap counts, the time of the
 * history, and no sample sets. Takes the reference. */
void pv_profile_builder_set_heap (PvProfileBuilder *builder, PvHeap *heap);

/* Facts about calls from the file itself; copied. All locations must have been made. */
void pv_profile_builder_set_known_calls (PvProfileBuilder *builder, const PvKnownCalls *calls);

/* A line of the recorded program's leak suppressions; see PvProfile.suppressions. */
void pv_profile_builder_add_suppression (PvProfileBuilder *builder, const char *line,
                                         size_t size_bytes);

/* Expressions for the profile's drop_frames and keep_frames; NULL or "" for none. */
void pv_profile_builder_set_drop_frames (PvProfileBuilder *builder, const char *drop,
                                         const char *keep);
/* Sets is_of_allocations. */
void pv_profile_builder_set_of_allocations (PvProfileBuilder *builder);

/* Makes the profile a series and adds the next dump to it: the samples of this dump, and only they,
 * have its time. Measures of a state get two more for their growth and decrease. */
void pv_profile_builder_add_dump (PvProfileBuilder *builder, const PvDump *dump);
void pv_profile_builder_set_dump_times (PvProfileBuilder *builder, bool has_dump_times);

/* Copied, but for its strings, which must be the builder's own. The total is set here. */
void pv_profile_builder_add_distribution (PvProfileBuilder *builder,
                                          const PvDistribution *distribution);

/* A counter of these samples, see pv_counter_make (). Its strings must be the builder's own. False:
 * there are PV_MAX_COUNTERS already. */
bool pv_profile_builder_add_counter (PvProfileBuilder *builder, const PvCounter *like,
                                     const uint64_t *time_ns, const double *values,
                                     size_t n_samples);

/* Source code that came with the file: the first text of each path counts. Copied. */
void pv_profile_builder_add_source (PvProfileBuilder *builder, const char *path, const void *text,
                                    size_t size_bytes);

/* Sets packed_names: rows of functions from 1 on, and of frames. All arrays, from g_malloc (), are
 * taken; strings must be the builder's own. All locations must have been made, and given their
 * frames. */
void pv_profile_builder_take_packed_names (PvProfileBuilder *builder, const PvSymbolTable *names);

/* Adds events that were lost at about this time; 0: not known. */
void pv_profile_builder_add_lost (PvProfileBuilder *builder, uint64_t time_ns, uint64_t n_lost);
/* None was lost, so far as is known. */
void pv_profile_builder_forget_lost (PvProfileBuilder *builder);
void pv_profile_builder_add_skipped (PvProfileBuilder *builder, uint64_t n_records);

/* text is printf-like and already translated. The same text twice is one note. */
void pv_profile_builder_note (PvProfileBuilder *builder, PvNoteSeverity severity, PvNoteKind kind,
                              PvModuleId module, const char *format, ...) G_GNUC_PRINTF (5, 6);

/* Multiplies the amounts of a measure, whose unit is so many times smaller from now on. */
void pv_profile_builder_refine (PvProfileBuilder *builder, uint32_t set, uint32_t column,
                                uint64_t times, const char *unit_name);

/* Notes that 1 of the file is so many in the profile; nothing if it is 1. */
void pv_profile_builder_note_fractions (PvProfileBuilder *builder, uint64_t ones);

/* The same as pv_profile_builder_note () for a note that is written already; its text is copied,
 * unless it is the builder's own.
 */
void pv_profile_builder_add_note (PvProfileBuilder *builder, const PvNote *note);

/* The profile as it is now. The builder may go on: what this profile sees does not change. */
PvProfile *pv_profile_builder_snapshot (PvProfileBuilder *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvProfileBuilder, pv_profile_builder_free)
