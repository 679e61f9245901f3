/*
 * Samples: most of a file. Equal ones, of the same stack and labels, are added up.
 */
#include <string.h>

#include "core/base/hash.h"
#include "core/read/pprof-internal.h"

enum { MAX_FRAMES = 1 << 16 };

enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };

static bool
take_location_ids (PprofFile *file, PvCursor packed)
{
    /* One byte each at least. */
    pv_array_reserve (&file->frames, file->frames.len + pv_cursor_left (&packed));
    uint32_t *frames = file->frames.data;
    size_t n = file->frames.len;
    while (packed.pos < packed.end)
        frames[n++] = pprof_ids_number (&file->used_locations, pv_cursor_varint (&packed));
    file->frames.len = n;
    return !packed.failed;
}

static bool
take_values (PprofFile *file, PvCursor packed)
{
    while (packed.pos < packed.end)
        pv_array_push (&file->sample_values, (int64_t)pv_cursor_varint (&packed));
    return !packed.failed;
}

static void
take_labels (PprofFile *file, PvCursor label)
{
    uint32_t size_bytes = (uint32_t)pv_cursor_left (&label);
    pv_array_append (&file->sample_labels, (const uint8_t *)&size_bytes, sizeof size_bytes);
    pv_array_append (&file->sample_labels, label.pos, size_bytes);
}

/* Numbers may be packed, or come one by one, or both. */
static void
take_field (PprofFile *file, PvCursor *message, const PprofField *field)
{
    switch (field->number) {
    case SAMPLE_LOCATION_ID:
        if (field->type == PPROF_BYTES)
            message->failed |= !take_location_ids (file, field->bytes);
        else
            pv_array_push (&file->frames,
                           pprof_ids_number (&file->used_locations, pprof_number (message, field)));
        break;
    case SAMPLE_VALUE:
        if (field->type == PPROF_BYTES)
            message->failed |= !take_values (file, field->bytes);
        else
            pv_array_push (&file->sample_values, (int64_t)pprof_number (message, field));
        break;
    case SAMPLE_LABEL:
        take_labels (file, pprof_bytes (message, field));
        break;
    default:
        break;
    }
}

static uint32_t
get_labels (PprofFile *file)
{
    size_t size_bytes = file->sample_labels.len;
    if (size_bytes == 0)
        return 0;
    uint32_t *slot = pv_hash_map_slot (&file->label_ids,
                                       pv_hash_bytes (file->sample_labels.data, size_bytes, 0));
    if (*slot == 0) {
        pv_array_append (&file->label_bytes, file->sample_labels.data, size_bytes);
        pv_array_push (&file->end_of_labels, (uint32_t)file->label_bytes.len);
        *slot = (uint32_t)file->end_of_labels.len;
    }
    return *slot;
}

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

/* Sets the bit; whether it was set before. */
static inline bool
test_and_set (uint64_t *words, uint32_t bit)
{
    uint64_t mask = UINT64_C (1) << bit % WORD_BITS;
    bool was_set = (words[bit / WORD_BITS] & mask) != 0;
    words[bit / WORD_BITS] |= mask;
    return was_set;
}

/* Most writers have added equal samples up already: only stacks that come twice are looked at. */
void
pprof_merge_samples (PprofFile *file)
{
    size_t n_words = file->stacks.parent.len / WORD_BITS + 1;
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

static void
add_sample (PprofFile *file, uint32_t stack, uint32_t labels)
{
    PprofSample sample = {
        .stack = stack,
        .is_cut = file->frames.len > MAX_FRAMES,
        .labels = labels,
        .first_value = (uint32_t)file->values.len,
    };
    pv_array_push (&file->samples, sample);
    pv_array_append (&file->values, file->sample_values.data, file->sample_values.len);
}

bool
pprof_take_sample (PprofFile *file, PvCursor message)
{
    file->frames.len = file->sample_values.len = file->sample_labels.len = 0;
    PprofField field;
    while (pprof_next_field (&message, &field))
        take_field (file, &message, &field);
    if (message.failed)
        return false;
    if (file->values.len + file->sample_values.len > UINT32_MAX ||
        file->label_bytes.len + file->sample_labels.len > UINT32_MAX) {
        file->is_full = true;
        return true;
    }
    file->has_deep_stacks |= file->frames.len > MAX_FRAMES;
    uint32_t stack =
        pprof_stacks_add (&file->stacks, file->frames.data, MIN (file->frames.len, MAX_FRAMES));
    if (stack == PPROF_MAX_STACKS)
        file->is_full = true;
    else
        add_sample (file, stack, get_labels (file));
    return true;
}
