/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/read/firefox/firefox-file.h"

/*
 * Modules and locations of all threads. A chain is a frame and those that it is inlined into, up to
 * the outermost one at its address; chains that are used become locations.
 */
typedef struct {
    uint32_t outer; /* chain that this frame is inlined into; 0: it is the outermost */
    PvModuleId module;
    uint64_t address; /* where the module's locations have one */
    PvStringId name, file;
    uint32_t line, start_line;
    uint32_t kind;    /* PvLocationKind */
    uint32_t is_bare; /* only an address, for the symbolizer to name */
} FirefoxFrame;

/* A string of the file as the builder has it; NULL: not requested yet. */
typedef struct {
    const char *text;
    const char *path; /* shortened */
} FirefoxGiven;

typedef struct {
    FirefoxFile *file;
    PvHashMap modules;
    PV_ARRAY (FirefoxGiven) given_of_string;
    PvHashMap chain_of_frame;
    PV_ARRAY (FirefoxFrame) frames;      /* of each chain; 0: no chain */
    PV_ARRAY (PvLocationId) location_of; /* chain; 0: not made yet */
    PV_ARRAY (PvGivenFrame) given;
    uint64_t ordinal;
    uint64_t n_steps;
    bool is_full; /* the budget is spent */
} FirefoxPlaces;

void firefox_places_init (FirefoxPlaces *places, FirefoxFile *file);
void firefox_places_clear (FirefoxPlaces *places);

PvModuleId firefox_get_library (FirefoxPlaces *places, const FirefoxLibrary *library);
/* Code without a library, of a page or of Firefox; name may be "". */
PvModuleId firefox_get_other_module (FirefoxPlaces *places, const char *name, bool is_js);

/* The chain of a frame, which must have no padding that is not zero. */
uint32_t firefox_get_chain (FirefoxPlaces *places, const FirefoxFrame *frame);
PvLocationId firefox_get_location (FirefoxPlaces *places, uint32_t chain);

/* Counts a step; false if the job was cancelled or memory is used up. */
bool firefox_go_on (FirefoxPlaces *places);
