/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables that samples point into: each row is found again in the builder or added to it. Rows
 * are looked for by a hash over what makes them the same.
 */
#include <string.h>

#include "core/base/hash.h"
#include "core/model/merge/merge-private.h"

#define NOT_YET UINT32_MAX

static uint32_t *
new_map (uint32_t n)
{
    uint32_t *map = g_new (uint32_t, MAX (n, 1));
    memset (map, 0xff, n * sizeof *map);
    map[0] = 0; /* none */
    return map;
}

void
pv_merge_maps_init (PvMerger *merger, const PvProfile *profile)
{
    merger->maps = (PvMergeMaps){
        .profile = profile,
        .module_of = new_map (profile->n_modules),
        .location_of = new_map (profile->n_locations),
        .stack_of = new_map (profile->n_stacks),
        .process_of = new_map (profile->n_processes),
        .thread_of = new_map (profile->n_threads),
        .label_set_of = new_map (profile->n_label_sets),
        .wait_of = new_map (profile->n_waits),
    };
}

void
pv_merge_maps_clear (PvMerger *merger)
{
    g_free (merger->maps.module_of);
    g_free (merger->maps.location_of);
    g_free (merger->maps.stack_of);
    g_free (merger->maps.process_of);
    g_free (merger->maps.thread_of);
    g_free (merger->maps.label_set_of);
    g_free (merger->maps.wait_of);
    merger->maps = (PvMergeMaps){0};
}

/* Modules */

/* Identity of a module. For code made at run time, or known by absolute addresses only, it includes
 * the place. */
static PvHash
hash_module (const PvModule *module)
{
    bool is_placed = module->kind != PV_MODULE_UNKNOWN &&
                     (module->kind == PV_MODULE_JIT || module->address_kind == PV_ADDRESS_RUNTIME);
    uint64_t words[6] = {
        module->kind,
        module->address_kind,
        module->is_kernel,
        (uint64_t)(uint32_t)module->pid,
        is_placed ? module->load_addr : 0,
        module->build_id_size,
    };
    PvHash words_hash = pv_hash_bytes (words, sizeof words, 1);
    PvHash build_id = pv_hash_bytes (module->build_id, module->build_id_size, words_hash.a);
    return pv_hash_bytes (module->path, strlen (module->path), build_id.a ^ words_hash.b);
}

static bool
is_same_text (const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp (a, b) == 0);
}

/* True if no place has two names in two sorted lists. ret_is_new: the second one has some that the
 * first one lacks. */
static bool
do_ranges_agree (const PvModule *known, const PvModule *other, bool *ret_is_new)
{
    uint32_t i = 0, n_both = 0;
    for (uint32_t k = 0; k < other->n_named_ranges; k++) {
        const PvNamedRange *range = &other->named_ranges[k];
        uint64_t last = range->start + (range->size_bytes - 1);
        while (i < known->n_named_ranges &&
               known->named_ranges[i].start + (known->named_ranges[i].size_bytes - 1) <
                   range->start)
            i++;
        if (i == known->n_named_ranges || known->named_ranges[i].start > last)
            continue;
        const PvNamedRange *same = &known->named_ranges[i];
        if (same->start != range->start || same->size_bytes != range->size_bytes ||
            !is_same_text (same->name, range->name))
            return false;
        n_both++;
    }
    *ret_is_new = n_both < other->n_named_ranges;
    return true;
}

/* True if both may have their code in the same file. */
static bool
do_dumps_agree (const PvModule *known, const PvModule *other)
{
    return known->code_path == NULL || other->code_path == NULL ||
           strcmp (known->code_path, other->code_path) == 0;
}

static void
add_named_ranges (PvMerger *merger, PvModuleId id, const PvModule *other)
{
    const PvModule *known = &merger->builder->modules.data[id];
    PV_ARRAY (PvNamedRange) both = {0};
    pv_array_append (&both, known->named_ranges, known->n_named_ranges);
    pv_array_append (&both, other->named_ranges, other->n_named_ranges);
    pv_profile_builder_set_named_ranges (merger->builder, id, both.data, both.len);
    pv_array_clear (&both);
}

