/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Parts of a processor's report on a memory access: Linux's perf_mem_data_src, in the words of perf
 * mem report. */
typedef enum {
    PV_ACCESS_OPERATION,
    PV_ACCESS_MEMORY, /* where the data came from */
    PV_ACCESS_SNOOP,  /* copies in other caches */
    PV_ACCESS_TLB,
    PV_ACCESS_LOCKED,
    PV_ACCESS_BLOCKED, /* why it had to wait */
    PV_N_ACCESS_PARTS
} PvAccessPart;

#define PV_MAX_ACCESS_TEXT 256

/* "memory": the key of a label. */
const char *pv_access_get_key (PvAccessPart part);
/* "L1 hit". False if the part is not reported. */
bool pv_access_get_text (uint64_t source, PvAccessPart part, char ret_text[PV_MAX_ACCESS_TEXT]);
/* True if any part is reported. */
bool pv_access_is_reported (uint64_t source);
