#include "core/base/idmap.h"

enum { FIRST_SLOTS = 64 };

static uint32_t
slot_of (const PvIdMap *map, uint64_t key)
{
    uint32_t slot = (uint32_t)pv_hash_mix (key) & map->mask;
    while (map->ids[slot] != 0 && map->keys[slot] != key)
        slot = (slot + 1) & map->mask;
    return slot;
}

void
pv_id_map_clear (PvIdMap *map)
{
    g_free (map->keys);
    g_free (map->ids);
    *map = (PvIdMap){0};
}

uint32_t
pv_id_map_find (const PvIdMap *map, uint64_t key)
{
    return map->ids != NULL ? map->ids[slot_of (map, key)] : 0;
}

static void
id_map_grow (PvIdMap *map)
{
    PvIdMap old = *map;
    uint32_t n_slots = old.ids != NULL ? (old.mask + 1) * 2 : FIRST_SLOTS;
    map->keys = g_new (uint64_t, n_slots);
    map->ids = g_new0 (uint32_t, n_slots);
    map->mask = n_slots - 1;
    for (uint32_t i = 0; old.ids != NULL && i <= old.mask; i++) {
        if (old.ids[i] == 0)
            continue;
        uint32_t slot = slot_of (map, old.keys[i]);
        map->keys[slot] = old.keys[i];
        map->ids[slot] = old.ids[i];
    }
    g_free (old.keys);
    g_free (old.ids);
}

uint32_t *
pv_id_map_slot (PvIdMap *map, uint64_t key)
{
    /* Half full at most, so that a run of taken slots stays short. */
    if (map->ids == NULL || map->len >= map->mask / 2)
        id_map_grow (map);
    uint32_t slot = slot_of (map, key);
    if (map->ids[slot] == 0) {
        map->keys[slot] = key;
        map->len++;
    }
    return &map->ids[slot];
}

static uint32_t
hash_slot_of (const PvHashMap *map, PvHash key)
{
    uint32_t slot = (uint32_t)(key.a + key.b * 0x9e3779b97f4a7c15u) & map->mask;
    while (map->ids[slot] != 0 && (map->keys[slot].a != key.a || map->keys[slot].b != key.b))
        slot = (slot + 1) & map->mask;
    return slot;
}

void
pv_hash_map_clear (PvHashMap *map)
{
    g_free (map->keys);
    g_free (map->ids);
    *map = (PvHashMap){0};
}

static void
hash_map_grow (PvHashMap *map)
{
    PvHashMap old = *map;
    uint32_t n_slots = old.ids != NULL ? (old.mask + 1) * 2 : FIRST_SLOTS;
    map->keys = g_new (PvHash, n_slots);
    map->ids = g_new0 (uint32_t, n_slots);
    map->mask = n_slots - 1;
    for (uint32_t i = 0; old.ids != NULL && i <= old.mask; i++) {
        if (old.ids[i] == 0)
            continue;
        uint32_t slot = hash_slot_of (map, old.keys[i]);
        map->keys[slot] = old.keys[i];
        map->ids[slot] = old.ids[i];
    }
    g_free (old.keys);
    g_free (old.ids);
}

uint32_t *
pv_hash_map_slot (PvHashMap *map, PvHash key)
{
    if (map->ids == NULL || map->len >= map->mask / 2)
        hash_map_grow (map);
    uint32_t slot = hash_slot_of (map, key);
    if (map->ids[slot] == 0) {
        map->keys[slot] = key;
        map->len++;
    }
    return &map->ids[slot];
}
