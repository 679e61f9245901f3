/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

/*
 * The memory that a load may use for what it builds from a file. It grows with the unpacked bytes
 * that were read, so that a few bytes cannot ask for gigabytes, and ends before the machine's
 * memory does. A copy of it may be used in any thread.
 */
typedef struct {
    uint64_t max_bytes;       /* what the user allows; 0: the default */
    uint64_t available_bytes; /* what the system can give; 0: unknown */
} PvBudget;

/* The least that a load may use by default, and what each unpacked byte adds beyond that. */
#define PV_BUDGET_MIN_BYTES      (UINT64_C (512) << 20)
#define PV_BUDGET_BYTES_PER_BYTE 3u

/* Asks the system how much memory there is: free memory, and the limits of the process and of its
 * control group. max_bytes is the user's limit; 0: none. */
PvBudget pv_budget_new (uint64_t max_bytes);

/* How many bytes may be in use once unpacked_bytes of the file have been read. */
uint64_t pv_budget_get_bytes (const PvBudget *budget, uint64_t unpacked_bytes);

/* Bytes that the process may still map: RLIMIT_AS less what it has mapped. UINT64_MAX: any number.
 */
uint64_t pv_budget_get_address_space (void);
