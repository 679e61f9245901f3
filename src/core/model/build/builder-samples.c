/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The builder's samples, and what is said of the recording as a whole.
 */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/hash.h"
#include "core/model/build/builder-private.h"
#include "core/model/profile/fraction.h"

enum { MAX_NOTES = 200 };

void
pv_set_builder_clear (PvSetBuilder *set)
{
    pv_store_column_clear (&set->time_ns);
    pv_store_column_clear (&set->time_base_ns);
    pv_store_column_clear (&set->time_offset_ns);
    pv_store_column_clear (&set->context);
    pv_store_column_clear (&set->wide_context);
    pv_store_column_clear (&set->contexts);
    pv_id_map_clear (&set->context_ids);
    pv_store_column_clear (&set->stack);
    pv_store_column_clear (&set->duration_ns);
    pv_store_column_clear (&set->label_set);
    pv_store_column_clear (&set->wait);
    pv_store_column_clear (&set->record);
    pv_store_column_clear (&set->end_of_record);
    pv_store_column_clear (&set->record_bytes);
    for (size_t i = 0; i < set->weights.len; i++)
        pv_store_column_clear (&set->weights.data[i].weights);
    pv_array_clear (&set->weights);
    pv_array_clear (&set->measures);
}

uint32_t
pv_profile_builder_add_set (PvProfileBuilder *builder, const char *name, bool has_durations)
{
    g_assert (builder != NULL && name != NULL);
    PvSetBuilder set = {.name = pv_profile_builder_string (builder, name),
                        .has_durations = has_durations};
    pv_store_column_init (&set.time_ns, sizeof (uint64_t));
    pv_store_column_init (&set.time_base_ns, sizeof (uint64_t));
    pv_store_column_init (&set.time_offset_ns, sizeof (uint32_t));
    pv_store_column_init (&set.context, sizeof (uint16_t));
    pv_store_column_init (&set.wide_context, sizeof (uint32_t));
    pv_store_column_init (&set.contexts, sizeof (PvSampleContext));
    pv_store_column_init (&set.stack, sizeof (PvStackId));
    pv_store_column_init (&set.duration_ns, sizeof (uint64_t));
    pv_store_column_init (&set.label_set, sizeof (uint32_t));
    pv_store_column_init (&set.wait, sizeof (uint32_t));
    pv_store_column_init (&set.record, sizeof (uint32_t));
    pv_store_column_init (&set.end_of_record, sizeof (uint32_t));
    pv_store_column_init (&set.record_bytes, 1);
    pv_array_push (&builder->sets, set);
    return (uint32_t)(builder->sets.len - 1);
}

void
pv_profile_builder_name_set (PvProfileBuilder *builder, uint32_t set, const char *name)
{
    g_assert (name != NULL);
    g_assert (set < builder->sets.len);
    PvSetBuilder *self = &builder->sets.data[set];
    const char *old_name = self->name;
    self->name = pv_profile_builder_string (builder, name);
    for (size_t i = 0; i < self->measures.len; i++) {
        if (self->measures.data[i].name == old_name)
            self->measures.data[i].name = self->name;
    }
}

void
pv_profile_builder_add_measure (PvProfileBuilder *builder, uint32_t set, const char *name,
                                PvUnit unit, PvAggregation aggregation)
{
    g_assert (set < builder->sets.len);
    PvSetBuilder *self = &builder->sets.data[set];
    g_assert (self->n_samples == 0);
    g_autofree char *cut = NULL;
    name = name != NULL ? name : self->name;
    if (strnlen (name, PV_MAX_MEASURE_NAME_BYTES + 1) > PV_MAX_MEASURE_NAME_BYTES)
        name = cut = pv_format_cut (name, PV_MAX_MEASURE_NAME_BYTES);
    PvMeasure measure = {
        .name = pv_profile_builder_string (builder, name),
        .unit = unit,
        .aggregation = aggregation,
        .column = (uint32_t)self->measures.len,
    };
    PvWeightColumn column = {.is_uniform = true};
    pv_store_column_init (&column.weights, sizeof (uint64_t));
    pv_array_push (&self->measures, measure);
    pv_array_push (&self->weights, column);
}

