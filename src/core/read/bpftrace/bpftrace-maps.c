/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output has neither names nor types of keys, and does not say where a map that is printed
 * again begins. Both are found out from all entries of a map.
 */
#include "core/read/bpftrace/bpftrace-maps.h"

#include <glib.h>

#define MAX_COMM_LEN  15u     /* of the kernel's names of threads */
#define MAX_PID       4194304 /* PID_MAX_LIMIT */
#define MANY_CPUS     512     /* a number below may be one of a processor */
#define JUDGED_STACKS 1000u

void
bpftrace_maps_clear (BpftraceMaps *self)
{
    g_assert (self != NULL);
    pv_array_clear (&self->maps);
    pv_array_clear (&self->entries);
    pv_array_clear (&self->buckets);
    pv_hash_map_clear (&self->map_ids);
    pv_hash_map_clear (&self->keys);
}

uint64_t
bpftrace_maps_count_bytes (const BpftraceMaps *self)
{
    return self->entries.cap * sizeof *self->entries.data +
           self->buckets.cap * sizeof *self->buckets.data +
           (uint64_t)self->keys.mask * sizeof (PvHashSlot);
}

/* The number of a map, from 1 on; 0: there are too many. */
static uint32_t
find_map (BpftraceMaps *self, PvText name)
{
    if (self->maps.len == BPFTRACE_MAX_MAPS)
        for (uint32_t m = 0; m < BPFTRACE_MAX_MAPS; m++)
            if (pv_text_is_same (self->maps.data[m].name, name))
                return m + 1;
    if (self->maps.len == BPFTRACE_MAX_MAPS) {
        self->has_more_maps = true;
        return 0;
    }
    uint32_t *slot = pv_hash_map_slot (&self->map_ids, pv_text_hash (name, 0));
    if (*slot == 0) {
        BpftraceMap map = {.name = name, .n_prints = 1};
        pv_array_push (&self->maps, map);
        *slot = (uint32_t)self->maps.len;
    }
    return *slot;
}

/* --- keys --- */

static void
learn_part (BpftraceKeyPart *part, const BpftraceElement *element)
{
    int64_t number;
    if (element->is_stack) {
        if (part->n_stacks++ < JUDGED_STACKS)
            part->n_of_side[bpftrace_judge_stack (element->text)]++;
    } else if (bpftrace_parse_number (element->text, &number)) {
        part->min = part->n_numbers > 0 ? MIN (part->min, number) : number;
        part->max = part->n_numbers > 0 ? MAX (part->max, number) : number;
        part->n_numbers++;
    } else if (pv_text_len (element->text) > 0) { /* else a stack without frames */
        part->n_texts++;
        part->max_len = MAX (part->max_len, pv_text_len (element->text));
    }
}

static void
learn_key (BpftraceMaps *self, BpftraceMap *map, PvText key)
{
    BpftraceElement elements[BPFTRACE_MAX_ELEMENTS];
    uint32_t n = bpftrace_split_key (key, self->is_json, elements);
    map->n_parts = MAX (map->n_parts, n);
    for (uint32_t i = 0; i < n; i++)
        learn_part (&map->parts[i], &elements[i]);
}

static void
judge_stacks (BpftraceMap *map)
{
    BpftraceKeyPart *stacks[BPFTRACE_MAX_ELEMENTS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < map->n_parts; i++) {
        BpftraceKeyPart *part = &map->parts[i];
        if (part->n_stacks == 0)
            continue;
        stacks[n++] = part;
        part->role = BPFTRACE_STACK;
        uint64_t n_kernel = part->n_of_side[BPFTRACE_KERNEL];
        uint64_t n_user = part->n_of_side[BPFTRACE_USER];
        part->side = n_kernel > n_user   ? BPFTRACE_KERNEL
                     : n_user > n_kernel ? BPFTRACE_USER
                                         : BPFTRACE_EITHER;
    }
    if (n != 2)
        return;
    /* One of two is the kernel's, most often the first. */
    bool is_second = stacks[0]->side == BPFTRACE_USER ||
                     (stacks[0]->side == BPFTRACE_EITHER && stacks[1]->side == BPFTRACE_KERNEL);
    stacks[is_second]->side = BPFTRACE_KERNEL;
    stacks[!is_second]->side = BPFTRACE_USER;
}

