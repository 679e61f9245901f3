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
 * supplements. The unit is the piece of work: the units that hold looked-up addresses are read once
 * each, dealt out to workers, who share the images. Units with forms or versions that our reader
 * does not know are read by libdw.
 */
typedef struct PvDwarfUnits PvDwarfUnits;

/* Which unit covers which addresses: the units' own ranges, else .debug_aranges, else their
 * functions'. Costs microseconds per unit. Immutable, any thread; the images of file must live
 * longer. NULL if there is no usable debug information; ret_problem then (or beside a result) gets
 * a translated static sentence or NULL ("split files not found", "damaged"). */
PvDwarfUnits *pv_dwarf_units_new (const PvModuleFile *file, PvJob *job, const char **ret_problem);
void pv_dwarf_units_free (PvDwarfUnits *units);

/* The unit that covers the address, or UINT32_MAX. */
uint32_t pv_dwarf_units_find (const PvDwarfUnits *units, uint64_t link_addr);
/* Bytes of .debug_info of one unit: what indexing it costs. */
uint64_t pv_dwarf_units_get_size (const PvDwarfUnits *units, uint32_t unit);

/* How many of the units resolved so far libdw had to read, and how many of them it could not. */
size_t pv_dwarf_units_get_n_foreign (const PvDwarfUnits *units, size_t *ret_n_unread);

/* A thread's own view of the units; not shared. */
typedef struct PvDwarfWorker PvDwarfWorker;

PvDwarfWorker *pv_dwarf_worker_new (const PvDwarfUnits *units);
void pv_dwarf_worker_free (PvDwarfWorker *worker);

/* Reads one unit and answers for n sorted link addresses in it (already decremented for callers).
 * What that needs is freed before it returns; strings and frames go to the arena, and neighbouring
 * addresses may share frames. When cancelled, the rest of the chains is empty. */
void pv_dwarf_worker_resolve (PvDwarfWorker *worker, uint32_t unit, const uint64_t *link_addrs,
                              size_t n, PvFrameChain *ret_chains, PvArena *arena, PvJob *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDwarfUnits, pv_dwarf_units_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDwarfWorker, pv_dwarf_worker_free)
