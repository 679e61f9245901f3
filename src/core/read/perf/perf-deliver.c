/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples with frame-pointer chains are many and small, and most of their chains have been seen
 * before. Several threads decode a block of records: their fields and a hash of the chain, which
 * depend on the record alone. Steps that depend on earlier samples (threads, address spaces, the
 * cache of chains) are done in order, for most samples without reading the record again.
 */
#include "core/read/perf/perf-deliver.h"

#include "core/base/pool.h"
#include "core/model/fields/memory-access.h"
#include "core/read/events/perf-tracing.h"
#include "core/read/perf/perf-off-cpu.h"

#define CACHE_LINE_BYTES 64u

#define ITEMS_PER_STEP 512u
#define MIN_FOR_POOL   16384u /* fewer do not justify starting threads ... */
#define MIN_PARALLEL   4096u  /* ... or waking them up */

typedef struct {
    const PerfSession *session;
    const PerfQueued *items;
    size_t n_items;
    PerfDecoded *decoded;
} Decoding;

struct PerfDelivery {
    PV_ARRAY (PerfDecoded) decoded;
    PV_ARRAY (PerfTarget) targets; /* of the current sample */
    PvIdMap value_of_id;           /* -> index + 1 in read_values */
    PV_ARRAY (uint64_t) read_values;
    PvHashMap labels_of_access; /* -> label set + 1 */
    PvIdMap lines, physical_lines;
};

PerfDelivery *
perf_delivery_new (void)
{
    return g_new0 (PerfDelivery, 1);
}

void
perf_delivery_free (PerfDelivery *delivery)
{
    pv_array_clear (&delivery->decoded);
    pv_array_clear (&delivery->targets);
    pv_array_clear (&delivery->read_values);
    pv_id_map_clear (&delivery->value_of_id);
    pv_hash_map_clear (&delivery->labels_of_access);
    pv_id_map_clear (&delivery->lines);
    pv_id_map_clear (&delivery->physical_lines);
    g_free (delivery);
}

/* Samples decoded ahead */

