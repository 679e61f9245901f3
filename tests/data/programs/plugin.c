/* The part of `loader` that comes and goes: loaded, used and closed again and again. */
#include <stdint.h>

uint64_t plugin_run (uint64_t n);

__attribute__ ((noinline)) static uint64_t
plugin_inner (uint64_t n)
{
    for (int i = 0; i < 500000; i++)
        n = n * 2862933555777941757u + 3037000493u;
    return n;
}

uint64_t
plugin_run (uint64_t n)
{
    return plugin_inner (n) ^ 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
