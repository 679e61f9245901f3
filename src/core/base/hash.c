/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/hash.h"

/*
 * Two lanes of multiply-and-fold over 16 bytes per step, each with its own constants (digits of
 * the golden ratio and of pi), mixed once more at the end.
 */
static uint64_t
load64 (const uint8_t *p)
{
    uint64_t value;
    memcpy (&value, p, sizeof value);
    return value;
}

PvHash
pv_hash_bytes (const void *data, size_t size, uint64_t seed)
{
    const uint8_t *p = data;
    uint64_t a = seed ^ 0x9e3779b97f4a7c15u;
    uint64_t b = (seed + size) ^ 0x243f6a8885a308d3u;
    size_t left = size;
    for (; left >= 16; p += 16, left -= 16) {
        uint64_t x = load64 (p), y = load64 (p + 8);
        a = pv_hash_fold (a ^ x, y ^ 0x13198a2e03707345u);
        b = pv_hash_fold (b ^ y, x ^ 0xa4093822299f31d1u) + a;
    }
    uint64_t tail[2] = {0, 0};
    if (left > 0)
        memcpy (tail, p, left);
    a = pv_hash_fold (a ^ tail[0], tail[1] ^ 0x082efa98ec4e6c89u);
    b = pv_hash_fold (b ^ tail[1], tail[0] ^ 0x452821e638d01377u) + a;
    return (PvHash){pv_hash_mix (a + size), pv_hash_mix (b ^ a)};
}
