/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/job.h"
#include "core/elf/elf-image.h"

/*
 * Functions, inlined frames and lines from DWARF 2 to 5, with split units (.dwo, .dwp) and dwz
 * supplements. The unit is the piece of work: the units that hold looked-up addresses are read once
 * each, dealt out to workers. The reader is our own, over the sections of the images, which
 * all workers share; no libdw handle is made.
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

/* One frame of the chain at an address, innermost first in the array. */
typedef struct {
    const char *linkage_name; /* mangled, or NULL */
    const char *name; /* if there is no linkage name: qualified by namespaces and classes. Both
                         NULL: only the line is known (assembler, padding) */
    const char *file; /* where it runs or calls the next inner frame; absolute; or NULL */
    uint32_t line;    /* 0: none in particular, by the compiler's word */
    const char *decl_file;
    uint32_t decl_line;
    bool is_inlined; /* into the next frame */
} PvDwarfFrame;

typedef struct {
    const PvDwarfFrame *frames; /* in the arena */
    uint32_t n_frames;          /* 0: the unit does not know the address */
} PvDwarfChain;

/* A thread's own view of the units; not shared. */
typedef struct PvDwarfWorker PvDwarfWorker;

PvDwarfWorker *pv_dwarf_worker_new (const PvDwarfUnits *units);
void pv_dwarf_worker_free (PvDwarfWorker *worker);

/* Reads one unit and answers for n sorted link addresses in it (already decremented for callers).
 * What that needs is freed before it returns; strings and frames go to the arena, and neighbouring
 * addresses may share frames. When cancelled, the rest of the chains is empty. */
void pv_dwarf_worker_resolve (PvDwarfWorker *worker, uint32_t unit, const uint64_t *link_addrs,
                              size_t n, PvDwarfChain *ret_chains, PvArena *arena, PvJob *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDwarfUnits, pv_dwarf_units_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDwarfWorker, pv_dwarf_worker_free)
