/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads packs, section by section. Their format is ours: core/model/pack/pack-format.h specifies
 * it.
 */
#include <glib/gi18n-lib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/error.h"
#include "core/read/pack/pack-reading.h"
#include "core/read/unpack/reader.h"

/* How many bytes are read between two looks at what has been built of them. */
enum { BYTES_PER_CHECK = 1 << 20 };

static const struct {
    uint32_t tag;
    bool (*take) (PvPackReading *self, PvCursor *cursor);
} sections[] = {
    {PV_PACK_STRINGS, pv_pack_take_strings},
    {PV_PACK_HEAD, pv_pack_take_head},
    {PV_PACK_MODULES, pv_pack_take_modules},
    {PV_PACK_PROCESSES, pv_pack_take_processes},
    {PV_PACK_THREADS, pv_pack_take_threads},
    {PV_PACK_LOCATIONS, pv_pack_take_locations},
    {PV_PACK_FUNCTIONS, pv_pack_take_functions},
    {PV_PACK_NAMES, pv_pack_take_names},
    {PV_PACK_SYMBOLS, pv_pack_take_symbols},
    {PV_PACK_LINKS, pv_pack_take_links},
    {PV_PACK_STACKS, pv_pack_take_stacks},
    {PV_PACK_LABELS, pv_pack_take_labels},
    {PV_PACK_DUMPS, pv_pack_take_dumps},
    {PV_PACK_SETS, pv_pack_take_sets},
    {PV_PACK_MAIN, pv_pack_take_main},
    {PV_PACK_WAITS, pv_pack_take_waits},
    {PV_PACK_SAMPLES, pv_pack_take_samples},
    {PV_PACK_HEAP, pv_pack_take_heap},
    {PV_PACK_SITES, pv_pack_take_sites},
    {PV_PACK_HEAP_BINS, pv_pack_take_heap_bins},
    {PV_PACK_HEAP_ROWS, pv_pack_take_heap_rows},
    {PV_PACK_HEAP_BIN_SIZES, pv_pack_take_heap_bin_sizes},
    {PV_PACK_HEAP_SIZES, pv_pack_take_heap_sizes},
    {PV_PACK_HEAP_AGES, pv_pack_take_heap_ages},
    {PV_PACK_LOSSES, pv_pack_take_losses},
    {PV_PACK_CALLS, pv_pack_take_calls},
    {PV_PACK_TOTALS, pv_pack_take_totals},
    {PV_PACK_DISTRIBUTIONS, pv_pack_take_distributions},
    {PV_PACK_COUNTERS, pv_pack_take_counters},
    {PV_PACK_SUPPRESSIONS, pv_pack_take_suppressions},
    {PV_PACK_NOTES, pv_pack_take_notes},
    {PV_PACK_NAME_NOTES, pv_pack_take_name_notes},
    {PV_PACK_SOURCE, pv_pack_take_source},
};

typedef enum {
    PACK_GOES_ON,
    PACK_ENDED,
    PACK_CUT_OFF,
    PACK_DAMAGED,
    PACK_FULL,
    PACK_TOO_LARGE,
} PackState;

typedef struct {
    PvPackReading reading;
    PvCursor file;
    ZSTD_DCtx *context;
    PV_ARRAY (uint8_t) unpacked;
} Pack;

static bool
sniff_pack (const uint8_t *data, size_t size_bytes)
{
    return size_bytes >= PV_PACK_MAGIC_BYTES &&
           memcmp (data, PV_PACK_MAGIC, PV_PACK_MAGIC_BYTES) == 0;
}

static uint32_t
take_u32 (PvCursor *cursor)
{
    uint32_t number = pv_cursor_u32 (cursor);
    return GUINT32_FROM_LE (number);
}

static void
pack_init (Pack *pack, PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context)
{
    *pack = (Pack){0};
    PvPackReading *self = &pack->reading;
    self->builder = builder;
    self->context = context;
    self->n_modules = self->n_processes = self->n_threads = 1;
    self->n_locations = self->n_stacks = 1;
    pv_array_push (&self->strings, NULL);
    pv_array_push (&self->length_of_string, 0);
    pv_array_resize (&self->functions, 1);
    pv_array_resize (&self->first_frame, 1);
    pv_array_resize (&self->n_frames, 1);
    pv_array_resize (&self->parents, 1);
    pv_array_resize (&self->locations, 1);
    pv_array_resize (&self->label_sets, 1);
    pv_array_resize (&self->waits, 1);
    PvFunction no_function = {.name = "", .short_name = "", .label = "", .raw_name = ""};
    self->functions.data[0] = no_function;
    pack->file = pv_cursor (pv_mapped_file_get_data (file), pv_mapped_file_get_size (file), false);
    pack->context = ZSTD_createDCtx ();
}

