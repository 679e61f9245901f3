/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/build/losses.h"

#include <stdlib.h>

enum { KEPT = PV_MAX_LOSSES / 4 * 3 };

typedef struct {
    uint64_t gap_ns; /* between a loss and the next one */
    size_t first;
} Gap;

static int
compare_losses (const void *a, const void *b)
{
    const PvLoss *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static int
compare_gaps (const void *a, const void *b)
{
    const Gap *x = a, *y = b;
    if (x->gap_ns != y->gap_ns)
        return x->gap_ns < y->gap_ns ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Joins neighbours, the nearest first, and none with two others, until a quarter of them is gone:
 * so what happens regularly does not become one. */
static void
join (PvLossList *list)
{
    size_t n = list->len, n_kept = 0, n_joins = 0;
    PvLoss *losses = list->data;
    g_autofree Gap *gaps = g_new (Gap, n);
    g_autofree bool *is_joined = g_new0 (bool, n);
    g_autofree bool *goes = g_new0 (bool, n);
    qsort (losses, n, sizeof *losses, compare_losses);
    for (size_t i = 0; i + 1 < n; i++)
        gaps[i] = (Gap){losses[i + 1].time_ns - losses[i].time_ns, i};
    qsort (gaps, n - 1, sizeof *gaps, compare_gaps);
    for (size_t g = 0; g + 1 < n && n - n_joins > KEPT; g++) {
        size_t first = gaps[g].first;
        if (is_joined[first] || is_joined[first + 1])
            continue;
        is_joined[first] = is_joined[first + 1] = goes[first + 1] = true;
        losses[first].n_lost += losses[first + 1].n_lost;
        n_joins++;
    }
    for (size_t i = 0; i < n; i++)
        if (!goes[i])
            losses[n_kept++] = losses[i];
    list->len = n_kept;
}

void
pv_loss_list_add (PvLossList *list, uint64_t time_ns, uint64_t n_lost)
{
    g_assert (list != NULL);
    PvLoss *last = list->len > 0 ? &list->data[list->len - 1] : NULL;
    if (n_lost == 0)
        return;
    if (last != NULL && last->time_ns == time_ns) {
        last->n_lost += n_lost;
        return;
    }
    if (list->len == PV_MAX_LOSSES)
        join (list);
    PvLoss loss = {time_ns, n_lost};
    pv_array_push (list, loss);
}

uint32_t
pv_losses_fit (PvLoss *losses, uint32_t n_losses, uint64_t start_ns, uint64_t end_ns)
{
    g_assert ((losses != NULL || n_losses == 0) && start_ns < end_ns);
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_losses; i++)
        losses[i].time_ns = CLAMP (losses[i].time_ns, start_ns, end_ns - 1);
    if (n_losses > 0)
        qsort (losses, n_losses, sizeof *losses, compare_losses);
    for (uint32_t i = 0; i < n_losses; i++) {
        if (n > 0 && losses[n - 1].time_ns == losses[i].time_ns)
            losses[n - 1].n_lost += losses[i].n_lost;
        else
            losses[n++] = losses[i];
    }
    return n;
}
