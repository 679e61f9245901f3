/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/model/profile/address-space.h"
#include "core/read/sysprof/sysprof-symbols.h"

/*
 * Processes, what they had mapped, and the locations of addresses in them. A capture is not in
 * order, and what a program had mapped may be there with a later time than its samples: so all
 * mappings are known first, and those up to a sample's time come before the others.
 */
typedef struct {
    int32_t pid;
    int32_t parent; /* -1: unknown; it may be the parent of a thread, which has the same */
    uint64_t start_ns, end_ns; /* UINT64_MAX: did not end */
    char *name;                /* NULL: unknown */
    PvAddressSpace *now;       /* mappings up to now; NULL: no mappings */
    PvModuleId main_module;    /* 0: none yet */
    PvProcessId row;           /* 0: not used so far */
} SysprofProcess;

typedef struct {
    PvProfileBuilder *builder;
    SysprofSymbols *symbols;
    PV_ARRAY (SysprofProcess) processes;
    PvIdMap process_of_pid; /* the latest one: row + 1 */
    PvIdMap space_of_pid;   /* its mappings at any time: row of spaces + 1 */
    PV_ARRAY (PvAddressSpace *) spaces;
    uint64_t n_mappings;
    PvIdMap threads; /* by process row and thread id */
    PvHashMap modules;
    PvHashMap known; /* address, where it was and how: location */
    PvHashMap named; /* name and place: location */
    PvModuleId jit_module;
    uint64_t n_jit;
    PV_ARRAY (PvLocationId) chain;
} SysprofPlaces;

void sysprof_places_init (SysprofPlaces *places, PvProfileBuilder *builder,
                          SysprofSymbols *symbols);
void sysprof_places_clear (SysprofPlaces *places);
uint64_t sysprof_places_count_bytes (const SysprofPlaces *places);

/* First, for all mappings in the order of time. */
void sysprof_places_expect_map (SysprofPlaces *places, int32_t pid, const SysprofMap *map);

/* Then what happened, in the order of time. */
void sysprof_places_add_map (SysprofPlaces *places, int32_t pid, const SysprofMap *map);
void sysprof_places_name_process (SysprofPlaces *places, int32_t pid, PvText command);
void sysprof_places_fork (SysprofPlaces *places, int32_t parent, int32_t child, uint64_t time_ns);
void sysprof_places_exit (SysprofPlaces *places, int32_t pid, uint64_t time_ns);

/* 0 for pid -1. */
PvProcessId sysprof_places_get_process (SysprofPlaces *places, int32_t pid);
/* 0 for pid -1. tid 0 is the first thread, which old versions do not tell. */
PvThreadId sysprof_places_get_thread (SysprofPlaces *places, int32_t pid, int32_t tid);

/* 0: no addresses. is_return: even the first address is a return address. */
PvStackId sysprof_places_get_stack (SysprofPlaces *places, int32_t pid, const SysprofStack *stack,
                                    bool is_return);

/* Names the processes that the capture does not. */
void sysprof_places_finish (SysprofPlaces *places);