static void
pack_clear (Pack *pack)
{
    PvPackReading *self = &pack->reading;
    pv_array_clear (&self->strings);
    pv_array_clear (&self->length_of_string);
    pv_array_clear (&self->functions);
    pv_array_clear (&self->first_frame);
    pv_array_clear (&self->n_frames);
    pv_array_clear (&self->frames);
    pv_array_clear (&self->symbols_of_module);
    pv_array_clear (&self->file_of_module);
    for (size_t i = 0; i < self->links_of_module.len; i++)
        g_free ((void *)self->links_of_module.data[i].segments);
    pv_array_clear (&self->links_of_module);
    pv_array_clear (&self->name_notes);
    pv_array_clear (&self->parents);
    pv_array_clear (&self->locations);
    pv_array_clear (&self->label_sets);
    pv_array_clear (&self->waits);
    pv_array_clear (&self->dump_times);
    pv_array_clear (&self->sets);
    pv_array_clear (&self->pairs);
    pv_array_clear (&self->calls);
    pv_array_clear (&self->call_weights);
    pv_array_clear (&self->call_functions);
    pv_array_clear (&self->call_totals);
    pv_array_clear (&self->counter_times);
    pv_array_clear (&self->counter_values);
    pv_array_clear (&self->bins);
    pv_heap_restorer_free (self->heap);
    for (size_t i = 0; i < G_N_ELEMENTS (self->columns); i++)
        pv_array_clear (&self->columns[i]);
    for (size_t i = 0; i < self->weights.len; i++)
        pv_array_clear (&self->weights.data[i]);
    pv_array_clear (&self->weights);
    pv_array_clear (&pack->unpacked);
    ZSTD_freeDCtx (pack->context);
}

static bool
unpack_section (Pack *pack, const uint8_t *packed, uint32_t n_packed, uint32_t n_unpacked)
{
    pv_array_resize (&pack->unpacked, MAX (n_unpacked, 1));
    size_t n =
        ZSTD_decompressDCtx (pack->context, pack->unpacked.data, n_unpacked, packed, n_packed);
    return !ZSTD_isError (n) && n == n_unpacked;
}

static uint64_t
count_scratch (const PvPackReading *self)
{
    uint64_t bytes = self->section_bytes;
    if (self->section_arena != NULL)
        bytes += pv_arena_count_bytes (self->section_arena);
    for (size_t i = 0; i < G_N_ELEMENTS (self->columns); i++)
        bytes += self->columns[i].cap * sizeof (uint64_t);
    for (size_t i = 0; i < self->weights.len; i++)
        bytes += sizeof (PvPackNumbers) + self->weights.data[i].cap * sizeof (uint64_t);
    for (size_t i = 0; i < self->sets.len; i++)
        if (self->sets.data[i].is_unordered)
            bytes += (uint64_t)self->sets.data[i].n_samples * PV_PACK_SORTING_BYTES;
    return bytes;
}

/* Everything that was built, with the copies of calls and counters that the profile gets. */
static uint64_t
count_bytes (const PvPackReading *self)
{
    return pv_profile_builder_count_bytes (self->builder) +
           (self->heap != NULL ? pv_heap_restorer_count_bytes (self->heap) : 0) +
           count_scratch (self) + self->given_bytes + pv_pack_count_names (self) +
           PV_PACK_COUNT (self->strings) + PV_PACK_COUNT (self->length_of_string) +
           PV_PACK_COUNT (self->parents) + 2 * PV_PACK_COUNT (self->locations) +
           PV_PACK_COUNT (self->label_sets) + PV_PACK_COUNT (self->waits) +
           PV_PACK_COUNT (self->dump_times) + PV_PACK_COUNT (self->sets) +
           PV_PACK_COUNT (self->pairs) +
           2 * (PV_PACK_COUNT (self->calls) + PV_PACK_COUNT (self->call_weights) +
                PV_PACK_COUNT (self->call_functions) + PV_PACK_COUNT (self->call_totals)) +
           2 * (PV_PACK_COUNT (self->counter_times) + PV_PACK_COUNT (self->counter_values)) +
           PV_PACK_COUNT (self->bins);
}

bool
pv_pack_check (PvPackReading *self)
{
    const PvReadContext *context = self->context;
    if (!self->is_full && !pv_job_is_cancelled (context->job))
        self->is_full =
            count_bytes (self) > pv_budget_get_bytes (&context->budget, self->n_unpacked);
    return !self->is_full && !pv_job_is_cancelled (context->job);
}

static bool
take_section (Pack *pack, bool (*take) (PvPackReading *self, PvCursor *cursor), uint32_t n_unpacked)
{
    PvPackReading *self = &pack->reading;
    PvCursor cursor = pv_cursor (pack->unpacked.data, n_unpacked, false);
    self->section_bytes = n_unpacked;
    self->section_arena = pv_arena_new ();
    bool is_sound = take (self, &cursor);
    pv_arena_free (g_steal_pointer (&self->section_arena));
    return is_sound;
}

