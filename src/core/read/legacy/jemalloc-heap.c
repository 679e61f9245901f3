/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jemalloc's heap_v2, since its version 4:
 *   heap_v2/RATE
 *     t*: OBJECTS: BYTES [OBJECTS: BYTES]
 *     tN: OBJECTS: BYTES [OBJECTS: BYTES] NAME OF THREAD
 *   @ 0xADDRESS ...
 *     t*: OBJECTS: BYTES [OBJECTS: BYTES]
 *     tN: OBJECTS: BYTES [OBJECTS: BYTES]
 * The first two numbers are in use, the others have been allocated since the start (prof_accum,
 * else zeros). The block above the first stack has threads' names; its numbers are meaningless, as
 * they are sums of samples with different weights. N counts threads and is not a system's thread
 * id. A stack's t* is its total, which is divided among the threads. The last line may be a comment
 * of our recorder.
 */
#include <stdlib.h>
#include <string.h>

#include "core/read/legacy/legacy-formats.h"
#include "core/read/legacy/legacy-samples.h"

/* Columns, and the numbers of a line. */
enum { IN_USE_OBJECTS, IN_USE_BYTES, ALLOCATED_OBJECTS, ALLOCATED_BYTES, N_COLUMNS };

typedef struct {
    double amounts[N_COLUMNS];
} Amounts;

typedef struct {
    PvThreadId thread;
    Amounts amounts;
} Share;

/* The fraction of a share, for dividing what is left after rounding down. */
typedef struct {
    double fraction;
    size_t share;
} Rest;

typedef struct {
    LegacySession *session;
    double rate_bytes;
    PvProcessId process;
    PvIdMap threads; /* by N */
    PvStackId stack;
    bool has_stack;
    bool has_total; /* the stack's t* was read */
    Amounts total;
    PV_ARRAY (Share) shares;
    PV_ARRAY (LegacyRow) rows;
    PV_ARRAY (Rest) rests;
} Heap;

bool
jemalloc_is_heap (PvText text)
{
    PvText line;
    uint64_t rate;
    return pv_text_next_trimmed (&text, &line) && pv_text_take_next (&line, "heap_v2/") &&
           legacy_take_decimal (&line, &rate) && line.at == line.end;
}

/* Threads */

static PvThreadId
get_thread (Heap *heap, uint64_t number)
{
    uint32_t *slot = pv_id_map_slot (&heap->threads, number);
    if (*slot == 0)
        *slot = pv_profile_builder_add_thread (heap->session->builder, heap->process,
                                               (int32_t)MIN (number, INT32_MAX), "", 0);
    return *slot;
}

/* Values of stacks */

/* A stack's total is divided among its threads in whole numbers: the largest fractions are rounded
 * up. */
static int
compare_rests (const void *a, const void *b)
{
    const Rest *x = a, *y = b;
    return pv_order (y->fraction, x->fraction) ?: pv_order (x->share, y->share);
}

static void
split_column (Heap *heap, uint32_t column, int64_t total)
{
    double sum = 0;
    for (size_t i = 0; i < heap->shares.len; i++)
        sum += heap->shares.data[i].amounts.amounts[column];
    heap->rests.len = 0;
    int64_t left = total;
    for (size_t i = 0; i < heap->shares.len; i++) {
        double amount = heap->shares.data[i].amounts.amounts[column];
        double exact = sum > 0 ? (double)total * (amount / sum) : 0;
        int64_t whole = exact < (double)left ? (int64_t)exact : left;
        heap->rows.data[i].values[column] = whole;
        left -= whole;
        Rest rest = {exact - (double)whole, i};
        pv_array_push (&heap->rests, rest);
    }
    if (left == 0 || heap->rests.len == 0)
        return;
    pv_array_sort (&heap->rests, compare_rests);
    /* Beyond the precision of a double, more can be left than there are threads. */
    int64_t each = left / (int64_t)heap->rests.len;
    size_t n_more = (size_t)(left % (int64_t)heap->rests.len);
    for (size_t i = 0; i < heap->rests.len; i++)
        heap->rows.data[heap->rests.data[i].share].values[column] += each + (i < n_more);
}

static void
finish_stack (Heap *heap)
{
    LegacySession *session = heap->session;
    if (heap->has_stack && heap->has_total) {
        LegacyRow row = {.stack = heap->stack};
        for (uint32_t c = 0; c < N_COLUMNS; c++)
            row.values[c] = legacy_round (session, c, heap->total.amounts[c]);
        heap->rows.len = 0;
        for (size_t i = 0; i < heap->shares.len; i++) {
            LegacyRow share = {.stack = heap->stack, .thread = heap->shares.data[i].thread};
            pv_array_push (&heap->rows, share);
        }
        for (uint32_t c = 0; c < N_COLUMNS && heap->rows.len > 0; c++)
            split_column (heap, c, row.values[c]);
        if (heap->rows.len == 0)
            pv_array_push (&heap->rows, row);
        for (size_t i = 0; i < heap->rows.len; i++)
            legacy_add_row (session, &heap->rows.data[i]);
    }
    heap->has_stack = heap->has_total = false;
    heap->shares.len = 0;
}

