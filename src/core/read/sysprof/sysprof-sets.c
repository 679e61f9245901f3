/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/sysprof/sysprof-sets.h"

#include <string.h>

#include "core/model/fields/mark-record.h"

void
sysprof_sets_init (SysprofSets *sets, PvProfileBuilder *builder, SysprofPlaces *places)
{
    g_assert (sets != NULL && builder != NULL && places != NULL);
    *sets = (SysprofSets){.builder = builder, .places = places};
}

void
sysprof_sets_clear (SysprofSets *sets)
{
    g_assert (sets != NULL);
    pv_array_clear (&sets->freed);
    pv_array_clear (&sets->is_live);
    pv_array_clear (&sets->blocks);
    pv_hash_map_clear (&sets->block_of_address);
}

uint64_t
sysprof_sets_count_bytes (const SysprofSets *sets)
{
    g_assert (sets != NULL);
    return sets->freed.cap * sizeof (uint32_t) + sets->is_live.cap +
           sets->blocks.cap * sizeof (SysprofBlock) +
           ((uint64_t)sets->block_of_address.mask + 1) * sizeof (PvHashSlot);
}

/* True: it is new, and lacks its measures. */
static bool
make_set (SysprofSets *sets, SysprofSet *set, const char *name)
{
    if (set->exists)
        return false;
    *set = (SysprofSet){true, pv_profile_builder_add_set (sets->builder, name, false)};
    return true;
}

static void
add_measure (SysprofSets *sets, const SysprofSet *set, const char *name, PvUnit unit)
{
    pv_profile_builder_add_measure (sets->builder, set->id, name, unit, PV_AGGREGATION_SUM);
}

/* --- samples --- */

static void
make_samples (SysprofSets *sets)
{
    if (make_set (sets, &sets->samples, "samples"))
        add_measure (sets, &sets->samples, "samples", PV_UNIT_COUNT);
}

void
sysprof_sets_add_sample (SysprofSets *sets, const SysprofFrame *frame, const SysprofStack *stack)
{
    g_assert (sets != NULL && frame != NULL && stack != NULL);
    const uint64_t weight = 1;
    make_samples (sets);
    PvNewSample sample = {
        .time_ns = frame->time_ns,
        .thread = sysprof_places_get_thread (sets->places, frame->pid, stack->tid),
        .stack = sysprof_places_get_stack (sets->places, frame->pid, stack, false),
        .cpu = frame->cpu,
        .stack_end = PV_STACK_END_UNKNOWN,
    };
    pv_profile_builder_add_sample (sets->builder, sets->samples.id, &sample, &weight);
}

/* --- allocations --- */

enum { ALLOCATED, ALLOCATIONS, LIVE, N_HEAP_COLUMNS };

void
sysprof_sets_expect_allocation (SysprofSets *sets, const SysprofFrame *frame,
                                const SysprofAllocation *allocation)
{
    g_assert (sets != NULL && frame != NULL && allocation != NULL);
    if (sets->freed.len >= UINT32_MAX - 1)
        return;
    const uint64_t key[] = {(uint32_t)frame->pid, allocation->address};
    uint32_t *block =
        pv_hash_map_slot (&sets->block_of_address, pv_hash_bytes (key, sizeof key, 0));
    uint32_t number = (uint32_t)sets->freed.len;
    uint32_t before = *block != 0 && sets->is_live.data[*block - 1] ? *block : 0;
    bool is_free = allocation->size_bytes <= 0;
    if (before != 0)
        sets->is_live.data[before - 1] = 0;
    sets->n_unknown_frees += is_free && before == 0;
    pv_array_push (&sets->freed, before);
    pv_array_push (&sets->is_live, !is_free);
    *block = number + 1;
}

static void
make_allocations (SysprofSets *sets)
{
    SysprofSet *set = &sets->allocations;
    if (!make_set (sets, set, "heap"))
        return;
    add_measure (sets, set, "allocated", PV_UNIT_BYTES);
    add_measure (sets, set, "allocations", PV_UNIT_COUNT);
    add_measure (sets, set, "live", PV_UNIT_BYTES);
    pv_profile_builder_set_exact (sets->builder, set->id);
}

/* Adds freed memory with the stack that allocated it: that of freeing is not recorded. */
static void
add_freed (SysprofSets *sets, const SysprofFrame *frame, const SysprofBlock *block,
           PvThreadId thread)
{
    if (make_set (sets, &sets->frees, "freed")) {
        add_measure (sets, &sets->frees, "freed", PV_UNIT_BYTES);
        pv_profile_builder_set_exact (sets->builder, sets->frees.id);
    }
    PvNewSample sample = {
        .time_ns = frame->time_ns,
        .thread = thread,
        .stack = block->stack,
        .cpu = frame->cpu,
        .stack_end = PV_STACK_END_UNKNOWN,
    };
    pv_profile_builder_add_sample (sets->builder, sets->frees.id, &sample, &block->size_bytes);
}

