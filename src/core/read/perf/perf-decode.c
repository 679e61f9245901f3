/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of frame-pointer chains are many and small, and most of their chains have been seen
 * before. What of them depends on the record alone (its fields, and a hash of the chain) is found
 * for a block of records at once, by all processors; what depends on the samples before (threads,
 * address spaces, the cache of chains) is done when their turn comes, and for most of them without
 * going back to the record.
 */
#include "core/read/perf/perf-internal.h"

#define ITEMS_PER_STEP 512u
#define MIN_FOR_POOL   16384u /* with fewer, starting threads costs more than they save ... */
#define MIN_PARALLEL   4096u  /* ... and waking them up */

typedef struct {
    PerfSession *session;
    const PerfQueued *items;
    size_t n_items;
} Decoding;

/* Whether the sample's way leads through the cache of chains and nowhere else. */
static bool
is_plain (const PerfAttr *attr)
{
    bool reads = (attr->sample_type & PERF_SAMPLE_READ) != 0;
    bool is_lbr = (attr->sample_type & PERF_SAMPLE_BRANCH_STACK) != 0 &&
                  (attr->branch_sample_type & PERF_BRANCH_CALL_STACK) != 0;
    bool is_bpf_output =
        attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_BPF_OUTPUT;
    return !reads && !is_lbr && !is_bpf_output && attr->type != PERF_TYPE_TRACEPOINT &&
           (attr->sample_type & PERF_SAMPLE_REGS_USER) == 0;
}

static void
decode (PerfSession *session, const PerfQueued *item, PerfDecoded *ret_decoded)
{
    *ret_decoded = (PerfDecoded){0};
    if (perf_load_u32 (item->record, session->swap) != PERF_RECORD_SAMPLE)
        return;
    const PerfAttr *attr =
        perf_attr_of_record (session, item->record, PERF_RECORD_SAMPLE, item->size_bytes);
    PerfSample sample;
    if (attr == NULL || !is_plain (attr) ||
        !perf_sample_parse (&sample, attr, item->record, item->size_bytes, session->swap))
        return;
    *ret_decoded = (PerfDecoded){
        .chain = perf_stacks_hash (&sample),
        .attr = (uint32_t)(attr - session->attrs.data) + 1,
        .pid = sample.pid,
        .tid = sample.tid,
        .cpu = sample.cpu < PV_CPU_UNKNOWN ? (uint16_t)sample.cpu : PV_CPU_UNKNOWN,
        .has_chain = sample.has_chain,
        .period = sample.period,
    };
}

static void
decode_step (void *data, size_t step, unsigned worker)
{
    (void)worker;
    const Decoding *decoding = data;
    size_t end = MIN ((step + 1) * ITEMS_PER_STEP, decoding->n_items);
    for (size_t i = step * ITEMS_PER_STEP; i < end; i++)
        decode (decoding->session, &decoding->items[i], &decoding->session->queue.decoded.data[i]);
}

void
perf_decode (PerfSession *session, const PerfQueued *items, size_t n)
{
    PerfQueue *queue = &session->queue;
    queue->decoded.len = 0;
    pv_array_resize (&queue->decoded, n);
    Decoding decoding = {session, items, n};
    size_t n_steps = (n + ITEMS_PER_STEP - 1) / ITEMS_PER_STEP;
    if (n >= MIN_FOR_POOL && queue->pool == NULL)
        queue->pool = pv_pool_new (session->context->n_workers);
    if (n >= MIN_PARALLEL && queue->pool != NULL) {
        pv_pool_run (queue->pool, n_steps, decode_step, &decoding);
        return;
    }
    for (size_t step = 0; step < n_steps; step++)
        decode_step (&decoding, step, 0);
}

void
perf_decode_deliver (PerfSession *session, const PerfQueued *item, const PerfDecoded *decoded)
{
    perf_maps_advance_jit (session, item->time_ns);
    if (G_UNLIKELY (!session->has_sets))
        perf_attr_make_sets (session);
    const PerfAttr *attr = &session->attrs.data[decoded->attr - 1];
    PvNewSample base = {
        .time_ns = item->time_ns >= PERF_FAKE_TIME_LOW ? 0 : item->time_ns,
        .cpu = decoded->cpu,
    };
    PerfThread *thread =
        perf_maps_thread (session, (int32_t)decoded->pid, (int32_t)decoded->tid, base.time_ns);
    base.thread = perf_maps_thread_row (session, thread);
    if (perf_stacks_add_decoded (session, attr, thread, decoded, &base, item->record,
                                 item->size_bytes))
        session->n_samples++;
    else
        session->n_bad_records++;
}