void
pv_profile_builder_name_unit (PvProfileBuilder *builder, uint32_t set, uint32_t column,
                              const char *unit_name)
{
    g_assert (set < builder->sets.len && column < builder->sets.data[set].measures.len);
    PvMeasure *measure = &builder->sets.data[set].measures.data[column];
    measure->unit_name = pv_profile_builder_string (builder, unit_name);
}

void
pv_profile_builder_refine (PvProfileBuilder *builder, uint32_t set, uint32_t column, uint64_t times,
                           const char *unit_name)
{
    g_assert (set < builder->sets.len && column < builder->sets.data[set].measures.len);
    PvMeasure *measure = &builder->sets.data[set].measures.data[column];
    PvWeightColumn *weights = &builder->sets.data[set].weights.data[column];
    measure->total = pv_fraction_refine (measure->total, times);
    weights->uniform = pv_fraction_refine (weights->uniform, times);
    uint64_t *amounts = pv_store_column_data (&weights->weights, uint64_t);
    for (size_t i = 0; i < weights->weights.len; i++)
        amounts[i] = pv_fraction_refine (amounts[i], times);
    pv_profile_builder_name_unit (builder, set, column, unit_name);
}

void
pv_profile_builder_set_delay (PvProfileBuilder *builder, uint32_t set, uint32_t column)
{
    g_assert (set < builder->sets.len && column < builder->sets.data[set].measures.len);
    g_assert (builder->sets.data[set].has_durations);
    builder->sets.data[set].measures.data[column].is_delay = true;
}

uint32_t
pv_profile_builder_count_measures (const PvProfileBuilder *builder, uint32_t set)
{
    g_assert (set < builder->sets.len);
    return (uint32_t)builder->sets.data[set].measures.len;
}

uint32_t
pv_profile_builder_add_pair (PvProfileBuilder *builder)
{
    return builder->n_pairs++;
}

void
pv_profile_builder_set_part (PvProfileBuilder *builder, uint32_t set, uint32_t column,
                             uint32_t pair, PvMeasurePart part, PvSide side)
{
    g_assert (set < builder->sets.len && column < builder->sets.data[set].measures.len);
    g_assert (pair < builder->n_pairs && part != PV_PART_NONE && side < PV_N_SIDES);
    PvMeasure *measure = &builder->sets.data[set].measures.data[column];
    measure->part = part;
    measure->side = side;
    measure->pair = pair;
}

void *
pv_profile_builder_alloc0 (PvProfileBuilder *builder, size_t size_bytes)
{
    return pv_arena_alloc0 (builder->store->arena, size_bytes);
}

void
pv_profile_builder_set_blocks (PvProfileBuilder *builder, uint32_t set, const PvTimeBlocks *blocks)
{
    g_assert (set < builder->sets.len && blocks != NULL);
    PvSetBuilder *self = &builder->sets.data[set];
    g_assert (blocks->first_sample_of_run[blocks->n_runs] == self->n_samples);
    g_assert (!self->is_unordered);
    self->blocks = pv_arena_memdup (builder->store->arena, blocks, sizeof *blocks);
}

/* Copies the named ranges of code made at run time, which locate its bytes. Other modules lose
 * theirs: their names are in the symbols. */
static void
copy_ranges (PvProfileBuilder *builder, PvModule *module)
{
    if (module->kind != PV_MODULE_JIT || module->code_path == NULL || module->n_named_ranges == 0) {
        module->code_path = NULL;
        module->named_ranges = NULL;
        module->n_named_ranges = 0;
        return;
    }
    PvNamedRange *ranges = pv_arena_memdup (builder->store->arena, module->named_ranges,
                                            module->n_named_ranges * sizeof *ranges);
    for (uint32_t i = 0; i < module->n_named_ranges; i++) {
        ranges[i].name = pv_profile_builder_string (builder, ranges[i].name);
        ranges[i].file = pv_profile_builder_string (builder, ranges[i].file);
    }
    module->named_ranges = ranges;
    module->code_path = pv_profile_builder_string (builder, module->code_path);
}

