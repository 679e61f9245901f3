/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/model/build/builder.h"
#include "core/model/heap/heap-restore.h"
#include "core/model/pack/pack-format.h"
#include "core/read/unpack/reader.h"

/* Shared by the files of the reader: pack-reader.c (sections), pack-rows.c, pack-tables.c,
 * pack-names.c, pack-samples.c and pack-heap.c (their contents). Functions that take a section are
 * false where it is damaged: all that they took before is sound. */

typedef PV_ARRAY (uint64_t) PvPackNumbers;

#define PV_PACK_COUNT(array) ((uint64_t)(array).len * sizeof *(array).data)

#define PV_PACK_STEPS_PER_CHECK 16384u
/* Memory of a sample while all of its set are sorted by time. */
#define PV_PACK_SORTING_BYTES 36u
/* The strings that rows name may have so many bytes in all, or so many for each unpacked one. */
#define PV_PACK_MIN_NAMED_BYTES ((uint64_t)1 << 30)
#define PV_PACK_MAX_NAMED_RATIO 64u

typedef struct {
    uint32_t n_columns;
    uint32_t delay_column; /* plus 1; 0: none */
    uint32_t n_samples;
    uint64_t latest_ns;
    bool is_unordered; /* by time */
    bool has_durations, has_labels, has_waits, has_fields;
} PvPackSet;

/* A bin of a heap, and how many of its rows are still to come. */
typedef struct {
    uint64_t n_frees, after_ms, rss_bytes, n_rows;
} PvPackBin;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    uint64_t section_bytes, n_unpacked; /* of the section at hand, and of all until its end */
    uint64_t named_bytes;               /* lengths of the strings that rows named, each time */
    uint32_t n_steps;
    bool is_full;         /* the memory is spent: nothing more is taken */
    uint64_t given_bytes; /* of names that the builder has taken */

    PV_ARRAY (const char *) strings; /* row 0: NULL */
    PV_ARRAY (uint32_t) length_of_string;
    bool has_head;
    uint32_t n_sources, n_distributions;

    uint32_t n_modules, n_processes, n_threads; /* with row 0 */
    uint32_t n_locations;
    PV_ARRAY (PvFunction) functions;
    PV_ARRAY (uint32_t) first_frame; /* by location, as far as they are known */
    PV_ARRAY (uint16_t) n_frames;
    PV_ARRAY (PvFrame) frames;
    PV_ARRAY (uint8_t) symbols_of_module;
    PV_ARRAY (const char *) file_of_module;
    PV_ARRAY (PvLinkMap) links_of_module; /* all or none; segments from g_malloc () */
    PV_ARRAY (PvNote) name_notes;

    PV_ARRAY (PvStackId) parents; /* until they are given to the builder */
    PV_ARRAY (PvLocationId) locations;
    uint32_t n_stacks; /* with row 0 */
    bool has_given_stacks;

    PV_ARRAY (uint32_t) label_sets; /* id in the file -> in the builder */
    PV_ARRAY (uint32_t) waits;
    PV_ARRAY (uint64_t) dump_times;
    PV_ARRAY (PvPackSet) sets;
    uint32_t n_measures;
    PV_ARRAY (uint32_t) pairs; /* number in the file -> in the builder, plus 1 */

    uint32_t calls_set, n_call_columns;
    PV_ARRAY (PvKnownCall) calls;
    PV_ARRAY (uint64_t) call_weights;
    PV_ARRAY (PvLocationId) call_functions;
    PV_ARRAY (uint64_t) call_totals;

    PvCounter counter; /* the one at hand, which may have more samples in the next section */
    bool has_counter;
    PV_ARRAY (uint64_t) counter_times;
    PV_ARRAY (double) counter_values;

    PvHeapRestorer *heap; /* NULL: no heap */
    PV_ARRAY (PvPackBin) bins;
    size_t next_bin; /* those before it have all their rows */

    PvArena *section_arena;   /* lives as long as the section at hand */
    PvPackNumbers columns[8]; /* scratch */
    PV_ARRAY (PvPackNumbers) weights;
} PvPackReading;