void
sysprof_sets_add_allocation (SysprofSets *sets, const SysprofFrame *frame,
                             const SysprofAllocation *allocation)
{
    g_assert (sets != NULL && frame != NULL && allocation != NULL);
    size_t number = sets->blocks.len;
    if (number >= sets->freed.len)
        return;
    make_allocations (sets);
    SysprofBlock block = {
        .thread = sysprof_places_get_thread (sets->places, frame->pid, allocation->stack.tid)};
    if (sets->freed.data[number] != 0)
        add_freed (sets, frame, &sets->blocks.data[sets->freed.data[number] - 1], block.thread);
    if (allocation->size_bytes > 0) {
        block.size_bytes = (uint64_t)MIN (allocation->size_bytes, INT64_MAX / 4);
        /* The recorder walks the stack itself: all are return addresses. */
        block.stack = sysprof_places_get_stack (sets->places, frame->pid, &allocation->stack, true);
        const uint64_t weights[N_HEAP_COLUMNS] = {
            [ALLOCATED] = block.size_bytes,
            [ALLOCATIONS] = 1,
            [LIVE] = sets->is_live.data[number] ? block.size_bytes : 0,
        };
        PvNewSample sample = {
            .time_ns = frame->time_ns,
            .thread = block.thread,
            .stack = block.stack,
            .cpu = frame->cpu,
            .stack_end = PV_STACK_END_UNKNOWN,
        };
        pv_profile_builder_add_sample (sets->builder, sets->allocations.id, &sample, weights);
    }
    pv_array_push (&sets->blocks, block);
}

/* --- marks --- */

static void
set_text (PvMarkRecord *record, PvMarkText which, PvText text)
{
    pv_mark_record_set_text (record, which, text.at, pv_text_len (text));
}

void
sysprof_sets_add_mark (SysprofSets *sets, const SysprofFrame *frame, const SysprofMark *mark)
{
    g_assert (sets != NULL && frame != NULL && mark != NULL);
    const uint64_t weight = 1;
    PvMarkRecord record;
    if (make_set (sets, &sets->marks, "marks")) {
        add_measure (sets, &sets->marks, "marks", PV_UNIT_COUNT);
        pv_profile_builder_set_fields (sets->builder, sets->marks.id, pv_mark_fields,
                                       pv_mark_n_fields, false);
    }
    memset (&record, 0, offsetof (PvMarkRecord, texts));
    record.duration_ns = mark->duration_ns;
    set_text (&record, PV_MARK_NAME, mark->name);
    set_text (&record, PV_MARK_CATEGORY, mark->group);
    set_text (&record, PV_MARK_DETAILS, mark->message);
    PvNewSample sample = {
        .time_ns = frame->time_ns,
        .thread = sysprof_places_get_thread (sets->places, frame->pid, frame->pid),
        .record =
            pv_profile_builder_add_record (sets->builder, sets->marks.id, (const uint8_t *)&record,
                                           pv_mark_record_get_size (&record)),
        .cpu = frame->cpu,
        .stack_end = PV_STACK_END_UNKNOWN,
    };
    pv_profile_builder_add_sample (sets->builder, sets->marks.id, &sample, &weight);
}

void
sysprof_sets_add_log (SysprofSets *sets, const SysprofFrame *frame, const SysprofLog *log)
{
    static const struct {
        unsigned severity;
        const char *name;
    } levels[] = {{1 << 2, "error"},   {1 << 3, "critical"}, {1 << 4, "warning"},
                  {1 << 5, "message"}, {1 << 6, "info"},     {1 << 7, "debug"}};
    g_assert (sets != NULL && frame != NULL && log != NULL);
    const char *name = "log";
    for (size_t i = G_N_ELEMENTS (levels); i > 0; i--)
        if ((log->severity & levels[i - 1].severity) != 0)
            name = levels[i - 1].name;
    SysprofMark mark = {.group = log->domain, .name = pv_text_of (name), .message = log->message};
    sysprof_sets_add_mark (sets, frame, &mark);
}

void
sysprof_sets_finish (SysprofSets *sets)
{
    g_assert (sets != NULL);
    PvProfileBuilder *builder = sets->builder;
    if (!sets->allocations.exists && !sets->marks.exists)
        make_samples (sets);
    if (sets->samples.exists)
        pv_profile_builder_prefer_set (builder, sets->samples.id);
    else if (sets->allocations.exists)
        pv_profile_builder_prefer_set (builder, sets->allocations.id);
    if (sets->allocations.exists && !sets->samples.exists)
        pv_profile_builder_set_of_allocations (builder);
}