static PvLinkMap
copy_links (PvArena *arena, const PvLinkMap *links)
{
    size_t size_bytes = links->n_segments * sizeof *links->segments;
    return (PvLinkMap){pv_arena_memdup (arena, links->segments, size_bytes), links->n_segments};
}

static const PvRecordedModule *
copy_recorded (PvProfileBuilder *builder, const PvCompared *compared)
{
    PvRecordedModule *rows = pv_arena_memdup (builder->store->arena, compared->recorded,
                                              compared->n_recorded * sizeof *rows);
    for (uint32_t r = 0; r < compared->n_recorded; r++) {
        PvModule *module = &rows[r].module;
        rows[r].links = copy_links (builder->store->arena, &rows[r].links);
        module->path = pv_profile_builder_string (builder, module->path);
        module->name = pv_profile_builder_string (builder, module->name);
        module->reference_symbol = pv_profile_builder_string (builder, module->reference_symbol);
        copy_ranges (builder, module);
    }
    return rows;
}

void
pv_profile_builder_set_compared (PvProfileBuilder *builder, const PvCompared *compared)
{
    g_assert (compared != NULL);
    PvCompared copy = *compared;
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        copy.name_of_side[side] = pv_profile_builder_string (builder, compared->name_of_side[side]);
    if (compared->n_recorded > 0) {
        copy.recorded = copy_recorded (builder, compared);
        copy.recorded_of_location =
            pv_arena_memdup (builder->store->arena, compared->recorded_of_location,
                             builder->module_of_location.len * sizeof (uint32_t));
    }
    builder->compared = pv_arena_memdup (builder->store->arena, &copy, sizeof copy);
}

void
pv_profile_builder_set_joined (PvProfileBuilder *builder, const PvJoinedFile *files,
                               uint32_t n_files)
{
    g_assert (files != NULL && n_files > 0);
    builder->joined = pv_arena_memdup (builder->store->arena, files, n_files * sizeof *files);
    builder->n_joined = n_files;
    for (uint32_t i = 0; i < n_files; i++)
        builder->joined[i].name = pv_profile_builder_string (builder, files[i].name);
}

void
pv_profile_builder_set_known_calls (PvProfileBuilder *builder, const PvKnownCalls *calls)
{
    g_assert (calls != NULL && calls->set < builder->sets.len);
    g_assert (calls->n_columns == builder->sets.data[calls->set].measures.len);
    PvArena *arena = builder->store->arena;
    PvKnownCalls copy = *calls;
    size_t n_weights = (size_t)calls->n_calls * calls->n_columns;
    size_t n_totals = (size_t)calls->n_functions * calls->n_columns;
    copy.calls = pv_arena_memdup (arena, calls->calls, calls->n_calls * sizeof *calls->calls);
    copy.weights = pv_arena_memdup (arena, calls->weights, n_weights * sizeof (uint64_t));
    copy.functions =
        pv_arena_memdup (arena, calls->functions, calls->n_functions * sizeof *calls->functions);
    copy.totals = pv_arena_memdup (arena, calls->totals, n_totals * sizeof (uint64_t));
    builder->known_calls = pv_arena_memdup (arena, &copy, sizeof copy);
}

void
pv_profile_builder_prefer_measure (PvProfileBuilder *builder, uint32_t column)
{
    builder->preferred_measure = column;
}

void
pv_profile_builder_hide_empty_set (PvProfileBuilder *builder, uint32_t set)
{
    g_assert (set < builder->sets.len);
    builder->sets.data[set].is_hidden_if_empty = true;
}

