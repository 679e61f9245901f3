/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of lost events: few are kept, their sum stays, and so does about when it was. */
#include "../cases.h"
#include "core/model/build/losses.h"

enum { N_MANY = 200000, FIRST_NS = 1000, STEP_NS = 50 };

static const PvLoss *
fit (PvLossList *list, uint64_t end_ns, uint32_t *ret_n)
{
    const PvLoss *losses = list->data;
    *ret_n = pv_losses_fit (list->data, (uint32_t)list->len, FIRST_NS, end_ns);
    for (uint32_t i = 0; i < *ret_n; i++) {
        g_assert_cmpuint (losses[i].time_ns, >=, FIRST_NS);
        g_assert_cmpuint (losses[i].time_ns, <, end_ns);
        g_assert_true (i == 0 || losses[i - 1].time_ns < losses[i].time_ns);
    }
    return losses;
}

TEST (few)
{
    static const PvLoss given[] = {{0, 1},    {2000, 10},   {1500, 100},
                                   {1500, 0}, {9999, 1000}, {2000, 5}};
    PvLossList list = {0};
    uint32_t n;
    for (unsigned i = 0; i < G_N_ELEMENTS (given); i++)
        pv_loss_list_add (&list, given[i].time_ns, given[i].n_lost);
    const PvLoss *losses = fit (&list, 3000, &n);
    g_assert_cmpuint (n, ==, 4);
    g_assert_cmpuint (losses[0].time_ns, ==, FIRST_NS);
    g_assert_cmpuint (losses[0].n_lost, ==, 1);
    g_assert_cmpuint (losses[1].n_lost, ==, 100);
    g_assert_cmpuint (losses[2].time_ns, ==, 2000);
    g_assert_cmpuint (losses[2].n_lost, ==, 15);
    g_assert_cmpuint (losses[3].time_ns, ==, 2999);
    g_assert_cmpuint (losses[3].n_lost, ==, 1000);
    pv_array_clear (&list);
}

/* However regular they are, and in whatever order they come. */
TEST (many)
{
    for (unsigned order = 0; order < 3; order++) {
        PvLossList list = {0};
        uint64_t quarters[4] = {0}, end_ns = FIRST_NS + (uint64_t)N_MANY * STEP_NS;
        uint32_t n;
        for (uint32_t i = 0; i < N_MANY; i++) {
            uint32_t at = order == 0   ? i
                          : order == 1 ? N_MANY - 1 - i
                                       : (uint32_t)((uint64_t)i * 7919 % N_MANY);
            pv_loss_list_add (&list, FIRST_NS + (uint64_t)at * STEP_NS, 3);
        }
        g_assert_cmpuint (list.len, <=, PV_MAX_LOSSES);
        const PvLoss *losses = fit (&list, end_ns, &n);
        g_assert_cmpuint (n, >, PV_MAX_LOSSES / 4);
        for (uint32_t i = 0; i < n; i++)
            quarters[(losses[i].time_ns - FIRST_NS) * 4 / (end_ns - FIRST_NS)] += losses[i].n_lost;
        g_assert_cmpuint (quarters[0] + quarters[1] + quarters[2] + quarters[3], ==, 3 * N_MANY);
        for (unsigned q = 0; q < 4; q++) {
            g_assert_cmpuint (quarters[q], >, 3 * N_MANY / 4 * 95 / 100);
            g_assert_cmpuint (quarters[q], <, 3 * N_MANY / 4 * 105 / 100);
        }
        pv_array_clear (&list);
    }
}

/* One that is far away, as a damaged file may say, changes little for the others. */
TEST (outlier)
{
    PvLossList list = {0};
    uint64_t sum = 0;
    uint32_t n;
    pv_loss_list_add (&list, UINT64_MAX, INT64_MAX - N_MANY);
    for (uint32_t i = 0; i < N_MANY; i++)
        pv_loss_list_add (&list, FIRST_NS + (uint64_t)i * STEP_NS, 1);
    const PvLoss *losses = fit (&list, UINT64_MAX, &n);
    g_assert_cmpuint (n, >, PV_MAX_LOSSES / 4);
    for (uint32_t i = 0; i < n; i++)
        sum += losses[i].n_lost;
    g_assert_cmpuint (sum, ==, INT64_MAX);
    pv_array_clear (&list);
}
