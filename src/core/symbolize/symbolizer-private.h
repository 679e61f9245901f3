/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/arena.h"
#include "core/base/pool.h"
#include "core/model/profile/symbols.h"
#include "core/symbolize/dwarf/dwarf-index.h"
#include "core/symbolize/names/elf-symbols.h"
#include "core/symbolize/names/kernel-symbols.h"
#include "core/symbolize/names/name-labels.h"
#include "core/symbolize/symbol-chains.h"
#include "core/symbolize/symbolizer.h"

/*
 * State of pv_symbolize () for one module that has locations. Private to the symbolizer. One
 * worker owns it in the first step; later all read it.
 */
typedef struct {
    PvModuleId id;
    const PvModule *module;
    const PvModuleFile *file; /* never NULL; all its members are NULL if there are no files */

    /* The addresses to name, sorted and unique: link addresses if is_link, else of the module's
     * kind. The locations of address i are [first_location[i], first_location[i + 1]). */
    uint64_t *addrs;
    size_t n_addrs;
    bool is_link;
    PvLocationId *locations;
    size_t n_locations; /* those without an address come last */
    uint32_t *first_location;

    /* The first step. */
    PvArena *arena; /* of the fields below; NULL once they are no longer needed */
    PvSymbolHit *hits;
    PvFrameChain *chains; /* if they were as cheap as names; or NULL */
    PvNamedChains named;
    bool has_full_table;
    bool has_lines;
    const char *names_path;
    bool is_map_reused; /* a perf map has several names of some addresses */

    /* The second step. */
    uint64_t *weight_of_addr; /* number of samples that contain it */
    uint64_t weight;
    uint64_t self_weight;
    PvDwarfUnits *units;
    size_t n_foreign_units, n_unread_units; /* read by libdw; unreadable even for libdw */
    const char *problem;                    /* with its debug information, translated; or NULL */
    char *map_problem; /* why the map of code made at run time is not used, translated; or NULL */
} PvModuleWork;

typedef struct {
    const PvProfile *profile;
    PvModuleFiles *files;
    const PvSymbolOptions *options;
    PvLocationId first_location; /* earlier ones are already named; 1: none */
    PvSymbolsFunc publish;       /* NULL: publish nothing */
    void *user;
    PvJob *job;

    PvPool *pool;
    PvSymbolBuilder *builder;
    PvNameLabels *labels;
    uint8_t *given_of_module; /* PvModuleSymbols given by names in the recording; PENDING: none */
    PvModuleWork *works;      /* in order of module ids */
    size_t n_works;
    uint64_t n_samples;
    bool is_mapped;            /* pv_profile_has_mappings () */
    PvKallsymsResult kallsyms; /* if has_kallsyms_result */
    bool has_kallsyms_result;
    int64_t last_publish_us;
} PvSymbolizing;

static inline bool
pv_module_work_is_kernel (const PvModuleWork *work)
{
    return work->module->kind == PV_MODULE_KERNEL || work->module->kind == PV_MODULE_KERNEL_MODULE;
}

/* No short names are needed; the summary of a heap profile lists functions, so it needs them. */
static inline bool
pv_symbolizing_has_only_full_names (const PvSymbolizing *s)
{
    return s->options->only_full_names && s->profile->heap == NULL;
}

/* Uses the names that came with the recording; their locations are left out of all works. */
void pv_symbolizing_take_given (PvSymbolizing *s);

/* Names that came with a pack are used instead of all others. */
bool pv_symbolizing_has_packed (const PvSymbolizing *s);
void pv_symbolizing_take_packed (PvSymbolizing *s);

/* Groups the profile's locations by module: makes the works. */
void pv_symbolizing_group (PvSymbolizing *s);
void pv_symbolizing_clear (PvSymbolizing *s);

/* Makes the labels for the names that there are. */
void pv_symbolizing_update_labels (PvSymbolizing *s);
/* Publishes the current table. */
void pv_symbolizing_publish (PvSymbolizing *s, bool is_complete);

/* Sorts a work's locations by the addresses to look up. Runs in a worker. */
void pv_module_work_prepare (PvModuleWork *work, const PvProfile *profile);

/* Adds the way from a module's addresses to those of its file. */
void pv_symbolizing_set_links (PvSymbolizing *s, PvModuleId module, const PvModuleFile *file);

/* Finds names in symbol tables, in the workers, and adds them to the builder. */
void pv_symbolizing_find_names (PvSymbolizing *s);

/* Finds functions, inlined frames and lines in DWARF; publishes in between. */
void pv_symbolizing_find_lines (PvSymbolizing *s);

/* Adds notes on missing names and how to get them. */
void pv_symbolizing_add_notes (PvSymbolizing *s);

/* Sets the frames of addresses on all of their locations. addrs has the index of each in the work's
 * addrs; NULL: the same order. */
void pv_symbolizing_set_frames (PvSymbolizing *s, const PvModuleWork *work,
                                const PvNamedChains *named, const uint32_t *addrs);