/* True if the event's samples only need their chain and period, unless they report a memory
 * access. */
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
decode (const PerfSession *session, const PerfQueued *item, PerfDecoded *ret_decoded)
{
    *ret_decoded = (PerfDecoded){0};
    if (perf_load_u32 (item->record, session->swap) != PERF_RECORD_SAMPLE)
        return;
    const PerfAttr *attr =
        perf_attr_of_record (session, item->record, PERF_RECORD_SAMPLE, item->size_bytes);
    PerfSample sample;
    if (attr == NULL || !is_plain (attr) ||
        !perf_sample_parse (&sample, attr, item->record, item->size_bytes, session->swap) ||
        sample.weight != 0 || pv_access_is_reported (sample.access))
        return;
    *ret_decoded = (PerfDecoded){
        .chain = perf_sample_hash_chain (&sample),
        .attr = (uint32_t)(attr - session->events->attrs.data) + 1,
        .pid = sample.pid,
        .tid = sample.tid,
        .cpu = perf_sample_get_cpu (&sample),
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
        decode (decoding->session, &decoding->items[i], &decoding->decoded[i]);
}

const PerfDecoded *
perf_deliver_decode (PerfSession *session, const PerfQueued *items, size_t n)
{
    PerfDelivery *delivery = session->delivery;
    delivery->decoded.len = 0;
    pv_array_resize (&delivery->decoded, n);
    Decoding decoding = {session, items, n, delivery->decoded.data};
    size_t n_steps = (n + ITEMS_PER_STEP - 1) / ITEMS_PER_STEP;
    if (n >= MIN_FOR_POOL || (n >= MIN_PARALLEL && session->pool != NULL)) {
        pv_pool_run (perf_session_get_pool (session), n_steps, decode_step, &decoding);
        return delivery->decoded.data;
    }
    for (size_t step = 0; step < n_steps; step++)
        decode_step (&decoding, step, 0);
    return delivery->decoded.data;
}

/* Before the sample's stack is added: an earlier one, or a deferred one, which comes too late, is
 * not the stack of a switch at this sample. */
static void
begin_sample (PerfThread *thread, const PerfAttr *attr, uint64_t time_ns)
{
    if (!attr->is_at_switch && !attr->is_offcpu_time)
        perf_off_cpu_see (thread, time_ns);
    thread->last_stack = (PerfStackRef){0};
    thread->is_at_switch = attr->is_at_switch;
}

void
perf_deliver_decoded (PerfSession *session, const PerfQueued *item, const PerfDecoded *decoded)
{
    perf_maps_advance_jit (session, item->time_ns);
    if (G_UNLIKELY (!session->events->has_sets))
        perf_attr_make_sets (session);
    const PerfAttr *attr = &session->events->attrs.data[decoded->attr - 1];
    uint64_t time_ns = item->time_ns >= PERF_FAKE_TIME_LOW ? 0 : item->time_ns;
    PerfThread *thread =
        perf_maps_thread (session, (int32_t)decoded->pid, (int32_t)decoded->tid, time_ns);
    PvThreadId row = perf_maps_thread_row (session, thread);
    PerfTarget target = {attr->set, {decoded->period}};
    PerfNewSample new_sample = {
        .base = {.time_ns = time_ns, .thread = row, .cpu = decoded->cpu},
        .thread = thread,
        .targets = &target,
        .n_targets = 1,
    };
    begin_sample (thread, attr, time_ns);
    if (perf_stacks_add_decoded (session, attr, &new_sample, decoded, item->record,
                                 item->size_bytes))
        session->counts.n_samples++;
    else
        session->counts.n_bad_records++;
}

/* Samples delivered one by one. The weight of a sample with READ is the counter's increase since it
 * was last read. With GROUP, the sample counts for each member of the group that has increased. */

/* Samples of perf's own off-CPU tracking have their data in the raw field: u32 pid, tid; u64
 * period, nr, ips[nr], cgroup. */
static void
take_off_cpu_payload (PerfSample *sample)
{
    PvCursor cursor = pv_cursor (sample->raw, sample->raw_size_bytes, sample->swap);
    uint32_t pid = pv_cursor_u32 (&cursor);
    uint32_t tid = pv_cursor_u32 (&cursor);
    uint64_t period = pv_cursor_u64 (&cursor);
    uint32_t n_ips = 0;
    const uint8_t *ips = perf_take_array (&cursor, 8, &n_ips);
    if (cursor.failed)
        return;
    sample->pid = pid;
    sample->tid = tid;
    sample->period = period;
    sample->ips = ips;
    sample->n_ips = n_ips;
    sample->has_chain = true;
}

/* The increase of a counter since it was last read. */
static uint64_t
difference_since_last (PerfSession *session, const PerfAttr *attr, uint64_t id, uint32_t tid,
                       uint64_t value)
{
    /* Inherited counters have a value per thread. */
    uint64_t key = id;
    if (perf_attr_has_flag (attr, PERF_ATTR_INHERIT))
        key = pv_hash_mix (id) + tid;
    uint32_t *slot = pv_id_map_slot (&session->delivery->value_of_id, key);
    if (*slot == 0) {
        pv_array_push (&session->delivery->read_values, 0);
        *slot = (uint32_t)session->delivery->read_values.len;
    }
    uint64_t *last = &session->delivery->read_values.data[*slot - 1];
    uint64_t difference = value - *last;
    *last = value;
    return difference;
}

static void
add_target (PerfSession *session, const PerfAttr *attr, const PerfSample *sample, uint64_t period)
{
    PerfTarget target = {attr->set, {period, sample->weight}};
    pv_array_push (&session->delivery->targets, target);
}

static void
add_read_targets (PerfSession *session, const PerfAttr *attr, const PerfSample *sample)
{
    uint64_t format = attr->read_format;
    bool is_group = (format & PERF_FORMAT_GROUP) != 0;
    PvCursor cursor = pv_cursor (sample->read, sample->read_size_bytes, sample->swap);
    uint64_t n = is_group ? pv_cursor_u64 (&cursor) : 1;
    uint64_t single = is_group ? 0 : pv_cursor_u64 (&cursor);
    if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0)
        pv_cursor_u64 (&cursor);
    if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0)
        pv_cursor_u64 (&cursor);
    for (uint64_t i = 0; i < n && !cursor.failed; i++) {
        uint64_t value = is_group ? pv_cursor_u64 (&cursor) : single;
        uint64_t id = pv_cursor_u64 (&cursor);
        if ((format & PERF_FORMAT_LOST) != 0)
            pv_cursor_u64 (&cursor);
        const PerfAttr *member = perf_attr_of_id (session, id);
        if (member == NULL) {
            session->counts.n_unknown_id++;
            continue;
        }
        uint64_t weight = difference_since_last (session, member, id, sample->tid, value);
        if (weight > 0)
            add_target (session, member, sample, weight);
    }
}

static uint64_t
time_of_sample (const PerfAttr *attr, const PerfSample *sample)
{
    /* Aggregated waits are written at the end with made-up times. */
    if (sample->time_ns >= PERF_FAKE_TIME_LOW)
        return 0;
    if (attr->is_offcpu_time)
        return sample->time_ns > sample->period ? sample->time_ns - sample->period : 0;
    return sample->time_ns;
}

/* Keeps the fields of a tracepoint; returns the number of their record, or 0. The kernel pads what
 * it writes. */
static uint32_t
keep_record (PerfSession *session, const PerfAttr *attr, const PerfSample *sample)
{
    const PerfTracepoint *tracepoint = &session->tracing->tracepoints.data[attr->tracepoint - 1];
    uint32_t size = sample->raw_size_bytes;
    if (!tracepoint->is_sized)
        size = MIN (size, tracepoint->end);
    bool is_whole = sample->raw != NULL && tracepoint->origin > 0 && size > tracepoint->origin;
    if (!is_whole || tracepoint->end <= tracepoint->origin)
        return 0;
    uint32_t record = pv_profile_builder_add_record (
        session->builder, attr->set, sample->raw + tracepoint->origin, size - tracepoint->origin);
    session->counts.n_records_left_out += record == 0;
    return record;
}

