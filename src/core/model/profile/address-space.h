/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/model/profile/profile.h"

/*
 * The mappings of a recorded process (or of the kernel): intervals that do not overlap, sorted by
 * address. Later mappings replace the parts of earlier ones that they overlap. One thread at a time
 * writes; any number may read while nobody writes.
 */
typedef struct {
    uint64_t start;
    uint64_t end;         /* exclusive */
    uint64_t file_offset; /* of start */
    PvModuleId module;
} PvMapping;

typedef struct PvAddressSpace PvAddressSpace;

/* For pv_address_space_get_generation () only; the first member of a space. */
typedef struct {
    uint32_t generation;
} PvAddressSpaceHead;

PvAddressSpace *pv_address_space_new (void);
PvAddressSpace *pv_address_space_copy (const PvAddressSpace *space);
void pv_address_space_free (PvAddressSpace *space);

/* Empty or wrapping ranges are ignored. */
void pv_address_space_add (PvAddressSpace *space, const PvMapping *mapping);

/* The first mapping that ends after runtime_addr, or NULL. Valid until the next change. */
const PvMapping *pv_address_space_find_from (const PvAddressSpace *space, uint64_t runtime_addr);

/* The mapping that contains runtime_addr, or NULL. Valid until the next change. */
const PvMapping *pv_address_space_find (const PvAddressSpace *space, uint64_t runtime_addr);

/* Removes the signature that a signed return address of AArch64 has in its upper bits; other
 * addresses stay unchanged. */
uint64_t pv_address_space_strip_signature (const PvAddressSpace *space, uint64_t runtime_addr);

/* Changes with every change of the space and is unique among all spaces of the process: a cache
 * keyed by it never returns stale entries. */
static inline uint32_t
pv_address_space_get_generation (const PvAddressSpace *space)
{
    return ((const PvAddressSpaceHead *)space)->generation;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvAddressSpace, pv_address_space_free)
