/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples, which are most of a file. Those with the same stack and labels are added up.
 */
#include "core/read/pprof/pprof-samples.h"

#include <string.h>

#include "core/base/hash.h"
#include "core/read/pprof/pprof-wire-reader.h"

enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };

/* Taking */

/* Keeps at most one frame more than the limit, which shows that there are too many. */
static inline void
take_location_id (PprofFile *file, uint64_t id, uint32_t *n_frames)
{
    uint32_t number = pprof_ids_number (&file->used_locations, id);
    if (*n_frames > PPROF_MAX_FRAMES)
        return;
    pv_array_push (&file->window->frames, number);
    (*n_frames)++;
}

/* Packed numbers */

enum {
    SMALL_BYTES = 4,     /* of a number below 1 << 28 */
    MIN_LANE_BYTES = 16, /* less is not worth two lanes */
};

/* Decodes a number of at most four bytes; four bytes must be readable. False if it is longer. */
static inline bool
decode_small (const uint8_t **pos, uint32_t *ret_number)
{
    uint32_t word;
    memcpy (&word, *pos, sizeof word);
    word = GUINT32_FROM_LE (word);
    uint32_t ends = ~word & 0x80808080u;
    if (G_UNLIKELY (ends == 0))
        return false;
    unsigned n_bits = (unsigned)__builtin_ctz (ends) + 1;
    *pos += n_bits / 8;
    word &= UINT32_MAX >> (32 - n_bits);
    /* 7 bits of every 8, then 14 of every 16 move together. */
    word = (word & 0x007f007fu) | (word & 0x7f007f00u) >> 1;
    *ret_number = (word & 0x00003fffu) | (word & 0x3fff0000u) >> 2;
    return true;
}

/* For the last few numbers, which are too near the end for decode_small (). */
static uint32_t
decode_byte_by_byte (const uint8_t **pos)
{
    uint32_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*pos)++;
        number |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
}

/* The start of a number is only known when the one before it is decoded, so decoding two halves at
 * once takes half the time. Returns how many there are, or 0 if they must be decoded one by one. */
static size_t
decode_all_small (const uint8_t *pos, const uint8_t *end, uint32_t *numbers)
{
    if (end - pos < MIN_LANE_BYTES || end[-1] >= 0x80)
        return 0;
    const uint8_t *middle = pos + (end - pos) / 2, *pos_2 = middle;
    while (pos_2[-1] >= 0x80)
        pos_2++;
    middle = pos_2;
    size_t n_first = 0;
    for (const uint8_t *byte = pos; byte < middle; byte++)
        n_first += *byte < 0x80;
    uint32_t *number = numbers, *number_2 = numbers + n_first;
    while (pos < middle && end - pos_2 >= SMALL_BYTES)
        if (!decode_small (&pos, number++) || !decode_small (&pos_2, number_2++))
            return 0;
    while (pos < middle)
        if (end - pos < SMALL_BYTES || !decode_small (&pos, number++))
            return 0;
    while (end - pos_2 >= SMALL_BYTES)
        if (!decode_small (&pos_2, number_2++))
            return 0;
    while (pos_2 < end)
        *number_2++ = decode_byte_by_byte (&pos_2);
    return (size_t)(number_2 - numbers);
}

static void
number_locations (PprofFile *file, uint32_t *ids, size_t n)
{
    PprofIds *used = &file->used_locations;
    const uint32_t *dense = used->dense.data;
    size_t n_dense = used->dense.len;
    for (size_t i = 0; i < n; i++) {
        uint32_t number = ids[i] < n_dense ? dense[ids[i]] : 0;
        if (G_UNLIKELY (number == 0)) {
            number = pprof_ids_add (used, ids[i]);
            dense = used->dense.data;
            n_dense = used->dense.len;
        }
        ids[i] = number;
    }
}

static bool
take_location_ids (PprofFile *file, PvCursor packed, uint32_t *n_frames)
{
    PprofWindow *window = file->window;
    if (pv_cursor_left (&packed) + *n_frames > PPROF_MAX_FRAMES) {
        while (packed.pos < packed.end)
            take_location_id (file, pv_cursor_varint (&packed), n_frames);
        return !packed.failed;
    }
    /* Each id takes at least one byte. */
    pv_array_reserve (&window->frames, window->frames.len + pv_cursor_left (&packed));
    uint32_t *start = window->frames.data + window->frames.len, *frame = start;
    size_t n_small = decode_all_small (packed.pos, packed.end, start);
    number_locations (file, start, n_small);
    if (n_small > 0) {
        packed.pos = packed.end;
        frame += n_small;
    }
    while (packed.pos < packed.end)
        *frame++ = pprof_ids_number (&file->used_locations, pv_cursor_varint (&packed));
    window->frames.len += (size_t)(frame - start);
    *n_frames += (uint32_t)(frame - start);
    return !packed.failed;
}