/* Adds facts about the same module from another file. */
static void
complete_module (PvMerger *merger, PvModuleId id, const PvModule *other)
{
    PvModule *known = &merger->builder->modules.data[id];
    known->is_main |= other->is_main;
    known->load_addr = MIN (known->load_addr, other->load_addr);
    known->end_addr = MAX (known->end_addr, other->end_addr);
    if (known->code_path == NULL)
        known->code_path = pv_profile_builder_string (merger->builder, other->code_path);
    if (known->reference_addr == 0) {
        known->reference_addr = other->reference_addr;
        known->reference_symbol =
            pv_profile_builder_string (merger->builder, other->reference_symbol);
    }
}

static PvModuleId
find_module (PvMerger *merger, const PvModule *module)
{
    PvProfileBuilder *builder = merger->builder;
    uint32_t *first = pv_hash_map_slot (&merger->module_ids, hash_module (module));
    for (PvModuleId id = *first; id != 0; id = merger->next_module.data[id]) {
        bool has_more;
        if (!do_ranges_agree (&builder->modules.data[id], module, &has_more) ||
            !do_dumps_agree (&builder->modules.data[id], module))
            continue;
        if (has_more)
            add_named_ranges (merger, id, module);
        complete_module (merger, id, module);
        return id;
    }
    PvModuleId id = pv_profile_builder_add_module (builder, module);
    pv_array_resize (&merger->next_module, (size_t)id + 1);
    merger->next_module.data[id] = *first;
    *first = id;
    return id;
}

PvModuleId
pv_merge_module (PvMerger *merger, PvModuleId module)
{
    PvModuleId *id = &merger->maps.module_of[module];
    if (*id == NOT_YET)
        *id = find_module (merger, &merger->maps.profile->modules[module]);
    return *id;
}

/* Locations and stacks */

/* The frames given for a location of the profile, with strings of the builder, into
 * merger->frames. */
static void
take_frames (PvMerger *merger, PvLocationId location)
{
    const PvProfile *profile = merger->maps.profile;
    PvProfileBuilder *builder = merger->builder;
    merger->frames.len = 0;
    if (profile->given_of_location == NULL || profile->given_of_location[location] == UINT32_MAX)
        return;
    const PvGivenFrame *given = &profile->given_frames[profile->given_of_location[location]];
    for (bool is_last = false; !is_last; given++) {
        PvGivenFrame frame = *given;
        frame.name = pv_profile_builder_string (builder, given->name);
        frame.raw_name = pv_profile_builder_string (builder, given->raw_name);
        frame.file = pv_profile_builder_string (builder, given->file);
        pv_array_push (&merger->frames, frame);
        is_last = given->is_last;
    }
}

/* Equal strings of the builder are the same pointer. */
static PvHash
hash_frames (const PvMerger *merger, uint32_t a, uint64_t b)
{
    PvHash hash = {pv_hash_mix (b), a};
    for (size_t i = 0; i < merger->frames.len; i++) {
        const PvGivenFrame *frame = &merger->frames.data[i];
        uint64_t words[6] = {
            hash.a,
            hash.b,
            (uintptr_t)frame->name,
            (uintptr_t)frame->raw_name,
            (uintptr_t)frame->file,
            (uint64_t)frame->line << 32 | frame->start_line,
        };
        hash = pv_hash_bytes (words, sizeof words, i);
    }
    return hash;
}

static bool
has_these_frames (const PvMerger *merger, uint32_t given)
{
    const PvGivenFrame *known =
        pv_store_column_data (&merger->builder->given_frames, PvGivenFrame) + given;
    for (size_t i = 0; i < merger->frames.len; i++) {
        const PvGivenFrame *frame = &merger->frames.data[i];
        if (known[i].name != frame->name || known[i].raw_name != frame->raw_name ||
            known[i].file != frame->file || known[i].line != frame->line ||
            known[i].start_line != frame->start_line ||
            known[i].is_last != (i + 1 == merger->frames.len))
            return false;
    }
    return true;
}

static void
give_frames (PvMerger *merger, PvLocationId location)
{
    pv_profile_builder_give_frames (merger->builder, location, merger->frames.data,
                                    (uint32_t)merger->frames.len);
}

