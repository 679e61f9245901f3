/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A 128-bit hash value, wide enough to treat contents with equal hashes as equal. */
typedef struct {
    uint64_t a, b;
} PvHash;

/* Mixes the bits of one word (the finaliser of splitmix64). */
static inline uint64_t
pv_hash_mix (uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The 128-bit product of two words folded to 64 bits. */
static inline uint64_t
pv_hash_fold (uint64_t x, uint64_t y)
{
    unsigned __int128 product = (unsigned __int128)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Hash of any bytes; seeds keep different kinds of content apart. Not collision-resistant: all that
 * a crafted collision can do is merge two stacks of the crafted file. */
PvHash pv_hash_bytes (const void *data, size_t size, uint64_t seed);
