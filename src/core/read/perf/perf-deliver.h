/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/perf/perf-stacks.h"

/* A queued record. Keeps its size because the file may change under us. */
typedef struct {
    uint64_t time_ns;
    const uint8_t *record;
    uint32_t size_bytes;
    bool is_unpacked; /* in a chunk of the queue */
} PerfQueued;

PerfDelivery *perf_delivery_new (void);
void perf_delivery_free (PerfDelivery *delivery);

/* Decodes the SAMPLE records among n queued records in parallel, where this does not depend on
 * earlier records. The result is parallel to items and valid until the next call. */
const PerfDecoded *perf_deliver_decode (PerfSession *session, const PerfQueued *items, size_t n);
/* Delivers a decoded sample. */
void perf_deliver_decoded (PerfSession *session, const PerfQueued *item,
                           const PerfDecoded *decoded);
/* Delivers any other SAMPLE record, of at least 8 bytes. */
void perf_deliver_sample (PerfSession *session, const uint8_t *record, size_t size_bytes);
