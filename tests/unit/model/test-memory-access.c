/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory accesses as reported by processors, in words. */
#include <string.h>

#include "../cases.h"
#include "core/model/fields/memory-access.h"

/* "access=load, memory=L1 hit". */
static char *
text_of (uint64_t source)
{
    GString *text = g_string_new (NULL);
    for (unsigned part = 0; part < PV_N_ACCESS_PARTS; part++) {
        char value[PV_MAX_ACCESS_TEXT];
        if (pv_access_get_text (source, part, value))
            g_string_append_printf (text, "%s%s=%s", text->len > 0 ? ", " : "",
                                    pv_access_get_key (part), value);
        else
            g_assert_cmpstr (value, ==, "");
    }
    return g_string_free (text, FALSE);
}

#define NUMBER(level)    ((uint64_t)(level) << 33)
#define LEVEL(level)     ((uint64_t)(level) << 5)
#define SNOOP(bit)       ((uint64_t)1 << (19 + (bit)))
#define SNOOP_MORE(bits) ((uint64_t)(bits) << 38)
#define TLB(bits)        ((uint64_t)(bits) << 26)
#define HOPS(hops)       ((uint64_t)(hops) << 43)
#define REMOTE           ((uint64_t)1 << 37)

TEST (words)
{
    static const struct {
        uint64_t source;
        const char *expected;
    } cases[] = {
        {0, ""},
        {0x5080021, ""}, /* what the kernel writes where nothing is known */
        {0x1e05080021, ""},
        {0x10650100842, "access=load, memory=L3 hit, snoop=None, tlb=L2 miss"},
        {0x68100142, "access=load, memory=L1 hit, snoop=None, tlb=L1 or L2 hit"},
        {0x68100142 | (uint64_t)2 << 24, "access=load, memory=L1 hit, snoop=None, "
                                         "tlb=L1 or L2 hit, locked=Yes"},
        {4 | LEVEL (2 | 8), "access=store, memory=L1 hit"},
        {4 | LEVEL (4 | 8), "access=store, memory=L1 miss"},
        {2 | 4 | 8 | 16, "access=load or store or prefetch or exec"},
        {2 | LEVEL (2 | 0x10), "access=load, memory=LFB/MAB hit"},
        {2 | LEVEL (2 | 0x80 | 0x100), "access=load, memory=Local RAM or Remote RAM (1 hop) hit"},
        {LEVEL (4), "memory=miss"},
        {LEVEL (0x1000), "memory=I/O"},
        {LEVEL (2) | NUMBER (0xd), "memory=RAM hit"},
        {LEVEL (2) | NUMBER (0xd) | REMOTE, "memory=Remote RAM hit"},
        {LEVEL (2) | NUMBER (0xb) | REMOTE | HOPS (1),
         "memory=Remote core, same node Any cache hit"},
        {LEVEL (2) | NUMBER (3) | REMOTE | HOPS (7), "memory=Remote L3 hit"},
        {REMOTE, ""},
        {NUMBER (0xf), ""},
        {SNOOP (0), ""},
        {SNOOP (2), "snoop=Hit"},
        {SNOOP (3), "snoop=Miss"},
        {SNOOP (4), "snoop=HitM"},
        {SNOOP (0) | SNOOP_MORE (1), "snoop=Fwd"},
        {SNOOP (2) | SNOOP_MORE (2), "snoop=Hit or Peer"},
        {TLB (1), ""},
        {TLB (2), "tlb=hit"},
        {TLB (2 | 0x20), "tlb=Walker hit"},
        {TLB (4 | 0x40), "tlb=Fault miss"},
        {(uint64_t)3 << 41, "blocked=Data or Addr"},
        {(uint64_t)1 << 40, ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        assert_string (text_of (cases[i].source), cases[i].expected);
}

/* No bits make a text too long, and what is told is what has a text. */
TEST (all_bits)
{
    for (unsigned number = 0; number < 16; number++) {
        g_autofree char *text = text_of ((UINT64_MAX & ~NUMBER (0xf)) | NUMBER (number));
        g_assert_null (strstr (text, "(null)"));
        g_assert_nonnull (strstr (text, " hit miss"));
    }
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t source = (uint64_t)g_test_rand_int () << 32 | (uint32_t)g_test_rand_int ();
        /* Few bits, so that there are some with no text. */
        if (i % 2 == 0)
            source = UINT64_C (1) << (source & 63) | UINT64_C (1) << (source >> 8 & 63);
        g_autofree char *text = text_of (source);
        g_assert_true (pv_access_is_reported (source) == (*text != '\0'));
    }
}
