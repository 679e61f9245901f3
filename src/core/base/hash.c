/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/hash.h"

#include <glib.h>

/*
 * Two lanes of multiply-and-fold over 16 bytes per step, each with its own constants (digits of
 * the golden ratio and of pi), mixed once more at the end.
 */
static uint64_t
load64 (const uint8_t *p)
{
    uint64_t value;
    memcpy (&value, p, sizeof value);
    return GUINT64_FROM_LE (value);
}

static uint64_t
load32 (const uint8_t *p)
{
    uint32_t value;
    memcpy (&value, p, sizeof value);
    return GUINT32_FROM_LE (value);
}

/* The last bytes of the data, up to 8, followed by zeros: loaded in whole words that may overlap,
 * or begin before them, as copies of a few bytes are slow to read back. */
static uint64_t
load_last (const uint8_t *p, size_t n, size_t size)
{
    if (n == 0)
        return 0;
    if (size >= 8)
        return load64 (p + n - 8) >> (8 * (8 - n));
    if (n >= 4)
        return load32 (p) | load32 (p + n - 4) << (8 * (n - 4));
    return p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
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
    uint64_t x = left >= 8 ? load64 (p) : load_last (p, left, size);
    uint64_t y = left >= 8 ? load_last (p + 8, left - 8, size) : 0;
    a = pv_hash_fold (a ^ x, y ^ 0x082efa98ec4e6c89u);
    b = pv_hash_fold (b ^ y, x ^ 0x452821e638d01377u) + a;
    return (PvHash){pv_hash_mix (a + size), pv_hash_mix (b ^ a)};
}