static void
take_value (PprofFile *file, uint64_t value, uint32_t *n_values)
{
    if (*n_values > PPROF_MAX_TYPES)
        return;
    pv_array_push (&file->window->values, (int64_t)value);
    (*n_values)++;
}

static bool
take_values (PprofFile *file, PvCursor packed, uint32_t *n_values)
{
    while (packed.pos < packed.end)
        take_value (file, pv_cursor_varint (&packed), n_values);
    return !packed.failed;
}

static void
take_label (PprofFile *file, PvCursor label)
{
    uint32_t size_bytes = (uint32_t)pv_cursor_left (&label);
    pv_array_append (&file->window->labels, (const uint8_t *)&size_bytes, sizeof size_bytes);
    pv_array_append (&file->window->labels, label.pos, size_bytes);
}

/* Numbers may be packed, or come one by one, or both. */
static void
take_field (PprofFile *file, PvCursor *message, const PprofField *field, PprofTaken *taken)
{
    switch (field->number) {
    case SAMPLE_LOCATION_ID:
        if (field->type == PPROF_BYTES)
            message->failed |= !take_location_ids (file, field->bytes, &taken->n_frames);
        else
            take_location_id (file, pprof_number (message, field), &taken->n_frames);
        break;
    case SAMPLE_VALUE:
        if (field->type == PPROF_BYTES)
            message->failed |= !take_values (file, field->bytes, &taken->n_values);
        else
            take_value (file, pprof_number (message, field), &taken->n_values);
        break;
    case SAMPLE_LABEL:
        take_label (file, pprof_bytes (message, field));
        break;
    default:
        break;
    }
}

static bool
take_sample (PprofFile *file, PvCursor message)
{
    PprofWindow *window = file->window;
    size_t n_frames = window->frames.len, n_values = window->values.len;
    size_t n_label_bytes = window->labels.len;
    PprofTaken taken = {0};
    PprofField field;
    while (pprof_next_field (&message, &field))
        take_field (file, &message, &field, &taken);
    if (message.failed) {
        window->frames.len = n_frames;
        window->values.len = n_values;
        window->labels.len = n_label_bytes;
        return false;
    }
    taken.n_label_bytes = (uint32_t)(window->labels.len - n_label_bytes);
    pv_array_push (&window->samples, taken);
    return true;
}

void
pprof_take_samples (PprofFile *file, PprofWindow *window)
{
    PvCursor messages = pv_cursor (window->bytes, window->len, false);
    PprofField field;
    file->window = window;
    window->samples.len = window->frames.len = window->values.len = window->labels.len = 0;
    /* pprof_add_taken () adds to the arrays' pointers; C forbids adding even 0 to NULL. */
    pv_array_reserve (&window->frames, 1);
    pv_array_reserve (&window->values, 1);
    pv_array_reserve (&window->labels, 1);
    while (!window->is_skipped && pprof_next_field (&messages, &field)) {
        if (field.number != PPROF_SAMPLE)
            continue;
        bool is_good = take_sample (file, pprof_bytes (&messages, &field));
        file->n_damaged_samples += !is_good || messages.failed;
        messages.failed = false;
    }
    window->id_bytes = pprof_ids_count_bytes (&file->used_locations);
}

/* Adding */

static uint32_t
get_labels (PprofFile *file, const uint8_t *labels, size_t size_bytes)
{
    if (size_bytes == 0)
        return 0;
    uint32_t *slot = pv_hash_map_slot (&file->label_ids, pv_hash_bytes (labels, size_bytes, 0));
    if (*slot == 0) {
        pv_array_append (&file->label_bytes, labels, size_bytes);
        pv_array_push (&file->end_of_labels, (uint32_t)file->label_bytes.len);
        *slot = (uint32_t)file->end_of_labels.len;
    }
    return *slot;
}