void
pv_profile_builder_set_derived (PvProfileBuilder *builder, uint32_t set)
{
    g_assert (set < builder->sets.len);
    builder->sets.data[set].is_derived = true;
}

void
pv_profile_builder_set_exact (PvProfileBuilder *builder, uint32_t set)
{
    g_assert (set < builder->sets.len);
    builder->sets.data[set].is_exact = true;
}

void
pv_profile_builder_prefer_set (PvProfileBuilder *builder, uint32_t set)
{
    g_assert (set < builder->sets.len);
    builder->preferred_set = set;
}

static void
add_weight (PvWeightColumn *column, uint32_t n_before, uint64_t weight)
{
    if (column->is_uniform) {
        if (n_before == 0)
            column->uniform = weight;
        if (weight == column->uniform)
            return;
        uint64_t *all = pv_store_column_extend (&column->weights, n_before);
        for (uint32_t i = 0; i < n_before; i++)
            all[i] = column->uniform;
        column->is_uniform = false;
    }
    pv_store_column_push (&column->weights, uint64_t, weight);
}

uint32_t
pv_profile_builder_label_set (PvProfileBuilder *builder, const PvLabel *labels, uint32_t n_labels)
{
    if (n_labels == 0)
        return 0;
    size_t first = builder->labels.len;
    for (uint32_t i = 0; i < n_labels; i++) {
        PvLabel label = {.key = labels[i].key, .text = labels[i].text};
        if (label.text == NULL) {
            label.number = labels[i].number;
            label.unit =
                labels[i].unit != NULL ? labels[i].unit : pv_profile_builder_string (builder, "");
        }
        g_assert (label.key != NULL);
        pv_array_push (&builder->labels, label);
    }
    /* Equal strings are the same pointer, and there are no bytes between the members. */
    PvHash key = pv_hash_bytes (builder->labels.data + first, n_labels * sizeof (PvLabel), 0);
    uint32_t *slot = pv_hash_map_slot (&builder->label_set_ids, key);
    if (*slot != 0) {
        builder->labels.len = first;
        return *slot;
    }
    *slot = (uint32_t)builder->first_label_of_set.len - 1;
    pv_array_push (&builder->first_label_of_set, (uint32_t)builder->labels.len);
    return *slot;
}

uint32_t
pv_profile_builder_wait (PvProfileBuilder *builder, const PvWait *wait)
{
    g_assert (wait->waker < builder->threads.len);
    g_assert (wait->waker_stack < builder->parent_of_stack.len);
    uint32_t words[] = {wait->waker, wait->waker_stack, (uint32_t)(uint8_t)wait->state,
                        wait->is_open};
    uint32_t *slot = pv_hash_map_slot (&builder->wait_ids, pv_hash_bytes (words, sizeof words, 0));
    if (*slot == 0) {
        if (builder->waits.len == 0)
            pv_array_push (&builder->waits, (PvWait){0});
        pv_array_push (&builder->waits, *wait);
        *slot = (uint32_t)builder->waits.len - 1;
    }
    return *slot;
}

void
pv_profile_builder_set_fields (PvProfileBuilder *builder, uint32_t set, const PvField *fields,
                               uint32_t n_fields, bool swap)
{
    g_assert (set < builder->sets.len && builder->sets.data[set].end_of_record.len == 0);
    PvArena *arena = builder->store->arena;
    PvField *copies = pv_arena_memdup (arena, fields, n_fields * sizeof *fields);
    for (uint32_t i = 0; i < n_fields; i++)
        copies[i].name = pv_profile_builder_string (builder, fields[i].name);
    const PvFields all = {.n_fields = n_fields, .fields = copies, .swap = swap};
    builder->sets.data[set].fields = pv_arena_memdup (arena, &all, sizeof all);
}

void
pv_profile_builder_share_fields (PvProfileBuilder *builder, uint32_t set, uint32_t other)
{
    g_assert (set < builder->sets.len && builder->sets.data[set].end_of_record.len == 0);
    g_assert (other < builder->sets.len && builder->sets.data[other].fields != NULL);
    builder->sets.data[set].fields = builder->sets.data[other].fields;
}

