/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/job.h"
#include "core/model/profile/profile.h"
#include "core/model/profile/symbols.h"
#include "core/symbolize/files/frame-chain.h"
#include "core/symbolize/machine/code-files.h"
#include "core/symbolize/machine/kernel-code.h"
#include "core/symbolize/names/elf-symbols.h"
#include "core/symbolize/names/link-addresses.h"

/*
 * Where the code of a function lies: the symbols of the module's file that hold the addresses at
 * which the profile has the function. There are several where the compiler put cold parts
 * elsewhere, or where the function is inlined into others: then theirs is the code that runs.
 */
typedef struct {
    uint64_t start; /* link addresses */
    uint64_t end;
    char *name;  /* demangled; of a range without a name "module+0x1234" */
    bool is_cut; /* it is larger than what is read */
} PvCodePlace;

typedef struct {
    PvModuleId module;
    PvNameSource name_source; /* of its symbols */
    PvCodeFiles *files;       /* a reference */
    const PvModuleFile *file; /* borrowed, or own; has a binary */
    PvModuleFile own;         /* of code that is in no ELF file: one made of the places' bytes */
    const PvModule *named;    /* whose named ranges have names and lines, borrowed; or NULL */
    PvKernelCode *kernel;     /* where the kernel's bytes are from, if not from a file; or NULL */
    PvLinkAddresses addresses;
    uint32_t n_places;   /* at least 1 */
    PvCodePlace *places; /* by address */
    /* By location: the place that holds its address, plus 1; 0: none of these. */
    uint32_t *place_of_location;
    /* By location, for those with a place: the link address to look up, before a return address. */
    uint64_t *addr_of_location;
    bool *is_function_there; /* by function: it runs in one of the places */
} PvCodePlaces;

/* Reads no more than this of a place. */
#define PV_CODE_MAX_BYTES (UINT64_C (16) << 20)

/* recorded: in a comparison, of which of its recorded modules (PvCompared.recorded) the code is
 * wanted; 0: of any. NULL with a PV_READ_ERROR (NOT_FOUND: with why there is no file with the code;
 * UNSUPPORTED: code that is in no file) or PV_JOB_ERROR. profile must outlive the result. Reads
 * files: for a worker thread. */
PvCodePlaces *pv_code_places_find (const PvProfile *profile, const PvSymbolTable *symbols,
                                   PvFunctionId function, uint32_t recorded, PvCodeFiles *files,
                                   PvJob *job, GError **error);
void pv_code_places_free (PvCodePlaces *places);

/* Finds the symbols at sorted and unique link addresses, near the places or far away. */
void pv_code_places_find_symbols (const PvCodePlaces *places, const uint64_t *link_addrs, size_t n,
                                  PvSymbolHit *hits, PvArena *arena);
/* Finds the lines that the recording itself has at sorted link addresses: fills in chains, false if
 * it has no lines. Strings are in the profile. */
bool pv_code_places_find_lines (const PvCodePlaces *places, const uint64_t *link_addrs, size_t n,
                                PvFrameChain *chains, PvArena *arena);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCodePlaces, pv_code_places_free)