static void
add_sample (PprofFile *file, PprofTaken taken, const uint32_t *frames, const int64_t *values,
            const uint8_t *labels)
{
    uint32_t stack = PPROF_MAX_STACKS;
    if (file->values.len + taken.n_values <= UINT32_MAX &&
        file->label_bytes.len + taken.n_label_bytes <= UINT32_MAX)
        stack = pprof_stacks_add (&file->stacks, frames, MIN (taken.n_frames, PPROF_MAX_FRAMES));
    file->has_no_room = stack == PPROF_MAX_STACKS;
    if (file->has_no_room)
        return;
    PprofSample sample = {
        .stack = stack,
        .is_cut = taken.n_frames > PPROF_MAX_FRAMES,
        .labels = get_labels (file, labels, taken.n_label_bytes),
        .first_value = (uint32_t)file->values.len,
    };
    file->has_deep_stacks |= sample.is_cut;
    pv_array_push (&file->samples, sample);
    pv_array_append (&file->values, values, taken.n_values);
}

static uint64_t
count_added_bytes (const PprofFile *file)
{
    return file->stacks.location.cap * 2 * sizeof (uint32_t) +
           file->stacks.chains.cap * (sizeof (PprofChain) + 2 * sizeof (PprofSlot)) +
           file->samples.cap * (sizeof (PprofSample) + sizeof (PvIdSlot)) +
           file->values.cap * sizeof (int64_t) + file->label_bytes.cap;
}

void
pprof_add_taken (PprofFile *file, PprofWindow *window)
{
    const uint32_t *frames = window->frames.data;
    const int64_t *values = window->values.data;
    const uint8_t *labels = window->labels.data;
    for (size_t i = 0; i < window->samples.len && !file->has_no_room; i++) {
        PprofTaken taken = window->samples.data[i];
        add_sample (file, taken, frames, values, labels);
        frames += taken.n_frames;
        values += taken.n_values;
        labels += taken.n_label_bytes;
    }
    window->added_bytes = count_added_bytes (file) + window->id_bytes;
}

/* Merging */

static int64_t
add_saturating (int64_t a, int64_t b)
{
    int64_t sum;
    if (!__builtin_add_overflow (a, b, &sum))
        return sum;
    return a < 0 ? INT64_MIN : INT64_MAX;
}

static size_t
end_of_values (const PprofFile *file, size_t row)
{
    return row + 1 < file->samples.len ? file->samples.data[row + 1].first_value : file->values.len;
}

static bool
add_to_equal (PprofFile *file, size_t row, size_t other)
{
    size_t to = file->samples.data[other].first_value, from = file->samples.data[row].first_value;
    size_t n = end_of_values (file, row) - from;
    if (end_of_values (file, other) - to != n)
        return false;
    for (size_t i = 0; i < n; i++)
        file->values.data[to + i] =
            add_saturating (file->values.data[to + i], file->values.data[from + i]);
    return true;
}

enum { WORD_BITS = 64 };

/* Sets the bit; returns whether it was set before. */
static inline bool
test_and_set (uint64_t *words, uint32_t bit)
{
    uint64_t mask = UINT64_C (1) << bit % WORD_BITS;
    bool was_set = (words[bit / WORD_BITS] & mask) != 0;
    words[bit / WORD_BITS] |= mask;
    return was_set;
}

/* Most writers have already merged equal samples, so this only checks stacks that occur twice. */
void
pprof_merge_samples (PprofFile *file)
{
    size_t n_words = file->stacks.location.len / WORD_BITS + 1;
    g_autofree uint64_t *seen = g_new0 (uint64_t, n_words);
    g_autofree uint64_t *repeated = g_new0 (uint64_t, n_words);
    PvIdMap row_of_key = {0};
    bool has_repeated = false;
    for (size_t row = 0; row < file->samples.len; row++) {
        uint32_t stack = file->samples.data[row].stack;
        if (test_and_set (seen, stack))
            has_repeated |= !test_and_set (repeated, stack);
    }
    for (size_t row = 0; has_repeated && row < file->samples.len; row++) {
        PprofSample *sample = &file->samples.data[row];
        uint64_t key = (uint64_t)sample->stack << 32 | sample->labels;
        if ((repeated[sample->stack / WORD_BITS] >> sample->stack % WORD_BITS & 1) == 0)
            continue;
        uint32_t *known = pv_id_map_slot (&row_of_key, key);
        sample->is_added = *known != 0 && add_to_equal (file, row, *known - 1);
        if (!sample->is_added)
            *known = (uint32_t)row + 1;
    }
    pv_id_map_clear (&row_of_key);
}