/* Lines */

static bool
take_numbers (PvText *line, uint64_t numbers[N_COLUMNS])
{
    return legacy_take_decimal (line, &numbers[IN_USE_OBJECTS]) && pv_text_take_next (line, ":") &&
           legacy_take_decimal (line, &numbers[IN_USE_BYTES]) && pv_text_take_next (line, "[") &&
           legacy_take_decimal (line, &numbers[ALLOCATED_OBJECTS]) &&
           pv_text_take_next (line, ":") && legacy_take_decimal (line, &numbers[ALLOCATED_BYTES]) &&
           pv_text_take_next (line, "]");
}

static Amounts
unsample (const Heap *heap, const uint64_t numbers[N_COLUMNS])
{
    Amounts amounts;
    for (uint32_t c = 0; c < N_COLUMNS; c += 2) {
        LegacyAmounts pair = legacy_unsample (LEGACY_SCALE_POISSON, heap->rate_bytes,
                                              (int64_t)MIN (numbers[c], INT64_MAX),
                                              (int64_t)MIN (numbers[c + 1], INT64_MAX));
        amounts.amounts[c] = pair.objects;
        amounts.amounts[c + 1] = pair.bytes;
    }
    return amounts;
}

/* Takes "t*: ..." or "tN: ..." of the stack above, or of all stacks. */
static bool
take_thread_line (Heap *heap, PvText line)
{
    uint64_t number = 0, numbers[N_COLUMNS];
    bool is_total = pv_text_take_next (&line, "t*");
    if (!is_total && !(pv_text_take_next (&line, "t") && legacy_take_decimal (&line, &number)))
        return false;
    if (!pv_text_take_next (&line, ":") || !take_numbers (&line, numbers))
        return false;
    if (is_total) {
        heap->has_total = true;
        heap->total = unsample (heap, numbers);
    } else if (heap->has_stack) {
        Share share = {get_thread (heap, number), unsample (heap, numbers)};
        pv_array_push (&heap->shares, share);
    } else {
        pv_text_take_next (&line, "");
        g_autofree char *name = pv_text_copy (line);
        pv_profile_builder_name_thread (heap->session->builder, get_thread (heap, number), name);
    }
    return true;
}

static bool
take_line (Heap *heap, PvText line)
{
    if (!pv_text_take_next (&line, "@"))
        return take_thread_line (heap, line);
    finish_stack (heap);
    legacy_take_stack (heap->session, &line);
    heap->stack = legacy_stack (heap->session, PV_LOCATION_RETURN, PV_LOCATION_RETURN);
    heap->has_stack = true;
    return true;
}

static void
add_columns (LegacySession *session)
{
    static const char *const names[] = {"inuse_objects", "inuse_space", "alloc_objects",
                                        "alloc_space"};
    for (uint32_t c = 0; c < N_COLUMNS; c++) {
        LegacyColumn column = {
            .name = names[c],
            .unit = c % 2 == 0 ? PV_UNIT_COUNT : PV_UNIT_BYTES,
            .aggregation = PV_AGGREGATION_STATE,
            .is_optional = c >= ALLOCATED_OBJECTS,
        };
        legacy_session_add_column (session, &column);
    }
    session->preferred_column = IN_USE_BYTES;
}

static void
set_facts (LegacySession *session, uint64_t rate)
{
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    facts->format = "jemalloc heap";
    legacy_set_period_bytes (session, rate);
    pv_profile_builder_set_of_allocations (session->builder);
}

bool
jemalloc_read_heap (LegacySession *session, GError **error)
{
    PvText line;
    uint64_t rate;
    if (!legacy_session_next_line (session, &line) || !pv_text_take_next (&line, "heap_v2/") ||
        !legacy_take_decimal (&line, &rate))
        return legacy_fail (error);
    add_columns (session);
    set_facts (session, rate);
    Heap heap = {.session = session, .rate_bytes = (double)rate};
    heap.process = pv_profile_builder_add_process (session->builder,
                                                   session->map.pid > 0 ? session->map.pid : -1,
                                                   legacy_get_program_name (session), 0);
    while (legacy_session_next_line (session, &line)) {
        if (legacy_is_comment (line))
            legacy_take_recorded_with (session->builder, line);
        else if (!take_line (&heap, line))
            legacy_add_bad_line (session, line);
    }
    finish_stack (&heap);
    pv_id_map_clear (&heap.threads);
    pv_array_clear (&heap.shares);
    pv_array_clear (&heap.rows);
    pv_array_clear (&heap.rests);
    return true;
}
