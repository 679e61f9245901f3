/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/job.h"
#include "core/symbolize/files/frame-chain.h"
#include "core/symbolize/files/module-files.h"

/*
 * Functions, inlined frames and lines from DWARF 2 to 5, with split units (.dwo, .dwp) and dwz
 * supplements. Work is divided by unit: each unit that contains looked-up addresses is read once,
 * by one of the workers, which share the images. libdw reads units with forms or versions unknown
 * to this reader.
 */
typedef struct PvDwarfUnits PvDwarfUnits;

/* Maps addresses to units: by the units' own ranges, else .debug_aranges, else their functions.
 * Costs microseconds per unit. Immutable, any thread; the images of file must outlive it. NULL if
 * there is no usable debug information; *ret_problem gets a translated static sentence ("split
 * files not found", "damaged"), also with a result, or NULL. */
PvDwarfUnits *pv_dwarf_units_new (const PvModuleFile *file, PvJob *job, const char **ret_problem);
void pv_dwarf_units_free (PvDwarfUnits *units);

/* The unit that covers the address, or UINT32_MAX. */
uint32_t pv_dwarf_units_find (const PvDwarfUnits *units, uint64_t link_addr);
/* The size of one unit in .debug_info, a measure of the cost of indexing it. */
uint64_t pv_dwarf_units_get_size (const PvDwarfUnits *units, uint32_t unit);

/* The number of units resolved so far that libdw had to read, and of those that even libdw could
 * not read. */
size_t pv_dwarf_units_get_n_foreign (const PvDwarfUnits *units, size_t *ret_n_unread);

/* A thread's own view of the units; not shared. */
typedef struct PvDwarfWorker PvDwarfWorker;

PvDwarfWorker *pv_dwarf_worker_new (const PvDwarfUnits *units);
void pv_dwarf_worker_free (PvDwarfWorker *worker);

/* Reads one unit and resolves n sorted link addresses in it (already decremented for callers).
 * Frees temporary memory before it returns; strings and frames go to the arena, and neighbouring
 * addresses may share frames. When cancelled, the remaining chains are empty. */
void pv_dwarf_worker_resolve (PvDwarfWorker *worker, uint32_t unit, const uint64_t *link_addrs,
                              size_t n, PvFrameChain *ret_chains, PvArena *arena, PvJob *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDwarfUnits, pv_dwarf_units_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDwarfWorker, pv_dwarf_worker_free)
