/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/join/slide.h"

#include <glib.h>

#include "core/base/search.h"

/* The smallest page: slides are multiples of it. */
#define PAGE_BYTES UINT64_C (4096)

enum {
    N_ANCHORS = 64,           /* addresses of which all slides that fit are looked at */
    N_SLIDES_OF_ANCHOR = 512, /* so many at most of each */
    N_CANDIDATES = 8,         /* slides that most anchors have, tried with all addresses */
};

/* A slide other than none must make two addresses meet, and half of those that can: by chance, two
 * of four do so in fewer than 1 of 10,000 cases. Of few addresses one may do: of 8 pairs of
 * addresses, one has the same place in its page by chance in 2 of 1,000 cases. Places that do not
 * move at all meet by chance in hardly any case, but two builds may have a part of their code at
 * the same place. */
enum { MIN_MEETING = 2, MAX_FEW_PAIRS = 8, MIN_PART_MOVED = 2, MIN_PART_UNMOVED = 4 };

typedef struct {
    uint64_t slide;
    size_t n; /* anchors that have it, then addresses that meet */
} Candidate;

typedef struct {
    Candidate best[N_CANDIDATES + 1]; /* most first; one place more, to be left */
    size_t n;
} Candidates;

/* By the place in the page first, as that stays. */
static int
compare_addresses (const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x % PAGE_BYTES != *y % PAGE_BYTES ? pv_order (*x % PAGE_BYTES, *y % PAGE_BYTES)
                                              : pv_order (*x, *y);
}

static int
compare_numbers (const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return pv_order (*x, *y);
}

void
pv_addresses_sort (PvAddresses *addresses)
{
    g_assert (addresses != NULL);
    size_t n = 0;
    pv_array_sort (addresses, compare_addresses);
    for (size_t i = 0; i < addresses->len; i++)
        if (n == 0 || addresses->data[n - 1] != addresses->data[i])
            addresses->data[n++] = addresses->data[i];
    addresses->len = n;
}

static size_t
find_from (const PvAddresses *addresses, uint64_t address)
{
    return pv_bisect ((size_t)0, addresses->len, i,
                      compare_addresses (&addresses->data[i], &address) < 0);
}

static size_t
count_meeting (const PvAddresses *known, const PvAddresses *moved, uint64_t slide)
{
    size_t n = 0;
    for (size_t i = 0; i < moved->len; i++) {
        const uint64_t address = moved->data[i] - slide;
        const size_t at = find_from (known, address);
        n += at < known->len && known->data[at] == address;
    }
    return n;
}

static void
add_candidate (Candidates *found, uint64_t slide, size_t n)
{
    size_t at = found->n;
    for (; at > 0 && found->best[at - 1].n < n; at--)
        found->best[at] = found->best[at - 1];
    found->best[at] = (Candidate){slide, n};
    found->n = MIN (found->n + 1, (size_t)N_CANDIDATES);
}

/* The slides that most of some addresses have. */
static void
find_candidates (const PvAddresses *known, const PvAddresses *moved, Candidates *found)
{
    PvAddresses slides = {0};
    const size_t step = MAX (moved->len / N_ANCHORS, 1);
    for (size_t i = 0; i < moved->len; i += step) {
        const uint64_t anchor = moved->data[i], place = anchor % PAGE_BYTES;
        const size_t first = find_from (known, place);
        for (size_t k = first; k < known->len && k - first < N_SLIDES_OF_ANCHOR &&
                               known->data[k] % PAGE_BYTES == place;
             k++)
            pv_array_push (&slides, anchor - known->data[k]);
    }
    pv_array_sort (&slides, compare_numbers);
    for (size_t i = 0, end; i < slides.len; i = end) {
        for (end = i + 1; end < slides.len && slides.data[end] == slides.data[i];)
            end++;
        if (slides.data[i] != 0)
            add_candidate (found, slides.data[i], end - i);
    }
    pv_array_clear (&slides);
}

bool
pv_slide_find (const PvAddresses *known, const PvAddresses *moved, PvSlideCare care,
               uint64_t *ret_slide)
{
    g_assert (known != NULL && moved != NULL && ret_slide != NULL);
    Candidates candidates = {.n = 0};
    Candidate best = {0, 0};
    size_t second = 0;
    const size_t n = MIN (known->len, moved->len);
    find_candidates (known, moved, &candidates);
    best.n = count_meeting (known, moved, 0);
    for (size_t i = 0; i < candidates.n; i++) {
        const uint64_t slide = candidates.best[i].slide;
        const size_t n_meeting = count_meeting (known, moved, slide);
        second = MAX (second, MIN (n_meeting, best.n));
        if (n_meeting > best.n)
            best = (Candidate){slide, n_meeting};
    }
    const bool are_few =
        care == PV_SLIDE_LIKELY && n > 0 && MAX (known->len, moved->len) <= MAX_FEW_PAIRS / n;
    /* The more addresses there are, the more meet by chance. */
    size_t n_least = MIN_MEETING;
    for (size_t larger = MAX (known->len, moved->len); larger > 16 * n; larger /= 16)
        n_least++;
    bool is_sure = best.n >= n_least && best.n * MIN_PART_MOVED >= n && second * 2 <= best.n;
    bool is_likely = are_few && best.n * MIN_PART_MOVED >= n && second < best.n;
    if (best.slide == 0)
        is_sure = best.n > 0 && best.n * MIN_PART_UNMOVED >= n;
    if (!is_sure && !is_likely)
        return false;
    *ret_slide = best.slide;
    return true;
}
