/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/name-source.h"
#include "core/elf/elf-image.h"

/*
 * Where a program's code comes from, as its debug information tells: the source file of each
 * compile unit, and for each byte of a function the calls that were inlined there. Immutable once
 * made; any thread.
 */
typedef struct {
    const char *name; /* mangled where the compiler gives that, else qualified; NULL: unknown */
    const char *file; /* of the declaration; NULL: unknown */
    uint32_t line;    /* of the declaration; 0: unknown */
    uint32_t parent;  /* the scope that it is inlined into; 0: none, a function */
    PvNameSource source;
} PvCodeScope;

/* Link addresses. */
typedef struct {
    uint64_t start, end;
    uint32_t row; /* a scope, or a unit */
} PvCodeSpan;

typedef struct {
    PvElfImage *debug; /* the file that was read; NULL: no debug information was found */
    uint32_t n_scopes; /* row 0: none; parents come first */
    PvCodeScope *scopes;
    size_t n_spans; /* of the innermost scopes; sorted, disjoint, not empty */
    PvCodeSpan *spans;
    uint32_t n_units;
    const char **file_of_unit; /* the source file, absolute if the folder is known; NULL: unknown */
    size_t n_unit_spans;       /* sorted, disjoint */
    PvCodeSpan *unit_spans;
    const char *problem; /* a translated sentence, or NULL */
    bool is_cut;         /* there was more than the limit allows */

    PvArena **arenas; /* of the strings */
    unsigned n_arenas;
} PvCodeMap;

void pv_code_map_free (PvCodeMap *map);

/* The first of n spans that ends after the address; n: not found. */
size_t pv_code_spans_find (const PvCodeSpan *spans, size_t n, uint64_t link_addr);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvCodeMap, pv_code_map_free)