static PackState
read_section (Pack *pack, uint64_t max_unpacked_bytes)
{
    if (pv_cursor_left (&pack->file) < PV_PACK_SECTION_BYTES)
        return PACK_CUT_OFF;
    uint32_t sum = take_u32 (&pack->file);
    const uint8_t *summed = pack->file.pos;
    uint32_t tag = take_u32 (&pack->file);
    uint32_t n_packed = take_u32 (&pack->file), n_unpacked = take_u32 (&pack->file);
    const uint8_t *packed =
        n_packed <= pv_cursor_left (&pack->file) ? pv_cursor_take (&pack->file, n_packed) : NULL;
    if (packed == NULL)
        return PACK_CUT_OFF;
    if ((uint32_t)crc32_z (0, summed, PV_PACK_SECTION_BYTES - 4 + (size_t)n_packed) != sum)
        return PACK_DAMAGED;
    if (tag == PV_PACK_END)
        return PACK_ENDED;
    for (size_t i = 0; i < G_N_ELEMENTS (sections); i++) {
        if (sections[i].tag != tag)
            continue;
        if (n_unpacked > PV_PACK_MAX_SECTION_BYTES)
            return PACK_DAMAGED;
        if (n_unpacked > max_unpacked_bytes - pack->reading.n_unpacked)
            return PACK_TOO_LARGE;
        if (!unpack_section (pack, packed, n_packed, n_unpacked))
            return PACK_DAMAGED;
        pack->reading.n_unpacked += n_unpacked;
        bool is_sound = take_section (pack, sections[i].take, n_unpacked);
        if (pack->reading.is_full)
            return PACK_FULL;
        return is_sound ? PACK_GOES_ON : PACK_DAMAGED;
    }
    return PACK_GOES_ON;
}

static bool
read_sections (Pack *pack, const PvReadContext *context, PackState *ret_state, GError **error)
{
    size_t size = pv_cursor_left (&pack->file);
    uint64_t n_checked = 0;
    uint64_t max_bytes = context->max_unpacked_bytes > 0 ? context->max_unpacked_bytes : UINT64_MAX;
    *ret_state = PACK_GOES_ON;
    while (*ret_state == PACK_GOES_ON) {
        *ret_state = read_section (pack, max_bytes);
        uint64_t n_read = size - pv_cursor_left (&pack->file) + pack->reading.n_unpacked;
        pv_job_set_done (context->job, size - pv_cursor_left (&pack->file));
        if (!pv_job_check (context->job, error))
            return false;
        if (*ret_state != PACK_GOES_ON || n_read - n_checked < BYTES_PER_CHECK)
            continue;
        n_checked = n_read;
        if (!pv_pack_check (&pack->reading))
            *ret_state = PACK_FULL;
    }
    return true;
}

static bool
check_version (Pack *pack, GError **error)
{
    pv_cursor_skip (&pack->file, PV_PACK_MAGIC_BYTES);
    uint32_t version = take_u32 (&pack->file);
    pv_cursor_skip (&pack->file, sizeof (uint32_t));
    if (pack->file.failed || version == 0)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                             _ ("The pack is damaged: it has no version"));
    if (version > PV_PACK_VERSION)
        return pv_read_fail (
            error, PV_READ_ERROR_UNSUPPORTED,
            _ ("A newer Profview made this pack (version %u of the format; this one knows %u)"),
            version, PV_PACK_VERSION);
    return true;
}

static bool
read_all (Pack *pack, PvMappedFile *file, const PvReadContext *context, GError **error)
{
    PackState state;
    PvPackReading *self = &pack->reading;
    if (!check_version (pack, error) || !read_sections (pack, context, &state, error))
        return false;
    if (!self->has_head && state != PACK_FULL && state != PACK_TOO_LARGE)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                             state == PACK_DAMAGED ? _ ("The pack is damaged at its beginning")
                                                   : _ ("The pack ends before its profile begins"));
    pv_pack_give_stacks (self);
    pv_pack_give_calls (self);
    pv_pack_give_counter (self);
    pv_pack_give_heap (self);
    pv_profile_builder_facts (self->builder)->size_bytes = pv_mapped_file_get_size (file);
    if (state == PACK_FULL)
        pv_reader_note_out_of_memory (self->builder);
    if (state == PACK_TOO_LARGE)
        pv_note_truncated (self->builder, _ ("Unpacked, the pack is larger than the limit. "
                                             "Everything up to that point is shown."));
    if (state == PACK_CUT_OFF)
        pv_note_truncated (self->builder,
                           _ ("The pack is not complete. Everything before its end is shown."));
    if (state == PACK_DAMAGED)
        pv_note_truncated (self->builder,
                           _ ("The pack is damaged. Everything up to that point is shown."));
    return true;
}

static bool
read_pack (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
           const PvReadContext *context, GError **error)
{
    Pack pack;
    (void)path;
    pack_init (&pack, file, builder, context);
    bool is_read = read_all (&pack, file, context, error);
    pack_clear (&pack);
    return is_read;
}

const PvReader pv_pack_reader = {
    .name = "pack",
    .media_type = "application/x-profview-pack",
    .others = N_ ("Profview packs"),
    .sniff = sniff_pack,
    .read = read_pack,
};
