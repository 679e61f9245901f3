/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Assigns sorted addresses to ranges, each address once. Ranges claim addresses in order of
 * preference; however they overlap, the work is about one step per address and range:
 *
 *     for (i = pv_claims_first (&claims, start); pv_claims_holds (&claims, i, end);
 *          i = pv_claims_take (&claims, i))
 *         address i belongs to the range
 */
typedef struct {
    const uint64_t *addrs;
    size_t n;
    uint32_t *next; /* n + 1: itself, or a later one to try if this one is taken */
} PvClaims;

/* The first address not below value. */
static inline size_t
pv_addresses_find (const uint64_t *addrs, size_t n, uint64_t value)
{
    size_t low = 0;

    while (n > 0) {
        size_t half = n / 2;
        if (addrs[low + half] < value) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* n must be below UINT32_MAX. */
static inline void
pv_claims_init (PvClaims *claims, const uint64_t *addrs, size_t n)
{
    g_assert (n < UINT32_MAX);

    claims->addrs = addrs;
    claims->n = n;
    claims->next = g_new (uint32_t, n + 1);
    for (size_t i = 0; i <= n; i++)
        claims->next[i] = (uint32_t)i;
}

static inline void
pv_claims_clear (PvClaims *claims)
{
    g_free (claims->next);
}

/* The first untaken address from i on, or n. */
static inline size_t
pv_claims_skip_taken (PvClaims *claims, size_t i)
{
    uint32_t *next = claims->next;
    while (next[i] != i) {
        next[i] = next[next[i]];
        i = next[i];
    }
    return i;
}

static inline size_t
pv_claims_first (PvClaims *claims, uint64_t start)
{
    return pv_claims_skip_taken (claims, pv_addresses_find (claims->addrs, claims->n, start));
}

static inline bool
pv_claims_holds (const PvClaims *claims, size_t i, uint64_t end)
{
    return i < claims->n && claims->addrs[i] < end;
}

/* Takes address i; returns the next untaken one. */
static inline size_t
pv_claims_take (PvClaims *claims, size_t i)
{
    claims->next[i] = (uint32_t)i + 1;
    return pv_claims_skip_taken (claims, i + 1);
}