uint32_t
pv_profile_builder_add_record (PvProfileBuilder *builder, uint32_t set, const uint8_t *data,
                               size_t size_bytes)
{
    g_assert (set < builder->sets.len && builder->sets.data[set].fields != NULL);
    PvSetBuilder *self = &builder->sets.data[set];
    if (size_bytes > PV_MAX_RECORD_BYTES - builder->n_record_bytes)
        return 0;
    builder->n_record_bytes += size_bytes;
    if (size_bytes > 0)
        memcpy (pv_store_column_extend (&self->record_bytes, (uint32_t)size_bytes), data,
                size_bytes);
    pv_store_column_push (&self->end_of_record, uint32_t, self->record_bytes.len);
    return self->end_of_record.len;
}

/* Adds to a column that most sets do not need: it is empty as long as every sample has 0. */
static void
add_optional (PvStoreColumn *column, uint32_t n_before, uint32_t value)
{
    if (column->len == 0) {
        if (value == 0)
            return;
        for (uint32_t i = 0; i < n_before; i++)
            pv_store_column_push (column, uint32_t, 0);
    }
    pv_store_column_push (column, uint32_t, value);
}

void
pv_set_builder_widen_times (PvSetBuilder *set)
{
    if (set->has_wide_times)
        return;
    const uint64_t *base_ns = pv_store_column_data (&set->time_base_ns, uint64_t);
    const uint32_t *offset_ns = pv_store_column_data (&set->time_offset_ns, uint32_t);
    uint64_t *time_ns =
        set->n_samples > 0 ? pv_store_column_extend (&set->time_ns, set->n_samples) : NULL;
    for (uint32_t i = 0; i < set->n_samples; i++)
        time_ns[i] = base_ns[i / PV_SAMPLES_PER_TIME_BASE] + offset_ns[i];
    pv_store_column_clear (&set->time_base_ns);
    pv_store_column_clear (&set->time_offset_ns);
    set->has_wide_times = true;
}

static void
add_time (PvSetBuilder *set, uint64_t time_ns)
{
    uint32_t n_bases = set->time_base_ns.len;
    bool is_first = set->n_samples % PV_SAMPLES_PER_TIME_BASE == 0;
    uint64_t base_ns = is_first || n_bases == 0
                           ? time_ns
                           : pv_store_column_data (&set->time_base_ns, uint64_t)[n_bases - 1];
    /* Samples that will be sorted need not stay near their base. */
    if (set->is_unordered || time_ns - base_ns > UINT32_MAX)
        pv_set_builder_widen_times (set);
    if (set->has_wide_times) {
        pv_store_column_push (&set->time_ns, uint64_t, time_ns);
        return;
    }
    if (is_first)
        pv_store_column_push (&set->time_base_ns, uint64_t, time_ns);
    pv_store_column_push (&set->time_offset_ns, uint32_t, (uint32_t)(time_ns - base_ns));
}

static uint32_t
find_context (PvSetBuilder *set, const PvNewSample *sample)
{
    uint64_t key = (uint64_t)sample->thread << 24 | (uint64_t)sample->cpu << 8 | sample->stack_end;
    uint32_t *slot = pv_id_map_slot (&set->context_ids, key + 1);
    if (*slot == 0) {
        PvSampleContext context = {
            .thread = sample->thread, .cpu = sample->cpu, .stack_end = sample->stack_end};
        pv_store_column_push (&set->contexts, PvSampleContext, context);
        *slot = set->contexts.len;
    }
    return *slot - 1;
}