static void
judge_scalars (BpftraceMap *map)
{
    bool has_comm = false, has_pid = false, has_tid = false;
    for (uint32_t i = 0; i < map->n_parts; i++) {
        BpftraceKeyPart *part = &map->parts[i];
        if (part->role == BPFTRACE_STACK)
            continue;
        if (part->n_texts > 0) {
            if (!has_comm && part->max_len <= MAX_COMM_LEN)
                part->role = BPFTRACE_COMM;
            has_comm |= part->role == BPFTRACE_COMM;
            continue;
        }
        bool is_after_comm = i > 0 && map->parts[i - 1].role == BPFTRACE_COMM;
        if (part->n_numbers == 0 || part->min < 0 || part->max > MAX_PID ||
            (part->max < MANY_CPUS && !is_after_comm))
            continue;
        if (!has_tid)
            part->role = has_pid ? BPFTRACE_TID : BPFTRACE_PID;
        has_tid = has_pid;
        has_pid = true;
    }
}

void
bpftrace_maps_judge (BpftraceMaps *self)
{
    g_assert (self != NULL);
    for (size_t m = 0; m < self->maps.len; m++) {
        judge_stacks (&self->maps.data[m]);
        judge_scalars (&self->maps.data[m]);
    }
}

/* --- entries --- */

/* True the first time that a print of a map has this key. */
static bool
is_new_key (BpftraceMaps *self, uint32_t map_id, uint32_t print, PvText key)
{
    PvHash hash = pv_text_hash (key, (uint64_t)map_id << 32 | print);
    uint32_t *slot = pv_hash_map_slot (&self->keys, hash);
    bool is_new = *slot == 0;
    *slot = 1;
    return is_new;
}

/* The entries of a print come in the order of their values, each key once. */
static bool
is_next_print (BpftraceMaps *self, uint32_t map_id, const BpftraceEntry *entry)
{
    const BpftraceMap *map = &self->maps.data[map_id - 1];
    bool goes_down = (entry->is_in_container || self->last_map != map_id) &&
                     entry->value.kind == BPFTRACE_NUMBER && entry->value.number < map->last_number;
    if (map->n_weights > 0 && goes_down) {
        is_new_key (self, map_id, map->n_prints + 1, entry->key);
        return true;
    }
    return !is_new_key (self, map_id, map->n_prints, entry->key) &&
           is_new_key (self, map_id, map->n_prints + 1, entry->key);
}

void
bpftrace_maps_begin_print (BpftraceMaps *self, PvText name)
{
    g_assert (self != NULL);
    uint32_t id = find_map (self, name);
    if (id > 0 && self->maps.data[id - 1].n_weights > 0)
        self->maps.data[id - 1].n_prints++;
}

void
bpftrace_maps_add (BpftraceMaps *self, const BpftraceEntry *entry)
{
    g_assert (self != NULL && entry != NULL);
    uint32_t id = find_map (self, entry->map);
    if (id == 0)
        return;
    BpftraceMap *map = &self->maps.data[id - 1];
    map->n_entries++;
    map->n_of_kind[entry->value.kind]++;
    if (entry->value.kind == BPFTRACE_OTHER)
        return;
    if (!self->is_json && entry->key.at == NULL)
        map->n_prints += map->n_weights > 0;
    else if (!self->is_json && is_next_print (self, id, entry))
        map->n_prints++;
    self->last_map = id;
    map->n_weights++;
    map->last_number = entry->value.number;
    map->n_negative += entry->value.number < 0;
    if (entry->key.at != NULL)
        learn_key (self, map, entry->key);
    BpftraceCounted counted = {
        .key = entry->key,
        .value = entry->value,
        .map = id - 1,
        .print = map->n_prints,
    };
    pv_array_push (&self->entries, counted);
}

bool
bpftrace_map_has_weights (const BpftraceMap *map)
{
    if (map->n_of_kind[BPFTRACE_NUMBER] + map->n_of_kind[BPFTRACE_STATS] == 0)
        return false;
    for (uint32_t i = 0; i < map->n_parts; i++)
        if (map->parts[i].role == BPFTRACE_STACK)
            return true;
    return false;
}

bool
bpftrace_maps_is_weight (const BpftraceMaps *self, const BpftraceCounted *entry)
{
    g_assert (self != NULL && entry->map < self->maps.len);
    return bpftrace_map_has_weights (&self->maps.data[entry->map]) && entry->key.at != NULL &&
           entry->value.kind != BPFTRACE_HISTOGRAM;
}
