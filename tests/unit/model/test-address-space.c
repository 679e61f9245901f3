/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/model/profile/address-space.h"

/* Against a page table: one entry for each of 256 addresses. */
TEST (random)
{
    g_autoptr (PvAddressSpace) space = pv_address_space_new ();
    PvMapping pages[256] = {0};
    uint32_t generation = pv_address_space_get_generation (space);
    for (uint32_t round = 1; round < 3000; round++) {
        uint64_t a = (uint64_t)g_test_rand_int_range (0, 256);
        uint64_t b = (uint64_t)g_test_rand_int_range (0, 257);
        PvMapping mapping = {a, b, round * 1000, round};
        pv_address_space_add (space, &mapping);
        for (uint64_t i = a; i < b; i++)
            pages[i] = (PvMapping){i, i + 1, round * 1000 + (i - a), round};
        if (a < b) {
            g_assert_cmpuint (pv_address_space_get_generation (space), !=, generation);
            generation = pv_address_space_get_generation (space);
        }
        for (uint64_t i = 0; i < 256; i++) {
            const PvMapping *found = pv_address_space_find (space, i);
            if (pages[i].module == 0) {
                g_assert_null (found);
                continue;
            }
            g_assert_nonnull (found);
            g_assert_cmpuint (found->module, ==, pages[i].module);
            g_assert_cmpuint (i - found->start + found->file_offset, ==, pages[i].file_offset);
        }
    }
}

static void
assert_same_pages (const PvAddressSpace *space, const PvModuleId *pages, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const PvMapping *found = pv_address_space_find (space, i);
        g_assert_cmpuint (found != NULL ? found->module : 0, ==, pages[i]);
        g_assert_true (found == NULL || (found->start <= i && i < found->end));
    }
}

/* Thousands of mappings, downwards and then anywhere, mostly small ones and some that cover many.
 */
TEST (many)
{
    enum { N_PAGES = 20000 };
    g_autoptr (PvAddressSpace) space = pv_address_space_new ();
    g_autofree PvModuleId *pages = g_new0 (PvModuleId, N_PAGES);
    for (uint32_t i = N_PAGES - 2; i > 0; i -= 2) {
        PvMapping mapping = {i, i + 1, 0, i};
        pv_address_space_add (space, &mapping);
        pages[i] = i;
    }
    assert_same_pages (space, pages, N_PAGES);
    for (uint32_t round = 1; round < 20000; round++) {
        uint32_t longest = round % 500 == 0 ? N_PAGES / 2 : 6;
        uint32_t start = (uint32_t)g_test_rand_int_range (0, N_PAGES);
        uint32_t end = start + (uint32_t)g_test_rand_int_range (0, (int32_t)longest);
        end = MIN (end, N_PAGES);
        PvMapping mapping = {start, end, 0, round};
        pv_address_space_add (space, &mapping);
        for (uint32_t i = start; i < end; i++)
            pages[i] = round;
        if (round % 250 == 0)
            assert_same_pages (space, pages, N_PAGES);
    }
    g_autoptr (PvAddressSpace) copy = pv_address_space_copy (space);
    PvMapping all = {0, UINT64_MAX, 0, 1};
    pv_address_space_add (space, &all);
    g_assert_cmpuint (pv_address_space_find (space, 5)->end, ==, UINT64_MAX);
    assert_same_pages (copy, pages, N_PAGES);
}

TEST (copy)
{
    PvAddressSpace *space = pv_address_space_new ();
    PvMapping mapping = {10, 20, 0, 1};
    pv_address_space_add (space, &mapping);
    g_autoptr (PvAddressSpace) copy = pv_address_space_copy (space);
    g_assert_cmpuint (pv_address_space_get_generation (copy), !=,
                      pv_address_space_get_generation (space));
    pv_address_space_free (space);
    g_assert_nonnull (pv_address_space_find (copy, 15));
    g_assert_null (pv_address_space_find (copy, 20));
    PvMapping to_the_end = {UINT64_MAX - 5, UINT64_MAX, 0, 2};
    pv_address_space_add (copy, &to_the_end);
    g_assert_nonnull (pv_address_space_find (copy, UINT64_MAX - 1));
}

TEST (signature)
{
    const uint64_t signature = UINT64_C (0x5a) << 56, in_52_bits = UINT64_C (1) << 50;
    g_autoptr (PvAddressSpace) space = pv_address_space_new ();
    PvMapping low = {0x1000, 0x2000, 0, 1}, high = {in_52_bits, in_52_bits + 0x1000, 0, 1};
    pv_address_space_add (space, &low);
    pv_address_space_add (space, &high);
    g_assert_cmphex (pv_address_space_strip_signature (space, 0x1234), ==, 0x1234);
    g_assert_cmphex (pv_address_space_strip_signature (space, 0x1234 | signature), ==, 0x1234);
    g_assert_cmphex (pv_address_space_strip_signature (space, in_52_bits + 8), ==, in_52_bits + 8);
    g_assert_cmphex (pv_address_space_strip_signature (space, (in_52_bits + 8) | signature), ==,
                     in_52_bits + 8);
    g_assert_cmphex (pv_address_space_strip_signature (space, 0x9999 | signature), ==, 0x9999);
}
