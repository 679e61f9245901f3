/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Who owns which bytes. Claims may overlap; of those on a byte the one with the lowest rank owns
 * it, and of equal ranks the one with the lower owner.
 */
typedef struct {
    uint64_t start, end;
    uint64_t rank;
    uint32_t owner;
} SizeClaim;

/* A run of bytes of one owner. */
typedef void (*SizePieceFunc) (void *user, uint64_t start, uint64_t end, uint32_t owner);

/* Calls take with each run in order; bytes that nobody claims are left out. Sorts the claims. At
 * most twice as many runs as there are claims, in n log n steps. */
void size_claims_resolve (SizeClaim *claims, size_t n, SizePieceFunc take, void *user);
