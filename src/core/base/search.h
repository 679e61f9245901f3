/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Binary search: the first number of [low, high) for which a condition does not hold, or high. It
 * must hold for all numbers before that one, and for none after it. i is the number's name in it:
 *
 *     uint32_t first = pv_bisect (0, n, i, time_ns_of[i] < start_ns);
 */
#define pv_bisect(low, high, i, is_before)                                                         \
    ({                                                                                             \
        __typeof__ ((low) + (high)) pv_low = (low), pv_high = (high);                              \
        while (pv_low < pv_high) {                                                                 \
            const __typeof__ (pv_low) i = pv_low + (pv_high - pv_low) / 2;                         \
            if (is_before)                                                                         \
                pv_low = i + 1;                                                                    \
            else                                                                                   \
                pv_high = i;                                                                       \
        }                                                                                          \
        pv_low;                                                                                    \
    })

/* The same where the number looked for is near low, in steps that double. */
#define pv_gallop(low, high, i, is_before)                                                         \
    ({                                                                                             \
        __typeof__ ((low) + (high)) pv_from = (low), pv_end = (high), pv_step = 1;                 \
        while (pv_step < pv_end - pv_from) {                                                       \
            const __typeof__ (pv_from) i = pv_from + pv_step;                                      \
            if (!(is_before))                                                                      \
                break;                                                                             \
            pv_from = i;                                                                           \
            pv_step *= 2;                                                                          \
        }                                                                                          \
        pv_end = pv_step < pv_end - pv_from ? pv_from + pv_step : pv_end;                          \
        pv_bisect (pv_from, pv_end, i, is_before);                                                 \
    })