static void
add_context (PvSetBuilder *set, const PvNewSample *sample)
{
    uint32_t context = find_context (set, sample);
    if (context <= UINT16_MAX && set->wide_context.len == 0) {
        pv_store_column_push (&set->context, uint16_t, (uint16_t)context);
        return;
    }
    if (set->context.len > 0) {
        const uint16_t *narrow = pv_store_column_data (&set->context, uint16_t);
        uint32_t *wide = pv_store_column_extend (&set->wide_context, set->n_samples);
        for (uint32_t i = 0; i < set->n_samples; i++)
            wide[i] = narrow[i];
        pv_store_column_clear (&set->context);
    }
    pv_store_column_push (&set->wide_context, uint32_t, context);
}

void
pv_profile_builder_add_sample (PvProfileBuilder *builder, uint32_t set, const PvNewSample *sample,
                               const uint64_t *weights)
{
    g_assert (set < builder->sets.len);
    g_assert (sample->stack < builder->parent_of_stack.len);
    g_assert (sample->thread < builder->threads.len);
    PvSetBuilder *self = &builder->sets.data[set];
    self->is_unordered |= sample->time_ns < self->latest_ns;
    add_time (self, sample->time_ns);
    add_context (self, sample);
    pv_store_column_push (&self->stack, PvStackId, sample->stack);
    add_optional (&self->label_set, self->n_samples, sample->label_set);
    add_optional (&self->wait, self->n_samples, sample->wait);
    g_assert (sample->record <= self->end_of_record.len);
    add_optional (&self->record, self->n_samples, sample->record);
    if (self->has_durations)
        pv_store_column_push (&self->duration_ns, uint64_t, sample->duration_ns);
    for (size_t i = 0; i < self->measures.len; i++) {
        /* Sums over any choice of samples must fit: what would go beyond is left out. */
        PvMeasure *measure = &self->measures.data[i];
        uint64_t weight = MIN (weights[i], (uint64_t)INT64_MAX - measure->total);
        measure->total += weight;
        add_weight (&self->weights.data[i], self->n_samples, weight);
    }
    self->latest_ns = sample->time_ns;
    self->n_samples++;
}

void
pv_profile_builder_set_heap (PvProfileBuilder *builder, PvHeap *heap)
{
    g_assert (heap != NULL);
    pv_heap_unref (builder->heap);
    builder->heap = heap;
}

void
pv_profile_builder_add_source (PvProfileBuilder *builder, const char *path, const void *text,
                               size_t size_bytes)
{
    g_assert (path != NULL && (text != NULL || size_bytes == 0));
    PvArena *arena = builder->store->arena;
    const char *kept = pv_profile_builder_string (builder, path);
    for (size_t i = 0; i < builder->sources.len; i++)
        if (builder->sources.data[i].path == kept)
            return;
    char *copy = pv_arena_strndup (arena, text != NULL ? text : "", size_bytes);
    PvEmbeddedSource source = {.path = kept, .text = copy, .size_bytes = size_bytes};
    pv_array_push (&builder->sources, source);
}

static const PvLinkMap *
copy_all_links (PvArena *arena, const PvSymbolTable *names)
{
    PvLinkMap *links = pv_arena_alloc0 (arena, names->n_modules * sizeof *links);
    for (PvModuleId m = 0; names->links_of_module != NULL && m < names->n_modules; m++)
        links[m] = copy_links (arena, &names->links_of_module[m]);
    return links;
}

void
pv_profile_builder_take_packed_names (PvProfileBuilder *builder, const PvSymbolTable *names)
{
    g_assert (names != NULL && names->n_functions > 0);
    g_assert (names->n_locations == builder->module_of_location.len);
    g_assert (names->n_modules == builder->modules.len);
    const void *const blocks[] = {
        names->functions, names->first_frame_of_location, names->n_frames_of_location,
        names->frames,    names->symbols_of_module,       names->file_of_module,
        names->notes,
    };
    for (size_t i = 0; i < G_N_ELEMENTS (blocks); i++)
        pv_store_take (builder->store, (void *)blocks[i]);
    PvSymbolTable *taken = pv_arena_memdup (builder->store->arena, names, sizeof *names);
    taken->store = NULL;
    taken->links_of_module = copy_all_links (builder->store->arena, names);
    builder->packed_names = taken;
}

