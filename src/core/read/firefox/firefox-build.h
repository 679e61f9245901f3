/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/read/firefox/firefox-stacks.h"

/* Makes the builder's profile of what was taken. */

typedef enum {
    FIREFOX_SET_SAMPLES, /* by FirefoxWeightType */
    FIREFOX_SET_TIME,
    FIREFOX_SET_BYTES,
    FIREFOX_SET_ALLOCATIONS, /* native ones, and those of JavaScript */
    FIREFOX_SET_JS_ALLOCATIONS,
    FIREFOX_SET_MARKERS,
    FIREFOX_N_SETS
} FirefoxSetKind;

typedef struct {
    bool exists;
    uint32_t id;
    bool has_sides;       /* some weights are below zero */
    uint32_t cpu_column;  /* 0: none */
    uint32_t free_column; /* of allocations: freed bytes, then retained ones; 0: none */
} FirefoxSet;

/* How the time of a processor is given. */
typedef enum {
    FIREFOX_NO_CPU,
    FIREFOX_CPU_TIME,
    FIREFOX_CPU_CYCLES,
} FirefoxCpu;

typedef struct {
    FirefoxFile *file;
    FirefoxPlaces places;
    FirefoxSet sets[FIREFOX_N_SETS];
    bool has_negatives[FIREFOX_N_SETS];
    FirefoxCpu cpu;
    double ns_per_cpu_unit;
    double start_time; /* of the first profile */
    double base_ns;    /* the same in the profile's times */
    bool has_times;
    PvHashMap processes;

    /* State of the profile that is being built. */
    const FirefoxProfile *profile;
    PV_ARRAY (uint32_t) label_set_of_category;
    PvThreadId thread;
} FirefoxBuild;

void firefox_build (FirefoxFile *file);

/* --- for the parts of it --- */

/* Milliseconds of the file as the profile's time; 0: unknown. */
uint64_t firefox_to_time_ns (const FirefoxBuild *build, double ms);
uint32_t firefox_get_labels (FirefoxBuild *build, int32_t category);
/* Makes the set of samples, so that there is something to show even without any. */
void firefox_add_empty_set (FirefoxBuild *build);
void firefox_add_samples (FirefoxBuild *build, FirefoxStacks *stacks,
                          const FirefoxSamples *samples);
void firefox_add_allocations (FirefoxBuild *build, FirefoxStacks *stacks,
                              const FirefoxSamples *allocations, FirefoxSetKind kind);
/* The process with this id, given as text; pid 0: the one of threads without, in this profile.
 * Returns 0 if no process has it. */
PvProcessId firefox_find_process (FirefoxBuild *build, PvStringId pid, size_t profile);
void firefox_add_markers (FirefoxBuild *build, FirefoxStacks *stacks,
                          const FirefoxMarkers *markers);
/* Adds the counters of the profile with this index, which is the one that is being built, and whose
 * threads have been. */
void firefox_add_counters (FirefoxBuild *build, size_t profile);