/* Ordinals mean something in their own file only: there the frames make the location. */
static PvLocationId
find_named_location (PvMerger *merger, PvModuleId module, uint64_t ordinal)
{
    uint32_t *slot = pv_hash_map_slot (
        &merger->named_ids, hash_frames (merger, module, merger->frames.len > 0 ? 0 : ordinal + 1));
    if (*slot == 0) {
        *slot = pv_profile_builder_location (merger->builder, module, ++merger->n_named,
                                             PV_LOCATION_NAMED);
        give_frames (merger, *slot);
    }
    return *slot;
}

/* The same place with other frames: from another file that was symbolized in another way. */
static PvLocationId
find_variant (PvMerger *merger, PvLocationId location)
{
    PvProfileBuilder *builder = merger->builder;
    uint32_t *slot = pv_hash_map_slot (&merger->variant_ids, hash_frames (merger, location, 0));
    if (*slot == 0) {
        *slot = builder->module_of_location.len;
        PvModuleId module =
            pv_store_column_data (&builder->module_of_location, PvModuleId)[location];
        uint64_t address = pv_store_column_data (&builder->address_of_location, uint64_t)[location];
        uint8_t kind = pv_store_column_data (&builder->kind_of_location, uint8_t)[location];
        pv_store_column_push (&builder->module_of_location, PvModuleId, module);
        pv_store_column_push (&builder->address_of_location, uint64_t, address);
        pv_store_column_push (&builder->kind_of_location, uint8_t, kind);
        pv_store_column_push (&builder->given_of_location, uint32_t, UINT32_MAX);
        give_frames (merger, *slot);
    }
    return *slot;
}

/* Files of a series have much the same rows in much the same order: mostly the next one is the row
 * behind the last. That needs no look into a table of hashes. Only of locations without frames can
 * there be no second one with the same address. */
static bool
is_location_at (const PvProfileBuilder *builder, PvLocationId id, PvModuleId module,
                uint64_t address, PvLocationKind kind)
{
    return id < builder->module_of_location.len &&
           pv_store_column_data (&builder->given_of_location, uint32_t)[id] == UINT32_MAX &&
           pv_store_column_data (&builder->address_of_location, uint64_t)[id] == address &&
           pv_store_column_data (&builder->module_of_location, PvModuleId)[id] == module &&
           pv_store_column_data (&builder->kind_of_location, uint8_t)[id] == kind;
}

static bool
is_stack_at (const PvProfileBuilder *builder, PvStackId id, PvStackId parent, PvLocationId location)
{
    return id < builder->parent_of_stack.len &&
           pv_store_column_data (&builder->parent_of_stack, PvStackId)[id] == parent &&
           pv_store_column_data (&builder->location_of_stack, PvLocationId)[id] == location;
}

static PvLocationId
find_location (PvMerger *merger, PvLocationId location)
{
    const PvProfile *profile = merger->maps.profile;
    PvModuleId module = pv_merge_module (merger, profile->module_of_location[location]);
    uint64_t address = profile->address_of_location[location];
    PvLocationKind kind = profile->kind_of_location[location];
    take_frames (merger, location);
    if (kind == PV_LOCATION_NAMED)
        return find_named_location (merger, module, address);
    PvLocationId id = merger->last_location + 1;
    if (merger->frames.len > 0 || !is_location_at (merger->builder, id, module, address, kind))
        id = pv_profile_builder_location (merger->builder, module, address, kind);
    merger->last_location = id;
    uint32_t given = pv_store_column_data (&merger->builder->given_of_location, uint32_t)[id];
    if (merger->frames.len == 0)
        return id;
    if (given == UINT32_MAX)
        give_frames (merger, id);
    else if (!has_these_frames (merger, given))
        return find_variant (merger, id);
    return id;
}

void
pv_merge_stacks (PvMerger *merger)
{
    const PvProfile *profile = merger->maps.profile;
    PvStackId *stack_of = merger->maps.stack_of, last = 0;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        PvLocationId location = profile->location_of_stack[s];
        PvLocationId *merged = &merger->maps.location_of[location];
        if (*merged == NOT_YET)
            *merged = find_location (merger, location);
        PvStackId parent = stack_of[profile->parent_of_stack[s]];
        bool is_next = is_stack_at (merger->builder, last + 1, parent, *merged);
        last = is_next ? last + 1 : pv_profile_builder_stack (merger->builder, parent, *merged);
        stack_of[s] = last;
    }
}

/* Processes, threads, labels */