/* Memory accesses */

/* The cache line of an address as a label; 0: unknown, or one too many. A line that has a label has
 * it in all samples, so that its totals are right. */
static uint64_t
take_line (PvIdMap *lines, uint64_t address, bool *is_left_out)
{
    uint64_t line = address & ~(uint64_t)(CACHE_LINE_BYTES - 1);
    if (line == 0 || perf_keep_address (lines, line))
        return line;
    *is_left_out = true;
    return 0;
}

static void
add_label (PerfSession *session, PvLabel *labels, uint32_t *n_labels, const char *key,
           const char *text)
{
    labels[(*n_labels)++] = (PvLabel){
        .key = pv_profile_builder_string (session->builder, key),
        .text = pv_profile_builder_string (session->builder, text),
    };
}

static void
add_line (PerfSession *session, PvLabel *labels, uint32_t *n_labels, const char *key, uint64_t line)
{
    char text[24];
    if (line == 0)
        return;
    g_snprintf (text, sizeof text, "0x%" G_GINT64_MODIFIER "x", line);
    add_label (session, labels, n_labels, key, text);
}

/* The labels of a sample that tells of a memory access; 0: none. */
static uint32_t
label_access (PerfSession *session, const PerfSample *sample)
{
    if (!pv_access_is_reported (sample->access))
        return 0;
    PerfDelivery *delivery = session->delivery;
    bool is_left_out = false;
    const uint64_t told[] = {
        sample->access,
        take_line (&delivery->lines, sample->data_address, &is_left_out),
        take_line (&delivery->physical_lines, sample->physical_address, &is_left_out),
    };
    session->counts.n_addresses_left_out += is_left_out;
    PvHash key = pv_hash_bytes (told, sizeof told, 0);
    uint32_t *slot = pv_hash_map_slot (&delivery->labels_of_access, key);
    if (*slot != 0)
        return *slot - 1;
    PvLabel labels[PV_N_ACCESS_PARTS + 2];
    uint32_t n_labels = 0;
    for (unsigned part = 0; part < PV_N_ACCESS_PARTS; part++) {
        char text[PV_MAX_ACCESS_TEXT];
        if (pv_access_get_text (sample->access, part, text))
            add_label (session, labels, &n_labels, pv_access_get_key (part), text);
    }
    add_line (session, labels, &n_labels, "cache-line", told[1]);
    add_line (session, labels, &n_labels, "physical-line", told[2]);
    uint32_t label_set = pv_profile_builder_label_set (session->builder, labels, n_labels);
    *slot = label_set + 1;
    return label_set;
}

void
perf_deliver_sample (PerfSession *session, const uint8_t *record, size_t size_bytes)
{
    PerfAttr *attr = perf_attr_of_record (session, record, PERF_RECORD_SAMPLE, size_bytes);
    if (attr == NULL) {
        session->counts.n_unknown_id++;
        return;
    }
    PerfSample sample;
    if (!perf_sample_parse (&sample, attr, record, size_bytes, session->swap)) {
        session->counts.n_bad_records++;
        return;
    }
    if (G_UNLIKELY (!session->events->has_sets)) {
        perf_attr_make_sets (session);
    }
    if (attr->is_offcpu_time && sample.raw_size_bytes > 0)
        take_off_cpu_payload (&sample);

    session->delivery->targets.len = 0;
    bool is_read =
        (attr->sample_type & PERF_SAMPLE_READ) != 0 && (attr->read_format & PERF_FORMAT_ID) != 0;
    if (is_read)
        add_read_targets (session, attr, &sample);
    else
        add_target (session, attr, &sample, sample.period);
    session->counts.n_samples++;

    uint64_t time_ns = time_of_sample (attr, &sample);
    PerfThread *thread =
        perf_maps_thread (session, (int32_t)sample.pid, (int32_t)sample.tid, time_ns);
    PerfNewSample new_sample = {
        .base =
            {
                .time_ns = time_ns,
                .duration_ns =
                    attr->is_offcpu_time && sample.time_ns < PERF_FAKE_TIME_LOW ? sample.period : 0,
                .thread = perf_maps_thread_row (session, thread),
                .label_set = label_access (session, &sample),
                .cpu = perf_sample_get_cpu (&sample),
            },
        .thread = thread,
        .targets = session->delivery->targets.data,
        .n_targets = session->delivery->targets.len,
    };
    if (attr->has_fields && !is_read)
        new_sample.base.record = keep_record (session, attr, &sample);
    begin_sample (thread, attr, time_ns);
    perf_stacks_add (session, attr, &new_sample, &sample);
    if (attr->tracepoint != 0)
        perf_off_cpu_tracepoint (session, &session->tracing->tracepoints.data[attr->tracepoint - 1],
                                 &sample, thread);
}
