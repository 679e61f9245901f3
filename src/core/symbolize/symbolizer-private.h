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
 * What pv_symbolize () knows of one module that has locations. Shared by the files of the
 * symbolizer only. In the first step one worker owns it; later it is read by all.
 */
typedef struct {
    PvModuleId id;
    const PvModule *module;
    const PvModuleFile *file; /* never NULL; all NULL inside where a module has no files */

    /* The addresses to name, sorted, without repeats: link addresses if is_link, else of the
     * module's kind; and the locations of each: locations[first_location[i] .. first_location[i +
     * 1]). */
    uint64_t *addrs;
    size_t n_addrs;
    bool is_link;
    PvLocationId *locations;
    size_t n_locations; /* those without any address are at the end */
    uint32_t *first_location;

    /* The first step. */
    PvArena *arena; /* of the fields below; NULL once they are no longer needed */
    PvSymbolHit *hits;
    PvFrameChain *chains; /* where they were as cheap as names; or NULL */
    PvNamedChains named;
    bool has_full_table;
    bool has_lines;
    const char *names_path;

    /* The second step. */
    uint64_t *weight_of_addr; /* samples it occurs in */
    uint64_t weight;
    uint64_t self_weight;
    PvDwarfUnits *units;
    size_t n_foreign_units, n_unread_units; /* read by libdw, and not even by it */
    const char *problem;                    /* of its debug information; translated; or NULL */
} PvModuleWork;

typedef struct {
    const PvProfile *profile;
    PvModuleFiles *files;
    const PvSymbolOptions *options;
    PvLocationId first_location; /* those before it have their names already; 1: none have */
    PvSymbolsFunc publish;       /* NULL: nothing is published */
    void *user;
    PvJob *job;

    PvPool *pool;
    PvSymbolBuilder *builder;
    PvNameLabels *labels;
    uint8_t *given_of_module; /* PvModuleSymbols by names from the file; PENDING: no names */
    PvModuleWork *works;      /* in order of module ids */
    size_t n_works;
    uint64_t n_samples;
    PvKallsymsResult kallsyms; /* if has_kallsyms_result */
    bool has_kallsyms_result;
    int64_t last_publish_us;
} PvSymbolizing;

static inline bool
pv_module_work_is_kernel (const PvModuleWork *work)
{
    return work->module->kind == PV_MODULE_KERNEL || work->module->kind == PV_MODULE_KERNEL_MODULE;
}

/* Takes over the names that came with the recording; their locations are in no module's work. */
void pv_symbolizing_take_given (PvSymbolizing *s);

/* Groups the profile's locations by module and opens files: fills in the first part of works. */
void pv_symbolizing_group (PvSymbolizing *s);
void pv_symbolizing_clear (PvSymbolizing *s);

/* Hands out the table as it is now. */
void pv_symbolizing_publish (PvSymbolizing *s, bool is_complete);

/* Sorts a work's locations by the addresses that are looked up. Worker. */
void pv_module_work_prepare (PvModuleWork *work, const PvProfile *profile);

/* Names from symbol tables, in the workers; then into the builder. */
void pv_symbolizing_find_names (PvSymbolizing *s);

/* Functions, inlined frames and lines from DWARF; publishes in between. */
void pv_symbolizing_find_lines (PvSymbolizing *s);

/* Notes on missing names and how to get them. */
void pv_symbolizing_add_notes (PvSymbolizing *s);

/* Gives the frames of addresses to all of their locations. addrs has the place of each in the
 * work's addrs; NULL: the same. */
void pv_symbolizing_set_frames (PvSymbolizing *s, const PvModuleWork *work,
                                const PvNamedChains *named, const uint32_t *addrs);