static PvHash
hash_id_and_name (uint64_t id, uint64_t owner, const char *name)
{
    PvHash hash = pv_hash_bytes (name != NULL ? name : "", name != NULL ? strlen (name) : 0, 0);
    uint64_t words[4] = {hash.a, hash.b, id, owner};
    return pv_hash_bytes (words, sizeof words, name != NULL);
}

PvProcessId
pv_merge_process (PvMerger *merger, PvProcessId process)
{
    PvProcessId *merged = &merger->maps.process_of[process];
    if (*merged != NOT_YET)
        return *merged;
    const PvProcess *row = &merger->maps.profile->processes[process];
    uint32_t *slot = pv_hash_map_slot (&merger->process_ids,
                                       hash_id_and_name ((uint32_t)row->pid, 0, row->name));
    if (*slot == 0) {
        *slot =
            pv_profile_builder_add_process (merger->builder, row->pid, row->name, row->start_ns);
        pv_profile_builder_end_process (merger->builder, *slot, row->end_ns);
    }
    PvProcess *known = &merger->builder->processes.data[*slot];
    known->start_ns = MIN (known->start_ns, row->start_ns);
    known->end_ns = MAX (known->end_ns, row->end_ns);
    return *merged = *slot;
}

PvThreadId
pv_merge_thread (PvMerger *merger, PvThreadId thread)
{
    PvThreadId *merged = &merger->maps.thread_of[thread];
    if (*merged != NOT_YET)
        return *merged;
    const PvThread *row = &merger->maps.profile->threads[thread];
    PvProcessId process = pv_merge_process (merger, row->process);
    uint32_t *slot = pv_hash_map_slot (
        &merger->thread_ids, hash_id_and_name ((uint32_t)row->tid, process + 1ull, row->name));
    if (*slot == 0) {
        *slot = pv_profile_builder_add_thread (merger->builder, process, row->tid, row->name,
                                               row->start_ns);
        pv_profile_builder_end_thread (merger->builder, *slot, row->end_ns);
    }
    PvThread *known = &merger->builder->threads.data[*slot];
    known->start_ns = MIN (known->start_ns, row->start_ns);
    known->end_ns = MAX (known->end_ns, row->end_ns);
    return *merged = *slot;
}

static const char *
merge_text (void *user, PvNamed names, const char *text)
{
    const PvMerger *merger = user;
    return pv_profile_builder_string (merger->builder, text);
}

static uint32_t
merge_id (void *user, PvMemberType type, uint32_t id)
{
    PvMerger *merger = user;
    switch (type) {
    case PV_MEMBER_MODULE:
        return pv_merge_module (merger, id);
    case PV_MEMBER_PROCESS:
        return pv_merge_process (merger, id);
    case PV_MEMBER_THREAD:
        return pv_merge_thread (merger, id);
    default:
        return merger->maps.stack_of[id];
    }
}

void
pv_merge_row (PvMerger *merger, PvProfileTable table, void *row)
{
    const PvRowMapping mapping = {merge_text, merge_id, merger, merger->arena};
    pv_row_map (row, pv_row_types[table].members, &mapping);
}

uint32_t
pv_merge_label_set (PvMerger *merger, uint32_t label_set)
{
    uint32_t *merged = &merger->maps.label_set_of[label_set];
    if (*merged == NOT_YET) {
        const PvProfile *profile = merger->maps.profile;
        uint32_t first = profile->first_label_of_set[label_set];
        uint32_t end = profile->first_label_of_set[label_set + 1];
        PV_ARRAY (PvLabel) labels = {0};
        for (uint32_t i = first; i < end; i++) {
            PvLabel label = profile->labels[i];
            pv_merge_row (merger, PV_PROFILE_LABELS, &label);
            pv_array_push (&labels, label);
        }
        *merged = pv_profile_builder_label_set (merger->builder, labels.data, end - first);
        pv_array_clear (&labels);
    }
    return *merged;
}

uint32_t
pv_merge_wait (PvMerger *merger, uint32_t wait)
{
    uint32_t *merged = &merger->maps.wait_of[wait];
    if (*merged == NOT_YET) {
        PvWait copy = merger->maps.profile->waits[wait];
        pv_merge_row (merger, PV_PROFILE_WAITS, &copy);
        *merged = pv_profile_builder_wait (merger->builder, &copy);
    }
    return *merged;
}
