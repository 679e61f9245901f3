/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bits of union perf_mem_data_src (include/uapi/linux/perf_event.h), whose value is the same in
 * both byte orders:
 *
 *    0-4  operation    5-18 level, hit or miss    19-23 snoop    24-25 locked    26-32 TLB
 *   33-36 level as a number    37 remote    38-39 snoop, more    40-42 blocked    43-45 hops
 *
 * Each part has a bit that says it is not available. Newer processors tell the level as a number;
 * where there is one it counts, and the older bits say only whether that was a hit.
 */
#include "core/model/fields/memory-access.h"

enum { HIT = 2, MISS = 4 };

/* The names of a part's bits, lowest first; NULL: says nothing. */
static const char *const operations[] = {NULL, "load", "store", "prefetch", "exec"};
static const char *const levels[] = {
    NULL,
    NULL, /* hit */
    NULL, /* miss */
    "L1",
    "LFB/MAB",
    "L2",
    "L3",
    "Local RAM",
    "Remote RAM (1 hop)",
    "Remote RAM (2 hops)",
    "Remote Cache (1 hop)",
    "Remote Cache (2 hops)",
    "I/O",
    "Uncached",
};
static const char *const snoops[] = {NULL, "None", "Hit", "Miss", "HitM", "Fwd", "Peer"};
static const char *const locks[] = {NULL, "Yes"};
static const char *const tlbs[] = {NULL, NULL, NULL, "L1", "L2", "Walker", "Fault"};
static const char *const blocks[] = {NULL, "Data", "Addr"};

static const char *const level_numbers[] = {
    NULL,   "L1",       "L2",  "L3",  "L4",        "L2 MHB",  "Memory-side Cache",
    "L0",   "Uncached", "CXL", "I/O", "Any cache", "LFB/MAB", "RAM",
    "PMEM", NULL,
};
static const char *const hops[] = {NULL, "core, same node", "node, same socket",
                                   "socket, same board", "board"};

const char *
pv_access_get_key (PvAccessPart part)
{
    static const char *const keys[] = {"access", "memory", "snoop", "tlb", "locked", "blocked"};
    G_STATIC_ASSERT (G_N_ELEMENTS (keys) == PV_N_ACCESS_PARTS);
    g_assert (part < PV_N_ACCESS_PARTS);
    return keys[part];
}

static uint64_t
bits (uint64_t source, unsigned first, unsigned n)
{
    return source >> first & ((UINT64_C (1) << n) - 1);
}

/* The names of all bits that are set, with " or " between them. */
static void
append_names (char *text, uint64_t set, const char *const *names, unsigned n_names)
{
    for (unsigned i = 0; i < n_names; i++) {
        if ((set >> i & 1) == 0 || names[i] == NULL)
            continue;
        if (text[0] != '\0')
            g_strlcat (text, " or ", PV_MAX_ACCESS_TEXT);
        g_strlcat (text, names[i], PV_MAX_ACCESS_TEXT);
    }
}

/* " hit", " miss", or nothing. */
static void
append_outcome (char *text, uint64_t set)
{
    if ((set & HIT) != 0)
        g_strlcat (text, text[0] != '\0' ? " hit" : "hit", PV_MAX_ACCESS_TEXT);
    if ((set & MISS) != 0)
        g_strlcat (text, text[0] != '\0' ? " miss" : "miss", PV_MAX_ACCESS_TEXT);
}

static void
append_level (char *text, uint64_t source)
{
    uint64_t set = bits (source, 5, 14);
    const char *number = level_numbers[bits (source, 33, 4)];
    if (number != NULL) {
        uint64_t hop = bits (source, 43, 3);
        if (bits (source, 37, 1) != 0)
            g_strlcat (text, "Remote ", PV_MAX_ACCESS_TEXT);
        if (hop < G_N_ELEMENTS (hops) && hops[hop] != NULL) {
            g_strlcat (text, hops[hop], PV_MAX_ACCESS_TEXT);
            g_strlcat (text, " ", PV_MAX_ACCESS_TEXT);
        }
        g_strlcat (text, number, PV_MAX_ACCESS_TEXT);
    } else {
        append_names (text, set, levels, G_N_ELEMENTS (levels));
    }
    append_outcome (text, set);
}

bool
pv_access_get_text (uint64_t source, PvAccessPart part, char ret_text[PV_MAX_ACCESS_TEXT])
{
    ret_text[0] = '\0';
    switch (part) {
    case PV_ACCESS_OPERATION:
        append_names (ret_text, bits (source, 0, 5), operations, G_N_ELEMENTS (operations));
        break;
    case PV_ACCESS_MEMORY:
        append_level (ret_text, source);
        break;
    case PV_ACCESS_SNOOP:
        append_names (ret_text, bits (source, 19, 5) | bits (source, 38, 2) << 5, snoops,
                      G_N_ELEMENTS (snoops));
        break;
    case PV_ACCESS_TLB:
        append_names (ret_text, bits (source, 26, 7), tlbs, G_N_ELEMENTS (tlbs));
        append_outcome (ret_text, bits (source, 26, 7));
        break;
    case PV_ACCESS_LOCKED:
        append_names (ret_text, bits (source, 24, 2), locks, G_N_ELEMENTS (locks));
        break;
    case PV_ACCESS_BLOCKED:
        append_names (ret_text, bits (source, 40, 3), blocks, G_N_ELEMENTS (blocks));
        break;
    case PV_N_ACCESS_PARTS:
    default:
        g_assert_not_reached ();
    }
    return ret_text[0] != '\0';
}

static uint64_t
range (unsigned first, unsigned last)
{
    return ((UINT64_C (2) << (last - first)) - 1) << first;
}

bool
pv_access_is_reported (uint64_t source)
{
    /* All but the bits that say that a part is not available. */
    uint64_t told = range (1, 4) | range (6, 18) | range (20, 23) | range (25, 25) |
                    range (27, 32) | range (38, 39) | range (41, 42);
    return (source & told) != 0 || level_numbers[bits (source, 33, 4)] != NULL;
}
