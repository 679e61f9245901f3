/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/elf-sizes/size-claims.h"

#include <glib.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/base/array.h"

/* Claims that have begun, the best one first: a binary heap. Those that have ended stay in it until
 * they come first. */
typedef PV_ARRAY (const SizeClaim *) Begun;

static bool
is_better (const SizeClaim *a, const SizeClaim *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->owner < b->owner;
}

static void
push (Begun *begun, const SizeClaim *claim)
{
    pv_array_push (begun, claim);
    size_t i = begun->len - 1;
    while (i > 0 && is_better (claim, begun->data[(i - 1) / 2])) {
        begun->data[i] = begun->data[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    begun->data[i] = claim;
}

static void
pop (Begun *begun)
{
    const SizeClaim *last = begun->data[--begun->len];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= begun->len)
            break;
        if (child + 1 < begun->len && is_better (begun->data[child + 1], begun->data[child]))
            child++;
        if (!is_better (begun->data[child], last))
            break;
        begun->data[i] = begun->data[child];
        i = child;
    }
    if (begun->len > 0)
        begun->data[i] = last;
}

static int
compare_starts (const void *a, const void *b)
{
    const SizeClaim *x = a, *y = b;
    return pv_order (x->start, y->start);
}

/* Sorts claims by their starts, in which order symbols come. */
static void
sort_claims (SizeClaim *claims, size_t n)
{
    size_t i = 1;
    while (i < n && claims[i - 1].start <= claims[i].start)
        i++;
    if (i < n)
        qsort (claims, n, sizeof *claims, compare_starts);
}

void
size_claims_resolve (SizeClaim *claims, size_t n, SizePieceFunc take, void *user)
{
    g_assert (take != NULL && (claims != NULL || n == 0));
    Begun begun = {0};
    uint64_t at = 0, run_start = 0;
    uint32_t run_owner = 0;
    sort_claims (claims, n);
    for (size_t i = 0; i < n || begun.len > 0;) {
        while (begun.len > 0 && begun.data[0]->end <= at)
            pop (&begun);
        if (begun.len == 0) {
            if (run_start < at)
                take (user, run_start, at, run_owner);
            if (i == n)
                break;
            run_start = at = claims[i].start;
        }
        for (; i < n && claims[i].start <= at; i++)
            if (claims[i].end > at)
                push (&begun, &claims[i]);
        if (begun.len == 0)
            continue;
        const SizeClaim *owner = begun.data[0];
        if (owner->owner != run_owner && run_start < at) {
            take (user, run_start, at, run_owner);
            run_start = at;
        }
        run_owner = owner->owner;
        at = i < n ? MIN (owner->end, claims[i].start) : owner->end;
    }
    pv_array_clear (&begun);
}
