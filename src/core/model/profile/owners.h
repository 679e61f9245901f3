/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/symbols.h"

/*
 * Whose code a function is: that of one of the few modules, or packages, that have most of a
 * profile, or of a group that all the others are in. The few have numbers, so that pictures can
 * tell them apart. Numbers depend on the whole profile alone, not on any question: they are the
 * same in every view. Immutable; any thread.
 */
enum { PV_N_OWNERS = 8 }; /* modules or packages with a number, from 0 on */

typedef enum {
    PV_OWNER_OTHER = PV_N_OWNERS, /* a module or package without a number */
    PV_OWNER_SYSTEM,              /* the same, of the distribution's libraries */
    PV_OWNER_KERNEL,
    PV_OWNER_UNKNOWN,
    PV_OWNER_SECTIONS, /* of a program; one for each PvSectionKind but none */
    PV_OWNER_END = PV_OWNER_SECTIONS + PV_N_SECTION_KINDS - 1,
} PvOwner;

typedef enum {
    PV_OWNED_BY_MODULE,  /* or, without one, by package */
    PV_OWNED_BY_PACKAGE, /* or, without one, by module */
    PV_N_OWNED_BY,
} PvOwnedBy;

typedef struct PvOwners {
    uint32_t n_functions;
    const uint8_t *owner_of_function[PV_N_OWNED_BY]; /* a number or a PvOwner */
    /* NULL: no module or package has the number. "": functions without module and package. */
    const char *names[PV_N_OWNED_BY][PV_N_OWNERS];
    /* One module has nearly all that was counted outside of the kernel, and packages in it: they
     * tell more than modules do. */
    bool is_of_packages;
} PvOwners;

/* The owners of the table's functions, made at the first call: one pass over samples, stacks and
 * functions, which is work for a worker. They live as long as the table, which is one of the
 * profile's. */
const PvOwners *pv_symbol_table_get_owners (const PvSymbolTable *symbols, const PvProfile *profile);
