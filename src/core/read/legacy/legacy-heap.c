/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heap profiles of gperftools, tcmalloc, Go, and jemalloc before version 4:
 *   heap profile: OBJECTS: BYTES [OBJECTS: BYTES] @ TYPE/RATE
 *    OBJECTS: BYTES [OBJECTS: BYTES] @ 0xADDRESS ...
 * The first two numbers are in use, the others have been allocated since the start.
 */
#include <string.h>

#include "core/read/legacy/legacy-formats.h"
#include "core/read/legacy/legacy-names.h"
#include "core/read/legacy/legacy-samples.h"

#define OLD_RATE_BYTES (128.0 * 1024) /* for headers without a rate */

enum { OBJECTS, BYTES, ALLOCATED_OBJECTS, ALLOCATED_BYTES, N_NUMBERS };

typedef struct {
    int64_t numbers[N_NUMBERS];
    PvText type;   /* without the rate */
    uint64_t rate; /* 0: none */
    LegacyScale scale;
    double rate_bytes;
    bool is_growth;
    bool has_allocated;
} HeapHeader;

static bool
take_numbers (PvText *line, int64_t numbers[N_NUMBERS])
{
    int64_t taken[N_NUMBERS];
    if (!legacy_take_signed (line, &taken[OBJECTS]) || !pv_text_take_next (line, ":") ||
        !legacy_take_signed (line, &taken[BYTES]) || !pv_text_take_next (line, "[") ||
        !legacy_take_signed (line, &taken[ALLOCATED_OBJECTS]) || !pv_text_take_next (line, ":") ||
        !legacy_take_signed (line, &taken[ALLOCATED_BYTES]) || !pv_text_take_next (line, "]") ||
        taken[ALLOCATED_OBJECTS] < 0 || taken[ALLOCATED_BYTES] < 0)
        return false;
    memcpy (numbers, taken, sizeof taken);
    return true;
}

static bool
is_type (const HeapHeader *header, const char *name)
{
    return pv_text_equals (header->type, name);
}

/* Uses the formula of the second version for the first as well, like pprof. Without a type, the
 * heap was sampled if the numbers in use and allocated are equal, and is exact otherwise. */
static void
find_scale (HeapHeader *header)
{
    const int64_t *numbers = header->numbers;
    double rate = (double)header->rate;
    if (is_type (header, "heap_v2") || is_type (header, "heapz_v2")) {
        header->scale = LEGACY_SCALE_POISSON;
        header->rate_bytes = rate;
    } else if (is_type (header, "heap")) {
        header->scale = LEGACY_SCALE_POISSON;
        header->rate_bytes = (double)(header->rate / 2);
    } else if (pv_text_len (header->type) == 0 && numbers[OBJECTS] != 0 &&
               numbers[OBJECTS] == numbers[ALLOCATED_OBJECTS] &&
               numbers[BYTES] == numbers[ALLOCATED_BYTES]) {
        header->scale = LEGACY_SCALE_LINEAR;
        header->rate_bytes = OLD_RATE_BYTES;
    }
}

/* Those of sampled heaps are the same numbers once more. The heap profiler counts what is
 * allocated, which is what is in use as long as nothing has been freed. */
static bool
has_allocated (const HeapHeader *header)
{
    const int64_t *numbers = header->numbers;
    bool is_counted = numbers[ALLOCATED_OBJECTS] != 0 || numbers[ALLOCATED_BYTES] != 0;
    bool is_empty = numbers[OBJECTS] == 0 && numbers[BYTES] == 0;
    if (header->is_growth)
        return false;
    if (is_type (header, "heapprofile"))
        return is_counted || is_empty;
    return (numbers[ALLOCATED_OBJECTS] != numbers[OBJECTS] && numbers[ALLOCATED_OBJECTS] != 0) ||
           (numbers[ALLOCATED_BYTES] != numbers[BYTES] && numbers[ALLOCATED_BYTES] != 0);
}