/* pack-reader.c: false if the memory is spent, or the job was cancelled. */
bool pv_pack_check (PvPackReading *self);

/* The same, to be asked at each row: looks only now and then. */
static inline bool
pv_pack_goes_on (PvPackReading *self)
{
    return (++self->n_steps % PV_PACK_STEPS_PER_CHECK != 0 && !self->is_full) ||
           pv_pack_check (self);
}

/* The same in a loop that ends where the cursor has failed. */
static inline bool
pv_pack_step (PvPackReading *self, PvCursor *cursor)
{
    cursor->failed |= !pv_pack_goes_on (self);
    return !cursor->failed;
}

/* A string of the builder; NULL for none, and where the cursor has failed. Many rows may name a
 * long string, and each costs its length again later: there is a limit to that, too. */
static inline const char *
pv_pack_string (PvPackReading *self, PvCursor *cursor)
{
    uint64_t id = pv_cursor_varint (cursor);
    if (id >= self->strings.len) {
        cursor->failed = true;
        return NULL;
    }
    self->named_bytes += self->length_of_string.data[id];
    self->is_full |= self->named_bytes > PV_PACK_MIN_NAMED_BYTES &&
                     self->named_bytes / PV_PACK_MAX_NAMED_RATIO > self->n_unpacked;
    return self->strings.data[id];
}

static inline int64_t
pv_pack_signed (PvCursor *cursor)
{
    uint64_t number = pv_cursor_varint (cursor);
    return (int64_t)(number >> 1 ^ (0 - (number & 1)));
}

static inline int32_t
pv_pack_int32 (PvCursor *cursor)
{
    int64_t number = pv_pack_signed (cursor);
    if (number == (int32_t)number)
        return (int32_t)number;
    cursor->failed = true;
    return 0;
}

/* A number below `end`; otherwise 0, and the cursor has failed. */
static inline uint32_t
pv_pack_below (PvCursor *cursor, uint64_t end)
{
    uint64_t number = pv_cursor_varint (cursor);
    if (number < end)
        return (uint32_t)number;
    cursor->failed = true;
    return 0;
}

/* A column of n numbers; with `is_delta` those of differences. */
bool pv_pack_take_column (PvCursor *cursor, uint64_t n, bool is_delta, PvPackNumbers *column);

/* pack-rows.c */
/* The next row of a section of rows, as pv_row_types has them; rows in it are in the section's
 * arena. False at the end, and where the cursor has failed. */
bool pv_pack_take_row (PvPackReading *self, PvCursor *cursor, PvProfileTable table, void *ret_row);

/* pack-tables.c */
bool pv_pack_take_strings (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_head (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_modules (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_processes (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_threads (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_locations (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_stacks (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_labels (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_dumps (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_losses (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_suppressions (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_notes (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_source (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_distributions (PvPackReading *self, PvCursor *cursor);
/* The builder gets all stacks so far; none can come after that. */
void pv_pack_give_stacks (PvPackReading *self);

/* pack-names.c */
bool pv_pack_take_functions (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_names (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_symbols (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_links (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_name_notes (PvPackReading *self, PvCursor *cursor);
/* The memory of names until then, with the copies in the symbol table. */
uint64_t pv_pack_count_names (const PvPackReading *self);
/* The builder gets all names, if there are any for each location, and the notes on them. Before it
 * gets the stacks. */
void pv_pack_give_names (PvPackReading *self);

/* pack-samples.c */
bool pv_pack_take_sets (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_main (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_waits (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_samples (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_calls (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_totals (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_counters (PvPackReading *self, PvCursor *cursor);
/* After the last section. */
void pv_pack_give_calls (PvPackReading *self);
void pv_pack_give_counter (PvPackReading *self);

/* pack-heap.c */
bool pv_pack_take_heap (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_sites (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_heap_bins (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_heap_rows (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_heap_bin_sizes (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_heap_sizes (PvPackReading *self, PvCursor *cursor);
bool pv_pack_take_heap_ages (PvPackReading *self, PvCursor *cursor);
/* After the last section. */
void pv_pack_give_heap (PvPackReading *self);