void
pv_profile_builder_add_suppression (PvProfileBuilder *builder, const char *line, size_t size_bytes)
{
    g_assert (line != NULL || size_bytes == 0);
    const char *kept = pv_interner_has_long (builder->store->strings, line)
                           ? line
                           : pv_profile_builder_string_len (builder, line, size_bytes);
    pv_array_push (&builder->suppressions, kept);
}

void
pv_profile_builder_set_drop_frames (PvProfileBuilder *builder, const char *drop, const char *keep)
{
    bool has_drop = drop != NULL && *drop != '\0';
    bool has_keep = keep != NULL && *keep != '\0';
    builder->drop_frames = has_drop ? pv_profile_builder_string (builder, drop) : NULL;
    builder->keep_frames = has_keep ? pv_profile_builder_string (builder, keep) : NULL;
}

void
pv_profile_builder_set_of_allocations (PvProfileBuilder *builder)
{
    builder->is_of_allocations = true;
}

void
pv_profile_builder_add_dump (PvProfileBuilder *builder, const PvDump *dump)
{
    PvDump copy = *dump;
    copy.name = pv_profile_builder_string (builder, dump->name);
    pv_array_push (&builder->dumps, copy);
}

void
pv_profile_builder_set_dump_times (PvProfileBuilder *builder, bool has_dump_times)
{
    builder->has_dump_times = has_dump_times;
}

void
pv_profile_builder_add_lost (PvProfileBuilder *builder, uint64_t time_ns, uint64_t n_lost)
{
    g_assert (builder != NULL);
    n_lost = MIN (n_lost, (uint64_t)INT64_MAX - builder->n_lost);
    builder->n_lost += n_lost;
    pv_loss_list_add (&builder->losses, time_ns, n_lost);
}

void
pv_profile_builder_forget_lost (PvProfileBuilder *builder)
{
    g_assert (builder != NULL);
    builder->n_lost = 0;
    pv_array_clear (&builder->losses);
}

void
pv_profile_builder_add_skipped (PvProfileBuilder *builder, uint64_t n_records)
{
    builder->n_skipped += n_records;
}

void
pv_profile_builder_note (PvProfileBuilder *builder, PvNoteSeverity severity, PvNoteKind kind,
                         PvModuleId module, const char *format, ...)
{
    g_assert (format != NULL);
    va_list args;
    va_start (args, format);
    g_autofree char *text = g_strdup_vprintf (format, args);
    va_end (args);
    pv_profile_builder_add_note (builder, &(PvNote){severity, kind, module, text});
}

void
pv_profile_builder_note_fractions (PvProfileBuilder *builder, uint64_t ones)
{
    g_assert (builder != NULL && ones > 0);
    if (ones == 1)
        return;
    g_autofree char *unit = pv_format_digits (1.0 / (double)ones, 1);
    /* Translators: numbers: 0.0001, and 10000 */
    pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_FRACTIONS, 0,
                             _ ("The numbers have fractions. They are counted in units of %s: 1 is "
                                "shown as %u."),
                             unit, (unsigned)ones);
}

void
pv_profile_builder_add_note (PvProfileBuilder *builder, const PvNote *note)
{
    g_assert (builder != NULL && note != NULL && note->text != NULL);
    if (builder->notes.len >= MAX_NOTES)
        return;
    PvNote copy = *note;
    bool is_kept = pv_interner_has_long (builder->store->strings, note->text);
    g_autofree char *shown = is_kept ? NULL : pv_make_showable_sentence (note->text);
    const char *text = is_kept ? note->text : shown;
    for (size_t i = 0; i < builder->notes.len; i++) {
        if (builder->notes.data[i].text == text || strcmp (builder->notes.data[i].text, text) == 0)
            return;
    }
    copy.text = is_kept ? text : pv_arena_strndup (builder->store->arena, text, strlen (text));
    pv_array_push (&builder->notes, copy);
}
