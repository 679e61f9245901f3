#pragma once

#include <glib.h>

#include "core/base/arena.h"
#include "core/symbolize/dwarf/dwarf-index.h"
#include "core/symbolize/elf/elf-image.h"

/*
 * The table of functions and lines that every Go program carries for its own tracebacks, stripped
 * or not: names and lines (all versions since Go 1.2), inlined calls (since Go 1.16).
 */
typedef struct PvGoTable PvGoTable;

/* NULL if the binary has none. The image and the arena, which gets strings and frames, must outlive
 * it. One thread at a time. */
PvGoTable *pv_go_table_new (PvElfImage *binary, PvArena *arena);
void pv_go_table_free (PvGoTable *table);

/* The chain at a link address, already decremented for callers; false, with *ret_chain as it was,
 * if no Go function covers it. */
bool pv_go_table_find (PvGoTable *table, uint64_t link_addr, PvDwarfChain *ret_chain);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvGoTable, pv_go_table_free)