static bool
parse_header (PvText line, HeapHeader *ret)
{
    HeapHeader header = {0};
    if (!pv_text_take_next (&line, "heap profile:") || !take_numbers (&line, header.numbers))
        return false;
    header.type = (PvText){line.end, line.end};
    if (pv_text_take_next (&line, "@") && legacy_take_token (&line, &header.type)) {
        const char *slash = pv_text_find_char (header.type, '/');
        if (slash != NULL) {
            PvText rate = {slash + 1, header.type.end};
            legacy_take_decimal (&rate, &header.rate);
            header.type.end = slash;
        }
    }
    header.is_growth = is_type (&header, "growth") || is_type (&header, "growthz") ||
                       is_type (&header, "fragmentation") || is_type (&header, "fragmentationz");
    header.has_allocated = has_allocated (&header);
    find_scale (&header);
    *ret = header;
    return true;
}

bool
legacy_is_heap (PvText text)
{
    HeapHeader header;
    PvText line;
    return pv_text_next_trimmed (&text, &line) && parse_header (line, &header);
}

static void
add_columns (LegacySession *session, const HeapHeader *header)
{
    LegacyColumn objects = {.unit = PV_UNIT_COUNT, .aggregation = PV_AGGREGATION_STATE};
    LegacyColumn bytes = {.unit = PV_UNIT_BYTES, .aggregation = PV_AGGREGATION_STATE};
    if (header->has_allocated) {
        objects.name = "alloc_objects";
        bytes.name = "alloc_space";
        legacy_session_add_column (session, &objects);
        legacy_session_add_column (session, &bytes);
    }
    objects.name = header->is_growth ? "objects" : "inuse_objects";
    bytes.name = header->is_growth ? "space" : "inuse_space";
    legacy_session_add_column (session, &objects);
    legacy_session_add_column (session, &bytes);
    session->preferred_column = session->n_columns - 1;
}

/* Stores the pair's numbers in the row, and the mean size of its blocks in size. */
static void
take_pair (LegacySession *session, const HeapHeader *header, const int64_t *pair, uint32_t column,
           LegacyRow *row, PvLabel *size)
{
    if (pair[0] != 0) {
        size->key = "bytes";
        size->unit = "bytes";
        size->number = pair[1] / pair[0];
    }
    if (header->scale == LEGACY_SCALE_NONE || header->rate_bytes <= 1) {
        row->values[column] = pair[0];
        row->values[column + 1] = pair[1];
        return;
    }
    LegacyAmounts amounts = legacy_unsample (header->scale, header->rate_bytes, pair[0], pair[1]);
    row->values[column] = legacy_round (session, column, amounts.objects);
    row->values[column + 1] = legacy_round (session, column + 1, amounts.bytes);
}

static bool
take_sample (LegacySession *session, const HeapHeader *header, PvText line)
{
    int64_t numbers[N_NUMBERS];
    if (!take_numbers (&line, numbers) || !pv_text_take_next (&line, "@"))
        return false;
    legacy_take_stack (session, &line);
    legacy_take_go_comments (session);
    LegacyRow row = {.stack = legacy_stack (session, PV_LOCATION_RETURN, PV_LOCATION_RETURN)};
    PvLabel size = {0};
    uint32_t column = 0;
    if (header->has_allocated) {
        take_pair (session, header, numbers + ALLOCATED_OBJECTS, column, &row, &size);
        column += 2;
    }
    take_pair (session, header, numbers + OBJECTS, column, &row, &size);
    row.label_set = pv_profile_builder_label_set (session->builder, &size, size.key != NULL);
    legacy_add_row (session, &row);
    return true;
}

static void
set_facts (LegacySession *session, const HeapHeader *header)
{
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    facts->format = header->is_growth ? "heap growth" : "gperftools heap";
    if (header->scale != LEGACY_SCALE_NONE && header->rate_bytes > 1)
        legacy_set_period_bytes (session, (uint64_t)MIN (header->rate_bytes, 0x1p63));
}

bool
legacy_read_heap (LegacySession *session, GError **error)
{
    HeapHeader header;
    PvText line;
    if (!legacy_session_next_line (session, &line) || !parse_header (line, &header))
        return legacy_fail (error);
    add_columns (session, &header);
    set_facts (session, &header);
    pv_profile_builder_set_of_allocations (session->builder);
    /* The heap profiler of gperftools counts every allocation. */
    session->is_exact = is_type (&header, "heapprofile");
    while (legacy_session_next_line (session, &line)) {
        if (!legacy_is_comment (line) && !take_sample (session, &header, line))
            legacy_add_bad_line (session, line);
    }
    if (is_type (&header, "heap") && session->has_names.len > 0)
        pv_profile_builder_facts (session->builder)->format = "Go heap as text";
    return true;
}
