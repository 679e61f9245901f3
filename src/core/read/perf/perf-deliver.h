/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/perf/perf-stacks.h"

/* A record that waits for its turn. Its size is kept because the file may change under us. */
typedef struct {
    uint64_t time_ns;
    const uint8_t *record;
    uint32_t size_bytes;
    bool is_unpacked; /* it is in a chunk of the queue */
} PerfQueued;

PerfDelivery *perf_delivery_new (void);
void perf_delivery_free (PerfDelivery *delivery);

/* Decodes the SAMPLE records among n queued ones with all processors, as far as that depends on
 * nothing else. The result is parallel to items, valid until the next call. */
const PerfDecoded *perf_deliver_decode (PerfSession *session, const PerfQueued *items, size_t n);
/* Delivers a sample that was decoded. */
void perf_deliver_decoded (PerfSession *session, const PerfQueued *item,
                           const PerfDecoded *decoded);
/* Delivers any other SAMPLE record, of at least 8 bytes. */
void perf_deliver_sample (PerfSession *session, const uint8_t *record, size_t size_bytes);
